//! `ivl boogie` on programs of the kinds that Boogie's suite has: what it prints, word for word. The expectations are
//! Boogie's: those of traces and verdicts are what Boogie 2.4.1 answers, in the words of 3.5.

use std::path::Path;
use std::process::Command;

use ivl_verifier::service::{Expansion, Options};

use crate::support::{Session, options};

/// What `ivl boogie` prints about a program, and its exit code.
fn boogie(folder: &Path, options: &[&str], program: &str) -> (String, Option<i32>) {
    std::fs::write(folder.join("p.bpl"), program).expect("the folder is ours");
    let output = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .args(["boogie", "-useBaseNameForFileName", "-timeLimit:60"])
        .args(options)
        .arg("p.bpl")
        .current_dir(folder)
        .env("REPRISE_CACHE", "off")
        .output()
        .expect("the program starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code())
}

/// Compares the lines that are printed, without white space around them.
fn check(options: &[&str], program: &str, expected: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let (found, code) = boogie(folder.path(), options, program);
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let lines = |text: &str| lines(text).into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>();
    assert_eq!(lines(&found), lines(expected), "{options:?}\n{program}\n{found}");
    assert_eq!(code, Some(0));
}

const ASSERTION: &str = "Error: this assertion could not be proved";

#[test]
fn traces_name_the_blocks_in_which_something_is_said() {
    // A loop without invariants has nothing at its head, nor where it ends, and `outer` only leads to one. The last
    // block is reached on several ways, and what is known there is what each of them says at its end.
    let program = "procedure P(n: int)
{
  var i, j: int;
  i := 0;
  outer:
  while (i < n)
  {
    j := 0;
    while (j < i) invariant j <= i;
    {
      if (j == 3) { break outer; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i >= n;
}
";
    let expected = format!(
        "p.bpl(9,19): Error: this loop invariant could not be proved on entry
        Execution trace:
            p.bpl(4,5): anon0
            p.bpl(8,7): anon7_LoopBody
        p.bpl(16,3): {ASSERTION}
        Execution trace:
            p.bpl(4,5): anon0
            p.bpl(8,7): anon7_LoopBody
            p.bpl(9,5): anon8_LoopHead
            p.bpl(11,7): anon8_LoopBody
            p.bpl(11,21): anon9_Then
            p.bpl(16,3): anon6
        Boogie program verifier finished with 0 verified, 2 errors"
    );
    check(&[], program, &expected);
}

#[test]
fn a_block_that_can_only_come_after_another_is_a_part_of_it() {
    let program = "procedure P(x: int)
{
  A: assume x > 0; goto B;
  B: assume x > 1; goto C, D;
  C: assert x > 2; goto E;
  D: goto E;
  E: assert x > 1;
}
";
    let trace = |blocks: &str| {
        format!(
            "p.bpl(5,6): {ASSERTION}
            Execution trace:
            {blocks}
            p.bpl(5,3): C
            Boogie program verifier finished with 0 verified, 1 error"
        )
    };
    check(&[], program, &trace("p.bpl(3,3): A"));
    check(&["-coalesceBlocks:0"], program, &trace("p.bpl(3,3): A\np.bpl(4,3): B"));
}

#[test]
fn empty_blocks_are_told_where_they_are_to_be_kept() {
    let program = "procedure {:inline 1} Q() { }
procedure P(x: int)
{
  call Q();
  if (*) { } else if (x > 0) { assert x > 1; }
}
";
    let trace = |blocks: &str| {
        format!(
            "p.bpl(5,32): {ASSERTION}
            Execution trace:
            {blocks}
            p.bpl(5,32): anon4_Then
            Boogie program verifier finished with 0 verified, 1 error"
        )
    };
    check(&[], program, &trace("p.bpl(4,3): anon0"));
    let all = "p.bpl(4,3): anon0
        p.bpl(1,23): inline$Q$0$Entry
        p.bpl(1,29): inline$Q$0$anon0
        p.bpl(1,23): inline$Q$0$Return
        p.bpl(4,3): anon0$1
        p.bpl(5,19): anon3_Else";
    check(&["-removeEmptyBlocks:0"], program, &trace(all));
}

/// Of selective checking, what is checked: the columns of the assertions that fail.
#[test]
fn selective_checking_assumes_what_comes_before_its_start() {
    let fails = |attributes: &str, body: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let program = format!(
            "procedure Q(x: int); requires x > 5;\nprocedure {attributes} P(x: int) returns (y: int)\nensures y > x;\n{{\n{body}\n}}\n"
        );
        let (text, _) = boogie(folder.path(), &["-errorTrace:0"], &program);
        let places = text.lines().filter(|line| line.contains("Error:"));
        places.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let selective = "{:selective_checking}";
    let nothing: [&str; 0] = [];
    // Nothing starts: nothing is checked.
    assert_eq!(fails(selective, "assert x > 0; call Q(x);"), nothing);
    assert_eq!(fails("{:selective_checking false}", "assert x > 0; y := x + 1;"), ["p.bpl(5,1)"]);
    // What starts is checked, and what was assumed before it is known there.
    let start = "assert x > 0;\nassert {:start_checking_here} x > 1;\nassert x > 0; y := x + 1;";
    assert_eq!(fails(selective, start), ["p.bpl(6,1)"]);
    let start = "assume {:start_checking_here} true;\nassert x > 1; y := x;";
    assert_eq!(fails(selective, start), ["p.bpl(6,1)", "p.bpl(7,1)"]);
    // On the other way too, but only behind the meeting point.
    let ways = "if (*) { assert {:start_checking_here} true; } else {\nassert x > 8; }\ncall Q(x);\ny := x;";
    assert_eq!(fails(selective, ways), ["p.bpl(7,1)", "p.bpl(9,1)"]);
    // Not around a loop: the head of the loop is not behind its body.
    let around =
        "while (*) {\nassert x > 3;\nassert {:start_checking_here} x > 4; }\nassert x > 5; y := x + 1;";
    assert_eq!(fails(selective, around), ["p.bpl(7,1)"]);
    // Without the attribute, the start has no meaning.
    assert_eq!(fails("", "assert {:start_checking_here} x > 1; y := x + 1;"), ["p.bpl(5,1)"]);
}

/// A run in a folder with the files `p.bpl` and `q.bpl`: what it prints on both streams, and its exit code.
fn run(options: &[&str], input: &str) -> (String, String, Option<i32>) {
    use std::io::Write;
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is ours");
    write("p.bpl", "procedure P(x: int) { assert x == x; }\n");
    write("q.bpl", "procedure Q(x: int)\n{ assert x > 0; assert x > 0; if (x > 5) { assert x > 9; } }\n");
    write("list.txt", "p.bpl\nq.bpl\n");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .arg("boogie")
        .args(options)
        .current_dir(folder.path())
        .env("REPRISE_CACHE", "off")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("it is piped");
    // A program that refuses its options reads nothing.
    drop(pipe.write_all(input.as_bytes()));
    drop(pipe);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn a_command_line_that_cannot_be_followed_is_refused_in_boogies_words() {
    let help = "Use /help for available options\n";
    for (options, stdout, stderr) in [
        (&["-foo", "p.bpl"][..], help, "Boogie: Error: unknown switch: -foo\n"),
        (&["-foo:3", "p.bpl"], help, "Boogie: Error: unknown switch: -foo\n"),
        // What begins like a path is one, unless it is an option.
        (
            &["/foo:3", "p.bpl"],
            "*** Error: '/foo:3': Filename extension '' is not supported. Input files must be BoogiePL programs \
             (.bpl).\n",
            "",
        ),
        (
            &["-foo", "-bar", "p.bpl"],
            help,
            "Boogie: Error: unknown switch: -foo\nBoogie: Error: unknown switch: -bar\n",
        ),
        (&["-infer:q", "p.bpl"], help, "Boogie: Error: Invalid argument 'q' to option -infer\n"),
        (
            &["-infer:s3", "p.bpl"],
            help,
            "Boogie: Error: Option -infer requires the selection of exactly one abstract domain\n",
        ),
        (
            &["-vcsLoad:5", "p.bpl"],
            help,
            "Boogie: Error: surprisingly high load specified; got 5, expected nothing above 3.0\n",
        ),
        (&["-errorLimit:x", "p.bpl"], help, "Boogie: Error: Invalid argument \"x\" to option -errorLimit\n"),
        (&["p.bpl", "-errorLimit"], help, "Boogie: Error: \"-errorLimit\" expects 1 argument\n"),
        (&["/vcsCores:0", "p.bpl"], help, "Boogie: Error: Invalid argument \"0\" to option /vcsCores\n"),
        (
            &["-subsumption:3", "p.bpl"],
            help,
            "Boogie: Error: Invalid argument \"3\" to option -subsumption\n",
        ),
        (&["/noVerify:1", "p.bpl"], help, "Boogie: Error: \"/noVerify\" cannot take a colon argument\n"),
        (
            &["-trace:", "p.bpl"],
            help,
            "Boogie: Error: \"-trace\" cannot take a colon argument\nBoogie: Error: unknown switch: -trace\n",
        ),
        (&["-inline:x", "p.bpl"], help, "Boogie: Error: Invalid argument \"x\" to option -inline\n"),
        (&[], "*** Error: No input files were specified.\n", ""),
        (
            &["p.foo"],
            "*** Error: 'p.foo': Filename extension '.foo' is not supported. Input files must be BoogiePL \
             programs (.bpl).\n",
            "",
        ),
        (&["a.bpl"], "Error opening file \"a.bpl\": Could not find file 'a.bpl'.\n", ""),
    ] {
        assert_eq!(run(options, ""), (stdout.to_owned(), stderr.to_owned(), Some(1)), "{options:?}");
    }
}

#[test]
fn programs_come_from_files_lists_and_standard_input() {
    let (text, _, code) = run(&["list.txt", "-errorTrace:0", "-proc:P"], "");
    assert_eq!((text.trim(), code), ("Boogie program verifier finished with 1 verified, 0 errors", Some(0)));
    for name in ["-", "stdin.bpl"] {
        let (text, _, _) = run(&["-errorTrace:0", name], "procedure R() { assert false; }");
        assert!(text.starts_with("stdin.bpl(1,17): Error: this assertion could not be proved\n"), "{text}");
    }
    let (text, _, _) = run(&["-env:2", "/quiet", "p.bpl"], "");
    assert_eq!(text, "---Command arguments\n-env:2\n/quiet\np.bpl\n--------------------\n");
}

/// Numbers that differ from run to run.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for piece in text.split_inclusive(['[', ']', '"']) {
        let timed = piece.contains(" s, solver") || piece.ends_with(" s]") || piece.contains("Z\"");
        let number = piece.trim_end_matches(['"', ']']).parse::<f64>().is_ok_and(|it| it.fract() != 0.0);
        out.push_str(if timed || number { "*" } else { piece });
    }
    out
}

#[test]
fn a_trace_tells_what_was_asked() {
    let (text, _, _) = run(&["-trace", "-errorTrace:0", "p.bpl", "q.bpl"], "");
    let expected = "Parsing p.bpl\nParsing q.bpl\nCoalescing blocks...\nInlining...\n\n\
        Verifying P ...\n  [*  verified\n\nVerifying Q ...\n  [*  errors\n\
        q.bpl(2,3): Error: this assertion could not be proved\n\
        q.bpl(2,44): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 1 verified, 2 errors\n";
    assert_eq!(without_numbers(&text), expected, "{text}");
    assert!(
        text.contains(", 1 proof obligation]  verified") && text.contains(", 3 proof obligations]  errors")
    );
    let (text, _, _) = run(&["-tracePOs", "-errorTrace:0", "q.bpl"], "");
    assert!(text.starts_with("\nVerifying Q ...\n  [3 proof obligations]  errors\nq.bpl(2,3)"), "{text}");
    let (text, _, _) = run(&["-trace", "-vcsSplitOnEveryAssert", "-errorTrace:0", "q.bpl"], "");
    let splits: Vec<&str> = text.lines().filter(|line| line.contains("checking split")).collect();
    assert_eq!(splits.len(), 3, "{text}");
    let done = text.lines().filter(|line| line.contains("--> split #"));
    let outcomes: Vec<&str> = done.map(|line| line.rsplit(' ').next().unwrap_or_default()).collect();
    assert_eq!(outcomes, ["Invalid", "Valid", "Invalid"]);
}

/// What stands between brackets differs from run to run.
fn without_times(text: &str) -> Vec<String> {
    let plain = |line: &str| match (line.find('['), line.find(']')) {
        (Some(from), Some(to)) if from < to => format!("{}[]{}", &line[..from], &line[to + 1..]),
        _ => line.to_owned(),
    };
    text.lines().map(plain).collect()
}

#[test]
fn a_trace_tells_the_search_for_bounds_also_where_nothing_is_proved() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "procedure P() { var i: int; i := 0; while (i < 3) { i := i + 1; } assert i == 3; }\n";
    let begun = ["Parsing p.bpl", "Coalescing blocks...", "Inlining..."];
    let searched = ["", "Running abstract interpretation...", "  []"];
    let proved = ["", "Verifying P ...", "  []  verified"];
    let summed = ["", "Boogie program verifier finished with 1 verified, 0 errors"];
    let nothing = ["", "Boogie program verifier finished with 0 verified, 0 errors"];
    for (options, expected) in [
        (&["-trace", "-infer:j"][..], [&begun[..], &searched, &proved, &summed].concat()),
        (&["-trace", "-infer:j", "-noVerify"], [&begun[..], &searched, &nothing].concat()),
        (&["-infer:j"], summed.to_vec()),
    ] {
        let (text, _) = boogie(folder.path(), options, program);
        assert_eq!(without_times(&text), expected, "{options:?}");
    }
    let (text, _) = boogie(folder.path(), &["-trace"], program);
    assert!(!text.contains("abstract"), "{text}");
}

#[test]
fn a_trace_tells_each_place_that_control_might_not_come_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "procedure P(x: int) requires x > 0; { if (x < 0) { assert x == 5; } else { assert x > 0; } }\n\
        procedure Q(x: int) { assert x == x; }\nprocedure R(x: int) { assert x > 0; }\n";
    let (text, _) = boogie(folder.path(), &["-trace", "-smoke", "-errorTrace:0"], program);
    let wanted = ["soundness", "found", "Verifying", "verified", "error"];
    let lines: Vec<_> =
        without_times(&text).into_iter().filter(|it| wanted.iter().any(|word| it.contains(word))).collect();
    assert_eq!(
        lines,
        [
            "    soundness smoke test #0 ...   [] OOPS",
            "found unreachable code:",
            "    soundness smoke test #1 ...   [] OK",
            "Verifying P ...",
            "  []  verified",
            "    soundness smoke test #0 ...   [] OK",
            "Verifying Q ...",
            "  []  verified",
            "Verifying R ...",
            "  []  error",
            "Boogie program verifier finished with 2 verified, 1 error",
        ],
        "{text}"
    );
}

/// As Boogie 2.4.1 counts: what stands behind `assume false` in its block holds, and is counted all the same.
#[test]
fn checks_behind_the_end_of_control_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "procedure E(x: int); requires x > 7; free requires x > 8; requires x > 9;\n\
        procedure A(x: int) { assert x == x; assume false; assert x > 1; call E(x); assume x > 3; }\n\
        procedure B(x: int) { if (x > 0) { assume false; assert x > 1; return; } assert x <= 0; }\n\
        procedure C(x: int) { assume false; while (x > 5) invariant x > 2; { assert x > 3; } }\n\
        procedure D(x: int) { assert false; assert x > 1; }\n\
        procedure F(x: int) { assume 1 > 2; free call E(x); }\n\
        procedure {:selective_checking} G(x: int) { assume false; assert x > 1; }\n\
        procedure {:selective_checking} H(x: int) { assume {:start_checking_here} true; assume false; assert x > 2; }\n\
        procedure I(x: int); ensures x > 1;\n\
        implementation I(x: int) { assert false; }\n\
        procedure J(x: int) { while (*) invariant false; invariant x > 0; { assert x > 1; } }\n";
    let (text, _) = boogie(folder.path(), &["-trace"], program);
    let counts: Vec<&str> =
        text.lines().filter_map(|it| it.split_once(" proof obligation")?.0.rsplit(' ').next()).collect();
    assert_eq!(counts, ["4", "2", "0", "2", "0", "0", "1", "2", "2"], "{text}");
    boogie(folder.path(), &["-xml:out.xml"], program);
    let text = std::fs::read_to_string(folder.path().join("out.xml")).expect("it was written");
    assert_eq!(text.matches("<assertion ").count(), 13, "{text}");
}

/// What the program has words for is an assertion's and has no place in Boogie's results, unless its own words are
/// not wanted.
#[test]
fn what_fails_with_words_of_the_program_has_no_place_in_xml() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "procedure A(x: int) { assert {:msg \"own\"} x > 0; }\n\
        procedure P(x: int) requires {:msg \"pre\"} x > 5; ensures {:msg \"post\"} x > 6; {}\n\
        procedure B(x: int) { call P(x); }\n\
        procedure C(x: int) { var i: int; while (i < x) invariant {:msg \"inv\"} i < 7; { i := i + 1; } }\n";
    let errors = |more: &[&str]| -> Vec<String> {
        boogie(folder.path(), &[&["-xml:out.xml"], more].concat(), program);
        let text = std::fs::read_to_string(folder.path().join("out.xml")).expect("it was written");
        let wanted = |it: &&str| it.contains("<error") || it.contains("<related");
        text.lines().filter(wanted).map(|it| it.trim().replace(" file=\"p.bpl\"", "")).collect()
    };
    assert_eq!(
        errors(&[]),
        [
            "<error message=\"assertion violation\">",
            "<error message=\"assertion violation\">",
            "<error message=\"assertion violation\">",
            "<error message=\"loop invariant entry violation\" line=\"4\" column=\"49\">",
            "<error message=\"loop invariant maintenance violation\" line=\"4\" column=\"49\">",
        ]
    );
    assert_eq!(
        errors(&["-forceBplErrors"])[..5],
        [
            "<error message=\"assertion violation\" line=\"1\" column=\"23\">",
            "<error message=\"postcondition violation\" line=\"2\" column=\"80\">",
            "<related line=\"2\" column=\"50\" />",
            "<error message=\"precondition violation\" line=\"3\" column=\"23\">",
            "<related line=\"2\" column=\"21\" />",
        ]
    );
}

#[test]
fn results_are_written_as_xml() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "procedure {:vcs_split_on_every_assert} P(x: int) { assert x > 0; assert x > 0; }\n\
        procedure Q(); ensures false;\nprocedure R() { call Q(); }\n";
    let (_, code) = boogie(folder.path(), &["-xml:out.xml"], program);
    assert_eq!(code, Some(0));
    let text = std::fs::read_to_string(folder.path().join("out.xml")).expect("it was written");
    for line in [
        "<file name=\"p.bpl\">",
        "<method name=\"P\" startTime=\"",
        "<error message=\"assertion violation\" file=\"p.bpl\" line=\"1\" column=\"52\">",
        "<traceNode file=\"p.bpl\" line=\"1\" column=\"52\" label=\"anon0\" />",
        "<assertionBatch number=\"2\" iteration=\"0\" startTime=\"",
        "<assertion file=\"p.bpl\" line=\"1\" column=\"66\" />",
        "outcome=\"errors\" />",
        "<method name=\"R\" startTime=\"",
        "outcome=\"correct\" />",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let outcomes: Vec<&str> =
        text.split("outcome=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    assert_eq!(outcomes, ["invalid", "valid", "errors", "valid", "correct"]);
    // Every element that opens closes.
    let count = |mark: &str| text.matches(mark).count();
    for name in ["boogie", "file", "method", "error", "trace", "assertionBatch"] {
        let opened = count(&format!("<{name} ")) + count(&format!("<{name}>"));
        assert_eq!(opened, count(&format!("</{name}>")), "{name}\n{text}");
    }
}

/// The names that `-trackVerificationCoverage` tells of a program, in its order; and its verdict.
fn needed(program: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, _) =
        boogie(folder.path(), &["-trackVerificationCoverage", "-trace", "-errorTrace:0"], program);
    let whole = text.split("Proof dependencies of whole program:\n").nth(1).unwrap_or_default();
    let names = whole.lines().take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned());
    (names.collect(), text.lines().last().unwrap_or_default().to_owned())
}

/// With a cache as without: what a proof needs is found out each time, whatever is known of it.
#[test]
fn coverage_is_told_again_where_results_are_known() {
    let program = "function f(x: int): int; axiom {:id \"a\"} (forall x: int :: {f(x)} f(x) > 3);
        procedure P(x: int) { assert f(x) > 2; }";
    let expansion = Expansion { track: true, ..Expansion::default() };
    let mut session = Session::with(Options { expansion, thrifty: false, ..options() });
    for version in [program.to_owned(), format!("\n{program}"), program.replace("f(x) > 2", "f(x) > 1")] {
        let seen = session.verify("p.bpl", &version);
        let needs: Vec<&[String]> = seen.reports.iter().map(|report| report.needs.as_slice()).collect();
        assert_eq!(needs, [["a".to_owned()]], "{version}");
    }
    // What is found out about the variant is no result of the program.
    session = Session::with(Options { expansion, ..options() });
    session.verify("p.bpl", program);
    let without = program.replace("f(x) > 3", "f(x) > 1");
    assert_eq!(session.verify("p.bpl", &without).errors(), 1);
}

/// Each proof has one smallest set of parts that it needs.
#[test]
fn coverage_tells_what_proofs_need() {
    let cases: &[(&str, &[&str])] = &[
        ("procedure P(n: int) { assume {:id \"a\"} n > 0; assert {:id \"g\"} n >= 0; }", &["a", "g"]),
        // What follows from less is not needed, and an assumption that nothing uses neither.
        (
            "procedure P(n: int) { assume n > 0; assume {:id \"a\"} n > 5; assert {:id \"g\"} n >= 0; }",
            &["g"],
        ),
        // Behind contradicting assumptions, checks need no proof.
        (
            "procedure P(n: int) requires {:id \"r\"} n > 0; { assume {:id \"a\"} n < 0; assert {:id \"g\"} n == 7; }",
            &["a", "r"],
        ),
        // Assignments, at their last use; and postconditions.
        (
            "procedure P() returns (r: int) ensures {:id \"e\"} r == 4; ensures {:id \"f\"} true;
             { var x: int; x := {:id \"x1\"} 9; x := {:id \"x2\"} 3; r := {:id \"x3\"} x + 1; }",
            &["e", "f", "x2", "x3"],
        ),
        // A call proves its callee's preconditions and gives its postconditions, under its own name.
        (
            "procedure Q(x: int) returns (y: int); requires {:id \"r\"} x > 0; ensures {:id \"e1\"} y > x;
             ensures {:id \"e2\"} y < 100;
             procedure P(x: int) requires {:id \"own\"} x > 5; { var y: int;
               call {:id \"c\"} y := Q(x); assert {:id \"g\"} y > 5; call y := Q(y); }",
            &["ensures clause e1 from call c", "g", "own", "requires clause r proved for call c"],
        ),
        // An invariant counts three times.
        (
            "procedure P(n: int) { var i: int; i := 0;
             while (i < n) invariant {:id \"i\"} i >= 0; invariant {:id \"j\"} 0 == 0; { i := i + 1; }
             assert {:id \"g\"} i >= 0; }",
            &[
                "g",
                "invariant i assumed in body",
                "invariant i established",
                "invariant i maintained",
                "invariant j established",
                "invariant j maintained",
            ],
        ),
        // Axioms.
        (
            "function f(x: int): int; axiom {:id \"x1\"} (forall x: int :: {f(x)} f(x) > x);
             axiom {:id \"x2\"} (forall x: int :: {f(x)} f(x) != 3);
             procedure P(x: int) { assert {:id \"g\"} f(x) >= x; }",
            &["g", "x1"],
        ),
        // As in dictionaries.
        (
            "procedure P(n: int) { assert {:id \"a1\"} 0 == 0; assert {:id \"A_b\"} 1 == 1; assert {:id \"ab\"} 2 == 2; }",
            &["A_b", "a1", "ab"],
        ),
        // What is not verified needs nothing.
        ("procedure P(n: int) { assume {:id \"a\"} n > 0; assert {:id \"g\"} n > 1; }", &[]),
    ];
    for (program, expected) in cases {
        let (names, last) = needed(program);
        assert_eq!(names, *expected, "{program}");
        let verified = if expected.is_empty() { "0 verified, 1 error" } else { "1 verified, 0 errors" };
        assert!(last.ends_with(verified), "{program}\n{last}");
    }
}

#[test]
fn traces_begin_with_the_first_block() {
    // What assumption variables are on entry is said before the first block; what ends at once is no loop.
    let program =
        "procedure P(n: int)\n{\n  var {:assumption} a: bool;\n  a := a && 0 <= n;\n  assert a;\n}\n";
    let expected = format!(
        "p.bpl(5,3): {ASSERTION}
        Execution trace:
            p.bpl(4,5): anon0
        Boogie program verifier finished with 0 verified, 1 error"
    );
    check(&[], program, &expected);
    let program = "procedure P()\n{\n  while (*)\n    invariant false;\n  {\n  }\n}\n";
    let expected = format!(
        "p.bpl(4,5): {ASSERTION}
        Execution trace:
            p.bpl(3,3): anon0
        Boogie program verifier finished with 0 verified, 1 error"
    );
    check(&[], program, &expected);
}

/// How many errors programs have when their loops are unrolled so often, as Boogie 2.4.1 counts them.
#[test]
fn nested_loops_share_the_back_edges_that_are_followed() {
    let program = "procedure N(n: int) { var i, j, k: int; i := 0; k := 0;
        while (i < n) invariant k >= 0; { j := 0; while (j < 2) { j := j + 1; k := k + 1; } i := i + 1; }
        assert k != 1; assert k != 2; assert k != 3; assert k != 4;
        while (k > 0) { k := k - 1; } assert k != 0 || i != 1; }\n";
    for (times, sound, errors) in [
        (0, false, 0),
        (1, false, 0),
        (3, false, 0),
        (4, false, 1),
        (6, false, 1),
        (2, true, 1),
        (4, true, 2),
    ] {
        let times = format!("-loopUnroll:{times}");
        let sound = if sound { "-soundLoopUnrolling" } else { "-errorTrace:0" };
        let folder = tempfile::tempdir().expect("a folder");
        let (text, _) = boogie(folder.path(), &[&times, sound], program);
        assert_eq!(text.matches("Error:").count(), errors, "{times} {sound}\n{text}");
    }
}

/// A block that continues the head of a loop is a part of it: what leads it is invariant. Seen with Boogie 2.4.1.
#[test]
fn what_continues_the_head_of_a_loop_leads_it_too() {
    let program = "procedure R() { L1: goto L2; L2: assert 1 == 2; L3: goto L1; }\n\
        procedure Q(x: int)\n{ var i: int;\n  i := 0;\n  A: assert i >= 0; goto B;\n\
        \x20 B: assume i < 10; goto C;\n  C: assert i <= 9; i := i + 1; assert i > 0; goto A, D;\n  D: return;\n}\n";
    let expected = "p.bpl(1,34): Error: this loop invariant could not be proved on entry\n\
        p.bpl(7,6): Error: this invariant could not be proved to be maintained by the loop\n\n\
        Boogie program verifier finished with 0 verified, 2 errors\n";
    check(&["-errorTrace:0"], program, expected);
    let apart = "p.bpl(1,34): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 1 verified, 1 error\n";
    check(&["-errorTrace:0", "-coalesceBlocks:0"], program, apart);
}
