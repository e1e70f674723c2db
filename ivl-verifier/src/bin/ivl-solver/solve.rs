//! One query: which checks can fail, and how.

use ivl_verifier::smt::answer::{Failure, Model, Outcome, Reply, Request, Response};
use ivl_verifier::smt::term::Query;

/// What may be spent.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    /// In the solver's resource count.
    pub(crate) resource: Option<u64>,
    /// In milliseconds.
    pub(crate) wall_ms: Option<u64>,
}

/// An answer within a budget.
pub(crate) struct Solved {
    pub(crate) reply: Reply,
    /// Whether the resource count ended it.
    pub(crate) out_of_resource: bool,
}

impl Solved {
    /// No answer.
    pub(crate) fn failed(reason: impl Into<String>) -> Self {
        Self { reply: Reply::of(Response::failed(reason)), out_of_resource: false }
    }
}

/// What a solver says when it is asked whether a check can fail.
pub(crate) enum Said {
    Unsat,
    Sat,
    /// It gave up, for this reason.
    Unknown(String),
}

/// A solver that was told of a query. Each error is a message that says why there is no answer.
pub(crate) trait Solver {
    /// Asks whether a check can fail while some of the request's tracked constants are true, by their places.
    fn check(&mut self, assumed: &[usize]) -> Result<Said, String>;

    /// Of the constants that the last check assumed, those that the answer `Unsat` needs, as far as the solver knows.
    fn core(&mut self) -> Result<Vec<usize>, String>;

    /// What the last check's model says about where control goes after a block, if it has one and says so.
    fn next(&mut self, block: u32) -> Result<Option<i64>, String>;

    /// Keeps the last check's model until [`Self::models`].
    fn keep_model(&mut self) -> Result<(), String>;

    /// From now on control does not go there after this block.
    fn exclude(&mut self, block: u32, next: i64) -> Result<(), String>;

    /// What was spent so far, in the solver's resource count; 0 where it has none.
    fn resource(&mut self) -> Result<u64, String>;

    /// The models that were kept.
    fn models(&mut self) -> Vec<Model>;
}

/// Answers a query: asks for failing checks one after the other, until there are no more, the limit
/// of errors is met, or the budget is spent.
pub(crate) fn solve(
    solver: &mut dyn Solver,
    query: &Query,
    request: &Request,
    budget: Budget,
) -> Result<Solved, String> {
    let mut response = Response::valid();
    let tracked = tracked(query, request);
    let mut core = Vec::new();
    let mut out_of_resource = false;
    loop {
        response.checks += 1;
        let outcome = match solver.check(&tracked)? {
            Said::Unsat => {
                if response.failures.is_empty() {
                    core = needed(solver, &tracked, &mut response.checks)?;
                }
                break;
            }
            Said::Sat => Outcome::Refuted,
            Said::Unknown(reason) => {
                let outcome = unknown(&reason, solver.resource()?, budget);
                response.reason = reason;
                outcome
            }
        };
        if response.failures.is_empty() {
            response.outcome = outcome;
        }
        let given_up = request.decide && outcome == Outcome::NotProved;
        if outcome.out_of_limits() || outcome == Outcome::Failed || given_up {
            response.incomplete = true;
            response.out_of_limits = outcome.out_of_limits();
            out_of_resource = outcome == Outcome::OutOfResource;
            break;
        }
        let Some((label, path, next)) = trace(solver, query)? else {
            response.incomplete = true;
            break;
        };
        let last = path.last().copied().unwrap_or(0);
        response.failures.push(Failure { label, path, refuted: outcome == Outcome::Refuted });
        if request.values {
            solver.keep_model()?;
        }
        if query.error_limit > 0 && response.failures.len() >= query.error_limit as usize {
            response.incomplete = true;
            break;
        }
        solver.exclude(last, next)?;
    }
    response.resource = solver.resource()?;
    let models = solver.models();
    let core = core.into_iter().filter_map(|place| u32::try_from(place).ok()).collect();
    Ok(Solved { reply: Reply { models, core, ..Reply::of(response) }, out_of_resource })
}

/// The places of the constants that are tracked; those that the query does not mention are needed by nothing.
fn tracked(query: &Query, request: &Request) -> Vec<usize> {
    let declared: Vec<&str> = query.functions.iter().map(|(_, function)| function.name.as_str()).collect();
    let places = request.tracked.iter().enumerate();
    places.filter(|(_, name)| declared.contains(&name.as_str())).map(|(place, _)| place).collect()
}

/// Of the constants with which there is no failing check, some that are enough and of which none can be missing. The
/// solver's own core is where to begin; each of it is then left out to see whether it is needed.
fn needed(solver: &mut dyn Solver, tracked: &[usize], checks: &mut u32) -> Result<Vec<usize>, String> {
    if tracked.is_empty() {
        return Ok(Vec::new());
    }
    let within = |core: &[usize], kept: &[usize]| -> Vec<usize> {
        kept.iter().filter(|place| core.contains(place)).copied().collect()
    };
    let mut kept = within(&solver.core()?, tracked);
    let mut sure = 0;
    while sure < kept.len() {
        let mut without = kept.clone();
        without.remove(sure);
        *checks += 1;
        // Without constants the plain question leaves no core behind.
        if matches!(solver.check(&without)?, Said::Unsat) {
            kept = if without.is_empty() { without } else { within(&solver.core()?, &without) };
            sure = sure.min(kept.len());
        } else {
            sure += 1;
        }
    }
    Ok(kept)
}

/// What the solver's reason for giving up means, as Boogie reads it. A query that is cut off by the
/// resource count may say no more than that it was cancelled.
fn unknown(reason: &str, spent: u64, budget: Budget) -> Outcome {
    let cancelled = ["timeout", "canceled", "interrupted"].iter().any(|word| reason.contains(word));
    let out_of_resource = ["resource limit", "resourceout"].iter().any(|word| reason.contains(word));
    if out_of_resource || cancelled && budget.resource.is_some_and(|limit| spent >= limit) {
        Outcome::OutOfResource
    } else if reason.contains("memout") || reason.contains("max. memory") {
        Outcome::OutOfMemory
    } else if cancelled {
        Outcome::TimeOut
    } else {
        Outcome::NotProved
    }
}

/// The check that fails in a model with the way to it, and what the model says of its end.
fn trace(solver: &mut dyn Solver, query: &Query) -> Result<Option<(u32, Vec<u32>, i64)>, String> {
    let mut path = Vec::new();
    let mut block = 0_u32;
    loop {
        path.push(block);
        let Some(next) = solver.next(block)? else { return Ok(None) };
        if next < 0 {
            return Ok(u32::try_from(-1 - next).ok().map(|label| (label, path, next)));
        }
        // Blocks are in topological order, so a way through them only goes on.
        let forward = u32::try_from(next).ok().filter(|next| *next > block);
        let Some(next) = forward.filter(|_| path.len() <= query.terms.len()) else { return Ok(None) };
        block = next;
    }
}
