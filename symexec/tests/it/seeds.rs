//! Seeds: tests whose paths are followed before others, or alone.

use std::path::PathBuf;

use symexec::testcase::KTest;
use tempfile::TempDir;

use crate::program::{Ran, explore_files};

/// Sixteen paths: one for each set of letters that are capital.
const PROGRAM: &str = r#"
#include <klee/klee.h>
int main(void) {
  char text[4];
  int sum = 0;
  klee_make_symbolic(text, sizeof text, "text");
  for (int k = 0; k < 4; k++)
    if (text[k] >= 'A' && text[k] <= 'Z')
      sum += 1 << k;
  return sum;
}
"#;

/// Names and bytes of inputs.
type Objects = [(&'static str, &'static [u8])];

/// Which path of the program a test is of.
fn path(test: &KTest) -> u32 {
    (0..4u32)
        .filter(|place| test.objects[0].1[*place as usize].is_ascii_uppercase())
        .map(|place| 1 << place)
        .sum()
}

fn seed(folder: &TempDir, name: &str, objects: &Objects) -> PathBuf {
    let objects = objects.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    let file = folder.path().join(name);
    std::fs::write(&file, KTest { objects, ..KTest::default() }.to_bytes().unwrap()).unwrap();
    file
}

fn run(folder: &TempDir, text: &str, arguments: &[&str]) -> Ran {
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).unwrap();
    explore_files(folder, &[file], arguments)
}

#[test]
fn only_the_paths_of_seeds_are_followed_if_nothing_else_is_wanted() {
    let folder = TempDir::new().unwrap();
    let tests = folder.path().join("tests");
    std::fs::create_dir(&tests).unwrap();
    // Two seeds of one path, and two of others; what ends with something else is no seed.
    for (name, bytes) in [("a", b"aBcD"), ("b", b"zXyY"), ("c", b"ABCD"), ("d", b"1234")] {
        let file = seed(&folder, &format!("{name}.ktest"), &[("text", bytes)]);
        std::fs::rename(file, tests.join(format!("{name}.ktest"))).unwrap();
    }
    std::fs::write(tests.join("notes.txt"), "nothing").unwrap();
    for search in ["dfs", "bfs", "random-path,nurs:covnew"] {
        let arguments = ["--seed-tests", tests.to_str().unwrap(), "--only-seeds", "--search", search];
        let ran = run(&folder, PROGRAM, &arguments);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let mut paths: Vec<u32> = ran.tests().values().map(path).collect();
        paths.sort_unstable();
        assert_eq!(paths, [0, 10, 15], "{}", ran.stderr);
        assert_eq!((ran.result("completed"), ran.result("partial")), (3, 0));
        assert!(ran.stderr.contains("KLEE: using 4 seeds\n"), "{}", ran.stderr);
    }
}

#[test]
fn the_paths_of_seeds_come_first_and_the_others_after_them() {
    let folder = TempDir::new().unwrap();
    for (bytes, expected) in [(b"aBcD", 10), (b"ABcd", 3), (b"....", 0)] {
        let file = seed(&folder, "one.ktest", &[("text", bytes)]);
        let ran = run(&folder, PROGRAM, &["--seed-tests", file.to_str().unwrap()]);
        let tests = ran.tests();
        let mut paths: Vec<u32> = tests.values().map(path).collect();
        assert_eq!(paths[0], expected, "{paths:?}");
        paths.sort_unstable();
        // A letter that is none can be below or above the capitals: three paths for each place.
        assert_eq!(paths.len(), 81);
        paths.dedup();
        assert_eq!(paths, (0..16).collect::<Vec<_>>());
        assert_eq!(ran.inputs(), run(&folder, PROGRAM, &[]).inputs());
    }
}

/// Two inputs of one name, and a value that is made known.
const VALUES: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char first, second;
  klee_make_symbolic(&first, 1, "x");
  klee_make_symbolic(&second, 1, "x");
  klee_assume(first > 3);
  klee_assume(first < 100);
  klee_define_fixed_object((void *)0x20000, first);
  klee_assert(klee_get_obj_size((void *)0x20000) == WANTED);
  if (second == 9)
    return 1;
  return 0;
}
"#;

#[test]
fn values_that_have_to_be_known_are_those_of_the_seed() {
    let folder = TempDir::new().unwrap();
    let run = |objects: &Objects, wanted: &str, more: &[&str]| {
        let file = seed(&folder, "values.ktest", objects);
        let seed = file.to_str().unwrap();
        run(&folder, VALUES, &[&["-D", wanted, "--seed-tests", seed, "--only-seeds"], more].concat())
    };
    let ran = run(&[("x", &[42]), ("x_1", &[9])], "WANTED=42", &[]);
    assert_eq!((ran.code, ran.result("completed")), (0, 1), "{}", ran.stderr);
    assert!(ran.stderr.contains("only a seed's value is explored"), "{}", ran.stderr);
    // The test is one of the seed's path: the second input is what it branches on.
    assert_eq!(ran.inputs(), [[("x".to_owned(), vec![42]), ("x_1".to_owned(), vec![9])]]);
    // A seed that the program excludes is dropped; then there is nothing to follow.
    let ran = run(&[("x", &[2]), ("x_1", &[9])], "WANTED=42", &[]);
    assert_eq!((ran.result("completed"), ran.result("partial")), (0, 1), "{}", ran.stderr);
    assert!(ran.stderr.contains("seeds that contradict an assumption"), "{}", ran.stderr);
}

/// What KLEE's options say about seeds that do not fit.
fn klee(folder: &TempDir, objects: &Objects, options: &[&str]) -> (String, Vec<KTest>) {
    let file = seed(folder, "fits.ktest", objects);
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let output = folder.path().join(format!("klee-{number}"));
    let source = folder.path().join("fits.c");
    let text = "#include <klee/klee.h>\n\
        int main(void) { char a[2], b[2]; klee_make_symbolic(a, 2, \"a\"); klee_make_symbolic(b, 2, \"b\");\n\
          return a[0] == 1 && a[1] == 2 && b[0] == 3 && b[1] == 0; }\n";
    std::fs::write(&source, text).unwrap();
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_symexec"))
        .args(["klee", "--only-seed", "--only-replay-seeds", "--seed-file"])
        .arg(file)
        .arg("--output-dir")
        .arg(&output)
        .args(options)
        .arg(&source)
        .output()
        .unwrap();
    let tests = std::fs::read_dir(&output).unwrap().map(|entry| entry.unwrap().path());
    let tests = tests.filter(|path| path.extension().is_some_and(|extension| extension == "ktest"));
    let tests = tests.map(|path| KTest::from_bytes(&std::fs::read(path).unwrap()).unwrap());
    (String::from_utf8_lossy(&ran.stderr).into_owned(), tests.collect())
}

#[test]
fn seeds_that_do_not_fit_are_errors_or_cut_and_filled_up_as_asked_for() {
    let folder = TempDir::new().unwrap();
    let wanted = vec![("a".to_owned(), vec![1, 2]), ("b".to_owned(), vec![3, 0])];
    let cases: [(&Objects, &[&str], &str); 9] = [
        (&[("a", &[1, 2]), ("b", &[3, 0])], &[], ""),
        // By their order, whatever they are called; or by their names.
        (&[("p", &[1, 2]), ("q", &[3, 0])], &[], ""),
        (&[("b", &[3, 0]), ("a", &[1, 2])], &["--named-seed-matching"], ""),
        (&[("p", &[1, 2]), ("q", &[3, 0])], &["--named-seed-matching"], "ran out of inputs during seeding"),
        (&[("a", &[1, 2])], &[], "ran out of inputs during seeding"),
        (&[("a", &[1, 2]), ("b", &[3])], &[], "seed size mismatch: b has 2 bytes, and 1 in the seed"),
        (&[("a", &[1, 2]), ("b", &[3])], &["--allow-seed-extension"], ""),
        (&[("a", &[1, 2, 7]), ("b", &[3, 0])], &[], "seed size mismatch: a has 2 bytes, and 3 in the seed"),
        (&[("a", &[1, 2, 7]), ("b", &[3, 0])], &["--allow-seed-truncation"], ""),
    ];
    for (objects, options, error) in cases {
        let (said, tests) = klee(&folder, objects, options);
        if error.is_empty() {
            let inputs: Vec<_> = tests.into_iter().map(|test| test.objects).collect();
            assert_eq!(inputs, std::slice::from_ref(&wanted), "{objects:?} {options:?}: {said}");
        } else {
            assert!(said.contains(error), "{objects:?} {options:?}: {said}");
        }
    }
}

#[test]
fn what_is_no_seed_is_refused_before_the_run() {
    let folder = TempDir::new().unwrap();
    let damaged = folder.path().join("damaged.ktest");
    std::fs::write(&damaged, "KTEST?").unwrap();
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let missing = folder.path().join("missing.ktest");
    for (path, expected) in
        [(damaged, "ktest"), (empty, "no files that end with .ktest"), (missing, "missing.ktest")]
    {
        let ran = run(&folder, PROGRAM, &["--seed-tests", path.to_str().unwrap()]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert!(!ran.folder.exists());
    }
}
