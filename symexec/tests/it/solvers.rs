//! Solvers beside the linked Z3: what real ones say, and what programs can do wrong.
//!
//! `cargo xtask setup --solvers` fetches real ones. Where they are not, their tests do nothing, and `cargo xtask test`
//! says so; with the environment variable `REPRISE_SERVICES=required`, as in CI, they fail.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::program::{Ran, explore, explore_where, fixture, script};

/// The variables that name solvers' programs.
const VARIABLES: [(&str, &str); 2] = [("SYMEXEC_BITWUZLA", "bitwuzla"), ("SYMEXEC_YICES", "yices-smt2")];

/// Asks the solver directly as often as can be.
const MANY_QUESTIONS: [&str; 5] =
    ["--query-cache", "none", "--no-counterexample-cache", "--no-enumeration", "--no-equality-substitution"];

/// Fixtures that end in a second whatever is asked.
const PROGRAMS: [&str; 6] = ["matrix.ll", "pointers.ll", "errors.ll", "layout.ll", "markers.ll", "mixed.ll"];

/// The folder of the real solvers, if they are there.
fn real() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.deps/solvers/bin");
    let there = VARIABLES.iter().all(|(_, name)| folder.join(name).is_file());
    let required = std::env::var("REPRISE_SERVICES").is_ok_and(|value| value == "required");
    assert!(there || !required, "solvers are missing: run `cargo xtask setup --solvers`");
    there.then_some(folder)
}

/// `symexec run` on a fixture, with solvers that lie in a folder.
fn ask(folder: &TempDir, solvers: &Path, program: &str, arguments: &[&str]) -> Ran {
    let variables = VARIABLES.map(|(variable, name)| (variable, solvers.join(name)));
    explore_where(folder, &[fixture(program)], arguments, &variables)
}

/// What no solver may change.
fn verdicts(ran: &Ran) -> (u64, u64, Vec<(String, String)>, Vec<String>) {
    let tests = ran.tests().into_keys().collect();
    (ran.result("instructions"), ran.result("completed"), ran.errors(), tests)
}

#[test]
fn every_solver_finds_the_same_paths_and_errors() {
    let Some(solvers) = real() else { return };
    for program in PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let known = explore(&folder, program, &MANY_QUESTIONS);
        for solver in ["bitwuzla", "yices", "race"] {
            let arguments = [&["--solver", solver], MANY_QUESTIONS.as_slice()].concat();
            let ran = ask(&folder, &solvers, program, &arguments);
            assert_eq!(verdicts(&ran), verdicts(&known), "{program} with {solver}: {}", ran.stderr);
            assert_eq!(ran.engine("solver_queries"), known.engine("solver_queries"), "{program}: {solver}");
            assert_eq!(ran.engine("solver_failures"), 0, "{program} with {solver}: {}", ran.stderr);
        }
    }
}

#[test]
fn several_processes_ask_the_solver_that_was_chosen() {
    let Some(solvers) = real() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["1", "2"].map(|jobs| {
        let arguments = ["--allocation", "per-state", "--search", "dfs", "--solver", "yices", "--jobs", jobs];
        ask(&folder, &solvers, "pointers.ll", &[&arguments, MANY_QUESTIONS.as_slice()].concat())
    });
    assert_eq!(verdicts(&two), verdicts(&one), "{}", two.stderr);
    assert_eq!(two.inputs(), one.inputs());
    assert!(two.engine("solver_queries") > 0, "{}", two.stderr);
}

#[test]
fn a_model_does_not_depend_on_what_was_asked_before() {
    let Some(solvers) = real() else { return };
    for (solver, program) in [("bitwuzla", "pointers.ll"), ("yices", "pointers.ll"), ("race", "matrix.ll")] {
        let folder = tempfile::tempdir().unwrap();
        let [forth, back] = ["dfs", "bfs"].map(|search| {
            let arguments = [&["--solver", solver, "--search", search], MANY_QUESTIONS.as_slice()].concat();
            ask(&folder, &solvers, program, &arguments)
        });
        assert!(!forth.inputs().is_empty(), "{}", forth.stderr);
        assert_eq!(forth.inputs(), back.inputs(), "{program} with {solver}");
    }
}

/// A folder with a program that tells a version and does what a script says with a question.
fn pretender(answer: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (_, name) in VARIABLES {
        let path = folder.path().join(name);
        let text =
            format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Pretender 1'; exit 0; fi\n{answer}\n");
        script(&path, &text);
    }
    folder
}

#[test]
fn what_a_program_does_not_decide_z3_does() {
    let solvers =
        pretender("while read -r line; do case \"$line\" in '(check-sat)') echo unknown;; esac; done");
    let folder = tempfile::tempdir().unwrap();
    let known = explore(&folder, "matrix.ll", &["--no-enumeration"]);
    for solver in ["bitwuzla", "yices", "race"] {
        let ran = ask(&folder, solvers.path(), "matrix.ll", &["--solver", solver, "--no-enumeration"]);
        assert!(ran.engine("solver_queries") > 0, "{solver}: {}", ran.stderr);
        assert_eq!(verdicts(&ran), verdicts(&known), "{solver}: {}", ran.stderr);
        assert_eq!(ran.inputs(), known.inputs(), "{solver}");
        assert_eq!(ran.engine("solver_failures"), 0, "{solver}: {}", ran.stderr);
    }
}

#[test]
fn a_program_that_talks_nonsense_ends_paths_and_nothing_else() {
    for script in [
        "exit 0",
        "echo '(error \"no idea\")'",
        "while read -r line; do case \"$line\" in '(check-sat)') echo sat;; '(get-value'*) echo '((in0 #b1111111111))';; esac; done",
        "while read -r line; do case \"$line\" in '(check-sat)') echo maybe;; esac; done",
        "kill -9 $$",
    ] {
        let solvers = pretender(script);
        for solver in ["bitwuzla", "yices"] {
            let folder = tempfile::tempdir().unwrap();
            let arguments = [&["--solver", solver], MANY_QUESTIONS.as_slice()].concat();
            let ran = ask(&folder, solvers.path(), "matrix.ll", &arguments);
            assert!(ran.engine("solver_failures") > 0, "{script}: {}", ran.stderr);
            assert!(ran.stderr.contains("the solver found no answer"), "{script}: {}", ran.stderr);
            assert!(!ran.stderr.contains("panicked"), "{script}: {}", ran.stderr);
            // A path that ends for want of an answer is none of the program's errors.
            assert!(ran.errors().iter().all(|(kind, _)| kind == "solver"), "{script}: {}", ran.stderr);
        }
        // Z3 is there beside it.
        let folder = tempfile::tempdir().unwrap();
        let (known, ran) = (
            explore(&folder, "matrix.ll", &["--no-enumeration"]),
            ask(&folder, solvers.path(), "matrix.ll", &["--solver", "race", "--no-enumeration"]),
        );
        assert_eq!(verdicts(&ran), verdicts(&known), "{script}: {}", ran.stderr);
    }
}

#[test]
fn a_program_that_never_answers_is_ended() {
    let solvers = pretender("cat > /dev/null; exec tail -f /dev/null");
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--solver", "yices", "--max-solver-time", "1", "--max-time", "4", "--no-enumeration"];
    let ran = ask(&folder, solvers.path(), "matrix.ll", &arguments);
    assert!(ran.engine("solver_failures") > 0, "{}", ran.stderr);
    assert!(ran.report.is_some(), "{}", ran.stderr);
}

#[test]
fn a_program_that_is_not_there_is_an_error_that_says_what_to_do() {
    let (nobody, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (solver, variable) in
        [("bitwuzla", "SYMEXEC_BITWUZLA"), ("yices", "SYMEXEC_YICES"), ("race", "SYMEXEC_YICES")]
    {
        let ran = ask(&folder, nobody.path(), "matrix.ll", &["--solver", solver]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(variable) && ran.stderr.contains("setup --solvers"), "{}", ran.stderr);
        assert!(!ran.folder.exists(), "nothing was explored");
    }
}

#[test]
fn an_answer_of_one_solver_is_not_that_of_another() {
    let solvers =
        pretender("while read -r line; do case \"$line\" in '(check-sat)') echo unknown;; esac; done");
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let kept = ["--cache-dir", kept.to_str().unwrap(), "--no-enumeration", "--no-counterexample-cache"];
    let run = |mode: &str, solver: &str| {
        let arguments = [kept.as_slice(), &["--cache", mode, "--solver", solver]].concat();
        ask(&folder, solvers.path(), "matrix.ll", &arguments)
    };
    let first = run("read-write", "z3");
    assert!(first.engine("solver_queries") > 0, "{}", first.stderr);
    assert_eq!(run("offline", "z3").code, first.code, "its own answers are there");
    assert_eq!(run("offline", "yices").code, 3, "those of another are not");
    let tried = [kept[0], kept[1], kept[3], "--cache", "offline"];
    let tried = ask(&folder, solvers.path(), "matrix.ll", &tried);
    assert_eq!(
        tried.code, 3,
        "nor are those of the solver alone where values are tried before: {}",
        tried.stderr
    );
    assert!(run("read-write", "yices").engine("solver_queries") > 0);
    assert_eq!(run("offline", "yices").code, first.code);
}

#[test]
fn shards_of_different_solvers_are_not_merged() {
    let solvers =
        pretender("while read -r line; do case \"$line\" in '(check-sat)') echo unknown;; esac; done");
    let folder = tempfile::tempdir().unwrap();
    let merge = |second: &str| {
        let shards = [("1/2", "z3"), ("2/2", second)].map(|(shard, solver)| {
            ask(&folder, solvers.path(), "matrix.ll", &["--shard", shard, "--solver", solver]).folder
        });
        let merged = folder.path().join(format!("merged-{second}"));
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_symexec"));
        command.arg("merge").arg(merged).args(shards).output().unwrap()
    };
    assert!(merge("z3").status.success());
    let refused = merge("yices");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("different options"));
}
