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
            let done = match self.node(id) {
                Node::Address(address) => {
                    let base = self.address(address).base;
                    self.constant(64, base)
                }
                _ => self.rebuild_concrete(id),
            };
            self.concrete.insert(id, done);
        }
        self.done(root)
    }

    fn rebuild_concrete(&mut self, id: ExprId) -> ExprId {
        // The map is taken out so that it can be read while nodes are made; it is put back at once.
        let known = std::mem::take(&mut self.concrete);
        let done = self.rebuild(id, &|child| known.get(&child).copied().unwrap_or(child));
        self.concrete = known;
        done
    }

    fn done(&self, id: ExprId) -> ExprId {
        if self.info(id).addresses { self.concrete.get(&id).copied().unwrap_or(id) } else { id }
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
                self.float(operation, &operands)
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
