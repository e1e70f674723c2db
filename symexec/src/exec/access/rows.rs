//! Structures that are copied or filled as a whole at places that are not known, in pieces (module
//! [`memory::rows`](crate::memory)): one path, where a known place would be one for each.

use super::pointers::{Offset, Place};
use crate::base::bits::BinaryOp;
use crate::exec::{Executor, State, Step};
use crate::expr::{Class, ExprId};
use crate::memory::{Distance, ObjectId, Value};

/// Bytes on their way from one place to another.
#[derive(Debug)]
pub(in crate::exec) enum Source {
    /// Where they are.
    Place((ObjectId, u64)),
    /// What they are, in pieces from an offset on and so long.
    Pieces(Vec<(u64, u32, Value)>),
}

impl Place {
    fn distance(self) -> (ObjectId, Distance) {
        let distance = match self.offset {
            Offset::Known(offset) => Distance::Known(offset),
            Offset::Unknown(offset) => Distance::Unknown(offset),
        };
        (self.object, distance)
    }
}

impl Executor<'_> {
    /// The place that a range begins at, inside a live object; its offset is known if the path says what it is.
    pub(in crate::exec) fn range_at(
        &mut self,
        state: &mut State,
        pointer: Value,
        length: u64,
        write: bool,
    ) -> Step<Place> {
        let place = self.place(state, pointer, length, write)?;
        let Offset::Unknown(offset) = place.offset else { return Ok(place) };
        let offset = self.known_value(state, offset).map_or(place.offset, Offset::Known);
        Ok(Place { offset, ..place })
    }

    /// What is copied from a place, to a new object: in pieces, or at an offset that is known from now on.
    pub(in crate::exec) fn source(&mut self, state: &mut State, from: Place, length: u64) -> Step<Source> {
        if let Some(pieces) = state.memory.pieces(&mut self.arena, None, Some(from.distance()), length)
            && let Some(values) = self.load_pieces(state, from, &pieces)?
        {
            return Ok(Source::Pieces(values));
        }
        Ok(Source::Place(self.at_known(state, from)?))
    }

    /// Copies between two places in pieces, if that can be; says whether it did. All are read before one is written,
    /// so the places may overlap.
    pub(in crate::exec) fn copy_in_pieces(
        &mut self,
        state: &mut State,
        to: Place,
        from: Place,
        length: u64,
    ) -> Step<bool> {
        let (target, source) = (Some(to.distance()), Some(from.distance()));
        let Some(pieces) = state.memory.pieces(&mut self.arena, target, source, length) else {
            return Ok(false);
        };
        match self.load_pieces(state, from, &pieces)? {
            Some(values) => self.store_pieces(state, to, &values),
            None => Ok(false),
        }
    }

    /// Fills bytes at a place in pieces, if that can be; says whether it did.
    pub(in crate::exec) fn fill_in_pieces(
        &mut self,
        state: &mut State,
        to: Place,
        byte: Value,
        length: u64,
    ) -> Step<bool> {
        let Some(pieces) = state.memory.pieces(&mut self.arena, Some(to.distance()), None, length) else {
            return Ok(false);
        };
        let byte = self.expression(state, byte, 8);
        let mut values = Vec::with_capacity(pieces.len());
        let mut at = 0;
        for bytes in pieces {
            let mut value = byte;
            for _ in 1..bytes {
                value = self.arena.concat(value, byte);
            }
            values.push((at, bytes, self.value(value)));
            at += u64::from(bytes);
        }
        self.store_pieces(state, to, &values)
    }

    /// The pieces that lie one behind the other from a place on; `None` if one of them would be neither a number nor a
    /// pointer in every layout.
    fn load_pieces(
        &mut self,
        state: &mut State,
        from: Place,
        pieces: &[u32],
    ) -> Step<Option<Vec<(u64, u32, Value)>>> {
        let mut values = Vec::with_capacity(pieces.len());
        let mut at = 0;
        for bytes in pieces {
            let value = match from.offset {
                Offset::Known(offset) => {
                    let (arena, allocator) = (&mut self.arena, &mut self.allocator);
                    state.memory.load(arena, allocator, from.object, offset + at, *bytes)
                }
                Offset::Unknown(offset) => {
                    let offset = self.further(offset, at);
                    let (arena, allocator) = (&mut self.arena, &mut self.allocator);
                    let read = state.memory.load_at(arena, allocator, from.object, offset, *bytes);
                    let read = self.of_one_kind(state, read)?;
                    self.value(read)
                }
            };
            if let Value::Expr(value) = value
                && self.arena.class(value) == Class::Layout
            {
                return Ok(None);
            }
            values.push((at, *bytes, value));
            at += u64::from(*bytes);
        }
        Ok(Some(values))
    }

    /// Writes pieces from a place on; says whether it did, and otherwise changes nothing: where pointers would come to
    /// lie beside integers in one array.
    fn store_pieces(&mut self, state: &mut State, to: Place, pieces: &[(u64, u32, Value)]) -> Step<bool> {
        let Some(kept) = state.memory.keep(to.object) else { return Ok(false) };
        for (at, bytes, value) in pieces {
            let offset = match to.offset {
                Offset::Known(offset) => {
                    let (arena, allocator) = (&mut self.arena, &mut self.allocator);
                    state.memory.store(arena, allocator, to.object, offset + at, *bytes, *value);
                    continue;
                }
                Offset::Unknown(offset) => self.further(offset, *at),
            };
            if self.arena.tabulated(offset).is_some() {
                let (arena, allocator) = (&mut self.arena, &mut self.allocator);
                state.memory.store_at(arena, allocator, to.object, offset, *bytes, *value);
            } else if !self.store_mixed(state, to.object, offset, *bytes, *value)? {
                state.memory.bring_back(to.object, kept);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An offset, so many bytes further on.
    fn further(&mut self, offset: ExprId, by: u64) -> ExprId {
        let by = self.arena.constant(64, by);
        self.arena.binary(BinaryOp::Add, by, offset)
    }
}
