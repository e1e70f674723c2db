//! What expressions are called: shape digests, blind to names, and name digests, which keep them.
//!
//! Both are compositional and remembered by node, so that a question whose parts were asked before is
//! looked up without being walked.

use cache_core::digest::Encoder;
use cache_core::rename::{AtomId, NameDigest, Shape};

use super::{Arena, ExprId, Node};
use crate::base::bits::{BinaryOp, CompareOp};
use cache_core::key::CacheKey;
use rustc_hash::FxHashMap;

/// Everything about a node but its operands.
struct Label<'a>(&'a Arena, ExprId);

impl CacheKey for Label<'_> {
    fn encode(&self, out: &mut Encoder) {
        let Self(arena, id) = self;
        let node = arena.node(*id);
        out.u64(u64::from(arena.width(*id)));
        match node {
            Node::Constant(value) => {
                out.variant(0);
                out.u64(value);
            }
            Node::Wide(_) => {
                out.variant(1);
                out.raw(&arena.as_bits(*id).map(|bits| bits.to_le_bytes()).unwrap_or_default());
            }
            Node::Address(address) => {
                // Where it is not renamed: the number, and the size that tells objects at it apart.
                out.variant(2);
                let address = arena.address(address);
                out.u64(address.base);
                out.u64(address.size);
            }
            Node::Input(input) => {
                out.variant(3);
                let (name, index) = arena.input(input);
                out.text(name);
                out.u64(u64::from(index));
            }
            Node::Not(_) => out.variant(4),
            Node::Binary(op, _, _) => {
                out.variant(5);
                out.variant(binary_number(op));
            }
            Node::Compare(op, _, _) => {
                out.variant(6);
                out.variant(compare_number(op));
            }
            Node::Extract(_, low) => {
                out.variant(7);
                out.u64(u64::from(low));
            }
            Node::Concat(_, _) => out.variant(8),
            Node::ZeroExtend(_) => out.variant(9),
            Node::SignExtend(_) => out.variant(10),
            Node::Choose(_, _, _) => out.variant(11),
            Node::Read(_, _) => out.variant(12),
            Node::Literal(_) => out.variant(13),
            Node::Store(_, _, _) => out.variant(14),
            Node::Float(operation, _) => {
                out.variant(15);
                // The operation in words, which no two operations share.
                out.text(&format!("{:?}", arena.operation(operation)));
            }
        }
    }
}

fn binary_number(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Add => 0,
        BinaryOp::Sub => 1,
        BinaryOp::Mul => 2,
        BinaryOp::UDiv => 3,
        BinaryOp::SDiv => 4,
        BinaryOp::URem => 5,
        BinaryOp::SRem => 6,
        BinaryOp::And => 7,
        BinaryOp::Or => 8,
        BinaryOp::Xor => 9,
        BinaryOp::Shl => 10,
        BinaryOp::LShr => 11,
        BinaryOp::AShr => 12,
    }
}

fn compare_number(op: CompareOp) -> u32 {
    match op {
        CompareOp::Eq => 0,
        CompareOp::Ult => 1,
        CompareOp::Slt => 2,
    }
}

impl Arena {
    /// Forgets what was computed of expressions and can be computed again.
    pub fn forget(&mut self) {
        self.known_names = FxHashMap::default();
        self.concrete = FxHashMap::default();
        self.known_shapes = FxHashMap::default();
        self.shapes.forget_terms();
    }

    /// The shape of an expression, computed for every node below that has none yet.
    pub fn shape(&mut self, root: ExprId) -> Shape {
        if let Some(shape) = self.known_shapes.get(&root) {
            return *shape;
        }
        let mut stack = vec![(root, false)];
        let (mut children, mut below) = (Vec::new(), Vec::new());
        let mut last = None;
        while let Some((id, opened)) = stack.pop() {
            if let Some(shape) = self.known_shapes.get(&id) {
                last = Some(*shape);
                continue;
            }
            children.clear();
            self.children(id, &mut children);
            if !opened && !children.is_empty() {
                stack.push((id, true));
                stack.extend(children.iter().rev().map(|child| (*child, false)));
                continue;
            }
            below.clear();
            below.extend(children.iter().filter_map(|child| self.known_shapes.get(child).copied()));
            let atom = self.renamable(id).and_then(|atom| self.shapes.atom(atom));
            let shape = atom.unwrap_or_else(|| {
                let mut label = Encoder::new();
                Label(self, id).encode(&mut label);
                self.shapes.node_with(|out| out.nested(label.digest()), &below)
            });
            self.known_shapes.insert(id, shape);
            last = Some(shape);
        }
        last.unwrap_or_else(|| self.shapes.node("", &[]))
    }

    /// The name digest of an expression, computed for every node below that has none yet.
    pub fn name(&mut self, root: ExprId) -> NameDigest {
        if let Some(name) = self.known_names.get(&root) {
            return *name;
        }
        let mut stack = vec![(root, false)];
        let (mut children, mut below) = (Vec::new(), Vec::new());
        let mut last = NameDigest::node("", &[]);
        while let Some((id, opened)) = stack.pop() {
            if let Some(name) = self.known_names.get(&id) {
                last = *name;
                continue;
            }
            children.clear();
            self.children(id, &mut children);
            if !opened && !children.is_empty() {
                stack.push((id, true));
                stack.extend(children.iter().rev().map(|child| (*child, false)));
                continue;
            }
            below.clear();
            below.extend(children.iter().filter_map(|child| self.known_names.get(child).copied()));
            last = NameDigest::node(&Label(self, id), &below);
            self.known_names.insert(id, last);
        }
        last
    }

    /// The atom that a node is, if it may be renamed.
    #[must_use]
    pub fn renamable(&self, id: ExprId) -> Option<AtomId> {
        match self.node(id) {
            Node::Address(address) => self.address(address).atom,
            Node::Input(input) if self.rename_inputs => Some(self.inputs[input.index()].atom),
            _ => None,
        }
    }
}
