//! Supersets and subsets among one to many sets, beside a scan that compares the members of one after the other.

use cache_core::rename::NameDigest;
use cache_core::subsume::{NameSet, SetTree};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Sets of 4 to 11 members of which some are in many sets and most in few, as constraints of paths are.
fn sets(count: u64) -> Vec<NameSet> {
    let mut state = 1_u64;
    let mut next = move |below: u64| {
        // Knuth's constants for 64 bits; the high bits are the random ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut set = |_| {
        let members = 4 + next(8);
        (0..members).map(|place| NameDigest::node(&(place / 4, next(1 << (2 * place + 2))), &[])).collect()
    };
    (0..count).map(&mut set).collect()
}

/// Three members of every hundredth set, and three that are in no set together.
fn questions(sets: &[NameSet]) -> Vec<NameSet> {
    let part = |set: &NameSet| set.members().iter().copied().step_by(2).take(3).collect();
    let mixed = |pair: &[NameSet]| {
        let [one, other] = [&pair[0], &pair[1]].map(|set| set.members().iter().copied().take(2));
        one.chain(other).collect()
    };
    if let [only] = sets {
        return vec![part(only)];
    }
    let step = (sets.len() / 100).max(2);
    sets.iter().step_by(step).map(part).chain(sets.chunks_exact(2).step_by(step).map(mixed)).collect()
}

const SIZES: [u64; 6] = [1, 16, 100, 1_000, 10_000, 100_000];

/// How many of the questions are answered by a scan in the order of the sets.
fn scanned(sets: &[NameSet], questions: &[NameSet]) -> usize {
    let holds = |question: &NameSet| sets.iter().any(|set| black_box(question).is_subset(set));
    questions.iter().filter(|question| holds(question)).count()
}

#[divan::bench(args = SIZES)]
fn supersets_in_the_tree(bencher: Bencher<'_, '_>, count: u64) {
    let sets = sets(count);
    let mut tree = SetTree::new();
    for set in &sets {
        tree.insert(set, ());
    }
    let questions = questions(&sets);
    bencher.bench(|| {
        questions.iter().filter(|question| tree.superset(black_box(question), |()| true).is_some()).count()
    });
}

#[divan::bench(args = SIZES)]
fn supersets_by_a_scan(bencher: Bencher<'_, '_>, count: u64) {
    let sets = sets(count);
    let questions = questions(&sets);
    bencher.bench(|| scanned(&sets, &questions));
}

/// Sets of 6 to 12 out of 16 members: most have what is asked for.
fn common(count: u64) -> (Vec<NameSet>, Vec<NameSet>) {
    let mut state = 7_u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut sets = |count: u64, least: u64, more: u64| -> Vec<NameSet> {
        let mut set = |_| {
            let members = least + next(more);
            (0..members).map(|_| NameDigest::node(&next(16), &[])).collect()
        };
        (0..count).map(&mut set).collect()
    };
    (sets(count, 6, 7), sets(100, 1, 2))
}

const COMMON: [u64; 7] = [1, 10, 100, 129, 1_000, 10_000, 100_000];

/// Nearly all members at once: no set has them.
fn too_many() -> Vec<NameSet> {
    let all = |leave: u64| {
        (0..16)
            .filter(|member| member % 8 != leave % 8)
            .map(|member| NameDigest::node(&member, &[]))
            .collect()
    };
    (0..100).map(all).collect()
}

#[divan::bench(args = COMMON)]
fn common_supersets_in_the_tree(bencher: Bencher<'_, '_>, count: u64) {
    let (sets, questions) = common(count);
    let mut tree = SetTree::new();
    for set in &sets {
        tree.insert(set, ());
    }
    bencher.bench(|| {
        questions.iter().filter(|question| tree.superset(black_box(question), |()| true).is_some()).count()
    });
}

#[divan::bench(args = COMMON)]
fn common_supersets_by_a_scan(bencher: Bencher<'_, '_>, count: u64) {
    let (sets, questions) = common(count);
    bencher.bench(|| scanned(&sets, &questions));
}

#[divan::bench(args = COMMON)]
fn no_supersets_in_the_tree(bencher: Bencher<'_, '_>, count: u64) {
    let (sets, questions) = (common(count).0, too_many());
    let mut tree = SetTree::new();
    for set in &sets {
        tree.insert(set, ());
    }
    bencher.bench(|| {
        questions.iter().filter(|question| tree.superset(black_box(question), |()| true).is_some()).count()
    });
}

#[divan::bench(args = COMMON)]
fn no_supersets_by_a_scan(bencher: Bencher<'_, '_>, count: u64) {
    let (sets, questions) = (common(count).0, too_many());
    bencher.bench(|| scanned(&sets, &questions));
}

#[divan::bench(args = SIZES)]
fn subsets_in_the_tree(bencher: Bencher<'_, '_>, count: u64) {
    let sets = sets(count);
    let mut tree = SetTree::new();
    for set in &sets {
        tree.insert(set, ());
    }
    bencher.bench(|| {
        sets.iter().take(100).filter(|set| tree.subset(black_box(set), |()| true).is_some()).count()
    });
}
