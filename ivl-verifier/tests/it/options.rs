//! Options: of the command line, in Boogie's spellings and our own, and of single implementations.

use crate::command::{run, write};

#[test]
fn modifies_clauses_are_inferred_where_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "var g: int;\nprocedure P() { g := 1; }\nprocedure Q() { call P(); assert g == 1; }\n";
    write(folder.path(), "p.bpl", text);
    let (refused, code) = run(folder.path(), &["verify", "p.bpl"]);
    assert_eq!(code, 2, "{refused}");
    assert!(refused.contains("not in the enclosing procedure's modifies clause: g"), "{refused}");
    // Nothing is known of `g` behind the call, since `P` may change it.
    let (inferred, code) = run(folder.path(), &["verify", "--infer-modifies", "p.bpl"]);
    assert_eq!(code, 1, "{inferred}");
    assert!(inferred.contains("1 verified, 1 error"), "{inferred}");
}

#[test]
fn what_clients_pass_is_understood() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P(x: int) { assert x == x; }\n");
    let lines = [
        // The Move prover.
        "-doModSetAnalysis -printVerifiedProceduresCount:0 -printModel:1 -enhancedErrorMessages:1 -monomorphize \
         -proverOpt:O:model_validate=true -proverOpt:PROVER_PATH=/bin/sh -proverOpt:O:smt.QI.EAGER_THRESHOLD=100 \
         -proverOpt:O:smt.QI.LAZY_THRESHOLD=100 -useArrayTheory /proverOpt:O:smt.array.extensional=false \
         -vcsCores:4 -proverOpt:O:smt.random_seed=1 p.bpl",
        // Viper's Carbon.
        "/vcsCores:2 /errorTrace:0 /errorLimit:10000000 /proverOpt:O:smt.AUTO_CONFIG=false \
         /proverOpt:O:smt.PHASE_SELECTION=0 /proverOpt:O:smt.RESTART_STRATEGY=0 \
         /proverOpt:O:smt.RESTART_FACTOR=|1.5| /proverOpt:O:smt.ARITH.RANDOM_INITIAL_VALUE=true \
         /proverOpt:O:smt.CASE_SPLIT=3 /proverOpt:O:smt.DELAY_UNITS=true /proverOpt:O:NNF.SK_HACK=true \
         /proverOpt:O:smt.MBQI=false /proverOpt:O:smt.QI.EAGER_THRESHOLD=100 /proverOpt:O:smt.BV.REFLECT=true \
         /proverOpt:O:smt.qi.max_multi_patterns=1000 /proverOpt:PROVER_PATH=/bin/sh p.bpl",
        // Flags before the file, which is no value of theirs, and values as words of their own.
        "-restartProver -overlookTypeErrors -relaxFocus -reflectAdd -causalImplies -break -p:O:smt.mbqi=false \
         -recursionBound 4 -smokeTimeout 3 -runDiagnosticsOnTimeout -proverShutdownLimit:3 -proverOpt:LOGIC=ALL p.bpl",
        // Sui's prover, with the file in the middle.
        "-inferModifies p.bpl -infer:j -useArrayAxioms -trace -traceverify -verifySeparately \
         -vcsMaxKeepGoingSplits:2 -vcsSplitOnEveryAssert -vcsFinalAssertTimeout:600",
        // Ways to infer contracts, which come to the same.
        "-contractInfer -useUnsatCoreForContractInfer -reverseHoudiniWorklist -siVerbose:1 p.bpl",
        "-contractInfer -stagedHoudini:COARSE -stagedHoudiniThreads 2 -modifyTopologicalSorting \
         -variableDependenceIgnore x p.bpl",
        "-proverDll:SMTLib -vcsMaxSplits:0 -vcsLoad:0.5 -proverOpt:LOGIC= -emitDebugInformation 0 p.bpl",
        // BASIL, SMACK, solc-verify.
        "/printVerifiedProceduresCount:0 /timeLimit:10 /useArrayAxioms p.bpl",
        "p.bpl /doModSetAnalysis /useArrayTheory /timeLimit:10 /errorLimit:1 /loopUnroll:2",
        "/proc:P /doModSetAnalysis /errorTrace:0 /useArrayTheory /trace /infer:j p.bpl",
    ];
    for line in lines {
        let arguments: Vec<&str> = std::iter::once("boogie").chain(line.split_whitespace()).collect();
        let (text, code) = run(folder.path(), &arguments);
        let counted = if line.contains("printVerifiedProceduresCount:0") { "" } else { "1 verified, " };
        assert!(text.ends_with(&format!("finished with {counted}0 errors\n")), "{line}: {text}");
        assert_eq!(code, 0);
    }
}

/// `@PREFIX@` is what `-logPrefix` says, `@FILE@` the last file, `@TIME@` the moment, `@PROC@` the implementation.
#[test]
fn names_of_files_that_are_written_are_completed() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("in")).expect("a folder");
    write(folder.path(), "in/p.bpl", "procedure P(x: int) { assert x == x; }\n");
    let options = [
        "boogie",
        "-logPrefix:a/",
        "-logPrefix:b",
        "-print:@PREFIX@.print",
        "-xml:@FILE@.xml",
        "-proverLog:@PREFIX@@PROC@.smt2",
        "-printModelToFile:m@TIME@",
        "-env:0",
        "in/p.bpl",
    ];
    let (text, code) = run(folder.path(), &options);
    assert_eq!(code, 0, "{text}");
    let names = std::fs::read_dir(folder.path()).expect("it is there");
    let mut names: Vec<String> =
        names.map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != "cache");
    names.sort();
    assert_eq!(names[..4], ["a-b.print", "a-bP.smt2", "in", "in-p.bpl.xml"]);
    // mYYYY-MM-DDTHH.MM.SS.mmmZ
    let moment: String = names[4].chars().map(|it| if it.is_ascii_digit() { '0' } else { it }).collect();
    assert_eq!((moment.as_str(), names.len()), ("m0000-00-00T00.00.00.000Z", 5));
}

/// `-checkInfer` makes assertions of what `-infer:j` finds, and these hold.
#[test]
fn inferred_bounds_can_be_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i >= 0; }\n";
    write(folder.path(), "p.bpl", text);
    let obligations = |more: &[&str]| {
        let (text, _) = run(folder.path(), &[&["boogie", "-tracePOs", "p.bpl"], more].concat());
        text.lines().find(|line| line.contains("proof obligation")).unwrap_or_default().to_owned()
    };
    assert_eq!(obligations(&["-infer:j"]), "  [1 proof obligation]  verified");
    // On entry, and by the body of the loop.
    assert_eq!(obligations(&["-infer:j", "-checkInfer"]), "  [3 proof obligations]  verified");
    let options = ["boogie", "-infer:j", "-checkInfer", "-printInstrumented", "p.bpl"];
    let (text, _) = run(folder.path(), &options);
    assert!(text.contains("// cut point\n    assert {:inferred} 0 <= i;\n"), "{text}");
    // Everywhere: before and after each of the four blocks, and once more at the head.
    assert_eq!(
        obligations(&["-infer:j", "-checkInfer", "-instrumentInfer:e"]),
        "  [11 proof obligations]  verified"
    );
}

#[test]
fn attributes_and_options_of_the_solver_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    for (asked, part) in [("-attrHelp", "{:always_assume}"), ("/proverHelp", "PROVER_PATH=PROGRAM")] {
        let (text, code) = run(folder.path(), &["boogie", asked]);
        assert!(code == 0 && text.contains(part), "{asked}: {text}");
    }
}

#[test]
fn libraries_bring_what_they_stand_on_and_none_comes_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(s: [int]bool) { assert Set_Contains(Set_Add(s, 3), 3); }\n";
    write(folder.path(), "p.bpl", text);
    for options in
        [&["-lib:base"][..], &["-lib:node"], &["/lib", "set_size"], &["-lib:base", "-lib:node", "-lib:base"]]
    {
        let (text, _) = run(folder.path(), &[&["boogie", "p.bpl"], options].concat());
        assert_eq!(text.trim(), "Boogie program verifier finished with 1 verified, 0 errors", "{options:?}");
    }
    assert_eq!(run(folder.path(), &["boogie", "-lib:none", "p.bpl"]).1, 1);
}

/// Procedures that need an option have it for themselves, and say how they are called.
#[test]
fn an_implementation_may_have_options_and_a_name_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let body =
        "{ assume (forall x: int :: {f(x)} x > 10 ==> f(x)); assert (exists x: int :: {f(x)} f(x)); }\n";
    let said = |attributes: &str| {
        let text =
            format!("function f(x: int): bool;\nprocedure Q() {body}procedure {attributes} P() {body}");
        write(folder.path(), "p.bpl", &text);
        run(folder.path(), &["verify", "p.bpl"]).0
    };
    // Whatever is known of the program without the attribute is not taken for it.
    assert!(said("").contains("0 verified, 2 errors"));
    assert!(said("{:smt_option \"mbqi\", false}").contains("0 verified, 2 errors"));
    assert!(said("{:smt_option \"nonsense\", 1}").contains("Z3 has no option nonsense"));
    assert!(said("{:smt_option \"smt.mbqi\", true}").contains("1 verified, 1 error"));
    assert!(
        said("{:smt_option \"mbqi\", false} {:smt_option \"MBQI\", \"true\"}")
            .contains("1 verified, 1 error")
    );
    // What is proved under one option says nothing under another.
    assert!(said("{:random_seed 7}").contains("0 verified, 2 errors"));
    let log = ["verify", "--cache", "off", "--log-smt", "log", "p.bpl"];
    assert_eq!(run(folder.path(), &log).1, 1);
    let query =
        |name: &str| std::fs::read_to_string(folder.path().join("log").join(name)).expect("it was written");
    let seeds = ["0000-Q.smt2", "0001-P.smt2"].map(|name| query(name).matches("random_seed 7").count());
    assert_eq!(seeds, [0, 1]);
    write(
        folder.path(),
        "p.bpl",
        "procedure {:verboseName \"P (whole)\"} {:rlimit 1} P(x: int) { assert x * x > 0; }\n",
    );
    let (text, _) = run(folder.path(), &["boogie", "-trace", "p.bpl"]);
    assert!(
        text.contains("Verifying P (whole) ...") && text.contains("out of resource (P (whole))"),
        "{text}"
    );
}

/// Z3 itself says nothing of an option that it does not have, and then takes none of the others.
#[test]
fn an_option_that_the_solver_does_not_have_is_told_and_takes_no_other_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "p.bpl",
        "function f(x: int): bool;\n\
         procedure P() {\n  assume (forall x: int :: {f(x)} x > 10 ==> f(x));\n\
         assert (exists x: int :: {f(x)} f(x));\n}\n",
    );
    let said = |option: &str| run(folder.path(), &["boogie", "/errorTrace:0", option, "p.bpl"]).0;
    let told = |option: &str| {
        let arguments = ["verify", "--cache", "off", "--solver-option", option, "p.bpl"];
        run(folder.path(), &arguments).0
    };
    for (option, expected) in [
        ("nonsense=true", "Z3 has no option nonsense\n"),
        ("random_seed=x", "Z3's option random_seed cannot be x\n"),
    ] {
        assert!(told(option).contains(expected), "{}", told(option));
        let text = said(&format!("/proverOpt:O:{option}"));
        assert!(text.contains("Verification inconclusive (P)"), "{text}");
    }
    // This is an option of Z3, not of its solver; instances that come from models stay off beside it.
    assert!(said("/proverOpt:O:type_check=true").contains("with 0 verified, 1 error"));
    assert!(said("/proverOpt:O:smt.mbqi=true").contains("with 1 verified, 0 errors"));
}

/// Front ends print heaps as polymorphic maps, and count on quantifiers that are instantiated early.
#[test]
fn quantifiers_are_instantiated_early_where_a_heap_is_a_polymorphic_map() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "plain.bpl", "var H: [int]int; procedure P() { assert H[0] == H[0]; }\n");
    write(
        folder.path(),
        "heap.bpl",
        "type Field a; var H: <a>[Field a]a; procedure P(f: Field int) { assert H[f] == H[f]; }\n",
    );
    for (file, expected) in [("plain.bpl", 0), ("heap.bpl", 1)] {
        let arguments = ["verify", "--cache", "off", "--log-smt", file.trim_end_matches(".bpl"), file];
        assert_eq!(run(folder.path(), &arguments).1, 0);
        let query = folder.path().join(file.trim_end_matches(".bpl")).join("0000-P.smt2");
        let text = std::fs::read_to_string(query).expect("the query was written");
        assert_eq!(text.matches("eager_threshold 100").count(), expected, "{text}");
    }
}

#[test]
fn free_invariants_are_assumed_where_others_are_checked_if_asked() {
    let looping = |name: &str, invariants: &str| {
        format!(
            "procedure {name}(n: int) {{ var i: int; i := n; while (i < 10) {invariants} {{ i := i - 1; }} }}\n"
        )
    };
    let head = "procedure Labels(n: int) { var i: int; i := n; goto head; head: assume i >= 0; assert i >= 0; \
        goto body, done; body: i := i - 1; goto head; done: }\n";
    let text = looping("Before", "free invariant i >= 0; invariant i >= 0;")
        + &looping("After", "invariant i >= 0; free invariant i >= 0;")
        // What is free says nothing of what it does not mention.
        + &looping("Other", "free invariant n >= 0; invariant i <= n;")
        + head;
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", &text);
    let places = |options: &[&str]| {
        let (text, _) = run(folder.path(), &[&["boogie", "-errorTrace:0", "p.bpl"], options].concat());
        let lines = text.lines().filter_map(|line| {
            let (place, what) = line.strip_prefix("p.bpl(")?.split_once(',')?;
            Some((place.to_owned(), if what.contains("on entry") { "entry" } else { "back" }))
        });
        lines.collect::<Vec<_>>()
    };
    let both = |line: &str| vec![(line.to_owned(), "entry"), (line.to_owned(), "back")];
    assert_eq!(places(&[]), [both("1"), both("2"), both("4")].concat());
    assert_eq!(places(&["-alwaysAssumeFreeLoopInvariants"]), both("2"));
}

#[test]
fn errors_of_files_that_cannot_be_read_are_counted_behind_each() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.bpl", "axiom 1 +;\nprocedure P() { goto A; }\n");
    write(folder.path(), "b.bpl", "procedure Q() { assert true; }\n");
    write(folder.path(), "c.bpl", "const c: ;\n");
    let (text, _) = run(folder.path(), &["boogie", "a.bpl", "b.bpl", "c.bpl"]);
    let expected = "a.bpl(1,10): error: invalid UnaryExpression\n\
                    a.bpl(2,17): error: Error: goto label 'A' is undefined\n\
                    2 parse errors detected in a.bpl\n\
                    c.bpl(1,10): error: invalid Type\n\
                    1 parse errors detected in c.bpl\n";
    assert_eq!(text, expected);
}

#[test]
fn what_would_be_verified_is_printed_also_where_nothing_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure {:inline 1} Q() returns (b: bool) { b := true; }\n\
                procedure P() { var c: bool; call c := Q(); assert c; }\n";
    write(folder.path(), "p.bpl", text);
    for option in ["-printInlined", "-printInstrumented"] {
        let (verified, _) = run(folder.path(), &["boogie", option, "p.bpl"]);
        let (printed, _) = run(folder.path(), &["boogie", "-noVerify", option, "p.bpl"]);
        assert!(printed.contains("inline$Q$0$b := true;"), "{option}: {printed}");
        assert_eq!(verified.replace("1 verified", "0 verified"), printed);
        // There is nothing to be inlined in what has no types yet.
        for earlier in ["-noResolve", "-noTypecheck"] {
            let (nothing, _) = run(folder.path(), &["boogie", earlier, option, "p.bpl"]);
            assert!(!nothing.contains("inline$Q$0$b"), "{earlier} {option}: {nothing}");
        }
    }
}

#[test]
fn attributes_of_bound_variables_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "axiom (forall<a> {:pool \"L\"} x: a, {:b 3} y: int, z: int :: {:c} x == x && y == z);";
    write(folder.path(), "p.bpl", line);
    let (text, _) = run(folder.path(), &["boogie", "-noVerify", "-print:-", "-env:0", "p.bpl"]);
    assert!(text.contains(line), "{text}");
}

#[test]
fn an_encoding_of_types_that_does_not_exist_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert true; }\n");
    for known in ["p", "predicates", "a", "arguments", "m", "monomorphic", "n", "none"] {
        let (text, _) = run(folder.path(), &["boogie", &format!("-typeEncoding:{known}"), "p.bpl"]);
        assert!(text.contains("1 verified, 0 errors"), "{known}: {text}");
    }
    // What is wrong is said on standard error.
    let (text, _) = run(folder.path(), &["boogie", "-typeEncoding:x", "p.bpl"]);
    assert_eq!(text, "Use /help for available options\n");
}

/// As Boogie 2.4.1 does.
#[test]
fn a_loop_that_never_goes_back_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(x: int) { while (x > 0) { assert false; } }\n\
        procedure Q(x: int) { var i: int; while (x > 0) { i := i + 1; assert i == 7; } }\n";
    write(folder.path(), "p.bpl", text);
    let (text, code) = run(folder.path(), &["boogie", "-loopUnroll:0", "p.bpl"]);
    assert!(text.contains("p.bpl(1,39): Error: this assertion could not be proved"), "{text}");
    assert!(text.contains("anon2_LoopBody#0\n"), "{text}");
    assert!(text.contains("1 verified, 1 error"), "{text}");
    assert_eq!(code, 0);
}

#[test]
fn types_are_not_looked_at_where_that_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P(x: int) { assert x && 0; }\n");
    let (text, _) = run(folder.path(), &["boogie", "-noTypecheck", "p.bpl"]);
    assert_eq!(text, "");
    write(folder.path(), "p.bpl", "procedure P(x: int) { assert y && 0; }\n");
    let (text, _) = run(folder.path(), &["boogie", "-noTypecheck", "p.bpl"]);
    assert_eq!(
        text,
        "p.bpl(1,29): Error: undeclared identifier: y\n1 name resolution errors detected in p.bpl\n"
    );
}

/// As Boogie 2.4.1 does.
#[test]
fn long_lines_are_broken_unless_that_is_not_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "axiom (forall x: int, y: int :: { f(x, y) } f(x, y) ==> f(y, x) && f(x, x) && f(y, y) && f(x + y, y + x));";
    let text = format!("function f(x: int, y: int) : bool;\n\n{line}\n");
    write(folder.path(), "p.bpl", &text);
    let print =
        |option: &str| run(folder.path(), &["boogie", "-noVerify", "-print:-", "-env:0", option, "p.bpl"]).0;
    let flat = print("-pretty:0");
    assert!(flat.contains(&format!("\n{line}\n")), "{flat}");
    let broken = print("-pretty:1");
    assert!(
        broken.contains("axiom (forall x: int, y: int :: \n  { f(x, y) } \n  f(x, y) ==> f(y, x)"),
        "{broken}"
    );
}

#[test]
fn attributes_of_parameters_of_functions_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "function {:a} f({:b 1} x: int, {:c} {:d \"e\"} y: bool) : bool;";
    write(folder.path(), "p.bpl", line);
    let (text, _) = run(folder.path(), &["boogie", "-noVerify", "-print:-", "-env:0", "p.bpl"]);
    assert!(text.contains(line), "{text}");
}

/// What `-subsumption` says holds of postconditions and of the conditions of inlined procedures, too. Seen with Boogie
/// 2.4.1.
#[test]
fn subsumption_concerns_specifications() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "function f(int): bool;\nprocedure B(x: int)\n  ensures f(x);\n  ensures f(x);\n{ }\n\
        procedure {:inline 1} Q(x: int)\n  ensures f(x + 1);\n  ensures f(x + 1);\n{ }\n\
        procedure M(x: int) { call Q(x); }\n";
    write(folder.path(), "p.bpl", text);
    for (options, errors) in [(&["boogie", "p.bpl"][..], 2), (&["boogie", "-subsumption:0", "p.bpl"], 4)] {
        let (printed, _) = run(folder.path(), options);
        assert!(printed.contains(&format!("0 verified, {errors} errors")), "{printed}");
    }
}

/// Labels are numbered behind a prefix that no label of the text begins with (seen with Boogie 2.4.1), and behind a loop
/// that ends another one's body there is a place of its own (Boogie 3).
#[test]
fn generated_labels_are_boogies() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure A(x: int) { anonx: assert x > 0; if (x > 1) { assert x > 2; } }\n\
        procedure B(x: int) { anon0: assert x > 0; if (x > 1) { assert x > 2; } }\n\
        procedure E(x: int) { if (x > 1) { anon0: assert x > 2; anon01: } }\n\
        procedure L() { var i: int; while (*) { while (*) { i := 1; } } assert i == 0; }\n\
        procedure O() { var i: int; while (*) { while (*) { if (*) { break; } } i := 2; } assert i == 0; }\n\
        procedure I() { var i: int; while (*) { while (*) { if (*) { break; } } } assert i == 0; }\n";
    write(folder.path(), "p.bpl", text);
    let (printed, _) = run(folder.path(), &["boogie", "p.bpl"]);
    let shown: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("p.bpl(")?.split_once("): "))
        .map(|it| it.1)
        .collect();
    let labels: Vec<&str> = shown.into_iter().filter(|it| it.starts_with("anon")).collect();
    let expected = [
        "anonx",
        "anonx",
        "anon01_Then",
        "anon0",
        "anon0",
        "anon11_Then",
        "anon10",
        "anon11_Then",
        "anon0",
        "anon5_LoopDone",
        "anon0",
        "anon6_LoopDone",
        "anon0",
        "anon6_LoopDone",
    ];
    let without_heads: Vec<&str> = labels.into_iter().filter(|it| !it.ends_with("_LoopHead")).collect();
    assert_eq!(without_heads, expected, "{printed}");
}

#[test]
fn each_question_is_asked_once_whatever_is_randomized() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P(x: int) { assert x == x; }\n");
    let (printed, code) = run(folder.path(), &["boogie", "-randomizeVcIterations:3", "p.bpl"]);
    assert!(printed.contains("1 verified, 0 errors") && code == 0, "{printed}");
    let (printed, code) = run(folder.path(), &["boogie", "-randomizeVcIterations:0", "p.bpl"]);
    assert_eq!(code, 1, "{printed}");
}

/// The program's own words stand for the whole error, but for loops, whose invariants are told in Boogie's words; and
/// for all checks where that is asked for. What a value must be to be taken apart is told with its place.
#[test]
fn messages_of_checks_are_the_programs_own_where_boogie_tells_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "datatype D { C(f: int), E() }\n\
        procedure P(x: int, d: D) returns (y: int)\n\
        ensures {:msg \"after\"} y > 5;\n\
        {\n\
        C(y) := d;\n\
        assert {:msg \"own\"} x > 1;\n\
        while (x > 2)\n\
        invariant {:msg \"around\"} x < 9;\n\
        { call y := Q(0); }\n\
        }\n\
        procedure Q(x: int) returns (y: int); requires {:msg \"before\"} x > 0;\n";
    write(folder.path(), "p.bpl", text);
    let unpack = "p.bpl(5,6): Error: the precondition for unpack could not be proved";
    let entry = "p.bpl(8,1): Error: this loop invariant could not be proved on entry";
    let own = [unpack, "own", entry, "before", "after"];
    let boogie = [
        unpack,
        "p.bpl(6,1): Error: this assertion could not be proved",
        entry,
        "p.bpl(9,3): Error: a precondition for this call could not be proved",
        "p.bpl(11,39): Related location: this is the precondition that could not be proved",
        "p.bpl(7,1): Error: a postcondition could not be proved on this return path",
        "p.bpl(3,1): Related location: this is the postcondition that could not be proved",
    ];
    for (arguments, expected) in [(&[][..], &own[..]), (&["-forceBplErrors"][..], &boogie[..])] {
        let arguments = [&["boogie", "-errorTrace:0"][..], arguments, &["p.bpl"][..]].concat();
        let (printed, _) = run(folder.path(), &arguments);
        let lines = printed.lines().take_while(|line| !line.is_empty());
        let (mut seen, mut expected) = (lines.collect::<Vec<_>>(), expected.to_vec());
        seen.sort_unstable();
        expected.sort_unstable();
        assert_eq!(seen, expected, "{printed}");
    }
}

/// As with options on the command line: what another option of the solver proved says nothing.
#[test]
fn what_was_found_under_other_options_of_an_implementation_is_asked_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let explained = |option: &str, more: &str| {
        let text = format!("procedure {option} P(x: int) {{ assert x == x; {more}assert x > 0; }}\n");
        write(folder.path(), "p.bpl", &text);
        run(folder.path(), &["verify", "--explain", "--cache-dir", "cache", "p.bpl"]).0
    };
    explained("", "");
    assert!(explained("", "assert x < x + 1; ").contains("known to hold"));
    let said = explained("{:random_seed 7}", "assert x < x + 1; ");
    assert!(said.contains("P: verified") && !said.contains("known"), "{said}");
    let said = explained("{:random_seed 7}", "");
    assert!(said.contains("known to hold"), "{said}");
}

/// Values of options are looked at whether or not the options have an effect, and flags have none.
#[test]
fn values_that_an_option_cannot_have_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert true; }\n");
    let wrong = [
        "/vcsMaxCost:x",
        "/vcsPathJoinMult:",
        "/proverWarnings:3",
        "/liveVariableAnalysis:9",
        "/smokeTimeout:x",
        "/proverMemoryLimit:1.5",
        "/vcBrackets:2",
        "/stagedHoudini:fine",
        "/errorLimit:99999999999",
        "/timeLimit:99999999999",
        "/inline:",
        "/normalizeNames:x",
    ];
    let refused = |option: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ivl"));
        let output = command.args(["boogie", option, "p.bpl"]).current_dir(folder.path()).output();
        let output = output.expect("the program starts");
        (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
    };
    for option in wrong {
        let (text, code) = refused(option);
        let (name, value) = option.split_once(':').expect("a value");
        let message = format!("Boogie: Error: Invalid argument \"{value}\" to option {name}\n");
        assert_eq!((text, code), (message, Some(1)), "{option}");
    }
    for flag in ["/wait:1", "/break:1", "/concurrentHoudini:x", "/traceTimes:1"] {
        let (text, code) = refused(flag);
        let name = flag.split(':').next().unwrap_or(flag);
        let message = format!("Boogie: Error: \"{name}\" cannot take a colon argument\n");
        assert_eq!((text, code), (message, Some(1)), "{flag}");
    }
    let fine =
        ["/vcsMaxCost:1.5", "/proverShutdownLimit", "3", "/timeLimit:4000000000", "/stagedHoudini:FINE"];
    let (text, code) = run(folder.path(), &[&["boogie"], &fine[..], &["p.bpl"]].concat());
    assert!(text.ends_with("1 verified, 0 errors\n") && code == 0, "{text}");
}

/// What is wrong with their types is counted all the same, and so are names elsewhere.
#[test]
fn implementations_in_which_names_mean_nothing_can_be_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure A() { assert x; assert 1; }\n\
        procedure {:inline 1} B() { assert y; assert z; }\n\
        procedure C() { call B(); assert false; }\n\
        procedure {:inline 1} D();\n\
        implementation D() { call A(1); }\n\
        implementation {:id \"d\"} D() { }\n";
    let told = "p.bpl(1,23): Error: undeclared identifier: x\n\
        Warning: Ignoring implementation A because of translation resolution errors\n\
        p.bpl(2,35): Error: undeclared identifier: y\n\
        p.bpl(2,45): Error: undeclared identifier: z\n\
        Warning: Ignoring implementation B because of translation resolution errors\n\
        p.bpl(5,21): Error: wrong number of arguments in call to A: 1\n\
        Warning: Ignoring implementation D because of translation resolution errors\n";
    let overlooking = |text: &str| {
        write(folder.path(), "p.bpl", text);
        run(folder.path(), &["boogie", "-overlookTypeErrors", "-errorTrace:0", "p.bpl"])
    };
    let verified = "p.bpl(3,27): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 1 error\n";
    assert_eq!(overlooking(text), (format!("{told}{verified}"), 0));
    let wrong = "p.bpl(7,16): Error: an asserted expression must be of type bool (got: int)\n\
        1 type checking errors detected in p.bpl\n";
    let types = format!("{text}procedure E() {{ assert 1; }}\n");
    assert_eq!(overlooking(&types), (format!("{told}{wrong}"), 0));
    let wrong = "p.bpl(7,24): Error: undeclared identifier: g\n\
        1 name resolution errors detected in p.bpl\n";
    let names = format!("{text}procedure E(); requires g; implementation E() {{ assert true; }}\n");
    assert_eq!(overlooking(&names), (format!("{told}{wrong}"), 0));
}

/// With `-verifySeparately` and over snapshots, what becomes of one program is nothing to the next, and a file that
/// cannot be written is no reason not to verify.
#[test]
fn a_file_that_cannot_be_read_or_written_ends_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert true; }\n");
    write(folder.path(), "q.bpl", "procedure Q() { assert false; }\n");
    let told = "\nBoogie program verifier finished with 1 verified, 0 errors\n\
        q.bpl(1,17): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 1 error\n";
    let common = ["boogie", "-verifySeparately", "-errorTrace:0"];
    for option in ["-print:", "-proverLog:", "-printPassive:", "-printSplit:"] {
        let option = format!("{option}nowhere/x");
        let (printed, code) = run(folder.path(), &[&common[..], &[&option, "p.bpl", "q.bpl"]].concat());
        assert_eq!((printed.as_str(), code), (told, 1), "{option}");
    }
    let (printed, code) = run(folder.path(), &[&common[..], &["none.bpl", "p.bpl", "q.bpl"]].concat());
    let missing = "Error opening file \"none.bpl\": Could not find file 'none.bpl'.\n";
    assert_eq!((printed, code), (format!("{missing}{told}"), 1));
    write(folder.path(), "s.v0.bpl", "procedure P() { assert true; }\n");
    write(folder.path(), "s.v1.bpl", "procedure P() { assert false; }\n");
    let arguments = ["boogie", "-verifySnapshots:3", "-errorTrace:0", "-proverLog:nowhere/x", "s.bpl"];
    let (printed, code) = run(folder.path(), &arguments);
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("1 verified, 0 errors") && printed.contains("0 verified, 1 error"), "{printed}");
}
