//! The instances of quantifiers that a proof needs, told by the marks in them.

use std::collections::BTreeSet;

use ivl_verifier::smt::answer::{Reply, Request, Response};
use ivl_verifier::smt::joints::ANCHOR;
use ivl_verifier::smt::replay::{Instance, Instances, Node, is_mark};
use ivl_verifier::smt::term::Query;
use ivl_verifier::smt::text::sort_text;
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, Dynamic};
use z3::{DeclKind, SatResult, SortKind, StatisticsValue};

use crate::build::{Builder, build};
use crate::linked::limits;
use crate::model::{fraction, number, vector};
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
        SatResult::Unsat => {
            solver.get_proof().map(|proof| instances(Dynamic::from_ast(&proof), query, &built))
        }
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
fn instances(proof: Dynamic, query: &Query, built: &Builder) -> Instances {
    let datatypes = || query.datatypes.iter().flat_map(|datatype| &datatype.constructors);
    let mut reader = Reader {
        query,
        built,
        constructors: datatypes().map(|it| it.name.as_str()).collect(),
        fields: datatypes().flat_map(|it| it.fields.iter().map(|(name, _)| name.as_str())).collect(),
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

/// Whether a term is what anchored functions take in front.
fn is_anchor(term: &Dynamic) -> bool {
    term.is_app() && term.num_children() == 0 && term.decl().name() == ANCHOR
}

struct Reader<'q> {
    query: &'q Query,
    built: &'q Builder,
    constructors: FxHashSet<&'q str>,
    fields: FxHashSet<&'q str>,
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
            let mut parts = if term.is_app() { term.children() } else { Vec::new() };
            // What an anchored function takes in front is no part of the query's term.
            parts.retain(|part| part.sort_kind() != SortKind::Uninterpreted || !is_anchor(part));
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

    fn node(&mut self, term: &Dynamic, parts: Vec<u32>) -> Option<Node> {
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
                let text = term.to_string();
                return Some(match term.sort_kind() {
                    SortKind::Int => Node::Int(number(&text)?),
                    _ => {
                        let (numerator, denominator) = fraction(&text)?;
                        Node::Real(numerator, denominator)
                    }
                });
            }
            DeclKind::Bnum => {
                let (value, width) = vector(term)?;
                return Some(Node::BitVector(value, width));
            }
            DeclKind::DtConstructor => {
                let name = decl.name();
                return self.constructors.contains(name.as_str()).then_some(Node::Construct(name, parts));
            }
            DeclKind::DtAccessor => {
                let name = decl.name();
                let [part] = *parts.as_slice() else { return None };
                return self.fields.contains(name.as_str()).then_some(Node::Field(name, part));
            }
            DeclKind::DtIs | DeclKind::DtRecogniser => {
                let [part] = *parts.as_slice() else { return None };
                let name = self.built.tested(term, &term.nth_child(0)?)?;
                return Some(Node::Test(name, part));
            }
            DeclKind::ConstArray => {
                let [part] = *parts.as_slice() else { return None };
                let id = self.built.sort_id(&term.get_sort())?;
                return Some(Node::Everywhere(sort_text(self.query, id), part));
            }
            DeclKind::SignExt | DeclKind::ZeroExt | DeclKind::Extract | DeclKind::Int2bv => {
                return Some(Node::Op(with_numbers(term)?, parts));
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
            DeclKind::Implies => "=>",
            DeclKind::Div => "/",
            DeclKind::Select => "select",
            DeclKind::Store => "store",
            DeclKind::Bv2int => "bv2int",
            kind => {
                // The solver joins what is nested.
                let name = on_vectors(kind)?;
                let (mut all, mut first) = (parts.into_iter(), None);
                let last = all.next_back()?;
                for part in all {
                    first = Some(match first {
                        None => part,
                        Some(first) => {
                            self.terms.push(Node::Op(name.to_owned(), vec![first, part]));
                            u32::try_from(self.terms.len() - 1).ok()?
                        }
                    });
                }
                return Some(Node::Op(name.to_owned(), first.into_iter().chain([last]).collect()));
            }
        };
        Some(Node::Op(name.to_owned(), parts))
    }
}

/// Operations on bit vectors, by their names in SMT-LIB; all but two take two arguments or more.
fn on_vectors(kind: DeclKind) -> Option<&'static str> {
    Some(match kind {
        DeclKind::Bneg => "bvneg",
        DeclKind::Bnot => "bvnot",
        DeclKind::Badd => "bvadd",
        DeclKind::Bsub => "bvsub",
        DeclKind::Bmul => "bvmul",
        DeclKind::Bsdiv => "bvsdiv",
        DeclKind::Budiv => "bvudiv",
        DeclKind::Bsrem => "bvsrem",
        DeclKind::Burem => "bvurem",
        DeclKind::Bsmod => "bvsmod",
        DeclKind::Uleq => "bvule",
        DeclKind::Sleq => "bvsle",
        DeclKind::Ugeq => "bvuge",
        DeclKind::Sgeq => "bvsge",
        DeclKind::Ult => "bvult",
        DeclKind::Slt => "bvslt",
        DeclKind::Ugt => "bvugt",
        DeclKind::Sgt => "bvsgt",
        DeclKind::Band => "bvand",
        DeclKind::Bor => "bvor",
        DeclKind::Bxor => "bvxor",
        DeclKind::Bnand => "bvnand",
        DeclKind::Bnor => "bvnor",
        DeclKind::Bxnor => "bvxnor",
        DeclKind::Bshl => "bvshl",
        DeclKind::Blshr => "bvlshr",
        DeclKind::Bashr => "bvashr",
        DeclKind::Concat => "concat",
        _ => return None,
    })
}

/// The name of an operation that has numbers. The bindings do not tell these: the same operation with the right ones
/// makes the same term.
fn with_numbers(term: &Dynamic) -> Option<String> {
    let width = term.as_bv()?.get_size();
    let part = term.nth_child(0)?;
    if term.decl().kind() == DeclKind::Int2bv {
        return Some(format!("(_ int2bv {width})"));
    }
    let part = part.as_bv()?;
    let inner = part.get_size();
    Some(match term.decl().kind() {
        DeclKind::ZeroExt => format!("(_ zero_extend {})", width.checked_sub(inner)?),
        DeclKind::SignExt => format!("(_ sign_extend {})", width.checked_sub(inner)?),
        _ => {
            let mut lowest = 0..=inner.checked_sub(width)?;
            let low = lowest.find(|low| Dynamic::from_ast(&part.extract(low + width - 1, *low)) == *term)?;
            format!("(_ extract {} {low})", low + width - 1)
        }
    })
}
