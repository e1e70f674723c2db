//! Which assertion conditions cannot fail: an abstract interpretation over regular types.
//!
//! # What is said of a text
//! The clauses of a text are followed as the compiler reads them. What is known of a term is a set of regular types
//! (`universe`), along a clause together with the equations that its unifications leave (`state`, `clause`). Of each
//! predicate it is assumed that its arguments have all types when it is called and when it has succeeded, and that
//! nothing unknown happens meanwhile; going through all clauses again and again takes away what is not so, until
//! nothing more is taken. What is left is true at every step of a run that begins with calls whose conditions were
//! checked, by induction over its steps: what holds at one rests on what held at earlier ones.
//!
//! # What is relied upon
//! - *Checks that passed*, and nothing else that happens at run time. A predicate with a contract is followed from what
//!   its calls condition demands, since its checked entry has just looked. What a call leaves behind counts only where
//!   the call's own condition is proved and what it leaves is proved as well: not where a violation would have been
//!   thrown, reported or intercepted. So nothing that is proved depends on what a violation does.
//! - *Types stay.* Types are closed under instantiation; changes in place and goals that wait for variables are what
//!   could end one. Neither can happen before something unknown was called: behind a call of a predicate that is not
//!   the text's, and that `effect` does not list, nothing is known on that way any more. The proved code is entered only
//!   while there is no variable with attributes, and no longer once a program names `intercept/3` or `nb_setarg/3`,
//!   whose effects outlive the call.
//! - *The text stays*: once a predicate that was followed is defined anew, its text's proofs are given up.
//!
//! Left to run time: freeness (`var`), properties that are called, properties of computations, compatibility (`::`).
//!
//! Cost: some looks at each clause; the number of types that a text speaks of is bounded.

mod clause;
mod effect;
mod state;
mod universe;

use crate::compile::body::{Goal, read_body};
use crate::machine::{AfterKind, Contract, Judgement, Machine, PredicateId, PropertyTest};
use crate::regtype::TypeId;
use crate::term::{Cell, atom};
use clause::{Assumed, Context};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use universe::{Facts, Universe};

/// Texts whose assumptions do not settle in so many rounds are not analysed.
const MAX_ROUNDS: usize = 300;

/// A predicate of the text, as it is given.
#[derive(Clone, Debug)]
pub struct Given {
    /// Which one.
    pub id: PredicateId,
    /// Its clauses, in the machine's store.
    pub clauses: Vec<Cell>,
    /// Its contract, by number.
    pub contract: Option<u32>,
}

/// Why a call is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// This property of the arguments, by its number among those before the call, is not known to hold.
    Missing(u16),
    /// This property cannot hold.
    Refuted(u16),
    /// Something unknown was called before.
    BehindUnknown,
    /// The contract has conditions that are left to run time.
    Beyond,
}

/// A call in a clause of a predicate with a contract or of one without.
#[derive(Clone, Debug)]
pub struct Site {
    /// The predicate whose clause calls, by its position among those given.
    pub caller: usize,
    /// The clause.
    pub clause: usize,
    /// The predicate that is called, by its position.
    pub callee: usize,
    /// Why its calls condition is not proved; nothing if it is.
    pub why: Option<Why>,
}

/// What was found out about a predicate.
#[derive(Clone, Debug)]
pub struct Found {
    /// What is known of the conditions on success, in the contract's order.
    pub successes: Vec<Judgement>,
    /// Whether proved code calls it.
    pub reached: bool,
    /// Whether nothing unknown happens while it runs.
    pub pure: bool,
}

/// What was found out about a text.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The predicates, in the order in which they were given.
    pub predicates: Vec<Found>,
    /// The calls in their clauses that can be reached, by where their arguments lie in the store.
    pub sites: BTreeMap<usize, Site>,
    /// Predicates of others that are called, on whose meaning the proofs rest.
    pub rests_on: Vec<PredicateId>,
}

/// What a predicate's calls go through.
enum Callee {
    /// Nothing.
    Plain,
    /// A contract all of whose conditions are understood.
    Checked(u32),
    /// Another contract.
    Opaque(Why),
}

/// A predicate of the text.
struct Predicate {
    arity: usize,
    /// Heads and bodies.
    clauses: Vec<(Cell, Vec<Goal>)>,
    kind: Callee,
}

/// Finds out which conditions of a text's contracts cannot fail. `None` if the text is not understood.
pub fn analyse(machine: &mut Machine, given: &[Given]) -> Option<Analysis> {
    let mut predicates = Vec::new();
    let module = machine.source_module;
    for one in given {
        machine.source_module = machine.predicate_at(one.id).module;
        let clauses: Option<Vec<_>> = one.clauses.iter().map(|&clause| read(machine, clause)).collect();
        machine.source_module = module;
        let kind = match one.contract {
            None => Callee::Plain,
            Some(number) if is_understood(&machine.contracts[number as usize]) => Callee::Checked(number),
            Some(_) => Callee::Opaque(Why::Beyond),
        };
        predicates.push(Predicate { arity: machine.predicate_at(one.id).arity, clauses: clauses?, kind });
    }
    let positions: FxHashMap<PredicateId, usize> = given.iter().map(|one| one.id).zip(0..).collect();
    let list = crate::regtype::TypeExpression::Applied(atom::LIST, Vec::new());
    let list = machine.types.resolve(&machine.atoms, &list).ok();
    let machine = &*machine;
    let builtins = builtins(machine);
    let roots = given.iter().filter_map(|one| one.contract).flat_map(|number| types(machine, number));
    let universe = Universe::new(&machine.types, roots.chain(list))?;
    let context = Context {
        machine,
        universe: &universe,
        predicates: &predicates,
        positions: &positions,
        builtins: &builtins,
        list,
    };
    let assumed = settle(&context)?;
    let found = (0..predicates.len())
        .map(|i| Found {
            successes: judged_successes(&context, &assumed, i),
            reached: assumed.reached[i],
            pure: assumed.pure[i],
        })
        .collect();
    let rests_on = predicates
        .iter()
        .flat_map(|predicate| &predicate.clauses)
        .flat_map(|(_, goals)| called(goals))
        .filter(|id| !positions.contains_key(id))
        .collect();
    Some(Analysis { predicates: found, sites: assumed.sites, rests_on })
}

/// A clause as its head and the goals of its body.
fn read(machine: &mut Machine, clause: Cell) -> Option<(Cell, Vec<Goal>)> {
    let clause = machine.store.deref(clause);
    let (head, body) = match machine.store.match_structure::<2>(clause, atom::NECK) {
        Some([head, body]) => (head, body),
        None => (clause, Cell::atom(atom::TRUE)),
    };
    if machine.store.match_structure::<2>(head, atom::COLON).is_some() {
        return None;
    }
    Some((head, read_body(machine, body).ok()?))
}

/// Whether calls of a contract can be proved, and its successes.
fn is_understood(contract: &Contract) -> bool {
    contract.driver.is_none() && contract.compat.is_empty() && contract.comps.is_empty() && !contract.test
}

/// The types that a contract speaks of.
fn types(machine: &Machine, number: u32) -> Vec<TypeId> {
    let contract = &machine.contracts[number as usize];
    let properties = contract.before.iter().chain(&contract.after);
    properties
        .filter_map(|property| match property.test {
            PropertyTest::Type(id) | PropertyTest::Compatible(id) => Some(id),
            _ => None,
        })
        .collect()
}

/// The engine's predicates by the numbers of the instructions that stand for them.
fn builtins(machine: &Machine) -> FxHashMap<u32, PredicateId> {
    machine
        .predicates()
        .filter(|(_, predicate)| predicate.module == atom::SYSTEM)
        .filter_map(|(id, _)| Some((machine.builtin_of(id)?, id)))
        .collect()
}

/// The predicates that goals call.
fn called(goals: &[Goal]) -> Vec<PredicateId> {
    let mut all = Vec::new();
    let mut pending: Vec<&Goal> = goals.iter().collect();
    while let Some(goal) = pending.pop() {
        match goal {
            Goal::Call(id, ..) => all.push(*id),
            Goal::Branches(branches) => pending.extend(branches.iter().flat_map(|branch| {
                branch.body.iter().chain(branch.condition.iter().flat_map(|condition| &condition.goals))
            })),
            _ => {}
        }
    }
    all
}

/// Takes away assumptions that are not so, until nothing more is taken.
fn settle(context: &Context<'_>) -> Option<Assumed> {
    let never = |arity: usize| vec![Facts::NEVER; arity];
    let mut assumed = Assumed {
        called: context.predicates.iter().map(|predicate| demanded(context, predicate)).collect(),
        succeeded: context.predicates.iter().map(|predicate| never(predicate.arity)).collect(),
        pure: context
            .predicates
            .iter()
            .map(|predicate| !matches!(predicate.kind, Callee::Opaque(_)))
            .collect(),
        reached: context
            .predicates
            .iter()
            .map(|predicate| matches!(predicate.kind, Callee::Checked(_)))
            .collect(),
        sites: BTreeMap::new(),
        changed: true,
    };
    for _ in 0..MAX_ROUNDS {
        if !std::mem::replace(&mut assumed.changed, false) {
            return Some(assumed);
        }
        assumed.sites.clear();
        for (i, predicate) in context.predicates.iter().enumerate() {
            for clause in 0..predicate.clauses.len() {
                if !assumed.reached[i] {
                    break;
                }
                let Some(ends) = context.walk(&mut assumed, i, clause) else { continue };
                for (argument, facts) in ends.into_iter().enumerate() {
                    let known = &mut assumed.succeeded[i][argument];
                    let both = known.or(facts);
                    assumed.changed |= *known != both;
                    *known = both;
                }
            }
        }
    }
    None
}

/// What is known of a predicate's arguments when its clauses are entered, as far as its contract says.
fn demanded(context: &Context<'_>, predicate: &Predicate) -> Vec<Facts> {
    let Callee::Checked(number) = predicate.kind else {
        let facts = match predicate.kind {
            Callee::Plain => Facts::NEVER,
            _ => Facts::NOTHING,
        };
        return vec![facts; predicate.arity];
    };
    let contract = &context.machine.contracts[number as usize];
    let mut known = vec![Facts::NOTHING; predicate.arity];
    // Of several alternatives nobody knows which one held.
    if let [alternative] = &contract.calls[..] {
        for &number in &contract.preconditions[alternative.precondition as usize] {
            let property = contract.before[number as usize];
            let argument = &mut known[property.argument as usize];
            *argument = context.universe.both(*argument, context.demand(&property));
        }
    }
    known
}

/// What is known of the conditions on success of a predicate's contract.
fn judged_successes(context: &Context<'_>, assumed: &Assumed, i: usize) -> Vec<Judgement> {
    let Callee::Checked(number) = context.predicates[i].kind else { return Vec::new() };
    let contract = &context.machine.contracts[number as usize];
    let known = &assumed.succeeded[i];
    let property = |number: u16| &contract.after[number as usize];
    contract
        .successes
        .iter()
        .map(|success| {
            if !assumed.pure[i] {
                return Judgement::BehindUnknown;
            }
            let mut failing = None;
            for postcondition in &success.postconditions {
                match postcondition.iter().find(|&&number| !context.holds(property(number), known)) {
                    None if success.kind == AfterKind::Success => return Judgement::Proved,
                    None => {}
                    Some(&number) => failing = failing.or(Some(number)),
                }
            }
            if let ([postcondition], []) = (&success.postconditions[..], &success.preconditions[..])
                && let Some(&number) =
                    postcondition.iter().find(|&&number| context.cannot_hold(property(number), known))
            {
                return Judgement::Refuted(number);
            }
            failing.map_or(Judgement::BehindUnknown, Judgement::Unknown)
        })
        .collect()
}
