//! Segments that are used again: the base that address-aware caching is compared with in the segmented
//! memory model.
//!
//! The authors of that model give a new segment the address of an earlier one where the same set of objects
//! was merged at the same instruction before, by whatever path, so that what is asked afterwards is equal in
//! numbers and a plain cache knows it (section 2.3.3 of D. Trabish, N. Rinetzky, *Relocatable Addressing
//! Model for Symbolic Execution*). Their programs then see the new addresses, and conditions that were
//! found with the old ones are put anew. Here objects never move: the program sees the places that it has
//! seen from the start, and what is used again are the places that *questions* have for the members
//! ([`Moved`]), and only questions whose answer is the same in every layout. So reuse can change how often
//! a question is found, and nothing else.
//!
//! # Which merges are the same
//! Those at one instruction of members that were made for the same, at the same places of the program, of
//! the same sizes, in the same order. Objects' numbers and addresses differ between paths that have the same
//! objects, so they do not count. Equal merges have equal offsets, so equal segments' places are equal places of
//! members.
//!
//! # No place is used twice on a path
//! Paths share places, a path never uses one again. A path that merges such members for the n-th time gets
//! the n-th place of this kind of merge, and makes it if no path has needed it yet: a table of all paths has
//! the places, each path counts how many it has used. That holds for members that were freed since as well,
//! because dangling pointers are compared; and for a segment that became part of a larger one, which lies
//! elsewhere as a whole. The places are above those of all objects and below the canonical layout's, so no
//! object that was never merged lies there.
//!
//! # Cost
//! A merge costs its members, and makes all questions of the path new: each expression of its constraints is
//! rewritten once after each merge.

use std::rc::Rc;

use rpds::RedBlackTreeMap;
use rustc_hash::FxHashMap;

use super::allocator::{LAST, RED_ZONE};
use super::{Kind, Memory, Object, SegmentId};
use crate::expr::{Arena, Moved, Node};
use crate::module::{FunctionId, LocationId};

/// Places from here on are never given out; where the canonical layout of questions begins.
const END: u64 = 1 << 50;

/// Merges that are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Merge {
    /// The instruction.
    at: (FunctionId, u32),
    /// For what, where in the program, and with how many bytes each member was made.
    members: Box<[(Kind, LocationId, u64)]>,
}

/// The places of segments, of all paths.
#[derive(Debug)]
pub struct SegmentPlaces {
    next: u64,
    numbers: FxHashMap<Merge, u32>,
    /// By the number of the merge, then by how often a path had merged so before.
    places: Vec<Vec<u64>>,
}

impl Default for SegmentPlaces {
    fn default() -> Self {
        Self { next: LAST, numbers: FxHashMap::default(), places: Vec::new() }
    }
}

impl SegmentPlaces {
    /// The number of a merge.
    fn number(&mut self, merge: Merge) -> u32 {
        let next = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(merge).or_insert(next);
        if number == next {
            self.places.push(Vec::new());
        }
        number
    }

    /// The place of a segment of `size` bytes with its red zones, for a path that had merged so `before` times; `None`
    /// if there is no more room.
    fn place(&mut self, number: u32, before: usize, size: u64) -> Option<u64> {
        let places = self.places.get_mut(number as usize)?;
        if let Some(place) = places.get(before) {
            return Some(*place);
        }
        let place = self.next;
        let next = place.checked_add(size).filter(|next| *next <= END)?;
        self.next = next;
        places.push(place);
        Some(place)
    }
}

/// What a path has used of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Used {
    /// How many places of each merge, by number.
    counts: RedBlackTreeMap<u32, usize>,
    /// Where questions see the members.
    moved: Option<Rc<Moved>>,
}

impl Used {
    /// Where questions see the members, whether objects of the program's choice lie there or not.
    pub(super) fn moved(&self) -> Option<&Rc<Moved>> {
        self.moved.as_ref()
    }
}

impl Memory {
    /// Where questions see merged objects, if some were given places.
    #[must_use]
    pub fn merged_places(&self) -> Option<&Rc<Moved>> {
        // An object of the program's choice may lie where segments do; then all are seen where they are.
        let among = |(begin, end): &(u64, u64)| *begin < END && LAST < end.saturating_add(RED_ZONE);
        self.reuse.moved.as_ref().filter(|_| !self.fixed.iter().any(among))
    }

    /// Gives a segment that was just made by the instruction `at` a place in questions. Where
    /// none is left, its members stay where they are.
    pub fn place_segment(
        &mut self,
        arena: &mut Arena,
        places: &mut SegmentPlaces,
        segment: SegmentId,
        at: (FunctionId, u32),
    ) {
        let Some(segment) = self.segments.get(&segment) else { return };
        let members: Vec<Rc<Object>> =
            segment.members.iter().filter_map(|(id, _)| self.object(*id).cloned()).collect();
        let described = members.iter().map(|object| (object.kind, object.site, object.size));
        let number = places.number(Merge { at, members: described.collect() });
        let before = self.reuse.counts.get(&number).copied().unwrap_or(0);
        // Apart even where they have no bytes: objects that differ have addresses that do.
        let mut end = Some(0u64);
        let mut offsets = Vec::with_capacity(members.len());
        for object in &members {
            offsets.push(end.unwrap_or(0));
            end = end.and_then(|end| behind(end, object.size));
        }
        let Some(place) = end.and_then(|size| places.place(number, before, size)) else { return };
        let mut moved = Vec::with_capacity(members.len());
        for (object, offset) in members.iter().zip(offsets) {
            // What is in no expression yet is in no question.
            if let Some(Node::Address(address)) = object.address.map(|address| arena.node(address)) {
                moved.push((address, arena.address_elsewhere(address, place + offset)));
            }
        }
        self.reuse.counts.insert_mut(number, before + 1);
        let others = self.reuse.moved.take().unwrap_or_default();
        self.reuse.moved = Some(Rc::new(others.and(moved)));
    }
}

/// Where the next object may begin behind one of `size` bytes.
fn behind(begin: u64, size: u64) -> Option<u64> {
    begin.checked_add(size.max(1))?.checked_add(RED_ZONE)?.checked_next_multiple_of(RED_ZONE)
}
