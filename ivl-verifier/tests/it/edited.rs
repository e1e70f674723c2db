//! What is known of single checks is true of a program that was changed in any one place.
//!
//! A program is verified, changed in one place ([`Edits`]), and verified again with what is known of every check of
//! the last versions, used wherever it can be: that says what a run from scratch says. One difference is allowed, as in
//! the oracle of random edits: where the solver gave up from scratch on what was proved before, it may count as proved
//! if a solver that looks for instances of quantifiers by itself proves it.
//!
//! `IVL_EDITED=1` in the environment looks at every edit, `IVL_EDITED=50` at each fiftieth.

use std::collections::{BTreeMap, BTreeSet};

use cache_core::mode::Mode;
use ivl_verifier::base::source::Sources;
use ivl_verifier::report::{CheckAction, CheckError, Report, Verdict};
use ivl_verifier::service::Options;
use ivl_verifier::smt::answer::Outcome;
use rustc_hash::FxHashSet;

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
    ("language/conditions.bpl", 5),
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
        let (cached, scratch) =
            (answers(&seen), answers(&Session::with(off.clone()).verify("edit.bpl", &edited)));
        let actions = seen.reports.iter().flat_map(|report| &report.checks).map(|check| check.action);
        tally.known += actions.filter(|it| *it != CheckAction::Proved).count();
        for (identity, there) in &scratch {
            let thorough = || {
                let solver_options = vec![("smt.mbqi".to_owned(), "true".to_owned())];
                let thorough =
                    Options { resource_limit: Some(THOROUGH), error_limit: 0, solver_options, ..off.clone() };
                answers(&Session::with(thorough).verify("edit.bpl", &edited)).remove(identity)
            };
            let here = cached.get(identity);
            if here.is_some_and(|here| here.said == there.said && here.out_of_limits == there.out_of_limits) {
                continue;
            }
            if here.is_some_and(|here| knows_more(here, there, thorough)) {
                tally.more += 1;
                continue;
            }
            return Err(format!(
                "{name}, change {number}: {}\nwith the past {identity} is\n{here:?}\nand from scratch\n{there:?}\n{edited}",
                edits.describe(number)
            ));
        }
    }
    Ok(())
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
fn every_lie_about_single_checks_is_noticed() {
    use cache_core::plant::Fault;
    let faults = [
        Fault::LatestSpecifications,
        Fault::CoverNewChecks,
        Fault::IgnoreDeclarations,
        Fault::UnreachedIsVerified,
        Fault::IgnoreConditions,
        Fault::TrustCalls,
    ];
    for fault in faults {
        let found = PROGRAMS[..2].iter().any(|(name, error_limit)| {
            let lying = Options { fault: Some(fault), ..settings(*error_limit) };
            law(name, &lying, 1, &mut Tally::default()).is_err()
        });
        assert!(found, "{fault:?} goes by");
    }
}
