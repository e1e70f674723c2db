//! Deciding for a clause before a choicepoint is made.
//!
//! A clause whose body begins with tests and a cut is the last one tried if its head and its tests succeed, so a
//! choicepoint would be made only to be cut. The *guard* of such a clause is code in front of it that matches and tests
//! without binding anything. It goes on to the clause where that would get behind its cut, to the next clause where it
//! would not, and where a free variable leaves this open, to code that makes the choicepoint after all.
//!
//! One argument of the head may be free, since most predicates build a result in one: what the clause puts there
//! cannot fail. Tests must then not see the difference, so they are made of atomic terms only.
//!
//! A clause behind its guard tests again, with no choicepoint to go back to, so a test must come out the same twice.
//! What is compared as a number is made of numbers, variables and functions that depend on nothing but their arguments
//! (`random` and `cputime` do); and where a variable is bound to something else than a number, which would be evaluated
//! twice, the choicepoint is made.

use super::CompileError;
use super::allocate::Analysis;
use super::body::Goal;
use super::emit::{Emitter, Location, register};
use super::label::Label;
use crate::machine::{Address, Instruction as I, Machine, Test, X, is_repeatable};
use crate::term::{Cell, Store, Tag};
use rustc_hash::FxHashSet;

/// What a switch has found out about an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Known {
    /// Nothing.
    Nothing,
    /// It is free.
    Free,
    /// It is not free, and has the functor or is the constant of each clause behind the switch, or the clause takes
    /// any.
    Matched,
}

/// A clause with the tests in front of its first cut.
#[derive(Debug)]
pub(super) struct Guard {
    head: Cell,
    tests: Vec<Goal>,
}

/// Where a guard leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    /// The clause itself.
    pub(super) commit: Address,
    /// The next clause.
    pub(super) otherwise: Address,
    /// Both with a choicepoint.
    pub(super) unknown: Address,
}

impl Guard {
    /// The guard of a clause, if it has one.
    pub(super) fn new(store: &Store, head: Cell, body: &[Goal]) -> Option<Self> {
        let cut = body.iter().position(|goal| matches!(goal, Goal::Cut))?;
        let tests = &body[..cut];
        let only_tests = tests
            .iter()
            .all(|goal| matches!(goal, Goal::Test(..) | Goal::CompareNumbers(..) | Goal::CompareTerms(..)));
        let repeatable = tests.iter().flat_map(evaluated).all(|term| is_repeatable_expression(store, term));
        if !only_tests || !repeatable {
            return None;
        }
        // Numbers that do not fit into cells are left to the clause, and what lies too deep as well.
        let mut known = FxHashSet::default();
        let mut pending = vec![head];
        let mut nodes = 0;
        while let Some(cell) = pending.pop() {
            let cell = store.deref(cell);
            nodes += 1;
            if cell.tag() == Tag::Box || nodes > MOST_NODES {
                return None;
            }
            if cell.tag() == Tag::Ref {
                known.insert(cell);
            }
            let (first, count) = store.arguments(cell);
            pending.extend((first..first + count).map(|i| store.at(i)));
        }
        let of_head =
            |cell: Cell| crate::term::variables(store, cell).iter().all(|variable| known.contains(variable));
        let closed = tests.iter().all(|goal| operands(goal).into_iter().all(of_head));
        closed.then(|| Self { head, tests: tests.to_vec() })
    }

    /// Whether the guard may decide when this is known of the arguments.
    pub(super) fn is_useful(&self, store: &Store, known: &[Known]) -> bool {
        let plain = plain_arguments(store, self.head);
        let last = (0..plain.len()).rev().find(|&i| !plain[i] && known[i] != Known::Matched);
        (0..plain.len()).all(|i| plain[i] || known[i] != Known::Free || Some(i) == last)
    }

    /// The guard's instructions, to be placed at an address.
    pub(super) fn code(
        &self,
        machine: &mut Machine,
        known: &[Known],
        ways: Ways,
        at: Address,
    ) -> Result<Vec<I>, CompileError> {
        let analysis = Analysis::new(&machine.store, self.head, &self.tests);
        let mut emitter = Emitter::new(machine, analysis, false);
        emitter.guard(self, known, ways)?;
        emitter.finish(at)
    }
}

/// Heads and expressions with more nodes have no guard: doing them twice would cost more than a choicepoint.
const MOST_NODES: usize = 40;

fn operands(goal: &Goal) -> Vec<Cell> {
    match goal {
        Goal::Test(_, term) => vec![*term],
        Goal::CompareNumbers(_, left, right) | Goal::CompareTerms(_, left, right) => vec![*left, *right],
        _ => Vec::new(),
    }
}

/// The terms that a test evaluates.
fn evaluated(goal: &Goal) -> Vec<Cell> {
    if matches!(goal, Goal::CompareNumbers(..)) { operands(goal) } else { Vec::new() }
}

/// Whether a term has the same value each time, if its variables are numbers.
fn is_repeatable_expression(store: &Store, term: Cell) -> bool {
    let mut pending = vec![term];
    let mut nodes = 0;
    while let Some(cell) = pending.pop() {
        let cell = store.deref(cell);
        nodes += 1;
        if nodes > MOST_NODES {
            return false;
        }
        if cell.tag() == Tag::Ref || store.number(cell).is_some() {
            continue;
        }
        if !store.functor(cell).is_some_and(|(name, arity)| is_repeatable(name, arity)) {
            return false;
        }
        let (first, count) = store.arguments(cell);
        pending.extend((first..first + count).map(|i| store.at(i)));
    }
    true
}

/// Which arguments of a head are variables that no argument before them is.
fn plain_arguments(store: &Store, head: Cell) -> Vec<bool> {
    let (first, arity) = store.arguments(head);
    let mut seen = FxHashSet::default();
    (first..first + arity)
        .map(|i| {
            let argument = store.deref(store.at(i));
            argument.tag() == Tag::Ref && seen.insert(argument)
        })
        .collect()
}

impl Emitter<'_> {
    fn guard(&mut self, guard: &Guard, known: &[Known], ways: Ways) -> Result<(), CompileError> {
        let plain = plain_arguments(&self.machine.store, guard.head);
        let argument = |emitter: &Self, i: usize| emitter.machine.store.argument(guard.head, i);
        // The arguments stay in their registers, for the clause and for those behind it.
        for (i, is_plain) in plain.iter().enumerate() {
            self.occupy(register(i)?);
            if *is_plain && let Some(id) = self.analysis.id(argument(self, i)) {
                self.set_location(id, Location::X(register(i)?));
            }
        }
        let last = (0..plain.len()).rev().find(|&i| !plain[i] && known[i] != Known::Matched);
        for i in (0..plain.len()).filter(|&i| !plain[i] && Some(i) != last) {
            self.guard_argument(register(i)?, argument(self, i), known[i], ways)?;
        }
        if let Some(last) = last {
            let variables: Vec<_> = guard
                .tests
                .iter()
                .flat_map(operands)
                .flat_map(|cell| crate::term::variables(&self.machine.store, cell))
                .filter_map(|variable| self.analysis.id(variable))
                .collect();
            let result = register(last)?;
            if variables.iter().all(|&id| self.location(id).is_some()) {
                // What is compared as a number is looked at there, and nowhere else.
                let elsewhere = guard.tests.iter().filter(|test| evaluated(test).is_empty());
                let seen: FxHashSet<_> = elsewhere
                    .flat_map(operands)
                    .flat_map(|cell| crate::term::variables(&self.machine.store, cell))
                    .filter_map(|variable| self.analysis.id(variable))
                    .map(|id| id.0)
                    .collect();
                for id in variables.into_iter().filter(|id| seen.contains(&id.0)) {
                    if let Some(Location::X(register)) = self.location(id) {
                        self.push(I::Test(Test::Atomic, register, ways.unknown));
                    }
                }
                let end = self.label();
                self.push(I::JumpIfFree(result, end.0));
                if known[last] == Known::Free {
                    self.push(I::Jump(ways.unknown));
                } else {
                    self.guard_argument(result, argument(self, last), known[last], ways)?;
                }
                self.set_label(end);
            } else {
                self.guard_argument(result, argument(self, last), known[last], ways)?;
            }
        }
        let mut numbers = FxHashSet::default();
        for test in &guard.tests {
            if let Some(comparison) = self.comparison(test, ways) {
                self.push(comparison);
                continue;
            }
            // Terms that would be evaluated twice are left to the choicepoint.
            let variables: Vec<_> = evaluated(test)
                .into_iter()
                .flat_map(|cell| crate::term::variables(&self.machine.store, cell))
                .collect();
            for variable in variables {
                if numbers.insert(variable) {
                    match self.analysis.id(variable).and_then(|id| self.location(id)) {
                        Some(Location::X(register)) => {
                            self.push(I::Test(Test::Number, register, ways.unknown));
                        }
                        _ => self.push(I::Jump(ways.unknown)),
                    }
                }
            }
            self.sequence(std::slice::from_ref(test), false, Some(Label(ways.otherwise)))?;
        }
        self.push(I::Jump(ways.commit));
        Ok(())
    }

    /// The instruction for a comparison of a variable with another one or with a small integer.
    fn comparison(&self, test: &Goal, ways: Ways) -> Option<I> {
        let &Goal::CompareNumbers(comparison, left, right) = test else { return None };
        let found = |cell: Cell| match self.location(self.analysis.id(self.machine.store.deref(cell))?)? {
            Location::X(register) => Some(register),
            Location::Y(_) => None,
        };
        let (otherwise, unknown) = (ways.otherwise, ways.unknown);
        Some(match (found(left), found(right)) {
            (Some(a), Some(b)) => I::MatchNumbers(comparison, a, b, otherwise, unknown),
            (Some(a), None) => I::MatchSmall(comparison, a, self.small(right)?, otherwise, unknown),
            (None, Some(b)) => I::MatchSmall(comparison.mirrored(), b, self.small(left)?, otherwise, unknown),
            (None, None) => return None,
        })
    }

    /// Matches a register with a term without binding anything.
    fn guard_argument(
        &mut self,
        register: X,
        term: Cell,
        known: Known,
        ways: Ways,
    ) -> Result<(), CompileError> {
        let mut pending = vec![(register, term, known == Known::Matched)];
        while let Some((register, term, matched)) = pending.pop() {
            if let Some(id) = self.analysis.id(term) {
                if let Some(Location::X(other)) = self.location(id) {
                    self.push(I::MatchValue(register, other, ways.otherwise, ways.unknown));
                } else {
                    self.set_location(id, Location::X(register));
                }
                continue;
            }
            if !matched {
                self.push(I::Test(Test::Nonvar, register, ways.unknown));
            }
            let (first, count) = self.machine.store.arguments(term);
            if count == 0 {
                if !matched {
                    self.push(I::MatchConstant(register, ways.otherwise, term));
                }
                continue;
            }
            let arguments: Vec<Cell> =
                (first..first + count).map(|i| self.machine.store.deref(self.machine.store.at(i))).collect();
            let is_void =
                |emitter: &Self, cell: Cell| emitter.analysis.id(cell).is_some_and(|id| emitter.is_void(id));
            let needed = arguments.iter().rposition(|&cell| !is_void(self, cell)).map_or(0, |last| last + 1);
            if matched && needed == 0 {
                continue;
            }
            self.push(if term.tag() == Tag::Lis {
                I::MatchList(register, ways.otherwise)
            } else {
                I::MatchStructure(register, ways.otherwise, self.machine.store.at(term.index()))
            });
            let mut loaded = Vec::new();
            for &cell in &arguments[..needed] {
                if is_void(self, cell) {
                    self.push(I::UnifyVoid(1));
                } else {
                    let register = self.fresh()?;
                    self.push(I::UnifyVariableX(register));
                    loaded.push((register, cell, false));
                }
            }
            pending.extend(loaded.into_iter().rev());
        }
        Ok(())
    }
}
