//! Single checks of earlier versions: what may be left out, and the edits after which it may not. After
//! every edit the session with a cache must find the errors that a session from scratch finds.

use ivl_verifier::report::CheckAction::{self, PartlyVerified, Proved, Recycled, Skipped};
use ivl_verifier::service::Options;

use crate::support::{self, Session};

/// The rules of the paper; what more is known behind additions is in `additions`.
/// What is known is left out also where asking the rest by itself is not likely to pay: otherwise these programs, small
/// as they are, would be asked as a whole and show nothing.
fn options() -> Options {
    Options { thrifty: false, past_additions: false, ..support::options() }
}

/// What became of the checks of an implementation, by the lines on which they stand.
pub(crate) type Actions = Vec<(u32, CheckAction)>;

/// Verifies versions one after the other, each compared with a run from scratch. Gives what became of the
/// checks of `P` in the last version, the number of its errors, and how many queries it took.
pub(crate) fn last(options: &Options, versions: &[&str]) -> (Actions, usize, u64) {
    let mut session = Session::with(options.clone());
    let mut result = (Vec::new(), 0, 0);
    for text in versions {
        let before = session.verifier.counters().queries;
        let cached = session.verify("edit.bpl", text);
        let off = Options { mode: cache_core::mode::Mode::Off, ..options.clone() };
        let scratch = Session::with(off).verify("edit.bpl", text);
        let errors = |seen: &support::Seen| {
            let all = seen.reports.iter().flat_map(|report| report.errors.clone());
            all.map(|error| error.diagnostic).collect::<Vec<_>>()
        };
        assert_eq!(errors(&cached), errors(&scratch), "{text}\n{}", cached.explanations);
        assert!(!cached.reports.is_empty(), "{}", cached.text);
        let report = cached.reports.iter().find(|report| report.name == "P").expect("P is verified");
        let line = |start: u32| {
            let lines = text[..start as usize].bytes().filter(|byte| *byte == b'\n').count();
            u32::try_from(lines + 1).unwrap_or(u32::MAX)
        };
        let actions = report.checks.iter().map(|note| (line(note.span.start), note.action)).collect();
        result = (actions, report.errors.len(), session.verifier.counters().queries - before);
    }
    result
}

#[test]
fn a_stronger_postcondition_leaves_its_callers_alone() {
    let program = |more: &str| {
        format!(
            "procedure Q() returns (r: int); requires true; ensures 0 <= r; {more}
             procedure P(); implementation P() {{ var x: int;
               call x := Q();
               assert 0 <= x;
             }}"
        )
    };
    let (actions, errors, queries) = last(&options(), &[&program(""), &program("ensures r < 10;")]);
    assert_eq!(actions, [(3, Skipped), (4, Skipped)]);
    assert_eq!((errors, queries), (0, 0));
}

#[test]
fn a_weaker_postcondition_is_noticed_where_it_matters() {
    let program = |least: u32| {
        format!(
            "procedure Q() returns (r: int); ensures {least} <= r;
             procedure P(x: int); implementation P(x: int) {{ var y: int;
               assert x == x;
               call y := Q();
               assert 5 <= y;
               if (7 <= y) {{
                 assert 6 <= y;
               }}
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program(5), &program(0)]);
    assert_eq!(actions, [(3, Skipped), (5, PartlyVerified), (7, PartlyVerified)]);
    assert_eq!(errors, 1);
}

#[test]
fn an_error_before_which_nothing_changed_is_reported_again() {
    let program = |after: &str| {
        format!(
            "procedure P(x: int); implementation P(x: int) {{
               assert 0 <= x;
               assert x * x >= 0 || x == 17;
               {after}
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program(""), &program("assert x != 3;")]);
    assert_eq!(actions, [(2, Recycled), (3, Skipped), (4, Proved)]);
    assert_eq!(errors, 2);
}

#[test]
fn an_error_on_which_the_solver_gave_up_is_asked_again() {
    // An axiom with a quantifier: there is no model in which `f(x) > x + 5` fails, only a candidate for one.
    let program = |after: &str| {
        format!(
            "function f(x: int): int; axiom (forall x: int :: {{f(x)}} f(x) > x);
             procedure P(x: int); implementation P(x: int) {{
               assert f(x) > x + 5;
               assert f(x) > x;
               {after}
             }}"
        )
    };
    let versions = [&*program(""), &*program("assert x != 3;")];
    assert_eq!(last(&options(), &versions), (vec![(3, Proved), (4, Skipped), (5, Proved)], 2, 2));
    // The part that is left is not worth a try.
    assert_eq!(last(&support::options(), &versions), (Vec::new(), 2, 1));
}

/// Checks that hold, one that the solver gives up on or none, and checks that it proves or that fail.
fn under_a_quantifier(hold: u32, gives_up: bool, new: &[&str]) -> String {
    let held: String = (0..hold).map(|at| format!("assert f(x) > x - {at};\n")).collect();
    let hard = if gives_up { "assert f(x) > x + 5;" } else { "" };
    format!(
        "function f(x: int): int; axiom (forall x: int :: {{f(x)}} f(x) > x);
         procedure P(x: int); implementation P(x: int) {{ {held} {hard} {} }}",
        new.concat()
    )
}

#[test]
fn next_to_nothing_is_left_where_the_solver_gave_up_and_a_part_is_asked() {
    let actions = |hold: u32| {
        let versions =
            [under_a_quantifier(hold, true, &[]), under_a_quantifier(hold, false, &["assert x == x + 0;"])];
        last(&support::options(), &[&versions[0], &versions[1]]).0
    };
    assert_eq!(actions(11), []);
    assert_eq!(actions(12).len(), 13);
}

#[test]
fn a_part_with_most_of_few_checks_is_not_worth_a_try() {
    let actions = |hold: u32, new: &[&str]| {
        let versions = [under_a_quantifier(hold, false, &[]), under_a_quantifier(hold, false, new)];
        last(&support::options(), &[&versions[0], &versions[1]]).0.len()
    };
    let new = ["assert x == x + 0;", "assert x <= x + 1;", "assert x <= x + 2;"];
    assert_eq!(actions(4, &new), 0);
    assert_eq!(actions(4, &new[..2]), 6);
    assert_eq!(actions(6, &new), 9);
}

/// The axioms contradict each other, so everything can be proved; whether the solver finds out depends on where it
/// looks first, which a number in the last check decides.
#[test]
fn an_error_goes_where_the_solver_has_more_luck_with_the_rest() {
    let program = |number: u32| {
        format!(
            "const c: int; const d: int; var g: int; var h: int;
             axiom (forall x: int :: {{f(x)}} x >= 0 ==> f(x) == x);
             axiom (forall x: int :: {{f(x)}} x >= 1 ==> f(x) == x + 1);
             function f(x: int): int;
             procedure P(a: int, b: int);
               free requires b >= 2;
             implementation P(a: int, b: int) {{
               var k: int where k >= 0;
               var l: int;
               if (1 <= b + 1) {{
                 assert k >= g + l;
                 if (g <= 5) {{ l := f(b); }}
               }}
               if (l - 4 >= l - 3) {{
                 if (h + a <= f(k)) {{ assert b >= 2; }}
               }} else {{
                 if (c != d) {{ }}
                 assert b >= {number};
               }}
             }}"
        )
    };
    let versions = [&*program(2), &*program(3)];
    assert_eq!(last(&options(), &versions[..1]).1, 1);
    // What is left of the query is proved.
    let (actions, after, _) = last(&options(), &versions);
    assert_eq!((actions, after), (vec![(11, Proved), (15, Skipped), (18, Proved)], 0));
    // The solver gave up on it before, so it is asked as a whole.
    let (actions, after, _) = last(&support::options(), &versions);
    assert_eq!((actions, after), (Vec::new(), 0));
}

#[test]
fn a_failing_check_behind_a_stronger_callee_is_asked_again() {
    let program = |more: &str| {
        format!(
            "procedure Q() returns (r: int); {more}
             procedure P(); implementation P() {{ var x: int;
               call x := Q();
               assert 0 <= x;
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program(""), &program("ensures 3 <= r;")]);
    // Nothing is left out, so nothing is said about checks.
    assert_eq!(actions, []);
    assert_eq!(errors, 0);
}

#[test]
fn a_new_assertion_does_not_hide_behind_old_ones() {
    let program = |new: &str| {
        format!(
            "procedure P(x: int); implementation P(x: int) {{
               assert x <= x + 1;
               {new}
               assert x <= x + 2;
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program(""), &program("assert 0 <= x;")]);
    assert_eq!(actions, [(2, Skipped), (3, Proved), (4, Proved)]);
    assert_eq!(errors, 1);
}

#[test]
fn a_precondition_that_failed_before_the_callee_changed_protects_nothing_behind_it() {
    // What follows the call relies on the precondition, although it failed.
    let program = |requires: &str| {
        format!(
            "procedure Q(x: int); {requires}
             procedure P(x: int); implementation P(x: int) {{
               call Q(x);
               assert 0 <= x;
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program("requires 0 <= x;"), &program("")]);
    assert_eq!(actions, [(4, PartlyVerified)]);
    assert_eq!(errors, 1);
}

#[test]
fn a_precondition_behind_one_that_failed_held_only_because_of_it() {
    let program = |requires: &str| {
        format!(
            "var g: int;
             procedure Q(x: int); {requires} requires g <= 5;
             procedure P(); implementation P() {{
               call Q(6);
               assert g <= 7;
             }}"
        )
    };
    let (_, errors, _) = last(&options(), &[&program("requires g < x;"), &program("")]);
    assert_eq!(errors, 1);
}

#[test]
fn a_precondition_is_asked_of_other_arguments() {
    let program = |argument: &str| {
        format!(
            "procedure Q(x: int); requires 1 <= x;
             procedure P(y: int); requires 5 <= y; implementation P(y: int) {{
               call Q({argument});
               assert 5 <= y;
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program("y"), &program("0")]);
    assert_eq!(actions, []);
    assert_eq!(errors, 1);
}

#[test]
fn parameters_that_change_places_are_noticed() {
    let program = |parameters: &str| {
        format!(
            "procedure Q({parameters}); requires x < y;
             procedure P(); implementation P() {{
               call Q(1, 2);
             }}"
        )
    };
    let (_, errors, _) = last(&options(), &[&program("x: int, y: int"), &program("y: int, x: int")]);
    assert_eq!(errors, 1);
}

#[test]
fn a_proof_that_used_an_axiom_is_not_used_without_it() {
    let program = |axiom: &str| {
        format!(
            "function f(int): int; {axiom}
             procedure P(x: int); implementation P(x: int) {{
               assert 0 <= f(x);
               assert f(x) == f(x + 0);
             }}"
        )
    };
    let with = program("axiom (forall x: int :: {f(x)} 0 <= f(x));");
    let (actions, errors, _) = last(&options(), &[&with, &program("")]);
    assert_eq!(actions, []);
    assert_eq!(errors, 1);
}

#[test]
fn the_definition_of_a_function_matters_only_where_it_is_mentioned() {
    let program = |body: &str| {
        format!(
            "function f(x: int): int {{ {body} }}
             procedure P(x: int); implementation P(x: int) {{
               assert x <= x + 1;
               assert 0 <= f(0);
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program("x"), &program("x - 1")]);
    assert_eq!(actions, [(3, Skipped), (4, Proved)]);
    assert_eq!(errors, 1);
}

#[test]
fn a_recursive_definition_may_prove_anything_and_must_stay() {
    let program = |body: &str| {
        format!(
            "function g(x: int): int;
             function f(x: int): int {{ {body} }}
             procedure P(x: int); implementation P(x: int) {{
               assert 0 <= g(x);
               assert f(x) == f(x);
             }}"
        )
    };
    // The first definition is a contradiction, which the solver can only see where it meets `f`.
    let (_, errors, _) = last(&options(), &[&program("f(x) + 1"), &program("x")]);
    assert_eq!(errors, 1);
}

#[test]
fn checks_that_the_limit_of_errors_hid_are_not_taken_for_verified() {
    let one = Options { error_limit: 1, ..options() };
    let program = |first: &str| {
        format!(
            "procedure P(x: int); implementation P(x: int) {{
               assert {first};
               assert x != 5;
               assert x != 6;
             }}"
        )
    };
    let (actions, errors, _) = last(&one, &[&program("x == x"), &(program("x == x") + "\nconst c: int;")]);
    assert_eq!((actions.len(), errors), (0, 1));
    let versions = [program("x != 4"), program("x == x")];
    let (_, errors, _) = last(&one, &[&versions[0], &versions[1]]);
    assert_eq!(errors, 1);
}

#[test]
fn a_callee_that_changes_more_than_before_is_noticed() {
    let program = |modifies: &str| {
        format!(
            "var g: int; var h: int;
             procedure Q(); {modifies}
             procedure P(); modifies g, h; implementation P() {{
               g := 1; h := 2;
               call Q();
               assert g == 1;
               assert h == 2;
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program("modifies g;"), &program("modifies g, h;")]);
    assert_eq!(actions, [(6, Proved), (7, PartlyVerified)]);
    assert_eq!(errors, 2);
}

#[test]
fn what_only_an_earlier_specification_mentions_keeps_its_value_where_ways_meet() {
    let program = |specification: &str| {
        format!(
            "var g: int; var h: int;
             procedure Q(x: int) returns (r: int); {specification}
             procedure P(x: int); modifies g, h; implementation P(x: int) {{ var y: int;
               if (x > 0) {{ g := 1; h := 3; }} else {{ g := 2; h := 3 + x; }}
               call y := Q(x);
               assert y > 0;
             }}"
        )
    };
    // A global variable in what was promised, one in what was demanded, and one that is changed now.
    for (before, after) in [
        ("ensures r > g;", "ensures true;"),
        ("requires h <= 3; ensures r >= 1;", "ensures true;"),
        ("requires true; ensures r >= 1;", "requires true; modifies g; ensures r >= 0;"),
    ] {
        let versions = [&*program(before), &*program(after)];
        let (actions, errors, _) = last(&options(), &versions);
        assert_eq!(actions.last(), Some(&(6, PartlyVerified)), "{before}");
        assert_eq!(errors, 1);
    }
}

#[test]
fn a_callee_in_a_loop_that_is_left_by_break_is_noticed_behind_the_loop() {
    let program = |least: u32| {
        format!(
            "procedure Q() returns (r: int); ensures {least} <= r;
             procedure P(); implementation P() {{ var x: int;
               x := 9;
               while (*)
                 invariant 1 <= x;
               {{
                 call x := Q();
                 if (*) {{ break; }}
                 x := 8;
               }}
               assert 1 <= x;
             }}"
        )
    };
    let (actions, errors, _) = last(&options(), &[&program(1), &program(0)]);
    // The invariant on entry, and maintained behind the call.
    assert_eq!(actions, [(5, Skipped), (5, PartlyVerified), (11, PartlyVerified)]);
    assert_eq!(errors, 1);
}

#[test]
fn an_audit_compares_with_the_whole_query() {
    let audited = Options { audit: cache_core::audit::Audit::Always, ..options() };
    let program = |more: &str| {
        format!("procedure P(x: int); implementation P(x: int) {{ assert x == x; assert x < x + 1; {more} }}")
    };
    let (actions, errors, queries) = last(&audited, &[&program(""), &program("assert x < 9;")]);
    assert_eq!((actions.len(), errors, queries), (3, 1, 2));
}

#[test]
fn a_signature_that_changed_is_not_compared() {
    let program = |ty: &str, value: &str| {
        format!(
            "procedure Q() returns (r: {ty}); ensures r == {value};
             procedure P(); implementation P() {{ var x: {ty};
               call x := Q();
               assert x == {value};
             }}"
        )
    };
    let (_, errors, _) = last(&options(), &[&program("int", "1"), &program("real", "1.0")]);
    assert_eq!(errors, 0);
}

#[test]
fn a_local_that_a_condition_of_another_one_mentions_is_not_free_to_change() {
    let program = |before: &str| {
        format!(
            "procedure P(); implementation P() {{ var x: int; var y: int where y > x; {before} assert y > x; }}"
        )
    };
    for before in ["havoc x;", "while (*) { x := x + 1; }", "havoc y; havoc x;"] {
        let (_, errors, _) = last(&options(), &[&program(""), &program(before), &program("")]);
        assert_eq!(errors, 0);
        let (_, errors, _) = last(&options(), &[&program(""), &program(before)]);
        assert_eq!(errors, 1, "{before}");
    }
    // A variable that nothing mentioned may be given any value.
    let program = |before: &str| {
        format!(
            "procedure P(); implementation P() {{ var x: int; var y: int where y > 0; {before} assert y > 0; }}"
        )
    };
    let (_, errors, queries) = last(&options(), &[&program(""), &program("havoc x;")]);
    assert_eq!((errors, queries), (0, 0));
}

#[test]
fn what_tells_which_axioms_are_hidden_is_no_name_that_a_program_can_have() {
    let program = |value: u32| {
        format!(
            "const visible$f: bool;
             function f(i: int): int uses {{ hideable axiom (forall i: int :: {{f(i)}} f(i) == i); }}
             function g(i: int): int {{ {value} }}
             procedure P(); implementation P() {{ hide f; assert g(0) == 1; }}"
        )
    };
    let (_, errors, _) = last(&options(), &[&program(1), &program(2)]);
    assert_eq!(errors, 1);
}

/// The precondition `x > 0` of a callee is dropped or made weaker, and an assertion behind the call asks for
/// it. Where the call was not checked for it in all states, it is not known.
#[test]
fn what_a_call_was_verified_under_counts_where_its_preconditions_are_recalled() {
    // The caller's precondition, its statements, the last assertion, and how many checks fail in the end.
    let cases = [
        ("u", "call {:verified_under u} C(x);", "x > 0", 1),
        ("u && x > 0", "call {:verified_under u} C(x);", "x > 0", 0),
        // It is known where the call was checked.
        ("x > 0", "call {:verified_under false} C(x);", "x > 0", 0),
        ("u ==> x > 0", "call {:verified_under !u} C(x);", "u ==> x > 0", 0),
        ("u ==> x > 0", "call {:verified_under !u} C(x);", "x > 0", 1),
        // What counts is the caller's state at the call, not the callee's, a later or an earlier one.
        ("true", "b := true; call {:verified_under b} C(x); b := false;", "x > 0", 1),
        ("g", "g := false; call {:verified_under old(g)} C(x);", "x > 0", 1),
        ("true", "b := true; call {:verified_under b} b := D(x); assume !b;", "x > 0", 1),
        ("r > 0", "call {:verified_under x > 0 || r > 0} C(r - 1);", "r > 1", 1),
        // Nothing else needs the value of the variable where the ways meet.
        (
            "true",
            "if (u) { b := true; } else { b := 0 <= x * x; } call {:verified_under b} C(x);",
            "x > 0",
            1,
        ),
        ("u", "while (*) { call {:verified_under u} C(x); } call {:verified_under u} C(x);", "x > 0", 1),
        // Behind another call whose specification changed, so that it holds in some states only.
        ("u", "call C(3); call {:verified_under u} C(x);", "x > 0", 1),
        // Other ways to do without it.
        ("x > 0 - 5", "call {:subsumption 0} C(x);", "x > 0", 1),
        ("u", "call {:subsumption 0} {:verified_under u} C(x);", "x > 0", 1),
        ("true", "free call C(x);", "x > 0", 1),
        ("true", "call F(x);", "x > 0", 1),
        ("u", "assert {:verified_under u} x > 0; call C(x);", "x > 0", 0),
        ("u", "while (*) invariant {:verified_under u} x > 0; { call C(x); }", "x > 0", 0),
    ];
    for (requires, statements, last_assertion, errors) in cases {
        for weaker in ["true", "x > 0 - 5", "x > 0 - 9"] {
            let program = |callee: &str, asserted: &str| {
                format!(
                    "var g: bool;
                     procedure C(x: int); requires {callee};
                     procedure D(x: int) returns (b: bool); requires {callee};
                     procedure F(x: int); free requires {callee};
                     procedure P(x: int, r: int, u: bool); requires {requires}; modifies g;
                     implementation P(x: int, r: int, u: bool) {{ var b: bool;
                       {statements}
                       assert x == x;
                       assert {asserted};
                     }}"
                )
            };
            let versions = [program("x > 0", "true"), program(weaker, last_assertion)];
            let versions = versions.each_ref().map(String::as_str);
            let (_, seen, _) = last(&options(), &versions);
            assert_eq!(seen, errors, "{} with {weaker}", versions[1]);
        }
    }
}

#[test]
fn a_precondition_that_was_checked_where_an_axiom_was_visible_is_recalled_only_there() {
    let program = |requires: &str, after: &str| {
        format!(
            "function f(x: int): int uses {{ hideable axiom (forall x: int :: {{f(x)}} f(x) == x + 1); }}
             procedure C(); requires {requires};
             procedure P(); implementation P() {{
               call C(); hide f; assert f(3) == f(3); {after}
             }}"
        )
    };
    let versions = [program("f(1) == 2", ""), program("f(1) == f(1)", "assert f(1) == 2;")];
    let (_, errors, _) = last(&options(), &versions.each_ref().map(String::as_str));
    assert_eq!(errors, 1);
}

/// A program as front ends print it: a heap, which is a polymorphic map, and a frame over all types of fields.
fn with_heap(parameters: &str, frame: &str, more: &str) -> String {
    format!(
        "type ref; type Field a; var heap: <a>[ref, Field a]a; const unique size: Field int;
         function read<b>(h: <a>[ref, Field a]a, r: ref, f: Field b): b {{ h[r, f] }}
         function plus(x: int): int {{ x + 1 }}
         procedure Q({parameters}); modifies heap; free requires true; ensures read(heap, r, size) == plus(read(heap, s, size));
           free ensures (forall<a> o: ref, f: Field a :: {{ read(heap, o, f) }} {frame} ==> read(heap, o, f) == read(old(heap), o, f)); {more}
         procedure P(r: ref, s: ref, t: ref); modifies heap; implementation P(r: ref, s: ref, t: ref) {{
           assume r != s && r != t;
           call Q(r, s);
           assert read(heap, r, size) > read(heap, s, size);
           assert read(heap, t, size) == read(old(heap), t, size);
         }}"
    )
}

#[test]
fn specifications_over_heaps_are_known_again() {
    let first = with_heap("r: ref, s: ref", "o != r", "");
    let stronger = with_heap("r: ref, s: ref", "o != r", "ensures heap[r, size] > 5;");
    let (actions, errors, queries) = last(&options(), &[&first, &stronger]);
    assert_eq!(actions, [(9, Skipped), (10, Skipped)]);
    assert_eq!((errors, queries), (0, 0));
}

#[test]
fn conditions_over_heaps_that_say_something_else_are_not_taken_for_the_same() {
    let first = with_heap("r: ref, s: ref", "o != r", "");
    // The same words about parameters that changed places, a weaker frame, and another meaning of a function.
    let (_, errors, _) = last(&options(), &[&first, &with_heap("s: ref, r: ref", "o != r", "")]);
    assert_ne!(errors, 0);
    let (_, errors, _) = last(&options(), &[&first, &with_heap("r: ref, s: ref", "o != r && f != f", "")]);
    assert_eq!(errors, 1);
    let (_, errors, _) = last(&options(), &[&first, &first.replace("x + 1", "x - 1")]);
    assert_eq!(errors, 1);
}
