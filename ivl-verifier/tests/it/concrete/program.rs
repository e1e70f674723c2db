//! What programs are made of, and what is known of their executions.

use std::collections::{BTreeMap, BTreeSet};

use super::numbers::Numbers;
use super::shape::Shape;

/// How many rounds of loops are followed where they are unrolled.
pub(super) const UNROLLED: u8 = 4;

/// Values of the variables, in the order of [`NAMES`], and how many rounds of loops and calls came before, up to
/// [`UNROLLED`]; of expressions, in their order.
pub(super) type State = Vec<u8>;
pub(super) type States = BTreeSet<State>;

/// The input, the result, a local variable, the global variable, and that at the start.
pub(super) const NAMES: [&str; 5] = ["a", "r", "x", "g", "old(g)"];
pub(super) const INPUT: usize = 0;
pub(super) const RESULT: usize = 1;
pub(super) const LOCAL: usize = 2;
pub(super) const GLOBAL: usize = 3;
pub(super) const BEFORE: usize = 4;
pub(super) const ROUNDS: usize = 5;

/// The number in a variable; inputs are numbers.
pub(super) fn read(shape: Shape, variable: usize) -> String {
    if variable == INPUT { NAMES[INPUT].to_owned() } else { shape.read(NAMES[variable]) }
}

/// A value that is 0 or 1.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Of(usize),
    Not(usize),
    Sum(usize, usize),
    Is(u8),
}

impl Value {
    pub(super) fn any(numbers: &mut Numbers) -> Self {
        let (one, other) = (numbers.below(5), numbers.below(5));
        match numbers.below(4) {
            0 => Self::Of(one),
            1 => Self::Not(one),
            2 => Self::Sum(one, other),
            _ => Self::Is(u8::from(one > 2)),
        }
    }

    pub(super) fn of(self, state: &State) -> u8 {
        match self {
            Self::Of(one) => state[one],
            Self::Not(one) => 1 - state[one],
            Self::Sum(one, other) => (state[one] + state[other]) % 2,
            Self::Is(value) => value,
        }
    }

    pub(super) fn text(self, shape: Shape) -> String {
        match self {
            Self::Of(one) => read(shape, one),
            Self::Not(one) => format!("1 - {}", read(shape, one)),
            Self::Sum(one, other) => format!("({} + {}) mod 2", read(shape, one), read(shape, other)),
            Self::Is(value) => value.to_string(),
        }
    }
}

/// A statement; numbers are those of checks, callees those of procedures.
pub(super) enum Statement {
    Assign(Vec<(usize, Value)>),
    Havoc(usize),
    Assume(Vec<usize>, States),
    Assert(usize),
    /// Without a condition, either way is taken.
    If(Option<Value>, Vec<Statement>, Vec<Statement>),
    /// With a claim, and what is assumed of the local variable and the global one each time.
    While(Option<Value>, usize, Option<States>, Vec<Statement>),
    Break,
    Call {
        callee: usize,
        argument: Value,
        result: usize,
        free: bool,
    },
}

/// What a procedure does.
pub(super) enum Body {
    Statements(Vec<Statement>),
    /// Each with a check at its start, and where it goes; where it goes nowhere, it returns.
    Blocks(Vec<(usize, Vec<Statement>, Vec<usize>)>),
}

pub(super) struct Procedure {
    pub(super) name: &'static str,
    /// How deep it is inlined.
    pub(super) inlined: Option<u32>,
    /// The input and the global variable.
    pub(super) requires: States,
    /// The same, where nobody checks it; it holds of nothing that is inlined.
    pub(super) free_requires: States,
    /// What is assumed of the input, together with the global variable, in the same way.
    pub(super) input: States,
    pub(super) ensures: usize,
    /// The result and the global variable, as callers believe it.
    pub(super) free_ensures: States,
    /// What is assumed of the result and of the local variable whenever they get any value, each together with the
    /// global one.
    pub(super) conditions: [States; 2],
    pub(super) body: Body,
}

impl Procedure {
    /// Whether a state meets the condition of a variable, if it has one.
    pub(super) fn meets(&self, variable: usize, state: &State) -> bool {
        let condition = [RESULT, LOCAL].iter().position(|it| *it == variable).map(|at| &self.conditions[at]);
        condition.is_none_or(|it| it.contains(&vec![state[variable], state[GLOBAL]]))
    }
}

/// A claim about some variables: all states that are met at its place.
pub(super) struct Check {
    pub(super) about: Vec<usize>,
    pub(super) met: States,
    /// After how few rounds of loops and calls each is met.
    pub(super) rounds: BTreeMap<State, u8>,
}

pub(super) struct Program {
    pub(super) shape: Shape,
    pub(super) procedures: Vec<Procedure>,
    pub(super) checks: Vec<Check>,
    /// The checks of the procedure that calls the others.
    pub(super) main: std::ops::Range<usize>,
}
