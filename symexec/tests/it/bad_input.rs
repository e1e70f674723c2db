//! Input that cannot be used is said to be so, with its place and the way out.

use std::path::PathBuf;
use std::process::Command;

use crate::program::{explore_files, fixture};

fn refused(files: &[PathBuf], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let ran = explore_files(&folder, files, arguments);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn a_missing_file_is_named() {
    let said = refused(&["no-such-file.ll".into()], &[]);
    assert!(said.contains("no-such-file.ll"), "{said}");
    let said = refused(&["no-such-file.c".into()], &[]);
    assert!(said.contains("no-such-file.c: no such file"), "{said}");
}

#[test]
fn bytes_that_are_no_program_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noise.bc");
    for bytes in [b"BC\xc0\xde\x35\x14".as_slice(), b"\x00\x01\x02\x03garbage", b"define i32 @main("] {
        std::fs::write(&file, bytes).unwrap();
        let said = refused(std::slice::from_ref(&file), &[]);
        assert!(said.contains("noise.bc"), "{said}");
    }
}

#[test]
fn assembly_that_is_cut_anywhere_is_refused_or_explored() {
    let whole = std::fs::read(fixture("matrix.ll")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.ll");
    for part in 1..8 {
        std::fs::write(&file, &whole[..whole.len() * part / 8]).unwrap();
        let ran = explore_files(&folder, std::slice::from_ref(&file), &[]);
        assert!([0, 1, 2].contains(&ran.code), "{}: {}", ran.code, ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    }
}

#[test]
fn a_program_without_main_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("library.ll");
    std::fs::write(&file, LIBRARY).unwrap();
    let said = refused(std::slice::from_ref(&file), &[]);
    assert!(said.contains("no function `main`") && said.contains("--entry-point"), "{said}");
    let ran = explore_files(&folder, &[file], &["--entry-point", "start"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("external call: `missing` has no definition here"), "{}", ran.stderr);
}

const LIBRARY: &str =
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"
target triple = \"x86_64-pc-linux-gnu\"
declare void @missing()
define void @start() {
  call void @missing()
  ret void
}
";

#[test]
fn what_cannot_be_executed_ends_only_the_path_that_reaches_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("assembly.ll");
    let text = LIBRARY.replace("call void @missing()", "call void asm sideeffect \"cpuid\", \"\"()");
    std::fs::write(&file, text).unwrap();
    let ran = explore_files(&folder, &[file], &["--entry-point", "start"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("inline assembly is not supported: cpuid"), "{}", ran.stderr);
}

#[test]
fn files_for_other_machines_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.ll");
    std::fs::write(&file, "target datalayout = \"e-p:32:32\"\ndefine i32 @main() {\n  ret i32 0\n}\n")
        .unwrap();
    let said = refused(&[file], &[]);
    assert!(said.contains("64-bit pointers"), "{said}");
}

#[test]
fn a_missing_worker_or_compiler_is_an_error_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    // The program alone, without its workers beside it.
    let alone = folder.path().join("symexec");
    std::fs::copy(env!("CARGO_BIN_EXE_symexec"), &alone).unwrap();
    let result = Command::new(&alone).arg("run").arg(fixture("matrix.ll")).output().unwrap();
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert_eq!(result.status.code(), Some(2), "{said}");
    assert!(said.contains("symexec-reader") && said.contains("cargo xtask setup"), "{said}");

    std::fs::copy(env!("CARGO_BIN_EXE_symexec-reader"), folder.path().join("symexec-reader")).unwrap();
    let result = Command::new(&alone)
        .args(["run", "--output-dir"])
        .arg(folder.path().join("out"))
        .arg(fixture("matrix.ll"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    // Paths that end for want of a solver are no findings.
    assert_eq!(result.status.code(), Some(2), "{said}");
    assert!(said.contains("symexec-solver") && said.contains("cargo xtask setup"), "{said}");

    let said = refused(&[fixture("matrix.c")], &["--clang", "no-such-compiler"]);
    assert!(said.contains("no-such-compiler") && said.contains("install clang 19"), "{said}");
}

#[test]
fn an_output_folder_that_exists_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let said = refused(&[fixture("matrix.ll")], &["--output-dir", folder.path().to_str().unwrap()]);
    // Clap refuses the option given twice, or the folder is refused; either way nothing is written.
    assert!(!said.is_empty());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn wrong_usage_is_explained() {
    for (arguments, expected) in [
        (["--query-cache", "best"], "none, plain or address-aware"),
        (["--search", "luck"], "random-state, random-path or nurs:covnew"),
        (["--allocation", "anywhere"], "shared or per-state"),
        (["--cache", "sometimes"], "read-write"),
        (["--audit", "often"], "sample=N"),
    ] {
        let said = refused(&[fixture("matrix.ll")], &arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}
