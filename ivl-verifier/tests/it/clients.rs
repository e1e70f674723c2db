//! What clients of a `boogie` executable print, pass and read.

use std::process::Command;

use crate::command::{run, write};

/// Runs `ivl boogie` with the cache that the environment asks for: what it printed, and what beside.
fn asked(folder: &std::path::Path, mode: &str, arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .arg("boogie")
        .args(arguments)
        .current_dir(folder)
        .env("REPRISE_CACHE_DIR", folder.join("kept"))
        .env("REPRISE_CACHE", mode)
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

/// A text without times.
fn timeless(text: &str) -> String {
    text.lines()
        .map(|line| match (line.find('['), line.find(" s,")) {
            (Some(from), Some(to)) if from < to => format!("{}{}\n", &line[..from], &line[to..]),
            _ => format!("{line}\n"),
        })
        .collect()
}

/// A client that sets two variables gets the same text for less; positions and messages are the present ones, also
/// those of earlier errors, with their traces, models and what was printed on the way.
#[test]
fn what_a_client_reads_does_not_depend_on_the_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = |offset: u32| {
        format!(
            "// {}\n\
             function f(x: int): int;\naxiom (forall x: int :: {{f(x)}} f(x) > x);\n\
             procedure P(x: int) {{ assume {{:print \"$at({offset})\"}} {{:print \"x:\", x}} true; \
             if (x > 3) {{ assert {{:msg \"assert_failed({offset},7): no\"}} f(x) > 5; }} }}\n\
             procedure {{:msg_if_verifies \"fine({offset})\"}} Q(x: int) {{ assert f(x) > x; }}\n\
             procedure R(x: int) returns (y: int) ensures {{:msg \"post({offset})\"}} y > x; {{ y := x; }}\n",
            "x".repeat(offset as usize)
        )
    };
    let lines = [
        vec!["-printModel:1", "-enhancedErrorMessages:1", "-monomorphize", "p.bpl"],
        vec!["-trace", "p.bpl"],
        vec!["-trace", "-vcsSplitOnEveryAssert", "p.bpl"],
        vec!["-useArrayAxioms", "-printVerifiedProceduresCount:0", "p.bpl"],
    ];
    for offset in [1, 20, 3] {
        write(folder.path(), "p.bpl", &program(offset));
        for line in &lines {
            let (plain, _) = asked(folder.path(), "off", line);
            let (kept, said) = asked(folder.path(), "read-write", line);
            let (again, _) = asked(folder.path(), "", line);
            assert!(plain.contains(&format!("assert_failed({offset},7)")), "{plain}");
            assert_eq!(timeless(&plain), timeless(&kept), "{line:?}: {said}");
            assert_eq!(timeless(&plain), timeless(&again), "{line:?}");
        }
        // Nothing is asked where only positions and messages moved, for the values of what fails neither.
        for line in &lines {
            let (plain, _) = asked(folder.path(), "off", line);
            let (offline, said) = asked(folder.path(), "offline", line);
            assert_eq!(timeless(&plain), timeless(&offline), "{line:?}: {said}");
        }
    }
    let (text, said) = asked(folder.path(), "sometimes", &lines[0]);
    assert!(said.contains("REPRISE_CACHE"), "{text}{said}");
}

#[test]
fn the_version_is_what_a_client_asks_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .args(["boogie", "-version"])
        .current_dir(folder.path())
        .env("IVL_BOOGIE_VERSION", "3.2.4.0")
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("Boogie program verifier version 3.2.4.0, "), "{text}");
    assert!(run(folder.path(), &["boogie", "-version"]).0.contains("version 3.5.7.0,"));
}

/// Carbon and others name a program in every call, demand that it is there, and take a line on standard error for a
/// failure.
#[test]
fn the_environment_lets_the_linked_solver_answer_whatever_a_client_names() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert 1 < 2; }\n");
    let asked = |value: &str, option: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ivl"));
        command.args(["boogie", option, "p.bpl"]).current_dir(folder.path()).env("REPRISE_CACHE", "off");
        let output = command.env("IVL_BOOGIE_SOLVER", value).output().expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr), output.status.code())
    };
    let verified = "\nBoogie program verifier finished with 1 verified, 0 errors\n";
    for option in ["PROVER_PATH=/bin/sh", "PROVER_PATH=/nowhere/z3", "SOLVER=yices2"] {
        let found = asked("linked", &format!("-proverOpt:{option}"));
        assert_eq!(found, (verified.to_owned(), String::new(), Some(0)), "{option}");
    }
    // Set to nothing it says nothing.
    let (text, _, code) = asked("", "-proverOpt:PROVER_PATH=/nowhere/z3");
    assert!(text.contains("Cannot find specified prover: /nowhere/z3"), "{text}");
    assert_eq!(code, Some(1));
    let (text, said, code) = asked("z3", "-trace");
    assert!(format!("{text}{said}").contains("IVL_BOOGIE_SOLVER: `z3`"), "{text}{said}");
    assert_eq!(code, Some(1));
}

/// Where another solver is asked for that cannot answer, that is said where clients do not read.
#[test]
fn which_solver_answers_is_said_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert 1 < 2; }\n");
    for (option, said_aside) in [
        ("-proverOpt:SOLVER=yices2", true),
        ("-proverOpt:SOLVER=Z3", false),
        ("-proverOpt:PROVER_PATH=/bin/sh", true),
    ] {
        let (text, said) = asked(folder.path(), "off", &[option, "p.bpl"]);
        assert_eq!(text, "\nBoogie program verifier finished with 1 verified, 0 errors\n");
        assert_eq!(said.contains("the linked Z3"), said_aside, "{option}: {said}");
    }
}

/// Other tools read findings in formats of their own.
#[test]
fn findings_are_written_for_other_tools() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "p.bpl",
        "procedure P(x: int)\n  requires x > 0;\n{ assert {:msg \"50% of, it\"} x > 1; }\n\
         procedure Q() {\n  call P(0);\n}\n",
    );
    let (text, code) = run(folder.path(), &["verify", "--format", "github", "p.bpl"]);
    assert_eq!(code, 1);
    assert!(text.contains("::error file=p.bpl,line=3,col=3,title=ivl check::50%25 of, it\n"), "{text}");
    assert!(
        text.contains(
            "line=5,col=3,title=ivl check::a precondition for this call could not be proved%0Ap.bpl:2:3: "
        ),
        "{text}"
    );
    let (text, code) = run(folder.path(), &["verify", "--format", "sarif", "p.bpl"]);
    assert_eq!(code, 1);
    let document: serde_json::Value = serde_json::from_str(&text).expect("one document");
    let results = document["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "{text}");
    assert_eq!(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"], 5);
    assert_eq!(results[1]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 2);
    // A text that is no program is a finding too.
    write(folder.path(), "p.bpl", "procedure P() { assert x; }\n");
    let (text, code) = run(folder.path(), &["verify", "--format", "sarif", "p.bpl"]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("one document");
    assert_eq!((code, &document["runs"][0]["results"][0]["ruleId"]), (2, &serde_json::json!("program")));
}

/// What follows in a file for each of these, with the options of the clients that print such programs.
#[test]
fn what_is_told_of_verified_procedures_is_as_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "p.bpl",
        "procedure {:msg_if_verifies \"inconsistency_detected(1,2,3)\"} P() { assume false; }\n\
         procedure {:msg_if_verifies \"not this\"} Q(x: int) { assert {:msg \"failed(4)\"} x > 0; }\n",
    );
    let (text, code) =
        run(folder.path(), &["boogie", "-errorTrace:0", "-printVerifiedProceduresCount:0", "p.bpl"]);
    assert_eq!(
        (text.as_str(), code),
        ("inconsistency_detected(1,2,3)\nfailed(4)\n\nBoogie program verifier finished with 1 error\n", 0)
    );
    let (text, _) = run(folder.path(), &["boogie", "/printVerifiedProceduresCount:1", "/proc:P", "p.bpl"]);
    assert!(text.ends_with("finished with 1 verified, 0 errors\n"), "{text}");
}

#[test]
fn what_is_told_of_verified_procedures_is_told_in_every_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure {:msg_if_verifies \"it holds\"} P() { assume false; }\n\
        procedure {:msg_if_verifies \"not this\"} Q(x: int) { assert x > 0; }\n";
    write(folder.path(), "p.bpl", text);
    for (form, expected) in [
        (&[][..], "note: it holds\n --> p.bpl:1:41\n"),
        (&["--json"], "\"told\":\"it holds\""),
        (&["--format", "github"], "::notice file=p.bpl,line=1,col=41,title=ivl told::it holds\n"),
        (&["--format", "sarif"], "\"level\": \"note\""),
    ] {
        // From scratch and from the cache.
        for _ in 0..2 {
            let words = [&["verify", "--cache-dir", "cache"], form, &["p.bpl"]].concat();
            let (said, _) = run(folder.path(), &words);
            assert!(said.contains(expected) && !said.contains(": not this"), "{form:?}: {said}");
        }
    }
}

/// Clients take every line that they do not know for a failure of the verifier.
#[test]
fn what_the_solver_refuses_is_one_inconclusive_implementation() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "p.bpl",
        "function {:bvbuiltin \"nonsense\"} f(bv8): bv8;\n\
         procedure P() { assert f(1bv8) == 1bv8; }\n\
         procedure Q() { assert 256bv8 == 0bv8; }\n",
    );
    assert_eq!(
        run(folder.path(), &["boogie", "p.bpl"]).0,
        "p.bpl(2,11): Verification inconclusive (P)\n\n\
         Boogie program verifier finished with 1 verified, 0 errors, 1 inconclusive\n"
    );
}

/// Boogie sends every axiom unless it is asked to prune; what is sent is part of what results hold of.
#[test]
fn all_axioms_are_sent_unless_pruning_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "const a: bool; axiom a; axiom !a;\nprocedure P() { assert false; }\n");
    let verified = |arguments: &[&str]| run(folder.path(), arguments).0.contains("1 verified, 0 errors");
    assert!(verified(&["boogie", "p.bpl"]));
    assert!(verified(&["boogie", "-prune:0", "p.bpl"]));
    assert!(!verified(&["boogie", "-prune:1", "p.bpl"]));
    assert!(!verified(&["verify", "p.bpl"]));
}

/// A constructor of the old notation makes a value of its own datatype, of the types that it has parameters for.
#[test]
fn old_constructors_have_the_parameters_of_their_datatype() {
    let folder = tempfile::tempdir().expect("a folder");
    for (constructor, fine) in [
        ("function {:constructor} C<T>(f: T): V T;", true),
        ("function {:constructor} C<T>(f: T): V int;", false),
        ("function {:constructor} C(f: int): V int;", false),
        ("function {:constructor} C<T>(f: T, f: T): V T;", false),
    ] {
        write(
            folder.path(),
            "p.bpl",
            &format!("type {{:datatype}} V _;\n{constructor}\nprocedure P() {{ }}\n"),
        );
        let (text, _) = run(folder.path(), &["boogie", "p.bpl"]);
        assert_eq!(text.contains("name resolution errors detected"), !fine, "{constructor}: {text}");
    }
}

/// `ivl verify` leaves out axioms that a proof cannot use; whether all of them can hold is asked by itself.
#[test]
fn axioms_that_contradict_each_other_are_told_where_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = |axiom: &str| {
        format!(
            "const a: bool;\nfunction f(x: int): int;\naxiom a;\naxiom {axiom};\n\
             axiom (forall x: int :: {{f(x)}} f(x) > x);\nprocedure P() {{ assert f(1) > 1; }}\n"
        )
    };
    for (axiom, told) in [("!a", true), ("a || !a", false)] {
        write(folder.path(), "p.bpl", &program(axiom));
        let (text, code) = run(folder.path(), &["verify", "--smoke", "p.bpl"]);
        assert_eq!((text.contains("the axioms contradict each other"), code), (told, 0), "{axiom}: {text}");
        let (text, _) = run(folder.path(), &["verify", "p.bpl"]);
        assert!(!text.contains("contradict"), "{text}");
    }
}

/// What `ivl boogie` prints of a text, with these options.
fn told(options: &[&str], text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", text);
    let (printed, _) = asked(folder.path(), "off", &[options, &["p.bpl"]].concat());
    printed
}

#[test]
fn a_body_of_one_block_is_unreachable_where_its_conditions_contradict_each_other() {
    let text = told(&["-smoke"], "procedure P(x: int) requires x > 0 && x < 0; { assert x == 7; }\n");
    let expected = "found unreachable code:\nimplementation P(x: int)\n{\n\n  0:\n    goto anon0;\n\n  anon0:\n    \
        assert x == 7;\n    assert false;\n    return;\n}\n\n\n\nBoogie program verifier finished with 1 verified, 0 \
        errors\n";
    assert_eq!(text, expected);
    let fine = told(&["-smoke"], "procedure P(x: int) requires x > 0; { assert x != 0; }\n");
    assert!(!fine.contains("unreachable"), "{fine}");
}

#[test]
fn unreachable_code_has_the_attributes_and_types_of_the_text() {
    let text = told(
        &["-smoke"],
        "type T = int;\nprocedure Q(a: T) returns (b: T); requires {:q} a > 0;\n\
         procedure P(x: T) requires x > 3; { var {:v} y: T;\n\
         if (x < 2) { assume {:s} x < 1; assert {:msg \"no\"} x > 0; call {:c 2} y := Q(x); y := x; }\n\
         else { assume x <= 3; while (x > 1) invariant {:i} y == y; free invariant {:f} y > 0; { y := 1; } } }\n",
    );
    let parts: Vec<&str> = text.split("found unreachable code:\n").collect();
    assert_eq!(parts.len(), 4, "{text}");
    let [_, branch, behind, inside] = parts[..] else { panic!("{text}") };
    let begin = "implementation P(x: T)\n{\n  var {:v} y: T;\n\n  0:\n    goto anon0;\n\n  anon0:\n    goto ";
    let assumed = "    assume {:partition} x < 2;\n    assume {:s} x < 1;\n    assert {:msg \"no\"} x > 0;\n    \
        call {:c 2} y := Q(x);\n    y := x;\n    assert false;\n";
    assert!(branch.starts_with(begin) && branch.contains(assumed), "{branch}");
    let head = "    assume {:partition} 2 <= x;\n    assume x <= 3;\n    assert {:i} y == y;\n    \
        goto anon5_LoopHead;\n\n  anon5_LoopHead:\n    havoc y;\n    assume y == y;\n    assume {:f} y > 0;\n";
    assert!(behind.contains(head) && inside.contains(head), "{behind}{inside}");
    assert!(inside.contains("    y := 1;\n    assert {:i} y == y;\n    assert false;\n"), "{inside}");
}

#[test]
fn implementations_are_told_in_the_order_of_their_priorities() {
    let text = told(
        &["-errorTrace:0"],
        "procedure A() { assert false; }\nprocedure {:priority 3} Z() { assert false; }\nprocedure B() { assert 1 == \
         2; }\nprocedure {:priority 5} Y() { assert false; }\nprocedure {:priority 0} W() { assert false; }\n",
    );
    let lines = text.lines().filter_map(|line| line.strip_prefix("p.bpl(")?.split(',').next());
    assert_eq!(lines.collect::<Vec<_>>(), ["4", "2", "1", "3", "5"], "{text}");
}

#[test]
fn mistakes_are_told_as_boogie_tells_them() {
    let text = told(&[], "procedure P() {\n  var m: [int]int;\n  m[1], m[2] := 1;\n  m, m := 1;\n}\n");
    assert_eq!(text.matches("variable m is assigned more than once").count(), 2, "{text}");
    assert!(text.contains("4 name resolution errors detected"), "{text}");
}

/// As in Boogie 3: `-errorTrace:0` leaves out what stands behind traces, and models that a client asks for by
/// themselves stay.
#[test]
fn without_traces_there_are_no_augmented_ones_and_no_printed_models() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(x: int) { assume {:print \"x is \", x} x == 4; assert x != 4; }\n";
    write(folder.path(), "p.bpl", text);
    let said = |options: &[&str]| run(folder.path(), &[&["boogie"], options, &["p.bpl"]].concat()).0;
    let with = said(&["-printModel:1", "-enhancedErrorMessages:1"]);
    assert!(with.contains("Augmented execution trace:\nx is 4\n*** MODEL\n"), "{with}");
    let without = said(&["-printModel:1", "-enhancedErrorMessages:1", "-errorTrace:0"]);
    assert_eq!(without, said(&["-errorTrace:0"]));
    let model = said(&["-mv:-", "-errorTrace:0"]);
    assert!(!model.contains("trace") && model.contains("\n*** MODEL\nx -> 4\n"), "{model}");
}

/// Nothing needs to be known of the values with which this check fails, so the solver's model is empty; what clients
/// read behind an error is there nevertheless.
#[test]
fn an_empty_model_leaves_the_way_and_what_is_printed_on_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(x: int) { var y: int; assume {:print \"$at(1)\"} true; assume {:print \"y is \", y} true; \
                assert false; }\n";
    write(folder.path(), "p.bpl", text);
    let call = ["boogie", "-printModel:1", "-enhancedErrorMessages:1", "p.bpl"];
    let expected = "Execution trace:\n    p.bpl(1,35): anon0\nAugmented execution trace:\n$at(1)\ny is ?\n*** MODEL\n*** END_MODEL\n";
    let cold = run(folder.path(), &call).0;
    assert!(cold.contains(expected), "{cold}");
}

/// Clients read along, and stop a run that takes them too long: what is known by then was told.
#[test]
fn each_result_is_told_as_soon_as_it_is_known() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = tempfile::tempdir().expect("a folder");
    // The second one is true of no numbers, which no solver finds out.
    let text = "procedure P(x: int) { assert x > 0; }\nprocedure Q(x: int, y: int, z: int) { assume x > 0 && y > 0 && z > \
                0; assert x * x * x * x * x + y * y * y * y * y != z * z * z * z * z; }\n";
    write(folder.path(), "p.bpl", text);
    let mut child = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .args(["boogie", "-trace", "-timeLimit:120", "p.bpl"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let said = child.stdout.take().map(BufReader::new).expect("its output");
    let told: Vec<String> =
        said.lines().map_while(Result::ok).take_while(|line| line != "Execution trace:").collect();
    let runs = child.try_wait().expect("asked").is_none();
    child.kill().expect("ended");
    child.wait().expect("gone");
    assert!(told[..4] == ["Parsing p.bpl", "Coalescing blocks...", "Inlining...", ""], "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("p.bpl(1,23): Error: this assertion")), "{told:?}");
    assert!(runs, "{told:?}");
}

/// When nobody reads any more the run ends, without an error; what it had found by then is kept.
#[test]
fn a_run_ends_when_nobody_reads_what_it_tells() {
    use std::process::Stdio;

    let folder = tempfile::tempdir().expect("a folder");
    let many: String =
        (0..200).map(|at| format!("procedure P{at}(x: int) {{ assert x > {at}; }}\n")).collect();
    write(folder.path(), "p.bpl", &many);
    let mut child = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .args(["boogie", "p.bpl"])
        .current_dir(folder.path())
        .env("REPRISE_CACHE_DIR", folder.path().join("kept"))
        .env("REPRISE_CACHE", "read-write")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ended");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    let (told, _) = asked(folder.path(), "offline", &["p.bpl"]);
    assert!(told.contains("p.bpl(1,24): Error: this assertion"), "{told}");
    assert!(told.contains("Verification inconclusive (P199)"), "{told}");
}

/// A file that cannot be written is an error behind all that was found.
#[test]
fn files_that_cannot_be_written_take_no_results_away() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P(x: int) { assert x > 0; }\n");
    for option in ["-mv:nowhere/m", "-proverLog:nowhere/q"] {
        let (told, aside) = asked(folder.path(), "off", &[option, "p.bpl"]);
        assert!(told.contains("finished with 0 verified, 1 error"), "{option}: {told}");
        assert!(aside.contains("nowhere/"), "{option}: {aside}");
    }
}

/// With `-errorTrace:2` also the blocks are told that Boogie adds: in front of a first block that says something, and
/// behind what returns in several places. Without they are not.
#[test]
fn traces_show_blocks_that_are_added_where_they_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "p.bpl",
        "procedure A(a: int) requires a > 5; { if (a > 7) { assume a < 7; } assert a == 6; }\n\
        procedure B(a: int) returns (r: int) requires a > 5; ensures r > a;\n\
        { assert a > 4; if (a > 7) { r := a + 2; return; } r := a; }\n\
        procedure C(a: int) { assert a == 0; }\n\
        procedure D(a: int) ensures a == 0; { }\n",
    );
    let traces = |level: &str| -> Vec<String> {
        let printed = run(folder.path(), &["boogie", level, "p.bpl"]).0;
        printed.lines().filter(|line| line.starts_with("    ")).map(|line| line.trim().to_owned()).collect()
    };
    let expected = [
        "p.bpl(1,39): anon0",
        "p.bpl(1,39): anon3_Else",
        "p.bpl(1,68): anon2",
        "(-17,-4): PreconditionGeneratedEntry",
        "p.bpl(3,3): anon0",
        "p.bpl(3,17): anon3_Else",
        "(-17,-4): GeneratedUnifiedExit",
        "(-17,-4): PreconditionGeneratedEntry",
        "p.bpl(4,23): anon0",
        "(-17,-4): PreconditionGeneratedEntry",
        "p.bpl(5,39): anon0",
    ];
    assert_eq!(traces("-errorTrace:2"), expected);
    let plain: Vec<&str> = expected.into_iter().filter(|line| !line.starts_with("(-17")).collect();
    assert_eq!(traces("-errorTrace:1"), plain);
}

/// A return that nothing is said before is one at the end of the body, and gives the block behind the body its name:
/// the first such block does, in the order in which Boogie is done with blocks.
#[test]
fn returns_that_nothing_is_said_before_are_told_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "p.bpl",
        "procedure A(a: int) ensures a > 0; { if (*) { return; } else { assume a > 0; }\n}\n\
        procedure B(a: int) ensures a > 0; { if (*) { if (*) { assume a > 0; } return; } else { return; }\n}\n\
        procedure C(a: int) ensures a > 0; {\ne: assume a > -5; goto x, y, z;\nx: assume a == 0; return;\n\
        y: goto r;\nz: assume a > 0; goto r;\nr: return;\n}\n\
        procedure D(a: int) ensures a > 0; { while (*) { if (*) { return; } } assume a > 0;\n}\n\
        procedure E(a: int) returns (r: int) ensures r > 0; {\n\
        r := a; if (*) { return; } assume r > 0; if (*) { r := 1; return; } }\n",
    );
    let told = |option: &str| -> Vec<String> {
        let printed = run(folder.path(), &["boogie", option, "p.bpl"]).0;
        let error = ": Error: a postcondition could not be proved on this return path";
        let place = |line: &str| match line.strip_suffix(error) {
            Some(place) => Some(place.to_owned()),
            None => line.strip_prefix("    ").map(|block| format!("- {block}")),
        };
        printed.lines().filter_map(place).collect()
    };
    let expected = [
        "p.bpl(2,1)",
        "- p.bpl(1,38): anon0",
        "- p.bpl(1,47): anon3_Then",
        "p.bpl(4,1)",
        "- p.bpl(3,38): anon0",
        "- p.bpl(3,89): anon5_Else",
        "p.bpl(11,1)",
        "- (-17,-4): PreconditionGeneratedEntry",
        "- p.bpl(6,1): e",
        "- p.bpl(10,1): r",
        "p.bpl(13,1)",
        "- p.bpl(12,38): anon0",
        "- p.bpl(12,59): anon5_Then",
        "p.bpl(15,18)",
        "- p.bpl(15,3): anon0",
        "- p.bpl(15,18): anon4_Then",
        "- (-17,-4): GeneratedUnifiedExit",
    ];
    assert_eq!(told("-errorTrace:2"), expected);
    let plain: Vec<&str> = expected.into_iter().filter(|line| !line.contains("(-17")).collect();
    assert_eq!(told("-errorTrace:1"), plain);
    let kept = told("-removeEmptyBlocks:0");
    assert!(
        kept.contains(&"p.bpl(1,47)".to_owned()) && kept.contains(&"p.bpl(12,59)".to_owned()),
        "{kept:?}"
    );
    let shown = run(folder.path(), &["verify", "p.bpl"]).0;
    assert!(shown.contains("p.bpl:1:47") && !shown.contains("p.bpl:2:1"), "{shown}");
}

/// Dead ends and ends of loop bodies are places where control ends, too: a lone return that nothing is said before is
/// at the end of the body beside them, unless what is returned has another value there.
#[test]
fn control_ends_in_dead_ends_and_loop_bodies_too() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "p.bpl",
        "procedure A(a: int) ensures a > 0; { while (*) { assume a < 5; } return;\n}\n\
        procedure B(a: int) ensures a > 0; { if (a == 1) { assert a > 0; assume false; } assume a < 5; return;\n}\n\
        procedure C(a: int) returns (r: int) ensures r > 0; {\n\
        r := a; L: goto M, N; M: goto K; N: goto K, L;\nK: return;\n}\n\
        procedure D(a: int) returns (r: int) ensures r > 0; {\n\
        while (*) { r := r + 1; } if (*) { return; } assume r > 0;\n}\n\
        procedure E(a: int) returns (r: int, s: int) ensures r > 0; {\n\
        r := a; s := 1; if (*) { assume r > 0; return; } s := 2; if (*) { return; } assume r > 0;\n}\n",
    );
    let printed = run(folder.path(), &["boogie", "-errorTrace:2", "p.bpl"]).0;
    let error = ": Error: a postcondition could not be proved on this return path";
    let place = |line: &str| match line.strip_suffix(error) {
        Some(place) => Some(place.to_owned()),
        None => line.strip_prefix("    ").map(|block| format!("- {block}")),
    };
    let told: Vec<String> = printed.lines().filter_map(place).collect();
    let expected = [
        "p.bpl(2,1)",
        "- p.bpl(1,38): anon0",
        "- p.bpl(1,38): anon3_LoopDone",
        "p.bpl(3,96)",
        "- p.bpl(3,38): anon0",
        "- p.bpl(3,38): anon3_Else",
        "- (-17,-4): GeneratedUnifiedExit",
        "p.bpl(8,1)",
        "- p.bpl(6,3): anon0",
        "- p.bpl(7,1): K",
        "p.bpl(10,36)",
        "- p.bpl(10,1): anon0",
        "- p.bpl(10,36): anon6_Then",
        "- (-17,-4): GeneratedUnifiedExit",
        "p.bpl(14,1)",
        "- p.bpl(13,3): anon0",
        "- p.bpl(13,67): anon6_Then",
    ];
    assert_eq!(told, expected, "{printed}");
}
