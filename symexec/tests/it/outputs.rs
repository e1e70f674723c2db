//! What a run leaves beside tests: statistics, coverage, a profile; and tests that run natively.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::program::{Ran, explore, explore_files};

fn source(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    file
}

/// The names of the columns, and the rows.
fn stats(folder: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let connection = rusqlite::Connection::open(folder.join("run.stats")).unwrap();
    let mut all = connection.prepare("SELECT * FROM stats").unwrap();
    let names: Vec<String> = all.column_names().map(str::to_owned).collect();
    let rows = all
        .query_map((), |row| (0..names.len()).map(|column| row.get::<_, f64>(column)).collect())
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    (names, rows)
}

#[test]
fn run_stats_has_klees_columns_and_the_totals_in_its_last_row() {
    let folder = tempfile::tempdir().unwrap();
    let ran = explore(&folder, "errors.ll", &[]);
    let (names, rows) = stats(&ran.folder);
    assert_eq!(names.len(), 45);
    assert_eq!(
        (names[0].as_str(), names[10].as_str(), names[44].as_str()),
        ("Instructions", "WallTime", "ArrayHashTime")
    );
    let last = rows.last().unwrap();
    let value = |name: &str| last[names.iter().position(|other| other == name).unwrap()] as u64;
    assert_eq!(value("Instructions"), ran.result("instructions"));
    assert_eq!(value("Queries"), ran.engine("queries"));
    assert_eq!(value("SolverQueries"), ran.engine("solver_queries"));
    assert_eq!(value("CoveredInstructions"), ran.result("covered_instructions"));
    assert_eq!(value("States"), ran.result("paths"));
    assert_eq!(value("TerminationExit"), ran.result("completed"));
    let ends: u64 = names.iter().filter(|name| name.starts_with("Termination")).map(|name| value(name)).sum();
    assert_eq!(ends, ran.result("paths"));
    // Every state but the first was made by a fork of some kind.
    let forks: u64 = names.iter().filter(|name| name.starts_with("Branches")).map(|name| value(name)).sum();
    assert_eq!(forks + 1, ran.result("paths"));
    assert_eq!(value("NumStates"), 0);
    assert!(value("FullBranches") <= value("NumBranches") && value("WallTime") > 0);
}

#[test]
fn coverage_is_told_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = source(
        &folder,
        "lines.c",
        "#include <klee/klee.h>\n\
         static int never(void) {\n\
           return 1;\n\
         }\n\
         int main(void) {\n\
           int x = klee_int(\"x\");\n\
           if (x == 3) {\n\
             x = 5;\n\
           }\n\
           if (x == 3)\n\
             return never();\n\
           return 0;\n\
         }\n",
    );
    let ran = explore_files(&folder, &[file], &[]);
    let text = std::fs::read_to_string(ran.folder.join("coverage.info")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0] == "TN:" && lines[1].starts_with("SF:") && lines[1].ends_with("lines.c"), "{text}");
    let has = |line: &str| assert!(lines.contains(&line), "{line} is missing:\n{text}");
    for line in ["FN:6,main", "FN:3,never", "FNDA:1,main", "FNDA:0,never", "FNF:2", "FNH:1"] {
        has(line);
    }
    for (line, covered) in [(3, 0), (6, 1), (7, 1), (8, 1), (10, 1), (11, 0), (12, 1)] {
        has(&format!("DA:{line},{covered}"));
    }
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("SF:")).count(),
        1,
        "the runtime is left out: {text}"
    );
    assert_eq!(lines.last(), Some(&"end_of_record"));
}

/// Also that of what is not provided, and of states that become one.
#[test]
fn lines_that_end_paths_are_covered() {
    let folder = tempfile::tempdir().unwrap();
    let ends = [
        "exit(1);",
        "abort();",
        "klee_silent_exit(0);",
        "klee_report_error(\"x\", 1, \"y\", \"z\");",
        "*(volatile int *)0 = 1;",
        "_Exit(4);",
        "__builtin_trap();",
        "klee_assert(a < 0);",
        "text[a] = 1;",
        "klee_close_merge();",
        "not_provided();",
    ];
    let cases: String =
        (0..).zip(&ends).map(|(number, end)| format!("case {number}:\n{end} break;\n")).collect();
    let text = format!(
        "#include <klee/klee.h>\n#include <stdlib.h>\nvoid not_provided(void); char text[4];\n\
         int main(void) {{ int a = klee_int(\"a\"); if (a == 9) klee_open_merge(); switch (a) {{\n{cases}}}\nreturn 0; }}\n"
    );
    let file = source(&folder, "ends.c", &text);
    let ran = explore_files(&folder, &[file], &["--use-merge"]);
    let told = std::fs::read_to_string(ran.folder.join("coverage.info")).unwrap();
    for (number, end) in ends.iter().enumerate() {
        // That nobody provides a function is not the program's doing.
        let covered = u64::from(*end != "not_provided();");
        let line = format!("DA:{},{covered}", 6 + 2 * number);
        assert!(told.lines().any(|told| told == line), "{line} of `{end}` is missing:\n{told}");
    }
}

fn symexec(arguments: &[&str], files: &[&Path]) -> (i32, String, String) {
    let result = Command::new(env!("CARGO_BIN_EXE_symexec")).args(arguments).args(files).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (result.status.code().unwrap_or(-1), text(result.stdout), text(result.stderr))
}

#[test]
fn the_report_names_where_forks_happen_and_questions_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = source(
        &folder,
        "forks.c",
        "#include <klee/klee.h>\n\
         int main(void) {\n\
           unsigned char x = klee_int(\"x\"); int n = 0;\n\
           for (int i = 0; i < 4; i++)\n\
             if (x >> i & 1)\n\
               n++;\n\
           return n;\n\
         }\n",
    );
    let ran = explore_files(&folder, &[file], &[]);
    let (code, text, said) = symexec(&["report"], &[&ran.folder]);
    assert_eq!(code, 0, "{said}");
    assert!(text.contains("Forks: 15 new states in all"), "{text}");
    let fork = text.lines().find(|line| line.trim_start().starts_with("15 ")).unwrap();
    assert!(fork.ends_with("forks.c:5 in main"), "{text}");
    assert!(text.contains("KLEE: done: completed paths = 16"), "{text}");
    let (code, _, said) = symexec(&["report"], &[folder.path()]);
    assert!(code == 2 && said.contains("profile.json") && said.contains("output folder"), "{said}");
    std::fs::write(ran.folder.join("profile.json"), "{\"schema\":1,").unwrap();
    let (code, _, said) = symexec(&["report"], &[&ran.folder]);
    assert!(code == 2 && said.contains("damaged"), "{said}");
}

/// Replays all tests of a run; gives, by test, what was said of it, and the exit code.
fn replay(ran: &Ran, file: &Path, arguments: &[&str]) -> (i32, Vec<String>) {
    let tests: Vec<PathBuf> = ran.tests().into_keys().map(|name| ran.folder.join(name)).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_symexec"));
    command.arg("replay").arg(file).args(arguments).arg("--test").args(tests);
    let result = command.output().unwrap();
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    let lines = said.lines().filter_map(|line| line.split_once(".ktest: "));
    (result.status.code().unwrap_or(-1), lines.map(|(_, text)| text.to_owned()).collect())
}

#[test]
fn replayed_tests_do_what_the_engine_says_they_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = source(
        &folder,
        "replayed.c",
        "#include <klee/klee.h>\n#include <assert.h>\n#include <stdlib.h>\n\
         /* As drivers have it, to link natively. */\n\
         void klee_assume(uintptr_t condition) { (void)condition; }\n\
         int main(void) {\n\
           unsigned char kind; klee_make_symbolic(&kind, 1, \"kind\");\n\
           int k = klee_range(-1, 3, \"k\");\n\
           klee_assume(k != 2);\n\
           if (kind == 1) assert(k != 0);\n\
           if (kind == 2) return 10 / (k + 1);\n\
           if (kind == 3) { char *p = malloc(4); p[k * 8] = 1; return 0; }\n\
           if (kind == 4) klee_report_error(\"f\", 7, \"no\", \"own\");\n\
           if (k < 0) return 4;\n\
           return 5;\n\
         }\n",
    );
    let ran = explore_files(&folder, std::slice::from_ref(&file), &["--search", "bfs"]);
    let (code, said) = replay(&ran, &file, &["--sanitize", "undefined"]);
    assert_eq!(code, 1, "{said:?}");
    // What the engine says of each test, by its error file.
    for (name, outcome) in ran.tests().into_keys().zip(&said) {
        let stem = name.strip_suffix(".ktest").unwrap();
        let kind = std::fs::read_dir(&ran.folder).unwrap().find_map(|entry| {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            let kind = name.strip_prefix(stem)?.strip_suffix(".err")?.to_owned();
            Some(kind)
        });
        let expected: &[&str] = match kind.as_deref() {
            None => &["exit code"],
            Some(".assert") => &["SIGABRT"],
            Some(".div") => &["SIGILL"],
            // The machine may not notice an access just outside of an object.
            Some(".ptr") => &["SIGSEGV", "SIGABRT", "SIGILL", "exit code 0"],
            Some(".own") => &["reported an error"],
            Some(other) => panic!("{other}"),
        };
        assert!(expected.iter().any(|expected| outcome.contains(expected)), "{name} {kind:?}: {outcome}");
    }
    assert!(said.iter().any(|text| text.contains("exit code 4")), "{said:?}");
    // An assertion, a division, an access (one place, whichever its offset), and the program's own.
    assert_eq!(ran.errors().len(), 4, "{:?}", ran.errors());
}

#[test]
fn arguments_files_and_standard_input_are_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = source(
        &folder,
        "echo.c",
        "#include <stdio.h>\n#include <string.h>\n\
         int main(int argc, char **argv) {\n\
           int code = 0;\n\
           if (argc == 3 && !strcmp(argv[1], \"x\") && argv[2][0] == 'y') code += 1;\n\
           FILE *file = fopen(\"A\", \"r\");\n\
           if (file && fgetc(file) == 'a' && fgetc(file) == 'b') code += 2;\n\
           if (getchar() == 'c') code += 4;\n\
           return code;\n\
         }\n",
    );
    let arguments = ["--search", "bfs", "--", "x", "--sym-args", "0", "1", "1", "--sym-files", "1", "2"];
    let ran = explore_files(&folder, std::slice::from_ref(&file), &arguments);
    let (code, mut said) = replay(&ran, &file, &[]);
    assert_eq!(code, 0, "{said:?}");
    said.sort();
    said.dedup();
    let expected: Vec<String> =
        (0..8).map(|code| format!("the program ended with exit code {code}")).collect();
    assert_eq!(said, expected);
}

#[test]
fn any_exit_code_is_the_programs_own() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <klee/klee.h>\nint main(void) {\n\
         int code = klee_range(93, 99, \"code\");\n\
         switch (code) { case 94: return 94; case 95: return 95; case 96: return 96; case 97: return 97; }\n\
         return 98;\n\
       }\n";
    let file = source(&folder, "codes.c", text);
    let ran = explore_files(&folder, std::slice::from_ref(&file), &[]);
    let (code, mut said) = replay(&ran, &file, &[]);
    assert_eq!(code, 0, "{said:?}");
    said.sort();
    let expected: Vec<String> =
        (94..=98).map(|code| format!("the program ended with exit code {code}")).collect();
    assert_eq!(said, expected);
}

#[test]
fn of_two_files_of_one_name_the_last_one_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdio.h>\nint main(void) {\n\
         FILE *file = fopen(\"in\", \"r\");\n\
         if (!file) return 9;\n\
         int first = fgetc(file), second = fgetc(file);\n\
         if (first != 'a') return 0;\n\
         if (second == 'b') return 2;\n\
         return 1;\n\
       }\n";
    let file = source(&folder, "two.c", text);
    let template = folder.path().join("in");
    std::fs::write(&template, "a?").unwrap();
    let template = template.to_str().unwrap();
    let named = ["--sym-file-from", "in", template, "--sym-file-from", "in", template];
    let arguments = [&["--"][..], &named].concat();
    let ran = explore_files(&folder, std::slice::from_ref(&file), &arguments);
    let (code, mut said) = replay(&ran, &file, &[]);
    assert_eq!(code, 0, "{said:?}");
    said.sort();
    let expected: Vec<String> = [1, 2].map(|code| format!("the program ended with exit code {code}")).into();
    assert_eq!(said, expected);
}

#[test]
fn what_cannot_be_replayed_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let one =
        source(&folder, "one.c", "#include <klee/klee.h>\nint main(void) { return klee_int(\"a\") == 1; }\n");
    let other = source(
        &folder,
        "other.c",
        "#include <klee/klee.h>\nint main(void) { return klee_int(\"b\") == 1; }\n",
    );
    let endless = source(&folder, "endless.c", "int main(void) { for (;;) ; }\n");
    let ran = explore_files(&folder, std::slice::from_ref(&one), &[]);
    let (code, said) = replay(&ran, &other, &[]);
    assert!(code == 3 && said[0].contains("does not fit"), "{code} {said:?}");
    let (code, said) = replay(&ran, &endless, &["--timeout", "1"]);
    assert!(code == 1 && said[0].contains("time limit"), "{code} {said:?}");
    let test = ran.folder.join("test000001.ktest");
    std::fs::write(&test, "KTESX").unwrap();
    let (code, said) = replay_one(&one, &test);
    assert!(code == 2 && said.contains("does not begin with KTEST"), "{said}");
    let (code, said) = replay_one(&folder.path().join("missing.c"), &test);
    assert!(code == 2 && said.contains("does not compile"), "{said}");
}

fn replay_one(file: &Path, test: &Path) -> (i32, String) {
    let result = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .arg("replay")
        .arg(file)
        .arg("--test")
        .arg(test)
        .output()
        .unwrap();
    (result.status.code().unwrap_or(-1), String::from_utf8_lossy(&result.stderr).into_owned())
}

#[test]
fn run_stats_tells_where_the_time_went_and_how_often_the_outside_was_called() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <klee/klee.h>\n#include <math.h>\n#include <stdlib.h>\n\
        int main(void) {\n\
          volatile double one = 1;\n\
          unsigned char *table[8], *found; unsigned i = klee_int(\"i\"), sum = 0;\n\
          for (int k = 0; k < 8; k++) { table[k] = malloc(4); table[k][1] = k; }\n\
          klee_assume(i < 8);\n\
          found = table[i];\n\
          for (int k = 0; k < 8; k++) sum += found[1] == k;\n\
          return sum + (cos(one) > 2) + (sin(one) > 2);\n\
        }\n";
    let ran = explore_files(&folder, &[source(&folder, "stats.c", text)], &["--no-enumeration"]);
    let (names, rows) = stats(&ran.folder);
    let last = rows.last().unwrap();
    let value = |name: &str| last[names.iter().position(|other| other == name).unwrap()] as u64;
    // One state for each object, and in each of them both functions are called.
    assert_eq!(ran.result("completed"), 8, "{}", ran.stderr);
    assert_eq!(value("ExternalCalls"), 16);
    for name in ["SolverTime", "CexCacheTime", "ForkTime", "ResolveTime"] {
        assert!(value(name) > 0, "{name}");
    }
    // The chain's time has that of its parts in it, and the run's that of the chain.
    assert!(value("QueryTime") >= value("SolverTime") + value("CexCacheTime"));
    assert!(value("WallTime") >= value("QueryTime") && value("WallTime") >= value("ResolveTime"));
}

/// A program whose last question takes a solver very long.
const HARD: &str = "#include <klee/klee.h>\n\
    int main(void) { unsigned long a, b, c; klee_make_symbolic(&a, 8, \"a\"); klee_make_symbolic(&b, 8, \"b\");\n\
    klee_make_symbolic(&c, 8, \"c\"); char x; klee_make_symbolic(&x, 1, \"x\"); if (x == 3) return 2;\n\
    if (a > 1 && b > 1 && c > 1 && a * b == 0xf1234567890abcd7ul && (a % c) * (b % c) * c == 0x123456789abcdef1ul)\n\
    return 1; return 0; }";

#[test]
fn the_end_of_the_time_ends_a_question_too_and_leaves_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hard.c");
    std::fs::write(&file, HARD).unwrap();
    let ran = explore_files(&folder, &[file], &["--max-time", "1", "--search", "dfs"]);
    assert!(ran.stderr.contains("the time limit was reached"), "{}", ran.stderr);
    // Nothing is an error of the program, and what was open is a test as well.
    assert!(ran.errors().is_empty(), "{}", ran.stderr);
    assert!(ran.folder.join("info").exists() && !ran.tests().is_empty());
}
