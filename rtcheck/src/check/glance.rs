//! A look at a new term: whether its type follows from what is remembered beside the cells of its arguments.
//!
//! Programs make terms of others that were checked: the cell in front of a list, the nodes that an insertion into a
//! tree makes anew. For these nothing has to be prepared: no stack, no footprint, no look for cycles or sharing, since
//! only a few terms are opened. Whatever takes more is left to the walk.

use super::batch::{Counted, Tally, Way};
use super::cells::{Cells, First};
use super::walk::accepts_atomic;
use crate::regtype::{TypeId, Types, Words};
use crate::term::{Cell, Store, Tag};

/// How many terms are opened below the first at most; a cyclic term opens all of them. It bounds the native stack too.
const OPENED: u32 = 16;

/// What a look took so far, and what it may still take.
struct Look {
    tally: Tally,
    /// The depth of the arguments of the term that is open.
    depth: u64,
    left: u32,
    /// How many of those that were opened are lists of one new cell, and arguments of the first term.
    cells: u32,
}

/// What the word of an argument tells, and what is known of it.
pub(super) enum Seen {
    /// It passes by its word.
    Passes,
    /// It is known to have the type.
    Known,
    /// Neither; one reference was followed.
    Open(Cell),
}

/// What a look at one structure took.
struct Took {
    hits: u64,
    visits: u64,
    deepest: u64,
}

/// What following a list took.
struct Spine {
    /// How many types were known.
    hits: u64,
    /// How many cells were opened.
    cells: u32,
}

impl Cells {
    /// Whether a word, at which one reference was followed, passes a check of a batch by what is known at once, though
    /// it does not by its tag, as the first constant or the type that is remembered first. Each step hands on to the
    /// next all that it was given, and none calls anything if it is the last.
    #[inline(never)]
    pub(super) fn settle(&mut self, counted: &mut Counted, store: &Store, types: &Types, cell: Cell) -> bool {
        // Asked one after the other, since a jump by a table takes longer.
        if cell.tag() == Tag::Str && counted.way == Way::Alone {
            self.settle_structure(counted, store, types, cell)
        } else {
            self.settle_less_often(counted, store, types, cell)
        }
    }

    #[inline(never)]
    fn settle_less_often(&mut self, counted: &mut Counted, store: &Store, types: &Types, cell: Cell) -> bool {
        if cell.tag() == Tag::Lis {
            self.settle_list(counted, store, types, cell)
        } else if cell.tag() == Tag::Str && counted.way == Way::AroundLists {
            self.settle_around_lists(counted, store, types, cell)
        } else {
            self.settle_else(counted, store, types, cell)
        }
    }

    #[inline(never)]
    fn settle_list(&mut self, counted: &mut Counted, store: &Store, types: &Types, cell: Cell) -> bool {
        let Some(hits) = self.list_cell_holds(store, types, cell.index(), &counted.check.words) else {
            return self.settle_else(counted, store, types, cell);
        };
        counted.tally.hits += hits;
        counted.tally.visit(2, 1);
        true
    }

    #[inline(never)]
    fn settle_structure(&mut self, counted: &mut Counted, store: &Store, types: &Types, cell: Cell) -> bool {
        let Counted { check, tally, .. } = counted;
        self.structure_holds::<false>(store, types, cell, &check.words, tally)
            || self.settle_around_lists(counted, store, types, cell)
    }

    #[inline(never)]
    fn settle_around_lists(
        &mut self,
        counted: &mut Counted,
        store: &Store,
        types: &Types,
        cell: Cell,
    ) -> bool {
        let Counted { check, tally, .. } = counted;
        if self.structure_holds::<true>(store, types, cell, &check.words, tally) {
            counted.way = Way::AroundLists;
            return true;
        }
        self.settle_else(counted, store, types, cell)
    }

    #[inline(never)]
    fn settle_else(&mut self, counted: &mut Counted, store: &Store, types: &Types, cell: Cell) -> bool {
        let Counted { check, tally, way, .. } = counted;
        if check.words.accept_tag(cell, false) {
            return true;
        }
        if cell.is_compound() {
            let found = self.look(store, types, cell, &check.words, tally);
            *way = found.unwrap_or(Way::Alone);
            return found.is_some();
        }
        let is_free = || cell.tag() == Tag::Ref && store.at(cell.index()) == cell;
        check.words.accept_constant(cell) || check.tags & 1 << Tag::Ref as u8 != 0 && is_free()
    }

    /// Whether a list or structure that is not known first of all to have a type is known to have it, or has it by what
    /// is known of its arguments, if it is younger than every choicepoint. What is found is remembered, and what was
    /// visited counted if the answer is yes. No says nothing.
    pub(super) fn glance(
        &mut self,
        store: &Store,
        types: &Types,
        term: Cell,
        words: &Words,
        tally: &mut Tally,
    ) -> bool {
        let holds = if term.tag() == Tag::Lis {
            self.list_cell_holds(store, types, term.index(), words).is_some_and(|hits| {
                tally.hits += hits;
                tally.visit(2, 1);
                true
            })
        } else {
            self.structure_holds::<true>(store, types, term, words, tally)
        };
        holds || self.look(store, types, term, words, tally).is_some()
    }

    /// The most frequent look, at one list cell: its head passes by its tag, its tail is known or ends the list. If it
    /// holds, how many types were known.
    #[inline(always)]
    fn list_cell_holds(&mut self, store: &Store, types: &Types, cell: usize, words: &Words) -> Option<u64> {
        let [of_head, of_tail] = types.words_of_list(words)?;
        let [head, mut tail] = store.pair(cell);
        if !of_head.accept_tag(head, false) {
            return None;
        }
        if tail.tag() == Tag::Ref {
            tail = store.at(tail.index());
        }
        let hits = if tail.is_compound() {
            if !self.view().knows_first(tail.index(), of_tail.id) {
                return None;
            }
            1
        } else {
            if !of_tail.accept_constant(tail) {
                return None;
            }
            0
        };
        (cell >= store.boundary && self.set_new(cell, words.id)).then_some(hits)
    }

    /// The next most frequent look, at one structure all of whose arguments are known or pass by their words; with
    /// `LISTS` an argument may also be a list cell around what is known or passes.
    #[inline(always)]
    fn structure_holds<const LISTS: bool>(
        &mut self,
        store: &Store,
        types: &Types,
        term: Cell,
        words: &Words,
        tally: &mut Tally,
    ) -> bool {
        let cell = term.index();
        let Some((states, arguments)) = opened(store, types, cell, words) else { return false };
        let mut took = Took { hits: 0, visits: states.len() as u64, deepest: 1 };
        // Few arguments are looked at without a loop: going round takes as long as what is asked of most of them.
        macro_rules! all {
            ($count:literal: $($i:literal)*) => {{
                let (Some(states), Some(arguments)) =
                    (states.first_chunk::<$count>(), arguments.first_chunk::<$count>())
                else {
                    return false;
                };
                $(self.argument_passes::<LISTS>(store, types, &states[$i], arguments[$i], &mut took))&&*
            }};
        }
        let all = match states.len() {
            1 => all!(1: 0),
            2 => all!(2: 0 1),
            3 => all!(3: 0 1 2),
            4 => all!(4: 0 1 2 3),
            5 => all!(5: 0 1 2 3 4),
            _ => states.iter().zip(arguments).all(|(words, &argument)| {
                self.argument_passes::<LISTS>(store, types, words, argument, &mut took)
            }),
        };
        if !all || !self.set_new(cell, words.id) {
            return false;
        }
        tally.hits += took.hits;
        tally.visit(took.visits, took.deepest);
        true
    }

    /// Whether an argument of such a structure is known or passes.
    #[inline(always)]
    fn argument_passes<const LISTS: bool>(
        &mut self,
        store: &Store,
        types: &Types,
        words: &Words,
        argument: Cell,
        took: &mut Took,
    ) -> bool {
        let argument = match look_at(self.view(), store, words, argument) {
            Seen::Passes => return true,
            Seen::Known => {
                took.hits += 1;
                return true;
            }
            Seen::Open(argument) => argument,
        };
        if LISTS
            && argument.tag() == Tag::Lis
            && let Some(known) = self.list_cell_holds(store, types, argument.index(), words)
        {
            took.hits += known;
            took.visits += 2;
            took.deepest = took.deepest.max(1 + words.deeper());
            return true;
        }
        false
    }

    /// A list of at most so many new cells, whose heads are known or pass by their words, and which ends or goes on with
    /// a cell that is known.
    #[inline(never)]
    fn spine_holds(
        &mut self,
        store: &Store,
        types: &Types,
        first: usize,
        words: &Words,
        most: u32,
    ) -> Option<Spine> {
        let [of_head, of_tail] = types.words_of_list(words)?;
        // The same is asked of every cell, and none lies deeper than the first.
        if of_tail.id != words.id {
            return None;
        }
        let passes = |cell: Cell, words: &Words| words.accept_tag(cell, false) || words.accept_constant(cell);
        let known = self.view();
        let (mut cell, mut spine) = (first, Spine { hits: 0, cells: 0 });
        loop {
            // A cyclic list ends here too.
            if cell < store.boundary || spine.cells == most {
                return None;
            }
            spine.cells += 1;
            let [head, tail] = store.pair(cell).map(|cell| match cell.tag() {
                // Most variables are bound to no variable.
                Tag::Ref => store.at(cell.index()),
                _ => cell,
            });
            if !passes(head, of_head) {
                if !head.is_compound() || !known.knows_first(head.index(), of_head.id) {
                    return None;
                }
                spine.hits += 1;
            }
            if tail.is_compound() {
                // Of a list that has several types another one may stand first.
                if known.knows_first(tail.index(), words.id) || self.knows_other(tail.index(), words.id) {
                    spine.hits += 1;
                    break;
                }
                if tail.tag() != Tag::Lis {
                    return None;
                }
                cell = tail.index();
            } else if passes(tail, of_tail) {
                break;
            } else {
                return None;
            }
        }
        let mut cell = first;
        for _ in 0..spine.cells {
            self.set_young(store, cell, words.id.0);
            let [_, tail] = store.pair(cell);
            cell = if tail.tag() == Tag::Ref { store.at(tail.index()).index() } else { tail.index() };
        }
        Some(spine)
    }

    /// A look at everything else. Of what the term is made, if it holds.
    #[inline(never)]
    fn look(
        &mut self,
        store: &Store,
        types: &Types,
        term: Cell,
        words: &Words,
        tally: &mut Tally,
    ) -> Option<Way> {
        if self.knows_other(term.index(), words.id) {
            tally.hits += 1;
            return Some(Way::Alone);
        }
        let mut look =
            Look { tally: Tally { deepest: 1, ..Tally::default() }, depth: 1, left: OPENED, cells: 0 };
        if !self.opened_holds(store, types, term, words, &mut look) {
            return None;
        }
        tally.hits += look.tally.hits;
        tally.visits += look.tally.visits;
        tally.deepest = tally.deepest.max(look.tally.deepest);
        let opened = OPENED - look.left;
        Some(match opened {
            0 => Way::Alone,
            _ if opened == look.cells => Way::AroundLists,
            _ => Way::AroundTerms,
        })
    }

    /// Of a term of which nothing is known, at any depth.
    #[inline(always)]
    fn opened_holds(
        &mut self,
        store: &Store,
        types: &Types,
        term: Cell,
        words: &Words,
        look: &mut Look,
    ) -> bool {
        let cell = term.index();
        if cell < store.boundary {
            return false;
        }
        let (first, states) = if term.tag() == Tag::Lis {
            (cell, types.words_of_list(words).map(<[Words; 2]>::as_slice))
        } else {
            (cell + 1, types.words_of_arguments(words, store.at(cell)))
        };
        let Some(states) = states else { return false };
        let Some(arguments) = store.cells.get(first..first + states.len()) else { return false };
        let mut hits = 0;
        for (&argument, words) in arguments.iter().zip(states) {
            let holds = match look_at(self.view(), store, words, argument) {
                Seen::Passes => true,
                Seen::Known => {
                    hits += 1;
                    true
                }
                // Most new arguments are lists of which nothing is known.
                Seen::Open(list)
                    if list.tag() == Tag::Lis
                        && self.knows_nothing(list.index())
                        && self.new_list_holds(store, types, list, words, look) =>
                {
                    true
                }
                Seen::Open(term) if term.is_compound() => {
                    self.argument_holds(store, types, term, words, look)
                }
                Seen::Open(other) => is_atomic_of(store, types, words.id, other),
            };
            if !holds {
                return false;
            }
        }
        look.tally.hits += hits;
        look.tally.visits += states.len() as u64;
        self.set_young(store, cell, words.id.0);
        true
    }

    /// Of an argument that is a list.
    #[inline(always)]
    fn new_list_holds(
        &mut self,
        store: &Store,
        types: &Types,
        argument: Cell,
        words: &Words,
        look: &mut Look,
    ) -> bool {
        let Some(spine) = self.spine_holds(store, types, argument.index(), words, look.left) else {
            return false;
        };
        look.left -= spine.cells;
        look.cells += u32::from(spine.cells == 1 && look.depth == 1);
        look.tally.deepest = look.tally.deepest.max(look.depth + words.deeper());
        look.tally.hits += spine.hits;
        look.tally.visits += 2 * u64::from(spine.cells);
        true
    }

    /// Of an argument that is a list or structure and not known first of all to have the type.
    #[inline(never)]
    fn argument_holds(
        &mut self,
        store: &Store,
        types: &Types,
        argument: Cell,
        words: &Words,
        look: &mut Look,
    ) -> bool {
        if self.knows_other(argument.index(), words.id) {
            look.tally.hits += 1;
            return true;
        }
        if types.state(words.id).accepts_tag(argument.tag()) {
            return true;
        }
        if argument.tag() == Tag::Lis && self.new_list_holds(store, types, argument, words, look) {
            return true;
        }
        if look.left == 0 {
            return false;
        }
        look.left -= 1;
        let depth = look.depth;
        look.depth += words.deeper();
        look.tally.deepest = look.tally.deepest.max(look.depth);
        let holds = self.opened_holds(store, types, argument, words, look);
        look.depth = depth;
        holds
    }
}

/// Looks at the word of an argument, and at what is remembered of it first.
#[inline(always)]
pub(super) fn look_at(known: First<'_>, store: &Store, words: &Words, argument: Cell) -> Seen {
    let mut argument = argument;
    if words.accept_tag(argument, false) {
        return Seen::Passes;
    }
    if argument.tag() == Tag::Ref {
        // Most variables are bound to no variable.
        argument = store.at(argument.index());
        if words.accept_tag(argument, false) {
            return Seen::Passes;
        }
    }
    if !argument.is_compound() {
        return if words.accept_constant(argument) { Seen::Passes } else { Seen::Open(argument) };
    }
    if known.knows_first(argument.index(), words.id) { Seen::Known } else { Seen::Open(argument) }
}

/// The arguments of a structure that is younger than every choicepoint, by its first cell, with what is asked of them; if
/// the type with these words lists it.
#[inline(always)]
fn opened<'a>(
    store: &'a Store,
    types: &'a Types,
    cell: usize,
    words: &Words,
) -> Option<(&'a [Words], &'a [Cell])> {
    let states = types.words_of_arguments(words, store.at(cell))?;
    let arguments = store.cells.get(cell + 1..)?.get(..states.len())?;
    (cell >= store.boundary).then_some((states, arguments))
}

/// Whether a free variable, or a constant that is none of the first, has a type.
#[inline(never)]
fn is_atomic_of(store: &Store, types: &Types, id: TypeId, argument: Cell) -> bool {
    let argument = store.deref(argument);
    !matches!(argument.tag(), Tag::Lis | Tag::Str)
        && (types.state(id).accepts_tag(argument.tag()) || accepts_atomic(store, types, id, argument))
}
