//! A solver that is missing, starved or stopped costs the answers it owes and nothing else.

use std::sync::Arc;

use cache_core::worker::{Cancel, WorkerConfig};
use ivl_verifier::base::source::Sources;
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
    let starved = Options { solver: options().solver.memory_bytes(1 << 20), ..options() };
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

/// The system kills a solver that took a second of processor time, in the middle of a query that takes longer.
#[test]
fn a_solver_that_is_killed_costs_one_answer_and_is_not_believed_later() {
    let program = "procedure First(x: int); implementation First(x: int) { assert x <= x + 1; }
        procedure Hard(x: int, y: int, z: int); requires 0 < x && 0 < y && 0 < z;
        implementation Hard(x: int, y: int, z: int) { assert x != 0; assert x * x * x + y * y * y != z * z * z; }
        procedure Last(x: int); implementation Last(x: int) { assert 3 < x; }";
    let solver = options().solver.program;
    let arguments = ["-c".into(), "ulimit -t 1; exec \"$0\"".into(), solver];
    let mortal = WorkerConfig::new("/bin/sh").arguments(arguments);
    for cores in [1, 2] {
        let folder = tempfile::tempdir().expect("a folder");
        let solver = mortal.clone();
        let cores = std::num::NonZeroUsize::new(cores).expect("not zero");
        let options = Options { solver, cores, resource_limit: None, ..options() };
        let seen = Session::on_disk(folder.path(), options).verify("p.bpl", program);
        let verdict = |name: &str| {
            let report = seen.reports.iter().find(|report| report.name == name);
            report.map(|report| report.verdict.clone())
        };
        assert_eq!(verdict("First"), Some(Verdict::Decided(Outcome::Valid)));
        assert_eq!(verdict("Last"), Some(Verdict::Decided(Outcome::Refuted)));
        assert!(matches!(verdict("Hard"), Some(Verdict::Failed(_))), "{:?}", verdict("Hard"));
        // Nothing of what it was asked counts as decided, also of a version that shares a check with it.
        let small = Options { resource_limit: Some(10_000), ..self::options() };
        let seen = Session::on_disk(folder.path(), small.clone()).verify("p.bpl", program);
        assert_eq!(seen.asked(), ["Hard"], "{}", seen.explanations);
        let seen = Session::on_disk(folder.path(), small).verify("p.bpl", &program.replace("!= z", "> z"));
        assert!(!seen.explanations.contains("known to hold"), "{}", seen.explanations);
    }
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
fn the_first_result_is_told_before_the_next_query_is_made() {
    let program: String = (0..4)
        .map(|n| format!("procedure P{n}(x: int); implementation P{n}(x: int) {{ assert x != {n}; }}\n"))
        .collect();
    let asked = |at_once: bool| {
        let options = Options { in_order: true, at_once, mode: cache_core::mode::Mode::Off, ..options() };
        let mut verifier = Verifier::new(options, None, Arc::new(OperatingSystem::new()));
        let mut sources = Sources::default();
        let file = sources.add("p.bpl", &program);
        let cancel = Cancel::new();
        let mut told = 0;
        verifier.verify(&sources, &[file], &cancel, |_| {
            told += 1;
            cancel.cancel();
        });
        assert_eq!(told, 4);
        verifier.counters().queries
    };
    assert_eq!((asked(true), asked(false)), (1, 4));
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
