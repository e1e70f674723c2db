//! The tree of states as an SQLite database (`--write-exec-tree`).

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::klee::{klee, source};

/// Four ways: an error, a silent end, and two returns.
const PROGRAM: &str = r#"
#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case 1:
    assert(0);
  case 2:
    klee_silent_exit(0);
  }
  if (x > 100)
    return 1;
  return 0;
}
"#;

#[test]
fn the_tree_has_a_leaf_for_each_path_and_an_inner_node_for_each_fork() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let ran = klee(&folder, &["--write-exec-tree"], &program, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let database = Connection::open(ran.folder.join("exec_tree.db")).unwrap();
    let mut select =
        database.prepare("SELECT ID, stateID, leftID, rightID, asmLine, kind FROM nodes").unwrap();
    let rows = select.query_map([], |row| {
        let mut numbers = [0i64; 6];
        for (place, number) in numbers.iter_mut().enumerate() {
            *number = row.get(place)?;
        }
        Ok((numbers[0], numbers))
    });
    let nodes: BTreeMap<i64, [i64; 6]> = rows.unwrap().map(Result::unwrap).collect();
    let assembly = std::fs::read_to_string(ran.folder.join("assembly.ll")).unwrap();
    let assembly: Vec<&str> = assembly.lines().collect();
    let mut open = vec![1];
    let (mut met, mut ends, mut forks) = (0, Vec::new(), Vec::new());
    while let Some(id) = open.pop() {
        met += 1;
        let [_, state, left, right, line, kind] = nodes[&id];
        assert!(line > 0 && state > 0);
        if left == 0 && right == 0 {
            ends.push(kind);
        } else {
            forks.push(kind);
            let text = assembly[line as usize - 1];
            assert!(text.contains(if kind == 3 { "switch" } else { "br " }) || kind == 1, "{kind}: {text}");
            open.extend([left, right]);
            assert_eq!(nodes[&right][1], state, "the old state goes on at the right");
        }
    }
    assert_eq!(met, nodes.len(), "every node is in the tree");
    ends.sort_unstable();
    assert_eq!((ends.as_slice(), forks.len()), (&[1, 1, 11, 39][..], 3), "{forks:?}");
    assert!(forks.contains(&3), "a switch: {forks:?}");
    let without = klee(&folder, &[], &program, &[]);
    assert!(!without.files().contains(&"exec_tree.db".to_owned()));
}
