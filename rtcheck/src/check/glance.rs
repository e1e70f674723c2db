//! A look at a new term: whether its type follows from what is remembered beside the cells of its arguments.
//!
//! Programs make terms of others that were checked: the cell in front of a list, the nodes that an insertion into a tree
//! makes anew. For these nothing has to be prepared: no stack, no footprint, no look for cycles or sharing, since only a
//! few terms are opened. Whatever takes more is left to the walk.

use super::cells::Cells;
use super::checker::SiteCounters;
use super::walk::accepts_atomic;
use crate::regtype::{TypeId, Types};
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

/// What a look cost.
#[derive(Clone, Copy)]
pub(super) struct Spent {
    visits: u64,
    hits: u64,
    depth: u64,
}

impl Spent {
    /// Counts a check that passed by a look.
    #[inline]
    pub(super) fn count(self, counters: &mut SiteCounters) {
        counters.checks += 1;
        counters.visits += self.visits;
        counters.hits += self.hits;
        counters.deepest = counters.deepest.max(self.depth);
    }
}

impl<'a> Glance<'a> {
    #[inline]
    pub(super) fn new(store: &'a Store, types: &'a Types, cells: &'a mut Cells) -> Self {
        Self { store, types, cells, left: OPENED, spent: Spent { visits: 1, hits: 0, depth: 0 } }
    }

    /// What was visited. Counts only if the answer was yes.
    #[inline]
    pub(super) fn spent(&self) -> Spent {
        self.spent
    }

    /// Whether a list or structure that nothing is known of, and that is younger than every choicepoint, has a type by
    /// what is known of its arguments. What is found is remembered. No says nothing.
    pub(super) fn holds(&mut self, term: Cell, id: TypeId) -> bool {
        self.opened_holds(term, id, 1)
    }

    /// The same of a term whose arguments are at a depth; the cells of a list are at one depth.
    fn opened_holds(&mut self, term: Cell, id: TypeId, depth: u64) -> bool {
        let cell = term.index();
        if self.left == 0 || cell < self.store.boundary {
            return false;
        }
        self.left -= 1;
        let state = self.types.state(id);
        let (first, states) = if term.tag() == Tag::Lis {
            let Some(states) = &state.list else { return false };
            (cell, &states[..])
        } else {
            let Some(states) = self.types.states_of_arguments(state, self.store.at(cell)) else {
                return false;
            };
            (cell + 1, states)
        };
        let Some(arguments) = self.store.cells.get(first..first + states.len()) else { return false };
        for (&argument, &id) in arguments.iter().zip(states) {
            // Most arguments are no variables and need no look at the type but at what tags it accepts.
            let tag = argument.tag_number();
            if tag != Tag::Ref as u32 && self.types.state(id).tags >> tag & 1 != 0 {
                continue;
            }
            if !self.argument_holds(argument, id, depth) {
                return false;
            }
        }
        self.spent.visits += states.len() as u64;
        self.spent.depth = self.spent.depth.max(depth);
        self.cells.set_young(self.store, cell, id.0);
        true
    }

    #[inline]
    fn argument_holds(&mut self, argument: Cell, id: TypeId, depth: u64) -> bool {
        let argument = self.store.deref(argument);
        let tag = argument.tag();
        if matches!(tag, Tag::Lis | Tag::Str) {
            if self.cells.has(argument.index(), id.0) {
                self.spent.hits += 1;
                return true;
            }
            let state = self.types.state(id);
            let depth = depth + u64::from(state.list.is_none_or(|[_, tail]| tail != id));
            return state.accepts_tag(tag) || self.opened_holds(argument, id, depth);
        }
        self.types.state(id).accepts_tag(tag) || accepts_atomic(self.store, self.types, id, argument)
    }
}
