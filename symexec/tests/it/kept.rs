//! Programs that are kept beyond a run as their reader told them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::explore_files;

fn compile(folder: &Path, text: &str) -> PathBuf {
    let (source, bitcode) = (folder.join("p.c"), folder.join("p.bc"));
    std::fs::write(&source, text).unwrap();
    let status = Command::new("clang-19")
        .args(["-O0", "-g", "-emit-llvm", "-c"])
        .arg(&source)
        .arg("-o")
        .arg(&bitcode)
        .status()
        .unwrap();
    assert!(status.success());
    bitcode
}

/// The files in which a cache keeps what it was given.
fn packs(cache: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(cache.join("packs")).unwrap();
    let mut packs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    packs.sort();
    packs
}

/// What a run finds is the same whether its program was read or known, after an edit, and where what is kept was
/// damaged.
#[test]
fn a_program_that_is_known_is_the_one_that_would_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let run = |file: &Path, options: &[&str]| {
        let words = [&["--cache-dir", cache.to_str().unwrap()], options].concat();
        let ran = explore_files(&folder, &[file.to_path_buf()], &words);
        (ran.inputs(), ran.errors(), ran.result("instructions"))
    };
    let text = |limit: u32| {
        format!(
            "void klee_make_symbolic(void *, unsigned long, const char *); void abort(void); unsigned long strlen(const char *);\n\
             int main(void) {{ char s[4]; klee_make_symbolic(s, 4, \"s\"); s[3] = 0; if (strlen(s) == {limit}) abort(); return 0; }}"
        )
    };
    let file = compile(folder.path(), &text(2));
    let first = run(&file, &[]);
    assert_eq!(first.1.len(), 1, "{first:?}");
    // No question is kept, so it is the program; and who finds it keeps nothing.
    let kept = packs(&cache);
    assert!(!kept.is_empty());
    assert_eq!(run(&file, &[]), first);
    assert_eq!(packs(&cache), kept);
    // What is kept of the program is found by its bytes: an edit is another one, and the way back is not.
    let file = compile(folder.path(), &text(9));
    let edited = run(&file, &[]);
    assert_eq!((edited.1.len(), edited.0.len()), (0, 4));
    assert_ne!(packs(&cache), kept);
    let file = compile(folder.path(), &text(2));
    assert_eq!(run(&file, &[]), first);
    // A damaged entry is a miss.
    for path in packs(&cache) {
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(run(&file, &[]), first);
}
