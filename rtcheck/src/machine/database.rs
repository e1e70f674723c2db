//! Predicates that change while a program runs, and what is taken back of them: clauses, their room, atoms.

pub(super) mod dynamic;
pub(super) mod mentions;
pub(super) mod reclaim;
