//! `symexec testcomp`: suites for programs of Test-Comp's kinds, judged by what the tests do natively.
//!
//! The programs are compiled by gcc with a harness that reads a test's values from its standard input, and run on every
//! test of a suite; gcov then tells how many sides of branches were taken. Nothing of the engine has a part in that.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a program gives for unknown values: the next line of its standard input. It ends as the validator of the
/// competition does where there is none.
const HARNESS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static double next(void) {
  char line[400];
  if (!fgets(line, sizeof line, stdin)) exit(1);
  return strtod(line, 0);
}
static unsigned long long whole(void) {
  char line[400];
  if (!fgets(line, sizeof line, stdin)) exit(1);
  return line[0] == '-' ? (unsigned long long)strtoll(line, 0, 10) : strtoull(line, 0, 10);
}
int __VERIFIER_nondet_int(void) { return (int)whole(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)whole(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)whole(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)whole(); }
char __VERIFIER_nondet_char(void) { return (char)whole(); }
_Bool __VERIFIER_nondet_bool(void) { return (_Bool)whole(); }
float __VERIFIER_nondet_float(void) { return (float)next(); }
double __VERIFIER_nondet_double(void) { return next(); }
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) { exit(77); }
void abort(void) { exit(3); }
"#;

const BRANCHES: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n";
const ERROR: &str = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n";

/// How the harness says that the call was reached.
const REACHED: i32 = 77;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/testcomp")
}

/// Makes a suite; gives the values of its tests, a line for each value.
fn suite(folder: &Path, name: &str, property: &str, program: &Path) -> Vec<String> {
    suite_by(1, folder, name, property, program)
}

/// The same with several processes.
fn suite_by(jobs: u32, folder: &Path, name: &str, property: &str, program: &Path) -> Vec<String> {
    let file = folder.join(format!("{name}.prp"));
    std::fs::write(&file, property).expect("the folder is ours");
    let suite = folder.join(name);
    // The others end, however long that takes.
    let seconds = if program.ends_with("endless.c") { "5" } else { "300" };
    let output = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .args(["testcomp", "--max-time", seconds, "--jobs", &jobs.to_string(), "--property"])
        .arg(&file)
        .arg("--output-dir")
        .arg(&suite)
        .arg(program)
        .env("SOURCE_DATE_EPOCH", "951827696")
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata = std::fs::read_to_string(suite.join("metadata.xml")).expect("it is written");
    assert!(metadata.contains("<creationtime>2000-02-29T12:34:56Z</creationtime>"), "{metadata}");
    assert!(metadata.contains(property.trim()), "{metadata}");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&suite)
        .expect("it is a folder")
        .map(|entry| entry.expect("it is there").path())
        .filter(|path| path.extension().is_some_and(|it| it == "xml") && !path.ends_with("metadata.xml"))
        .collect();
    files.sort();
    files.iter().map(|file| values(&std::fs::read_to_string(file).expect("it is written"))).collect()
}

/// The values of a test, a line each.
fn values(test: &str) -> String {
    let value = |line: &str| {
        Some(line.trim().strip_prefix("<input ")?.split_once('>')?.1.split_once('<')?.0.to_owned())
    };
    test.lines().filter_map(value).map(|value| value + "\n").collect()
}

/// Runs tests natively; the exit codes, and the sides of branches that were taken, of all.
fn run(folder: &Path, program: &Path, tests: &[String]) -> (Vec<i32>, String) {
    let harness = folder.join("harness.c");
    std::fs::write(&harness, HARNESS).expect("the folder is ours");
    let copy = folder.join("program.c");
    std::fs::copy(program, &copy).expect("the folder is ours");
    // Measured is the program alone.
    for (file, flags) in [("program", &["--coverage"][..]), ("harness", &[])] {
        let compiled = Command::new("gcc")
            .current_dir(folder)
            .args(["-std=gnu11", "-w", "-O0", "-fno-builtin", "-c", &format!("{file}.c")])
            .args(flags)
            .status();
        assert!(compiled.expect("gcc is there").success());
    }
    let linked = Command::new("gcc")
        .current_dir(folder)
        .args(["--coverage", "-o", "tested", "program.o", "harness.o"])
        .status();
    assert!(linked.expect("gcc is there").success());
    let mut codes = Vec::new();
    for (number, test) in tests.iter().enumerate() {
        let input = folder.join(format!("input{number}"));
        std::fs::write(&input, test).expect("the folder is ours");
        let ended = Command::new("./tested")
            .current_dir(folder)
            .stdin(std::fs::File::open(&input).expect("it was written"))
            .stdout(Stdio::null())
            .status();
        codes.push(ended.expect("it starts").code().expect("it ends by itself"));
    }
    let told = Command::new("gcov")
        .current_dir(folder)
        .args(["-b", "-c", "program"])
        .output()
        .expect("gcov is there");
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let taken = told.lines().find_map(|line| line.strip_prefix("Taken at least once:"));
    (codes, taken.unwrap_or("nothing").to_owned())
}

/// Holds a line of what is expected of each program against what a look at it gives.
fn of_every_program(look: impl Fn(&Path) -> String) {
    let mut programs: Vec<PathBuf> = std::fs::read_dir(fixtures())
        .expect("it is a folder")
        .map(|entry| entry.expect("it is there").path())
        .filter(|path| path.extension().is_some_and(|it| it == "c"))
        .collect();
    programs.sort();
    assert!(programs.len() >= 30);
    let mut differences = String::new();
    for program in programs {
        let seen = look(&program);
        let what = seen.split(':').next().unwrap_or_default();
        let expected = std::fs::read_to_string(program.with_extension("expected")).unwrap_or_default();
        let expected = expected.lines().find(|line| line.split(':').next() == Some(what));
        if Some(seen.as_str()) != expected {
            writeln!(differences, "{}: {seen} instead of {expected:?}", program.display())
                .expect("it is a string");
        }
    }
    assert_eq!(differences, "");
}

#[test]
fn suites_take_every_side_that_can_be_taken() {
    of_every_program(|program| {
        let folder = tempfile::tempdir().expect("a folder");
        let tests = suite(folder.path(), "branches", BRANCHES, program);
        format!("branches taken: {}", run(folder.path(), program, &tests).1)
    });
}

#[test]
fn suites_reach_the_error_with_one_test() {
    of_every_program(|program| {
        let folder = tempfile::tempdir().expect("a folder");
        let tests = suite(folder.path(), "error", ERROR, program);
        assert_eq!(tests.len(), 1, "{}: the suite for the call has other tests too", program.display());
        format!("call reached: {}", run(folder.path(), program, &tests).0 == [REACHED])
    });
}

#[test]
fn suites_of_several_processes_cover_what_those_of_one_do() {
    for name in ["eca.c", "scheduler.c", "recursive.c"] {
        let program = &fixtures().join(name);
        let taken = |jobs: u32, property: &str| {
            let folder = tempfile::tempdir().expect("a folder");
            let tests = suite_by(jobs, folder.path(), "suite", property, program);
            run(folder.path(), program, &tests)
        };
        let percent = |(_, taken): (_, String)| taken.split('%').next().and_then(|it| it.parse::<f64>().ok());
        // What is no decision is covered by luck, so it may be more.
        let (one, two) = (percent(taken(1, BRANCHES)), percent(taken(2, BRANCHES)));
        assert!(one.is_some() && one <= two, "{}: {one:?} and {two:?}", program.display());
        assert_eq!(taken(2, ERROR).0, [REACHED], "{}", program.display());
    }
}

#[test]
fn values_of_all_widths_of_the_competition_are_told_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("wide.c");
    let text = "extern __int128 __VERIFIER_nondet_int128(void);\n\
        extern unsigned __int128 __VERIFIER_nondet_uint128(void);\n\
        extern unsigned long __VERIFIER_nondet_U64(void);\nextern unsigned short __VERIFIER_nondet_U16(void);\n\
        void reach_error(void) {}\n\
        int main(void) {\n\
          if (__VERIFIER_nondet_int128() == -((__int128)1 << 100) && __VERIFIER_nondet_U16() == 65535\n\
              && __VERIFIER_nondet_uint128() == (unsigned __int128)3 << 126 && __VERIFIER_nondet_U64() == -1ul)\n\
            reach_error();\n\
          return 0;\n}\n";
    std::fs::write(&program, text).expect("the folder is ours");
    assert_eq!(
        suite(folder.path(), "error", ERROR, &program),
        ["-1267650600228229401496703205376\n65535\n255211775190703847597530955573826158592\n\
             18446744073709551615\n"]
    );
}

/// Most of the competition's programs went through a preprocessor, and many are older than what compilers accept today.
#[test]
fn preprocessed_and_old_programs_are_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("old.i");
    let text = "# 1 \"old.c\"\nextern int __VERIFIER_nondet_int();\nvoid reach_error() {}\n\
        main(argc, argv) int argc; char **argv; {\n  int x = __VERIFIER_nondet_int();\n\
        if (x == 3) reach_error();\n  if (x == 4) undeclared(x);\n  return 0;\n}\n";
    std::fs::write(&program, text).expect("the folder is ours");
    assert_eq!(suite(folder.path(), "error", ERROR, &program), ["3\n"]);
    let tests = suite(folder.path(), "branches", BRANCHES, &program);
    // The call of what nobody defines ends its path, which is a test as well.
    assert!(["3\n", "4\n"].iter().all(|test| tests.contains(&(*test).to_owned())), "{tests:?}");
}

#[test]
fn what_is_no_property_and_no_data_model_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = fixtures().join("arrays.c");
    let run = |property: &str, model: &str| {
        let file = folder.path().join("p.prp");
        std::fs::write(&file, property).expect("the folder is ours");
        let output = Command::new(env!("CARGO_BIN_EXE_symexec"))
            .args(["testcomp", "--data-model", model, "--output-dir", "suite", "--property"])
            .arg(&file)
            .arg(&program)
            .current_dir(folder.path())
            .output()
            .expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = run("CHECK( init(main()), LTL(G ! call(reach_error())) )", "LP64");
    assert!(code == Some(2) && said.contains("@DECISIONEDGE"), "{said}");
    let (code, said) = run(BRANCHES, "ILP32");
    assert!(code == Some(2) && said.contains("LP64"), "{said}");
    assert!(!folder.path().join("suite").exists());
}

#[test]
fn klee_s_option_writes_inputs_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("p.c");
    let text = "#include <klee/klee.h>\nint main(void) {\n  short number;\n  \
        klee_make_symbolic(&number, sizeof number, \"a<b\");\n  if (number == -2) return 1;\n  return 0;\n}\n";
    std::fs::write(&program, text).expect("the folder is ours");
    let output = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .args(["klee", "--write-xml-tests", "--xml-metadata-programhash=12ab", "--output-dir=out", "p.c"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read =
        |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).expect("it is written");
    let metadata = read("metadata.xml");
    assert!(metadata.contains("<programfile>p.c<") && metadata.contains("<programhash>12ab<"), "{metadata}");
    let mut tests = [read("test000001.xml"), read("test000002.xml")];
    tests.sort();
    let told = "<input variable=\"a&lt;b\" type=\"short\">";
    assert!(tests.iter().all(|test| test.contains(told)), "{tests:?}");
    assert!(tests.iter().any(|test| test.contains(">-2<")), "{tests:?}");
}
