//! Contracts inferred (`-contractInfer`): which `{:existential}` constants can hold.
//!
//! After C. Flanagan, K. R. M. Leino, *Houdini, an Annotation Assistant for ESC/Java* (FME 2001), in the order in
//! which Boogie does it, since that shows where a program has errors of its own: implementations are verified one
//! after the other, callees first; a constant whose check fails is dropped, and those that counted on it come again.
//! The first error that no constant explains ends the inference: what still waits is then verified once, under
//! the constants that are left.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cache_core::worker::Cancel;

use super::Verifier;
use crate::base::diagnostic::Diagnostic;
use crate::report::inference::{Attempt, Inference};
use crate::report::{CandidatePlace, Report, Verdict};
use crate::resolve::graph::ConstantId;
use crate::resolve::program::{CommandKind, ImplementationId, ProcedureId, Program};
use crate::resolve::reach::{AxiomIndex, Visited, reach};
use crate::smt::answer::Outcome;
use crate::transform::inline_for_inference;

/// The constants with whether they hold, how that was found out, and what was said of each implementation.
type Inferred = (Vec<(String, bool)>, Inference, Vec<Report>);

impl Verifier {
    /// Finds constants under which no check fails that depends on one of them, and gives them with what was said of
    /// each implementation under them, without the failures of constants that were dropped. Fails where inlining does.
    ///
    /// As in Boogie this looks at every implementation, whichever are wanted by name: what holds of a constant depends
    /// on all of them.
    pub(super) fn infer(
        &mut self,
        program: &mut Program,
        cancel: &Cancel,
    ) -> Result<Inferred, Vec<Diagnostic>> {
        let only = std::mem::take(&mut self.options.only);
        let except = std::mem::take(&mut self.options.except);
        let inferred = self.infer_from_all(program, cancel);
        self.options.only = only;
        self.options.except = except;
        inferred
    }

    fn infer_from_all(
        &mut self,
        program: &mut Program,
        cancel: &Cancel,
    ) -> Result<Inferred, Vec<Diagnostic>> {
        let candidates = assume(program);
        let verified: Vec<ImplementationId> =
            program.implementations.ids().filter(|id| self.verifies(program, *id)).collect();
        let mut calls = Calls::new(program, &verified);
        let problems = self.inline_for_inference(program);
        if !problems.is_empty() {
            return Err(problems);
        }
        calls.deepen(self.options.expansion.inline_depth.unwrap_or(0));
        let reached = self.reached(program, &verified);
        let mut work = Work { queue: calls.bottom_up().into(), ..Work::default() };
        let mut outcomes = Outcomes::default();
        let called = |id: &ImplementationId| program.names.text(program.implementations[*id].name).to_owned();
        let mut inference =
            Inference { implementations: verified.iter().map(called).collect(), ..Inference::default() };
        while let Some(id) = work.next() {
            if cancel.is_cancelled() {
                break;
            }
            let Some(report) = self.verify_program(program, Some(&[id]), cancel, &mut |_| {}).pop() else {
                continue;
            };
            let refuted = refuted(program, &candidates, &report);
            let own_errors = report.errors.iter().any(|error| error.candidate.is_none());
            let undecided = report.errors.is_empty() && report.verdict != Verdict::Decided(Outcome::Valid);
            let mut attempt = Attempt::of(&report);
            let failed: Vec<String> =
                report.errors.iter().filter_map(|it| Some(it.candidate.as_ref()?.name.clone())).collect();
            outcomes.set(id, report);
            if own_errors {
                work.stop();
            }
            if work.stopped {
                inference.attempts.push(attempt);
                continue;
            }
            if undecided {
                // Nothing is known of what it would have to check, so nothing of that can be counted on.
                work.given_up.insert(id);
                attempt.given_up = true;
                for constant in self.checked(program, id) {
                    attempt.dropped.push(program.names.text(program.constants[constant].name).to_owned());
                    work.again_later(&reached, constant);
                    program.constants[constant].value = Some(false);
                }
                inference.attempts.push(attempt);
                continue;
            }
            attempt.dropped = failed;
            inference.attempts.push(attempt);
            if !refuted.is_empty() {
                work.queue.push_front(id);
            }
            for (constant, place) in refuted {
                let counting: Vec<ImplementationId> = match place {
                    CandidatePlace::Precondition => {
                        let requires = |it: &&ImplementationId| requires(program, **it, constant);
                        calls.callees(id).iter().filter(requires).copied().collect()
                    }
                    CandidatePlace::Postcondition => calls.callers(id).to_vec(),
                    CandidatePlace::Body => Vec::new(),
                };
                counting.into_iter().for_each(|id| work.again(id));
                work.again_later(&reached, constant);
                program.constants[constant].value = Some(false);
            }
        }
        let assignment = candidates
            .iter()
            .map(|id| {
                let constant = &program.constants[*id];
                (program.names.text(constant.name).to_owned(), constant.value == Some(true))
            })
            .collect();
        Ok((assignment, inference, outcomes.reports()))
    }

    /// Inlines what is called, as deep as the run asks for, and gives what is wrong.
    pub(super) fn inline_for_inference(&self, program: &mut Program) -> Vec<Diagnostic> {
        let depth = self.options.expansion.inline_depth.unwrap_or(0);
        if depth == 0 {
            return Vec::new();
        }
        let verified: Vec<_> =
            program.implementations.ids().filter(|id| self.verifies(program, *id)).collect();
        inline_for_inference(program, &verified, depth)
    }

    /// The implementations that reach each constant.
    fn reached(
        &self,
        program: &Program,
        verified: &[ImplementationId],
    ) -> BTreeMap<ConstantId, Vec<ImplementationId>> {
        let index = AxiomIndex::new(program, self.options.axioms);
        let mut visited = Visited::default();
        let mut reached: BTreeMap<ConstantId, Vec<ImplementationId>> = BTreeMap::new();
        for id in verified {
            for constant in &reach(program, &index, *id, &mut visited).constants {
                if program.constants[*constant].existential {
                    reached.entry(*constant).or_default().push(*id);
                }
            }
        }
        reached
    }

    /// The constants on which checks of an implementation depend.
    fn checked(&self, program: &mut Program, id: ImplementationId) -> BTreeSet<ConstantId> {
        let index = AxiomIndex::new(program, self.options.axioms);
        let reach = reach(program, &index, id, &mut Visited::default());
        let lowered = self.lowered(program, id, &reach);
        lowered
            .map(|(_, passive, _)| passive.checks.iter().filter_map(|check| check.candidate).collect())
            .unwrap_or_default()
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

/// The constants that still hold and whose checks fail, each with where it does, in the order of the errors.
fn refuted(
    program: &Program,
    candidates: &[ConstantId],
    report: &Report,
) -> Vec<(ConstantId, CandidatePlace)> {
    let mut found: Vec<(ConstantId, CandidatePlace)> = Vec::new();
    for failed in report.errors.iter().filter_map(|error| error.candidate.as_ref()) {
        let named = |id: &&ConstantId| program.names.text(program.constants[**id].name) == failed.name;
        if let Some(id) = candidates.iter().find(named)
            && program.constants[*id].value == Some(true)
            && !found.contains(&(*id, failed.place))
        {
            found.push((*id, failed.place));
        }
    }
    found
}

/// Whether an implementation's precondition depends on a constant.
fn requires(program: &Program, id: ImplementationId, constant: ConstantId) -> bool {
    let procedure = &program.procedures[program.implementations[id].procedure];
    let depends = |expr| program.graph.candidate(expr, &|id| id == constant).is_some();
    procedure.requires.iter().any(|condition| depends(condition.expr))
}

/// What is still to be verified.
#[derive(Default)]
struct Work {
    queue: VecDeque<ImplementationId>,
    /// What counts on a dropped constant in other ways than Boogie follows, such as by an axiom or an assumption.
    later: BTreeSet<ImplementationId>,
    /// What was given up on.
    given_up: BTreeSet<ImplementationId>,
    /// Whether constants are still dropped.
    stopped: bool,
}

impl Work {
    fn next(&mut self) -> Option<ImplementationId> {
        let next = self.queue.pop_front().or_else(|| self.later.pop_first())?;
        self.later.remove(&next);
        Some(next)
    }

    fn again(&mut self, id: ImplementationId) {
        if !self.given_up.contains(&id) && !self.queue.contains(&id) {
            self.queue.push_back(id);
        }
    }

    fn again_later(&mut self, reached: &BTreeMap<ConstantId, Vec<ImplementationId>>, constant: ConstantId) {
        let ids = reached.get(&constant).into_iter().flatten();
        self.later.extend(ids.filter(|id| !self.given_up.contains(id)));
    }

    fn stop(&mut self) {
        self.stopped = true;
    }
}

/// What was said last of each implementation, in the order in which they were verified first.
#[derive(Default)]
struct Outcomes {
    order: Vec<ImplementationId>,
    reports: BTreeMap<ImplementationId, Report>,
}

impl Outcomes {
    fn set(&mut self, id: ImplementationId, report: Report) {
        if self.reports.insert(id, report).is_none() {
            self.order.push(id);
        }
    }

    fn reports(mut self) -> Vec<Report> {
        let mut reports: Vec<Report> = self.order.iter().filter_map(|id| self.reports.remove(id)).collect();
        for report in &mut reports {
            let failed = !report.errors.is_empty();
            report.errors.retain(|error| error.candidate.is_none());
            // What failed for constants alone is no success, and nothing of its own is wrong with it.
            if failed && report.errors.is_empty() {
                report.verdict = Verdict::Decided(Outcome::Refuted);
            }
        }
        reports
    }
}

/// Who calls whom, each list in the order in which the calls are met.
struct Calls {
    ids: Vec<ImplementationId>,
    callees: BTreeMap<ImplementationId, Vec<ImplementationId>>,
    callers: BTreeMap<ImplementationId, Vec<ImplementationId>>,
}

impl Calls {
    fn new(program: &Program, ids: &[ImplementationId]) -> Self {
        let mut of: BTreeMap<ProcedureId, Vec<ImplementationId>> = BTreeMap::new();
        for id in ids {
            of.entry(program.implementations[*id].procedure).or_default().push(*id);
        }
        let mut calls = Self { ids: ids.to_vec(), callees: BTreeMap::new(), callers: BTreeMap::new() };
        for id in ids {
            let blocks = &program.implementations[*id].blocks;
            for command in blocks.iter().flat_map(|block| &block.commands) {
                let CommandKind::Call(call) = &command.kind else { continue };
                for callee in of.get(&call.callee).into_iter().flatten() {
                    calls.add(*id, *callee);
                }
            }
        }
        calls
    }

    fn add(&mut self, caller: ImplementationId, callee: ImplementationId) {
        let callees = self.callees.entry(caller).or_default();
        if !callees.contains(&callee) {
            callees.push(callee);
            self.callers.entry(callee).or_default().push(caller);
        }
    }

    fn callees(&self, id: ImplementationId) -> &[ImplementationId] {
        self.callees.get(&id).map_or(&[], Vec::as_slice)
    }

    fn callers(&self, id: ImplementationId) -> &[ImplementationId] {
        self.callers.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Adds what is called by what is inlined, so deep.
    fn deepen(&mut self, depth: u32) {
        let direct = self.callees.clone();
        for _ in 0..depth {
            let edges: usize = self.callees.values().map(Vec::len).sum();
            for id in self.ids.clone() {
                let through = |it: &ImplementationId| direct.get(it).into_iter().flatten().copied();
                let more: Vec<_> = self.callees(id).iter().flat_map(through).collect();
                more.into_iter().for_each(|callee| self.add(id, callee));
            }
            if self.callees.values().map(Vec::len).sum::<usize>() == edges {
                break;
            }
        }
    }

    /// The implementations, callees before their callers; those that call each other stay together.
    fn bottom_up(&self) -> Vec<ImplementationId> {
        let mut last_first = Vec::new();
        let mut seen = BTreeSet::new();
        for id in &self.ids {
            walk(*id, &self.callers, &mut seen, &mut |id, before| {
                if !before {
                    last_first.push(id);
                }
            });
        }
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        for id in last_first.into_iter().rev() {
            walk(id, &self.callees, &mut seen, &mut |id, before| {
                if before {
                    order.push(id);
                }
            });
        }
        order
    }
}

/// Goes through what is next to each other, in depth; `each` is told what is met before and after what is next to it.
fn walk(
    from: ImplementationId,
    next: &BTreeMap<ImplementationId, Vec<ImplementationId>>,
    seen: &mut BTreeSet<ImplementationId>,
    each: &mut dyn FnMut(ImplementationId, bool),
) {
    if !seen.insert(from) {
        return;
    }
    each(from, true);
    let mut path = vec![(from, 0_usize)];
    while let Some((id, at)) = path.last_mut() {
        match next.get(id).and_then(|ids| ids.get(*at)) {
            Some(other) => {
                *at += 1;
                if seen.insert(*other) {
                    each(*other, true);
                    path.push((*other, 0));
                }
            }
            None => {
                each(*id, false);
                path.pop();
            }
        }
    }
}
