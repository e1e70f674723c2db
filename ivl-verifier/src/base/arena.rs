//! Arenas under typed ids: a tree is a vector, a reference is a number.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index into an [`Arena`].
pub trait Id: Copy + Eq {
    /// The id of the element at a position. Positions past `u32::MAX` saturate; an arena refuses to
    /// grow that far.
    fn from_index(index: usize) -> Self;
    /// The position of the element.
    fn index(self) -> usize;
}

/// Defines typed ids.
macro_rules! typed_ids {
    ($($(#[$meta:meta])* $visibility:vis $name:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $visibility struct $name(u32);

        impl $crate::base::arena::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

pub(crate) use typed_ids;

/// A growing vector that is indexed by one type of id only.
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    items: Vec<T>,
    marker: PhantomData<fn(I) -> I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), marker: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// An arena with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an element and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }

    /// Makes room for so many elements more.
    pub fn reserve(&mut self, count: usize) {
        self.items.reserve(count);
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing was added yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The elements with their ids, in the order in which they were added.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// The ids, in the order in which their elements were added.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// The elements alone.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self { items: items.into_iter().collect(), marker: PhantomData }
    }
}

/// A set of ids that is emptied without a look at what is in it, for walks that follow one another.
#[derive(Clone, Debug)]
pub(crate) struct Marks<I> {
    /// By id, when it was last put in.
    marks: Vec<u32>,
    /// How often the set was emptied, and one more.
    now: u32,
    marker: PhantomData<fn(I) -> I>,
}

impl<I> Default for Marks<I> {
    fn default() -> Self {
        Self { marks: Vec::new(), now: 1, marker: PhantomData }
    }
}

impl<I: Id> Marks<I> {
    /// Puts an id in; false if it is in already.
    pub(crate) fn insert(&mut self, id: I) -> bool {
        let at = id.index();
        if at >= self.marks.len() {
            self.marks.resize((at + 1).next_power_of_two(), 0);
        }
        std::mem::replace(&mut self.marks[at], self.now) != self.now
    }

    /// Empties the set.
    pub(crate) fn clear(&mut self) {
        match self.now.checked_add(1) {
            Some(now) => self.now = now,
            None => *self = Self::default(),
        }
    }
}

/// Numbers for ids in the order in which they are met, for walks that follow one another.
#[derive(Clone, Debug)]
pub(crate) struct Numbers<I> {
    /// By id: in which walk it was met last, and its number there.
    met: Vec<(u32, u32)>,
    /// The present walk.
    now: u32,
    /// How many were met in it.
    count: u32,
    marker: PhantomData<fn(I) -> I>,
}

impl<I> Default for Numbers<I> {
    fn default() -> Self {
        Self { met: Vec::new(), now: 1, count: 0, marker: PhantomData }
    }
}

impl<I: Id> Numbers<I> {
    /// The number of an id that was met.
    pub(crate) fn get(&self, id: I) -> Option<u32> {
        self.met.get(id.index()).filter(|(walk, _)| *walk == self.now).map(|(_, number)| *number)
    }

    /// Gives the next number to an id.
    pub(crate) fn add(&mut self, id: I) {
        let at = id.index();
        if at >= self.met.len() {
            self.met.resize((at + 1).next_power_of_two(), (0, 0));
        }
        self.met[at] = (self.now, self.count);
        self.count += 1;
    }

    /// Begins another walk, in which nothing was met.
    pub(crate) fn clear(&mut self) {
        match self.now.checked_add(1) {
            Some(now) => (self.now, self.count) = (now, 0),
            None => *self = Self::default(),
        }
    }
}
