//! Rust: a program of ours, compiled by Debian's compiler with `symexec/rust`, whose standard library comes along.
//!
//! `cargo xtask setup --languages` installs the compiler. Where it is not, these tests do nothing, and
//! `cargo xtask test` says so; with the environment variable `REPRISE_SERVICES=required`, as in CI, they fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::program::{Ran, explore_files};

const RUSTC: &str = "/usr/bin/rustc";

const FLAGS: [&str; 12] = [
    "--edition",
    "2021",
    "-C",
    "panic=abort",
    "-C",
    "opt-level=1",
    "-C",
    "codegen-units=1",
    "-C",
    "debuginfo=1",
    "-C",
    "overflow-checks=on",
];

/// Whether there is a compiler whose bitcode is read.
fn has_compiler() -> bool {
    let output = Command::new(RUSTC).args(["--version", "--verbose"]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = text.lines().find_map(|line| line.strip_prefix("LLVM version: "));
    let major = version.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    let there = major.is_some_and(|major| major <= 19);
    let required = std::env::var("REPRISE_SERVICES").is_ok_and(|value| value == "required");
    assert!(there || !required, "Debian's rustc is missing: run `cargo xtask setup --languages`");
    there
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn compile(folder: &TempDir, arguments: &[&str], source: &Path) {
    let mut rustc = Command::new(RUSTC);
    let output = rustc.current_dir(folder.path()).args(FLAGS).args(arguments).arg(source).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles the program with the crate.
fn program(folder: &TempDir) -> PathBuf {
    let crate_root = place("rust/src/lib.rs");
    compile(folder, &["--crate-type", "rlib", "--crate-name", "reprise_symexec"], &crate_root);
    let extern_crate = "reprise_symexec=libreprise_symexec.rlib";
    let arguments = ["-C", "lto=fat", "--extern", extern_crate, "--emit=llvm-bc", "-o", "program.bc"];
    compile(folder, &arguments, &place("tests/it/rust/program.rs"));
    folder.path().join("program.bc")
}

fn errors(ran: &Ran) -> Vec<String> {
    let said = |(kind, text): (String, String)| {
        // The program's path is a machine's own.
        let text = text.replace(&place("tests/it/rust/").display().to_string(), "");
        format!("{kind}: {text}")
    };
    ran.errors().into_iter().map(said).collect()
}

/// The line of the program with a text, and its column.
fn at(text: &str) -> String {
    let source = std::fs::read_to_string(place("tests/it/rust/program.rs")).unwrap();
    let (line, found) = source.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
    format!("program.rs:{}:{}", line + 1, found.find(text).unwrap() + 1)
}

#[test]
fn rust_programs_are_explored_with_their_standard_library() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = program(&folder);
    let explore = |part: &str| explore_files(&folder, std::slice::from_ref(&program), &["--", part]);

    let ran = explore("parser");
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    assert!(ran.result("completed") > 8, "{}", ran.stderr);

    let ran = explore("collections");
    assert_eq!(ran.errors(), [], "{}", ran.stderr);

    let ran = explore("failures");
    let mut expected = [
        ("list[usize", "index out of bounds: the len is 3 but the index is {}"),
        ("x + 100", "attempt to add with overflow"),
        ("unwrap()", "called `Option::unwrap()` on a `None` value"),
        ("10 / x", "attempt to divide by zero"),
        ("expect(", "{}: {}"),
        ("assert!(x", "x is {}"),
        ("unreachable!", "internal error: entered unreachable code"),
    ]
    .map(|(place, text)| format!("panic: Error: panicked at {}: {text}", at(place)))
    .to_vec();
    // What this compiler's library says of ranges is told with a place of its own; the program's is the line.
    let in_library = "panic: Error: panicked at library/core/src/slice/index.rs:";
    let (library, own): (Vec<_>, Vec<_>) =
        errors(&ran).into_iter().partition(|error| error.starts_with(in_library));
    expected.sort();
    assert_eq!(own, expected, "{}", ran.stderr);
    let texts =
        ["range end index {} out of range for slice of length {}", "slice index starts at {} but ends at {}"];
    assert!(library.len() == 2 && texts.iter().all(|text| library.iter().any(|error| error.ends_with(text))));
    let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("slice/index.rs")).collect();
    let line = format!("{}: panicked", at("list[2..usize").rsplit_once(':').unwrap().0);
    assert!(lines.len() == 2 && lines.iter().all(|said| said.contains(&line)), "{line}: {}", ran.stderr);

    // Natively every panic ends the program, and nothing else does.
    let mut replay = Command::new(env!("CARGO_BIN_EXE_symexec"));
    replay.arg("replay").arg(&program).current_dir(folder.path()).arg("--test");
    let output = replay.args(ran.tests().into_keys().map(|test| ran.folder.join(test))).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = |text: &str| said.lines().filter(|line| line.contains(text)).count();
    assert_eq!(count("SIGABRT, as by a failed assertion"), ran.errors().len(), "{said}");
    assert_eq!(count("exit code 0"), ran.tests().len() - ran.errors().len(), "{said}");
}
