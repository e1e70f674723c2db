//! Seeds: known inputs whose paths are followed first.
//!
//! A state carries the seeds that lead down its path, each as a solution of the path's constraints that
//! grows with the inputs that the program makes. Where a state becomes several, each takes the seeds that
//! hold on its side, and states with seeds run before all others. If paths without seeds are to be discarded, a side
//! without one is given up. A value that has to be known is that of the oldest seed, and not the least; a
//! seed that a path cannot follow any more (the program assumes otherwise, or an older seed has another
//! value) is dropped with a warning. All of this is a function of the seeds, whatever caches there are.

use std::rc::Rc;
use std::time::Duration;

use crate::base::bits::Bits;
use crate::exec::{ErrorKind, Executor, Followed, PathError, State, Step};
use crate::expr::{ArrayId, Evaluator, ExprId, Model};

/// Known inputs, by name in the order in which a program made them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seed {
    /// Names and bytes.
    pub objects: Vec<(String, Vec<u8>)>,
}

/// Which seeds there are, and how they are followed.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    /// The seeds, the first one first.
    pub all: Vec<Seed>,
    /// Whether the run ends where no state follows a seed any more.
    pub only: bool,
    /// Whether sides of choices that no seed leads to are given up, as long as there is one that some seed leads to.
    pub discards: bool,
    /// Whether an input's bytes are those of the same name, and not the next ones.
    pub by_name: bool,
    /// Whether paths that follow a seed to their end, too, get a test only where others would; otherwise they have one
    /// although tests are for new coverage only.
    pub no_tests: bool,
    /// How long seeds are followed before all states are equals; as long as there are any if absent.
    pub time: Option<Duration>,
    /// Whether inputs that a seed lacks, and bytes behind the end of its own, are zero; otherwise the path
    /// ends with an error.
    pub extend: bool,
    /// Whether bytes that an input has no room for are left out; otherwise the path ends with an error.
    pub truncate: bool,
}

impl Executor<'_> {
    /// What the first state follows.
    pub(in crate::exec) fn seeds_of_the_start(&self) -> Rc<Vec<Followed>> {
        let followed = |(seed, objects): (usize, &Seed)| Followed {
            seed,
            used: vec![false; objects.objects.len()].into(),
            values: Rc::default(),
        };
        Rc::new(self.config.seeds.all.iter().enumerate().map(followed).collect())
    }

    /// Ends the following of seeds where none is left, or their time is over.
    pub(in crate::exec) fn look_at_seeds(&mut self) {
        if !self.is_seeding {
            return;
        }
        let is_over =
            |time: Duration| self.system.elapsed().saturating_sub(self.begun.unwrap_or_default()) >= time;
        if self.searcher.has_seeded() && self.config.seeds.time.is_some_and(is_over) {
            let states = self.searcher.take_seeded();
            let seeds: usize = states.iter().map(|state| state.seeds.len()).sum();
            let count = states.len();
            self.observer.warn(&format!("seed time expired, {seeds} seeds remain over {count} states"));
            for mut state in states {
                state.seeds = Rc::default();
                self.wait(state);
            }
        }
        if !self.searcher.has_seeded() {
            self.is_seeding = false;
            self.observer.tell(&format!("seeding done ({} states remain)", self.searcher.len()));
        }
    }

    /// Gives a new input its bytes in all seeds of a state; `names` are those that it may have in them. An input whose
    /// size is unknown may have fewer.
    pub(in crate::exec) fn seed_input(
        &self,
        state: &mut State,
        names: &[&str],
        array: ArrayId,
        has_fewer: bool,
    ) -> Step<()> {
        if state.seeds.is_empty() {
            return Ok(());
        }
        let config = &self.config.seeds;
        let bytes = &self.arena.array(array).bytes;
        let mut followed = Vec::clone(&state.seeds);
        for one in &mut followed {
            let Some(seed) = config.all.get(one.seed) else { continue };
            let free = |place: &usize| !one.used[*place];
            let places = || (0..seed.objects.len()).filter(free);
            let found = if config.by_name {
                names.iter().find_map(|name| places().find(|place| seed.objects[*place].0 == *name))
            } else {
                places().next()
            };
            let given: &[u8] = match found {
                Some(place) => {
                    let mut used = one.used.to_vec();
                    used[place] = true;
                    one.used = used.into();
                    &seed.objects[place].1
                }
                None if config.extend => &[],
                None => {
                    let message = "ran out of inputs during seeding";
                    return Err(PathError::new(ErrorKind::User, message).into());
                }
            };
            let is_short = given.len() < bytes.len() && !has_fewer && !config.extend;
            if is_short || given.len() > bytes.len() && !config.truncate {
                let name = &self.arena.array(array).name;
                let (size, given) = (bytes.len(), given.len());
                let message = format!("seed size mismatch: {name} has {size} bytes, and {given} in the seed");
                return Err(PathError::new(ErrorKind::User, message).into());
            }
            let values = Model::new(bytes.iter().copied().zip(given.iter().copied()));
            Rc::make_mut(&mut one.values).extend(&values);
        }
        state.seeds = Rc::new(followed);
        Ok(())
    }

    /// The seeds of a state that hold on each of several sides, of which all but those that the seeds lead
    /// to are left out if paths without seeds are discarded.
    pub(in crate::exec) fn split_seeds(
        &self,
        state: &State,
        sides: &[ExprId],
        possible: &mut Vec<usize>,
    ) -> Vec<Rc<Vec<Followed>>> {
        let mut split = vec![Vec::new(); sides.len()];
        for one in state.seeds.iter() {
            let mut evaluator = Evaluator::new(&self.arena, &one.values);
            if let Some(side) = possible.iter().find(|side| evaluator.holds(sides[**side])) {
                split[*side].push(one.clone());
            }
        }
        if self.config.seeds.discards && split.iter().any(|seeds| !seeds.is_empty()) {
            possible.retain(|side| !split[*side].is_empty());
        }
        split.into_iter().map(Rc::new).collect()
    }

    /// The value of an expression in the oldest seed of a state.
    pub(in crate::exec) fn seeded_value(&self, state: &State, expr: ExprId) -> Option<Bits> {
        let first = state.seeds.first()?;
        Some(Evaluator::new(&self.arena, &first.values).value(expr))
    }

    /// Keeps the seeds that lead to a side of a choice.
    pub(in crate::exec) fn keep_seeds(&self, state: &mut State, side: ExprId) {
        if !state.seeds.is_empty() {
            let holds = |one: &&Followed| Evaluator::new(&self.arena, &one.values).holds(side);
            state.seeds = Rc::new(state.seeds.iter().filter(holds).cloned().collect());
        }
    }

    /// Drops the seeds that contradict what a state has just learned.
    pub(in crate::exec) fn drop_seeds(&mut self, state: &mut State, truth: ExprId) {
        if state.seeds.is_empty() {
            return;
        }
        let holds = |one: &&Followed| Evaluator::new(&self.arena, &one.values).holds(truth);
        let kept: Vec<Followed> = state.seeds.iter().filter(holds).cloned().collect();
        if kept.len() < state.seeds.len() {
            state.seeds = Rc::new(kept);
            self.warn_once("seeds that contradict an assumption, or the value of an older seed, are dropped");
        }
    }
}
