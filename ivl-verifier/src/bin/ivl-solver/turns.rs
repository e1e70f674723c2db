//! The turns of a query: each one asks it afresh under settings of its own, up to a share of the limits.

use ivl_verifier::base::system::{OperatingSystem, System};
use ivl_verifier::smt::answer::{Reply, Request, Response};
use ivl_verifier::smt::term::{Query, Turn};

use crate::solve::{Budget, Solved};

/// Asks afresh under settings within a budget.
type Ask<'a> = dyn FnMut(&[(String, String)], Budget) -> Result<Solved, String> + 'a;

/// Answers a query turn by turn, until one comes to an end; what is left of the limits when all have had their
/// shares is spent under the query's own settings.
pub(crate) fn answer(query: &Query, request: &Request, ask: &mut Ask<'_>) -> Reply {
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
        let solved = ask(&settings, budget).unwrap_or_else(Solved::failed);
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

/// Of two turns' replies the one that says more: the one that came to an end, or that found more failing checks
/// before it was stopped. The later one if they say as much, since its limit is that of the request.
fn better(earlier: Option<Reply>, later: Reply) -> Reply {
    let found = |reply: &Reply| reply.response.failures.len();
    match earlier {
        Some(earlier) if later.response.out_of_limits && found(&earlier) > found(&later) => earlier,
        _ => later,
    }
}
