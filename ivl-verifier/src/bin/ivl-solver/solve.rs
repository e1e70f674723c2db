//! One query: which checks can fail, and how.

use ivl_verifier::smt::answer::{Failure, Outcome, Reply, Request, Response};
use ivl_verifier::smt::term::Query;
use ivl_verifier::smt::wire;
use z3::ast::{Bool, Dynamic, Int};
use z3::{Model, Params, SatResult, Solver, StatisticsValue};

use crate::build::{Builder, build};
use crate::model::values;

/// What may be spent.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    /// In Z3's resource count.
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

/// Answers a query: asks for failing checks one after the other, until there are no more, the limit
/// of errors is met, or the budget is spent.
pub(crate) fn solve(query: &Query, request: &Request, budget: Budget) -> Solved {
    match run(query, request, budget) {
        Ok(solved) => solved,
        Err(reason) => Solved { reply: Reply::of(Response::failed(reason)), out_of_resource: false },
    }
}

fn run(query: &Query, request: &Request, budget: Budget) -> Result<Solved, String> {
    let mut built = build(query)?;
    let mut models = Vec::new();
    let solver = Solver::new();
    solver.set_params(&limits(budget));
    for id in &query.background {
        solver.assert(built.bool(*id)?);
    }
    // Behind a push, as Boogie asks: Z3 then uses its incremental core.
    solver.push();
    if let Some(goal) = query.goal {
        solver.assert(built.bool(goal)?);
    }
    let mut response = Response::valid();
    let tracked = tracked(query, request);
    let mut core = Vec::new();
    let mut out_of_resource = false;
    loop {
        response.checks += 1;
        let outcome = match asked(&solver, &tracked) {
            SatResult::Unsat => {
                if response.failures.is_empty() {
                    core = needed(&solver, &tracked, &mut response.checks);
                }
                break;
            }
            SatResult::Sat => Outcome::Refuted,
            SatResult::Unknown => {
                let reason = solver.get_reason_unknown().unwrap_or_default();
                let outcome = unknown(&reason, resource(&solver), budget);
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
        let failure = solver.get_model().and_then(|model| Some((trace(&built, &model, query)?, model)));
        let Some(((label, path, excluded), model)) = failure else {
            response.incomplete = true;
            break;
        };
        response.failures.push(Failure { label, path, refuted: outcome == Outcome::Refuted });
        if request.values {
            models.push(model);
        }
        if query.error_limit > 0 && response.failures.len() >= query.error_limit as usize {
            response.incomplete = true;
            break;
        }
        solver.assert(excluded);
    }
    response.resource = resource(&solver);
    // Models are looked at when all is said, so that doing so can influence nothing.
    let wanted = if models.is_empty() { Vec::new() } else { wanted(&mut built, request) };
    let models = models.iter().map(|model| values(&built, model, query, &wanted)).collect();
    Ok(Solved { reply: Reply { response, models, core }, out_of_resource })
}

/// The constants that are tracked, each with its place among them; those that the query does not mention are needed by
/// nothing.
fn tracked(query: &Query, request: &Request) -> Vec<(u32, Bool)> {
    let declared: Vec<&str> = query.functions.iter().map(|(_, function)| function.name.as_str()).collect();
    let places = request.tracked.iter().zip(0_u32..);
    let mentioned = places.filter(|(name, _)| declared.contains(&name.as_str()));
    mentioned.map(|(name, place)| (place, Bool::new_const(name.as_str()))).collect()
}

/// Asks with the tracked constants true.
fn asked(solver: &Solver, tracked: &[(u32, Bool)]) -> SatResult {
    if tracked.is_empty() {
        return solver.check();
    }
    let literals: Vec<Bool> = tracked.iter().map(|(_, literal)| literal.clone()).collect();
    solver.check_assumptions(&literals)
}

/// Of the constants with which there is no failing check, some that are enough and of which none can be missing. The
/// solver's own core is where to begin; each of it is then left out to see whether it is needed.
fn needed(solver: &Solver, tracked: &[(u32, Bool)], checks: &mut u32) -> Vec<u32> {
    if tracked.is_empty() {
        return Vec::new();
    }
    let within = |core: &[Bool], kept: &[(u32, Bool)]| {
        kept.iter().filter(|(_, literal)| core.contains(literal)).cloned().collect::<Vec<_>>()
    };
    let mut kept = within(&solver.get_unsat_core(), tracked);
    let mut sure = 0;
    while sure < kept.len() {
        let mut without = kept.clone();
        without.remove(sure);
        *checks += 1;
        // Without constants the plain question leaves no core behind.
        if asked(solver, &without) == SatResult::Unsat {
            kept = if without.is_empty() { without } else { within(&solver.get_unsat_core(), &without) };
            sure = sure.min(kept.len());
        } else {
            sure += 1;
        }
    }
    kept.into_iter().map(|(place, _)| place).collect()
}

/// The terms beside the query whose values are wanted.
fn wanted(built: &mut Builder, request: &Request) -> Vec<Option<Dynamic>> {
    let Some((bytes, ids)) = &request.wanted else { return Vec::new() };
    // Where the solver cannot be told of a term, it has no value.
    if let Ok(extended) = wire::read(bytes) {
        let _: Result<(), String> = built.extend(&extended);
    }
    ids.iter().map(|id| built.terms.get(*id as usize).cloned()).collect()
}

/// The limits of a solver; all other settings were made before.
fn limits(budget: Budget) -> Params {
    let mut params = Params::new();
    if let Some(resource) = budget.resource {
        params.set_u32("rlimit", u32::try_from(resource).unwrap_or(u32::MAX));
    }
    if let Some(wall) = budget.wall_ms {
        params.set_u32("timeout", u32::try_from(wall).unwrap_or(u32::MAX));
    }
    params
}

/// What the solver's reason for giving up means, as Boogie reads it. A query that is cut off by the
/// resource count may say no more than that it was cancelled.
fn unknown(reason: &str, spent: u64, budget: Budget) -> Outcome {
    let cancelled = ["timeout", "canceled", "interrupted"].iter().any(|word| reason.contains(word));
    if reason.contains("resource limit") || cancelled && budget.resource.is_some_and(|limit| spent >= limit) {
        Outcome::OutOfResource
    } else if reason.contains("memout") || reason.contains("max. memory") {
        Outcome::OutOfMemory
    } else if cancelled {
        Outcome::TimeOut
    } else {
        Outcome::NotProved
    }
}

/// The check that fails in a model with the way to it, and what excludes finding it again.
fn trace(built: &Builder, model: &Model, query: &Query) -> Option<(u32, Vec<u32>, Bool)> {
    let mut path = Vec::new();
    let mut block = 0_u32;
    loop {
        path.push(block);
        let control = built.control(block)?;
        let next = model.eval(&control, true)?.as_i64()?;
        if next < 0 {
            let label = u32::try_from(-next - 1).ok()?;
            let excluded = control.eq(Int::from_i64(next)).not();
            return Some((label, path, excluded));
        }
        // Blocks are in topological order, so a way through them only goes on.
        let next = u32::try_from(next).ok()?;
        if next <= block || path.len() > query.terms.len() {
            return None;
        }
        block = next;
    }
}

fn resource(solver: &Solver) -> u64 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(count)) => u64::from(count),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count, written as a float"
        )]
        Some(StatisticsValue::Double(count)) => count as u64,
        None => 0,
    }
}
