//! Asking in pieces: one task, several queries ([`crate::lower::pieces`]), one result.
//!
//! Each piece is looked up by its exact query and asked if that is not known, within the limits of the whole; its
//! answer is stored under that query as it arrives, so an edit costs the pieces whose queries it changes. When the
//! last answer is there they are joined ([`join`]) into the response that the whole would have had: what is stored and
//! reported of an implementation does not show how it was divided, but for the digest, which is of all queries.
//!
//! Pieces have no part in fine-grained caching: their own queries take its place. Requests are sent before they
//! amount to much memory, so an implementation with thousands of pieces needs no more than one with some.

use cache_core::cache::{Asked, Cost, Lookup};
use cache_core::digest::{Digest, Encoder};
use cache_core::key::Key;
use cache_core::worker::{Cancel, Request as PoolRequest};

use super::Verifier;
use super::ask::{Arrived, Batch, Sent, query_key, query_text, request};
use super::values::Told;
use crate::lower::Passive;
use crate::lower::pieces::{Division, Piece};
use crate::report::{Obligation, PieceReport, Report, Verdict};
use crate::resolve::program::{AxiomId, ImplementationId, Program};
use crate::smt::answer::{Model, Outcome, Reply, Response};
use crate::smt::stored::StoredResult;
use crate::smt::wire;
use crate::vc;

/// The pieces of a task, and what became of them.
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    /// The query of each, as far as they were made.
    queries: Vec<(Key, Digest)>,
    answers: Vec<Option<Answer>>,
    /// How many have no answer.
    missing: usize,
    /// Why there is no result.
    stopped: Option<Verdict>,
}

/// The answer of one piece.
struct Answer {
    response: Response,
    models: Vec<Model>,
    seconds: f64,
    /// Whether the solver was asked in this run.
    asked: bool,
}

impl Pieces {
    pub(super) fn new(pieces: Vec<Piece>) -> Self {
        let answers = pieces.iter().map(|_| None).collect();
        Self { missing: pieces.len(), queries: Vec::new(), answers, pieces, stopped: None }
    }

    fn note(&mut self, number: usize, answer: Answer) {
        if let Some(place @ None) = self.answers.get_mut(number) {
            *place = Some(answer);
            self.missing -= 1;
        }
    }

    /// Gives up what was not sent yet, and the result.
    fn stop(&mut self, from: usize, verdict: Verdict) {
        self.missing -= self.answers.iter().skip(from).filter(|it| it.is_none()).count();
        self.stopped.get_or_insert(verdict);
    }
}

impl Verifier {
    /// How an implementation is divided; what its attributes say counts more than what is asked for.
    pub(super) fn division(&self, program: &Program, id: ImplementationId) -> Division {
        let wishes = &program.implementations[id].wishes;
        let most = wishes.max_pieces.unwrap_or(self.options.max_pieces) as usize;
        match wishes.each_check.unwrap_or(self.options.each_check) {
            true => Division::EachCheck,
            false if most > 1 => Division::AtMost(most),
            false => Division::Marked,
        }
    }

    /// Asks the pieces of a task, those whose queries were answered before excepted.
    pub(super) fn ask_pieces(
        &mut self,
        program: &mut Program,
        one: Sent,
        axioms: &[AxiomId],
        batch: &mut Batch,
        cancel: &Cancel,
        each: &mut dyn FnMut(Report),
    ) {
        let condition = vc::condition(&one.passive);
        let place = batch.sent.len();
        batch.sent.push(one);
        let count = batch.sent[place].pieces.as_ref().map_or(0, |pieces| pieces.pieces.len());
        for number in 0..count {
            let made = if cancel.is_cancelled() {
                Err(Verdict::Cancelled)
            } else {
                self.piece(program, &mut batch.sent[place], number, &condition, axioms)
            };
            match made {
                Ok(None) => {}
                Ok(Some(request)) => batch.push(request, place, Some(number)),
                Err(verdict) => {
                    if let Some(pieces) = &mut batch.sent[place].pieces {
                        pieces.stop(number, verdict);
                    }
                    break;
                }
            }
            if batch.is_full() {
                self.send(program, batch, cancel, each);
            }
        }
        // Nothing of it is on its way, or it would be told of when that arrives.
        if !batch.awaits(place)
            && let Some(Arrived::Report(report)) = self.joined(program, &mut batch.sent[place])
        {
            each(*report);
        }
    }

    /// The request for a piece, if its query was not answered before.
    fn piece(
        &mut self,
        program: &mut Program,
        sent: &mut Sent,
        number: usize,
        condition: &vc::Condition,
        axioms: &[AxiomId],
    ) -> Result<Option<PoolRequest>, Verdict> {
        let Some(pieces) = &mut sent.pieces else { return Ok(None) };
        let condition = condition.of(&pieces.pieces[number]);
        let made = self
            .rest(program, (sent.task.id, &sent.task.reach), axioms, &sent.passive, &condition)
            .map_err(|unsupported| Verdict::Unsupported(unsupported.message))?;
        let bytes = wire::write(&made.query);
        let key = query_key(&bytes);
        pieces.queries.push((key.clone(), Digest::of(&bytes)));
        sent.told.push(self.options.values.then_some(Told { names: made.names, wanted: made.wanted }));
        if sent.task.audited.is_none()
            && self.options.client_checksums.is_none()
            && self.tracked.is_empty()
            && let Lookup::Hit { answer: StoredResult { response, .. }, audit: false, .. } =
                self.cache.lookup(&key, &sent.limits)
            && (!self.options.values || response.failures.is_empty())
        {
            pieces.note(number, Answer { response, models: Vec::new(), seconds: 0.0, asked: false });
            return Ok(None);
        }
        if self.options.log_queries {
            let text = query_text(&sent.limits, &made.query);
            sent.query.get_or_insert_default().push_str(&text);
        }
        let extended = made.extended.map(|(extended, terms)| (wire::write(&extended), terms));
        let question = (bytes, self.options.values.then_some(extended));
        request(&sent.limits, question, None, &self.tracked).map(Some).map_err(Verdict::Failed)
    }

    /// What became of a piece. Its task is reported when that is known of the last one.
    pub(super) fn answered(
        &mut self,
        program: &Program,
        sent: &mut Sent,
        number: usize,
        reply: Result<Reply, Verdict>,
        seconds: f64,
    ) -> Option<Arrived> {
        let pieces = sent.pieces.as_mut()?;
        let Reply { response, models, core } = match reply {
            Ok(reply) => reply,
            Err(verdict) => {
                pieces.missing -= 1;
                pieces.stopped.get_or_insert(verdict);
                return self.joined(program, sent);
            }
        };
        self.core.extend(core);
        self.core.sort_unstable();
        self.core.dedup();
        if response.outcome != Outcome::Failed
            && !sent.is_audit
            && self.tracked.is_empty()
            && let Some((key, query)) = pieces.queries.get(number)
        {
            let cost = Cost { seconds, resource: response.resource };
            let answer = StoredResult { query: *query, response: response.clone() };
            self.cache.fill(key, &sent.limits, &Asked { answer, cost });
        }
        pieces.note(number, Answer { response, models, seconds, asked: true });
        self.joined(program, sent)
    }

    /// What becomes of a task when nothing of it is missing any more.
    fn joined(&mut self, program: &Program, sent: &mut Sent) -> Option<Arrived> {
        if sent.pieces.as_ref()?.missing > 0 {
            return None;
        }
        let Pieces { pieces, queries, answers, stopped, .. } = sent.pieces.take()?;
        if let Some(verdict) = stopped {
            return Some(Arrived::Report(Box::new(self.blank(program, &sent.task, verdict))));
        }
        let mut all = Encoder::new();
        queries.iter().for_each(|(_, query)| all.nested(*query));
        sent.digest = all.digest();
        let answers: Vec<Answer> = answers.into_iter().flatten().collect();
        let known = answers.iter().filter(|answer| !answer.asked).count();
        sent.nothing_asked = known == answers.len();
        if sent.nothing_asked {
            sent.task.because.push("but its queries are ones that were answered before".to_owned());
        } else if known > 0 {
            let count = answers.len();
            sent.task.because.push(format!("but {known} of its {count} queries were answered before"));
        }
        let labels = vc::labels(&sent.passive);
        let parts = pieces.iter().zip(&answers);
        sent.parts = parts.map(|(piece, answer)| told(&sent.passive, &labels, piece, answer)).collect();
        let seconds = answers.iter().map(|answer| answer.seconds).sum();
        let answers = answers.into_iter().map(|answer| (answer.response, answer.models)).collect();
        let (response, models) = join(answers, self.options.error_limit);
        Some(self.settled(program, sent, response, &models, seconds))
    }
}

/// What is told of a piece.
fn told(passive: &Passive, labels: &[usize], piece: &Piece, answer: &Answer) -> PieceReport {
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
        resource: if answer.asked { answer.response.resource } else { 0 },
    }
}

/// The response of the whole from those of its pieces, in their order: checks fail that fail in a piece, and hold if
/// they do in each that asks them. With each failure comes its model, if there is one, and the number of its piece.
fn join(pieces: Vec<(Response, Vec<Model>)>, error_limit: u32) -> (Response, Vec<(usize, Model)>) {
    let mut whole = Response::valid();
    let mut models = Vec::new();
    let mut worst = Outcome::Valid;
    for (number, (response, found)) in pieces.into_iter().enumerate() {
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
            let model = found.next();
            // A check that fails on ways of several pieces fails once.
            if !whole.failures.iter().any(|known| known.label == failure.label) {
                whole.failures.push(failure);
                models.extend(model.map(|model| (number, model)));
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
