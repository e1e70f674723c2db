//! How likely weighted searches choose a state, as KLEE's do.
//!
//! A weight is a fixed-point number, [`ONE`] for what KLEE calls 1. What KLEE takes from the clock (the cost of
//! questions) is counted here, so that no weight depends on the machine or on what a cache held.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::chances::ONE;
use super::searcher::Search;
use crate::exec::{Coverage, Executor, State};
use crate::module::FunctionId;

/// The distance that is taken for a state from which nothing new can be reached, as in KLEE.
const FAR: u64 = 10_000;

/// A state that was new so many instructions ago counts as if it still were.
const STILL_NEW: u64 = 1_000;

/// How many instructions were executed in the activations of each call path.
#[derive(Debug, Default)]
pub(in crate::exec) struct CallPaths {
    nodes: FxHashMap<Vec<(FunctionId, u32)>, usize>,
    counts: Vec<u64>,
    /// The path of the running state, and how many activations it has.
    current: usize,
    activations: usize,
}

impl CallPaths {
    /// The functions of a state's activations with the places of the calls between them.
    fn path(state: &State) -> Vec<(FunctionId, u32)> {
        let mut path: Vec<(FunctionId, u32)> =
            state.frames.iter().map(|frame| (frame.function, frame.position)).collect();
        if let Some((_, position)) = path.last_mut() {
            *position = 0;
        }
        path
    }

    /// Goes where a state is, which may be another one than before.
    pub(in crate::exec) fn enter(&mut self, state: &State) {
        let next = self.counts.len();
        self.current = *self.nodes.entry(Self::path(state)).or_insert(next);
        if self.current == next {
            self.counts.push(0);
        }
        self.activations = state.frames.len();
    }

    /// Notes instructions that the running state has executed, the last of which may be a call or a return.
    pub(in crate::exec) fn count(&mut self, state: &State, instructions: u64) {
        if let Some(count) = self.counts.get_mut(self.current) {
            *count += instructions;
        }
        if self.activations != state.frames.len() {
            self.enter(state);
        }
    }

    fn of(&self, state: &State) -> u64 {
        let count = self.nodes.get(&Self::path(state)).and_then(|node| self.counts.get(*node));
        count.copied().unwrap_or(0)
    }
}

/// `1 / number`, squared.
fn inverse_square(number: u64) -> u64 {
    let number = u128::from(number.max(1));
    u64::try_from(u128::from(ONE) / (number * number)).unwrap_or(0)
}

impl Executor<'_> {
    /// Whether executions of each instruction are counted.
    pub(in crate::exec) fn counts_executions(&self) -> bool {
        self.config.count_executions || self.searcher.has(Search::Executions)
    }

    /// Notes whether a state's turn, which began with so much covered and so many instructions executed, was the first
    /// to execute something.
    pub(in crate::exec) fn note_new(&self, state: &mut State, covered: u64, begun: u64) {
        let ran = self.explored.instructions - begun;
        state.since_new = if self.coverage.covered() > covered {
            Some(0)
        } else {
            state.since_new.map(|since| since.saturating_add(ran))
        };
    }

    /// Gives all states that wait the weights that they have by now.
    pub(in crate::exec) fn reweigh(&mut self) {
        let Self { coverage, executions, call_paths, searcher, .. } = self;
        searcher.reweigh(|order, state| weight(coverage, executions, call_paths.as_ref(), order, state));
    }
}

/// How likely an order should choose a state; at least one.
pub(in crate::exec) fn weight(
    coverage: &Coverage,
    executions: &BTreeMap<(FunctionId, u32), u64>,
    call_paths: Option<&CallPaths>,
    order: Search,
    state: &State,
) -> u64 {
    let near = || inverse_square(coverage.distance(state).map_or(FAR, |distance| distance.min(FAR)));
    let weight = match order {
        Search::Depth => state.depth.min(ONE),
        Search::Executions => inverse_square(executions.get(&state.position()).copied().unwrap_or(0)),
        Search::CallPaths => ONE / call_paths.map_or(1, |paths| paths.of(state)).max(1),
        Search::Questions => ONE / state.questions.max(1),
        Search::Distance => near(),
        Search::Coverage => match state.since_new {
            None => near(),
            Some(since) => near() + inverse_square(since.saturating_sub(STILL_NEW)),
        },
        Search::DepthFirst | Search::BreadthFirst | Search::Random | Search::RandomPath => 1,
    };
    weight.max(1)
}

#[cfg(test)]
mod tests {
    use super::{FAR, ONE, inverse_square};

    #[test]
    fn what_is_near_weighs_more_and_nothing_weighs_nothing() {
        assert_eq!(inverse_square(0), ONE);
        assert_eq!(inverse_square(1), ONE);
        assert_eq!(inverse_square(2), ONE / 4);
        assert!(inverse_square(FAR) > 0);
        assert_eq!(inverse_square(u64::MAX), 0);
    }
}
