//! Checksums of expressions: of each node once, of what they bind and of the names in them.

use std::collections::hash_map::Entry;

use cache_core::digest::{Confirm, Encoder};
use cache_core::key::CacheKey;

use super::Checksums;
use crate::base::arena::Id;
use crate::resolve::graph::{BoundVariable, Hint, NodeId, NodeKind, QuantifierNode};
use crate::syntax::ast::{BinaryOp, Binder, UnaryOp};

impl<'p> Checksums<'p> {
    /// The checksum of an expression.
    pub(crate) fn expr(&mut self, root: NodeId) -> Confirm {
        if let Some(digest) = self.nodes.get(&root) {
            return *digest;
        }
        // What has none yet: a node whose checksum is known has it for all below it.
        let mut found = Vec::new();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if let Entry::Vacant(place) = self.nodes.entry(id) {
                place.insert(self.pending);
                found.push(id);
                self.program.graph.kind(id).for_each_child(|child| work.push(child));
            }
        }
        // Children come first.
        found.sort_unstable_by_key(|id| id.index());
        let mut digest = self.pending;
        for id in found {
            digest = self.node(id);
            self.nodes.insert(id, digest);
        }
        digest
    }

    /// Writes an expression, or its checksum.
    pub(super) fn expr_into(&mut self, root: NodeId, out: &mut Encoder) {
        if !self.written_out {
            out.nested_confirm(self.expr(root));
            return;
        }
        let (mut work, mut fresh) = (std::mem::take(&mut self.work), std::mem::take(&mut self.fresh));
        work.push((root, false));
        while let Some((id, ready)) = work.pop() {
            if self.written_nodes.get(id).is_some() {
                continue;
            }
            if ready {
                // Numbers are given in the order in which parts are written.
                self.written_nodes.add(id);
                fresh.push(id);
                continue;
            }
            work.push((id, true));
            let first = work.len();
            self.program.graph.kind(id).for_each_child(|child| work.push((child, false)));
            work[first..].reverse();
        }
        out.sequence(fresh.len());
        for id in fresh.drain(..) {
            self.node_into(id, out);
        }
        self.child(root, out);
        (self.work, self.fresh) = (work, fresh);
    }

    fn child(&self, id: NodeId, out: &mut Encoder) {
        match self.written_nodes.get(id).filter(|_| self.written_out) {
            Some(number) => out.variant(number),
            None => out.nested_confirm(self.nodes[&id]),
        }
    }

    fn children(&self, ids: &[NodeId], out: &mut Encoder) {
        out.sequence(ids.len());
        for id in ids {
            self.child(*id, out);
        }
    }

    pub(super) fn bound(&mut self, bound: &BoundVariable, out: &mut Encoder) {
        let BoundVariable { name, ty, level } = bound;
        out.text(self.text(*name));
        self.type_into(*ty, out);
        level.encode(out);
    }

    fn node(&mut self, id: NodeId) -> Confirm {
        let mut out = Encoder::new();
        self.node_into(id, &mut out);
        out.confirm()
    }

    /// Writes an expression whose parts are known: those by their numbers, or by their checksums.
    fn node_into(&mut self, id: NodeId, out: &mut Encoder) {
        let program = self.program;
        self.type_into(program.graph.ty(id), out);
        match program.graph.kind(id) {
            NodeKind::Bool(value) => {
                out.variant(0);
                value.encode(out);
            }
            NodeKind::Int(value) => {
                out.variant(1);
                out.text(&value.to_string());
            }
            NodeKind::Real(mantissa, exponent) => {
                out.variant(2);
                out.text(&mantissa.to_string());
                exponent.encode(out);
            }
            NodeKind::BitVector(value, width) => {
                out.variant(3);
                out.text(&value.to_string());
                width.encode(out);
            }
            NodeKind::Float(text) => {
                out.variant(4);
                out.text(text);
            }
            NodeKind::RoundingMode(mode) => {
                out.variant(5);
                out.text(mode);
            }
            NodeKind::Text(text) => {
                out.variant(6);
                out.text(text);
            }
            NodeKind::Variable(variable) => {
                out.variant(7);
                self.variable_name_and_kind(*variable, out);
            }
            NodeKind::Incarnation(variable, number) => {
                out.variant(8);
                self.variable_name_and_kind(*variable, out);
                number.encode(out);
            }
            NodeKind::Constant(constant) => {
                out.variant(9);
                out.text(self.text(program.constants[*constant].name));
            }
            NodeKind::Bound(bound) => {
                out.variant(10);
                self.bound(bound, out);
            }
            NodeKind::Unary(op, a) => {
                out.variant(11);
                out.variant(unary_number(*op));
                self.child(*a, out);
            }
            NodeKind::Binary(op, a, b) => {
                out.variant(12);
                out.variant(binary_number(*op));
                self.child(*a, out);
                self.child(*b, out);
            }
            NodeKind::Apply(function, types, arguments) => {
                out.variant(13);
                out.text(self.text(program.functions[*function].name));
                self.type_list(types, out);
                self.children(arguments, out);
            }
            NodeKind::Construct(constructor, arguments) => {
                out.variant(14);
                out.text(self.text(program.constructors[*constructor].name));
                self.children(arguments, out);
            }
            NodeKind::Select(map, indices) => {
                out.variant(15);
                self.child(*map, out);
                self.children(indices, out);
            }
            NodeKind::Store(map, indices, value) => {
                out.variant(16);
                self.child(*map, out);
                self.children(indices, out);
                self.child(*value, out);
            }
            NodeKind::Extract(a, high, low) => {
                out.variant(17);
                self.child(*a, out);
                (*high, *low).encode(out);
            }
            NodeKind::Field(constructor, index, a) => {
                out.variant(18);
                out.text(self.text(program.constructors[*constructor].name));
                index.encode(out);
                self.child(*a, out);
            }
            NodeKind::Is(constructor, a) => {
                out.variant(19);
                out.text(self.text(program.constructors[*constructor].name));
                self.child(*a, out);
            }
            NodeKind::Old(a) => {
                out.variant(20);
                self.child(*a, out);
            }
            NodeKind::IfThenElse(a, b, c) => {
                out.variant(21);
                self.children(&[*a, *b, *c], out);
            }
            NodeKind::Quantifier(quantifier) => {
                out.variant(22);
                self.quantifier(quantifier, out);
            }
            NodeKind::Code(index) => {
                out.variant(23);
                index.encode(out);
            }
            NodeKind::Hinted(hints, a) => {
                out.variant(24);
                out.sequence(hints.len());
                for Hint { pool, term, chosen_only } in hints {
                    out.text(self.text(*pool));
                    self.child(*term, out);
                    chosen_only.encode(out);
                }
                self.child(*a, out);
            }
        }
    }

    pub(super) fn quantifier(&mut self, quantifier: &QuantifierNode, out: &mut Encoder) {
        let QuantifierNode {
            binder,
            type_parameters,
            bound,
            pools,
            weight,
            triggers,
            no_triggers,
            attributes,
            // For printing alone.
            spelled: _,
            body,
        } = quantifier;
        out.variant(match binder {
            Binder::Forall => 0,
            Binder::Exists => 1,
            Binder::Lambda => 2,
        });
        self.type_parameters(type_parameters, out);
        out.sequence(bound.len());
        for variable in bound {
            self.bound(variable, out);
        }
        out.sequence(pools.len());
        for names in pools {
            out.sequence(names.len());
            names.iter().for_each(|name| out.text(self.text(*name)));
        }
        weight.encode(out);
        out.sequence(triggers.len());
        for terms in triggers {
            self.children(terms, out);
        }
        self.children(no_triggers, out);
        match attributes {
            None => out.none(),
            Some(attributes) => {
                out.some();
                out.text(self.text(*attributes));
            }
        }
        self.child(*body, out);
    }
}

fn unary_number(op: UnaryOp) -> u32 {
    match op {
        UnaryOp::Not => 0,
        UnaryOp::Neg => 1,
        UnaryOp::ToInt => 2,
        UnaryOp::ToReal => 3,
    }
}

fn binary_number(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Iff => 0,
        BinaryOp::Implies => 1,
        BinaryOp::And => 2,
        BinaryOp::Or => 3,
        BinaryOp::Eq => 4,
        BinaryOp::Ne => 5,
        BinaryOp::Lt => 6,
        BinaryOp::Le => 7,
        BinaryOp::Gt => 8,
        BinaryOp::Ge => 9,
        BinaryOp::Concat => 10,
        BinaryOp::Add => 11,
        BinaryOp::Sub => 12,
        BinaryOp::Mul => 13,
        BinaryOp::Div => 14,
        BinaryOp::Mod => 15,
        BinaryOp::RealDiv => 16,
        BinaryOp::Pow => 17,
    }
}
