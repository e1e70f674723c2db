//! Where an exception came from, for the message if nothing catches it.
//!
//! The instruction that failed says which built-in it was, or in which clause; the stack says which clause waits. Both
//! are read when a ball is thrown, before the stack is unwound, and turned into names only when a message is written.
//! The stack is followed for a few frames only, so that a throw stays cheap however deep it happens.

use crate::machine::{Address, ClauseCode, Instruction, Kind, Machine, PredicateId};
use crate::term::{Record, atom};

/// How many frames are looked at for a clause of the program.
const FRAMES: usize = 64;

/// Where a ball was thrown.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct Thrown {
    /// The instruction that failed.
    at: Address,
    /// The innermost clause of the program, and what it called.
    clause: Option<(ClauseCode, Option<PredicateId>)>,
}

/// Where an exception came from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin {
    /// The predicate that threw it, if that is a built-in or one of the library.
    pub culprit: Option<PredicateId>,
    /// The innermost clause of the program.
    pub clause: Option<ClauseCode>,
    /// Whether that is a guess: the only clause whose last call is the unknown predicate that was called.
    pub likely: bool,
}

impl Machine {
    /// Notes where a ball is thrown, unless it only passes through: then it was noted further in.
    pub(in crate::machine) fn note_throw(&mut self, ball: &Record) {
        if let Some((known, thrown)) = self.escaped.take()
            && known == *ball
        {
            self.thrown = Some(thrown);
            return;
        }
        let at = self.failed_at;
        let clause = match self.clause_at(at).filter(|clause| at < clause.end) {
            Some(clause) => Some((clause, None)),
            None => self.calling_clause_within(FRAMES),
        };
        self.thrown = Some(Thrown { at, clause });
    }

    /// Notes that nothing in the innermost run caught the ball thrown last.
    pub(in crate::machine) fn note_escape(&mut self, ball: &Record) {
        self.escaped = self.thrown.map(|thrown| (ball.clone(), thrown));
    }

    /// Where a ball came from, if it is the one that nothing caught last.
    #[must_use]
    pub fn thrown_from(&self, ball: &Record) -> Option<Origin> {
        let (_, thrown) = self.escaped.as_ref().filter(|(known, _)| known == ball)?;
        let hidden = |&id: &PredicateId| {
            let predicate = self.predicate_at(id);
            let text = self.atoms.text(predicate.name);
            text.starts_with('$') || text == "throw" || predicate.name == atom::CALL
        };
        let (clause, called) = thrown.clause.unzip();
        let library = |&id: &PredicateId| self.predicate_at(id).module == atom::SYSTEM;
        let called = called.flatten().map(|id| self.origin(id)).filter(library);
        let culprit = called.or_else(|| self.builtin_at(thrown.at)).filter(|id| !hidden(id));
        // The clause that called an unknown predicate last is not on the stack any more.
        if let Instruction::Undefined(unknown) = self.code_at(thrown.at)
            && thrown.clause.is_none_or(|(_, called)| called != Some(unknown))
        {
            let clause = self.only_last_caller(unknown);
            return Some(Origin { culprit: None, clause, likely: true });
        }
        Some(Origin { culprit, clause, likely: false })
    }

    /// The clause whose last call is a predicate, if there is just one.
    fn only_last_caller(&self, predicate: PredicateId) -> Option<ClauseCode> {
        let calls = |clause: &&ClauseCode| {
            (clause.start..clause.end).any(|address| {
                matches!(
                    self.code_at(address),
                    Instruction::Execute(called) | Instruction::DeallocateExecute(called) if called == predicate
                )
            })
        };
        let mut callers = self.clause_code.iter().filter(calls);
        let first = callers.next()?;
        callers.next().is_none().then_some(*first)
    }

    /// The built-in that an instruction calls.
    fn builtin_at(&self, address: Address) -> Option<PredicateId> {
        let Instruction::Builtin(number, _) = self.code_at(address) else { return None };
        let mut ids = (0..self.predicates.len() as u32).map(PredicateId);
        ids.find(|&id| {
            let predicate = self.predicate_at(id);
            matches!(predicate.kind, Kind::Control | Kind::Library)
                && matches!(self.code_at(predicate.body), Instruction::Builtin(other, _) if other == number)
        })
    }
}
