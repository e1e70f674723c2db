//! KLEE's command line: options, texts, files, exit codes.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::program::{fixture, install};

/// What a run of `symexec klee` said and left.
pub(crate) struct Klee {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) folder: PathBuf,
}

impl Klee {
    /// The number in a line `KLEE: done: WHAT = N`.
    pub(crate) fn done(&self, what: &str) -> u64 {
        let start = format!("KLEE: done: {what} = ");
        let line = self.stderr.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("no `{what}` in {}", self.stderr)).parse().unwrap()
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// Runs the arguments before and behind a program.
pub(crate) fn klee(folder: &TempDir, before: &[&str], program: &Path, behind: &[&str]) -> Klee {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let output = folder.path().join(format!("out-{number}"));
    let result = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .arg("klee")
        .arg(format!("-output-dir={}", output.display()))
        .args(before)
        .arg(program)
        .args(behind)
        .output()
        .unwrap();
    Klee {
        code: result.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&result.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&result.stderr).into_owned(),
        folder: output,
    }
}

pub(crate) fn source(folder: &TempDir, text: &str) -> PathBuf {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file = folder.path().join(format!("p{number}.c"));
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_run_ends_with_klees_lines_and_zero_whatever_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let ran = klee(&folder, &[], &fixture("errors.ll"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.done("partially completed paths"), 12);
    assert!(ran.done("generated tests") >= 12, "{}", ran.stderr);
    assert!(ran.done("total instructions") > 0);
    let error = ran.stderr.find("KLEE: ERROR: errors.c:18: memory error: out of bound pointer").unwrap();
    assert!(ran.stderr[error..].contains("\nKLEE: NOTE: now ignoring this error at this location\n"));
    let files = ran.files();
    for name in ["info", "messages.txt", "warnings.txt", "test000001.ktest"] {
        assert!(files.iter().any(|file| file == name), "{name}: {files:?}");
    }
}

#[test]
fn the_first_error_ends_a_run_that_is_to_exit_on_errors() {
    let folder = tempfile::tempdir().unwrap();
    let ran = klee(&folder, &["--exit-on-error"], &fixture("errors.ll"), &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("KLEE: ERROR:").count(), 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("KLEE: ERROR: EXITING ON ERROR:\nError: "), "{}", ran.stderr);
    // Of an error of a certain type KLEE's exit code says nothing.
    let ran = klee(&folder, &["--exit-on-error-type=Div"], &fixture("errors.ll"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("divide by zero"), "{}", ran.stderr);
    let ran = klee(&folder, &["--exit-on-error-type=Overshift"], &fixture("matrix.ll"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn unusable_command_lines_and_programs_end_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let ran = klee(&folder, &["--surprise"], &fixture("matrix.ll"), &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("Unknown command line argument '--surprise'"), "{}", ran.stderr);
    let ran = klee(&folder, &[], Path::new("no-such-file.bc"), &[]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.starts_with("KLEE: ERROR: ") && ran.stderr.contains("no-such-file.bc"),
        "{}",
        ran.stderr
    );
    let ran = klee(&folder, &["--entry-point=nowhere"], &fixture("matrix.ll"), &[]);
    assert_eq!(ran.code, 1);
    let expected = "KLEE: ERROR: Entry function 'nowhere' not found in module. ";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn options_without_effect_warn_and_help_lists_those_with() {
    let folder = tempfile::tempdir().unwrap();
    let ran = klee(&folder, &["--watchdog", "--libc=uclibc", "--posix-runtime"], &fixture("matrix.ll"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("WARNING: --watchdog").count(), 1, "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("WARNING").count(), 1, "{}", ran.stderr);
    for (option, expected) in [("--help", "--max-instructions=<value>"), ("-version", "symexec ")] {
        let result = Command::new(env!("CARGO_BIN_EXE_symexec")).args(["klee", option]).output().unwrap();
        assert!(result.status.success());
        assert!(String::from_utf8_lossy(&result.stdout).contains(expected), "{option}");
    }
}

#[test]
fn the_program_understands_klee_under_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_symexec")).parent().unwrap();
    for name in ["symexec-reader", "symexec-solver"] {
        std::os::unix::fs::symlink(programs.join(name), folder.path().join(name)).unwrap();
    }
    let link = folder.path().join("klee");
    install(env!("CARGO_BIN_EXE_symexec").as_ref(), &link);
    let output = folder.path().join("out");
    let result = Command::new(&link)
        .arg("--output-dir")
        .arg(&output)
        .arg("-search=dfs")
        .arg(fixture("matrix.ll"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success() && said.contains("KLEE: done: completed paths = "), "{said}");
}

#[test]
fn what_the_program_writes_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <stdio.h>\n#include <klee/klee.h>\n\
         int main(int argc, char **argv) {\n\
           char c = klee_range(0, 200, \"c\");\n\
           printf(\"%s %d\\n\", argv[1], argc);\n\
           fputs(\"wrong\\n\", stderr);\n\
           putchar(c); puts(\"\");\n\
           return 0;\n\
         }\n",
    );
    let ran = klee(&folder, &[], &program, &["first", "-second"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout, "first 3\n?\n");
    assert!(ran.stderr.contains("wrong\n"), "{}", ran.stderr);
}

#[test]
fn checks_can_be_switched_off_and_all_errors_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <klee/klee.h>\n\
         static int shift(unsigned by) { return 1 << by; }\n\
         int main(void) {\n\
           unsigned by = klee_int(\"by\");\n\
           if (by > 1000) return shift(by);\n\
           if (by > 500) return shift(by);\n\
           return by < 32 ? shift(by) : 0;\n\
         }\n",
    );
    let ran = klee(&folder, &[], &program, &[]);
    assert_eq!(ran.stderr.matches("overshift error").count(), 1, "{}", ran.stderr);
    assert_eq!(ran.done("generated tests"), 3, "{}", ran.stderr);
    let all = klee(&folder, &["--emit-all-errors"], &program, &[]);
    assert_eq!(all.stderr.matches("overshift error").count(), 2, "{}", all.stderr);
    assert!(!all.stderr.contains("now ignoring"), "{}", all.stderr);
    let off = klee(&folder, &["--check-overshift=false"], &program, &[]);
    assert_eq!(off.stderr.matches("overshift error").count(), 0, "{}", off.stderr);
    assert_eq!(off.done("completed paths"), 4);
}

#[test]
fn functions_are_replaced_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <assert.h>\n\
         int answer(void) { return 1; }\nint other(void) { return 42; }\nint (*pointer)(void) = answer;\n\
         int wrong(int a) { return a; }\n\
         int main(void) { assert(answer() == 42 && pointer() == 42); return 0; }\n",
    );
    let ran = klee(&folder, &["--function-alias=answer:other"], &program, &[]);
    assert_eq!(ran.done("completed paths"), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("KLEE: function-alias: replaced @answer with @other\n"), "{}", ran.stderr);
    // A pattern means all functions whose whole name it matches, and that can be replaced.
    let ran = klee(&folder, &["--function-alias=.*(er|wro):other"], &program, &[]);
    assert_eq!(ran.done("completed paths"), 1, "{}", ran.stderr);
    for text in [
        "replaced @answer (matching '.*(er|wro)') with @other",
        "do not replace @other (matching '.*(er|wro)') with @other: cannot replace itself",
    ] {
        assert!(ran.stderr.contains(text), "{text}: {}", ran.stderr);
    }
    let ran = klee(&folder, &[], &program, &[]);
    assert!(ran.stderr.contains("ASSERTION FAIL"), "{}", ran.stderr);
    for (alias, expected) in [
        ("answer:missing", "function-alias: replacement function @missing could not be found"),
        ("answer:wrong", "@answer could not be replaced with @wrong"),
        ("ans.*ng:other", "function-alias: no (replacable) match for 'ans.*ng' found"),
        ("ans(:other", "function-alias: 'ans(' is not a valid regex"),
        ("other:other", "function-alias: @other cannot replace itself"),
    ] {
        let ran = klee(&folder, &["-function-alias", alias], &program, &[]);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

/// A tree of eight forks with a loop on one side.
const FORKS: &str = "#include <klee/klee.h>\n\
    int main(void) {\n\
      unsigned char bits = klee_int(\"bits\"); int sum = 0;\n\
      for (int i = 0; i < 5; i++) if (bits >> i & 1) sum += i;\n\
      return sum;\n\
    }\n";

#[test]
fn every_search_finds_all_paths() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, FORKS);
    for search in [
        &["--search=dfs"][..],
        &["--search=bfs"],
        &["--search=random-state"],
        &["--search=random-path"],
        &["--search=nurs:covnew"],
        &["--search=nurs:depth"],
        &["--search=nurs:icnt"],
        &["--search=nurs:cpicnt"],
        &["--search=nurs:qc"],
        &["--search=nurs:rp", "--search=nurs:cpicnt", "--search=nurs:icnt"],
        &["--search=nurs:md2u", "--search=random-state", "--search=dfs"],
        &[],
    ] {
        let ran = klee(&folder, search, &program, &[]);
        assert_eq!(ran.done("completed paths"), 32, "{search:?} {}", ran.stderr);
        assert_eq!(ran.done("generated tests"), 32, "{search:?}");
    }
}

#[test]
fn limits_end_a_run_and_leave_tests_of_the_live_states() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, FORKS);
    let forks = klee(&folder, &["--max-forks=3"], &program, &[]);
    assert_eq!(forks.done("completed paths"), 4, "{}", forks.stderr);
    assert!(forks.stderr.contains("WARNING ONCE: skipping fork (max-forks reached)"), "{}", forks.stderr);
    let tests = klee(&folder, &["--max-tests=2", "--search=bfs"], &program, &[]);
    assert_eq!(tests.done("completed paths"), 2, "{}", tests.stderr);
    assert_eq!(tests.done("partially completed paths"), 30, "{}", tests.stderr);
    assert_eq!(tests.done("generated tests"), 32);
    assert!(tests.stderr.contains("KLEE: HaltTimer invoked"), "{}", tests.stderr);
    assert!(tests.files().iter().any(|name| name == "test000003.early"), "{:?}", tests.files());
    let depth = klee(&folder, &["--max-depth=2", "--search=dfs"], &program, &[]);
    assert_eq!(depth.done("completed paths"), 0, "{}", depth.stderr);
    // Where memory is short, choices have one side, as in KLEE.
    let memory = klee(&folder, &["--max-memory=1"], &program, &[]);
    assert!(memory.stderr.contains("skipping fork (memory cap exceeded)"), "{}", memory.stderr);
    assert!(memory.done("completed paths") <= 2, "{}", memory.stderr);
    let not = klee(&folder, &["--max-memory=100000"], &program, &[]);
    assert_eq!(not.done("completed paths"), 32, "{}", not.stderr);
}

#[test]
fn only_paths_to_new_code_get_tests_if_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, FORKS);
    let ran = klee(&folder, &["--only-output-states-covering-new", "--search=dfs"], &program, &[]);
    assert_eq!(ran.done("completed paths"), 32);
    // What is new is the beginning, the end, and both sides of the loop's body; the beginning is that of the path that
    // ends last.
    assert_eq!(ran.done("generated tests"), 4);
}

#[test]
fn forks_can_be_switched_off_by_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <klee/klee.h>\n\
         int main(void) {\n\
           int a = klee_int(\"a\"), b = klee_int(\"b\"), n = 0;\n\
           klee_set_forking(0);\n  if (a) n++;\n  klee_set_forking(1);\n  if (b) n++;\n  return n;\n}\n",
    );
    let ran = klee(&folder, &[], &program, &[]);
    assert_eq!(ran.done("completed paths"), 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("skipping fork (fork disabled on current path)"), "{}", ran.stderr);
}

#[test]
fn one_way_is_followed_through_functions_that_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <klee/klee.h>\n\
         static int quoted(const char *s) { int n = 0; for (; *s; s++) n += *s > 32 ? 1 : 4; return n; }\n\
         static int message(const char *s) { int n = quoted(s); if (s[0] == 'x') n = 100 / (s[1] - '7'); return n; }\n\
         int main(void) {\n\
           char s[4]; klee_make_symbolic(s, 4, \"s\"); klee_assume(s[3] == 0);\n\
           if (s[2] == 'o') return 1;\n  if (s[2] == 'p') return message(s);\n  return s[0] == 'a' ? 2 : 3;\n}\n",
    );
    let all = klee(&folder, &[], &program, &[]);
    assert!(all.done("completed paths") > 5, "{}", all.stderr);
    // Outside of it everything is followed; errors are found inside too, on the one way.
    let one = klee(&folder, &["--one-way=message,missing"], &program, &[]);
    assert!(one.stderr.contains("divide by zero"), "{}", one.stderr);
    assert_eq!(one.done("completed paths"), 3, "{}", one.stderr);
    assert!(one.stderr.contains("skipping fork (one way is followed here"), "{}", one.stderr);
    assert!(one.stderr.contains("the program has no function `missing`"), "{}", one.stderr);
}

#[test]
fn an_interrupt_leaves_tests_of_what_was_found() {
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
    let output = folder.path().join("interrupted");
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
    assert_eq!(line, "waiting\n");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(said.contains("ctrl-c detected") && said.contains("generated tests = 2"), "{said}");
    assert!(output.join("test000002.ktest").exists() && output.join("info").exists(), "{said}");
}

const LOOP: &str = "#include <klee/klee.h>\n\
    int main(void) {\n\
      int x = klee_int(\"x\"), sum = 0;\n\
      for (int k = 0; k < 7; k++)\n\
        sum += k;\n\
      if (x > 3)\n\
        sum = 1;\n\
      return sum;\n\
    }\n";

#[test]
fn instructions_are_told_with_their_lines_in_the_assembly_file() {
    let folder = tempfile::tempdir().unwrap();
    let ran = klee(&folder, &["--output-istats"], &source(&folder, LOOP), &[]);
    let read = |name: &str| std::fs::read_to_string(ran.folder.join(name)).unwrap();
    let (assembly, istats) = (read("assembly.ll"), read("run.istats"));
    // Files are called as users call them, and not by a place that differs from run to run.
    let first = assembly.lines().next().unwrap();
    assert!(first.starts_with("; ModuleID = '") && first.ends_with(".c'"), "{first}");
    let assembly: Vec<&str> = assembly.lines().collect();
    assert!(
        istats.contains("\npositions: instr line\nevents: Icov Forks I Iuncov Q Qtime\nob=assembly.ll\n"),
        "{istats}"
    );
    let rows: Vec<Vec<u64>> = istats
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect())
        .collect();
    assert!(rows.iter().all(|row| row.len() == 8), "{istats}");
    // Each of LLVM's instructions is one of ours in this program, so they add up.
    assert_eq!(rows.iter().map(|row| row[4]).sum::<u64>(), ran.done("total instructions"));
    let forks: Vec<&Vec<u64>> = rows.iter().filter(|row| row[3] > 0).collect();
    let [fork] = forks.as_slice() else { panic!("{istats}") };
    let at = |row: &Vec<u64>| assembly[usize::try_from(row[0]).unwrap() - 1].trim();
    assert!(at(fork).starts_with("br i1"), "{}", at(fork));
    assert_eq!((fork[1], fork[2], fork[4]), (6, 1, 2));
    // The sum is added to seven times, before the paths part.
    let adds: Vec<u64> =
        rows.iter().filter(|row| row[1] == 5 && at(row).contains("= add ")).map(|row| row[4]).collect();
    assert_eq!(adds, [7]);
    // Without the option executions are not counted.
    let ran = klee(&folder, &[], &source(&folder, LOOP), &[]);
    let istats = std::fs::read_to_string(ran.folder.join("run.istats")).unwrap();
    assert!(istats.contains("\nevents: Icov Forks Iuncov Q Qtime\n"), "{istats}");
}

#[test]
fn the_condition_of_a_path_is_printed_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <klee/klee.h>\n\
        int main(void) { int x = klee_int(\"x\"); if (x == 7) klee_dump_kquery_var(); return 0; }\n";
    let ran = klee(&folder, &[], &source(&folder, text), &[]);
    let expected =
        "array x[4] : w32 -> w8 = symbolic\n(query [(Eq 7\n             (ReadLSB w32 0 x))]\n       false)\n";
    assert_eq!(ran.stderr.matches("(query ").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn assumptions_that_cannot_hold_end_paths_silently_if_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <klee/klee.h>\n\
        int main(void) { int x = klee_int(\"x\"); if (x > 5) klee_assume(x < 5); return 0; }\n";
    for (options, errors, tests) in [(&[][..], 1, 2), (&["--silent-klee-assume"], 0, 1)] {
        let ran = klee(&folder, options, &source(&folder, text), &[]);
        assert_eq!(ran.stderr.matches("KLEE: ERROR").count(), errors, "{}", ran.stderr);
        assert_eq!((ran.done("completed paths"), ran.done("partially completed paths")), (1, 1));
        assert_eq!(ran.done("generated tests"), tests);
    }
}

#[test]
fn live_states_get_no_tests_if_they_are_not_to_be_dumped() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(&folder, FORKS);
    for (option, tests) in [("--dump-states-on-halt=true", 32), ("--dump-states-on-halt=false", 2)] {
        let ran = klee(&folder, &["--max-tests=2", "--search=bfs", option], &program, &[]);
        assert_eq!(ran.done("generated tests"), tests, "{}", ran.stderr);
        assert_eq!((ran.done("completed paths"), ran.done("partially completed paths")), (2, 30));
    }
}

#[test]
fn the_info_file_counts_questions_as_klees_does() {
    let folder = tempfile::tempdir().unwrap();
    // Vectors of more than 64 bits are left to the solver.
    let sums = "#include <klee/klee.h>\nint main(void) { unsigned long a, b; klee_make_symbolic(&a, 8, \"a\"); \
        klee_make_symbolic(&b, 8, \"b\"); klee_assume(a / 3 < b && b < a); \
        if ((unsigned __int128)a + b == 77) return 1; if (a / 3 < a) return 2; return 0; }\n";
    let ran = klee(&folder, &[], &source(&folder, sums), &[]);
    let info = std::fs::read_to_string(ran.folder.join("info")).unwrap();
    let number = |what: &str| -> u64 {
        let start = format!("KLEE: done: {what} = ");
        let line = info.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("no `{what}` in {info}")).parse().unwrap()
    };
    assert_eq!(number("explored paths"), ran.done("completed paths") + ran.done("partially completed paths"));
    assert_eq!(number("valid queries") + number("invalid queries"), number("solver queries"));
    assert!(number("invalid queries") > 0 && number("avg. constructs per query") > 0, "{info}");
    assert!(
        number("query cex") <= number("solver queries")
            && number("solver queries") <= number("total queries")
    );
    // Of a branch both sides are asked for; a test costs nothing.
    let byte = "#include <klee/klee.h>\nint main(void) { unsigned char x; klee_make_symbolic(&x, 1, \"x\"); \
        if (x == 10) return 1; return 0; }\n";
    let ran = klee(&folder, &[], &source(&folder, byte), &[]);
    let info = std::fs::read_to_string(ran.folder.join("info")).unwrap();
    assert!(info.contains("KLEE: done: total queries = 2\n") && ran.done("generated tests") == 2, "{info}");
}

#[test]
fn destructors_run_behind_registered_functions() {
    let folder = tempfile::tempdir().unwrap();
    // Of equal priority the last comes first, a greater number before a smaller one.
    let text = "int puts(const char *); int atexit(void (*)(void)); void exit(int); void _exit(int);\n\
        __attribute__((destructor(101))) static void last(void) { puts(\"last\"); }\n\
        __attribute__((destructor(200))) static void late(void) { puts(\"late\"); }\n\
        __attribute__((destructor)) static void second(void) { puts(\"second\"); }\n\
        __attribute__((destructor)) static void first(void) { puts(\"first\"); }\n\
        static void registered(void) { puts(\"registered\"); }\n\
        __attribute__((constructor)) static void before(void) { puts(\"before\"); }\n";
    let all = "registered\nfirst\nsecond\nlate\nlast\n";
    for (body, expected) in [
        ("atexit(registered); return 0;", format!("before\n{all}")),
        ("atexit(registered); exit(1);", format!("before\n{all}")),
        ("return 0;", format!("before\n{}", &all["registered\n".len()..])),
        ("atexit(registered); _exit(0);", "before\n".to_owned()),
    ] {
        let program = source(&folder, &format!("{text}int main(void) {{ {body} }}\n"));
        let ran = klee(&folder, &[], &program, &[]);
        assert_eq!(ran.stdout, expected, "{body}: {}", ran.stderr);
    }
    // A program that lacks nothing of the runtime otherwise.
    let program = source(
        &folder,
        "__attribute__((destructor)) static void end(void) { *(volatile int *)0 = 1; }\nint main(void) { return 0; }\n",
    );
    let ran = klee(&folder, &[], &program, &[]);
    assert!(ran.stderr.contains("null page access"), "{}", ran.stderr);
}

#[test]
fn a_program_may_come_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    for program in [&["-"][..], &[]] {
        let output = folder.path().join(format!("out-{}", program.len()));
        let text = "define i32 @main() {\n  ret i32 0\n}\n";
        let mut child = Command::new(env!("CARGO_BIN_EXE_symexec"))
            .arg("klee")
            .arg(format!("--output-dir={}", output.display()))
            .args(program)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success() && said.contains("completed paths = 1"), "{said}");
    }
}

#[test]
fn errors_of_a_type_end_the_run_with_zero_and_stacks_have_lines_of_the_assembly() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <klee/klee.h>\nvoid foo(int i, int k) { klee_assert(0 && k); }\n\
                int main(void) { int i; klee_make_symbolic(&i, 4, \"i\"); foo(i, 12); }";
    let file = source(&folder, text);
    let ran = klee(&folder, &["--exit-on-error-type=Assert"], &file, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let error = std::fs::read_to_string(ran.folder.join("test000001.assert.err")).unwrap();
    let stack: Vec<&str> = error.lines().filter(|line| line.starts_with("\t#")).collect();
    assert_eq!(stack.len(), 2, "{error}");
    assert!(stack[0].starts_with("\t#00000") && stack[0].contains(" in foo("), "{error}");
    assert!(
        error.contains("assembly.ll line: ") && error.contains("symbolic, ") && error.contains("12) at "),
        "{error}"
    );
    assert_eq!(klee(&folder, &["--exit-on-error"], &file, &[]).code, 1);
}

#[test]
fn any_function_may_be_the_entry_and_abs_of_the_least_number_is_poison() {
    let folder = tempfile::tempdir().unwrap();
    let file = source(
        &folder,
        "int start(long count, char **words, char **more) { return count + (words[0] == 0); }",
    );
    let ran = klee(&folder, &["--entry-point=start"], &file, &[]);
    assert_eq!(ran.done("completed paths"), 1, "{}", ran.stderr);
    let text = "declare i32 @llvm.abs.i32(i32, i1)\ndefine i32 @main() {\n  %a = call i32 @llvm.abs.i32(i32 -2147483648, i1 true)\n  ret i32 %a\n}\n";
    let file = folder.path().join("abs.ll");
    std::fs::write(&file, text).unwrap();
    let ran = klee(&folder, &[], &file, &[]);
    assert!(ran.stderr.contains("llvm.abs called with poison and INT_MIN"), "{}", ran.stderr);
    std::fs::write(&file, text.replace("i1 true", "i1 false")).unwrap();
    assert_eq!(klee(&folder, &["--query-cache", "none"], &file, &[]).done("completed paths"), 1);
}

#[test]
fn the_environment_is_the_process_s_own_or_a_file_s() {
    let folder = tempfile::tempdir().unwrap();
    let file = source(
        &folder,
        "#include <klee/klee.h>\n#include <stdlib.h>\n#include <string.h>\n\
         int main(int c, char **v, char **e) { const char *x = getenv(\"COLOUR\"); klee_assert(x && !strcmp(x, \"red\") && e[0]); }",
    );
    let variables = folder.path().join("env");
    std::fs::write(&variables, "COLOUR=red\nSIZE=3\n").unwrap();
    let given = format!("--env-file={}", variables.display());
    assert_eq!(klee(&folder, &[&given], &file, &[]).done("completed paths"), 1);
    assert_eq!(klee(&folder, &[], &file, &[]).done("completed paths"), 0);
}

/// What KLEE's option asks for is how pointers are always looked up: no other object makes a path.
#[test]
fn an_unknown_index_leads_into_one_object() {
    let folder = tempfile::tempdir().unwrap();
    let file = source(
        &folder,
        "#include <klee/klee.h>\nint a[10], b[10], c[10];\n\
         int main(void) { unsigned i; klee_make_symbolic(&i, 4, \"i\"); b[i] = 1; return 0; }",
    );
    let ran = klee(&folder, &["--single-object-resolution", "--libcxx"], &file, &[]);
    assert!(!ran.stderr.contains("has no effect"), "{}", ran.stderr);
    assert!(ran.stderr.contains("out of bound pointer"), "{}", ran.stderr);
    assert_eq!((ran.done("completed paths"), ran.done("partially completed paths")), (1, 1));
}
