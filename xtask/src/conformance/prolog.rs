//! `cargo xtask conformance prolog [DIR]`: how far `rtcheck` is ISO Prolog, without and with `--iso`.
//!
//! Its own cases ([`tables`]) are always run; `--peers` adds SWI-Prolog and GNU Prolog, where they are installed, and
//! the tests of SWI-Prolog's core from its Debian package ([`suites`]), fetched, pinned and never kept. A folder may
//! hold Hodgson's suite, which no package has.
//!
//! `xtask/conformance-prolog.txt` says how many cases must pass at least, and of each that fails why. `--accept` writes
//! `docs/iso.md`.

mod suites;
mod system;
mod tables;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::error::Error;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::root;
use suites::Count;
use system::System;
use tables::Case;

/// How many cases pass at least, and why others do not.
const EXPECTED: &str = "xtask/conformance-prolog.txt";
/// What is written of it all.
const DOCUMENT: &str = "docs/iso.md";
/// The cases, and the programs that run them.
const CASES: &str = "rtcheck/tests/it/cases";

/// The project's own tables: how the expectations call one, what the document calls it, and what runs it.
type Runner = fn(&Path, System, &Programs, &Scratch) -> Result<Vec<Case>, Error>;
const TABLES: [(&str, &str, Runner); 2] = [
    ("syntax", "syntax: WG17's conformity assessment, and more of its kind", tables::syntax),
    ("answers", "built-in predicates: each of the standard's, with its errors", tables::answers),
];

/// The committed expectations.
#[derive(Default)]
struct Expectations {
    /// By suite and mode.
    floors: BTreeMap<(String, String), usize>,
    /// By suite and case; for both modes.
    reasons: BTreeMap<(String, String), String>,
}

/// Runs everything; fails if fewer cases pass than the committed floor says, or if one fails without a reason.
pub(crate) fn run(
    programs: &Programs,
    folder: Option<&Path>,
    peers: bool,
    accept: bool,
) -> Result<(), Error> {
    let expectations = expectations()?;
    let scratch = Scratch::new()?;
    let systems: Vec<System> = if peers {
        System::ALL.into_iter().filter(|system| system.is_installed()).collect()
    } else {
        System::OWN.to_vec()
    };
    if accept && systems.len() < System::ALL.len() {
        return Err(Error::Findings(
            "docs/iso.md has other systems beside rtcheck: apt-get install swi-prolog-nox gprolog".to_owned(),
        ));
    }
    let mut found: BTreeMap<&str, BTreeMap<System, Vec<Case>>> = BTreeMap::new();
    let mut problems = Vec::new();
    for (suite, _, runner) in TABLES {
        for &system in &systems {
            let cases = runner(&root().join(CASES), system, programs, &scratch)?;
            let passed = cases.iter().filter(|case| case.wrong.is_none()).count();
            println!("   {suite:8} {:8} {passed:>4} of {}", system.name(), cases.len());
            if System::OWN.contains(&system) {
                judge(suite, system, &cases, &expectations, &mut problems);
            }
            found.entry(suite).or_default().insert(system, cases);
        }
    }
    let fetched = if peers { suites::swi_core(programs, &scratch)? } else { Vec::new() };
    for Count { name, passed, all } in &fetched {
        println!("   swi-core {name:24} {passed:>4} of {all}");
        check_floor("swi-core", name, *passed, &expectations, &mut problems);
    }
    if let Some(folder) = folder {
        for &system in &systems {
            for Count { name, passed, all } in suites::hodgson(folder, system, programs, &scratch)? {
                if passed < all || name == "all" {
                    println!("   hodgson  {:8} {name:24} {passed:>4} of {all}", system.name());
                }
            }
        }
    }
    if !problems.is_empty() {
        return Err(Error::Findings(problems.join("\n")));
    }
    if accept {
        let path = root().join(DOCUMENT);
        fs::write(&path, document(&systems, &found, &fetched, &expectations)?)
            .map_err(Error::writing(&path))?;
        println!("   wrote {DOCUMENT}");
    }
    Ok(())
}

/// Notes what is below the floor, and what fails for no reason that is known.
fn judge(suite: &str, system: System, cases: &[Case], known: &Expectations, problems: &mut Vec<String>) {
    for case in cases {
        let Some(wrong) = &case.wrong else { continue };
        if !known.reasons.contains_key(&(suite.to_owned(), case.id.clone())) {
            problems.push(format!(
                "{suite} {} ({}): {}: expected {}, found {wrong}; {EXPECTED} has no reason",
                case.id,
                system.name(),
                case.text,
                case.expected
            ));
        }
    }
    let passed = cases.iter().filter(|case| case.wrong.is_none()).count();
    check_floor(suite, system.name(), passed, known, problems);
}

fn check_floor(suite: &str, part: &str, passed: usize, known: &Expectations, problems: &mut Vec<String>) {
    let floor = known.floors.get(&(suite.to_owned(), part.to_owned())).copied().unwrap_or(0);
    if passed < floor {
        problems.push(format!("{suite} {part}: {passed} pass; {EXPECTED} demands {floor}"));
    } else if passed > floor {
        println!("   {suite} {part}: {passed} pass, more than the {floor} in {EXPECTED}: raise it");
    }
}

/// Lines `floor SUITE PART N` and `why SUITE ID ...: reason`.
fn expectations() -> Result<Expectations, Error> {
    let path = root().join(EXPECTED);
    let text = fs::read_to_string(&path).map_err(Error::reading(&path))?;
    let mut known = Expectations::default();
    for line in text.lines().filter(|line| !(line.is_empty() || line.starts_with('#'))) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (words.as_slice(), line.split_once(": ")) {
            (["floor", suite, part, number], _) if number.parse::<usize>().is_ok() => {
                let number = number.parse().unwrap_or(0);
                known.floors.insert(((*suite).to_owned(), (*part).to_owned()), number);
            }
            (["why", suite, ..], Some((ids, reason))) => {
                for id in ids.split_whitespace().skip(2) {
                    known.reasons.insert(((*suite).to_owned(), id.to_owned()), reason.to_owned());
                }
            }
            _ => return Err(Error::Findings(format!("{EXPECTED}: cannot read `{line}`"))),
        }
    }
    Ok(known)
}

/// The text of `docs/iso.md`.
fn document(
    systems: &[System],
    found: &BTreeMap<&str, BTreeMap<System, Vec<Case>>>,
    fetched: &[Count],
    known: &Expectations,
) -> Result<String, Error> {
    let mut text = String::from(HEAD);
    let titles = systems.iter().map(|system| system.title()).collect::<Result<Vec<_>, _>>()?;
    let _ = writeln!(text, "| cases | {} |", titles.join(" | "));
    let _ = writeln!(text, "| --- |{}", " --- |".repeat(systems.len()));
    for (suite, title, _) in TABLES {
        let Some(by_system) = found.get(suite) else { continue };
        let all = by_system.values().next().map_or(0, Vec::len);
        let _ = write!(text, "| {title} ({all}) |");
        for system in systems {
            let cases = by_system.get(system).map_or(&[][..], Vec::as_slice);
            let _ = write!(text, " {} |", cases.iter().filter(|case| case.wrong.is_none()).count());
        }
        text.push('\n');
    }
    text.push_str(BETWEEN);
    for (suite, title, _) in TABLES {
        let Some(by_system) = found.get(suite) else { continue };
        for system in System::OWN {
            let cases = by_system.get(&system).map_or(&[][..], Vec::as_slice);
            let wrong: Vec<&Case> = cases.iter().filter(|case| case.wrong.is_some()).collect();
            if wrong.is_empty() {
                continue;
            }
            let _ = writeln!(text, "\n### {title}: {}\n", system.title()?);
            text.push_str("| case | text | expected | found | why |\n| --- | --- | --- | --- | --- |\n");
            for case in wrong {
                let reason = known.reasons.get(&(suite.to_owned(), case.id.clone()));
                let found = case.wrong.as_deref().unwrap_or_default();
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {} | {} |",
                    case.id,
                    code(&case.text),
                    case.expected.split(" ;; ").map(code).collect::<Vec<_>>().join(" or "),
                    code(found),
                    reason.map_or("", String::as_str)
                );
            }
        }
    }
    text.push_str(SWI_CORE);
    for Count { name, passed, all } in fetched {
        let reason = known.reasons.get(&("swi-core".to_owned(), name.clone()));
        let reason = if passed == all { "" } else { reason.map_or("", String::as_str) };
        let _ = writeln!(text, "| `{name}` | {passed} of {all} | {reason} |");
    }
    text.push_str(LOGTALK);
    Ok(text)
}

/// Text as code within a cell of a table.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    let fence = if text.contains('`') { "``" } else { "`" };
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

const HEAD: &str = "# How far `rtcheck` is ISO Prolog

Made by `cargo xtask conformance prolog --peers --accept`; `xtask/conformance-prolog.txt` has the reasons, and how many \
cases must pass at least. The standard is ISO/IEC 13211-1:1995 with its three corrigenda.

`rtcheck` reads and runs programs in two ways. Without an option it takes what Ciao and SWI-Prolog take beyond the \
standard; with `--iso`, or while the flag `iso` is `true`, what the standard says and nothing beyond. The cases are in \
`rtcheck/tests/it/cases`: `conformity.txt` (the numbers are those of WG17's \"Conformity Assessment I: Syntax\", those \
with a letter are more of the same kind) and `iso.txt` (clause of the standard, and number within it).

";

const BETWEEN: &str = "
A case of syntax passes if the system does what is expected with the whole text; where several answers conform, each \
does. Other systems are shown as they are installed, with the flags named; what they do differently is often meant so.

## What `rtcheck` does differently
";

const SWI_CORE: &str = "
## Tests of SWI-Prolog's core

From Debian's package `swi-prolog-test` 9.0.4, run by `rtcheck test --double-quotes string`, without `--iso`: the files that are about the \
standard's predicates or about what `rtcheck` has. They are written for SWI-Prolog and ask for much that is its own.

| file | pass | what the others ask for |
| --- | --- | --- |
";

/// No package has this suite, so its goals were run once, and their numbers are not made anew with the document.
const LOGTALK: &str = "
## Logtalk's conformance suite

No package has it, so goals were written down from its files and run once: 1,205 from 58 files (predicates, syntax, \
Unicode), and 565 after 30 more (functions, with the errors of all of them, control constructs, output of characters and \
bytes, text in double quotes, conditional compilation). Of the first 76 differ (with `--iso` 51 of 1,103), of the others 12 (with `--iso` 3). These \
are meant so:

| what | `rtcheck` | the suite |
| --- | --- | --- |
| errors and padding of `format/2`, `~*` and `~s` among them (34 goals) | as in SWI-Prolog | as in SICStus |
| `write_canonical/1` of lists | in brackets, as in SWI-Prolog and Ciao | `'.'(a,[])` |
| `round(-3.5)` | `-4`, as in SWI-Prolog and GNU Prolog | `-3` |
| `4 / 2` and `5 ** 3`, without `--iso` | integers, as in SWI-Prolog | floats |
| rounding an integer, without `--iso` | the integer, as in SWI-Prolog | a type error |
| a predicate that is only declared `discontiguous` | unknown when it is called | fails |
| `eof_action` of outputs, `eof_code`, repositioning of files that are appended to | as in SWI-Prolog and GNU Prolog, or refused | allowed |
";
