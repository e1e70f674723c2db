//! Which clauses of a checked predicate are left without a frame, and what they are compiled to.
//!
//! See `machine/contract/exits` for what the exits do. A predicate gets clauses with exits if one at least needs no frame
//! and none that needs one leads back to the predicate: a recursion makes its frame as cheaply in front of the clauses.

use super::Loader;
use crate::analysis::{Given, harmless_builtins};
use crate::compile::body::{Goal, called, read_body};
use crate::compile::{Exit, head_and_body};
use crate::machine::{Lie, Machine, OnViolation, PredicateId, Promise, TextProofs};
use crate::term::{Cell, Store, Tag};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

/// How a clause needs to be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It calls nothing.
    Leaf,
    /// Its last call checks all that is to be checked.
    HandsOn(PredicateId),
    /// With a frame.
    Framed,
}

/// A clause as it is looked at.
struct Clause {
    head: Cell,
    goals: Vec<Goal>,
}

impl Loader {
    /// Compiles the clauses of predicates once more where some of them need no frame for what is checked behind them.
    pub(super) fn settle_exits(&self, machine: &mut Machine, given: &[Given]) {
        if machine.watches_calls() {
            return;
        }
        let promises: FxHashMap<PredicateId, Vec<Promise>> =
            given.iter().filter_map(|one| Some((one.id, machine.promises(one.contract?)?))).collect();
        let read: Option<Vec<Vec<Clause>>> = given.iter().map(|one| read(machine, one)).collect();
        if let Some(clauses) = read {
            let circles = circles(given, &clauses);
            let harmless = harmless_builtins(machine);
            for (one, clauses) in given.iter().zip(&clauses) {
                let (Some(number), Some(own)) = (one.contract, promises.get(&one.id)) else { continue };
                let bound = machine.bound_arguments(number);
                let ways = ways(machine, clauses, &bound, own, &promises, &harmless);
                let worth = ways.iter().any(|&way| way != Way::Framed);
                let mut rests_on = vec![one.id];
                rests_on.extend(ways.iter().filter_map(|way| match way {
                    Way::HandsOn(to) => Some(to),
                    Way::Leaf | Way::Framed => None,
                }));
                let leads_back = |(clause, way): (&Clause, &Way)| {
                    *way == Way::Framed
                        && called(&clause.goals).iter().any(|id| circles.get(id) == circles.get(&one.id))
                };
                if !worth || clauses.iter().zip(&ways).any(leads_back) {
                    continue;
                }
                let Some((finish, frame)) = machine.exits(number) else { continue };
                let exits: Vec<Exit> = ways
                    .iter()
                    .map(|way| match way {
                        Way::Leaf => Exit::Through(finish, frame),
                        Way::HandsOn(_) => Exit::Plain,
                        Way::Framed => Exit::Behind(frame),
                    })
                    .collect();
                if let Some(address) = self.second_body(machine, one, &exits) {
                    machine.leave_by_exits(number, address);
                    machine.keep_proofs(TextProofs {
                        by_exits: vec![number],
                        rests_on,
                        ..TextProofs::default()
                    });
                }
            }
        }
    }
}

/// The heads and bodies of a predicate's clauses.
fn read(machine: &mut Machine, given: &Given) -> Option<Vec<Clause>> {
    let module = machine.source_module;
    machine.source_module = machine.predicate_at(given.id).module;
    let clauses = given
        .clauses
        .iter()
        .map(|&clause| {
            let (head, body) = head_and_body(machine, clause).ok()?;
            Some(Clause { head, goals: read_body(machine, body).ok()? })
        })
        .collect();
    machine.source_module = module;
    clauses
}

/// For each predicate the number of the circle of calls that it is in.
fn circles(given: &[Given], clauses: &[Vec<Clause>]) -> FxHashMap<PredicateId, usize> {
    let mut graph: DiGraph<PredicateId, ()> = DiGraph::new();
    let nodes: FxHashMap<PredicateId, NodeIndex> =
        given.iter().map(|one| (one.id, graph.add_node(one.id))).collect();
    for (one, clauses) in given.iter().zip(clauses) {
        for id in clauses.iter().flat_map(|clause| called(&clause.goals)) {
            if let Some(&to) = nodes.get(&id) {
                graph.add_edge(nodes[&one.id], to, ());
            }
        }
    }
    let components = petgraph::algo::tarjan_scc(&graph);
    components
        .iter()
        .zip(0..)
        .flat_map(|(nodes, i)| nodes.iter().map(move |&node| (node, i)))
        .map(|(node, i)| (graph[node], i))
        .collect()
}

/// How clauses need to be left whose predicate makes promises. Some of its arguments are `bound` at each call.
fn ways(
    machine: &Machine,
    clauses: &[Clause],
    bound: &[u16],
    own: &[Promise],
    promises: &FxHashMap<PredicateId, Vec<Promise>>,
    harmless: &FxHashSet<u32>,
) -> Vec<Way> {
    // Clauses in which a goal of the program may have run when the next one is tried.
    let mut loud: Vec<Cell> = Vec::new();
    clauses
        .iter()
        .map(|clause| {
            let excluded = |&other: &Cell| exclude_each_other(&machine.store, bound, other, clause.head);
            let way = match handed_on(machine, clause, own, promises, harmless) {
                _ if clause.goals.iter().all(is_inline) => Way::Leaf,
                Some(to) if loud.iter().all(excluded) => Way::HandsOn(to),
                _ => Way::Framed,
            };
            // Behind a cut no other clause is tried.
            let mut tried = clause.goals.iter().take_while(|goal| !matches!(goal, Goal::Cut));
            if !tried.all(|goal| is_harmless(goal, harmless)) {
                loud.push(clause.head);
            }
            way
        })
        .collect()
}

/// Whether no call with some arguments bound has to do with both of two heads.
fn exclude_each_other(store: &Store, bound: &[u16], one: Cell, other: Cell) -> bool {
    let key = |head: Cell, argument: u16| {
        let cell = store.deref(store.argument(head, argument as usize));
        match cell.tag() {
            Tag::Lis => Some(Cell::list(0)),
            Tag::Str => Some(store.at(cell.index())),
            Tag::Atm | Tag::Int => Some(cell),
            _ => None,
        }
    };
    bound.iter().any(|&argument| match (key(one, argument), key(other, argument)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    })
}

/// The predicate whose contract makes all checks on success of a clause, which hands its promises on to it.
fn handed_on(
    machine: &Machine,
    clause: &Clause,
    own: &[Promise],
    promises: &FxHashMap<PredicateId, Vec<Promise>>,
    harmless: &FxHashSet<u32>,
) -> Option<PredicateId> {
    let (last, before) = clause.goals.split_last()?;
    let &Goal::Call(called, first, _) = last else { return None };
    // Where violations are told and the program goes on, both are.
    if machine.rtchecks.on_violation != OnViolation::Throw
        || !before.iter().all(|goal| is_harmless(goal, harmless))
    {
        return None;
    }
    let theirs = promises.get(&called)?;
    let store = &machine.store;
    let is_variable = |cell: Cell| cell.tag() == Tag::Ref;
    let is_handed_on = |promise: &Promise| {
        let argument = store.argument(clause.head, promise.argument as usize);
        theirs.iter().any(|other| {
            let passed = store.deref(store.at(first + other.argument as usize));
            let same = passed == argument || machine.tells(Lie::HandAnythingOn) && is_variable(passed);
            other.property == promise.property && is_variable(argument) && same
        })
    };
    own.iter().all(is_handed_on).then_some(called)
}

/// Whether a goal is instructions of the clause, and no call.
fn is_inline(goal: &Goal) -> bool {
    !matches!(goal, Goal::Call(..) | Goal::MetaCall(_) | Goal::Interpret(_) | Goal::Branches(_))
}

/// Whether no goal of the program runs where a goal does.
fn is_harmless(goal: &Goal, harmless: &FxHashSet<u32>) -> bool {
    match goal {
        Goal::Builtin(builtin, ..) => harmless.contains(builtin),
        goal => is_inline(goal),
    }
}
