//! Turns: which settings a query is asked under, and how long.
//!
//! Z3's own way to choose the case to split next looks at all of a query, and where a check fails it may go
//! on splitting what has nothing to do with the check until the limits are met. With case splits that follow
//! the goal (`case_split=3`, which Boogie 2 and Dafny ask for) such checks are told in a moment, and
//! what is proved with much effort is mostly proved with less; but some of what the first way proves at once
//! the second does not. So a query begins under its own settings; if it takes long, it is asked afresh under
//! the others, and if these do not come to an end either, under its own again for as long, which some proofs need.
//! What is still left is spent towards the goal: the two dearest proofs of printed Dafny programs are found so after
//! 21 and 42 million more, and not within 40 million under their own settings.
//!
//! Programs whose maps are heaps of a front end (Dafny 2, Viper: polymorphic maps) begin towards the goal, and with
//! units delayed, as Boogie 2 has it for all programs: their axioms are written for it. What is proved so is proved
//! with a half of what their own settings take, and often with a tenth.
//!
//! The turns are part of the query: answer and cost are a function of its bytes and of the limits. A turn
//! ends by the resource count, which does not depend on the machine, and its share does not depend on the
//! limits, so a larger limit changes only answers that were out of limits.

use crate::smt::term::{Query, Turn};

/// How far the resource count of a query goes under its own settings before others are tried: above what
/// nearly every check that holds takes (half a second).
pub const SHARE: u64 = 500_000;

/// How much longer the second and third turn may take than the first did.
const TIMES: u64 = 8;
/// How much longer the first two turns of programs with heaps may take than the first of others.
const TIMES_WITH_HEAPS: [u64; 2] = [2, 2];

/// Settings under which cases are split that matter to the goal. Z3's automatic configuration would set them
/// back.
const TOWARDS_THE_GOAL: [(&str, &str); 2] = [("auto_config", "false"), ("case_split", "3")];

/// What programs with heaps get besides: facts that follow by themselves do not come before the goal's cases.
const DELAY_UNITS: (&str, &str) = ("delay_units", "true");

/// Which settings a query begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// Its own.
    Own,
    /// Those towards the goal, as heaps of front ends want it.
    Goal,
}

/// The turns of a query with this share of the limits for its own settings at first; 0 means none. Without quantifiers
/// the solver decides nearly everything, and its automatic configuration is what makes it fast; and whoever chose one
/// of the settings gets no others.
pub(crate) fn turns(query: &Query, share: u64, first: First) -> Vec<Turn> {
    let chosen = |(name, _): &(String, String)| {
        let name = name.to_ascii_lowercase();
        let name = name.strip_prefix("smt.").unwrap_or(&name);
        TOWARDS_THE_GOAL.iter().any(|(setting, _)| *setting == name)
    };
    if share == 0 || query.options.iter().any(chosen) || !query.has_quantifiers() {
        return Vec::new();
    }
    let times = |factor| share.saturating_mul(factor);
    let [goal_first, own_second] = TIMES_WITH_HEAPS;
    let own = |share| Turn { share, options: Vec::new() };
    let goal = |share| Turn { share, options: towards_the_goal(first) };
    match first {
        First::Own => vec![own(share), goal(times(TIMES)), own(times(TIMES)), goal(u64::MAX)],
        First::Goal => vec![goal(times(goal_first)), own(times(own_second)), goal(u64::MAX)],
    }
}

/// The settings of a turn that follows the goal.
fn towards_the_goal(first: First) -> Vec<(String, String)> {
    let delayed = (first == First::Goal).then_some(DELAY_UNITS);
    let settings = TOWARDS_THE_GOAL.into_iter().chain(delayed);
    settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
