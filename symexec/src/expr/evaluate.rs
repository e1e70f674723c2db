//! The value of expressions when every input byte is given.

use rustc_hash::FxHashMap;

use super::{Arena, ExprId, InputId, Node};
use crate::base::bits::Bits;

/// A value for every input byte; those that are not mentioned are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    bytes: FxHashMap<InputId, u8>,
}

impl Model {
    /// The model that gives these values.
    pub fn new(values: impl IntoIterator<Item = (InputId, u8)>) -> Self {
        Self { bytes: values.into_iter().collect() }
    }

    /// The value of an input byte.
    #[must_use]
    pub fn get(&self, input: InputId) -> u8 {
        self.bytes.get(&input).copied().unwrap_or(0)
    }

    /// Adds the values of another model, which win.
    pub fn extend(&mut self, other: &Self) {
        self.bytes.extend(&other.bytes);
    }

    /// Adds the values that another model gives to these inputs, which win; what else it says is left out.
    pub fn extend_with(&mut self, other: &Self, inputs: impl IntoIterator<Item = InputId>) {
        self.bytes.extend(inputs.into_iter().map(|input| (input, other.get(input))));
    }
}

/// Evaluates expressions under one model, every node once.
pub struct Evaluator<'a> {
    arena: &'a Arena,
    model: &'a Model,
    known: FxHashMap<ExprId, Bits>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows nothing yet.
    #[must_use]
    pub fn new(arena: &'a Arena, model: &'a Model) -> Self {
        Self { arena, model, known: FxHashMap::default() }
    }

    /// Whether a truth value holds.
    pub fn holds(&mut self, truth: ExprId) -> bool {
        !self.value(truth).is_zero()
    }

    /// The value of a bit vector. Base addresses have the value that they were allocated with.
    pub fn value(&mut self, root: ExprId) -> Bits {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.contains_key(&id) {
                stack.pop();
                continue;
            }
            match self.step(id) {
                Ok(value) => {
                    self.known.insert(id, value);
                    stack.pop();
                }
                Err(missing) => stack.push(missing),
            }
        }
        self.known.get(&root).cloned().unwrap_or_else(|| Bits::new(self.arena.width(root), 0))
    }

    fn get(&self, id: ExprId) -> Result<&Bits, ExprId> {
        self.known.get(&id).ok_or(id)
    }

    /// The value of a node, or an operand whose value is needed first.
    fn step(&self, id: ExprId) -> Result<Bits, ExprId> {
        let width = self.arena.width(id);
        Ok(match self.arena.node(id) {
            Node::Constant(value) => Bits::new(width, value),
            Node::Wide(_) => self.arena.as_bits(id).unwrap_or_else(|| Bits::new(width, 0)),
            Node::Address(address) => Bits::new(64, self.arena.address(address).base),
            Node::Input(input) => Bits::new(8, u64::from(self.model.get(input))),
            Node::Not(a) => self.get(a)?.not(),
            Node::Binary(op, a, b) => Bits::binary(op, self.get(a)?, self.get(b)?),
            Node::Compare(op, a, b) => Bits::from_bool(Bits::compare(op, self.get(a)?, self.get(b)?)),
            Node::Extract(a, low) => self.get(a)?.extract(low, width),
            Node::Concat(high, low) => Bits::concat(self.get(high)?, self.get(low)?),
            Node::ZeroExtend(a) => self.get(a)?.zero_extend(width),
            Node::SignExtend(a) => self.get(a)?.sign_extend(width),
            Node::Choose(condition, yes, no) => {
                let chosen = if self.get(condition)?.is_zero() { no } else { yes };
                self.get(chosen)?.clone()
            }
            Node::Read(array, index) => {
                let index = self.get(index)?;
                match self.element(array, index)? {
                    Some(element) => self.get(element)?.clone(),
                    None => Bits::new(width, 0),
                }
            }
            Node::Float(operation, [a, b, c]) => {
                self.arena.operation(operation).evaluate(&[self.get(a)?, self.get(b)?, self.get(c)?])
            }
            // Arrays have no value of their own; only reads ask for their elements.
            Node::Literal(_) | Node::Store(..) => Bits::new(width, 0),
        })
    }

    /// The expression that stands at a place of an array.
    fn element(&self, array: ExprId, index: &Bits) -> Result<Option<ExprId>, ExprId> {
        let mut array = array;
        loop {
            match self.arena.node(array) {
                Node::Store(below, place, value) => {
                    if self.get(place)? == index {
                        return Ok(Some(value));
                    }
                    array = below;
                }
                Node::Literal(literal) => {
                    let place = index.to_u64().and_then(|place| usize::try_from(place).ok());
                    return Ok(place.and_then(|place| self.arena.literal(literal).get(place).copied()));
                }
                _ => return Ok(None),
            }
        }
    }
}
