//! Verification conditions to the solver's terms.
//!
//! [`term`] is our own graph of terms, each node once; `translate` makes one from a verification
//! condition with the declarations and axioms that it reaches; [`turns`] says how long it is asked under which
//! settings; `pools` puts instances beside quantifiers that ask for them; [`joints`] makes triggers of
//! several terms cheap to match; [`wire`] writes it as canonical bytes,
//! which are what is digested, sent to the worker program and read back there; [`text`] writes it as
//! SMT-LIB 2 for people and other solvers. [`answer`] is what the worker says, `stored` what of it is kept.
//!
//! The order of everything in a query is a function of the question alone: names, contents and the
//! order inside the implementation, never ids, addresses or the order of declarations. The worker
//! creates Z3's terms in the order of the nodes, since Z3's behaviour depends on it.

pub mod answer;
pub mod disturb;
pub mod joints;
pub(crate) mod pools;
pub mod replay;
pub(crate) mod stored;
pub mod term;
pub mod text;
pub(crate) mod translate;
pub mod turns;
pub mod wire;
