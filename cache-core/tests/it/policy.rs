//! Laws of `cache_core::policy`: every policy agrees with a naive model that keeps vectors and searches
//! them, under random look-ups, insertions, removals, marks, drops, relocations and clearings.

#![expect(clippy::unwrap_used, reason = "the model runs in tests alone")]

use cache_core::policy::{
    Admission, DepthLimit, DirectMapped, EveryNth, Everything, Lru, Policy, S3Fifo, TableKey, Unbounded,
};
use cache_core::table::{Counting, Mark, Table};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unbounded,
    DirectMapped,
    Lru,
    S3Fifo,
}

#[derive(Clone, Debug)]
enum Operation {
    Get(u32),
    Peek(u32),
    Insert(u32, u32),
    Remove(u32),
    Mark,
    /// Drops since one of the marks taken so far, whichever lies at this index modulo their number.
    DropSince(usize),
    /// Keys below the bound vanish, the others are divided by the divisor and shifted.
    Relocate {
        below: u32,
        divisor: u32,
        shift: u32,
    },
    Clear,
}

fn operation() -> impl Strategy<Value = Operation> {
    let key = || 0_u32..40;
    prop_oneof![
        20 => key().prop_map(Operation::Get),
        2 => key().prop_map(Operation::Peek),
        20 => (key(), any::<u32>()).prop_map(|(key, value)| Operation::Insert(key, value)),
        2 => key().prop_map(Operation::Remove),
        3 => Just(Operation::Mark),
        2 => any::<usize>().prop_map(Operation::DropSince),
        1 => (0_u32..10, 1_u32..3, 0_u32..20)
            .prop_map(|(below, divisor, shift)| Operation::Relocate { below, divisor, shift }),
        1 => Just(Operation::Clear),
    ]
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    id: u64,
    key: u32,
    value: u32,
    stamp: u64,
}

/// The model. Vectors are ordered, the oldest first.
struct Naive {
    kind: Kind,
    capacity: usize,
    /// By insertion.
    entries: Vec<Entry>,
    /// LRU: ids by last use.
    uses: Vec<u64>,
    /// S3-FIFO: ids with their hits, and the keys that left.
    small: Vec<(u64, u8)>,
    main: Vec<(u64, u8)>,
    ghosts: Vec<u32>,
    clock: u64,
    ids: u64,
    evicted: u64,
}

impl Naive {
    fn new(kind: Kind, capacity: usize) -> Self {
        Self {
            kind,
            capacity,
            entries: vec![],
            uses: vec![],
            small: vec![],
            main: vec![],
            ghosts: vec![],
            clock: 0,
            ids: 0,
            evicted: 0,
        }
    }

    fn used(&mut self, id: u64) {
        self.uses.retain(|other| *other != id);
        self.uses.push(id);
        for (other, hits) in self.small.iter_mut().chain(&mut self.main) {
            if *other == id && *hits < 3 {
                *hits += 1;
            }
        }
    }

    fn find(&self, key: u32) -> Option<Entry> {
        self.entries.iter().copied().find(|entry| entry.key == key)
    }

    fn get(&mut self, key: u32) -> Option<u32> {
        let entry = self.find(key)?;
        self.used(entry.id);
        Some(entry.value)
    }

    fn forget(&mut self, id: u64) {
        self.entries.retain(|entry| entry.id != id);
        self.uses.retain(|other| *other != id);
        self.small.retain(|(other, _)| *other != id);
        self.main.retain(|(other, _)| *other != id);
    }

    fn evict(&mut self, id: u64) {
        self.evicted += 1;
        self.forget(id);
    }

    fn insert(&mut self, key: u32, value: u32) {
        if let Some(mut entry) = self.find(key) {
            self.used(entry.id);
            self.entries.retain(|other| other.id != entry.id);
            (entry.value, entry.stamp) = (value, self.clock);
            self.clock += 1;
            self.entries.push(entry);
            return;
        }
        if self.capacity == 0 && self.kind != Kind::Unbounded {
            return;
        }
        match self.kind {
            Kind::Unbounded => {}
            Kind::DirectMapped => self.displace(key),
            Kind::Lru => {
                if self.entries.len() == self.capacity {
                    self.evict(self.uses[0]);
                }
            }
            Kind::S3Fifo => {
                if self.entries.len() == self.capacity {
                    self.evict_s3fifo();
                }
            }
        }
        self.ids += 1;
        self.entries.push(Entry { id: self.ids, key, value, stamp: self.clock });
        self.clock += 1;
        self.uses.push(self.ids);
        if self.ghosts.contains(&key) {
            self.ghosts.retain(|ghost| *ghost != key);
            self.main.push((self.ids, 0));
        } else {
            self.small.push((self.ids, 0));
        }
    }

    fn displace(&mut self, key: u32) {
        let slot = |key: u32| key as usize % self.capacity;
        let there = self.entries.iter().find(|entry| slot(entry.key) == slot(key)).map(|entry| entry.id);
        if let Some(id) = there {
            self.evict(id);
        }
    }

    fn evict_s3fifo(&mut self) {
        let small_share = std::cmp::max(1, self.capacity / 10);
        let main_share = self.capacity - small_share;
        if self.small.len() >= small_share {
            while !self.small.is_empty() {
                let (id, hits) = self.small.remove(0);
                if hits > 1 {
                    self.main.push((id, 0));
                    if self.main.len() > main_share {
                        return self.evict_main();
                    }
                } else {
                    let key = self.entries.iter().find(|entry| entry.id == id).unwrap().key;
                    self.ghosts.push(key);
                    if self.ghosts.len() > main_share {
                        self.ghosts.remove(0);
                    }
                    return self.evict(id);
                }
            }
        }
        self.evict_main();
    }

    fn evict_main(&mut self) {
        loop {
            let (id, hits) = self.main.remove(0);
            if hits == 0 {
                return self.evict(id);
            }
            self.main.push((id, hits - 1));
        }
    }

    fn drop_since(&mut self, mark: u64) -> usize {
        let ids: Vec<u64> =
            self.entries.iter().filter(|entry| entry.stamp >= mark).map(|entry| entry.id).collect();
        ids.iter().for_each(|id| self.forget(*id));
        ids.len()
    }

    fn relocate(&mut self, moved: impl Fn(u32) -> Option<u32>) {
        self.ghosts.clear();
        let before = self.entries.clone();
        for entry in &before {
            if moved(entry.key).is_none() {
                self.forget(entry.id);
            }
        }
        let staying = std::mem::take(&mut self.entries);
        for mut entry in staying {
            entry.key = moved(entry.key).unwrap();
            if let Some(same) = self.find(entry.key) {
                self.forget(same.id);
            }
            if self.kind == Kind::DirectMapped {
                self.displace(entry.key);
            }
            self.entries.push(entry);
        }
    }
}

fn agrees<P: Policy>(kind: Kind, capacity: usize, operations: &[Operation]) {
    let mut table: Table<u32, u32, P, Counting> = Table::new(capacity);
    let mut model = Naive::new(kind, capacity);
    let mut marks = vec![(Mark::START, 0)];
    for operation in operations {
        match *operation {
            Operation::Get(key) => assert_eq!(table.get(key).copied(), model.get(key)),
            Operation::Peek(key) => {
                assert_eq!(table.peek(key).copied(), model.find(key).map(|entry| entry.value));
            }
            Operation::Insert(key, value) => {
                table.insert(key, value);
                model.insert(key, value);
            }
            Operation::Remove(key) => {
                let expected = model.find(key);
                assert_eq!(table.remove(key), expected.map(|entry| entry.value));
                expected.into_iter().for_each(|entry| model.forget(entry.id));
            }
            Operation::Mark => marks.push((table.mark(), model.clock)),
            Operation::DropSince(which) => {
                let (mark, clock) = marks[which % marks.len()];
                assert_eq!(table.drop_since(mark), model.drop_since(clock));
            }
            Operation::Relocate { below, divisor, shift } => {
                let moved = |key: u32| (key >= below).then_some(key / divisor + shift);
                table.relocate(moved);
                model.relocate(moved);
            }
            Operation::Clear => {
                table.clear();
                model.drop_since(0);
                model.ghosts.clear();
            }
        }
        let held: Vec<(u32, u32)> = table.iter().map(|(key, value)| (key, *value)).collect();
        let expected: Vec<(u32, u32)> = model.entries.iter().map(|entry| (entry.key, entry.value)).collect();
        assert_eq!(held, expected, "after {operation:?}");
        assert_eq!(table.len(), held.len());
        assert!(kind == Kind::Unbounded || table.len() <= capacity);
        assert_eq!(table.recorder().evicted, model.evicted, "after {operation:?}");
    }
}

fn capacity() -> impl Strategy<Value = usize> {
    prop_oneof![0_usize..5, 5_usize..35]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn unbounded_agrees_with_the_naive_model(operations in prop::collection::vec(operation(), 0..250)) {
        agrees::<Unbounded>(Kind::Unbounded, 3, &operations);
    }

    #[test]
    fn direct_mapped_agrees_with_the_naive_model(
        capacity in capacity(), operations in prop::collection::vec(operation(), 0..250)
    ) {
        agrees::<DirectMapped>(Kind::DirectMapped, capacity, &operations);
    }

    #[test]
    fn lru_agrees_with_the_naive_model_in_exact_order(
        capacity in capacity(), operations in prop::collection::vec(operation(), 0..250)
    ) {
        agrees::<Lru>(Kind::Lru, capacity, &operations);
    }

    #[test]
    fn s3fifo_agrees_with_the_naive_model(
        capacity in capacity(), operations in prop::collection::vec(operation(), 0..250)
    ) {
        agrees::<S3Fifo>(Kind::S3Fifo, capacity, &operations);
    }

    #[test]
    fn s3fifo_agrees_with_the_naive_model_where_most_is_asked_for_again(
        capacity in 1_usize..32, keys in prop::collection::vec((0_u32..48, 0_u32..48, 0_usize..5), 0..200)
    ) {
        // Some keys come once, some are asked for up to as often as is counted and beyond.
        let asked = |(key, other, times): &(u32, u32, usize)| {
            let gets = std::iter::repeat_n(Operation::Get((*key).min(*other)), *times);
            std::iter::once(Operation::Insert((*key).min(*other), *key)).chain(gets).collect::<Vec<_>>()
        };
        let operations: Vec<Operation> = keys.iter().flat_map(asked).collect();
        agrees::<S3Fifo>(Kind::S3Fifo, capacity, &operations);
    }

    #[test]
    fn the_direct_mapped_slot_is_the_remainder(
        capacity in prop_oneof![1_usize..300, 1_usize..=u32::MAX as usize], key: u32
    ) {
        use cache_core::policy::State;
        let state: <DirectMapped as Policy>::State<u32> = State::<u32>::with_capacity(capacity);
        prop_assert_eq!(State::<u32>::find(&state, key), Some((key as usize % capacity) as u32));
    }
}

#[test]
fn a_table_tells_how_many_entries_it_may_hold() {
    fn check<P: Policy>(expected: usize) {
        let table: Table<u32, (), P> = Table::new(7);
        assert_eq!(table.capacity(), expected);
    }
    check::<DirectMapped>(7);
    check::<Lru>(7);
    check::<S3Fifo>(7);
    check::<Unbounded>(usize::try_from(u32::MAX).unwrap());
}

#[test]
fn what_is_scanned_once_does_not_push_out_what_s3fifo_saw_twice() {
    let mut table: Table<u32, (), S3Fifo> = Table::new(20);
    for key in 0..10 {
        table.insert(key, ());
    }
    for _ in 0..2 {
        assert!((0..10).all(|key| table.contains(key)));
    }
    for key in 1000..2000 {
        table.insert(key, ());
    }
    assert!((0..10).all(|key| table.peek(key).is_some()));

    let mut lru: Table<u32, (), Lru> = Table::new(20);
    (0..10).chain(0..10).chain(1000..2000).for_each(|key| lru.insert(key, ()));
    assert!((0..10).all(|key| lru.peek(key).is_none()));
}

#[test]
fn what_comes_back_soon_enters_the_main_queue_of_s3fifo() {
    let mut table: Table<u32, (), S3Fifo> = Table::new(10);
    for key in 0..11 {
        table.insert(key, ());
    }
    assert!(table.peek(0).is_none(), "the oldest left when the eleventh came");
    table.insert(0, ());
    for key in 20..28 {
        table.insert(key, ());
    }
    assert!(table.peek(0).is_some(), "it came back as a ghost, so newer entries leave before it");
    assert!((1..10).all(|key| table.peek(key).is_none()));
}

#[test]
fn neighbouring_cells_of_one_type_get_different_slots() {
    let mut table: Table<(u32, u32), (), DirectMapped> = Table::new(64);
    (1000..1064).for_each(|cell| table.insert((cell, 7), ()));
    assert_eq!(table.len(), 64);
    assert_ne!((1000_u32, 1_u32).slot() % 64, (1000_u32, 2_u32).slot() % 64);
}

#[test]
fn admission_rules_decide_by_depth() {
    let admitted = |rule: &dyn Fn(u32) -> bool| (0..6).filter(|depth| rule(*depth)).collect::<Vec<u32>>();
    let third = EveryNth(std::num::NonZeroU32::new(3).unwrap());
    assert_eq!(admitted(&|depth| Everything.admits(depth)), [0, 1, 2, 3, 4, 5]);
    assert_eq!(admitted(&|depth| DepthLimit(0).admits(depth)), [0_u32; 0]);
    assert_eq!(admitted(&|depth| DepthLimit(2).admits(depth)), [0, 1]);
    assert_eq!(admitted(&|depth| third.admits(depth)), [0, 3]);
    assert_eq!(admitted(&|depth| (DepthLimit(3), third).admits(depth)), [0]);
}
