//! The word of which terms are made.

use super::Atom;

/// What a cell is. The discriminants are the low three bits of the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// A variable: the index of the cell it is bound to; its own index while it is free.
    Ref = 0,
    /// A structure: the index of its functor cell, which the arguments follow.
    Str = 1,
    /// A list cell: the index of its head, which the tail follows.
    Lis = 2,
    /// An atom.
    Atm = 3,
    /// An integer of 61 bits.
    Int = 4,
    /// A string: its text is interned with those of atoms.
    Txt = 5,
    /// A number that does not fit into a cell: the index of its header.
    Box = 6,
    /// No term: a functor in front of a structure's arguments, or the header of a boxed number, which that many raw
    /// words follow.
    Hdr = 7,
}

/// A tagged word. Equality of cells is identity of their words; it is equality of terms only for atoms, strings and
/// small integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u64);

const TAG_BITS: u32 = 3;
const ARITY_BITS: u32 = 24;
/// What tells the header of a number from a functor.
const NUMBER: u64 = 1 << 63;
/// Set in the header of a rational number.
const RATIONAL: u64 = 16;
/// The bits that tell a functor, a number's header and any other cell apart.
const HEADER_BITS: u64 = NUMBER | ((1 << TAG_BITS) - 1);

impl Cell {
    /// The largest integer that fits into a cell.
    pub const MAX_INT: i64 = (1 << 60) - 1;
    /// The smallest integer that fits into a cell.
    pub const MIN_INT: i64 = -(1 << 60);
    /// The largest number of arguments that a functor cell can hold.
    pub const MAX_ARITY: usize = (1 << ARITY_BITS) - 1;

    /// A reference to the cell at an index.
    #[must_use]
    pub const fn reference(index: usize) -> Self {
        Self::pointer(index, Tag::Ref)
    }

    /// The structure whose functor cell is at an index.
    #[must_use]
    pub fn structure(index: usize) -> Self {
        Self::pointer(index, Tag::Str)
    }

    /// The list cell whose head is at an index.
    #[must_use]
    pub fn list(index: usize) -> Self {
        Self::pointer(index, Tag::Lis)
    }

    /// The boxed number whose header is at an index.
    #[must_use]
    pub fn boxed(index: usize) -> Self {
        Self::pointer(index, Tag::Box)
    }

    /// An atom.
    #[must_use]
    pub const fn atom(atom: Atom) -> Self {
        Self((atom.0 as u64) << TAG_BITS | Tag::Atm as u64)
    }

    /// The string with the text of an atom.
    #[must_use]
    pub const fn string(text: Atom) -> Self {
        Self((text.0 as u64) << TAG_BITS | Tag::Txt as u64)
    }

    /// A small integer; `None` if it does not fit.
    #[must_use]
    pub fn small(value: i64) -> Option<Self> {
        (Self::MIN_INT..=Self::MAX_INT).contains(&value).then_some(Self::int(value))
    }

    /// An integer known to fit.
    #[must_use]
    pub(crate) const fn int(value: i64) -> Self {
        Self((value << TAG_BITS) as u64 | Tag::Int as u64)
    }

    /// A count or an index as an integer.
    #[must_use]
    pub(crate) const fn count(value: usize) -> Self {
        Self::int(value as i64)
    }

    /// A functor: a name with a number of arguments, which must not exceed [`Cell::MAX_ARITY`].
    #[must_use]
    pub const fn functor(name: Atom, arity: usize) -> Self {
        Self((name.0 as u64) << (TAG_BITS + ARITY_BITS) | (arity as u64) << TAG_BITS | Tag::Hdr as u64)
    }

    /// The header of a boxed number: whether it is a float, and how many raw words follow.
    #[must_use]
    pub(crate) const fn header(float: bool, words: usize) -> Self {
        Self(NUMBER | (words as u64) << 5 | (float as u64) << TAG_BITS | Tag::Hdr as u64)
    }

    /// The header of a rational number that is no integer, with so many raw words behind it.
    #[must_use]
    pub(crate) const fn rational_header(words: usize) -> Self {
        Self(Self::header(false, words).0 | RATIONAL)
    }

    /// A word without a tag, as it follows a header.
    #[must_use]
    pub(crate) const fn raw(word: u64) -> Self {
        Self(word)
    }

    /// All 64 bits.
    #[must_use]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    const fn pointer(index: usize, tag: Tag) -> Self {
        Self((index as u64) << TAG_BITS | tag as u64)
    }

    /// The number of the cell's tag, where it selects a bit.
    #[inline]
    #[must_use]
    pub(crate) fn tag_number(self) -> u32 {
        (self.0 & ((1 << TAG_BITS) - 1)) as u32
    }

    /// What the cell is.
    #[inline]
    #[must_use]
    pub const fn tag(self) -> Tag {
        match self.0 & 7 {
            0 => Tag::Ref,
            1 => Tag::Str,
            2 => Tag::Lis,
            3 => Tag::Atm,
            4 => Tag::Int,
            5 => Tag::Txt,
            6 => Tag::Box,
            _ => Tag::Hdr,
        }
    }

    /// The index that a reference, structure, list or box holds.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 >> TAG_BITS) as usize
    }

    /// The value of a small integer.
    #[inline]
    #[must_use]
    pub const fn int_value(self) -> i64 {
        self.0 as i64 >> TAG_BITS
    }

    /// The atom of an atom cell, or the one that has a string's text.
    #[inline]
    #[must_use]
    pub const fn as_atom(self) -> Atom {
        Atom((self.0 >> TAG_BITS) as u32)
    }

    /// The name of a functor cell.
    #[inline]
    #[must_use]
    pub const fn name(self) -> Atom {
        Atom((self.0 >> (TAG_BITS + ARITY_BITS)) as u32)
    }

    /// The number of arguments of a functor cell.
    #[inline]
    #[must_use]
    pub const fn arity(self) -> usize {
        (self.0 >> TAG_BITS) as usize & Self::MAX_ARITY
    }

    /// Whether this is a functor.
    #[inline]
    #[must_use]
    pub(crate) const fn is_functor(self) -> bool {
        self.0 & HEADER_BITS == Tag::Hdr as u64
    }

    /// Whether this is the header of a boxed number.
    #[inline]
    #[must_use]
    pub(crate) const fn is_number_header(self) -> bool {
        self.0 & HEADER_BITS == (NUMBER | Tag::Hdr as u64)
    }

    /// Whether a header is that of a float.
    #[must_use]
    pub(crate) const fn header_is_float(self) -> bool {
        self.0 & 8 != 0
    }

    /// Whether a header is that of a rational number that is no integer.
    #[must_use]
    pub(crate) const fn header_is_rational(self) -> bool {
        self.0 & RATIONAL != 0
    }

    /// How many raw words follow a header.
    #[must_use]
    pub(crate) const fn header_words(self) -> usize {
        ((self.0 & !NUMBER) >> 5) as usize
    }

    /// The same cell with the index it holds moved up; cells without an index stay as they are.
    #[inline]
    #[must_use]
    pub(crate) const fn moved_up(self, by: usize) -> Self {
        match self.tag() {
            Tag::Ref | Tag::Str | Tag::Lis | Tag::Box => Self(self.0 + ((by as u64) << TAG_BITS)),
            Tag::Atm | Tag::Int | Tag::Txt | Tag::Hdr => self,
        }
    }

    /// The same cell with another index; only of cells that hold one.
    #[inline]
    #[must_use]
    pub(crate) const fn with_index(self, index: usize) -> Self {
        Self((index as u64) << TAG_BITS | self.0 & ((1 << TAG_BITS) - 1))
    }

    /// Whether this is an atom, a string or a small integer: terms that their word tells whole.
    #[inline]
    #[must_use]
    pub const fn is_immediate(self) -> bool {
        matches!(self.tag(), Tag::Atm | Tag::Int | Tag::Txt)
    }

    /// Whether this is a list or a structure.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn is_compound(self) -> bool {
        (self.0 & ((1 << TAG_BITS) - 1)).wrapping_sub(Tag::Str as u64) < 2
    }

    /// Whether this is an atom, a number or a string.
    #[inline]
    #[must_use]
    pub const fn is_atomic(self) -> bool {
        matches!(self.tag(), Tag::Atm | Tag::Int | Tag::Txt | Tag::Box)
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.tag() {
            Tag::Int => write!(f, "Int({})", self.int_value()),
            Tag::Atm => write!(f, "Atm({})", self.as_atom().0),
            Tag::Txt => write!(f, "Txt({})", self.as_atom().0),
            Tag::Hdr if self.is_functor() => write!(f, "Fun({}/{})", self.name().0, self.arity()),
            tag => write!(f, "{tag:?}({})", self.index()),
        }
    }
}
