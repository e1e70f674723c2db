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
//! What is no base plus offset (address bytes put together anew, masks, ...) is compared with every
//! object whose address occurs in it, by numbers; such questions depend on the layout and say so.

use rustc_hash::FxHashSet;

use super::{ErrorKind, Executor, MemoryModel, PathError, State, Step};
use crate::base::bits::BinaryOp;
use crate::expr::{AddressId, ExprId, Node};
use crate::memory::{Kind, Life, ObjectId, Value};

/// Where an access goes: inside an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) object: ObjectId,
    pub(super) offset: Offset,
}

/// How far from the start of an object.
#[derive(Clone, Copy, Debug)]
pub(super) enum Offset {
    Known(u64),
    Unknown(ExprId),
}

/// Addresses below this are taken for null plus a small offset.
const NULL_PAGE: u64 = 4096;

impl Executor<'_> {
    /// The place that an access of `bytes` bytes through a pointer goes to; inside a live object.
    pub(super) fn place(
        &mut self,
        state: &mut State,
        pointer: Value,
        bytes: u64,
        write: bool,
    ) -> Step<Place> {
        let (object, offset) = self.resolve(state, pointer)?;
        self.usable(state, object, write)?;
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
                }
                Offset::Unknown(unknown)
            }
        };
        Ok(Place { object, offset })
    }

    /// The object that a pointer points into and how far, possibly outside.
    pub(super) fn resolve(&mut self, state: &mut State, pointer: Value) -> Step<(ObjectId, Offset)> {
        match pointer {
            Value::Pointer { object, offset } => Ok((object, Offset::Known(offset))),
            Value::Bits(number) => self.resolve_number(state, number),
            Value::Expr(expr) => {
                if let Some(number) = self.arena.as_u64(expr) {
                    return self.resolve_number(state, number);
                }
                let start = self.system.elapsed();
                let resolved = self.resolve_unknown(state, expr);
                self.times.resolution += self.system.elapsed().saturating_sub(start);
                resolved
            }
        }
    }

    fn resolve_unknown(&mut self, state: &mut State, expr: ExprId) -> Step<(ObjectId, Offset)> {
        if let Some((base, added)) = self.arena.split_pointer(expr) {
            return self.resolve_base(state, base, added);
        }
        // What is computed from addresses alone is a number.
        let number = self.arena.concrete(expr);
        match self.arena.as_u64(number) {
            Some(number) => self.resolve_number(state, number),
            None => self.resolve_by_numbers(state, expr),
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
        let known = state.targets.get(&base).map(|targets| targets.all());
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
    pub(super) fn cut_by_order(
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

    /// Pointers that are no base plus offset: by their number, against every object whose address
    /// occurs.
    fn resolve_by_numbers(&mut self, state: &mut State, pointer: ExprId) -> Step<(ObjectId, Offset)> {
        let mut addresses = Vec::new();
        let (mut stack, mut seen) = (vec![pointer], FxHashSet::default());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.arena.node(id) {
                Node::Address(address) => addresses.push(address),
                _ => self.arena.children(id, &mut stack),
            }
        }
        addresses.sort_unstable();
        let mut sides = Vec::new();
        let mut none = self.arena.truth(true);
        for address in &addresses {
            let known = self.arena.address(*address);
            let base = self.arena.constant(64, known.base);
            let offset = self.arena.binary(BinaryOp::Sub, pointer, base);
            let size = self.arena.constant(64, known.size.max(1));
            let inside = self.arena.less(offset, size);
            let outside = self.arena.not(inside);
            none = self.arena.and(none, outside);
            sides.push(inside);
        }
        sides.push(none);
        let side = self.choose(state, &sides)?;
        let Some(address) = addresses.get(side) else {
            let mut error = PathError::new(ErrorKind::Ptr, "memory error: out of bound pointer");
            error
                .details
                .push("address: unknown, and in none of the objects that it is computed from".to_owned());
            return Err(error.into());
        };
        let known = self.arena.address(*address);
        let base = self.arena.constant(64, known.base);
        let offset = self.arena.binary(BinaryOp::Sub, pointer, base);
        Ok((ObjectId(known.object), self.arena.as_u64(offset).map_or(Offset::Unknown(offset), Offset::Known)))
    }

    /// Whether an object may be read, or written, at all.
    pub(super) fn usable(&mut self, state: &State, object: ObjectId, write: bool) -> Step<()> {
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
    pub(super) fn out_of_bounds(
        &mut self,
        state: &State,
        object: ObjectId,
        offset: Offset,
        bytes: u64,
    ) -> PathError {
        let mut error = PathError::new(ErrorKind::Ptr, "memory error: out of bound pointer");
        if let Some(found) = state.memory.object(object) {
            error.details.push(format!("object: {} bytes at {:#x}", found.size, found.base));
        }
        error.details.push(match offset {
            Offset::Known(offset) => format!("access: {bytes} bytes at offset {}", offset as i64),
            Offset::Unknown(_) => format!("access: {bytes} bytes at an unknown offset"),
        });
        error
    }
}

/// The error of an access to a number at which no object lies.
pub(super) fn nowhere(number: u64) -> PathError {
    let (message, place) = if number < NULL_PAGE {
        ("memory error: null page access", format!("address: {number:#x}"))
    } else {
        ("memory error: out of bound pointer", format!("address: {number:#x}, at which nothing lies"))
    };
    let mut error = PathError::new(ErrorKind::Ptr, message);
    error.details.push(place);
    error
}
