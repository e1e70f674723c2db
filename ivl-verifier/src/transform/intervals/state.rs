//! What is known at one point of an implementation: a range for each variable of which something is known.
//!
//! Conditions are looked at to a certain depth and size; what lies beyond says nothing, which is always right.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Pow};

use super::range::Range;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::Program;
use crate::resolve::types::Type;
use crate::syntax::ast::{BinaryOp, UnaryOp};

/// How deep an expression is looked into.
const DEPTH: u32 = 64;
/// How many parts of one expression are looked at; shared parts count as often as they occur.
const PARTS: u32 = 2_000;
/// Powers of ten beyond this one are not written out.
const LARGEST_EXPONENT: u32 = 400;

/// What is known of variables; of those that are absent, nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) ranges: BTreeMap<VariableId, Range>,
}

/// The kinds of values that have ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Real,
    Bool,
}

/// What kind of values an expression has, if they have ranges.
pub(super) fn kind(program: &Program, node: NodeId) -> Option<Kind> {
    kind_of(program, program.graph.ty(node))
}

pub(super) fn kind_of(program: &Program, ty: crate::resolve::types::TypeId) -> Option<Kind> {
    match program.types.get(ty) {
        Type::Int => Some(Kind::Int),
        Type::Real => Some(Kind::Real),
        Type::Bool => Some(Kind::Bool),
        _ => None,
    }
}

impl State {
    /// What one of two states allows.
    pub(super) fn join(&self, other: &Self) -> Self {
        let mut ranges = BTreeMap::new();
        for (variable, range) in &self.ranges {
            let joined = other.ranges.get(variable).map(|it| range.join(it)).filter(|it| *it != Range::ALL);
            ranges.extend(joined.map(|joined| (*variable, joined)));
        }
        Self { ranges }
    }

    /// A state that allows what `grown` does, which allows what this one does, such that growing ends.
    pub(super) fn widen(&self, grown: &Self, program: &Program, steps: &[BigInt]) -> Self {
        let mut ranges = BTreeMap::new();
        for (variable, range) in &grown.ranges {
            let Some(before) = self.ranges.get(variable) else { continue };
            let steps = match kind_of(program, program.variables[*variable].ty) {
                Some(Kind::Int) => steps,
                _ => &[],
            };
            let widened = before.widen(range, steps);
            if widened != Range::ALL {
                ranges.insert(*variable, widened);
            }
        }
        Self { ranges }
    }

    pub(super) fn get(&self, variable: VariableId) -> Range {
        self.ranges.get(&variable).cloned().unwrap_or_default()
    }

    pub(super) fn set(&mut self, variable: VariableId, range: Range) {
        if range == Range::ALL {
            self.ranges.remove(&variable);
        } else {
            self.ranges.insert(variable, range);
        }
    }

    /// The value of an expression.
    pub(super) fn value(&self, program: &Program, node: NodeId) -> Range {
        Look { program, left: PARTS }.value(self, node, DEPTH)
    }

    /// The state where a condition holds as well; `None` if it cannot.
    pub(super) fn constrain(self, program: &Program, condition: NodeId) -> Option<Self> {
        Look { program, left: PARTS }.constrain(self, condition, true, DEPTH)
    }
}

/// A look at one expression.
struct Look<'p> {
    program: &'p Program,
    /// How many parts may still be looked at.
    left: u32,
}

impl Look<'_> {
    /// Whether there is to be a look at another part.
    fn goes_on(&mut self, depth: u32) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0 && depth > 0
    }

    fn value(&mut self, state: &State, node: NodeId, depth: u32) -> Range {
        if !self.goes_on(depth) {
            return Range::ALL;
        }
        let program = self.program;
        let depth = depth - 1;
        let node = program.graph.unhinted(node);
        if kind(program, node) == Some(Kind::Bool) {
            return self.truth(state, node, depth);
        }
        match program.graph.kind(node) {
            NodeKind::Int(value) => Range::exactly(value.clone()),
            NodeKind::Real(mantissa, exponent) => real(mantissa, *exponent),
            NodeKind::Variable(variable) if kind(program, node).is_some() => state.get(*variable),
            NodeKind::Unary(UnaryOp::Neg, a) if kind(program, node).is_some() => {
                self.value(state, *a, depth).negate()
            }
            // Rounding down does not leave a range with whole bounds.
            NodeKind::Unary(UnaryOp::ToInt, a) if kind(program, *a) == Some(Kind::Real) => {
                self.value(state, *a, depth)
            }
            NodeKind::Unary(UnaryOp::ToReal, a) if kind(program, *a) == Some(Kind::Int) => {
                self.value(state, *a, depth)
            }
            NodeKind::Binary(op, a, b) if kind(program, node).is_some() => {
                let (a, b) = (self.value(state, *a, depth), self.value(state, *b, depth));
                match op {
                    BinaryOp::Add => a.add(&b),
                    BinaryOp::Sub => a.add(&b.negate()),
                    BinaryOp::Mul => a.multiply(&b),
                    BinaryOp::Div => a.divide(&b),
                    BinaryOp::Mod => Range::remainder(&b),
                    _ => Range::ALL,
                }
            }
            NodeKind::IfThenElse(_, a, b) => {
                let a = self.value(state, *a, depth);
                a.join(&self.value(state, *b, depth))
            }
            _ => Range::ALL,
        }
    }

    fn truth(&mut self, state: &State, node: NodeId, depth: u32) -> Range {
        if let NodeKind::Variable(variable) = self.program.graph.kind(node) {
            return state.get(*variable);
        }
        let holds = self.constrain(state.clone(), node, true, depth).is_some();
        let fails = self.constrain(state.clone(), node, false, depth).is_some();
        match (holds, fails) {
            (true, false) => Range::truth(true),
            (false, true) => Range::truth(false),
            _ => Range::ALL,
        }
    }

    /// The state where a condition has the given truth value as well; `None` if it cannot have it.
    fn constrain(&mut self, state: State, node: NodeId, truth: bool, depth: u32) -> Option<State> {
        if !self.goes_on(depth) {
            return Some(state);
        }
        let depth = depth - 1;
        match (self.program.graph.kind(node), truth) {
            (NodeKind::Bool(value), _) => (*value == truth).then_some(state),
            (NodeKind::Variable(variable), _) => Self::bound(state, *variable, Range::truth(truth)),
            (NodeKind::Unary(UnaryOp::Not, a), _) => self.constrain(state, *a, !truth, depth),
            (NodeKind::Binary(BinaryOp::And, a, b), true) => {
                let state = self.constrain(state, *a, true, depth)?;
                self.constrain(state, *b, true, depth)
            }
            (NodeKind::Binary(BinaryOp::Or, a, b), false) => {
                let state = self.constrain(state, *a, false, depth)?;
                self.constrain(state, *b, false, depth)
            }
            (NodeKind::Binary(BinaryOp::Implies, a, b), false) => {
                let state = self.constrain(state, *a, true, depth)?;
                self.constrain(state, *b, false, depth)
            }
            (NodeKind::Binary(BinaryOp::And, a, b), false) => {
                self.either(state, (*a, false), (*b, false), depth)
            }
            (NodeKind::Binary(BinaryOp::Or, a, b), true) => self.either(state, (*a, true), (*b, true), depth),
            (NodeKind::Binary(BinaryOp::Implies, a, b), true) => {
                self.either(state, (*a, false), (*b, true), depth)
            }
            (NodeKind::Binary(op, a, b), _) => self.compare(state, (*op, truth), (*a, *b), depth),
            _ => Some(state),
        }
    }

    /// The state where one of two conditions has its truth value.
    fn either(&mut self, state: State, a: (NodeId, bool), b: (NodeId, bool), depth: u32) -> Option<State> {
        let one = self.constrain(state.clone(), a.0, a.1, depth);
        let other = self.constrain(state, b.0, b.1, depth);
        match (one, other) {
            (Some(one), Some(other)) => Some(one.join(&other)),
            (one, other) => one.or(other),
        }
    }

    /// The state where a comparison has the given truth value.
    fn compare(
        &mut self,
        mut state: State,
        (op, truth): (BinaryOp, bool),
        (a, b): (NodeId, NodeId),
        depth: u32,
    ) -> Option<State> {
        let kind = kind(self.program, a).filter(|it| Some(*it) == kind(self.program, b));
        let Some(kind) = kind else { return Some(state) };
        let op = match (op, truth) {
            (BinaryOp::Eq | BinaryOp::Iff, true) | (BinaryOp::Ne, false) => BinaryOp::Eq,
            (BinaryOp::Eq | BinaryOp::Iff, false) | (BinaryOp::Ne, true) => BinaryOp::Ne,
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => BinaryOp::Lt,
            (BinaryOp::Le, true) | (BinaryOp::Gt, false) => BinaryOp::Le,
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => BinaryOp::Gt,
            (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => BinaryOp::Ge,
            _ => return Some(state),
        };
        let (left, right) = (self.value(&state, a, depth), self.value(&state, b, depth));
        let turned = match op {
            BinaryOp::Lt => BinaryOp::Gt,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Ge => BinaryOp::Le,
            same => same,
        };
        for (side, own, op, other) in [(a, &left, op, &right), (b, &right, turned, &left)] {
            let allowed = allowed(op, kind, own, other);
            // No value is left, whether or not the side is a variable.
            own.clone().meet(allowed.clone())?;
            if let NodeKind::Variable(variable) = self.program.graph.kind(side) {
                state = Self::bound(state, *variable, allowed)?;
            }
        }
        Some(state)
    }

    fn bound(mut state: State, variable: VariableId, range: Range) -> Option<State> {
        let met = state.get(variable).meet(range)?;
        state.set(variable, met);
        Some(state)
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
        BinaryOp::Eq => other.clone(),
        // A bound that is excluded moves by one.
        _ => match other.only().filter(|_| kind != Kind::Real) {
            Some(only) => Range {
                low: own.low.as_ref().filter(|low| *low == only).map(|low| low + &one),
                high: own.high.as_ref().filter(|high| *high == only).map(|high| high - &one),
            },
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
