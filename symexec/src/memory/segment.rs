//! Objects merged into one array.
//!
//! In the dynamically segmented memory model (D. Trabish, N. Rinetzky, *Relocatable Addressing Model for
//! Symbolic Execution*, ISSTA 2020) a pointer that may be one of several objects makes no path for each:
//! the objects become one segment, in which each has an offset, and the access goes to the segment at
//! that offset plus the pointer's own. Here a segment is a list of offsets and contents. The members
//! keep their numbers, sizes, places, lives and rights: where a pointer may point, and whether an access
//! is inside its member, is asked of the members and never of the segment, so the bytes between two of
//! them belong to nobody.
//!
//! Merging costs the bytes of the members, and a member is merged again only if a pointer joins its
//! segment with something else, so at most as often as there are objects.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Allocator, Contents, Holder, Home, Life, Memory, ObjectId, Value};
use crate::base::bits::BinaryOp;
use crate::base::id::id;
use crate::expr::{AddressId, Arena, ExprId};

id! {
    /// A segment of a path.
    SegmentId
}

/// A segment has no more bytes than this; objects that would need more stay apart, and the pointer is
/// resolved by one path for each. An array that is read at an unknown place has an expression for every
/// byte.
pub const LARGEST_SEGMENT: u64 = 1 << 16;

/// Offsets of members are multiples of this, so that what was aligned in its object is in the segment.
const ALIGNMENT: u64 = 16;

/// Objects in one array.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// The members in the order of their offsets; those that have died since count no more.
    pub(super) members: Vec<(ObjectId, u64)>,
    pub(super) contents: Contents,
}

impl Memory {
    /// The segment that all of these objects are in, if they are in one.
    #[must_use]
    pub fn common_segment(&self, objects: &[ObjectId]) -> Option<SegmentId> {
        let mut common = None;
        for id in objects {
            let Home::Segment(segment, _) = self.object(*id)?.home else { return None };
            if common.is_some_and(|other| other != segment) {
                return None;
            }
            common = Some(segment);
        }
        common
    }

    /// Merges objects into one segment, with all other members of the segments that they are in; `None`
    /// if that would be too large. What objects hold does not change.
    pub fn merge(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        objects: &[ObjectId],
    ) -> Option<SegmentId> {
        if let Some(common) = self.common_segment(objects) {
            return Some(common);
        }
        let mut members: Vec<(ObjectId, u64)> = Vec::new();
        let mut joined: Vec<SegmentId> = Vec::new();
        let mut size = 0u64;
        for id in objects {
            let together = match self.object(*id)?.home {
                Home::Own(_) => vec![*id],
                Home::Segment(segment, _) if joined.contains(&segment) => continue,
                Home::Segment(segment, _) => {
                    joined.push(segment);
                    self.segments.get(&segment)?.members.iter().map(|(member, _)| *member).collect()
                }
            };
            for member in together {
                let Some(object) = self.object(member).filter(|object| object.life == Life::Live) else {
                    continue;
                };
                let offset = size;
                size = size.checked_add(object.size)?.checked_next_multiple_of(ALIGNMENT)?;
                members.push((member, offset));
            }
        }
        if size > LARGEST_SEGMENT {
            return None;
        }
        let id = SegmentId(self.next_segment);
        self.next_segment = self.next_segment.checked_add(1)?;
        let contents = Contents::zeros(usize::try_from(size).ok()?);
        let segment = Segment { members: members.clone(), contents };
        self.segments.insert_mut(id, Rc::new(segment));
        for (member, offset) in members {
            let length = self.object(member).map_or(0, |object| object.size);
            self.move_into(arena, shared, id, offset, member, length);
        }
        for segment in joined {
            self.segments.remove_mut(&segment);
        }
        Some(id)
    }

    /// Makes a segment the home of an object, contents and all.
    fn move_into(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        segment: SegmentId,
        offset: u64,
        object: ObjectId,
        length: u64,
    ) {
        let taken = self.holder(object).and_then(|(holder, start)| {
            let held = self.held(holder)?;
            Some(held.contents()?.take(arena, start, length, &mut |arena, value, width| {
                self.expression(arena, shared, value, width)
            }))
        });
        self.mark(object, |object| object.home = Home::Segment(segment, offset));
        if let Some(taken) = taken {
            self.change(shared, Holder::Segment(segment), |contents, as_expression| {
                contents.put(arena, offset, &taken, as_expression);
            });
        }
    }

    /// The offset in their segment at which an access lies that goes to one of several members: to the
    /// one whose address `base` is, `offset` bytes from its start.
    fn offset_in_segment(
        &self,
        arena: &mut Arena,
        base: ExprId,
        members: &[(AddressId, ObjectId)],
        offset: ExprId,
    ) -> ExprId {
        let mut starts = FxHashMap::default();
        for (address, object) in members {
            if let Some((_, start)) = self.holder(*object) {
                starts.insert(*address, arena.constant(64, start / ALIGNMENT));
            }
        }
        let start = arena.select(base, 64, &starts);
        let unit = arena.constant(64, ALIGNMENT);
        let start = arena.binary(BinaryOp::Mul, unit, start);
        arena.binary(BinaryOp::Add, start, offset)
    }

    /// Reads at an unknown offset of one of several members of a segment; the access lies inside the
    /// member whose address `base` is.
    pub fn load_among(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        (segment, base, members): (SegmentId, ExprId, &[(AddressId, ObjectId)]),
        offset: ExprId,
        bytes: u32,
    ) -> ExprId {
        let offset = self.offset_in_segment(arena, base, members, offset);
        let bounds = (0, self.size_of(segment));
        self.load_held(arena, shared, (Holder::Segment(segment), bounds), offset, bytes)
    }

    /// Writes at an unknown offset of one of several members of a segment, as [`Self::load_among`]
    /// reads.
    pub fn store_among(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        (segment, base, members): (SegmentId, ExprId, &[(AddressId, ObjectId)]),
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) {
        let offset = self.offset_in_segment(arena, base, members, offset);
        let bounds = (0, self.size_of(segment));
        self.store_held(arena, shared, (Holder::Segment(segment), bounds), offset, bytes, value);
    }

    /// [`Self::store_among`], unless that would leave pointers beside integers in one array; says whether it did.
    pub fn store_among_apart(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        (segment, base, members): (SegmentId, ExprId, &[(AddressId, ObjectId)]),
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) -> bool {
        let offset = self.offset_in_segment(arena, base, members, offset);
        let bounds = (0, self.size_of(segment));
        self.store_held_apart(arena, shared, (Holder::Segment(segment), bounds), offset, bytes, value)
    }

    fn size_of(&self, segment: SegmentId) -> u64 {
        self.segments.get(&segment).map_or(0, |found| found.contents.size())
    }

    /// Whether a segment has been written at an unknown place, so that there are arrays in it.
    #[must_use]
    pub fn is_array(&self, segment: SegmentId) -> bool {
        self.segments.get(&segment).is_some_and(|found| found.contents.has_columns())
    }
}
