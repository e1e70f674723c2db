//! A solver that is missing, starved or stopped costs the answers it owes and nothing else.

use std::sync::Arc;

use cache_core::worker::WorkerConfig;
use ivl_verifier::base::system::OperatingSystem;
use ivl_verifier::report::Verdict;
use ivl_verifier::service::{Options, Verifier};
use ivl_verifier::smt::answer::Outcome;

use crate::support::{Session, options};

const PROGRAM: &str = "procedure P(x: int); requires 0 < x; implementation P(x: int) { assert 0 <= x; }";

#[test]
fn without_a_solver_cached_results_are_shown_and_the_others_name_the_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(Session::on_disk(folder.path(), options()).verify("p.bpl", PROGRAM).errors(), 0);
    let absent = Options { solver: WorkerConfig::new(folder.path().join("no-such-solver")), ..options() };
    let mut session = Session::on_disk(folder.path(), absent);
    let seen = session.verify("p.bpl", PROGRAM);
    assert_eq!(seen.reports[0].verdict, Verdict::Decided(Outcome::Valid));
    let seen = session.verify("p.bpl", &PROGRAM.replace("0 < x", "1 < x"));
    let Verdict::Failed(message) = &seen.reports[0].verdict else { panic!("{seen:?}") };
    assert!(message.contains("no-such-solver") && message.contains("cargo xtask setup"), "{message}");
}

#[test]
fn a_starved_solver_costs_its_answers_and_is_not_believed_later() {
    let folder = tempfile::tempdir().expect("a folder");
    // Too little for the solver's own code: it cannot even begin.
    let starved =
        Options { solver: WorkerConfig { memory_bytes: Some(1 << 20), ..options().solver }, ..options() };
    let seen = Session::on_disk(folder.path(), starved).verify("p.bpl", PROGRAM);
    assert!(
        !matches!(seen.reports[0].verdict, Verdict::Decided(Outcome::Valid | Outcome::Refuted)),
        "{:?}",
        seen.reports[0].verdict
    );
    let seen = Session::on_disk(folder.path(), options()).verify("p.bpl", PROGRAM);
    assert_eq!(seen.asked(), ["P"], "{}", seen.explanations);
    assert_eq!(seen.reports[0].verdict, Verdict::Decided(Outcome::Valid));
}

#[test]
fn a_result_that_ran_out_of_resources_is_asked_again_with_more() {
    let hard = "procedure P(x: int, y: int, z: int); requires 0 < x && 0 < y && 0 < z;
        implementation P(x: int, y: int, z: int) { assert x * x * x + y * y * y != z * z * z; }";
    let folder = tempfile::tempdir().expect("a folder");
    let with = |limit| Options { resource_limit: Some(limit), ..options() };
    let verdict = |limit| {
        let seen = Session::on_disk(folder.path(), with(limit)).verify("p.bpl", hard);
        (seen.reports[0].verdict.clone(), seen.asked().len())
    };
    assert_eq!(verdict(10_000), (Verdict::Decided(Outcome::OutOfResource), 1));
    assert_eq!(verdict(10_000), (Verdict::Decided(Outcome::OutOfResource), 0));
    assert_eq!(verdict(5_000), (Verdict::Decided(Outcome::OutOfResource), 0));
    assert_eq!(verdict(20_000).1, 1);
}

#[test]
fn verdicts_and_resource_counts_do_not_depend_on_the_number_of_solvers() {
    let program: String = (0..6)
        .map(|n| format!("procedure P{n}(x: int); implementation P{n}(x: int) {{ assert x * x >= 0; assert x != {n}; }}\n"))
        .collect();
    let run = |cores: usize| {
        let options = Options {
            cores: cores.try_into().expect("not zero"),
            mode: cache_core::mode::Mode::Off,
            ..options()
        };
        let mut session =
            Session { verifier: Verifier::new(options, None, Arc::new(OperatingSystem::new())) };
        let seen = session.verify("p.bpl", &program);
        seen.reports
            .iter()
            .map(|report| {
                (report.name.clone(), report.verdict.clone(), report.errors.clone(), report.resource)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(3));
}
