//! What goes to worker programs and comes back from them: a query with its limits, the key of its answer, its reply.

use std::time::Duration;

use cache_core::codec;
use cache_core::key::KeyBuilder;
use cache_core::limits::Limits;
use cache_core::worker::{Request as PoolRequest, WorkerError};

use crate::base::engine::Engine;
use crate::report::Verdict;
use crate::smt::answer::{Outcome, Reply, Request, Response};
use crate::smt::term::Query;
use crate::smt::text;

/// How much longer than its time limit a worker program may take before it is killed: the solver looks
/// at the clock only now and then.
const GRACE: Duration = Duration::from_secs(2);

/// A query as bytes; where values are wanted, also the one with more terms behind it and which these are.
pub(super) type Question = (Vec<u8>, Option<Option<(Vec<u8>, Vec<u32>)>>);

/// What a worker program said, or why there is no answer.
pub(super) fn reply(result: Result<Vec<u8>, WorkerError>) -> Result<Reply, Verdict> {
    let response = match result {
        Ok(bytes) => match codec::decode::<Reply>(&bytes) {
            Ok(reply) => return Ok(reply),
            Err(error) => Response::failed(error.to_string()),
        },
        Err(WorkerError::Deadline { .. }) => limit(Outcome::TimeOut),
        Err(WorkerError::Memory { .. }) => limit(Outcome::OutOfMemory),
        Err(WorkerError::Cancelled) => return Err(Verdict::Cancelled),
        Err(error @ WorkerError::Start { .. }) => {
            return Err(Verdict::Failed(format!("{error}\n{}", super::WAY_OUT)));
        }
        Err(error) => Response::failed(error.to_string()),
    };
    Ok(Reply::of(response))
}

/// A query as SMT-LIB 2, with its limits and the name of the implementation that it is about.
pub(super) fn query_text(limits: &Limits, name: &str, query: &Query) -> String {
    let (wall, resource) = (limits.wall_ms.unwrap_or(0), limits.resource.unwrap_or(0));
    let text = text::write(query, Some(name));
    format!("(set-option :timeout {wall})\n(set-option :rlimit {resource})\n{text}")
}

/// A request for an answer within limits; an attempt, which is of use only if everything is decided, within its
/// budget as well.
pub(super) fn request(
    limits: &Limits,
    query: Question,
    attempt: Option<u64>,
    tracked: &[String],
) -> Result<PoolRequest, String> {
    // Each tracked constant may be one more question.
    let times = u64::try_from(tracked.len()).unwrap_or(u64::MAX).saturating_add(1);
    let deadline = deadline(limits, times);
    let resource = limits.resource.into_iter().chain(attempt).min().filter(|it| *it < u64::MAX);
    let (query, wanted) = query;
    let (values, wanted) = (wanted.is_some(), wanted.flatten());
    let (wall_ms, decide, tracked) = (limits.wall_ms, attempt.is_some(), tracked.to_vec());
    let request = Request { resource, wall_ms, decide, values, query, wanted, tracked, instances: false };
    let bytes = codec::encode(&request).map_err(|error| error.to_string())?;
    Ok(PoolRequest { bytes, deadline })
}

/// When a worker program is killed that was asked so many questions within limits.
pub(super) fn deadline(limits: &Limits, times: u64) -> Option<Duration> {
    limits.wall_ms.map(|wall| Duration::from_millis(wall.saturating_mul(times)) + GRACE)
}

/// The key of a query's answer: the query itself.
pub(super) fn query_key(engine: &Engine, bytes: &[u8]) -> KeyBuilder {
    let confirm = cache_core::digest::Confirm::of(bytes);
    KeyBuilder::new("ivl query", 5).engine(engine.family.name(), &engine.version).content("query", &confirm)
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
