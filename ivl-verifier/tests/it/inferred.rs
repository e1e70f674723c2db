//! Contracts inferred: which constants hold, and what is said of the program under them.

use crate::command::{run, write};

/// What a run says, without execution traces.
fn inferred(text: &str, more: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", text);
    let options = ["boogie", "-contractInfer", "-printAssignment", "-errorTrace:0"];
    let arguments: Vec<&str> = options.iter().chain(more).chain(&["p.bpl"]).copied().collect();
    let (text, _) = run(folder.path(), &arguments);
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn a_candidate_may_stand_behind_other_premises() {
    let text = "const {:existential true} b: bool;\nconst {:existential true} c: bool;\n\
        procedure P(x: int) returns (r: int)\n  ensures x > 0 ==> b ==> r > 0;\n  ensures x > 0 ==> c ==> r > 5;\n{ r := x; }\n\
        procedure Q() { var r: int; call r := P(3); assert r > 0; }\n";
    assert_eq!(
        inferred(text, &[]),
        [
            "Assignment computed by Houdini:",
            "b = True",
            "c = False",
            "Boogie program verifier finished with 2 verified, 0 errors"
        ]
    );
}

#[test]
fn the_first_error_that_no_candidate_explains_ends_the_inference() {
    // Callees come first: `c` is dropped for B, then C fails, and `b` is not looked at any more.
    let text = "const {:existential true} b: bool;\nconst {:existential true} c: bool;\n\
        procedure A(x: int) returns (r: int)\n  ensures b ==> r > 0;\n{ r := x; assert x > 3; }\n\
        procedure B() returns (r: int) ensures c ==> r > 7; { r := 7; }\n\
        procedure C() { var r: int; call r := B(); assert r > 7; }\n";
    assert_eq!(
        inferred(text, &[]),
        [
            "Assignment computed by Houdini:",
            "b = True",
            "c = False",
            "p.bpl(7,44): Error: this assertion could not be proved",
            "p.bpl(5,11): Error: this assertion could not be proved",
            "Boogie program verifier finished with 1 verified, 2 errors"
        ]
    );
}

#[test]
fn what_fails_for_candidates_alone_after_the_end_is_not_counted() {
    let text = "const {:existential true} b: bool;\n\
        procedure B() returns (r: int) ensures b ==> r > 7; { r := 7; }\n\
        procedure A(x: int) { assert x > 3; }\n\
        procedure C() { call A(2); }\n";
    let said = inferred(text, &[]);
    assert_eq!(said[1..3], ["b = True", "p.bpl(3,23): Error: this assertion could not be proved"]);
    assert_eq!(said[3], "Boogie program verifier finished with 1 verified, 1 error");
}

#[test]
fn bodies_are_inlined_as_deep_as_asked_and_not_checked_there() {
    let text = "const {:existential true} a: bool;\nconst {:existential true} b: bool;\nvar x: int;\nvar y: int;\n\
        procedure main() modifies x, y; { x := 0; y := 1; call inc(); call dec(); assert x == 0; }\n\
        procedure inc() modifies x; requires a ==> x == 0; { x := x + 1; assert y > 0; }\n\
        procedure dec() modifies x; ensures b ==> x == old(x) - 2; { x := x - 1; }\n";
    let shallow = inferred(text, &[]);
    assert_eq!(
        shallow[1..],
        [
            "a = True",
            "b = False",
            "p.bpl(6,66): Error: this assertion could not be proved",
            "p.bpl(5,75): Error: this assertion could not be proved",
            "Boogie program verifier finished with 1 verified, 2 errors"
        ]
    );
    let deep = inferred(text, &["-inlineDepth:1"]);
    assert_eq!(
        deep[1..],
        [
            "a = True",
            "b = False",
            "p.bpl(6,66): Error: this assertion could not be proved",
            "Boogie program verifier finished with 2 verified, 1 error"
        ]
    );
}

#[test]
fn nothing_is_inlined_that_deep_where_nothing_is_inferred() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "p.bpl",
        "procedure P() { call Q(); assert false; }\nprocedure Q() { assume false; }\n",
    );
    let (text, _) = run(folder.path(), &["boogie", "-inlineDepth:1", "-printAssignment", "p.bpl"]);
    assert!(text.contains("1 verified, 1 error") && !text.contains("Assignment"), "{text}");
}

#[test]
fn what_assumes_a_candidate_that_is_dropped_elsewhere_is_verified_again() {
    let text = "const {:existential true} b: bool;\n\
        procedure A(x: int) { assume b ==> x > 3; assert x > 3; }\n\
        procedure B() returns (r: int) ensures b ==> r > 7; { r := 7; }\n";
    let said = inferred(text, &[]);
    assert_eq!(said[1..3], ["b = False", "p.bpl(2,43): Error: this assertion could not be proved"]);
}

#[test]
fn candidates_of_what_is_not_decided_do_not_hold() {
    // The product is not decided within the limit.
    let text = "const {:existential true} b: bool;\n\
        procedure A(x: int, y: int, z: int) returns (r: int) requires x > 2 && y > 2 && z > 2;\n\
          ensures b ==> x * x * x + y * y * y != z * z * z; { r := 7; }\n\
        procedure B() { var r: int; call r := A(3, 4, 5); }\n";
    let said = inferred(text, &["-rlimit:5000"]);
    assert_eq!(
        said[1..],
        ["b = False", "Boogie program verifier finished with 1 verified, 0 errors, 1 out of resource"]
    );
}

/// What is wanted by name does not matter, as in Boogie 2.4.1: a constant is dropped for any implementation.
#[test]
fn every_implementation_is_looked_at() {
    let text = "const {:existential true} A: bool;\nprocedure P() requires A; { }\n\
        procedure Q() { call P(); assert A ==> false; }\n";
    for more in [&["-proc:P"][..], &["-noProc:Q"], &[]] {
        assert_eq!(
            inferred(text, more),
            [
                "Assignment computed by Houdini:",
                "A = False",
                "p.bpl(3,17): Error: a precondition for this call could not be proved",
                "p.bpl(2,15): Related location: this is the precondition that could not be proved",
                "Boogie program verifier finished with 1 verified, 1 error"
            ],
            "{more:?}"
        );
    }
}

#[test]
fn what_is_inlined_to_infer_has_other_names_than_what_was_inlined_before() {
    let text = "var g: int;\n\
        procedure {:inline 1} Set(v: int) modifies g; { g := v; }\n\
        procedure Dec(n: int) requires n > 0; { assert n == 5; }\n\
        procedure M(x: int) modifies g; { call Set(x); call Dec(g); }\n";
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", text);
    let (said, _) = run(folder.path(), &["boogie", "-contractInfer", "-inlineDepth:1", "p.bpl"]);
    let labels: Vec<&str> = said.lines().filter_map(|it| it.rsplit_once("): ")).map(|it| it.1).collect();
    let last = labels.iter().rposition(|it| *it == "anon0").expect("a trace");
    assert_eq!(labels[last..], ["anon0", "inline$$Dec$0$Entry"], "{said}");
}

/// Boogie 2.4.1 prints these lines, its times and what it says of its prover and of bounds of variables apart.
#[test]
fn a_trace_tells_the_search() {
    let search = |text: &str| -> Vec<String> {
        let lines = inferred(text, &["-trace"]).into_iter();
        lines.skip_while(|it| !it.starts_with("Collecting")).filter(|it| !it.contains("ime")).collect()
    };
    let one = "const {:existential true} x: bool;\n\
        procedure N() ensures x ==> 1 > 2; { if (*) { assert x ==> 3 > 5; } else { assert x ==> false; } }\n\
        procedure {:verify false} O() { assert x ==> false; }\nprocedure R() { call N(); }\n";
    assert_eq!(
        search(one),
        [
            "Collecting existential constants...",
            "Building call graph...",
            "Number of implementations = 2",
            "Beginning VC generation for Houdini...",
            "Generating VC for N",
            "Generating VC for R",
            "Verifying N",
            "Houdini assignment axiom: (And true x)",
            "Outcome = Invalid",
            "Removing x",
            "Removing x",
            "Verifying N",
            "Houdini assignment axiom: (And true (! x))",
            "Outcome = Valid",
            "Verifying R",
            "Houdini assignment axiom: (And true (! x))",
            "Outcome = Valid",
            "Assignment computed by Houdini:",
            "x = False",
            "Number of true assignments = 0",
            "Number of false assignments = 1",
            "Number of prover queries = 3",
            "Number of unsat core prover queries = 0",
            "Number of unsat core prunings = 0",
            "verified",
            "verified",
            "Boogie program verifier finished with 2 verified, 0 errors",
        ]
    );
    // D comes first, and nothing is dropped behind its error.
    let stopped = "const {:existential true} c0: bool;\nconst {:existential true} c1: bool;\n\
        procedure A(x: int) requires c0 ==> x > 0; { call B(x - 1); }\n\
        procedure B(x: int) requires c1 ==> x > 0; { if (*) { call A(x - 1); } }\n\
        procedure C() { call A(7); call B(7); }\nprocedure D() { assert false; }\n";
    let said = search(stopped);
    let asked: Vec<&str> = said.iter().filter_map(|it| it.strip_prefix("Verifying ")).collect();
    assert_eq!(asked, ["D", "A", "B", "C"]);
    let axioms = said.iter().filter(|it| it.starts_with("Houdini"));
    assert!(axioms.clone().count() == 4 && axioms.clone().all(|it| it.ends_with("(And true c0 c1)")));
    let end = said.iter().position(|it| it == "error").expect("D fails");
    assert_eq!(
        said[end + 2..],
        ["errors", "errors", "verified", "Boogie program verifier finished with 1 verified, 1 error"]
    );
    let none = search("procedure N() { assert 1 < 2; }\n");
    assert!(none.contains(&"Houdini assignment axiom: true".to_owned()), "{none:?}");
}
