//! Addresses replaced by the numbers that they stand for.
//!
//! The bases of addresses never change, so what an expression becomes is remembered for ever, by node:
//! shared parts are rewritten once, however often and however deeply they occur.

use super::{Arena, ExprId, Node};

impl Arena {
    /// The expression with every base address replaced by its number, simplified again.
    pub fn concrete(&mut self, root: ExprId) -> ExprId {
        if !self.info(root).addresses {
            return root;
        }
        let mut stack = vec![root];
        let mut children = Vec::new();
        while let Some(&id) = stack.last() {
            if self.concrete.contains_key(&id) {
                stack.pop();
                continue;
            }
            children.clear();
            self.children(id, &mut children);
            let before = stack.len();
            stack.extend(
                children
                    .iter()
                    .filter(|child| self.info(**child).addresses && !self.concrete.contains_key(*child)),
            );
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let done = self.rebuild(id);
            self.concrete.insert(id, done);
        }
        self.done(root)
    }

    fn done(&self, id: ExprId) -> ExprId {
        if self.info(id).addresses { self.concrete.get(&id).copied().unwrap_or(id) } else { id }
    }

    fn rebuild(&mut self, id: ExprId) -> ExprId {
        let width = self.width(id);
        match self.node(id) {
            Node::Constant(_) | Node::Wide(_) | Node::Input(_) => id,
            Node::Address(address) => {
                let base = self.address(address).base;
                self.constant(64, base)
            }
            Node::Not(a) => {
                let a = self.done(a);
                self.not(a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.done(a), self.done(b));
                self.binary(op, a, b)
            }
            Node::Compare(op, a, b) => {
                let (a, b) = (self.done(a), self.done(b));
                self.compare(op, a, b)
            }
            Node::Extract(a, low) => {
                let a = self.done(a);
                self.extract(a, low, width)
            }
            Node::Concat(high, low) => {
                let (high, low) = (self.done(high), self.done(low));
                self.concat(high, low)
            }
            Node::ZeroExtend(a) => {
                let a = self.done(a);
                self.zero_extend(a, width)
            }
            Node::SignExtend(a) => {
                let a = self.done(a);
                self.sign_extend(a, width)
            }
            Node::Choose(condition, yes, no) => {
                let (condition, yes, no) = (self.done(condition), self.done(yes), self.done(no));
                self.choose(condition, yes, no)
            }
            Node::Read(array, index) => {
                let (array, index) = (self.done(array), self.done(index));
                self.read(array, index)
            }
            Node::Literal(literal) => {
                let elements: Vec<ExprId> = self.literal(literal).iter().map(|id| self.done(*id)).collect();
                self.literal_array(&elements)
            }
            Node::Store(array, index, value) => {
                let (array, index, value) = (self.done(array), self.done(index), self.done(value));
                self.store(array, index, value)
            }
        }
    }
}
