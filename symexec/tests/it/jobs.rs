//! Several processes, or several machines, explore what one process does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use symexec::testcase::KTest;
use tempfile::TempDir;

use crate::program::{Ran, explore, explore_files, fixture, install};

/// Some hundred paths with errors at places that many of them reach, a table that is read at unknown places, and
/// branches that only some paths have.
const TREE: &str = r#"
void *calloc(unsigned long, unsigned long);
void klee_make_symbolic(void *, unsigned long, const char *);
void klee_warning_once(const char *);
void klee_warning(const char *);
int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int main(void) {
    unsigned char x[7];
    unsigned sum = 0, *cells[3];
    klee_make_symbolic(x, sizeof x, "x");
    for (int i = 0; i < 3; i++) cells[i] = calloc(4 + i, sizeof(unsigned));
    for (int i = 0; i < 7; i++) {
        if (x[i] > 99 + i) {
            sum += i;
            cells[i % 3][sum & 3] += x[i];
        } else if (i == 3) {
            klee_warning_once("three");
        }
    }
    if (x[2] == 77) {
        unsigned *cell = cells[x[1] % 3];
        cell[x[4]] = 1;
        if (table[x[5] & 7] == 1) klee_warning("one");
    }
    if (x[6] == 5 && sum == 9) return 7 / (x[0] - 7);
    return 0;
}
"#;

fn tree(folder: &TempDir) -> PathBuf {
    let file = folder.path().join("tree.c");
    fs::write(&file, TREE).unwrap();
    file
}

/// Everything in an output folder that does not say how long something took, by name.
pub(crate) fn written(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("test") || name == "coverage.info" {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
    let mut lines = |name: &str, keep: &str| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let mut kept: Vec<&str> = text.lines().filter(|line| line.contains(keep)).collect();
        if name == "warnings.txt" {
            // Each once: who warns first is a matter of time.
            kept.sort_unstable();
            kept.dedup();
        }
        files.insert(name.to_owned(), kept.join("\n").into_bytes());
    };
    lines("messages.txt", "ERROR");
    lines("warnings.txt", "WARNING");
    lines("info", "paths = ");
    files
}

/// Demands equal files, and names those that are not.
pub(crate) fn same(expected: &BTreeMap<String, Vec<u8>>, found: &BTreeMap<String, Vec<u8>>, what: &str) {
    let names = expected.keys().chain(found.keys());
    let differ: BTreeSet<&String> = names.filter(|name| expected.get(*name) != found.get(*name)).collect();
    assert!(differ.is_empty(), "{what}: {differ:?}");
}

/// What is counted once however many processes there are.
pub(crate) fn counted(ran: &Ran) -> Vec<u64> {
    ["instructions", "paths", "completed", "partial", "errors", "tests", "forks", "covered_instructions"]
        .map(|name| ran.result(name))
        .to_vec()
}

pub(crate) fn options<'a>(model: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--memory-model", model, "--allocation", "per-state"], more].concat()
}

#[test]
fn the_folder_of_several_processes_is_that_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut programs: Vec<PathBuf> =
        ["matrix-4-3.ll", "markers.ll", "errors.ll", "layout.ll"].into_iter().map(fixture).collect();
    programs.push(tree(&folder));
    for program in programs {
        for model in ["forking", "segmented"] {
            let files = [program.clone()];
            let one = explore_files(&folder, &files, &options(model, &[]));
            for jobs in ["2", "3"] {
                let ran = explore_files(&folder, &files, &options(model, &["--jobs", jobs]));
                assert_eq!(one.code, ran.code, "{program:?} {jobs}: {}", ran.stderr);
                same(&written(&one.folder), &written(&ran.folder), &format!("{program:?} {model} {jobs}"));
                assert_eq!(counted(&one), counted(&ran), "{program:?} {model} {jobs}");
            }
        }
    }
}

/// The bytes of all tests in a folder, in their order.
fn found(folder: &Path) -> Vec<Vec<u8>> {
    let mut tests: Vec<Vec<u8>> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "ktest"))
        .map(|path| {
            let test = KTest::from_bytes(&fs::read(path).unwrap()).unwrap();
            test.objects.into_iter().flat_map(|(_, bytes)| bytes).collect()
        })
        .collect();
    tests.sort();
    tests
}

/// Shows numbers that a path determines and such that it does not, and asks about both afterwards.
const SHOWN: &str = r#"
#include <klee/klee.h>
#include <stdio.h>
int main(void) {
    unsigned char x[5], open;
    unsigned sum = 0;
    klee_make_symbolic(x, sizeof x, "x");
    klee_make_symbolic(&open, sizeof open, "open");
    for (int i = 0; i < 5; i++) {
        if (x[i] > i && x[i] < i + 2) {
            printf("%d of %d\n", i, x[i]);
            if (x[i] == i + 1) sum += i;
        } else if (x[i] > 100) {
            sum += x[i] & 1;
        }
        if (i == 1) printf("open %d\n", open);
    }
    if (open > 9 && sum == 7) return 1;
    return 7 / (x[0] - 7);
}
"#;

#[test]
fn numbers_that_a_path_determines_are_shown_whoever_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("shown.c");
    fs::write(&program, SHOWN).unwrap();
    let [one, two] = ["1", "2"].map(|jobs| {
        let output = folder.path().join(jobs);
        let mut command = Command::new(env!("CARGO_BIN_EXE_symexec"));
        let command =
            command.args(["klee", "--emit-all-errors", "--jobs", jobs, "--output-dir"]).arg(&output);
        let ran = command.arg(&program).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success() && !said.contains("is lost"), "{jobs}: {said}");
        let mut shown: Vec<String> =
            String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect();
        shown.sort();
        (found(&output), shown)
    });
    assert!(one.0.len() > 200, "{}", one.0.len());
    assert_eq!(one, two);
    assert!(one.1.iter().any(|line| line == "3 of 4"), "{:?}", one.1);
}

#[test]
fn klees_command_line_takes_several_processes_and_leaves_what_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let program = tree(&folder);
    let programs = Path::new(env!("CARGO_BIN_EXE_symexec")).parent().unwrap();
    let links = tempfile::tempdir().unwrap();
    for name in ["symexec-reader", "symexec-solver"] {
        std::os::unix::fs::symlink(programs.join(name), links.path().join(name)).unwrap();
    }
    let link = links.path().join("klee");
    install(env!("CARGO_BIN_EXE_symexec").as_ref(), &link);
    let explored = |name: &str, command: &mut Command| {
        let output = folder.path().join(name);
        let ran = command.arg("--output-dir").arg(&output).arg("--emit-all-errors").arg(&program).output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        output
    };
    let own = || Command::new(env!("CARGO_BIN_EXE_symexec"));
    let one = explored("one", own().arg("klee"));
    let two = explored("two", own().args(["klee", "--jobs=2"]));
    let named = explored("named", Command::new(&link).args(["-jobs", "3"]));
    // What is found is the same; in which order one process finds it is a matter of its search.
    assert!(found(&one).len() > 100);
    assert_eq!(found(&one), found(&two));
    assert_eq!(found(&one), found(&named));
    let names = |folder: &Path| written(folder).into_keys().collect::<Vec<_>>();
    assert_eq!(names(&two), names(&named));
    for bad in ["--jobs=0", "--jobs=many"] {
        let ran = own().args(["klee", bad]).arg(&program).output().unwrap();
        assert_eq!(ran.status.code(), Some(1), "{bad}");
    }
}

#[test]
fn what_else_a_path_is_asked_for_does_not_depend_on_who_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let files = [tree(&folder)];
    let all = ["--emit-all-errors", "--write-smt2s", "--write-paths", "--write-sym-paths"];
    let one = explore_files(&folder, &files, &options("forking", &all));
    let ran = explore_files(&folder, &files, &options("forking", &[&all[..], &["--jobs", "3"]].concat()));
    same(&written(&one.folder), &written(&ran.folder), "more files");
    // The order of the search is no matter, if all errors are told.
    for search in ["bfs", "random-path", "nurs:covnew,random-state"] {
        let more = ["--emit-all-errors", "--search", search, "--jobs", "2"];
        let ran = explore_files(&folder, &files, &options("forking", &more));
        assert_eq!((one.inputs(), one.errors()), (ran.inputs(), ran.errors()), "{search}");
    }
    let seed = one.folder.join("test000040.ktest").display().to_string();
    let seeds = ["--seed-tests", &seed];
    let one = explore_files(&folder, &files, &options("forking", &[&seeds[..], &all[..1]].concat()));
    let ran = explore_files(
        &folder,
        &files,
        &options("forking", &[&seeds[..], &all[..1], &["--jobs", "2"]].concat()),
    );
    assert_eq!((one.inputs(), one.errors()), (ran.inputs(), ran.errors()));
}

/// Runs all shards of a program and puts them together.
pub(crate) fn merged(folder: &TempDir, program: &Path, arguments: &[&str], count: u32, name: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symexec"));
    let output = folder.path().join(name);
    let stats = folder.path().join(format!("{name}.json"));
    command.arg("merge").arg(&output).arg("--stats").arg(&stats);
    // In any order.
    for number in (1..=count).rev() {
        let shard = format!("{number}/{count}");
        let ran =
            explore_files(folder, &[program.to_path_buf()], &[&["--shard", &shard][..], arguments].concat());
        assert!(ran.code < 2, "{}", ran.stderr);
        command.arg(&ran.folder);
    }
    let result = command.output().unwrap();
    Ran {
        stdout: String::new(),
        code: result.status.code().unwrap_or(-1),
        stderr: String::from_utf8_lossy(&result.stderr).into_owned(),
        folder: output,
        report: Some(serde_json::from_slice(&fs::read(&stats).unwrap()).unwrap()),
    }
}

#[test]
fn shards_that_are_merged_are_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    for (name, program) in [("tree", tree(&folder)), ("errors", fixture("errors.ll"))] {
        for model in ["forking", "segmented"] {
            let one = explore_files(&folder, std::slice::from_ref(&program), &options(model, &[]));
            for (count, more) in [(1, &[][..]), (2, &[]), (3, &[]), (2, &["--jobs", "2"])] {
                let out = format!("{name}-{model}-{count}-{}", more.len());
                let ran = merged(&folder, &program, &options(model, more), count, &out);
                assert_eq!(one.code, ran.code, "{out}: {}", ran.stderr);
                same(&written(&one.folder), &written(&ran.folder), &out);
                assert_eq!(counted(&one), counted(&ran), "{out}");
            }
        }
    }
}

#[test]
fn only_the_shards_of_one_run_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let shard = |program: &str, shard: &str, more: &[&str]| {
        explore(&folder, program, &[&["--shard", shard][..], more].concat()).folder
    };
    let one = shard("errors.ll", "1/3", &[]);
    let two = shard("errors.ll", "2/3", &[]);
    let whole = explore(&folder, "errors.ll", &[]).folder;
    let refused = |shards: &[&Path], why: &str| {
        let out = folder.path().join("merged");
        let result =
            Command::new(env!("CARGO_BIN_EXE_symexec")).arg("merge").arg(&out).args(shards).output().unwrap();
        let said = String::from_utf8_lossy(&result.stderr).into_owned();
        assert_eq!(result.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
        assert!(!out.exists());
    };
    refused(&[&one, &two], "shard 3/3 is missing");
    refused(&[&one, &two, &two], "the same shard");
    refused(&[&one, &two, &shard("markers.ll", "3/3", &[])], "their programs differ");
    refused(&[&one, &two, &shard("errors.ll", "2/2", &[])], "shares of different sizes");
    refused(&[&one, &two, &shard("errors.ll", "3/3", &["--max-depth", "3"])], "different options");
    refused(&[&one, &two, &whole], "no output folder of `symexec run --shard`");
    fs::write(one.join("shard.bin"), "nonsense").unwrap();
    refused(&[&one], "damaged or of another version");
}

#[test]
fn what_cannot_be_explored_in_parts_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, why) in [
        (&["--jobs", "2", "--allocation", "shared"][..], "exclude one another"),
        (&["--shard", "3/2"], "give I/N"),
        (&["--shard", "0/2"], "give I/N"),
        (&["--jobs", "0"], "0"),
        (&["--jobs", "2", "--entry-point", "nobody"], "has no function `nobody`"),
    ] {
        let ran = explore(&folder, "errors.ll", arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{arguments:?}: {}", ran.stderr);
    }
}

/// More paths than any test has time for.
const ENDLESS: &str = r#"
void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    unsigned char x[64];
    unsigned sum = 0;
    klee_make_symbolic(x, sizeof x, "x");
    for (int i = 0; i < 64; i++) if (x[i] > 99 + i) sum += i;
    return sum;
}
"#;

#[test]
fn limits_and_interrupts_end_all_workers_and_leave_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("endless.c");
    fs::write(&file, ENDLESS).unwrap();
    let ran = explore_files(&folder, std::slice::from_ref(&file), &["--jobs", "2", "--max-tests", "20"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.tests().len() >= 20 && ran.result("tests") as usize == ran.tests().len());
    let ran = explore_files(&folder, std::slice::from_ref(&file), &["--jobs", "2", "--max-time", "2"]);
    assert_eq!(ran.report.as_ref().unwrap().result["stopped"], "the time limit was reached");
    assert!(!ran.tests().is_empty() && ran.folder.join("info").exists());

    let out = folder.path().join("interrupted");
    let mut child = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .args(["run", "--no-enumeration", "--jobs", "2", "--output-dir"])
        .args([&out, &file])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while workers(child.id()).len() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "the run ended by itself");
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(out.join("info").exists() && out.join("coverage.info").exists());
    // What was being explored has tests of how far it came.
    let early = fs::read_dir(&out)
        .unwrap()
        .any(|entry| entry.unwrap().path().extension().is_some_and(|extension| extension == "early"));
    assert!(early);
}

/// The worker processes of a run that explore something: those with a solver.
fn workers(of: u32) -> Vec<u32> {
    children(of).into_iter().filter(|worker| !children(*worker).is_empty()).collect()
}

fn children(of: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{of}/task")) else { return Vec::new() };
    let texts =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    texts.flat_map(|text| text.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<_>>()).collect()
}

#[test]
fn what_a_worker_that_died_explored_is_explored_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = tree(&folder);
    let more = ["--no-enumeration", "--query-cache", "none"];
    let one = explore_files(&folder, std::slice::from_ref(&file), &options("forking", &more));
    let out = folder.path().join("killed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .args(["run", "--jobs", "2", "--output-dir"])
        .args([&out, &file])
        .args(more)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Both have something to explore; one of them is killed.
    let victim = loop {
        if let [one, _] = workers(child.id())[..] {
            break one.to_string();
        }
        assert!(child.try_wait().unwrap().is_none(), "the run ended before both workers had something to do");
        std::thread::yield_now();
    };
    assert!(Command::new("kill").args(["-KILL", &victim]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let warnings = fs::read_to_string(out.join("warnings.txt")).unwrap();
    assert!(warnings.contains("what it explored is explored again"), "{warnings}");
    let mut files = written(&out);
    let mut expected = written(&one.folder);
    for all in [&mut files, &mut expected] {
        all.remove("warnings.txt");
    }
    same(&expected, &files, "killed");
}
