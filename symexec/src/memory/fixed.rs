//! Objects at places of the program's choice (`klee_define_fixed_object`).
//!
//! Their ranges are kept beside the objects, so that allocation asks a short list, most often an empty
//! one, and not every object.

use std::rc::Rc;

use super::{Memory, NewObject, Object, ObjectId};

impl Memory {
    /// Makes an object at a place of the program's choice, which later ones avoid; `None` if one lies there.
    pub fn define(&mut self, base: u64, new: NewObject) -> Option<ObjectId> {
        let end = base.checked_add(new.size)?;
        let overlaps =
            |object: &Object| base < object.base.saturating_add(object.size.max(1)) && object.base < end;
        let free = !self.objects.iter().any(|(_, object)| overlaps(object));
        if !free {
            return None;
        }
        let id = self.insert(base, new)?;
        Rc::make_mut(&mut self.fixed).push((base, end));
        Some(id)
    }
}
