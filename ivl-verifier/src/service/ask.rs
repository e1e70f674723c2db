//! Asking: tasks become queries, queries go to the worker programs, answers are stored and reported.

use std::time::Duration;

use cache_core::cache::{Asked, Cost, Lookup};
use cache_core::codec;
use cache_core::digest::Digest;
use cache_core::key::{Key, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::worker::{Cancel, Request as PoolRequest, WorkerError};

use super::{Task, Verifier, failures};
use crate::lower::{Passive, Unsupported, lower};
use crate::report::{Origin, Report, Verdict};
use crate::resolve::program::{AxiomId, Program};
use crate::smt::answer::{Outcome, Request, Response, SOLVER_VERSION};
use crate::smt::stored::StoredResult;
use crate::smt::{text, translate, wire};
use crate::vc;

/// How much longer than its time limit a worker program may take before it is killed: the solver looks
/// at the clock only now and then.
const GRACE: Duration = Duration::from_secs(2);

/// A task whose query was sent.
struct Sent {
    task: Task,
    passive: Passive,
    query_key: Key,
    digest: Digest,
    limits: Limits,
    query: Option<String>,
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
        let mut sent = Vec::new();
        let mut requests = Vec::new();
        for (task, axioms) in work {
            if cancel.is_cancelled() {
                each(self.blank(program, &task, Verdict::Cancelled));
                continue;
            }
            let made = self.query(program, &task, &axioms);
            let (passive, query) = match made {
                Ok(made) => made,
                Err(Unsupported { message, .. }) => {
                    each(self.blank(program, &task, Verdict::Unsupported(message)));
                    continue;
                }
            };
            let bytes = wire::write(&query);
            let query_key = query_key(&bytes);
            let digest = Digest::of(&bytes);
            let limits = self.limits(program, task.id);
            if task.audited.is_none()
                && let Lookup::Hit { answer, audit: false, .. } = self.cache.lookup(&query_key, &limits)
                && let Some(errors) = failures::errors(program, &passive, &answer.response)
            {
                self.cache.fill(&task.key, &limits, &Asked { answer: answer.clone(), cost: Cost::default() });
                let mut report = self.blank(program, &task, Verdict::Decided(answer.response.outcome));
                report.errors = errors;
                report.origin = Origin::SameQuery;
                report.because.push("but its query is one that was answered before".to_owned());
                each(report);
                continue;
            }
            let deadline = limits.wall_ms.map(|wall| Duration::from_millis(wall) + GRACE);
            let request = Request { resource: limits.resource, wall_ms: limits.wall_ms, query: bytes };
            match codec::encode(&request) {
                Ok(bytes) => requests.push(PoolRequest { bytes, deadline }),
                Err(error) => {
                    each(self.blank(program, &task, Verdict::Failed(error.to_string())));
                    continue;
                }
            }
            let query = self.options.log_queries.then(|| {
                let (wall, resource) = (limits.wall_ms.unwrap_or(0), limits.resource.unwrap_or(0));
                format!(
                    "(set-option :timeout {wall})\n(set-option :rlimit {resource})\n{}",
                    text::write(&query)
                )
            });
            sent.push(Sent { task, passive, query_key, digest, limits, query });
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
            if let Some(sent) = sent.get(index) {
                each(self.arrived(program, sent, result, seconds));
            }
        });
        self.pool = pool;
    }

    fn query(
        &self,
        program: &mut Program,
        task: &Task,
        axioms: &[AxiomId],
    ) -> Result<(Passive, crate::smt::term::Query), Unsupported> {
        let passive = lower(program, task.id, &task.reach)?;
        let condition = vc::condition(&passive);
        let task = translate::Task {
            condition: &condition,
            reach: &task.reach,
            axioms,
            options: self.solver_options(),
            error_limit: self.options.error_limit,
            span: program.implementations[task.id].span,
        };
        let query = translate::query(program, &task)?;
        Ok((passive, query))
    }

    /// Stores and reports what a worker program said.
    /// What became of a query, which took `seconds`.
    fn arrived(
        &mut self,
        program: &Program,
        sent: &Sent,
        result: Result<Vec<u8>, WorkerError>,
        seconds: f64,
    ) -> Report {
        let Sent { task, passive, query_key, digest, limits, query } = sent;
        let mut report = self.blank(program, task, Verdict::Cancelled);
        report.query.clone_from(query);
        let response = match result {
            Ok(bytes) => codec::decode(&bytes).unwrap_or_else(|error| Response::failed(error.to_string())),
            Err(WorkerError::Deadline { .. }) => limit(Outcome::TimeOut),
            Err(WorkerError::Memory { .. }) => limit(Outcome::OutOfMemory),
            Err(WorkerError::Cancelled) => return report,
            Err(error @ WorkerError::Start { .. }) => {
                report.verdict = Verdict::Failed(format!("{error}\n{}", super::WAY_OUT));
                return report;
            }
            Err(error) => Response::failed(error.to_string()),
        };
        self.counters.solver_checks += u64::from(response.checks);
        self.counters.solver_resource += response.resource;
        report.origin = Origin::Solver;
        report.resource = response.resource;
        let Some(errors) = failures::errors(program, passive, &response) else {
            report.verdict = Verdict::Failed("the solver's answer does not fit its query".to_owned());
            return report;
        };
        if response.outcome == Outcome::Failed {
            report.verdict = Verdict::Failed(response.reason);
            return report;
        }
        report.errors = errors;
        report.verdict = Verdict::Decided(response.outcome);
        let cost = Cost { seconds, resource: response.resource };
        let fresh = Asked { answer: StoredResult { query: *digest, response }, cost };
        match &task.audited {
            Some(stored) => {
                self.cache.settle_audit(&task.key, limits, stored, &fresh);
            }
            None => {
                self.cache.fill(&task.key, limits, &fresh);
                self.cache.fill(query_key, limits, &fresh);
            }
        }
        report
    }
}

/// The key of a query's answer: the query itself.
fn query_key(bytes: &[u8]) -> Key {
    let confirm = cache_core::digest::Confirm::of(bytes);
    KeyBuilder::new("ivl query", 1).engine("z3", SOLVER_VERSION).content("query", &confirm).finish()
}

/// The answer of a solver that was stopped from outside.
fn limit(outcome: Outcome) -> Response {
    Response {
        outcome,
        incomplete: true,
        out_of_limits: true,
        failures: Vec::new(),
        resource: 0,
        checks: 1,
        reason: String::new(),
    }
}
