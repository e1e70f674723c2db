//! The file `info`: how the program was called, when, and what the run counted, in KLEE's words and order.

use std::rc::Rc;
use std::time::Duration;

use reprise_tools::report::{QUERIES, SOLVER_QUERIES};

use super::options::Options;
use super::test_suite::timestamp;
use crate::base::system::System;
use crate::exec::{Explored, Search};
use crate::solver::Counts;
use crate::solver::process::QUERY_CONSTRUCTS;

/// The lines that stand at the end of `info` and of what is said.
pub(super) fn done_lines(explored: &Explored) -> [String; 4] {
    [
        format!("done: total instructions = {}", explored.instructions),
        format!("done: completed paths = {}", explored.completed),
        format!("done: partially completed paths = {}", explored.partial),
        format!("done: generated tests = {}", explored.tests),
    ]
}

/// The content of the file.
pub(super) fn info(
    options: &Options,
    system: &Rc<dyn System>,
    explored: &Explored,
    counts: &Counts,
) -> String {
    let elapsed = system.elapsed();
    let began = system.now().saturating_sub(elapsed.as_secs());
    let mut lines = vec![
        system.arguments().iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "),
        format!("PID: {}", system.process_id()),
        format!("symexec {}", env!("CARGO_PKG_VERSION")),
        format!("solver: {}, query cache: {}", options.solver, options.query_cache),
        format!("Started: {}", shown_time(began)),
        "BEGIN searcher description".to_owned(),
    ];
    lines.extend(searchers(&options.exec.search));
    lines.push("END searcher description".to_owned());
    lines.push(format!("Finished: {}", shown_time(began + elapsed.as_secs())));
    lines.push(format!("Elapsed: {}", shown_span(elapsed)));
    // Valid is what has no counterexample.
    let asked = counts.get(SOLVER_QUERIES);
    let valid = counts.get("solver_contradictions");
    let numbers = [
        ("explored paths", explored.completed + explored.partial),
        ("avg. constructs per query", counts.get(QUERY_CONSTRUCTS).checked_div(asked).unwrap_or(0)),
        // KLEE knows the solutions of most paths from the questions of their branches; these are no questions.
        ("total queries", counts.get(QUERIES).saturating_sub(counts.get("known_models"))),
        ("solver queries", asked),
        ("valid queries", valid),
        ("invalid queries", asked.saturating_sub(valid + counts.get("solver_failures"))),
        ("query cex", counts.get("solver_models")),
    ];
    lines.extend(numbers.map(|(what, number)| format!("KLEE: done: {what} = {number}")));
    lines.push(String::new());
    lines.extend(done_lines(explored).map(|line| format!("KLEE: {line}")));
    lines.join("\n") + "\n"
}

/// A moment in coordinated universal time, as KLEE writes it.
fn shown_time(seconds: u64) -> String {
    timestamp(seconds).replace('T', " ").trim_end_matches('Z').to_owned()
}

/// A span in whole seconds, as KLEE writes it.
fn shown_span(span: Duration) -> String {
    let seconds = span.as_secs();
    let days = seconds / 86_400;
    let before = if days > 0 { format!("{days} days, ") } else { String::new() };
    format!("{before}{:02}:{:02}:{:02}", seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60)
}

/// The orders of exploration under KLEE's names for them.
fn searchers(orders: &[Search]) -> Vec<String> {
    let names = orders.iter().map(|order| match order {
        Search::DepthFirst => "DFSSearcher",
        Search::BreadthFirst => "BFSSearcher",
        Search::Random => "RandomSearcher",
        Search::RandomPath => "RandomPathSearcher",
        Search::Coverage => "WeightedRandomSearcher::CoveringNew",
        Search::Distance => "WeightedRandomSearcher::MinDistToUncovered",
        Search::Depth => "WeightedRandomSearcher::Depth",
        Search::Executions => "WeightedRandomSearcher::InstCount",
        Search::CallPaths => "WeightedRandomSearcher::CPInstCount",
        Search::Questions => "WeightedRandomSearcher::QueryCost",
    });
    let names: Vec<String> = names.map(str::to_owned).collect();
    match names.len() {
        0 => vec!["DFSSearcher".to_owned()],
        1 => names,
        count => std::iter::once(format!("<InterleavedSearcher> containing {count} searchers:"))
            .chain(names)
            .chain(["</InterleavedSearcher>".to_owned()])
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{searchers, shown_span, shown_time};
    use crate::exec::Search;

    #[test]
    fn moments_and_spans_are_written_as_klee_writes_them() {
        assert_eq!(shown_time(951_827_696), "2000-02-29 12:34:56");
        assert_eq!(shown_span(Duration::from_millis(1_999)), "00:00:01");
        assert_eq!(shown_span(Duration::from_secs(3 * 86_400 + 2 * 3_600 + 65)), "3 days, 02:01:05");
    }

    #[test]
    fn one_order_stands_alone_and_several_are_interleaved() {
        assert_eq!(searchers(&[]), ["DFSSearcher"]);
        assert_eq!(searchers(&[Search::Depth]), ["WeightedRandomSearcher::Depth"]);
        assert_eq!(
            searchers(&[Search::RandomPath, Search::Coverage]),
            [
                "<InterleavedSearcher> containing 2 searchers:",
                "RandomPathSearcher",
                "WeightedRandomSearcher::CoveringNew",
                "</InterleavedSearcher>"
            ]
        );
    }
}
