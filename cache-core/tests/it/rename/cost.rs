//! What shapes cost, counted in steps and not in time.

use cache_core::rename::{Query, Shape, Shapes, Work, canonicalize};

const NODES: usize = 100_000;

#[derive(Clone, Copy, Debug)]
enum Form {
    LeftChain,
    RightChain,
    Balanced,
}

/// A term of `nodes` binary nodes whose leaves go through the atoms in a scattered order.
fn build(form: Form, nodes: usize, atoms: usize) -> Work {
    let mut shapes = Shapes::new();
    let atoms: Vec<Shape> = (0..atoms).map(|_| shapes.fresh(&8_u64).1).collect();
    let leaf = |place: usize| atoms[(place * 7919 + place / atoms.len()) % atoms.len()];
    match form {
        Form::LeftChain => {
            (0..nodes).fold(leaf(0), |below, place| shapes.node("f", &[below, leaf(place)]));
        }
        Form::RightChain => {
            (0..nodes).fold(leaf(0), |below, place| shapes.node("f", &[leaf(place), below]));
        }
        Form::Balanced => {
            let mut level: Vec<Shape> = (0..=nodes).map(leaf).collect();
            while level.len() > 1 {
                level = level
                    .chunks(2)
                    .map(|pair| if pair.len() == 2 { shapes.node("f", pair) } else { pair[0] })
                    .collect();
            }
        }
    }
    shapes.work()
}

fn steps(work: Work) -> u64 {
    work.list_steps + work.positions
}

#[test]
fn no_form_of_term_is_quadratic_with_few_or_many_atoms() {
    for form in [Form::LeftChain, Form::RightChain, Form::Balanced] {
        for atoms in [1, 64, 4096, NODES] {
            let work = build(form, NODES, atoms);
            assert_eq!(work.nodes, NODES as u64);
            // A level of the index per bit of 100,000: 17 steps for a look-up, as many for an insertion. In a
            // balanced tree half of the atoms may move at each of 17 levels.
            let bound = match form {
                Form::LeftChain | Form::RightChain => 2 * 17 + 4,
                Form::Balanced => 17 / 2 * (2 * 17 + 4),
            };
            assert!(
                steps(work) <= bound * NODES as u64,
                "{form:?} with {atoms} atoms: {} steps per node",
                steps(work) / NODES as u64
            );
        }
    }
}

#[test]
fn twice_the_nodes_take_about_twice_the_steps() {
    for form in [Form::LeftChain, Form::RightChain, Form::Balanced] {
        for atoms in [1, 64, 4096] {
            let (half, whole) = (steps(build(form, NODES / 2, atoms)), steps(build(form, NODES, atoms)));
            assert!(10 * whole <= 25 * half, "{form:?} with {atoms} atoms: {half} steps, then {whole}");
        }
    }
}

#[test]
fn the_same_two_long_lists_are_merged_once() {
    let mut shapes = Shapes::new();
    let mut memory = |count: usize| {
        let atoms: Vec<Shape> = (0..count).map(|_| shapes.fresh(&8_u64).1).collect();
        atoms.into_iter().reduce(|below, atom| shapes.node("wr", &[below, atom])).unwrap()
    };
    let (left, right) = (memory(1000), memory(900));
    let first = shapes.node("0", &[left, right]);
    let before = steps(shapes.work());
    let mut last = first;
    for number in 1_u32..1000 {
        last = shapes.node(&number, &[left, right]);
        assert_eq!(last.atoms, first.atoms);
    }
    // A whole with one of its parts: nothing but the common prefix to find.
    for number in 0_u32..1000 {
        shapes.node(&number, &[last, left]);
    }
    assert!(steps(shapes.work()) - before < 2000 * 40, "{} steps", steps(shapes.work()) - before);
}

#[test]
fn what_two_long_lists_begin_with_is_skipped() {
    let mut shapes = Shapes::new();
    let atoms: Vec<Shape> = (0..1200).map(|_| shapes.fresh(&8_u64).1).collect();
    let memory =
        atoms[..1000].iter().copied().reduce(|below, atom| shapes.node("wr", &[below, atom])).unwrap();
    let before = shapes.work().positions;
    for pair in atoms[1000..].chunks(2) {
        let [left, right] = [pair[0], pair[1]].map(|atom| shapes.node("wr", &[memory, atom]));
        shapes.node("=", &[left, right]);
    }
    // Per pair: the new atom of each side, and where the right one stands in both together.
    assert_eq!(shapes.work().positions - before, 3 * 100);
}

#[test]
fn a_shape_takes_no_more_room_than_a_digest_and_a_handle() {
    assert!(size_of::<Shape>() <= 32);
}

#[test]
fn a_long_chain_of_constraints_is_numbered_without_trouble() {
    // One shape throughout, anchored by the query at one end only, then not anchored at all.
    let mut shapes = Shapes::new();
    let atoms: Vec<Shape> = (0..20_000).map(|_| shapes.fresh(&8_u64).1).collect();
    let mut constraints: Vec<Shape> = atoms.windows(2).map(|pair| shapes.node("<", pair)).collect();
    constraints.reverse();
    let anchored = canonicalize(&shapes, &Query { expression: Some(atoms[0]), constraints: &constraints });
    assert_eq!(anchored.ties, 0);
    let free = canonicalize(&shapes, &Query { expression: None, constraints: &constraints });
    assert_eq!(free.ties, 0, "the ends of the chain are told from its middle");
    assert_ne!(anchored.digest, free.digest);
}
