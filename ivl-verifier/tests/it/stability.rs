//! `ivl stability`: proofs that hold by luck are told from others.

use serde_json::Value;

use crate::command::{run, write};
use crate::solvers::impostor;

/// A sum over a list, which takes instances of a quantifier; a simple proof; and a failure.
const PROGRAM: &str = "
type List;
const nil: List;
function cons(x: int, l: List): List;
function sum(l: List): int;
function length(l: List): int;
axiom sum(nil) == 0 && length(nil) == 0;
axiom (forall x: int, l: List :: {sum(cons(x, l))} sum(cons(x, l)) == x + sum(l));
axiom (forall x: int, l: List :: {length(cons(x, l))} length(cons(x, l)) == 1 + length(l));
axiom (forall l: List :: {length(l)} length(l) >= 0);
procedure lists(a: int, b: int, l: List) {
  var m: List;
  m := cons(a, cons(b, cons(a + b, cons(a * 2, l))));
  assert sum(m) == 4 * a + 2 * b + sum(l);
  assert length(m) >= 4;
}
procedure simple(a: int) returns (r: int) ensures r > a; { r := a + 1; }
procedure wrong(a: int) { assert a != 7; }
";

/// A proof that some seeds find in less than half of what others take.
const LUCKY: &str = "
function f(x: int): int;
axiom (forall x, y: int :: {f(x), f(y)} x < y ==> f(x) < f(y));
axiom (forall x: int :: {f(x)} f(x + 1) <= f(x) + 7 && f(x) >= 0 - 100);
procedure rising(a: int, b: int, c: int) requires a < b && b < c && c <= a + 5; {
  assert f(c) - f(a) <= 35;
  assert f(a + 3) >= f(a) + 3;
}
";

/// The objects that `--json` prints, by implementation.
fn told(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

#[test]
fn what_is_always_proved_is_stable_and_what_never_is_is_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", PROGRAM);
    let (text, code) = run(folder.path(), &["stability", "--runs", "2", "p.bpl"]);
    assert_eq!(code, 0, "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("lists") && lines[1].ends_with("stable"), "{text}");
    assert!(lines[1].contains("7 of 7"), "{text}");
    assert!(lines[3].starts_with("wrong") && lines[3].ends_with("not proved"), "{text}");
    assert_eq!(lines[4], "2 stable, 0 unstable, 1 not proved; 2 seeds, orders and sets of names each");
    // Nothing was kept, and the same runs say the same.
    assert!(!folder.path().join("cache").exists());
    assert_eq!(run(folder.path(), &["stability", "--runs", "2", "p.bpl"]), (text, code));
}

#[test]
fn what_depends_on_luck_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", LUCKY);
    let arguments = ["stability", "--json", "--runs", "4", "p.bpl"];
    let (text, code) = run(folder.path(), &arguments);
    let usual = &told(&text)[0];
    assert_eq!((usual["standing"].as_str(), code), (Some("stable"), 0), "{text}");
    let spent = |name: &str| usual["resource"][name].as_u64().expect("a number");
    assert!(2 * spent("least") < spent("most"), "{text}");
    let runs = usual["runs"].as_array().expect("a list");
    let kinds = ["plain", "seed", "order", "names", "half_limit"];
    assert!(kinds.iter().all(|kind| runs.iter().any(|run| run["kind"] == *kind)), "{text}");
    let of =
        |kind: &'static str| runs.iter().filter(move |run| run["kind"] == kind).map(|run| &run["resource"]);
    assert!(of("order").any(|spent| of("plain").all(|plain| plain != spent)), "orders are all alike: {text}");
    // Between what the cheapest and the dearest run take lies a limit that some keep and others do not.
    let limit = u64::midpoint(spent("least"), spent("most")).to_string();
    let (text, code) = run(folder.path(), &[&arguments[..], &["--rlimit", &limit]].concat());
    let limited = &told(&text)[0];
    assert_eq!((limited["standing"].as_str(), code), (Some("unstable"), 1), "{text}");
    assert_eq!(limited["near_its_limit"], true, "{text}");
}

#[test]
fn a_text_that_is_no_program_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert x; }\n");
    assert_eq!(run(folder.path(), &["stability", "p.bpl"]), (String::new(), 2));
    assert_eq!(run(folder.path(), &["stability", "nowhere.bpl"]), (String::new(), 2));
}

#[test]
fn one_without_an_answer_is_told_in_its_line_and_the_others_as_always() {
    let folder = tempfile::tempdir().expect("a folder");
    let wide = "procedure wide(b: bv0) { assert b == b; }\n";
    write(folder.path(), "p.bpl", &format!("{wide}{PROGRAM}"));
    let (text, code) = run(folder.path(), &["stability", "--runs", "1", "p.bpl"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), code), (6, 0), "{text}");
    assert!(lines[1].starts_with("wide") && lines[1].contains("no answer: bit vectors of width 0"), "{text}");
    assert!(lines[2].starts_with("lists") && lines[2].ends_with("stable"), "{text}");
    assert!(lines[5].contains("1 not proved, 1 without an answer;"), "{text}");
    let (text, code) = run(folder.path(), &["stability", "--json", "--runs", "1", "p.bpl"]);
    let all = told(&text);
    assert_eq!((all[0]["standing"].as_str(), all.len(), code), (Some("no_answer"), 4, 0), "{text}");
    let message = all[0]["message"].as_str().expect("a message");
    assert!(message.contains("width 0") && all[0]["runs"][0]["message"] == message, "{text}");
    assert!(all[1].get("message").is_none() && all[1]["standing"] == "stable", "{text}");
    // Where nothing at all is answered, nothing is measured.
    write(folder.path(), "q.bpl", wide);
    assert_eq!(run(folder.path(), &["stability", "--runs", "1", "q.bpl"]).1, 2);
}

#[test]
fn a_failing_solver_is_told_in_the_line_of_what_it_failed_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let program =
        "procedure dear(a: int) { assert a != 424242; }\nprocedure cheap(a: int) { assert a != 1; }\n";
    write(folder.path(), "p.bpl", program);
    let answering = "while read line; do case $line in *424242*) exit 1;; *check-sat*) echo unsat;; \
                     *echo*) echo set;; *get-*) echo '(:rlimit 7)';; esac; done";
    let solver = impostor(folder.path(), answering).display().to_string();
    let (text, code) = run(folder.path(), &["stability", "--runs", "1", "--solver", &solver, "p.bpl"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("dear") && lines[1].contains("no answer: "), "{text}");
    assert!(lines[2].starts_with("cheap") && lines[2].ends_with("stable"), "{text}");
    assert_eq!(code, 0, "{text}");
}
