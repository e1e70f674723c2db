//! One check of a term after the other, as a recursion asks for them that builds a term on its way back.
//!
//! Most of these terms have the same functor and are new, made of what was checked before. While that is so, all that
//! the check needs is found once and kept at hand, and what it counts is added up at the end.

use super::Checker;
use crate::check::batch::{Counted, Counter, Quick};
use crate::check::cells::{AtHand, Cells};
use crate::check::glance::{Seen, look_at};
use crate::regtype::{Types, Words};
use crate::term::{Cell, Store, Tag};

/// How a run of terms of one kind ended.
enum End {
    /// With the last term.
    Last,
    /// In front of a term, at which one reference was followed.
    Before(Cell),
}

/// Follows one reference: most variables are bound to no variable.
#[inline(always)]
fn behind(store: &Store, word: Cell) -> Cell {
    if word.tag() == Tag::Ref { store.at(word.index()) } else { word }
}

impl Checker {
    /// Makes a check that is by itself a batch: of a first word, then of each that is given when the one before has
    /// passed by what is known at once. Whether all have.
    #[inline(always)]
    pub(crate) fn pass_in_turn(
        &mut self,
        counter: Counter,
        store: &Store,
        types: &Types,
        first: Cell,
        mut next: impl FnMut() -> Option<Cell>,
    ) -> bool {
        let Some((quick, counted, cells)) = self.parts_of(counter) else { return false };
        let mut term = behind(store, first);
        loop {
            let (end, passed) = match term.tag() {
                Tag::Lis => lists(counted, cells, store, types, term, &mut next),
                Tag::Str => structures(counted, cells, store, types, term, &mut next),
                _ => (End::Before(term), 0),
            };
            quick.times += passed;
            term = match end {
                End::Last => return true,
                End::Before(term) if passed > 0 => term,
                End::Before(term) => {
                    if !passes(quick, counted, cells, store, types, term) {
                        return false;
                    }
                    quick.times += 1;
                    match next() {
                        None => return true,
                        Some(word) => behind(store, word),
                    }
                }
            };
        }
    }
}

/// Whether any term passes by what is known at once.
#[inline(never)]
fn passes(
    quick: &mut Quick,
    counted: &mut Counted,
    cells: &mut Cells,
    store: &Store,
    types: &Types,
    term: Cell,
) -> bool {
    match quick.look_at(cells.view(), store, term, false) {
        None => true,
        Some(open) => cells.settle(counted, store, types, open),
    }
}

/// New terms of so many arguments one after the other, as long as they pass: each is remembered by what makes the run,
/// which tells how it ended and how many types of arguments were known. With how it ended: how many passed.
#[inline(always)]
fn run(
    counted: &mut Counted,
    cells: &mut Cells,
    arguments: u64,
    first: Cell,
    make: impl FnOnce(&mut AtHand<'_>) -> (End, u64),
) -> (End, u64) {
    let Some(mut known) = cells.at_hand(counted.check.words.id) else { return (End::Before(first), 0) };
    let (end, hits) = make(&mut known);
    let AtHand { added, end: bound, .. } = known;
    cells.add(added, bound);
    if added > 0 {
        counted.tally.hits += hits;
        counted.tally.visit(arguments * added, 1);
    }
    (end, added)
}

/// List cells whose heads pass by their tags and whose tails are known or end the list, as long as they come.
#[inline(always)]
fn lists(
    counted: &mut Counted,
    cells: &mut Cells,
    store: &Store,
    types: &Types,
    first: Cell,
    next: &mut impl FnMut() -> Option<Cell>,
) -> (End, u64) {
    let words = counted.check.words;
    let Some([of_head, of_tail]) = types.words_of_list(&words) else { return (End::Before(first), 0) };
    run(counted, cells, 2, first, |known| {
        let (mut term, mut hits) = (first, 0);
        loop {
            let cell = term.index();
            if term.tag() != Tag::Lis || cell < store.boundary {
                return (End::Before(term), hits);
            }
            let [head, tail] = store.pair(cell);
            if !of_head.accept_tag(head, false) {
                return (End::Before(term), hits);
            }
            let hit = match look_at(known.view(), store, of_tail, tail) {
                Seen::Passes => 0,
                Seen::Known => 1,
                Seen::Open(_) => return (End::Before(term), hits),
            };
            if !known.set_new(cell) {
                return (End::Before(term), hits);
            }
            hits += hit;
            match next() {
                None => return (End::Last, hits),
                Some(word) => term = behind(store, word),
            }
        }
    })
}

/// Structures with the functor of the first, all of whose arguments are known or pass by their words, as long as they
/// come.
#[inline(always)]
fn structures(
    counted: &mut Counted,
    cells: &mut Cells,
    store: &Store,
    types: &Types,
    first: Cell,
    next: &mut impl FnMut() -> Option<Cell>,
) -> (End, u64) {
    let words = counted.check.words;
    let functor = store.at(first.index());
    let Some(states) = types.words_of_arguments(&words, functor) else { return (End::Before(first), 0) };
    run(counted, cells, states.len() as u64, first, |known| match states {
        [a] => alike(known, store, (functor, [a]), first, next),
        [a, b] => alike(known, store, (functor, [a, b]), first, next),
        [a, b, c] => alike(known, store, (functor, [a, b, c]), first, next),
        [a, b, c, d] => alike(known, store, (functor, [a, b, c, d]), first, next),
        [a, b, c, d, e] => alike(known, store, (functor, [a, b, c, d, e]), first, next),
        _ => (End::Before(first), 0),
    })
}

/// Of so many arguments.
#[inline(always)]
fn alike<const N: usize>(
    known: &mut AtHand<'_>,
    store: &Store,
    (functor, states): (Cell, [&Words; N]),
    first: Cell,
    next: &mut impl FnMut() -> Option<Cell>,
) -> (End, u64) {
    let (mut term, mut hits) = (first, 0);
    loop {
        let cell = term.index();
        let arguments = store.cells.get(cell + 1..).and_then(|cells| cells.first_chunk::<N>());
        let Some(arguments) = arguments else { return (End::Before(term), hits) };
        if term.tag() != Tag::Str || cell < store.boundary || store.at(cell) != functor {
            return (End::Before(term), hits);
        }
        let mut more = 0;
        let mut passes = |i: usize| match look_at(known.view(), store, states[i], arguments[i]) {
            Seen::Passes => true,
            Seen::Known => {
                more += 1;
                true
            }
            Seen::Open(_) => false,
        };
        // Without a loop: going round takes as long as what is asked of most arguments.
        let all = passes(0)
            && (N < 2 || passes(1))
            && (N < 3 || passes(2))
            && (N < 4 || passes(3))
            && (N < 5 || passes(4));
        if !all || !known.set_new(cell) {
            return (End::Before(term), hits);
        }
        hits += more;
        match next() {
            None => return (End::Last, hits),
            Some(word) => term = behind(store, word),
        }
    }
}
