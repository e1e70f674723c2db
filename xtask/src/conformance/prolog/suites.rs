//! Public suites that are no part of the repository: the tests of SWI-Prolog's core, which are fetched as a Debian
//! package, and Hodgson's, which somebody has in a folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::system::System;
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// The package of SWI-Prolog's tests, and its SHA-256.
const PACKAGE: &str = "swi-prolog-test=9.0.4+dfsg-2";
const DIGEST: &str = "02dcd5a91ad5d68c2aa21fa9b321bb1c2e0260f0b37cab9572ca2825a646afae";
const FOLDER: &str = "usr/lib/swi-prolog/test/Tests/core";
/// The files that are about the standard, or about what `rtcheck` has.
const FILES: [&str; 24] = [
    "acyclic",
    "arith",
    "bags",
    "bips",
    "call",
    "coroutining",
    "db",
    "dcg",
    "exception",
    "format",
    "gc",
    "io",
    "lco",
    "list",
    "meta_predicate",
    "op",
    "sort",
    "string",
    "subsumes",
    "term",
    "text",
    "unify",
    "varprops",
    "write",
];

/// How many tests of a file passed.
pub(super) struct Count {
    pub(super) name: String,
    pub(super) passed: usize,
    pub(super) all: usize,
}

/// Fetches SWI-Prolog's tests and runs those of its core.
pub(super) fn swi_core(programs: &Programs, scratch: &Scratch) -> Result<Vec<Count>, Error> {
    let place = scratch.path().join("swi-prolog-test");
    fs::create_dir_all(&place).map_err(Error::writing(&place))?;
    println!("   fetching Debian's {PACKAGE} (0.6 MB)");
    process::stdout(Command::new("apt-get").current_dir(&place).args(["-qq", "download", PACKAGE]))?;
    let mut packages = Vec::new();
    for entry in fs::read_dir(&place).map_err(Error::reading(&place))? {
        packages.push(entry.map_err(Error::reading(&place))?.path());
    }
    let [package] = packages.as_slice() else {
        return Err(Error::Findings(format!("{PACKAGE} is not one file")));
    };
    let digest = process::stdout(Command::new("sha256sum").arg(package))?;
    if digest.split_whitespace().next() != Some(DIGEST) {
        return Err(Error::Findings(format!("{PACKAGE} is not the file that is known: {digest}")));
    }
    process::stdout(Command::new("dpkg-deb").arg("-x").arg(package).arg(&place))?;
    let folder = place.join(FOLDER);
    let mut counts = Vec::new();
    for file in FILES {
        let mut command = Command::new("timeout");
        command.arg("60").arg(programs.path("rtcheck"));
        // What is said of text in double quotes nowhere is meant as there.
        command.args(["test", "--double-quotes", "string", &format!("test_{file}.pl")]);
        scratch.guard(&mut command).current_dir(&folder);
        let output = process::output(&mut command)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let (passed, all) = text.lines().rev().find_map(summary).unwrap_or((0, 0));
        counts.push(Count { name: format!("test_{file}.pl"), passed, all });
    }
    Ok(counts)
}

/// How many tests passed, and how many there were: `54 tests: 40 passed, 2 failed, 12 aborted`.
fn summary(line: &str) -> Option<(usize, usize)> {
    let (all, rest) = line.split_once(" test")?;
    let (_, rest) = rest.split_once(": ")?;
    let (passed, _) = rest.split_once(" passed")?;
    Some((passed.parse().ok()?, all.parse().ok()?))
}

/// Runs Hodgson's suite (`inriasuite.pl` in the folder) and reads its scores: those of each of its files, and of all.
pub(super) fn hodgson(
    folder: &Path,
    system: System,
    programs: &Programs,
    scratch: &Scratch,
) -> Result<Vec<Count>, Error> {
    if !folder.join("inriasuite.pl").is_file() {
        return Err(Error::Findings(format!("{} has no inriasuite.pl", folder.display())));
    }
    // It writes files beside its own.
    let copy = scratch.path().join(format!("hodgson-{}", system.name()));
    fs::create_dir_all(&copy).map_err(Error::writing(&copy))?;
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let from = entry.map_err(Error::reading(folder))?.path();
        if let (true, Some(name)) = (from.is_file(), from.file_name()) {
            let to = copy.join(name);
            fs::copy(&from, &to).map_err(Error::writing(&to))?;
        }
    }
    let program = copy.join("reprise_scores.pl");
    fs::write(&program, SCORES).map_err(Error::writing(&program))?;
    let text = system.output(programs, scratch, &program)?;
    let mut counts = Vec::new();
    let (mut all_passed, mut all_tests) = (0, 0);
    for line in text.lines().filter_map(|line| line.strip_prefix("@@score ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, all, wrong] = words[..] else { continue };
        let (Ok(all), Ok(wrong)) = (all.parse::<usize>(), wrong.parse::<usize>()) else { continue };
        let passed = all.saturating_sub(wrong);
        all_passed += passed;
        all_tests += all;
        counts.push(Count { name: name.to_owned(), passed, all });
    }
    counts.sort_by(|one, other| one.name.cmp(&other.name));
    counts.push(Count { name: "all".to_owned(), passed: all_passed, all: all_tests });
    Ok(counts)
}

/// Runs the suite's own driver and prints its scores.
const SCORES: &str = "
:- include('inriasuite.pl').
scores :- score(File, total(All), wrong(Wrong)), nl, write('@@score '), write(File), write(' '), write(All), write(' '),
    write(Wrong), nl, fail.
scores.
:- initialization(( run_all_tests, scores )).
";

#[cfg(test)]
mod tests {
    #[test]
    fn summaries_are_read() {
        assert_eq!(super::summary("54 tests: 40 passed, 2 failed, 12 aborted"), Some((40, 54)));
        assert_eq!(super::summary("1 test: 1 passed, 0 failed, 0 aborted"), Some((1, 1)));
        assert_eq!(super::summary("test_bips.pl:47: bips passed"), None);
    }
}
