//! Caches change how often the solver is asked, and nothing else.

use std::path::Path;

use crate::program::{Ran, explore};

const CACHES: [&str; 3] = ["none", "plain", "address-aware"];

/// What no cache may change.
#[derive(Debug, PartialEq)]
struct Outcome {
    code: i32,
    instructions: u64,
    paths: u64,
    inputs: Vec<Vec<(String, Vec<u8>)>>,
    errors: Vec<(String, String)>,
}

fn outcome(ran: &Ran) -> Outcome {
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
    for program in ["matrix-4-3.ll", "pointers.ll", "errors.ll", "layout.ll"] {
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
    let asked = CACHES
        .map(|cache| explore(&folder, "matrix-4-3.ll", &["--query-cache", cache]).engine("solver_queries"));
    assert!(asked[0] > asked[1] && asked[1] > asked[2], "{asked:?}");
    // Eight ways through the branches ask the same questions; the branches ask two more each.
    let once = explore(&folder, "matrix-4-3.ll", &["--max-tests", "5"]).engine("solver_queries");
    assert_eq!(asked[2], once, "nothing new is asked after the first way");
}

#[test]
fn renaming_of_inputs_is_a_switch_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let with = explore(&folder, "matrix-4-3.ll", &[]).engine("solver_queries");
    let without = explore(&folder, "matrix-4-3.ll", &["--keep-input-names"]).engine("solver_queries");
    // The three branches are over three different bytes, so they are one question with renaming only.
    assert!(with < without, "{with} {without}");
}

#[test]
fn every_hit_is_right_in_the_states_own_layout() {
    let folder = tempfile::tempdir().unwrap();
    for program in ["matrix-4-3.ll", "pointers.ll", "layout.ll"] {
        for cache in ["plain", "address-aware"] {
            let ran = explore(&folder, program, &["--query-cache", cache, "--audit", "always"]);
            assert_ne!(ran.code, 3, "{program} {cache}: {}", ran.stderr);
            assert!(ran.engine("audit_queries") > 0, "{program} {cache}");
        }
    }
}

#[test]
fn a_second_run_on_the_same_folder_asks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let cache = cache.to_str().unwrap();
    let first = explore(&folder, "matrix-4-3.ll", &["--cache-dir", cache]);
    let second = explore(&folder, "matrix-4-3.ll", &["--cache-dir", cache]);
    assert!(first.engine("solver_queries") > 0);
    assert_eq!(second.engine("solver_queries"), 0, "{}", second.stderr);
    assert_eq!(second.engine("solver_starts"), 0, "the solver was not even started");
    assert_eq!(outcome(&first), outcome(&second));
    // Offline is the same without a solver; another program's questions are a miss then.
    let offline = explore(&folder, "matrix-4-3.ll", &["--cache-dir", cache, "--cache", "offline"]);
    assert_eq!(outcome(&first), outcome(&offline), "{}", offline.stderr);
    let missed = explore(&folder, "pointers.ll", &["--cache-dir", cache, "--cache", "offline"]);
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
    let ran = explore(&folder, "matrix.ll", &["--log-smt", log.to_str().unwrap()]);
    let logged = std::fs::read_dir(&log).unwrap().count() as u64;
    assert!(logged > 0 && logged <= ran.engine("solver_queries"), "{logged}");
    for entry in std::fs::read_dir(&log).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(text.starts_with("(set-logic QF_AUFBV)\n") && text.ends_with("(check-sat)\n"), "{text}");
    }
    assert!(Path::new(&ran.folder).exists());
}
