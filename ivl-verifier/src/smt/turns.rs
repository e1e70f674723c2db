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
//! The turns are part of the query: answer and cost are a function of its bytes and of the limits. A turn
//! ends by the resource count, which does not depend on the machine, and its share does not depend on the
//! limits, so a larger limit changes only answers that were out of limits.

use crate::smt::term::{Query, Turn};

/// How far the resource count of a query goes under its own settings before others are tried: above what
/// nearly every check that holds takes (half a second).
pub const SHARE: u64 = 500_000;

/// How much longer the second and third turn may take than the first did.
const TIMES: u64 = 8;

/// Settings under which cases are split that matter to the goal. Z3's automatic configuration would set them
/// back.
const TOWARDS_THE_GOAL: [(&str, &str); 2] = [("auto_config", "false"), ("case_split", "3")];

/// The turns of a query with this first share; 0 means none. Without quantifiers the solver decides nearly
/// everything, and its automatic configuration is what makes it fast; and whoever chose one of the settings
/// gets no others.
pub(crate) fn turns(query: &Query, share: u64) -> Vec<Turn> {
    let chosen = |(name, _): &(String, String)| {
        let name = name.to_ascii_lowercase();
        let name = name.strip_prefix("smt.").unwrap_or(&name);
        TOWARDS_THE_GOAL.iter().any(|(setting, _)| *setting == name)
    };
    if share == 0 || query.options.iter().any(chosen) || !query.has_quantifiers() {
        return Vec::new();
    }
    let options = TOWARDS_THE_GOAL.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let longer = share.saturating_mul(TIMES);
    vec![
        Turn { share, options: Vec::new() },
        Turn { share: longer, options: options.clone() },
        Turn { share: longer, options: Vec::new() },
        Turn { share: u64::MAX, options },
    ]
}
