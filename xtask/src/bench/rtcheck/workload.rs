//! The seven programs of the paper's Table 1, and others with assertions, as the bench runs them: with a
//! `main/1` that repeats their workload, and without assertions for other Prolog systems.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::setup::root;

/// A program of Table 1.
#[derive(Debug)]
pub(super) struct Program {
    /// What it is called here.
    pub(super) name: &'static str,
    /// The name of its file below `fixtures/prolog`.
    file: &'static str,
    /// What the paper calls it.
    pub(super) title: &'static str,
    /// The paper's group: (a) lists, (b) balanced trees whose nodes keep their shape, (c) balanced trees whose
    /// nodes change it, (d) unbalanced trees.
    pub(super) group: char,
    pub(super) assertions: usize,
    pub(super) regtypes: usize,
    /// The goal that inserts `N` elements into an empty structure.
    workload: &'static str,
}

/// In the order of the table.
pub(super) const PROGRAMS: [Program; 7] = [
    program("amqueue", "amqueue", 'a', 4, 1, "empty(S), fill(N, 1, S, _)"),
    program("set", "set", 'a', 4, 1, "fill(N, 1, [], _)"),
    program("avl", "AVL-tree", 'b', 8, 1, "new(S), fill(N, 1, S, _)"),
    program("heap", "heap", 'b', 7, 2, "new(S), fill(N, 1, S, _)"),
    program("btree", "B-tree", 'c', 9, 5, "new(S), fill(N, 1, S, _)"),
    program("rbtree", "RB-tree", 'c', 15, 2, "new(S), fill(N, 1, S, _)"),
    program("tree", "tree", 'd', 2, 1, "fill(N, 1, empty, _)"),
];

/// Programs that are no data structures, with the assertions that a careful programmer writes, each with the
/// size of its workload.
pub(super) const ASSERTED: [(Program, usize); 10] = [
    (asserted("parser", "asserted/parser", 10, 2), 60),
    (asserted("interpreter", "asserted/interpreter", 6, 4), 60),
    (asserted("planner", "asserted/planner", 5, 4), 300),
    (asserted("colours", "asserted/colours", 6, 3), 40),
    (asserted("paths", "asserted/paths", 8, 3), 9),
    (asserted("types", "asserted/types", 6, 4), 40),
    (asserted("huffman", "asserted/huffman", 8, 3), 300),
    (asserted("matcher", "asserted/matcher", 5, 2), 200),
    (asserted("life", "asserted/life", 8, 2), 20),
    (asserted("ledger", "asserted/ledger", 6, 4), 200),
];

const fn asserted(name: &'static str, file: &'static str, assertions: usize, regtypes: usize) -> Program {
    Program { file, ..program(name, name, '-', assertions, regtypes, "run(N, _)") }
}

/// The example of section 3, which is not in the table.
pub(super) const LENGTH: Program = program("length", "length", 'a', 1, 0, "numbers(N, Ns), len(Ns, _)");

/// A full tree of N levels, checked; and checked again around a copy of its first levels, one level more each.
pub(super) const LEVELS: [Program; 6] = [
    levels("levels", "grow(N, T), ask(T)"),
    levels("levels1", "grow(N, T), ask(T), copy(1, T, U), ask(U)"),
    levels("levels2", "grow(N, T), ask(T), copy(2, T, U), ask(U)"),
    levels("levels3", "grow(N, T), ask(T), copy(3, T, U), ask(U)"),
    levels("levels4", "grow(N, T), ask(T), copy(4, T, U), ask(U)"),
    levels("levels5", "grow(N, T), ask(T), copy(5, T, U), ask(U)"),
];

const fn levels(name: &'static str, workload: &'static str) -> Program {
    Program { file: "levels", ..program(name, "levels", 'd', 1, 1, workload) }
}

const fn program(
    name: &'static str,
    title: &'static str,
    group: char,
    assertions: usize,
    regtypes: usize,
    workload: &'static str,
) -> Program {
    Program { name, file: name, title, group, assertions, regtypes, workload }
}

/// The predicate that does a goal about `N` so many times, undoing it each time.
fn repeater(goal: &str) -> String {
    format!(
        "\nrepeat_workload(0, _) :- !.\n\
         repeat_workload(R, N) :- \\+ \\+ ( {goal} ), R1 is R - 1, repeat_workload(R1, N).\n"
    )
}

/// A `main/1` for [`repeater`].
const MAIN: &str = "\nmain([A, B]) :- atom_number(A, N), atom_number(B, R), repeat_workload(R, N).\n";

impl Program {
    fn text(&self) -> Result<String, Error> {
        read(&root().join("fixtures/prolog").join(format!("{}.pl", self.file)))
    }

    /// Writes the program into a folder with a `main/1` that takes N and a number of repetitions.
    pub(super) fn write(&self, folder: &Path) -> Result<PathBuf, Error> {
        let kept: Vec<String> =
            clauses(&self.text()?).into_iter().filter(|clause| !clause.starts_with("main(")).collect();
        let path = folder.join(format!("{}.pl", self.name));
        let text = format!("{}\n{}{MAIN}", kept.join("\n"), repeater(self.workload));
        fs::write(&path, text).map_err(Error::writing(&path))?;
        Ok(path)
    }

    /// The program as every Prolog system reads it, with `repeat_workload/2` and without `main/1`.
    pub(super) fn portable(&self) -> Result<String, Error> {
        Ok(format!("{}{}", without_assertions(&self.text()?), repeater(self.workload)))
    }
}

/// A program of `fixtures/prolog/classics` as every Prolog system reads it: its goal is `round/1`.
pub(super) fn portable_classic(path: &Path) -> Result<String, Error> {
    Ok(format!("{}{}", without_assertions(&read(path)?), repeater("round(_)")))
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::reading(path))
}

/// A text's clauses and directives, without comment lines. The fixtures' are simple: each begins on a line of
/// its own, and what ends with a full stop ends a clause.
fn clauses(text: &str) -> Vec<String> {
    let mut clauses = Vec::new();
    let mut clause = String::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('%')) {
        if !line.trim().is_empty() {
            clause.push_str(line);
            clause.push('\n');
        }
        if line.trim_end().ends_with('.') {
            clauses.push(std::mem::take(&mut clause));
        }
    }
    clauses
}

/// What a directive declares to be a regular type, if it does.
fn regtype(clause: &str) -> Option<&str> {
    let declared = clause.strip_prefix(":- regtype ")?;
    declared.split(['(', '/', '.']).next()
}

/// The clauses but for directives, definitions of regular types (some of which other systems cannot read), and
/// `main`.
fn without_assertions(text: &str) -> String {
    let clauses = clauses(text);
    let mut left_out: Vec<String> =
        clauses.iter().filter_map(|clause| regtype(clause)).map(|name| format!("{name}(")).collect();
    left_out.extend([":-".to_owned(), "main(".to_owned(), "main :-".to_owned()]);
    let kept = clauses.iter().filter(|clause| !left_out.iter().any(|start| clause.starts_with(start)));
    kept.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::{ASSERTED, PROGRAMS, clauses, regtype, without_assertions};

    /// Table 1 of the paper, and the groups in the text below it.
    #[test]
    fn programs_have_as_many_assertions_and_regular_types_as_table_1_says() {
        let counted: Vec<(usize, usize)> = PROGRAMS
            .iter()
            .map(|program| {
                let clauses = clauses(&program.text().unwrap());
                let assertions = clauses.iter().filter(|clause| clause.starts_with(":- pred ")).count();
                (assertions, clauses.iter().filter(|clause| regtype(clause).is_some()).count())
            })
            .collect();
        assert_eq!(counted, [(4, 1), (4, 1), (8, 1), (7, 2), (9, 5), (15, 2), (2, 1)]);
        let stated: Vec<(usize, usize)> =
            PROGRAMS.iter().map(|program| (program.assertions, program.regtypes)).collect();
        assert_eq!(stated, counted);
        let groups: String = PROGRAMS.iter().map(|program| program.group).collect();
        assert_eq!(groups, "aabbccd");
    }

    #[test]
    fn other_programs_have_as_many_assertions_and_regular_types_as_stated() {
        for (program, _) in &ASSERTED {
            let clauses = clauses(&program.text().unwrap());
            let assertions = clauses.iter().filter(|clause| clause.starts_with(":- pred ")).count();
            let regtypes = clauses.iter().filter(|clause| regtype(clause).is_some()).count();
            assert_eq!((program.assertions, program.regtypes), (assertions, regtypes), "{}", program.name);
        }
    }

    #[test]
    fn a_portable_program_has_no_directives_and_no_types() {
        let text = ":- module(m, [main/1]).\n\n% a. b.\n:- regtype q(T) # \"A q.\".\nq(a).\nq(f(X)) :-\n    T(X).\n\
                    :- pred p(X)\n    : q(X).\np(X) :-\n    r(X).\np(_).\nmain([A]) :- p(A).\n";
        assert_eq!(without_assertions(text), "p(X) :-\n    r(X).\np(_).\n");
        for program in &PROGRAMS {
            let portable = program.portable().unwrap();
            assert!(portable.contains("\nfill(N, X, ") && portable.contains("repeat_workload"), "{portable}");
            assert!(!portable.contains(":- ") || !portable.lines().any(|line| line.starts_with(":-")));
        }
    }
}
