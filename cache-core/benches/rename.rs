//! What shapes cost: terms of 100,000 nodes in three forms, with few and with many atoms.
//!
//! The time per node should hardly depend on the form and grow with the logarithm of the number of atoms;
//! the counts behind it are tested in `tests/it/rename/cost.rs`.

use cache_core::digest::Confirm;
use cache_core::rename::{Query, Shape, Shapes, canonicalize};
use divan::Bencher;
use divan::counter::ItemsCount;

const NODES: usize = 100_000;
const ATOMS: [usize; 3] = [1, 64, 4096];

fn main() {
    divan::main();
}

/// Atoms, and an order that goes through all of them in a scattered way.
fn leaves(shapes: &mut Shapes, atoms: usize) -> impl Fn(usize) -> Shape + use<> {
    let atoms: Vec<Shape> = (0..atoms).map(|_| shapes.fresh(&8_u64).1).collect();
    move |place| atoms[(place * 7919 + place / atoms.len()) % atoms.len()]
}

fn left_chain(shapes: &mut Shapes, atoms: usize) -> Shape {
    let leaf = leaves(shapes, atoms);
    (0..NODES).fold(leaf(0), |below, place| shapes.node("f", &[below, leaf(place)]))
}

fn right_chain(shapes: &mut Shapes, atoms: usize) -> Shape {
    let leaf = leaves(shapes, atoms);
    (0..NODES).fold(leaf(0), |below, place| shapes.node("f", &[leaf(place), below]))
}

fn balanced(shapes: &mut Shapes, atoms: usize) -> Shape {
    let leaf = leaves(shapes, atoms);
    let mut level: Vec<Shape> = (0..=NODES).map(&leaf).collect();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| if pair.len() == 2 { shapes.node("f", pair) } else { pair[0] })
            .collect();
    }
    level.pop().unwrap_or(leaf(0))
}

fn run(bencher: Bencher<'_, '_>, build: impl Fn(&mut Shapes, usize) -> Shape + Sync, atoms: usize) {
    bencher
        .counter(ItemsCount::new(NODES))
        .with_inputs(Shapes::new)
        .bench_local_refs(|shapes| build(shapes, atoms));
}

#[divan::bench(args = ATOMS)]
fn shapes_of_a_left_chain(bencher: Bencher<'_, '_>, atoms: usize) {
    run(bencher, left_chain, atoms);
}

#[divan::bench(args = ATOMS)]
fn shapes_of_a_right_chain(bencher: Bencher<'_, '_>, atoms: usize) {
    run(bencher, right_chain, atoms);
}

#[divan::bench(args = ATOMS)]
fn shapes_of_a_balanced_tree(bencher: Bencher<'_, '_>, atoms: usize) {
    run(bencher, balanced, atoms);
}

/// What a node costs more when its question meets the disk.
#[divan::bench(args = ATOMS)]
fn confirming_digests_of_a_left_chain(bencher: Bencher<'_, '_>, atoms: usize) {
    bencher.counter(ItemsCount::new(NODES)).with_inputs(Shapes::new).bench_local_refs(|shapes| {
        let leaf = leaves(shapes, atoms);
        let mut below = (leaf(0), Confirm::of(b"leaf"));
        for place in 0..NODES {
            let children = [below, (leaf(place), Confirm::of(b"leaf"))];
            let shape = shapes.node("f", &[children[0].0, children[1].0]);
            below = (shape, shapes.confirm_node(|out| out.text("f"), &children));
        }
        below.1
    });
}

/// A look-up as an engine makes it: an expression and constraints that share some of its atoms.
#[divan::bench(args = [1, 10, 100, 1000])]
fn canonical_form_of_a_question_by_constraints(bencher: Bencher<'_, '_>, constraints: usize) {
    let mut shapes = Shapes::new();
    let leaf = leaves(&mut shapes, constraints + 1);
    let set: Vec<Shape> =
        (0..constraints).map(|place| shapes.node("<", &[leaf(place), leaf(place + 1)])).collect();
    let expression = Some(shapes.node("=", &[leaf(0), leaf(1)]));
    bencher
        .counter(ItemsCount::new(constraints))
        .bench_local(|| canonicalize(&shapes, &Query { expression, constraints: &set }));
}
