//! How deep calls may be: `call_with_depth_limit/3`.
//!
//! The depth of a call is one more than that of the clause that makes it, last calls included, as SWI-Prolog counts:
//! the machine's own depth (`limits`) is that of the environments that are left. While a limit holds, the form of the
//! loop that looks before each instruction keeps the depth of the clause that is running. An environment made
//! meanwhile holds it in its header, so that it is known again when a call returns; choicepoints have theirs beside
//! them. A call that is too deep fails, and whoever set the limit is told how deep calls got.
//!
//! The library's own calls of `call/1` count as the goals that they call, and its interpreter of control constructs
//! as the clause that it stands for.

use crate::machine::{Address, Instruction, Machine, PredicateId};
use crate::term::{Cell, atom};

/// The limit of the innermost goal with one, and the depth where the loop is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Depths {
    /// Deeper calls fail.
    limit: Option<u64>,
    /// The deepest call since the limit was set.
    reached: u64,
    /// The depth of the clause that is running.
    current: u64,
    /// An environment was made by the instruction before this one.
    made: bool,
    /// The depth of the clause of each choicepoint.
    choices: Vec<u64>,
}

/// A limit and how deep calls got under it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthLimit {
    /// Deeper calls fail; none if they may be as deep as they like.
    pub(crate) limit: Option<u64>,
    /// The deepest call so far.
    pub(crate) reached: u64,
}

impl Depths {
    /// Whether a limit holds.
    #[inline]
    pub(in crate::machine) fn are_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// The machine went back to the last of so many choicepoints.
    #[inline]
    pub(in crate::machine) fn return_to(&mut self, choices: usize) {
        if self.limit.is_some()
            && let Some(&depth) = self.choices.get(choices.wrapping_sub(1))
        {
            self.current = depth;
            self.made = false;
        }
    }
}

impl Machine {
    /// Sets a limit, or none, and returns what held until now. The next call of the loop knows.
    pub(crate) fn set_depth_limit(&mut self, new: DepthLimit) -> DepthLimit {
        let before = DepthLimit { limit: self.depths.limit, reached: self.depths.reached };
        if before.limit.is_none() && new.limit.is_some() {
            self.depths.current = self.depth();
            self.depths.choices.truncate(self.choices.len());
        }
        self.depths.limit = new.limit;
        self.depths.reached = new.reached;
        self.store.tell_loop();
        before
    }

    /// The depth of the clause that is running, while a limit holds or it has an environment.
    pub(crate) fn clause_depth(&self) -> u64 {
        if self.depths.are_limited() { self.depths.current } else { self.depth() }
    }

    /// An exception went to the handler of a `catch/3`, whose environment is gone already.
    pub(in crate::machine) fn depth_after_throw(&mut self) {
        self.depths.current = self.depth() + 1;
        self.depths.made = false;
    }

    /// Follows one instruction while a limit holds: whether it is a call that is too deep.
    #[cold]
    pub(in crate::machine) fn is_too_deep(&mut self, here: Address) -> bool {
        use Instruction as I;
        if std::mem::take(&mut self.depths.made) {
            let header = &mut self.environments[self.environment + 2];
            *header = Cell::int((self.depths.current as i64) << 16 | (header.int_value() & 0xffff));
        }
        let choices = self.choices.len();
        if choices != self.depths.choices.len() {
            self.depths.choices.resize(choices, self.depths.current);
        }
        let own = self.environments[self.environment + 2].int_value() >> 16;
        match self.code_at(here) {
            I::Allocate(_) => self.depths.made = true,
            I::Call(predicate, _) => return self.goes_to(own as u64, predicate, here),
            I::Execute(predicate) => return self.goes_to(self.depths.current, predicate, here),
            I::DeallocateExecute(predicate) => return self.goes_to(own as u64, predicate, here),
            I::MetaCall(_) => return self.reaches(self.depths.current + 1, true),
            I::Proceed | I::FinishOne(..) | I::Finish(..) => self.depths.current = own as u64,
            I::DeallocateProceed => {
                let outer = self.environments[self.environment].int_value() as usize;
                self.depths.current = (self.environments[outer + 2].int_value() >> 16) as u64;
            }
            // A built-in that a clause calls is no predicate of its own to the machine.
            I::Builtin(..) | I::Test(..) | I::CompareTerms(..) if !self.is_library(here) => {
                return self.reaches(self.depths.current + 1, false);
            }
            _ => {}
        }
        false
    }

    fn is_library(&self, here: Address) -> bool {
        here < self.library.builtins.end || self.library.has(here)
    }

    /// A clause of some depth calls a predicate.
    fn goes_to(&mut self, depth: u64, predicate: PredicateId, here: Address) -> bool {
        let called = self.predicate_at(predicate);
        let same = (called.name == atom::EXEC && called.module == atom::SYSTEM)
            || (predicate == PredicateId::CALL && self.is_library(here));
        self.reaches(if same { depth } else { depth + 1 }, true)
    }

    /// A call is so deep; whether that is too deep. `enters` a clause of that depth if it is not.
    fn reaches(&mut self, depth: u64, enters: bool) -> bool {
        self.depths.reached = self.depths.reached.max(depth);
        if enters {
            self.depths.current = depth;
        }
        self.depths.limit.is_some_and(|limit| depth > limit)
    }
}
