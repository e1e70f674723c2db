//! Asking in pieces: one task, several queries ([`crate::lower::pieces`]), one result.
//!
//! Each piece is looked up by its exact query and asked if that is not known, within the limits of the whole; its
//! answer is stored under that query as it arrives, so an edit costs the pieces whose queries it changes. When the
//! last answer is there they are joined ([`join`]) into the response that the whole would have had: what is stored and
//! reported of an implementation does not show how it was divided, but for the digest, which is of the queries that
//! are asked in any case.
//!
//! With [`KeepGoing`] what runs out of limits is divided further, in rounds: when all of its pieces are answered, those
//! that ran out of theirs make place for smaller ones. One check on one path is asked once more, with a limit of
//! its own, and is an error if that is met too. So pieces form trees, whose leaves have the answers that count; what
//! they say together follows from program and options alone, however the rounds mix with those of other tasks.
//! The limits are among these options, and so part of the keys there.
//!
//! Pieces have no part in fine-grained caching: their own queries take its place. Requests are sent before they
//! amount to much memory, so an implementation with thousands of pieces needs no more than one with some.

mod join;

use std::collections::BTreeSet;

use cache_core::audit::Audit;
use cache_core::cache::{Asked, Cost, Lookup};
use cache_core::digest::Digest;
use cache_core::key::{Key, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::worker::{Cancel, Request as PoolRequest};

use super::{Arrived, Batch, Sent};
use crate::lower::Passive;
use crate::lower::pieces::{Division, Piece, path, smaller};
use crate::report::{Report, Verdict};
use crate::resolve::program::{AxiomId, ImplementationId, Program};
use crate::service::models::known;
use crate::service::replay::{Portion, proves};
use crate::service::request::{query_key, query_text, request};
use crate::service::values::Told;
use crate::service::{KeepGoing, Verifier};
use crate::smt::answer::{Failure, Model, Outcome, Reply, Response};
use crate::smt::stored::StoredResult;
use crate::smt::{text, wire};
use crate::vc;

/// How many pieces an implementation is divided into at most where pieces run out of limits: paths can be
/// exponentially many.
const MOST_PIECES: usize = 512;

/// The pieces of a task, and what became of them.
pub(in crate::service) struct Pieces {
    /// Those that are asked in any case come first, in the order of control.
    parts: Vec<Part>,
    first: usize,
    /// How many of them have had their queries made.
    made: usize,
    /// How many are on their way.
    awaited: usize,
    /// Those that ran out of their limits and are to be divided.
    exhausted: Vec<usize>,
    /// Those whose replayed proofs failed, or are to be checked: they are asked as they are.
    again: BTreeSet<usize>,
    /// Why there is no result.
    stopped: Option<Verdict>,
    keep_going: Option<KeepGoing>,
    axioms: Vec<AxiomId>,
}

/// A piece.
struct Part {
    piece: Piece,
    /// Whether it is asked for the last time.
    is_last: bool,
    limits: Limits,
    query: Option<(Key, Digest)>,
    /// Where the values of its failures are kept, if values are wanted.
    values_key: Option<Key>,
    answer: Option<Answer>,
    /// The pieces in its place.
    divided: Vec<usize>,
    /// Its query where the implementation has an earlier version and this was not proved by what is known of that.
    edited: Option<Vec<u8>>,
    replay: Replay,
}

/// What becomes of a piece whose earlier proof had instances.
enum Replay {
    /// Nothing yet.
    No,
    /// It is asked with the instances.
    Asked,
    /// They do not prove it.
    Failed,
    /// They prove it, which is to be checked: what is stored then.
    Checked(StoredResult),
    /// They prove it.
    Proved,
}

/// The answer of one piece.
struct Answer {
    response: Response,
    /// Of each failure, if it is known.
    models: Vec<Option<Model>>,
    seconds: f64,
    /// Whether the solver was asked in this run.
    asked: bool,
}

impl Part {
    fn new(piece: Piece, is_last: bool, limits: Limits) -> Self {
        Self {
            piece,
            is_last,
            limits,
            query: None,
            values_key: None,
            answer: None,
            divided: Vec::new(),
            edited: None,
            replay: Replay::No,
        }
    }
}

impl Pieces {
    pub(super) fn new(
        pieces: Vec<Piece>,
        keep_going: Option<KeepGoing>,
        axioms: &[AxiomId],
        limits: &Limits,
    ) -> Self {
        let parts: Vec<Part> =
            pieces.into_iter().map(|piece| Part::new(piece, false, limits.clone())).collect();
        Self {
            first: parts.len(),
            parts,
            made: 0,
            awaited: 0,
            exhausted: Vec::new(),
            again: BTreeSet::new(),
            stopped: None,
            keep_going,
            axioms: axioms.to_vec(),
        }
    }

    /// Whether there is more to be asked now.
    pub(super) fn goes_on(&self) -> bool {
        self.stopped.is_none()
            && (self.made < self.parts.len()
                || !self.again.is_empty()
                || self.is_round_over() && !self.exhausted.is_empty())
    }

    /// The piece that is asked next.
    fn next(&mut self) -> usize {
        self.again.pop_first().unwrap_or_else(|| {
            self.made += 1;
            self.made - 1
        })
    }

    /// Whether all pieces there are have answers. Only then are some divided: which of them, in which order, and so
    /// where the largest number of pieces is reached, does not depend on who was answered first.
    fn is_round_over(&self) -> bool {
        self.awaited == 0 && self.made == self.parts.len() && self.again.is_empty()
    }

    fn note(&mut self, number: usize, answer: Answer) {
        if self.keep_going.is_some() && answer.response.outcome.out_of_limits() {
            self.exhausted.push(number);
        }
        if let Some(part) = self.parts.get_mut(number) {
            part.answer = Some(answer);
        }
    }

    /// Puts smaller pieces in the place of those that ran out of their limits, which are a task's with these limits.
    fn divide(&mut self, passive: &Passive, limits: &Limits) {
        let Some(KeepGoing { pieces, limit_ms, last_ms }) = self.keep_going.filter(|_| self.is_round_over())
        else {
            return;
        };
        let mut exhausted = std::mem::take(&mut self.exhausted);
        exhausted.sort_unstable();
        let within = |wall: u64| Limits { wall_ms: Some(wall).filter(|it| *it > 0), ..limits.clone() };
        for number in exhausted {
            let Some(part) = self.parts.get_mut(number) else { continue };
            let mut parts: Vec<Part> = match part.is_last {
                true => Vec::new(),
                false => smaller(&part.piece, passive, pieces as usize)
                    .into_iter()
                    .map(|piece| Part::new(piece, false, within(limit_ms)))
                    .collect(),
            };
            let last = within(last_ms);
            // Only the clock may come out otherwise.
            let by_clock = |answer: &Answer| answer.response.outcome == Outcome::TimeOut;
            let may_differ = part.answer.as_ref().is_some_and(by_clock) && !part.limits.exhausted_for(&last);
            if parts.is_empty() && !part.is_last && may_differ {
                parts.push(Part::new(part.piece.clone(), true, last));
            } else if parts.is_empty() {
                if let (Some(answer), Some(failure)) = (&mut part.answer, undecided(&part.piece, passive)) {
                    answer.response.outcome = Outcome::NotProved;
                    answer.response.failures = vec![failure];
                    answer.models = vec![None];
                }
                continue;
            }
            let next = self.parts.len();
            if next + parts.len() > MOST_PIECES {
                continue;
            }
            self.parts[number].divided = (next..next + parts.len()).collect();
            self.parts.append(&mut parts);
        }
    }

    /// Whether all is known that can be.
    fn is_complete(&self) -> bool {
        self.awaited == 0 && !self.goes_on()
    }

    /// The numbers of the pieces whose answers count, in their order.
    fn leaves(&self) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut work: Vec<usize> = (0..self.first).rev().collect();
        while let Some(number) = work.pop() {
            match self.parts[number].divided.as_slice() {
                [] => leaves.push(number),
                divided => work.extend(divided.iter().rev()),
            }
        }
        leaves
    }
}

/// A key of what holds within these limits alone.
fn within(key: KeyBuilder, limits: &Limits) -> KeyBuilder {
    let Limits { wall_ms, resource, memory_bytes, machine } = limits;
    let machine = machine.as_ref().map(|it| it.0.clone());
    key.option("limits", &(*wall_ms, *resource, *memory_bytes)).option("machine", &machine)
}

/// The failure of the only check of a piece on its only path.
fn undecided(piece: &Piece, passive: &Passive) -> Option<Failure> {
    let check = piece.checks.first()?;
    let label = vc::labels(passive).iter().position(|it| it == check)?;
    let ways = path(piece, passive);
    let mut way = vec![0];
    while let Some(next) = ways.get(*way.last()?)?.first() {
        way.push(*next);
    }
    let path = way.into_iter().map(u32::try_from).collect::<Result<_, _>>().ok()?;
    Some(Failure { label: u32::try_from(label).ok()?, path, refuted: false })
}

impl Verifier {
    /// How an implementation is divided; what its attributes say counts more than what is asked for.
    pub(in crate::service) fn division(&self, program: &Program, id: ImplementationId) -> Division {
        let wishes = &program.implementations[id].wishes;
        let most = wishes.max_pieces.unwrap_or(self.options.max_pieces) as usize;
        match wishes.each_check.unwrap_or(self.options.each_check) {
            true => Division::EachCheck,
            false if most > 1 => Division::AtMost(most),
            false => Division::Marked,
        }
    }

    /// How what runs out of limits is divided, if it is.
    pub(in crate::service) fn keeps_going(
        &self,
        program: &Program,
        id: ImplementationId,
    ) -> Option<KeepGoing> {
        let KeepGoing { pieces, .. } = self.options.keep_going;
        let pieces = program.implementations[id].wishes.keep_going.unwrap_or(pieces);
        (pieces > 1).then_some(KeepGoing { pieces, ..self.options.keep_going })
    }

    /// The beginning of an implementation's key. Where what runs out of limits is divided, these decide which queries
    /// are asked, and so which errors are found first, and whether the solver gives up on something: what comes out
    /// under larger limits says nothing of smaller ones then.
    pub(in crate::service) fn begin_key(
        &self,
        begin: &KeyBuilder,
        program: &Program,
        id: ImplementationId,
    ) -> KeyBuilder {
        match self.keeps_going(program, id) {
            Some(_) => within(begin.clone(), &self.limits(program, id)),
            None => begin.clone(),
        }
    }

    /// Asks the pieces of a task that are to be asked now, those whose queries were answered before excepted.
    pub(super) fn ask_pieces(
        &mut self,
        program: &mut Program,
        place: usize,
        batch: &mut Batch,
        cancel: &Cancel,
        each: &mut dyn FnMut(Report),
    ) {
        let condition = vc::condition(&batch.sent[place].passive);
        loop {
            let sent = &mut batch.sent[place];
            let Some(pieces) = &mut sent.pieces else { return };
            pieces.divide(&sent.passive, &sent.limits);
            if !pieces.goes_on() {
                break;
            }
            let number = pieces.next();
            let made = match cancel.is_cancelled() {
                true => Err(Verdict::Cancelled),
                false => self.piece(program, sent, number, &condition),
            };
            match (made, &mut sent.pieces) {
                (Ok(Some(request)), Some(pieces)) => {
                    pieces.awaited += 1;
                    batch.push(request, place, Some(number));
                }
                (Err(verdict), Some(pieces)) => drop(pieces.stopped.get_or_insert(verdict)),
                _ => {}
            }
            if batch.is_full() {
                self.send(program, batch, cancel, each);
            }
        }
        if let Some(Arrived::Report(report)) = self.joined(program, &mut batch.sent[place]) {
            each(*report);
        }
    }

    /// Asks round by round what takes the place of pieces that ran out of their limits, until nothing is left.
    pub(super) fn ask_smaller_pieces(
        &mut self,
        program: &mut Program,
        batch: &mut Batch,
        cancel: &Cancel,
        each: &mut dyn FnMut(Report),
    ) {
        loop {
            let goes_on = |(place, one): (usize, &Sent)| {
                one.pieces.as_ref().is_some_and(Pieces::goes_on).then_some(place)
            };
            let places: Vec<usize> = batch.sent.iter().enumerate().filter_map(goes_on).collect();
            if places.is_empty() {
                break;
            }
            for place in places {
                self.ask_pieces(program, place, batch, cancel, each);
            }
            self.send(program, batch, cancel, each);
        }
    }

    /// The request for a piece, if its query was not answered before.
    fn piece(
        &mut self,
        program: &mut Program,
        sent: &mut Sent,
        number: usize,
        condition: &vc::Condition,
    ) -> Result<Option<PoolRequest>, Verdict> {
        let Some(pieces) = &mut sent.pieces else { return Ok(None) };
        let Some(part) = pieces.parts.get_mut(number) else { return Ok(None) };
        let condition = condition.of(&part.piece);
        let made = self
            .rest(program, (sent.task.id, &sent.task.reach), &pieces.axioms, &sent.passive, &condition)
            .map_err(|unsupported| Verdict::Unsupported(unsupported.message))?;
        let bytes = wire::write(&self.disturbed(&made.query));
        let limits = part.limits.clone();
        let is_again = !matches!(part.replay, Replay::No);
        let key = match pieces.keep_going {
            Some(_) => within(query_key(&self.options.engine, &bytes), &limits).finish(),
            None => query_key(&self.options.engine, &bytes).finish(),
        };
        part.query = Some((key.clone(), Digest::of(&bytes)));
        let extended = made.extended.map(|(extended, terms)| (wire::write(&extended), terms));
        let question = (bytes, self.options.values.then_some(extended));
        part.values_key = self.values_key(&question).map(|values_key| match pieces.keep_going {
            Some(_) => within(values_key, &limits).finish(),
            None => values_key.finish(),
        });
        if !is_again {
            sent.told.push(self.options.values.then_some(Told { names: made.names, wanted: made.wanted }));
        }
        if !is_again
            && sent.task.audited.is_none()
            && self.options.client_checksums.is_none()
            && self.tracked.is_empty()
            && let Lookup::Hit { answer: StoredResult { response, .. }, audit: false, .. } =
                self.cache.lookup(&key, &limits)
            && let Some((response, models)) = self.with_values(&response, part.values_key.as_ref(), &limits)
        {
            let models = known(models);
            // What it took is told as if it were asked.
            sent.spent += if self.options.retell { response.resource } else { 0 };
            pieces.note(number, Answer { response, models, seconds: 0.0, asked: false });
            return Ok(None);
        }
        if !self.options.mode.asks() {
            return Err(Verdict::Offline(String::new()));
        }
        // Smaller pieces come and go with limits; only what is asked in any case was asked before.
        let portion = Portion::Piece(number, pieces.first);
        let lasting = number < pieces.first && !is_again;
        let replayed = if lasting { self.replayed(program, &sent.task, portion, &made.query) } else { None };
        if number < pieces.first && replayed.is_none() && self.is_recorded(program, &sent.task) {
            part.edited = Some(question.0.clone());
        }
        if self.options.log_queries {
            let asked = self.disturbed(replayed.as_ref().map_or(&made.query, |replayed| &replayed.ground));
            let log = sent.query.get_or_insert_default();
            if !log.is_empty() {
                log.push_str(text::BETWEEN);
            }
            log.push_str(&query_text(
                &limits,
                program.names.text(program.implementations[sent.task.id].name),
                &asked,
            ));
        }
        if let Some(replayed) = replayed {
            part.replay = Replay::Asked;
            let question = (wire::write(&self.disturbed(&replayed.ground)), None);
            let budget = Some(replayed.budget());
            return request(&limits, question, budget, &self.tracked).map(Some).map_err(Verdict::Failed);
        }
        request(&limits, question, None, &self.tracked).map(Some).map_err(Verdict::Failed)
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
        pieces.awaited = pieces.awaited.saturating_sub(1);
        let Reply { response, models, core, instances: _ } = match reply {
            Ok(reply) => reply,
            Err(verdict) => {
                pieces.stopped.get_or_insert(verdict);
                return self.joined(program, sent);
            }
        };
        self.core.extend(core);
        self.core.sort_unstable();
        self.core.dedup();
        let count = pieces.first;
        if let Some(part) = pieces.parts.get_mut(number) {
            let claimed = |query: &(Key, Digest)| StoredResult { query: query.1, response: response.clone() };
            let checked = self.options.audit == Audit::Always;
            match (std::mem::replace(&mut part.replay, Replay::No), &part.query) {
                (Replay::Asked, _) if !proves(&response) => {
                    part.replay = Replay::Failed;
                    pieces.again.insert(number);
                    return self.joined(program, sent);
                }
                (Replay::Asked, Some(query)) if checked => {
                    part.replay = Replay::Checked(claimed(query));
                    pieces.again.insert(number);
                    return self.joined(program, sent);
                }
                (Replay::Asked, _) => part.replay = Replay::Proved,
                (Replay::Checked(claimed), Some((key, query))) => {
                    let answer = StoredResult { query: *query, response: response.clone() };
                    let cost = Cost { seconds, resource: response.resource };
                    self.cache.settle_audit(key, &part.limits, &claimed, &Asked { answer, cost });
                    part.replay = Replay::Failed;
                }
                (before, _) => part.replay = before,
            }
            let (edited, limits) = (part.edited.take(), part.limits.clone());
            self.note(program, (&sent.task, Portion::Piece(number, count)), edited, &limits, &response);
        }
        if response.outcome != Outcome::Failed
            && !sent.is_audit
            && self.tracked.is_empty()
            && let Some(Part { query: Some((key, query)), limits, .. }) = pieces.parts.get(number)
        {
            let cost = Cost { seconds, resource: response.resource };
            let answer = StoredResult { query: *query, response: response.clone() };
            self.cache.fill(key, limits, &Asked { answer, cost });
        }
        if !response.failures.is_empty()
            && let Some(Part { values_key, limits, .. }) = pieces.parts.get(number)
        {
            let (values_key, limits) = (values_key.clone(), limits.clone());
            self.keep_values((values_key.as_ref(), &limits), &response, &models, (seconds, sent.is_audit));
        }
        let models = models.into_iter().map(Some).collect();
        pieces.note(number, Answer { response, models, seconds, asked: true });
        self.joined(program, sent)
    }
}
