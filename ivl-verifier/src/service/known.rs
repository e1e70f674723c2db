//! Reports: of results that are known, at the places of the present program, and of what has none.

#[cfg(feature = "plant")]
use super::identity;
use super::{Task, UNCHANGED, Verifier, failures};
use crate::base::arena::Id;
use crate::report::{Origin, Report, Verdict};
use crate::resolve::program::{ImplementationId, Program};
use crate::resolve::reach::Reach;
use crate::smt::stored::StoredResult;
use crate::snapshot::key::Priority;

impl Verifier {
    /// The report of a stored result, at the current positions. `None` if the result does not fit.
    pub(super) fn known(
        &mut self,
        program: &mut Program,
        id: ImplementationId,
        reach: &Reach,
        stored: &StoredResult,
        origin: Origin,
    ) -> Option<Report> {
        let mut obligations = Vec::new();
        let errors = if self.options.retell {
            let (_, passive, pieces) = self.lowered(program, id, reach).ok()?;
            if !pieces.is_empty() {
                // The pieces are answered one by one.
                return None;
            }
            obligations = failures::obligations(&passive, &stored.response);
            failures::errors(program, &passive, &stored.response, &|_| None)?
        } else if stored.response.failures.is_empty() {
            Vec::new()
        } else {
            let passive = crate::lower::lower(program, id, reach).ok()?;
            failures::errors(program, &passive, &stored.response, &|_| None)?
        };
        #[cfg(feature = "plant")]
        let errors = self.planted_positions(program, id, errors);
        let implementation = &program.implementations[id];
        Some(Report {
            index: id.index(),
            name: program.names.text(implementation.name).to_owned(),
            verbose_name: implementation.wishes.verbose_name.clone(),
            praise: implementation.wishes.praise.clone(),
            identity: implementation.identity.clone(),
            sibling: implementation.sibling,
            span: implementation.span,
            verdict: Verdict::Decided(stored.response.outcome),
            limits_met: stored.response.out_of_limits,
            errors,
            origin,
            priority: Priority::Highest,
            because: vec![UNCHANGED.to_owned()],
            time_limit: self.limits(program, id).wall_ms.map(|wall| wall / 1000),
            resource: if self.options.retell { stored.response.resource } else { 0 },
            seconds: 0.0,
            obligations,
            pieces: Vec::new(),
            needs: Vec::new(),
            vain: Vec::new(),
            checks: Vec::new(),
            trace: Vec::new(),
            query: None,
        })
    }

    /// The errors where they stood when they were first reused, if that lie is to be told.
    #[cfg(feature = "plant")]
    fn planted_positions(
        &mut self,
        program: &Program,
        id: ImplementationId,
        errors: Vec<crate::report::CheckError>,
    ) -> Vec<crate::report::CheckError> {
        if self.options.fault != Some(crate::base::plant::Fault::OldPositions) {
            return errors;
        }
        self.old_errors.entry(identity(program, id)).or_insert(errors).clone()
    }

    /// A report without errors and without a query.
    pub(super) fn blank(&self, program: &Program, task: &Task, verdict: Verdict) -> Report {
        let implementation = &program.implementations[task.id];
        Report {
            index: task.id.index(),
            name: program.names.text(implementation.name).to_owned(),
            verbose_name: implementation.wishes.verbose_name.clone(),
            praise: implementation.wishes.praise.clone(),
            identity: implementation.identity.clone(),
            sibling: implementation.sibling,
            span: implementation.span,
            verdict,
            limits_met: false,
            errors: Vec::new(),
            origin: Origin::Nowhere,
            priority: task.priority,
            because: task.because.clone(),
            time_limit: self.limits(program, task.id).wall_ms.map(|wall| wall / 1000),
            resource: 0,
            seconds: 0.0,
            obligations: Vec::new(),
            pieces: Vec::new(),
            needs: Vec::new(),
            vain: Vec::new(),
            checks: Vec::new(),
            trace: Vec::new(),
            query: None,
        }
    }
}
