//! One job for several machines: which of them verifies what.
//!
//! Implementations are dealt out dearest first, each to the shard that has least to do so far. Every machine
//! deals them for itself and must come to the same result, so nothing enters but the program and the costs that
//! all are given alike ([`Share::costs`], as [`Verifier::costs`] found them out beforehand): what a cache says
//! changes while the others are at work.

use std::collections::BTreeMap;

use cache_core::cache::Lookup;

use super::{Prints, Verifier, front_end, identity};
use crate::base::arena::Id;
use crate::base::source::{FileId, Sources};
use crate::report::parts::Shard;
use crate::resolve::program::{ImplementationId, Program};
use crate::transform::expand;

/// What a machine has to do of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which share it is.
    pub shard: Shard,
    /// What implementations cost before, by name, in any unit. Others count as the average of these.
    pub costs: BTreeMap<String, u64>,
}

impl Share {
    /// Which of the named things belong to this share.
    #[must_use]
    pub fn own(&self, names: &[&str]) -> Vec<bool> {
        let known: Vec<u64> = names.iter().filter_map(|name| self.costs.get(*name).copied()).collect();
        let average = known.iter().sum::<u64>().checked_div(known.len() as u64).unwrap_or(1).max(1);
        let cost = |at: usize| self.costs.get(names[at]).copied().unwrap_or(average);
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(cost(*at)), *at));
        let mut loads = vec![0_u64; self.shard.of as usize];
        let mut own = vec![false; names.len()];
        for at in order {
            let (least, load) =
                loads.iter_mut().enumerate().min_by_key(|(number, load)| (**load, *number)).unzip();
            if let Some(load) = load {
                *load = load.saturating_add(cost(at).max(1));
            }
            own[at] = least == Some(self.shard.number as usize - 1);
        }
        own
    }
}

impl Verifier {
    /// Whether each implementation, by its place, is this run's to verify.
    pub(super) fn shared_out(&self, program: &Program) -> Vec<bool> {
        let mut own = vec![true; program.implementations.ids().map(|id| id.index() + 1).max().unwrap_or(0)];
        // A variant of a program is about an implementation that was dealt out before.
        let Some(share) = self.options.share.as_ref().filter(|_| !self.variant) else { return own };
        let ids: Vec<ImplementationId> =
            program.implementations.ids().filter(|id| self.verifies(program, *id)).collect();
        let names: Vec<&str> = ids.iter().map(|id| program.implementations[*id].identity.as_str()).collect();
        for (id, mine) in ids.iter().zip(share.own(&names)) {
            own[id.index()] = mine;
        }
        own
    }

    /// What each implementation of a program cost when it, or else its latest earlier version, was verified: in
    /// microseconds, as far as the cache knows. Empty for a program with errors.
    pub fn costs(&mut self, sources: &Sources, files: &[FileId]) -> BTreeMap<String, u64> {
        let (program, _) = front_end(sources, files, self.reading(), &Prints::default());
        let Some(mut program) = program else { return BTreeMap::new() };
        if !expand(&mut program, &self.options.expansion).is_empty() {
            return BTreeMap::new();
        }
        let keyed = self.keyed(&program, None);
        let mut costs = BTreeMap::new();
        for known in keyed {
            let mut saved = None;
            if let Lookup::Hit { saved: cost, .. } = self.cache.lookup(&known.key, &known.limits) {
                saved = Some(cost);
            }
            for earlier in self.cache.recall(&identity(&program, known.id)) {
                if saved.is_some() {
                    break;
                }
                if let Lookup::Hit { saved: cost, .. } = self.cache.lookup(&earlier, &known.limits) {
                    saved = Some(cost);
                }
            }
            if let Some(cost) = saved {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "saturates, which is meant"
                )]
                let micros = (cost.seconds * 1e6) as u64;
                costs.insert(program.implementations[known.id].identity.clone(), micros);
            }
        }
        costs
    }
}
