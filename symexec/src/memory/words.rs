//! An object seen as an array of words, without becoming one.

use super::{Allocator, Contents, Held, Holder, Memory, ObjectId};
use crate::expr::{Arena, ExprId};

impl Memory {
    /// An object of not too many words of `bytes` bytes as an array of them, if it is none already and no
    /// part of a segment.
    pub fn words(
        &mut self,
        arena: &mut Arena,
        shared: &mut Allocator,
        id: ObjectId,
        bytes: u32,
    ) -> Option<ExprId> {
        const MOST_WORDS: u64 = 512;
        let (holder @ Holder::Object(_), _) = self.holder(id)? else { return None };
        let held = self.held(holder);
        let backing = held.as_ref().and_then(Held::backing)?;
        let few = backing.contents.size() <= MOST_WORDS * u64::from(bytes);
        if matches!(backing.contents, Contents::Array { .. }) || !few {
            return None;
        }
        let mut as_expression =
            |arena: &mut Arena, value, width| self.expression(arena, shared, value, width);
        Some(backing.contents.gather(arena, 0, bytes.into(), bytes, &mut as_expression))
    }
}
