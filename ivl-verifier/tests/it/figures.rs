//! The programs of the paper, with their edits: what is verified, what is reused, and why.

use ivl_verifier::service::Options;

use crate::support::{Session, fixture, history, options};

/// Every check that is known is left out, also where the solver is likely to give up on the rest.
fn eager() -> Options {
    Options { thrifty: false, past_additions: false, ..options() }
}

/// Verifies the history of a fixture in one session and compares everything that is said with `EXPECTED.expect`
/// beside it. Then a new process's session over the same folder must say the same about every version
/// without starting a solver.
fn check(name: &str, options: &Options, expected: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let versions = history(name);
    assert!(!versions.is_empty(), "no history of {name}");
    let mut said = String::new();
    let mut errors = Vec::new();
    {
        let mut session = Session::on_disk(folder.path(), options.clone());
        for (file, text) in &versions {
            let seen = session.verify(file, text);
            said.push_str(&format!("== {file}\n{}{}", seen.text, seen.explanations));
            errors.push(seen.reports.iter().flat_map(|report| report.errors.clone()).collect::<Vec<_>>());
        }
        session.verifier.finish();
        assert_eq!(session.verifier.take_warnings(), Vec::<String>::new());
    }
    let text = std::fs::read_to_string(fixture(&format!("{expected}.expect"))).unwrap_or_default();
    assert_eq!(said, text, "{expected}.expect says something else");

    let mut session = Session::on_disk(folder.path(), options.clone());
    for ((file, text), before) in versions.iter().zip(errors) {
        let seen = session.verify(file, text);
        assert_eq!(seen.asked(), Vec::<&str>::new(), "{file} after a restart");
        let after: Vec<_> = seen.reports.iter().flat_map(|report| report.errors.clone()).collect();
        assert_eq!(after, before, "{file} after a restart");
    }
    assert_eq!(session.verifier.solver_starts(), 0, "no solver is started after a restart");
}

#[test]
fn figure_2_an_edit_of_a_body_leaves_its_callers_cached() {
    check("abs", &eager(), "abs");
    // The solver decides every check, and no part of a query takes as much as the whole: all is the same.
    check("abs", &options(), "abs");
}

#[test]
fn figure_4_the_greatest_common_divisor_is_repaired_in_two_edits() {
    check("gcd", &eager(), "gcd");
    check("gcd", &options(), "gcd");
}

/// By default, what is left of a query is asked only where that is likely to be cheaper. The solver gives up on
/// checks of the first three versions, so of the next three a part would be tried only if next to nothing were left:
/// of the second one ten checks are known and three are not, of the third and the fourth half. Of the fifth nearly
/// everything is known, and the solver gave up on nothing before.
#[test]
fn figure_1_the_dutch_flag_is_repaired_in_four_edits() {
    check("dutch_flag", &eager(), "dutch_flag");
    check("dutch_flag", &options(), "dutch_flag.default");
}
