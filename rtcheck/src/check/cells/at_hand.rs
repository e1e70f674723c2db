//! What is remembered, at hand for terms of one type that are made one after the other.

use super::{Cells, EPOCH, First};
use crate::regtype::TypeId;
use cache_core::table::Recorder as _;

/// What is remembered, to be added to for one type of new terms after the other.
pub(in crate::check) struct AtHand<'a> {
    slots: &'a mut [u32],
    epoch: u32,
    /// What a slot says that knows the type.
    entry: u32,
    /// The bound of what was added.
    pub(in crate::check) end: usize,
    /// How much was added.
    pub(in crate::check) added: u64,
}

impl AtHand<'_> {
    /// What is known first of all.
    #[inline(always)]
    pub(in crate::check) fn view(&self) -> First<'_> {
        First { slots: self.slots, epoch: self.epoch }
    }

    /// As [`Cells::set_new`].
    #[inline(always)]
    pub(in crate::check) fn set_new(&mut self, cell: usize) -> bool {
        let Some([slot, _]) = self.slots.get_mut(cell..cell + 2) else { return false };
        if *slot != 0 {
            return false;
        }
        *slot = self.entry;
        self.end = self.end.max(cell + 2);
        self.added += 1;
        true
    }
}

impl Cells {
    /// What is remembered, to add that new terms have a type, if the type's number fits.
    #[inline(always)]
    pub(in crate::check) fn at_hand(&mut self, id: TypeId) -> Option<AtHand<'_>> {
        let entry = (id.0 < EPOCH).then_some(self.epoch | id.0)?;
        Some(AtHand { slots: &mut self.slots, epoch: self.epoch, entry, end: 0, added: 0 })
    }

    /// Counts what was added: so many slots, the last of them below an end.
    #[inline(always)]
    pub(in crate::check) fn add(&mut self, added: u64, end: usize) {
        self.end = self.end.max(end);
        (0..added).for_each(|_| self.counting.inserted());
    }
}
