//! What is known at one point of an implementation: a range for each variable and constant of which something is known.
//!
//! Conditions are looked at as Boogie does: only comparisons one of whose sides is a variable say something of
//! it, and connectives nothing but for what is assumed piece by piece. They are looked at to a certain depth
//! and size; what lies beyond says nothing, which is always right.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Pow};

use super::range::{Range, Thresholds};
use crate::resolve::graph::{NodeId, NodeKind};
use crate::resolve::program::{GlobalName as Name, Program};
use crate::resolve::types::Type;
use crate::syntax::ast::{BinaryOp, UnaryOp};

/// How deep an expression is looked into.
const DEPTH: u32 = 64;
/// How many parts of one expression are looked at; shared parts count as often as they occur.
const PARTS: u32 = 2_000;
/// Powers of ten beyond this one are not written out.
const LARGEST_EXPONENT: u32 = 400;

/// The name that an expression is.
fn name_of(program: &Program, node: NodeId) -> Option<Name> {
    match program.graph.kind(node) {
        NodeKind::Variable(variable) => Some(Name::Variable(*variable)),
        NodeKind::Constant(constant) => Some(Name::Constant(*constant)),
        _ => None,
    }
}

/// What is known of names; of those that are absent, nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// What was known before a call, while what the callee promises is looked at.
    pub(super) before: Option<Rc<State>>,
    pub(super) ranges: BTreeMap<Name, Range>,
}

/// The kinds of values that have ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Real,
    Bool,
}

/// What kind of values an expression has, if they have ranges.
fn kind(program: &Program, node: NodeId) -> Option<Kind> {
    kind_of(program, program.graph.ty(node))
}

fn kind_of(program: &Program, ty: crate::resolve::types::TypeId) -> Option<Kind> {
    match program.types.get(ty) {
        Type::Int => Some(Kind::Int),
        Type::Real => Some(Kind::Real),
        Type::Bool => Some(Kind::Bool),
        _ => None,
    }
}

/// What kind of values a name has, if they have ranges.
pub(super) fn kind_of_name(program: &Program, name: Name) -> Option<Kind> {
    let ty = match name {
        Name::Variable(variable) => program.variables[variable].ty,
        Name::Constant(constant) => program.constants[constant].ty,
    };
    kind_of(program, ty)
}

impl State {
    /// What one of two states allows.
    pub(super) fn join(&self, other: &Self) -> Self {
        self.combine(other, |_, one, two| one.join(two))
    }

    /// A state that allows what both do, such that growing ends.
    pub(super) fn widen(&self, other: &Self, program: &Program, thresholds: &Thresholds) -> Self {
        let usual = Thresholds::usual();
        self.combine(other, |name, one, two| match kind_of_name(program, name) {
            Some(Kind::Int) => one.widen(two, thresholds),
            _ => one.widen(two, &usual),
        })
    }

    fn combine(&self, other: &Self, with: impl Fn(Name, &Range, &Range) -> Range) -> Self {
        let both = self.ranges.iter().filter_map(|(name, one)| Some((*name, one, other.ranges.get(name)?)));
        let ranges = both.map(|(name, one, two)| (name, with(name, one, two)));
        Self { before: None, ranges: ranges.filter(|(_, range)| *range != Range::ALL).collect() }
    }

    /// Whether another state allows all that this one does.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        other.ranges.iter().all(|(name, range)| self.ranges.get(name).is_some_and(|it| it.is_within(range)))
    }

    pub(super) fn get(&self, name: Name) -> Range {
        self.ranges.get(&name).cloned().unwrap_or_default()
    }

    pub(super) fn set(&mut self, name: Name, range: Range) {
        if range == Range::ALL {
            self.ranges.remove(&name);
        } else {
            self.ranges.insert(name, range);
        }
    }

    /// The value of an expression.
    pub(super) fn value(&self, program: &Program, node: NodeId) -> Range {
        Look { program, left: PARTS }.value(self, node, DEPTH)
    }

    /// The state where all parts of a conjunction hold as well, one after the other; `None` if they cannot.
    pub(super) fn constrain_each(mut self, program: &Program, condition: NodeId) -> Option<Self> {
        for part in conjuncts(program, condition) {
            self = self.constrain(program, part)?;
        }
        Some(self)
    }

    /// The state where a condition holds as well; `None` if it cannot.
    pub(super) fn constrain(self, program: &Program, condition: NodeId) -> Option<Self> {
        let condition = program.graph.unhinted(condition);
        let negated = |node: NodeId| match program.graph.kind(node) {
            NodeKind::Unary(UnaryOp::Not, inner) => name_of(program, *inner),
            _ => None,
        };
        if let Some(name) = name_of(program, condition) {
            return self.bound(name, Range::truth(true));
        }
        if let Some(name) = negated(condition) {
            return self.bound(name, Range::truth(false));
        }
        match program.graph.kind(condition) {
            NodeKind::Bool(value) => value.then_some(self),
            NodeKind::Binary(op, a, b) => self.compare(program, *op, *a, *b),
            _ => Some(self),
        }
    }

    /// The state where what a test asks for is not so: the comparison the other way round.
    pub(super) fn constrain_not(self, program: &Program, test: NodeId) -> Option<Self> {
        let test = program.graph.unhinted(test);
        if let Some(name) = name_of(program, test) {
            return self.bound(name, Range::truth(false));
        }
        match program.graph.kind(test) {
            NodeKind::Unary(UnaryOp::Not, inner) => self.constrain(program, *inner),
            NodeKind::Binary(op, a, b) => {
                let Some(op) = opposite(*op) else { return Some(self) };
                self.compare(program, op, *a, *b)
            }
            _ => Some(self),
        }
    }

    /// The state where a comparison holds. What the sides say of each other is found out before either is bounded.
    fn compare(mut self, program: &Program, op: BinaryOp, a: NodeId, b: NodeId) -> Option<Self> {
        let (a, b) = (program.graph.unhinted(a), program.graph.unhinted(b));
        let kind = kind(program, a).filter(|it| Some(*it) == kind(program, b));
        let Some(kind) = kind else { return Some(self) };
        if op != BinaryOp::Iff && opposite(op).is_none() {
            return Some(self);
        }
        let (left, right) = (name_of(program, a), name_of(program, b));
        let left = left.map(|name| (name, allowed(op, kind, &self.get(name), &self.value(program, b))));
        let right =
            right.map(|name| (name, allowed(turned(op), kind, &self.get(name), &self.value(program, a))));
        for (name, range) in left.into_iter().chain(right) {
            self = self.bound(name, range)?;
        }
        Some(self)
    }

    fn bound(mut self, name: Name, range: Range) -> Option<Self> {
        let met = self.get(name).meet(range)?;
        self.set(name, met);
        Some(self)
    }
}

/// The comparison that holds where this one does not.
pub(super) fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        _ => return None,
    })
}

/// A comparison with its sides exchanged; the same for what is no comparison.
pub(super) fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        same => same,
    }
}

/// The parts of a conjunction, in their order.
fn conjuncts(program: &Program, condition: NodeId) -> Vec<NodeId> {
    let mut parts = Vec::new();
    let mut open = vec![condition];
    while let Some(node) = open.pop() {
        match program.graph.kind(program.graph.unhinted(node)) {
            NodeKind::Binary(BinaryOp::And, a, b) => open.extend([*b, *a]),
            _ => parts.push(node),
        }
    }
    parts
}

/// A look at one expression.
struct Look<'p> {
    program: &'p Program,
    /// How many parts may still be looked at.
    left: u32,
}

impl Look<'_> {
    fn value(&mut self, state: &State, node: NodeId, depth: u32) -> Range {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || depth == 0 {
            return Range::ALL;
        }
        let program = self.program;
        let depth = depth - 1;
        let node = program.graph.unhinted(node);
        if kind(program, node).is_none() {
            return Range::ALL;
        }
        if let Some(name) = name_of(program, node) {
            return state.get(name);
        }
        match program.graph.kind(node) {
            NodeKind::Bool(value) => Range::truth(*value),
            NodeKind::Int(value) => Range::exactly(value.clone()),
            NodeKind::Real(mantissa, exponent) => real(mantissa, *exponent),
            NodeKind::Old(a) => match &state.before {
                Some(before) => self.value(before, *a, depth),
                None => Range::ALL,
            },
            NodeKind::Unary(UnaryOp::Neg, a) => self.value(state, *a, depth).negate(),
            NodeKind::Unary(UnaryOp::Not, a) => {
                truth(self.value(state, *a, depth).as_truth().map(|value| !value))
            }
            NodeKind::Apply(function, _, arguments) => match arguments.as_slice() {
                [a] if program.identities.contains(function) => self.value(state, *a, depth),
                _ => Range::ALL,
            },
            NodeKind::Binary(op, a, b) => {
                let (a, b) = (self.value(state, *a, depth), self.value(state, *b, depth));
                binary(*op, &a, &b)
            }
            NodeKind::IfThenElse(condition, then, otherwise) => {
                let guard = self.value(state, *condition, depth).as_truth();
                let (then, otherwise) =
                    (self.value(state, *then, depth), self.value(state, *otherwise, depth));
                match guard {
                    Some(true) => then,
                    Some(false) => otherwise,
                    None => then.join(&otherwise),
                }
            }
            _ => Range::ALL,
        }
    }
}

fn truth(value: Option<bool>) -> Range {
    value.map_or(Range::ALL, Range::truth)
}

/// The value of an operation.
fn binary(op: BinaryOp, a: &Range, b: &Range) -> Range {
    let truths = (a.as_truth(), b.as_truth());
    match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.add(&b.clone().negate()),
        BinaryOp::Mul => a.multiply(b),
        BinaryOp::Div | BinaryOp::RealDiv => a.divide(b),
        BinaryOp::Mod => a.remainder(b),
        BinaryOp::Lt => truth(a.compare(b).less()),
        BinaryOp::Le => truth(a.compare(b).at_most()),
        BinaryOp::Gt => truth(b.compare(a).less()),
        BinaryOp::Ge => truth(b.compare(a).at_most()),
        BinaryOp::Eq | BinaryOp::Iff => truth(a.compare(b).equal()),
        BinaryOp::Ne => truth(a.compare(b).equal().map(|equal| !equal)),
        BinaryOp::And => truth(match truths {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }),
        BinaryOp::Or => truth(match truths {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }),
        BinaryOp::Implies => truth(match truths {
            (Some(false), _) | (_, Some(true)) => Some(true),
            (Some(true), Some(false)) => Some(false),
            _ => None,
        }),
        BinaryOp::Concat | BinaryOp::Pow => Range::ALL,
    }
}

/// What a value in `own` may be for its comparison with some value in `other` to hold.
fn allowed(op: BinaryOp, kind: Kind, own: &Range, other: &Range) -> Range {
    // Between real numbers a bound that is not reached is no other bound.
    let one = match kind {
        Kind::Real => BigInt::ZERO,
        Kind::Int | Kind::Bool => BigInt::one(),
    };
    match op {
        BinaryOp::Lt => Range { low: None, high: other.high.as_ref().map(|it| it - one) },
        BinaryOp::Le => Range { low: None, high: other.high.clone() },
        BinaryOp::Gt => Range { low: other.low.as_ref().map(|it| it + one), high: None },
        BinaryOp::Ge => Range { low: other.low.clone(), high: None },
        BinaryOp::Eq | BinaryOp::Iff => other.clone(),
        // A bound that is excluded moves by one.
        _ => match other.only().filter(|_| kind == Kind::Int) {
            Some(only) => {
                let low = own.low.as_ref().filter(|low| *low == only).map(|low| low + &one);
                let high = own.high.as_ref().filter(|high| *high == only).map(|high| high - &one);
                Range { high: if low.is_none() { high } else { None }, low }
            }
            None => Range::ALL,
        },
    }
}

/// The whole numbers around a real one.
fn real(mantissa: &BigInt, exponent: i32) -> Range {
    if exponent.unsigned_abs() > LARGEST_EXPONENT {
        return Range::ALL;
    }
    let power = BigInt::from(10).pow(exponent.unsigned_abs());
    match exponent >= 0 {
        true => Range::exactly(mantissa * power),
        false => Range { low: Some(mantissa.div_floor(&power)), high: Some(mantissa.div_ceil(&power)) },
    }
}
