//! Programs executed on all their states at once.

use std::collections::BTreeSet;

use super::{Body, Check, GLOBAL, Procedure, RESULT, State, Statement, States, Value};

fn projected(states: &States, about: &[usize]) -> States {
    states.iter().map(|state| about.iter().map(|at| state[*at]).collect()).collect()
}

/// Executes programs on sets of states.
pub(super) struct Machine<'p> {
    pub(super) procedures: &'p [Procedure],
    pub(super) checks: &'p mut Vec<Check>,
    /// Whether some call does not meet its precondition.
    pub(super) refuted: bool,
}

impl Machine<'_> {
    fn meet(&mut self, check: usize, states: &States) {
        let Check { about, met } = &mut self.checks[check];
        met.extend(projected(states, about));
    }

    fn held(condition: Option<Value>, states: &States, yes: bool) -> States {
        let holds = |state: &&State| condition.is_none_or(|it| (it.of(state) == 1) == yes);
        states.iter().filter(holds).cloned().collect()
    }

    fn run(&mut self, statements: &[Statement], states: States, breaks: &mut States) -> States {
        statements.iter().fold(states, |states, statement| self.step(statement, states, breaks))
    }

    fn step(&mut self, statement: &Statement, states: States, breaks: &mut States) -> States {
        match statement {
            Statement::Assign(pairs) => {
                let assigned = |state: State| {
                    let mut new = state.clone();
                    pairs.iter().for_each(|(target, value)| new[*target] = value.of(&state));
                    new
                };
                states.into_iter().map(assigned).collect()
            }
            Statement::Havoc(target) => {
                let any = |state: State| {
                    [0, 1].map(|value| {
                        let mut new = state.clone();
                        new[*target] = value;
                        new
                    })
                };
                states.into_iter().flat_map(any).collect()
            }
            Statement::Assume(about, allowed) => {
                let is_allowed =
                    |state: &State| allowed.contains(&about.iter().map(|at| state[*at]).collect::<State>());
                states.into_iter().filter(is_allowed).collect()
            }
            Statement::Assert(check) => {
                self.meet(*check, &states);
                states
            }
            Statement::If(condition, then, otherwise) => {
                let mut after = self.run(then, Self::held(*condition, &states, true), breaks);
                after.extend(self.run(otherwise, Self::held(*condition, &states, false), breaks));
                after
            }
            Statement::While(condition, invariant, body) => {
                let mut at_head = states;
                let mut after = States::new();
                loop {
                    let round = self.run(body, Self::held(*condition, &at_head, true), &mut after);
                    let before = at_head.len();
                    at_head.extend(round);
                    if at_head.len() == before {
                        break;
                    }
                }
                self.meet(*invariant, &at_head);
                after.extend(Self::held(*condition, &at_head, false));
                after
            }
            Statement::Break => {
                breaks.extend(states);
                States::new()
            }
            Statement::Call { callee, argument, result } => {
                let Procedure { requires, inlined, ensures, .. } = &self.procedures[*callee];
                let mut after = States::new();
                for state in states {
                    let input = argument.of(&state);
                    if !requires.contains(&vec![input, state[GLOBAL]]) {
                        self.refuted = true;
                        continue;
                    }
                    let outcomes: Vec<(u8, u8)> = if *inlined {
                        let ends = self.body(*callee, &[(input, state[GLOBAL])]);
                        ends.iter().map(|end| (end[RESULT], end[GLOBAL])).collect()
                    } else {
                        let promised = self.checks[*ensures].met.iter();
                        let fits = promised.filter(|it| it[0] == input && it[3] == state[GLOBAL]);
                        fits.map(|it| (it[1], it[2])).collect()
                    };
                    for (returned, global) in outcomes {
                        let mut new = state.clone();
                        new[GLOBAL] = global;
                        new[*result] = returned;
                        after.insert(new);
                    }
                }
                after
            }
        }
    }

    /// The states in which a procedure ends that begins with some inputs and global variables.
    pub(super) fn body(&mut self, procedure: usize, starts: &[(u8, u8)]) -> States {
        let start: States = starts
            .iter()
            .flat_map(|(input, global)| {
                [(0, 0), (0, 1), (1, 0), (1, 1)]
                    .map(|(result, local)| vec![*input, result, local, *global, *global])
            })
            .collect();
        let procedures = self.procedures;
        let ends = match &procedures[procedure].body {
            Body::Statements(statements) => self.run(statements, start, &mut States::new()),
            Body::Blocks(blocks) => {
                let mut starts = vec![States::new(); blocks.len()];
                starts[0] = start;
                loop {
                    let before: usize = starts.iter().map(BTreeSet::len).sum();
                    let mut ends = States::new();
                    for (at, (_, statements, targets)) in blocks.iter().enumerate() {
                        let end = self.run(statements, starts[at].clone(), &mut States::new());
                        targets.iter().for_each(|target| starts[*target].extend(end.clone()));
                        if targets.is_empty() {
                            ends.extend(end);
                        }
                    }
                    if starts.iter().map(BTreeSet::len).sum::<usize>() == before {
                        for (states, (check, _, _)) in starts.iter().zip(blocks) {
                            self.meet(*check, states);
                        }
                        break ends;
                    }
                }
            }
        };
        self.meet(procedures[procedure].ensures, &ends);
        ends
    }
}
