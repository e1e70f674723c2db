//! Which clause called: from the return addresses on the stack to places in files.
//!
//! A table of the code of static clauses, in the order of addresses, written when clauses are compiled and read when
//! something is to be told: a running program pays nothing for it. A predicate that was called last in a clause has no
//! return address there; the place found is then that of the clause that still waits.

use crate::machine::{Address, Instruction, Machine, PredicateId};
use crate::term::Atom;

/// The code of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseCode {
    /// Where it starts.
    pub start: Address,
    /// Where it ends.
    pub end: Address,
    /// Its predicate.
    pub predicate: PredicateId,
    /// Its file.
    pub file: Atom,
    /// Its first and last line.
    pub lines: (usize, usize),
}

impl Machine {
    /// Enters clauses into the table. Their code lies behind that of all clauses entered before.
    pub fn add_clause_code(&mut self, clauses: &[ClauseCode]) {
        debug_assert!(
            self.clause_code
                .last()
                .is_none_or(|last| clauses.first().is_none_or(|first| first.start >= last.end)),
            "code is written in order"
        );
        self.clause_code.extend_from_slice(clauses);
    }

    /// The clause in which an address lies.
    pub(in crate::machine) fn clause_at(&self, address: Address) -> Option<ClauseCode> {
        let after = self.clause_code.partition_point(|clause| clause.start <= address);
        let clause = *self.clause_code.get(after.checked_sub(1)?)?;
        // A return address lies behind its call, so it may be the clause's end.
        (address <= clause.end).then_some(clause)
    }

    /// The innermost clause of a program that waits for a call, and the predicate that it called.
    pub(super) fn calling_clause(&self) -> Option<(ClauseCode, Option<PredicateId>)> {
        self.calling_clause_within(usize::MAX)
    }

    /// The same, among so many innermost frames.
    pub(in crate::machine) fn calling_clause_within(
        &self,
        frames: usize,
    ) -> Option<(ClauseCode, Option<PredicateId>)> {
        self.return_addresses().take(frames).find_map(|(address, _)| {
            let clause = self.clause_at(address)?;
            let called = match address.checked_sub(1).map(|call| self.code_at(call)) {
                Some(Instruction::Call(predicate, _)) => Some(predicate),
                _ => None,
            };
            Some((clause, called))
        })
    }

    /// Return addresses from the innermost on, each with the environment that holds when it is returned to.
    pub(crate) fn return_addresses(&self) -> impl Iterator<Item = (Address, usize)> + '_ {
        let mut next = Some((self.continuation, self.environment));
        std::iter::from_fn(move || {
            let (address, environment) = next?;
            // The outermost environment leads to itself.
            next = (environment != 0).then(|| {
                let outer = self.environments[environment].int_value() as usize;
                (self.environments[environment + 1].int_value() as Address, outer)
            });
            Some((address, environment))
        })
    }
}
