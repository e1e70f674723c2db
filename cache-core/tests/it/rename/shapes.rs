//! Shapes: equal for renamed copies, and for nothing else.

use cache_core::digest::{Digest, Encoder};
use cache_core::rename::{Atoms, Bijection, Parameters, Shapes, TermShapes, Terms, Translate};
use proptest::prelude::*;

use crate::planted::is_broken;

use super::terms::{Arena, Node, Plan, pair, plan};

/// A way to give terms digests; the real one, and wrong ones that the laws must catch.
type Scheme = fn(&Arena, Node) -> Digest;

fn shape(arena: &Arena, root: Node) -> Digest {
    arena.digest(root)
}

/// Wrong: atoms are blanked and nothing says which of them are the same.
fn without_index_maps(arena: &Arena, root: Node) -> Digest {
    let mut children = Vec::new();
    let mut out = Encoder::new();
    match arena.atom(root) {
        // Attributes are kept, through the shape of the atom alone.
        Some(_) => return arena.digest(root),
        None => arena.label(root, &mut out),
    }
    arena.children(root, &mut children);
    out.sequence(children.len());
    for child in children {
        out.nested(without_index_maps(arena, child));
    }
    out.digest()
}

/// Wrong: the pattern of atoms is kept and their attributes are not.
fn without_attributes(arena: &Arena, root: Node) -> Digest {
    let text = arena.written_out(root, &mut Vec::new());
    let blanked: String = text.replace(":1", "").replace(":2", "");
    Digest::of(blanked.as_bytes())
}

/// Wrong: atoms keep their identity.
fn with_identity(arena: &Arena, root: Node) -> Digest {
    match arena.atom(root) {
        Some(atom) => Digest::of(&atom.index().to_le_bytes()),
        None => {
            let (mut children, mut out) = (Vec::new(), Encoder::new());
            arena.label(root, &mut out);
            arena.children(root, &mut children);
            for child in children {
                out.nested(with_identity(arena, child));
            }
            out.digest()
        }
    }
}

fn renamed_copies_share_a_digest(scheme: Scheme, plan: &Plan) -> Result<(), TestCaseError> {
    let mut arena = Arena::default();
    let (left, right) = (plan.root(&mut arena, false), plan.root(&mut arena, true));
    prop_assert_eq!(scheme(&arena, left), scheme(&arena, right));
    Ok(())
}

fn equal_digests_mean_renamed_copies(
    scheme: Scheme,
    (left, right): &(Plan, Plan),
) -> Result<(), TestCaseError> {
    let mut arena = Arena::default();
    let (left, right) = (left.root(&mut arena, false), right.root(&mut arena, true));
    let same = arena.written_out(left, &mut Vec::new()) == arena.written_out(right, &mut Vec::new());
    prop_assert_eq!(scheme(&arena, left) == scheme(&arena, right), same);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_term_and_any_renamed_copy_share_a_shape(plan in plan()) {
        renamed_copies_share_a_digest(shape, &plan)?;
    }

    #[test]
    fn shapes_are_equal_exactly_for_terms_that_write_out_equal(plans in pair()) {
        equal_digests_mean_renamed_copies(shape, &plans)?;
    }

    #[test]
    fn confirming_digests_agree_with_shapes((left, right) in pair()) {
        let mut arena = Arena::default();
        let (left, right) = (left.root(&mut arena, false), right.root(&mut arena, true));
        let equal = arena.confirm(left) == arena.confirm(right);
        prop_assert_eq!(equal, arena.digest(left) == arena.digest(right));
    }

    #[test]
    fn as_many_atoms_are_counted_as_are_listed(plan in plan()) {
        let mut arena = Arena::default();
        let root = plan.root(&mut arena, false);
        let mut shapes = std::mem::take(&mut arena.shapes);
        let atoms = TermShapes::new().of(&mut shapes, &arena, root).atoms;
        prop_assert_eq!(shapes.count(atoms), shapes.atoms_of(atoms).len());
    }

    #[test]
    fn shapes_computed_for_a_whole_term_are_those_stored_in_its_nodes(plan in plan()) {
        let mut arena = Arena::default();
        let root = plan.root(&mut arena, false);
        let mut shapes = std::mem::take(&mut arena.shapes);
        prop_assert_eq!(TermShapes::new().of(&mut shapes, &arena, root).digest, arena.digest(root));
    }
}

#[test]
fn the_laws_of_shapes_catch_wrong_digests() {
    let equal =
        |scheme: Scheme| is_broken(500, &pair(), |plans| equal_digests_mean_renamed_copies(scheme, &plans));
    assert!(equal(without_index_maps));
    assert!(equal(without_attributes));
    assert!(equal(with_identity));
    assert!(is_broken(500, &plan(), |plan| renamed_copies_share_a_digest(with_identity, &plan)));
}

#[test]
fn which_object_a_cell_is_compared_with_shows_in_the_shape() {
    // rd(A, 0) = b2 against rd(A, 0) = b3 over the same A.
    let mut arena = Arena::default();
    let (b2, b3) = (arena.fresh(2), arena.fresh(2));
    let zeros = arena.leaf("zeros");
    let array = arena.node("wr 0", &[zeros, b2]);
    let array = arena.node("wr 1", &[array, b3]);
    let cell = arena.node("rd 0", &[array]);
    let (first, second) = (arena.node("=", &[cell, b2]), arena.node("=", &[cell, b3]));
    assert_ne!(arena.digest(first), arena.digest(second));
}

#[test]
fn another_size_of_an_object_shows_in_the_shape() {
    let mut arena = Arena::default();
    let (small, other_small, large) = (arena.fresh(2), arena.fresh(2), arena.fresh(4));
    let [a, b, c] = [small, other_small, large].map(|atom| arena.node("null?", &[atom]));
    assert_eq!(arena.digest(a), arena.digest(b));
    assert_ne!(arena.digest(a), arena.digest(c));
}

#[test]
fn a_label_cannot_pass_for_a_label_and_a_child() {
    let mut arena = Arena::default();
    let atom = arena.fresh(1);
    let below = arena.digest(atom);
    let real = arena.node("f", &[atom]);
    // A label whose bytes continue as those of a child would.
    let forged = arena.shapes.node_with(
        |out| {
            out.text("f");
            out.sequence(1);
            out.nested(below);
        },
        &[],
    );
    assert_ne!(arena.digest(real), forged.digest);
}

/// Digests reach disks: the bytes that they are taken of may not drift unnoticed.
#[test]
fn the_digest_of_a_term_is_the_same_on_every_run_and_machine() {
    let mut arena = Arena::default();
    let (a, b) = (arena.fresh(16), arena.fresh(2));
    let below = arena.node("f", &[a, b, a]);
    let root = arena.node("g", &[b, below]);
    insta::assert_snapshot!(arena.digest(root), @"00d0fbb205a6c8c265948492a489b657");
    insta::assert_snapshot!(arena.confirm(root), @"dadf562fa83ccff4a02e933ff9d251d1fc5019b882593b0c64456a41a12243d5");
}

#[test]
fn what_is_forgotten_can_be_made_again_with_the_atoms_that_were_there() {
    let mut shapes = Shapes::new();
    let atoms = [16_u64, 16, 8].map(|size| shapes.fresh(&size).0);
    let made = |shapes: &mut Shapes| {
        let [p, q, r] = atoms.map(|atom| shapes.atom(atom).unwrap());
        let below = shapes.node("f", &[q, p, q]);
        let root = shapes.node("g", &[r, below, p]);
        (root.digest, shapes.atoms_of(root.atoms))
    };
    let before = made(&mut shapes);
    assert_eq!(before.1.len(), 3);
    for _ in 0..2 {
        shapes.forget_terms();
        assert_eq!((shapes.atoms().len(), made(&mut shapes)), (3, before.clone()));
    }
    assert_eq!(shapes.fresh(&4_u64).0.index(), 3);
}

#[test]
fn what_was_given_out_hashed_and_paired_is_counted() {
    let (mut atoms, mut out) = (Atoms::new(), Encoder::new());
    assert!(atoms.is_empty());
    let (one, other) = (atoms.fresh(&1_u64), atoms.fresh(&1_u64));
    assert!(!atoms.is_empty() && atoms.len() == 2);

    let mut pairs = Bijection::new();
    assert!(pairs.is_empty());
    assert!(pairs.pair(&atoms, one, other) && !pairs.is_empty() && pairs.len() == 1);

    let mut parameters = Parameters::new();
    let numbers =
        [parameters.name("a", &mut out), parameters.name("b", &mut out), parameters.name("a", &mut out)];
    assert_eq!(numbers, [0, 1, 0]);
    assert_eq!(parameters.values(), ["a", "b"]);
    // A name is translated to its number and back; what is no parameter has no form.
    assert_eq!((parameters.to_form(&"b"), parameters.to_own(&1)), (Some(1), Some("b")));
    assert_eq!((parameters.to_form(&"c"), parameters.to_own(&2)), (None, None));
}
