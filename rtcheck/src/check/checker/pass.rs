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
        // Few are made without a loop: going round takes half as long as most checks.
        match batch.len() {
            1 => return self.pass_few::<1>(start, store, types, lies, arguments),
            2 => return self.pass_few::<2>(start, store, types, lies, arguments),
            3 => return self.pass_few::<3>(start, store, types, lies, arguments),
            4 => return self.pass_few::<4>(start, store, types, lies, arguments),
            _ => {}
        }
        let Self { quick, tables, .. } = self;
        let checks = quick.get_mut(batch.clone()).ok_or(0_usize)?;
        if let [first, ..] = checks {
            first.times += 1;
        }
        let known = tables.cells.view();
        for (position, check) in checks.iter_mut().enumerate() {
            if let Some(open) = check.look_at(known, store, arguments[check.argument as usize], lies) {
                return self.pass_settling(position, open, batch, store, types, lies, arguments);
            }
        }
        Ok(())
    }

    /// The same of so many checks from one on, at most four.
    #[inline(always)]
    pub(crate) fn pass_few<const N: usize>(
        &mut self,
        start: usize,
        store: &Store,
        types: &Types,
        lies: bool,
        arguments: &[Cell],
    ) -> Result<(), usize> {
        let batch = start..start + N;
        let Self { quick, tables, .. } = self;
        let checks = quick.get_mut(batch.clone()).and_then(|checks| checks.first_chunk_mut::<N>());
        let checks = checks.ok_or(0_usize)?;
        // Most batches pass: counted here, where the first check is at hand.
        if let Some(first) = checks.first_mut() {
            first.times += 1;
        }
        macro_rules! each {
            ($($position:literal)*) => {
                $(if let Some(check) = checks.get_mut($position) {
                    let word = arguments[check.argument as usize];
                    if let Some(open) = check.look_at(tables.cells.view(), store, word, lies) {
                        if $position + 1 < N {
                            return self.pass_settling($position, open, batch, store, types, lies, arguments);
                        }
                        if !self.settles(start + $position, store, types, open) {
                            return Err(self.stopped_at(start, $position));
                        }
                        return Ok(());
                    }
                })*
            };
        }
        each!(0 1 2 3);
        Ok(())
    }

    /// Whether a word, at which one reference was followed and which is not known at once, passes a check by its place
    /// among all.
    #[inline(always)]
    fn settles(&mut self, at: usize, store: &Store, types: &Types, open: Cell) -> bool {
        let counted = self.batched.get_mut(at);
        counted.is_some_and(|counted| self.tables.cells.settle(counted, store, types, open))
    }

    /// The same from a position on, at which a word is open: it is settled, and so are others. A function of its own, so
    /// that nothing of a batch all of which is known has to be kept across a call.
    #[inline(never)]
    #[expect(
        clippy::too_many_arguments,
        reason = "handed on in registers; a structure would be written to memory"
    )]
    fn pass_settling(
        &mut self,
        from: usize,
        mut open: Cell,
        batch: Range<usize>,
        store: &Store,
        types: &Types,
        lies: bool,
        arguments: &[Cell],
    ) -> Result<(), usize> {
        let Range { start, end } = batch;
        let mut at = start + from;
        while self.settles(at, store, types, open) {
            let known = self.tables.cells.view();
            let mut rest = self.quick.get_mut(at + 1..end).into_iter().flatten();
            let next = rest.find_map(|check| {
                at += 1;
                check.look_at(known, store, arguments[check.argument as usize], lies)
            });
            match next {
                None => return Ok(()),
                Some(word) => open = word,
            }
        }
        Err(self.stopped_at(start, at - start))
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

    /// Whether a word passes a check of a batch by what is known at once; what is checked behind a call is most often a
    /// new term. With the last check the batch is counted, so all others must have passed.
    #[inline(always)]
    pub(crate) fn passes<const LAST: bool>(
        &mut self,
        counter: Counter,
        store: &Store,
        types: &Types,
        word: Cell,
    ) -> bool {
        let Some(quick) = self.quick.get_mut(counter.0 as usize) else { return false };
        let cells = &mut self.tables.cells;
        if let Some(open) = quick.look_behind(cells.view(), store, word, false) {
            let Some(counted) = self.batched.get_mut(counter.0 as usize) else { return false };
            if !cells.settle(counted, store, types, open) {
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
