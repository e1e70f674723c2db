//! A look at a new term: whether its type follows from what is remembered beside the cells of its arguments.
//!
//! Programs make terms of others that were checked: the cell in front of a list, the nodes that an insertion
//! into a tree makes anew. For these nothing has to be prepared: no stack, no footprint, no look for cycles or
//! sharing, since only a few terms are opened. Whatever takes more is left to the walk.

use super::cells::Cells;
use super::walk::accepts_atomic;
use crate::regtype::{TypeId, Types, Words};
use crate::term::{Cell, Store, Tag};

/// How many terms are opened at most; a cyclic term opens all of them.
const OPENED: u64 = 16;

/// One look.
pub(super) struct Glance<'a> {
    store: &'a Store,
    types: &'a Types,
    cells: &'a mut Cells,
    left: u64,
    spent: Spent,
}

/// What a look cost beside the root.
#[derive(Clone, Copy)]
pub(super) struct Spent {
    pub(super) visits: u64,
    pub(super) hits: u64,
    pub(super) depth: u64,
}

impl<'a> Glance<'a> {
    #[inline(always)]
    pub(super) fn new(store: &'a Store, types: &'a Types, cells: &'a mut Cells) -> Self {
        Self { store, types, cells, left: OPENED, spent: Spent { visits: 0, hits: 0, depth: 0 } }
    }

    /// What was visited. Counts only if the answer was yes.
    #[inline(always)]
    pub(super) fn spent(&self) -> Spent {
        self.spent
    }

    /// Whether a list or structure that nothing is known of, and that is younger than every choicepoint, has a type by
    /// what is known of its arguments. What is found is remembered. No says nothing.
    #[inline(always)]
    pub(super) fn holds(&mut self, term: Cell, words: &Words) -> bool {
        self.opened_holds(term, words, 1)
    }

    /// The same of a term whose arguments are at a depth; the cells of a list are at one depth.
    #[inline(always)]
    fn opened_holds(&mut self, term: Cell, words: &Words, depth: u64) -> bool {
        let cell = term.index();
        if self.left == 0 || cell < self.store.boundary {
            return false;
        }
        self.left -= 1;
        let (first, functor) =
            if term.tag() == Tag::Lis { (cell, None) } else { (cell + 1, Some(self.store.at(cell))) };
        let Some(states) = self.types.words_of_arguments(words, functor) else { return false };
        let Some(arguments) = self.store.cells.get(first..first + states.len()) else { return false };
        for (&argument, words) in arguments.iter().zip(states) {
            // Most arguments need no look at the type.
            if !words.accept_tag(argument, false) && !self.argument_holds(argument, words, depth) {
                return false;
            }
        }
        self.spent.visits += states.len() as u64;
        self.spent.depth = self.spent.depth.max(depth);
        self.cells.set_young(self.store, cell, words.id.0);
        true
    }

    #[inline(always)]
    fn argument_holds(&mut self, argument: Cell, words: &Words, depth: u64) -> bool {
        let argument = self.store.deref(argument);
        if matches!(argument.tag(), Tag::Lis | Tag::Str) {
            if self.cells.view().knows_first(argument.index(), words.id) {
                self.spent.hits += 1;
                return true;
            }
            return self.compound_holds(argument, words, depth);
        }
        words.accept_tag(argument, false)
            || words.accept_constant(argument)
            || self.atomic_holds(argument, words.id)
    }

    /// Of a list or structure that is not known first of all to have the type.
    #[inline(never)]
    fn compound_holds(&mut self, argument: Cell, words: &Words, depth: u64) -> bool {
        let id = words.id;
        if self.cells.has(argument.index(), id.0) {
            self.spent.hits += 1;
            return true;
        }
        let state = self.types.state(id);
        let depth = depth + u64::from(state.list.is_none_or(|[_, tail]| tail != id));
        state.accepts_tag(argument.tag()) || self.opened_holds(argument, words, depth)
    }

    /// Of a free variable or a constant that is none of the first.
    #[inline(never)]
    fn atomic_holds(&self, argument: Cell, id: TypeId) -> bool {
        self.types.state(id).accepts_tag(argument.tag())
            || accepts_atomic(self.store, self.types, id, argument)
    }
}
