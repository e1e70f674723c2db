//! Contracts inferred (`-contractInfer`): which `{:existential}` constants can hold.

use std::collections::BTreeMap;

use cache_core::worker::Cancel;

use super::Verifier;
use crate::report::Report;
use crate::resolve::graph::ConstantId;
use crate::resolve::program::Program;

impl Verifier {
    /// Finds the largest set of `{:existential}` constants under which no check fails that depends on
    /// one of them: starting with all, a constant whose check fails is dropped, and what mentions it is
    /// verified again.
    pub(super) fn infer(
        &mut self,
        program: &mut Program,
        cancel: &Cancel,
    ) -> (Vec<(String, bool)>, Vec<Report>) {
        let candidates = assume(program);
        let mut reports: BTreeMap<usize, Report> = BTreeMap::new();
        let mut changed: Option<Vec<ConstantId>> = None;
        loop {
            for report in self.verify_program(program, changed.as_deref(), cancel, &mut |_| {}) {
                reports.insert(report.index, report);
            }
            let refuted: Vec<ConstantId> = candidates
                .iter()
                .copied()
                .filter(|id| program.constants[*id].value == Some(true))
                .filter(|id| {
                    let name = program.names.text(program.constants[*id].name);
                    let mut errors = reports.values().flat_map(|report| &report.errors);
                    errors.any(|error| error.candidate.as_deref() == Some(name))
                })
                .collect();
            if refuted.is_empty() || cancel.is_cancelled() {
                break;
            }
            for id in &refuted {
                program.constants[*id].value = Some(false);
            }
            changed = Some(refuted);
        }
        let assignment = candidates
            .iter()
            .map(|id| {
                let constant = &program.constants[*id];
                (program.names.text(constant.name).to_owned(), constant.value == Some(true))
            })
            .collect();
        (assignment, reports.into_values().collect())
    }
}

/// Takes every `{:existential}` constant for true, and gives these.
pub(super) fn assume(program: &mut Program) -> Vec<ConstantId> {
    let candidates: Vec<_> =
        program.constants.ids().filter(|id| program.constants[*id].existential).collect();
    for id in &candidates {
        program.constants[*id].value = Some(true);
    }
    candidates
}
