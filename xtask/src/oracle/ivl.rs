//! The oracle of `ivl`: random Boogie programs and edits. Each version of a program is verified with the
//! results of the earlier ones at hand, and from scratch; errors and their positions must be the same.

mod generate;
pub(super) mod program;

use std::fs;

use serde_json::Value;

use super::Oracle;
use super::random::Random;
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use program::{Case, Program};

/// How many edits follow the first version of a program.
pub(super) const EDITS: usize = 6;
/// In Z3's unit. Far more than these programs need, so that the engine decides everything it can.
const RESOURCE: &str = "20000000";

/// The faults that `ivl` can be built to commit.
pub(super) const FAULTS: [&str; 5] =
    ["drop-part", "old-positions", "cover-new-checks", "latest-specifications", "ignore-declarations"];

/// Runs `ivl` as a program.
pub(super) struct Ivl {
    pub(super) programs: Programs,
    /// Options that make it commit a fault, for the runs with a cache.
    pub(super) plant: Vec<String>,
    pub(super) scratch: Scratch,
}

impl Oracle for Ivl {
    type Case = Case;
    const BATCH: usize = 4;

    fn generate(&self, random: &mut Random) -> Case {
        generate::case(random, EDITS)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        case.smaller()
    }

    fn files(&self, cases: &[Case]) -> Vec<(String, String)> {
        // Each case is run by itself, so there is one.
        let texts = cases.iter().flat_map(|case| case.versions.iter().map(Program::text).enumerate());
        texts.map(|(version, text)| (format!("case.v{version}.bpl"), text)).collect()
    }

    fn differences(&self, cases: &[Case]) -> Result<Vec<Option<String>>, Error> {
        cases.iter().map(|case| self.difference(case)).collect()
    }
}

impl Ivl {
    fn difference(&self, case: &Case) -> Result<Option<String>, Error> {
        let folder = Scratch::new()?;
        for (name, text) in self.files(std::slice::from_ref(case)) {
            let file = folder.path().join(name);
            fs::write(&file, text).map_err(Error::writing(&file))?;
        }
        let cache = folder.path().join("cache");
        let cache = cache.to_string_lossy();
        let reading = ["--cache", "read-write", "--cache-dir", &cache];
        let verify = |options: &[&str], plant: &[String]| {
            let mut command = self.programs.command("ivl", &self.scratch);
            command.arg("verify").arg("--snapshots").arg(folder.path().join("case.bpl")).arg("--json");
            command.args(["--rlimit", RESOURCE]).args(options).args(plant);
            let output = process::output(&mut command)?;
            if !matches!(output.status.code(), Some(0..=3)) {
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                return Err(Error::Ended { command: process::shown(&command), status: output.status });
            }
            let verdicts = verdicts(&String::from_utf8_lossy(&output.stdout));
            Ok::<String, Error>(format!("{verdicts}({})", output.status))
        };
        let expected = verify(&["--cache", "off"], &[])?;
        // The second run starts with what the first left on disk.
        for run in ["with a cache", "after a restart"] {
            let found = verify(&reading, &self.plant)?;
            if found != expected {
                return Ok(Some(format!("from scratch:\n{expected}\n{run}:\n{found}")));
            }
        }
        Ok(None)
    }
}

/// What was found out, without how: each line of `--json` less where its result came from, in the order
/// of the files and not of the verification. Also without what the solver may choose: the ways to failing
/// checks (and with them the `return` at which a postcondition is reported), and whether it has a model
/// for a failing check or a candidate for one.
fn verdicts(printed: &str) -> String {
    let verdict = |line: &str| {
        let mut json: Value = serde_json::from_str(line).unwrap_or_else(|_| Value::from(line));
        if let Some(object) = json.as_object_mut() {
            for how in ["because", "origin", "priority", "resource", "checks"] {
                object.remove(how);
            }
            if object.get("verdict").is_some_and(|verdict| verdict == "not-proved") {
                object.insert("verdict".to_owned(), Value::from("refuted"));
            }
            for error in object.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
                let Some(error) = error.as_object_mut() else { continue };
                error.remove("trace");
                if error
                    .get("message")
                    .is_some_and(|it| it.as_str().is_some_and(|it| it.contains("return path")))
                {
                    error.remove("at");
                }
            }
            if let Some(errors) = object.get_mut("errors").and_then(Value::as_array_mut) {
                // Their order follows the places that were left out.
                errors.sort_by_key(Value::to_string);
            }
        }
        format!("{json}\n")
    };
    let mut verdicts: Vec<String> = printed.lines().map(verdict).collect();
    verdicts.sort();
    verdicts.concat()
}
