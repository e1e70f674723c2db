//! `wordexp`: of some eight hundred texts, the words are what they are natively.

use std::path::Path;
use std::process::Command;

use crate::program::explore_files;

#[test]
fn texts_become_the_words_that_they_become_natively() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/words/program.c");
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
