//! What one state of the automaton accepts, twice: as it is built and compared, and as the checker reads it.

use super::Primitive;
use super::definition::Constant;
use crate::term::{Cell, Store, Tag, atom};
use std::collections::{BTreeMap, BTreeSet};

/// A state of the automaton. States that are found to accept the same terms have the same identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(crate) u32);

/// A set of kinds of terms: every term is of exactly one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kinds(pub(crate) u8);

impl Kinds {
    /// No term.
    pub const NONE: Self = Self(0);
    /// Free variables.
    pub const VARIABLE: Self = Self(1);
    /// Integers below 0.
    pub const NEGATIVE: Self = Self(2);
    /// Integers from 0 on.
    pub const NONNEGATIVE: Self = Self(4);
    /// Floats.
    pub const FLOAT: Self = Self(8);
    /// Atoms.
    pub const ATOM: Self = Self(16);
    /// Strings.
    pub const STRING: Self = Self(32);
    /// Compound terms, whatever their arguments.
    pub const COMPOUND: Self = Self(64);
    /// Rational numbers that are no integers.
    pub const RATIONAL: Self = Self(128);
    /// Atomic terms.
    pub const ATOMIC: Self = Self(2 | 4 | 8 | 16 | 32 | 128);
    /// Every term.
    pub const ALL: Self = Self(255);

    /// Whether all of the other kinds are among these.
    #[inline]
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The kinds in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The kinds in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The kind of a dereferenced cell.
    #[must_use]
    pub fn of(store: &Store, cell: Cell) -> Self {
        match cell.tag() {
            Tag::Ref => Self::VARIABLE,
            Tag::Lis | Tag::Str => Self::COMPOUND,
            Tag::Atm => Self::ATOM,
            Tag::Txt => Self::STRING,
            Tag::Int if cell.int_value() < 0 => Self::NEGATIVE,
            Tag::Int => Self::NONNEGATIVE,
            _ => match store.number(cell) {
                Some(crate::term::Number::Int(value)) if value < 0 => Self::NEGATIVE,
                Some(crate::term::Number::Int(_)) => Self::NONNEGATIVE,
                Some(crate::term::Number::Big(value)) if value.sign() == num_bigint::Sign::Minus => {
                    Self::NEGATIVE
                }
                Some(crate::term::Number::Big(_)) => Self::NONNEGATIVE,
                Some(crate::term::Number::Float(_)) => Self::FLOAT,
                Some(crate::term::Number::Rational(_)) => Self::RATIONAL,
                None => Self::NONE,
            },
        }
    }

    /// The kind of a constant.
    pub(crate) fn of_constant(constant: &Constant) -> Self {
        match constant {
            Constant::Immediate(cell) if cell.tag() == Tag::Atm => Self::ATOM,
            Constant::Immediate(cell) if cell.tag() == Tag::Txt => Self::STRING,
            Constant::Immediate(cell) if cell.int_value() < 0 => Self::NEGATIVE,
            Constant::Immediate(_) => Self::NONNEGATIVE,
            Constant::Boxed(words) => {
                let (store, cell) = boxed(words);
                Self::of(&store, cell)
            }
        }
    }
}

/// A number, given by its words, in a store of its own.
pub(super) fn boxed(words: &[Cell]) -> (Store, Cell) {
    let mut store = Store::new();
    let start = store.len();
    for &word in words {
        store.push(word);
    }
    (store, Cell::boxed(start))
}

impl Primitive {
    /// The kinds of terms that the type holds of, and whether it also holds of compound terms if they are ground.
    pub(super) fn accepts(self) -> (Kinds, bool) {
        let number = Kinds::NEGATIVE.or(Kinds::NONNEGATIVE).or(Kinds::FLOAT).or(Kinds::RATIONAL);
        match self {
            Self::Term => (Kinds::ALL, false),
            Self::Int => (Kinds::NEGATIVE.or(Kinds::NONNEGATIVE), false),
            Self::NonNegative => (Kinds::NONNEGATIVE, false),
            Self::Float => (Kinds::FLOAT, false),
            Self::Number => (number, false),
            Self::Atom => (Kinds::ATOM, false),
            Self::String => (Kinds::STRING, false),
            Self::Constant => (Kinds::ATOMIC, false),
            Self::Callable => (Kinds::ATOM.or(Kinds::COMPOUND), false),
            Self::Compound => (Kinds::COMPOUND, false),
            Self::Ground => (Kinds::ATOMIC, true),
            Self::GroundCompound => (Kinds::NONE, true),
        }
    }
}

/// What a state accepts; `T` names the states of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape<T> {
    /// Whole kinds of terms.
    pub kinds: Kinds,
    /// Whether compound terms with other functors than those listed are accepted if they are ground.
    pub ground: bool,
    /// Constants of other kinds.
    pub constants: BTreeSet<Constant>,
    /// By functor (`'.'/2` for list cells) the states of the arguments.
    pub structures: BTreeMap<Cell, Vec<T>>,
}

/// What a state accepts, as the checker reads it: what most terms are decided by stands first.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// A bit for each [`Tag`] whose cells are all accepted.
    pub(crate) tags: u8,
    /// Whole kinds of terms.
    pub(crate) kinds: Kinds,
    /// Whether structures with other functors are accepted if they are ground.
    pub(crate) ground: bool,
    /// Whether there are constants that do not fit into a cell.
    pub(crate) boxed: bool,
    /// The states of head and tail of a list cell, if it is accepted.
    pub(crate) list: Option<[TypeId; 2]>,
    /// Where the same lie in [`super::Types::arguments`].
    pub(crate) list_states: u32,
    /// Where the constants lie in the table of constants, and how many they are.
    pub(crate) constants: (u32, u32),
    /// The same in the table of structures.
    pub(crate) structures: (u32, u32),
}

impl State {
    /// Whether every cell with this tag is accepted.
    #[inline]
    #[must_use]
    pub(crate) fn accepts_tag(&self, tag: Tag) -> bool {
        self.tags >> tag as u32 & 1 != 0
    }
}

/// What decides about most terms by their word alone, and where the same lies for the arguments of the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// A bit for each [`Tag`], the eight of them repeated, so that the low bits of a word choose one without a mask.
    /// A reference is accepted only if everything is.
    tags: u32,
    /// The first constants that are accepted; what is no term in place of those that there are not.
    constants: [Cell; Self::CONSTANTS],
    /// The first functors that are listed, but for that of list cells; what is no functor in place of those that there
    /// are not. Two are the colours of nodes, or leaves and nodes.
    functors: [Cell; Self::FUNCTORS],
    /// The type.
    pub(crate) id: TypeId,
    /// Where in [`super::Types::words`] those of a list cell's head and tail start, if list cells are listed.
    list: u32,
    /// The same for the arguments of the first functors.
    arguments: [u32; Self::FUNCTORS],
    /// How much deeper than a term an argument of this type lies: by 1, but for the cells of a list.
    deeper: u32,
}

impl Words {
    /// So many constants are compared with a word: colours, signs, the ends of lists and trees.
    const CONSTANTS: usize = 3;
    /// So many functors are compared with that of a structure before all are looked through.
    const FUNCTORS: usize = 2;
    /// The references among the tags.
    const REFERENCES: u8 = 1 << Tag::Ref as u8;
    /// A bit for each [`Tag`] of a term.
    const TERMS: u8 = !(1 << Tag::Hdr as u8);
    /// A cell that is no term, and the functor of none.
    const NO_CELL: Cell = Cell::functor(atom::NIL, 0);
    /// In place of where something starts.
    const NOWHERE: u32 = u32::MAX;

    /// What accepts the cells with these tags, and nothing else.
    pub(crate) const fn of_tags(tags: u8, id: TypeId) -> Self {
        let everything = tags & Self::TERMS == Self::TERMS;
        let tags = if everything { tags } else { tags & !Self::REFERENCES };
        Self {
            tags: tags as u32 * 0x0101_0101,
            constants: [Self::NO_CELL; Self::CONSTANTS],
            functors: [Self::NO_CELL; Self::FUNCTORS],
            id,
            list: Self::NOWHERE,
            arguments: [Self::NOWHERE; Self::FUNCTORS],
            deeper: 1,
        }
    }

    /// The words of a state with constants and structures.
    pub(super) fn new(id: TypeId, state: &State, constants: &[Cell], structures: &[(Cell, u32)]) -> Self {
        let mut words = Self::of_tags(state.tags, id);
        for (place, &constant) in words.constants.iter_mut().zip(constants) {
            *place = constant;
        }
        for (place, &(functor, arguments)) in structures.iter().take(Self::FUNCTORS).enumerate() {
            (words.functors[place], words.arguments[place]) = (functor, arguments);
        }
        if let Some([_, tail]) = state.list {
            words.list = state.list_states;
            words.deeper = u32::from(tail != id);
        }
        words
    }

    /// By how much an argument of this type lies deeper than its term.
    #[inline(always)]
    pub(crate) fn deeper(&self) -> u64 {
        u64::from(self.deeper)
    }

    /// A bit for each tag, as in a word of so many.
    pub(crate) fn tags(&self) -> u32 {
        self.tags
    }

    /// The first constant that is accepted, if it fits into so few bits; what is no term if there is none.
    pub(crate) fn short_constant(&self) -> u32 {
        self.constants
            .iter()
            .find_map(|constant| u32::try_from(constant.bits()).ok())
            .unwrap_or(Tag::Hdr as u32)
    }

    /// Whether a word is accepted by its tag; where a lie is told, any word of a compound term.
    #[inline(always)]
    pub(crate) fn accept_tag(&self, word: Cell, lies: bool) -> bool {
        let tags = if lies { self.tags | 0x0606_0606 } else { self.tags };
        tags >> (word.bits() & 31) & 1 != 0
    }

    /// Whether a word is one of the first constants.
    #[inline(always)]
    pub(crate) fn accept_constant(&self, word: Cell) -> bool {
        self.constants[0] == word || self.constants[1] == word || self.constants[2] == word
    }

    /// Whether more functors than the first may be listed.
    #[inline(always)]
    pub(super) fn may_list_more(&self) -> bool {
        self.arguments[Self::FUNCTORS - 1] != Self::NOWHERE
    }

    /// Where in [`super::Types::words`] those of the head and the tail of a list cell start. If list cells are not listed
    /// nothing is there.
    #[inline(always)]
    pub(super) fn of_list(&self) -> usize {
        self.list as usize
    }

    /// The same for the arguments of a structure with one of the first functors.
    #[inline(always)]
    pub(super) fn of_structure(&self, functor: Cell) -> Option<u32> {
        if functor == self.functors[0] {
            Some(self.arguments[0])
        } else if functor == self.functors[1] {
            Some(self.arguments[1])
        } else {
            None
        }
    }
}

/// The tags all of whose cells are of the given kinds.
pub(super) fn tags(kinds: Kinds) -> u8 {
    let integers = Kinds::NEGATIVE.or(Kinds::NONNEGATIVE);
    let boxes = integers.or(Kinds::FLOAT).or(Kinds::RATIONAL);
    [
        (Tag::Ref, Kinds::VARIABLE),
        (Tag::Str, Kinds::COMPOUND),
        (Tag::Lis, Kinds::COMPOUND),
        (Tag::Atm, Kinds::ATOM),
        (Tag::Int, integers),
        (Tag::Txt, Kinds::STRING),
        (Tag::Box, boxes),
    ]
    .into_iter()
    .filter(|&(_, needed)| kinds.contains(needed))
    .fold(0, |tags, (tag, _)| tags | 1 << tag as u8)
}
