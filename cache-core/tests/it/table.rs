//! Laws of `cache_core::table`: marks, relocation, recorders.

use cache_core::digest::Digest;
use cache_core::policy::{DirectMapped, Lru, Policy, S3Fifo, Unbounded};
use cache_core::table::{Counting, Mark, Silent, Table};
use proptest::prelude::*;

mod machine;

/// A machine with choicepoints: what it knows at each choicepoint is exactly what it knew when the
/// choicepoint was made, less what was pushed out.
fn backtracks<P: Policy>(steps: &[(u8, u32)]) {
    let mut table: Table<u32, u32, P> = Table::new(16);
    let mut choicepoints: Vec<(Mark, Vec<(u32, u32)>)> = Vec::new();
    // Values are never used twice, so that a replaced value is told from the one before.
    let mut fresh = 0;
    let content =
        |table: &Table<u32, u32, P>| table.iter().map(|(key, value)| (key, *value)).collect::<Vec<_>>();
    for (what, key) in steps {
        match what {
            0 => choicepoints.push((table.mark(), content(&table))),
            1 => {
                if let Some((mark, known)) = choicepoints.pop() {
                    table.drop_since(mark);
                    assert!(content(&table).iter().all(|entry| known.contains(entry)));
                }
            }
            // Cut: the marks are forgotten, what was learnt stays.
            2 => choicepoints.truncate(choicepoints.len() / 2),
            3 => {
                table.get(*key);
            }
            _ => {
                fresh += 1;
                table.insert(*key, fresh);
            }
        }
    }
}

proptest! {
    #[test]
    fn backtracking_leaves_only_what_was_known_at_the_choicepoint(
        steps in prop::collection::vec((0_u8..8, 0_u32..30), 0..300)
    ) {
        backtracks::<Unbounded>(&steps);
        backtracks::<DirectMapped>(&steps);
        backtracks::<Lru>(&steps);
        backtracks::<S3Fifo>(&steps);
    }
}

#[test]
fn a_mark_stays_valid_after_an_older_one_was_used() {
    let mut table: Table<u32, (), Lru> = Table::new(8);
    table.insert(1, ());
    let older = table.mark();
    table.insert(2, ());
    let newer = table.mark();
    table.drop_since(older);
    table.insert(3, ());
    assert_eq!(table.drop_since(newer), 1, "3 was inserted after the newer mark was taken");
    assert_eq!(table.iter().map(|(key, ())| key).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_table_shows_its_entries() {
    let mut table: Table<u32, &str, Unbounded> = Table::new(0);
    table.insert(1, "one");
    table.insert(2, "two");
    assert_eq!(format!("{table:?}"), r#"{1: "one", 2: "two"}"#);
}

#[test]
fn a_replaced_value_is_dropped_with_the_insertion_that_replaced_it() {
    let mut table: Table<u32, &str, Unbounded> = Table::new(0);
    table.insert(1, "before");
    let mark = table.mark();
    table.insert(1, "after");
    table.drop_since(mark);
    assert_eq!(table.peek(1), None, "the value that was true before is not known any more");
}

#[test]
fn a_table_tells_whether_something_came_since_a_mark() {
    let mut table: Table<u32, (), Unbounded> = Table::new(0);
    let start = table.mark();
    assert!(!table.has_since(start));
    table.insert(1, ());
    let later = table.mark();
    assert!(table.has_since(start) && !table.has_since(later));
    table.insert(2, ());
    assert!(table.has_since(start) && table.has_since(later));
    assert_eq!(table.drop_since(later), 1);
    assert!(table.has_since(start) && !table.has_since(later), "what was dropped is no more");
}

#[test]
fn what_is_kept_behind_a_mark_is_as_old_as_what_came_before_it() {
    let mut table: Table<u32, u32, Unbounded> = Table::new(0);
    let outer = table.distinct_mark();
    table.insert(1, 10);
    let inner = table.distinct_mark();
    table.insert(2, 20);
    table.insert(3, 30);
    let held = |table: &Table<u32, u32, Unbounded>| [1, 2, 3].map(|key| table.peek(key).is_some());
    let mut looked_at = Vec::new();
    let keep = |key, value: &mut u32| {
        looked_at.push(key);
        *value < 25
    };
    assert_eq!(table.drop_since_unless(inner, keep), 1);
    assert_eq!(looked_at, [3, 2], "what came before the mark is not looked at");
    assert_eq!(held(&table), [true, true, false]);
    assert!(!table.has_since(inner), "what was kept does not count as new");
    assert_eq!(table.drop_since_unless(outer, |_, value| *value < 15), 1);
    assert_eq!(held(&table), [true, false, false]);
}

#[test]
fn a_mark_survives_a_trip_through_a_machine_cell() {
    let mut table: Table<u32, (), DirectMapped> = Table::new(8);
    table.insert(1, ());
    let bits = table.mark().to_bits();
    table.insert(2, ());
    assert_eq!(table.drop_since(Mark::from_bits(bits)), 1);
    assert_eq!(table.drop_since(Mark::START), 1);
    assert!(table.is_empty());
}

#[test]
fn marks_taken_before_a_clearing_or_a_relocation_are_still_in_order() {
    let mut table: Table<u32, (), S3Fifo> = Table::new(8);
    table.insert(10, ());
    let first = table.mark();
    table.insert(20, ());
    table.relocate(|key| Some(key + 1));
    assert_eq!(table.drop_since(first), 1);
    assert!(table.contains(11));
    table.clear();
    table.insert(30, ());
    assert_eq!(table.drop_since(first), 1, "inserted after the mark, though after the clearing too");
}

#[test]
fn dropping_costs_as_many_steps_as_entries_were_inserted() {
    // The table holds a thousand old entries; each round inserts one and drops it. The number of dropped
    // entries, which is the number of steps, is counted, not timed.
    let mut table: Table<u32, (), Unbounded, Counting> = Table::new(0);
    (0..1000).for_each(|key| table.insert(key, ()));
    for round in 0..1000 {
        let mark = table.mark();
        table.insert(5000 + round, ());
        assert_eq!(table.drop_since(mark), 1);
        assert_eq!(table.drop_since(mark), 0);
    }
    assert_eq!(table.recorder().dropped, 1000);
    assert_eq!(table.len(), 1000);
}

#[test]
fn a_table_without_room_holds_nothing() {
    fn check<P: Policy>() {
        let mut table: Table<u32, (), P> = Table::new(0);
        table.insert(1, ());
        assert!(table.is_empty() && !table.contains(1));
        table.relocate(Some);
        table.clear();
        assert_eq!(table.drop_since(Mark::START), 0);
    }
    check::<DirectMapped>();
    check::<Lru>();
    check::<S3Fifo>();
}

#[test]
fn a_counting_recorder_counts_and_a_silent_one_takes_no_room() {
    let mut table: Table<u32, (), DirectMapped, Counting> = Table::new(4);
    for key in [1, 5, 1] {
        if !table.contains(key) {
            table.insert(key, ());
        }
    }
    assert!(table.contains(1));
    table.clear();
    assert_eq!(
        *table.recorder(),
        Counting { hits: 1, misses: 3, inserted: 3, evicted: 2, dropped: 1 },
        "1 and 5 share a slot"
    );
    assert_eq!(size_of::<Silent>(), 0);
    assert!(size_of::<Table<u32, (), DirectMapped>>() < size_of::<Table<u32, (), DirectMapped, Counting>>());
}

#[test]
fn a_peek_is_no_use() {
    let mut table: Table<u32, (), Lru, Counting> = Table::new(2);
    table.insert(1, ());
    table.insert(2, ());
    assert!(table.peek(1).is_some());
    table.insert(3, ());
    assert!(table.peek(1).is_none() && table.peek(2).is_some());
    assert_eq!(table.recorder().hits, 0);
}

#[cfg(feature = "plant")]
#[test]
fn planted_faults_of_a_table_do_what_they_say() {
    use cache_core::plant::Fault;
    let mut table: Table<u32, (), Lru> = Table::new(4);
    table.plant(Some(Fault::IgnoreMarks));
    let mark = table.mark();
    table.insert(1, ());
    assert_eq!(table.drop_since(mark), 0);
    assert!(table.contains(1));
    table.plant(Some(Fault::IgnoreMoves));
    table.relocate(|_| None);
    assert!(table.contains(1));
    table.plant(None);
    assert_eq!(table.drop_since(mark), 1);
}

#[test]
fn every_value_is_changed_where_it_is() {
    let mut table: Table<u32, u32, Lru> = Table::new(8);
    for key in 1..=5 {
        table.insert(key, 10 * key);
    }
    table.update(|key, value| *value += key);
    let mut content: Vec<(u32, u32)> = table.iter().map(|(key, value)| (key, *value)).collect();
    content.sort_unstable();
    assert_eq!(content, [(1, 11), (2, 22), (3, 33), (4, 44), (5, 55)]);
}

#[test]
fn digests_spread_over_the_slots_of_a_table() {
    let mut table: Table<Digest, u32, DirectMapped> = Table::new(64);
    let digests: Vec<Digest> = (0..64_u32).map(|number| Digest::of(&number.to_le_bytes())).collect();
    for (digest, number) in digests.iter().zip(0..) {
        table.insert(*digest, number);
    }
    // Of 64 that fall into 64 slots by chance about 40 stay.
    let stay = digests.iter().filter(|digest| table.get(**digest).is_some()).count();
    assert!((30..=50).contains(&stay), "{stay}");
}

#[test]
fn a_table_is_empty_until_something_is_in_it_and_when_all_is_out() {
    let mut table: Table<u32, u32, Lru> = Table::new(4);
    assert!(table.is_empty());
    table.insert(1, 1);
    assert!(!table.is_empty() && table.len() == 1);
    table.remove(1);
    assert!(table.is_empty());
}

#[test]
fn what_is_kept_behind_one_of_two_marks_of_the_same_moment_is_dropped_behind_the_other() {
    let mut table: Table<u32, (), Lru> = Table::new(8);
    table.insert(0, ());
    let outer = table.distinct_mark();
    let inner = table.distinct_mark();
    table.insert(1, ());
    assert_eq!(table.drop_since_unless(inner, |_, ()| true), 0);
    assert_eq!(table.drop_since_unless(outer, |_, ()| false), 1);
    assert!(table.peek(0).is_some() && table.peek(1).is_none());
}

#[test]
fn a_mark_comes_back_from_its_bits() {
    let mut table: Table<u32, (), Lru> = Table::new(8);
    assert_eq!(Mark::from_bits(Mark::START.to_bits()), Mark::START);
    let first = table.distinct_mark();
    table.insert(1, ());
    let second = table.distinct_mark();
    assert!(first.to_bits() < second.to_bits());
    assert_eq!(table.drop_since(Mark::from_bits(second.to_bits())), 0);
    assert_eq!(table.drop_since(Mark::from_bits(first.to_bits())), 1);
}
