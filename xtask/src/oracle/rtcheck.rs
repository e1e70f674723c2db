//! The oracle of `rtcheck`: random Prolog programs whose checked terms are bound, unbound, changed and
//! thrown away at every opportunity.
//!
//! A case is a goal over a few variables, tried for all its solutions. The goal builds terms that
//! (nearly) satisfy regular types, with variables inside that are bound later or on one branch only;
//! calls predicates with assertions; backtracks, cuts, catches violations, sets arguments, collects
//! garbage. What it prints (answers and violations) must be the same with every cache as with none.
//! Many cases share a program and thus a cache, which is the harder test.

mod program;
mod generate;

use std::fs;
use std::process::Command;

use super::Oracle;
use super::random::Random;
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use program::{Case, program};

/// The caches that every batch is run with, as options: small ones evict at once, the audit walks every
/// term again.
const CACHES: [&[&str]; 7] = [
    &["--check-cache", "lru", "--cache-size", "1", "--depth-limit", "none"],
    &["--check-cache", "lru", "--cache-size", "4", "--depth-limit", "1"],
    &["--check-cache", "lru", "--cache-size", "256", "--depth-limit", "none"],
    &["--check-cache", "direct", "--cache-size", "2", "--depth-limit", "2"],
    &["--check-cache", "direct", "--cache-size", "64", "--depth-limit", "none"],
    &["--check-cache", "s3fifo", "--cache-size", "8", "--depth-limit", "none"],
    &["--check-cache", "lru", "--cache-size", "16", "--depth-limit", "none", "--audit", "always"],
];

/// The faults that `rtcheck` can be built to commit and that can show in what a case prints. Two more are
/// known to the core: `ignore-moves` shows nothing until terms are moved by a collector, and a violation
/// that is thrown undoes the entry that `remember-failures` makes.
pub(super) const FAULTS: [&str; 1] = ["ignore-marks"];

/// Runs `rtcheck` as a program.
pub(super) struct Rtcheck {
    pub(super) programs: Programs,
    /// Options that make it commit a fault, for the runs with a cache.
    pub(super) plant: Vec<String>,
    pub(super) scratch: Scratch,
}

impl Oracle for Rtcheck {
    type Case = Case;
    const BATCH: usize = 50;

    fn generate(&self, random: &mut Random) -> Case {
        generate::case(random)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        case.smaller()
    }

    fn files(&self, case: &Case) -> Vec<(String, String)> {
        vec![("case.pl".to_owned(), program(std::slice::from_ref(case)))]
    }

    fn differences(&self, cases: &[Case]) -> Result<Vec<Option<String>>, Error> {
        let file = self.scratch.path().join("case.pl");
        fs::write(&file, program(cases)).map_err(Error::writing(&file))?;
        let run = |options: &[&str], plant: &[String]| {
            let mut command = self.programs.command("rtcheck", &self.scratch);
            command.arg("run").args(["--checks", "on"]).args(options).args(plant).arg(&file);
            run(command, cases.len())
        };
        let expected = run(&["--check-cache", "none"], &[])?;
        let mut differences = vec![None; cases.len()];
        for options in CACHES {
            let audits = options.contains(&"--audit");
            // With a fault the audit itself would report; what is proved here is the comparison.
            if audits && !self.plant.is_empty() {
                continue;
            }
            let found = run(options, &self.plant)?;
            for (difference, (found, expected)) in differences.iter_mut().zip(found.iter().zip(&expected)) {
                if difference.is_none() && found != expected {
                    let options = options.join(" ");
                    *difference = Some(format!("without a cache:\n{expected}\nwith {options}:\n{found}"));
                }
            }
        }
        Ok(differences)
    }
}

/// What each case printed; how the program ended is added to the last one that printed anything.
fn run(mut command: Command, cases: usize) -> Result<Vec<String>, Error> {
    let output = process::output(&mut command)?;
    if output.status.code().is_none_or(|code| code == 2) {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(Error::Ended { command: process::shown(&command), status: output.status });
    }
    let mut printed = vec![String::new(); cases];
    let mut last = 0;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(number) = line.strip_prefix("== ").and_then(|number| number.parse::<usize>().ok()) {
            last = number;
        } else if let Some(printed) = printed.get_mut(last) {
            printed.push_str(line);
            printed.push('\n');
        }
    }
    if let Some(printed) = printed.get_mut(last) {
        printed.push_str(&format!("({})\n", output.status));
    }
    Ok(printed)
}
