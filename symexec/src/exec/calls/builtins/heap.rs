//! Objects of the heap: C's and C++'s functions that make them and give them back.

use super::Arguments;
use crate::exec::calls::operators;
use crate::exec::{Executor, ForkKind, State, Step};
use crate::memory::{Origin, Value};

/// A function about objects of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Heap {
    Malloc,
    AlignedAlloc,
    Calloc,
    Realloc,
    Free,
    New,
    Delete(Origin),
    ReplacesNew,
}

impl Heap {
    /// Under a name that the program may define itself.
    pub(super) fn provided(name: &str) -> Option<Self> {
        Some(match name {
            "malloc" => Self::Malloc,
            "aligned_alloc" | "memalign" => Self::AlignedAlloc,
            "calloc" => Self::Calloc,
            "realloc" => Self::Realloc,
            "free" | "cfree" => Self::Free,
            "__symexec_new" => Self::New,
            "__symexec_replaces_new" => Self::ReplacesNew,
            _ => return operators::deletes(name).map(Self::Delete),
        })
    }

    /// What its forks count as.
    pub(super) fn fork_kind(self) -> ForkKind {
        match self {
            Self::Malloc | Self::Calloc | Self::AlignedAlloc | Self::New => ForkKind::Alloc,
            Self::Realloc => ForkKind::Realloc,
            Self::Free | Self::Delete(_) => ForkKind::Free,
            Self::ReplacesNew => ForkKind::Call,
        }
    }
}

impl Executor<'_> {
    /// What a function about objects of the heap gives back.
    pub(super) fn heap(
        &mut self,
        state: &mut State,
        function: Heap,
        arguments: &Arguments<'_>,
    ) -> Step<Option<Value>> {
        Ok(match function {
            Heap::Malloc => {
                let size = self.expression_of(state, arguments.get(0)?);
                Some(self.allocate_unknown(state, size, 16)?)
            }
            Heap::AlignedAlloc => {
                let alignment = self.number(state, arguments.get(0)?, "alignment of an allocation")?;
                let size = self.expression_of(state, arguments.get(1)?);
                Some(self.allocate_unknown(state, size, alignment.max(16))?)
            }
            Heap::Calloc => {
                let count = self.expression_of(state, arguments.get(0)?);
                let size = self.expression_of(state, arguments.get(1)?);
                Some(match self.product(state, count, size)? {
                    Some(total) => self.allocate_unknown(state, total, 16)?,
                    None => Value::Bits(0),
                })
            }
            Heap::Realloc => {
                let size = self.expression_of(state, arguments.get(1)?);
                Some(self.reallocate(state, arguments.get(0)?.0, size)?)
            }
            Heap::Free => {
                self.give_back(state, arguments.get(0)?.0, Origin::Malloc)?;
                None
            }
            Heap::Delete(way) => {
                self.give_back(state, arguments.get(0)?.0, way)?;
                None
            }
            Heap::New => {
                let size = self.expression_of(state, arguments.get(0)?);
                let alignment = self.number(state, arguments.get(1)?, "alignment of an allocation")?;
                let form = self.number(state, arguments.get(2)?, "form of an allocation")?;
                let value = self.allocate_unknown(state, size, alignment.max(16))?;
                if let Value::Pointer { object, .. } = value {
                    let origin = if form == 1 { Origin::New } else { Origin::NewArray };
                    state.memory.mark(object, |object| object.origin = origin);
                }
                Some(value)
            }
            Heap::ReplacesNew => {
                let aligned = self.number(state, arguments.get(0)?, "form of an allocation")? != 0;
                Some(Value::Bits(u64::from(self.own_operators.replaces_new(aligned))))
            }
        })
    }
}
