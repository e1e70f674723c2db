//! Programs that print, explored without unknown input, print what they print natively.

use std::path::Path;
use std::process::Command;

use crate::program::explore_files;
use crate::world::run;

fn print_the_same(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/natively").join(name);
    let native = folder.path().join("native");
    let status = Command::new("clang-19").arg("-w").arg(&program).arg("-o").arg(&native).status();
    assert!(status.unwrap().success());
    let theirs = Command::new(&native).current_dir(folder.path()).output().unwrap();
    let ours = explore_files(&folder, &[program], &["--show-output"]);
    assert_eq!((ours.errors(), ours.result("completed")), (vec![], 1), "{}", ours.stderr);
    let expected = String::from_utf8_lossy(&theirs.stdout);
    let differ: Vec<(&str, &str)> =
        ours.stdout.lines().zip(expected.lines()).filter(|(our, their)| our != their).collect();
    assert_eq!(differ, vec![]);
    assert_eq!(ours.stdout.lines().count(), expected.lines().count());
}

#[test]
fn streams_end_where_they_end_natively_and_have_the_descriptors_that_they_have() {
    print_the_same("streams.c");
}

#[test]
fn attributes_of_threads_limits_and_priorities_are_kept_and_refused_as_natively() {
    print_the_same("attributes.c");
}

#[test]
fn dates_and_characters_of_every_width_are_those_of_the_system() {
    print_the_same("characters.c");
}

#[test]
fn stacks_take_turns_come_back_and_end_as_natively() {
    print_the_same("contexts.c");
}

#[test]
fn threads_wait_for_each_other_have_variables_of_their_own_and_end_as_natively() {
    print_the_same("threads.c");
}

#[test]
fn unknown_seeds_and_letters_make_a_path_only_where_the_result_needs_it() {
    let folder = tempfile::tempdir().unwrap();
    let seed = "int main(void) { unsigned s; klee_make_symbolic(&s, sizeof s, \"s\"); srandom(s); return random() == 7; }";
    let ran = run(&folder, seed, &["--max-forks", "100"]);
    assert_eq!((ran.errors(), ran.result("completed") <= 4), (vec![], true), "{}", ran.stderr);
    let letters = "int main(void) { char s[7]; klee_make_symbolic(s, 7, \"s\"); s[6] = 0; long n = a64l(s); return (int)(n & 0); }";
    let ran = run(&folder, letters, &["--max-forks", "100"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 7), "{}", ran.stderr);
}
