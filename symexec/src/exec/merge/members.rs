//! Accesses at unknown distances within one of several members of a segment, member by member.
//!
//! To the segment's array such an access may reach any field of any member, since members lie one behind the other:
//! where these are pointers and integers, the array has both, and what is read depends on the layout. Each member by
//! itself has columns. So where the array would mix, and few members can be meant, each is read and one is selected, or
//! each is written under the condition that it is the one.

use rustc_hash::FxHashMap;

use crate::base::bits::BinaryOp;
use crate::exec::merge::Many;
use crate::exec::{Executor, State, Step};
use crate::expr::{AddressId, Class, ExprId};

/// So many members are treated one by one.
const MOST_MEMBERS: usize = 8;

/// A distance that is one of a few numbers is treated number by number, in so many places of all members.
const MOST_PLACES: usize = 16;

impl Executor<'_> {
    /// Reads each member, and selects one; `None` if they are too many, or if that depends on the layout as well.
    pub(in crate::exec) fn load_members(
        &mut self,
        state: &mut State,
        many: &Many,
        offset: ExprId,
        bytes: u32,
    ) -> Step<Option<ExprId>> {
        if many.members.len() > MOST_MEMBERS {
            return Ok(None);
        }
        let mut values = FxHashMap::default();
        for (address, object) in &many.members {
            let read = state.memory.load_at(&mut self.arena, &mut self.allocator, *object, offset, bytes);
            let read = self.of_one_kind(state, read)?;
            values.insert(*address, read);
        }
        let selected = self.selected(many.base, bytes * 8, &values);
        Ok((self.arena.class(selected) != Class::Layout).then_some(selected))
    }

    /// The value of the member that a base is; of pointers and what is added to them, each by itself.
    pub(in crate::exec) fn selected(
        &mut self,
        base: ExprId,
        width: u32,
        values: &FxHashMap<AddressId, ExprId>,
    ) -> ExprId {
        let selected = self.arena.select(base, width, values);
        if self.arena.class(selected) != Class::Layout {
            return selected;
        }
        let zero = self.arena.constant(width, 0);
        let (mut pointers, mut added) = (FxHashMap::default(), FxHashMap::default());
        let mut known: Vec<(AddressId, ExprId)> =
            values.iter().map(|(address, value)| (*address, *value)).collect();
        known.sort_unstable_by_key(|(address, _)| address.0);
        for (address, value) in known {
            let Some((pointer, more)) = self.arena.split_markable(value) else { return selected };
            pointers.insert(address, pointer);
            added.insert(address, more.unwrap_or(zero));
        }
        let pointer = self.arena.select(base, width, &pointers);
        let added = self.arena.select(base, width, &added);
        self.arena.binary(BinaryOp::Add, pointer, added)
    }

    /// Writes each member where it is the one, if that leaves no pointers beside integers in one array; says whether
    /// it did, and otherwise changes nothing.
    pub(in crate::exec) fn store_members(
        &mut self,
        state: &mut State,
        many: &Many,
        offset: ExprId,
        bytes: u32,
        value: ExprId,
    ) -> Step<bool> {
        if let Some((constant, _, numbers)) = self.arena.tabulated(offset) {
            let distances = numbers.into_iter().map(|number| number.wrapping_add(constant)).collect();
            return Ok(self.store_places(state, many, (offset, distances), bytes, value));
        }
        let scaled = self.arena.scaled(offset);
        let Some(kept) = many.members.first().and_then(|(_, object)| state.memory.keep(*object)) else {
            return Ok(false);
        };
        if many.members.len() > MOST_MEMBERS
            || scaled.stride < u64::from(bytes)
            || self.arena.class(scaled.index) != Class::Integer
        {
            return Ok(false);
        }
        let (zero, stride) = (self.arena.constant(64, 0), self.arena.constant(64, scaled.stride));
        let constant = self.arena.constant(64, scaled.constant);
        for (address, object) in &many.members {
            let size = state.memory.object(*object).map_or(0, |object| object.size);
            if scaled.constant.saturating_add(bytes.into()) > size {
                continue;
            }
            let node = self.arena.address_node(*address);
            let here = self.arena.equal(node, many.base);
            // Where another one is meant, the first place of this one gets what it has.
            let index = self.arena.choose(here, scaled.index, zero);
            let distance = self.arena.binary(BinaryOp::Mul, stride, index);
            let at = self.arena.binary(BinaryOp::Add, constant, distance);
            let old = state.memory.load_at(&mut self.arena, &mut self.allocator, *object, at, bytes);
            let old = self.of_one_kind(state, old)?;
            let new = self.arena.choose(here, value, old);
            let stored = self.arena.class(new) != Class::Layout && {
                let new = self.value(new);
                self.store_mixed(state, *object, at, bytes, new)?
            };
            if !stored {
                state.memory.bring_back(*object, kept);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes each place of each member at one of a few distances, where it is the one; says whether it did.
    fn store_places(
        &mut self,
        state: &mut State,
        many: &Many,
        (offset, distances): (ExprId, Vec<u64>),
        bytes: u32,
        value: ExprId,
    ) -> bool {
        let mut places = Vec::new();
        for (address, object) in &many.members {
            let size = state.memory.object(*object).map_or(0, |object| object.size);
            for distance in &distances {
                if distance.checked_add(bytes.into()).is_some_and(|end| end <= size) {
                    places.push((*address, *object, *distance));
                }
            }
        }
        if places.len() > MOST_PLACES {
            return false;
        }
        for (address, object, distance) in places {
            let (node, number) = (self.arena.address_node(address), self.arena.constant(64, distance));
            let (member, there) = (self.arena.equal(node, many.base), self.arena.equal(number, offset));
            let here = self.arena.and(member, there);
            let old = state.memory.load(&mut self.arena, &mut self.allocator, object, distance, bytes);
            let old = self.expression(state, old, bytes * 8);
            let new = self.arena.choose(here, value, old);
            let new = self.value(new);
            state.memory.store(&mut self.arena, &mut self.allocator, object, distance, bytes, new);
        }
        true
    }
}
