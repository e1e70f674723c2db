//! The numbers of predicates ([`super::modules`] tells what they stand for).

/// The number of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub(crate) u32);

impl PredicateId {
    /// `call/1`, which the machine itself calls.
    pub(in crate::machine) const CALL: Self = Self(0);
}
