//! The turns of a query: each one asks it afresh under settings of its own, up to a share of the limits.

use ivl_verifier::base::system::{OperatingSystem, System};
use ivl_verifier::smt::answer::{Reply, Request, Response};
use ivl_verifier::smt::term::{Query, Turn};

use crate::settings;
use crate::solve::{Budget, Solved, solve};

/// Answers a query turn by turn, until one comes to an end; what is left of the limits when all have had their
/// shares is spent under the query's own settings. `used` says whether the thread's own context was used before.
pub(crate) fn answer(query: &Query, request: &Request, used: &mut bool) -> Reply {
    let system = OperatingSystem::new();
    let begin = system.now();
    let rest = Turn { share: u64::MAX, options: Vec::new() };
    let mut spent = 0;
    let mut checks = 0;
    let mut best: Option<Reply> = None;
    for turn in query.turns.iter().chain([&rest]) {
        let left = request.resource.map(|limit| limit.saturating_sub(spent));
        let elapsed = u64::try_from(system.now().saturating_sub(begin).as_millis()).unwrap_or(u64::MAX);
        let wall_ms = request.wall_ms.map(|limit| limit.saturating_sub(elapsed));
        if best.is_some() && (left == Some(0) || wall_ms == Some(0)) {
            break;
        }
        let share = Some(turn.share).filter(|share| *share < u64::MAX);
        let budget = Budget { resource: left.into_iter().chain(share).min(), wall_ms };
        let settings: Vec<(String, String)> = query.options.iter().chain(&turn.options).cloned().collect();
        let solved = match settings::make(&settings) {
            Ok(()) => asked(query, request, budget, used),
            Err(reason) => Solved { reply: Reply::of(Response::failed(reason)), out_of_resource: false },
        };
        spent += solved.reply.response.resource;
        checks += solved.reply.response.checks;
        let over = !solved.out_of_resource;
        best = Some(better(best, solved.reply));
        if over {
            break;
        }
    }
    let mut reply = best.unwrap_or_else(|| Reply::of(Response::failed("the query has no turn")));
    reply.response.resource = spent;
    reply.response.checks = checks;
    reply
}

/// Asks in a fresh context.
fn asked(query: &Query, request: &Request, budget: Budget, used: &mut bool) -> Solved {
    if !std::mem::replace(used, true) {
        // The thread's own context, which is made where it is first used, with the same configuration.
        // A context takes 17 MB before it holds anything, so one more is felt.
        return solve(query, request, budget);
    }
    z3::with_z3_config(&z3::Config::new(), || solve(query, request, budget))
}

/// Of two turns' replies the one that says more: the one that came to an end, or that found more failing checks
/// before it was stopped. The later one if they say as much, since its limit is that of the request.
fn better(earlier: Option<Reply>, later: Reply) -> Reply {
    let found = |reply: &Reply| reply.response.failures.len();
    match earlier {
        Some(earlier) if later.response.out_of_limits && found(&earlier) > found(&later) => earlier,
        _ => later,
    }
}
