//! The dynamically segmented memory model: a pointer that may be one of several objects makes them one
//! segment instead of one path for each.
//!
//! What a pointer may point to is found out as in the forking model, once on a path for each base. The
//! objects that the access is right for are merged; those for which it is an error (freed, read-only, too
//! small) get one path for each kind of error. Inside the segment
//!
//! - an access at a known distance from the start of its object, a field, reads each member's value and
//!   selects one by the pointer's own tree, or writes each member that it may be under the condition that
//!   it is;
//! - an access at an unknown distance is one access to the segment's array, at the offset of the member
//!   plus the distance. That offset is again the pointer's tree, with the members' offsets at its leaves:
//!   the equations `address = segment + offset` of the model, substituted.
//!
//! Bounds are those of the member. What needs one object (freeing it, calling it, copying from it, making
//! it symbolic) resolves the pointer by one path for each, so there are never more paths than in the
//! forking model. Where a number is to be made known, pointers that it may depend on are resolved first:
//! what the forking model explores is explored here as well.

pub(super) mod meetings;
pub(super) mod members;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ErrorKind, Executor, MemoryModel, PathError, State, Step, Stop};
use crate::base::bits::BinaryOp;
use crate::exec::access::pointers::{Offset, Place, Target, Targets};
use crate::expr::{AddressId, Class, ExprId, InputId, Node};
use crate::memory::{ObjectId, SegmentId, Value};
use crate::solver::Purpose;

/// Where an access goes: inside one object, or inside whichever of several it is.
#[derive(Debug)]
pub(super) enum Spot {
    One(Place),
    Many(Many),
}

/// An access to one of several members of a segment.
#[derive(Debug)]
pub(super) struct Many {
    segment: SegmentId,
    pub(super) base: ExprId,
    pub(super) members: Vec<(AddressId, ObjectId)>,
    offset: Offset,
}

/// An error with the condition under which it happens.
struct Wrong {
    error: PathError,
    when: ExprId,
}

impl Executor<'_> {
    /// Where an access of `bytes` bytes through a pointer goes.
    pub(super) fn spot(&mut self, state: &mut State, pointer: Value, bytes: u64, write: bool) -> Step<Spot> {
        if !matches!(pointer, Value::Expr(_)) {
            return self.place(state, pointer, bytes, write).map(Spot::One);
        }
        let before = self.solver.ask_for(Purpose::Memory);
        let spot = self.unknown_spot(state, pointer, bytes, write);
        self.solver.ask_for(before);
        spot
    }

    fn unknown_spot(&mut self, state: &mut State, pointer: Value, bytes: u64, write: bool) -> Step<Spot> {
        if let Some((base, offset)) = self.open_pointer(pointer)
            && let Some(many) = self.among(state, base, offset, bytes, write)?
        {
            return Ok(Spot::Many(many));
        }
        self.place(state, pointer, bytes, write).map(Spot::One)
    }

    /// The base and the offset of a pointer that may be one of several objects and is not resolved by a
    /// path for each.
    fn open_pointer(&self, pointer: Value) -> Option<(ExprId, Offset)> {
        let (MemoryModel::Segmented, Value::Expr(expr)) = (self.config.memory_model, pointer) else {
            return None;
        };
        let (base, added) = self.arena.split_pointer(expr)?;
        if matches!(self.arena.node(base), Node::Address(_)) {
            return None;
        }
        let offset = added.map_or(Offset::Known(0), |added| {
            self.arena.as_u64(added).map_or(Offset::Unknown(added), Offset::Known)
        });
        Some((base, offset))
    }

    /// The access as one to several members of a segment; `None` if there is only one object that it can
    /// go to, or if they cannot be merged: then it is resolved as in the forking model.
    fn among(
        &mut self,
        state: &mut State,
        base: ExprId,
        offset: Offset,
        bytes: u64,
        write: bool,
    ) -> Step<Option<Many>> {
        let targets = self.targets(state, base)?;
        if targets.count() < 2 {
            return Ok(None);
        }
        let mut members = Vec::new();
        let mut wrong: Vec<Wrong> = Vec::new();
        for address in &targets.addresses {
            let object = ObjectId(self.arena.address(*address).object);
            // As in the forking model, what is outside of an object is so before it is a write to a constant.
            let found = self
                .usable(state, object, false)
                .and_then(|()| self.inside(state, object, offset, bytes))
                .and_then(|()| self.usable(state, object, write));
            let error = match found {
                Ok(()) => {
                    members.push((*address, object));
                    continue;
                }
                Err(Stop::Ended(super::Ending::Error(error))) => error,
                Err(stop) => return Err(stop),
            };
            let address = self.arena.address_node(*address);
            let when = self.arena.equal(address, base);
            for one in self.by_offset(state, object, offset, bytes, Wrong { error, when }) {
                match wrong.iter_mut().find(|other| same_kind(&other.error, &one.error)) {
                    Some(other) => other.when = self.arena.binary(BinaryOp::Or, other.when, one.when),
                    None => wrong.push(one),
                }
            }
        }
        if members.is_empty()
            && targets.markers.is_empty()
            && wrong.len() == 1
            && let Some(Wrong { error, .. }) = wrong.pop()
        {
            return Err(error.into());
        }
        let unknown = |(_, object): &(AddressId, ObjectId)| {
            state.memory.object(*object).is_some_and(|object| object.length.is_some())
        };
        if members.len() < 2 || members.iter().any(unknown) {
            return Ok(None);
        }
        for marker in &targets.markers {
            let number = self.arena.constant(64, *marker);
            let when = self.arena.equal(number, base);
            wrong.push(Wrong { error: crate::exec::access::resolve::nowhere(*marker), when });
        }
        self.rule_out(state, wrong)?;
        let objects: Vec<ObjectId> = members.iter().map(|(_, object)| *object).collect();
        let merged = state.memory.common_segment(&objects).is_some();
        let Some(segment) = state.memory.merge(&mut self.arena, &mut self.allocator, &objects) else {
            return Ok(None);
        };
        if self.config.reuse_segments && !merged {
            let at = state.position();
            state.memory.place_segment(&mut self.arena, &mut self.segment_places, segment, at);
            self.solver.see(state.memory.merged_places());
        }
        if let Offset::Unknown(unknown) = offset {
            self.bounded(state, base, &members, unknown, bytes)?;
        }
        Ok(Some(Many { segment, base, members, offset }))
    }

    /// The errors of an access to an object: where it writes to a constant at an unknown offset, that decides whether
    /// it is outside instead.
    fn by_offset(
        &mut self,
        state: &State,
        object: ObjectId,
        offset: Offset,
        bytes: u64,
        wrong: Wrong,
    ) -> Vec<Wrong> {
        let (ErrorKind::ReadOnly, Offset::Unknown(unknown)) = (wrong.error.kind, offset) else {
            return vec![wrong];
        };
        let size = state.memory.object(object).map_or(0, |object| object.size);
        let limit = self.arena.constant(64, size.saturating_sub(bytes));
        let outside = self.arena.less(limit, unknown);
        let inside = self.arena.not(outside);
        let error = self.out_of_bounds(state, object, offset, bytes);
        let mut both = vec![Wrong { error, when: outside }, Wrong { error: wrong.error, when: inside }];
        both.retain(|one| !self.arena.is_false(one.when));
        for one in &mut both {
            one.when = self.arena.and(wrong.when, one.when);
        }
        both
    }

    /// Ends paths on which one of the errors happens; afterwards none does.
    fn rule_out(&mut self, state: &mut State, wrong: Vec<Wrong>) -> Step<()> {
        if wrong.is_empty() {
            return Ok(());
        }
        let mut right = self.arena.truth(true);
        for Wrong { when, .. } in &wrong {
            let not = self.arena.not(*when);
            right = self.arena.and(right, not);
        }
        let sides: Vec<ExprId> = std::iter::once(right).chain(wrong.iter().map(|one| one.when)).collect();
        match self.choose(state, &sides)?.checked_sub(1).and_then(|place| wrong.into_iter().nth(place)) {
            Some(Wrong { error, .. }) => Err(error.into()),
            None => Ok(()),
        }
    }

    /// Whether an object has room for an access, as far as that does not depend on an unknown offset.
    fn inside(&mut self, state: &State, object: ObjectId, offset: Offset, bytes: u64) -> Step<()> {
        let size = state.memory.object(object).map_or(0, |object| object.size);
        let fits = match (size.checked_sub(bytes), offset) {
            (None, _) => false,
            (Some(limit), Offset::Known(known)) => known <= limit,
            (Some(_), Offset::Unknown(_)) => true,
        };
        if fits { Ok(()) } else { Err(self.out_of_bounds(state, object, offset, bytes).into()) }
    }

    /// Ends the path on which an unknown offset leaves the member that the pointer points to.
    fn bounded(
        &mut self,
        state: &mut State,
        base: ExprId,
        members: &[(AddressId, ObjectId)],
        offset: ExprId,
        bytes: u64,
    ) -> Step<()> {
        let mut limits = FxHashMap::default();
        let (mut least, mut most) = (u64::MAX, 0);
        for (address, object) in members {
            let size = state.memory.object(*object).map_or(0, |object| object.size);
            let limit = size.saturating_sub(bytes);
            (least, most) = (least.min(limit), most.max(limit));
            limits.insert(*address, self.arena.constant(64, limit));
        }
        let (low, high) = self.arena.range(offset);
        if low >= 0 && high <= i128::from(least) {
            return Ok(());
        }
        let limit =
            if least == most { self.arena.constant(64, least) } else { self.arena.select(base, 64, &limits) };
        let outside = self.arena.less(limit, offset);
        if self.fails(state, outside)? {
            let object = members.first().map_or(ObjectId(0), |(_, object)| *object);
            let mut error = self.out_of_bounds(state, object, Offset::Unknown(offset), bytes);
            if members.len() > 1 {
                error.details.insert(0, format!("object: one of {}, the first of which is", members.len()));
            }
            return Err(error.into());
        }
        Ok(())
    }

    /// What a base may be on this path.
    fn targets(&mut self, state: &mut State, base: ExprId) -> Step<Rc<Targets>> {
        if let Some((_, known)) = state.targets.get(&base) {
            return Ok(Rc::clone(known));
        }
        let (candidates, markers) = self.arena.candidates(base);
        let candidates = self.cut_by_order(state, base, candidates)?;
        let mut sides: Vec<(ExprId, Target)> = Vec::new();
        for candidate in candidates {
            let address = self.arena.address_node(candidate);
            sides.push((self.arena.equal(address, base), Target::Object(candidate)));
        }
        for marker in markers {
            let number = self.arena.constant(64, marker);
            sides.push((self.arena.equal(number, base), Target::Marker(marker)));
        }
        let known =
            sides.iter().position(|(side, _)| self.arena.is_true(*side) || state.assumed.contains(side));
        let mut possible = Vec::new();
        match known {
            Some(place) => possible.push(sides[place].1),
            None => {
                let last = sides.len().saturating_sub(1);
                for (place, (side, target)) in sides.into_iter().enumerate() {
                    let opposite = self.arena.not(side);
                    if self.arena.is_false(side) || state.assumed.contains(&opposite) {
                        continue;
                    }
                    // What is left when all others are impossible needs no question.
                    if place == last && possible.is_empty()
                        || self.solver.may_hold(&mut self.arena, &state.constraints, side)?
                    {
                        possible.push(target);
                    }
                }
            }
        }
        let targets = Rc::new(possible.into_iter().collect::<Targets>());
        state.targets.insert_mut(base, (state.targets.size(), Rc::clone(&targets)));
        Ok(targets)
    }

    /// Reads `bytes` bytes at one of several members of a segment.
    pub(super) fn load_many(&mut self, state: &mut State, many: &Many, bytes: u32) -> Step<Value> {
        let Many { segment, base, members, offset } = many;
        Ok(match offset {
            Offset::Known(offset) => self.load_field(state, many, *offset, bytes),
            Offset::Unknown(offset) => {
                if self.arena.tabulated(*offset).is_some()
                    && let Some(read) = self.load_members(state, many, *offset, bytes)?
                {
                    return Ok(self.value(read));
                }
                let place = (*segment, *base, members.as_slice());
                let read =
                    state.memory.load_among(&mut self.arena, &mut self.allocator, place, *offset, bytes);
                let by_member = match self.arena.class(read) {
                    Class::Layout => self.load_members(state, many, *offset, bytes)?,
                    _ => None,
                };
                self.value(by_member.unwrap_or(read))
            }
        })
    }

    /// Reads the same field of each member, and selects one.
    fn load_field(&mut self, state: &mut State, many: &Many, offset: u64, bytes: u32) -> Value {
        let mut values = Vec::with_capacity(many.members.len());
        for (address, object) in &many.members {
            let value = state.memory.load(&mut self.arena, &mut self.allocator, *object, offset, bytes);
            values.push((*address, value));
        }
        if let [(_, first), rest @ ..] = values.as_slice()
            && rest.iter().all(|(_, value)| value == first)
        {
            return *first;
        }
        let width = bytes * 8;
        let mut fields = FxHashMap::default();
        for (address, value) in values {
            fields.insert(address, self.expression(state, value, width));
        }
        let selected = self.selected(many.base, width, &fields);
        self.value(selected)
    }

    /// Writes `bytes` bytes at one of several members of a segment.
    pub(super) fn store_many(
        &mut self,
        state: &mut State,
        many: &Many,
        bytes: u32,
        value: Value,
    ) -> Step<()> {
        let Many { segment, base, members, offset } = many;
        let (offset, field) = match offset {
            Offset::Known(offset) if !state.memory.is_array(*segment) => {
                self.store_field(state, many, *offset, bytes, value);
                return Ok(());
            }
            Offset::Known(offset) => (self.arena.constant(64, *offset), Some(*offset)),
            Offset::Unknown(offset) => (*offset, None),
        };
        let value = self.expression(state, value, bytes * 8);
        if field.is_none()
            && self.arena.tabulated(offset).is_some()
            && self.store_members(state, many, offset, bytes, value)?
        {
            return Ok(());
        }
        let place = (*segment, *base, members.as_slice());
        let apart = state.memory.store_among_apart(
            &mut self.arena,
            &mut self.allocator,
            place,
            offset,
            bytes,
            Value::Expr(value),
        );
        if apart {
            return Ok(());
        }
        match field {
            Some(field) => {
                let value = self.value(value);
                self.store_field(state, many, field, bytes, value);
            }
            None if self.store_members(state, many, offset, bytes, value)? => {}
            None => {
                let (arena, allocator, value) = (&mut self.arena, &mut self.allocator, Value::Expr(value));
                state.memory.store_among(arena, allocator, place, offset, bytes, value);
            }
        }
        Ok(())
    }

    /// Writes the same field of each member, where it is the one.
    fn store_field(&mut self, state: &mut State, many: &Many, offset: u64, bytes: u32, value: Value) {
        let width = bytes * 8;
        for (address, object) in &many.members {
            let old = state.memory.load(&mut self.arena, &mut self.allocator, *object, offset, bytes);
            if old == value {
                continue;
            }
            let address = self.arena.address_node(*address);
            let here = self.arena.equal(address, many.base);
            let (new, old) = (self.expression(state, value, width), self.expression(state, old, width));
            let stored = self.arena.choose(here, new, old);
            let stored = self.value(stored);
            state.memory.store(&mut self.arena, &mut self.allocator, *object, offset, bytes, stored);
        }
    }

    /// Resolves, by one path for each object, every pointer to several objects whose choice an expression
    /// may depend on.
    pub(super) fn resolve_merged(&mut self, state: &mut State, expr: ExprId) -> Step<()> {
        if self.config.memory_model == MemoryModel::Forking || state.targets.is_empty() {
            return Ok(());
        }
        let inputs = self.inputs_connected(state, expr);
        // In an order that the path decides, and not others that were run before.
        let mut open: Vec<(usize, ExprId, Rc<Targets>)> = state
            .targets
            .iter()
            .filter(|(_, (_, targets))| targets.count() > 1)
            .map(|(base, (number, targets))| (*number, *base, Rc::clone(targets)))
            .collect();
        open.sort_unstable_by_key(|(number, ..)| *number);
        for (_, base, targets) in open {
            if self.inputs_of(base).is_disjoint(&inputs) {
                continue;
            }
            let mut sides = Vec::new();
            for address in &targets.addresses {
                let address = self.arena.address_node(*address);
                sides.push(self.arena.equal(address, base));
            }
            for marker in &targets.markers {
                let marker = self.arena.constant(64, *marker);
                sides.push(self.arena.equal(marker, base));
            }
            let side = self.choose(state, &sides)?;
            Self::settle(state, base, side, &targets.addresses, &targets.markers);
        }
        Ok(())
    }

    /// Remembers that a base is one of some addresses or, behind them, markers: that with a number.
    pub(super) fn settle(
        state: &mut State,
        base: ExprId,
        side: usize,
        addresses: &[AddressId],
        markers: &[u64],
    ) {
        let objects = addresses.iter().map(|address| Target::Object(*address));
        let targets: Targets =
            objects.chain(markers.iter().map(|marker| Target::Marker(*marker))).skip(side).take(1).collect();
        let number = state.targets.get(&base).map_or(state.targets.size(), |(number, _)| *number);
        state.targets.insert_mut(base, (number, Rc::new(targets)));
    }

    /// The inputs that the value of an expression depends on, itself or through constraints.
    fn inputs_connected(&self, state: &State, expr: ExprId) -> FxHashSet<InputId> {
        let mut reached = self.inputs_of(expr);
        let mut others: Vec<FxHashSet<InputId>> =
            state.constraints.iter().map(|constraint| self.inputs_of(*constraint)).collect();
        loop {
            let before = others.len();
            others.retain(|inputs| {
                let apart = inputs.is_disjoint(&reached);
                if !apart {
                    reached.extend(inputs);
                }
                apart
            });
            if others.len() == before {
                return reached;
            }
        }
    }

    /// The inputs in an expression.
    fn inputs_of(&self, root: ExprId) -> FxHashSet<InputId> {
        let (mut stack, mut seen, mut found) = (vec![root], FxHashSet::default(), FxHashSet::default());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.arena.node(id) {
                Node::Input(input) => {
                    found.insert(input);
                }
                _ => self.arena.children(id, &mut stack),
            }
        }
        found
    }
}

/// Whether two errors are one for users: at the same instruction, with the same text.
fn same_kind(one: &PathError, other: &PathError) -> bool {
    (one.kind, &one.message) == (other.kind, &other.message)
}
