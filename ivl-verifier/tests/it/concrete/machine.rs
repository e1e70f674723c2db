//! Programs executed on all their states at once.

use std::collections::BTreeSet;

use super::program::{
    Body, Check, GLOBAL, LOCAL, Procedure, RESULT, ROUNDS, State, Statement, States, UNROLLED, Value,
};

/// The variables that statements change, but for the global one.
pub(super) fn changed(statements: &[Statement]) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    for statement in statements {
        match statement {
            Statement::Assign(pairs) => all.extend(pairs.iter().map(|(target, _)| *target)),
            Statement::Havoc(target) | Statement::Call { result: target, .. } => {
                all.insert(*target);
            }
            Statement::If(_, then, otherwise) => all.extend(changed(then).union(&changed(otherwise))),
            Statement::While(_, _, _, body) => all.extend(changed(body)),
            Statement::Assume(..) | Statement::Assert(_) | Statement::Break => {}
        }
    }
    all
}

/// The states after one more step that takes a verifier some trouble: control goes round, to another block (which is
/// more often than back), or calls.
fn later(states: States) -> States {
    let round = |mut state: State| {
        state[ROUNDS] = UNROLLED.min(state[ROUNDS] + 1);
        state
    };
    states.into_iter().map(round).collect()
}

/// Executes programs on sets of states.
pub(super) struct Machine<'p> {
    /// Whether loops are proved by k-induction.
    pub(super) induction: bool,
    pub(super) procedures: &'p [Procedure],
    pub(super) checks: &'p mut Vec<Check>,
    /// Whether some call does not meet its precondition.
    pub(super) refuted: bool,
    /// How often each procedure may still be inlined here.
    pub(super) left: Vec<u32>,
}

impl Machine<'_> {
    fn meet(&mut self, check: usize, states: &States) {
        let Check { about, met, rounds } = &mut self.checks[check];
        for state in states {
            let claimed: State = about.iter().map(|at| state[*at]).collect();
            let fewest = rounds.entry(claimed.clone()).or_insert(UNROLLED);
            *fewest = state[ROUNDS].min(*fewest);
            met.insert(claimed);
        }
    }

    fn held(condition: Option<Value>, states: &States, yes: bool) -> States {
        let holds = |state: &&State| condition.is_none_or(|it| (it.of(state) == 1) == yes);
        states.iter().filter(holds).cloned().collect()
    }

    /// The states that are met after statements of a procedure, and, added to `breaks`, where these leave a loop.
    fn run(&mut self, of: usize, statements: &[Statement], states: States, breaks: &mut States) -> States {
        statements.iter().fold(states, |states, statement| self.step(of, statement, states, breaks))
    }

    fn step(&mut self, of: usize, statement: &Statement, states: States, breaks: &mut States) -> States {
        let procedures = self.procedures;
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
                let meets = |state: &State| procedures[of].meets(*target, state);
                states.into_iter().flat_map(any).filter(meets).collect()
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
                let mut after = self.run(of, then, Self::held(*condition, &states, true), breaks);
                after.extend(self.run(of, otherwise, Self::held(*condition, &states, false), breaks));
                after
            }
            Statement::While(condition, invariant, free, body) => {
                // What a loop changes is taken to meet its condition at the head of the loop.
                let changed = changed(body);
                let meets = |state: &&State| {
                    changed.iter().all(|it| procedures[of].meets(*it, state))
                        && free.as_ref().is_none_or(|it| it.contains(&vec![state[LOCAL], state[GLOBAL]]))
                };
                let mut at_head = states;
                let mut after = States::new();
                loop {
                    let goes_on: States = at_head.iter().filter(meets).cloned().collect();
                    let round = self.run(of, body, Self::held(*condition, &goes_on, true), &mut after);
                    let before = at_head.len();
                    at_head.extend(later(round));
                    if at_head.len() == before {
                        after.extend(Self::held(*condition, &goes_on, false));
                        break;
                    }
                }
                // By induction invariants are checked behind the head of the loop.
                let met = at_head.iter().filter(|state| !self.induction || meets(state)).cloned().collect();
                self.meet(*invariant, &met);
                after
            }
            Statement::Break => {
                breaks.extend(states);
                States::new()
            }
            Statement::Call { callee, argument, result, free } => {
                let Procedure { requires, inlined, ensures, free_ensures, .. } = &procedures[*callee];
                let mut after = States::new();
                for state in states {
                    let input = argument.of(&state);
                    if !requires.contains(&vec![input, state[GLOBAL]]) {
                        self.refuted |= !free;
                        continue;
                    }
                    let outcomes: Vec<(u8, u8, u8)> = if inlined.is_some() {
                        // Control that gets further is not looked at.
                        let Some(left) = self.left[*callee].checked_sub(1) else { continue };
                        self.left[*callee] = left;
                        let ends = self.body(*callee, &[(input, state[GLOBAL], state[ROUNDS])]);
                        self.left[*callee] = left + 1;
                        ends.iter().map(|end| (end[RESULT], end[GLOBAL], end[ROUNDS])).collect()
                    } else {
                        let promised = self.checks[*ensures].met.iter();
                        let fits = promised.filter(|it| it[0] == input && it[3] == state[GLOBAL]);
                        let known = [&procedures[*callee].conditions[0], free_ensures];
                        let fits = fits.map(|it| vec![it[1], it[2]]);
                        let fits = fits.filter(|it| known.iter().all(|states| states.contains(it)));
                        fits.map(|it| (it[0], it[1], state[ROUNDS])).collect()
                    };
                    for (returned, global, rounds) in outcomes {
                        let mut new = state.clone();
                        new[GLOBAL] = global;
                        new[*result] = returned;
                        new[ROUNDS] = rounds;
                        after.insert(new);
                    }
                }
                later(after)
            }
        }
    }

    /// What a procedure ensures where it is verified by itself.
    pub(super) fn alone(&mut self, procedure: usize) {
        let Procedure { requires, free_requires, input, .. } = &self.procedures[procedure];
        let known = [free_requires, input];
        let starts = requires.iter().filter(|it| known.iter().all(|states| states.contains(*it)));
        let starts: Vec<(u8, u8, u8)> = starts.map(|it| (it[0], it[1], 0)).collect();
        self.body(procedure, &starts);
    }

    /// The states in which a procedure ends that begins with some inputs and global variables, after some rounds of
    /// loops around.
    fn body(&mut self, procedure: usize, starts: &[(u8, u8, u8)]) -> States {
        let procedures = self.procedures;
        let of = &procedures[procedure];
        let start: States = starts
            .iter()
            .flat_map(|(input, global, rounds)| {
                [(0, 0), (0, 1), (1, 0), (1, 1)]
                    .map(|(result, local)| vec![*input, result, local, *global, *global, *rounds])
            })
            .filter(|state| of.meets(RESULT, state) && of.meets(LOCAL, state))
            .collect();
        let ends = match &of.body {
            Body::Statements(statements) => self.run(procedure, statements, start, &mut States::new()),
            Body::Blocks(blocks) => {
                let mut starts = vec![States::new(); blocks.len()];
                starts[0] = start;
                loop {
                    let before: usize = starts.iter().map(BTreeSet::len).sum();
                    let mut ends = States::new();
                    for (at, (_, statements, targets)) in blocks.iter().enumerate() {
                        let end = self.run(procedure, statements, starts[at].clone(), &mut States::new());
                        targets.iter().for_each(|target| starts[*target].extend(later(end.clone())));
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
        self.meet(of.ensures, &ends);
        ends
    }
}
