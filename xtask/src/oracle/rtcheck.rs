//! The oracle of `rtcheck`: random Prolog programs whose checked terms are bound, unbound, changed and
//! thrown away at every opportunity.
//!
//! A case is a goal over a few variables, tried for all its solutions. The goal builds terms that
//! (nearly) satisfy regular types, with variables inside that are bound later or on one branch only;
//! calls predicates with assertions; backtracks, cuts, catches violations, sets arguments, keeps terms outside
//! its variables, collects garbage. What it prints (answers and violations) must be the same with every cache as
//! with none, whether violations are thrown or reported, and however often terms are moved.
//! Many cases share a program and thus a cache, which is the harder test.

mod term;
mod program;
mod relay;
mod generate;
mod setting;
mod smaller;

use std::cell::RefCell;
use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};

use super::known::Known;
use super::random::Random;
use super::{Oracle, Planted};
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use program::{Case, program};
use setting::{SETTINGS, Setting, Violations};

/// How many of a batch's cases bring their own setting along.
const DRAWN: usize = 3;

/// The faults that `rtcheck` can be built to commit. Each is a row of `docs/soundness.md`.
pub(super) const FAULTS: [Planted; 12] = [
    ("ignore-marks", 50),
    ("ignore-moves", 0),
    ("remember-failures", 0),
    ("ignore-changes", 0),
    ("trust-parents", 0),
    ("trust-tags", 0),
    ("note-nothing", 50),
    ("believe-calls", 0),
    ("first-way", 0),
    ("forget-unknown", 100),
    ("overlook-missing", 0),
    ("hand-anything-on", 0),
];

/// Runs `rtcheck` as a program.
pub(super) struct Rtcheck<'a> {
    programs: Programs,
    /// Options that make it commit a fault, for the runs with a cache.
    plant: Vec<String>,
    scratch: Scratch,
    /// What runs without a cache printed.
    known: &'a Known<Vec<String>>,
    /// The drawn setting in which a difference showed: cases made smaller are run in it as well.
    telling: RefCell<Option<Setting>>,
}

impl<'a> Rtcheck<'a> {
    /// An oracle of built programs; with `plant`, options that make them commit a fault.
    pub(super) fn new(
        programs: Programs,
        plant: Vec<String>,
        scratch: Scratch,
        known: &'a Known<Vec<String>>,
    ) -> Self {
        Rtcheck { programs, plant, scratch, known, telling: RefCell::new(None) }
    }
}

impl Oracle for Rtcheck<'_> {
    type Case = Case;
    const BATCH: usize = 50;

    fn generate(&self, random: &mut Random) -> Case {
        generate::case(random)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        case.smaller()
    }

    fn files(&self, cases: &[Case]) -> Vec<(String, String)> {
        vec![("case.pl".to_owned(), program(cases))]
    }

    fn differences(&self, cases: &[Case]) -> Result<Vec<Option<String>>, Error> {
        let file = self.scratch.path().join("case.pl");
        let text = program(cases);
        fs::write(&file, &text).map_err(Error::writing(&file))?;
        let run = |options: &[String], plant: &[String]| {
            let mut command = self.programs.command("rtcheck", &self.scratch);
            // The file is named from its folder: another search has it elsewhere.
            command.current_dir(self.scratch.path()).args(["run", "--checks", "on"]);
            command.args(options).args(plant).arg("case.pl");
            run(command, cases.len())
        };
        let mut expected = Vec::new();
        for violations in Violations::ALL {
            // The older transformation takes no short ways through contracts either.
            let plain = ["--check-cache", "none", "--analysis", "off", "--transformation", "old"];
            let mut options: Vec<String> = plain.map(str::to_owned).to_vec();
            options.extend(violations.options());
            let question = format!("{options:?}\n{text}");
            expected.push((violations, self.known.answer(question, || run(&options, &[]))?));
        }
        let mut settings = SETTINGS.to_vec();
        settings.extend(cases.iter().take(DRAWN).map(|case| case.drawn));
        settings.extend(*self.telling.borrow());
        // With a fault the audit itself would report; what is proved here is the comparison.
        settings.retain(|setting| self.plant.is_empty() || !setting.audit);
        let mut differences = vec![None; cases.len()];
        for setting in settings {
            let options = setting.options();
            let found = run(&options, &self.plant)?;
            let Some((_, expected)) =
                expected.iter().find(|(violations, _)| *violations == setting.violations)
            else {
                continue;
            };
            for (difference, (found, expected)) in differences.iter_mut().zip(found.iter().zip(expected)) {
                if difference.is_none() && found != expected {
                    let options = options.join(" ");
                    *difference = Some(format!("without a cache:\n{expected}\nwith {options}:\n{found}"));
                    *self.telling.borrow_mut() = Some(setting);
                }
            }
        }
        Ok(differences)
    }
}

/// What each case printed, its messages among its output; how the program ended is added to the last one that
/// printed anything.
fn run(mut command: Command, cases: usize) -> Result<Vec<String>, Error> {
    let start = |source| Error::Start { command: process::shown(&command), source };
    let (mut reader, writer) = std::io::pipe().map_err(start)?;
    let start = |source| Error::Start { command: "rtcheck".to_owned(), source };
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(start)?)
        .stderr(writer)
        .spawn()
        .map_err(start)?;
    // The command holds the pipe's writing end; it must go, or reading would never end.
    let shown = process::shown(&command);
    drop(command);
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(start)?;
    let text = String::from_utf8_lossy(&bytes);
    let status = child.wait().map_err(start)?;
    if status.code().is_none_or(|code| code == 2) {
        eprint!("{text}");
        return Err(Error::Ended { command: shown, status });
    }
    let mut printed = vec![String::new(); cases];
    let mut last = 0;
    for line in text.lines() {
        if let Some(number) = line.strip_prefix("== ").and_then(|number| number.parse::<usize>().ok()) {
            last = number;
        } else if let Some(printed) = printed.get_mut(last) {
            without_names(line, printed);
            printed.push('\n');
        }
    }
    if let Some(printed) = printed.get_mut(last) {
        printed.push_str(&format!("({status})\n"));
    }
    Ok(printed)
}

/// A line with variables' names left out, since they may depend on where terms lie.
fn without_names(line: &str, printed: &mut String) {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut inside = false;
    let mut skipping = false;
    for c in line.chars() {
        let begins = c == '_' && !inside;
        inside = part_of_name(c);
        skipping = inside && (skipping || begins);
        if begins || !skipping {
            printed.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_names;

    #[test]
    fn names_of_variables_are_left_out_and_other_names_kept() {
        let mut printed = String::new();
        without_names("c0_t1(_G12,f(_3),X_1,_) _", &mut printed);
        assert_eq!(printed, "c0_t1(_,f(_),X_1,_) _");
    }
}
