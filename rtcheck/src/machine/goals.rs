//! How goals are run: from outside, as coroutines, with limits of their own, through tables and the tracer, and what is
//! called when one is done or a variable is bound.

pub(super) mod budget;
pub(super) mod cleanup;
pub(super) mod delimited;
pub(super) mod depth;
pub(super) mod engine;
pub(super) mod interruption;
mod meta_call;
pub(super) mod query;
pub(super) mod tabling;
pub(super) mod trace;
pub(super) mod undone;
pub(super) mod wake;
