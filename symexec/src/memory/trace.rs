//! Which expressions a memory has.

use super::{Home, Memory};
use crate::expr::Marks;

impl Memory {
    /// Marks them. What other states have, too, is looked at once.
    pub fn trace(&self, marks: &mut Marks) {
        self.objects.trace(marks, &mut |object, marks| {
            object.address.into_iter().chain(object.length).for_each(|expr| marks.mark(expr));
            if let Home::Own(contents) = &object.home {
                contents.trace(marks);
            }
        });
        for segment in self.segments.values() {
            if marks.enters(segment) {
                segment.contents.trace(marks);
            }
        }
        if let Some(moved) = self.reuse.moved()
            && marks.enters(moved)
        {
            moved.trace(marks);
        }
    }
}
