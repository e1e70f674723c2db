//! The oracle of `ivl`: random Boogie programs and edits. Each version of a program is verified with the
//! results of the earlier ones at hand, and from scratch; errors and their positions must be the same.
//!
//! Two differences are allowed. Where a run from scratch meets its limits the cache may still know the answer
//! from a run with larger ones. And where there are quantifiers the solver is not complete: it may give up on a
//! check, because nothing in its query triggers the instance that matters, although it proved the same check
//! when the earlier version of the program happened to mention the right term. Then the cache knows more than
//! a run from scratch. The oracle believes either only if a solver with more resources that looks for instances
//! by itself says the same from scratch; otherwise the cached answer is a lie like any other.

mod edit;
mod expression;
mod generate;
mod heights;
pub(super) mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::known::Known;
use super::random::Random;
use super::{Oracle, Planted};
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::workers::side_by_side;
use program::{Case, Program, Run};

/// How many edits follow the first version of a program.
pub(super) const EDITS: usize = 6;
/// In Z3's unit. Far more than these programs need, so that the engine decides everything it can.
pub(super) const PLENTY: u64 = 20_000_000;
/// What a solver may take that looks for instances of quantifiers by itself, in Z3's unit. It ends soon or
/// never.
const THOROUGH: u64 = 2_000_000;

/// The faults that `ivl` can be built to commit.
pub(super) const FAULTS: [Planted; 15] = [
    ("drop-part", 0),
    ("old-positions", 0),
    ("cover-new-checks", 4),
    ("latest-specifications", 24),
    ("ignore-declarations", 56),
    ("unreached-is-verified", 24),
    ("ignore-conditions", 28),
    ("trust-calls", 216),
    ("overlook-gone", 12),
    ("one-choice", 240),
    ("keep-written", 56),
    ("tell-constants-apart", 8),
    ("choose-once", 12),
    ("blur-numbers", 60),
    ("other-values", 8),
];

/// Runs `ivl` as a program.
pub(super) struct Ivl<'a> {
    pub(super) programs: Programs,
    /// Options that make it commit a fault, for the runs with a cache.
    pub(super) plant: Vec<String>,
    pub(super) scratch: Scratch,
    /// What runs from scratch said.
    known: &'a Known<Found>,
    /// In how many runs the cache had a proof that the solver does not find from scratch.
    knew_more: AtomicUsize,
    /// How many programs were tried.
    tried: AtomicUsize,
    /// How many of them were refused because of their names or types: such a program shows nothing.
    refused: AtomicUsize,
}

impl Oracle for Ivl<'_> {
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

    fn remark(&self) -> Result<Option<String>, Error> {
        let [count, tried, refused] =
            [&self.knew_more, &self.tried, &self.refused].map(|it| it.load(Ordering::Relaxed));
        Ok(Some(format!(
            "{refused} of {tried} programs were refused because of names or types; in {count} runs the solver \
             from scratch gave up, or met its limits, on what the cache knew, and each time a run from scratch \
             with model-based instantiation and more resources agreed with the cache"
        )))
    }

    fn differences(&self, cases: &[Case]) -> Result<Vec<Option<String>>, Error> {
        side_by_side(cases, |case| self.difference(case)).into_iter().collect()
    }
}

impl<'a> Ivl<'a> {
    pub(super) fn new(
        programs: Programs,
        plant: Vec<String>,
        scratch: Scratch,
        known: &'a Known<Found>,
    ) -> Self {
        let [knew_more, tried, refused] = [0; 3].map(AtomicUsize::new);
        Self { programs, plant, scratch, known, knew_more, tried, refused }
    }

    fn difference(&self, case: &Case) -> Result<Option<String>, Error> {
        let folder = Scratch::new()?;
        let mut texts = String::new();
        for (name, text) in self.files(std::slice::from_ref(case)) {
            let file = folder.path().join(&name);
            fs::write(&file, &text).map_err(Error::writing(&file))?;
            texts.push_str(&format!("{name}\n{text}\n"));
        }
        // Single checks are used wherever they can be, also where that is unlikely to be cheaper.
        let reading = strings(&["--cache", "read-write", "--cache-dir", "cache"]);
        let verify = |options: &[String], plant: &[String]| {
            let mut command = self.programs.command("ivl", &self.scratch);
            // Files are named from their folder: another search has them elsewhere.
            command.current_dir(folder.path()).args(["verify", "--snapshots", "case.bpl"]);
            command.args(["--json", "--cores", "1"]);
            command.args(options).args(plant);
            let output = process::output(&mut command)?;
            if !matches!(output.status.code(), Some(0..=3)) {
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                return Err(Error::Ended { command: process::shown(&command), status: output.status });
            }
            Ok::<Found, Error>(Found::new(
                &String::from_utf8_lossy(&output.stdout),
                &output.status.to_string(),
            ))
        };
        let from_scratch = |options: &[String]| {
            let options = [options, &strings(&["--cache", "off"])].concat();
            self.known.answer(format!("{options:?}\n{texts}"), || verify(&options, &[]))
        };
        let mut knew_more = false;
        for (number, run) in case.runs.iter().enumerate() {
            let settings = settings(run);
            let expected = from_scratch(&settings)?;
            if number == 0 {
                self.tried.fetch_add(case.versions.len(), Ordering::Relaxed);
                self.refused.fetch_add(expected.refused, Ordering::Relaxed);
            }
            let mut how = strings(&["--caching", run.caching]);
            how.extend(strings(if run.caching == "replay" { &["--replay-from", "0"] } else { &[] }));
            how.extend(strings(if run.audit { &["--audit", "always"] } else { &[] }));
            let found = verify(&[&settings[..], &reading, &how].concat(), &self.plant)?;
            // An audit also complains where the cache rightly knows more; what it says is the fresh answer.
            if found == expected || (run.audit && knew_more && found.about == expected.about) {
                continue;
            }
            // What more resources would say, and what a solver would that looks for instances by itself.
            let patient = || {
                let run = Run { resource: run.resource.max(PLENTY), ..run.clone() };
                from_scratch(&self::settings(&run))
            };
            let thorough = || {
                let run = Run { resource: THOROUGH, error_limit: 0, ..run.clone() };
                let options = strings(&["--solver-option", "smt.mbqi=true"]);
                from_scratch(&[&self::settings(&run)[..], &options].concat())
            };
            if found.may_know_more_than(&expected)
                && (found.is_confirmed_by(&expected, &patient()?)
                    || found.is_confirmed_by(&expected, &thorough()?))
            {
                knew_more = true;
                self.knew_more.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            let (number, settings) = (number + 1, [&settings[..], &how].concat().join(" "));
            return Ok(Some(format!("from scratch:\n{expected}\nin run {number} ({settings}):\n{found}")));
        }
        Ok(None)
    }
}

fn strings(options: &[&str]) -> Vec<String> {
    options.iter().map(|option| (*option).to_owned()).collect()
}

/// The options of a run, without how its cache is used.
fn settings(run: &Run) -> Vec<String> {
    let (errors, resource) = (run.error_limit.to_string(), run.resource.to_string());
    let limits = ["--error-limit", &errors, "--rlimit", &resource];
    strings(&[&limits[..], &run.options].concat())
}

/// What a run found out, less how: without where a result came from, and without what the solver may
/// choose, which is the ways to failing checks (and with them the `return` at which a postcondition is
/// reported), and whether it has a model for a failing check or a candidate for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// By its position and name, what is said about each implementation, and about the program.
    about: BTreeMap<String, Said>,
    status: String,
    /// How many programs have errors in names or types.
    refused: usize,
}

/// What is said about one implementation.
#[derive(Debug, Clone)]
struct Said {
    /// Everything but the errors and whether the solver was sure of them.
    rest: String,
    errors: BTreeSet<String>,
    /// The values with which its checks fail, where they are wanted: those of the same query, whatever is known of it.
    values: BTreeSet<String>,
    /// Whether the solver gave up on a check: it has no proof, and no model that refutes it either.
    gave_up: bool,
    /// Whether it met the limits before everything was decided, with errors or without.
    out_of_limits: bool,
}

impl PartialEq for Said {
    fn eq(&self, other: &Self) -> bool {
        self.rest == other.rest
            && self.errors == other.errors
            && self.values == other.values
            && self.fails() == other.fails()
            && self.out_of_limits == other.out_of_limits
    }
}

impl Eq for Said {}

impl Said {
    fn fails(&self) -> bool {
        self.gave_up || !self.errors.is_empty()
    }
}

impl Found {
    fn new(printed: &str, status: &str) -> Self {
        let mut about = BTreeMap::new();
        let mut refused = BTreeSet::new();
        for line in printed.lines() {
            let mut json: Value = serde_json::from_str(line).unwrap_or_else(|_| Value::from(line));
            let (mut errors, mut values) = (BTreeSet::new(), BTreeSet::new());
            let (mut gave_up, mut out_of_limits) = (false, false);
            let mut name = line.to_owned();
            if json["kind"] == "diagnostic" && json["severity"] == "error" {
                refused.insert(json["at"]["file"].to_string());
            }
            if let Some(object) = json.as_object_mut() {
                for how in ["because", "origin", "priority", "resource", "checks"] {
                    object.remove(how);
                }
                if let Some(Value::String(verdict)) = object.remove("verdict") {
                    name = ["at", "name"]
                        .map(|key| object.get(key).map(Value::to_string).unwrap_or_default())
                        .concat();
                    match verdict.as_str() {
                        // That it fails is said by its errors.
                        "valid" | "refuted" => {}
                        "not-proved" => gave_up = true,
                        "out-of-resource" | "out-of-time" | "out-of-memory" => {}
                        other => drop(object.insert("verdict".to_owned(), Value::from(other))),
                    }
                }
                out_of_limits = object.remove("limits_met") == Some(Value::Bool(true));
                if let Some(Value::Array(mut all)) = object.remove("errors") {
                    let own = |error: &mut Value| {
                        Some(error.as_object_mut()?.remove("counterexample")?.to_string())
                    };
                    values = all.iter_mut().filter_map(own).collect();
                    errors = all.into_iter().map(bare).collect();
                }
            }
            about.insert(name, Said { rest: json.to_string(), errors, values, gave_up, out_of_limits });
        }
        Self { about, status: status.to_owned(), refused: refused.len() }
    }

    /// Whether these answers differ from those from scratch only where the solver, asked from scratch, met
    /// the limits, or gave up on checks that count as proved here. An answer that met larger limits speaks for
    /// smaller ones, with the errors that it has.
    fn may_know_more_than(&self, scratch: &Self) -> bool {
        self.about.len() == scratch.about.len()
            && self.about.iter().zip(&scratch.about).all(|((name, here), (other, there))| {
                let fewer = there.gave_up && here.errors.is_subset(&there.errors);
                let further = !here.out_of_limits || here.errors.is_superset(&there.errors);
                let more = if there.out_of_limits { further } else { !here.out_of_limits && fewer };
                let same_values = here.errors != there.errors || here.values == there.values;
                name == other && (here == there || here.rest == there.rest && same_values && more)
            })
    }

    /// Whether a run from scratch that tries harder says what these answers say beyond those from scratch.
    fn is_confirmed_by(&self, scratch: &Self, harder: &Self) -> bool {
        self.about.iter().all(|(name, here)| {
            let (Some(there), Some(sure)) = (scratch.about.get(name), harder.about.get(name)) else {
                return false;
            };
            let fewer = || there.errors.difference(&here.errors).all(|it| !sure.errors.contains(it));
            let same = match (there.out_of_limits, here.out_of_limits) {
                (true, true) => here.errors.is_subset(&sure.errors),
                (true, false) => here == sure,
                (false, _) => fewer(),
            };
            here == there || (!sure.out_of_limits && sure.rest == here.rest && same)
        })
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for said in self.about.values() {
            let gave_up = if said.gave_up { "; the solver gave up" } else { "" };
            let limits = if said.out_of_limits { "; out of limits" } else { "" };
            writeln!(f, "{}{gave_up}{limits}", said.rest)?;
            for error in &said.errors {
                writeln!(f, "    {error}")?;
            }
        }
        write!(f, "({})", self.status)
    }
}

/// An error without the way to it.
fn bare(mut error: Value) -> String {
    if let Some(error) = error.as_object_mut() {
        error.remove("trace");
        let message = error.get("message").and_then(Value::as_str);
        if message.is_some_and(|it| it.contains("return path")) {
            error.remove("at");
        }
    }
    error.to_string()
}
