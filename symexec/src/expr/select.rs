//! What a pointer that may be one of several leads to: its own tree, with other things in the places of
//! the addresses.
//!
//! The base of a pointer is a tree of choices and of reads of tables, with addresses at its leaves. What
//! is true of each object that it may be (its place in a segment, its size, the value of a field) becomes
//! a truth about the pointer when that is put where the object's address stood. No level is added, so
//! that going along a list of such pointers does not make the expressions deeper.

use rustc_hash::FxHashMap;

use super::{AddressId, Arena, Class, ExprId, Node};
use crate::base::bits::BinaryOp;

impl Arena {
    /// The tree of a pointer's base with `values`, all of `width` bits, in place of addresses; zero in
    /// place of markers and of addresses without a value, which the pointer is known not to be.
    pub fn select(&mut self, base: ExprId, width: u32, values: &FxHashMap<AddressId, ExprId>) -> ExprId {
        self.select_all(base, width, values, &FxHashMap::default())
    }

    /// [`Self::select`], with values in place of markers too.
    pub(super) fn select_all(
        &mut self,
        base: ExprId,
        width: u32,
        values: &FxHashMap<AddressId, ExprId>,
        markers: &FxHashMap<u64, ExprId>,
    ) -> ExprId {
        let zero = self.constant(width, 0);
        let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut stack = vec![base];
        let mut leaves = Vec::new();
        while let Some(&id) = stack.last() {
            if done.contains_key(&id) {
                stack.pop();
                continue;
            }
            leaves.clear();
            self.pointer_operands(id, &mut leaves);
            let before = stack.len();
            stack.extend(leaves.iter().filter(|leaf| !done.contains_key(*leaf)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let of = |id: ExprId| done.get(&id).copied().unwrap_or(zero);
            let selected = match self.node(id) {
                Node::Address(address) => values.get(&address).copied().unwrap_or(zero),
                Node::Choose(condition, yes, no) => {
                    let (yes, no) = (of(yes), of(no));
                    self.choose(condition, yes, no)
                }
                Node::Read(array, index) => {
                    let array = of(array);
                    self.read(array, index)
                }
                Node::Store(array, index, value) => {
                    let (array, value) = (of(array), of(value));
                    self.store(array, index, value)
                }
                Node::Literal(literal) => {
                    let elements: Vec<ExprId> = self.literal(literal).iter().map(|leaf| of(*leaf)).collect();
                    self.literal_array(&elements)
                }
                Node::Constant(marker) => markers.get(&marker).copied().unwrap_or(zero),
                _ => zero,
            };
            done.insert(id, selected);
        }
        done.get(&base).copied().unwrap_or(zero)
    }

    /// The tree with values in place of the numbers at its leaves; of pointers and what is added to them, each by
    /// itself.
    pub fn by_number(&mut self, tree: ExprId, width: u32, values: &FxHashMap<u64, ExprId>) -> ExprId {
        let none = FxHashMap::default();
        let selected = self.select_all(tree, width, &none, values);
        if self.class(selected) != Class::Layout {
            return selected;
        }
        let mut known: Vec<(u64, ExprId)> = values.iter().map(|(number, value)| (*number, *value)).collect();
        known.sort_unstable_by_key(|(number, _)| *number);
        let zero = self.constant(width, 0);
        let (mut pointers, mut added) = (FxHashMap::default(), FxHashMap::default());
        for (number, value) in known {
            let Some((pointer, more)) = self.split_markable(value) else { return selected };
            pointers.insert(number, pointer);
            added.insert(number, more.unwrap_or(zero));
        }
        let pointer = self.select_all(tree, width, &none, &pointers);
        let added = self.select_all(tree, width, &none, &added);
        self.binary(BinaryOp::Add, pointer, added)
    }

    /// The numbers at the leaves of a tree, each once, in the order in which they occur; `None` if there is something
    /// else, or if it has more than so many nodes.
    pub(super) fn leaf_numbers(&self, tree: ExprId, most: usize) -> Option<Vec<u64>> {
        let (mut stack, mut seen) = (vec![tree], rustc_hash::FxHashSet::default());
        let (mut numbers, mut operands) = (Vec::new(), Vec::new());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > most {
                return None;
            }
            match self.node(id) {
                Node::Constant(number) => numbers.push(number),
                Node::Choose(..) | Node::Read(..) | Node::Store(..) | Node::Literal(_) => {
                    operands.clear();
                    self.pointer_operands(id, &mut operands);
                    stack.extend(operands.iter().rev());
                }
                _ => return None,
            }
        }
        Some(numbers)
    }

    /// Appends those operands of a node of a pointer's tree that are pointers, or tables of them.
    fn pointer_operands(&self, id: ExprId, out: &mut Vec<ExprId>) {
        match self.node(id) {
            Node::Choose(_, yes, no) => out.extend([yes, no]),
            Node::Read(array, _) => out.push(array),
            Node::Store(array, _, value) => out.extend([value, array]),
            Node::Literal(literal) => out.extend(self.literal(literal)),
            _ => {}
        }
    }

    /// The addresses and the markers that a pointer's base may be, in the order in which they occur.
    #[must_use]
    pub fn candidates(&self, base: ExprId) -> (Vec<AddressId>, Vec<u64>) {
        let (mut stack, mut seen) = (vec![base], rustc_hash::FxHashSet::default());
        let (mut found, mut markers) = (Vec::new(), Vec::new());
        let mut operands = Vec::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.node(id) {
                Node::Address(address) => found.push(address),
                Node::Constant(marker) => markers.push(marker),
                _ => {
                    operands.clear();
                    self.pointer_operands(id, &mut operands);
                    stack.extend(operands.iter().rev());
                }
            }
        }
        (found, markers)
    }
}
