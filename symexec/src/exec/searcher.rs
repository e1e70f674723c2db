//! Which state runs next.
//!
//! The live states that wait are in one table, and one or more orders choose from it in turn, as in
//! KLEE, whose default takes a random path and a state near code that is new by turns. What an order
//! needs beside the table (positions for uniform choices, sums for weighted ones) is kept only if an
//! order of its kind is there. All choices cost at most the logarithm of the number of states, a random
//! path the depth of the tree of forks; all randomness comes from the seed.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::State;
use super::forks::Forks;

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
    /// Down the tree of forks, either side with equal chances: early forks count as much as late ones.
    RandomPath,
    /// States near code that no path has run yet are more likely.
    Coverage,
}

reprise_tools::names!(
    Search, "search":
    DepthFirst = "dfs", BreadthFirst = "bfs", Random = "random-state", RandomPath = "random-path",
    Coverage = "nurs:covnew"
);

/// The live states that are not running.
#[derive(Debug)]
pub(super) struct Searcher {
    orders: Vec<Search>,
    /// Whose turn it is.
    turn: usize,
    /// Whether the oldest state runs next, whatever the orders are.
    wide: bool,
    /// By arrival; a state that comes back is new again.
    states: BTreeMap<u64, State>,
    /// States that follow seeds, which run first, whatever the order of others is.
    seeded: Vec<State>,
    arrivals: u64,
    /// For random states: arrivals, and where each stands among them.
    uniform: Option<Uniform>,
    /// For random paths: the tree of forks, and the arrival of each state.
    forks: Option<(Forks, FxHashMap<u64, u64>)>,
    /// For weighted choices.
    weights: Option<Weights>,
    /// The state of a xorshift generator, never zero.
    random: u64,
}

impl Searcher {
    /// An empty one. Without an order it is depth first.
    pub(super) fn new(orders: &[Search], seed: u64) -> Self {
        let orders = if orders.is_empty() { vec![Search::DepthFirst] } else { orders.to_vec() };
        let wants = |search| orders.contains(&search);
        Self {
            uniform: wants(Search::Random).then(Uniform::default),
            forks: wants(Search::RandomPath).then(|| (Forks::new(), FxHashMap::default())),
            weights: wants(Search::Coverage).then(Weights::default),
            orders,
            turn: 0,
            wide: false,
            states: BTreeMap::new(),
            seeded: Vec::new(),
            arrivals: 0,
            random: seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    /// Whether the weights given to [`Searcher::add`] matter.
    pub(super) fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// Whether states should give way to others from time to time even if they do not fork.
    pub(super) fn is_fair(&self) -> bool {
        self.wide
            || self.orders.iter().any(|order| !matches!(order, Search::DepthFirst | Search::BreadthFirst))
    }

    /// Says whether all states have their turn, the oldest first, whatever the orders are.
    pub(super) fn widen(&mut self, wide: bool) {
        self.wide = wide;
    }

    /// Tells that a state became several; the running one goes on as one of them.
    pub(super) fn forked(&mut self, parent: u64, child: u64) {
        if let Some((forks, _)) = &mut self.forks {
            forks.fork(parent, child);
        }
    }

    /// Tells that a state has ended.
    pub(super) fn ended(&mut self, state: u64) {
        if let Some((forks, _)) = &mut self.forks {
            forks.end(state);
        }
    }

    /// Takes a state in; its weight says how likely a weighted choice is to fall on it.
    pub(super) fn add(&mut self, state: State, weight: u64) {
        if !state.seeds.is_empty() {
            if let Some((forks, _)) = &mut self.forks {
                forks.root(state.id);
            }
            self.seeded.push(state);
            return;
        }
        let arrival = self.arrivals;
        self.arrivals += 1;
        if let Some(uniform) = &mut self.uniform {
            uniform.add(arrival);
        }
        if let Some((forks, places)) = &mut self.forks {
            forks.root(state.id);
            places.insert(state.id, arrival);
        }
        if let Some(weights) = &mut self.weights {
            weights.add(arrival, weight);
        }
        self.states.insert(arrival, state);
    }

    /// Takes out the state with the fewest choices behind it, of those that do not follow seeds and have done
    /// nothing since the last one.
    pub(super) fn give(&mut self) -> Option<State> {
        let fresh = self.states.iter().filter(|(_, state)| state.fresh);
        let (arrival, _) = fresh.min_by_key(|(arrival, state)| (state.depth, **arrival))?;
        self.remove(*arrival)
    }

    /// Whether a state could be given away, and another one be left.
    pub(super) fn can_give(&self) -> bool {
        self.len() > 1 && self.states.values().any(|state| state.fresh)
    }

    pub(super) fn len(&self) -> usize {
        self.states.len() + self.seeded.len()
    }

    /// Whether there is a state that follows a seed.
    pub(super) fn has_seeded(&self) -> bool {
        !self.seeded.is_empty()
    }

    /// Gives every waiting state a new weight.
    pub(super) fn reweigh(&mut self, weight: impl Fn(&State) -> u64) {
        if let Some(weights) = &mut self.weights {
            for (arrival, state) in &self.states {
                weights.change(*arrival, weight(state));
            }
        }
    }

    pub(super) fn take(&mut self) -> Option<State> {
        if let Some(state) = self.seeded.pop() {
            return Some(state);
        }
        if self.wide {
            let (first, _) = self.states.first_key_value()?;
            return self.remove(*first);
        }
        let (first, _) = self.states.first_key_value()?;
        let (last, _) = self.states.last_key_value()?;
        let (first, last) = (*first, *last);
        let order = self.orders[self.turn % self.orders.len()];
        self.turn = (self.turn + 1) % self.orders.len();
        let arrival = match order {
            Search::DepthFirst => last,
            Search::BreadthFirst => first,
            Search::Random => {
                let random = self.next_random();
                self.uniform.as_ref().and_then(|uniform| uniform.pick(random)).unwrap_or(last)
            }
            Search::RandomPath => self.random_path().unwrap_or(last),
            Search::Coverage => {
                let random = self.next_random();
                self.weights.as_ref().and_then(|weights| weights.pick(random)).unwrap_or(last)
            }
        };
        self.remove(arrival)
    }

    fn remove(&mut self, arrival: u64) -> Option<State> {
        if let Some(uniform) = &mut self.uniform {
            uniform.remove(arrival);
        }
        if let Some(weights) = &mut self.weights {
            weights.remove(arrival);
        }
        let state = self.states.remove(&arrival)?;
        if let Some((_, places)) = &mut self.forks {
            places.remove(&state.id);
        }
        Some(state)
    }

    fn random_path(&mut self) -> Option<u64> {
        let mut random = self.random;
        let (forks, places) = self.forks.as_ref()?;
        let state = forks.walk(|sides| {
            random = step(random);
            usize::try_from(random % sides.max(1) as u64).unwrap_or(0)
        })?;
        let arrival = places.get(&state).copied();
        self.random = random;
        arrival
    }

    fn next_random(&mut self) -> u64 {
        self.random = step(self.random);
        self.random
    }
}

/// Xorshift: never zero if the last number was not.
fn step(mut random: u64) -> u64 {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    random
}

/// Elements of which each can be taken out and each is equally easy to choose.
#[derive(Debug, Default)]
struct Uniform {
    all: Vec<u64>,
    places: FxHashMap<u64, usize>,
}

impl Uniform {
    fn add(&mut self, element: u64) {
        self.places.insert(element, self.all.len());
        self.all.push(element);
    }

    fn remove(&mut self, element: u64) {
        let Some(place) = self.places.remove(&element) else { return };
        self.all.swap_remove(place);
        if let Some(moved) = self.all.get(place) {
            self.places.insert(*moved, place);
        }
    }

    fn pick(&self, random: u64) -> Option<u64> {
        let place = random.checked_rem(self.all.len() as u64)?;
        self.all.get(usize::try_from(place).ok()?).copied()
    }
}

/// Elements with weights: a binary tree of sums in an array.
#[derive(Debug, Default)]
struct Weights {
    /// Node `n` is the sum of nodes `2n` and `2n + 1`; the second half are the elements' places.
    sums: Vec<u64>,
    elements: Vec<u64>,
    places: FxHashMap<u64, usize>,
    free: Vec<usize>,
}

impl Weights {
    fn add(&mut self, element: u64, weight: u64) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.elements.push(element);
            self.elements.len() - 1
        });
        self.elements[place] = element;
        self.places.insert(element, place);
        if self.elements.len() * 2 > self.sums.len() {
            self.grow();
        }
        self.set(place, weight.max(1));
    }

    /// Doubles the tree.
    fn grow(&mut self) {
        let old = self.sums.len() / 2;
        let half = self.elements.len().next_power_of_two();
        let mut sums = vec![0; half * 2];
        sums[half..half + old].copy_from_slice(&self.sums[old..]);
        for node in (1..half).rev() {
            sums[node] = sums[node * 2] + sums[node * 2 + 1];
        }
        self.sums = sums;
    }

    fn set(&mut self, place: usize, weight: u64) {
        let mut node = self.sums.len() / 2 + place;
        self.sums[node] = weight;
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[node * 2] + self.sums[node * 2 + 1];
        }
    }

    fn change(&mut self, element: u64, weight: u64) {
        if let Some(place) = self.places.get(&element).copied() {
            self.set(place, weight.max(1));
        }
    }

    fn remove(&mut self, element: u64) {
        if let Some(place) = self.places.remove(&element) {
            self.set(place, 0);
            self.free.push(place);
        }
    }

    fn pick(&self, random: u64) -> Option<u64> {
        let total = self.sums.get(1).copied().filter(|total| *total > 0)?;
        let mut rest = random % total;
        let half = self.sums.len() / 2;
        let mut node = 1;
        while node < half {
            node *= 2;
            if rest >= self.sums[node] {
                rest -= self.sums[node];
                node += 1;
            }
        }
        self.elements.get(node - half).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{Uniform, Weights};

    #[test]
    fn a_weighted_choice_falls_on_each_element_as_often_as_its_weight_says() {
        let mut weights = Weights::default();
        for element in 0..6 {
            weights.add(element, element + 1);
        }
        weights.remove(2);
        weights.change(0, 4);
        weights.add(9, 3);
        let mut hits = std::collections::BTreeMap::new();
        let total = 4 + 2 + 4 + 5 + 6 + 3;
        for random in 0..total {
            *hits.entry(weights.pick(random)).or_insert(0) += 1;
        }
        let expected = [(0, 4), (1, 2), (3, 4), (4, 5), (5, 6), (9, 3)];
        assert_eq!(
            hits.into_iter().collect::<Vec<_>>(),
            expected.map(|(element, count)| (Some(element), count))
        );
        for element in [0, 1, 3, 4, 5, 9] {
            weights.remove(element);
        }
        assert_eq!(weights.pick(7), None);
    }

    #[test]
    fn a_uniform_choice_can_reach_everything_that_is_left_and_nothing_else() {
        let mut uniform = Uniform::default();
        for element in 0..5 {
            uniform.add(element);
        }
        uniform.remove(0);
        uniform.remove(4);
        let mut reached: Vec<u64> = (0..30).filter_map(|random| uniform.pick(random)).collect();
        reached.sort_unstable();
        reached.dedup();
        assert_eq!(reached, [1, 2, 3]);
    }
}
