//! Instances of quantifiers in words that outlive the query in which they were made.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Name;
use crate::base::arena::Arena;
use crate::smt::term::{Builder, Constructor, FunctionId, Op, Sort, SortId, Term, TermId};
use crate::smt::text::sort_text;

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
    /// A fraction: numerator and denominator in decimals.
    Real(String, String),
    /// A bit vector as a number in decimals, and its width.
    BitVector(String, u32),
    /// A function or a constant, by its name.
    Apply(String, Vec<u32>),
    /// An operation, by its name in SMT-LIB, with its numbers if it has some (`(_ extract 7 0)`).
    Op(String, Vec<u32>),
    /// A constructor of a datatype, by its name.
    Construct(String, Vec<u32>),
    /// Whether the constructor of this name made a value.
    Test(String, u32),
    /// A field of a datatype, by its name.
    Field(String, u32),
    /// The array of a sort, as SMT-LIB writes it, that has the same element everywhere.
    Everywhere(String, u32),
}

impl Instances {
    /// Instances in a query whose functions have these names.
    #[must_use]
    pub fn new<'n>(terms: Vec<Node>, all: Vec<Instance>, names: impl Iterator<Item = &'n str>) -> Self {
        Self { terms, all, last: last(names).into_iter().collect() }
    }

    /// Adds the arguments of the instances of each mark as terms of a query that is being made. What has no
    /// meaning there is left out.
    ///
    /// Where something has more or fewer numbers than it had, an edit moved those behind it. So each argument means
    /// what its numbers say, counted from the first one or from the last: all instances hold, so both are made.
    pub(super) fn read(&self, out: &mut Builder, instances: &mut FxHashMap<String, Vec<Vec<TermId>>>) {
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
        Node::Real(numerator, denominator) => {
            let (numerator, denominator) = (numerator.parse().ok()?, denominator.parse::<BigInt>().ok()?);
            if denominator <= BigInt::default() {
                return None;
            }
            (out.term(Term::Real(numerator, denominator)), Sort::Real)
        }
        Node::BitVector(text, width) => {
            let value = text.parse::<BigInt>().ok()?;
            let fits = value >= BigInt::default() && value.bits() <= u64::from(*width) && *width > 0;
            (fits.then(|| out.term(Term::BitVector(value, *width)))?, Sort::BitVector(*width))
        }
        Node::Op(name, places) => {
            let parts = parts(places)?;
            let (op, sort) = operation(name, &parts, &out.query.sorts)?;
            (out.op(op, parts.into_iter().map(|(term, _)| term).collect()), sort)
        }
        Node::Construct(name, places) => {
            let parts = parts(places)?;
            let (datatype, index, constructor) = constructors(out).find(|(_, _, it)| it.name == *name)?;
            let fields = constructor.fields.iter();
            let fits = fields.len() == parts.len()
                && fields.zip(&parts).all(|((_, wanted), (_, has))| out.query.sorts[*wanted] == *has);
            let (op, sort) = (Op::Construct(datatype.clone(), index), Sort::Datatype(datatype.clone()));
            (fits.then(|| out.op(op, parts.into_iter().map(|(term, _)| term).collect()))?, sort)
        }
        Node::Test(name, place) => {
            let (part, has) = made.get(*place as usize).cloned().flatten()?;
            let (datatype, index, _) = constructors(out).find(|(_, _, it)| it.name == *name)?;
            let (op, of) = (Op::Test(datatype.clone(), index), Sort::Datatype(datatype.clone()));
            ((has == of).then(|| out.op(op, vec![part]))?, Sort::Bool)
        }
        Node::Field(name, place) => {
            let (part, has) = made.get(*place as usize).cloned().flatten()?;
            let (op, of, sort) = constructors(out).find_map(|(datatype, index, constructor)| {
                let field = constructor.fields.iter().position(|(field, _)| field == name)?;
                let sort = out.query.sorts[constructor.fields[field].1].clone();
                let op = Op::Field(datatype.clone(), index, u32::try_from(field).ok()?);
                Some((op, Sort::Datatype(datatype.clone()), sort))
            })?;
            ((has == of).then(|| out.op(op, vec![part]))?, sort)
        }
        Node::Everywhere(text, place) => {
            let (part, has) = made.get(*place as usize).cloned().flatten()?;
            let id = out.query.sorts.ids().find(|id| sort_text(&out.query, *id) == *text)?;
            let sort = out.query.sorts[id].clone();
            let Sort::Array(_, element) = &sort else { return None };
            ((out.query.sorts[*element] == has).then(|| out.op(Op::ConstArray(id), vec![part]))?, sort)
        }
    })
}

/// The constructors of a query's datatypes, each with its datatype and its place there.
fn constructors(out: &Builder) -> impl Iterator<Item = (&String, u32, &Constructor)> {
    out.query.datatypes.iter().flat_map(|datatype| {
        (0..).zip(&datatype.constructors).map(|(index, constructor)| (&datatype.name, index, constructor))
    })
}

/// An operation on arguments of the sorts that it takes.
fn operation(name: &str, parts: &[(TermId, Sort)], sorts: &Arena<SortId, Sort>) -> Option<(Op, Sort)> {
    let first = &parts.first()?.1;
    if let Some(found) = on_vectors(name, parts) {
        return Some(found);
    }
    let number = matches!(first, Sort::Int | Sort::Real);
    let alike = parts.iter().all(|(_, sort)| sort == first);
    let two = parts.len() == 2;
    let (op, sort, fits) = match name {
        "+" => (Op::Add, first.clone(), number && alike && parts.len() > 1),
        "-" if parts.len() == 1 => (Op::Neg, first.clone(), number),
        "-" => (Op::Sub, first.clone(), number && alike),
        "*" => (Op::Mul, first.clone(), number && alike && parts.len() > 1),
        "/" => (Op::RealDiv, Sort::Real, *first == Sort::Real && alike && two),
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
        "=>" => (Op::Implies, Sort::Bool, *first == Sort::Bool && alike && two),
        "select" => {
            let ([_, (_, place)], Sort::Array(index, element)) = (parts, first) else { return None };
            (Op::Select, sorts[*element].clone(), sorts[*index] == *place)
        }
        "store" => {
            let ([_, (_, place), (_, new)], Sort::Array(index, element)) = (parts, first) else {
                return None;
            };
            (Op::Store, first.clone(), sorts[*index] == *place && sorts[*element] == *new)
        }
        "ite" => {
            let [(_, condition), (_, yes), (_, no)] = parts else { return None };
            (Op::IfThenElse, yes.clone(), *condition == Sort::Bool && yes == no)
        }
        _ => return None,
    };
    fits.then_some((op, sort))
}

/// Operations on bit vectors of one width.
const VECTORS: [&str; 17] = [
    "bvadd", "bvsub", "bvmul", "bvudiv", "bvsdiv", "bvurem", "bvsrem", "bvsmod", "bvand", "bvor", "bvxor",
    "bvnand", "bvnor", "bvxnor", "bvshl", "bvlshr", "bvashr",
];
/// Comparisons of bit vectors of one width.
const COMPARISONS: [&str; 8] = ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];

/// An operation on bit vectors, or that makes one of a number.
fn on_vectors(name: &str, parts: &[(TermId, Sort)]) -> Option<(Op, Sort)> {
    let named = || Op::Named(name.to_owned());
    let mut words =
        name.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')')).unwrap_or(name).split(' ');
    let word = words.next()?;
    let numbers: Vec<u32> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    let width = |at: usize| match parts.get(at)?.1 {
        Sort::BitVector(width) => Some(width),
        _ => None,
    };
    Some(match (word, numbers.as_slice(), parts.len()) {
        ("int2bv", [width], 1) if parts[0].1 == Sort::Int && *width > 0 => (named(), Sort::BitVector(*width)),
        ("bv2int", [], 1) => (width(0).map(|_| named())?, Sort::Int),
        ("bvnot" | "bvneg", [], 1) => (named(), Sort::BitVector(width(0)?)),
        ("zero_extend" | "sign_extend", [by], 1) => (named(), Sort::BitVector(width(0)?.checked_add(*by)?)),
        ("extract", [high, low], 1) if low <= high && *high < width(0)? => {
            (Op::Extract(*high, *low), Sort::BitVector(high - low + 1))
        }
        ("concat", [], 2) => (Op::Concat, Sort::BitVector(width(0)?.checked_add(width(1)?)?)),
        (word, [], 2) if width(0)? == width(1)? => match word {
            word if VECTORS.contains(&word) => (named(), Sort::BitVector(width(0)?)),
            word if COMPARISONS.contains(&word) => (named(), Sort::Bool),
            _ => return None,
        },
        _ => return None,
    })
}
