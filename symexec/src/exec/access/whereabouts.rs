//! Pointers that are no base plus offset: which objects they may point into.
//!
//! Such a pointer is an unknown number (an input that the program compares with addresses, address bytes
//! put together anew). It is compared by its number with objects, and such questions depend on the layout
//! and say so. Candidates are found in this order:
//!
//! 1. objects whose addresses occur in the pointer;
//! 2. those whose addresses occur in what is known of the inputs that it is made of, `p == a || p == b`
//!    for instance;
//! 3. if it may be none of these, the solver is asked for others: of all live objects, in halves, so that
//!    a pointer that may be in few of them costs a logarithm of their number for each.
//!
//! A pointer that may be anywhere has too many of the third sort: a bounded number of them is followed,
//! and the path on which it is in another one ends early and says so. What was found stays so on the path,
//! which only learns more, and is remembered, so that a choice among the candidates finds the same ones
//! when its instruction is executed again.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::pointers::{Offset, Wanted, Whereabouts};
use crate::base::bits::BinaryOp;
use crate::exec::{Ending, ErrorKind, Executor, PathError, State, Step, Stop};
use crate::expr::{ExprId, InputId, Node};
use crate::memory::{Kind, Life, ObjectId};

/// So many objects that only the solver knows of are followed for one pointer.
const MOST_FOUND: usize = 32;

impl Executor<'_> {
    /// What a pointer is known to be equal to: a place in an object, as an expression, or a number.
    pub(in crate::exec) fn known_pointer(&self, state: &State, pointer: ExprId) -> Option<ExprId> {
        state.constraints.iter().rev().find_map(|constraint| {
            let (one, other) = self.arena.as_sides_of_equality(*constraint)?;
            let known = |id: ExprId| self.arena.class(id).is_pointer() || self.arena.as_u64(id).is_some();
            match (one == pointer, other == pointer) {
                (true, false) if known(other) => Some(other),
                (false, true) if known(one) => Some(one),
                _ => None,
            }
        })
    }

    /// Where a pointer points that is compared by its number.
    pub(in crate::exec) fn resolve_by_numbers(
        &mut self,
        state: &mut State,
        pointer: ExprId,
        wanted: Wanted,
    ) -> Step<(ObjectId, Offset)> {
        let known = state.whereabouts.get(&(pointer, wanted)).cloned();
        let whereabouts = match known {
            Some(known) => known,
            None => {
                let found = Rc::new(self.whereabouts(state, pointer, wanted)?);
                state.whereabouts.insert_mut((pointer, wanted), Rc::clone(&found));
                found
            }
        };
        let mut sides = Vec::new();
        let mut none = self.arena.truth(true);
        for object in &whereabouts.objects {
            let inside = self.inside_object(state, pointer, *object);
            let outside = self.arena.not(inside);
            none = self.arena.and(none, outside);
            sides.push(inside);
        }
        let nowhere = match whereabouts.more {
            None => none,
            Some((low, high)) => {
                let among = self.inside_range(pointer, low, high);
                let beside = self.arena.not(among);
                let nowhere = self.arena.and(none, beside);
                let elsewhere = self.arena.and(none, among);
                sides.push(elsewhere);
                nowhere
            }
        };
        sides.push(nowhere);
        let side = self.choose(state, &sides)?;
        let Some(object) = whereabouts.objects.get(side).copied() else {
            if side + 1 < sides.len() {
                let text = format!(
                    "a pointer that may point into more than {MOST_FOUND} objects: the others are not followed"
                );
                self.warn_once(&text);
                return Err(Stop::Ended(Ending::Early(text)));
            }
            let mut error = PathError::new(ErrorKind::Ptr, "memory error: out of bound pointer");
            error
                .details
                .push("address: unknown, and in none of the objects that it may point into".to_owned());
            return Err(error.into());
        };
        let (base, size) = state.memory.object(object).map_or((0, 1), |found| (found.base, found.size));
        if size <= 1 {
            return Ok((object, Offset::Known(0)));
        }
        let base = self.arena.constant(64, base);
        let offset = self.arena.binary(BinaryOp::Sub, pointer, base);
        Ok((object, self.arena.as_u64(offset).map_or(Offset::Unknown(offset), Offset::Known)))
    }

    fn inside_object(&mut self, state: &State, pointer: ExprId, object: ObjectId) -> ExprId {
        let (base, size) = state.memory.object(object).map_or((0, 0), |found| (found.base, found.size));
        self.inside_range(pointer, base, base.saturating_add(size.max(1)))
    }

    /// Whether `low <= pointer < high`.
    fn inside_range(&mut self, pointer: ExprId, low: u64, high: u64) -> ExprId {
        let length = self.arena.constant(64, high.saturating_sub(low));
        let low = self.arena.constant(64, low);
        let distance = self.arena.binary(BinaryOp::Sub, pointer, low);
        self.arena.less(distance, length)
    }

    fn whereabouts(&mut self, state: &State, pointer: ExprId, wanted: Wanted) -> Step<Whereabouts> {
        let mut objects = Vec::new();
        let inputs = self.mentioned(pointer, &mut objects);
        objects.sort_unstable();
        objects.dedup();
        let mut others = Vec::new();
        for constraint in state.constraints.iter().filter(|id| self.arena.info(**id).addresses) {
            let mut here = Vec::new();
            if self.mentioned(*constraint, &mut here).iter().any(|input| inputs.contains(input)) {
                others.extend(here);
            }
        }
        others.sort_unstable();
        others.dedup();
        others.retain(|object| !objects.contains(object));
        objects.extend(others);
        objects.retain(|object| state.memory.object(*object).is_some());
        let mut rest = self.arena.truth(true);
        for object in &objects {
            let inside = self.inside_object(state, pointer, *object);
            let outside = self.arena.not(inside);
            rest = self.arena.and(rest, outside);
        }
        let complete = Whereabouts { objects: objects.clone().into(), more: None };
        if !self.solver.may_hold(&mut self.arena, &state.constraints, rest)? {
            return Ok(complete);
        }
        let mut places: Vec<(u64, u64, ObjectId)> = state
            .memory
            .objects()
            .filter(|(id, object)| {
                let is_code = matches!(object.kind, Kind::Function(_));
                object.life == Life::Live && is_code == (wanted == Wanted::Code) && !objects.contains(id)
            })
            .map(|(id, object)| (object.base, object.base.saturating_add(object.size.max(1)), id))
            .collect();
        places.sort_unstable();
        let mut found = 0;
        let mut stack = vec![(0, places.len())];
        while let Some((start, end)) = stack.pop() {
            let (Some((low, ..)), Some((_, high, last))) =
                (places.get(start), end.checked_sub(1).and_then(|last| places.get(last)))
            else {
                continue;
            };
            if start >= end {
                continue;
            }
            let within = self.inside_range(pointer, *low, *high);
            let within = self.arena.and(rest, within);
            if !self.solver.may_hold(&mut self.arena, &state.constraints, within)? {
                continue;
            }
            if end - start > 1 {
                let middle = start.midpoint(end);
                stack.extend([(middle, end), (start, middle)]);
                continue;
            }
            if found == MOST_FOUND {
                let all = places.first().zip(places.last());
                return Ok(Whereabouts {
                    objects: objects.into(),
                    more: all.map(|((low, ..), (_, high, _))| (*low, *high)),
                });
            }
            found += 1;
            objects.push(*last);
        }
        Ok(Whereabouts { objects: objects.into(), more: None })
    }

    /// The inputs of an expression; the objects whose addresses occur in it are added to a list.
    fn mentioned(&self, root: ExprId, objects: &mut Vec<ObjectId>) -> FxHashSet<InputId> {
        let (mut stack, mut seen) = (vec![root], FxHashSet::default());
        let mut inputs = FxHashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.arena.node(id) {
                Node::Address(address) => objects.push(ObjectId(self.arena.address(address).object)),
                Node::Input(input) => {
                    inputs.insert(input);
                }
                _ => self.arena.children(id, &mut stack),
            }
        }
        inputs
    }
}
