//! Choices and arrays, which hold pointers as well as integers.

use super::{Arena, Class, ExprId, Info, LiteralId, Node};
use crate::base::bits::BinaryOp;

/// Whether an array consists of markers is looked for below so many replaced elements.
const MOST_MARKS: usize = 64;

/// The places of an array that a read at an unknown place may reach as far as the bounds of its index
/// tell, by what is there; each in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Places {
    nulls: Vec<u64>,
    markers: Vec<u64>,
    pointers: Vec<u64>,
    integers: Vec<u64>,
    others: Vec<u64>,
}

impl Places {
    /// Zeros; other markers; pointers, with or without something added; other integers; the rest.
    pub fn groups(&self) -> impl Iterator<Item = &[u64]> {
        [&self.nulls, &self.markers, &self.pointers, &self.integers, &self.others]
            .into_iter()
            .map(Vec::as_slice)
            .filter(|places| !places.is_empty())
    }

    /// The groups without the zeros, which may be of any kind.
    pub fn kinds(&self) -> impl Iterator<Item = &[u64]> {
        self.groups().skip(usize::from(!self.nulls.is_empty()))
    }

    /// Whether all that is at the places of some of these groups is of one kind: a marker may be a pointer
    /// or an integer.
    #[must_use]
    pub fn are_of_one_kind(&self, kinds: &[&[u64]]) -> bool {
        let unmarked = kinds.iter().filter(|kind| **kind != self.markers).count();
        unmarked == 0 || unmarked == 1 && (kinds.len() == 1 || !kinds.contains(&self.others.as_slice()))
    }

    /// How many places there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.groups().map(<[u64]>::len).sum()
    }

    /// The zeros.
    #[must_use]
    pub fn nulls(&self) -> &[u64] {
        &self.nulls
    }
}

impl Arena {
    /// `yes` if the condition is 1, else `no`.
    pub fn choose(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        if yes == no {
            return yes;
        }
        let (condition, yes, no) = match self.node(condition) {
            Node::Constant(0) => return no,
            Node::Constant(_) => return yes,
            Node::Not(inner) => (inner, no, yes),
            _ => (condition, yes, no),
        };
        let width = self.width(yes);
        if width == 1 && self.is_true(yes) && self.is_false(no) {
            return condition;
        }
        if width == 1 && self.is_false(yes) && self.is_true(no) {
            return self.not(condition);
        }
        // Pointers with something added: the choice of the pointer, plus the choice of what is added.
        if (self.class(yes) == Class::Offset || self.class(no) == Class::Offset)
            && let (Some((base, added)), Some((other, added_to_other))) =
                (self.split_markable(yes), self.split_markable(no))
        {
            let zero = self.constant(64, 0);
            let base = self.raw_choose(condition, base, other);
            let added = self.raw_choose(condition, added.unwrap_or(zero), added_to_other.unwrap_or(zero));
            return self.binary(BinaryOp::Add, base, added);
        }
        self.raw_choose(condition, yes, no)
    }

    fn raw_choose(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        if yes == no {
            return yes;
        }
        let class = if self.class(condition) == Class::Integer {
            Class::either((self.class(yes), self.is_marker(yes)), (self.class(no), self.is_marker(no)))
        } else {
            Class::Layout
        };
        let addresses = self.mentions(&[condition, yes, no]);
        self.add(Node::Choose(condition, yes, no), Info { width: self.width(yes), class, addresses })
    }

    /// An array given element by element; there is at least one, and all have one width.
    pub fn literal_array(&mut self, elements: &[ExprId]) -> ExprId {
        let width = elements.first().map_or(8, |first| self.width(*first));
        let mut class: Option<(Class, bool)> = None;
        for element in elements {
            let own = (self.class(*element), self.is_marker(*element));
            class = Some(match class {
                None => own,
                Some(before) => (Class::either(before, own), before.1 && own.1),
            });
        }
        let class = class.map_or(Class::Integer, |(class, _)| class);
        // One element that is a sum makes all of them sums (of a marker and zero, if need be).
        let class = if class == Class::Layout && elements.iter().all(|id| self.split_markable(*id).is_some())
        {
            Class::Offset
        } else {
            class
        };
        let next = LiteralId::at(self.literals.len());
        let literals = &self.literals;
        let known = |number: u32| &*literals[number as usize];
        let id = LiteralId(self.unique_literals.number(&elements, next.0, known));
        if id == next {
            self.literals.push(elements.into());
            self.literal_elements += elements.len();
        }
        let addresses = self.mentions(elements);
        self.add(Node::Literal(id), Info { width, class, addresses })
    }

    /// An array with one element replaced.
    pub fn store(&mut self, array: ExprId, index: ExprId, value: ExprId) -> ExprId {
        let width = self.width(array);
        if let (Node::Literal(literal), Some(place)) = (self.node(array), self.as_u64(index)) {
            let mut elements = self.literal(literal).to_vec();
            if let Some(element) = usize::try_from(place).ok().and_then(|place| elements.get_mut(place)) {
                *element = value;
                return self.literal_array(&elements);
            }
        }
        // What is overwritten at once does not matter.
        let array = match self.node(array) {
            Node::Store(below, same, _) if same == index => below,
            _ => array,
        };
        let class = if self.class(index) == Class::Integer {
            match self.class(array) {
                // An array of markers becomes one of pointers with the first pointer.
                Class::Integer if self.class(value) == Class::Pointer && self.is_marked(array) => {
                    Class::Pointer
                }
                class => Class::either((class, false), (self.class(value), self.is_marker(value))),
            }
        } else {
            Class::Layout
        };
        let class = if class == Class::Offset { Class::Layout } else { class };
        let addresses = self.mentions(&[array, index, value]);
        self.add(Node::Store(array, index, value), Info { width, class, addresses })
    }

    /// Whether an array consists of markers.
    fn is_marked(&self, array: ExprId) -> bool {
        let mut array = array;
        for _ in 0..MOST_MARKS {
            match self.node(array) {
                Node::Literal(literal) => {
                    return self.literal(literal).iter().all(|element| self.is_marker(*element));
                }
                Node::Store(below, _, value) if self.is_marker(value) => array = below,
                _ => return false,
            }
        }
        false
    }

    /// Whether the elements of an array are pointers, or markers.
    pub(crate) fn may_be_pointers(&self, array: ExprId) -> bool {
        self.class(array) == Class::Pointer || self.width(array) == 64 && self.is_marked(array)
    }

    /// Elements that are all pointers, with or without something added, or markers: the array of the pointers, and
    /// that of what is added to them.
    pub(crate) fn literal_sums(&mut self, elements: &[ExprId]) -> Option<(ExprId, ExprId)> {
        let zero = self.constant(64, 0);
        let (mut bases, mut sums) = (Vec::new(), Vec::new());
        for element in elements {
            let (base, added) = self.split_markable(*element)?;
            bases.push(base);
            sums.push(added.unwrap_or(zero));
        }
        Some((self.literal_array(&bases), self.literal_array(&sums)))
    }

    /// An element of an array; zero behind its end.
    pub fn read(&mut self, array: ExprId, index: ExprId) -> ExprId {
        let width = self.width(array);
        let mut array = array;
        loop {
            match self.node(array) {
                Node::Store(_, place, value) if place == index => return value,
                Node::Store(below, place, _) if self.is_constant(place) && self.is_constant(index) => {
                    array = below;
                }
                _ => break,
            }
        }
        if let Node::Literal(literal) = self.node(array) {
            if let Some(place) = self.as_u64(index) {
                let element = usize::try_from(place).ok().and_then(|place| self.literal(literal).get(place));
                return element.copied().unwrap_or_else(|| self.constant(width, 0));
            }
            if self.class(array) == Class::Offset
                && self.class(index) == Class::Integer
                && let Some(sum) = self.read_sums(literal, index)
            {
                return sum;
            }
        }
        let class = if self.class(index) == Class::Integer { self.class(array) } else { Class::Layout };
        let addresses = self.mentions(&[array, index]);
        self.add(Node::Read(array, index), Info { width, class, addresses })
    }

    /// A read of the part of an array that the index can reach, as far as its expression shows: a table inside a
    /// large object is read, and not the object. The read itself where that is most of the array.
    pub fn narrowed(&mut self, read: ExprId) -> ExprId {
        let Node::Read(array, index) = self.node(read) else { return read };
        let Node::Literal(literal) = self.node(array) else { return read };
        let (least, most) = self.range(index);
        let elements = self.literal(literal);
        let (Ok(least), Ok(most)) = (usize::try_from(least), usize::try_from(most)) else { return read };
        // What is behind the array's end is zero, also behind that of its last part.
        let Some(part) = elements.get(least..most.saturating_add(1).min(elements.len())) else { return read };
        if part.is_empty() || part.len() > elements.len() / 2 {
            return read;
        }
        let part = part.to_vec();
        let array = self.literal_array(&part);
        let first = self.constant(self.width(index), least as u64);
        let index = self.binary(BinaryOp::Sub, index, first);
        self.read(array, index)
    }

    /// An element of an array of pointers with something added: the sum of elements of two arrays.
    fn read_sums(&mut self, literal: LiteralId, index: ExprId) -> Option<ExprId> {
        let elements = self.literal(literal).to_vec();
        let (bases, sums) = self.literal_sums(&elements)?;
        let base = self.read(bases, index);
        let added = self.read(sums, index);
        Some(self.binary(BinaryOp::Add, base, added))
    }

    /// The index of a read at an unknown place of an array that is given element by element, and what it
    /// may reach.
    #[must_use]
    pub fn places(&self, read: ExprId) -> Option<(ExprId, Places)> {
        let Node::Read(array, index) = self.node(read) else { return None };
        let Node::Literal(literal) = self.node(array) else { return None };
        if self.class(index) != Class::Integer {
            return None;
        }
        let (least, most) = self.range(index);
        let mut places = Places::default();
        for (place, element) in (0..).zip(self.literal(literal)) {
            if i128::from(place) < least || i128::from(place) > most {
                continue;
            }
            let group = match self.class(*element) {
                _ if self.is_null(*element) => &mut places.nulls,
                _ if self.is_marker(*element) => &mut places.markers,
                Class::Pointer | Class::Offset => &mut places.pointers,
                Class::Integer => &mut places.integers,
                Class::Layout => &mut places.others,
            };
            group.push(place);
        }
        Some((index, places))
    }

    /// Whether an index is one of some places, which are in ascending order.
    pub fn among(&mut self, index: ExprId, places: &[u64]) -> ExprId {
        let mut any = self.truth(false);
        for run in places.chunk_by(|one, next| one + 1 == *next) {
            let (Some(first), length) = (run.first(), run.len() as u64) else { continue };
            let first = self.constant(64, *first);
            let distance = self.binary(BinaryOp::Sub, index, first);
            let length = self.constant(64, length);
            let inside = self.less(distance, length);
            any = self.binary(BinaryOp::Or, any, inside);
        }
        any
    }

    /// A read of an array of which only some places can be reached, in ascending order; what is at the
    /// others does not matter and becomes zero.
    pub fn read_among(&mut self, read: ExprId, places: &[u64]) -> ExprId {
        let Node::Read(array, index) = self.node(read) else { return read };
        let Node::Literal(literal) = self.node(array) else { return read };
        let zero = self.constant(self.width(array), 0);
        let elements: Vec<ExprId> = (0..)
            .zip(self.literal(literal))
            .map(|(place, element)| if places.binary_search(&place).is_ok() { *element } else { zero })
            .collect();
        let array = self.literal_array(&elements);
        self.read(array, index)
    }
}
