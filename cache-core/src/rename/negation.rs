//! Negation: a question and its opposite share one entry.

use super::normalizer::{Normal, Normalizer, Translate};
use crate::key::Checksum;

/// A truth question and its opposite, each in its own normal form. The engine gives both (it knows how it simplifies
/// a negation), so nothing is built here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opposites {
    /// What is asked.
    pub asked: Checksum,
    /// Its negation, as the engine would write it.
    pub negated: Checksum,
}

/// Whether the form that is looked up is the question or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Polarity {
    /// The question itself.
    AsAsked,
    /// The opposite: answers are to be negated.
    Negated,
}

impl Opposites {
    /// The smaller of the two, by their digests, and which one it is. Where those are equal (the negation
    /// is a renamed copy) it is the question itself: choosing by anything else would depend on names.
    #[must_use]
    pub fn smaller(self) -> (Checksum, Polarity) {
        let Self { asked, negated } = self;
        if negated < asked { (negated, Polarity::Negated) } else { (asked, Polarity::AsAsked) }
    }
}

/// Looks up the smaller of a question and its negation.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpToNegation;

impl Normalizer<Opposites> for UpToNegation {
    type Back = Polarity;

    fn normalize(&self, question: Opposites) -> Normal<Polarity> {
        let (checksum, back) = question.smaller();
        Normal { checksum, back }
    }
}

/// Truth values: "is it true?" about the negation is "is it false?" about the question.
impl Translate<bool> for Polarity {
    type Form = bool;

    fn to_form(&self, own: &bool) -> Option<bool> {
        Some(*own != (*self == Self::Negated))
    }

    fn to_own(&self, form: &bool) -> Option<bool> {
        Some(*form != (*self == Self::Negated))
    }
}
