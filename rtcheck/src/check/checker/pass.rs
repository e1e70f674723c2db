//! The way through a batch where nothing is violated: a few words for each check, and no call for what is known.
//!
//! Most words decide by themselves: by their tag, as one of the first constants of a type, or as the first type that is
//! remembered beside a term. What they leave is *settled*, most of it by a glance.

use super::{Checker, NOWHERE};
use crate::check::Site;
use crate::check::batch::{Batch, BatchCheck, Counted, Counter, Quick};
use crate::check::cells::Cells;
use crate::check::walk::accepts_atomic;
use crate::regtype::Types;
use crate::term::{Cell, Store, Tag};
use std::ops::Range;

impl Checker {
    /// Makes the checks of a batch of arguments by their numbers, in order, while they pass by what is known at
    /// once. The error is the position of the first that does not, which [`Checker::pass_rest`] goes on with.
    /// With `lies` every compound term passes.
    #[inline(always)]
    pub(crate) fn pass_known(
        &mut self,
        batch: Range<usize>,
        store: &Store,
        types: &Types,
        lies: bool,
        arguments: &[Cell],
    ) -> Result<(), usize> {
        let start = batch.start;
        let Self { quick, batched, tables, .. } = self;
        let checks = quick.get_mut(batch).ok_or(0_usize)?;
        // Most batches pass: counted here, where the first check is at hand.
        if let [first, ..] = checks {
            first.times += 1;
        }
        let mut known = AtOnce { batched, cells: &mut tables.cells, store, types, start };
        macro_rules! each {
            ($($check:ident: $position:literal)*) => {{
                $(if !known.passes($check, $position, arguments[$check.argument as usize], lies) {
                    return Err(self.stopped_at(start, $position));
                })*
            }};
        }
        // Few are made without a loop: going round takes half as long as most checks.
        match checks {
            [a, b] => each!(a: 0 b: 1),
            [a, b, c] => each!(a: 0 b: 1 c: 2),
            [a, b, c, d] => each!(a: 0 b: 1 c: 2 d: 3),
            _ => {
                for (position, check) in checks.iter_mut().enumerate() {
                    if !known.passes(check, position, arguments[check.argument as usize], lies) {
                        return Err(self.stopped_at(start, position));
                    }
                }
            }
        }
        Ok(())
    }

    /// A batch that starts with a check was counted, but stopped at a position.
    #[cold]
    fn stopped_at(&mut self, start: usize, position: usize) -> usize {
        if let Some(first) = self.quick.get_mut(start) {
            first.times -= 1;
        }
        position
    }

    /// Makes the checks of a batch from a position on. What fails is counted, and the error is its position; whoever is
    /// told calls [`Checker::not_in_batch`] of each check up to there.
    #[inline(always)]
    pub(crate) fn pass_rest(
        &mut self,
        batch: Batch,
        from: usize,
        store: &Store,
        types: &Types,
        lies: bool,
        arguments: &[Cell],
    ) -> Result<(), usize> {
        let Range { start, end } = batch.range();
        for at in start + from..end {
            let check = &self.batched[at].check;
            let cell = store.deref(arguments[check.argument as usize]);
            if !check.words.accept_tag(cell, lies) && !self.settle(at, store, types, cell) {
                return Err(at - start);
            }
        }
        if let Some([.., last]) = self.batched.get_mut(batch.range()) {
            last.times += 1;
        }
        Ok(())
    }

    /// The checks of a batch, each with where it is counted; none where there is no batch.
    pub(crate) fn checks_of(&self, batch: Batch) -> impl Iterator<Item = (BatchCheck, Counter)> {
        let checks = self.batched.get(batch.range()).unwrap_or_default();
        checks.iter().zip(batch.range()).map(|(counted, at)| (counted.check, Counter(at as u32)))
    }

    /// Whether a word passes a check of a batch by what is known at once. With the last check the batch is counted, so
    /// all others must have passed.
    #[inline(always)]
    pub(crate) fn passes<const LAST: bool>(
        &mut self,
        counter: Counter,
        store: &Store,
        types: &Types,
        word: Cell,
    ) -> bool {
        let Some(quick) = self.quick.get_mut(counter.0 as usize) else { return false };
        let mut cell = word;
        if cell.tag() == Tag::Ref {
            // Most variables are bound to no variable.
            cell = store.at(cell.index());
        }
        let cells = &mut self.tables.cells;
        // What is checked behind a call is most often a new term.
        let known = quick.accept_tag(cell, false)
            || if !cell.is_compound() {
                quick.accept_constant(cell)
            } else if cells.view().knows_first(cell.index(), quick.id) {
                quick.hits += 1;
                true
            } else {
                false
            };
        if !known {
            let Some(counted) = self.batched.get_mut(counter.0 as usize) else { return false };
            if !cells.settle(counted, store, types, cell) {
                return false;
            }
        }
        quick.times += u64::from(LAST);
        true
    }

    /// What one check counts and knows.
    #[inline(always)]
    pub(super) fn parts_of(&mut self, counter: Counter) -> Option<(&mut Quick, &mut Counted, &mut Cells)> {
        let quick = self.quick.get_mut(counter.0 as usize)?;
        let counted = self.batched.get_mut(counter.0 as usize)?;
        Some((quick, counted, &mut self.tables.cells))
    }

    /// A check of a batch, by its place among all, whose dereferenced word does not pass by its tag.
    #[inline(always)]
    fn settle(&mut self, at: usize, store: &Store, types: &Types, term: Cell) -> bool {
        let counted = &mut self.batched[at];
        let check = counted.check;
        if term.is_compound() {
            if self.at_once && self.tables.cells.glance(store, types, term, &check.words, &mut counted.tally)
            {
                return true;
            }
        } else if check.words.accept_constant(term) {
            return true;
        }
        self.settle_by_type(&check, store, types, term)
    }

    /// The same for what takes more than a glance.
    #[inline(never)]
    fn settle_by_type(&mut self, check: &BatchCheck, store: &Store, types: &Types, term: Cell) -> bool {
        let &BatchCheck { words, tags, site, .. } = check;
        if tags >> term.tag_number() & 1 != 0 {
            return true;
        }
        let id = words.id;
        let compound = matches!(term.tag(), Tag::Lis | Tag::Str);
        if id != BatchCheck::NO_TYPE {
            if !compound && accepts_atomic(store, types, id, term) {
                return true;
            }
            if compound {
                self.set_apart(site, 1);
                if self.at_once {
                    // Nothing is known of the term, or it would not have come here.
                    return self.walk(store, types, (term, id, site), None, [NOWHERE; 2]);
                }
                return self.check_compound(store, types, term, id, site);
            }
        }
        self.set_apart(site, 1);
        self.count_test(site, false)
    }

    /// A check of a batch does not pass with it after all.
    pub(crate) fn not_in_batch(&mut self, site: Site) {
        self.set_apart(site, u64::MAX);
    }

    /// So many checks more, modulo 2^64, are counted by themselves.
    fn set_apart(&mut self, site: Site, more: u64) {
        let place = self.place(site);
        place.apart = place.apart.wrapping_add(more);
    }
}

/// What makes checks by what is known at once.
struct AtOnce<'a> {
    batched: &'a mut [Counted],
    cells: &'a mut Cells,
    store: &'a Store,
    types: &'a Types,
    /// Where the checks of the batch start.
    start: usize,
}

impl AtOnce<'_> {
    #[inline(always)]
    fn passes(&mut self, quick: &mut Quick, position: usize, word: Cell, lies: bool) -> bool {
        let mut cell = word;
        if quick.accept_tag(cell, lies) {
            return true;
        }
        if cell.tag() == Tag::Ref {
            // Most variables are bound to no variable.
            cell = self.store.at(cell.index());
            if quick.accept_tag(cell, lies) {
                return true;
            }
        }
        if cell.is_compound() {
            if self.cells.view().knows_first(cell.index(), quick.id) {
                quick.hits += 1;
                return true;
            }
        } else if quick.accept_constant(cell) {
            return true;
        }
        let counted = self.batched.get_mut(self.start + position);
        counted.is_some_and(|counted| self.cells.settle(counted, self.store, self.types, cell))
    }
}
