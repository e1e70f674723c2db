//! Checks and assumptions that come new take states away from what follows: what held before holds behind them. What
//! goes, and what failed, is another matter. After every edit the session with a cache must find the errors that a
//! session from scratch finds.

use ivl_verifier::report::CheckAction::{self, Proved, Recycled, Skipped};
use ivl_verifier::service::Options;

use crate::single::last;
use crate::support;

fn options() -> Options {
    Options { thrifty: false, ..support::options() }
}

/// What becomes of the checks of `P` with a second body after a first one, by their lines, and how many fail.
fn after(first: &str, second: &str) -> (Vec<(u32, CheckAction)>, usize) {
    let program = |body: &str| {
        format!("procedure P(x: int, a: [int]int); implementation P(x: int, a: [int]int) {{\n{body}\n}}")
    };
    let (actions, errors, _) = last(&options(), &[&program(first), &program(second)]);
    (actions, errors)
}

#[test]
fn what_held_holds_behind_a_new_assertion() {
    let first = "var y: int;\ny := x;\nassert y <= x + 1;\nassert x <= y + 2;";
    let second = "var y: int;\ny := x; assert y == x;\nassert y <= x + 1;\nassert 0 <= x; assert x <= y + 2;";
    let (actions, errors) = after(first, second);
    assert_eq!(actions, [(3, Proved), (4, Skipped), (5, Proved), (5, Skipped)]);
    assert_eq!(errors, 1);
}

#[test]
fn what_held_holds_behind_a_new_invariant_and_a_new_precondition() {
    let program = |requires: &str, invariant: &str| {
        format!(
            "procedure P(n: int); requires n < 100; {requires} implementation P(n: int) {{ var i: int;
               i := 0;
               while (i < n)
                 invariant i <= 100;
                 {invariant}
               {{
                 i := i + 1;
               }}
               assert i <= 200;
             }}"
        )
    };
    let versions = [program("", ""), program("requires 0 <= n;", "invariant 0 <= i;")];
    let (actions, errors, _) = last(&options(), &[&versions[0], &versions[1]]);
    // On entry and kept, of both.
    assert_eq!(actions, [(4, Skipped), (4, Skipped), (5, Proved), (5, Proved), (9, Skipped)]);
    assert_eq!(errors, 0);
}

#[test]
fn branches_in_which_only_checks_are_new_leave_alone_what_follows() {
    let first = "assert x <= x + 1;\n\nassert x <= x + 2;";
    let second = "assert x <= x + 1;\nif (0 < x) { assert 1 <= x; }\nassert x <= x + 2;";
    let (actions, errors) = after(first, second);
    assert_eq!(actions, [(2, Skipped), (3, Proved), (4, Skipped)]);
    assert_eq!(errors, 0);
}

#[test]
fn what_relied_on_an_assertion_or_assumption_is_asked_without_it() {
    for gone in ["assert 0 <= x;", "assume 0 <= x;", "if (x < 0) { assume false; }", "if (x < 0) { return; }"]
    {
        let first = format!("{gone}\nassert x == x;\nassert 0 <= x + 1;");
        let (_, errors) = after(&first, "\nassert x == x;\nassert 0 <= x + 1;");
        assert_eq!(errors, 1, "{gone}");
        // Nor does a new one with other words in its place.
        let (_, errors) = after(&first, "assert -5 <= x;\nassert x == x;\nassert 0 <= x + 1;");
        assert_eq!(errors, 2, "{gone}");
    }
}

#[test]
fn one_of_two_equal_assertions_relies_on_the_other() {
    // The second holds because of the first, which fails.
    let (_, errors) = after("assert 0 <= x;\nassert 0 <= x;", "assert 0 <= x;");
    assert_eq!(errors, 1);
    let (_, errors) = after("assert 0 <= x;", "assert 0 <= x;\nassert 0 <= x;\nassert 1 <= x + 1;");
    assert_eq!(errors, 1);
}

#[test]
fn what_failed_may_not_fail_behind_an_addition() {
    let first = "\nassert 0 <= x;\nassert a[x] == 0;";
    assert_eq!(after(first, first).1, 2);
    let (actions, errors) = after(first, "assume 1 <= x;\nassert 0 <= x;\nassert a[x] == 0;");
    assert!(!actions.iter().any(|(_, action)| *action == Recycled), "{actions:?}");
    assert_eq!(errors, 1);
    let (_, errors) = after(first, "assume false;\nassert 0 <= x;\nassert a[x] == 0;");
    assert_eq!(errors, 0);
}

#[test]
fn the_same_condition_in_another_branch_protects_nothing() {
    let program = |left: &str, right: &str| format!("if (*) {{ {left} }} else {{ {right} }}\n");
    let first = program("assert 0 <= x; assert 0 <= x + 1;", "");
    let (_, errors) = after(&first, &program("assert 0 <= x + 1;", "assert 0 <= x;"));
    assert_eq!(errors, 2);
}

#[test]
fn eager_caching_keeps_to_the_rules_of_the_paper() {
    let program = |new: &str| format!("procedure P(x: int) {{ assert x == x;\n{new}\nassert x <= x; }}");
    let strict = Options { past_additions: false, ..options() };
    let (actions, _, _) = last(&strict, &[&program(""), &program("assert x <= x + 1;")]);
    assert_eq!(actions, [(1, Skipped), (2, Proved), (3, Proved)]);
}

#[test]
fn in_which_order_facts_of_one_state_are_found_out_does_not_matter_behind_it() {
    // As printers write it: the condition of a new assertion is checked for what the next statement is checked for too.
    let program = |new: &str| {
        format!("assume true;\n{new}\nassume 0 <= x;\nassert 0 <= x + 1;\na[x] := 1;\nassert 0 <= x + 2;\n")
    };
    let first = format!("var b: [int]int; b := a;\n{}", program("").replace("a[x]", "b[x]"));
    let second = first.replace("\n\n", "\nassume true; assert 0 <= x * x; assume 0 <= x;\n");
    let (actions, errors) = after(&first, &second);
    assert_eq!(actions.last(), Some(&(8, Skipped)), "{actions:?}");
    assert_eq!(errors, 0);
}
