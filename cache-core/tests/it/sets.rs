//! Laws of `cache_core::sets`: what is saved is found, merged without loss, bounded, and confirmed.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking, in helpers as well")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use cache_core::digest::Digest;
use cache_core::key::{Checksum, Key, KeyBuilder};
use cache_core::rename::NameChecksum;
use cache_core::sets::{KeptSets, SetsError};
use cache_core::store::{DiskOptions, DiskStore, MemoryStore, Store};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

fn key() -> Key {
    KeyBuilder::new("sets", 1).finish()
}

fn members(numbers: &[u8]) -> Vec<NameChecksum> {
    numbers.iter().map(|number| NameChecksum::node(number, &[])).collect()
}

fn disk(folder: &Path) -> Arc<dyn Store> {
    Arc::new(DiskStore::open(folder.join("cache"), DiskOptions::default()).unwrap())
}

fn memory() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new())
}

/// The sets in a store.
fn loaded(store: &Arc<dyn Store>) -> KeptSets<u64> {
    let mut sets = KeptSets::new(Arc::clone(store), &key(), 1000);
    sets.load().unwrap();
    sets
}

/// What a run does: learns, removes, and may save.
type Run = (Vec<(Vec<u8>, Option<u64>)>, bool);

/// Runs one after the other, and a question.
fn runs() -> impl Strategy<Value = (Vec<Run>, Vec<u8>)> {
    let numbers = |range| proptest::collection::vec(0_u8..6, range);
    let acts = proptest::collection::vec((numbers(0..4), proptest::option::of(0_u64..4)), 0..6);
    (proptest::collection::vec((acts, any::<bool>()), 1..5), numbers(0..5))
}

fn is_found_like_in_a_list(
    open: fn(&Arc<dyn Store>) -> KeptSets<u64>,
    (runs, question): (Vec<Run>, Vec<u8>),
) -> Result<(), TestCaseError> {
    let store = memory();
    let mut saved: BTreeMap<BTreeSet<u8>, u64> = BTreeMap::new();
    for (acts, saves) in runs {
        let (mut sets, mut known) = (open(&store), saved.clone());
        for (numbers, value) in acts {
            let set: BTreeSet<u8> = numbers.iter().copied().collect();
            match value {
                Some(value) => {
                    sets.insert(&members(&numbers), value);
                    known.insert(set, value);
                }
                None => {
                    sets.remove(&members(&numbers));
                    known.remove(&set);
                }
            }
        }
        prop_assert_eq!(sets.len(), known.len());
        if saves {
            sets.save().unwrap();
            saved = known;
        }
    }
    let mut sets = loaded(&store);
    let asked: BTreeSet<u8> = question.iter().copied().collect();
    for wanted in 0..4 {
        let fits = |value: &u64| *value == wanted;
        let below = saved.iter().any(|(set, value)| fits(value) && set.is_subset(&asked));
        let above = saved.iter().any(|(set, value)| fits(value) && set.is_superset(&asked));
        prop_assert_eq!(sets.subset(&members(&question), fits).is_some(), below);
        prop_assert_eq!(sets.superset(&members(&question), fits).is_some(), above);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_saved_is_found_like_in_a_list(case in runs()) {
        is_found_like_in_a_list(loaded, case)?;
    }
}

/// What a process does beside others.
#[derive(Clone, Debug)]
enum Act {
    Learn(u8, u64),
    Remove(u8),
    Load,
    Save,
}

fn acts() -> impl Strategy<Value = Vec<(usize, Act)>> {
    let act = prop_oneof![
        (0_u8..4, 0_u64..3).prop_map(|(set, value)| Act::Learn(set, value)),
        (0_u8..4).prop_map(Act::Remove),
        Just(Act::Load),
        Just(Act::Save),
    ];
    proptest::collection::vec((0..3_usize, act), 0..24)
}

/// What one process knows: all of it, what it learnt since it saved last, and what it removed since then.
#[derive(Default)]
struct Beside {
    known: BTreeMap<u8, u64>,
    own: BTreeSet<u8>,
    removed: BTreeSet<u8>,
}

impl Beside {
    fn load(&mut self, saved: Option<&BTreeMap<u8, u64>>) {
        let Some(saved) = saved else { return };
        let news = saved.iter().filter(|(set, _)| !self.removed.contains(set) && !self.own.contains(set));
        let own = self.known.iter().filter(|(set, _)| self.own.contains(set));
        self.known = news.chain(own).map(|(set, value)| (*set, *value)).collect();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn processes_beside_each_other_know_what_each_of_them_learnt_and_removed(acts in acts()) {
        let store = memory();
        let mut processes: Vec<(KeptSets<u64>, Beside)> =
            (0..3).map(|_| (loaded(&store), Beside::default())).collect();
        let mut saved = None;
        for (who, act) in acts {
            let (sets, beside) = &mut processes[who];
            match act {
                Act::Learn(set, value) => {
                    sets.insert(&members(&[set]), value);
                    beside.known.insert(set, value);
                    beside.own.insert(set);
                    beside.removed.remove(&set);
                }
                Act::Remove(set) => {
                    sets.remove(&members(&[set]));
                    beside.known.remove(&set);
                    beside.own.remove(&set);
                    beside.removed.insert(set);
                }
                Act::Load => {
                    sets.load().unwrap();
                    beside.load(saved.as_ref());
                }
                Act::Save => {
                    sets.save().unwrap();
                    beside.load(saved.as_ref());
                    beside.own.clear();
                    beside.removed.clear();
                    saved = Some(beside.known.clone());
                }
            }
            prop_assert_eq!(sets.len(), beside.known.len());
            for set in 0..4 {
                prop_assert_eq!(sets.subset(&members(&[set]), |_| true), beside.known.get(&set));
            }
        }
    }
}

#[cfg(feature = "plant")]
#[test]
fn the_list_notices_that_sets_come_back_that_were_removed() {
    let open = |store: &Arc<dyn Store>| {
        let fault = Some(cache_core::plant::Fault::ReviveSets);
        let mut sets = KeptSets::new(Arc::clone(store), &key(), 1000).fault(fault);
        sets.load().unwrap();
        sets
    };
    assert!(crate::planted::is_broken(300, &runs(), |case| is_found_like_in_a_list(open, case)));
}

#[test]
fn who_saves_at_the_same_time_loses_nothing_of_the_others() {
    let folder = TempDir::new().unwrap();
    let (writers, each) = (4_u8, 20_u8);
    std::thread::scope(|scope| {
        for writer in 0..writers {
            let folder = folder.path();
            scope.spawn(move || {
                // A store of its own, as a process has: they meet in the folder only.
                let mut sets: KeptSets<u64> = KeptSets::new(disk(folder), &key(), 1000);
                for number in 0..each {
                    sets.insert(&members(&[writer, 100 + number]), u64::from(number));
                    sets.save().unwrap();
                }
            });
        }
    });
    let mut sets = loaded(&disk(folder.path()));
    assert_eq!(sets.len(), usize::from(writers) * usize::from(each));
    for (writer, number) in (0..writers).flat_map(|writer| (0..each).map(move |number| (writer, number))) {
        let found = sets.subset(&members(&[writer, 100 + number]), |_| true);
        assert_eq!(found, Some(&u64::from(number)), "{writer}, {number}");
    }
}

#[test]
fn beyond_the_bound_those_go_that_were_used_longest_ago() {
    let store = memory();
    let mut sets: KeptSets<u64> = KeptSets::new(Arc::clone(&store), &key(), 10);
    for number in 0..10 {
        sets.insert(&members(&[number]), u64::from(number));
    }
    sets.save().unwrap();
    let mut next: KeptSets<u64> = KeptSets::new(Arc::clone(&store), &key(), 10);
    next.load().unwrap();
    assert_eq!(next.subset(&members(&[0]), |_| true), Some(&0));
    for number in 10..200 {
        next.insert(&members(&[number]), u64::from(number));
        assert_eq!(next.subset(&members(&[0]), |_| true), Some(&0), "it is used again and again");
        assert!(next.len() <= 11);
    }
    next.save().unwrap();
    let mut last = loaded(&store);
    assert_eq!(last.len(), 10);
    assert_eq!(last.subset(&members(&[0]), |_| true), Some(&0));
    assert_eq!(last.subset(&members(&[1]), |_| true), None);
    assert_eq!(last.subset(&members(&[199]), |_| true), Some(&199));
}

#[test]
fn what_others_saved_since_is_news_and_what_is_ones_own_stays() {
    let store = memory();
    let mut first: KeptSets<u64> = KeptSets::new(Arc::clone(&store), &key(), 10);
    first.insert(&members(&[1]), 1);
    first.insert(&members(&[2]), 1);
    first.save().unwrap();
    let mut second = loaded(&store);
    second.insert(&members(&[1]), 2);
    second.save().unwrap();
    // Learnt here since it was saved.
    first.insert(&members(&[2]), 3);
    first.load().unwrap();
    assert_eq!(first.subset(&members(&[1]), |_| true), Some(&2));
    assert_eq!(first.subset(&members(&[2]), |_| true), Some(&3));
}

#[test]
fn sets_are_let_go_a_tenth_at_a_time() {
    let mut sets: KeptSets<u64> = KeptSets::new(memory(), &key(), 20);
    let lengths: Vec<usize> = (0..24)
        .map(|number| {
            sets.insert(&members(&[number]), 0);
            sets.len()
        })
        .collect();
    assert_eq!(lengths[18..], [19, 20, 21, 22, 20, 21]);
}

/// Two constraints with one digest, as an adversary could make them.
fn twins() -> [NameChecksum; 2] {
    ["x < 3", "x < 4"].map(|text| {
        let checksum = Checksum { digest: Digest::of(b"same"), ..Checksum::of(text) };
        let bytes = serde_json::to_string(&checksum).unwrap();
        serde_json::from_str::<NameChecksum>(&bytes).unwrap()
    })
}

#[test]
fn members_are_confirmed() {
    let ([one, other], third) = (twins(), members(&[3])[0]);
    let store = memory();
    let mut sets: KeptSets<u64> = KeptSets::new(Arc::clone(&store), &key(), 10);
    sets.insert(&[one, third], 1);
    sets.save().unwrap();
    let mut sets = loaded(&store);
    assert_eq!(sets.subset(&[one, third], |_| true), Some(&1));
    assert_eq!(sets.subset(&[other, third], |_| true), None);
    assert_eq!(sets.superset(&[one], |_| true), Some(&1));
    assert_eq!(sets.superset(&[other], |_| true), None);
    assert_eq!(sets.subset(&[one, other, third], |_| true), None, "a question with both is not answered");
}

/// What the test above looks at is not so by itself.
#[cfg(feature = "plant")]
#[test]
fn members_that_are_not_confirmed_are_noticed() {
    let [one, other] = twins();
    let fault = Some(cache_core::plant::Fault::TrustMembers);
    let mut sets: KeptSets<u64> = KeptSets::new(memory(), &key(), 10).fault(fault);
    sets.insert(&[one], 1);
    assert_eq!(sets.subset(&[other], |_| true), Some(&1));
    assert_eq!(sets.superset(&[other], |_| true), Some(&1));
}

/// Comes back as another value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Forgetful {
    #[serde(skip)]
    number: u8,
}

#[test]
fn a_value_that_the_encoding_would_alter_is_not_saved() {
    let store = memory();
    let mut sets: KeptSets<Forgetful> = KeptSets::new(Arc::clone(&store), &key(), 10);
    sets.insert(&members(&[1]), Forgetful { number: 5 });
    assert!(matches!(sets.save(), Err(SetsError::Altered)));
    assert_eq!(store.counters().puts, 0);
}

#[test]
fn damage_is_no_set() {
    let store = memory();
    let id = key().checksum();
    for bytes in [vec![], vec![1], vec![1, 255, 255, 255], vec![9; 40]] {
        store.put(&id, &bytes).unwrap();
        assert!(loaded(&store).is_empty());
    }
}

#[test]
fn sets_that_were_learnt_longest_ago_are_let_go_first() {
    let mut sets: KeptSets<u64> = KeptSets::new(memory(), &key(), 20);
    for number in (0..23).rev() {
        sets.insert(&members(&[number]), u64::from(number));
    }
    let left: Vec<u8> =
        (0..23).filter(|number| sets.subset(&members(&[*number]), |_| true).is_some()).collect();
    assert_eq!(left, (0..20).collect::<Vec<u8>>());
}

#[test]
fn sets_that_were_of_use_are_let_go_after_those_that_were_learnt_since() {
    let mut sets: KeptSets<u64> = KeptSets::new(memory(), &key(), 20);
    for number in 0..20 {
        sets.insert(&members(&[number]), 0);
    }
    for number in (0..10).rev() {
        assert!(sets.subset(&members(&[number]), |_| true).is_some());
    }
    for number in 20..32 {
        sets.insert(&members(&[number]), 0);
    }
    assert!(sets.len() == 20 && !sets.is_empty());
    let gone: Vec<u8> =
        (0..32).filter(|number| sets.subset(&members(&[*number]), |_| true).is_none()).collect();
    // Those that were never of use, then those that were so first.
    assert_eq!(gone, (8..20).collect::<Vec<u8>>());
}
