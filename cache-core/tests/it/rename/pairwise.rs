//! Algorithm 1 of the query-caching paper, against shapes and against terms written out.

use std::collections::BTreeSet;

use cache_core::rename::{Bijection, Terms, compare};
use proptest::prelude::*;

use super::terms::{Arena, Plan, pair, plan, wide_pair};

fn shapes_agree((left, right): &(Plan, Plan)) -> Result<(), TestCaseError> {
    let mut arena = Arena::default();
    let (left, right) = (left.root(&mut arena, false), right.root(&mut arena, true));
    let mut mapping = Bijection::new();
    let found = compare(arena.shapes.atoms(), (&arena, &[left]), (&arena, &[right]), &mut mapping);
    prop_assert_eq!(found.equal, arena.digest(left) == arena.digest(right));
    let atoms = |node| arena.shapes.atoms_of(arena.shape(node).atoms);
    if found.equal {
        // The mapping that was found is the one between the canonical orders of both sides.
        prop_assert_eq!(atoms(left).len(), mapping.len());
        let pairs: BTreeSet<_> = mapping.pairs().collect();
        prop_assert_eq!(pairs, atoms(left).into_iter().zip(atoms(right)).collect());
    } else {
        prop_assert!(mapping.is_empty(), "a failed comparison leaves nothing behind");
        // Each side of what failed may be paired with anything again: with itself.
        for atom in [left, right].into_iter().flat_map(atoms) {
            prop_assert!(mapping.pair(arena.shapes.atoms(), atom, atom));
        }
    }
    prop_assert_eq!(found.equal, arena.confirm(left) == arena.confirm(right));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn shapes_agree_with_the_pairwise_bijection(plans in pair()) {
        shapes_agree(&plans)?;
    }

    #[test]
    fn shapes_of_terms_with_many_atoms_agree_with_the_pairwise_bijection(plans in wide_pair()) {
        shapes_agree(&plans)?;
    }

    #[test]
    fn questions_of_several_roots_are_compared_under_one_mapping((left, right) in pair(), roots in 2_usize..5) {
        let mut arena = Arena::default();
        let ends = |plan: &Plan, arena: &mut Arena, reversed| {
            let atoms = plan.atoms(arena, reversed);
            let nodes = plan.grow(arena, &atoms);
            nodes[nodes.len().saturating_sub(roots)..].to_vec()
        };
        let (left, right) = (ends(&left, &mut arena, false), ends(&right, &mut arena, true));
        let written = |roots: &[usize], arena: &Arena| -> Vec<String> {
            let mut numbered = Vec::new();
            roots.iter().map(|root| arena.written_out(*root, &mut numbered)).collect()
        };
        let found = compare(arena.shapes.atoms(), (&arena, &left), (&arena, &right), &mut Bijection::new());
        prop_assert_eq!(found.equal, written(&left, &arena) == written(&right, &arena));
    }

    #[test]
    fn a_comparison_fails_where_an_earlier_mapping_forbids_it(plan in plan()) {
        let mut arena = Arena::default();
        let atoms = plan.atoms(&mut arena, false);
        let others = plan.atoms(&mut arena, true);
        let (left, right) = (
            *plan.grow(&mut arena, &atoms).last().unwrap(),
            *plan.grow(&mut arena, &others).last().unwrap(),
        );
        let used = arena.shapes.atoms_of(arena.shape(left).atoms);
        prop_assume!(!used.is_empty());
        let stranger = arena.fresh(plan.attributes[0]);
        let stranger = arena.atom(stranger).unwrap();
        for atom in used {
            let mut mapping = Bijection::new();
            if mapping.pair(arena.shapes.atoms(), atom, stranger) {
                prop_assert!(!compare(arena.shapes.atoms(), (&arena, &[left]), (&arena, &[right]), &mut mapping).equal);
                prop_assert_eq!(mapping.len(), 1);
            }
        }
    }
}

#[test]
fn shared_subterms_are_compared_once() {
    // Written out, the terms have 2^60 leaves; one side shares everything, the other nothing beyond a level.
    let mut arena = Arena::default();
    let (a, b) = (arena.fresh(1), arena.fresh(1));
    let (mut shared, mut twins) = (a, [b, b]);
    for _ in 0..60 {
        shared = arena.node("f", &[shared, shared]);
        twins = [arena.node("f", &twins), arena.node("f", &[twins[1], twins[0]])];
    }
    let found =
        compare(arena.shapes.atoms(), (&arena, &[shared]), (&arena, &[twins[0]]), &mut Bijection::new());
    assert!(found.equal);
    assert!(found.visits <= 3 * 61, "{} visits", found.visits);
}

#[test]
fn a_chain_of_a_million_nodes_is_compared_without_recursion() {
    let mut arena = Arena::default();
    let (mut left, mut right) = (arena.fresh(1), arena.fresh(1));
    for _ in 0..1_000_000 {
        left = arena.node("f", &[left]);
        right = arena.node("f", &[right]);
    }
    assert!(
        compare(arena.shapes.atoms(), (&arena, &[left]), (&arena, &[right]), &mut Bijection::new()).equal
    );
}
