//! Implementations asked in pieces: the same verdicts, limits of their own, and a cache that knows them.

use cache_core::mode::Mode;
use ivl_verifier::report::{Origin, Report, Verdict};
use ivl_verifier::service::{KeepGoing, Options};
use ivl_verifier::smt::answer::Outcome;

use crate::concrete::Numbers;
use crate::support::{Seen, Session, fixture, options};

/// What is told of errors but for the ways to them, which are the solver's choice; columns move with attributes.
fn errors(seen: &Seen) -> Vec<(String, String)> {
    let lines = seen.text.lines().filter(|line| line.contains("): Error") || line.contains("): Related"));
    let told = lines.filter_map(|line| {
        let (place, what) = line.split_once("): ")?;
        Some((place.split(',').next()?.to_owned(), what.to_owned()))
    });
    let mut told: Vec<(String, String)> = told.collect();
    told.sort();
    told
}

/// A text with an attribute at some of its assertions, assumptions and invariants.
fn marked(text: &str, seed: u64) -> String {
    let mut numbers = Numbers::new(seed);
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut line = line.to_owned();
        for word in ["assert ", "assume ", "invariant "] {
            // Not within comments, and where there are attributes already, these stay.
            let Some(at) = line.find(word).filter(|at| !line[..*at].contains("//")) else { continue };
            if line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let marks = ["", "{:split_here} ", "{:focus} ", "{:isolate} ", "{:isolate \"paths\"} "];
            let mark = marks[numbers.below(5)];
            line.insert_str(at + word.len(), mark);
        }
        let leave = ["return;", "return {:isolate};", "return {:isolate \"paths\"};"][numbers.below(3)];
        line = line.replace("return;", leave);
        // Not within expressions.
        if line.trim_start().starts_with("if (") {
            line = line.replacen("if (", "if {:allow_split} (", 1);
        }
        out += &line;
    }
    out
}

fn from_scratch(options: Options, text: &str) -> Seen {
    Session::with(Options { mode: Mode::Off, error_limit: 0, ..options }).verify("p.bpl", text)
}

#[test]
fn dividing_changes_no_verdict() {
    let names =
        ["polymorphic", "named", "bound", "code", "names", "theories", "values", "bodies", "conditions"];
    let mut divided = 0;
    for (name, seed) in names.into_iter().zip(0..) {
        let text = std::fs::read_to_string(fixture(&format!("language/{name}.bpl"))).expect("a fixture");
        let whole = from_scratch(options(), &text);
        let each = from_scratch(Options { each_check: true, ..options() }, &text);
        assert_eq!(errors(&each), errors(&whole), "{name}");
        let marked = marked(&text, seed);
        let seen = from_scratch(options(), &marked);
        assert_eq!(errors(&seen), errors(&whole), "{marked}");
        divided += seen.reports.iter().chain(&each.reports).filter(|it| it.pieces.len() > 1).count();
        // Whether an error has a model or a candidate for one is the solver's affair.
        let verdict = |it: &Report| match it.verdict {
            Verdict::Decided(Outcome::NotProved) => Verdict::Decided(Outcome::Refuted),
            ref verdict => verdict.clone(),
        };
        let verdicts = |seen: &Seen| seen.reports.iter().map(verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(&each), verdicts(&whole), "{name}");
        assert_eq!(verdicts(&seen), verdicts(&whole), "{name}");
    }
    assert!(divided > 50, "{divided} implementations were divided");
}

/// How many checks each piece of the first implementation of a text has.
fn sizes(options: Options, text: &str) -> Vec<usize> {
    let seen = from_scratch(options, text);
    let report = seen.reports.first().expect("it can be read");
    assert_eq!(report.verdict, Verdict::Decided(Outcome::Valid), "{}", seen.text);
    report.pieces.iter().map(|piece| piece.obligations.len()).collect()
}

#[test]
fn attributes_say_which_checks_are_asked_together() {
    let body = |attributes: &str, body: &str| {
        format!(
            "procedure {attributes} P(x: int) returns (r: int) requires x > 0; ensures r > 0; ensures r != 0; {{ {body} }}\n"
        )
    };
    let plain = "r := x; assert r > 0; assert r >= 1; assert r != -1;";
    for (attributes, text, expected) in [
        // One piece is the whole.
        ("", plain, vec![]),
        ("{:vcs_split_on_every_assert}", plain, vec![1, 1, 1, 1, 1]),
        ("{:vcs_split_on_every_assert false}", plain, vec![]),
        ("{:vcs_max_splits 2}", plain, vec![3, 2]),
        ("{:vcs_max_splits 9}", plain, vec![1, 1, 1, 1, 1]),
        ("{:vcs_max_splits 1}", plain, vec![]),
        (
            "{:vcs_max_splits 2}",
            "r := x; assert r > 0; assert {:isolate} r >= 1; assert r != -1;",
            vec![2, 1, 2],
        ),
        ("", "r := x; assert r > 0; assert {:isolate} r >= 1; assert r != -1;", vec![4, 1]),
        ("", "r := x; assert r > 0; assert {:split_here} r >= 1; assert r != -1;", vec![1, 4]),
        ("", "r := x; assert r > 0; assume {:split_here} true; assert r >= 1;", vec![1, 3]),
        // What comes before the first check is no piece.
        ("", "r := x; assert {:split_here} r > 0; assert r >= 1;", vec![]),
        // What does not lie behind the mark on all ways belongs to what comes before it.
        ("", "r := x; if (*) { assert {:split_here} r > 0; assert r > 0; } assert r >= 1;", vec![2, 3]),
        // Through the branch: what it checks, and what comes after; without it: what comes after.
        ("", "r := x; if (*) { assert {:focus} r > 0; } assert r >= 1;", vec![4, 3]),
        ("", "r := x; assert r != 0; if (*) { assert {:focus} r > 0; } assert r >= 1;", vec![4, 4]),
        // No way to what the second block checks avoids the first.
        (
            "",
            "assert {:focus} x > 0; r := x; goto a; a: assert {:focus} r > 0; goto b; b: assert r >= 1;",
            vec![1, 4],
        ),
        ("", "r := x; if (*) { assert {:focus} r > 0; } else { assert {:focus} r >= 1; }", vec![3, 3]),
        // Postconditions where control leaves: through one return, and through the others.
        ("", "r := x; if (*) { return {:isolate}; } assert r > 0; if (*) { return; }", vec![1, 2, 2]),
        ("{:vcs_split_on_every_assert}", "r := x; if (*) { return {:isolate}; }", vec![1, 1, 1, 1]),
        // On each path to it, as the branches tell them apart that allow it.
        ("", "r := x; if {:allow_split} (*) { r := 2; } assert {:isolate \"paths\"} r > 0;", vec![1, 1, 2]),
        ("", "r := x; if (*) { r := 2; } assert {:isolate \"paths\"} r > 0;", vec![1, 2]),
        // Branches that follow it, or lead nowhere, tell nothing apart.
        ("", "r := x; assert {:isolate \"paths\"} r > 0; if {:allow_split} (*) { r := 2; }", vec![1, 2]),
        ("", "r := x; if {:allow_split} (*) { return; } assert {:isolate \"paths\"} r > 0;", vec![1, 2]),
        // Two and two, or two, and one that avoids the second branch.
        (
            "",
            "r := x; if {:allow_split} (*) { r := 2; } if {:allow_split} (*) { r := 3; } assert {:isolate \"paths\"} r > 0;",
            vec![1, 1, 1, 1, 2],
        ),
        (
            "",
            "r := x; if {:allow_split} (*) { if {:allow_split} (*) { r := 2; } } assert {:isolate \"paths\"} r > 0;",
            vec![1, 1, 1, 2],
        ),
        (
            "",
            "r := x; if (*) { if {:allow_split} (*) { r := 2; } } assert {:isolate \"paths\"} r > 0;",
            vec![1, 1, 1, 2],
        ),
        (
            "",
            "r := x; goto {:allow_split} a, b, c; a: r := 2; goto d; b: r := 3; goto d; c: goto d; d: assert {:isolate \"paths\"} r > 0;",
            vec![1, 1, 1, 2],
        ),
        (
            "",
            "r := x; if {:allow_split} (*) { r := 2; } if (*) { return {:isolate \"paths\"}; } r := 4;",
            vec![2, 2, 2],
        ),
        // An invariant is checked twice; blocks are in an order in which what follows the loop comes before its end.
        ("", "r := x; while (*) invariant {:isolate} r > 0; { r := r + 1; }", vec![1, 2, 1]),
    ] {
        assert_eq!(sizes(options(), &body(attributes, text)), expected, "{attributes} {text}");
    }
    let each = Options { each_check: true, ..options() };
    assert_eq!(sizes(each.clone(), &body("", plain)), [1, 1, 1, 1, 1]);
    let three = Options { max_pieces: 3, ..options() };
    assert_eq!(sizes(three.clone(), &body("", plain)), [2, 2, 1]);
    // What a program says of an implementation counts more.
    assert_eq!(sizes(each, &body("{:vcs_split_on_every_assert false}", plain)), [0; 0]);
    assert_eq!(sizes(three, &body("{:vcs_max_splits 2}", plain)), [3, 2]);
}

/// Of exponentially many paths not all are told apart; what is not stays together.
#[test]
fn so_many_paths_at_most_are_asked_apart() {
    let text = |count: usize| {
        let branches = "if {:allow_split} (*) { r := r + 1; } ".repeat(count);
        format!(
            "procedure P(x: int) returns (r: int) requires x > 0; {{ r := x; {branches} \
                assert {{:isolate \"paths\"}} r > 0; }}\n"
        )
    };
    assert_eq!(sizes(options(), &text(5)).len(), 32);
    let many = sizes(options(), &text(30));
    assert!(many.len() > 32 && many.len() <= 64, "{}", many.len());
    // Each of them asks the check, so none is lost.
    let wrong = text(30).replace("r > 0; }", "r > 1; }");
    let seen = from_scratch(options(), &wrong);
    assert_eq!(seen.errors(), 1, "{}", seen.text);
}

/// What Boogie 3.5 proves, since the first assertion becomes an assumption in every piece.
#[test]
fn a_check_before_a_mark_is_asked_where_ways_are_in_focus() {
    let text = "procedure P(a: int) {\n  assume {:focus} true;\n  assert a == a + 1;\n  assert {:split_here} a >= a;\n}\n";
    let seen = from_scratch(options(), text);
    assert!(seen.errors() == 1 && seen.text.starts_with("p.bpl(3,3): Error"), "{}", seen.text);
}

/// What is checked before, but is not to be relied on, is not assumed in other pieces.
#[test]
fn pieces_rely_on_nothing_more_than_the_whole() {
    let text = "procedure P(x: int) {\n  assert {:subsumption 0} x > 0;\n  assert {:isolate} x > 0;\n  assert {:isolate} x >= 0;\n}\n\
        procedure Q(x: int) {\n  assert {:isolate} x > 0;\n  assert {:isolate} x > 1;\n  assert {:isolate} x > 0;\n}\n";
    let seen = from_scratch(options(), text);
    let lines: Vec<String> = errors(&seen).into_iter().map(|(place, _)| place).collect();
    assert_eq!(lines, ["p.bpl(2", "p.bpl(3", "p.bpl(7", "p.bpl(8"], "{}", seen.text);
}

/// Errors are told in the order of the text, no more of an implementation than the limit says.
#[test]
fn the_limit_of_errors_is_that_of_the_implementation() {
    let text = "procedure {:vcs_split_on_every_assert} P(x: int) {\n  assert x > 0;\n  assert x > 1;\n  assert x > 2;\n  assert x > 3;\n}\n";
    let lines = |limit: u32| {
        let options = Options { mode: Mode::Off, error_limit: limit, ..options() };
        let seen = Session::with(options).verify("p.bpl", text);
        errors(&seen).into_iter().map(|(place, _)| place).collect::<Vec<_>>()
    };
    assert_eq!(lines(0), ["p.bpl(2", "p.bpl(3", "p.bpl(4", "p.bpl(5"]);
    assert_eq!(lines(5), lines(0));
    assert_eq!(lines(2), ["p.bpl(2", "p.bpl(3"]);
}

/// Sums that the solver finds out about case by case, so that each assertion takes its time.
fn laborious(marks: [&str; 4]) -> String {
    let mut text = "procedure P(a: [int]int, b: [int]int, i: int, j: int) {\n".to_owned();
    for (at, mark) in marks.iter().enumerate() {
        let stores = |first: &str, second: &str| {
            (0..9).fold(format!("{first}[{at} := i]"), |map, n| format!("{map}[{second} + {n} := {n}]"))
        };
        let (one, other) = (stores("a", "i"), stores("b", "j"));
        text += &format!(
            "  assert {mark}(i == j && a == b) ==> ({one}[j] + {one}[j + 1] == {other}[i] + {other}[i + 1]);\n"
        );
    }
    text + "}\n"
}

fn limited(text: &str, limit: Option<u64>) -> Seen {
    from_scratch(Options { resource_limit: limit, ..options() }, text)
}

#[test]
fn each_piece_has_limits_of_its_own() {
    let apart = laborious(["{:isolate} "; 4]);
    let whole = laborious([""; 4]);
    let spent: Vec<u64> =
        limited(&apart, None).reports[0].pieces.iter().map(|piece| piece.resource).collect();
    let together = limited(&whole, None).reports[0].resource;
    let most = spent.iter().max().copied().unwrap_or(0);
    assert!(spent.len() == 4 && most + 100 < together, "{spent:?} {together}");
    let limit = Some((most + together) / 2);
    assert_eq!(limited(&apart, limit).reports[0].verdict, Verdict::Decided(Outcome::Valid));
    assert_eq!(limited(&whole, limit).reports[0].verdict, Verdict::Decided(Outcome::OutOfResource));
    // The sum of what they take is what is told.
    assert_eq!(limited(&apart, None).reports[0].resource, spent.iter().sum::<u64>());
}

/// A piece that runs out of its limits says nothing about the others, and is the only one to be asked again.
#[test]
fn what_was_decided_stays_decided() {
    let text = laborious(["{:isolate} "; 4]).replace("int) {\n", "int) {\n  assert {:isolate} i > 0;\n");
    let spent: Vec<u64> = limited(&text, None).reports[0].pieces.iter().map(|piece| piece.resource).collect();
    let others = spent[1..].iter().min().copied().unwrap_or(0);
    assert!(spent[0] + 100 < others, "{spent:?}");
    let options = Options { resource_limit: Some((spent[0] + others) / 2), ..options() };
    let folder = tempfile::tempdir().expect("a folder");
    let seen = Session::on_disk(folder.path(), options.clone()).verify("p.bpl", &text);
    let outcomes: Vec<Outcome> = seen.reports[0].pieces.iter().map(|piece| piece.outcome).collect();
    assert_eq!(outcomes[0], Outcome::Refuted);
    assert_eq!(outcomes[1..], [Outcome::OutOfResource; 4], "{}", seen.text);
    assert_eq!(errors(&seen).len(), 1, "{}", seen.text);
    assert!(seen.reports[0].limits_met, "{}", seen.text);
    // With the same limits the result is known, with larger ones what ran out of them is asked.
    let mut session = Session::on_disk(folder.path(), options.clone());
    let known = session.verify("p.bpl", &text);
    assert_eq!((known.reports[0].origin, known.reports[0].limits_met), (Origin::Disk, true));
    assert_eq!(session.verifier.counters().queries, 0);
    let mut session =
        Session::on_disk(folder.path(), Options { resource_limit: Some(20_000_000), ..options });
    let seen = session.verify("p.bpl", &text);
    assert_eq!(session.verifier.counters().queries, 4, "{}", seen.explanations);
    assert_eq!(errors(&seen).len(), 1);
    assert_eq!(seen.reports[0].verdict, Verdict::Decided(Outcome::Refuted));
    assert!(!seen.reports[0].limits_met, "{}", seen.text);
}

fn going(pieces: u32, limit: Option<u64>) -> Options {
    Options { keep_going: KeepGoing { pieces, ..KeepGoing::default() }, resource_limit: limit, ..options() }
}

/// What takes too long together is divided until it does not; with a cache and without, on one core and on several.
#[test]
fn what_runs_out_of_limits_is_divided_further() {
    let whole = laborious([""; 4]);
    let together = limited(&whole, None).reports[0].resource;
    let apart = &limited(&laborious(["{:isolate} "; 4]), None).reports[0];
    let most = apart.pieces.iter().map(|piece| piece.resource).max().unwrap_or(0);
    let limit = Some((most + together) / 2);
    assert_eq!(limited(&whole, limit).reports[0].verdict, Verdict::Decided(Outcome::OutOfResource));
    let folder = tempfile::tempdir().expect("a folder");
    let mut told = Vec::new();
    for (on_disk, cores) in [(false, 1), (true, 1), (true, 1), (false, 3)] {
        let cores = std::num::NonZeroUsize::new(cores).expect("some");
        let options = Options { cores, ..going(2, limit) };
        let mut session = match on_disk {
            true => Session::on_disk(folder.path(), options),
            false => Session::with(Options { mode: Mode::Off, ..options }),
        };
        let seen = session.verify("p.bpl", &whole);
        let report = &seen.reports[0];
        assert_eq!((&report.verdict, report.limits_met), (&Verdict::Decided(Outcome::Valid), false));
        let sizes: Vec<usize> = report.pieces.iter().map(|piece| piece.obligations.len()).collect();
        told.push((session.verifier.counters().queries, sizes));
    }
    // The third run knows the result of the second.
    assert_eq!((told[2].0, told.remove(2).1.len()), (0, 0));
    assert!(told.iter().all(|it| *it == told[0]) && told[0].1.len() > 1, "{told:?}");
    // Into more pieces at once.
    let seen = from_scratch(going(4, limit), &whole);
    let sizes: Vec<usize> = seen.reports[0].pieces.iter().map(|piece| piece.obligations.len()).collect();
    assert_eq!(sizes, [1, 1, 1, 1]);
    // What the program says of an implementation counts more.
    let own = |count: u32| {
        whole.replace("procedure P", &format!("procedure {{:vcs_max_keep_going_splits {count}}} P"))
    };
    assert_eq!(limited(&own(2), limit).reports[0].verdict, Verdict::Decided(Outcome::Valid));
    assert_eq!(
        from_scratch(going(2, limit), &own(1)).reports[0].verdict,
        Verdict::Decided(Outcome::OutOfResource)
    );
}

/// Which queries are asked depends on the limits then, and with it which error is found first: what was found under
/// larger limits is not what smaller ones would find.
#[test]
fn what_is_divided_under_other_limits_is_asked_again() {
    let text = "function h<T>(x: T): int;\nvar g: int where g >= 1;\nvar k: int;\n\
        procedure {:vcs_max_keep_going_splits 2} P(a: int) returns (r: int)\n  \
        ensures g + 4 < old(k);\n  ensures h(a) != old(k);\n  modifies k;\n{\n  var l: int;\n  \
        while (l < 4)\n    invariant l <= 4 || l > 2;\n    invariant l <= 4 || l > 0;\n  { l := l + 1; }\n}\n";
    let under =
        |limit: u64| Options { error_limit: 1, switch_after: 0, resource_limit: Some(limit), ..options() };
    let folder = tempfile::tempdir().expect("a folder");
    let mut different = std::collections::BTreeSet::new();
    for limit in [20_000_000, 1_500, 1_300, 1_100, 900, 700] {
        let scratch = Session::with(Options { mode: Mode::Off, ..under(limit) }).verify("p.bpl", text);
        let seen = Session::on_disk(folder.path(), under(limit)).verify("p.bpl", text);
        assert_eq!(errors(&seen), errors(&scratch), "{limit}");
        assert_eq!(seen.reports[0].verdict, scratch.reports[0].verdict, "{limit}");
        different.insert(errors(&scratch));
    }
    assert!(different.len() > 1, "the limits decide nothing here: {different:?}");
}

/// One check is divided by the ways to it; what takes too long on a single one is an error there.
#[test]
fn the_last_to_be_divided_are_paths() {
    let branch = |at: usize| format!("if (i == {at}) {{ k := {at}; }} ");
    let sums = |map: &str| (0..9).fold(map.to_owned(), |map, n| format!("{map}[k + {n} := {n}]"));
    let text = format!(
        "procedure P(a: [int]int, b: [int]int, i: int) {{\n  var k: int;\n  k := i;\n  {}{}{}\n  \
            assert a == b ==> {}[i + 1] == {}[i + 1];\n}}\n",
        branch(7),
        branch(8),
        branch(9),
        sums("a"),
        sums("b"),
    );
    let whole = limited(&text, None).reports[0].resource;
    let outcome = |limit: u64| {
        let seen = from_scratch(going(2, Some(limit)), &text);
        (
            seen.reports[0].verdict.clone(),
            seen.reports[0].pieces.len(),
            errors(&seen),
            seen.reports[0].limits_met,
        )
    };
    let (verdict, pieces, found, limits_met) = outcome(whole * 9 / 10);
    assert_eq!((verdict, found, limits_met), (Verdict::Decided(Outcome::Valid), Vec::new(), false));
    assert!(pieces > 1);
    let (verdict, _, found, limits_met) = outcome(200);
    assert_eq!((verdict, limits_met), (Verdict::Decided(Outcome::NotProved), true));
    assert_eq!(found, [("p.bpl(5".to_owned(), "Error: this assertion could not be proved".to_owned())]);
    // Nobody found values with which it fails.
    let seen = from_scratch(Options { values: true, ..going(2, Some(200)) }, &text);
    let valued: Vec<bool> =
        seen.reports[0].errors.iter().map(|error| error.counterexample.is_some()).collect();
    assert_eq!(valued, [false]);
}

/// Whatever the limits are: what is proved in pieces is proved, and what is told without a word of limits is all.
#[test]
fn dividing_further_proves_nothing_false() {
    let (mut divided, mut proved, mut cut_short) = (0, 0, 0);
    for name in ["named", "bound", "code", "bodies", "conditions"] {
        let text = std::fs::read_to_string(fixture(&format!("language/{name}.bpl"))).expect("a fixture");
        let sure = from_scratch(options(), &text);
        for limit in [200, 400, 600, 1_000] {
            let seen = from_scratch(going(2, Some(limit)), &text);
            for (here, sure) in seen.reports.iter().zip(&sure.reports) {
                let lines = |report: &Report| {
                    let spans = report.errors.iter().map(|error| error.diagnostic.span);
                    spans.collect::<std::collections::BTreeSet<_>>()
                };
                divided += usize::from(here.pieces.len() > 1);
                cut_short += usize::from(here.limits_met);
                if here.verdict == Verdict::Decided(Outcome::Valid) {
                    proved += usize::from(here.pieces.len() > 1);
                    assert_eq!(sure.verdict, here.verdict, "{name} {limit} {}", here.name);
                } else if !here.limits_met {
                    assert_eq!(lines(here), lines(sure), "{name} {limit} {}", here.name);
                }
            }
        }
    }
    assert!(divided > 20 && proved > 2 && cut_short > 20, "{divided} {proved} {cut_short}");
}

const EDITED: &str = "procedure P(x: int) returns (r: int)\n  requires x > 0;\n{\n  r := x;\n  assert r > 0;\n  \
    assert {:split_here} r >= 1;\n  r := r + 1;\n  assert {:split_here} r > 1;\n}\n";

#[test]
fn an_edit_costs_the_pieces_that_it_changes() {
    let mut session = Session::in_memory();
    let seen = session.verify("p.bpl", EDITED);
    assert_eq!(session.verifier.counters().queries, 3);
    assert_eq!(seen.explanations, "P: verified (high priority): valid: no result of it is stored\n");
    // The last piece is another one.
    let edited = EDITED.replace("r + 1", "r + 2");
    let seen = session.verify("p.bpl", &edited);
    assert_eq!(session.verifier.counters().queries, 4);
    assert_eq!(
        seen.explanations,
        "P: verified (medium priority): valid: its body changed, but 2 of its 3 queries were answered before\n"
    );
    // What no query shows costs none.
    let edited = edited.replace("{\n  r := x;", "{\n  var y: int;\n  havoc y;\n  r := x;");
    let seen = session.verify("p.bpl", &edited);
    assert_eq!(session.verifier.counters().queries, 4);
    assert_eq!(
        (seen.reports[0].origin, seen.explanations.as_str()),
        (
            Origin::SameQuery,
            "P: reused, since its query was answered before (medium priority): valid: its body changed, but its \
                queries are ones that were answered before\n"
        )
    );
    // Without marks it is asked as a whole; what is stored of pieces is another result.
    let seen = session.verify("p.bpl", &edited.replace("{:split_here} ", ""));
    assert_eq!((session.verifier.counters().queries, seen.asked()), (5, vec!["P"]));
    let seen = session.verify("p.bpl", &edited);
    assert_eq!((session.verifier.counters().queries, seen.reports[0].origin), (5, Origin::Memory));
}

/// An option that divides is part of what a result is stored under.
#[test]
fn the_option_is_part_of_the_key() {
    let text = "procedure P(x: int) { assert x == x; assert x >= x; }\n";
    let folder = tempfile::tempdir().expect("a folder");
    // Two pieces are asked with the queries of each check; what is stored of the whole is another result.
    for (each_check, max_pieces, queries, origin) in [
        (false, 1, 1, Origin::Solver),
        (true, 1, 2, Origin::Solver),
        (false, 1, 0, Origin::Disk),
        (true, 1, 0, Origin::Disk),
        (false, 2, 0, Origin::SameQuery),
        (false, 2, 0, Origin::Disk),
    ] {
        let options = Options { each_check, max_pieces, ..options() };
        let mut session = Session::on_disk(folder.path(), options);
        let seen = session.verify("p.bpl", text);
        assert_eq!((session.verifier.counters().queries, seen.reports[0].origin), (queries, origin));
        if max_pieces == 2 && origin == Origin::SameQuery {
            assert_eq!(seen.reports[0].because[0], "the option `pieces` changed");
        }
    }
}

/// With a cache and without, with one solver and with several: the same queries, verdicts and resources.
#[test]
fn pieces_are_asked_the_same_with_any_cache_and_any_number_of_solvers() {
    let text = std::fs::read_to_string(fixture("language/bodies.bpl")).expect("a fixture");
    let run = |mode: Mode, cores: usize| {
        let cores = std::num::NonZeroUsize::new(cores).expect("some");
        let options = Options { mode, cores, each_check: true, log_queries: true, ..options() };
        let seen = Session::with(options).verify("p.bpl", &text);
        let told = seen.reports.iter().map(|it| (it.query.clone(), it.verdict.clone(), it.resource));
        told.collect::<Vec<_>>()
    };
    let expected = run(Mode::Off, 1);
    assert!(
        expected
            .iter()
            .any(|(query, ..)| query.as_ref().is_some_and(|it| it.matches("check-sat").count() > 1))
    );
    assert_eq!(run(Mode::ReadWrite, 1), expected);
    assert_eq!(run(Mode::Off, 3), expected);
}

/// A counterexample of a piece is one of the implementation.
#[test]
fn pieces_have_values() {
    let text = "procedure P(x: int) returns (y: int)\n{\n  y := x + 1;\n  assert {:isolate} x != 5;\n  assert {:isolate} y != 9;\n}\n";
    let options = Options { values: true, ..options() };
    let mut session = Session::with(options);
    for round in 0..2 {
        let seen = session.verify("p.bpl", text);
        let initial = |at: usize| {
            let found = seen.reports[0].errors[at].counterexample.as_ref().expect("values were asked for");
            format!("{:?}", found.initial)
        };
        assert!(
            initial(0).contains("(\"x\", Int(\"5\"))") && initial(1).contains("(\"x\", Int(\"8\"))"),
            "{round}"
        );
    }
}
