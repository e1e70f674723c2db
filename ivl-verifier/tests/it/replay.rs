//! Proofs replayed: what an edit leaves of a proof proves the next version, and nothing else does.

use ivl_verifier::report::{Origin, Report, Verdict};
use ivl_verifier::service::Options;
use ivl_verifier::smt::answer::Outcome;

use crate::command::{run, write};
use crate::support::{Session, options};

fn replaying() -> Options {
    Options { replay: Some(0), fine_grained: false, ..options() }
}

/// What becomes of versions one after the other: where each answer comes from, and whether it is a proof. Each is
/// compared with what is said from scratch.
fn follow(options: &Options, versions: &[String]) -> Vec<(Origin, bool)> {
    let mut session = Session::with(options.clone());
    let mut seen = Vec::new();
    for version in versions {
        let said = session.verify("p.bpl", version);
        let scratch = Session::from_scratch().verify("p.bpl", version);
        assert_eq!(said.reports.len(), 1, "{}", said.text);
        let report = &said.reports[0];
        assert_eq!(said.text, scratch.text, "{version}");
        seen.push((report.origin, proved(report)));
    }
    seen
}

fn proved(report: &Report) -> bool {
    report.verdict == Verdict::Decided(Outcome::Valid)
}

/// A sum over a list, of which so much is claimed under some condition.
fn sums(least: u32, claimed: u32) -> String {
    format!(
        "type List;
         function cons(x: int, l: List): List;
         function sum(l: List): int;
         axiom (forall x: int, l: List :: {{sum(cons(x, l))}} sum(cons(x, l)) == x + sum(l));
         axiom (forall x: int, l: List :: {{cons(x, l)}} sum(cons(x, l)) > sum(l) <==> x > 0);
         procedure P(a: int, b: int, l: List) requires a > {least}; {{
           var m: List;
           m := cons(a, cons(b, cons(a * 2, l)));
           assert sum(m) == {claimed} * a + b + sum(l);
         }}"
    )
}

const REPLAYED: (Origin, bool) = (Origin::Replayed, true);
const ASKED: (Origin, bool) = (Origin::Solver, true);
const FAILED: (Origin, bool) = (Origin::Solver, false);

#[test]
fn a_proof_is_replayed_after_its_second_edit_and_not_where_it_does_not_hold() {
    let right = [sums(1, 3), sums(2, 3), sums(3, 3), sums(4, 3)];
    assert_eq!(follow(&replaying(), &right), [ASKED, ASKED, REPLAYED, REPLAYED]);
    let without = sums(4, 3).replace("== x + sum(l)", "== sum(l) + sum(l)");
    let wrong = [sums(1, 3), sums(2, 3), sums(2, 4), without, sums(6, 3)];
    assert_eq!(follow(&replaying(), &wrong), [ASKED, ASKED, FAILED, FAILED, REPLAYED]);
    // Whoever does not ask for it has no proof replayed.
    let usual = Options { replay: None, ..replaying() };
    assert_eq!(follow(&usual, &right), [ASKED; 4]);
}

#[test]
fn an_instance_of_an_axiom_that_is_gone_proves_nothing() {
    let gone = sums(4, 3).replace(
        "axiom (forall x: int, l: List :: {sum(cons(x, l))}",
        "axiom true || (forall x: int, l: List :: {sum(cons(x, l))}",
    );
    assert_eq!(follow(&replaying(), &[sums(1, 3), sums(2, 3), gone]), [ASKED, ASKED, FAILED]);
}

/// Quantifiers in quantifiers, and choices under them.
fn nested(bound: u32, conclusion: &str) -> String {
    format!(
        "function p(x: int, y: int): bool;
         function q(x: int): bool;
         axiom (forall x: int :: {{q(x)}} q(x) ==> (forall y: int :: {{p(x, y)}} p(x, y) ==> y > x));
         axiom (forall x: int :: {{q(x)}} (exists y: int :: p(x, y) && y < x + 9) <==> q(x + 1));
         procedure P(a: int) requires q(a) && q(a + 1) && a > {bound};
           ensures {conclusion}; {{}}"
    )
}

#[test]
fn quantifiers_in_quantifiers_are_replayed_with_what_they_choose() {
    let goal = "(exists y: int :: {p(a, y)} p(a, y) && y > a)";
    let versions = [nested(4, goal), nested(5, goal), nested(6, goal)];
    assert_eq!(follow(&replaying(), &versions), [ASKED, ASKED, REPLAYED]);
    let both =
        "(exists y: int :: {p(a, y)} p(a, y) && y > a) <==> (forall y: int :: {p(a, y)} p(a, y) ==> y > a)";
    let versions = [nested(4, both), nested(5, both), nested(6, both), nested(6, "false")];
    assert_eq!(follow(&replaying(), &versions), [ASKED, ASKED, REPLAYED, FAILED]);
}

/// Assigning to a variable once more moves the numbers of what it is later.
#[test]
fn an_edit_that_moves_the_numbers_of_variables_leaves_the_proof() {
    let program = |more: &str, least: u32| {
        format!(
            "function f(x: int): int;
             axiom (forall x: int :: {{f(x)}} f(x) == x + 1);
             procedure P() {{
               var v, w: int;
               {more}
               havoc v; assume v > {least};
               havoc w; assume w > v;
               assert f(v) > {least};
               assert f(w) > v;
               assert (exists x: int :: {{f(x)}} f(x) == w + 1 && x > v);
             }}"
        )
    };
    let more = "havoc v; assume v > 0; havoc w; assume f(w) > v;";
    let versions = [program("", 2), program("", 3), program(more, 3), program("", 5)];
    assert_eq!(follow(&replaying(), &versions), [ASKED, ASKED, REPLAYED, REPLAYED]);
}

#[test]
fn the_command_line_says_what_was_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("kept").display().to_string();
    let arguments =
        ["verify", "--explain", "--caching", "replay", "--replay-from", "0", "--cache-dir", &cache, "p.bpl"];
    let mut last = String::new();
    for least in 2..5 {
        write(folder.path(), "p.bpl", &sums(least, 3));
        let (text, code) = run(folder.path(), &arguments);
        assert_eq!(code, 0, "{text}");
        last = text;
    }
    assert!(last.contains("replayed"), "{last}");
}

/// If everything chosen were one thing, something with a property and something without it would be a contradiction.
#[cfg(feature = "plant")]
#[test]
fn a_lie_about_what_is_chosen_is_found() {
    use ivl_verifier::base::plant::Fault;
    let version = |number: u32, goal: &str| {
        format!(
            "function r(x: int): bool;
             axiom (forall x: int :: {{r(x)}} r(x) ==> r(x + {number}));
             procedure P() requires (exists x: int :: r(x)) && (exists x: int :: !r(x));
               ensures {goal}; {{}}"
        )
    };
    let versions = [
        version(1, "(exists x: int :: {r(x)} r(x))"),
        version(2, "(exists x: int :: {r(x)} r(x))"),
        version(3, "false"),
    ];
    let last = |options: Options| {
        let mut session = Session::with(options);
        let seen = versions.iter().map(|version| session.verify("p.bpl", version).reports.iter().all(proved));
        seen.last()
    };
    assert_eq!(last(replaying()), Some(false));
    assert_eq!(
        last(Options { fault: Some(Fault::OneChoice), ..replaying() }),
        Some(true),
        "the lie is not told"
    );
}
