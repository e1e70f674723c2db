//! `ivl stability`: proofs that hold by luck are told from others.

use std::path::Path;

use serde_json::Value;

use crate::command::{run, write};
#[cfg(feature = "plant")]
use crate::replay::chosen;
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

/// What is said of the only implementation of a program: its standing, how many runs prove it and how many of the
/// others are proved by instances, and the exit code. Runs within half of the limits are left out.
fn standing(folder: &Path, program: &str, more: &[&str]) -> (String, usize, usize, i32) {
    write(folder, "p.bpl", program);
    let arguments = [&["stability", "--json", "--runs", "4", "p.bpl"], more].concat();
    let (text, code) = run(folder, &arguments);
    let all = told(&text);
    assert_eq!(all.len(), 1, "{text}");
    let runs = all[0]["runs"].as_array().expect("a list");
    let count =
        |what: &str| runs.iter().filter(|run| run["kind"] != "half_limit" && run[what] == true).count();
    assert!(runs.iter().all(|run| run["proved"] == false || run["replayed"] == false), "{text}");
    let standing = all[0]["standing"].as_str().expect("a word").to_owned();
    (standing, count("proved"), count("replayed"), code)
}

/// A limit that some seeds keep and others do not, and one that none keeps.
fn limits(folder: &Path, program: &str) -> [String; 2] {
    write(folder, "p.bpl", program);
    let (text, _) = run(folder, &["stability", "--json", "--runs", "4", "p.bpl"]);
    let spent = |name: &str| told(&text)[0]["resource"][name].as_u64().expect("a number");
    [u64::midpoint(spent("least"), spent("most")), spent("least") / 2].map(|limit| limit.to_string())
}

#[test]
fn a_proof_that_luck_found_holds_again_by_its_instances() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let [some, none] = limits(folder, LUCKY);
    let replay = ["--caching", "replay", "--rlimit", some.as_str()];
    // Without a cache its own proof is what is known, and nothing is left of it.
    let (said, proved, replayed, code) =
        standing(folder, LUCKY, &[&replay[..], &["--cache", "off"]].concat());
    assert_eq!((said.as_str(), proved + replayed, code), ("replayed", 13, 0));
    assert!(proved > 0 && replayed > 0, "{proved} {replayed}");
    assert!(!folder.join("cache").exists());
    let (text, code) = run(folder, &[&["stability", "--runs", "4", "p.bpl"], &replay[..]].concat());
    assert!(text.lines().nth(1).is_some_and(|line| line.ends_with("was proved, replayed")), "{text}");
    assert!(text.contains("0 stable, 1 replayed, 0 unstable, 0 not proved;") && code == 0, "{text}");
    // From now on the cache knows it, where no run proves it.
    let replay = ["--caching", "replay", "--rlimit", none.as_str()];
    assert_eq!(standing(folder, LUCKY, &replay), ("replayed".to_owned(), 0, 13, 0));
    let elsewhere = ["--cache-dir", "elsewhere"];
    let unknown = standing(folder, LUCKY, &[&replay[..], &elsewhere].concat());
    assert_eq!(unknown, ("not_proved".to_owned(), 0, 0, 0));
    let rebuilt = standing(folder, LUCKY, &[&replay[..], &["--cache", "rebuild"]].concat());
    assert_eq!(rebuilt, unknown);
}

#[test]
fn instances_make_an_edited_proof_hold_and_no_wrong_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let [some, none] = limits(folder, LUCKY);
    let replay = |limit: &str| ["--caching", "replay", "--rlimit", limit].map(str::to_owned);
    let said =
        |program: &str, limit: &str| standing(folder, program, &replay(limit).each_ref().map(String::as_str));
    assert_eq!(said(LUCKY, &some).0, "replayed");
    let weaker = LUCKY.replace("<= 35", "<= 36");
    assert_eq!(said(&weaker, &none), ("replayed".to_owned(), 0, 13, 0));
    let wrong = LUCKY.replace("<= 35", "<= 34");
    assert_eq!(said(&wrong, &none).0, "not_proved");
    let without = LUCKY.replace("axiom (forall x, y: int", "axiom true || (forall x, y: int");
    assert_eq!(said(&without, &none).0, "not_proved");
}

#[test]
fn what_is_kept_where_edits_are_verified_is_known_here() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let [_, none] = limits(folder, LUCKY);
    let replay = ["--caching", "replay", "--rlimit", none.as_str()];
    assert_eq!(standing(folder, LUCKY, &replay), ("not_proved".to_owned(), 0, 0, 0));
    for bound in ["<= 37", "<= 36"] {
        write(folder, "p.bpl", &LUCKY.replace("<= 35", bound));
        let (text, code) = run(folder, &["verify", "--caching", "replay", "--replay-from", "0", "p.bpl"]);
        assert_eq!(code, 0, "{text}");
    }
    assert_eq!(standing(folder, LUCKY, &replay), ("replayed".to_owned(), 0, 13, 0));
}

/// What is proved by instances under a lie about them is no proof, which only shows if it is told.
#[cfg(feature = "plant")]
#[test]
fn a_lie_about_instances_would_be_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for number in 1..3 {
        write(folder, "p.bpl", &chosen(number, "(exists x: int :: {r(x)} r(x))"));
        let (text, code) = run(folder, &["verify", "--caching", "replay", "--replay-from", "0", "p.bpl"]);
        assert_eq!(code, 0, "{text}");
    }
    let said = |more: &[&str]| {
        let more = [&["--caching", "replay"], more].concat();
        standing(folder, &chosen(3, "false"), &more).0
    };
    assert_eq!(said(&[]), "not_proved");
    assert_eq!(said(&["--plant", "one-choice"]), "replayed", "the lie is not told");
}

#[test]
fn what_is_asked_in_pieces_holds_again_by_their_instances() {
    let folder = tempfile::tempdir().expect("a folder");
    let divided = LUCKY.replace("procedure rising", "procedure {:vcs_split_on_every_assert} rising");
    let [some, _] = limits(folder.path(), &divided);
    let limit = ["--rlimit", some.as_str()];
    let (said, proved, replayed, code) = standing(folder.path(), &divided, &limit);
    assert_eq!((said.as_str(), replayed, code), ("unstable", 0, 1));
    let replay = [&limit[..], &["--caching", "replay"]].concat();
    let again = standing(folder.path(), &divided, &replay);
    assert_eq!(again, ("replayed".to_owned(), proved, 13 - proved, 0));
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
