//! What is told of an access that failed: the address that it was to reach, and the objects around it.
//!
//! In KLEE's words, beside ours, for whoever reads error files by program. An address that is not known is told as an
//! expression. KLEE adds one value that it may have; asking for one would make a file depend on who is asked, so the
//! neighbours are those of the object's beginning.

use crate::base::bits::BinaryOp;
use crate::exec::{Executor, PathError, Reached, State};
use crate::memory::{Kind, Life, ObjectId};

impl Executor<'_> {
    /// Adds to an error where its access was to go, if that is known.
    pub(in crate::exec) fn tell_reached(&mut self, state: &State, error: &mut PathError) {
        let Some(reached) = error.reached.as_deref().copied() else { return };
        let base = match reached {
            Reached::Number(number) => Some(number),
            Reached::Known(object, _) | Reached::Unknown(object, _) => {
                state.memory.object(object).map(|object| object.base)
            }
        };
        // What ended with its function or its scope is forgotten, unless its address was looked at.
        let Some(base) = base else {
            error.details.push("address: of a local variable that is gone".to_owned());
            return;
        };
        let at = match reached {
            Reached::Number(number) => number,
            Reached::Known(_, offset) => {
                let address = base.wrapping_add(offset);
                error.details.push(format!("address: {address}"));
                address
            }
            Reached::Unknown(_, offset) => {
                let start = self.arena.constant(64, base);
                let address = self.arena.binary(BinaryOp::Add, start, offset);
                let text =
                    self.condition(state, &[address]).first().unwrap_or_else(|_| "symbolic".to_owned());
                error.details.push(format!("address: {text}"));
                base
            }
        };
        let mut next: Option<(u64, ObjectId)> = None;
        let mut previous = None;
        for (id, object) in state.memory.objects() {
            if object.life != Life::Live || object.base == 0 || matches!(object.kind, Kind::Function(_)) {
                continue;
            }
            if object.base > at {
                next = Some(next.map_or((object.base, id), |nearest| nearest.min((object.base, id))));
            } else {
                previous = previous.max(Some((object.base, id)));
            }
        }
        for (name, found) in [("next", next), ("prev", previous)] {
            self.tell_object(state, name, found.map(|(_, id)| id), error);
        }
    }

    fn tell_object(&self, state: &State, name: &str, id: Option<ObjectId>, error: &mut PathError) {
        let Some((id, object)) = id.and_then(|id| Some((id, state.memory.object(id)?))) else {
            error.details.push(format!("{name}: none"));
            return;
        };
        error.details.push(format!("{name}: object at {} of size {}", object.base, object.size));
        let global = state.globals.iter().position(|global| *global == id);
        let made = match global.and_then(|place| self.module.globals.get(place)) {
            Some(global) => format!("global:{}", global.name),
            None => match self.module.locations.get(object.site.index()) {
                Some(place) if place.file.is_some() => {
                    let file = place.file.map_or("", |file| self.module.text(file));
                    format!("{file}:{}", place.line)
                }
                _ => String::new(),
            },
        };
        let number = id.index();
        error.details.push(if made.is_empty() {
            format!("\tMO{number}[{}] (no allocation info)", object.size)
        } else {
            format!("\tMO{number}[{}] allocated at {made}", object.size)
        });
    }
}
