//! Triggers of several terms: what they cost where many terms are congruent, and that the argument which makes them
//! cheap is seen by nobody.

use std::fmt::Write;

use ivl_verifier::report::{Origin, Verdict};
use ivl_verifier::service::{Options, Replay};
use ivl_verifier::smt::answer::Outcome;

use crate::command::{run, write};
use crate::support::{Session, options};

/// A table that stays the same in heap after heap, with a claim about each pair of its entries in each.
fn heaps(heaps: u32, entries: u32) -> String {
    let mut text = "type Heap; type Box;
        function get(h: Heap, i: int): Box;
        function unbox(b: Box): int;
        function ok(h: Heap): bool;
        axiom (forall h: Heap :: {ok(h)} ok(h) ==>
          (forall i, j: int :: {unbox(get(h, i)), unbox(get(h, j))} i < j ==> unbox(get(h, i)) <= unbox(get(h, j)) + 1));
        procedure P(x: [int]int) { var h, g: Heap; assume ok(h);\n"
        .to_owned();
    for _ in 0..heaps {
        text.push_str(
            "havoc g; assume ok(g) && (forall i: int :: {get(g, i)} {get(h, i)} get(g, i) == get(h, i)); h := g;\n",
        );
    }
    for at in 1..entries {
        writeln!(text, "assume unbox(get(h, x[{}])) < unbox(get(h, x[{at}]));", at - 1)
            .expect("text is written");
    }
    text + "assert x[0] < x[1] || x[3] < x[2]; }\n"
}

#[test]
fn congruent_terms_are_matched_once() {
    let report = Session::from_scratch().verify("p.bpl", &heaps(12, 10)).reports.remove(0);
    assert_eq!(report.verdict, Verdict::Decided(Outcome::NotProved));
    // Without joints it takes more than three times that.
    assert!(report.resource < 250_000, "{}", report.resource);
}

#[test]
fn functions_without_a_joint_are_anchored() {
    let anchored = |trigger: &str| {
        let text = format!(
            "function f(x: int): int; function g(x: int): int; function h(x: int, y: int): int; const c: int;
             procedure P() {{
               assume (forall x, y: int :: {{{trigger}}} g(f(x)) + g(f(y)) + h(x, y) > c);
               assert (exists x: int :: {{g(f(x))}} g(f(x)) > 0);
             }}\n"
        );
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), "p.bpl", &text);
        run(folder.path(), &["verify", "--cache", "off", "--log-smt", "log", "p.bpl"]);
        let query = std::fs::read_to_string(folder.path().join("log/0000-P.smt2")).expect("it was written");
        ["f", "g", "h"].map(|name| query.contains(&format!("(declare-fun {name}@ (anchor@@ ")))
    };
    assert_eq!(anchored("g(f(x)), g(f(y))"), [false, true, false]);
    // One term, a variable that both have, one in an argument of both, and an argument that is known.
    assert_eq!(anchored("h(f(x), f(y))"), [false, false, false]);
    assert_eq!(anchored("h(x, y), g(y)"), [false, false, false]);
    assert_eq!(anchored("g(f(y)), h(f(x), f(y))"), [false, false, false]);
    assert_eq!(anchored("h(f(x), c), h(c, f(y))"), [false, false, false]);
    // A variable that is further inside is no joint.
    assert_eq!(anchored("g(f(f(x))), h(x, y)"), [false, true, false]);
}

#[test]
fn a_model_has_the_arguments_of_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "type Box; function get(i: int): Box; function unbox(b: Box): int;
        procedure P(x: int)
          requires (forall i, j: int :: {unbox(get(i)), unbox(get(j))} i < j ==> unbox(get(i)) < unbox(get(j)));
        { assume unbox(get(3)) == 7; assert unbox(get(x)) == 5; }\n";
    write(folder.path(), "p.bpl", text);
    let (said, _) = run(folder.path(), &["boogie", "-printModel:1", "p.bpl"]);
    let entries = said.split_once("unbox -> {").and_then(|(_, rest)| rest.split_once('}')).expect(&said).0;
    let of_one =
        |line: &str| line.split_once("->").is_some_and(|(left, _)| left.split_whitespace().count() == 1);
    assert!(entries.lines().filter(|line| !line.trim().is_empty()).all(of_one), "{said}");
    assert!(!said.contains("anchor"), "{said}");
}

#[test]
fn proofs_with_anchored_functions_are_replayed() {
    let version = |least: u32| {
        format!(
            "type Box; function get(i: int): Box; function unbox(b: Box): int;
             axiom (forall i, j: int :: {{unbox(get(i)), unbox(get(j))}} i < j ==> unbox(get(i)) < unbox(get(j)));
             procedure P(x: int) requires x > {least}; {{ assert unbox(get(3)) < unbox(get(x + 3)); }}\n"
        )
    };
    let mut session =
        Session::with(Options { replay: Replay::AfterEdits(0), fine_grained: false, ..options() });
    let origins = [1, 2, 3].map(|least| session.verify("p.bpl", &version(least)).reports.remove(0).origin);
    assert_eq!(origins, [Origin::Solver, Origin::Solver, Origin::Replayed]);
}
