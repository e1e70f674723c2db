//! Summaries of functions, keyed by the answers to what they call: early cut-off.
//!
//! The functions of a toy program add constants and results of calls, and the analysis says which signs a result may
//! have. That is much coarser than the program, so most edits change no summary, and then nothing above the edited
//! function has to be looked at again. A key made of dependency checksums would move for all of it.
//!
//! Strongly connected components come callees first ([`Snapshot::components`]). The question about one is the
//! content of its members and the summaries of what they call outside, the answer is the summaries of its members;
//! within a component they are iterated until nothing changes. An edit is told to the snapshot ([`Snapshot::update`]),
//! which looks at nothing that the edit does not move.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost, Provenance};
use cache_core::deps::{DepsError, Entity, Snapshot, Unresolved};
use cache_core::key::{Checksum, KeyBuilder};
use cache_core::limits::Limits;
use serde::{Deserialize, Serialize};

/// A function: one of its alternatives is taken, which adds a constant to the results of calls.
type Function = Vec<(i64, Vec<String>)>;
type Program = BTreeMap<String, Function>;

/// The signs that a value may have: -1, 0, 1.
type Signs = BTreeSet<i8>;

/// The summaries of a component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Summaries(BTreeMap<String, Signs>);

impl Answer for Summaries {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

fn add(one: &Signs, other: &Signs) -> Signs {
    let sums = one.iter().flat_map(|one| other.iter().map(move |other| (*one, *other)));
    let signs = sums.flat_map(|sum| match sum {
        (0, sign) | (sign, 0) => sign..=sign,
        (one, other) if one == other => one..=one,
        _ => -1..=1,
    });
    signs.collect()
}

/// The engine: summaries of the members of a component, given those of all that they call outside.
fn summarize(program: &Program, members: &[String], known: &BTreeMap<String, Signs>) -> Summaries {
    let mut own: BTreeMap<String, Signs> = members.iter().map(|name| (name.clone(), Signs::new())).collect();
    loop {
        let before = own.clone();
        for name in members {
            let mut signs = Signs::new();
            for (constant, calls) in &program[name] {
                let start = Signs::from([i8::try_from(constant.signum()).unwrap_or(0)]);
                let result = |callee: &String| before.get(callee).or_else(|| known.get(callee));
                let sum = calls.iter().filter_map(result).fold(start, |sum, result| add(&sum, result));
                signs.extend(sum);
            }
            own.insert(name.clone(), signs);
        }
        // Signs only become more, so this ends.
        if own == before {
            return Summaries(own);
        }
    }
}

/// What the snapshot has to know of a function.
fn entity(name: &str, function: &Function) -> Entity {
    Entity {
        name: name.to_owned(),
        checksum: Checksum::of(function),
        depends_on: function.iter().flat_map(|(_, calls)| calls.iter().cloned()).collect(),
    }
}

/// The snapshot of a program that was not seen before.
fn snapshot_of(program: &Program) -> Result<Snapshot, DepsError> {
    Snapshot::of(program.iter().map(|(name, function)| entity(name, function)).collect(), Unresolved::Error)
}

/// Analyses a version of the program; how many functions the engine was asked about, and all summaries.
fn analyze(
    program: &Program,
    snapshot: &Snapshot,
    cache: &mut Cache<Summaries>,
) -> (usize, BTreeMap<String, Signs>) {
    let (mut asked, mut known) = (0, BTreeMap::<String, Signs>::new());
    for members in snapshot.components() {
        let mut key = KeyBuilder::new("signs of a component", 1).engine("iteration", "1");
        let mut outside = BTreeSet::new();
        for record in members.iter().filter_map(|name| snapshot.get(name)) {
            outside.extend(record.depends_on.iter().filter(|callee| !members.contains(callee)));
        }
        for name in members {
            // The name as well: the answer is given by name.
            key = key.content(name, &program[name]);
        }
        for callee in outside {
            key = key.dependency(callee, &known[callee]);
        }
        let ask = || {
            Ok::<_, Infallible>(Asked { answer: summarize(program, members, &known), cost: Cost::default() })
        };
        // The engine does not fail, and the mode is not offline.
        let Ok(answered) = cache.answer(&key.finish(), &Limits::unlimited(), ask) else { continue };
        if matches!(answered.provenance, Provenance::Fresh(_)) {
            asked += members.len();
        }
        known.extend(answered.answer.0);
    }
    (asked, known)
}

/// A tree of calls: each function calls the two below it, the lowest ones call nothing; one of the highest calls
/// itself.
fn program(height: u32) -> Program {
    let count = (1_u32 << height) - 1;
    let name = |number: u32| format!("f{number:05}");
    let function = |number: u32| {
        let below = [2 * number + 1, 2 * number + 2].into_iter().filter(|below| *below < count);
        let mut function = vec![(i64::from(number) + 1, below.map(name).collect())];
        if number == 1 {
            function.push((1, vec![name(1)]));
        }
        (name(number), function)
    };
    (0..count).map(function).collect()
}

/// What the example shows: how many functions are digested and how many looked at after each edit.
pub(crate) fn report() -> Result<String, DepsError> {
    let mut program = program(11);
    let mut cache: Cache<Summaries> = Cache::new(CacheConfig::default());
    let mut snapshot = snapshot_of(&program)?;
    let (asked, _) = analyze(&program, &snapshot, &mut cache);
    let mut text = format!("as first written: {asked} of {} functions looked at\n", program.len());
    let lowest = program.keys().next_back().cloned().unwrap_or_default();
    for (edit, constant) in [("7 instead of 2047", 7), ("-7 instead of 7", -7)] {
        let Some(function) = program.get_mut(&lowest) else { continue };
        function[0].0 = constant;
        let digested = snapshot.update(vec![entity(&lowest, function)], &[], Unresolved::Error)?;
        let (asked, known) = analyze(&program, &snapshot, &mut cache);
        let (_, scratch) =
            analyze(&program, &snapshot_of(&program)?, &mut Cache::new(CacheConfig::default()));
        let equal = if known == scratch { "as from scratch" } else { "NOT as from scratch" };
        text += &format!("{edit}: {digested} digested, {asked} looked at, {equal}\n");
    }
    Ok(text)
}

fn main() -> Result<(), DepsError> {
    #[expect(clippy::print_stdout, reason = "an example shows what it does")]
    {
        print!("{}", report()?);
    }
    Ok(())
}
