//! Look-up and insertion per policy: the times of one run, to be compared with each other. What does
//! not depend on the machine, the instructions of a look-up, is counted with `examples/lookup_cost.rs`.

use std::hint::black_box;

use cache_core::policy::{DirectMapped, Lru, Policy, S3Fifo, Unbounded};
use cache_core::table::Table;
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// A run-time checker's tables are this small, a solver's query cache this large.
const CAPACITIES: [usize; 2] = [256, 65_536];

type Key = (u32, u32);

fn key(number: usize) -> Key {
    (u32::try_from(number).unwrap_or(u32::MAX), 1)
}

fn full<P: Policy>(capacity: usize) -> Table<Key, u32, P> {
    let mut table = Table::new(capacity);
    (0..capacity).for_each(|number| table.insert(key(number), 1));
    table
}

#[divan::bench(types = [DirectMapped, Unbounded, Lru, S3Fifo], args = CAPACITIES)]
fn look_up_what_is_held<P: Policy>(bencher: Bencher<'_, '_>, capacity: usize) {
    let mut table = full::<P>(capacity);
    bencher
        .counter(ItemsCount::new(capacity))
        .bench_local(|| (0..capacity).filter(|number| table.contains(black_box(key(*number)))).count());
}

#[divan::bench(types = [DirectMapped, Unbounded, Lru, S3Fifo], args = CAPACITIES)]
fn look_up_what_is_not<P: Policy>(bencher: Bencher<'_, '_>, capacity: usize) {
    let mut table = full::<P>(capacity);
    bencher.counter(ItemsCount::new(capacity)).bench_local(|| {
        (capacity..2 * capacity).filter(|number| table.contains(black_box(key(*number)))).count()
    });
}

/// Every insertion pushes another entry out, except where nothing ever leaves.
#[divan::bench(types = [DirectMapped, Unbounded, Lru, S3Fifo], args = CAPACITIES)]
fn insert_into_a_full_table<P: Policy>(bencher: Bencher<'_, '_>, capacity: usize) {
    bencher.counter(ItemsCount::new(capacity)).with_inputs(|| full::<P>(capacity)).bench_local_values(
        |mut table| {
            (capacity..2 * capacity).for_each(|number| table.insert(black_box(key(number)), 1));
            table
        },
    );
}

/// A choicepoint, eight insertions, and back.
#[divan::bench(types = [DirectMapped, Unbounded, Lru, S3Fifo])]
fn backtrack_over_eight_insertions<P: Policy>(bencher: Bencher<'_, '_>) {
    let mut table = full::<P>(256);
    bencher.counter(ItemsCount::new(8_usize)).bench_local(|| {
        let mark = table.mark();
        (1000..1008).for_each(|number| table.insert(black_box(key(number)), 1));
        table.drop_since(mark)
    });
}

/// A collection that moves everything by one cell.
#[divan::bench(types = [DirectMapped, Unbounded, Lru, S3Fifo])]
fn relocate<P: Policy>(bencher: Bencher<'_, '_>) {
    let mut table = full::<P>(256);
    bencher
        .counter(ItemsCount::new(256_usize))
        .bench_local(|| table.relocate(|(cell, regtype)| Some((cell + 1, regtype))));
}
