//! Limits: the budget of a request, and when an old "out of limits" still speaks for a new request.
//!
//! Limits are no part of a key. A decided answer serves every budget. An answer that ran *out of
//! limits* is replayed only where no component of the new budget is larger (absent means infinite);
//! one that was stopped by the clock is never replayed on another machine.

use serde::{Deserialize, Serialize};

/// The machine on which a wall-clock budget was spent. Made by the caller, who knows the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineId(pub String);

/// The budget of one request; an absent component is infinite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time in milliseconds.
    pub wall_ms: Option<u64>,
    /// The engine's own deterministic measure of work (Z3's `rlimit`, say).
    pub resource: Option<u64>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Where `wall_ms` is measured; absent if unknown, and then the clock's verdicts are never replayed.
    pub machine: Option<MachineId>,
}

impl Limits {
    /// No limits at all.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Whether an answer that ran out of *these* limits also speaks for a request with `new` limits.
    ///
    /// ```
    /// use cache_core::limits::Limits;
    /// let with = |resource| Limits { resource, ..Limits::default() };
    /// assert!(with(Some(100)).exhausted_for(&with(Some(100))));
    /// assert!(with(Some(100)).exhausted_for(&with(Some(50))));
    /// assert!(!with(Some(100)).exhausted_for(&with(Some(101))));
    /// assert!(!with(Some(100)).exhausted_for(&with(None)));
    /// ```
    #[must_use]
    pub fn exhausted_for(&self, new: &Self) -> bool {
        let Self { wall_ms, resource, memory_bytes, machine } = self;
        let within = |old: &Option<u64>, new: &Option<u64>| match (old, new) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(old), Some(new)) => new <= old,
        };
        let same_clock = wall_ms.is_none() || (machine.is_some() && *machine == new.machine);
        same_clock
            && within(wall_ms, &new.wall_ms)
            && within(resource, &new.resource)
            && within(memory_bytes, &new.memory_bytes)
    }
}
