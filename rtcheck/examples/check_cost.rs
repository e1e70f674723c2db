//! What the checks of one program cost, in many settings.
//!
//! ```text
//! check_cost PLAN.json
//! ```
//!
//! loads the plan's program without checks, with all and with those that are not proved, runs it in every
//! setting of the plan, and prints a JSON array with a record per run: the checker's counts, the same each
//! time, and the median of the processor time over a number of rounds in which all settings take turns. The
//! program's `main/1` is called with two arguments: the size of its workload, and how often to do it; each time
//! must undo what it bound, so that it starts with an empty cache. Before anything is counted each program has done a
//! workload of size 1. With zero rounds nothing is timed and each
//! run is one call of [`measured`], for valgrind to count the instructions of.
//!
//! `cargo xtask bench rtcheck` writes the plans.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::hint::black_box;
use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;

use nix::sys::resource::{UsageWho, getrusage};
use rtcheck::base::OsSystem;
use rtcheck::check::{CacheKind, Configuration, Counters};
use rtcheck::session::{Options, Session};
use serde_json::{Value, json};

/// The most times a workload is repeated within one measurement.
const MOST_REPETITIONS: f64 = 200_000.0;
/// A run that takes more seconds than this is measured once: what disturbs it is small beside it.
const LONG: f64 = 0.5;

/// One run of a plan.
struct Run {
    n: u64,
    checks: bool,
    /// Whether statuses of preconditions are shared, as in the paper's transformation and not in older ones.
    shares: bool,
    /// Whether what is proved is not checked.
    analysis: bool,
    configuration: Configuration,
}

impl Run {
    fn read(value: &Value) -> Option<Run> {
        let cache: CacheKind = value["cache"].as_str()?.parse().ok()?;
        Some(Run {
            n: value["n"].as_u64()?,
            checks: value["checks"].as_bool()?,
            shares: value["shares"].as_bool()?,
            analysis: value["analysis"].as_bool()?,
            configuration: Configuration {
                cache,
                size: usize::try_from(value["size"].as_u64()?).ok()?,
                depth_limit: value["depth_limit"].as_u64().and_then(|limit| u32::try_from(limit).ok()),
                every: NonZeroU32::new(u32::try_from(value["every"].as_u64()?).ok()?)?,
                inherit: value["inherit"].as_bool()?,
                ..Configuration::default()
            },
        })
    }
}

/// The program loaded, by whether its assertions are checked, and whether what is proved of them is not.
type Sessions = BTreeMap<(bool, bool), Session>;

fn open(program: &Path, (checks, analysis): (bool, bool)) -> Result<Session, String> {
    let options = Options { checks, analysis, ..Options::default() };
    Session::open(Box::new(OsSystem::new()), program, options).map_err(|error| error.to_string())
}

/// One call of the program. Valgrind starts to count where this is entered and stops where it is left.
#[inline(never)]
fn measured(session: &mut Session, arguments: Vec<String>) -> i32 {
    black_box(session.run(black_box(arguments)))
}

/// Does the workload of a run a number of times, with an empty cache at first.
fn perform(sessions: &mut Sessions, run: &Run, repetitions: u64) -> Result<Counters, String> {
    let session = sessions.get_mut(&(run.checks, run.analysis)).ok_or("no such session")?;
    session.machine.checker.restart(run.configuration);
    session.machine.rtchecks.shares = run.shares;
    let code = measured(session, vec![run.n.to_string(), repetitions.to_string()]);
    if code == 0 { Ok(session.machine.checker.counters()) } else { Err(format!("exit code {code}")) }
}

fn cpu_seconds() -> f64 {
    let of = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| of(usage.user_time()) + of(usage.system_time()))
}

fn seconds(sessions: &mut Sessions, run: &Run, repetitions: u64) -> Result<f64, String> {
    let start = cpu_seconds();
    perform(sessions, run, repetitions)?;
    Ok((cpu_seconds() - start) / repetitions as f64)
}

fn all(plan: &Value) -> Result<Vec<Value>, String> {
    let program = Path::new(plan["program"].as_str().ok_or("the plan names no program")?);
    let runs: Vec<Run> = plan["runs"]
        .as_array()
        .and_then(|runs| runs.iter().map(Run::read).collect())
        .ok_or("the plan's runs are not of the form expected")?;
    let rounds = plan["rounds"].as_u64().unwrap_or(0);
    // A measurement takes about so long, in seconds.
    let least = plan["least"].as_f64().unwrap_or(0.01);
    let mut sessions: Sessions = BTreeMap::new();
    for run in &runs {
        let how = (run.checks, run.analysis);
        if let Entry::Vacant(session) = sessions.entry(how) {
            // The library's predicates are compiled when they are called first, which is no cost of a check or of an
            // insertion. Whether a workload of this size means anything to the program does not matter.
            let _ = session.insert(open(program, how)?).run(vec!["1".to_owned(), "1".to_owned()]);
        }
    }
    let mut counters = Vec::new();
    let mut repetitions = Vec::new();
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); runs.len()];
    for (run, times) in runs.iter().zip(&mut times) {
        let start = cpu_seconds();
        counters.push(perform(&mut sessions, run, 1)?);
        let once = (cpu_seconds() - start).max(1e-6);
        repetitions.push((least / once).clamp(1.0, MOST_REPETITIONS) as u64);
        if once > LONG {
            times.push(once);
        }
    }
    for _ in 0..rounds {
        for ((run, repetitions), times) in runs.iter().zip(&repetitions).zip(&mut times) {
            if times.first().is_none_or(|once| *once <= LONG) {
                times.push(seconds(&mut sessions, run, *repetitions)?);
            }
        }
    }
    let record = |(counters, times): (&Counters, &mut Vec<f64>)| {
        times.sort_by(f64::total_cmp);
        json!({
            "seconds": times.get(times.len() / 2),
            "checks": counters.checks,
            "visits": counters.visits,
            "hits": counters.hits,
            "inherited": counters.inherited,
            "inserted": counters.inserted,
            "evicted": counters.evicted,
            "deepest": counters.deepest,
        })
    };
    Ok(counters.iter().zip(&mut times).map(record).collect())
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program whose output is read by xtask")]
fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: check_cost PLAN.json");
        return ExitCode::from(2);
    };
    let plan = std::fs::read_to_string(&path).map_err(|error| error.to_string());
    let plan = plan.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    match plan.and_then(|plan: Value| all(&plan)) {
        Ok(records) => {
            println!("{}", Value::from(records));
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("error: {path}: {reason}");
            ExitCode::FAILURE
        }
    }
}
