//! Queries that take long are asked under other settings: what that brings, and that answers stay a function of
//! query and limits.

use cache_core::mode::Mode;
use ivl_verifier::report::{CheckError, Report, Verdict};
use ivl_verifier::service::Options;
use ivl_verifier::smt::answer::Outcome;

use crate::support::{Session, fixture, options};

/// A search in a tree, whose nodes are described by quantifiers. `step` is what is done where the key is larger
/// than that of the node: only to go on to the right is correct.
fn search(step: &str) -> String {
    format!(
        "type Ref;
const unique null: Ref;

var left: [Ref]Ref;
var right: [Ref]Ref;
var key: [Ref]int;
var alloc: [Ref]bool;
var content: [Ref][int]bool;
var repr: [Ref][Ref]bool;

function Node(left: [Ref]Ref, right: [Ref]Ref, key: [Ref]int, content: [Ref][int]bool, repr: [Ref][Ref]bool, x: Ref): bool
{{
  x != null && repr[x][x]
  && (left[x] != null ==> repr[x][left[x]] && (forall y: Ref :: repr[left[x]][y] ==> repr[x][y] && y != x))
  && (right[x] != null ==> repr[x][right[x]] && (forall y: Ref :: repr[right[x]][y] ==> repr[x][y] && y != x))
  && (left[x] != null && right[x] != null ==> (forall y: Ref :: !(repr[left[x]][y] && repr[right[x]][y])))
  && (forall k: int :: content[x][k] <==> k == key[x] || (left[x] != null && content[left[x]][k]) || (right[x] != null && content[right[x]][k]))
  && (left[x] != null ==> (forall k: int :: content[left[x]][k] ==> k < key[x]))
  && (right[x] != null ==> (forall k: int :: content[right[x]][k] ==> key[x] < k))
}}

function {{:inline}} Tree(left: [Ref]Ref, right: [Ref]Ref, key: [Ref]int, content: [Ref][int]bool, repr: [Ref][Ref]bool, alloc: [Ref]bool, x: Ref): bool
{{
  (forall y: Ref :: repr[x][y] ==> alloc[y] && Node(left, right, key, content, repr, y)) && repr[x][x]
}}

procedure Contains(root: Ref, k: int) returns (b: bool)
  requires root != null ==> Tree(left, right, key, content, repr, alloc, root);
  ensures b <==> root != null && content[root][k];
{{
  var x: Ref;
  x := root;
  b := false;
  while (x != null)
    invariant x != null ==> Tree(left, right, key, content, repr, alloc, x);
    invariant root != null && content[root][k] <==> x != null && content[x][k];
    invariant !b;
  {{
    if (k < key[x]) {{ x := left[x]; }}
    else if (key[x] < k) {{ {step} }}
    else {{ b := true; return; }}
  }}
}}
"
    )
}

fn scratch(options: Options, text: &str) -> Vec<Report> {
    Session::with(Options { mode: Mode::Off, ..options }).verify("p.bpl", text).reports
}

#[test]
fn a_check_that_takes_long_to_fail_is_told_under_other_settings() {
    let wrong = search("x := left[x];");
    let limited = |switch_after: u64| Options { resource_limit: Some(1_000_000), switch_after, ..options() };
    let never = scratch(limited(0), &wrong).remove(0);
    assert_eq!((&never.verdict, never.errors.len()), (&Verdict::Decided(Outcome::OutOfResource), 0));
    let switched = scratch(limited(100_000), &wrong).remove(0);
    assert_eq!((&switched.verdict, switched.errors.len()), (&Verdict::Decided(Outcome::NotProved), 1));
    assert!(switched.resource * 5 < never.resource, "{} {}", switched.resource, never.resource);
    // What was spent under the first settings counts.
    assert!(switched.resource > 100_000, "{}", switched.resource);
    // Whoever chose how cases are split gets no other way.
    let solver_options = vec![("smt.CASE_SPLIT".to_owned(), "1".to_owned())];
    let chosen = scratch(Options { solver_options, ..limited(100_000) }, &wrong).remove(0);
    assert_eq!(chosen.verdict, Verdict::Decided(Outcome::OutOfResource));
    // What is proved in time is proved in one turn.
    let right = search("x := right[x];");
    let (never, switched) = (scratch(limited(0), &right), scratch(limited(100_000), &right));
    assert_eq!(never[0].verdict, Verdict::Decided(Outcome::Valid));
    assert_eq!((&never[0].verdict, never[0].resource), (&switched[0].verdict, switched[0].resource));
}

#[test]
fn programs_with_heaps_begin_towards_the_goal() {
    let text = format!("{}type Field a;\nvar heap: <a>[Ref, Field a]a;\n", search("x := left[x];"));
    let switched = |switch_after: u64| Options { resource_limit: Some(3_000_000), switch_after, ..options() };
    let told = scratch(switched(100_000), &text).remove(0);
    assert_eq!((&told.verdict, told.errors.len()), (&Verdict::Decided(Outcome::NotProved), 1));
    // Nothing was spent under other settings first.
    assert!(told.resource < 50_000, "{}", told.resource);
    // And whoever wants no turns has the query's own settings.
    let never = scratch(switched(0), &text).remove(0);
    assert!(never.resource > 10 * told.resource, "{} {}", never.resource, told.resource);
}

type Answer = (String, Verdict, Vec<CheckError>, u64);

fn answers(options: Options, text: &str) -> Vec<Answer> {
    let told = |report: Report| (report.name, report.verdict, report.errors, report.resource);
    scratch(options, text).into_iter().map(told).collect()
}

/// With more resources only answers that were out of limits change, wherever the turns change; and none depends on
/// how many solvers work side by side.
#[test]
fn a_larger_limit_changes_only_what_was_out_of_limits() {
    const SWITCH: u64 = 200;
    let (mut stopped, mut turned) = (0, 0);
    for name in ["polymorphic", "code", "bound"] {
        let text = std::fs::read_to_string(fixture(&format!("language/{name}.bpl"))).expect("a fixture");
        let alone = answers(Options { switch_after: 0, ..options() }, &text);
        let (mut before, mut earlier): (Vec<Answer>, u64) = (Vec::new(), 0);
        for limit in [700, 1_000, 1_500, 2_000, 40_000] {
            let options = Options { resource_limit: Some(limit), switch_after: SWITCH, ..options() };
            let now = answers(options.clone(), &text);
            for ((less, more), alone) in before.iter().zip(&now).zip(&alone) {
                if less.3 >= earlier {
                    continue;
                }
                turned += usize::from(less.3 != alone.3);
                assert_eq!(less, more, "{name} {limit}");
            }
            stopped += now.iter().filter(|it| it.3 >= limit).count();
            if limit == 2_000 {
                let three = Options { cores: 3.try_into().expect("not zero"), ..options };
                assert_eq!(now, answers(three, &text), "{name} {limit}");
            }
            (before, earlier) = (now, limit);
        }
    }
    assert!(stopped > 20 && turned > 10, "{stopped} {turned}");
}
