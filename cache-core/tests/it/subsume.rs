//! Laws of `cache_core::subsume`: the tree and the recent sets agree with a scan over all sets.

use std::collections::BTreeMap;

use cache_core::rename::{NameDigest, Shapes};
use cache_core::subsume::{Member, MemberSet, NameSet, RecentBounds, RecentSets, SetTree};
use proptest::prelude::*;

fn name(number: u8) -> NameDigest {
    NameDigest::node(&number, &[])
}

fn set(numbers: &[u8]) -> NameSet {
    numbers.iter().map(|number| name(*number)).collect()
}

#[derive(Clone, Debug)]
enum Step {
    Insert(Vec<u8>, u32),
    Remove(Vec<u8>),
    Ask(Vec<u8>, u32),
}

/// More sets than are scanned, so that they are searched; then many that go again.
fn many_steps() -> impl Strategy<Value = Vec<Step>> {
    let members = || proptest::collection::vec(0_u8..12, 0..7);
    let insert = (members(), 0_u32..4).prop_map(|(set, value)| Step::Insert(set, value));
    let step = prop_oneof![
        1 => (members(), 0_u32..4).prop_map(|(set, value)| Step::Insert(set, value)),
        2 => members().prop_map(Step::Remove),
        4 => (members(), 0_u32..4).prop_map(|(set, value)| Step::Ask(set, value)),
    ];
    let few = proptest::collection::vec(step, 0..40);
    (proptest::collection::vec(insert, 100..400), few, any::<bool>()).prop_map(|(mut first, then, goes)| {
        let gone: Vec<Step> = first
            .iter()
            .filter_map(|step| match step {
                Step::Insert(set, _) => Some(Step::Remove(set.clone())),
                Step::Remove(_) | Step::Ask(..) => None,
            })
            .collect();
        first.extend(then.iter().cloned());
        if goes {
            // All but every tenth of the first ones, with questions among them.
            let mut asks = then.iter().cycle();
            for (number, step) in gone.into_iter().enumerate().filter(|(number, _)| number % 10 != 0) {
                first.push(step);
                first.extend(asks.next().filter(|_| number % 5 == 1).cloned());
            }
        }
        first
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Few members, so that sets often contain each other; repeated members, to be merged.
    let members = || proptest::collection::vec(0_u8..7, 0..7);
    let step = prop_oneof![
        3 => (members(), 0_u32..4).prop_map(|(set, value)| Step::Insert(set, value)),
        1 => members().prop_map(Step::Remove),
        4 => (members(), 0_u32..4).prop_map(|(set, value)| Step::Ask(set, value)),
    ];
    proptest::collection::vec(step, 0..60)
}

type Model = BTreeMap<NameSet, u32>;

fn is_subset(small: &NameSet, large: &NameSet) -> bool {
    small.members().iter().all(|member| large.members().contains(member))
}

fn agrees_with_a_scan(
    steps: &[Step],
    is_subset: impl Fn(&NameSet, &NameSet) -> bool,
) -> Result<(), TestCaseError> {
    let mut tree = SetTree::new();
    let mut model = Model::new();
    for step in steps {
        match step {
            Step::Insert(members, value) => {
                prop_assert_eq!(tree.insert(&set(members), *value), model.insert(set(members), *value));
            }
            Step::Remove(members) => {
                prop_assert_eq!(tree.remove(&set(members)), model.remove(&set(members)));
            }
            Step::Ask(members, least) => {
                let asked = set(members);
                // Sets are ordered by their members, so the first of the scan is the first of the tree.
                let first = |fits: &dyn Fn(&NameSet) -> bool| {
                    model
                        .iter()
                        .find(|(stored, value)| fits(stored) && *value >= least)
                        .map(|(_, value)| value)
                };
                prop_assert_eq!(tree.get(&asked), model.get(&asked));
                prop_assert_eq!(
                    tree.subset(&asked, |value| value >= least),
                    first(&|stored| is_subset(stored, &asked))
                );
                prop_assert_eq!(
                    tree.superset(&asked, |value| value >= least),
                    first(&|stored| is_subset(&asked, stored))
                );
            }
        }
        prop_assert_eq!(tree.len(), model.len());
        prop_assert_eq!(tree.is_empty(), model.is_empty());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_tree_agrees_with_a_linear_scan(steps in steps()) {
        agrees_with_a_scan(&steps, is_subset)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_tree_of_many_sets_agrees_with_a_linear_scan(steps in many_steps()) {
        agrees_with_a_scan(&steps, is_subset)?;
    }
}

/// Common members, and rare ones: what has a rare one is searched for by it, not by a scan to the end.
fn common_and_rare(most: usize) -> impl Strategy<Value = Vec<u16>> {
    let parts =
        (proptest::collection::vec(0_u16..12, 0..5), proptest::collection::vec(100_u16..800, 0..most));
    parts.prop_map(|(common, rare)| [common, rare].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn supersets_by_rare_members_are_those_of_a_linear_scan(
        sets in proptest::collection::vec((common_and_rare(4), 0_u32..4), 1500..1800),
        asked in proptest::collection::vec((common_and_rare(3), 0_u32..4), 100),
        gone in 2_usize..5,
    ) {
        let set = |members: &[u16]| -> NameSet {
            members.iter().map(|member| NameDigest::node(member, &[])).collect()
        };
        let (mut tree, mut model) = (SetTree::new(), Model::new());
        for (members, value) in &sets {
            tree.insert(&set(members), *value);
            model.insert(set(members), *value);
        }
        let parts = sets.iter().map(|(members, least)| (members[members.len() / 2..].to_vec(), *least));
        let asked: Vec<(Vec<u16>, u32)> = asked.into_iter().chain(parts.step_by(20)).collect();
        for round in 0..2 {
            for (members, least) in &asked {
                let asked = set(members);
                let found = model.iter().find(|(stored, value)| is_subset(&asked, stored) && *value >= least);
                let found = found.map(|(_, value)| value);
                prop_assert_eq!(tree.superset(&asked, |value| value >= least), found, "round {}", round);
            }
            for (members, _) in sets.iter().step_by(gone) {
                prop_assert_eq!(tree.remove(&set(members)), model.remove(&set(members)));
            }
        }
    }
}

#[test]
fn the_law_of_the_tree_catches_a_wrong_subset_test() {
    // Wrong: proper subsets only.
    let wrong = |small: &NameSet, large: &NameSet| small != large && is_subset(small, large);
    assert!(crate::planted::is_broken(1000, &steps(), |steps| agrees_with_a_scan(&steps, wrong)));
}

/// The sets that are scanned before a search are the first ones, also when they were more and become more again.
#[test]
fn the_first_set_in_order_is_found_among_many_that_came_and_went() {
    let mut sets: Vec<NameSet> = (0..200).map(|number| set(&[number, 255])).collect();
    sets.sort_unstable();
    let mut tree = SetTree::new();
    for (place, set) in sets.iter().enumerate().take(199) {
        tree.insert(set, place);
    }
    sets[..100].iter().for_each(|set| assert!(tree.remove(set).is_some()));
    tree.insert(&sets[199], 199);
    sets[100..113].iter().for_each(|set| assert!(tree.remove(set).is_some()));
    assert_eq!(tree.superset(&set(&[255]), |place| *place >= 150), Some(&150));
}

#[test]
fn a_contradiction_is_not_found_in_two_harmless_bounds() {
    let (x, y) = (NameDigest::node("x", &[]), NameDigest::node("y", &[]));
    let bound = |text: &str, variable| NameDigest::node(text, &[variable]);
    let contradiction: NameSet = [bound("< 3", x), bound("> 5", x)].into_iter().collect();
    let harmless: NameSet = [bound("< 3", x), bound("> 5", y)].into_iter().collect();
    let mut tree = SetTree::new();
    tree.insert(&contradiction, "unsatisfiable");
    assert_eq!(tree.subset(&harmless, |_| true), None);
    assert_eq!(tree.superset(&harmless, |_| true), None);

    // By shapes the two could not be told apart, which is why shapes are no members of these sets.
    let mut shapes = Shapes::new();
    let [x, y] = [(); 2].map(|()| shapes.fresh("int").1);
    let about = [shapes.node("> 5", &[x]), shapes.node("> 5", &[y])];
    assert_eq!(about[0].digest, about[1].digest);
}

#[test]
fn the_empty_set_is_a_subset_of_all_and_all_are_its_supersets() {
    let mut tree = SetTree::new();
    assert_eq!(tree.subset(&set(&[1]), |_| true), None::<&i32>);
    tree.insert(&set(&[]), 0);
    tree.insert(&set(&[1, 2]), 12);
    assert_eq!(tree.subset(&set(&[9]), |_| true), Some(&0));
    assert_eq!(tree.superset(&set(&[]), |value| *value > 0), Some(&12));
    assert_eq!(tree.superset(&set(&[9]), |_| true), None);
    tree.clear();
    assert!(tree.is_empty());
    assert_eq!(tree.superset(&set(&[]), |_| true), None);
}

#[test]
fn a_set_of_a_hundred_thousand_members_is_searched_without_recursion() {
    let long: NameSet = (0_u32..100_000).map(|number| NameDigest::node(&number, &[])).collect();
    let part: NameSet = long.members().iter().copied().step_by(3).collect();
    let mut tree = SetTree::new();
    tree.insert(&long, "long");
    tree.insert(&part, "part");
    assert_eq!(tree.subset(&long, |value| *value == "part"), Some(&"part"));
    assert_eq!(tree.superset(&part, |value| *value == "long"), Some(&"long"));
    assert_eq!(tree.remove(&long), Some("long"));
    assert_eq!(tree.superset(&part, |value| *value == "long"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Long sets with few branches: the search leaves many members out between two that are stored.
    #[test]
    fn long_sets_are_found_as_in_a_linear_scan(
        sets in proptest::collection::vec(proptest::collection::vec(0_u8..40, 4..12), 1..6),
        more in proptest::collection::vec(0_u8..40, 0..30),
        of in 0_usize..6,
    ) {
        let mut tree = SetTree::new();
        for (number, members) in sets.iter().enumerate() {
            tree.insert(&set(members), number);
        }
        let asked = set(&[sets[of % sets.len()].as_slice(), &more].concat());
        let below = sets.iter().filter(|members| is_subset(&set(members), &asked)).count();
        let mut found = 0;
        tree.subset(&asked, |_| { found += 1; false });
        let distinct: std::collections::BTreeSet<NameSet> =
            sets.iter().map(|members| set(members)).filter(|stored| is_subset(stored, &asked)).collect();
        prop_assert!(below > 0);
        prop_assert_eq!(found, distinct.len());
    }
}

/// A numbered member, as expressions are: what was made later is larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Numbered(u32);

impl Member for Numbered {}

fn numbered<'a>(members: impl IntoIterator<Item = &'a u32>) -> MemberSet<Numbered> {
    members.into_iter().map(|member| Numbered(*member)).collect()
}

fn subsets(sets: &RecentSets<Numbered, usize>, members: &[u32]) -> Vec<usize> {
    sets.subsets(&numbered(members)).map(|(_, value)| *value).collect()
}

#[test]
fn the_newest_fitting_set_is_found_and_the_oldest_ones_are_forgotten() {
    let mut sets = RecentSets::new(RecentBounds::default());
    for (value, members) in [&[1, 2][..], &[1, 2, 3], &[5], &[2, 3, 7], &[]].into_iter().enumerate() {
        sets.insert(numbered(members), value);
    }
    // What is known already stays what it is.
    sets.insert(numbered(&[3, 2, 1]), 9);
    assert_eq!(sets.len(), 4);
    assert_eq!(sets.superset(&numbered(&[2])), Some(&3));
    assert_eq!(sets.superset(&numbered(&[1, 2])), Some(&1));
    assert_eq!(sets.superset(&numbered(&[3, 5])), None);
    assert_eq!(sets.superset(&numbered(&[])), None);
    assert_eq!(subsets(&sets, &[1, 2, 3, 5]), [2, 1, 0]);
    assert!(sets.has_subset(&numbered(&[5, 9])) && !sets.has_subset(&numbered(&[2, 3])));
    sets.halve();
    assert_eq!((sets.len(), subsets(&sets, &[1, 2, 3, 5])), (2, vec![2]));
    assert_eq!((sets.superset(&numbered(&[1, 2])), sets.superset(&numbered(&[7]))), (None, Some(&3)));
}

#[test]
fn bounds_on_members_and_looks_are_kept() {
    let mut sets = RecentSets::new(RecentBounds::default().members(4));
    for (value, members) in [&[1, 2][..], &[2, 3], &[3, 4]].into_iter().enumerate() {
        sets.insert(numbered(members), value);
    }
    assert_eq!((sets.len(), subsets(&sets, &[1, 2, 3, 4])), (2, vec![2, 1]));

    let mut sets = RecentSets::new(RecentBounds::default().looks(2));
    for number in 1..=4 {
        sets.insert(numbered(&[0, number, 9]), number as usize);
    }
    assert_eq!(subsets(&sets, &[0, 1, 2, 3, 4, 9]), [4, 3]);
    assert!(sets.has_subset(&numbered(&[0, 4, 9])) && !sets.has_subset(&numbered(&[0, 1, 9])));
    assert_eq!(sets.superset(&numbered(&[9])), Some(&4));
    // By its rarest member each is found, wherever that one stands.
    assert_eq!(sets.superset(&numbered(&[1, 9])), Some(&1));
    assert_eq!(sets.superset(&numbered(&[0, 1])), Some(&1));
}

type Kept = Vec<(std::collections::BTreeSet<u32>, usize)>;

fn recent_agrees_with_a_scan(
    stored: &[std::collections::BTreeSet<u32>],
    asked: &std::collections::BTreeSet<u32>,
    kept: usize,
    newest_first: impl Fn(&mut Kept),
) -> Result<(), TestCaseError> {
    let mut sets = RecentSets::new(RecentBounds::default().sets(kept));
    let mut model = Kept::new();
    for (value, members) in stored.iter().enumerate() {
        sets.insert(numbered(members), value);
        let known = model.iter().any(|(known, _)| known == members);
        if !members.is_empty() && !known {
            model.push((members.clone(), value));
            let forgotten = model.len().saturating_sub(kept);
            model.drain(..forgotten);
        }
    }
    let listed: Vec<usize> = sets.sets().map(|(_, value)| *value).collect();
    prop_assert_eq!(listed, model.iter().map(|(_, value)| *value).collect::<Vec<_>>());
    newest_first(&mut model);
    let members = numbered(asked);
    let above = model.iter().find(|(known, _)| known.is_superset(asked)).map(|(_, value)| value);
    if !asked.is_empty() {
        prop_assert_eq!(sets.superset(&members), above);
    }
    let below: Vec<usize> =
        model.iter().filter(|(known, _)| known.is_subset(asked)).map(|(_, value)| *value).collect();
    prop_assert_eq!(sets.has_subset(&members), !below.is_empty());
    let found: Vec<usize> = sets.subsets(&members).map(|(_, value)| *value).collect();
    prop_assert_eq!(found, below);
    prop_assert_eq!(sets.len(), model.len());
    prop_assert_eq!(sets.is_empty(), model.is_empty());
    Ok(())
}

fn recent()
-> impl Strategy<Value = (Vec<std::collections::BTreeSet<u32>>, std::collections::BTreeSet<u32>, usize)> {
    let sets = prop::collection::vec(prop::collection::btree_set(0u32..8, 0..5), 0..40);
    (sets, prop::collection::btree_set(0u32..8, 0..6), 0usize..40)
}

proptest! {
    #[test]
    fn recent_sets_agree_with_a_scan_from_the_newest_on((stored, asked, kept) in recent()) {
        recent_agrees_with_a_scan(&stored, &asked, kept, |model| model.reverse())?;
    }

    #[test]
    fn subsets_are_told_by_sorted_members(
        one in prop::collection::btree_set(0u32..9, 0..6),
        other in prop::collection::btree_set(0u32..9, 0..6),
    ) {
        prop_assert_eq!(numbered(&one).is_subset(&numbered(&other)), one.is_subset(&other));
    }
}

#[test]
fn the_law_of_recent_sets_catches_the_opposite_order() {
    assert!(crate::planted::is_broken(1000, &recent(), |(stored, asked, kept)| {
        recent_agrees_with_a_scan(&stored, &asked, kept, |_| {})
    }));
}
