//! Clauses to instructions.
//!
//! `body` turns a clause's body into goals and branches; `allocate` decides which variables live in the
//! environment (those that a call separates from one of their occurrences) and which in registers; `emit`
//! writes the instructions; `live` tells which slots are still read behind each call; `peephole` fuses pairs; `index`
//! puts the clauses of a predicate together behind switches on their arguments; `guard` decides for clauses with an
//! early cut without a choicepoint.
//!
//! A *chunk* is a stretch of a clause without a call in its middle: registers survive in it. Conditions that
//! only test do not end a chunk, so a leaf predicate with an if-then-else needs no environment.

mod allocate;
pub(crate) mod body;
mod emit;
mod guard;
mod index;
mod label;
mod live;
mod peephole;
mod terms;

pub(crate) use index::head_and_body;
pub use index::{compile_by_exits, compile_clause_body, compile_predicate};

use crate::machine::Instruction;
use crate::term::Cell;

/// How a clause is left.
#[derive(Clone, Copy, Debug)]
pub enum Exit {
    /// By a return, or by its last call.
    Plain,
    /// The same, but with this instruction in front of all that may overwrite an argument register.
    Behind(Instruction),
    /// By the first instruction instead of a return, with all argument registers as they were. Where they cannot stay
    /// so, as [`Exit::Behind`] the second one.
    Through(Instruction, Instruction),
}

/// Why a clause cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The head is a variable or a number.
    #[error("a clause needs an atom or a compound term as its head")]
    Head(Cell),
    /// A goal is a number.
    #[error("a goal must be callable")]
    Goal(Cell),
    /// The clause needs more registers than there are.
    #[error("the clause has too many variables or arguments: split it")]
    TooLarge,
}
