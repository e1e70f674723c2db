//! An analysis that runs on every save, on several threads: what an edit touched is looked at again, side by side, and
//! the report says why.
//!
//! The analysis finds functions of a toy program that may call themselves, through others. Its answer about one
//! depends on everything that the function reaches, so keys are made of dependency checksums ([`Snapshot`]). After an
//! edit [`Snapshot::changes_since`] tells what is to be looked at, [`Snapshot::causes`] why, and the threads share one
//! [`SharedCache`]: an engine asks it for the functions that are called while it is at work, and what two threads need
//! at the same time is computed once.
#![expect(clippy::print_stdout, reason = "a program whose user reads what it prints")]

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::error::Error;
use std::panic::resume_unwind;
use std::thread;

use cache_core::cache::{Answer, Asked, Cache, CacheConfig, CacheError, Cost, SharedCache};
use cache_core::deps::{ChangeClass, DepsError, Entity, Snapshot, Unresolved};
use cache_core::key::{Checksum, KeyBuilder};
use cache_core::limits::Limits;
use serde::{Deserialize, Serialize};

/// So many threads look at functions.
const THREADS: usize = 2;

/// What a function reaches by calls, itself among it where it may call itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Reached(BTreeSet<String>);

impl Answer for Reached {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// A function as it is written: its name, and what it calls.
type Written<'a> = (&'a str, &'a [&'a str]);

/// A version of the program: what each function calls.
struct Version {
    calls: BTreeMap<String, Vec<String>>,
    snapshot: Snapshot,
}

impl Version {
    fn of(program: &[Written<'_>]) -> Result<Self, DepsError> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let calls: BTreeMap<_, _> =
            program.iter().map(|(name, calls)| ((*name).to_owned(), owned(calls))).collect();
        let entity = |(name, calls): (&String, &Vec<String>)| Entity {
            name: name.clone(),
            checksum: Checksum::of(calls),
            depends_on: calls.clone(),
        };
        let snapshot = Snapshot::of(calls.iter().map(entity).collect(), Unresolved::Error)?;
        Ok(Self { calls, snapshot })
    }

    /// What a function reaches. The engine asks for what the called ones reach, of which threads that need the same
    /// compute one; `under` are those that wait for this answer, which are not asked again. At the top it asks in
    /// threads of its own, and says so ([`SharedCache::here`]): engines that wait for each other through such threads
    /// would wait for ever otherwise.
    fn reached(
        &self,
        cache: &SharedCache<Reached>,
        name: &str,
        under: &BTreeSet<&str>,
    ) -> Result<BTreeSet<String>, CacheError<Infallible>> {
        let Some(record) = self.snapshot.get(name) else { return Ok(BTreeSet::new()) };
        let key = KeyBuilder::new("reached by calls", 1)
            .engine("walk", "1")
            .dependency(name, &record.dependency)
            .content("under", under)
            .finish();
        let ask = || {
            let below: BTreeSet<&str> = under.iter().copied().chain([name]).collect();
            let callees = self.calls.get(name).map_or(&[][..], Vec::as_slice);
            // The engine does not fail, and the mode is not offline.
            let through = |callee: &String| self.reached(cache, callee, &below).unwrap_or_default();
            let new = callees.iter().filter(|callee| !below.contains(callee.as_str()));
            let further: Vec<BTreeSet<String>> = if under.is_empty() {
                let here = &cache.here();
                thread::scope(|scope| {
                    let threads: Vec<_> =
                        new.map(|callee| scope.spawn(move || here.helped(|| through(callee)))).collect();
                    // A set that is missing would be kept as an answer.
                    let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
                    joined.map(|reached| reached.unwrap_or_else(|panic| resume_unwind(panic))).collect()
                })
            } else {
                new.map(through).collect()
            };
            let reached = callees.iter().cloned().chain(further.into_iter().flatten()).collect();
            Ok(Asked { answer: Reached(reached), cost: Cost::default() })
        };
        Ok(cache.answer(&key, &Limits::unlimited(), ask)?.answer.0)
    }
}

/// Looks at the functions that are not as they were, side by side; a line for each in the order of their names.
fn look(version: &Version, earlier: Option<&Version>, cache: &SharedCache<Reached>) -> Vec<String> {
    let empty = Snapshot::default();
    let before = earlier.map_or(&empty, |earlier| &earlier.snapshot);
    let changes = version.snapshot.changes_since(before);
    let dirty: Vec<(&String, ChangeClass)> = changes
        .iter()
        .filter(|(_, class)| !matches!(class, ChangeClass::Unchanged | ChangeClass::Removed))
        .map(|(name, class)| (name, *class))
        .collect();
    let say = |(name, class): &(&String, ChangeClass)| {
        let reached = version.reached(cache, name, &BTreeSet::new()).unwrap_or_default();
        let causes = version.snapshot.causes(name, before);
        let causes: Vec<String> = causes.iter().map(ToString::to_string).collect();
        let word = if reached.contains(*name) { "may call itself" } else { "calls itself in no way" };
        let why =
            if *class == ChangeClass::DependencyChanged { causes.join("; ") } else { class.to_string() };
        format!("  {name}: {word} ({why})")
    };
    let share = dirty.len().div_ceil(THREADS).max(1);
    thread::scope(|scope| {
        let threads: Vec<_> = dirty
            .chunks(share)
            .map(|part| scope.spawn(move || part.iter().map(say).collect::<Vec<_>>()))
            .collect();
        // What a thread that panicked had to say is missing in the report.
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}

/// Three versions of a program, each looked at where it differs from the one before.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let versions: [(&str, &[Written<'_>]); 3] = [
        (
            "as first written",
            &[
                ("main", &["parse", "print"]),
                ("parse", &["expression"]),
                ("expression", &["next"]),
                ("next", &[]),
                ("print", &[]),
            ],
        ),
        (
            "expression calls itself in parentheses",
            &[
                ("main", &["parse", "print"]),
                ("parse", &["expression"]),
                ("expression", &["next", "parenthesis"]),
                ("parenthesis", &["expression"]),
                ("next", &[]),
                ("print", &[]),
            ],
        ),
        (
            "print calls next",
            &[
                ("main", &["parse", "print"]),
                ("parse", &["expression"]),
                ("expression", &["next", "parenthesis"]),
                ("parenthesis", &["expression"]),
                ("next", &[]),
                ("print", &["next"]),
            ],
        ),
    ];
    let cache = SharedCache::new(Cache::new(CacheConfig::default()));
    let (mut report, mut earlier) = (String::new(), None);
    for (title, program) in versions {
        let version = Version::of(program)?;
        report.push_str(&format!("{title}\n{}\n", look(&version, earlier.as_ref(), &cache).join("\n")));
        earlier = Some(version);
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}
