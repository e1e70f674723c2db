//! What is known of a type that inference has not found yet: that it is a map, with the indices and
//! elements it was used with, or that it is a bit vector, with the widths it is made of.
//!
//! A type parameter whose value is selected from, stored into, or concatenated is such a hole. What is
//! known is checked when the hole is filled; a hole that nothing fills becomes the most general map, or
//! the shortest bit vector.

use super::{Type, TypeId, Types};

/// What is known of a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A map with so many indices, and the types of those and of the element wherever it was used.
    Map(usize, Vec<(Vec<TypeId>, TypeId)>),
    /// A bit vector of at least so many bits.
    Bits(u32),
}

/// A bit vector made of two others; at least one of the three is a hole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Concatenation {
    left: TypeId,
    right: TypeId,
    whole: TypeId,
}

impl Types {
    /// Takes a hole for a map that is used with indices of these types, and gives the type of the element;
    /// `None` if it cannot be one.
    pub(crate) fn used_as_map(&mut self, hole: TypeId, indices: &[TypeId]) -> Option<TypeId> {
        let hole = self.shallow(hole);
        let Type::Hole(number) = *self.get(hole) else { return None };
        let element = self.hole();
        match self.shapes.get_mut(&number) {
            None => {
                self.shapes.insert(number, Shape::Map(indices.len(), vec![(indices.to_vec(), element)]));
            }
            Some(Shape::Map(arity, uses)) if *arity == indices.len() => {
                uses.push((indices.to_vec(), element));
            }
            Some(_) => return None,
        }
        Some(element)
    }

    /// Takes a type for a bit vector of at least so many bits; says whether it can be one.
    pub(crate) fn used_as_bits(&mut self, ty: TypeId, bits: u32) -> bool {
        let ty = self.shallow(ty);
        match *self.get(ty) {
            Type::BitVector(width) => width >= bits,
            Type::Hole(number) => match self.shapes.get_mut(&number) {
                None => {
                    self.shapes.insert(number, Shape::Bits(bits));
                    true
                }
                Some(Shape::Bits(least)) => {
                    *least = bits.max(*least);
                    true
                }
                Some(Shape::Map(..)) => false,
            },
            _ => false,
        }
    }

    /// The type of a concatenation, at least one of whose parts is a hole; `None` if one cannot be a bit
    /// vector.
    pub(crate) fn concatenated(&mut self, left: TypeId, right: TypeId) -> Option<TypeId> {
        let (left, right) = (self.shallow(left), self.shallow(right));
        if !self.used_as_bits(left, 0) || !self.used_as_bits(right, 0) {
            return None;
        }
        let least = self.least_bits(left).saturating_add(self.least_bits(right));
        let whole = self.hole();
        self.used_as_bits(whole, least);
        self.concatenations.push(Concatenation { left, right, whole });
        Some(whole)
    }

    fn least_bits(&self, ty: TypeId) -> u32 {
        match self.get(self.shallow(ty)) {
            Type::BitVector(width) => *width,
            Type::Hole(number) => match self.shapes.get(number) {
                Some(Shape::Bits(least)) => *least,
                _ => 0,
            },
            _ => 0,
        }
    }

    fn width(&self, ty: TypeId) -> Option<u32> {
        match self.get(self.shallow(ty)) {
            Type::BitVector(width) => Some(*width),
            _ => None,
        }
    }

    /// What a hole becomes that nothing determined: the most general map, the shortest bit vector, or the
    /// given type. Also its text, where it has names of its own.
    pub(crate) fn default_of(&mut self, hole: TypeId, otherwise: TypeId) -> (TypeId, Option<String>) {
        let hole = self.shallow(hole);
        let Type::Hole(number) = *self.get(hole) else { return (hole, None) };
        match self.shapes.get(&number).cloned() {
            None => (otherwise, None),
            Some(Shape::Map(arity, _)) => {
                let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
                let bound: Vec<TypeId> =
                    (0..=arity).map(|index| self.intern(Type::Bound(0, narrow(index)))).collect();
                let (arguments, result) = bound.split_at(arity);
                let ty = self.intern(Type::Map(narrow(arity + 1), arguments.to_vec(), result[0]));
                let names = (0..arity).map(|index| format!("arg{index}")).collect::<Vec<_>>().join(",");
                let comma = if arity > 0 { "," } else { "" };
                (ty, Some(format!("<{names}{comma}res>[{names}]res")))
            }
            Some(Shape::Bits(least)) => {
                let mut bits = least;
                for Concatenation { left, right, whole } in self.concatenations.clone() {
                    let Some(width) = self.width(whole) else { continue };
                    if self.shallow(left) == hole {
                        bits = width.saturating_sub(self.least_bits(right));
                        break;
                    }
                    if self.shallow(right) == hole {
                        bits = width.saturating_sub(self.least_bits(left));
                        break;
                    }
                }
                (self.intern(Type::BitVector(bits)), None)
            }
        }
    }

    /// Whether a hole of which something is known can be the given type, as far as that can be said: what
    /// is known of it is moved to the type.
    pub(super) fn fits_shape(&mut self, number: u32, ty: TypeId) -> bool {
        let Some(shape) = self.shapes.get(&number).cloned() else { return true };
        if let Type::Hole(other) = *self.get(ty) {
            return match (self.shapes.get(&other).cloned(), shape) {
                (None, shape) => {
                    self.shapes.insert(other, shape);
                    true
                }
                (Some(Shape::Bits(a)), Shape::Bits(b)) => {
                    self.shapes.insert(other, Shape::Bits(a.max(b)));
                    true
                }
                (Some(Shape::Map(a, mut uses)), Shape::Map(b, more)) if a == b => {
                    uses.extend(more);
                    self.shapes.insert(other, Shape::Map(a, uses));
                    true
                }
                _ => false,
            };
        }
        match (self.get(ty).clone(), shape) {
            (Type::BitVector(width), Shape::Bits(least)) => width >= least,
            (Type::Map(parameters, arguments, result), Shape::Map(arity, uses)) => {
                arguments.len() == arity
                    && uses.into_iter().all(|(indices, element)| {
                        let holes: Vec<TypeId> = (0..parameters).map(|_| self.hole()).collect();
                        let (arguments, result) = self.open_map(&arguments, result, &holes);
                        indices.into_iter().zip(arguments).all(|(a, b)| self.unify(a, b))
                            && self.unify(element, result)
                    })
            }
            _ => false,
        }
    }

    /// Whether a hole could be the given type for some choice of the type variables in both.
    pub(super) fn shape_may_agree(&self, number: u32, ty: TypeId) -> bool {
        match (self.shapes.get(&number), self.get(ty)) {
            (Some(Shape::Map(arity, uses)), Type::Map(_, arguments, result)) => {
                *arity == arguments.len()
                    && uses.iter().all(|(indices, element)| {
                        indices.iter().zip(arguments).all(|(a, b)| self.may_agree(*a, *b))
                            && self.may_agree(*element, *result)
                    })
            }
            (Some(Shape::Bits(least)), Type::BitVector(width)) => width >= least,
            (None, _) | (Some(_), Type::Unknown | Type::Hole(_) | Type::Variable(_) | Type::Bound(..)) => {
                true
            }
            _ => false,
        }
    }

    /// How a hole of which something is known is shown.
    pub(super) fn show_shape(&self, number: u32) -> Option<String> {
        match self.shapes.get(&number)? {
            Shape::Map(arity, _) => Some(format!("[{}]?", vec!["?"; *arity].join(","))),
            Shape::Bits(_) => None,
        }
    }
}
