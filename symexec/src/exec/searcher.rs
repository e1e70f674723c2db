//! Which state runs next.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use super::State;

/// An order of exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// The newest state first.
    #[default]
    DepthFirst,
    /// The oldest state first.
    BreadthFirst,
    /// Any state, all with equal chances.
    Random,
}

impl Search {
    /// All of them, in the order of help texts.
    pub const ALL: [Self; 3] = [Self::DepthFirst, Self::BreadthFirst, Self::Random];

    /// The name on command lines, as in KLEE.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DepthFirst => "dfs",
            Self::BreadthFirst => "bfs",
            Self::Random => "random-state",
        }
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A searcher's name that does not exist.
#[derive(Debug, thiserror::Error)]
#[error("unknown search `{0}`: use dfs, bfs or random-state")]
pub struct UnknownSearch(String);

impl FromStr for Search {
    type Err = UnknownSearch;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|search| search.name() == text)
            .ok_or_else(|| UnknownSearch(text.to_owned()))
    }
}

/// The live states that are not running.
#[derive(Debug)]
pub(super) struct Searcher {
    search: Search,
    states: VecDeque<State>,
    /// The state of a xorshift generator, never zero.
    random: u64,
}

impl Searcher {
    pub(super) fn new(search: Search, seed: u64) -> Self {
        Self {
            search,
            states: VecDeque::new(),
            random: seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    pub(super) fn add(&mut self, state: State) {
        self.states.push_back(state);
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn take(&mut self) -> Option<State> {
        match self.search {
            Search::DepthFirst => self.states.pop_back(),
            Search::BreadthFirst => self.states.pop_front(),
            Search::Random => {
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                let count = self.states.len() as u64;
                let chosen = if count == 0 { 0 } else { self.random % count };
                self.states.swap_remove_back(usize::try_from(chosen).unwrap_or(0))
            }
        }
    }
}
