//! Limits that are kept and interrupts that are heard while a run goes on.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::klee::{klee, source};

/// A list that grows by unknown bytes: three choices for each, and each writes to the list at an unknown place.
const LISTS: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
struct node { struct node *next; unsigned value; char pad[40]; };
int main(void) {
  unsigned char x[40];
  klee_make_symbolic(x, sizeof x, "x");
  struct node *list = 0;
  unsigned sum = 0;
  for (int i = 0; i < 40; i++) {
    struct node *next = malloc(sizeof *next);
    next->next = list;
    next->value = x[i];
    list = next;
    if (x[i] > 100) {
      sum += x[i];
      next->pad[x[i] & 31] = i;
    } else
      sum ^= i;
    if (x[i] == 7)
      sum++;
  }
  return sum;
}
"#;

/// The figure is what the process had when states were given up.
#[test]
fn a_run_has_no_more_than_a_tenth_above_the_memory_that_it_may_have() {
    const LIMIT: u64 = 80;
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, LISTS);
    let limits = [format!("--max-memory={LIMIT}"), "--max-instructions=2200000".to_owned()];
    let options = ["--search=bfs", "--only-output-states-covering-new", &limits[0], &limits[1]];
    let ran = klee(&folder, &options, &program, &[]);
    let had: Vec<u64> = ran
        .stderr
        .lines()
        .filter_map(|line| line.split("(over memory cap: ").nth(1)?.strip_suffix("MB)")?.parse().ok())
        .collect();
    assert!(had.len() > 1, "{}", ran.stderr);
    assert!(had.iter().all(|had| *had <= LIMIT + LIMIT / 10), "{had:?}");
    assert_eq!(ran.done("total instructions"), 2_200_000, "{}", ran.stderr);
}

/// `timeout` asks the process to end, and then its whole group.
#[test]
fn signals_that_come_together_are_one_request_to_end_and_leave_tests() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <klee/klee.h>\n#include <stdio.h>\n\
         int main(void) {\n\
           if (klee_int(\"a\") == 7) return 1;\n\
           puts(\"waiting\");\n\
           for (volatile int i = 0;; i++) ;\n\
         }\n",
    );
    let output = folder.path().join("ended");
    let mut child = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .args(["klee", "--output-dir"])
        .arg(&output)
        .arg(&program)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let id = child.id().to_string();
    let killed = Command::new("kill").arg("-TERM").args(vec![&id; 40]).status().unwrap();
    assert!(killed.success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(output.join("test000002.ktest").exists() && output.join("info").exists(), "{said}");
}

#[test]
fn an_interrupt_while_the_program_is_read_is_a_run_without_tests() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("short.c");
    std::fs::write(&program, "int main(void) { return 0; }\n").unwrap();
    // A compiler that interrupts the parent of the reader, which is its own, and goes on until the reader has gone.
    let compiler = folder.path().join("compiler");
    let script = "#!/bin/sh\n\
         read number name state parent others < /proc/$PPID/stat\n\
         kill -INT $parent\n\
         while kill -0 $PPID 2> /dev/null; do :; done\n";
    std::fs::write(&compiler, script).unwrap();
    std::fs::set_permissions(&compiler, PermissionsExt::from_mode(0o755)).unwrap();
    let output = folder.path().join("interrupted");
    let stats = folder.path().join("stats.json");
    let ran = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .args(["run", "--clang"])
        .arg(&compiler)
        .arg("--output-dir")
        .arg(&output)
        .arg("--stats")
        .arg(&stats)
        .arg(&program)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(0), "{said}");
    let info = std::fs::read_to_string(output.join("info")).unwrap();
    assert!(info.ends_with("KLEE: done: generated tests = 0\n"), "{info}");
    let messages = std::fs::read_to_string(output.join("messages.txt")).unwrap();
    assert!(messages.contains("ctrl-c detected"), "{messages}");
    assert!(output.join("coverage.info").exists(), "{said}");
    let stats: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(stats).unwrap()).unwrap();
    assert_eq!(stats["result"]["stopped"], "the run was interrupted");
}
