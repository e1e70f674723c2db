//! `argp_parse` and its messages: what a program prints with them is what it prints natively.

use std::path::Path;
use std::process::Command;

use crate::program::explore_files;

/// Command lines; the first word may choose a flag of the call.
const LINES: &[&str] = &[
    "",
    "a -v b",
    "-o y --output z -r -r5 --repeat=7 --repeat",
    "--depth 4 -d5 --wide -q -s --silent --rep=4",
    "a -- b -v",
    "-x 3 -x 7",
    "--bogus",
    "--output",
    "usage",
    "rest a b c",
    "order a -v b",
    "noargs a -v",
    "noexit -x 7",
    "silent --help",
    "--usage",
    "--help",
    "-?",
    "-V",
    "--abort-it",
    "long -depth 3 -verbose a",
    "--program-name=other --zet 5 --bogus",
];

fn program() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/argp/program.c")
}

#[test]
fn command_lines_are_taken_apart_as_natively() {
    let folder = tempfile::tempdir().unwrap();
    let (native, bitcode) = (folder.path().join("native"), folder.path().join("program.bc"));
    let compile = |options: &[&str], to: &Path| {
        let status =
            Command::new("clang-19").args(["-w", "-o"]).arg(to).args(options).arg(program()).status();
        assert!(status.unwrap().success());
    };
    compile(&[], &native);
    compile(&["-emit-llvm", "-c"], &bitcode);
    for line in LINES {
        let words: Vec<&str> = line.split_whitespace().collect();
        let theirs = Command::new(&native).args(&words).env_remove("POSIXLY_CORRECT").output().unwrap();
        let options = [&["--show-output", "--"], words.as_slice()].concat();
        let ours = explore_files(&folder, std::slice::from_ref(&bitcode), &options);
        let told: String =
            ours.stderr.split_inclusive('\n').filter(|line| !line.starts_with("KLEE: ")).collect();
        assert_eq!(ours.stdout, String::from_utf8_lossy(&theirs.stdout), "{line}");
        assert_eq!(told, String::from_utf8_lossy(&theirs.stderr), "{line}");
    }
}

#[test]
fn unknown_command_lines_are_taken_apart_without_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let ran = explore_files(&folder, &[program()], &["--max-instructions", "300000", "--", "--sym-arg", "2"]);
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    assert!(ran.result("completed") > 5, "{}", ran.stderr);
}
