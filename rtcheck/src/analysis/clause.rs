//! A clause, step by step: what is known behind each of its goals, on each way through it.

use super::effect::{Effect, Integers, effects, gives_integers};
use super::state::{State, Term, Variables};
use super::universe::{Facts, Universe};
use super::{Callee, Predicate, Site, Why};
use crate::compile::body::{Branch, Goal};
use crate::machine::{
    AfterKind, Comparison, Contract, Lie, Machine, PredicateId, Property, PropertyTest, Test,
};
use crate::regtype::{Kinds, Primitive, TypeId};
use crate::term::{Cell, Tag};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Ways through a clause that are followed one by one. Where branches make more, what is known in front of them is all
/// that is known behind them; where several branches behind each other do, nothing is.
const MAX_WAYS: usize = 24;

/// What holds of the predicates of a text, as far as it was not found to be untrue.
pub(super) struct Assumed {
    /// Of the arguments of each predicate when it is called.
    pub(super) called: Vec<Vec<Facts>>,
    /// When it has succeeded.
    pub(super) succeeded: Vec<Vec<Facts>>,
    /// Whether nothing unknown happens while it runs.
    pub(super) pure: Vec<bool>,
    /// Whether its clauses are entered.
    pub(super) reached: Vec<bool>,
    /// The calls in clauses, by the caller and where their arguments lie.
    pub(super) sites: BTreeMap<(usize, usize), Site>,
    /// Predicates that are called, or called with other things, than was known before.
    pub(super) touched: Vec<usize>,
}

/// What clauses are looked at with.
pub(super) struct Context<'a> {
    pub(super) machine: &'a Machine,
    pub(super) universe: &'a Universe<'a>,
    pub(super) predicates: &'a [Predicate],
    pub(super) positions: &'a FxHashMap<PredicateId, usize>,
    /// The engine's predicates behind instructions.
    pub(super) builtins: &'a FxHashMap<u32, PredicateId>,
    pub(super) list: Option<TypeId>,
    /// Whether what is checked holds behind the check, since a violation throws.
    pub(super) believes: bool,
}

/// A clause that is being looked at.
struct Walk<'c, 'a> {
    context: &'c Context<'a>,
    assumed: &'c mut Assumed,
    variables: Variables,
    caller: usize,
    clause: usize,
}

impl Context<'_> {
    /// Goes through a clause of a predicate under what is assumed, corrects the assumptions about what it calls, and
    /// returns what is known of its arguments where it ends, if it ends.
    pub(super) fn walk(&self, assumed: &mut Assumed, caller: usize, clause: usize) -> Option<Vec<Facts>> {
        let predicate = &self.predicates[caller];
        let (head, goals) = &predicate.clauses[clause];
        let mut walk = Walk { context: self, assumed, variables: Variables::default(), caller, clause };
        let store = &self.machine.store;
        let arguments: Vec<Term> =
            (0..predicate.arity).map(|i| walk.term(store.argument(*head, i))).collect();
        let mut state = State::default();
        for (i, argument) in arguments.iter().enumerate() {
            let facts = walk.assumed.called[caller][i];
            if !state.narrow(self.universe, argument, facts) {
                return None;
            }
        }
        let ends = walk.goals(goals, vec![state]);
        let known = |state: &State| -> Vec<Facts> {
            arguments.iter().map(|argument| state.facts(self.universe, argument)).collect()
        };
        ends.iter()
            .filter(|state| !state.unknown)
            .map(known)
            .reduce(|one, other| one.iter().zip(&other).map(|(&one, &other)| one.or(other)).collect())
    }

    /// Whether a property holds of a term of which this is known.
    pub(super) fn holds(&self, property: &Property, facts: &[Facts]) -> bool {
        let facts = facts[property.argument as usize];
        match property.test {
            PropertyTest::Type(id) | PropertyTest::Compatible(id) => self.universe.has(facts, id),
            PropertyTest::Nonvar => facts.is_bound(),
            PropertyTest::Var | PropertyTest::Call | PropertyTest::CallCompatible => false,
        }
    }

    /// What holds of a property's argument if the property does.
    pub(super) fn demand(&self, property: &Property) -> Facts {
        match property.test {
            PropertyTest::Type(id) => self.universe.of_type(id),
            PropertyTest::Nonvar => self.universe.of_kinds(BOUND),
            _ => Facts::NOTHING,
        }
    }

    /// The first property of what a contract demands of calls that is not known to hold. Nothing if all is.
    fn missing(&self, contract: &Contract, facts: &[Facts]) -> Option<Why> {
        let mut missing = None;
        for alternative in &contract.calls {
            let precondition = &contract.preconditions[alternative.precondition as usize];
            let fails = |&&number: &&u16| !self.holds(&contract.before[number as usize], facts);
            match precondition.iter().find(fails) {
                None => return None,
                Some(&number) => missing = missing.or(Some(Why::Missing(number))),
            }
        }
        if let [alternative] = &contract.calls[..] {
            let precondition = &contract.preconditions[alternative.precondition as usize];
            let wrong = precondition
                .iter()
                .find(|&&number| self.cannot_hold(&contract.before[number as usize], facts));
            missing = wrong.map(|&number| Why::Refuted(number)).or(missing);
        }
        missing
    }

    /// All properties of what a contract demands of calls that are not known to hold, where it demands one thing.
    fn all_missing(&self, contract: &Contract, facts: &[Facts]) -> Option<Vec<u16>> {
        let [alternative] = &contract.calls[..] else { return None };
        let precondition = &contract.preconditions[alternative.precondition as usize];
        let fails = |&number: &u16| !self.holds(&contract.before[number as usize], facts);
        let overlooked = usize::from(self.machine.tells(Lie::OverlookMissing));
        Some(precondition.iter().copied().filter(fails).skip(overlooked).collect())
    }

    /// Adds what a contract's conditions on success say of a call of whose arguments this was known.
    fn add_successes(&self, contract: &Contract, before: &[Facts], after: &mut [Facts]) {
        let held = |&number: &u16| {
            let precondition = &contract.preconditions[number as usize];
            precondition.iter().all(|&number| self.holds(&contract.before[number as usize], before))
        };
        for success in contract.successes.iter().filter(|success| success.kind == AfterKind::Success) {
            // Of several alternatives nobody knows which one holds.
            if let [postcondition] = &success.postconditions[..]
                && (success.preconditions.is_empty() || success.preconditions.iter().any(held))
            {
                for &number in postcondition {
                    let property = &contract.after[number as usize];
                    let argument = &mut after[property.argument as usize];
                    *argument = self.universe.both(*argument, self.demand(property));
                }
            }
        }
    }

    /// Whether no term of which this is known has a property.
    pub(super) fn cannot_hold(&self, property: &Property, facts: &[Facts]) -> bool {
        let facts = facts[property.argument as usize];
        match property.test {
            PropertyTest::Var => facts.is_bound(),
            _ => self.universe.both(facts, self.demand(property)).are_contradictory(),
        }
    }
}

impl Walk<'_, '_> {
    fn term(&mut self, cell: Cell) -> Term {
        self.variables.term(self.context.universe, &self.context.machine.store, cell)
    }

    fn goals(&mut self, goals: &[Goal], mut states: Vec<State>) -> Vec<State> {
        for goal in goals {
            if states.len() > MAX_WAYS {
                states = vec![State::forgotten(states.iter().any(|state| state.unknown))];
            }
            let mut next = Vec::new();
            for state in states {
                self.goal(goal, state, &mut next);
            }
            states = next;
        }
        states
    }

    fn goal(&mut self, goal: &Goal, mut state: State, next: &mut Vec<State>) {
        let universe = self.context.universe;
        let goes_on = match goal {
            Goal::Cut => true,
            Goal::Fail => false,
            Goal::Branches(branches) => {
                self.branches(branches, state, next);
                return;
            }
            Goal::Call(predicate, first, arity) => self.call(&mut state, *predicate, *first, *arity),
            Goal::MetaCall(_) | Goal::Interpret(_) => self.unknown(&mut state),
            // What is unknown may call anything later, and nothing more is said on such a way.
            _ if state.unknown => true,
            Goal::Builtin(number, first, arity) => match self.context.builtins.get(number) {
                Some(&predicate) => self.builtin(&mut state, predicate, *first, *arity),
                None => self.unknown(&mut state),
            },
            Goal::Unify(left, right) | Goal::CompareTerms(Comparison::Equal, left, right) => {
                let (left, right) = (self.term(*left), self.term(*right));
                state.unify(universe, &left, &right)
            }
            Goal::Test(test, cell) => match tested(*test) {
                Some(kinds) => {
                    let term = self.term(*cell);
                    state.narrow(universe, &term, universe.of_kinds(kinds))
                }
                None => true,
            },
            Goal::Is(result, expression) => {
                let integer = self.is_integer(&state, *expression, 0);
                let primitive = if integer { Primitive::Int } else { Primitive::Number };
                let term = self.term(*result);
                state.narrow(universe, &term, universe.of_primitive(primitive))
            }
            Goal::CompareNumbers(..) | Goal::CompareTerms(..) => true,
        };
        if goes_on {
            next.push(state);
        }
    }

    fn branches(&mut self, branches: &[Branch], state: State, next: &mut Vec<State>) {
        let mut ends = Vec::new();
        for branch in branches {
            let mut states = vec![state.clone()];
            if let Some(condition) = &branch.condition {
                states = self.goals(&condition.goals, states);
            }
            ends.extend(self.goals(&branch.body, states));
        }
        if self.context.machine.tells(Lie::FirstWay) {
            ends.truncate(1);
        }
        if ends.len() > MAX_WAYS {
            let unknown = ends.iter().any(|end| end.unknown);
            let mut before = state;
            before.unknown |= unknown;
            ends = vec![before];
        }
        next.extend(ends);
    }

    /// Something happens of which nothing is known.
    fn unknown(&mut self, state: &mut State) -> bool {
        if self.context.machine.tells(Lie::ForgetUnknown) {
            return true;
        }
        self.assumed.pure[self.caller] = false;
        state.unknown = true;
        true
    }

    fn call(&mut self, state: &mut State, predicate: PredicateId, first: usize, arity: usize) -> bool {
        let context = self.context;
        let Some(&callee) = context.positions.get(&predicate) else {
            let origin = context.machine.origin(predicate);
            return if state.unknown { true } else { self.builtin(state, origin, first, arity) };
        };
        let arguments: Vec<Term> =
            (0..arity).map(|i| self.term(context.machine.store.at(first + i))).collect();
        let facts: Vec<Facts> =
            arguments.iter().map(|argument| state.facts(context.universe, argument)).collect();
        let (unknown, mut known) = (state.unknown, true);
        let mut missing = None;
        let why = match &context.predicates[callee].kind {
            _ if unknown => Some(Why::BehindUnknown),
            Callee::Opaque(why) => Some(why.clone()),
            Callee::Plain | Callee::Opening => {
                let mut changes = !std::mem::replace(&mut self.assumed.reached[callee], true);
                for (i, &facts) in facts.iter().enumerate() {
                    let called = &mut self.assumed.called[callee][i];
                    let both = called.or(facts);
                    changes |= *called != both;
                    *called = both;
                }
                if changes {
                    self.assumed.touched.push(callee);
                }
                missing = Some(Vec::new());
                None
            }
            Callee::Checked(contract) => {
                let contract = &context.machine.contracts[*contract as usize];
                let why = context.missing(contract, &facts);
                known = why.is_none();
                missing = match why {
                    None => Some(Vec::new()),
                    Some(Why::Missing(_)) => context.all_missing(contract, &facts),
                    Some(_) => None,
                };
                why
            }
        };
        let (caller, clause) = (self.caller, self.clause);
        if arity > 0 {
            // On each way that leads here.
            let none = || Site { caller, clause, callee, why: None, missing: Some(Vec::new()) };
            let site = self.assumed.sites.entry((caller, first)).or_insert_with(none);
            site.why = site.why.take().or(why);
            site.missing = site.missing.take().zip(missing).map(|(mut all, missing)| {
                all.extend(missing);
                all.sort_unstable();
                all.dedup();
                all
            });
        }
        if unknown || matches!(context.predicates[callee].kind, Callee::Opaque(_)) {
            return self.unknown(state);
        }
        if !self.assumed.pure[callee] {
            return self.unknown(state);
        }
        // A call that may violate what is asked of it, and go on, promises nothing.
        if !known && !context.believes && !context.machine.tells(Lie::BelieveCalls) {
            return true;
        }
        let mut promised = self.assumed.succeeded[callee].clone();
        if let Callee::Checked(contract) = context.predicates[callee].kind
            && context.believes
        {
            let asked = facts.iter().zip(&self.assumed.called[callee]);
            let before: Vec<Facts> = asked.map(|(&one, &other)| context.universe.both(one, other)).collect();
            context.add_successes(&context.machine.contracts[contract as usize], &before, &mut promised);
        }
        arguments
            .iter()
            .zip(promised)
            .all(|(argument, facts)| state.narrow(context.universe, argument, facts))
    }

    /// A call of one of the engine's predicates, or of anything else that is not the text's.
    fn builtin(&mut self, state: &mut State, predicate: PredicateId, first: usize, arity: usize) -> bool {
        let context = self.context;
        let Some(effects) = context.effects(predicate) else { return self.unknown(state) };
        if arity == 2
            && context.machine.atoms.text(context.machine.predicate_at(predicate).name).starts_with("unify_")
        {
            let store = &context.machine.store;
            let (left, right) = (self.term(store.at(first)), self.term(store.at(first + 1)));
            return state.unify(context.universe, &left, &right);
        }
        let terms: Vec<Term> =
            (0..arity).map(|argument| self.term(context.machine.store.at(first + argument))).collect();
        terms.iter().enumerate().all(|(argument, term)| {
            effects.iter().filter(|(of, _)| *of == argument).all(|(_, effect)| {
                let known = |state: &State, argument: usize| state.facts(context.universe, &terms[argument]);
                let facts = match effect {
                    Effect::Has(primitive) => context.universe.of_primitive(*primitive),
                    Effect::Bound => context.universe.of_kinds(BOUND),
                    Effect::List => {
                        context.list.map_or(Facts::NOTHING, |list| context.universe.of_type(list))
                    }
                    Effect::ElementOf(list) => context.universe.elements(known(state, *list)),
                    Effect::ListOf(lists) => {
                        let lists = lists.iter().map(|&list| context.universe.lists(known(state, list)));
                        lists.reduce(Facts::or).unwrap_or(Facts::NOTHING)
                    }
                };
                state.narrow(context.universe, term, facts)
            })
        })
    }

    /// Whether an expression gives an integer if it gives anything.
    fn is_integer(&mut self, state: &State, expression: Cell, depth: usize) -> bool {
        let context = self.context;
        let store = &context.machine.store;
        let cell = store.deref(expression);
        if depth > 50 {
            return false;
        }
        if cell.tag() == Tag::Ref {
            let term = self.term(cell);
            let integers = Kinds::NEGATIVE.or(Kinds::NONNEGATIVE);
            return state.facts(context.universe, &term).are_within(integers);
        }
        if matches!(cell.tag(), Tag::Int | Tag::Box) {
            return Kinds::NEGATIVE.or(Kinds::NONNEGATIVE).contains(Kinds::of(store, cell));
        }
        let Some((name, arity)) = store.functor(cell) else { return false };
        let name = context.machine.atoms.text(name);
        match gives_integers(name, arity) {
            Some(Integers::Always) => true,
            Some(Integers::OfIntegers) => {
                (0..arity).all(|i| self.is_integer(state, store.argument(cell, i), depth + 1))
            }
            None => false,
        }
    }
}

impl Context<'_> {
    /// What one of the engine's predicates does. `None` if it is another one, or may do anything.
    fn effects(&self, predicate: PredicateId) -> Option<&'static [(usize, Effect)]> {
        let predicate = self.machine.predicate_at(predicate);
        if predicate.module != crate::term::atom::SYSTEM {
            return None;
        }
        effects(self.machine.atoms.text(predicate.name), predicate.arity)
    }
}

/// Of a term that is not a free variable.
const BOUND: Kinds = Kinds::ATOMIC.or(Kinds::COMPOUND);

/// The kinds of terms that pass a test, where that says something.
fn tested(test: Test) -> Option<Kinds> {
    let integers = Kinds::NEGATIVE.or(Kinds::NONNEGATIVE);
    Some(match test {
        Test::Var => return None,
        Test::Nonvar => BOUND,
        Test::Atom => Kinds::ATOM,
        Test::Integer => integers,
        Test::Float => Kinds::FLOAT,
        Test::Number => integers.or(Kinds::FLOAT).or(Kinds::RATIONAL),
        Test::Atomic => Kinds::ATOMIC,
        Test::Compound => Kinds::COMPOUND,
        Test::Callable => Kinds::ATOM.or(Kinds::COMPOUND),
    })
}
