//! Questions as KLEE logs them: what is written is what was asked, and what is said of it is true.

use crate::conditions::{Query, script_holds};
use crate::klee::{Klee, klee, source};

/// Branches on one byte, some of which are decided by earlier ones.
const PROGRAM: &str = r#"
#include <klee/klee.h>
int main(void) {
  static const unsigned char squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
  unsigned char c;
  int steps = 0;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c > 100)
    steps++;
  if (c * 3 % 7 == 2)
    steps += 2;
  if (c > 200 && c < 90)
    steps += 4;
  if (squares[c & 7] > 20 && squares[c & 7] < 40)
    steps += 8;
  return steps;
}
"#;

/// An entry of a log: its lines of comment without their mark, and what is between them.
struct Entry {
    comments: Vec<String>,
    text: String,
}

impl Entry {
    fn says(&self, start: &str) -> &str {
        let line = self.comments.iter().find_map(|line| line.strip_prefix(start));
        line.unwrap_or_else(|| panic!("no `{start}` in {:?}", self.comments))
    }

    fn kind(&self) -> &str {
        let (_, behind) = self.comments[0].split_once("Type: ").unwrap();
        behind.split_once(',').unwrap().0
    }

    fn instructions(&self) -> u64 {
        self.comments[0].split_once("Instructions: ").unwrap().1.parse().unwrap()
    }
}

fn entries(ran: &Klee, name: &str) -> Vec<Entry> {
    let text = std::fs::read_to_string(ran.folder.join(name)).unwrap();
    let mark = if name.ends_with("smt2") { ';' } else { '#' };
    let mut entries = Vec::new();
    for (number, part) in text.split_terminator("\n\n").enumerate() {
        let (comments, lines): (Vec<&str>, Vec<&str>) = part.lines().partition(|line| line.starts_with(mark));
        let comments: Vec<String> =
            comments.iter().map(|line| line.trim_start_matches(mark).trim().to_owned()).collect();
        assert!(comments[0].starts_with(&format!("Query {number} -- Type: ")), "{part}");
        entries.push(Entry { comments, text: lines.join("\n") });
    }
    entries
}

/// What is said of the values of the only byte, if the question has a solution.
fn told_byte(entry: &Entry) -> Option<u8> {
    (entry.says("Solvable: ") == "true").then(|| entry.says("c = [").trim_end_matches(']').parse().unwrap())
}

#[test]
fn what_is_said_of_each_logged_question_is_true() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let log = "--use-query-log=all:kquery,all:smt2,solver:kquery,solver:smt2";
    let stats = folder.path().join("stats.json");
    let ran = klee(&folder, &[log, &format!("--stats={}", stats.display())], &program, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let count = |place: &str| entries(&ran, &format!("{place}-queries.kquery")).len();
    assert!(count("all") > count("solver") && count("solver") > 2, "{}", ran.stderr);
    for place in ["all", "solver"] {
        let (queries, scripts) = (
            entries(&ran, &format!("{place}-queries.kquery")),
            entries(&ran, &format!("{place}-queries.smt2")),
        );
        assert_eq!(queries.len(), scripts.len());
        let mut before = 0;
        for (query, script) in queries.iter().zip(&scripts) {
            assert_eq!(query.comments, script.comments);
            assert!(query.says("OK -- Elapsed: ").ends_with('s'));
            assert!(query.instructions() >= before);
            before = query.instructions();
            let holds = |byte: u8| {
                let inputs = [("c".to_owned(), vec![byte])];
                let inputs = if query.text.contains("array c[1]") { &inputs[..] } else { &[] };
                let holds = Query::holds(&query.text, inputs);
                assert_eq!(holds, script_holds(&script.text, inputs), "{}\n{}", query.text, script.text);
                holds
            };
            let solvable = (0..=255).any(holds);
            match query.kind() {
                "Truth" => assert_eq!(query.says("Is Valid: "), (!solvable).to_string(), "{}", query.text),
                "InitialValues" => {
                    assert_eq!(query.says("Solvable: "), solvable.to_string(), "{}", query.text);
                    assert!(told_byte(query).is_none_or(holds), "{}", query.text);
                }
                other => panic!("{other}"),
            }
        }
        assert!(before > 10, "{before}");
        let kinds: Vec<&str> = queries.iter().map(Entry::kind).collect();
        // The counterexample cache asks for solutions where truths are wanted.
        assert!(kinds.contains(&"Truth") || place == "solver", "{kinds:?}");
        assert!(kinds.contains(&"InitialValues"), "{kinds:?}");
    }
    let counts: serde_json::Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
    let number = |name: &str| counts["engine"][name].as_u64().unwrap_or_else(|| panic!("{counts}"));
    let reached = number("solver_queries") + number("enumerated_queries");
    assert_eq!(count("solver") as u64, reached);
}

#[test]
fn only_what_is_asked_for_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, PROGRAM);
    let logs = |options: &[&str]| -> Vec<String> {
        let ran = klee(&folder, options, &program, &[]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(!ran.stderr.contains("has no effect"), "{}", ran.stderr);
        ran.files().into_iter().filter(|name| name.contains("queries")).collect()
    };
    assert!(logs(&[]).is_empty());
    assert_eq!(logs(&["-use-query-log=solver:smt2"]), ["solver-queries.smt2"]);
    assert_eq!(
        logs(&["--use-query-log=all:kquery", "--use-query-log=solver:kquery"]),
        ["all-queries.kquery", "solver-queries.kquery"]
    );
    // Nothing takes that long.
    assert!(logs(&["--use-query-log=all:kquery", "--min-query-time-to-log=1h"]).is_empty());
    let early = ["--use-query-log=all:kquery", "--min-query-time-to-log=1h", "--log-partial-queries-early"];
    assert_eq!(logs(&early), ["all-queries.kquery"]);
    let ran = klee(&folder, &["--use-query-log=all:pc"], &program, &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("solver:smt2"), "{}", ran.stderr);
}
