//! What is known of one question: the answer that decides it, or answers that ran out of limits.
//!
//! A decided answer speaks for every budget, so there is one and nothing beside it. Of those that ran out of
//! limits each speaks for the budgets within its own ([`Limits::exhausted_for`]); budgets that cannot be compared
//! (more time and less memory) have answers of their own, side by side, so that two requests that take turns do
//! not push each other's answers out. Of comparable ones the larger stays.

use serde::{Deserialize, Serialize};

use super::question::{Answer, Cost};
use crate::limits::Limits;

/// The most answers that are kept side by side.
const MOST: usize = 4;

/// An answer that ran out of limits, with the limits that it ran out of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept<A> {
    limits: Limits,
    #[serde(with = "stored_cost")]
    cost: Cost,
    answer: A,
}

/// What is known of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Known<A> {
    /// Its answer, whatever the limits are.
    Decided {
        #[serde(with = "stored_cost")]
        cost: Cost,
        answer: A,
    },
    /// At least one answer, the latest first, all of which ran out of limits; none speaks for the budget of another.
    Exhausted(Vec<Kept<A>>),
}

impl<A: Answer> Known<A> {
    pub(super) fn one(limits: &Limits, cost: Cost, answer: A) -> Self {
        if answer.out_of_limits() {
            Self::Exhausted(vec![Kept { limits: limits.clone(), cost, answer }])
        } else {
            Self::Decided { cost, answer }
        }
    }

    /// The answer to a request within `limits`, if there is one.
    #[inline]
    pub(super) fn answer_within(&self, limits: &Limits) -> Option<(&A, Cost)> {
        match self {
            Self::Decided { cost, answer } => Some((answer, *cost)),
            Self::Exhausted(answers) => {
                let kept = answers.iter().find(|kept| kept.limits.exhausted_for(limits))?;
                Some((&kept.answer, kept.cost))
            }
        }
    }

    /// Whether no budget changes anything any more.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self, Self::Decided { .. })
    }

    /// The latest answer, whatever its limits.
    #[cfg(feature = "plant")]
    pub(super) fn latest(&self) -> Option<(&A, Cost)> {
        match self {
            Self::Decided { cost, answer } => Some((answer, *cost)),
            Self::Exhausted(answers) => answers.first().map(|kept| (&kept.answer, kept.cost)),
        }
    }

    /// What is known after `fresh` was computed as well. A decided answer is never given up for one that ran out
    /// of limits.
    pub(super) fn with(self, fresh: Self) -> Self {
        match (self, fresh) {
            (_, Self::Decided { cost, answer }) => Self::Decided { cost, answer },
            (known @ Self::Decided { .. }, Self::Exhausted(_)) => known,
            (Self::Exhausted(answers), Self::Exhausted(fresh)) => {
                Self::Exhausted(fresh.into_iter().fold(answers, beside))
            }
        }
    }

    /// Whether this could have been written: decoded bytes may hold anything.
    pub(super) fn is_sound(&self) -> bool {
        match self {
            Self::Decided { cost: _, answer } => !answer.out_of_limits(),
            Self::Exhausted(answers) => {
                (1..=MOST).contains(&answers.len()) && answers.iter().all(|kept| kept.answer.out_of_limits())
            }
        }
    }

    /// The same answers one by one, in the sense of `same`.
    pub(super) fn same_as(&self, other: &Self, same: impl Fn(&A, &A) -> bool) -> bool {
        match (self, other) {
            (Self::Decided { answer: one, .. }, Self::Decided { answer: other, .. }) => same(one, other),
            (Self::Exhausted(some), Self::Exhausted(others)) => {
                some.len() == others.len()
                    && some.iter().zip(others).all(|(one, other)| same(&one.answer, &other.answer))
            }
            _ => false,
        }
    }
}

/// Puts an answer in front of others unless one of them says more.
fn beside<A>(mut answers: Vec<Kept<A>>, fresh: Kept<A>) -> Vec<Kept<A>> {
    let says_more = |kept: &Kept<A>| {
        kept.limits.exhausted_for(&fresh.limits) && !fresh.limits.exhausted_for(&kept.limits)
    };
    if answers.iter().any(says_more) {
        return answers;
    }
    answers.retain(|kept| !fresh.limits.exhausted_for(&kept.limits));
    answers.insert(0, fresh);
    answers.truncate(MOST);
    answers
}

/// A cost as it is stored: whole microseconds, as exact as what was measured, and the resource, each in as many bytes
/// as it needs: of seven bits, the lowest first, with the eighth where another one follows.
mod stored_cost {
    use std::fmt;

    use serde::de::{Error, SeqAccess, Visitor};
    use serde::ser::SerializeTuple;
    use serde::{Deserializer, Serializer};

    use super::Cost;

    const MICROS: f64 = 1e6;

    /// A number of 64 bits takes so many bytes at most.
    const LONGEST: usize = 10;

    fn bytes_of(mut number: u64) -> impl Iterator<Item = u8> {
        let mut is_done = false;
        std::iter::from_fn(move || {
            if is_done {
                return None;
            }
            let low = (number & 0x7f) as u8;
            number >>= 7;
            is_done = number == 0;
            Some(if is_done { low } else { low | 0x80 })
        })
    }

    fn number_of<'de, A: SeqAccess<'de>>(bytes: &mut A) -> Result<u64, A::Error> {
        let mut number = 0_u64;
        for place in 0..LONGEST {
            let Some(byte) = bytes.next_element::<u8>()? else { break };
            let bits = u64::from(byte & 0x7f);
            if (bits << (7 * place)) >> (7 * place) != bits || (byte == 0 && place > 0) {
                break;
            }
            number |= bits << (7 * place);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(A::Error::custom("a number is written otherwise than numbers are"))
    }

    pub(super) fn serialize<S: Serializer>(cost: &Cost, serializer: S) -> Result<S::Ok, S::Error> {
        let Cost { seconds, resource } = *cost;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "what is no such number is the nearest that is one"
        )]
        let micros = (seconds * MICROS).round() as u64;
        let count = bytes_of(micros).chain(bytes_of(resource)).count();
        let mut tuple = serializer.serialize_tuple(count)?;
        for byte in bytes_of(micros).chain(bytes_of(resource)) {
            tuple.serialize_element(&byte)?;
        }
        tuple.end()
    }

    struct Written;

    impl<'de> Visitor<'de> for Written {
        type Value = Cost;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a cost")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<Cost, A::Error> {
            let (micros, resource) = (number_of(&mut bytes)?, number_of(&mut bytes)?);
            Ok(Cost { seconds: micros as f64 / MICROS, resource })
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cost, D::Error> {
        // As far as the numbers reach.
        deserializer.deserialize_tuple(2 * LONGEST, Written)
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::{Cost, stored_cost};
    use crate::codec::{decode, encode};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Stored(#[serde(with = "stored_cost")] Cost, u8);

    #[test]
    fn costs_come_back_and_take_what_they_need() {
        // The encoding's own number, and what stands behind the cost.
        for (seconds, resource, bytes) in [
            (0.0, 0, 4),
            (127e-6, 127, 4),
            (128e-6, 128, 6),
            (3600.0, u64::from(u32::MAX), 12),
            (3600.0, (1 << 42) - 1, 13),
            (0.0, u64::MAX, 13),
        ] {
            let stored = Stored(Cost { seconds, resource }, 7);
            let written = encode(&stored).unwrap();
            assert_eq!(written.len(), bytes, "{stored:?}");
            assert_eq!(decode::<Stored>(&written).unwrap(), stored);
        }
    }

    #[test]
    fn numbers_that_nobody_writes_are_damage() {
        let format = encode(&()).unwrap();
        let read = |bytes: &[u8]| decode::<Stored>(&[&format[..], bytes].concat()).is_ok();
        assert!(read(&[0, 0x80, 1, 7]));
        // Longer than needed, larger than 64 bits, and without an end.
        assert!(!read(&[0, 0x81, 0, 7]));
        assert!(!read(&[&[0][..], &[0xff; 9], &[2, 7]].concat()));
        assert!(read(&[&[0][..], &[0xff; 9], &[1, 7]].concat()));
        assert!(!read(&[0xff; 30]) && !read(&[0, 0x80]));
    }
}
