//! What dependency checksums cost: programs of 100,000 entities.

use cache_core::deps::{Entity, Snapshot, Unresolved};
use cache_core::key::Checksum;
use divan::Bencher;
use divan::counter::ItemsCount;

const ENTITIES: usize = 100_000;

fn main() {
    divan::main();
}

/// A program in which each entity refers to some others; `references` gives them by number.
fn program(edited: bool, references: impl Fn(usize) -> Vec<usize>) -> Vec<Entity> {
    (0..ENTITIES)
        .map(|number| Entity {
            name: format!("entity {number}"),
            checksum: Checksum::of(&(u64::from(edited && number == ENTITIES / 2), "content")),
            depends_on: references(number).iter().map(|number| format!("entity {number}")).collect(),
        })
        .collect()
}

/// Each entity refers to four others before it, near and far, as declarations do.
fn typical(number: usize) -> Vec<usize> {
    [1, 7, 100, 10_000].into_iter().filter_map(|back| number.checked_sub(back)).collect()
}

fn chain(number: usize) -> Vec<usize> {
    number.checked_sub(1).into_iter().collect()
}

/// One component of all entities.
fn ring(number: usize) -> Vec<usize> {
    vec![(number + 1) % ENTITIES]
}

#[divan::bench(args = ["typical", "chain", "ring"])]
fn dependency_checksums(bencher: Bencher<'_, '_>, form: &str) {
    let references = match form {
        "chain" => chain,
        "ring" => ring,
        _ => typical,
    };
    bencher
        .counter(ItemsCount::new(ENTITIES))
        .with_inputs(|| program(false, references))
        .bench_local_values(|entities| Snapshot::of(entities, Unresolved::Error));
}

#[divan::bench]
fn change_classes_after_an_edit(bencher: Bencher<'_, '_>) {
    let snapshot = |edited| Snapshot::of(program(edited, typical), Unresolved::Error).unwrap_or_default();
    let (before, after) = (snapshot(false), snapshot(true));
    bencher.counter(ItemsCount::new(ENTITIES)).bench_local(|| after.changes_since(&before));
}
