//! Lies that the query cache can be built to tell, so that an oracle can prove that it would notice.

#[cfg(feature = "plant")]
use crate::base::plant::Fault;

/// Lies about when two questions are the same, planted for the oracle to find; none in a program for
/// users.
#[derive(Clone, Copy, Default)]
pub(super) struct Lies {
    /// Keys leave out the constraints.
    pub(super) drop_constraints: bool,
    /// Questions that depend on the layout are renamed as if they did not.
    pub(super) ignore_layout: bool,
    /// Solutions are looked up by a key without the constraints, and used as they are.
    pub(super) trust_models: bool,
    /// What is known of a truth is given for its negation.
    pub(super) mix_sides: bool,
    /// A question on which the solver gave up is stored as one without a solution.
    pub(super) keep_failures: bool,
    /// What is known costs nothing.
    pub(super) free_answers: bool,
}

#[cfg(feature = "plant")]
impl Lies {
    pub(super) fn of(fault: Option<Fault>) -> Self {
        Self {
            drop_constraints: fault == Some(Fault::DropPart),
            ignore_layout: fault == Some(Fault::IgnoreLayout),
            trust_models: fault == Some(Fault::TrustModels),
            mix_sides: fault == Some(Fault::MixSides),
            keep_failures: fault == Some(Fault::IgnoreLimits),
            free_answers: fault == Some(Fault::FreeAnswers),
        }
    }
}
