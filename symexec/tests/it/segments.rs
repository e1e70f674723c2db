//! Memory models, and where objects lie: the segmented model has no more paths than the forking one and
//! the same verdicts; no place is used twice; renaming addresses is chosen by kind of object.

use crate::program::{Ran, explore, explore_files, fixture};

/// What a function of a program is expected to give.
#[derive(Debug)]
struct Case {
    function: String,
    /// Paths to the end and paths into an error, by memory model.
    paths: [(u64, u64); 2],
    error: Option<String>,
}

/// The lines `case FUNCTION COMPLETED PARTIAL COMPLETED PARTIAL [ERROR]`.
fn cases(program: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(fixture(&format!("{program}.expect"))).unwrap();
    let case = |line: &str| {
        let words: Vec<&str> = line.strip_prefix("case ").unwrap().split(' ').collect();
        let number = |place: usize| words[place].parse().unwrap();
        Case {
            function: words[0].to_owned(),
            paths: [(number(1), number(2)), (number(3), number(4))],
            error: words.get(5).map(|kind| (*kind).to_owned()),
        }
    };
    text.lines().map(case).collect()
}

const MODELS: [&str; 2] = ["forking", "segmented"];

fn kinds(ran: &Ran) -> Vec<String> {
    ran.errors().into_iter().map(|(kind, _)| kind).collect()
}

/// Runs every function of a program in both memory models and compares with what is expected.
fn check(program: &str, options: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    for case in cases(program) {
        let mut texts = Vec::new();
        for (model, expected) in MODELS.into_iter().zip(case.paths) {
            let fixed = ["--entry-point", &case.function, "--memory-model", model];
            let ran = explore(&folder, &format!("{program}.ll"), &[&fixed, options].concat());
            let found = (ran.result("completed"), ran.result("partial"));
            assert_eq!(found, expected, "{} {model}: {}", case.function, ran.stderr);
            assert_eq!(kinds(&ran), Vec::from_iter(case.error.clone()), "{} {model}", case.function);
            assert!(!ran.stderr.contains("concretized") || case.function == "bound", "{}", ran.stderr);
            texts.push((ran.errors(), ran.result("covered_instructions"), ran.code));
        }
        assert_eq!(texts[0], texts[1], "{}", case.function);
    }
}

#[test]
fn every_program_has_the_paths_and_the_errors_that_are_expected() {
    check("segments", &[]);
}

#[test]
fn places_are_not_used_twice_whoever_gives_them_out() {
    check("addresses", &[]);
    check("addresses", &["--allocation", "per-state"]);
}

#[test]
fn addresses_are_renamed_for_the_kinds_of_objects_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |function: &str, bases: &str| {
        let options = ["--entry-point", function, "--symbolic-addresses", bases, "--no-enumeration"];
        explore(&folder, "addresses.ll", &options).engine("solver_queries")
    };
    // Two ways ask the same about objects at other places: only where these are symbols it is asked once.
    for (function, other) in [("heap", "stack"), ("stack", "heap")] {
        let (none, own) = (asked(function, "none"), asked(function, function));
        assert!(own < none, "{function}: {own} {none}");
        assert_eq!(asked(function, &format!("{other},globals")), none, "{function}");
        assert_eq!(asked(function, "heap,stack,globals"), own, "{function}");
    }
    // Variables of the program have their places before the ways part.
    assert_eq!(asked("globals", "none"), asked("globals", "heap,stack,globals"));
    let wrong = explore(&folder, "addresses.ll", &["--symbolic-addresses", "heap,heaps"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
}

#[test]
fn the_other_programs_have_the_same_verdicts_on_no_more_paths() {
    let folder = tempfile::tempdir().unwrap();
    for program in ["matrix-4-3.ll", "markers.ll", "pointers.ll", "errors.ll", "values.ll", "layout.ll"] {
        let [forking, segmented] = MODELS.map(|model| explore(&folder, program, &["--memory-model", model]));
        assert_eq!(forking.errors(), segmented.errors(), "{program}");
        assert_eq!(
            forking.result("covered_instructions"),
            segmented.result("covered_instructions"),
            "{program}"
        );
        assert!(segmented.result("paths") <= forking.result("paths"), "{program}");
    }
}

#[test]
fn caches_and_allocation_change_nothing_in_the_segmented_model() {
    let folder = tempfile::tempdir().unwrap();
    let run = |function: &str, options: &[&str]| {
        let fixed = ["--entry-point", function, "--memory-model", "segmented"];
        explore(&folder, "segments.ll", &[&fixed, options].concat())
    };
    for function in ["rows", "dying", "nested", "links", "sizes", "identity"] {
        let reference = run(function, &["--query-cache", "none", "--no-counterexample-cache"]);
        for options in [
            &["--query-cache", "plain"][..],
            &["--query-cache", "address-aware", "--audit", "always"],
            &["--query-cache", "address-aware", "--allocation", "per-state"],
        ] {
            let ran = run(function, options);
            assert_eq!(reference.inputs(), ran.inputs(), "{function} {options:?}");
            assert_eq!(reference.errors(), ran.errors(), "{function} {options:?}");
            assert_eq!(
                reference.result("instructions"),
                ran.result("instructions"),
                "{function} {options:?}"
            );
        }
    }
}

#[test]
fn merging_saves_paths_and_the_cache_saves_questions_on_top() {
    let folder = tempfile::tempdir().unwrap();
    let run = |cache: &str| {
        let options = ["--memory-model", "segmented", "--no-enumeration", "--query-cache", cache];
        explore(&folder, "matrix-4-3.ll", &options)
    };
    let (plain, aware) = (run("plain"), run("address-aware"));
    // Eight ways through the branches before the table; then one question: is the element there?
    assert_eq!((plain.result("paths"), aware.result("paths")), (16, 16));
    // The plain cache sees other addresses on each way, the address-aware one asks on the first only.
    let options = ["--memory-model", "segmented", "--no-enumeration", "--max-tests", "2"];
    let once = explore(&folder, "matrix-4-3.ll", &options);
    assert_eq!(aware.engine("solver_queries"), once.engine("solver_queries"));
    assert!(plain.engine("solver_queries") > 2 * aware.engine("solver_queries"));
}

/// Which error at the last line comes first depends on whether paths part where the pointer is first used,
/// or only at the end: use after free on one path, out of bounds on another, at one place and of one kind.
const FIRST_ERROR: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *live = malloc(8), *dead = malloc(8);
  char *table[2] = {live, dead};
  unsigned i, k, offset = 0;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 2);
  for (int n = 0; n < 8; n++)
    live[n] = dead[n] = (char)n;
  table[i][0] = 3;
  free(dead);
  if (k == 5)
    offset = 0;
  else
    offset = 9;
  return table[i][offset];
}
"#;

#[test]
fn memory_models_agree_on_the_errors_of_a_place_whichever_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("first.c");
    std::fs::write(&file, FIRST_ERROR).unwrap();
    let run = |model: &str, more: &[&str]| {
        let arguments = [&["--allocation", "per-state", "--memory-model", model], more].concat();
        let ran = explore_files(&folder, std::slice::from_ref(&file), &arguments);
        assert_eq!(ran.result("paths"), 4, "{}", ran.stderr);
        let first = ran.stderr.lines().find(|line| line.contains("ERROR: ")).unwrap_or_default().to_owned();
        (first, ran.errors().into_iter().collect::<std::collections::BTreeSet<_>>())
    };
    let (forking, segmented) = (run("forking", &[]), run("segmented", &[]));
    assert_ne!(forking.0, segmented.0);
    assert_eq!(forking.1.len(), 2, "{forking:?}");
    assert_eq!(forking.1, segmented.1);
    // That there are no others is told by all of them.
    assert_eq!(forking.1, run("forking", &["--emit-all-errors"]).1);
    assert_eq!(forking.1, run("segmented", &["--emit-all-errors"]).1);
}

/// Eight ways in front of four rows, by which their places differ; what is written is then looked for in
/// two rows, whose places are asked for anew.
const LATE_ROWS: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char flags[3], i, k;
  klee_make_symbolic(flags, sizeof flags, "flags");
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 4);
  klee_assume(k < 4);
  for (int n = 0; n < 3; n++)
    if (flags[n] > 7)
      malloc(24);
  unsigned char *rows[4];
  for (int n = 0; n < 4; n++)
    rows[n] = calloc(4, 1);
  rows[i][1] = 5;
  if (rows[k] == rows[i])
    klee_assert(rows[k][1] == 5);
  else
    klee_assert(rows[k][1] == 0);
  return 0;
}
"#;

/// Rows of the same kind are merged by one instruction in each of two rounds, and the first ones freed in
/// between: a pointer to one of them is none to a new one.
const TWO_ROUNDS: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char i, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(i < 3);
  klee_assume(k < 3);
  unsigned char *rows[2][3];
  for (int round = 0; round < 2; round++) {
    for (int n = 0; n < 3; n++)
      rows[round][n] = calloc(4, 1);
    rows[round][i][1] = 5;
    for (int n = 0; n < 3 && round == 0; n++)
      free(rows[round][n]);
  }
  int same = 0;
  for (int round = 0; round < 2; round++)
    if (rows[0][i] == rows[round][k])
      same += 1 + round;
  klee_assert(same == (i == k));
  return 0;
}
"#;

#[test]
fn segments_that_are_used_again_spare_the_plain_cache_questions_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = Vec::new();
    for (name, text) in [("rows.c", LATE_ROWS), ("rounds.c", TWO_ROUNDS)] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        let run = |options: &[&str]| {
            let options = [&["--memory-model", "segmented"], options].concat();
            let ran = explore_files(&folder, std::slice::from_ref(&file), &options);
            assert_eq!(ran.code, 0, "{name} {options:?}: {}", ran.stderr);
            ran
        };
        let plain = run(&["--query-cache", "plain"]);
        for options in [
            &["--query-cache", "plain"][..],
            &["--query-cache", "plain", "--no-counterexample-cache"],
            &["--query-cache", "plain", "--audit", "always", "--check-layouts", "1"],
            &["--query-cache", "plain", "--allocation", "per-state"],
            &["--query-cache", "address-aware", "--audit", "always"],
            &["--query-cache", "none"],
        ] {
            let reused = run(&[options, &["--reuse-segments"]].concat());
            let outcome = |ran: &Ran| {
                let counts = ["paths", "instructions", "covered_instructions"].map(|name| ran.result(name));
                (counts, ran.inputs(), ran.errors())
            };
            assert_eq!(outcome(&plain), outcome(&reused), "{name} {options:?}");
        }
        let plain = run(&["--query-cache", "plain", "--no-enumeration"]);
        let reused = run(&["--query-cache", "plain", "--reuse-segments", "--no-enumeration"]);
        assert_eq!(plain.engine("moved_queries"), 0, "{name}");
        assert!(reused.engine("moved_queries") > 0, "{name}");
        asked.push([plain, reused].map(|ran| ran.engine("solver_queries")));
    }
    // Where rows may be was asked on each way, that they are equal only on the first.
    assert!(asked[0][1] + 7 <= asked[0][0], "{asked:?}");
}

/// A list through members of structures: pointers to the list's head, a structure by itself, and to members of
/// an array.
#[test]
fn lists_through_structures_are_changed_at_unknown_places_of_several_objects() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list.c");
    let text = "#include <klee/klee.h>
        #include <stddef.h>
        struct link { struct link *next, *back; };
        struct item { int id; struct link link; };
        static void add(struct link *head, struct link *x) {
          x->next = head->next; x->back = head; head->next->back = x; head->next = x;
        }
        static void take(struct link *x) { x->next->back = x->back; x->back->next = x->next; }
        int main(void) {
          struct link head = {&head, &head};
          struct item items[4];
          unsigned i, j;
          klee_make_symbolic(&i, 4, \"i\"); klee_make_symbolic(&j, 4, \"j\"); klee_assume((i < 4) & (j < 4));
          for (int n = 0; n < 4; n++) { items[n].id = n; add(&head, &items[n].link); }
          take(&items[i].link);
          if (j != i) take(&items[j].link);
          int count = 0, sum = 0;
          for (struct link *at = head.next; at != &head; at = at->next) {
            count++; sum += ((struct item *)((char *)at - offsetof(struct item, link)))->id;
          }
          klee_assert(count == (i == j ? 3 : 2));
          klee_assert(sum == 6 - (int)i - (i != j ? (int)j : 0));
        }";
    std::fs::write(&file, text).unwrap();
    for model in MODELS {
        let ran = explore_files(&folder, std::slice::from_ref(&file), &["--memory-model", model]);
        assert_eq!((ran.code, ran.errors()), (0, vec![]), "{model}: {}", ran.stderr);
        let most = if model == "forking" { 12 } else { 2 };
        assert!(ran.result("completed") <= most, "{model}");
        // With all members in one array nearly all do (81 of 83), and the solver takes minutes.
        let (some, all) = (ran.engine("layout_dependent_queries"), ran.engine("address_dependent_queries"));
        assert!(3 * some < all, "{model}: {some} of {all} questions depend on the layout");
    }
}

#[test]
fn writes_to_one_of_some_constants_are_outside_of_it_or_to_it() {
    let folder = tempfile::tempdir().unwrap();
    // With two constants, with two of which only one is too short, and beside others that may be written.
    for (variables, pointer, room) in [
        ("const char one[] = \"const\", two[] = \"other\";", "one : two", 10),
        ("const char one[] = \"const\", two[] = \"longer text\";", "one : two", 10),
        ("const char one[] = \"const\"; char two[20], three[20];", "one : klee_int(\"j\") ? two : three", 10),
        ("const char one[] = \"const\"; char two[20], three[20];", "one : klee_int(\"j\") ? two : three", 30),
    ] {
        let file = folder.path().join("p.c");
        let text = format!(
            "#include <klee/klee.h>\nstatic {variables}\nint main(void) {{\n\
             char *bytes = (char *)(klee_int(\"k\") ? {pointer});\n\
             bytes[klee_range(0, {room}, \"place\")] = 'x';\nreturn 0;\n}}\n"
        );
        std::fs::write(&file, text).unwrap();
        for model in MODELS {
            let ran = explore_files(&folder, std::slice::from_ref(&file), &["--memory-model", model]);
            assert_eq!(kinds(&ran), ["ptr", "read_only"], "{variables} {room} {model}: {}", ran.stderr);
            assert_eq!(ran.result("completed") > 0, variables.contains("three"), "{model}: {}", ran.stderr);
        }
    }
}
