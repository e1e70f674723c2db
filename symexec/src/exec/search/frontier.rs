//! What happens where the memory for live states is used up.
//!
//! A frontier of a hundred thousand states is mostly states that wait at few places: one for each way through a
//! loop over unknown text. So those are given up first of which there are most at one place, the deepest ones
//! of these, until what is left should fit; states that were the first to execute something stay. Where none waits, the
//! one that runs is given up.
//!
//! Expressions that nobody has go before states do ([`collection`](super::collection)), and what was freed is given back to
//! the system first. Pages in which something is left do not go back, and new states use them again. So what is given up is
//! asked for again only after more memory was taken, and choices, which make no new states while memory is used up, make
//! some again as soon as fewer states wait than there were room for ([`Room`]).

use std::collections::BTreeMap;

use crate::exec::{Ending, Executor};
use crate::module::FunctionId;

/// What happens when a run has the memory that it may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverMemory {
    /// It stops, if nothing can go but states.
    #[default]
    Stop,
    /// It goes on, with fewer states.
    GiveUp {
        /// Whether no choice makes new states as long as that is so.
        inhibits: bool,
    },
}

/// States are given up where a run has taken so much more than it may have, as in KLEE; or a fortieth of that, if that is
/// less: the system may give pages of two megabytes.
const SLACK: u64 = 100 << 20;

/// Caches forget again where a run has taken so much since they did, at least.
const LEAST_FORGOTTEN: u64 = 4 << 20;

fn slack(limit: u64) -> u64 {
    SLACK.min(limit / 40)
}

/// What users read of a path that was given up, in KLEE's words.
pub(in crate::exec) const EXCEEDED: &str = "Memory limit exceeded.";

/// Whether there is room for more states, by how much memory the process has.
#[derive(Debug, Default)]
pub(in crate::exec) struct Room {
    /// So many states have room in the memory that there is, where it was used up once.
    fitting: Option<usize>,
    is_full: bool,
}

impl Room {
    pub(in crate::exec) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Takes note of how many states wait, and whether the memory that the process has is all that it may have.
    fn look(&mut self, waiting: usize, is_used_up: bool) {
        if !is_used_up {
            *self = Self::default();
            return;
        }
        let fitting = *self.fitting.get_or_insert(waiting);
        // Some room, lest each state that ends lets one other choose.
        self.is_full = waiting >= if self.is_full { fitting - fitting / 8 } else { fitting };
    }

    /// So many states are left where they had taken too much.
    fn shrink(&mut self, left: usize) {
        self.fitting = self.fitting.map(|fitting| fitting.min(left));
    }
}

/// What is known of the memory that a run has.
#[derive(Debug, Default)]
pub(in crate::exec) struct Watch {
    room: Room,
    /// How much was in use before there was a state.
    before: u64,
    /// How much is to be in use before caches forget again; 0 if they never did.
    next_forgetting: u64,
    /// How much was in use at least since states were given up, if they were.
    lowest: Option<u64>,
    /// Whether expressions are to be looked through for those that can go.
    wants_room: bool,
}

impl Watch {
    /// Exploring begins with so much in use.
    pub(in crate::exec) fn begin(&mut self, used: u64) {
        self.before = used;
    }

    /// Whether expressions are to go, as far as they can.
    #[inline]
    pub(in crate::exec) fn wants_room(&self) -> bool {
        self.wants_room
    }

    /// They have gone; whether that was wanted.
    pub(in crate::exec) fn wanted_room(&mut self) -> bool {
        std::mem::take(&mut self.wants_room)
    }

    /// Whether states are to be given up where so much is in use. Again only after more was taken: what those had that
    /// were given up need not have gone back to the system, but what has gone back and is taken once more counts.
    fn is_too_much(&mut self, used: u64, limit: u64) -> bool {
        if let Some(lowest) = &mut self.lowest {
            *lowest = used.min(*lowest);
        }
        let again = self.lowest.map_or(0, |lowest| lowest.saturating_add(slack(limit) / 2));
        used >= limit.saturating_add(slack(limit)).max(again)
    }
}

/// How many of some states that take so many bytes together have room in `most` bytes. Half of them stay in any case:
/// if it is others that take the memory, giving up all would not bring it back.
fn fitting(waiting: usize, taken: u64, most: u64) -> usize {
    let fitting = waiting as u128 * u128::from(most.min(taken)) / u128::from(taken.max(1));
    usize::try_from(fitting).unwrap_or(waiting).max(waiting / 2)
}

/// How many of some states at places, told by how many are at each, have to go so that `wanted` do: all above a level,
/// so that the places have as equal shares as can be.
fn level(mut counts: Vec<usize>, wanted: usize) -> usize {
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let mut above = 0;
    for (place, count) in counts.iter().enumerate() {
        above += count;
        let next = counts.get(place + 1).copied().unwrap_or(0);
        let number = place + 1;
        // With the level at the next count, so many would go.
        if above - next * number >= wanted {
            return (above - wanted) / number;
        }
    }
    0
}

impl Executor<'_> {
    /// Whether memory is a reason not to fork.
    pub(in crate::exec) fn is_memory_scarce(&self) -> bool {
        self.watch.room.is_full() && self.config.over_memory == (OverMemory::GiveUp { inhibits: true })
    }

    /// Looks at how much memory there is; gives up states if that is what is wanted. True if the run is to stop.
    pub(in crate::exec) fn look_at_memory(&mut self) -> bool {
        let Some(limit) = self.config.max_memory else { return false };
        let used = self.system.memory();
        if self.config.over_memory == OverMemory::Stop {
            return used >= limit && !self.makes_room(limit);
        }
        // As in KLEE, where an object takes its size from the beginning.
        let used = used.max(self.heap);
        self.watch.room.look(self.searcher.len(), used >= limit);
        // What can be found again goes before what cannot.
        if used >= limit.max(self.watch.next_forgetting) {
            self.forget();
            self.watch.wants_room = self.arena.has_grown();
            self.system.give_back_memory();
            self.watch.next_forgetting =
                self.system.memory().saturating_add(slack(limit).max(LEAST_FORGOTTEN));
            return false;
        }
        if !self.watch.is_too_much(used, limit) || self.is_retracing() {
            return false;
        }
        // Expressions that nobody has go before states do.
        if self.arena.has_grown() {
            self.watch.wants_room = true;
            return false;
        }
        self.system.give_back_memory();
        let used = self.system.memory().max(self.heap);
        if self.watch.is_too_much(used, limit) {
            // What the run had before its first state is none of theirs, and expressions stay when they go.
            let others = self.watch.before.saturating_add(self.arena.bytes());
            // As far below the limit as it is above: what goes lies among what stays, so not all of its pages come back.
            let most = limit.saturating_sub(others).saturating_sub(used.saturating_sub(limit));
            let fitting = fitting(self.searcher.len(), used.saturating_sub(others), most);
            self.give_up(self.searcher.len() - fitting, used);
            self.watch.room.shrink(self.searcher.len());
            // At once, or new states are in the pages before it is seen that these were free.
            self.system.give_back_memory();
            self.watch.lowest = Some(self.system.memory().max(self.heap).min(used));
        }
        false
    }

    /// Where a run that has used up its memory is to stop: whether there may be room again, since what can be found again
    /// has gone, or expressions are about to. Not twice for the same ones, so that a run at its limit ends.
    fn makes_room(&mut self, limit: u64) -> bool {
        if self.watch.wants_room {
            return true;
        }
        let is_first = std::mem::replace(&mut self.watch.next_forgetting, limit) == 0;
        self.watch.wants_room = self.arena.has_grown();
        if !is_first && !self.watch.wants_room {
            return false;
        }
        self.forget();
        self.system.give_back_memory();
        self.watch.wants_room || self.system.memory() < limit
    }

    /// Forgets what can be found again.
    fn forget(&mut self) {
        self.solver.forget();
        self.slices.forget();
        self.arena.forget();
    }

    fn give_up(&mut self, wanted: usize, used: u64) {
        let mut places: BTreeMap<(FunctionId, u32), Vec<(u64, u64)>> = BTreeMap::new();
        for (arrival, state) in self.searcher.waiting() {
            if !state.new_coverage {
                places.entry(state.position()).or_default().push((state.depth, arrival));
            }
        }
        let level = level(places.values().map(Vec::len).collect(), wanted);
        let mut given_up: Vec<u64> = Vec::new();
        for states in places.values_mut() {
            states.sort_unstable();
            given_up.extend(states.iter().skip(level).map(|(_, arrival)| *arrival));
        }
        // The one that runs has taken it all, if there is no other.
        self.is_over = self.searcher.len() == 0;
        let (count, used) = (given_up.len() + usize::from(self.is_over), used >> 20);
        if count == 0 {
            return;
        }
        // In the order in which they came.
        given_up.sort_unstable();
        self.observer.warn(&format!("killing {count} states (over memory cap: {used}MB)"));
        for arrival in given_up {
            let Some(mut state) = self.searcher.remove(arrival) else { continue };
            self.searcher.ended(state.id);
            self.end(&mut state, Ending::Early(EXCEEDED.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Room, Watch, fitting, level};

    #[test]
    fn there_is_room_again_where_states_have_ended_though_the_system_has_no_page_back() {
        let mut room = Room::default();
        let mut is_full = |waiting, is_used_up| {
            room.look(waiting, is_used_up);
            room.is_full()
        };
        assert!(!is_full(79, false));
        assert!(is_full(80, true) && is_full(90, true) && is_full(71, true));
        assert!(!is_full(69, true) && !is_full(79, true) && is_full(80, true));
        assert!(!is_full(1_000, false) && is_full(500, true) && is_full(450, true));
        room.shrink(400);
        room.look(400, true);
        assert!(room.is_full());
        room.look(350, true);
        assert!(room.is_full());
        room.look(349, true);
        assert!(!room.is_full());
        // Where nothing waits nothing can be made room for, but the one that runs goes on.
        let mut none = Room::default();
        none.look(0, true);
        assert!(none.is_full());
    }

    #[test]
    fn states_are_given_up_again_after_more_was_taken_than_there_was_left() {
        let mut watch = Watch::default();
        let mut gives_up = |used| {
            let is_too_much = watch.is_too_much(used, 1_000);
            if is_too_much {
                watch.lowest = Some(used);
            }
            is_too_much
        };
        assert!(!gives_up(1_024) && gives_up(1_070));
        // Nothing has gone back yet.
        assert!(!gives_up(1_070) && !gives_up(1_081));
        // It has, and is taken again.
        assert!(!gives_up(1_020) && !gives_up(1_031) && gives_up(1_032));
        assert!(!gives_up(1_043) && gives_up(1_044));
        assert_eq!((super::slack(100 << 20), super::slack(4_000 << 20)), (5 << 19, 100 << 20));
    }

    #[test]
    fn so_many_states_stay_as_have_room_and_half_of_them_in_any_case() {
        assert_eq!(fitting(100, 50, 40), 80);
        assert_eq!([fitting(100, 50, 50), fitting(100, 50, 90), fitting(0, 0, 0)], [100, 100, 0]);
        assert_eq!(
            [fitting(100, 50, 3), fitting(100, 50, 0), fitting(1, 50, 0), fitting(5, 0, 9)],
            [50, 50, 0, 2]
        );
        assert_eq!(fitting(usize::MAX, u64::MAX, u64::MAX), usize::MAX);
    }

    #[test]
    fn the_largest_shares_are_cut_to_one_level() {
        let left = |counts: &[usize], wanted| {
            let level = level(counts.to_vec(), wanted);
            counts.iter().map(|count| count.min(&level)).sum::<usize>()
        };
        assert_eq!(left(&[10, 2, 3], 4), 11);
        assert_eq!(level(vec![10, 2, 3], 4), 6);
        assert_eq!(level(vec![10, 10, 1], 9), 5);
        // At least as many go as are wanted, and at most one for each place more.
        for wanted in 0..=21 {
            let gone = 21 - left(&[10, 10, 1], wanted);
            assert!((wanted..wanted + 3).contains(&gone), "{wanted}: {gone}");
        }
        assert_eq!(level(vec![3, 1], 4), 0);
        assert_eq!(level(Vec::new(), 4), 0);
    }
}
