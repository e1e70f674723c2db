//! Caches change how often the solver is asked, and nothing else.

use std::path::Path;

use crate::program::{Ran, explore, explore_files};

const CACHES: [&str; 3] = ["none", "plain", "address-aware"];

/// What no cache may change.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    code: i32,
    instructions: u64,
    paths: u64,
    inputs: Vec<Vec<(String, Vec<u8>)>>,
    errors: Vec<(String, String)>,
}

pub(crate) fn outcome(ran: &Ran) -> Outcome {
    Outcome {
        code: ran.code,
        instructions: ran.result("instructions"),
        paths: ran.result("paths"),
        inputs: ran.inputs(),
        errors: ran.errors(),
    }
}

#[test]
fn paths_tests_and_errors_are_equal_with_every_cache_and_allocation() {
    let folder = tempfile::tempdir().unwrap();
    for program in ["matrix-4-3.ll", "markers.ll", "mixed.ll", "pointers.ll", "errors.ll", "layout.ll"] {
        let reference = explore(&folder, program, &["--query-cache", "none", "--no-counterexample-cache"]);
        for cache in CACHES {
            for allocation in ["shared", "per-state"] {
                let ran = explore(&folder, program, &["--query-cache", cache, "--allocation", allocation]);
                assert_eq!(outcome(&reference), outcome(&ran), "{program} {cache} {allocation}");
            }
        }
    }
}

#[test]
fn the_address_aware_cache_asks_less_than_the_plain_one_and_that_less_than_none() {
    let folder = tempfile::tempdir().unwrap();
    let asked = CACHES.map(|cache| {
        let options = ["--query-cache", cache, "--no-enumeration"];
        explore(&folder, "matrix-4-3.ll", &options).engine("solver_queries")
    });
    assert!(asked[0] > asked[1] && asked[1] > asked[2], "{asked:?}");
    // Eight ways through the branches ask the same questions; the branches ask two more each.
    let options = ["--max-tests", "5", "--no-enumeration"];
    let once = explore(&folder, "matrix-4-3.ll", &options).engine("solver_queries");
    assert_eq!(asked[2], once, "nothing new is asked after the first way");
}

#[test]
fn the_readme_tells_how_much_each_cache_asks() {
    let folder = tempfile::tempdir().unwrap();
    let command = "symexec run fixtures/c/matrix.c ";
    let shown = include_str!("../../../README.md").lines().filter_map(|line| line.strip_prefix(command));
    let mut count = 0;
    for line in shown {
        let (options, told) = line.split_once('#').unwrap();
        let (options, _) = options.split_once("--stats").unwrap();
        let options: Vec<&str> = options.split_whitespace().collect();
        let asked = explore(&folder, "matrix.c", &options).engine("solver_queries");
        assert_eq!(told.trim(), asked.to_string(), "{line}");
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn renaming_of_inputs_is_a_switch_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |options: &[&str]| {
        let options = [&["--no-enumeration"], options].concat();
        explore(&folder, "matrix-4-3.ll", &options).engine("solver_queries")
    };
    let (with, without) = (asked(&[]), asked(&["--keep-input-names"]));
    // The three branches are over three different bytes, so they are one question with renaming only.
    assert!(with < without, "{with} {without}");
}

#[test]
fn every_hit_is_right_in_the_states_own_layout() {
    let folder = tempfile::tempdir().unwrap();
    for program in ["matrix-4-3.ll", "mixed.ll", "pointers.ll", "layout.ll"] {
        for cache in ["plain", "address-aware"] {
            let ran = explore(&folder, program, &["--query-cache", cache, "--audit", "always"]);
            assert_ne!(ran.code, 3, "{program} {cache}: {}", ran.stderr);
            assert!(ran.engine("audit_queries") > 0, "{program} {cache}");
        }
    }
}

#[test]
fn agnostic_questions_have_the_same_answer_in_other_layouts() {
    let folder = tempfile::tempdir().unwrap();
    for program in ["matrix-4-3.ll", "markers.ll", "pointers.ll", "layout.ll"] {
        for model in ["forking", "segmented"] {
            let ran = explore(&folder, program, &["--check-layouts", "3", "--memory-model", model]);
            assert_ne!(ran.code, 3, "{program} {model}: {}", ran.stderr);
            assert!(ran.engine("layout_checks") >= 3, "{program} {model}");
            assert_eq!(ran.engine("layout_disagreements"), 0, "{program} {model}");
        }
    }
}

#[test]
fn questions_about_the_order_of_objects_are_counted_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for model in ["forking", "segmented"] {
        let run = |options: &[&str]| {
            let options = [&["--memory-model", model, "--no-enumeration"], options].concat();
            explore(&folder, "matrix-4-3.ll", &options)
        };
        let (without, with) = (run(&[]), run(&["--ordering-queries"]));
        assert_eq!(outcome(&without), outcome(&with), "{model}");
        assert_eq!(without.engine("ordering_queries"), 0, "{model}");
        assert!(with.engine("ordering_queries") > 0, "{model}");
        // All of them depend on the layout, so no state has the answer of another.
        assert_eq!(with.engine("layout_dependent_queries"), with.engine("ordering_queries"), "{model}");
        let more = with.engine("solver_queries") - without.engine("solver_queries");
        assert!(more >= 8, "at least one on each of eight ways: {more}");
        let audited = run(&["--ordering-queries", "--audit", "always", "--check-layouts", "1"]);
        assert_eq!(outcome(&audited), outcome(&with), "{model}: {}", audited.stderr);
    }
}

#[test]
fn a_second_run_on_the_same_folder_asks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let cache = cache.to_str().unwrap();
    let kept = ["--cache-dir", cache, "--no-enumeration"];
    let first = explore(&folder, "matrix-4-3.ll", &kept);
    let second = explore(&folder, "matrix-4-3.ll", &kept);
    assert!(first.engine("solver_queries") > 0);
    assert_eq!(second.engine("solver_queries"), 0, "{}", second.stderr);
    assert_eq!(second.engine("solver_starts"), 0, "the solver was not even started");
    assert_eq!(outcome(&first), outcome(&second));
    // What the folder holds is in the statistics; a run that asks nothing adds nothing.
    let bytes = |ran: &Ran| ran.report.as_ref().unwrap().cache.bytes;
    let packs = std::fs::read_dir(folder.path().join("cache/packs")).unwrap();
    let held: u64 = packs.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(held > 0 && bytes(&first) == held && bytes(&second) == held);
    // Offline is the same without a solver; another program's questions are a miss then.
    let offline = [&kept[..], &["--cache", "offline"]].concat();
    let missed = explore(&folder, "pointers.ll", &offline);
    let offline = explore(&folder, "matrix-4-3.ll", &offline);
    assert_eq!(outcome(&first), outcome(&offline), "{}", offline.stderr);
    assert_eq!(missed.code, 3, "{}", missed.stderr);
}

#[test]
fn an_unusable_cache_folder_is_a_warning_and_costs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-file");
    std::fs::write(&file, "no folder").unwrap();
    let plain = explore(&folder, "matrix.ll", &[]);
    let ran = explore(&folder, "matrix.ll", &["--cache-dir", file.to_str().unwrap()]);
    assert_eq!(outcome(&plain), outcome(&ran));
    assert!(ran.stderr.contains("WARNING"), "{}", ran.stderr);
}

#[test]
fn questions_are_logged_as_smt_lib_each_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let ran = explore(&folder, "matrix.ll", &["--log-smt", log.to_str().unwrap(), "--no-enumeration"]);
    let logged = std::fs::read_dir(&log).unwrap().count() as u64;
    assert!(logged > 0 && logged <= ran.engine("solver_queries"), "{logged}");
    for entry in std::fs::read_dir(&log).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(text.starts_with("(set-logic QF_ABV)\n") && text.ends_with("(check-sat)\n"), "{text}");
    }
    assert!(Path::new(&ran.folder).exists());
}

#[test]
fn the_least_value_of_a_path_is_the_same_whatever_other_paths_left() {
    // What solves `y > 10` is stored with an `x` of the first path, which is none of the others.
    let program = r#"#include <klee/klee.h>
        int main(void) {
          unsigned short x, y; unsigned char first;
          klee_make_symbolic(&first, sizeof first, "first");
          klee_make_symbolic(&x, sizeof x, "x"); klee_make_symbolic(&y, sizeof y, "y");
          if (first) { if (y <= 10) return 0; if (x < (y & 3)) return 1; return 2; }
          if (x <= 1000) return 3;
          if (y <= 10) return 4;
          klee_assert(klee_get_value_i32(x + y) == 1012);
          return 5;
        }"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("least.c");
    std::fs::write(&file, program).unwrap();
    for cache in CACHES {
        for search in ["dfs", "bfs"] {
            for options in [&[][..], &["--no-counterexample-cache"], &["--no-enumeration"]] {
                let options = [&["--query-cache", cache, "--search", search], options].concat();
                let ran = explore_files(&folder, std::slice::from_ref(&file), &options);
                let found = (ran.errors(), ran.result("completed"));
                assert_eq!(found, (vec![], 6), "{options:?}: {}", ran.stderr);
            }
        }
    }
}
