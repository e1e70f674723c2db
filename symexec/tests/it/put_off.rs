//! States whose questions are dear wait for the others (`--put-off`): nothing but the order of paths changes, and that
//! is the same whether a cache knows the answers or the solver finds them.

use std::collections::BTreeSet;
use std::path::Path;

use tempfile::TempDir;

use crate::klee::{Klee, klee, source};
use crate::program::explore_files;

/// Three numbers whose product is to be a certain one, which takes a solver long, on one side, and four cheap paths on
/// the other. Depth first, the dear side comes first.
const PROGRAM: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned short a, b;
  unsigned char c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  if (c > 100) {
    if (c == 101)
      return 1;
    if (c == 102)
      return 2;
    return 3;
  }
  if ((unsigned)a * b == 2147441940u && a > 1 && b > 1) {
    if (a > b)
      return 4;
    return 5;
  }
  return 6;
}
"#;

/// Which of the tests is the first one whose path asked about the product, and the inputs of all tests.
fn tests(ran: &Klee) -> (usize, BTreeSet<Vec<u8>>) {
    let mut first = None;
    let mut all = BTreeSet::new();
    for (number, name) in ran.files().iter().filter(|name| name.ends_with(".ktest")).enumerate() {
        let bytes = std::fs::read(ran.folder.join(name)).unwrap();
        let test = symexec::testcase::KTest::from_bytes(&bytes).unwrap();
        let byte = |name: &str| test.objects.iter().find(|(known, _)| known == name).unwrap().1[0];
        if byte("c") <= 100 {
            first = first.or(Some(number));
        }
        all.insert(test.objects.iter().flat_map(|(_, bytes)| bytes.clone()).collect());
    }
    (first.unwrap(), all)
}

fn run(folder: &TempDir, program: &Path, options: &[&str]) -> (usize, BTreeSet<Vec<u8>>) {
    let ran = klee(folder, &[&["--search=bfs"], options].concat(), program, &[]);
    assert_eq!(ran.done("partially completed paths"), 0, "{}", ran.stderr);
    tests(&ran)
}

#[test]
fn a_state_with_a_dear_question_waits_and_is_followed_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let (early, all) = run(&folder, &program, &["--put-off=0"]);
    let (late, same) = run(&folder, &program, &["--put-off=1000"]);
    assert_eq!(all, same, "the same paths are found");
    assert!(early < 3, "{early}");
    assert_eq!(late, 3, "all cheap paths end before the first dear one");
}

#[test]
fn no_more_than_the_limit_is_spent_on_a_question_before_others_have_ended() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let count = |options: &[&str]| {
        let stats = folder.path().join("stats.json");
        let stats_option = format!("--stats={}", stats.display());
        let ran = klee(&folder, &[options, &[&stats_option, "--search=bfs"]].concat(), &program, &[]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let text = std::fs::read(&stats).unwrap();
        let counts: serde_json::Value = serde_json::from_slice(&text).unwrap();
        (
            counts["engine"]["put_off_queries"].as_u64().unwrap(),
            counts["engine"]["solver_failures"].as_u64().unwrap(),
        )
    };
    let (put_off, failed) = count(&["--put-off=1000"]);
    assert!(put_off > 0 && failed == 0, "{put_off} {failed}");
    assert_eq!(count(&["--put-off=0"]), (0, 0));
}

#[test]
fn a_cache_that_knows_the_answers_leaves_the_order_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let cache = format!("--cache-dir={}", folder.path().join("cache").display());
    let order = |options: &[&str]| -> Vec<Vec<u8>> {
        let ran =
            klee(&folder, &[&["--put-off=1000", "--search=random-path"], options].concat(), &program, &[]);
        let names = ran.files().into_iter().filter(|name| name.ends_with(".ktest"));
        names.map(|name| std::fs::read(ran.folder.join(name)).unwrap()).collect()
    };
    let cold = order(&[&cache]);
    assert_eq!(cold.len(), 6);
    assert_eq!(cold, order(&[&cache]));
    assert_eq!(cold, order(&[]));
}

/// On one side paths without an end, whose questions are cheap; on the other one a product that takes a solver long.
const ENDLESS: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned short a, b;
  unsigned char c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  if (c > 100)
    for (unsigned i = 0;; i++) {
      unsigned char d;
      klee_make_symbolic(&d, sizeof d, "d");
      if (d == i % 256)
        i++;
    }
  if ((unsigned)a * b == 2147441940u && a > 1 && b > 1)
    return 4;
  return 6;
}
"#;

#[test]
fn an_example_goes_on_beside_a_state_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, ENDLESS);
    let run = |options: &[&str]| {
        let all = [options, &["--search=bfs", "--put-off=1000", "--max-instructions=30000"]].concat();
        klee(&folder, &all, &program, &[]).done("completed paths")
    };
    let new_only = "--only-output-states-covering-new";
    assert_eq!(run(&[new_only]), 0);
    assert!(run(&[new_only, "--examples"]) > 0);
    // Where paths count, each is followed once.
    assert_eq!(run(&["--examples"]), 0);
}

#[test]
fn the_more_questions_of_a_place_were_given_up_the_less_is_spent_on_the_next() {
    const LIMIT: u64 = 20_000;
    const PATHS: u64 = 8;
    let folder = tempfile::tempdir().unwrap();
    // Eight paths come to one place, each with a question of its own.
    let text = "#include <klee/klee.h>\n\
        int main(void) {\n  unsigned short a, b;\n  unsigned char c;\n\
          klee_make_symbolic(&a, sizeof a, \"a\");\n  klee_make_symbolic(&b, sizeof b, \"b\");\n\
          klee_make_symbolic(&c, sizeof c, \"c\");\n  unsigned wanted = 16744463u;\n\
          for (unsigned bit = 1; bit < 8; bit *= 2)\n    if (c & bit)\n      wanted -= 6 * bit;\n\
          return (unsigned)a * b == wanted && a > 1 && b > 1;\n}\n";
    let program = source(&folder, text);
    let count = |put_off: u64| {
        let stats = folder.path().join("stats.json");
        let options = [format!("--put-off={put_off}"), format!("--stats={}", stats.display())];
        let options: Vec<&str> = options.iter().map(String::as_str).chain(["--search=bfs"]).collect();
        let ran = klee(&folder, &options, &program, &[]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let text = std::fs::read(&stats).unwrap();
        let counts: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let of = |name: &str| counts["engine"][name].as_u64().unwrap();
        (of("put_off_queries"), of("solver_resource"), ran.done("completed paths"))
    };
    let (put_off, spent, paths) = count(LIMIT);
    let (none, needed, same) = count(0);
    assert_eq!((none, paths), (0, same), "the same paths are found");
    assert!(put_off >= PATHS, "{put_off}");
    let more = spent.saturating_sub(needed);
    assert!(more < PATHS / 2 * LIMIT, "{put_off} questions were given up for {more} on top of {needed}");
}

#[test]
fn a_question_is_as_dear_whatever_caches_know() {
    let folder = tempfile::tempdir().unwrap();
    // Six inputs that lead through a few states, as generated reactive systems have them: their questions are alike, and
    // every cache answers many.
    let program = source(
        &folder,
        r#"
#include <klee/klee.h>
int first = 3, second = 7, third = 1;
static int step(int input) {
  if (first == 3 && second == 7 && input == 2) { first = 4; third = third * 2 % 9; return 21; }
  if (first == 4 && (input == 5 || input == 6) && third < 5) { second = input + 2; return 22; }
  if (first == 4 && second == 8 && input == 1) { first = 5; third = 0; return 23; }
  if (first == 4 && second == 7 && input == 4) { first = 3; return 24; }
  return -2;
}
int main(void) {
  for (int round = 0; round < 5; round++) {
    int input;
    klee_make_symbolic(&input, sizeof input, "input");
    if (input < 1 || input > 6)
      return 1;
    step(input);
  }
  return 0;
}
"#,
    );
    let cache = format!("--cache-dir={}", folder.path().join("cache").display());
    for (counterexamples, limit) in
        [("--use-cex-cache", "--put-off=1"), ("--use-cex-cache=0", "--put-off=4000")]
    {
        let tests = |options: &[&str]| -> Vec<Vec<u8>> {
            let fixed = ["--max-instructions=4000", limit, counterexamples];
            let ran = klee(&folder, &[&fixed, options].concat(), &program, &[]);
            let names = ran.files().into_iter().filter(|name| name.ends_with(".ktest"));
            names.map(|name| std::fs::read(ran.folder.join(name)).unwrap()).collect()
        };
        let solved = tests(&["--query-cache=none"]);
        assert!(solved.len() > 20, "{}", solved.len());
        for options in [
            &["--query-cache=plain"][..],
            &["--query-cache=address-aware"],
            &["--query-cache=address-aware", &cache],
            &["--query-cache=address-aware", &cache],
        ] {
            assert!(tests(options) == solved, "{limit} {counterexamples} {options:?}");
        }
    }
}

#[test]
fn states_that_wait_in_a_recursion_go_on_as_they_were_whatever_the_search() {
    let folder = tempfile::tempdir().unwrap();
    // Each byte has two values, so that a path has one test; what is added waits in registers of all activations.
    let text = "#include <klee/klee.h>\n\
        static unsigned walk(unsigned depth, const unsigned char *in) {\n\
          if (depth == 8) return 1;\n\
          unsigned own = depth + 3;\n\
          if (depth < 7 && in[depth] > 100) return own * 5 + walk(depth + 1, in) * 2;\n\
          return own * 7 + walk(depth + 1, in) * 3;\n\
        }\n\
        int main(void) {\n\
          unsigned char in[7];\n\
          klee_make_symbolic(in, sizeof in, \"in\");\n\
          for (int i = 0; i < 7; i++) klee_assume((in[i] == 7) | (in[i] == 200));\n\
          unsigned sum = walk(0, in), expected = 1;\n\
          for (unsigned depth = 8; depth-- > 0;)\n\
            expected = depth < 7 && in[depth] > 100 ? (depth + 3) * 5 + expected * 2 : (depth + 3) * 7 + expected * 3;\n\
          klee_assert(sum == expected);\n\
          return 0;\n\
        }\n";
    let file = source(&folder, text);
    let mut expected: Vec<Vec<(String, Vec<u8>)>> = (0..128)
        .map(|sides| {
            let bytes = (0..7).map(|place| if sides >> place & 1 == 0 { 7 } else { 200 }).collect();
            vec![("in".to_owned(), bytes)]
        })
        .collect();
    expected.sort();
    for search in [
        "dfs",
        "bfs",
        "random-state",
        "random-path",
        "nurs:covnew",
        "nurs:md2u",
        "nurs:depth",
        "nurs:icnt",
        "nurs:cpicnt",
        "nurs:qc",
    ] {
        let ran = explore_files(&folder, std::slice::from_ref(&file), &["--search", search]);
        assert_eq!((ran.errors(), ran.result("completed")), (vec![], 128), "{search}: {}", ran.stderr);
        assert_eq!(ran.inputs(), expected, "{search}");
    }
}
