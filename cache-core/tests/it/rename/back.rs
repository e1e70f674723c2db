//! The way back: what was taken out of a question is re-applied to its answer.

use cache_core::digest::Encoder;
use cache_core::key::Checksum;
use cache_core::rename::{
    AsParameters, NameChecksum, Normalizer, Opposites, Parameters, Polarity, Query, Shapes, Translate,
    Unordered, UpToNegation, canonicalize,
};
use proptest::prelude::*;

fn digests(members: &[u8]) -> Vec<NameChecksum> {
    members.iter().map(|member| NameChecksum::node(member, &[])).collect()
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
            Unordered.normalize(digests.as_slice()).checksum,
            Unordered.normalize(shuffled.as_slice()).checksum
        );
        let mut without = digests.clone();
        without.retain(|digest| Some(digest) != digests.first());
        prop_assert_eq!(
            Unordered.normalize(digests.as_slice()).checksum == Unordered.normalize(without.as_slice()).checksum,
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
        let content = |digests: &[NameChecksum], core: &[usize]| {
            let mut content: Vec<NameChecksum> = core.iter().map(|member| digests[*member]).collect();
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

/// A question about two numbers in its normal form.
fn comparison(operator: &str, left: u8, right: u8) -> Checksum {
    Checksum::of(&(operator.to_owned(), left, right))
}

#[test]
fn a_question_and_its_negation_are_looked_up_as_one() {
    let (less, not_less) = (comparison("<", 0, 1), comparison("<=", 1, 0));
    let asked = UpToNegation.normalize(Opposites { asked: less, negated: not_less });
    let opposite = UpToNegation.normalize(Opposites { asked: not_less, negated: less });
    assert_eq!(asked.checksum, opposite.checksum);
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
    // After renaming both are the same, whichever of them is asked.
    let before = comparison("before", 0, 1);
    assert_eq!(Opposites { asked: before, negated: before }.smaller(), (before, Polarity::AsAsked));
}

#[test]
fn a_model_is_given_in_the_atoms_of_the_asking_question() {
    let mut shapes = Shapes::new();
    let ids: Vec<_> = (0..4).map(|_| shapes.fresh(&8_u64)).collect();
    let mut ask = |a: usize, b: usize| {
        let query = shapes.node("< 3 +", &[ids[a].1, ids[b].1]);
        canonicalize(&shapes, &Query { expression: Some(query), constraints: &[] })
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
    assert_eq!(body(&[3, 4], &["x", "y", "x"]).checksum, body(&[10, 10], &["b", "a", "b"]).checksum);
    assert_ne!(
        body(&[3], &["x", "y", "x"]).checksum,
        body(&[3], &["x", "y", "y"]).checksum,
        "another pattern"
    );
    assert_ne!(body(&[3], &["x"]).checksum, body(&[3, 4], &["x"]).checksum, "another check");
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

/// What is written for values that are literals, occurrences, or names of one of two tables.
fn written(what: &[(u8, u64)]) -> Checksum {
    let question = |out: &mut Encoder, first: &mut Parameters<u64>, second: &mut Parameters<u64>| {
        for (kind, value) in what {
            match kind {
                0 => out.u64(*value),
                1 => drop(first.occurrence(*value, out)),
                2 => drop(first.name(*value, out)),
                _ => drop(second.name(*value, out)),
            }
        }
    };
    AsParameters::new().normalize(question).checksum
}

#[test]
fn literals_occurrences_and_names_of_each_table_are_written_apart() {
    // x + x is not x + 0, nor is it x and a position, or x and a label.
    let ways = [written(&[(2, 7), (2, 7)]), written(&[(2, 7), (0, 0)]), written(&[(2, 7), (1, 7)])];
    let others = [written(&[(2, 7), (3, 7)]), written(&[(1, 7), (1, 7)]), written(&[(1, 7), (2, 7)])];
    let all = [ways, others].concat();
    for (number, one) in all.iter().enumerate() {
        assert!(all[number + 1..].iter().all(|other| other != one), "way {number}");
    }
    // The value of an occurrence does not matter, not even that it is that of a name.
    assert_eq!(written(&[(1, 7), (2, 7)]), written(&[(1, 8), (2, 7)]));
}
