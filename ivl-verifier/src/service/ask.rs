//! Asking: tasks become queries, queries go to the worker programs, answers are stored and reported.

mod pieces;
mod prepare;

use std::borrow::Cow;
use std::sync::Arc;

use cache_core::audit::Audit;
use cache_core::cache::{Asked, Cost};
use cache_core::digest::Digest;
use cache_core::key::Key;
use cache_core::limits::Limits;
use cache_core::worker::{Cancel, Request as PoolRequest, WorkerError};

use super::models::telling;
use super::recall::{Names, Recalled, Record};
use super::replay::{Portion, proves};
use super::request::{reply, request};
use super::values::{Told, printed};
use super::{Task, Verifier, failures};
use crate::lower::{Passive, Unsupported};
use crate::report::{CheckNote, Origin, PieceReport, Report, TraceItem, Verdict};
use crate::resolve::program::{AxiomId, ImplementationId, Program};
use crate::resolve::reach::Reach;
use crate::smt::answer::{Model, Outcome, Reply, Response};
use crate::smt::disturb::disturb;
use crate::smt::stored::StoredResult;
use crate::smt::term::Query;
use crate::smt::translate;
use crate::smt::translate::{Lies, Made, Shared};
use crate::smt::turns::First;
use crate::vc;
use pieces::Pieces;
use prepare::Prepared;

/// A task whose query was sent.
pub(super) struct Sent {
    pub(super) task: Task,
    pub(super) passive: Passive,
    /// Absent if it is asked in pieces, which have their own.
    query_key: Option<Key>,
    /// Where the values of its failures are kept, if values are wanted and it is not asked in pieces.
    values_key: Option<Key>,
    pub(super) digest: Digest,
    pub(super) limits: Limits,
    pub(super) query: Option<String>,
    /// Whether the answer is stored already and only compared.
    pub(super) is_audit: bool,
    /// What an earlier version knew of the checks, if the whole query is asked after a part of it.
    notes: Vec<CheckNote>,
    /// What a trace says, where one was asked for.
    trace: Vec<TraceItem>,
    /// What is needed to store a proof; absent where nothing is stored.
    record: Option<Record>,
    /// What was left out of the query because of an earlier proof, and the whole query.
    recalled: Option<(Recalled, Vec<u8>)>,
    /// The whole query and what it took earlier, where what is asked are instances that proved it then.
    replayed: Option<(Vec<u8>, u64)>,
    /// Whether all that was asked of its pieces was replayed.
    pub(super) only_replayed: bool,
    /// The whole query of an implementation with an earlier version.
    pub(super) edited: Option<Vec<u8>>,
    /// What the solver spent for it so far, in its resource count.
    pub(super) spent: u64,
    /// What is needed to read models, if values are wanted: those of the query, or of each piece.
    pub(super) told: Vec<Option<Told>>,
    /// The pieces that it is asked in, until all are answered; and what is told of them then.
    pub(super) pieces: Option<Pieces>,
    pub(super) parts: Vec<PieceReport>,
    /// Whether everything was known when its queries were made.
    pub(super) nothing_asked: bool,
}

impl Sent {
    /// A task of which nothing is known yet but its limits.
    fn of(task: Task, passive: Passive, limits: Limits) -> Self {
        Self {
            is_audit: task.audited.is_some(),
            task,
            passive,
            query_key: None,
            values_key: None,
            digest: Digest::of(&[]),
            limits,
            query: None,
            notes: Vec::new(),
            trace: Vec::new(),
            record: None,
            recalled: None,
            replayed: None,
            only_replayed: false,
            edited: None,
            spent: 0,
            told: Vec::new(),
            pieces: None,
            parts: Vec::new(),
            nothing_asked: false,
        }
    }
}

/// Requests, and what they belong to.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) sent: Vec<Sent>,
    requests: Vec<PoolRequest>,
    /// The task of each request, and which of its pieces it asks.
    owners: Vec<(usize, Option<usize>)>,
    bytes: usize,
    /// The tasks whose whole queries have to be asked.
    again: Vec<usize>,
}

/// How many bytes of requests for pieces wait at most.
const MOST_BYTES: usize = 64 << 20;

impl Batch {
    pub(super) fn push(&mut self, request: PoolRequest, task: usize, piece: Option<usize>) {
        self.bytes += request.bytes.len();
        self.requests.push(request);
        self.owners.push((task, piece));
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes >= MOST_BYTES
    }
}

/// What becomes of a task when its answer arrives.
pub(super) enum Arrived {
    Report(Box<Report>),
    /// Its whole query has to be asked.
    Again,
}

impl Verifier {
    /// Answers tasks in their order, several at a time.
    pub(super) fn ask(
        &mut self,
        program: &mut Program,
        work: Vec<(Task, Vec<AxiomId>)>,
        cancel: &Cancel,
        each: &mut dyn FnMut(Report),
    ) {
        if work.is_empty() {
            self.record_instances(cancel);
            return;
        }
        self.shared = Shared::default();
        let names = self.uses_proofs().then(|| Names::new(program).map(Arc::new)).flatten();
        let mut batch = Batch::default();
        for (task, axioms) in work {
            if cancel.is_cancelled() {
                each(self.blank(program, &task, Verdict::Cancelled));
                continue;
            }
            let because = (!self.options.mode.asks()).then(|| task.because.clone());
            match (self.prepare(program, names.as_ref(), task, &axioms), because) {
                (Prepared::Known(report), _) => each(*report),
                (Prepared::Asked(one, _), Some(because)) => {
                    each(self.blank(program, &one.task, Verdict::Offline(because.join(", "))));
                }
                (Prepared::Asked(one, request), None) => {
                    batch.push(request, batch.sent.len(), None);
                    batch.sent.push(*one);
                }
                (Prepared::Divided(one), _) => {
                    batch.sent.push(*one);
                    self.ask_pieces(program, batch.sent.len() - 1, &mut batch, cancel, each);
                }
            }
            // Several workers would wait for the dearest query of each batch; one has nothing to wait for.
            if self.options.at_once && self.options.cores.get() == 1 {
                self.send(program, &mut batch, cancel, each);
            }
        }
        self.send(program, &mut batch, cancel, each);
        self.ask_smaller_pieces(program, &mut batch, cancel, each);
        // What an earlier proof could not settle is asked whole.
        let Batch { sent, again, .. } = batch;
        let mut whole = Batch::default();
        for (index, mut one) in sent.into_iter().enumerate() {
            if !again.contains(&index) {
                continue;
            }
            let (bytes, because) = match (one.replayed.take(), one.recalled.take()) {
                (Some((bytes, _)), _) if one.task.audited.is_some() => {
                    (bytes, "the replayed proof is being checked")
                }
                (Some((bytes, _)), _) => (bytes, "the instances of its earlier proof do not prove it"),
                (None, Some((recalled, bytes))) => {
                    one.notes = recalled.notes;
                    (bytes, "the whole query had to be asked as well")
                }
                (None, None) => continue,
            };
            one.task.because.push(because.to_owned());
            match request(&one.limits, (bytes, None), None, &[]) {
                Ok(request) => {
                    whole.push(request, whole.sent.len(), None);
                    whole.sent.push(one);
                }
                Err(error) => each(self.blank(program, &one.task, Verdict::Failed(error))),
            }
        }
        self.send(program, &mut whole, cancel, each);
        self.record_instances(cancel);
    }

    /// Sends the requests that are waiting, and reports answers as they arrive.
    pub(super) fn send(
        &mut self,
        program: &Program,
        batch: &mut Batch,
        cancel: &Cancel,
        each: &mut dyn FnMut(Report),
    ) {
        let requests = std::mem::take(&mut batch.requests);
        let owners = std::mem::take(&mut batch.owners);
        batch.bytes = 0;
        if requests.is_empty() {
            return;
        }
        self.counters.queries += requests.len() as u64;
        let mut pool = std::mem::replace(
            &mut self.pool,
            cache_core::worker::Pool::new(&self.options.solver, self.options.cores),
        );
        // Requests are begun in their order, one whenever a worker is free: the first ones at once, each
        // later one when the answer arrived that made room for it.
        let cores = self.options.cores.get();
        let begin = self.system.now();
        let mut arrivals = Vec::with_capacity(requests.len());
        pool.run(&requests, cancel, |index, result| {
            let now = self.system.now();
            let room = index.checked_sub(cores).and_then(|earlier| arrivals.get(earlier));
            let seconds = now.saturating_sub(room.copied().unwrap_or(begin)).as_secs_f64();
            arrivals.push(now);
            let Some((task, piece)) = owners.get(index).copied() else { return };
            let Some(sent) = batch.sent.get_mut(task) else { return };
            match self.arrived(program, sent, piece, result, seconds) {
                Some(Arrived::Report(report)) => each(*report),
                Some(Arrived::Again) => batch.again.push(task),
                None => {}
            }
        });
        self.pool = pool;
    }

    /// The query of passive blocks, of which a condition is to be proved.
    pub(super) fn rest(
        &mut self,
        program: &mut Program,
        whose: (ImplementationId, &Reach),
        axioms: &[AxiomId],
        passive: &Passive,
        condition: &vc::Condition,
    ) -> Result<Made, Unsupported> {
        let mut shared = std::mem::take(&mut self.shared);
        let made = self.made(program, &mut shared, whose, axioms, passive, condition);
        self.shared = shared;
        made
    }

    /// The same, with what the queries of the program have in common.
    pub(super) fn made(
        &self,
        program: &mut Program,
        shared: &mut Shared,
        (id, reach): (ImplementationId, &Reach),
        axioms: &[AxiomId],
        passive: &Passive,
        condition: &vc::Condition,
    ) -> Result<Made, Unsupported> {
        let wanted = printed(passive);
        let task = translate::Task {
            condition,
            reach,
            axioms,
            options: self.solver_options(program, &program.implementations[id].wishes.solver_options),
            share: self.options.switch_after,
            first: if program.types.has_polymorphic_maps() { First::Goal } else { First::Own },
            error_limit: self.options.error_limit,
            lift_variables: self.options.lift_variables,
            maps_by_axioms: self.maps_by_axioms(program),
            lies: self.lies(),
            span: program.implementations[id].span,
            wanted: self.options.values.then_some(&wanted),
        };
        translate::query(program, &task, shared)
    }

    /// A query as it is sent: put otherwise, where that is asked for. The instances of earlier proofs are made in the
    /// query as it is, whose names they have.
    pub(super) fn disturbed<'q>(&self, query: &'q Query) -> Cow<'q, Query> {
        let Some(disturbance) = self.options.disturbance else { return Cow::Borrowed(query) };
        let mut query = query.clone();
        disturb(&mut query, disturbance);
        Cow::Owned(query)
    }

    /// Which axioms are to say too much.
    #[cfg(feature = "plant")]
    fn lies(&self) -> Lies {
        use crate::base::plant::Fault;
        Lies {
            keep_written: self.options.fault == Some(Fault::KeepWritten),
            tell_constants_apart: self.options.fault == Some(Fault::TellConstantsApart),
            choose_once: self.options.fault == Some(Fault::ChooseOnce),
            blur_numbers: self.options.fault == Some(Fault::BlurNumbers),
        }
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "the test build's twin uses it")]
    fn lies(&self) -> Lies {
        Lies::default()
    }

    /// What became of a query, which took `seconds`. Nothing yet if it is one of several of its task.
    fn arrived(
        &mut self,
        program: &Program,
        sent: &mut Sent,
        piece: Option<usize>,
        result: Result<Vec<u8>, WorkerError>,
        seconds: f64,
    ) -> Option<Arrived> {
        let reply = reply(result);
        if let Ok(Reply { response, .. }) = &reply {
            self.counters.solver_checks += u64::from(response.checks);
            self.counters.solver_resource += response.resource;
            sent.spent += response.resource;
        }
        if let Some(piece) = piece {
            return self.answered(program, sent, piece, reply, seconds);
        }
        Some(match reply {
            Ok(Reply { response, models, core, instances: _ }) => {
                self.core = core;
                let models: Vec<_> = models.into_iter().map(|model| (0, model)).collect();
                self.settled(program, sent, response, &models, seconds)
            }
            Err(verdict) => Arrived::Report(Box::new(self.blank(program, &sent.task, verdict))),
        })
    }

    /// Stores and reports an answer, together with what was known before. With the model of each failure comes the
    /// number of the piece that it is a model of.
    pub(super) fn settled(
        &mut self,
        program: &Program,
        sent: &mut Sent,
        response: Response,
        models: &[(usize, Model)],
        seconds: f64,
    ) -> Arrived {
        if sent.replayed.is_some() && !proves(&response) {
            return Arrived::Again;
        }
        if sent.query_key.is_some() && (sent.task.valued.is_some() || !response.failures.is_empty()) {
            let of_each: Vec<Model> = models.iter().map(|(_, model)| model.clone()).collect();
            let key = (sent.values_key.as_ref(), &sent.limits);
            self.keep_values(key, &response, &of_each, (seconds, sent.is_audit));
        }
        if let Some((stored, origin)) = sent.task.valued.take() {
            let told = (&sent.task, &sent.passive, sent.told.as_slice());
            let mut report = self.valued(program, told, &stored, &response, models);
            if sent.nothing_asked {
                report.origin = origin;
                report.because = vec![super::UNCHANGED.to_owned()];
                self.say_what_lacks(&mut report);
            } else {
                report.query.clone_from(&sent.query);
                report.origin = Origin::Solver;
                report.resource = sent.spent;
            }
            return Arrived::Report(Box::new(report));
        }
        let (response, notes) = match &sent.recalled {
            None => (response, std::mem::take(&mut sent.notes)),
            Some((recalled, _)) => match self.whole(recalled, &response) {
                Some(response) => (response, recalled.notes.clone()),
                None => return Arrived::Again,
            },
        };
        let mut report = self.blank(program, &sent.task, Verdict::Cancelled);
        report.query.clone_from(&sent.query);
        report.checks = notes;
        report.trace.clone_from(&sent.trace);
        report.origin = match (sent.nothing_asked, sent.query_key.is_some()) {
            (false, _) if sent.replayed.is_some() || sent.only_replayed => Origin::Replayed,
            (false, _) => Origin::Solver,
            (true, true) => Origin::Checks,
            (true, false) => Origin::SameQuery,
        };
        report.resource = sent.spent;
        report.seconds = seconds;
        report.pieces = std::mem::take(&mut sent.parts);
        report.obligations = match report.pieces.as_slice() {
            [] => failures::obligations(&sent.passive, &response),
            pieces => pieces.iter().flat_map(|piece| &piece.obligations).copied().collect(),
        };
        let telling = |at: usize| telling(&sent.told, models, at);
        let Some(errors) = failures::errors(program, &sent.passive, &response, &telling) else {
            report.verdict = Verdict::Failed("the solver's answer does not fit its query".to_owned());
            return Arrived::Report(Box::new(report));
        };
        if response.outcome == Outcome::Failed {
            report.verdict = Verdict::Failed(response.reason);
            return Arrived::Report(Box::new(report));
        }
        report.errors = errors;
        self.say_what_lacks(&mut report);
        report.limits_met = response.out_of_limits;
        report.verdict = Verdict::Decided(response.outcome);
        let cost = Cost { seconds, resource: response.resource };
        if let Some(record) = &sent.record {
            let recalled = sent.recalled.as_ref().map(|(recalled, _)| recalled);
            let passive = recalled.map_or(&sent.passive, |recalled| &recalled.passive);
            let took = sent.replayed.as_ref().map(|(_, took)| *took);
            self.keep(program, &sent.task, record, (recalled, took), passive, &response);
        }
        if sent.replayed.is_none() && sent.recalled.is_none() {
            let (edited, limits) = (sent.edited.take(), sent.limits.clone());
            self.note(program, (&sent.task, Portion::Whole), edited, &limits, &response);
        }
        let fresh = Asked { answer: StoredResult { query: sent.digest, response }, cost };
        if (sent.recalled.is_some() || sent.replayed.is_some()) && self.options.audit == Audit::Always {
            // The answer is compared with that to the whole query.
            sent.task.audited = Some(fresh.answer);
            return Arrived::Again;
        }
        if let Some(stored) = &sent.task.audited {
            self.cache.settle_audit(&sent.task.key, &sent.limits, stored, &fresh);
        }
        if !sent.is_audit && self.tracked.is_empty() {
            self.cache.fill(&sent.task.key, &sent.limits, &fresh);
            if let Some(query_key) = &sent.query_key {
                self.cache.fill(query_key, &sent.limits, &fresh);
            }
        }
        Arrived::Report(Box::new(report))
    }
}
