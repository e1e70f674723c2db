//! What several explorations of parts of a program come to together.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::render::Found;
use crate::base::system::System;
use crate::exec::{Account, Coverage, Decision, Explored, Hot, Progress};
use crate::module::Module;
use crate::solver::Counts;

/// What was found and counted.
#[derive(Debug, Default)]
pub(super) struct Joint {
    pub(super) account: Account,
    pub(super) coverage: Coverage,
    pub(super) counts: Counts,
    pub(super) expressions: u64,
    pub(super) peak: u64,
    /// In the order of paths, each error at a place once unless all are wanted.
    pub(super) found: Vec<Found>,
    pub(super) warnings: Vec<(bool, String)>,
    /// The states that were divided into shares.
    pub(super) divided: Vec<Vec<Decision>>,
}

impl Joint {
    /// Its counts, for the last row of statistics.
    pub(super) fn progress(&self, module: &Module, system: &dyn System) -> Progress {
        Progress {
            explored: self.account.explored.clone(),
            counts: self.counts.clone(),
            states: 0,
            branches: self.coverage.branches(module),
            elapsed: system.elapsed(),
            times: self.account.times,
        }
    }
}

/// Puts findings in the order of their paths; of errors at one place the first is kept, unless all are wanted: by the
/// user, or for what was covered on the way there.
pub(super) fn in_order(mut found: Vec<Found>, all_errors: bool) -> Vec<Found> {
    found.sort_by(|one, other| one.trail.cmp(&other.trail));
    let mut seen = BTreeSet::new();
    found.retain(|found| {
        all_errors
            || found
                .error
                .as_ref()
                .is_none_or(|(text, function, position)| seen.insert((text.clone(), *function, *position)))
    });
    found
}

/// Adds what was counted elsewhere.
pub(super) fn unite(sum: &mut Account, other: Account) {
    let Account { explored, hot, executions, times } = other;
    add(&mut sum.explored, &explored);
    for (place, spot) in hot {
        let known = sum.hot.entry(place).or_insert(Hot {
            location: spot.location,
            forks: 0,
            questions: 0,
            given_up: 0,
            time: Duration::ZERO,
            longest: Duration::ZERO,
        });
        known.forks += spot.forks;
        known.questions += spot.questions;
        known.given_up += spot.given_up;
        known.time += spot.time;
        known.longest = known.longest.max(spot.longest);
    }
    for (place, count) in executions {
        *sum.executions.entry(place).or_default() += count;
    }
    sum.times.forks += times.forks;
    sum.times.resolution += times.resolution;
}

pub(super) fn add(sum: &mut Explored, other: &Explored) {
    let Explored {
        instructions,
        completed,
        partial,
        errors,
        tests,
        forks,
        most_states,
        covered: _,
        total: _,
        inhibited_forks,
        allocations,
        external_calls,
        forks_by,
        ends_by,
        stopped,
    } = other;
    sum.instructions += instructions;
    sum.completed += completed;
    sum.partial += partial;
    sum.errors += errors;
    sum.tests += tests;
    sum.forks += forks;
    sum.most_states = sum.most_states.max(*most_states);
    sum.inhibited_forks += inhibited_forks;
    sum.allocations += allocations;
    sum.external_calls += external_calls;
    add_each(&mut sum.forks_by, forks_by);
    add_each(&mut sum.ends_by, ends_by);
    sum.stopped = sum.stopped.or(*stopped);
}

fn add_each<K: Copy + Ord>(sum: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (key, count) in other {
        *sum.entry(*key).or_default() += count;
    }
}
