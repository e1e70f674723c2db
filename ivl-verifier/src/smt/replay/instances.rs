//! Instances of quantifiers in words that outlive the query in which they were made.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Name;
use crate::smt::term::{Builder, FunctionId, Op, Sort, SortId, Term, TermId};

/// Instances, with their terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instances {
    /// The terms, parts first.
    pub terms: Vec<Node>,
    /// The instances.
    pub all: Vec<Instance>,
    /// The largest number of each name that is numbered, where these were made.
    pub last: Vec<(String, u32)>,
}

/// An instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Instance {
    /// The mark of the quantifier.
    pub mark: String,
    /// What its variables stand for, those of the quantifiers around it first, as places of terms.
    pub terms: Vec<u32>,
}

/// A term; parts are places of terms before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// A whole number in decimals.
    Int(String),
    /// A function or a constant, by its name.
    Apply(String, Vec<u32>),
    /// An operation, by its name in SMT-LIB.
    Op(String, Vec<u32>),
}

impl Instances {
    /// Instances in a query whose functions have these names.
    #[must_use]
    pub fn new<'n>(terms: Vec<Node>, all: Vec<Instance>, names: impl Iterator<Item = &'n str>) -> Self {
        Self { terms, all, last: last(names).into_iter().collect() }
    }

    /// The arguments of the instances of each mark as terms of a query that is being made. What has no meaning there is
    /// left out.
    ///
    /// Where something has more or fewer numbers than it had, an edit moved those behind it. So each argument means
    /// what its numbers say, counted from the first one or from the last: all instances hold, so both are made.
    pub(super) fn read(&self, out: &mut Builder) -> FxHashMap<String, Vec<Vec<TermId>>> {
        let functions: BTreeMap<String, FunctionId> =
            out.query.functions.iter().map(|(id, function)| (function.name.clone(), id)).collect();
        let last = last(functions.keys().map(String::as_str));
        let moved: BTreeMap<&str, i64> = self
            .last
            .iter()
            .map(|(base, was)| {
                let is = last.get(base.as_str()).copied().unwrap_or(0);
                (base.as_str(), i64::from(is) - i64::from(*was))
            })
            .collect();
        let mut from_first = Vec::new();
        let mut from_last = Vec::new();
        for node in &self.terms {
            let term = made_of(node, &from_first, &functions, out);
            from_first.push(term);
            let term = made_of(&counted(node, &moved), &from_last, &functions, out);
            from_last.push(term);
        }
        let mut instances: FxHashMap<String, Vec<Vec<TermId>>> = FxHashMap::default();
        for instance in &self.all {
            let place = |made: &[Option<(TermId, Sort)>], at: u32| {
                made.get(at as usize)?.as_ref().map(|(term, _)| *term)
            };
            let mut choices = Vec::new();
            for at in &instance.terms {
                let mut choice: Vec<TermId> =
                    place(&from_first, *at).into_iter().chain(place(&from_last, *at)).collect();
                choice.dedup();
                choices.push(choice);
            }
            let all = instances.entry(instance.mark.clone()).or_default();
            for terms in combinations(&choices) {
                if !all.contains(&terms) {
                    all.push(terms);
                }
            }
        }
        instances
    }
}

/// How many ways of reading one instance there are at most.
const MOST_WAYS: usize = 16;

/// Each way to choose; if there are too many, only the first and the last one of each.
fn combinations(choices: &[Vec<TermId>]) -> Vec<Vec<TermId>> {
    if choices.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let ways = choices.iter().fold(1_usize, |ways, choice| ways.saturating_mul(choice.len()));
    if ways > MOST_WAYS {
        let first = choices.iter().filter_map(|choice| choice.first().copied()).collect();
        let last = choices.iter().filter_map(|choice| choice.last().copied()).collect();
        return vec![first, last];
    }
    let mut all = vec![Vec::new()];
    for choice in choices {
        let longer = |before: &Vec<TermId>| {
            let before = before.clone();
            choice.iter().map(move |term| before.iter().copied().chain([*term]).collect::<Vec<_>>())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The largest number of each name that is numbered.
pub(super) fn last<'n>(names: impl Iterator<Item = &'n str>) -> BTreeMap<String, u32> {
    let mut last: BTreeMap<String, u32> = BTreeMap::new();
    for name in names {
        let Name { base, number } = Name::of(name);
        if let Some(number) = number {
            let largest = last.entry(base.to_owned()).or_insert(number);
            *largest = number.max(*largest);
        }
    }
    last
}

/// A node with its number counted from the last one.
fn counted(node: &Node, moved: &BTreeMap<&str, i64>) -> Node {
    if let Node::Apply(name, parts) = node {
        let Name { base, number } = Name::of(name);
        if let (Some(number), Some(by)) = (number, moved.get(base).filter(|by| **by != 0)) {
            return Node::Apply(format!("{base}@{}", i64::from(number) + by), parts.clone());
        }
    }
    node.clone()
}

fn made_of(
    node: &Node,
    made: &[Option<(TermId, Sort)>],
    functions: &BTreeMap<String, FunctionId>,
    out: &mut Builder,
) -> Option<(TermId, Sort)> {
    let parts = |places: &[u32]| -> Option<Vec<(TermId, Sort)>> {
        places.iter().map(|at| made.get(*at as usize).cloned().flatten()).collect()
    };
    Some(match node {
        Node::Bool(value) => (out.bool(*value), Sort::Bool),
        Node::Int(text) => (out.term(Term::Int(text.parse::<BigInt>().ok()?)), Sort::Int),
        Node::Apply(name, places) => {
            let id = *functions.get(name)?;
            let parts = parts(places)?;
            let function = &out.query.functions[id];
            let sort = |id: &SortId| &out.query.sorts[*id];
            if function.arguments.len() != parts.len()
                || function.arguments.iter().zip(&parts).any(|(wanted, (_, has))| sort(wanted) != has)
            {
                return None;
            }
            let result = out.query.sorts[function.result].clone();
            (out.term(Term::Apply(id, parts.into_iter().map(|(term, _)| term).collect())), result)
        }
        Node::Op(name, places) => {
            let parts = parts(places)?;
            let (op, sort) = operation(name, &parts)?;
            (out.op(op, parts.into_iter().map(|(term, _)| term).collect()), sort)
        }
    })
}

/// An operation on arguments of the sorts that it takes.
fn operation(name: &str, parts: &[(TermId, Sort)]) -> Option<(Op, Sort)> {
    let first = &parts.first()?.1;
    let number = matches!(first, Sort::Int | Sort::Real);
    let alike = parts.iter().all(|(_, sort)| sort == first);
    let two = parts.len() == 2;
    let (op, sort, fits) = match name {
        "+" => (Op::Add, first.clone(), number && alike && parts.len() > 1),
        "-" if parts.len() == 1 => (Op::Neg, first.clone(), number),
        "-" => (Op::Sub, first.clone(), number && alike),
        "*" => (Op::Mul, first.clone(), number && alike && parts.len() > 1),
        "div" => (Op::Div, Sort::Int, *first == Sort::Int && alike && two),
        "mod" => (Op::Mod, Sort::Int, *first == Sort::Int && alike && two),
        "to_real" => (Op::ToReal, Sort::Real, *first == Sort::Int && parts.len() == 1),
        "to_int" => (Op::ToInt, Sort::Int, *first == Sort::Real && parts.len() == 1),
        "<" => (Op::Lt, Sort::Bool, number && alike && two),
        "<=" => (Op::Le, Sort::Bool, number && alike && two),
        ">" => (Op::Gt, Sort::Bool, number && alike && two),
        ">=" => (Op::Ge, Sort::Bool, number && alike && two),
        "=" => (Op::Eq, Sort::Bool, alike && two),
        "not" => (Op::Not, Sort::Bool, *first == Sort::Bool && parts.len() == 1),
        "and" => (Op::And, Sort::Bool, *first == Sort::Bool && alike),
        "or" => (Op::Or, Sort::Bool, *first == Sort::Bool && alike),
        "ite" => {
            let [(_, condition), (_, yes), (_, no)] = parts else { return None };
            (Op::IfThenElse, yes.clone(), *condition == Sort::Bool && yes == no)
        }
        _ => return None,
    };
    fits.then_some((op, sort))
}
