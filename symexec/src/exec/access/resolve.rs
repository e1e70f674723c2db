//! Where a pointer points.
//!
//! A pointer that programs compute on purpose is a base plus an offset. The base is the address of an
//! object, or a choice among addresses: it was read from a table at an unknown place, or selected. The
//! objects that it may point to are those whose addresses occur in it; each possible one gets a state
//! in which `base = address` is known, and the offset is compared with that object's size alone. No
//! question compares addresses of different objects, so all of them are address-agnostic.
//!
//! A pointer that left its object is an error, and not resolved to the neighbour that happens to lie
//! there (KLEE does resolve it, and finds out of bounds only what falls into a red zone).
//!
//! What is no base plus offset (unknown numbers, address bytes put together anew, masks, ...) is compared
//! with objects by its number (module `whereabouts`).

use super::pointers::{Offset, Place, Wanted};
use crate::base::bits::BinaryOp;
use crate::exec::{Ending, ErrorKind, Executor, MemoryModel, PathError, Reached, State, Step, Stop};
use crate::expr::{AddressId, ExprId, Node};
use crate::memory::{Kind, Life, ObjectId, Value};

/// Addresses below this are taken for null plus a small offset.
const NULL_PAGE: u64 = 4096;

impl Executor<'_> {
    /// The place that an access of `bytes` bytes through a pointer goes to; inside a live object.
    pub(in crate::exec) fn place(
        &mut self,
        state: &mut State,
        pointer: Value,
        bytes: u64,
        write: bool,
    ) -> Step<Place> {
        let (object, offset) = self.resolve(state, pointer)?;
        let told = |stop| match stop {
            Stop::Ended(Ending::Error(error)) => {
                PathError { reached: Some(Box::new(reached(object, offset))), ..error }.into()
            }
            stop => stop,
        };
        self.usable(state, object, false).map_err(told)?;
        let size = state.memory.object(object).map_or(0, |object| object.size);
        let Some(limit) = size.checked_sub(bytes) else {
            return Err(self.out_of_bounds(state, object, offset, bytes).into());
        };
        let offset = match offset {
            Offset::Known(known) if known <= limit => Offset::Known(known),
            Offset::Known(_) => return Err(self.out_of_bounds(state, object, offset, bytes).into()),
            Offset::Unknown(unknown) => {
                let (least, most) = self.arena.range(unknown);
                if least < 0 || most > i128::from(limit) {
                    let limit = self.arena.constant(64, limit);
                    let outside = self.arena.less(limit, unknown);
                    if self.fails(state, outside)? {
                        return Err(self.out_of_bounds(state, object, offset, bytes).into());
                    }
                    Offset::Unknown(self.bounded_offset(state, unknown))
                } else {
                    Offset::Unknown(unknown)
                }
            }
        };
        self.within_length(state, object, offset, bytes)?;
        // Only now, as in KLEE: what is outside is another error, on a path of its own.
        if write {
            self.usable(state, object, true).map_err(told)?;
        }
        Ok(Place { object, offset })
    }

    /// Ends the path on which an access, inside the most that an object may have, leaves an object whose
    /// size is unknown.
    pub(in crate::exec) fn within_length(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: Offset,
        bytes: u64,
    ) -> Step<()> {
        let Some(length) = state.memory.object(object).and_then(|object| object.length) else {
            return Ok(());
        };
        // The offset is at most the most that the object may have, less these bytes, so the sum is no more.
        let count = self.arena.constant(64, bytes);
        let end = match offset {
            Offset::Known(known) => self.arena.constant(64, known.saturating_add(bytes)),
            Offset::Unknown(unknown) => self.arena.binary(BinaryOp::Add, unknown, count),
        };
        let outside = self.arena.less(length, end);
        if self.fails(state, outside)? {
            return Err(self.out_of_bounds(state, object, offset, bytes).into());
        }
        Ok(())
    }

    /// The object that a pointer points into and how far, possibly outside.
    pub(in crate::exec) fn resolve(&mut self, state: &mut State, pointer: Value) -> Step<(ObjectId, Offset)> {
        self.resolve_for(state, pointer, Wanted::Data)
    }

    /// [`Self::resolve`], for what is wanted of the object.
    pub(in crate::exec) fn resolve_for(
        &mut self,
        state: &mut State,
        pointer: Value,
        wanted: Wanted,
    ) -> Step<(ObjectId, Offset)> {
        match pointer {
            Value::Pointer { object, offset } => Ok((object, Offset::Known(offset))),
            Value::Bits(number) => self.resolve_number(state, number),
            Value::Expr(expr) => {
                if let Some(number) = self.arena.as_u64(expr) {
                    return self.resolve_number(state, number);
                }
                let start = self.system.elapsed();
                let resolved = self.resolve_unknown(state, expr, wanted);
                self.times.resolution += self.system.elapsed().saturating_sub(start);
                resolved
            }
        }
    }

    fn resolve_unknown(
        &mut self,
        state: &mut State,
        expr: ExprId,
        wanted: Wanted,
    ) -> Step<(ObjectId, Offset)> {
        if let Some((base, added)) = self.arena.split_pointer(expr) {
            return self.resolve_base(state, base, added);
        }
        // What is computed from addresses alone is a number.
        let number = self.arena.concrete(expr);
        match self.arena.as_u64(number) {
            Some(number) => self.resolve_number(state, number),
            None => match self.known_pointer(state, expr) {
                Some(known) => self.resolve_unknown(state, known, wanted),
                None => self.resolve_by_numbers(state, expr, wanted),
            },
        }
    }

    fn resolve_number(&mut self, state: &State, number: u64) -> Step<(ObjectId, Offset)> {
        match state.memory.find(number) {
            Some((object, offset)) => Ok((object, Offset::Known(offset))),
            None => Err(nowhere(number).into()),
        }
    }

    fn resolve_base(
        &mut self,
        state: &mut State,
        base: ExprId,
        added: Option<ExprId>,
    ) -> Step<(ObjectId, Offset)> {
        let offset = match added {
            None => Offset::Known(0),
            Some(added) => self.arena.as_u64(added).map_or(Offset::Unknown(added), Offset::Known),
        };
        if let Node::Address(address) = self.arena.node(base) {
            return Ok((ObjectId(self.arena.address(address).object), offset));
        }
        let known = state.targets.get(&base).map(|(_, targets)| targets.all());
        let (candidates, markers) = match known {
            // What the segmented memory model found out before.
            Some(known) => known,
            None => self.arena.candidates(base),
        };
        let candidates = self.cut_by_order(state, base, candidates)?;
        let mut sides = Vec::new();
        let mut addresses = Vec::new();
        for candidate in candidates {
            let address = self.arena.address_node(candidate);
            sides.push(self.arena.equal(address, base));
            addresses.push(candidate);
        }
        for marker in &markers {
            let marker = self.arena.constant(64, *marker);
            sides.push(self.arena.equal(marker, base));
        }
        let side = self.choose(state, &sides)?;
        if self.config.memory_model == MemoryModel::Segmented {
            Self::settle(state, base, side, &addresses, &markers);
        }
        match addresses.get(side) {
            Some(address) => Ok((ObjectId(self.arena.address(*address).object), offset)),
            None => {
                let marker = side.checked_sub(addresses.len()).and_then(|place| markers.get(place));
                self.resolve_number(state, marker.copied().unwrap_or(0))
            }
        }
    }

    /// The candidates up to the last one that questions about order leave, if they are to be asked: does
    /// the pointer always lie below the end of this object? Then no object above needs to be looked at.
    pub(in crate::exec) fn cut_by_order(
        &mut self,
        state: &State,
        base: ExprId,
        candidates: Vec<AddressId>,
    ) -> Step<Vec<AddressId>> {
        if !self.config.ordering_queries || candidates.len() < 2 {
            return Ok(candidates);
        }
        let mut by_place = candidates.clone();
        by_place.sort_unstable_by_key(|address| self.arena.address(*address).base);
        for (place, address) in by_place.iter().enumerate() {
            let known = self.arena.address(*address);
            let node = self.arena.address_node(*address);
            let here = self.arena.equal(node, base);
            if state.constraints.contains(&here) {
                return Ok(candidates);
            }
            let end = self.arena.constant(64, known.base.saturating_add(known.size.max(1)));
            let below = self.arena.less(base, end);
            if place + 1 < by_place.len()
                && self.solver.must_hold_by_order(&mut self.arena, &state.constraints, below)?
            {
                by_place.truncate(place + 1);
                return Ok(candidates.into_iter().filter(|address| by_place.contains(address)).collect());
            }
        }
        Ok(candidates)
    }

    /// Whether an object may be read, or written, at all.
    pub(in crate::exec) fn usable(&mut self, state: &State, object: ObjectId, write: bool) -> Step<()> {
        let error = |kind, message: &str| Err(PathError::new(kind, message).into());
        let Some(found) = state.memory.object(object) else {
            return error(ErrorKind::Ptr, "memory error: out of bound pointer");
        };
        match (found.life, found.kind) {
            (Life::Dead, Kind::Heap) => return error(ErrorKind::Ptr, "memory error: use after free"),
            (Life::Dead, _) => return error(ErrorKind::Ptr, "memory error: out of bound pointer"),
            (Life::Live, Kind::Function(_)) => {
                return error(ErrorKind::Ptr, "memory error: access to the code of a function");
            }
            _ => {}
        }
        if found.undefined {
            let place = state.globals.iter().position(|global| *global == object);
            let global = place.and_then(|place| self.module.globals.get(place));
            if let Some(text) = global.and_then(|global| global.unreadable) {
                return error(ErrorKind::Exec, self.module.text(text));
            }
            return error(
                ErrorKind::External,
                "access to an undefined variable: give the file that defines it as well",
            );
        }
        if write && found.read_only {
            return error(ErrorKind::ReadOnly, "memory error: object read only");
        }
        Ok(())
    }

    /// The error of an access that is not inside its object.
    pub(in crate::exec) fn out_of_bounds(
        &mut self,
        state: &State,
        object: ObjectId,
        offset: Offset,
        bytes: u64,
    ) -> PathError {
        let mut error = PathError::new(ErrorKind::Ptr, "memory error: out of bound pointer");
        if let Some(found) = state.memory.object(object) {
            let most = if found.length.is_some() { "at most " } else { "" };
            error.details.push(format!("object: {most}{} bytes at {:#x}", found.size, found.base));
        }
        error.details.push(match offset {
            Offset::Known(offset) => format!("access: {bytes} bytes at offset {}", offset as i64),
            Offset::Unknown(_) => format!("access: {bytes} bytes at an unknown offset"),
        });
        error.reached = Some(Box::new(reached(object, offset)));
        error
    }
}

fn reached(object: ObjectId, offset: Offset) -> Reached {
    match offset {
        Offset::Known(offset) => Reached::Known(object, offset),
        Offset::Unknown(offset) => Reached::Unknown(object, offset),
    }
}

/// The error of an access to a number at which no object lies.
pub(in crate::exec) fn nowhere(number: u64) -> PathError {
    let (message, place) = if number < NULL_PAGE {
        ("memory error: null page access", format!("address: {number:#x}"))
    } else {
        ("memory error: out of bound pointer", format!("address: {number:#x}, at which nothing lies"))
    };
    let mut error = PathError::new(ErrorKind::Ptr, message);
    error.details.push(place);
    error.reached = Some(Box::new(Reached::Number(number)));
    error
}
