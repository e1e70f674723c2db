//! The way back: what was taken out of a question is re-applied to its answer.

use cache_core::digest::{Digest, Encoder};
use cache_core::rename::{
    AsParameters, NameDigest, Normalizer, Opposites, Parameters, Polarity, Question, Shapes, Translate,
    Unordered, UpToNegation, canonicalize,
};
use proptest::prelude::*;

fn digests(members: &[u8]) -> Vec<NameDigest> {
    members.iter().map(|member| NameDigest::from_digest(Digest::of(&[*member]))).collect()
}

proptest! {
    #[test]
    fn sets_of_digests_forget_order_and_repetition(members in proptest::collection::vec(0_u8..10, 0..12), seed: u64) {
        let digests = digests(&members);
        let mut shuffled = digests.clone();
        for place in 0..shuffled.len() {
            let other = (seed as usize).wrapping_mul(place + 1) % shuffled.len();
            shuffled.swap(place, other);
        }
        shuffled.extend(digests.first());
        prop_assert_eq!(
            Unordered.normalize(digests.as_slice()).digest,
            Unordered.normalize(shuffled.as_slice()).digest
        );
        let mut without = digests.clone();
        without.retain(|digest| Some(digest) != digests.first());
        prop_assert_eq!(
            Unordered.normalize(digests.as_slice()).digest == Unordered.normalize(without.as_slice()).digest,
            digests.is_empty()
        );
    }

    #[test]
    fn a_core_comes_back_as_the_same_members(members in proptest::collection::vec(0_u8..10, 1..12), picks: u16) {
        let digests = digests(&members);
        let order = Unordered.normalize(digests.as_slice()).back;
        let core: Vec<usize> = (0..digests.len())
            .filter(|member| picks >> member & 1 == 1 && order.places().contains(member))
            .collect();
        let form = order.to_form(&core).unwrap();
        prop_assert_eq!(order.to_own(&form), Some(core.clone()));
        // In another question with the same members, it names members with the same content.
        let mut reversed = digests.clone();
        reversed.reverse();
        let other = Unordered.normalize(reversed.as_slice()).back.to_own(&form).unwrap();
        let content = |digests: &[NameDigest], core: &[usize]| {
            let mut content: Vec<NameDigest> = core.iter().map(|member| digests[*member]).collect();
            content.sort();
            content
        };
        prop_assert_eq!(content(&digests, &core), content(&reversed, &other));
    }
}

#[test]
fn a_core_that_names_a_repeated_member_is_not_stored() {
    // It could not come back as it was: the form has one place for both.
    let order = Unordered.normalize(digests(&[1, 2, 1]).as_slice()).back;
    assert_eq!(order.to_form(&vec![2]), None);
    assert_eq!(order.to_form(&vec![3]), None);
    let form = order.to_form(&vec![0, 1]).unwrap();
    assert_eq!(order.to_own(&form), Some(vec![0, 1]));
}

#[test]
fn a_question_and_its_negation_are_looked_up_as_one() {
    let mut shapes = Shapes::new();
    let (x, y) = (shapes.fresh(&8_u64).1, shapes.fresh(&8_u64).1);
    let less = shapes.node("<", &[x, y]);
    let not_less = shapes.node("<=", &[y, x]);
    let asked = UpToNegation.normalize(Opposites { asked: less, negated: not_less });
    let opposite = UpToNegation.normalize(Opposites { asked: not_less, negated: less });
    assert_eq!(asked.digest, opposite.digest);
    assert_ne!(asked.back, opposite.back);
    for answer in [false, true] {
        // What is stored as the answer to one is, negated, the answer to the other.
        let stored = asked.back.to_form(&answer).unwrap();
        assert_eq!(asked.back.to_own(&stored), Some(answer));
        assert_eq!(opposite.back.to_own(&stored), Some(!answer));
    }
}

#[test]
fn a_negation_that_is_a_renamed_copy_is_asked_as_it_is() {
    let mut shapes = Shapes::new();
    let (x, y) = (shapes.fresh(&8_u64).1, shapes.fresh(&8_u64).1);
    let before = shapes.node("before", &[x, y]);
    let after = shapes.node("before", &[y, x]);
    assert_eq!(before.digest, after.digest);
    assert_eq!(Opposites { asked: before, negated: after }.smaller(), (before, Polarity::AsAsked));
    assert_eq!(Opposites { asked: after, negated: before }.smaller(), (after, Polarity::AsAsked));
}

#[test]
fn a_model_is_given_in_the_atoms_of_the_asking_question() {
    let mut shapes = Shapes::new();
    let ids: Vec<_> = (0..4).map(|_| shapes.fresh(&8_u64)).collect();
    let mut ask = |a: usize, b: usize| {
        let query = shapes.node("< 3 +", &[ids[a].1, ids[b].1]);
        canonicalize(&shapes, &Question { query: Some(query), constraints: &[] })
    };
    let (first, second) = (ask(0, 1), ask(3, 2));
    assert_eq!(first.digest, second.digest);
    let stored = first.renaming.to_form(&vec![(ids[0].0, 7), (ids[1].0, -5)]).unwrap();
    assert_eq!(second.renaming.to_own(&stored), Some(vec![(ids[3].0, 7), (ids[2].0, -5)]));
    assert_eq!(first.renaming.to_form(&vec![(ids[2].0, 0)]), None, "not an atom of the question");
    assert_eq!(second.renaming.to_own(&vec![(9_u32, 0)]), None, "no such number");
}

type Tables<'a> = (&'a mut Encoder, &'a mut Parameters<u32>, &'a mut Parameters<String>);

fn body(lines: &[u32], names: &[&str]) -> cache_core::rename::Normal<(Parameters<u32>, Parameters<String>)> {
    AsParameters::new().normalize(
        |out: &mut Encoder, positions: &mut Parameters<u32>, known: &mut Parameters<String>| {
            let (out, positions, known): Tables<'_> = (out, positions, known);
            for line in lines {
                positions.occurrence(*line, out);
            }
            for name in names {
                known.name((*name).to_owned(), out);
            }
        },
    )
}

#[test]
fn positions_move_and_names_change_without_another_key() {
    assert_eq!(body(&[3, 4], &["x", "y", "x"]).digest, body(&[10, 10], &["b", "a", "b"]).digest);
    assert_ne!(body(&[3], &["x", "y", "x"]).digest, body(&[3], &["x", "y", "y"]).digest, "another pattern");
    assert_ne!(body(&[3], &["x"]).digest, body(&[3, 4], &["x"]).digest, "another check");
}

#[test]
fn an_error_is_reported_where_its_check_stands_now() {
    let (before, after) = (body(&[3, 4], &[]), body(&[8, 12], &[]));
    let stored = before.back.0.to_form(&4).unwrap();
    assert_eq!(after.back.0.to_own(&stored), Some(12));
    // Two checks on one line: the line does not say which one is meant.
    assert_eq!(body(&[3, 3], &[]).back.0.to_form(&3), None);
    assert_eq!(before.back.0.to_form(&5), None);
    assert_eq!(after.back.0.to_own(&2), None);
}
