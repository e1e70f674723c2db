//! Input that cannot be used is said to be so, with its place and the way out.

use std::path::PathBuf;
use std::process::Command;

use crate::klee::klee;
use crate::program::{explore_files, fixture, install, script};

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
    assert!(ran.stderr.contains("failed external call: missing: there is no definition"), "{}", ran.stderr);
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
    let text = LIBRARY.replace("call void @missing()", "call void asm sideeffect \"hlt\", \"\"()");
    std::fs::write(&file, text).unwrap();
    let ran = explore_files(&folder, &[file], &["--entry-point", "start"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("inline assembly is not supported: hlt"), "{}", ran.stderr);
}

#[test]
fn a_name_that_begins_again_and_again_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deep.ll");
    let name = format!("llvm.{}fadd.f64", "experimental.constrained.".repeat(50_000));
    let text = LIBRARY.replace("@missing", &format!("@{name}"));
    std::fs::write(&file, text).unwrap();
    let ran = explore_files(&folder, &[file], &["--entry-point", "start"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("fadd.f64` is not supported"), "{}", &ran.stderr[..1000]);
}

#[test]
fn what_is_not_well_formed_is_refused_before_it_is_optimized() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.ll");
    let text = "define i32 @main() {\n  %x = add i32 %y, 1\n  %y = add i32 1, 1\n  ret i32 %x\n}\n";
    std::fs::write(&file, text).unwrap();
    let expected = format!("Loading file {} failed: not well formed: ", file.display());
    for before in [&[][..], &["--optimize"]] {
        let ran = klee(&folder, before, &file, &[]);
        assert!(ran.code == 1 && ran.stderr.contains(&expected), "{}", ran.stderr);
    }
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
    install(env!("CARGO_BIN_EXE_symexec").as_ref(), &alone);
    let result = Command::new(&alone).arg("run").arg(fixture("matrix.ll")).output().unwrap();
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert_eq!(result.status.code(), Some(2), "{said}");
    assert!(said.contains("symexec-reader") && said.contains("cargo xtask setup"), "{said}");

    install(env!("CARGO_BIN_EXE_symexec-reader").as_ref(), &folder.path().join("symexec-reader"));
    let result = Command::new(&alone)
        .args(["run", "--no-enumeration", "--output-dir"])
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
        (["--search", "luck"], "nurs:cpicnt or nurs:qc"),
        (["--allocation", "anywhere"], "shared or per-state"),
        (["--cache", "sometimes"], "read-write"),
        (["--audit", "often"], "sample=N"),
    ] {
        let said = refused(&[fixture("matrix.ll")], &arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

/// A folder with `symexec` and a solver that dies after some bytes of questions and is itself again
/// afterwards.
fn with_a_solver_that_dies_once(folder: &std::path::Path) -> PathBuf {
    let symexec = folder.join("symexec");
    install(env!("CARGO_BIN_EXE_symexec").as_ref(), &symexec);
    install(env!("CARGO_BIN_EXE_symexec-reader").as_ref(), &folder.join("symexec-reader"));
    let (solver, died) = (folder.join("symexec-solver"), folder.join("died"));
    let real = env!("CARGO_BIN_EXE_symexec-solver");
    let text = format!(
        "#!/bin/sh\nif [ -e '{died}' ]; then exec '{real}'; fi\ntouch '{died}'\ndd bs=1 count=600 status=none | '{real}'\nexit 9\n",
        died = died.display()
    );
    script(&solver, &text);
    symexec
}

#[test]
fn a_solver_that_dies_costs_one_question() {
    let folder = tempfile::tempdir().unwrap();
    let symexec = with_a_solver_that_dies_once(folder.path());
    let stats = folder.path().join("stats.json");
    let result = Command::new(symexec)
        .args(["run", "--no-enumeration", "--output-dir"])
        .arg(folder.path().join("out"))
        .arg("--stats")
        .arg(&stats)
        .arg(fixture("matrix.ll"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
    assert_eq!(report["engine"]["solver_failures"], 1, "{said}");
    assert_eq!(report["engine"]["solver_starts"], 2, "{said}");
    // Of the six paths one is lost, or its test.
    assert!(report["result"]["completed"].as_u64().unwrap() >= 5, "{said}");
    assert_eq!(said.matches("ended while it was at work").count(), 1, "{said}");
}

#[test]
fn questions_beyond_the_limit_end_their_paths_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    // The last condition asks for the factors of a product of two primes.
    let file = folder.path().join("hard.c");
    let text = "void klee_make_symbolic(void *, unsigned long, const char *);\n\
        int main(void) {\n  unsigned long x, y;\n  unsigned char easy;\n\
        \x20 klee_make_symbolic(&easy, sizeof easy, \"easy\");\n\
        \x20 klee_make_symbolic(&x, sizeof x, \"x\");\n  klee_make_symbolic(&y, sizeof y, \"y\");\n\
        \x20 if (easy > 9)\n    return 1;\n\
        \x20 if (x > 1 && y > 1 && x < 1ul << 32 && y < 1ul << 32 && x * y == 2147483647ul * 2147483629ul)\n    return 2;\n  return 3;\n}\n";
    std::fs::write(&file, text).unwrap();
    let ran = explore_files(&folder, &[file], &["--solver-resource", "20000"]);
    assert!(ran.stderr.contains("the solver found no answer"), "{}", ran.stderr);
    assert!(ran.result("completed") >= 1, "{}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}

/// LLVM must not be trusted with any bytes: the worker boundary turns whatever happens into an error.
#[test]
fn altered_bitcode_is_refused_or_explored() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.bc");
    let compiled = Command::new("clang-19")
        .args(["-O0", "-w", "-c", "-emit-llvm", "-o"])
        .arg(&good)
        .arg(fixture("values.c"))
        .arg("-I")
        .arg(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/include"))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let bytes = std::fs::read(&good).unwrap();
    let mut random = 1u64;
    let mut next = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound
    };
    let file = folder.path().join("altered.bc");
    for round in 0..12 {
        let mut altered = bytes.clone();
        for _ in 0..=round % 4 {
            let place = next(altered.len());
            altered[place] ^= 1 << next(8);
        }
        if round % 5 == 4 {
            altered.truncate(next(bytes.len()));
        }
        std::fs::write(&file, altered).unwrap();
        let limits = ["--max-time", "10", "--max-instructions", "100000", "--max-solver-time", "2"];
        let ran = explore_files(&folder, std::slice::from_ref(&file), &limits);
        assert!([0, 1, 2].contains(&ran.code), "{}: {}", ran.code, ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    }
}

#[test]
fn gigantic_requests_and_endless_recursion_are_errors_of_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.c");
    let text = "#include <stddef.h>\nvoid *malloc(size_t);\nvoid *calloc(size_t, size_t);\n\
        void *realloc(void *, size_t);\nvoid klee_make_symbolic(void *, size_t, const char *);\n\
        static int deep(volatile int n) { return deep(n + 1) + 1; }\n\
        int main(void) {\n  unsigned char c;\n  klee_make_symbolic(&c, 1, \"c\");\n\
        \x20 if (malloc((size_t)-1) || malloc((size_t)1 << 62) || calloc((size_t)1 << 33, (size_t)1 << 33))\n    return 1;\n\
        \x20 if (c == 0)\n    return deep(0);\n\
        \x20 if (c == 1) {\n    volatile size_t n = (size_t)1 << 45;\n    char room[n];\n    room[0] = 1;\n    return room[0];\n  }\n\
        \x20 return realloc(0, (size_t)1 << 60) != 0;\n}\n";
    std::fs::write(&file, text).unwrap();
    let ran = explore_files(&folder, &[file], &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("Maximum stack size reached: 8192 activations"), "{}", ran.stderr);
    assert!(ran.stderr.contains("a local variable of 35184372088832 bytes does not fit"), "{}", ran.stderr);
    assert_eq!(ran.result("completed"), 1, "{}", ran.stderr);
}

#[test]
fn a_folder_that_takes_no_more_files_is_an_error_and_what_was_written_stays() {
    // Files above a size of zero blocks fail, as on a full disk, once the limit is set: the shell ignores
    // the signal that comes with it, and so does what it starts.
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("full");
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
    let result = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_symexec"), "run"])
        .arg(fixture("matrix.ll"))
        .arg("--output-dir")
        .arg(&output)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert_eq!(result.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write") && said.contains("the exploration goes on"), "{said}");
    assert!(said.contains("error: the output folder is incomplete"), "{said}");
    assert!(said.contains("KLEE: done: completed paths = 6"), "{said}");
    assert!(said.contains("no run.stats") && !said.contains("panicked"), "{said}");
}

#[test]
fn files_that_do_not_fit_together_are_named_as_users_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["one.c", "two.c"].map(|name| folder.path().join(name));
    for file in &files {
        std::fs::write(file, "int twice(void) { return 1; }\nint main(void) { return twice(); }\n").unwrap();
    }
    let ran = explore_files(&folder, &files, &[]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let expected = format!("linking {}: ", files[1].display());
    assert!(ran.stderr.contains(&expected) && ran.stderr.contains("twice"), "{}", ran.stderr);
}
