//! States that become one where a program says that they may (`klee_open_merge`, `klee_close_merge`).

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::klee::klee;
use crate::program::{Ran, explore_files};

/// Variables of several sorts differ between the paths; each check says what one of them has.
const VALUES: &str = r#"
static int twice(int x) { int y = x + x; return y; }
int main(void) {
  int x, n = 0, w = 7, one = 1, two = 2, *p = &w;
  char text[8] = "abc";
  double d = 0.5;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_open_merge();
  if (x == 0) { n = 10; p = &one; d = 2; }
  else if (x == 1) { n = twice(x); text[1] = 'Q'; p = &two; }
  else if (x > 100) { n = x; text[5] = 3; }
  klee_close_merge();
  int sum = n + *p + text[1];
  if (x == 0) { assert(sum == 11 + 'b' && d == 2); return 1; }
  if (x == 1) { assert(sum == 4 + 'Q' && d == 0.5); return 2; }
  if (x > 100) { assert(sum == x + 7 + 'b' && text[5] == 3); return 3; }
  assert(x < 0 || x > 1);
  assert(sum == 7 + 'b' && text[5] == 0);
  return 0;
}
"#;

/// Each letter would double the paths or more.
const LETTERS: &str = r#"
int main(void) {
  unsigned char t[6];
  int count = 0, other = 0, expected = 0, *kept = 0;
  klee_make_symbolic(t, sizeof t, "t");
  for (int i = 0; i < 6; i++) {
    klee_open_merge();
    if (t[i] == 'a') count++; else if (t[i] == 'b') other += i;
    klee_close_merge();
  }
  klee_open_merge();
  if (t[0] == 'z') kept = malloc(4);
  klee_close_merge();
  for (int i = 0; i < 6; i++) expected += t[i] == 'a';
  assert(count == expected);
  if (count == 3 && other == 7) return 1;
  return kept != 0;
}
"#;

/// A meeting inside of another one, and a path that ends before it closes.
const NESTED: &str = r#"
int main(void) {
  unsigned char a, b;
  int n = 0, m = 0;
  klee_make_symbolic(&a, 1, "a");
  klee_make_symbolic(&b, 1, "b");
  klee_open_merge();
  if (a < 10) {
    n = 1;
    klee_open_merge();
    if (b < 10) m = 2; else if (b == 99) return 5;
    klee_close_merge();
  } else n = a;
  klee_close_merge();
  assert(a >= 10 || (n == 1 && m == (b < 10 ? 2 : 0)));
  assert(a < 10 || (n == a && m == 0));
  klee_close_merge();
  return 0;
}
"#;

fn file(folder: &TempDir, body: &str) -> PathBuf {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file = folder.path().join(format!("p{number}.c"));
    let text = format!("#include <klee/klee.h>\n#include <assert.h>\n#include <stdlib.h>\n{body}");
    std::fs::write(&file, text).unwrap();
    file
}

fn run(body: &str, arguments: &[&str]) -> Ran {
    run_in(&tempfile::tempdir().unwrap(), body, arguments)
}

fn run_in(folder: &TempDir, body: &str, arguments: &[&str]) -> Ran {
    let file = file(folder, body);
    explore_files(folder, &[file], arguments)
}

#[test]
fn states_that_meet_are_one_and_every_value_is_that_of_its_path() {
    for model in ["forking", "segmented"] {
        for (body, apart, together) in [(VALUES, 5, 5), (LETTERS, 972, 6), (NESTED, 4, 3)] {
            let mut inputs = BTreeSet::new();
            for (options, paths) in [
                (&[][..], apart),
                (&["--use-merge"][..], together),
                (&["--use-merge", "--query-cache", "none"][..], together),
                (&["--use-merge", "--query-cache", "address-aware"][..], together),
            ] {
                let folder = tempfile::tempdir().unwrap();
                let ran = run_in(&folder, body, &[&["--memory-model", model], options].concat());
                let found = (ran.code, ran.result("completed"), ran.result("tests"));
                assert_eq!(found, (0, paths, paths), "{model} {options:?}: {}", ran.stderr);
                if !options.is_empty() {
                    inputs.insert(ran.inputs());
                }
            }
            assert_eq!(inputs.len(), 1, "caches change tests: {inputs:?}");
        }
        for options in [&["--search", "random-path"][..], &["--search", "bfs"], &["--use-incomplete-merge"]] {
            let ran = run(LETTERS, &[&["--use-merge", "--memory-model", model], options].concat());
            assert_eq!((ran.code, ran.result("completed")), (0, 6), "{model} {options:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn what_waits_for_others_goes_on_where_these_never_come() {
    let endless = "int main(void) { unsigned char c, d; int n = 0; klee_make_symbolic(&c, 1, \"c\");\n\
                     klee_open_merge(); if (c < 5) n = 1; else if (c < 9) n = 2; else for (;;) {\n\
                       klee_make_symbolic(&d, 1, \"d\"); if (d) n++; }\n\
                     klee_close_merge(); klee_report_error(__FILE__, __LINE__, \"came here\", \"here\"); }\n";
    let limits = ["--max-instructions", "5000", "--search", "bfs", "--use-merge"];
    let waits = run(endless, &limits);
    assert!(!waits.stderr.contains("came here"), "{}", waits.stderr);
    let goes_on = run(endless, &[&limits[..], &["--use-incomplete-merge"]].concat());
    assert!(goes_on.stderr.contains("came here"), "{}", goes_on.stderr);
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, endless);
    let options = ["--use-merge", "--use-incomplete-merge", "--max-instructions=5000", "--search=bfs"];
    let released = |told: &[&str]| {
        let ran = klee(&folder, &[&options[..], told].concat(), &file, &[]);
        ran.stderr.contains("Preemptively releasing states")
    };
    assert!(released(&["--debug-log-incomplete-merge"]) && !released(&[]));
}

#[test]
fn merging_is_told_and_refused_where_paths_are_divided() {
    let ran = run(NESTED, &["--use-merge", "--debug-log-merge"]);
    for text in ["open merge: 0", "merged state", "close merge: 0", "without a preceding open"] {
        assert!(ran.stderr.contains(text), "{text}: {}", ran.stderr);
    }
    let ran = run(NESTED, &[]);
    assert!(ran.stderr.contains("klee_open_merge ignored, use '-use-merge'"), "{}", ran.stderr);
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, NESTED);
    let refused = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .args(["run", "--use-merge", "--jobs", "2"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        !refused.status.success()
            && String::from_utf8_lossy(&refused.stderr).contains("--use-merge and --jobs")
    );
}

/// The program as it is, built for this machine and given the tests of merged paths, ends in each of its ways.
#[test]
fn tests_behind_a_meeting_replay_natively() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, VALUES);
    let ran = explore_files(&folder, std::slice::from_ref(&file), &["--use-merge"]);
    let tests: Vec<PathBuf> = ran.tests().into_keys().map(|name| ran.folder.join(name)).collect();
    let mut replay = Command::new(env!("CARGO_BIN_EXE_symexec"));
    let replayed = replay.arg("replay").arg(&file).arg("--test").args(tests).output().unwrap();
    let said = String::from_utf8_lossy(&replayed.stderr);
    let ends = said.lines().filter_map(|line| line.split_once(".ktest: "));
    let ends: BTreeSet<&str> = ends.map(|(_, end)| end).collect();
    let expected = [0, 1, 2, 3].map(|code| format!("the program ended with exit code {code}"));
    assert_eq!(ends, expected.iter().map(String::as_str).collect(), "{said}");
}

/// On one side of the meeting an input has the size of one unknown number, on the other that of another.
#[test]
fn states_whose_inputs_have_different_sizes_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(
        &folder,
        r#"
        int main(void) {
          unsigned char c, n, m;
          klee_make_symbolic(&c, 1, "c"); klee_make_symbolic(&n, 1, "n"); klee_make_symbolic(&m, 1, "m");
          klee_assume(n >= 1 & n <= 8 & m >= 1 & m <= 8 & (n == m + 2 | n + 2 == m));
          int turn = 0, at = 0;
          klee_open_merge();
          for (at = c == 'x'; at < 2; at++) {
            unsigned size = turn++ == 0 ? n : m;
            char *p = malloc(size);
            if (at == 1) klee_make_symbolic(p, size, "p");
            free(p);
            p = 0; size = 0;
          }
          turn = 0;
          klee_close_merge();
          return n == 7;
        }
        "#,
        &["--use-merge"],
    );
    let mut sizes = Vec::new();
    for name in ran.tests().into_keys().filter(|name| name.ends_with(".ktest")) {
        let test =
            symexec::testcase::KTest::from_bytes(&std::fs::read(ran.folder.join(name)).unwrap()).unwrap();
        let [c, n, m, p] = &test.objects[..] else { panic!("{test:?}") };
        let size = if c.1[0] == b'x' { n } else { m };
        assert_eq!(p.1.len(), usize::from(size.1[0]), "{test:?}");
        sizes.push(p.1.len());
    }
    assert!(sizes.len() > 1, "{}", ran.stderr);
}

#[cfg(feature = "plant")]
#[test]
fn swapped_sides_are_found() {
    let ran = run(VALUES, &["--use-merge", "--plant", "swap-merged"]);
    assert!(ran.stderr.contains("ASSERTION FAIL"), "{}", ran.stderr);
}
