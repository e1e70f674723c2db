//! What exploring the fixtures gives; the expectations stand at the heads of the C files.

use crate::program::{Ran, explore, fixture};

/// Explores a fixture and compares with the lines of its `.expect` file.
fn check(name: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let expected = std::fs::read_to_string(fixture(&format!("{name}.expect"))).unwrap();
    let lines: Vec<(&str, &str)> = expected.lines().map(|line| line.split_once(' ').unwrap()).collect();
    let mut arguments = Vec::new();
    for (_, given) in lines.iter().filter(|(key, _)| *key == "arguments") {
        arguments.push("--");
        arguments.extend(given.split(' '));
    }
    let ran = explore(&folder, &format!("{name}.ll"), &arguments);
    let mut errors = Vec::new();
    for (key, rest) in lines {
        match key {
            "completed" | "partial" => {
                assert_eq!(ran.result(key), rest.parse::<u64>().unwrap(), "{name} {key}: {}", ran.stderr);
            }
            "error" => {
                let (kind, text) = rest.split_once(' ').unwrap();
                errors.push((kind.to_owned(), text.to_owned()));
            }
            _ => assert_eq!(key, "arguments"),
        }
    }
    assert_eq!(ran.errors(), errors, "{name}: {}", ran.stderr);
    assert_eq!(ran.code, i32::from(!errors.is_empty()), "{name}: {}", ran.stderr);
    ran
}

#[test]
fn the_matrix_has_one_path_per_row_and_one_more_for_each_way_through_the_forks() {
    check("matrix");
    check("matrix-4-3");
}

#[test]
fn tests_name_their_inputs_in_order_and_lead_down_different_paths() {
    let folder = tempfile::tempdir().unwrap();
    let ran = explore(&folder, "matrix.ll", &[]);
    // What the program does with a test's input, in Rust.
    let mut paths: Vec<(bool, u32, bool)> = ran
        .tests()
        .into_values()
        .map(|test| {
            let names: Vec<&str> = test.objects.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["choice", "row", "column"]);
            let number =
                |place: usize| u32::from_le_bytes(test.objects[place].1.as_slice().try_into().unwrap());
            let (row, column) = (number(1), number(2));
            assert!(row < 2 && column < 2);
            (test.objects[0].1[0] >= 128, row, row == 0 && column == 1)
        })
        .collect();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), 6);
}

#[test]
fn pointers_beside_integers_depend_on_no_layout_where_the_path_tells_them_apart() {
    assert_eq!(check("mixed").engine("layout_dependent_queries"), 0);
}

#[test]
fn pointers_among_numbers_that_mark_what_is_no_object_depend_on_no_layout() {
    let ran = check("markers");
    assert_eq!(ran.engine("layout_dependent_queries"), 0);
    assert!(ran.engine("address_dependent_queries") > 0);
}

#[test]
fn every_kind_of_error_is_found_and_named_as_klee_names_it() {
    let ran = check("errors");
    // The position is the source's, not the assembly's.
    assert!(
        ran.stderr.contains("KLEE: ERROR: errors.c:18: memory error: out of bound pointer"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("KLEE: done: partially completed paths = 12"), "{}", ran.stderr);
}

#[test]
fn values_are_what_they_are_in_c() {
    check("values");
}

#[test]
fn pointers_that_are_chosen_read_and_stored_at_unknown_places_stay_pointers() {
    check("pointers");
}

#[test]
fn questions_about_the_order_of_objects_are_decided_in_the_states_own_layout() {
    let folder = tempfile::tempdir().unwrap();
    for allocation in ["shared", "per-state"] {
        let ran = explore(&folder, "layout.ll", &["--audit", "always", "--allocation", allocation]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        // The answer for each object that the pointers may be is put in, so no question has to depend on it.
        assert_eq!(ran.engine("layout_dependent_queries"), 0);
        assert!(ran.engine("address_dependent_queries") > 0);
        assert_eq!(
            ran.errors(),
            [("ptr".to_owned(), "Error: memory error: out of bound pointer".to_owned())]
        );
    }
}

#[test]
fn all_searches_find_the_same_paths() {
    let folder = tempfile::tempdir().unwrap();
    let first = explore(&folder, "pointers.ll", &["--search", "dfs"]);
    for search in ["bfs", "random-state"] {
        let other = explore(&folder, "pointers.ll", &["--search", search]);
        assert_eq!(first.inputs(), other.inputs(), "{search}");
        assert_eq!(first.result("instructions"), other.result("instructions"), "{search}");
    }
}

#[test]
fn a_run_that_is_stopped_early_leaves_tests_for_its_live_states() {
    let folder = tempfile::tempdir().unwrap();
    let ran = explore(&folder, "matrix-4-3.ll", &["--search", "bfs", "--max-instructions", "200"]);
    assert_eq!(ran.result("completed"), 0, "{}", ran.stderr);
    assert!(ran.result("partial") > 1);
    assert_eq!(ran.tests().len() as u64, ran.result("partial"));
}

#[test]
fn two_runs_write_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (explore(&folder, "pointers.ll", &[]), explore(&folder, "pointers.ll", &[]));
    assert_eq!(one.tests(), other.tests());
}
