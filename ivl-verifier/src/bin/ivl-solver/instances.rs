//! The instances of quantifiers that a proof needs, told by the marks in them.

use std::collections::BTreeSet;

use ivl_verifier::smt::answer::{Reply, Request, Response};
use ivl_verifier::smt::replay::{Instance, Instances, Node, is_mark};
use ivl_verifier::smt::term::Query;
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, Dynamic};
use z3::{DeclKind, SatResult, SortKind, StatisticsValue};

use crate::build::build;
use crate::linked::limits;
use crate::solve::Budget;

/// Proves a marked query, in a context that keeps proofs.
pub(crate) fn needed(query: &Query, request: &Request) -> Result<Reply, String> {
    let built = build(query)?;
    let solver = z3::Solver::new();
    solver.set_params(&limits(Budget { resource: request.resource, wall_ms: request.wall_ms }));
    for id in &query.background {
        solver.assert(built.bool(*id)?);
    }
    solver.push();
    if let Some(goal) = query.goal {
        solver.assert(built.bool(goal)?);
    }
    let found = match solver.check() {
        SatResult::Unsat => solver.get_proof().map(|proof| instances(Dynamic::from_ast(&proof), query)),
        SatResult::Sat | SatResult::Unknown => None,
    };
    let resource = match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(count)) => u64::from(count),
        _ => 0,
    };
    let response = match &found {
        Some(_) => Response::valid(),
        None => Response::failed("there is no proof"),
    };
    Ok(Reply { instances: found, ..Reply::of(Response { resource, ..response }) })
}

/// The instances in a proof.
fn instances(proof: Dynamic, query: &Query) -> Instances {
    let mut reader = Reader {
        functions: query.functions.iter().map(|(_, function)| function.name.as_str()).collect(),
        known: FxHashMap::default(),
        terms: Vec::new(),
    };
    let mut all = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut work = vec![proof];
    while let Some(step) = work.pop() {
        if !step.is_app() || step.sort_kind() != SortKind::Unknown || !seen.insert(step.clone()) {
            continue;
        }
        let parts = step.children();
        if step.decl().kind() == DeclKind::PrQuantInst {
            all.extend(parts.last().and_then(mark).and_then(|mark| reader.instance(&mark)));
        }
        work.extend(parts);
    }
    let names = query.functions.iter().map(|(_, function)| function.name.as_str());
    Instances::new(reader.terms, all.into_iter().collect(), names)
}

/// The mark in an instance: the one that stands in no quantifier.
fn mark(said: &Dynamic) -> Option<Dynamic> {
    let mut seen = FxHashSet::default();
    let mut work = vec![said.clone()];
    while let Some(term) = work.pop() {
        if !term.is_app() || !seen.insert(term.clone()) {
            continue;
        }
        if is_mark(&term.decl().name()) {
            return Some(term);
        }
        work.extend(term.children());
    }
    None
}

struct Reader<'q> {
    functions: FxHashSet<&'q str>,
    known: FxHashMap<Dynamic, Option<u32>>,
    terms: Vec<Node>,
}

impl Reader<'_> {
    fn instance(&mut self, mark: &Dynamic) -> Option<Instance> {
        let terms: Option<Vec<u32>> = mark.children().iter().map(|term| self.term(term)).collect();
        Some(Instance { mark: mark.decl().name(), terms: terms? })
    }

    /// The place of a term; nothing if it cannot be told.
    fn term(&mut self, root: &Dynamic) -> Option<u32> {
        let mut work = vec![root.clone()];
        while let Some(term) = work.last().cloned() {
            if self.known.contains_key(&term) {
                work.pop();
                continue;
            }
            let parts = if term.is_app() { term.children() } else { Vec::new() };
            let missing: Vec<Dynamic> =
                parts.iter().filter(|part| !self.known.contains_key(*part)).cloned().collect();
            if !missing.is_empty() {
                work.extend(missing);
                continue;
            }
            let places: Option<Vec<u32>> =
                parts.iter().map(|part| self.known.get(part).copied().flatten()).collect();
            let node = places.and_then(|places| self.node(&term, places));
            let place = node.and_then(|node| {
                self.terms.push(node);
                u32::try_from(self.terms.len() - 1).ok()
            });
            self.known.insert(term, place);
            work.pop();
        }
        self.known.get(root).copied().flatten()
    }

    fn node(&self, term: &Dynamic, parts: Vec<u32>) -> Option<Node> {
        if !term.is_app() {
            return None;
        }
        let decl = term.decl();
        let name = match decl.kind() {
            DeclKind::Uninterpreted => {
                let name = decl.name();
                return self.functions.contains(name.as_str()).then_some(Node::Apply(name, parts));
            }
            DeclKind::True => return Some(Node::Bool(true)),
            DeclKind::False => return Some(Node::Bool(false)),
            DeclKind::Anum => {
                let number = term.as_int()?.as_i64()?;
                return Some(Node::Int(number.to_string()));
            }
            DeclKind::Add => "+",
            DeclKind::Sub | DeclKind::Uminus => "-",
            DeclKind::Mul => "*",
            DeclKind::Idiv => "div",
            DeclKind::Mod => "mod",
            DeclKind::ToReal => "to_real",
            DeclKind::ToInt => "to_int",
            DeclKind::Lt => "<",
            DeclKind::Le => "<=",
            DeclKind::Gt => ">",
            DeclKind::Ge => ">=",
            DeclKind::Eq | DeclKind::Iff => "=",
            DeclKind::Not => "not",
            DeclKind::And => "and",
            DeclKind::Or => "or",
            DeclKind::Ite => "ite",
            _ => return None,
        };
        Some(Node::Op(name.to_owned(), parts))
    }
}
