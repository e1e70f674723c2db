//! Running sessions: what each snapshot of each session took in each way of caching, and what came out.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value, json};

use super::super::measure;
use super::super::report::Section;
use super::sessions::Session;
use crate::error::Error;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// The budget of an implementation in Z3's unit, in place of the paper's 10 seconds: so the same
/// implementations exceed it on every machine.
pub(super) const RESOURCE: &str = "4000000";

/// How a session is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    NoCache,
    Basic,
    FineGrained,
    /// As fine-grained, with proofs replayed by the instances that they needed.
    Replay,
    /// No cache, but two solvers side by side.
    TwoSolvers,
}

impl Way {
    pub(super) fn name(self) -> &'static str {
        match self {
            Way::NoCache => "no cache",
            Way::Basic => "basic",
            Way::FineGrained => "fine-grained",
            Way::Replay => "replay",
            Way::TwoSolvers => "no cache, two solvers",
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Way::NoCache => &["--cache", "off", "--cores", "1"],
            Way::Basic => &["--caching", "basic", "--cores", "1"],
            Way::FineGrained => &["--caching", "fine-grained", "--cores", "1"],
            Way::Replay => &["--caching", "replay", "--cores", "1"],
            Way::TwoSolvers => &["--cache", "off", "--cores", "2"],
        }
    }
}

/// What one implementation of a snapshot took, and what came out.
#[derive(Debug, Clone, Default)]
pub(super) struct Implementation {
    pub(super) name: String,
    pub(super) verdict: String,
    /// Whether the limits were met, before any error or behind some.
    pub(super) limits_met: bool,
    /// The errors without what the solver may choose: the ways to them and the `return` that is told.
    pub(super) errors: Vec<String>,
    pub(super) priority: String,
    pub(super) because: Vec<String>,
    /// Where the answer comes from.
    pub(super) origin: String,
    pub(super) resource: u64,
    /// What became of the checks, by the name of the action.
    pub(super) actions: BTreeMap<String, u64>,
}

impl Implementation {
    /// Whether it was asked with the instances of an earlier proof; and if so, whether these proved it.
    pub(super) fn replayed(&self) -> Option<bool> {
        let failed = || self.because.iter().any(|why| why.contains("the instances of its earlier proof"));
        if self.origin == "replayed" { Some(true) } else { failed().then_some(false) }
    }

    pub(super) fn is_out_of_limits(&self) -> bool {
        self.verdict.starts_with("out-of-")
    }
}

/// A session in one way.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// The implementations of each snapshot; none where it has errors.
    pub(super) snapshots: Vec<Vec<Implementation>>,
    /// Processor seconds of the tool and the solver together.
    pub(super) seconds: f64,
    /// Seconds until the last snapshot was done.
    pub(super) elapsed: f64,
    /// Z3's count of its work.
    pub(super) resource: u64,
}

impl Run {
    pub(super) fn time_outs(&self) -> usize {
        self.snapshots.iter().flatten().filter(|it| it.is_out_of_limits()).count()
    }
}

/// Verifies a part of a session.
pub(super) fn run(
    programs: &Programs,
    session: &Session,
    part: (usize, usize),
    way: Way,
    section: &mut Section,
) -> Result<Run, Error> {
    let scratch = Scratch::new()?;
    session.write(scratch.path(), "bpl", part)?;
    let mut command = programs.command("ivl", &scratch);
    command.args(["verify", "--snapshots", "--json", "--rlimit", RESOURCE]);
    command.arg(scratch.path().join("session.bpl"));
    let begin = Instant::now();
    let run = measure::run_any(command, way.options(), &[0, 1, 2])?;
    let elapsed = begin.elapsed().as_secs_f64();
    let result = Run {
        snapshots: snapshots(&run.stdout, part.1),
        seconds: run.seconds,
        elapsed,
        resource: run.engine("solver_resource"),
    };
    section.raw.push(json!({
        "session": session.name, "from": part.0, "snapshots": part.1, "way": way.name(),
        "seconds": run.seconds, "elapsed": elapsed, "engine": run.stats["engine"], "cache": run.stats["cache"],
        "resource": result.snapshots.iter().map(|it| it.iter().map(|it| it.resource).sum()).collect::<Vec<u64>>(),
    }));
    Ok(result)
}

/// Reads the lines of `--json`, one per implementation, by the version in the name of their file.
fn snapshots(printed: &str, count: usize) -> Vec<Vec<Implementation>> {
    let mut snapshots = vec![Vec::new(); count];
    for line in printed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        if line["kind"] != "implementation" {
            continue;
        }
        let file = line["at"]["file"].as_str().unwrap_or_default();
        let version =
            file.trim_end_matches(".bpl").rsplit(".v").next().and_then(|version| version.parse().ok());
        if let Some(snapshot) = version.and_then(|version: usize| snapshots.get_mut(version)) {
            snapshot.push(implementation(&line));
        }
    }
    snapshots.iter_mut().for_each(|snapshot| snapshot.sort_by(|one, other| one.name.cmp(&other.name)));
    snapshots
}

fn implementation(line: &Value) -> Implementation {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut errors: Vec<String> = list(&line["errors"])
        .iter()
        .map(|error| {
            let message = text(&error["message"]);
            // Not the file: each run has a folder of its own.
            let place = |at: &Value| format!("{}:{}", at["line"], at["column"]);
            let at = if message.contains("return path") { String::new() } else { place(&error["at"]) };
            let related: Vec<String> =
                list(&error["related"]).iter().map(|it| place(&it["at"]) + &text(&it["message"])).collect();
            format!("{at} {message} {}", related.join(" "))
        })
        .collect();
    errors.sort();
    let mut actions: BTreeMap<String, u64> = BTreeMap::new();
    for check in list(&line["checks"]) {
        *actions.entry(text(&check["action"])).or_default() += 1;
    }
    Implementation {
        name: text(&line["name"]),
        verdict: text(&line["verdict"]),
        limits_met: line["limits_met"] == true,
        errors,
        priority: text(&line["priority"]),
        origin: text(&line["origin"]),
        because: list(&line["because"]).iter().map(text).collect(),
        resource: line["resource"].as_u64().unwrap_or(0),
        actions,
    }
}

/// Where a run with a cache says something else than the run from scratch. An error with a model and one with a
/// candidate for a model are the same, and a cache may know what exceeds the limits from scratch.
pub(super) fn differences(scratch: &Run, cached: &Run) -> Vec<String> {
    let mut differences = Vec::new();
    for (number, (expected, found)) in scratch.snapshots.iter().zip(&cached.snapshots).enumerate() {
        let names = |implementations: &[Implementation]| -> Vec<String> {
            implementations.iter().map(|it| it.name.clone()).collect()
        };
        if names(expected) != names(found) {
            differences.push(format!("snapshot {number}: not the same implementations"));
            continue;
        }
        for (expected, found) in expected.iter().zip(found) {
            let verdict = |it: &Implementation| match it.verdict.as_str() {
                "not-proved" => "refuted".to_owned(),
                verdict => verdict.to_owned(),
            };
            let same = verdict(expected) == verdict(found) && expected.errors == found.errors;
            if !same && !expected.limits_met {
                differences.push(format!(
                    "snapshot {number}, {}: {} with {} errors from scratch, {} with {}",
                    expected.name,
                    expected.verdict,
                    expected.errors.len(),
                    found.verdict,
                    found.errors.len()
                ));
            }
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::{Run, differences, snapshots};

    fn line(version: u8, verdict: &str, column: u8) -> String {
        let met = verdict.starts_with("out-of-");
        let at = format!("{{\"file\":\"/t{column}/session.v{version}.bpl\",\"column\":{column}}}");
        format!(
            "{{\"kind\":\"implementation\",\"name\":\"P\",\"at\":{at},\"verdict\":\"{verdict}\",\"limits_met\":{met},\"origin\":\"solver\",\
             \"errors\":[{{\"message\":\"m\",\"at\":{at}}}],\"checks\":[{{\"action\":\"skipped\"}}],\"resource\":7}}\n"
        )
    }

    fn run(text: &str) -> Run {
        Run { snapshots: snapshots(text, 2), ..Run::default() }
    }

    #[test]
    fn lines_are_sorted_into_snapshots() {
        let run = run(&(line(1, "valid", 1) + "{\"kind\":\"summary\"}\n"));
        assert!(run.snapshots[0].is_empty());
        let found = &run.snapshots[1][0];
        assert_eq!((found.name.as_str(), found.resource, found.actions["skipped"]), ("P", 7, 1));
    }

    #[test]
    fn attempts_to_replay_a_proof_are_told_from_other_answers() {
        let mut one = run(&line(0, "valid", 1)).snapshots.swap_remove(0).swap_remove(0);
        assert_eq!(one.replayed(), None);
        one.because.push("the instances of its earlier proof do not prove it".to_owned());
        assert_eq!(one.replayed(), Some(false));
        one.origin = "replayed".to_owned();
        assert_eq!(one.replayed(), Some(true));
    }

    #[test]
    fn what_is_true_is_compared_and_not_how_it_was_found() {
        let expected = run(&line(0, "refuted", 1));
        assert!(differences(&expected, &run(&line(0, "not-proved", 1))).is_empty());
        assert_eq!(differences(&expected, &run(&line(0, "valid", 1))).len(), 1);
        assert_eq!(differences(&expected, &run(&line(0, "refuted", 2))).len(), 1);
        assert_eq!(differences(&expected, &run("")).len(), 1);
        // The cache may know more than a solver within its limits, but not less.
        let limit = run(&line(0, "out-of-resource", 1));
        assert!(differences(&limit, &run(&line(0, "valid", 1))).is_empty());
        assert_eq!(differences(&run(&line(0, "valid", 1)), &limit).len(), 1);
    }
}
