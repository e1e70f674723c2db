//! Limits that are kept while a run goes on.

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
