//! Random programs, and what their executions meet.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{Machine, changed};
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

/// A sequence of numbers that look random and are the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}

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
    fn any(numbers: &mut Numbers) -> Self {
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

fn all_states(count: usize) -> States {
    (0..1_u8 << count).map(|bits| (0..count).map(|at| (bits >> at) & 1).collect()).collect()
}

impl Program {
    pub(super) fn new(seed: u64) -> (Self, bool) {
        let mut numbers = Numbers::new(seed);
        let shape = Shape::any(&mut numbers);
        let program = Self { shape, procedures: Vec::new(), checks: Vec::new(), main: 0..0 };
        let mut maker = Maker { numbers, program, callees: 0 };
        maker.procedure("callee", None);
        maker.procedure("inlined", Some(1 + u32::from(seed.is_multiple_of(3))));
        let before = maker.program.checks.len();
        maker.procedure("main", None);
        let Self { procedures, mut checks, .. } = maker.program;
        let main = before..checks.len();
        let left = procedures.iter().map(|it| it.inlined.unwrap_or(0)).collect();
        let mut machine = Machine { procedures: &procedures, checks: &mut checks, refuted: false, left };
        for (at, procedure) in procedures.iter().enumerate() {
            // What is inlined is met where it is called.
            if procedure.inlined.is_none() {
                machine.alone(at);
            }
        }
        let refuted = machine.refuted;
        (Self { shape, procedures, checks, main }, refuted)
    }
}

/// Makes programs.
struct Maker {
    numbers: Numbers,
    program: Program,
    /// How many procedures may be called.
    callees: usize,
}

impl Maker {
    fn check(&mut self, about: &[usize]) -> usize {
        self.program.checks.push(Check {
            about: about.to_vec(),
            met: States::new(),
            rounds: BTreeMap::new(),
        });
        self.program.checks.len() - 1
    }

    fn target(&mut self) -> usize {
        [RESULT, LOCAL, GLOBAL][self.numbers.below(3)]
    }

    /// Most states of some variables: each but for one of so many.
    fn some(&mut self, count: usize, but: usize) -> States {
        let mut states = all_states(count);
        states.retain(|_| self.numbers.below(but) > 0);
        states
    }

    /// A condition, or none.
    fn condition(&mut self) -> Option<Value> {
        (self.numbers.below(3) > 0).then(|| Value::any(&mut self.numbers))
    }

    fn simple(&mut self) -> Statement {
        match self.numbers.below(8) {
            0 | 1 => Statement::Assign(vec![(self.target(), Value::any(&mut self.numbers))]),
            2 => {
                let (one, other) = (Value::any(&mut self.numbers), Value::any(&mut self.numbers));
                Statement::Assign(vec![(LOCAL, one), ([RESULT, GLOBAL][self.numbers.below(2)], other)])
            }
            3 => Statement::Havoc(self.target()),
            4 => {
                let about: Vec<usize> = (0..5).filter(|_| self.numbers.below(2) == 0).collect();
                let states = self.some(about.len(), 4);
                Statement::Assume(about, states)
            }
            5 | 6 if self.callees > 0 => Statement::Call {
                callee: self.numbers.below(self.callees),
                argument: Value::any(&mut self.numbers),
                result: self.target(),
                free: self.numbers.below(4) == 0,
            },
            _ => Statement::Assert(self.check(&[INPUT, RESULT, LOCAL, GLOBAL, BEFORE])),
        }
    }

    fn statements(&mut self, depth: usize, in_loop: bool) -> Vec<Statement> {
        let mut all = Vec::new();
        for _ in 0..=self.numbers.below(3) {
            all.push(match self.numbers.below(6) {
                0 if depth > 0 => {
                    let condition = self.condition();
                    let then = self.statements(depth - 1, in_loop);
                    Statement::If(condition, then, self.statements(depth - 1, in_loop))
                }
                1 if depth > 0 => {
                    let invariant = self.check(&[INPUT, RESULT, LOCAL, GLOBAL, BEFORE]);
                    let free = (self.numbers.below(3) == 0).then(|| self.some(2, 4));
                    Statement::While(self.condition(), invariant, free, self.statements(depth - 1, true))
                }
                2 if in_loop => {
                    let condition = self.condition();
                    Statement::If(condition, vec![Statement::Break], Vec::new())
                }
                _ => self.simple(),
            });
        }
        all
    }

    fn blocks(&mut self) -> Vec<(usize, Vec<Statement>, Vec<usize>)> {
        let count = 1 + self.numbers.below(4);
        let mut blocks = Vec::new();
        for _ in 0..count {
            let check = self.check(&[INPUT, RESULT, LOCAL, GLOBAL, BEFORE]);
            let statements = (0..self.numbers.below(3)).map(|_| self.simple()).collect();
            let targets = if self.numbers.below(4) == 0 {
                // Goes round for ever.
                vec![blocks.len()]
            } else {
                (0..self.numbers.below(4)).map(|_| self.numbers.below(count)).collect()
            };
            blocks.push((check, statements, targets));
        }
        blocks
    }

    fn procedure(&mut self, name: &'static str, inlined: Option<u32>) {
        // What is inlined may call itself.
        self.callees = self.program.procedures.len() + usize::from(inlined.is_some());
        let requires = if inlined.is_some() { all_states(2) } else { self.some(2, 4) };
        let [free_requires, input, free_ensures] = [8, 5, 4].map(|but| self.some(2, but));
        let ensures = self.check(&[INPUT, RESULT, GLOBAL, BEFORE]);
        let body = if self.numbers.below(2) == 0 {
            Body::Statements(self.statements(2, false))
        } else {
            Body::Blocks(self.blocks())
        };
        // At the head of a loop they are assumed of what it changes, and where loops of blocks are is not plain.
        let changed = match &body {
            Body::Statements(_) => BTreeSet::new(),
            Body::Blocks(blocks) => {
                blocks.iter().flat_map(|(_, statements, _)| changed(statements)).collect()
            }
        };
        let conditions = [RESULT, LOCAL].map(|variable| {
            let mut states = all_states(2);
            if !changed.contains(&variable) && self.numbers.below(3) > 0 {
                // Often no value fits one of the global variable's.
                let never = u8::from(self.numbers.below(2) > 0);
                let some = self.numbers.below(2) > 0;
                states.retain(|it| (some || it[1] != never) && self.numbers.below(6) > 0);
            }
            states
        });
        self.program.procedures.push(Procedure {
            name,
            inlined,
            requires,
            free_requires,
            input,
            ensures,
            free_ensures,
            conditions,
            body,
        });
    }
}
