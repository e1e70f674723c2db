//! Addresses replaced: by the numbers that they stand for, or by those of the same objects elsewhere.
//!
//! The bases of addresses never change, so what an expression becomes is remembered by node, for numbers
//! until a collection: shared parts are rewritten once, however often and however deeply they occur.

use std::cell::RefCell;

use rpds::RedBlackTreeMap;
use rustc_hash::FxHashMap;

use super::{AddressId, Arena, ExprId, Marks, Node};

/// What expressions have become, by node.
pub(crate) type Rewritten = FxHashMap<ExprId, ExprId>;

/// Addresses in place of which questions have others: those of the same objects, as if they lay
/// elsewhere. Never changed, so what it makes of an expression is remembered.
#[derive(Debug, Default)]
pub struct Moved {
    to: RedBlackTreeMap<AddressId, ExprId>,
    known: RefCell<Rewritten>,
}

impl Moved {
    /// These and more; of an address that was moved before the new place counts.
    #[must_use]
    pub fn and(&self, more: impl IntoIterator<Item = (AddressId, ExprId)>) -> Self {
        let mut to = self.to.clone();
        for (address, moved) in more {
            to.insert_mut(address, moved);
        }
        Self { to, known: RefCell::default() }
    }

    /// Marks the addresses, and forgets what expressions have become.
    pub(crate) fn trace(&self, marks: &mut Marks) {
        self.known.take();
        self.to.values().for_each(|address| marks.mark(*address));
    }
}

impl Arena {
    /// The expression with every base address replaced by its number, simplified again.
    pub fn concrete(&mut self, root: ExprId) -> ExprId {
        if !self.info(root).addresses {
            return root;
        }
        // The map is taken out so that it can be read while nodes are made; it is put back at once.
        let mut known = std::mem::take(&mut self.concrete);
        let done = self.replace_addresses(root, &mut known, |arena, address| {
            let base = arena.address(address).base;
            arena.constant(64, base)
        });
        self.concrete = known;
        done
    }

    /// The expression with objects at the places that they were moved to.
    pub fn moved(&mut self, root: ExprId, moved: &Moved) -> ExprId {
        self.replace_addresses(root, &mut moved.known.borrow_mut(), |arena, address| {
            moved.to.get(&address).copied().unwrap_or_else(|| arena.address_node(address))
        })
    }

    /// The expression with something else in place of each address, simplified again.
    pub(crate) fn replace_addresses(
        &mut self,
        root: ExprId,
        known: &mut Rewritten,
        replace: impl Fn(&mut Self, AddressId) -> ExprId,
    ) -> ExprId {
        let mut stack = vec![root];
        let mut children = Vec::new();
        while let Some(&id) = stack.last() {
            if known.contains_key(&id) || !self.info(id).addresses {
                stack.pop();
                continue;
            }
            children.clear();
            self.children(id, &mut children);
            let before = stack.len();
            stack.extend(
                children.iter().filter(|child| self.info(**child).addresses && !known.contains_key(*child)),
            );
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let done = match self.node(id) {
                Node::Address(address) => replace(self, address),
                _ => self.rebuild(id, &|child| known.get(&child).copied().unwrap_or(child)),
            };
            known.insert(id, done);
        }
        known.get(&root).copied().unwrap_or(root)
    }

    /// A node made anew over other operands, simplified again.
    pub(crate) fn rebuild(&mut self, id: ExprId, operand: &dyn Fn(ExprId) -> ExprId) -> ExprId {
        let width = self.width(id);
        match self.node(id) {
            Node::Constant(_) | Node::Wide(_) | Node::Input(_) | Node::Address(_) => id,
            Node::Not(a) => {
                let a = operand(a);
                self.not(a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (operand(a), operand(b));
                self.binary(op, a, b)
            }
            Node::Compare(op, a, b) => {
                let (a, b) = (operand(a), operand(b));
                self.compare(op, a, b)
            }
            Node::Extract(a, low) => {
                let a = operand(a);
                self.extract(a, low, width)
            }
            Node::Concat(high, low) => {
                let (high, low) = (operand(high), operand(low));
                self.concat(high, low)
            }
            Node::ZeroExtend(a) => {
                let a = operand(a);
                self.zero_extend(a, width)
            }
            Node::SignExtend(a) => {
                let a = operand(a);
                self.sign_extend(a, width)
            }
            Node::Choose(condition, yes, no) => {
                let (condition, yes, no) = (operand(condition), operand(yes), operand(no));
                self.choose(condition, yes, no)
            }
            Node::Read(array, index) => {
                let (array, index) = (operand(array), operand(index));
                self.read(array, index)
            }
            Node::Float(operation, operands) => {
                let operands = operands.map(operand);
                self.float(self.operation(operation), &operands)
            }
            Node::Literal(literal) => {
                let elements: Vec<ExprId> = self.literal(literal).iter().map(|id| operand(*id)).collect();
                self.literal_array(&elements)
            }
            Node::Store(array, index, value) => {
                let (array, index, value) = (operand(array), operand(index), operand(value));
                self.store(array, index, value)
            }
        }
    }
}
