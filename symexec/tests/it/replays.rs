//! Replay in the engine: tests give inputs their bytes, paths give branches their sides.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::klee::{Klee, klee, source};

/// The sum of a path's bits, told in words.
const BITS: &str = "#include <stdio.h>\n#include <klee/klee.h>\n\
    int main(void) {\n\
      unsigned char bits; klee_make_symbolic(&bits, 1, \"bits\");\n\
      int low = 0, high = 0;\n\
      if (bits & 1) low = 1;\n\
      if (bits & 2) high = 1;\n\
      printf(\"low=%d high=%d\\n\", low, high);\n\
      return 0;\n\
    }\n";

/// What `symexec replay` says of tests of a run, and its exit code.
fn replayed(program: &Path, ran: &Klee, tests: &[String]) -> (String, Option<i32>) {
    let mut replay = Command::new(env!("CARGO_BIN_EXE_symexec"));
    replay.arg("replay").arg(program).arg("--test").args(tests.iter().map(|name| ran.folder.join(name)));
    let output = replay.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&said).into_owned(), output.status.code())
}

/// Makes bitcode of a program, with these options.
fn bitcode_of(program: &Path, options: &[&str]) -> PathBuf {
    let bitcode = program.with_extension("bc");
    let compiled = Command::new("clang-19")
        .args(options)
        .args(["-emit-llvm", "-c", "-I", concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/include")])
        .args([program.as_os_str(), "-o".as_ref(), bitcode.as_os_str()])
        .status()
        .unwrap();
    assert!(compiled.success());
    bitcode
}

fn test_of(ran: &Klee, number: u32) -> String {
    format!("--replay-ktest-file={}/test{number:06}.ktest", ran.folder.display())
}

#[test]
fn a_replayed_test_knows_every_byte_and_gives_the_same_test_again() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, BITS);
    let explored = klee(&folder, &[], &program, &[]);
    assert_eq!(explored.done("generated tests"), 4, "{}", explored.stderr);
    let (mut said, mut tests) = (Vec::new(), Vec::new());
    for number in 1..=4 {
        let ran = klee(&folder, &[&test_of(&explored, number)], &program, &[]);
        assert_eq!((ran.code, ran.done("completed paths")), (0, 1), "{}", ran.stderr);
        assert!(ran.stderr.contains("(1 bytes) (1/1)\n"), "{}", ran.stderr);
        said.push(ran.stdout.clone());
        let bytes =
            |ran: &Klee, number| std::fs::read(ran.folder.join(format!("test{number:06}.ktest"))).unwrap();
        assert_eq!(bytes(&ran, 1), bytes(&explored, number));
        tests.push(bytes(&ran, 1));
    }
    said.sort();
    assert_eq!(said, ["low=0 high=0\n", "low=0 high=1\n", "low=1 high=0\n", "low=1 high=1\n"]);
    // A folder's tests follow each other in one run.
    let option = format!("--replay-ktest-dir={}", explored.folder.display());
    let all = klee(&folder, &[&option], &program, &[]);
    assert_eq!(all.done("completed paths"), 4, "{}", all.stderr);
    assert_eq!(all.stderr.matches("KLEE: replaying: ").count(), 4, "{}", all.stderr);
    assert!(all.stderr.contains("(4/4)\n"), "{}", all.stderr);
}

#[test]
fn unknown_arguments_are_replayed_as_the_runtime_asked_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <stdio.h>\nint main(int count, char **words) {\n\
           if (count == 2 && words[1][0] == 'a') { puts(words[1]); return 1; }\n\
           return 0;\n\
         }\n",
    );
    let inputs = ["--sym-args", "0", "1", "2"];
    let explored = klee(&folder, &["--posix-runtime", "--libc=uclibc"], &program, &inputs);
    let option = format!("--replay-ktest-dir={}", explored.folder.display());
    let ran = klee(&folder, &["--posix-runtime", "--libc=uclibc", &option], &program, &inputs);
    assert_eq!(ran.done("completed paths"), explored.done("completed paths"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with('a') && !ran.stdout.contains('?'), "{}", ran.stdout);
}

#[test]
fn a_test_of_another_program_ends_with_klees_words() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, BITS);
    let explored = klee(&folder, &[], &program, &[]);
    let ask = |text: &str| format!("#include <klee/klee.h>\nint main(void) {{ {text} return 0; }}\n");
    for (text, expected) in [
        ("int x; klee_make_symbolic(&x, 4, \"bits\");", "replay size mismatch"),
        (
            "char x, y; klee_make_symbolic(&x, 1, \"bits\"); klee_make_symbolic(&y, 1, \"y\");",
            "replay count mismatch",
        ),
    ] {
        let other = source(&folder, &ask(text));
        let ran = klee(&folder, &[&test_of(&explored, 1)], &other, &[]);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert_eq!(ran.done("partially completed paths"), 1, "{}", ran.stderr);
    }
    let ran = klee(&folder, &["--replay-ktest-file=nowhere.ktest"], &program, &[]);
    assert!(ran.code == 1 && ran.stderr.contains("the test nowhere.ktest: "), "{}", ran.stderr);
}

/// Runs a program along a path.
fn along(folder: &tempfile::TempDir, program: &Path, path: &str) -> Klee {
    let file = folder.path().join("sides.path");
    std::fs::write(&file, path).unwrap();
    let option = file.display().to_string();
    klee(folder, &["--replay-path", &option], program, &[])
}

#[test]
fn a_replayed_path_is_the_only_one() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, BITS);
    let ran = along(&folder, &program, "0\n1\n");
    assert_eq!(ran.stdout, "low=0 high=1\n", "{}", ran.stderr);
    assert_eq!((ran.done("completed paths"), ran.done("generated tests")), (1, 1), "{}", ran.stderr);
    // What was written of a path is what replays it.
    let explored = klee(&folder, &["--write-paths"], &program, &[]);
    for number in 1..=4 {
        let path = std::fs::read_to_string(explored.folder.join(format!("test{number:06}.path"))).unwrap();
        let again = along(&folder, &program, &path);
        let test =
            |ran: &Klee, number| std::fs::read(ran.folder.join(format!("test{number:06}.ktest"))).unwrap();
        assert_eq!(test(&again, 1), test(&explored, number), "{}", again.stderr);
    }
}

#[test]
fn a_path_that_is_too_short_or_impossible_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, BITS);
    let short = along(&folder, &program, "1\n");
    assert!(short.stderr.contains("ran out of branches in replay path mode"), "{}", short.stderr);
    let known = source(
        &folder,
        "#include <klee/klee.h>\nint main(void) {\n\
           int x; klee_make_symbolic(&x, 4, \"x\"); klee_assume(x > 5);\n\
           if (x > 2) return 1;\n\
           return 0;\n\
         }\n",
    );
    let impossible = along(&folder, &known, "0\n");
    assert!(impossible.stderr.contains("hit invalid branch in replay path mode"), "{}", impossible.stderr);
    let garbled = along(&folder, &known, "1\nyes\n");
    assert!(garbled.code == 1 && garbled.stderr.contains("line 2 is neither 0 nor 1"), "{}", garbled.stderr);
}

#[test]
fn seeds_have_their_time_and_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, BITS);
    let explored = klee(&folder, &[], &program, &[]);
    let seed = format!("--seed-file={}/test000001.ktest", explored.folder.display());
    let only = klee(&folder, &[&seed, "--only-seed", "--only-replay-seeds"], &program, &[]);
    assert!(only.stderr.contains("KLEE: seeding done (0 states remain)\n"), "{}", only.stderr);
    // The others remain, and get tests where the run ends.
    let first = klee(&folder, &[&seed, "--only-seed"], &program, &[]);
    assert!(first.stderr.contains("KLEE: seeding done (2 states remain)\n"), "{}", first.stderr);
    let counts =
        ["completed paths", "partially completed paths", "generated tests"].map(|name| first.done(name));
    assert_eq!(counts, [1, 2, 3], "{}", first.stderr);
    let all = klee(&folder, &[&seed, "--seed-time=1h"], &program, &[]);
    assert!(all.stderr.contains("KLEE: seeding done ("), "{}", all.stderr);
    assert_eq!(all.done("completed paths"), 4, "{}", all.stderr);
    // Without any, states that followed seeds are states like others.
    let none = klee(&folder, &[&seed, "--seed-time=1ns"], &program, &[]);
    assert!(none.stderr.contains("seed time expired, 1 seeds remain over 1 states"), "{}", none.stderr);
    assert_eq!(none.done("completed paths"), 4, "{}", none.stderr);
}

#[test]
fn what_sanitized_code_finds_is_found_again_natively() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <klee/klee.h>\n\
         int main(void) {\n\
           int x; klee_make_symbolic(&x, sizeof x, \"x\");\n\
           return x + 1 > 0;\n\
         }\n",
    );
    let bitcode = bitcode_of(&program, &["-fsanitize=signed-integer-overflow", "-g"]);
    let ran = klee(&folder, &[], &bitcode, &[]);
    let name = ran.files().into_iter().find(|name| name.ends_with(".overflow.err")).unwrap();
    let (said, code) = replayed(&bitcode, &ran, &[name.replace("overflow.err", "ktest")]);
    assert!(said.contains(".c:4: signed-integer-overflow"), "{said}");
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn tests_of_vector_code_go_their_way_natively() {
    if !std::is_x86_feature_detected!("avx2") || !std::is_x86_feature_detected!("fma") {
        crate::program::tell_left_out("tests of vector code");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, include_str!("differential/unknown_vectors.c"));
    let bitcode = bitcode_of(&program, &["-O3", "-march=x86-64-v3", "-ffp-contract=off"]);
    let ran = klee(&folder, &[], &bitcode, &[]);
    assert!(!ran.files().iter().any(|name| name.ends_with(".err")), "{}", ran.stderr);
    let tests: Vec<_> = ran.files().into_iter().filter(|name| name.ends_with(".ktest")).collect();
    assert!(tests.len() >= 6, "{}", ran.stderr);
    let (said, _) = replayed(&bitcode, &ran, &tests);
    assert_eq!(said.matches("ended with exit code 0").count(), tests.len(), "{said}");
}

#[test]
fn a_test_of_an_input_of_unknown_size_has_as_many_bytes_as_its_path() {
    let text = "#include <stdlib.h>\n#include <klee/klee.h>\n\
        int main(void) {\n\
          int n; klee_make_symbolic(&n, sizeof n, \"n\"); klee_assume(n >= 0 & n <= 20);\n\
          char *p = malloc(n + 1); klee_make_symbolic(p, n + 1, \"p\"); p[n] = 0;\n\
          if (n > 2 && p[1] == 'x') return 1;\n\
          return n == 0 ? 2 : 0;\n\
        }\n";
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, text);
    let ran = klee(&folder, &[], &program, &[]);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&ran.folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "ktest") {
            let test = symexec::testcase::KTest::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
            let [n, p] = &test.objects[..] else { panic!("{test:?}") };
            assert_eq!(p.1.len(), usize::from(n.1[0]) + 1, "{test:?}");
            names.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    assert_eq!(names.len(), 3, "{}", ran.stderr);
    names.sort();
    let (said, code) = replayed(&program, &ran, &names);
    assert_eq!(code, Some(0), "{said}");
    // In the engine as well, replayed and as a seed.
    for number in 1..=3 {
        let again = klee(&folder, &[&test_of(&ran, number)], &program, &[]);
        assert_eq!(again.done("completed paths"), 1, "{}", again.stderr);
    }
    let seeds = format!("--seed-dir={}", ran.folder.display());
    let seeded = klee(&folder, &[&seeds], &program, &[]);
    assert_eq!(seeded.done("completed paths"), 3, "{}", seeded.stderr);
    assert!(!seeded.stderr.contains("mismatch"), "{}", seeded.stderr);
}
