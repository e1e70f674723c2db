//! The cache never costs: a first run asks what it would ask without a cache, and an attempt to make do with a
//! part of a query is small beside the whole.

use cache_core::mode::Mode;
use ivl_verifier::report::Verdict;
use ivl_verifier::service::Options;
use ivl_verifier::smt::answer::Outcome;

use crate::support::{Session, fixture, history, options};

/// Programs with everything that caching treats in its own way: calls, loops, errors, quantifiers.
fn programs() -> Vec<(String, String)> {
    let mut programs: Vec<(String, String)> =
        ["abs", "gcd", "dutch_flag"].into_iter().flat_map(history).collect();
    let sessions = std::fs::read_dir(fixture("sessions")).expect("the sessions");
    for session in sessions {
        let base = session.expect("a session").path().join("base.bpl");
        if let Ok(text) = std::fs::read_to_string(&base) {
            programs.push((base.display().to_string(), text));
        }
    }
    programs
}

#[test]
fn a_first_run_sends_the_same_queries_as_a_run_without_a_cache() {
    let programs = programs();
    assert!(programs.len() > 12, "{}", programs.len());
    // Less than elsewhere: what the queries are does not depend on it.
    let logging = Options { log_queries: true, resource_limit: Some(20_000), ..options() };
    let mut asked = 0;
    for (name, text) in programs {
        let queries = |mode: Mode, fine_grained: bool| {
            let mut session = Session::with(Options { mode, fine_grained, ..logging.clone() });
            let seen = session.verify(&name, &text);
            let counters = session.verifier.counters();
            let queries: Vec<_> =
                seen.reports.into_iter().map(|it| (it.name, it.query, it.resource)).collect();
            (queries, counters)
        };
        let without = queries(Mode::Off, true);
        assert_eq!(queries(Mode::ReadWrite, true), without, "{name}");
        assert_eq!(queries(Mode::ReadWrite, false), without, "{name}");
        asked += without.0.iter().filter(|(_, query, _)| query.is_some()).count();
    }
    assert!(asked > 20, "{asked}");
}

/// A check that the solver gives up on only when its budget is spent.
const HARD: &str = "assert x * x * x + y * y * y != z * z * z;";

fn program(checks: &str) -> String {
    format!(
        "procedure P(x: int, y: int, z: int); requires 0 < x && 0 < y && 0 < z;\n\
         implementation P(x: int, y: int, z: int) {{ assert 0 < x + y; assert 0 < y + z; {checks} }}"
    )
}

#[test]
fn an_attempt_that_fails_costs_little_beside_the_whole_query() {
    let limited = Options { resource_limit: Some(400_000), ..options() };
    let scratch = Session::with(Options { mode: Mode::Off, ..limited.clone() })
        .verify("p.bpl", &program(HARD))
        .reports
        .remove(0);
    assert_eq!(scratch.verdict, Verdict::Decided(Outcome::OutOfResource));
    let mut session = Session::with(limited);
    assert_eq!(session.verify("p.bpl", &program("")).reports[0].verdict, Verdict::Decided(Outcome::Valid));
    let cached = session.verify("p.bpl", &program(HARD)).reports.remove(0);
    assert_eq!(cached.verdict, scratch.verdict);
    // It was attempted: otherwise there would be nothing to bound.
    assert!(cached.resource > scratch.resource, "{} {}", cached.resource, scratch.resource);
    assert!(cached.resource * 20 < scratch.resource * 21, "{} {}", cached.resource, scratch.resource);
}

#[test]
fn an_attempt_that_succeeds_costs_less_than_the_whole_query() {
    // Nothing but the last check is asked: not the ones that the solver had to work for.
    let work =
        "assert (x + y) * (x + y) == x * x + 2 * x * y + y * y; assert x < y && y < z ==> x * y < z * z;";
    let later = format!("{work} assert 0 < z;");
    let scratch = Session::from_scratch().verify("p.bpl", &program(&later)).reports.remove(0);
    let mut session = Session::in_memory();
    session.verify("p.bpl", &program(work));
    let cached = session.verify("p.bpl", &program(&later)).reports.remove(0);
    assert_eq!((&cached.verdict, &scratch.verdict), (&scratch.verdict, &Verdict::Decided(Outcome::Valid)));
    assert!(cached.resource < scratch.resource, "{} {}", cached.resource, scratch.resource);
}
