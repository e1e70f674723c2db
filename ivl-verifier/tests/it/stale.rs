//! Edits after which Boogie's own cache says "verified" for a program that is not, and some of their
//! kind. After every edit the session with a cache must say what a session from scratch says.

use ivl_verifier::service::Options;

use crate::support::{Session, options};

/// Verifies versions one after the other and compares each with a run from scratch. Gives the number of
/// errors of each version.
fn check(versions: &[&str]) -> Vec<usize> {
    let mut session = Session::in_memory();
    versions
        .iter()
        .map(|text| {
            let cached = session.verify("edit.bpl", text);
            let scratch = Session::from_scratch().verify("edit.bpl", text);
            let verdicts = |seen: &crate::support::Seen| {
                seen.reports
                    .iter()
                    .map(|report| (report.name.clone(), report.verdict.clone(), report.errors.clone()))
                    .collect::<Vec<_>>()
            };
            assert_eq!(verdicts(&cached), verdicts(&scratch), "{text}");
            assert!(!cached.reports.is_empty(), "{}", cached.text);
            cached.errors()
        })
        .collect()
}

#[test]
fn a_an_axiom_on_a_constant_changes() {
    let program = |value: u32| {
        format!("const c: int; axiom c == {value}; procedure P(); implementation P() {{ assert c == 5; }}")
    };
    assert_eq!(check(&[&program(5), &program(6), &program(5)]), [0, 1, 0]);
}

#[test]
fn e_the_where_clause_of_a_global_is_weakened() {
    let program = |bound: i32| {
        format!(
            "var g: int where {bound} <= g;
             procedure P(); modifies g;
             implementation P() {{ havoc g; assert 0 <= g; }}"
        )
    };
    assert_eq!(check(&[&program(0), &program(-1)]), [0, 1]);
}

#[test]
fn e_the_where_clause_of_another_global_is_weakened() {
    let program = |bound: i32| {
        format!(
            "var a: int; var b: int where a < b && b <= {bound};
             procedure P(); implementation P() {{ assert a < 5; }}"
        )
    };
    assert_eq!(check(&[&program(5), &program(6), &program(5)]), [0, 1, 0]);
}

#[test]
fn f_an_axiom_without_triggers_that_defines_a_function_changes() {
    let program = |value: u32| {
        format!(
            "function {{:checksum \"stable\"}} f(x: int): int;
             axiom (forall x: int :: f(x) == x + {value});
             procedure P(); implementation {{:checksum \"1\"}} P() {{ assert f(1) == 3; }}"
        )
    };
    assert_eq!(check(&[&program(2), &program(3)]), [0, 1]);
}

#[test]
fn b_a_callee_is_weakened_while_its_caller_is_away() {
    let callee = |bound: u32| format!("procedure N() returns (r: int); ensures {bound} <= r;\n");
    let caller = "procedure M(); implementation M() { var x: int; call x := N(); assert 1 <= x; }";
    let (first, away) =
        (format!("{}{caller}", callee(1)), format!("{}procedure K(); implementation K() {{ }}", callee(0)));
    let back = format!("{}{caller}", callee(0));
    assert_eq!(check(&[&first, &away, &back]), [0, 0, 1]);
}

#[test]
fn d_the_type_of_a_local_changes_and_the_text_of_its_uses_does_not() {
    let program = |ty: &str| {
        format!(
            "procedure P();
             implementation P() {{ var x: {ty}; var y: {ty}; assume x < y; assert x + x + x < y + y + y; assert !(exists z: {ty} :: x < z && z < y) || x + x != y + y - (y - x) - (y - x) || true; assert (forall z: {ty} :: z == x || z <= x || z >= y || false) || x == y; }}"
        )
    };
    // Between neighbouring whole numbers there is nothing; between real ones there is.
    let integers = program("int").replace("assume x < y", "assume y == x + 1");
    let reals = integers.replace(": int", ": real").replace("x + 1", "x + 1.0");
    assert_eq!(check(&[&integers, &reals]), [0, 1]);
}

#[test]
fn h_the_postconditions_of_two_callees_are_swapped() {
    let program = |a: u32, b: u32| {
        format!(
            "procedure A() returns (r: int); ensures {{:checksum \"x\"}} r == {a};
             procedure B() returns (r: int); ensures r == {b};
             procedure Main(); implementation Main() {{ var a: int; var b: int; call a := A(); call b := B(); assert a == 1; }}"
        )
    };
    assert_eq!(check(&[&program(1, 2), &program(2, 1)]), [0, 1]);
}

#[test]
fn u_a_callee_is_strengthened_and_a_false_assertion_is_added_after_the_call() {
    let first = "procedure N() returns (r: int); ensures 0 <= r;
        procedure M(); implementation M() { var x: int; call x := N(); assert 0 <= x; }";
    let second = "procedure N() returns (r: int); ensures 1 <= r;
        procedure M(); implementation M() { var x: int; call x := N(); assert 0 <= x; assert x == 7; }";
    assert_eq!(check(&[first, second]), [0, 1]);
}

#[test]
fn what_a_call_is_verified_under_changes() {
    let program = |holds: bool| {
        format!(
            "function {{:inline}} F(i: int): bool {{ {holds} }}
             procedure Q(); requires false;
             procedure P(); implementation P() {{ call {{:verified_under F(0)}} Q(); }}"
        )
    };
    assert_eq!(check(&[&program(true), &program(false)]), [0, 1]);
}

#[test]
fn a_comment_above_moves_an_error_and_the_cached_one_moves_along() {
    let program = "procedure P();\nimplementation P()\n{\n  assert false;\n}\n";
    let moved = format!("// one line\n// and another\n{program}");
    let mut session = Session::in_memory();
    assert!(session.verify("p.bpl", program).text.starts_with("p.bpl(4,3): Error: this assertion"));
    let seen = session.verify("p.bpl", &moved);
    assert_eq!(seen.asked(), Vec::<&str>::new());
    assert!(seen.text.starts_with("p.bpl(6,3): Error: this assertion"), "{}", seen.text);
}

#[test]
fn a_type_synonym_changes_what_a_variable_is() {
    let program = |ty: &str| {
        format!(
            "type T = {ty};
             procedure P(x: T, y: T); requires x < y; implementation P(x: T, y: T) {{ assert (forall z: T :: z <= x || y <= z || x + x < z + z); }}
             procedure Q(x: T); implementation Q(x: T) {{ assert (exists z: T :: z == x); }}"
        )
    };
    check(&[&program("int"), &program("real")]);
}

#[test]
fn a_unique_constant_stops_being_unique() {
    let program = |unique: &str| {
        format!(
            "type T; const unique a: T; const {unique} b: T; procedure P(); implementation P() {{ assert a != b; }}"
        )
    };
    assert_eq!(check(&[&program("unique"), &program("")]), [0, 1]);
}

#[test]
fn an_assumption_variable_starts_true_and_is_only_strengthened() {
    let program = "procedure P(n: int);
        implementation P(n: int) {
          var {:assumption} a: bool; var before: bool;
          assert a;
          a := a && 0 <= n;
          before := a;
          havoc a;
          assert a ==> before;
          assert a;
        }";
    assert_eq!(check(&[program]), [1]);
}

#[test]
fn a_variable_is_not_mistaken_for_the_copy_of_an_inlined_one() {
    // What Boogie calls the copy of Q's x is the name of a variable of P as well.
    let own = |callee: &str, caller: &str| {
        format!(
            "procedure {{:inline 1}} Q() {{ var x: int; x := 1; {callee} }}
             procedure P() {{ var inline$Q$0$x: int; inline$Q$0$x := 2; call Q(); {caller} }}"
        )
    };
    assert_eq!(check(&[&own("", "assert inline$Q$0$x == 2;"), &own("assert x == 2;", "")]), [0, 1]);
    // What it calls the copies of two callees' variables is one name.
    let moved = |one: &str, two: &str| {
        format!(
            "procedure {{:inline 1}} Q() {{ var x$0$y: int; x$0$y := 1; {one} }}
             procedure {{:inline 1}} Q$0$x() {{ var y: int; y := 2; call Q(); {two} }}
             procedure P() {{ call Q$0$x(); }}"
        )
    };
    assert_eq!(check(&[&moved("", "assert y == 2;"), &moved("assert x$0$y == 2;", "")]), [0, 1]);
}

#[test]
fn a_type_that_is_passed_is_not_mistaken_for_one_that_the_callee_binds() {
    let program = |of: &str| {
        format!(
            "function g<t>(y: t): bool;
             procedure {{:inline 1}} Q<a>(x: a) {{ assert (forall<b> y: {of}, z: b :: g(y)); }}
             procedure P<b>(x: b) {{ assume (forall y: b :: g(y)); call Q(x); }}"
        )
    };
    assert_eq!(check(&[&program("a"), &program("b")]), [0, 1]);
}

#[test]
fn an_axiom_or_a_body_that_a_proof_used_is_removed() {
    let program = |axiom: &str, body: &str| {
        format!(
            "const c: int; {axiom}
             function f(x: int): int {body}
             procedure P(); implementation P() {{ assert c == 5; }}
             procedure Q(); implementation Q() {{ assert f(1) == 3; }}"
        )
    };
    let (axiom, body) = ("axiom c == 5;", "{ x + 2 }");
    assert_eq!(check(&[&program(axiom, body), &program("", body), &program("", ";")]), [0, 1, 2]);
}

#[test]
fn an_error_that_the_limit_hid_is_not_forgotten() {
    let program =
        "procedure P(x: int); implementation P(x: int) { assert 0 < x; assert 1 < x; assert 2 < x; }";
    let folder = tempfile::tempdir().expect("a folder");
    let errors = |error_limit| {
        Session::on_disk(folder.path(), Options { error_limit, ..options() })
            .verify("p.bpl", program)
            .errors()
    };
    assert_eq!([errors(1), errors(2), errors(0), errors(1)], [1, 2, 3, 1]);
}

/// A branch is told by what it assumes, not by what it stands behind, and a way by all of its blocks.
#[test]
fn the_way_to_a_check_that_failed_is_the_one_on_which_it_fails() {
    let branch = |last: &str| {
        format!("procedure P(a: int, b: int) {{ if (a > 0) {{ }} else {{ }} assert a > 0; assert {last}; }}")
    };
    assert_eq!(check(&[&branch("b * b >= 0"), &branch("true")]), [1, 1]);
    let past = |last: &str| {
        format!(
            "procedure P(a: int, b: int) {{
               var x: int;
               start: x := 1; goto end, around;
               around: assume a > 3; x := 0; goto end, further;
               further: x := x + 1; goto end;
               end: assert x == 1; assert {last};
             }}"
        )
    };
    assert_eq!(check(&[&past("b * b >= 0"), &past("true")]), [1, 1]);
    // Blocks in which nothing happens come and go.
    let empty = |middle: &str| {
        format!(
            "procedure P(a: int) {{
               start: goto left, right;
               left: assume a > 0; goto {middle};
               right: assume a <= 0; goto {middle};
               middle: goto end;
               end: assert a > 0; assert a * a >= 0;
             }}"
        )
    };
    check(&[&empty("end"), &empty("middle"), &empty("end")]);
}
