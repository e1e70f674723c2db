//! Constants whose value is assumed on every way to what is checked: each is sent as what it is more than that value,
//! and numbers that it is compared with as whether they are less, equal or more.
//!
//! Front ends number what they print and ask for a number on entry: Dafny's methods say
//! `free requires 5 == $FunctionContextHeight`, and its axioms `3 <= $FunctionContextHeight ==> ...`. One method more
//! in a program moves all numbers above it, and with them every query. Nothing but the outcomes of these comparisons
//! matters, and they do not move: what is sent is `0 == c` and `-1 <= c ==> ...`.
//!
//! Why the query says the same: what is asked is whether background and negated condition are satisfiable. A condition
//! that begins with assumptions is `A ==> (B ==> ... rest)`, so its negation is `A && B && ... && !rest`: every model
//! meets them. If `c == 5` is among them, each model gives `c` that value; let another constant `d` be `c - 5`, and
//! write `d + 5` for `c`. Every model gives `d` the value 0, and there `d + 5 < 8` comes out as `d < 1` does: a
//! comparison of 0 depends on the sign of `8 - 5` alone. The other way round, what is sent assumes `d == 0`, so a
//! model of it becomes one of the original query with 5 for `c`. Where something else is said of `c` both are
//! unsatisfiable. That comparisons stay what they are, and are not replaced by what comes out, is for the solver's
//! search: it proves less without them. Constants that differ from others (`unique`) stay, and so do those that stand
//! for whether something is known (coverage), since nothing is assumed of them alone.

use std::cmp::Ordering;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::Lies;
use crate::resolve::graph::{ConstantId, Graph, NodeId, NodeKind};
use crate::resolve::program::{AxiomId, Program};
use crate::snapshot::checksum::Checksums;
use crate::syntax::ast::BinaryOp;
use crate::vc::{Condition, Step};

/// Stands behind the name of such a constant in the query: it is something else there.
pub(crate) const OFFSET: &str = "@@offset";

/// Constants with their values.
#[derive(Default)]
pub(super) struct Fixed {
    values: FxHashMap<ConstantId, BigInt>,
    /// A planted lie: numbers above the value count as the value.
    blurred: bool,
}

/// A comparison of such a constant with a number.
pub(super) struct Compared {
    pub(super) constant: ConstantId,
    /// -1, 0 or 1: the number is less than the constant's value, equal, or more.
    pub(super) sign: BigInt,
    /// Whether the constant is the first operand.
    pub(super) first: bool,
}

impl Fixed {
    /// What a condition assumes before anything is checked.
    pub(super) fn by(program: &Program, condition: &Condition, lies: Lies) -> Self {
        let mut values = FxHashMap::default();
        let mut at = 0;
        // Control goes forward, so this ends.
        while let Some(block) = condition.blocks.get(at) {
            let mut only_assumed = true;
            // Steps stand in the opposite order.
            for step in block.steps.iter().rev() {
                let Step::Assume(assumed) = step else {
                    only_assumed = false;
                    break;
                };
                note(program, *assumed, &mut values);
            }
            match block.successors.as_slice() {
                [only] if only_assumed && *only > at => at = *only,
                _ => break,
            }
        }
        Self { values, blurred: lies.blur_numbers }
    }

    /// All constants with their values.
    pub(super) fn values(&self) -> &FxHashMap<ConstantId, BigInt> {
        &self.values
    }

    /// The value of a constant.
    pub(super) fn value(&self, constant: ConstantId) -> Option<&BigInt> {
        self.values.get(&constant)
    }

    /// What stands for the number in a comparison of such a constant with a number.
    pub(super) fn compared(&self, graph: &Graph, op: BinaryOp, a: NodeId, b: NodeId) -> Option<Compared> {
        let compares = matches!(
            op,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        );
        let (constant, number, first) = match (graph.kind(a), graph.kind(b)) {
            _ if !compares => return None,
            (NodeKind::Constant(_), NodeKind::Int(number)) => (a, number, true),
            (NodeKind::Int(number), NodeKind::Constant(_)) => (b, number, false),
            _ => return None,
        };
        let NodeKind::Constant(id) = graph.kind(constant) else { return None };
        let order = number.cmp(self.value(*id)?);
        let order = if self.blurred { order.min(Ordering::Equal) } else { order };
        Some(Compared { constant: *id, sign: BigInt::from(order as i8), first })
    }

    /// Axioms in an order that does not depend on the numbers: those that compare such constants come last, by what
    /// is sent of them. Which constants an axiom mentions is noted for the next query.
    pub(super) fn ordered(
        &self,
        program: &mut Program,
        axioms: &[AxiomId],
        mentions: &mut FxHashMap<AxiomId, Vec<ConstantId>>,
    ) -> Vec<AxiomId> {
        if self.values.is_empty() {
            return axioms.to_vec();
        }
        let mut memo = FxHashMap::default();
        let (mut others, mut moved) = (Vec::new(), Vec::new());
        let bool = program.types.bool();
        for axiom in axioms {
            let expr = program.axioms[*axiom].expr;
            let constants = mentions.entry(*axiom).or_insert_with(|| mentioned(&program.graph, expr));
            // What compares with a sign already stays as it is, and may change with the numbers all the same.
            if !constants.iter().any(|constant| self.value(*constant).is_some()) {
                others.push(*axiom);
                continue;
            }
            let said = program.graph.replace(expr, &mut memo, &mut |graph, id| match graph.kind(id) {
                NodeKind::Binary(op, a, b) => {
                    let (op, a, b) = (*op, *a, *b);
                    let Compared { sign, first, .. } = self.compared(graph, op, a, b)?;
                    let ty = graph.ty(a);
                    let sign = graph.add(NodeKind::Int(sign), ty);
                    let (a, b) = if first { (a, sign) } else { (sign, b) };
                    Some(graph.add(NodeKind::Binary(op, a, b), bool))
                }
                _ => None,
            });
            moved.push((said, *axiom));
        }
        if moved.is_empty() {
            return others;
        }
        let mut checksums = Checksums::new(program);
        let mut moved: Vec<_> =
            moved.into_iter().map(|(said, axiom)| (checksums.expr(said), axiom)).collect();
        moved.sort_by_key(|(checksum, _)| *checksum);
        others.into_iter().chain(moved.into_iter().map(|(_, axiom)| axiom)).collect()
    }
}

/// The constants in an expression.
fn mentioned(graph: &Graph, root: NodeId) -> Vec<ConstantId> {
    let constant = |node: NodeId| match graph.kind(node) {
        NodeKind::Constant(constant) => Some(*constant),
        _ => None,
    };
    graph.below(&[root]).into_iter().filter_map(constant).collect()
}

/// Notes the constants whose values an assumption gives, or one of its conjuncts. The first one counts.
fn note(program: &Program, assumed: NodeId, values: &mut FxHashMap<ConstantId, BigInt>) {
    let mut work = vec![assumed];
    while let Some(node) = work.pop() {
        match program.graph.kind(node) {
            NodeKind::Binary(BinaryOp::And, a, b) => work.extend([*b, *a]),
            NodeKind::Binary(BinaryOp::Eq, a, b) => {
                let pair = match (program.graph.kind(*a), program.graph.kind(*b)) {
                    (NodeKind::Constant(constant), NodeKind::Int(value))
                    | (NodeKind::Int(value), NodeKind::Constant(constant)) => Some((*constant, value)),
                    _ => None,
                };
                if let Some((constant, value)) = pair
                    && !program.constants[constant].unique
                {
                    values.entry(constant).or_insert_with(|| value.clone());
                }
            }
            _ => {}
        }
    }
}
