//! What is known at a point of a clause: the terms that its variables are, as far as the clause says, and facts.
//!
//! Unification that succeeded makes its two sides one term, so the clause's own equations are followed as far as they
//! go, and what is known of a term is handed down to its arguments. Whatever is not followed (deep terms, cyclic ones)
//! is forgotten: facts about one term are true by themselves, so forgetting is always right.

use super::universe::{Facts, Universe};
use crate::regtype::{Kinds, constant};
use crate::term::{Cell, Store, Tag};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Terms are not looked at below this depth.
const MAX_DEPTH: usize = 100;
/// Steps that one look at terms may take.
const STEPS: usize = 20_000;

/// A term of a clause.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// A variable of the clause.
    Variable(usize),
    /// A constant, or a term that is not followed.
    Known(Facts),
    /// A compound term.
    Compound(Cell, Rc<[Term]>),
}

/// The numbers of a clause's variables, by their cells.
#[derive(Default)]
pub(super) struct Variables(FxHashMap<usize, usize>);

impl Variables {
    /// A term of the clause.
    pub(super) fn term(&mut self, universe: &Universe<'_>, store: &Store, cell: Cell) -> Term {
        self.at_depth(universe, store, cell, 0)
    }

    fn at_depth(&mut self, universe: &Universe<'_>, store: &Store, cell: Cell, depth: usize) -> Term {
        let cell = store.deref(cell);
        match cell.tag() {
            Tag::Ref => {
                let next = self.0.len();
                Term::Variable(*self.0.entry(cell.index()).or_insert(next))
            }
            Tag::Lis | Tag::Str if depth > MAX_DEPTH => Term::Known(universe.of_kinds(Kinds::COMPOUND)),
            Tag::Lis | Tag::Str => {
                let Some((name, arity)) = store.functor(cell) else { return Term::Known(Facts::NOTHING) };
                let arguments = (0..arity)
                    .map(|i| self.at_depth(universe, store, store.argument(cell, i), depth + 1))
                    .collect();
                Term::Compound(Cell::functor(name, arity), arguments)
            }
            _ => Term::Known(universe.constant(&constant(store, cell))),
        }
    }
}

/// What is known of a variable.
#[derive(Clone, Debug)]
struct Node {
    /// The variable that is the same term.
    same: Option<usize>,
    /// The compound term that it is.
    value: Option<Term>,
    facts: Facts,
}

/// What is known at a point of a clause.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    nodes: Vec<Node>,
    /// Whether something was called of which nothing is known: terms may have changed, goals may wait for variables.
    pub(super) unknown: bool,
}

impl State {
    /// The state of which nothing is known but whether something unknown was called.
    pub(super) fn forgotten(unknown: bool) -> Self {
        Self { nodes: Vec::new(), unknown }
    }

    /// What is known of a term.
    pub(super) fn facts(&self, universe: &Universe<'_>, term: &Term) -> Facts {
        self.facts_at(universe, term, 0, &mut STEPS.clone())
    }

    fn facts_at(&self, universe: &Universe<'_>, term: &Term, depth: usize, steps: &mut usize) -> Facts {
        if depth > MAX_DEPTH || *steps == 0 {
            return Facts::NOTHING;
        }
        *steps -= 1;
        match term {
            Term::Known(facts) => *facts,
            Term::Variable(variable) => {
                let Some(node) = self.nodes.get(self.root(*variable)) else { return Facts::NOTHING };
                match &node.value {
                    Some(value) => {
                        universe.both(node.facts, self.facts_at(universe, value, depth + 1, steps))
                    }
                    None => node.facts,
                }
            }
            Term::Compound(functor, arguments) => {
                let arguments: Vec<Facts> = arguments
                    .iter()
                    .map(|argument| self.facts_at(universe, argument, depth + 1, steps))
                    .collect();
                universe.compound(*functor, &arguments)
            }
        }
    }

    /// Adds what is known of a term. False if there is no such term: this point is never reached.
    pub(super) fn narrow(&mut self, universe: &Universe<'_>, term: &Term, facts: Facts) -> bool {
        self.narrow_at(universe, term, facts, 0, &mut STEPS.clone())
    }

    fn narrow_at(
        &mut self,
        universe: &Universe<'_>,
        term: &Term,
        facts: Facts,
        depth: usize,
        steps: &mut usize,
    ) -> bool {
        if depth > MAX_DEPTH || *steps == 0 {
            return true;
        }
        *steps -= 1;
        match term {
            Term::Known(known) => !universe.both(*known, facts).are_contradictory(),
            Term::Variable(variable) => {
                let root = self.root(*variable);
                let node = self.node(root);
                let both = universe.both(node.facts, facts);
                if both == node.facts {
                    return !both.are_contradictory();
                }
                node.facts = both;
                let value = node.value.clone();
                !both.are_contradictory()
                    && value.is_none_or(|value| self.narrow_at(universe, &value, both, depth + 1, steps))
            }
            Term::Compound(functor, arguments) => {
                if facts.are_contradictory() {
                    return false;
                }
                let Some(known) = universe.arguments(facts, *functor) else { return false };
                arguments
                    .iter()
                    .zip(known)
                    .all(|(argument, facts)| self.narrow_at(universe, argument, facts, depth + 1, steps))
            }
        }
    }

    /// Makes two terms one. False if they cannot be: this point is never reached.
    pub(super) fn unify(&mut self, universe: &Universe<'_>, left: &Term, right: &Term) -> bool {
        self.unify_at(universe, left, right, 0, &mut STEPS.clone())
    }

    fn unify_at(
        &mut self,
        universe: &Universe<'_>,
        left: &Term,
        right: &Term,
        depth: usize,
        steps: &mut usize,
    ) -> bool {
        if depth > MAX_DEPTH || *steps == 0 {
            return true;
        }
        *steps -= 1;
        match (left, right) {
            (Term::Variable(left), Term::Variable(right)) => {
                let (left, right) = (self.root(*left), self.root(*right));
                if left == right {
                    return true;
                }
                let node = self.node(left);
                let (facts, value) = (node.facts, node.value.take());
                self.node(right);
                self.node(left).same = Some(right);
                self.narrow(universe, &Term::Variable(right), facts)
                    && value.is_none_or(|value| {
                        self.unify_at(universe, &Term::Variable(right), &value, depth + 1, steps)
                    })
            }
            (Term::Variable(variable), other) | (other, Term::Variable(variable)) => {
                let root = self.root(*variable);
                match (self.node(root).value.clone(), other) {
                    (_, Term::Known(facts)) => self.narrow(universe, &Term::Variable(root), *facts),
                    (Some(value), _) => self.unify_at(universe, &value, other, depth + 1, steps),
                    (None, _) => {
                        // What a cyclic term has inside is not followed.
                        if !self.occurs(root, other, 0, steps) {
                            self.node(root).value = Some(other.clone());
                        }
                        let facts = self.node(root).facts;
                        let bound = universe.of_kinds(Kinds::COMPOUND);
                        self.narrow(universe, other, facts)
                            && self.narrow(universe, &Term::Variable(root), bound)
                    }
                }
            }
            (Term::Known(facts), other) | (other, Term::Known(facts)) => self.narrow(universe, other, *facts),
            (Term::Compound(functor, lefts), Term::Compound(other, rights)) => {
                functor == other
                    && lefts
                        .iter()
                        .zip(rights.iter())
                        .all(|(left, right)| self.unify_at(universe, left, right, depth + 1, steps))
            }
        }
    }

    /// Whether a variable occurs in a term, or that cannot be found out.
    fn occurs(&self, variable: usize, term: &Term, depth: usize, steps: &mut usize) -> bool {
        if depth > MAX_DEPTH || *steps == 0 {
            return true;
        }
        *steps -= 1;
        match term {
            Term::Known(_) => false,
            Term::Variable(other) => {
                let root = self.root(*other);
                root == variable
                    || self
                        .nodes
                        .get(root)
                        .and_then(|node| node.value.as_ref())
                        .is_some_and(|value| self.occurs(variable, value, depth + 1, steps))
            }
            Term::Compound(_, arguments) => {
                arguments.iter().any(|argument| self.occurs(variable, argument, depth + 1, steps))
            }
        }
    }

    /// The variable that stands for all that are the same term.
    fn root(&self, mut variable: usize) -> usize {
        while let Some(other) = self.nodes.get(variable).and_then(|node| node.same) {
            variable = other;
        }
        variable
    }

    fn node(&mut self, variable: usize) -> &mut Node {
        if self.nodes.len() <= variable {
            let node = Node { same: None, value: None, facts: Facts::NOTHING };
            self.nodes.resize(variable + 1, node);
        }
        &mut self.nodes[variable]
    }
}
