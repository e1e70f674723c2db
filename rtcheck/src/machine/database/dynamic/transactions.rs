//! Changes of dynamic predicates that are taken back: `transaction/1` and `snapshot/1`.
//!
//! While a transaction is under way, the numbers of clauses that were added or erased are noted, and erased ones stay in
//! their chains as if a search had begun with it. Taking back erases what was added; where something was erased, the
//! predicate gets the clauses again that it had, in their order, as new ones. Nobody else sees the time between, since
//! threads take turns only where a goal waits.

use super::{Clause, ClauseId};
use crate::machine::{Lie, Machine, PredicateId, Throw};
use std::collections::BTreeSet;

/// The transactions under way.
#[derive(Debug, Default)]
pub(crate) struct Transactions {
    /// For each, outermost first, the generation in which it began and how many changes there were.
    open: Vec<(u64, usize)>,
    /// Clauses that were added or erased since the outermost began.
    changes: Vec<ClauseId>,
}

impl Transactions {
    /// When the outermost began.
    pub(super) fn since(&self) -> Option<u64> {
        self.open.first().map(|&(generation, _)| generation)
    }
}

impl Machine {
    /// Notes that a clause was added or erased.
    #[inline]
    pub(super) fn note_change(&mut self, id: ClauseId) {
        if self.predicate_at(self.clause(id).predicate).incremental && !self.tells(Lie::KeepTables) {
            self.tabling.note_change();
        }
        if !self.transactions.open.is_empty() {
            self.transactions.changes.push(id);
        }
    }

    /// Begins a transaction inside those that are under way. Gives how many these were.
    pub(crate) fn begin_transaction(&mut self) -> usize {
        let Transactions { open, changes } = &mut self.transactions;
        open.push((self.generation, changes.len()));
        open.len() - 1
    }

    /// Ends the innermost transactions until so many are left, and keeps what they changed.
    pub(crate) fn commit(&mut self, left: usize) {
        self.transactions.open.truncate(left);
        if left == 0 {
            self.transactions.changes.clear();
        }
    }

    /// Ends the innermost transactions until so many are left, and takes back what they changed.
    ///
    /// # Errors
    /// A clause cannot be compiled again, which only a limit can cause.
    pub(crate) fn roll_back(&mut self, left: usize) -> Result<(), Throw> {
        let Some(&(since, noted)) = self.transactions.open.get(left) else { return Ok(()) };
        let changes: BTreeSet<u32> =
            self.transactions.changes[noted..].iter().map(|clause| clause.0).collect();
        let mut diminished = BTreeSet::new();
        for id in changes.into_iter().map(ClauseId) {
            let &Clause { predicate, born, erased, .. } = self.clause(id);
            if born > since {
                self.erase_clause(id);
            } else if erased != u64::MAX {
                diminished.insert(predicate);
            }
        }
        let result = diminished.into_iter().try_for_each(|predicate| self.fill_again(predicate, since));
        self.commit(left);
        result
    }

    /// Gives a predicate the clauses that it had in a generation.
    fn fill_again(&mut self, predicate: PredicateId, since: u64) -> Result<(), Throw> {
        let mut clauses = Vec::new();
        let mut next = self.predicate_at(predicate).clauses.map(|(first, _)| first);
        while let Some(id) = next {
            let Clause { born, erased, link, .. } = self.clause(id);
            next = link.next;
            if *born <= since && *erased > since {
                clauses.push(id);
            }
        }
        // Those before the first that was erased stay.
        let kept = clauses.iter().take_while(|&&id| self.clause(id).erased == u64::MAX).count();
        for old in clauses.split_off(kept) {
            let term = self.clause(old).term.clone().restore(&mut self.store);
            self.erase_clause(old);
            let new = self.add_clause(predicate, term, false)?;
            let of_files = self.loading.files.iter_mut().flat_map(|file| &mut file.clauses);
            let moved = of_files.filter(|clause| **clause == old).map(|clause| *clause = new).count();
            if moved > 0 {
                self.keep_clause_id(new);
            }
        }
        Ok(())
    }
}
