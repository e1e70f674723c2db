//! Expressions over unknown inputs: hash-consed, simplified on construction, never changed; those that nobody has any
//! more go (module `collect`).
//!
//! An [`Arena`] holds the nodes under [`ExprId`]s; equal nodes have equal ids. Bit vectors have a width;
//! arrays have the width of their elements, are indexed by 64-bit vectors from 0 on, and hold zeros
//! where nothing else was said. Truth values are bit vectors of width 1.
//!
//! Unknown are single input bytes ([`Node::Input`]) and base addresses of objects ([`Node::Address`]).
//! An address is a name for a number that is already fixed ([`Address::base`]): keeping the name shows
//! whether a truth depends on the number. [`Class`] says so for every node, at once:
//!
//! | class | meaning |
//! | --- | --- |
//! | [`Class::Integer`] | the same value in every layout with the same objects |
//! | [`Class::Pointer`] | a marker or exactly the address of some object, the same one in every layout |
//! | [`Class::Offset`] | a pointer plus an integer |
//! | [`Class::Layout`] | depends on where objects lie: address bytes, order across objects, ... |
//!
//! A question of class `Integer` is *address-agnostic* (definition IV.5 of the query-caching paper)
//! without any side condition: its only contact with addresses is equality between pointers and with
//! markers (null, and numbers like `(void *)-1`: [`FIRST_MARKER`]), and distinct objects have distinct
//! addresses that are no markers. Differences under one base
//! cancel on construction, and so does the equality of two places in one object.

mod arrays;
mod build;
mod class;
mod collect;
mod compare;
mod concrete;
mod counts;
mod digest;
mod division;
mod evaluate;
mod list;
mod order;
mod overflow;
mod pieces;
mod scale;
mod select;
mod unique;

use cache_core::rename::{AtomId, NameDigest, Shape, Shapes};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

pub use arrays::Places;
pub use class::Class;
pub use collect::Marks;
pub use concrete::Moved;
pub(crate) use concrete::Rewritten;
pub use evaluate::{Evaluator, Model};
pub use scale::Scaled;

use crate::base::bits::{BinaryOp, Bits, CompareOp};
use crate::base::float::Operation;
use crate::base::id::id;
use list::List;
use unique::Unique;

/// Programs mark what is no object (a deleted entry of a hash table, a failed `mmap`) with null or with a
/// pointer made of a small negative number. No object lies in the highest page, in any layout, so that being
/// such a marker depends on no layout: those are the 64-bit constants from here on, and 0.
pub const FIRST_MARKER: u64 = u64::MAX - 4095;

id! {
    /// An expression of an [`Arena`].
    ExprId
}
id! {
    /// A base address.
    AddressId
}
id! {
    /// An input byte.
    InputId
}
id! {
    /// An input: a named array of unknown bytes.
    ArrayId
}
id! {
    /// An array that is given element by element.
    LiteralId
}
id! {
    /// A constant of more than 64 bits.
    WideId
}
id! {
    /// An operation on floating-point numbers.
    OperationId
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant of at most 64 bits.
    Constant(u64),
    /// A constant of more.
    Wide(WideId),
    /// The base address of an object.
    Address(AddressId),
    /// An unknown byte.
    Input(InputId),
    /// All bits inverted.
    Not(ExprId),
    /// An operation on two vectors of this width.
    Binary(BinaryOp, ExprId, ExprId),
    /// A comparison of two vectors; a vector of width 1.
    Compare(CompareOp, ExprId, ExprId),
    /// Bits of a wider vector from a position on.
    Extract(ExprId, u32),
    /// One vector above another.
    Concat(ExprId, ExprId),
    /// Zeros added above.
    ZeroExtend(ExprId),
    /// Copies of the highest bit added above.
    SignExtend(ExprId),
    /// The second if the first is 1, else the third.
    Choose(ExprId, ExprId, ExprId),
    /// An element of an array.
    Read(ExprId, ExprId),
    /// An operation on floating-point numbers; what it has no operand for repeats the first.
    Float(OperationId, [ExprId; 3]),
    /// An array given element by element.
    Literal(LiteralId),
    /// An array with one element replaced: array, index, value.
    Store(ExprId, ExprId, ExprId),
}

/// What is known of a node without looking below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// Of the vector, or of the array's elements.
    pub width: u32,
    /// How it depends on the layout; for an array, how an element at an unknown place does.
    pub class: Class,
    /// Whether an address occurs in it.
    pub addresses: bool,
}

/// The base address of an object, as a symbol. Immutable.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The object's size in bytes.
    pub size: u64,
    /// Where the object lies, fixed when it was allocated.
    pub base: u64,
    /// The object's number in the states that know it.
    pub object: u32,
    /// Its identity for renaming; none if questions are to keep the number.
    atom: Option<AtomId>,
}

/// An input.
#[derive(Clone, Debug)]
pub struct InputArray {
    /// Its name, unique within a path.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<InputId>,
}

#[derive(Clone, Copy, Debug)]
struct Input {
    array: ArrayId,
    index: u32,
    atom: AtomId,
}

/// Which atoms may be renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenameInputs(pub bool);

/// All expressions of a run.
#[derive(Debug)]
pub struct Arena {
    nodes: List<(Node, Info)>,
    /// Nodes by what they are and their width.
    unique: Unique,
    wide: Vec<BigUint>,
    wide_ids: FxHashMap<BigUint, WideId>,
    literals: Vec<Box<[ExprId]>>,
    /// How many elements they have together.
    literal_elements: usize,
    /// Literals by their elements.
    unique_literals: Unique,
    operations: Vec<Operation>,
    operation_ids: FxHashMap<Operation, OperationId>,
    addresses: Vec<Address>,
    inputs: Vec<Input>,
    arrays: Vec<InputArray>,
    array_ids: FxHashMap<(String, usize), ArrayId>,
    by_atom: FxHashMap<AtomId, Unknown>,
    rename_inputs: bool,
    shapes: Shapes,
    known_shapes: FxHashMap<ExprId, Shape>,
    known_names: FxHashMap<ExprId, NameDigest>,
    /// Each expression with all addresses replaced by numbers; bases are immutable, so once is enough.
    concrete: Rewritten,
    /// The addresses of objects as if they lay elsewhere, by address and place.
    elsewhere: FxHashMap<(AddressId, u64), ExprId>,
    /// How many numbers there were at the last collection, and how many expressions it left.
    looked_through: (usize, usize),
}

/// What an atom of the renaming stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A base address.
    Address(AddressId),
    /// An input byte.
    Input(InputId),
}

impl Arena {
    /// An arena without expressions.
    #[must_use]
    pub fn new(RenameInputs(rename_inputs): RenameInputs) -> Self {
        Self {
            nodes: List::default(),
            unique: Unique::default(),
            wide: Vec::new(),
            wide_ids: FxHashMap::default(),
            literals: Vec::new(),
            literal_elements: 0,
            unique_literals: Unique::default(),
            operations: Vec::new(),
            operation_ids: FxHashMap::default(),
            addresses: Vec::new(),
            inputs: Vec::new(),
            arrays: Vec::new(),
            array_ids: FxHashMap::default(),
            by_atom: FxHashMap::default(),
            rename_inputs,
            shapes: Shapes::new(),
            known_shapes: FxHashMap::default(),
            known_names: FxHashMap::default(),
            concrete: FxHashMap::default(),
            elsewhere: FxHashMap::default(),
            looked_through: (0, 0),
        }
    }

    /// How many nodes were made.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// About how many bytes its expressions take; the digests of some, which can be forgotten, are not counted.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Self { nodes, unique, unique_literals, addresses, .. } = self;
        let lists = nodes.bytes() + self.literal_elements * size_of::<ExprId>();
        let heads = self.literals.len() * size_of::<Box<[ExprId]>>() + addresses.len() * size_of::<Address>();
        (lists + heads + unique.bytes() + unique_literals.bytes()) as u64
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    /// A node and what is known of it, where both are needed: they are looked up once.
    #[inline]
    fn entry(&self, id: ExprId) -> &(Node, Info) {
        self.nodes.at(id.index())
    }

    /// A node.
    #[must_use]
    #[inline]
    pub fn node(&self, id: ExprId) -> Node {
        self.entry(id).0
    }

    /// What is known of a node.
    #[must_use]
    #[inline]
    pub fn info(&self, id: ExprId) -> Info {
        self.entry(id).1
    }

    /// The width of a vector, or of an array's elements.
    #[must_use]
    pub fn width(&self, id: ExprId) -> u32 {
        self.info(id).width
    }

    /// How a node depends on the layout.
    #[must_use]
    pub fn class(&self, id: ExprId) -> Class {
        self.info(id).class
    }

    /// The value of a constant of at most 64 bits.
    #[must_use]
    #[inline]
    pub fn as_u64(&self, id: ExprId) -> Option<u64> {
        match self.node(id) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant.
    #[must_use]
    pub fn as_bits(&self, id: ExprId) -> Option<Bits> {
        let (node, info) = self.entry(id);
        match node {
            Node::Constant(value) => Some(Bits::new(info.width, *value)),
            Node::Wide(wide) => Some(Bits::from_big(info.width, &self.wide[wide.index()])),
            _ => None,
        }
    }

    /// Whether it is the constant 1 of width 1.
    #[must_use]
    #[inline]
    pub fn is_true(&self, id: ExprId) -> bool {
        matches!(self.entry(id), (Node::Constant(1), Info { width: 1, .. }))
    }

    /// Whether it is the constant 0 of width 1.
    #[must_use]
    #[inline]
    pub fn is_false(&self, id: ExprId) -> bool {
        matches!(self.entry(id), (Node::Constant(0), Info { width: 1, .. }))
    }

    /// What is known of an address.
    #[must_use]
    pub fn address(&self, id: AddressId) -> Address {
        self.addresses[id.index()]
    }

    /// The elements of a literal array.
    #[must_use]
    pub fn literal(&self, id: LiteralId) -> &[ExprId] {
        &self.literals[id.index()]
    }

    /// An operation on floating-point numbers.
    #[must_use]
    pub fn operation(&self, id: OperationId) -> Operation {
        self.operations[id.index()]
    }

    /// An input.
    #[must_use]
    pub fn array(&self, id: ArrayId) -> &InputArray {
        &self.arrays[id.index()]
    }

    /// The name of an input byte's array, and its place there.
    #[must_use]
    pub fn input(&self, id: InputId) -> (&str, u32) {
        let input = self.inputs[id.index()];
        (&self.arrays[input.array.index()].name, input.index)
    }

    /// The array of an input byte.
    #[must_use]
    pub fn array_of(&self, id: InputId) -> ArrayId {
        self.inputs[id.index()].array
    }

    /// What an atom stands for.
    #[must_use]
    pub fn unknown(&self, atom: AtomId) -> Option<Unknown> {
        self.by_atom.get(&atom).copied()
    }

    /// The shapes of this arena's expressions.
    #[must_use]
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// A new base address for an object of `size` bytes at `base`.
    pub fn new_address(&mut self, size: u64, base: u64, object: u32) -> ExprId {
        let (atom, _) = self.shapes.fresh(&("address", size));
        let id = AddressId::at(self.addresses.len());
        self.addresses.push(Address { size, base, object, atom: Some(atom) });
        self.by_atom.insert(atom, Unknown::Address(id));
        self.address_node(id)
    }

    /// A new base address that questions keep as a number: two of them are the same only if the number
    /// and the size are.
    pub fn new_fixed_address(&mut self, size: u64, base: u64, object: u32) -> ExprId {
        let id = AddressId::at(self.addresses.len());
        self.addresses.push(Address { size, base, object, atom: None });
        self.address_node(id)
    }

    /// The base address of the same object as if it lay at `base`. Asked for again it is the same.
    pub fn address_elsewhere(&mut self, id: AddressId, base: u64) -> ExprId {
        if let Some(known) = self.elsewhere.get(&(id, base)) {
            return *known;
        }
        let Address { size, object, atom, .. } = self.address(id);
        let moved = match atom {
            Some(_) => self.new_address(size, base, object),
            None => self.new_fixed_address(size, base, object),
        };
        self.elsewhere.insert((id, base), moved);
        moved
    }

    /// An address as an expression.
    pub fn address_node(&mut self, id: AddressId) -> ExprId {
        self.add(Node::Address(id), Info { width: 64, class: Class::Pointer, addresses: true })
    }

    /// The input of a name and size. Paths that ask for the same one share it: an unknown byte is what
    /// it is called.
    pub fn input_array(&mut self, name: &str, size: usize) -> ArrayId {
        if let Some(&id) = self.array_ids.get(&(name.to_owned(), size)) {
            return id;
        }
        let array = ArrayId::at(self.arrays.len());
        let mut bytes = Vec::with_capacity(size);
        for index in 0..size {
            let (atom, _) = self.shapes.fresh(&"input byte");
            let input = InputId::at(self.inputs.len());
            self.inputs.push(Input { array, index: u32::try_from(index).unwrap_or(u32::MAX), atom });
            self.by_atom.insert(atom, Unknown::Input(input));
            bytes.push(input);
        }
        self.arrays.push(InputArray { name: name.to_owned(), bytes });
        self.array_ids.insert((name.to_owned(), size), array);
        array
    }

    /// The id of a node, new or not.
    fn add(&mut self, node: Node, info: Info) -> ExprId {
        let next = ExprId::at(self.nodes.len());
        let nodes = &self.nodes;
        let known = |number: u32| {
            let (node, info) = *nodes.at(number as usize);
            (node, info.width)
        };
        let id = ExprId(self.unique.number(&(node, info.width), next.0, known));
        if id == next {
            self.nodes.push((node, info));
        }
        id
    }

    /// Appends the operands of a node, in order.
    pub fn children(&self, id: ExprId, out: &mut Vec<ExprId>) {
        match self.node(id) {
            Node::Constant(_) | Node::Wide(_) | Node::Address(_) | Node::Input(_) => {}
            Node::Not(a) | Node::Extract(a, _) | Node::ZeroExtend(a) | Node::SignExtend(a) => out.push(a),
            Node::Binary(_, a, b) | Node::Compare(_, a, b) | Node::Concat(a, b) | Node::Read(a, b) => {
                out.extend([a, b]);
            }
            Node::Choose(a, b, c) | Node::Store(a, b, c) | Node::Float(_, [a, b, c]) => out.extend([a, b, c]),
            Node::Literal(literal) => out.extend(self.literal(literal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Info, Node};

    /// A run has millions of them.
    #[test]
    fn a_node_takes_no_more_than_its_operands() {
        assert_eq!((size_of::<Node>(), size_of::<Info>(), size_of::<(Node, Info)>()), (24, 8, 32));
    }
}
