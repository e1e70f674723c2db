//! What is known of single checks is true of a program that was changed in any one place.
//!
//! A program is verified, changed in one place ([`Edits`]), and verified again with what is known of every check of
//! the last versions, used wherever it can be: that says what a run from scratch says. One difference is allowed, as in
//! the oracle of random edits: where the solver gave up from scratch on what was proved before, it may count as proved
//! if a solver that looks for instances of quantifiers by itself proves it.
//!
//! `IVL_EDITED=1` in the environment looks at every edit, `IVL_EDITED=50` at each fiftieth. Walks are those of
//! `IVL_WALKS=0..400`, over the programs of the folder `IVL_WALKED` if it is given.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use cache_core::mode::Mode;
use ivl_verifier::base::source::Sources;
use ivl_verifier::report::{CheckAction, CheckError, Origin, Report, Verdict};
use ivl_verifier::service::{Axioms, Expansion, Inlining, Instrument, Options, Replay};
use ivl_verifier::smt::answer::Outcome;
use rustc_hash::FxHashSet;

use crate::concrete::Numbers;
use crate::edits::Edits;
use crate::support::{self, Seen, Session, fixture};

/// Of how many edits one is looked at, unless this variable of the environment says otherwise.
const STRIDE: usize = 150;
const MORE: &str = "IVL_EDITED";

/// The programs, with the limit of errors under which they are verified.
const PROGRAMS: &[(&str, u32)] = &[
    ("keys/calls.bpl", 5),
    ("keys/calls.bpl", 1),
    ("abs.v3.bpl", 5),
    ("gcd.v2.bpl", 5),
    ("dutch_flag.v4.bpl", 5),
    ("keys/statements.bpl", 5),
    ("keys/declarations.bpl", 0),
    ("keys/histories.bpl", 5),
    ("language/conditions.bpl", 5),
    ("language/pools.bpl", 5),
];

/// What a solver may take that looks for instances of quantifiers by itself.
const THOROUGH: u64 = 2_000_000;

/// What is said about an implementation, but for what the solver may choose: the ways to failing checks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    /// How it came out, unless that is said by the errors.
    other: Option<String>,
    errors: BTreeSet<String>,
}

/// The same, and how sure that is.
#[derive(Clone, Debug)]
struct Answer {
    said: Said,
    /// The values with which its checks fail, where they are wanted.
    values: BTreeSet<String>,
    gave_up: bool,
    out_of_limits: bool,
}

fn bare(error: &CheckError) -> String {
    let diagnostic = &error.diagnostic;
    // Where control returns depends on the way.
    let place = (!diagnostic.message.contains("return path")).then_some(diagnostic.span);
    format!("{place:?} {} {:?} {:?}", diagnostic.message, diagnostic.related, error.own_words)
}

fn answers(seen: &Seen) -> BTreeMap<String, Answer> {
    let answer = |Report { verdict, errors, limits_met, .. }: &Report| Answer {
        said: Said {
            other: match verdict {
                Verdict::Decided(Outcome::Valid | Outcome::Refuted | Outcome::NotProved) => None,
                Verdict::Decided(outcome) if outcome.out_of_limits() => None,
                other => Some(format!("{other:?}")),
            },
            errors: errors.iter().map(bare).collect(),
        },
        values: errors.iter().filter_map(|it| Some(format!("{:?}", it.counterexample.as_ref()?))).collect(),
        gave_up: *verdict == Verdict::Decided(Outcome::NotProved),
        out_of_limits: *limits_met,
    };
    seen.reports.iter().map(|it| (it.identity.clone(), answer(it))).collect()
}

/// Whether what the cache knows more than a run from scratch is true.
fn knows_more(cached: &Answer, scratch: &Answer, thorough: impl FnOnce() -> Option<Answer>) -> bool {
    let (here, there) = (&cached.said, &scratch.said);
    let may = here.other == there.other
        && (scratch.out_of_limits || scratch.gave_up && here.errors.is_subset(&there.errors));
    may && thorough().is_some_and(|sure| {
        !sure.out_of_limits && there.errors.difference(&here.errors).all(|it| !sure.said.errors.contains(it))
    })
}

/// What was looked at.
#[derive(Debug, Default)]
struct Tally {
    /// Programs that were verified after an edit that reaches a key.
    programs: usize,
    /// Checks of which an earlier version knew something.
    known: usize,
    /// Implementations of which the cache knew more than a run from scratch.
    more: usize,
    /// Implementations whose proofs were replayed.
    replayed: usize,
    /// Errors whose values were known.
    values: usize,
    /// Walks that ended before their time.
    ended: usize,
}

impl Tally {
    /// Compares what is said with the past with what the settings `off` say from scratch.
    fn compare(
        &mut self,
        cached: &BTreeMap<String, Answer>,
        off: &Options,
        text: &str,
    ) -> Result<(), String> {
        let scratch = answers(&Session::with(off.clone()).verify("edit.bpl", text));
        for (identity, there) in &scratch {
            let thorough = || {
                let solver_options = vec![("smt.mbqi".to_owned(), "true".to_owned())];
                let thorough =
                    Options { resource_limit: Some(THOROUGH), error_limit: 0, solver_options, ..off.clone() };
                answers(&Session::with(thorough).verify("edit.bpl", text)).remove(identity)
            };
            let here = cached.get(identity);
            if here.is_some_and(|here| here.said == there.said && here.out_of_limits == there.out_of_limits) {
                // Values are those of the same query, whatever else is known.
                if here.is_some_and(|here| here.values == there.values) {
                    continue;
                }
                return Err(format!(
                    "with the past {identity} has\n{here:?}\nand from scratch\n{there:?}\n{text}"
                ));
            }
            // A run with larger limits may have answered.
            let usual = Options { resource_limit: support::options().resource_limit, ..off.clone() };
            let unlimited = text.replace("{:rlimit 7}", "           ");
            let unhurried = || answers(&Session::with(usual).verify("edit.bpl", &unlimited)).remove(identity);
            let answered = here
                .filter(|_| there.out_of_limits)
                .zip(unhurried())
                .is_some_and(|(here, it)| it.said == here.said);
            if answered || here.is_some_and(|here| knows_more(here, there, thorough)) {
                self.more += 1;
                continue;
            }
            return Err(format!(
                "with the past {identity} is\n{here:?}\nand from scratch\n{there:?}\n{text}"
            ));
        }
        Ok(())
    }
}

/// Compares, for every `stride`th edit of a program, what is said with the past and without.
fn law(name: &str, settings: &Options, stride: usize, tally: &mut Tally) -> Result<(), String> {
    let text = std::fs::read_to_string(fixture(name)).map_err(|error| error.to_string())?;
    let off = Options { mode: Mode::Off, ..settings.clone() };
    let mut session = Session::with(settings.clone());
    let keys = |session: &Session, text: &str| -> FxHashSet<_> {
        let mut sources = Sources::default();
        let file = sources.add("edit.bpl", text);
        session.verifier.questions(&sources, &[file]).into_iter().map(|it| it.key.confirm()).collect()
    };
    session.verify("edit.bpl", &text);
    let before = keys(&session, &text);
    let edits = Edits::of(&text);
    for number in edits.sample(stride) {
        let edited = edits.text(number);
        if keys(&session, &edited).is_subset(&before) {
            continue;
        }
        tally.programs += 1;
        // The version before is the original: its answers are known.
        session.verify("edit.bpl", &text);
        let seen = session.verify("edit.bpl", &edited);
        let actions = seen.reports.iter().flat_map(|report| &report.checks).map(|check| check.action);
        tally.known += actions.filter(|it| *it != CheckAction::Proved).count();
        tally.replayed += seen.reports.iter().filter(|it| it.origin == Origin::Replayed).count();
        tally
            .compare(&answers(&seen), &off, &edited)
            .map_err(|why| format!("{name}, change {number}: {}\n{why}", edits.describe(number)))?;
    }
    Ok(())
}

/// The programs of walks.
const WALKED: &[&str] = &[
    "keys/calls.bpl",
    "keys/histories.bpl",
    "keys/statements.bpl",
    "keys/declarations.bpl",
    "language/conditions.bpl",
    "language/pools.bpl",
    "gcd.v2.bpl",
    "dutch_flag.v4.bpl",
];

/// How many walks there are, unless this variable of the environment says which ones (`7..30`).
const WALKS: Range<u64> = 0..6;
const MORE_WALKS: &str = "IVL_WALKS";
/// A folder whose programs are walked instead, unless they are longer than this.
const OTHERS: &str = "IVL_WALKED";
const LONGEST: u64 = 131_072;
/// How many changes may be no programs, one after the other.
const MOST_REFUSED: usize = 1000;
/// How many versions of a program a walk goes through.
const STEPS: usize = 7;

/// Settings that walks take turns with: of what one run knows, another one may use what holds for it.
fn turns() -> Vec<Options> {
    let usual = || settings(5);
    let expanded = |expansion: Expansion| Options { expansion, ..usual() };
    vec![
        usual(),
        settings(1),
        usual(),
        settings(0),
        Options { resource_limit: Some(3_000), ..usual() },
        usual(),
        Options { thrifty: true, ..usual() },
        Options { axioms: Axioms::AsPruned, ..usual() },
        expanded(Expansion { inlining: Inlining::Spec, loop_unroll: Some(1), ..Expansion::default() }),
        expanded(Expansion { subsumption: Some(0), infer_modifies: true, ..Expansion::default() }),
        expanded(Expansion { induction: Some(1), ..Expansion::default() }),
        Options { max_pieces: 2, ..usual() },
        Options { each_check: true, ..usual() },
        expanded(Expansion { intervals: Some(Instrument::Everywhere), ..Expansion::default() }),
        Options { fine_grained: false, ..usual() },
        Options { values: true, ..usual() },
        Options { values: true, each_check: true, ..usual() },
    ]
}

/// Walks through one of the programs.
fn walk(seed: u64, set: &dyn Fn(Options) -> Options, tally: &mut Tally) -> Result<(), String> {
    let mut numbers = Numbers::new(seed);
    let programs = walked()?;
    let path = programs[numbers.below(programs.len())].clone();
    walk_through(&path, (seed, numbers), set, tally)
}

/// Goes through versions of a program, each with one or two more changes than the last one or an earlier one again, and
/// compares what is said with the past and without. Each version is looked at by a verifier of its own.
fn walk_through(
    path: &Path,
    (seed, mut numbers): (u64, Numbers),
    set: &dyn Fn(Options) -> Options,
    tally: &mut Tally,
) -> Result<(), String> {
    let name = path.display();
    let first = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let turns = turns();
    let mut versions = vec![first];
    let mut refused = 0;
    let mut history = String::new();
    let checker = Session::with(settings(5));
    while versions.len() <= STEPS {
        let latest = versions.last().cloned().unwrap_or_default();
        let text = if versions.len() > 2 && numbers.below(5) == 0 {
            history.push_str("an earlier version again\n");
            versions[numbers.below(versions.len() - 1)].clone()
        } else {
            let edits = Edits::of(&latest);
            let number = edits.some(|limit| numbers.below(limit));
            let text = edits.text(number);
            if !checker.accepts(&text) {
                refused += 1;
                if refused > MOST_REFUSED {
                    // A tiny program may allow for next to no change. What comes next is another walk.
                    tally.ended += 1;
                    return Ok(());
                }
                continue;
            }
            refused = 0;
            history.push_str(&format!("{}\n", edits.describe(number)));
            if numbers.below(3) == 0 {
                // Several changes are one step.
                versions.pop();
                versions.push(text);
                continue;
            }
            text
        };
        let options = set(turns[numbers.below(turns.len() * 2).saturating_sub(turns.len())].clone());
        let off = Options { mode: Mode::Off, ..options.clone() };
        history.push_str(&format!("under {:?} {:?}\n", options.error_limit, options.expansion));
        let seen = Session::on_disk(folder.path(), options).verify("edit.bpl", &text);
        let actions = seen.reports.iter().flat_map(|report| &report.checks).map(|check| check.action);
        tally.known += actions.filter(|it| *it != CheckAction::Proved).count();
        tally.programs += 1;
        tally.replayed += seen.reports.iter().filter(|it| it.origin == Origin::Replayed).count();
        let known = seen.reports.iter().filter(|it| it.origin != Origin::Solver);
        tally.values += known.flat_map(|it| &it.errors).filter(|it| it.counterexample.is_some()).count();
        tally
            .compare(&answers(&seen), &off, &text)
            .map_err(|why| format!("walk {seed} of {name}:\n{history}{why}"))?;
        versions.push(text);
    }
    Ok(())
}

/// The programs that are walked.
fn walked() -> Result<Vec<PathBuf>, String> {
    let Ok(folder) = std::env::var(OTHERS) else { return Ok(WALKED.iter().map(|it| fixture(it)).collect()) };
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{folder}: {error}"))?;
    let short = |path: &PathBuf| {
        path.extension().is_some_and(|it| it == "bpl") && path.metadata().is_ok_and(|it| it.len() <= LONGEST)
    };
    let mut programs: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).filter(short).collect();
    programs.sort();
    if programs.is_empty() { Err(format!("there is no short program in {folder}")) } else { Ok(programs) }
}

fn walks() -> Range<u64> {
    let wanted = std::env::var(MORE_WALKS).ok().and_then(|it| {
        let (from, to) = it.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    wanted.unwrap_or(WALKS)
}

#[test]
fn after_many_edits_what_is_known_is_true() {
    let mut tally = Tally::default();
    for seed in walks() {
        walk(seed, &|options| options, &mut tally).unwrap_or_else(|why| panic!("{why}"));
    }
    println!("{tally:?}");
    // In programs that others bring, nothing may be known of single checks, or nothing be changed.
    let own = tally.known > tally.programs && tally.ended == 0;
    assert!(std::env::var_os(OTHERS).is_some() || own, "{tally:?}");
}

#[test]
fn a_walk_through_next_to_nothing_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["", "type T;", "axiom 1; axiom 2;"] {
        let path = folder.path().join("tiny.bpl");
        std::fs::write(&path, text).expect("the folder can be written");
        let mut tally = Tally::default();
        let result = walk_through(&path, (1, Numbers::new(1)), &|options| options, &mut tally);
        assert_eq!((result, tally.ended), (Ok(()), 1), "{text}");
    }
}

/// The same where values are wanted, which come from the cache where the query was answered before.
#[test]
fn after_many_edits_values_are_those_from_scratch() {
    let mut tally = Tally::default();
    for seed in walks() {
        walk(seed, &|options| Options { values: true, ..options }, &mut tally)
            .unwrap_or_else(|why| panic!("{why}"));
    }
    println!("{tally:?}");
    assert!(std::env::var_os(OTHERS).is_some() || tally.values > 0, "{tally:?}");
}

/// The same where proofs are replayed, on the same edits and on those of what has quantifiers.
#[test]
fn after_many_edits_a_replayed_proof_is_one() {
    let mut tally = Tally::default();
    let replaying = |options: Options| Options { replay: Replay::AfterEdits(0), ..options };
    for seed in walks() {
        walk(seed, &replaying, &mut tally).unwrap_or_else(|why| panic!("{why}"));
    }
    for (name, error_limit) in PROGRAMS {
        law(name, &replaying(settings(*error_limit)), STRIDE, &mut tally)
            .unwrap_or_else(|why| panic!("{why}"));
    }
    println!("{tally:?}");
    assert!(std::env::var_os(OTHERS).is_some() || tally.replayed > 3, "{tally:?}");
}

fn settings(error_limit: u32) -> Options {
    Options { thrifty: false, error_limit, ..support::options() }
}

#[test]
fn after_any_edit_what_is_known_of_checks_is_true() {
    let stride = std::env::var(MORE).ok().and_then(|it| it.parse().ok()).unwrap_or(STRIDE).max(1);
    let mut tally = Tally::default();
    for (name, error_limit) in PROGRAMS {
        law(name, &settings(*error_limit), stride, &mut tally).unwrap_or_else(|why| panic!("{why}"));
        println!("{name}: {tally:?}");
    }
    // Otherwise the edits are none that programs survive, or none after which something is known.
    assert!(tally.programs > 20 && tally.known > tally.programs, "{tally:?}");
}

#[cfg(feature = "plant")]
#[test]
fn walks_notice_lies() {
    use ivl_verifier::base::plant::Fault;
    // Each with a walk from which on it is looked for: the fewest walks of all meet the third.
    let faults = [
        (Fault::DropPart, 2),
        (Fault::CoverNewChecks, 0),
        (Fault::LatestSpecifications, 19),
        (Fault::OtherValues, 0),
    ];
    for (fault, from) in faults {
        let values = fault == Fault::OtherValues;
        let lying =
            |options: Options| Options { fault: Some(fault), values: values || options.values, ..options };
        let found = (from..60).any(|seed| walk(seed, &lying, &mut Tally::default()).is_err());
        assert!(found, "{fault:?} goes by");
    }
}

#[cfg(feature = "plant")]
#[test]
fn every_lie_about_single_checks_is_noticed() {
    use ivl_verifier::base::plant::Fault;
    let faults = [
        Fault::LatestSpecifications,
        Fault::CoverNewChecks,
        Fault::IgnoreDeclarations,
        Fault::UnreachedIsVerified,
        Fault::IgnoreConditions,
        Fault::TrustCalls,
        Fault::OverlookGone,
    ];
    for fault in faults {
        let found = PROGRAMS[..2].iter().any(|(name, error_limit)| {
            let lying = Options { fault: Some(fault), ..settings(*error_limit) };
            law(name, &lying, 1, &mut Tally::default()).is_err()
        });
        assert!(found, "{fault:?} goes by");
    }
}
