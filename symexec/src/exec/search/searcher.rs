//! Which state runs next.
//!
//! The live states that wait are in one table, and one or more orders choose from it in turn, as in
//! KLEE, whose default takes a random path and a state near code that is new by turns. What an order
//! needs beside the table (positions for uniform choices, sums for weighted ones) is kept only if an
//! order of its kind is there. All choices cost at most the logarithm of the number of states, a random
//! path the depth of the tree of forks; all randomness comes from the seed.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::chances::{Chances, Crowd, HOPELESS, Uniform};
use super::forks::Forks;
use crate::exec::state::SmallForm;
use crate::exec::{Frame, State};

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
    /// States near code that no path has run yet, or that ran some lately, are more likely.
    Coverage,
    /// States near code that no path has run yet are more likely.
    Distance,
    /// States with many choices behind them are more likely.
    Depth,
    /// States at instructions that were executed seldom are more likely.
    Executions,
    /// States in activations whose call path executed few instructions are more likely.
    CallPaths,
    /// States that asked few questions are more likely.
    Questions,
}

reprise_tools::names!(
    Search, "search":
    DepthFirst = "dfs", BreadthFirst = "bfs", Random = "random-state", RandomPath = "random-path",
    Coverage = "nurs:covnew", Distance = "nurs:md2u", Depth = "nurs:depth", Executions = "nurs:icnt",
    CallPaths = "nurs:cpicnt", Questions = "nurs:qc"
);

impl Search {
    /// Whether it chooses by weights.
    fn is_weighted(self) -> bool {
        match self {
            Self::DepthFirst | Self::BreadthFirst | Self::Random | Self::RandomPath => false,
            Self::Coverage
            | Self::Distance
            | Self::Depth
            | Self::Executions
            | Self::CallPaths
            | Self::Questions => true,
        }
    }
}

/// The live states that are not running.
#[derive(Debug)]
pub(in crate::exec) struct Searcher {
    orders: Vec<Search>,
    /// Whose turn it is.
    turn: usize,
    /// Whether the oldest state runs next, whatever the orders are.
    wide: bool,
    /// By arrival; a state that comes back is new again. Maps have more room than entries, so each is by itself.
    states: BTreeMap<u64, Box<State>>,
    /// States whose questions are dear, by what the last one cost and by arrival: they run when no other is left, the
    /// cheapest first.
    put_off: BTreeMap<(u64, u64), Box<State>>,
    /// States that follow seeds, which run first, whatever the order of others is. All but one that was put here last
    /// are packed.
    seeded: Vec<State>,
    arrivals: u64,
    /// The newest one, which may well be the next; the others are packed.
    newest: Option<u64>,
    /// Activations that were packed lately.
    recent: VecDeque<SmallForm>,
    /// For random states: arrivals, and where each stands among them.
    uniform: Option<Uniform>,
    /// For random paths: the tree of forks, and the arrival of each state.
    forks: Option<(Forks, FxHashMap<u64, u64>)>,
    /// For weighted choices, of each order that makes some.
    weights: Vec<(Search, Chances)>,
    /// The crowd from which the running state was taken, where new code is looked for.
    crowd: Option<usize>,
    /// The state of a xorshift generator, never zero.
    random: u64,
}

impl Searcher {
    /// An empty one. Without an order it is depth first.
    pub(in crate::exec) fn new(orders: &[Search], seed: u64) -> Self {
        let orders = if orders.is_empty() { vec![Search::DepthFirst] } else { orders.to_vec() };
        let wants = |search| orders.contains(&search);
        let mut weights: Vec<(Search, Chances)> = Vec::new();
        for order in orders.iter().filter(|order| order.is_weighted()) {
            if weights.iter().all(|(known, _)| known != order) {
                weights.push((*order, Chances::default()));
            }
        }
        Self {
            uniform: wants(Search::Random).then(Uniform::default),
            forks: wants(Search::RandomPath).then(|| (Forks::new(), FxHashMap::default())),
            weights,
            crowd: None,
            orders,
            turn: 0,
            wide: false,
            states: BTreeMap::new(),
            put_off: BTreeMap::new(),
            seeded: Vec::new(),
            arrivals: 0,
            newest: None,
            recent: VecDeque::new(),
            random: seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    /// Whether an order is there that chooses by weights which change without the state's doing.
    pub(in crate::exec) fn is_weighted(&self) -> bool {
        self.weights.iter().any(|(order, _)| !matches!(order, Search::Depth | Search::Questions))
    }

    /// Whether an order is there.
    pub(in crate::exec) fn has(&self, order: Search) -> bool {
        self.orders.contains(&order)
    }

    /// Whether states should give way to others from time to time even if they do not fork.
    pub(in crate::exec) fn is_fair(&self) -> bool {
        self.wide
            || self.orders.iter().any(|order| !matches!(order, Search::DepthFirst | Search::BreadthFirst))
    }

    /// Says whether all states have their turn, the oldest first, whatever the orders are.
    pub(in crate::exec) fn widen(&mut self, wide: bool) {
        self.wide = wide;
    }

    /// Tells that a state became several; the running one goes on as one of them.
    pub(in crate::exec) fn forked(&mut self, parent: u64, children: &[State]) {
        if let Some((forks, _)) = &mut self.forks
            && !children.is_empty()
        {
            let children: Vec<u64> = children.iter().map(|child| child.id).collect();
            forks.fork(parent, &children);
        }
    }

    /// Tells that a state has ended.
    pub(in crate::exec) fn ended(&mut self, state: u64) {
        if let Some((forks, _)) = &mut self.forks {
            forks.end(state);
        }
    }

    /// Takes a state in; weights say how likely a weighted choice is to fall on it.
    pub(in crate::exec) fn add(&mut self, mut state: State, weigh: impl Fn(Search, &State) -> u64) {
        if !state.seeds.is_empty() {
            if let Some((forks, _)) = &mut self.forks {
                forks.root(state.id);
            }
            if let Some(before) = self.seeded.last_mut() {
                before.pack(&mut self.recent);
            }
            self.seeded.push(state);
            return;
        }
        let arrival = self.arrivals;
        self.arrivals += 1;
        if let Some(price) = state.dear.filter(|_| !self.wide) {
            if let Some((forks, _)) = &mut self.forks {
                // Its side of the tree is closed until it runs again.
                forks.end(state.id);
            }
            state.pack(&mut self.recent);
            self.put_off.insert((price, arrival), Box::new(state));
            return;
        }
        if let Some(uniform) = &mut self.uniform {
            uniform.add(arrival);
        }
        if let Some((forks, places)) = &mut self.forks {
            forks.root(state.id);
            places.insert(state.id, arrival);
        }
        if state.since_new == Some(0)
            && let Some(crowd) = self.crowd.take()
            && let Some((_, weights)) = self.weights.iter_mut().find(|(order, _)| *order == Search::Coverage)
        {
            weights.paid(crowd);
        }
        for (order, weights) in &mut self.weights {
            weights.add(arrival, weigh(*order, &state), crowd(*order, &state));
        }
        self.states.insert(arrival, Box::new(state));
        let before = self.newest.replace(arrival);
        if let Some(before) = before.and_then(|before| self.states.get_mut(&before)) {
            before.pack(&mut self.recent);
        }
    }

    /// Takes out the state with the fewest choices behind it, of those that do not follow seeds and have done
    /// nothing since the last one.
    pub(in crate::exec) fn give(&mut self) -> Option<State> {
        let fresh = self.waiting().filter(|(_, state)| state.fresh);
        let (arrival, _) = fresh.min_by_key(|(arrival, state)| (state.depth, *arrival))?;
        self.remove(arrival)
    }

    /// Whether a state could be given away, and another one be left.
    pub(in crate::exec) fn can_give(&self) -> bool {
        self.len() > 1 && self.waiting().any(|(_, state)| state.fresh)
    }

    pub(in crate::exec) fn len(&self) -> usize {
        self.states.len() + self.put_off.len() + self.seeded.len()
    }

    /// Whether there is a state that follows a seed.
    pub(in crate::exec) fn has_seeded(&self) -> bool {
        !self.seeded.is_empty()
    }

    /// Takes out the states that follow seeds.
    pub(in crate::exec) fn take_seeded(&mut self) -> Vec<State> {
        let mut seeded = std::mem::take(&mut self.seeded);
        seeded.iter_mut().for_each(State::unpack);
        seeded
    }

    /// Gives every waiting state a new weight.
    pub(in crate::exec) fn reweigh(&mut self, weigh: impl Fn(Search, &State) -> u64) {
        for (order, weights) in &mut self.weights {
            for (arrival, state) in &self.states {
                weights.change(*arrival, weigh(*order, state));
            }
        }
    }

    pub(in crate::exec) fn take(&mut self) -> Option<State> {
        if let Some(mut state) = self.seeded.pop() {
            state.unpack();
            return Some(state);
        }
        if self.wide {
            let Some((first, _)) = self.states.first_key_value() else { return self.take_put_off() };
            return self.remove(*first);
        }
        if self.states.is_empty() {
            return self.take_put_off();
        }
        let (first, _) = self.states.first_key_value()?;
        let (last, _) = self.states.last_key_value()?;
        let (first, last) = (*first, *last);
        let order = self.orders[self.turn % self.orders.len()];
        self.crowd = None;
        self.turn = (self.turn + 1) % self.orders.len();
        let arrival = match order {
            Search::DepthFirst => last,
            Search::BreadthFirst => first,
            Search::Random => {
                let random = self.next_random();
                self.uniform.as_ref().and_then(|uniform| uniform.pick(random)).unwrap_or(last)
            }
            Search::RandomPath => self.random_path().unwrap_or(last),
            Search::Coverage
            | Search::Distance
            | Search::Depth
            | Search::Executions
            | Search::CallPaths
            | Search::Questions => {
                let random = [self.next_random(), self.next_random()];
                let weights = self.weights.iter_mut().find(|(known, _)| *known == order);
                match weights {
                    Some((Search::Coverage, weights)) => {
                        let chosen = weights.pick(random).unwrap_or(last);
                        self.crowd = weights.tried(chosen);
                        chosen
                    }
                    weights => weights.and_then(|(_, weights)| weights.pick(random)).unwrap_or(last),
                }
            }
        };
        self.remove(arrival)
    }

    /// Takes all states out, in an order that costs nothing to find: those that follow seeds, then by arrival, the
    /// newest first where a search begins with it, then those that were put off; of these, first those that are not to
    /// come later, since the time for tests may end. Each is packed until it is its turn.
    pub(in crate::exec) fn drain(
        &mut self,
        later: fn(&State) -> bool,
    ) -> impl Iterator<Item = State> + use<> {
        let empty = Self { wide: self.wide, random: self.random, ..Self::new(&self.orders, 0) };
        let Self { seeded, states, put_off, orders, wide, .. } = std::mem::replace(self, empty);
        // Where memory is short there is none for a second copy of so many.
        let mut left: Vec<_> = seeded.into_iter().rev().map(Box::new).collect();
        let waiting = states.into_values();
        if orders.first() == Some(&Search::DepthFirst) && !wide {
            left.extend(waiting.rev());
        } else {
            left.extend(waiting);
        }
        left.extend(put_off.into_values());
        left.sort_by_key(|state| later(state));
        left.into_iter().map(|mut state| {
            state.unpack();
            *state
        })
    }

    /// All states that wait.
    pub(in crate::exec) fn all(&self) -> impl Iterator<Item = &State> {
        self.waiting().map(|(_, state)| state).chain(&self.seeded)
    }

    /// Activations that are remembered to be made small once.
    pub(in crate::exec) fn recent(&self) -> impl Iterator<Item = &Rc<Frame>> {
        self.recent.iter().flat_map(|(large, small)| [large, small])
    }

    /// The states that wait and follow no seed, by arrival.
    pub(in crate::exec) fn waiting(&self) -> impl Iterator<Item = (u64, &State)> {
        let put_off = self.put_off.iter().map(|((_, arrival), state)| (*arrival, &**state));
        self.states.iter().map(|(arrival, state)| (*arrival, &**state)).chain(put_off)
    }

    /// Takes out the state whose last question was cheapest, of those that were put off.
    fn take_put_off(&mut self) -> Option<State> {
        let (_, mut state) = self.put_off.pop_first()?;
        state.unpack();
        if let Some((forks, _)) = &mut self.forks {
            forks.root(state.id);
        }
        Some(*state)
    }

    /// Takes out a state by its arrival.
    pub(in crate::exec) fn remove(&mut self, arrival: u64) -> Option<State> {
        if !self.states.contains_key(&arrival) {
            let place = self.put_off.keys().find(|(_, known)| *known == arrival).copied()?;
            let mut state = self.put_off.remove(&place)?;
            state.unpack();
            if let Some((forks, _)) = &mut self.forks {
                forks.root(state.id);
            }
            return Some(*state);
        }
        if let Some(uniform) = &mut self.uniform {
            uniform.remove(arrival);
        }
        for (_, weights) in &mut self.weights {
            weights.remove(arrival);
        }
        let mut state = self.states.remove(&arrival)?;
        state.unpack();
        if let Some((_, places)) = &mut self.forks {
            places.remove(&state.id);
        }
        Some(*state)
    }

    /// A random path. Where new code is looked for as well, one that ends far from all of it is drawn again, some
    /// times.
    fn random_path(&mut self) -> Option<u64> {
        const DRAWS: usize = 4;
        let mut last = None;
        for _ in 0..DRAWS {
            last = self.one_random_path();
            let chances = self.weights.iter().find(|(order, _)| *order == Search::Coverage);
            let Some((arrival, (_, chances))) = last.zip(chances) else { break };
            if chances.weight(arrival) > HOPELESS {
                break;
            }
        }
        last
    }

    fn one_random_path(&mut self) -> Option<u64> {
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

/// Whom a state shares its chances with, in the eyes of an order. Where new code is looked for, what waits at one place
/// for the same callers does: functions that fork for every character of a message would otherwise have nearly all
/// turns. Other orders mean each state.
fn crowd(order: Search, state: &State) -> Crowd {
    /// How many calls count; more would make a crowd of each depth of a recursion.
    const CALLS: usize = 8;
    if order != Search::Coverage {
        return None;
    }
    let innermost = state.frames.iter().rev().take(1 + CALLS);
    Some(innermost.map(|frame| (frame.function, frame.position)).collect())
}

/// Xorshift: never zero if the last number was not.
fn step(mut random: u64) -> u64 {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    random
}
