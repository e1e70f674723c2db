//! Solvers beside the linked one: programs that are talked to in SMT-LIB 2.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ivl_verifier::base::engine::{Engine, Family};

use crate::command::{run, write};
use crate::support::fixture;

/// Z3's own program, which comes with the library that is linked.
fn z3() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.deps/z3/bin/z3");
    assert!(path.exists(), "`cargo xtask setup` brings {}", path.display());
    path
}

/// What `ivl boogie` prints with a solver's program, or with the linked one, and what it says beside.
fn asked(folder: &Path, program: Option<&Path>, arguments: &[&str]) -> (String, String) {
    let option = program.map(|program| format!("-proverOpt:PROVER_PATH={}", program.display()));
    let output = Command::new(env!("CARGO_BIN_EXE_ivl"))
        .arg("boogie")
        .args(option)
        .args(arguments)
        .current_dir(folder)
        .env("REPRISE_CACHE_DIR", folder.join("kept"))
        .env("REPRISE_CACHE", "off")
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

/// A program that calls itself Z3 and does something else.
pub(crate) fn impostor(folder: &Path, what: &str) -> PathBuf {
    impostor_of(folder, "Z3 version 4.9.9", what)
}

/// A program that says of itself what another says, and does something else.
fn impostor_of(folder: &Path, version: &str, what: &str) -> PathBuf {
    let path = folder.join("impostor");
    let text = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{version}'; exit; fi\n{what}\n");
    // Another process writes what will be started: a child of another test could hold open what is written here.
    let written = folder.join("impostor.text");
    fs::write(&written, text).expect("the folder is ours");
    let installed = Command::new("install").args(["-m", "755", "--"]).args([&written, &path]).status();
    assert!(installed.expect("install starts").success());
    path
}

#[test]
fn solvers_are_known_by_what_they_say_of_themselves() {
    let known = |said: &str| Engine::of_version(said).map(|it| (it.family, it.version));
    let z3 = "Z3 version 4.13.0 - 64 bit";
    assert_eq!(known(&format!("{z3}\n")), Some((Family::Z3, z3.to_owned())));
    let cvc5 = "This is cvc5 version 1.2.0 [git tag 1.2.0 branch HEAD]";
    assert_eq!(known(&format!("{cvc5}\ncompiled with GCC\n")), Some((Family::Cvc5, cvc5.to_owned())));
    for other in ["", "\n", "Yices 2.6.4", "GNU bash, version 5.2.15(1)-release", "z3"] {
        assert_eq!(known(other), None, "{other}");
    }
}

/// The same version answers the same, linked or not.
#[test]
fn a_program_answers_as_the_linked_solver_does() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in [
        "clients.bpl",
        "conditions.bpl",
        "maps.bpl",
        "theories.bpl",
        "values.bpl",
        "polymorphic.bpl",
        "names.bpl",
    ] {
        let text = fs::read_to_string(fixture(&format!("language/{name}"))).expect("it is there");
        write(folder.path(), name, &text);
        let linked = asked(folder.path(), None, &[name]);
        let spoken = asked(folder.path(), Some(&z3()), &[name]);
        assert_eq!(spoken, linked, "{name}");
    }
}

#[test]
fn what_one_solver_answered_is_no_answer_of_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "procedure P(x: int) requires 0 < x; { assert 0 <= x; }\n";
    write(folder.path(), "p.bpl", program);
    let z3 = z3().display().to_string();
    let cache = folder.path().join("kept").display().to_string();
    let usual = ["verify", "--explain", "--cache-dir", &cache, "p.bpl"];
    let other = ["verify", "--explain", "--cache-dir", &cache, "--solver", &z3, "p.bpl"];
    for (first, again) in [(&usual[..], &usual[..]), (&other, &other)] {
        let (text, _) = run(folder.path(), first);
        assert!(!text.contains("reused") && text.contains("1 verified"), "{text}");
        let (text, _) = run(folder.path(), again);
        assert!(text.contains("reused") && text.contains("1 verified"), "{text}");
    }
    let (text, code) = run(folder.path(), &["verify", "--solver", "no-such-solver", "p.bpl"]);
    assert_eq!(code, 2, "{text}");
}

/// Whatever a program does, nothing is verified by it that it did not say is so.
#[test]
fn a_program_that_breaks_down_proves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", "procedure P() { assert 1 < 2; }\nprocedure Q() { assert 2 < 1; }\n");
    let answering = |check: &str| {
        format!(
            "while read line; do case $line in *check-sat*) echo '{check}';; *echo*) echo set;; \
             *get-*) echo '(:reason-unknown ())';; esac; done"
        )
    };
    let answers = ["nonsense", "(error \"line 1: no\")", "unknown", "sat", "(", ")"].map(answering);
    let ends = ["exit 1", "kill -9 $$", "while :; do echo '('; done"].map(str::to_owned);
    for what in answers.iter().chain(&ends) {
        let program = impostor(folder.path(), what);
        let (text, _) = asked(folder.path(), Some(&program), &["-timeLimit:5", "p.bpl"]);
        assert!(text.contains("finished with 0 verified"), "{what}: {text}");
    }
    // One that hangs is ended when the limit is met, with what it started.
    let program = impostor(folder.path(), "sleep 600");
    let (text, _) = asked(folder.path(), Some(&program), &["-timeLimit:1", "p.bpl"]);
    assert!(text.contains("finished with 0 verified"), "{text}");
}

/// cvc5 has operations on sequences and strings only where it is told beforehand that there are some.
#[test]
fn cvc5_is_told_of_sequences_and_strings_where_there_are_some() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = folder.path().join("told");
    let what = format!(
        "while read -r line; do echo \"$line\" >> '{}'; case $line in *check-sat*) echo unsat;; *echo*) echo set;; \
         *get-*) echo '(:reason-unknown ())';; esac; done",
        told.display()
    );
    let program = impostor_of(folder.path(), "This is cvc5 version 1.2.0", &what);
    let names = "type {:builtin \"Seq\"} S _; function {:builtin \"seq.len\"} size<T>(a: S T): int;\n\
        function {:builtin \"str.len\"} length(a: string): int;\n";
    for (condition, wanted) in
        [("size(a) >= 0", true), ("length(s) >= 0", true), ("core.i == core.i + 0", false)]
    {
        let text =
            format!("{names}procedure P(a: S int, s: string, core.i: int) {{ assert {condition}; }}\n");
        write(folder.path(), "p.bpl", &text);
        let _ = fs::remove_file(&told);
        let (said, _) = asked(folder.path(), Some(&program), &["p.bpl"]);
        let script = fs::read_to_string(&told).expect("it was asked");
        let (before, _) = script.split_once("(set-logic ALL)").expect("a logic");
        assert_eq!(before.contains("(set-option :strings-exp true)"), wanted, "{script}\n{said}");
    }
}
