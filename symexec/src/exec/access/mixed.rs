//! Accesses at unknown places of objects that hold pointers beside integers.
//!
//! As far as an offset shows, `node->child[i]` may be any word of the structure, its key as well as its
//! pointers; and a value that may be either depends on where objects lie, which no cache sees through.
//! What the offset does not show the path mostly does: `i` is 0 or 1. So the question which kinds of
//! words can be reached is asked here (it mentions no address). A read then is of one kind; a write
//! becomes one conditional value for each word that it may reach, and the other words stay what they are.
//!
//! Neither changes which paths there are: words that no input reaches may be anything.

use crate::exec::{Executor, State, Step};
use crate::expr::{Class, ExprId};
use crate::memory::{ObjectId, Value};
use crate::solver::Purpose;

/// A write is made conditional at so many places at most; at more, the object becomes an array.
const MOST_PLACES: usize = 8;

/// In so many words it is looked for them.
const MOST_WORDS: usize = 512;

impl Executor<'_> {
    /// A read whose value is of one kind, if the path decides which.
    pub(in crate::exec) fn of_one_kind(&mut self, state: &State, read: ExprId) -> Step<ExprId> {
        let read = self.arena.narrowed(read);
        if self.arena.class(read) != Class::Layout {
            return Ok(read);
        }
        let Some((index, places)) = self.arena.places(read) else { return Ok(read) };
        let mut possible: Vec<&[u64]> = Vec::new();
        let several = places.kinds().count() > 1;
        for kind in places.kinds() {
            if several && !self.may_reach(state, index, kind)? {
                continue;
            }
            possible.push(kind);
            if !places.are_of_one_kind(&possible) {
                return Ok(read);
            }
        }
        let mut reached = possible.concat();
        reached.sort_unstable();
        Ok(self.arena.read_among(read, &reached))
    }

    fn may_reach(&mut self, state: &State, index: ExprId, places: &[u64]) -> Step<bool> {
        let here = self.arena.among(index, places);
        let before = self.solver.ask_for(Purpose::Memory);
        let may = self.solver.may_hold(&mut self.arena, &state.constraints, here);
        self.solver.ask_for(before);
        Ok(may?)
    }

    /// Writes at an unknown place so that no array holds pointers beside integers: as always, or word by word; says
    /// whether it could.
    pub(in crate::exec) fn store_mixed(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: ExprId,
        bytes: u32,
        value: Value,
    ) -> Step<bool> {
        let scaled = self.arena.scaled(offset);
        if scaled.stride < u64::from(bytes) || self.arena.class(scaled.index) != Class::Integer {
            return Ok(false);
        }
        if state.memory.store_apart(&mut self.arena, &mut self.allocator, object, offset, bytes, value) {
            return Ok(true);
        }
        let value = self.expression(state, value, bytes * 8);
        let read = state.memory.load_at(&mut self.arena, &mut self.allocator, object, offset, bytes);
        let Some((index, places)) =
            self.arena.places(read).filter(|(_, places)| places.count() <= MOST_WORDS)
        else {
            return Ok(false);
        };
        // Zeros may be words of any kind, so a few are asked about one by one.
        let mut reached: Vec<u64> = Vec::new();
        let several = places.groups().count() > 1;
        let zeros = places.nulls().chunks(if several && places.nulls().len() <= 2 * MOST_PLACES {
            1
        } else {
            usize::MAX
        });
        for group in zeros.chain(places.kinds()) {
            if !several || self.may_reach(state, index, group)? {
                reached.extend(group);
            }
            if reached.len() > MOST_PLACES {
                return Ok(false);
            }
        }
        for place in reached {
            let at = scaled.constant + scaled.stride * place;
            let old = state.memory.load(&mut self.arena, &mut self.allocator, object, at, bytes);
            let old = self.expression(state, old, bytes * 8);
            let place = self.arena.constant(64, place);
            let here = self.arena.equal(place, index);
            let new = self.arena.choose(here, value, old);
            let new = self.value(new);
            state.memory.store(&mut self.arena, &mut self.allocator, object, at, bytes, new);
        }
        Ok(true)
    }
}
