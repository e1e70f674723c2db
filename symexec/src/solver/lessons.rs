//! What answers of the address-aware query cache are worth to the counterexample cache behind it.
//!
//! A question that was asked before, of other objects or inputs, is answered without it; so it never hears of the
//! solution, and the path's next question, which that solution may answer, goes to the solver. Here solutions are kept
//! by the number that an input has in the canonical question, so that they can be told again in the words of whoever
//! asks. Nothing is believed: who hears of a solution evaluates it.

use std::rc::Rc;

use cache_core::digest::Digest;
use rustc_hash::FxHashMap;

use crate::expr::{InputId, Model};

/// The values of the inputs in the order of the canonical question.
type Values = Rc<[u8]>;

/// Solutions of the two sides of truths, by their keys.
#[derive(Default)]
pub(super) struct Lessons(FxHashMap<Digest, [Option<Values>; 2]>);

impl Lessons {
    /// Keeps a solution of a side, with the inputs of the canonical question here.
    pub(super) fn keep(&mut self, key: Digest, negated: bool, inputs: &[InputId], model: &Model) {
        let values = inputs.iter().map(|input| model.get(*input)).collect();
        self.0.entry(key).or_default()[usize::from(negated)] = Some(values);
    }

    /// Whether there is a solution of a side.
    pub(super) fn has(&self, key: Digest, negated: bool) -> bool {
        self.0.get(&key).is_some_and(|sides| sides[usize::from(negated)].is_some())
    }

    /// The solution of a side for other inputs; nothing if these are not as many.
    pub(super) fn model(&self, key: Digest, negated: bool, inputs: &[InputId]) -> Option<Model> {
        let values = self.0.get(&key)?[usize::from(negated)].as_ref()?;
        (values.len() == inputs.len()).then(|| Model::new(inputs.iter().copied().zip(values.iter().copied())))
    }
}
