//! The oracle of `symexec`: random pointer programs explored to the end with every query cache and with none.
//! Paths, errors with their reports, and executed instructions must be the same. Questions that are treated as
//! independent of the layout are solved in another one as well, and where other solvers than Z3 are there
//! (`cargo xtask setup --solvers`), one of them answers the questions once more. The two memory models must
//! agree on errors and coverage, and the segmented one must not have more paths. Several processes must leave
//! what one does. Programs keep what they write at unknown places of a table of structures a second time, at
//! known places: where both differ, they say so, in whatever run. So they do where a call of `setjmp` returns
//! otherwise than it should, or a file holds another thing than what was written to it. The folder of the cache
//! that is kept has been used by an earlier version of the program, in a file of the same name.

pub(super) mod program;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::known::Known;
use super::random::Random;
use super::{Oracle, Planted};
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::solvers;
use program::Case;

/// The memory models, each of which has its own paths.
const MODELS: [&[&str]; 2] = [&["--memory-model", "forking"], &["--memory-model", "segmented"]];

/// The caches that every program is explored with, in each memory model.
const CACHES: [&[&str]; 2] = [
    &["--query-cache", "plain", "--try-all-counterexamples"],
    &["--query-cache", "address-aware", "--check-layouts", "1"],
];

/// What the plain cache of the segmented model has in every other program, as the base of the papers' tables
/// does: questions then see merged objects elsewhere.
const REUSED: &[&str] = &["--reuse-segments"];

/// A cache whose every hit is asked again, in one of the memory models.
const AUDITED: &[&str] =
    &["--query-cache", "address-aware", "--audit", "always", "--no-counterexample-cache"];

/// No cache at all, in the other one. These two are dear, and half of them finds as much.
const WITHOUT: &[&str] =
    &["--query-cache", "none", "--no-counterexample-cache", "--no-equality-substitution", "--no-enumeration"];

/// A cache on disk that a run with few limits began.
const KEPT: &[&str] = &["--query-cache", "address-aware", "--cache-dir", "cache"];

/// One with the answers to all questions, each of which a solver is asked.
const KEPT_AND_ASKED: &[&str] =
    &["--query-cache", "address-aware", "--cache-dir", "cache", "--no-enumeration"];

/// No query cache, but the same questions as with one: each solution is the solver's own.
const SOLVED: &[&str] = &["--query-cache", "none"];

/// Another solver, or several; the solutions in tests are then others.
const SOLVERS: [&[&str]; 3] = [
    &["--query-cache", "none", "--no-enumeration", "--solver", "bitwuzla"],
    &["--query-cache", "none", "--no-enumeration", "--solver", "yices"],
    &["--query-cache", "none", "--no-enumeration", "--solver", "race"],
];

/// What two memory models are compared by: objects lie where the path alone decides, and each error counts,
/// because which one is the first at its place depends on the order of paths.
const ALONE: &[&str] = &["--allocation", "per-state", "--emit-all-errors"];

/// How many processes share the paths of a program.
const JOBS: [&str; 2] = ["2", "3"];

/// After so many instructions a program's live paths end where they are, which every run does at the
/// same place: few programs have so many paths, and they would cost as much as all others.
const MOST_INSTRUCTIONS: &str = "6000";

/// The same for programs with files, and those that let the library read numbers, which take hundreds of
/// instructions each.
const MOST_WITH_FILES: &str = "60000";

/// The faults that `symexec` can be built to commit.
pub(super) const FAULTS: [Planted; 21] = [
    ("drop-part", 4),
    ("ignore-layout", 4),
    ("trust-models", 0),
    ("misplace-objects", 0),
    ("mix-sides", 0),
    ("ignore-limits", 4),
    ("skip-values", 0),
    ("move-bounds", 0),
    ("mix-bytes", 0),
    ("drop-subtree", 0),
    ("repeat-subtree", 0),
    ("late-answers", 0),
    ("trust-search", 0),
    ("ignore-overlaps", 0),
    ("stale-program", 0),
    ("first-landing", 0),
    ("forget-digit", 16),
    ("swap-merged", 4),
    ("free-answers", 0),
    ("lose-writes", 4),
    ("keep-missing", 4),
];

/// States whose questions cost the solver anything wait for others, and the run ends early: what is found by then
/// depends on what each question costs.
const WAITING: &[&str] = &["--put-off", "1", "--max-instructions", WAITED];

/// After so many instructions such a run ends.
const WAITED: &str = "2500";

/// The caches with which a question is to be as dear as without: those of one process, and one on disk that the second
/// run finds full.
const PRICED: [&[&str]; 2] = [&["--query-cache", "plain"], &["--query-cache", "address-aware"]];

/// States become one where a program says that they may.
const MERGING: &[&str] = &["--use-merge"];

/// How much the solver may do for a question, in its own units, in a run that leaves its cache to
/// another one: about half of the questions need more.
const FEW: &str = "2200";

/// Runs `symexec` as a program.
pub(super) struct Symexec<'a> {
    programs: Programs,
    /// Options that make it commit a fault, for the runs with a cache.
    plant: Vec<String>,
    scratch: Scratch,
    /// What runs found that have no cache of another run's.
    known: &'a Known<Explored>,
    /// How many questions of which kind there were, and how many are too few.
    kinds: Kinds,
}

/// Kinds of questions that have a way of their own, and must be among those of many cases.
#[derive(Debug, Default)]
struct Kinds {
    /// The names of their counters, with what they count.
    counts: [Cell<u64>; KINDS.len()],
    /// How many cases there were.
    cases: Cell<usize>,
}

const KINDS: [(&str, &str); 4] = [
    ("interval_queries", "decided by intervals"),
    ("buffer_queries", "over long unknown buffers"),
    ("searched_queries", "solved by search"),
    ("refuted_queries", "refuted without a solver"),
];

/// Among so many cases is each kind of question.
const ENOUGH: usize = 100;

impl Oracle for Symexec<'_> {
    type Case = Case;
    const BATCH: usize = 4;

    fn generate(&self, random: &mut Random) -> Case {
        program::case(random)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        case.smaller()
    }

    fn files(&self, cases: &[Case]) -> Vec<(String, String)> {
        // Each case is run by itself, so there is one.
        cases.iter().map(|case| ("case.c".to_owned(), case.text())).collect()
    }

    fn remark(&self) -> Result<Option<String>, Error> {
        let Kinds { counts, cases } = &self.kinds;
        let counted = KINDS.iter().zip(counts).map(|((_, what), count)| format!("{} {what}", count.get()));
        let remark = format!("questions: {}", counted.collect::<Vec<_>>().join(", "));
        if cases.get() >= ENOUGH && counts.iter().any(|count| count.get() == 0) {
            return Err(Error::Findings(format!("a kind of questions is not among them: {remark}")));
        }
        Ok(Some(remark))
    }

    fn differences(&self, cases: &[Case]) -> Result<Vec<Option<String>>, Error> {
        self.kinds.cases.update(|count| count + cases.len());
        cases.iter().map(|case| self.difference(case)).collect()
    }
}

impl<'a> Symexec<'a> {
    /// An oracle of built programs; with `plant`, options that make them commit a fault.
    pub(super) fn new(
        programs: Programs,
        plant: Vec<String>,
        scratch: Scratch,
        known: &'a Known<Explored>,
    ) -> Self {
        Symexec { programs, plant, scratch, known, kinds: Kinds::default() }
    }

    fn difference(&self, case: &Case) -> Result<Option<String>, Error> {
        let folder = Scratch::new()?;
        let source = folder.path().join("case.c");
        let case_text = case.text();
        fs::write(&source, &case_text).map_err(Error::writing(&source))?;
        // Compiled once, as the reader would for each run.
        compile(folder.path())?;
        let run = |name: &str, options: &[&str], plant: &[String]| {
            let stats = folder.path().join(format!("{name}.json"));
            let mut command = self.programs.command("symexec", &self.scratch);
            // Files are named from their folder: another search has them elsewhere.
            command.current_dir(folder.path()).args(["run", "case.bc"]).args(options).args(plant);
            for (variable, program) in solvers::VARIABLES {
                command.env(variable, solvers::folder().join(program));
            }
            let most = if case.is_long() { MOST_WITH_FILES } else { MOST_INSTRUCTIONS };
            if !options.contains(&"--max-instructions") {
                command.args(["--max-instructions", most]);
            }
            command.args(["--output-dir", name, "--stats", &format!("{name}.json")]);
            let output = process::output(&mut command)?;
            if !matches!(output.status.code(), Some(0 | 1 | 3)) {
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                return Err(Error::Ended { command: process::shown(&command), status: output.status });
            }
            let text = fs::read_to_string(&stats).map_err(Error::reading(&stats))?;
            let mut json: Value =
                serde_json::from_str(&text).map_err(|source| Error::Statistics { path: stats, source })?;
            let kinds = KINDS.map(|(name, _)| json["engine"][name].as_u64().unwrap_or(0));
            let verdicts = verdicts(&folder.path().join(name), &json["result"])?;
            // What is meant to differ.
            if let Some(result) = json["result"].as_object_mut() {
                result.remove("query_cache");
                result.remove("solver");
            }
            let (tests, inputs) = tests(&folder.path().join(name))?;
            let all = format!("{:#}\n{tests}({})", json["result"], output.status);
            let differs = tests.contains(program::DIFFERS);
            // Where inputs are symmetric, an equal question may have its solution with them exchanged.
            let exact = json["engine"]["query_cache_ties"].as_u64().unwrap_or(0) == 0;
            let stopped = !json["result"]["stopped"].is_null();
            if let Some(result) = json["result"].as_object_mut() {
                result.remove("most_states");
            }
            let parts =
                (!stopped).then(|| format!("{:#}\n{tests}({})\n{inputs:?}", json["result"], output.status));
            Ok(Explored { all, inputs: exact.then_some(inputs), parts, verdicts, kinds, differs })
        };
        let counted = |explored: Explored| {
            for (count, more) in self.kinds.counts.iter().zip(explored.kinds) {
                count.update(|count| count + more);
            }
            explored
        };
        let explore = |name: &str, options: &[&str], plant: &[String]| run(name, options, plant).map(counted);
        let from_scratch = |name: &str, options: &[&str]| {
            let question = format!("{options:?}\n{case_text}");
            self.known.answer(question, || run(name, options, &[])).map(counted)
        };
        let alone = case.number() % MODELS.len();
        // An earlier version of the program lies in the folder of the cache, under the same name.
        let earlier = case.smaller().pop();
        // Where most questions are decided without a solver, few meet its limits.
        let kept: &[&str] =
            if (case.number() / MODELS.len()).is_multiple_of(2) { KEPT } else { KEPT_AND_ASKED };
        for (model, chosen) in MODELS.iter().enumerate() {
            let solved = from_scratch(&format!("{model}-solved"), &[chosen, SOLVED].concat())?;
            if solved.differs {
                return Ok(Some(format!("a field of a table differs from its copy:\n{}", solved.all)));
            }
            let others = SOLVERS[case.number() % SOLVERS.len()];
            let others: &[&str] = if solvers::are_present() { others } else { &[] };
            let compared = if model == alone { [WITHOUT, kept, &[]] } else { [AUDITED, &[], others] };
            if model == alone {
                // Some of its questions go without an answer, which is none for the next run.
                let limited = [*chosen, kept, &["--solver-resource", FEW]].concat();
                if let Some(earlier) = &earlier {
                    fs::write(&source, earlier.text()).map_err(Error::writing(&source))?;
                    compile(folder.path())?;
                    explore(&format!("{model}-earlier"), &limited, &self.plant)?;
                    fs::write(&source, &case_text).map_err(Error::writing(&source))?;
                    compile(folder.path())?;
                }
                explore(&format!("{model}-limited"), &limited, &self.plant)?;
            }
            for (number, caches) in CACHES.iter().chain(&compared).enumerate() {
                // A fault would be found by every audit.
                if caches.is_empty() || !self.plant.is_empty() && caches.contains(&"--audit") {
                    continue;
                }
                let reused = *chosen == MODELS[1]
                    && caches.contains(&"plain")
                    && (case.number() / 2).is_multiple_of(2);
                let options = [*chosen, *caches, if reused { REUSED } else { &[] }].concat();
                let name = format!("{model}-{number}");
                let found = if *caches == WITHOUT {
                    from_scratch(&name, &options)?
                } else {
                    explore(&name, &options, &self.plant)?
                };
                let same_inputs = caches.contains(&"--no-enumeration")
                    || caches.contains(&"--solver")
                    || found.inputs.is_none()
                    || found.inputs == solved.inputs;
                if found.all != solved.all || !same_inputs {
                    let options = options.join(" ");
                    let inputs = if same_inputs { "" } else { "\nthe inputs in tests differ" };
                    return Ok(Some(format!(
                        "without a query cache:\n{}\nwith {options}:\n{}{inputs}",
                        solved.all, found.all
                    )));
                }
            }
        }
        if let Some(difference) = waiting(case, MODELS[alone], &self.plant, &from_scratch, &explore)? {
            return Ok(Some(difference));
        }
        // States that became one have every value that they had, whatever caches there are.
        if case.merges() {
            let merging = [MODELS[alone], MERGING].concat();
            let solved = from_scratch("met-solved", &[&merging, SOLVED].concat())?;
            let found = explore("met", &merging, &self.plant)?;
            if solved.differs || found.all != solved.all {
                let (solved, found) = (solved.all, found.all);
                return Ok(Some(format!(
                    "merged without a query cache:\n{solved}\nmerged with one:\n{found}"
                )));
            }
        }
        let jobs = JOBS[case.number() / MODELS.len() % JOBS.len()];
        let together = [MODELS[alone], ALONE].concat();
        let one = from_scratch("alone", &together)?;
        let several =
            explore("several", &[&together[..], &["--jobs", jobs, "--put-off", FEW]].concat(), &self.plant)?;
        if let Some(one) = &one.parts
            && several.parts.as_ref() != Some(one)
        {
            let several = several.parts.unwrap_or(several.all);
            return Ok(Some(format!("one process:\n{one}\n{jobs} processes:\n{several}")));
        }
        if !self.plant.is_empty() {
            return Ok(None);
        }
        // What depends on where objects lie is the same if the path alone decides where that is.
        let other = from_scratch("other-alone", &[MODELS[1 - alone], ALONE].concat())?;
        let (forking, segmented) = if alone == 0 { (one, other) } else { (other, one) };
        // A run that was stopped has not seen all.
        let (Some((few, segmented)), Some((many, forking))) = (segmented.verdicts, forking.verdicts) else {
            return Ok(None);
        };
        Ok((forking != segmented || few > many).then(|| {
            format!(
                "{many} paths, one for each object: {forking:#?}\n{few} paths with segments: {segmented:#?}"
            )
        }))
    }
}

/// Which states wait for others is the same whatever a cache knows: with one that knows nothing, and with one that knows
/// all that is asked.
fn waiting(
    case: &Case,
    model: &[&str],
    plant: &[String],
    from_scratch: &impl Fn(&str, &[&str]) -> Result<Explored, Error>,
    explore: &impl Fn(&str, &[&str], &[String]) -> Result<Explored, Error>,
) -> Result<Option<String>, Error> {
    let solved = from_scratch("waiting-solved", &[model, SOLVED, WAITING].concat())?;
    for run in ["cold", "warm"] {
        let cached = [PRICED[case.number() / 2 % PRICED.len()], &["--cache-dir", "prices"]].concat();
        let options = [model, &cached, WAITING].concat();
        let found = explore(&format!("waiting-{run}"), &options, plant)?;
        // Where inputs are symmetric, a solution may come with them exchanged, and help another question.
        let is_exact = found.inputs.is_some() && solved.inputs.is_some();
        if is_exact && (found.all != solved.all || found.inputs != solved.inputs) {
            let options = options.join(" ");
            return Ok(Some(format!(
                "other states wait ({run}); without a query cache:\n{}\nwith {options}:\n{}",
                solved.all, found.all
            )));
        }
    }
    Ok(None)
}

/// Compiles a folder's program to bitcode that does not name the folder.
fn compile(folder: &Path) -> Result<(), Error> {
    let mut compile = Command::new("clang-19");
    compile.current_dir(folder).args(["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-w", "-emit-llvm"]);
    compile.args(["-fdebug-compilation-dir=.", "-c", "-o", "case.bc", "case.c"]);
    let compiled = process::output(&mut compile)?;
    if !compiled.status.success() {
        let command = process::shown(&compile);
        return Err(Error::Ended { command, status: compiled.status });
    }
    Ok(())
}

/// The number of paths of a run, and what no memory model may change: errors by kind, text and place, and
/// how much of the code was executed. `None` if it was stopped before it had seen all.
fn verdicts(folder: &Path, result: &Value) -> Result<Option<(u64, BTreeSet<String>)>, Error> {
    if !result["stopped"].is_null() {
        return Ok(None);
    }
    let mut verdicts = BTreeSet::from([format!("{} instructions of code", result["covered_instructions"])]);
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".err") {
            let text = fs::read_to_string(&path).map_err(Error::reading(&path))?;
            let place: Vec<&str> =
                text.lines().filter(|line| !line.starts_with("assembly")).take(3).collect();
            verdicts.insert(format!("{}: {}", name.split('.').nth(1).unwrap_or_default(), place.join(", ")));
        }
    }
    Ok(Some((result["paths"].as_u64().unwrap_or(0), verdicts)))
}

/// What is compared of a run.
#[derive(Clone)]
pub(super) struct Explored {
    /// What nothing may change.
    all: String,
    /// The tests' bytes, which are a function of the questions, if they can be compared.
    inputs: Option<Vec<(String, Vec<u8>)>>,
    /// What does not depend on how many processes there are; nothing of a run that was stopped.
    parts: Option<String>,
    /// What no memory model may change, if the run was not stopped.
    verdicts: Option<(u64, BTreeSet<String>)>,
    /// How many questions of each of [`KINDS`] there were.
    kinds: [u64; KINDS.len()],
    /// Whether the program says that a field of its table differs from the copy.
    differs: bool,
}

/// The tests of a run by name with its error reports whole; and the tests' bytes.
#[expect(clippy::type_complexity, reason = "a name and bytes for each test")]
fn tests(folder: &Path) -> Result<(String, Vec<(String, Vec<u8>)>), Error> {
    let (mut files, mut inputs) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".ktest") {
            files.push(format!("{name}\n"));
            inputs.push((name, fs::read(&path).map_err(Error::reading(&path))?));
        } else if name.ends_with(".err") {
            let text = fs::read(&path).map_err(Error::reading(&path))?;
            files.push(format!("{name}: {}\n", String::from_utf8_lossy(&text)));
        }
    }
    files.sort();
    inputs.sort();
    Ok((files.concat(), inputs))
}
