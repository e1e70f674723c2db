//! Which variables live in the environment.
//!
//! Every occurrence of a variable lies in a chunk. A variable whose occurrences lie in one chunk stays in a
//! register; the others are *permanent* and get a slot of the environment.

use super::body::{Branch, Goal, branches_are_simple};
use crate::machine::X;
use crate::term::{Cell, Store, Tag};
use rustc_hash::FxHashMap;

/// A variable of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct VariableId(pub(super) u32);

/// What is known of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) occurrences: u32,
    chunk: u32,
    pub(super) permanent: bool,
    /// The argument register that the call at the end of the chunk wants it in.
    pub(super) wanted: Option<X>,
}

/// The variables of a clause, and what its code needs.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    ids: FxHashMap<Cell, VariableId>,
    pub(super) variables: Vec<Variable>,
    /// The largest number of arguments of the head or a call.
    pub(super) most_arguments: usize,
    /// Whether anything needs an environment besides permanent variables.
    pub(super) needs_environment: bool,
    /// Whether a cut must find its choicepoint in the environment.
    pub(super) late_cut: bool,
    chunk: u32,
    chunks: u32,
    called: bool,
}

impl Analysis {
    /// Analyses a clause with the given head arguments.
    pub(super) fn new(store: &Store, head: Cell, body: &[Goal]) -> Self {
        let mut analysis = Self::default();
        let (first, arity) = store.arguments(head);
        analysis.most_arguments = arity;
        for i in first..first + arity {
            analysis.term(store, store.at(i), None);
        }
        analysis.sequence(store, body, true);
        analysis
    }

    /// The number of a variable that occurs in the clause.
    pub(super) fn id(&self, variable: Cell) -> Option<VariableId> {
        self.ids.get(&variable).copied()
    }

    pub(super) fn variable(&self, id: VariableId) -> Variable {
        self.variables[id.0 as usize]
    }

    fn new_chunk(&mut self) {
        self.chunks += 1;
        self.chunk = self.chunks;
    }

    /// Notes the occurrences of variables in a term; `wanted` is the argument register that the term itself
    /// is wanted in.
    fn term(&mut self, store: &Store, term: Cell, wanted: Option<X>) {
        let mut pending = vec![(term, wanted)];
        while let Some((cell, wanted)) = pending.pop() {
            let cell = store.deref(cell);
            if cell.tag() == Tag::Ref {
                self.occurrence(cell, wanted);
            } else {
                let (first, count) = store.arguments(cell);
                pending.extend((first..first + count).map(|i| (store.at(i), None)));
            }
        }
    }

    fn occurrence(&mut self, cell: Cell, wanted: Option<X>) {
        let next = VariableId(self.variables.len() as u32);
        let id = *self.ids.entry(cell).or_insert(next);
        if id == next {
            let chunk = self.chunk;
            self.variables.push(Variable { occurrences: 1, chunk, permanent: false, wanted });
            return;
        }
        let variable = &mut self.variables[id.0 as usize];
        variable.occurrences += 1;
        variable.permanent |= variable.chunk != self.chunk;
        variable.wanted = variable.wanted.or(wanted);
    }

    fn arguments(&mut self, store: &Store, first: usize, count: usize) {
        self.most_arguments = self.most_arguments.max(count);
        for i in 0..count {
            self.term(store, store.at(first + i), X::try_from(i).ok());
        }
    }

    /// Analyses a sequence; `tail` tells that nothing follows it.
    fn sequence(&mut self, store: &Store, goals: &[Goal], tail: bool) {
        for (position, goal) in goals.iter().enumerate() {
            let last = tail && position + 1 == goals.len();
            match goal {
                Goal::Cut => {
                    if self.called {
                        self.late_cut = true;
                        self.needs_environment = true;
                    }
                }
                Goal::Fail => {}
                Goal::Call(_, first, count) => {
                    self.arguments(store, *first, *count);
                    self.after_call(last);
                }
                Goal::MetaCall(goal) | Goal::Interpret(goal) => {
                    self.most_arguments = self.most_arguments.max(2);
                    self.term(store, *goal, Some(0));
                    if matches!(goal_kind(goals, position), Goal::Interpret(_)) {
                        self.late_cut = true;
                        self.needs_environment = true;
                    }
                    self.after_call(last);
                }
                Goal::Builtin(_, first, count) => {
                    for i in *first..first + count {
                        self.term(store, store.at(i), None);
                    }
                }
                Goal::Unify(left, right)
                | Goal::CompareNumbers(_, left, right)
                | Goal::CompareTerms(_, left, right)
                | Goal::Is(left, right) => {
                    self.term(store, *left, None);
                    self.term(store, *right, None);
                }
                Goal::Test(_, term) => self.term(store, *term, None),
                Goal::Branches(branches) => self.branches(store, branches, last),
            }
        }
    }

    fn after_call(&mut self, last: bool) {
        self.called = true;
        if !last {
            self.needs_environment = true;
        }
        self.new_chunk();
    }

    fn branches(&mut self, store: &Store, branches: &[Branch], tail: bool) {
        let simple = branches_are_simple(branches);
        let chunk = self.chunk;
        let mut called_before = self.called;
        if !simple {
            self.needs_environment = true;
            // A cut in or behind a branch must not rely on a register that a condition's calls overwrite.
            self.called = true;
            called_before = true;
        }
        let mut called_after = called_before;
        for branch in branches {
            self.called = called_before;
            if simple {
                self.chunk = chunk;
            } else {
                self.new_chunk();
            }
            if let Some(condition) = &branch.condition {
                self.sequence(store, &condition.goals, false);
                if !simple {
                    self.new_chunk();
                }
            }
            self.sequence(store, &branch.body, tail);
            called_after |= self.called;
        }
        self.called = called_after;
        if !tail {
            self.needs_environment |= self.called;
        }
        self.new_chunk();
    }
}

fn goal_kind(goals: &[Goal], position: usize) -> &Goal {
    &goals[position]
}

/// How often each variable occurs inside branches, by number.
pub(super) fn occurrences_in(store: &Store, analysis: &Analysis, branches: &[Branch]) -> FxHashMap<u32, u32> {
    let mut counts = FxHashMap::default();
    let mut terms: Vec<Cell> = Vec::new();
    let mut sequences: Vec<&[Goal]> = Vec::new();
    for branch in branches {
        sequences.extend(branch.condition.as_ref().map(|condition| condition.goals.as_slice()));
        sequences.push(&branch.body);
    }
    while let Some(goals) = sequences.pop() {
        for goal in goals {
            match goal {
                Goal::Cut | Goal::Fail => {}
                Goal::Call(_, first, count) | Goal::Builtin(_, first, count) => {
                    terms.extend((*first..first + count).map(|i| store.at(i)));
                }
                Goal::MetaCall(term) | Goal::Interpret(term) | Goal::Test(_, term) => terms.push(*term),
                Goal::Unify(left, right)
                | Goal::CompareNumbers(_, left, right)
                | Goal::CompareTerms(_, left, right)
                | Goal::Is(left, right) => terms.extend([*left, *right]),
                Goal::Branches(branches) => {
                    for branch in branches {
                        sequences
                            .extend(branch.condition.as_ref().map(|condition| condition.goals.as_slice()));
                        sequences.push(&branch.body);
                    }
                }
            }
        }
    }
    while let Some(cell) = terms.pop() {
        let cell = store.deref(cell);
        if let Some(VariableId(id)) = analysis.id(cell) {
            *counts.entry(id).or_insert(0) += 1;
        } else {
            let (first, count) = store.arguments(cell);
            terms.extend((first..first + count).map(|i| store.at(i)));
        }
    }
    counts
}
