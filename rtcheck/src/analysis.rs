//! Which assertion conditions cannot fail: an abstract interpretation over regular types.
//!
//! # What is said of a text
//! The clauses of a text are followed as the compiler reads them. What is known of a term is a set of regular types
//! (`universe`), along a clause together with the equations that its unifications leave (`state`, `clause`). Of each
//! predicate it is assumed that its arguments have all types when it is called and when it has succeeded, and that
//! nothing unknown happens meanwhile; going through the clauses takes away what is not so, and what rests on that is
//! gone through again, until nothing more is taken. What is left is true at every step of a run that begins with calls
//! whose conditions were checked, by induction over its steps: what holds at one rests on what held at earlier ones.
//!
//! Runs begin elsewhere too: a predicate without a contract that the text itself does not call (`main/0`, what
//! is called through a goal) is followed a second time, as an *opening*, with nothing known of its arguments.
//! What it calls is called by proved code, so that a loop that fills a checked structure is known to fill it.
//!
//! # What is relied upon
//! - *Checks that passed.* A predicate with a contract is followed from what its calls condition demands, since
//!   its checked entry has just looked. Where a violation throws, what is behind a call is reached only if no
//!   condition of the call was violated: its conditions count there, proved or not. That a condition on success
//!   is proved with what it says of earlier calls is no circle: the first exit that violated it would be one
//!   without an earlier one. Where violations are told and the program goes on (`on_violation`), what a call
//!   leaves behind counts only if the call's own condition is proved, and as far as it is proved; all proofs
//!   are given up where a program switches to that.
//! - *Types stay.* Types are closed under instantiation; changes in place and goals that wait for variables are
//!   what could end one. Neither can happen before something unknown was called: behind a call of a predicate
//!   that is not the text's, and that `effect` does not list, nothing is known on that way any more. The proved
//!   code is entered only while there is no variable with attributes, and no longer once a program names
//!   `intercept/3` or `nb_setarg/3`, whose effects outlive the call.
//! - *The text stays*: once a predicate that was followed is defined anew, its text's proofs are given up.
//!
//! Left to run time: freeness (`var`), properties that are called, properties of computations, compatibility (`::`).
//!
//! Cost: some looks at each clause, since only what rests on something that changed is looked at again; the number of
//! types that a text speaks of is bounded.

mod clause;
mod effect;
mod state;
mod universe;

use crate::compile::body::{Goal, called, read_body};
use crate::machine::{AfterKind, Contract, Judgement, Machine, OnViolation, PredicateId, PropertyTest};
use crate::regtype::TypeId;
use crate::term::{Cell, atom};
use clause::{Assumed, Context};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use universe::{Facts, Universe};

/// Texts whose assumptions do not settle in so many looks at each predicate, on average, are not analysed.
const MAX_LOOKS: usize = 100;

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
    /// The predicate whose clause calls, by its position among those given, from there on among the openings.
    pub caller: usize,
    /// The clause.
    pub clause: usize,
    /// The predicate that is called, by its position among those given.
    pub callee: usize,
    /// Why its calls condition is not proved; nothing if it is.
    pub why: Option<Why>,
    /// The properties, by number and in order, that have to be looked at, if the others are known to hold: none if the
    /// calls condition is proved.
    pub missing: Option<Vec<u16>>,
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
    /// The predicates that are followed with nothing known of their arguments, by their positions.
    pub openings: Vec<usize>,
    /// The calls in their clauses that can be reached, by the caller and where their arguments lie in the store.
    pub sites: BTreeMap<(usize, usize), Site>,
    /// Predicates of others that are called, on whose meaning the proofs rest.
    pub rests_on: Vec<PredicateId>,
}

impl Analysis {
    /// Which predicate calls at a site, by its position among those given.
    #[must_use]
    pub fn caller(&self, site: &Site) -> usize {
        match site.caller.checked_sub(self.predicates.len()) {
            Some(opening) => self.openings[opening],
            None => site.caller,
        }
    }
}

/// What a predicate's calls go through.
enum Callee {
    /// Nothing.
    Plain,
    /// Nothing, and nobody knows who calls.
    Opening,
    /// A contract all of whose conditions are understood.
    Checked(u32),
    /// Another contract.
    Opaque(Why),
}

/// A predicate of the text.
struct Predicate {
    arity: usize,
    /// Heads and bodies.
    clauses: Rc<[(Cell, Vec<Goal>)]>,
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
        predicates.push(Predicate {
            arity: machine.predicate_at(one.id).arity,
            clauses: clauses?.into(),
            kind,
        });
    }
    let positions: FxHashMap<PredicateId, usize> = given.iter().map(|one| one.id).zip(0..).collect();
    let openings = openings(&predicates, &positions);
    for &i in &openings {
        let Predicate { arity, ref clauses, .. } = predicates[i];
        predicates.push(Predicate { arity, clauses: Rc::clone(clauses), kind: Callee::Opening });
    }
    let list = crate::regtype::TypeExpression::Applied(atom::LIST, Vec::new());
    let list = machine.types.resolve(&machine.atoms, &list).ok();
    // A text that speaks of elements has lists of them, whether it says so or not: those that it writes, for instance.
    let elements = ["atm", "int", "num"].map(|name| machine.atoms.intern(name));
    let lists: Vec<TypeId> = elements
        .into_iter()
        .filter_map(|element| {
            let element = crate::regtype::TypeExpression::Applied(element, Vec::new());
            let list = crate::regtype::TypeExpression::Applied(atom::LIST, vec![element]);
            machine.types.resolve(&machine.atoms, &list).ok()
        })
        .collect();
    let machine = &*machine;
    let builtins = builtins(machine);
    let roots = given.iter().filter_map(|one| one.contract).flat_map(|number| types(machine, number));
    let universe = Universe::new(&machine.types, roots.chain(list).chain(lists))?;
    let context = Context {
        machine,
        universe: &universe,
        predicates: &predicates,
        positions: &positions,
        builtins: &builtins,
        list,
        believes: machine.rtchecks.on_violation == OnViolation::Throw,
    };
    let assumed = settle(&context)?;
    let found = (0..given.len())
        .map(|i| Found {
            successes: judged_successes(&context, &assumed, i),
            reached: assumed.reached[i],
            pure: assumed.pure[i],
        })
        .collect();
    let rests_on = predicates
        .iter()
        .flat_map(|predicate| predicate.clauses.iter())
        .flat_map(|(_, goals)| called(goals))
        .filter(|id| !positions.contains_key(id))
        .collect();
    Some(Analysis { predicates: found, openings, sites: assumed.sites, rests_on })
}

/// The predicates without a contract that no other one of the text calls, by their positions: of a component of
/// predicates that call each other all are taken, or none. Those without arguments too, of which nothing could
/// be known.
fn openings(predicates: &[Predicate], positions: &FxHashMap<PredicateId, usize>) -> Vec<usize> {
    let mut calls = DiGraph::<usize, ()>::new();
    let nodes: Vec<NodeIndex> = (0..predicates.len()).map(|i| calls.add_node(i)).collect();
    for (&caller, predicate) in nodes.iter().zip(predicates) {
        for callee in predicate.clauses.iter().flat_map(|(_, goals)| called(goals)) {
            if let Some(&callee) = positions.get(&callee) {
                calls.add_edge(caller, nodes[callee], ());
            }
        }
    }
    let mut component_of = vec![0; predicates.len()];
    let components = petgraph::algo::kosaraju_scc(&calls);
    for (number, component) in components.iter().enumerate() {
        for &node in component {
            component_of[calls[node]] = number;
        }
    }
    let mut called_from_outside = vec![false; components.len()];
    for edge in calls.raw_edges() {
        let (caller, callee) = (component_of[calls[edge.source()]], component_of[calls[edge.target()]]);
        called_from_outside[callee] |= caller != callee;
    }
    let is_open = |&i: &usize| {
        matches!(predicates[i].kind, Callee::Plain)
            && (predicates[i].arity == 0 || !called_from_outside[component_of[i]])
    };
    (0..predicates.len()).filter(is_open).collect()
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

/// The engine's predicates behind instructions that run no goal of a program and change nothing that outlives them.
pub(crate) fn harmless_builtins(machine: &Machine) -> FxHashSet<u32> {
    let is_harmless = |id: PredicateId| {
        let predicate = machine.predicate_at(id);
        effect::effects(machine.atoms.text(predicate.name), predicate.arity).is_some()
    };
    builtins(machine).into_iter().filter(|&(_, id)| is_harmless(id)).map(|(builtin, _)| builtin).collect()
}

/// The engine's predicates by the numbers of the instructions that stand for them.
fn builtins(machine: &Machine) -> FxHashMap<u32, PredicateId> {
    machine
        .predicates()
        .filter(|(_, predicate)| predicate.module == atom::SYSTEM)
        .filter_map(|(id, _)| Some((machine.builtin_of(id)?, id)))
        .collect()
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
            .map(|predicate| matches!(predicate.kind, Callee::Checked(_) | Callee::Opening))
            .collect(),
        sites: BTreeMap::new(),
        touched: Vec::new(),
    };
    let callers = callers(context);
    let mut waiting: VecDeque<usize> =
        (0..context.predicates.len()).filter(|&i| assumed.reached[i]).collect();
    let mut waits = assumed.reached.clone();
    let mut looks = MAX_LOOKS * context.predicates.len();
    while let Some(i) = waiting.pop_front() {
        looks = looks.checked_sub(1)?;
        waits[i] = false;
        let before = (assumed.pure[i], assumed.succeeded[i].clone());
        // The last look at a predicate tells of its calls.
        let old: Vec<(usize, usize)> = assumed.sites.range((i, 0)..(i + 1, 0)).map(|(&key, _)| key).collect();
        for key in old {
            assumed.sites.remove(&key);
        }
        for clause in 0..context.predicates[i].clauses.len() {
            let Some(ends) = context.walk(&mut assumed, i, clause) else { continue };
            for (known, facts) in assumed.succeeded[i].iter_mut().zip(ends) {
                *known = known.or(facts);
            }
        }
        let mut again = std::mem::take(&mut assumed.touched);
        if before != (assumed.pure[i], assumed.succeeded[i].clone()) {
            again.extend(callers[i].iter().copied().filter(|&caller| assumed.reached[caller]));
        }
        for one in again {
            if !std::mem::replace(&mut waits[one], true) {
                waiting.push_back(one);
            }
        }
    }
    Some(assumed)
}

/// Who calls each predicate of the text.
fn callers(context: &Context<'_>) -> Vec<Vec<usize>> {
    let mut callers = vec![Vec::new(); context.predicates.len()];
    for (i, predicate) in context.predicates.iter().enumerate() {
        for callee in predicate.clauses.iter().flat_map(|(_, goals)| called(goals)) {
            if let Some(&callee) = context.positions.get(&callee)
                && callers[callee].last() != Some(&i)
            {
                callers[callee].push(i);
            }
        }
    }
    callers
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
