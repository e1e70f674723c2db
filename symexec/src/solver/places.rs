//! Where merged objects lie in questions, if segments are used again.
//!
//! In the segmented memory model with segment reuse (module `memory::reuse`) an object that was merged is
//! seen by questions at its segment's place, which paths share, and not at its own, which they do not. Only
//! questions with the same answer in every layout are asked so; all others keep the places that the
//! program sees. So whatever is told here can change how often a question is found and nothing else, as
//! long as no two objects of a path are said to lie at one place.

use std::cell::RefCell;
use std::rc::Rc;

use super::Query;
use super::translate::is_agnostic;
use crate::expr::{Arena, Marks, Moved};

/// Where the merged objects of the path lie that asks, told by the engine to the query cache.
#[derive(Clone, Debug, Default)]
pub struct MergedPlaces(Rc<RefCell<Option<Rc<Moved>>>>);

impl MergedPlaces {
    /// Says where they lie from now on; `None` for where they are.
    pub fn tell(&self, moved: Option<&Rc<Moved>>) {
        *self.0.borrow_mut() = moved.cloned();
    }

    /// Marks where they lie.
    pub(super) fn trace(&self, marks: &mut Marks) {
        if let Some(moved) = &*self.0.borrow() {
            moved.trace(marks);
        }
    }

    /// The query with merged objects at their segments' places; `None` if that is the query as it is.
    pub(super) fn seen(&self, arena: &mut Arena, query: &Query) -> Option<Query> {
        let moved = self.0.borrow().clone()?;
        if !is_agnostic(arena, query) {
            return None;
        }
        let expr = arena.moved(query.expr, &moved);
        let constraints: Vec<_> = query.constraints.iter().map(|id| arena.moved(*id, &moved)).collect();
        (expr != query.expr || constraints != query.constraints).then_some(Query { constraints, expr })
    }
}
