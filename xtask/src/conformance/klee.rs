//! `cargo xtask conformance klee DIR`: tests in the format of LLVM's lit, as KLEE's are, with `symexec klee`
//! in KLEE's place.
//!
//! A test is a file with `RUN:` lines, each a shell command; it passes if all of them succeed. What its
//! placeholders stand for is said by `substituted`. Tests that need what is not there (`REQUIRES:`) are left
//! out. `conformance-klee.txt` says how many must pass, and which cannot and why.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::{root, runs};
use crate::workers::side_by_side;

/// How many tests must pass, and the tests that cannot agree.
const EXPECTED: &str = "xtask/conformance-klee.txt";

/// Seconds that one test may take.
const PATIENCE: &str = "120";

/// What a test may require, where it is there.
const FEATURES: [&str; 4] = ["x86_64", "z3", "linux", "target-x86"];

/// LLVM's programs as tests call them.
const LLVM: [&str; 8] = ["FileCheck", "not", "llvm-as", "llvm-link", "llvm-ar", "llvm-nm", "lli", "opt"];

/// How a test ended.
enum Ended {
    Passed,
    LeftOut,
    Failed(String),
}

/// The house's own tests of this kind.
const OWN: &str = "fixtures/klee";

/// Runs the tests of a folder; fails unless as many pass as are expected.
pub(crate) fn run(programs: &Programs, folder: &Path) -> Result<(), Error> {
    let file = root().join(EXPECTED);
    let text = fs::read_to_string(&file).map_err(Error::reading(&file))?;
    let lines = || text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let floor = lines().next().and_then(|line| line.trim().parse::<usize>().ok());
    let Some(floor) = floor else { return Err(Error::Findings(format!("{EXPECTED} holds no number"))) };
    let excused: Vec<&str> =
        lines().skip(1).filter_map(|line| line.split(':').next()).map(str::trim).collect();
    match run_all(programs, folder, &excused)? {
        Some((passed, _)) if passed < floor => {
            Err(Error::Findings(format!("{passed} tests pass; {EXPECTED} demands {floor}")))
        }
        _ => Ok(()),
    }
}

/// Runs the house's own tests, all of which must pass.
pub(crate) fn run_own(programs: &Programs) -> Result<(), Error> {
    match run_all(programs, &root().join(OWN), &[])? {
        Some((_, failed)) if failed > 0 => Err(Error::Findings(format!("{failed} tests of {OWN} fail"))),
        _ => Ok(()),
    }
}

/// Runs all tests of a folder and tells those that fail; how many passed and failed, if they can be run.
fn run_all(programs: &Programs, folder: &Path, excused: &[&str]) -> Result<Option<(usize, usize)>, Error> {
    if !runs("FileCheck-19") {
        println!("   FileCheck-19 is not there (Debian: apt-get install llvm-19-tools); nothing was run");
        return Ok(None);
    }
    let scratch = Scratch::new()?;
    let bin = scratch.path().join("bin");
    fs::create_dir_all(&bin).map_err(Error::writing(&bin))?;
    for name in LLVM {
        let link = bin.join(name);
        std::os::unix::fs::symlink(format!("/usr/lib/llvm-19/bin/{name}"), &link)
            .map_err(Error::writing(&link))?;
    }
    // Each test runs in a folder of its own.
    let folder = &fs::canonicalize(folder).map_err(Error::reading(folder))?;
    let mut tests = Vec::new();
    find(folder, &mut tests)?;
    tests.sort();
    let places: Vec<(usize, PathBuf)> = tests.into_iter().enumerate().collect();
    let ended = side_by_side(&places, |(place, test)| one(test, *place, programs, &scratch));
    let (mut passed, mut failed, mut left_out) = (0, 0, 0);
    for ((_, test), outcome) in places.iter().zip(ended) {
        let name = test.strip_prefix(folder).unwrap_or(test).display().to_string();
        match outcome {
            Ended::Passed => passed += 1,
            Ended::LeftOut => left_out += 1,
            Ended::Failed(detail) => {
                failed += 1;
                let known = if excused.contains(&name.as_str()) { ", as expected" } else { "" };
                println!("FAILED{known}: {name}");
                if known.is_empty() {
                    let lines: Vec<&str> = detail.lines().collect();
                    for line in lines.iter().skip(lines.len().saturating_sub(12)) {
                        println!("    {line}");
                    }
                }
            }
        }
    }
    println!("{passed} passed, {failed} failed, {left_out} left out");
    Ok(Some((passed, failed)))
}

/// The tests of a folder: files that may have `RUN:` lines.
fn find(folder: &Path, tests: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "Inputs") {
                find(&path, tests)?;
            }
        } else if path
            .extension()
            .is_some_and(|ending| ["c", "ll", "cpp", "test"].iter().any(|one| ending == *one))
        {
            tests.push(path);
        }
    }
    Ok(())
}

/// The texts behind a mark, one for each line that has it; lines that end with a backslash go on.
fn behind(text: &str, mark: &str) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), String::new());
    for line in text.lines() {
        let Some((_, rest)) = line.split_once(mark) else { continue };
        match rest.trim().strip_suffix('\\') {
            Some(more) => open.push_str(&format!("{more} ")),
            None => {
                found.push(std::mem::take(&mut open) + rest.trim());
            }
        }
    }
    found
}

/// Whether a test's requirement holds: names with `!`, `&&`, `||`, and commas for `&&`.
fn holds(requirement: &str) -> bool {
    let has = |name: &str| FEATURES.contains(&name) || is_at_most_19(name);
    let atom = |text: &str| match text.trim().strip_prefix('!') {
        Some(name) => !has(name.trim()),
        None => has(text.trim()),
    };
    requirement.split("||").any(|one| one.split("&&").flat_map(|both| both.split(',')).all(atom))
}

/// `geq-llvm-15.0` and the like, of LLVM 19; `lt-llvm-` and `not-` forms do not hold.
fn is_at_most_19(name: &str) -> bool {
    let number = name.strip_prefix("geq-llvm-").and_then(|version| version.split('.').next());
    number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number <= 19)
}

fn one(test: &Path, number: usize, programs: &Programs, scratch: &Scratch) -> Ended {
    let failed = |detail: String| Ended::Failed(detail);
    let text = match fs::read(test) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return failed(error.to_string()),
    };
    let commands = behind(&text, "RUN:");
    let unmet = behind(&text, "REQUIRES:").iter().any(|line| !holds(line));
    let unsupported = behind(&text, "UNSUPPORTED:").iter().any(|line| holds(line));
    if commands.is_empty() || unmet || unsupported {
        return Ended::LeftOut;
    }
    let folder = scratch.path().join(format!("test-{number}"));
    if let Err(error) = fs::create_dir_all(&folder) {
        return failed(error.to_string());
    }
    let script: String = commands
        .iter()
        .map(|line| format!("{{ {}\n}} || exit 1\n", substituted(line, test, &folder, programs)))
        .collect();
    let mut command = Command::new("timeout");
    scratch.guard(&mut command);
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .args([PATIENCE, "bash", "-o", "pipefail", "-c", &format!("exec 2>&1\n{script}")])
        .current_dir(&folder)
        .stdin(std::process::Stdio::null())
        .env("PATH", format!("{}:{path}", scratch.path().join("bin").display()));
    match process::output(&mut command) {
        Err(error) => failed(error.to_string()),
        Ok(output) => {
            let fails = !behind(&text, "XFAIL:").is_empty();
            if output.status.success() != fails {
                Ended::Passed
            } else {
                failed(String::from_utf8_lossy(&output.stdout).into_owned())
            }
        }
    }
}

/// A command with what its placeholders stand for; longer names first.
fn substituted(line: &str, test: &Path, folder: &Path, programs: &Programs) -> String {
    let symexec = programs.path("symexec").display().to_string();
    let include = root().join("symexec/runtime/include").display().to_string();
    let here = test.parent().unwrap_or(test).display().to_string();
    let all = [
        ("%clangxx", format!("clang++-19 -I{include}")),
        ("%clang", format!("clang-19 -I{include}")),
        ("%klee", format!("{symexec} klee")),
        ("%ktest-tool", format!("{symexec} ktest")),
        ("%O0opt", "-O0 -Xclang -disable-O0-optnone".to_owned()),
        ("%llvmas", "llvm-as".to_owned()),
        ("%llvmlink", "llvm-link".to_owned()),
        ("%llvmar", "llvm-ar".to_owned()),
        ("%lli", "lli".to_owned()),
        ("%cc", "cc".to_owned()),
        ("%t", folder.join("t.tmp").display().to_string()),
        ("%T", folder.display().to_string()),
        ("%s", test.display().to_string()),
        ("%S", here.clone()),
        ("%p", here),
    ];
    let mut line = line.to_owned();
    for (name, text) in all {
        line = line.replace(name, &text);
    }
    line.replace("%%", "%")
}

#[cfg(test)]
mod tests {
    use super::{behind, holds};

    #[test]
    fn run_lines_go_on_and_requirements_are_read() {
        let text = "// RUN: a \\\n// RUN: b\n; RUN: c\nint x;\n";
        assert_eq!(behind(text, "RUN:"), ["a  b", "c"]);
        assert!(holds("x86_64") && holds("geq-llvm-15.0") && !holds("uclibc") && !holds("geq-llvm-20.0"));
        assert!(holds("!uclibc") && !holds("x86_64, posix-runtime") && holds("uclibc || z3"));
    }
}
