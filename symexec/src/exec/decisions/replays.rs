//! Tests and paths that are followed instead of explored.
//!
//! A replayed test gives the program's inputs their bytes in the order in which it asks for them, so nothing is
//! unknown, and the program runs under all checks of the engine. A replayed path says which side each branch takes, as
//! `.path` files have it; inputs stay unknown. Both are KLEE's, and so are the messages where test or path is another
//! program's.

use crate::exec::{ErrorKind, Executor, PathError, State, Step};
use crate::expr::{ArrayId, ExprId};

/// A test that is replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// What it is called in messages.
    pub name: String,
    /// The bytes of its objects, in the order in which they were asked for.
    pub objects: Vec<Vec<u8>>,
}

impl Replay {
    /// What is said where its replay begins; it is one of several, counted from 1.
    pub(in crate::exec) fn title(&self, number: usize, count: usize) -> String {
        let bytes: usize = self.objects.iter().map(Vec::len).sum();
        format!("KLEE: replaying: {} ({bytes} bytes) ({number}/{count})", self.name)
    }
}

impl Executor<'_> {
    /// Gives a new input the bytes that it has in the replayed test of a path, if there is one. The input is known to
    /// have them, so that tests of the path are the replayed one.
    pub(in crate::exec) fn replay_input(
        &mut self,
        state: &mut State,
        array: ArrayId,
    ) -> Step<Option<Vec<ExprId>>> {
        let Some(replay) = state.replay.and_then(|replay| self.config.replays.get(replay)) else {
            return Ok(None);
        };
        let inputs = self.arena.array(array).bytes.clone();
        let Some(bytes) = replay.objects.get(state.inputs.len()) else {
            return Err(PathError::new(ErrorKind::User, "replay count mismatch").into());
        };
        if bytes.len() != inputs.len() {
            return Err(PathError::new(ErrorKind::User, "replay size mismatch").into());
        }
        let mut known = Vec::new();
        for (input, byte) in inputs.into_iter().zip(bytes) {
            let input = self.arena.input_byte(input);
            let byte = self.arena.constant(8, u64::from(*byte));
            let here = self.arena.equal(byte, input);
            state.assume(here);
            known.push(byte);
        }
        Ok(Some(known))
    }

    /// Whether the branch at which a state is belongs into its path: where calls of the C library are outside, as in
    /// KLEE without one, its own branches do not.
    pub(in crate::exec) fn records_branch(&self, state: &State) -> bool {
        let (function, _) = state.position();
        let is_library = self.module.functions[function.index()].runtime;
        self.config.record_branches && !(self.config.library_is_outside && is_library)
    }

    /// The side that the replayed path takes at the branch at which a state is, if a path is replayed.
    pub(in crate::exec) fn replayed_side(&self, state: &State) -> Step<Option<bool>> {
        let Some(path) = &self.config.path else { return Ok(None) };
        if !self.is_at_branch(state) || !self.records_branch(state) {
            return Ok(None);
        }
        let none = || PathError::new(ErrorKind::User, "ran out of branches in replay path mode").into();
        path.get(state.branches.len()).copied().map(Some).ok_or_else(none)
    }

    /// Notes the side of a branch that a path has taken.
    pub(in crate::exec) fn record_branch(&self, state: &mut State, side: bool) -> Step<()> {
        if !self.records_branch(state) {
            return Ok(());
        }
        if self.replayed_side(state)?.is_some_and(|replayed| replayed != side) {
            return Err(PathError::new(ErrorKind::User, "hit invalid branch in replay path mode").into());
        }
        state.branches.push_back_mut(side);
        Ok(())
    }
}
