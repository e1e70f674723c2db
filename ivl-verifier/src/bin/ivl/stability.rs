//! `ivl stability`: which proofs hold by luck.
//!
//! The program is verified again and again from scratch: with other seeds of the solver, with what is known in another
//! order, with other names, and within half of the limits. None of these changes what is asked. An implementation that
//! is proved in some runs and not in others is unstable: the next edit, machine or version of the solver may lose it.
//! One that has no answer in some run (it is not supported, or the solver's program failed) is told as such, with the
//! reason, and says nothing of the others.
//!
//! With `--caching replay` a proof that held before holds again ([`again`]). What is not proved in some run is asked
//! there with the instances of quantifiers that an earlier proof needed: first with those that the cache has, then,
//! if one of the runs proves it, with those of that proof, which the cache keeps from then on. What is proved in each
//! run, by itself or so, `was proved, replayed`: its proofs are luck, and no edit has to wait for it any more. Only
//! what is neither in some run is unstable.

mod again;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use cache_core::mode::Mode;
use cache_core::worker::Cancel;
use ivl_verifier::base::source::Sources;
use ivl_verifier::base::system::System;
use ivl_verifier::report::{Report, Verdict, human};
use ivl_verifier::service::{Disturbance, Options, Replay, Verifier};
use ivl_verifier::smt::answer::Outcome;
use serde_json::json;

use crate::arguments::{Caching, Stability};
use crate::{session, verify};
use again::Again;

/// Boogie's limit in the solver's resource count that is about as far as ten seconds go, where none is given: verdicts
/// must not depend on how busy a machine is.
const USUAL_LIMIT: u64 = 20_000_000;

/// What differs between the runs of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Plain,
    Seed,
    Order,
    Names,
    HalfLimit,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Seed => "seed",
            Self::Order => "order",
            Self::Names => "names",
            Self::HalfLimit => "half_limit",
        }
    }
}

/// A run of an implementation.
struct Run {
    kind: Kind,
    /// Which of all runs it is.
    number: usize,
    proved: bool,
    /// Whether it is not proved by itself, but by the instances of an earlier proof.
    replayed: bool,
    /// What the solver spent, in its resource count.
    resource: u64,
    /// Why there is no answer.
    missing: Option<String>,
}

/// The runs of an implementation.
#[derive(Default)]
struct Runs {
    name: String,
    all: Vec<Run>,
}

/// What the runs of an implementation say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Proved in every run.
    Stable,
    /// Proved in every run, in some of them by the instances of an earlier proof.
    Replayed,
    /// Proved in some runs, and in others neither by itself nor by instances.
    Unstable,
    /// Proved in none.
    NotProved,
    /// Without an answer in some run.
    Unanswered,
}

/// The implementations of a program by their places and identities, with their runs.
type Known = BTreeMap<(usize, String), Runs>;

impl Standing {
    fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Replayed => "replayed",
            Self::Unstable => "unstable",
            Self::NotProved => "not_proved",
            Self::Unanswered => "no_answer",
        }
    }
}

impl Runs {
    /// Runs within half of the limits say how near the limits a proof is, and nothing of luck.
    fn whole(&self) -> impl Iterator<Item = &Run> {
        self.all.iter().filter(|run| run.kind != Kind::HalfLimit)
    }

    /// Why there is no answer in some run.
    fn missing(&self) -> Option<&str> {
        self.all.iter().find_map(|run| run.missing.as_deref())
    }

    fn standing(&self) -> Standing {
        if self.missing().is_some() {
            return Standing::Unanswered;
        }
        let holds = |run: &Run| run.proved || run.replayed;
        if !self.whole().any(holds) {
            Standing::NotProved
        } else if self.whole().all(|run| run.proved) {
            Standing::Stable
        } else if self.whole().all(holds) {
            Standing::Replayed
        } else {
            Standing::Unstable
        }
    }

    fn near_its_limit(&self) -> bool {
        self.all.iter().any(|run| run.kind == Kind::HalfLimit && !run.proved)
            && matches!(self.standing(), Standing::Stable | Standing::Replayed | Standing::Unstable)
    }

    /// The least, the mean and the largest resource of a run.
    fn resource(&self) -> [u64; 3] {
        let spent: Vec<u64> = self.whole().map(|run| run.resource).collect();
        let count = u64::try_from(spent.len()).unwrap_or(u64::MAX).max(1);
        let bounds = (spent.iter().min(), spent.iter().max());
        [bounds.0.copied().unwrap_or(0), spent.iter().sum::<u64>() / count, bounds.1.copied().unwrap_or(0)]
    }
}

/// Runs the subcommand and gives the exit code.
pub(crate) fn run(arguments: &Stability, system: &Arc<dyn System>) -> u8 {
    let mut sources = Sources::default();
    let read: Result<Vec<_>, String> =
        arguments.files.iter().map(|file| session::read(&**system, &mut sources, file)).collect();
    let (files, options) = match read.and_then(|files| Ok((files, options(arguments, &**system)?))) {
        Ok(both) => both,
        Err(message) => return session::unusable(&**system, &message),
    };
    let mut known = Known::new();
    let plan = runs(&options, arguments.runs);
    for (number, (kind, options)) in plan.iter().enumerate() {
        let mut verifier = Verifier::new(options.clone(), None, Arc::clone(system));
        let snapshot = verifier.verify(&sources, &files, &Cancel::new(), |_| {});
        if snapshot.is_broken() {
            for diagnostic in &snapshot.diagnostics {
                system.print_error(&human::diagnostic(&sources, diagnostic, false));
            }
            return session::unusable(&**system, "the program has errors");
        }
        for report in &snapshot.reports {
            let missing = match &report.verdict {
                Verdict::Failed(message) | Verdict::Unsupported(message) => Some(message.clone()),
                _ => None,
            };
            let runs = known.entry((report.index, report.identity.clone())).or_default();
            runs.name.clone_from(&report.name);
            let (kind, proved, resource) = (*kind, proved(report), report.resource);
            runs.all.push(Run { kind, number, proved, replayed: false, resource, missing });
        }
    }
    if arguments.run.caching == Caching::Replay {
        let (store, warnings) = session::store_for(&**system, &arguments.run.cache);
        warnings.iter().for_each(|warning| system.print_error(&format!("warning: {warning}\n")));
        Again::new(&plan, (&sources, &files), system).hold(&mut known, store, arguments.run.cache.mode);
    }
    let all: Vec<&Runs> = known.values().collect();
    let text = if arguments.json { lines(&all) } else { table(&all, arguments.runs) };
    let printed = session::print(&**system, &text);
    let first_missing = all.iter().find_map(|runs| Some((&runs.name, runs.missing()?)));
    if let Some((name, message)) = first_missing
        && all.iter().all(|runs| runs.standing() == Standing::Unanswered)
    {
        return session::unusable(&**system, &format!("nothing is answered; {name}: {message}"));
    }
    let unstable = all.iter().any(|runs| runs.standing() == Standing::Unstable);
    let code = if unstable { session::FINDINGS } else { session::FINE };
    code.max(printed)
}

fn proved(report: &Report) -> bool {
    report.verdict == Verdict::Decided(Outcome::Valid) && !report.limits_met
}

/// What every run has in common: no answer is kept and none replayed, and limits are counted, not timed, unless time is
/// asked for.
fn options(arguments: &Stability, system: &dyn System) -> Result<Options, String> {
    let limits = &arguments.run.limits;
    let usual = limits.time_limit.is_none() && limits.rlimit.is_none();
    let options = verify::options(&arguments.run, system)?;
    Ok(Options {
        mode: Mode::Off,
        replay: Replay::Never,
        time_limit_ms: options.time_limit_ms.filter(|_| !usual),
        resource_limit: if usual { Some(USUAL_LIMIT) } else { options.resource_limit },
        ..options
    })
}

/// The runs: one as the program stands, so many of each kind, and one within half of the limits.
fn runs(usual: &Options, count: u32) -> Vec<(Kind, Options)> {
    let mut runs = vec![(Kind::Plain, usual.clone())];
    for number in 1..=count {
        let mut seeded = usual.clone();
        seeded.solver_options.push(("random_seed".to_owned(), number.to_string()));
        runs.push((Kind::Seed, seeded));
        let number = u64::from(number);
        let disturbed = |disturbance| Options { disturbance: Some(disturbance), ..usual.clone() };
        runs.push((Kind::Order, disturbed(Disturbance::Order(number))));
        runs.push((Kind::Names, disturbed(Disturbance::Names(number))));
    }
    let half = Options {
        time_limit_ms: usual.time_limit_ms.map(|limit| limit / 2),
        resource_limit: usual.resource_limit.map(|limit| limit / 2),
        ..usual.clone()
    };
    runs.push((Kind::HalfLimit, half));
    runs
}

/// A line for each implementation, and what they say together.
fn table(all: &[&Runs], count: u32) -> String {
    let width =
        all.iter().map(|runs| runs.name.chars().count()).max().unwrap_or(0).max("implementation".len());
    let mut out = format!(
        "{:width$}  {:>9}  {:>12}  {:>7}  standing\n",
        "implementation", "proved", "resource", "spread"
    );
    for runs in all {
        let (proved, whole) = (runs.whole().filter(|run| run.proved).count(), runs.whole().count());
        let [least, mean, most] = runs.resource();
        let spread = if least == 0 { "-".to_owned() } else { format!("{:.2}", most as f64 / least as f64) };
        let said = match runs.standing() {
            Standing::Stable if runs.near_its_limit() => "stable, not within half of the limits".to_owned(),
            Standing::Stable => "stable".to_owned(),
            Standing::Replayed => "was proved, replayed".to_owned(),
            Standing::Unstable => "UNSTABLE".to_owned(),
            Standing::NotProved => "not proved".to_owned(),
            Standing::Unanswered => {
                let message = runs.missing().unwrap_or_default();
                format!("no answer: {}", message.lines().next().unwrap_or_default())
            }
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:width$}  {:>9}  {mean:>12}  {spread:>7}  {said}",
            runs.name,
            format!("{proved} of {whole}")
        );
    }
    let of = |standing| all.iter().filter(|runs| runs.standing() == standing).count();
    let _ = writeln!(
        out,
        "{} stable{}, {} unstable, {} not proved{}; {count} seeds, orders and sets of names each",
        of(Standing::Stable),
        match of(Standing::Replayed) {
            0 => String::new(),
            replayed => format!(", {replayed} replayed"),
        },
        of(Standing::Unstable),
        of(Standing::NotProved),
        match of(Standing::Unanswered) {
            0 => String::new(),
            unanswered => format!(", {unanswered} without an answer"),
        }
    );
    out
}

/// A JSON object for each implementation.
fn lines(all: &[&Runs]) -> String {
    let mut out = String::new();
    for runs in all {
        let [least, mean, most] = runs.resource();
        let each: Vec<_> = runs
            .all
            .iter()
            .map(|run| {
                let (kind, resource) = (run.kind.name(), run.resource);
                let mut told = json!({
                    "kind": kind,
                    "proved": run.proved,
                    "replayed": run.replayed,
                    "resource": resource,
                });
                if let Some(message) = &run.missing {
                    told["message"] = json!(message);
                }
                told
            })
            .collect();
        let mut line = json!({
            "implementation": runs.name,
            "standing": runs.standing().name(),
            "near_its_limit": runs.near_its_limit(),
            "resource": { "least": least, "mean": mean, "most": most },
            "runs": each,
        });
        if let Some(message) = runs.missing() {
            line["message"] = json!(message);
        }
        out.push_str(&line.to_string());
        out.push('\n');
    }
    out
}
