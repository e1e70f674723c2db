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

/// What a run has seen.
#[derive(Clone, Copy, Default)]
struct Run {
    /// How many terms passed.
    passed: u64,
    /// How many types of arguments were known.
    hits: u64,
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
    if quick.accept_tag(term, false) || quick.accept_constant(term) {
        return true;
    }
    if term.is_compound() && cells.view().knows_first(term.index(), quick.id) {
        quick.hits += 1;
        return true;
    }
    cells.settle(counted, store, types, term)
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
    let mut run = Run::default();
    let mut known = cells.at_hand(words.id);
    let mut term = first;
    let end = loop {
        let cell = term.index();
        if term.tag() != Tag::Lis || cell < store.boundary {
            break End::Before(term);
        }
        let [head, tail] = store.pair(cell);
        if !of_head.accept_tag(head, false) {
            break End::Before(term);
        }
        match look_at(known.view(), store, of_tail, tail) {
            Seen::Passes => {}
            Seen::Known => run.hits += 1,
            Seen::Open(_) => break End::Before(term),
        }
        if !known.set_new(cell) {
            break End::Before(term);
        }
        match next() {
            None => break End::Last,
            Some(word) => term = behind(store, word),
        }
    };
    run.passed = known.added;
    let AtHand { added, end: bound, .. } = known;
    cells.add(added, bound);
    count(counted, run, 2);
    (end, run.passed)
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
    let mut known = cells.at_hand(words.id);
    let (end, run) = match states {
        [a] => alike(&mut known, store, (functor, [a]), first, next),
        [a, b] => alike(&mut known, store, (functor, [a, b]), first, next),
        [a, b, c] => alike(&mut known, store, (functor, [a, b, c]), first, next),
        [a, b, c, d] => alike(&mut known, store, (functor, [a, b, c, d]), first, next),
        [a, b, c, d, e] => alike(&mut known, store, (functor, [a, b, c, d, e]), first, next),
        _ => return (End::Before(first), 0),
    };
    let AtHand { added, end: bound, .. } = known;
    cells.add(added, bound);
    count(counted, run, states.len() as u64);
    (end, run.passed)
}

/// Of so many arguments.
#[inline(always)]
fn alike<const N: usize>(
    known: &mut AtHand<'_>,
    store: &Store,
    (functor, states): (Cell, [&Words; N]),
    first: Cell,
    next: &mut impl FnMut() -> Option<Cell>,
) -> (End, Run) {
    let mut run = Run::default();
    let mut term = first;
    let end = loop {
        let cell = term.index();
        let arguments = store.cells.get(cell + 1..).and_then(|cells| cells.first_chunk::<N>());
        let Some(arguments) = arguments else { break End::Before(term) };
        if term.tag() != Tag::Str || cell < store.boundary || store.at(cell) != functor {
            break End::Before(term);
        }
        let mut hits = 0;
        let mut passes = |i: usize| match look_at(known.view(), store, states[i], arguments[i]) {
            Seen::Passes => true,
            Seen::Known => {
                hits += 1;
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
            break End::Before(term);
        }
        run.hits += hits;
        match next() {
            None => break End::Last,
            Some(word) => term = behind(store, word),
        }
    };
    run.passed = known.added;
    (end, run)
}

/// Counts what a run took, each of whose terms has so many arguments.
#[inline(always)]
fn count(counted: &mut Counted, run: Run, arguments: u64) {
    if run.passed > 0 {
        counted.tally.hits += run.hits;
        counted.tally.visit(arguments * run.passed, 1);
    }
}
