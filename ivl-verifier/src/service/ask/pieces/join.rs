//! What the answers of pieces say together, when the last one is there.

use cache_core::digest::Encoder;

use super::super::{Arrived, Sent};
use super::{Answer, KeepGoing, Pieces, Replay};
use crate::lower::Passive;
use crate::lower::pieces::Piece;
use crate::report::{Obligation, PieceReport, Verdict};
use crate::resolve::program::Program;
use crate::service::Verifier;
use crate::service::models::of_piece;
use crate::smt::answer::{Model, Outcome, Response};
use crate::vc;

impl Verifier {
    /// What becomes of a task when nothing of it is missing any more.
    pub(super) fn joined(&mut self, program: &Program, sent: &mut Sent) -> Option<Arrived> {
        let pieces = sent.pieces.take_if(|pieces| pieces.is_complete())?;
        let leaves = pieces.leaves();
        let Pieces { mut parts, first, stopped, keep_going, .. } = pieces;
        if let Some(Verdict::Offline(_)) = stopped {
            let verdict = Verdict::Offline(sent.task.because.join(", "));
            let report = self.blank(program, &sent.task, verdict);
            return Some(Arrived::Report(Box::new(report)));
        }
        if let Some(verdict) = stopped {
            return Some(Arrived::Report(Box::new(self.blank(program, &sent.task, verdict))));
        }
        let mut all = Encoder::new();
        parts.iter().take(first).filter_map(|part| part.query.as_ref()).for_each(|(_, query)| {
            all.nested(*query);
        });
        sent.digest = all.digest();
        let count = parts.len();
        let answers = || parts.iter().filter_map(|part| part.answer.as_ref());
        let known = answers().filter(|answer| !answer.asked).count();
        let replayed = parts.iter().filter(|part| matches!(part.replay, Replay::Proved)).count();
        sent.only_replayed = replayed > 0 && known + replayed == count;
        let seconds = answers().map(|answer| answer.seconds).sum();
        sent.nothing_asked = known == count;
        if sent.nothing_asked {
            sent.task.because.push("but its queries are ones that were answered before".to_owned());
        } else if known > 0 {
            sent.task.because.push(format!("but {known} of its {count} queries were answered before"));
        }
        if replayed > 0 {
            sent.task.because.push(format!("and {replayed} of its {count} queries were proved by instances"));
        }
        let labels = vc::labels(&sent.passive);
        if leaves.len() > 1 {
            let told = |number: &usize| {
                let part = parts.get(*number)?;
                Some(told(&sent.passive, &labels, &part.piece, (part.answer.as_ref()?, self.options.retell)))
            };
            sent.parts = leaves.iter().filter_map(told).collect();
        }
        // What the limits of smaller pieces cut off says nothing of the task's own, unless these are as small.
        if let (Some(KeepGoing { limit_ms, .. }), true) = (keep_going, count > first) {
            sent.limits.wall_ms = sent.limits.wall_ms.into_iter().chain([limit_ms]).min();
        }
        let answers = leaves.into_iter().filter_map(|number| {
            let Answer { response, models, .. } = parts.get_mut(number)?.answer.take()?;
            Some((number, response, models))
        });
        let (response, models) = join(answers.collect(), self.options.error_limit);
        Some(self.settled(program, sent, response, &models, seconds))
    }
}

/// What is told of a piece; what it took also where that is known of an earlier run, if it is to be told again.
fn told(
    passive: &Passive,
    labels: &[usize],
    piece: &Piece,
    (answer, retell): (&Answer, bool),
) -> PieceReport {
    let label = |failure: &u32| labels.get(*failure as usize);
    let failed: Vec<&usize> = answer.response.failures.iter().filter_map(|it| label(&it.label)).collect();
    let obligation = |check: &usize| {
        let span = passive.checks.get(*check)?.span;
        Some(Obligation { span, failed: failed.contains(&check) })
    };
    PieceReport {
        obligations: piece.checks.iter().filter_map(obligation).collect(),
        outcome: answer.response.outcome,
        seconds: answer.seconds,
        resource: if answer.asked || retell { answer.response.resource } else { 0 },
    }
}

/// The response of the whole from those of its pieces, in their order: checks fail that fail in a piece, and hold if
/// they do in each that asks them. With each failure comes its model and the number of its piece, or that it is not
/// known.
fn join(
    pieces: Vec<(usize, Response, Vec<Option<Model>>)>,
    error_limit: u32,
) -> (Response, Vec<(usize, Model)>) {
    let mut whole = Response::valid();
    let mut models = Vec::new();
    let mut worst = Outcome::Valid;
    for (number, response, found) in pieces {
        whole.incomplete |= response.incomplete;
        whole.out_of_limits |= response.out_of_limits;
        whole.resource += response.resource;
        whole.checks += response.checks;
        // The whole fails first where its first piece with errors does; without errors, the worst is what matters.
        if whole.failures.is_empty() && !response.failures.is_empty() {
            whole.outcome = response.outcome;
        }
        if response.outcome > worst {
            worst = response.outcome;
            whole.reason.clone_from(&response.reason);
        }
        let mut found = found.into_iter();
        for failure in response.failures {
            let model = found.next().flatten();
            // A check that fails on ways of several pieces fails once.
            if !whole.failures.iter().any(|known| known.label == failure.label) {
                whole.failures.push(failure);
                models.push(of_piece(number, model));
            }
        }
    }
    if whole.failures.is_empty() || worst == Outcome::Failed {
        whole.outcome = worst;
    }
    let limit = error_limit as usize;
    if limit > 0 && whole.failures.len() >= limit {
        whole.failures.truncate(limit);
        models.truncate(limit);
        whole.incomplete = true;
    }
    (whole, models)
}
