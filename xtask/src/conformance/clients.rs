//! `cargo xtask conformance clients DIR`: programs that clients of a `boogie` executable wrote, run as these run
//! them, and judged by what these read.
//!
//! A folder `move` has the Move Prover's programs, each with the first lines of the errors that must be told in a
//! `.expect` file. A folder with `verdicts.tsv` has BASIL's programs (a file and `correct` or `incorrect` in each
//! line), or programs that Dafny printed (with a heading; a file, a procedure and what Boogie says of it).

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::phases::bar;
use crate::process::output;
use crate::programs::Programs;
use crate::setup::root;
use crate::workers::side_by_side;

/// What agrees at least, for each client.
const FLOOR: &str = "xtask/clients-floor.txt";

/// How the Move Prover calls Boogie.
const MOVE: &[&str] = &[
    "-doModSetAnalysis",
    "-printVerifiedProceduresCount:0",
    "-printModel:1",
    "-enhancedErrorMessages:1",
    "-monomorphize",
    "-proverOpt:O:model_validate=true",
    "-proverOpt:O:smt.QI.EAGER_THRESHOLD=100",
    "-proverOpt:O:smt.QI.LAZY_THRESHOLD=100",
    "-vcsCores:1",
    "-proverOpt:O:smt.random_seed=1",
];
/// How BASIL does.
const BASIL: &[&str] = &["/useArrayAxioms", "/timeLimit:10"];
/// How Dafny's programs are looked at.
const DAFNY: &[&str] = &["/trace", "/errorTrace:0", "/timeLimit:10"];

/// Whose programs a folder has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Client {
    Basil,
    Move,
    Dafny,
}

impl Client {
    fn name(self) -> &'static str {
        match self {
            Self::Basil => "basil",
            Self::Move => "move",
            Self::Dafny => "dafny",
        }
    }
}

/// Results that agree, and those that do not.
#[derive(Default)]
struct Count {
    same: usize,
    different: Vec<String>,
}

/// Runs all programs below a folder; fails if fewer agree than the committed floor says.
pub(crate) fn run(programs: &Programs, folder: &Path) -> Result<(), Error> {
    let mut counts: BTreeMap<Client, Count> = BTreeMap::new();
    let mut found = folders(folder)?;
    found.sort();
    for (client, folder) in found {
        let count = counts.entry(client).or_default();
        match client {
            Client::Basil => basil(programs, &folder, count)?,
            Client::Move => moves(programs, &folder, count)?,
            Client::Dafny => dafny(programs, &folder, count)?,
        }
    }
    if counts.is_empty() {
        return Err(Error::Findings(format!("{} has no programs of clients", folder.display())));
    }
    let floors = floors()?;
    let mut below = Vec::new();
    for (client, Count { same, different }) in &counts {
        different.iter().for_each(|line| println!("{}: {line}", client.name()));
        println!("   {:6} {same} of {} agree", client.name(), same + different.len());
        let floor = floors.get(client.name()).copied().unwrap_or(0);
        if *same < floor {
            below.push(format!("{}: {same} agree; {FLOOR} demands {floor}", client.name()));
        }
    }
    if below.is_empty() { Ok(()) } else { Err(Error::Findings(below.join("\n"))) }
}

fn floors() -> Result<BTreeMap<String, usize>, Error> {
    let file = root().join(FLOOR);
    let text = fs::read_to_string(&file).map_err(Error::reading(&file))?;
    let line = |line: &str| {
        let (name, number) = line.split_once(' ')?;
        Some((name.to_owned(), number.trim().parse().ok()?))
    };
    Ok(text.lines().filter(|it| !it.starts_with('#')).filter_map(line).collect())
}

/// The folders of clients: the given one, and those inside.
fn folders(folder: &Path) -> Result<Vec<(Client, PathBuf)>, Error> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let verdicts = folder.join("verdicts.tsv");
        if verdicts.exists() {
            let text = fs::read_to_string(&verdicts).map_err(Error::reading(&verdicts))?;
            let dafny = text.starts_with("file\t");
            found.push((if dafny { Client::Dafny } else { Client::Basil }, folder));
            continue;
        }
        if folder.file_name().is_some_and(|name| name == "move") {
            found.push((Client::Move, folder));
            continue;
        }
        for entry in fs::read_dir(&folder).map_err(Error::reading(&folder))? {
            let path = entry.map_err(Error::reading(&folder))?.path();
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    Ok(found)
}

/// What `ivl boogie` prints for a file.
fn answer(programs: &Programs, options: &[&str], file: &Path) -> Result<String, Error> {
    let mut command = Command::new(programs.path("ivl"));
    command.arg("boogie").args(options).arg(file).env("REPRISE_CACHE", "off");
    Ok(String::from_utf8_lossy(&output(&mut command)?.stdout).into_owned())
}

/// The lines of a table, without its heading.
fn table(folder: &Path) -> Result<Vec<Vec<String>>, Error> {
    let file = folder.join("verdicts.tsv");
    let text = fs::read_to_string(&file).map_err(Error::reading(&file))?;
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    Ok(text.lines().filter(|line| !line.starts_with("file\t")).map(cells).collect())
}

fn basil(programs: &Programs, folder: &Path, count: &mut Count) -> Result<(), Error> {
    let rows = table(folder)?;
    let progress = bar(rows.len());
    let answers = side_by_side(&rows, |row| {
        let text = answer(programs, BASIL, &folder.join(row.first().map_or("", String::as_str)));
        progress.inc(1);
        text
    });
    progress.finish_and_clear();
    for (row, text) in rows.iter().zip(answers) {
        let [file, expected] = row.as_slice() else { continue };
        let text = text?;
        let last = text.trim().lines().last().unwrap_or_default();
        // An implementation without a verdict counts for neither.
        let verdict = match last.strip_suffix(" errors").or_else(|| last.strip_suffix(" error")) {
            Some(counts) if counts.ends_with(" 0") => "correct",
            Some(_) => "incorrect",
            None => "undecided",
        };
        if verdict == expected {
            count.same += 1;
        } else {
            count.different.push(format!("{file}: {verdict}, where {expected} is expected"));
        }
    }
    Ok(())
}

/// Whether the Move Prover takes a line for an error, or for something that went wrong.
fn is_error(line: &str) -> bool {
    line.starts_with("assert_failed(")
        || line.starts_with("inconsistency_detected(")
        || ["inconclusive", "timed out", "out of resource", "out of memory", "rror: ", "errors detected"]
            .iter()
            .any(|words| line.contains(words))
}

fn moves(programs: &Programs, folder: &Path, count: &mut Count) -> Result<(), Error> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        if path.extension().is_some_and(|ending| ending == "bpl") {
            files.push(path);
        }
    }
    files.sort();
    let progress = bar(files.len());
    let answers = side_by_side(&files, |file| {
        let text = answer(programs, MOVE, file);
        progress.inc(1);
        text
    });
    progress.finish_and_clear();
    for (file, text) in files.iter().zip(answers) {
        let text = text?;
        let mut found: Vec<&str> = text.lines().filter(|line| is_error(line)).collect();
        found.sort_unstable();
        let expectation = file.with_extension("expect");
        let expected = fs::read_to_string(&expectation).map_err(Error::reading(&expectation))?;
        if found == expected.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>() {
            count.same += 1;
        } else {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            count.different.push(format!("{name}: {}", found.join(" | ")));
        }
    }
    Ok(())
}

/// What a trace says of each procedure, in its order.
fn outcomes(text: &str) -> BTreeMap<String, VecDeque<String>> {
    let mut found: BTreeMap<String, VecDeque<String>> = BTreeMap::new();
    let mut name = None;
    for line in text.lines() {
        if let Some(called) = line.strip_prefix("Verifying ").and_then(|rest| rest.strip_suffix(" ...")) {
            name = Some(called.to_owned());
        } else if let Some((_, outcome)) = line.strip_prefix("  [").and_then(|rest| rest.split_once("]  "))
            && let Some(name) = name.take()
        {
            // How many checks fail depends on which are found.
            let outcome = if outcome == "errors" { "error" } else { outcome };
            found.entry(name).or_default().push_back(outcome.to_owned());
        }
    }
    found
}

fn dafny(programs: &Programs, folder: &Path, count: &mut Count) -> Result<(), Error> {
    let mut files: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in table(folder)? {
        let [file, procedure, verdict] = row.as_slice() else { continue };
        files.entry(file.clone()).or_default().push((procedure.clone(), verdict.clone()));
    }
    let files: Vec<_> = files.into_iter().collect();
    let progress = bar(files.len());
    let answers = side_by_side(&files, |(file, _)| {
        let text = answer(programs, DAFNY, &folder.join(file));
        progress.inc(1);
        text
    });
    progress.finish_and_clear();
    for ((file, expected), text) in files.into_iter().zip(answers) {
        let mut found = outcomes(&text?);
        for (procedure, verdict) in expected {
            let verdict = if verdict == "errors" { "error" } else { verdict.as_str() };
            let outcome = found.get_mut(&procedure).and_then(VecDeque::pop_front);
            if outcome.as_deref() == Some(verdict) {
                count.same += 1;
            } else {
                let outcome = outcome.unwrap_or_else(|| "nothing".to_owned());
                count.different.push(format!("{file}: {procedure}: {outcome}, where Boogie says {verdict}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn traces_are_read() {
        let text = "\nVerifying P ...\n  [0.1 s, solver resource count: 3, 1 proof obligation]  verified\n\
                    \nVerifying Q ...\n    checking split 1/2 (line 3), 0.00%, (cost:1/1) ...\n\
                    \x20 [0.1 s, solver resource count: 3, 2 proof obligations]  errors\n";
        let found = super::outcomes(text);
        assert_eq!(found["P"], ["verified"]);
        assert_eq!(found["Q"], ["error"]);
    }

    #[test]
    fn lines_that_the_move_prover_takes_for_errors_are_known() {
        assert!(super::is_error("assert_failed(2,3,4): no"));
        assert!(super::is_error("p.bpl(1,2): Verification inconclusive (P)"));
        assert!(!super::is_error("    p.bpl(3420,1): anon0"));
    }
}
