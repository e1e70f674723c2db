//! Random programs, executed to know what is met where.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{Machine, changed};
use super::numbers::Numbers;
use super::program::{
    BEFORE, Body, Check, GLOBAL, INPUT, LOCAL, Procedure, Program, RESULT, Statement, States, Value,
};
use super::shape::Shape;

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
        let induction = super::inducts(seed).is_some();
        let mut machine =
            Machine { induction, procedures: &procedures, checks: &mut checks, refuted: false, left };
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
