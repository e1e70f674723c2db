//! Choices and arrays, which hold pointers as well as integers.

use super::{Arena, Class, ExprId, Info, LiteralId, Node};
use crate::base::bits::BinaryOp;

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
                (self.split_nullable(yes), self.split_nullable(no))
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
            Class::either((self.class(yes), self.is_null(yes)), (self.class(no), self.is_null(no)))
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
            let own = (self.class(*element), self.is_null(*element));
            class = Some(match class {
                None => own,
                Some(before) => (Class::either(before, own), before.1 && own.1),
            });
        }
        let class = class.map_or(Class::Integer, |(class, _)| class);
        // One element that is a sum makes all of them sums (of null and zero, if need be).
        let class = if class == Class::Layout && elements.iter().all(|id| self.split_nullable(*id).is_some())
        {
            Class::Offset
        } else {
            class
        };
        let next = LiteralId::at(self.literals.len());
        let key: Box<[ExprId]> = elements.into();
        let id = *self.literal_ids.entry(key.clone()).or_insert(next);
        if id == next {
            self.literals.push(key);
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
                // An array of zeros becomes one of pointers with the first pointer.
                Class::Integer if self.class(value) == Class::Pointer && self.is_zeros(array) => {
                    Class::Pointer
                }
                class => Class::either((class, false), (self.class(value), self.is_null(value))),
            }
        } else {
            Class::Layout
        };
        let class = if class == Class::Offset { Class::Layout } else { class };
        let addresses = self.mentions(&[array, index, value]);
        self.add(Node::Store(array, index, value), Info { width, class, addresses })
    }

    fn is_zeros(&self, array: ExprId) -> bool {
        match self.node(array) {
            Node::Literal(literal) => self.literal(literal).iter().all(|element| self.is_null(*element)),
            _ => false,
        }
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
            if self.class(array) == Class::Offset && self.class(index) == Class::Integer {
                return self.read_sums(literal, index);
            }
        }
        let class = if self.class(index) == Class::Integer { self.class(array) } else { Class::Layout };
        let addresses = self.mentions(&[array, index]);
        self.add(Node::Read(array, index), Info { width, class, addresses })
    }

    /// An element of an array of pointers with something added: the sum of elements of two arrays.
    fn read_sums(&mut self, literal: LiteralId, index: ExprId) -> ExprId {
        let zero = self.constant(64, 0);
        let elements = self.literal(literal).to_vec();
        let (mut bases, mut sums) = (Vec::new(), Vec::new());
        for element in elements {
            let (base, added) = self.split_nullable(element).unwrap_or((element, None));
            bases.push(base);
            sums.push(added.unwrap_or(zero));
        }
        let bases = self.literal_array(&bases);
        let sums = self.literal_array(&sums);
        let base = self.read(bases, index);
        let added = self.read(sums, index);
        self.binary(BinaryOp::Add, base, added)
    }
}
