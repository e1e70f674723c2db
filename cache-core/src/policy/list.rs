//! Doubly linked lists of slots whose links lie beside each other in one vector.
//!
//! A slot is a small number, so a link is one too: no allocation per element, and removing an element
//! from the middle is a few writes. Several lists may share one [`Links`] as long as each slot is in at
//! most one of them.

/// "No slot".
const NIL: u32 = u32::MAX;

/// The neighbours of each slot.
#[derive(Debug, Default)]
pub(crate) struct Links {
    neighbours: Vec<Neighbours>,
}

#[derive(Clone, Copy, Debug)]
struct Neighbours {
    /// Towards the front.
    before: u32,
    /// Towards the back.
    after: u32,
}

/// One list, from the front, where slots enter, to the back.
#[derive(Debug)]
pub(crate) struct List {
    front: u32,
    back: u32,
    len: usize,
}

impl List {
    pub(crate) fn new() -> Self {
        Self { front: NIL, back: NIL, len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn front(&self) -> Option<u32> {
        (self.front != NIL).then_some(self.front)
    }

    pub(crate) fn back(&self) -> Option<u32> {
        (self.back != NIL).then_some(self.back)
    }

    /// Puts `slot`, which is in no list, to the front.
    pub(crate) fn push_front(&mut self, links: &mut Links, slot: u32) {
        let index = slot as usize;
        if links.neighbours.len() <= index {
            links.neighbours.resize(index + 1, Neighbours { before: NIL, after: NIL });
        }
        links.neighbours[index] = Neighbours { before: NIL, after: self.front };
        match self.front {
            NIL => self.back = slot,
            front => links.neighbours[front as usize].before = slot,
        }
        self.front = slot;
        self.len += 1;
    }

    /// Takes `slot`, which is in this list, out of it.
    pub(crate) fn remove(&mut self, links: &mut Links, slot: u32) {
        let Neighbours { before, after } = links.neighbours[slot as usize];
        match before {
            NIL => self.front = after,
            before => links.neighbours[before as usize].after = after,
        }
        match after {
            NIL => self.back = before,
            after => links.neighbours[after as usize].before = before,
        }
        self.len -= 1;
    }

    /// Moves `slot`, which is in this list, to the front.
    pub(crate) fn move_to_front(&mut self, links: &mut Links, slot: u32) {
        if self.front != slot {
            self.remove(links, slot);
            self.push_front(links, slot);
        }
    }

    /// The slot after `slot`, towards the back.
    pub(crate) fn after(&self, links: &Links, slot: u32) -> Option<u32> {
        let after = links.neighbours[slot as usize].after;
        (after != NIL).then_some(after)
    }

    /// The slot before `slot`, towards the front.
    pub(crate) fn before(&self, links: &Links, slot: u32) -> Option<u32> {
        let before = links.neighbours[slot as usize].before;
        (before != NIL).then_some(before)
    }
}
