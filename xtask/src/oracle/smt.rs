//! The oracle of the example `smt_cache`: scripts as the solver answers them, and as it is answered for.
//!
//! A case is a script: one that `ivl --log-smt` or `symexec --log-smt` wrote, a random one with levels that
//! come and go, or one made by hand to go wrong. It is given to the solver, to `smt_cache` with what earlier
//! cases left, and once more with every declared name changed. The transcripts must be the solver's; models,
//! values and cores that differ are judged by the solver. Of the questions with changed names at least 99 of
//! 100 must be known (95 in a small run). Scripts are aside there in which the solver gives up, since whether
//! it does may depend on names, and those that are made of what is not kept. Where more is known than the
//! solver says, questions about it may be refused.

mod generate;
mod hostile;
mod transcript;
mod words;

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::random::Random;
use super::{Oracle, Planted};
use crate::bench::measure::children_seconds;
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::{root, z3_program};
use transcript::{Agreement, compare};
use words::renamed;

/// Parts that `smt_cache` can be told to leave out of its keys. The last is to be found by its own audits. What a case
/// shows too rarely, or needs what no case has (other arguments, a budget for all of a session), is left out in
/// the package's own tests (`smt_cache::parts`).
pub(super) const FAULTS: [Planted; 9] = [
    ("check", 0),
    ("accepted", 0),
    ("objected", 0),
    ("history", 0),
    ("said", 0),
    ("alone", 0),
    ("settings", 0),
    ("praised", 0),
    ("audited", 0),
];

/// The solver has this long for a script.
const PATIENCE: &str = "-T:60";
/// Scripts of tools longer than this are left out.
const LONGEST: u64 = 150_000;

/// For fewer cases the tools write scripts for each fourth of their fixtures only.
const MANY: usize = 200;

/// Runs `smt_cache` as a program.
pub(super) struct Smt {
    programs: Programs,
    fault: Option<String>,
    scratch: Scratch,
    /// Scripts that the tools wrote.
    logs: Vec<Vec<String>>,
    hostile: Vec<Vec<String>>,
    totals: RefCell<Totals>,
}

/// What all cases took together.
#[derive(Default)]
struct Totals {
    scripts: usize,
    batches: usize,
    known: usize,
    questions: usize,
    /// Seconds of the processor for short scripts that are made here, and for those that tools wrote, but for
    /// those aside.
    solver: [f64; 2],
    first: [f64; 2],
    second: [f64; 2],
    as_good: usize,
    unjudged: usize,
    knows_more: usize,
    refused: usize,
    aside: usize,
}

impl Smt {
    /// An oracle of built programs, with a part of the keys that they leave out.
    pub(super) fn new(
        programs: Programs,
        fault: Option<String>,
        scratch: Scratch,
        cases: usize,
    ) -> Result<Smt, Error> {
        let every = if cases < MANY { 4 } else { 1 };
        // A planted fault is found in scripts that are made for it.
        let logs = if fault.is_none() { logs(&programs, &scratch, every)? } else { Vec::new() };
        let hostile = hostile::scripts();
        Ok(Smt { programs, fault, scratch, logs, hostile, totals: RefCell::default() })
    }

    /// Whether a script asks much that is asked of the solver whatever is known.
    fn is_aside(&self, case: &[String]) -> bool {
        let first = case.first().map_or("", String::as_str);
        [generate::OF_FEW_WORDS, generate::IN_SECTIONS].contains(&first)
            || self.hostile.iter().any(|it| it == case)
    }

    fn solver(&self, script: &str) -> Result<String, Error> {
        let file = self.write("judged.smt2", script)?;
        let mut command = Command::new(z3_program());
        let output = process::output(command.arg(PATIENCE).arg(file))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn write(&self, name: &str, script: &str) -> Result<PathBuf, Error> {
        let file = self.scratch.path().join(name);
        fs::write(&file, script).map_err(Error::writing(&file))?;
        Ok(file)
    }

    /// What is said in the solver's place, with the counts of what was known.
    fn cached(&self, script: &str, cache: &str) -> Result<(String, Counts), Error> {
        let file = self.write("asked.smt2", script)?;
        let stats = self.scratch.path().join("stats");
        fs::remove_file(&stats).ok();
        let mut command = Command::new(self.programs.example("smt_cache"));
        self.scratch.guard(&mut command);
        command.arg("--cache-dir").arg(self.scratch.path().join(cache)).arg("--stats").arg(&stats);
        match self.fault.as_deref() {
            Some("audited") => {
                command.args(["--audit", "always", "--leave-out", "check"]);
            }
            Some(part) => {
                command.args(["--leave-out", part]);
            }
            None => {}
        }
        command.arg("--solver").arg(z3_program()).arg("--").arg(PATIENCE).arg(file);
        let output = process::output(&mut command)?;
        let counts = Counts::read(&fs::read_to_string(&stats).unwrap_or_default());
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((format!("{said}\n(status {})", output.status.code().unwrap_or(-1)), counts))
    }

    /// As [`Smt::solver`], with the status.
    fn expected(&self, script: &str) -> Result<String, Error> {
        let file = self.write("expected.smt2", script)?;
        let output = process::output(Command::new(z3_program()).arg(PATIENCE).arg(file))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(format!("{said}\n(status {})", output.status.code().unwrap_or(-1)))
    }
}

/// A line of `smt_cache --stats`.
#[derive(Default)]
struct Counts {
    known: usize,
    unknown: usize,
    disagreements: usize,
}

impl Counts {
    fn read(line: &str) -> Counts {
        let words: Vec<&str> = line.split_whitespace().collect();
        let count = |name: &str| {
            let at = words.iter().position(|word| *word == name);
            at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(0)
        };
        Counts {
            known: count("known"),
            unknown: count("asked") + count("passed"),
            disagreements: count("disagreements"),
        }
    }
}

/// Scripts that the tools write for every so manieth fixture, each as one piece.
fn logs(programs: &Programs, scratch: &Scratch, every: usize) -> Result<Vec<Vec<String>>, Error> {
    let folder = scratch.path().join("logs");
    let fixtures = root().join("fixtures");
    let mut boogie = files(&fixtures.join("boogie"), "bpl")?;
    boogie.extend(files(&fixtures.join("boogie/sessions"), "bpl")?);
    for (at, file) in boogie.iter().step_by(every).enumerate() {
        let mut command = programs.command("ivl", scratch);
        command
            .args(["verify", "--cache", "off", "--log-smt"])
            .arg(folder.join(format!("ivl{at:04}")))
            .arg(file);
        process::output(&mut command)?;
    }
    for (at, file) in files(&fixtures.join("c"), "ll")?.iter().step_by(every).enumerate() {
        let mut command = programs.command("symexec", scratch);
        command.args(["run", "--max-time", "5", "--log-smt"]).arg(folder.join(format!("symexec{at:04}")));
        command.arg("--output-dir").arg(scratch.path().join(format!("out{at}"))).arg(file);
        process::output(&mut command)?;
    }
    let mut logs = Vec::new();
    for file in files(&folder, "smt2")? {
        let text = fs::read_to_string(&file).map_err(Error::reading(&file))?;
        if text.len() as u64 <= LONGEST {
            logs.push(vec![text]);
        }
    }
    Ok(logs)
}

/// The files below a folder with an extension, in order.
fn files(folder: &std::path::Path, extension: &str) -> Result<Vec<PathBuf>, Error> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(Error::reading(&folder))? {
            let path = entry.map_err(Error::reading(&folder))?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

impl Oracle for Smt {
    type Case = Vec<String>;
    const BATCH: usize = 25;

    fn generate(&self, random: &mut Random) -> Vec<String> {
        match random.below(20) {
            0..=7 if !self.logs.is_empty() => self.logs[random.below(self.logs.len())].clone(),
            // Without scripts of the tools there is more room for others.
            0..=3 | 8 | 9 => generate::under_options(random),
            10 => self.hostile[random.below(self.hostile.len())].clone(),
            11..=13 => generate::few_words(random),
            4 | 5 | 14 => generate::sections(random),
            _ => generate::script(random),
        }
    }

    fn smaller(&self, case: &Vec<String>) -> Vec<Vec<String>> {
        let case = if case.len() == 1 { words::items(&case.concat()) } else { case.clone() };
        let half = case.len() / 2;
        let mut smaller = vec![case[..half].to_vec(), case[half..].to_vec()];
        smaller.extend((0..case.len()).map(|at| [&case[..at], &case[at + 1..]].concat()));
        smaller.retain(|it| !it.is_empty());
        smaller
    }

    fn files(&self, cases: &[Vec<String>]) -> Vec<(String, String)> {
        cases.iter().enumerate().map(|(at, case)| (format!("case{at}.smt2"), case.join("\n"))).collect()
    }

    fn differences(&self, cases: &[Vec<String>]) -> Result<Vec<Option<String>>, Error> {
        let batch = {
            let mut totals = self.totals.borrow_mut();
            totals.batches += 1;
            totals.batches
        };
        let cache = format!("cache{batch}");
        let scripts: Vec<(String, String)> = cases
            .iter()
            .map(|case| case.join("\n"))
            .map(|script| (renamed(&script), script))
            .map(|(other, script)| (script, other))
            .collect();
        let kinds: Vec<(bool, bool)> =
            cases.iter().map(|case| (case.len() == 1, self.is_aside(case))).collect();
        let mut differences = vec![None; cases.len()];
        let mut before = vec![(0.0, 0.0); cases.len()];
        for second in [false, true] {
            let all = differences.iter_mut().zip(&mut before).zip(&scripts).zip(&kinds);
            for (((difference, before), (script, other)), (written, aside)) in all {
                let script = if second { other } else { script };
                // Of the processor: what else a machine does shows least in it.
                let begun = children_seconds();
                let (said, counts) = self.cached(script, &cache)?;
                let took = children_seconds() - begun;
                let begun = children_seconds();
                let expected = self.expected(script)?;
                let solver = children_seconds() - begun;
                let found = compare(script, &expected, &said, &|text| self.solver(text))?;
                let mut totals = self.totals.borrow_mut();
                let kind = usize::from(*written);
                match found {
                    Ok(Agreement { as_good, unjudged, knows_more, refused }) => {
                        totals.as_good += as_good;
                        totals.unjudged += unjudged;
                        totals.knows_more += knows_more;
                        totals.refused += refused;
                    }
                    Err(words) if self.fault.as_deref() != Some("audited") => {
                        difference.get_or_insert(words);
                    }
                    Err(_) => {}
                }
                if counts.disagreements > 0 {
                    difference.get_or_insert("an audit disagrees".to_owned());
                }
                if !second {
                    totals.scripts += 1;
                    *before = (solver, took);
                } else if *aside || said.contains("unknown\n") {
                    totals.aside += 1;
                } else {
                    totals.solver[kind] += before.0;
                    totals.first[kind] += before.1;
                    totals.second[kind] += took;
                    totals.known += counts.known;
                    totals.questions += counts.known + counts.unknown;
                }
            }
        }
        Ok(differences)
    }

    fn remark(&self) -> Result<Option<String>, Error> {
        let totals = self.totals.borrow();
        let Totals { known, questions, solver, first, second, .. } = *totals;
        let times = |kind: usize| {
            let [solver, first, second] = [solver, first, second].map(|times| times[kind]);
            let part = second / first.max(f64::EPSILON);
            format!(
                "the solver alone takes {solver:.1} s of the processor, in its place {first:.1} s, with every name \
                 changed {second:.1} s ({part:.3} of that)"
            )
        };
        let remark = format!(
            "{} scripts; of tools: {}; made here: {}; {known} of {questions} questions known, {} scripts aside; {} \
             models, values and cores differ and are as good ({} of them the solver cannot judge), {} verdicts where the \
             solver gave up ({} answers about them refused)",
            totals.scripts,
            times(1),
            times(0),
            totals.aside,
            totals.as_good,
            totals.unjudged,
            totals.knows_more,
            totals.refused,
        );
        // One script that declares a name of a theory (`e`), which keeps its name, weighs much among few.
        let goal = if totals.scripts < MANY { 95 } else { 99 };
        if known * 100 < questions * goal {
            return Err(Error::Findings(format!("with changed names too few questions are known: {remark}")));
        }
        Ok(Some(remark))
    }
}
