//! What proofs need (`-trackVerificationCoverage`), and what is proved in vain (`-warnVacuousProofs`): of each
//! implementation that is verified, the named parts without which its proof does not go through.
//!
//! A variant of the program has a constant for each named part; the solver is asked whether it holds with all of them
//! true, and then which of them it needs. Nothing is stored: it is the solver's affair which of several sufficient
//! sets of parts it finds.

use cache_core::worker::Cancel;
use rustc_hash::FxHashMap;

use super::Verifier;
use crate::report::{Report, Verdict};
use crate::resolve::program::{ImplementationId, Program};
use crate::smt::answer::Outcome;
use crate::transform::{Goal, track};

impl Verifier {
    /// Adds to the reports of what is verified what that needs, and which of its goals it does not need.
    pub(super) fn cover(
        &mut self,
        program: &Program,
        reports: &mut [Report],
        goals: &FxHashMap<ImplementationId, Vec<Goal>>,
        cancel: &Cancel,
    ) {
        for report in reports.iter_mut().filter(|it| it.verdict == Verdict::Decided(Outcome::Valid)) {
            let Some(id) = program.implementations.ids().nth(report.index) else { continue };
            let mut program = program.clone();
            for other in program.implementations.ids().collect::<Vec<_>>() {
                program.implementations[other].wishes.skip = other != id;
            }
            let (names, words): (Vec<String>, Vec<String>) = track(&mut program, id).into_iter().unzip();
            if names.is_empty() {
                continue;
            }
            self.variant = true;
            self.tracked = names;
            self.verify_program(&mut program, None, cancel, &mut |_| {});
            self.variant = false;
            self.tracked.clear();
            let core = std::mem::take(&mut self.core);
            report.needs = core.into_iter().filter_map(|index| words.get(index as usize).cloned()).collect();
            report.needs.sort_by_cached_key(|word| crate::report::collated(word));
            let is_needed = |goal: &&Goal| {
                let name = &goal.name;
                let words = [
                    name.clone(),
                    format!("invariant {name} established"),
                    format!("invariant {name} maintained"),
                ];
                words.iter().any(|word| report.needs.contains(word))
            };
            let vain = goals.get(&id).into_iter().flatten().filter(|goal| !is_needed(goal));
            report.vain = vain.map(|goal| goal.span).collect();
        }
    }
}
