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

/// A cost as it is stored: whole microseconds, which take less room than a floating-point number and are as exact as
/// what was measured.
mod stored_cost {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Cost;

    const MICROS: f64 = 1e6;

    pub(super) fn serialize<S: Serializer>(cost: &Cost, serializer: S) -> Result<S::Ok, S::Error> {
        let Cost { seconds, resource } = *cost;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "what is no such number is the nearest that is one"
        )]
        let micros = (seconds * MICROS).round() as u64;
        (micros, resource).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cost, D::Error> {
        let (micros, resource): (u64, u64) = Deserialize::deserialize(deserializer)?;
        Ok(Cost { seconds: micros as f64 / MICROS, resource })
    }
}
