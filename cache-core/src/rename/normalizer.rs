//! The one trait of all normalizers.

use crate::key::Checksum;

/// What a normalizer makes of a question: what is looked up, and the way back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Normal<B> {
    /// Both digests of the normal form. Equal ones mean that the answers differ by nothing but what `back`
    /// re-applies.
    pub checksum: Checksum,
    /// What was taken out of the question.
    pub back: B,
}

/// Brings questions of one kind into a form that more of them share.
///
/// What it takes out of a question it keeps in [`Normalizer::Back`], which translates answers: from the
/// question's own terms when an answer is stored, into the asking question's terms on a hit.
pub trait Normalizer<Input> {
    /// What leads an answer back; it implements [`Translate`] for the answers that can be translated.
    type Back;

    /// Normalizes one question. Pure: it depends on nothing but the question.
    fn normalize(&self, input: Input) -> Normal<Self::Back>;
}

/// Translates answers between a question and its normal form.
///
/// Law: where `to_form(own)` is `Some(form)`, `to_own(&form)` is `Some(own)` again.
pub trait Translate<Own> {
    /// The answer in terms of the normal form.
    type Form;

    /// Into the terms of the normal form, to be stored. `None` if the answer speaks of something that is
    /// not in the question: such an answer is not stored.
    fn to_form(&self, own: &Own) -> Option<Self::Form>;

    /// Into the terms of the asking question. `None` if the answer does not fit, which is a miss.
    fn to_own(&self, form: &Self::Form) -> Option<Own>;
}
