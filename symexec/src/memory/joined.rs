//! Two memories that parted as one, for states that meet again.

use std::rc::Rc;

use super::contents::joined::Choose;
use super::{Allocator, Home, Life, Memory, Object};
use crate::expr::{Arena, ExprId};

impl Object {
    /// Whether another version differs in nothing but what it holds.
    fn is_like(&self, other: &Self) -> bool {
        let facts = |object: &Self| {
            (
                (object.kind, object.size, object.length, object.base, object.site),
                (object.read_only, object.undefined, object.life, object.origin),
            )
        };
        let addresses = (self.address, other.address);
        facts(self) == facts(other)
            && (addresses.0 == addresses.1 || matches!(addresses, (None, _) | (_, None)))
    }
}

impl Memory {
    /// This memory, with a choice wherever another one holds something else; `None` if the objects that can be
    /// used are not the same, or lie in different segments.
    ///
    /// Numbers and places of objects stay what they are. What only one of them made is gone by now, or nobody
    /// could say what it is in the other one.
    pub fn joined(
        &self,
        other: &Self,
        arena: &mut Arena,
        shared: &mut Allocator,
        choose: &mut Choose<'_>,
    ) -> Option<Self> {
        let segments_agree = self.segments.size() == other.segments.size()
            && self
                .segments
                .iter()
                .zip(other.segments.iter())
                .all(|((id, one), (number, two))| id == number && Rc::ptr_eq(one, two));
        if !segments_agree || self.fixed != other.fixed {
            return None;
        }
        let mut joined = self.clone();
        joined.next = self.next.max(other.next);
        joined.next_segment = self.next_segment.max(other.next_segment);
        let mut differing = Vec::new();
        for (number, object) in other.objects.iter() {
            match self.objects.get(number) {
                Some(own) if Rc::ptr_eq(own, object) => {}
                Some(own) if own.is_like(object) => {
                    if let (None, Some(_)) = (own.address, object.address)
                        && let Some(own) = joined.objects.get_mut(number)
                    {
                        own.address = object.address;
                    }
                    differing.push((number, Rc::clone(own), Rc::clone(object)));
                }
                None if object.life == Life::Dead => joined.objects.insert(number, Rc::clone(object)),
                _ => return None,
            }
        }
        let mut own = self.objects.iter();
        if own.any(|(number, object)| object.life == Life::Live && other.objects.get(number).is_none()) {
            return None;
        }
        for (number, one, two) in differing {
            let contents = match (&one.home, &two.home) {
                (Home::Own(one), Home::Own(two)) => {
                    let mut as_expression = |arena: &mut Arena, value, width| -> ExprId {
                        joined.expression(arena, shared, value, width)
                    };
                    one.joined(two, arena, &mut as_expression, choose)?
                }
                (Home::Segment(one, from), Home::Segment(two, place)) if (one, from) == (two, place) => {
                    continue;
                }
                _ => return None,
            };
            joined.objects.get_mut(number)?.home = Home::Own(contents);
        }
        Some(joined)
    }
}
