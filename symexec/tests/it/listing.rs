//! Instructions as they are executed, and the program itself: `--debug-print-instructions`, `--output-module`.

use std::process::Command;

use crate::klee::{Klee, klee, source};

const PROGRAM: &str = r#"
#include <klee/klee.h>
int main(void) {
  int x, sum = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  for (int i = 0; i < 3; i++)
    sum += i;
  if (x > sum)
    return 1;
  return 0;
}
"#;

fn text(ran: &Klee, name: &str) -> String {
    std::fs::read_to_string(ran.folder.join(name)).unwrap()
}

/// The parts of a line: the place in the source, if it has one, and what stands behind it.
fn parts(line: &str) -> (Option<(&str, u32)>, Vec<&str>) {
    let line = line.strip_prefix("     ").unwrap();
    let (place, rest) = match line.strip_prefix("[no debug info]:") {
        Some(rest) => (None, rest),
        None => {
            let (file, rest) = line.split_once(':').unwrap();
            let (numbers, rest) = rest.split_once(':').unwrap();
            (Some((file, numbers.split(' ').next().unwrap().parse().unwrap())), rest)
        }
    };
    (place, rest.splitn(3, ':').collect())
}

#[test]
fn each_instruction_is_printed_once_with_its_places_and_its_state() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let file = klee(&folder, &["--debug-print-instructions=all:file"], &program, &[]);
    assert_eq!(file.code, 0, "{}", file.stderr);
    let assembly = text(&file, "assembly.ll");
    let assembly: Vec<&str> = assembly.lines().collect();
    let list = text(&file, "instructions.txt");
    let count = |what: &str| list.lines().filter(|line| line.contains(what)).count();
    let mut short = Vec::new();
    for line in list.lines() {
        let (place, rest) = parts(line);
        let [at, state, instruction] = rest.as_slice() else { panic!("{line}") };
        assert_eq!(*instruction, assembly[at.parse::<usize>().unwrap() - 1]);
        if instruction.contains("icmp sgt") {
            assert!(place.is_some_and(|(file, line)| file.ends_with(".c") && line == 8), "{line}");
        }
        short.push(format!("{at}:{state}"));
    }
    // The loop's comparison, and what each of the two paths does alone.
    assert_eq!(count("icmp slt i32"), 4, "{list}");
    assert_eq!((count("icmp sgt i32"), count(" ret i32")), (1, 2), "{list}");
    assert!(!file.stderr.contains("icmp"), "{}", file.stderr);

    let seen = klee(&folder, &["--debug-print-instructions=src:stderr"], &program, &[]);
    assert!(!seen.files().contains(&"instructions.txt".to_owned()));
    let shown: Vec<String> = seen
        .stderr
        .lines()
        .filter(|line| line.starts_with("     "))
        .map(|line| parts(line).1.join(":"))
        .collect();
    assert_eq!(shown, short);

    let compact = klee(&folder, &["--debug-print-instructions=compact:file"], &program, &[]);
    assert_eq!(text(&compact, "instructions.txt").lines().collect::<Vec<_>>(), short);
    let wrong = klee(&folder, &["--debug-print-instructions=most:file"], &program, &[]);
    assert!(wrong.code == 1 && wrong.stderr.contains("compact:file"), "{}", wrong.stderr);
}

#[test]
fn the_linked_program_is_written_as_bitcode_that_explores_alike() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let first = klee(&folder, &["--output-module"], &program, &[]);
    let bitcode = first.folder.join("final.bc");
    let again = klee(&folder, &[], &bitcode, &[]);
    assert_eq!(again.done("completed paths"), 2, "{}", again.stderr);
    assert_eq!(first.done("total instructions"), again.done("total instructions"));
    assert!(!again.files().contains(&"final.bc".to_owned()));
    let shown = Command::new("llvm-dis-19").arg("-o").arg("-").arg(&bitcode).output();
    if let Ok(shown) = shown {
        assert!(String::from_utf8_lossy(&shown.stdout).contains("@klee_make_symbolic"));
    }
}
