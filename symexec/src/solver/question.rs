//! Questions as they travel: a graph of terms, each once, without names and without base addresses.
//!
//! The bytes of a question are what is sent to the worker and logged, and they are a function of the
//! canonical form alone: terms are numbered in the order of a walk from what is asked through the
//! constraints in canonical order, inputs in the order in which the walk meets them, and addresses are
//! numbers already.

use serde::{Deserialize, Serialize};

use crate::base::bits::{BinaryOp, CompareOp};
use crate::base::float::Operation;

/// A question to the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// All terms; operands come before what uses them.
    pub terms: Vec<(u32, Term)>,
    /// The terms, of width 1, that are to hold together.
    pub roots: Vec<u32>,
    /// How many input bytes occur.
    pub inputs: u32,
}

impl Question {
    /// Whether floating-point arithmetic occurs.
    #[must_use]
    pub fn has_floats(&self) -> bool {
        self.terms.iter().any(|(_, term)| matches!(term, Term::Float(..)))
    }
}

/// A term; numbers are positions of other terms. Its width stands beside it in [`Question::terms`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Term {
    /// A constant of at most 64 bits.
    Constant(u64),
    /// A constant of more, little-endian.
    Wide(Vec<u8>),
    /// An input byte.
    Input(u32),
    /// All bits inverted.
    Not(u32),
    /// An operation on two vectors.
    Binary(BinaryOp, u32, u32),
    /// A comparison.
    Compare(CompareOp, u32, u32),
    /// Bits from a position on.
    Extract(u32, u32),
    /// One above the other.
    Concat(u32, u32),
    /// Zeros added above.
    ZeroExtend(u32),
    /// Copies of the highest bit added above.
    SignExtend(u32),
    /// The second if the first is 1, else the third.
    Choose(u32, u32, u32),
    /// An operation on floating-point numbers; what it has no operand for repeats the first.
    Float(Operation, [u32; 3]),
    /// An element of an array; zero behind its end.
    Read(u32, u32),
    /// An array; zeros behind its end.
    Literal(Vec<u32>),
    /// An array with an element replaced: array, index, value.
    Store(u32, u32, u32),
}

impl Term {
    /// The term with other numbers in the place of its operands.
    #[must_use]
    pub fn map(&self, mut of: impl FnMut(u32) -> u32) -> Self {
        match self {
            Self::Constant(_) | Self::Wide(_) | Self::Input(_) => self.clone(),
            Self::Not(a) => Self::Not(of(*a)),
            Self::Binary(op, a, b) => Self::Binary(*op, of(*a), of(*b)),
            Self::Compare(op, a, b) => Self::Compare(*op, of(*a), of(*b)),
            Self::Extract(a, low) => Self::Extract(of(*a), *low),
            Self::Concat(high, low) => Self::Concat(of(*high), of(*low)),
            Self::ZeroExtend(a) => Self::ZeroExtend(of(*a)),
            Self::SignExtend(a) => Self::SignExtend(of(*a)),
            Self::Choose(condition, yes, no) => Self::Choose(of(*condition), of(*yes), of(*no)),
            Self::Float(operation, operands) => Self::Float(*operation, operands.map(of)),
            Self::Read(array, index) => Self::Read(of(*array), of(*index)),
            Self::Literal(elements) => Self::Literal(elements.iter().map(|element| of(*element)).collect()),
            Self::Store(array, index, value) => Self::Store(of(*array), of(*index), of(*value)),
        }
    }
}

/// What is wanted of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wanted {
    /// Whether it has a solution.
    Truth,
    /// Any solution.
    Witness,
    /// The solution that it has always, whatever was asked before.
    Model,
}

/// What the worker is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The question.
    pub question: Question,
    /// What is wanted of it.
    pub wanted: Wanted,
    /// For how many milliseconds the engine may work.
    pub wall_ms: Option<u64>,
    /// How much the engine may do, in its own units.
    pub resource: Option<u64>,
    /// After how much it gives up for now, so that cheaper questions come first.
    pub give_up: Option<u64>,
    /// Whether any solution, and what finding it costs, are to be functions of the question, as a model is.
    pub exact: bool,
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The answer.
    pub verdict: Verdict,
    /// What the engine did, in its own units.
    pub resource: u64,
    /// Whether the question had long arrays of unknown bytes that were put as those of the engine's theory.
    pub buffers: bool,
}

/// The engine's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// There is a solution; the values of the inputs by number, if they were asked for.
    Satisfiable(Vec<u8>),
    /// There is none.
    Unsatisfiable,
    /// The engine does not know; why.
    Unknown(String),
}
