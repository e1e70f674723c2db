//! Limits that are kept while a run goes on.

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
