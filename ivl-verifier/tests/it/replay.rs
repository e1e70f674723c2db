//! Proofs replayed: what an edit leaves of a proof proves the next version, and nothing else does.

use std::path::Path;
use std::process::Command;

use cache_core::audit::Audit;
use ivl_verifier::report::{Origin, Report, Verdict};
use ivl_verifier::service::{Options, Replay};
use ivl_verifier::smt::answer::Outcome;

use crate::command::{Watching, run, write};
use crate::support::{Session, options};

fn replaying() -> Options {
    Options { replay: Replay::AfterEdits(0), fine_grained: false, ..options() }
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
pub(crate) fn sums(least: u32, claimed: u32) -> String {
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
    let usual = Options { replay: Replay::Never, ..replaying() };
    assert_eq!(follow(&usual, &right), [ASKED; 4]);
}

/// A proof is asked once more to tell its instances, and not again where these were not told of an earlier one.
#[test]
fn instances_that_were_not_told_are_not_asked_for_again() {
    let queries = |options: Options| {
        let mut session = Session::with(options);
        [1, 2, 3, 4].map(|least| {
            let before = session.verifier.counters().queries;
            let said = session.verify("p.bpl", &sums(least, 3));
            assert!(said.reports.iter().all(proved), "{}", said.text);
            session.verifier.counters().queries - before
        })
    };
    assert_eq!(queries(Options { telling: 0, ..replaying() }), [1, 2, 1, 1]);
    assert_eq!(queries(replaying()), [1, 2, 1, 1]);
    assert_eq!(queries(Options { replay: Replay::AfterEdits(u64::MAX), ..replaying() }), [1; 4]);
}

#[test]
fn an_instance_of_an_axiom_that_is_gone_proves_nothing() {
    let gone = sums(4, 3).replace(
        "axiom (forall x: int, l: List :: {sum(cons(x, l))}",
        "axiom true || (forall x: int, l: List :: {sum(cons(x, l))}",
    );
    assert_eq!(follow(&replaying(), &[sums(1, 3), sums(2, 3), gone]), [ASKED, ASKED, FAILED]);
}

/// What is asked in pieces: each check by itself.
fn in_pieces(least: u32, more: &str, claimed: u32) -> String {
    sums(least, claimed)
        .replace("procedure P", "procedure {:vcs_split_on_every_assert} P")
        .replace("assert sum(m)", &format!("{more} assert sum(cons(b, l)) == b + sum(l); assert sum(m)"))
}

#[test]
fn pieces_are_replayed_each_with_its_instances() {
    let versions = [in_pieces(1, "", 3), in_pieces(2, "", 3), in_pieces(3, "", 3), in_pieces(3, "", 4)];
    assert_eq!(follow(&replaying(), &versions), [ASKED, ASKED, REPLAYED, FAILED]);
    // One more in front of the others moves them.
    let more = "assert sum(cons(a, l)) == a + sum(l);";
    let versions = [in_pieces(1, "", 3), in_pieces(2, "", 3), in_pieces(2, more, 3), in_pieces(4, "", 3)];
    let seen = follow(&replaying(), &versions);
    assert_eq!([seen[0], seen[1], seen[3]], [ASKED, ASKED, REPLAYED]);
    assert!(seen[2].1, "the piece that is new is asked: {seen:?}");
    // Whoever checks every hit has them asked as well.
    let mut session = Session::with(Options { audit: Audit::Always, ..replaying() });
    for least in 1..4 {
        let said = session.verify("p.bpl", &in_pieces(least, "", 3));
        assert!(said.reports.iter().all(proved), "{}", said.text);
        assert_eq!(said.reports[0].origin, Origin::Solver, "{}", said.explanations);
    }
    assert_eq!(session.verifier.disagreements(), 0);
}

/// What the solver refuses to be told of is no proof, whether a proof needs it or not.
#[test]
fn what_the_solver_refuses_is_refused_where_no_instance_mentions_it() {
    let program = |least: u32, builtin: &str| {
        sums(least, 3).replace("requires a >", "requires g(a) > 0 && a >")
            + &format!(
                "function {{:builtin \"{builtin}\"}} h(x: int): int;
                 function g(x: int): int;
                 axiom (forall x: int :: {{g(x)}} g(x) == 1 ==> h(x) > 0);"
            )
    };
    let versions = [program(1, "abs"), program(2, "abs"), program(3, "abs")];
    assert_eq!(follow(&replaying(), &versions), [ASKED, ASKED, REPLAYED]);
    let versions = [program(1, "abs"), program(2, "abs"), program(3, "no.such.function")];
    assert!(!follow(&replaying(), &versions)[2].1);
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

/// A program of which some claim is made under some condition.
type Made<'m> = &'m dyn Fn(u32, u32) -> String;

/// Instances whose terms are of sorts of the solver's theories.
#[test]
fn instances_with_datatypes_bit_vectors_fractions_and_maps_are_replayed() {
    let lists = |least: u32, claimed: u32| {
        format!(
            "datatype List {{ Nil(), Cons(head: int, tail: List) }}
             function sum(l: List): int;
             axiom (forall x: int, l: List :: {{sum(Cons(x, l))}} sum(Cons(x, l)) == x + sum(l));
             function whole(l: List, yes: bool): bool;
             axiom (forall l: List, yes: bool :: {{whole(l, yes)}} whole(l, yes) <==> yes);
             procedure P(a: int, b: int, l: List) requires a > {least} && l is Cons; {{
               assert sum(Cons(a, Cons(b, Cons(a * 2, l->tail)))) == {claimed} * a + b + sum(l->tail);
               assert whole(l->tail, l is Cons);
             }}"
        )
    };
    let vectors = |least: u32, claimed: u32| {
        format!(
            "function {{:bvbuiltin \"bvxor\"}} xor(x: bv8, y: bv8): bv8;
             function {{:bvbuiltin \"zero_extend 4\"}} wide(x: bv4): bv8;
             function f(x: bv8): int;
             axiom (forall x: bv8 :: {{f(x)}} f(x) == 3);
             procedure P(v: bv8, w: bv4, n: int) requires n > {least}; {{
               assert f(7bv8) + f(w ++ v[6:2]) + f(xor(xor(v, 9bv8), w ++ w)) + f(wide(w)) == {claimed};
             }}"
        )
    };
    let fractions = |least: u32, claimed: u32| {
        format!(
            "function f(x: real): real;
             axiom (forall x: real :: {{f(x)}} f(x) > x);
             procedure P(r: real, n: int) requires n > {least} && r >= 0.0; {{
               assert f(0.25) > 0.2 && f(-1.5) > -1.6 && f(r / 3.0) > 0.0 - {claimed}.5;
             }}"
        )
    };
    let maps = |least: u32, claimed: u32| {
        format!(
            "function f(m: [int]int): int;
             axiom (forall m: [int]int :: {{f(m)}} f(m) == m[0] + m[1]);
             procedure P(m: [int]int, n: int) requires n > {least}; {{
               assert f(m[0 := 1][1 := 2]) == {claimed};
             }}"
        )
    };
    let programs: [(&str, Made<'_>, u32, u32); 4] = [
        ("lists", &lists, 3, 4),
        ("vectors", &vectors, 12, 13),
        ("fractions", &fractions, 0, 0),
        ("maps", &maps, 3, 4),
    ];
    for (what, program, right, other) in programs {
        let versions = [program(1, right), program(2, right), program(3, right)];
        assert_eq!(follow(&replaying(), &versions), [ASKED, ASKED, REPLAYED], "{what}");
        if what != "fractions" {
            let versions = [program(1, right), program(2, right), program(3, other)];
            assert_eq!(follow(&replaying(), &versions), [ASKED, ASKED, FAILED], "{what}");
        }
    }
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

#[test]
fn a_watched_program_has_its_proofs_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", &sums(2, 3));
    let arguments = ["--explain", "--caching", "replay", "--replay-from", "0", "p.bpl"];
    let watching = Watching::with(folder.path(), &arguments);
    let mut last = watching.version();
    for least in 3..5 {
        write(folder.path(), "p.bpl", &sums(least, 3));
        last = watching.version();
    }
    assert!(last.contains("replayed"), "{last}");
}

/// What `ivl boogie` says, with proofs replayed or without.
fn boogie(folder: &Path, caching: &str) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .args(["boogie", "-trace", "p.bpl"])
        .current_dir(folder)
        .env("REPRISE_CACHE_DIR", folder.join(caching))
        .env("REPRISE_CACHING", caching)
        .env("REPRISE_REPLAY_FROM", "0")
        .env_remove("REPRISE_CACHE")
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

/// What the solver spent, as `-trace` tells.
fn spent(text: &str) -> u64 {
    let count = text.split_once("solver resource count: ").map_or("", |(_, rest)| rest);
    count.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("a count")
}

#[test]
fn a_client_of_boogie_has_its_proofs_replayed_by_the_environment() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut last = [0, 0];
    for (least, claimed) in [(2, 3), (3, 3), (4, 3), (5, 4)] {
        write(folder.path(), "p.bpl", &sums(least, claimed));
        let told = ["basic", "replay"].map(|caching| boogie(folder.path(), caching).0);
        let verdicts = told.each_ref().map(|text| text.lines().last().map(str::to_owned));
        assert_eq!(verdicts[0], verdicts[1], "{told:?}");
        assert_eq!(told[0].contains("0 errors"), claimed == 3, "{}", told[0]);
        if claimed == 3 {
            last = told.each_ref().map(|text| spent(text));
        }
    }
    assert!(last[1] < last[0], "instances are to cost less: {last:?}");
    assert!(boogie(folder.path(), "often").1.contains("REPRISE_CACHING"));
}

/// A program in which one thing has a property and another one has not.
#[cfg(feature = "plant")]
pub(crate) fn chosen(number: u32, goal: &str) -> String {
    format!(
        "function r(x: int): bool;
         axiom (forall x: int :: {{r(x)}} r(x) ==> r(x + {number}));
         procedure P() requires (exists x: int :: r(x)) && (exists x: int :: !r(x));
           ensures {goal}; {{}}"
    )
}

/// If everything chosen were one thing, something with a property and something without it would be a contradiction.
#[cfg(feature = "plant")]
#[test]
fn a_lie_about_what_is_chosen_is_found() {
    use ivl_verifier::base::plant::Fault;
    let versions = [
        chosen(1, "(exists x: int :: {r(x)} r(x))"),
        chosen(2, "(exists x: int :: {r(x)} r(x))"),
        chosen(3, "false"),
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
