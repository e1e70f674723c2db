//! Negation: a question and its opposite share one entry.

use super::normalizer::{Normal, Normalizer, Translate};
use super::shape::Shape;

/// A truth question and its opposite. The engine gives both shapes (it knows how it simplifies a
/// negation), so nothing is built here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opposites {
    /// What is asked.
    pub asked: Shape,
    /// Its negation, as the engine would write it.
    pub negated: Shape,
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
    /// The smaller of the two, by digest, and which one it is. Where the digests are equal (the negation
    /// is a renamed copy) it is the question itself: choosing by anything else would depend on names.
    #[must_use]
    pub fn smaller(self) -> (Shape, Polarity) {
        let Self { asked, negated } = self;
        if negated.digest < asked.digest { (negated, Polarity::Negated) } else { (asked, Polarity::AsAsked) }
    }
}

/// Looks up the smaller of a question and its negation.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpToNegation;

impl Normalizer<Opposites> for UpToNegation {
    type Back = Polarity;

    fn normalize(&self, question: Opposites) -> Normal<Polarity> {
        let (shape, back) = question.smaller();
        Normal { digest: shape.digest, back }
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
