//! `cargo xtask oracle`: for random programs and edits, the answer with a cache equals the answer from
//! scratch.
//!
//! An oracle generates cases from a seed, lets the tool answer them with and without its cache, and
//! compares. A case that differs is made smaller, one piece at a time, as long as it still differs, and
//! written to `target/oracle` with what is needed to run it again.
//!
//! An oracle proves itself: with `--plant FAULT` the tool is built with the test-only feature `plant`
//! and told to commit that fault, and the oracle fails if it does *not* find a difference.

pub(crate) mod random;
mod goals;
mod known;
mod rtcheck;
mod boogie;
mod ivl;
mod symexec;
mod smt;

use std::fs;
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use crate::error::Error;
use crate::phases::{bar, in_phases};
use crate::process;
use crate::programs::{Build, Programs, target_folder};
use crate::scratch::Scratch;
use crate::setup;
use crate::workers::side_by_side;
use known::Known;
use random::Random;

/// A tool with random questions for it.
pub(crate) trait Oracle {
    /// A random input, small enough to be kept by the thousand.
    type Case: Clone;

    /// How many cases one start of the tool takes at best.
    const BATCH: usize;

    /// A random case.
    fn generate(&self, random: &mut Random) -> Self::Case;

    /// What is left of a case after taking one piece away, in every way; the greatest pieces first.
    fn smaller(&self, case: &Self::Case) -> Vec<Self::Case>;

    /// Cases that are run together as files, by name; mostly it is one.
    fn files(&self, cases: &[Self::Case]) -> Vec<(String, String)>;

    /// What else is to be told of a search that found nothing.
    ///
    /// # Errors
    /// Where all cases together miss what they are to reach.
    fn remark(&self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// Lets the tool answer and compares: for each case what differs, if anything.
    fn differences(&self, cases: &[Self::Case]) -> Result<Vec<Option<String>>, Error>;
}

/// Which cases to run.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) tool: &'static str,
    pub(crate) seed: u64,
    /// The numbers of the cases.
    pub(crate) cases: Range<usize>,
    /// The fault that the tool commits and the oracle must find.
    pub(crate) plant: Option<String>,
}

/// A tool that has an oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Tool {
    /// Random Prolog programs.
    Rtcheck,
    /// Random Prolog goals, run in different ways.
    Goals,
    /// Random Boogie programs and edits.
    Ivl,
    /// Random C programs with pointers.
    Symexec,
    /// Scripts for an SMT solver, answered by the example `smt_cache`.
    Smt,
    /// Random Boogie programs, verified by `ivl boogie` and by Debian's `boogie`, which must be installed.
    Boogie,
}

impl Tool {
    /// Every oracle that needs nobody else's programs but the solver: what CI runs.
    pub(crate) const ALL: [Tool; 5] = [Tool::Rtcheck, Tool::Goals, Tool::Ivl, Tool::Symexec, Tool::Smt];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Tool::Rtcheck => "rtcheck",
            Tool::Goals => "goals",
            Tool::Ivl => "ivl",
            Tool::Symexec => "symexec",
            Tool::Smt => "smt",
            Tool::Boogie => "boogie",
        }
    }

    /// How many cases CI tries: about a minute of work, and enough to find each planted fault.
    fn small(self) -> usize {
        match self {
            Tool::Rtcheck => 200,
            Tool::Goals => 500,
            Tool::Ivl => 100,
            Tool::Symexec => 20,
            Tool::Smt => 40,
            Tool::Boogie => 50,
        }
    }

    /// The program that takes `--plant`, and its subcommand; the solver's stand-in is told by its environment, and ends
    /// no other way where it cannot lie.
    fn told_to_lie(self) -> Option<(&'static str, &'static str)> {
        match self {
            Tool::Rtcheck | Tool::Goals => Some(("rtcheck", "run")),
            Tool::Ivl => Some(("ivl", "verify")),
            Tool::Symexec => Some(("symexec", "run")),
            Tool::Smt | Tool::Boogie => None,
        }
    }

    /// The faults that the tool can be built to commit.
    fn faults(self) -> &'static [Planted] {
        match self {
            Tool::Rtcheck => &rtcheck::FAULTS,
            Tool::Goals => &goals::FAULTS,
            Tool::Ivl => &ivl::FAULTS,
            Tool::Symexec => &symexec::FAULTS,
            Tool::Smt => &smt::FAULTS,
            Tool::Boogie => &boogie::FAULTS,
        }
    }
}

/// Sets up, builds the tool, and searches: for a difference, or with `plant` for the planted one. Programs that were
/// `built` are taken as they are.
pub(crate) fn run(
    tool: Tool,
    seed: u64,
    cases: Range<usize>,
    plant: Option<&str>,
    built: Option<&Path>,
    peers: bool,
) -> Result<(), Error> {
    if let Some(folder) = built {
        let plan = Plan { tool: tool.name(), seed, cases, plant: plant.map(str::to_owned) };
        return tell(search_tool(
            tool,
            Programs::built(folder),
            peers,
            &plan,
            &AllKnown::default(),
            &bar(plan.cases.len()),
        ));
    }
    in_phases("oracle", |phases| {
        phases.run("set up", || Ok(setup::run(false)?))?;
        phases.run(tool.name(), || {
            let programs = Programs::build(if plant.is_some() { Build::Planted } else { Build::Release })?;
            let plan = Plan { tool: tool.name(), seed, cases, plant: plant.map(str::to_owned) };
            tell(search_tool(tool, programs, peers, &plan, &AllKnown::default(), &bar(plan.cases.len())))
        })
    })
}

/// Prints what a search has to tell.
fn tell(searched: Result<String, Error>) -> Result<(), Error> {
    searched.map(|told| println!("{told}"))
}

/// A fault by its name, and the case of seed 1 from which CI looks for it: the first of the batch that met it when this
/// was written, since few cases meet some faults. As programs are generated otherwise, the search takes longer.
type Planted = (&'static str, usize);

/// How many times as many cases a planted fault may take to be found: what a search takes that ends with its first find
/// differs much from fault to fault.
const PATIENCE: usize = 4;

/// What CI asks of a tool's oracle, of programs that can be told to lie: no difference in a few cases while
/// they are not told to, and every fault found in some more.
pub(crate) fn run_small(tool: Tool, programs: &Programs) -> Result<(), Error> {
    let plants = tool.faults().iter().copied().map(Some);
    let known = AllKnown::default();
    let run = |plants: Vec<Option<Planted>>| {
        let searched = side_by_side(&plants, |plant| {
            let cases = match plant {
                Some((_, from)) => *from..from + PATIENCE * tool.small(),
                None => 0..tool.small(),
            };
            let plant = plant.map(|(name, _)| name.to_owned());
            let plan = Plan { tool: tool.name(), seed: 1, cases, plant };
            search_tool(tool, programs.clone(), false, &plan, &known, &ProgressBar::hidden())
        });
        searched.into_iter().try_for_each(tell)
    };
    if tool == Tool::Smt {
        // It adds up what its children take of the processor, so nothing may run beside it.
        run(vec![None])?;
        return run(plants.collect());
    }
    // The honest search takes longest, so it begins first.
    run(iter::once(None).chain(plants).collect())
}

/// What runs without a cache said, for the searches of an oracle that follow each other or run side by side.
#[derive(Default)]
struct AllKnown {
    rtcheck: Known<Vec<String>>,
    ivl: Known<ivl::Found>,
    symexec: Known<symexec::Explored>,
}

/// Makes the oracle of a tool and searches with it.
fn search_tool(
    tool: Tool,
    programs: Programs,
    peers: bool,
    plan: &Plan,
    known: &AllKnown,
    bar: &ProgressBar,
) -> Result<String, Error> {
    let scratch = Scratch::new()?;
    if let Some(fault) = &plan.plant {
        can_lie(tool, &programs, fault, &scratch)?;
    }
    let plant = plan.plant.iter().flat_map(|fault| ["--plant".to_owned(), fault.clone()]).collect();
    match tool {
        Tool::Rtcheck => search(&rtcheck::Rtcheck::new(programs, plant, scratch, &known.rtcheck), plan, bar),
        Tool::Goals => search(&goals::Goals { programs, plant, scratch, peers }, plan, bar),
        Tool::Ivl => search(&ivl::Ivl::new(programs, plant, scratch, &known.ivl), plan, bar),
        Tool::Symexec => search(&symexec::Symexec::new(programs, plant, scratch, &known.symexec), plan, bar),
        Tool::Boogie => search(&boogie::Verdicts::new(programs, plan.plant.as_deref(), scratch)?, plan, bar),
        Tool::Smt => {
            search(&smt::Smt::new(programs, plan.plant.clone(), scratch, plan.cases.len())?, plan, bar)
        }
    }
}

/// Refuses programs that were built without the fault: they end with an error where they are told to lie, and
/// that would be a difference as well.
fn can_lie(tool: Tool, programs: &Programs, fault: &str, scratch: &Scratch) -> Result<(), Error> {
    let Some((program, subcommand)) = tool.told_to_lie() else { return Ok(()) };
    let mut command = programs.command(program, scratch);
    let output = process::output(command.args([subcommand, "--plant", fault, "--help"]))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Findings(format!(
        "{} was built without the fault `{fault}`, so an oracle cannot prove itself by it: leave `--built` out, or build \
         with `--features plant`",
        programs.path(program).display()
    )))
}

/// How often a failing case may be made smaller before it is written as it is.
const SHRINKING: usize = 400;

/// Runs the cases of a plan; gives back what is to be told of them.
fn search<O: Oracle>(oracle: &O, plan: &Plan, bar: &ProgressBar) -> Result<String, Error> {
    let mut rest = plan.cases.clone();
    while !rest.is_empty() {
        let numbers: Vec<usize> = rest.by_ref().take(O::BATCH).collect();
        let case = |number: &usize| oracle.generate(&mut Random::of_case(plan.seed, *number as u64));
        let cases: Vec<O::Case> = numbers.iter().map(case).collect();
        let found = oracle.differences(&cases)?;
        bar.inc(cases.len() as u64);
        let first = numbers.iter().zip(&cases).zip(found).find_map(|((number, case), difference)| {
            difference.map(|difference| (*number, case, difference))
        });
        if let Some((number, case, difference)) = first {
            bar.finish_and_clear();
            return found_one(oracle, plan, number, &cases, case, difference);
        }
    }
    bar.finish_and_clear();
    match &plan.plant {
        None => {
            let told = format!("   {} cases of seed {}: no difference", plan.cases.len(), plan.seed);
            Ok(match oracle.remark()? {
                Some(remark) => format!("{told}\n   {remark}"),
                None => told,
            })
        }
        Some(fault) => Err(Error::Findings(format!(
            "the oracle of {} did not find the planted fault `{fault}` in {} cases",
            plan.tool,
            plan.cases.len()
        ))),
    }
}

/// A difference was found: the end of the search, and a success if it was planted.
fn found_one<O: Oracle>(
    oracle: &O,
    plan: &Plan,
    number: usize,
    batch: &[O::Case],
    case: &O::Case,
    difference: String,
) -> Result<String, Error> {
    if let Some(fault) = &plan.plant {
        return Ok(format!("   found the planted fault `{fault}` in case {number} of seed {}", plan.seed));
    }
    println!("   case {number} of seed {} differs:\n{difference}\n   making it smaller", plan.seed);
    let alone = oracle.differences(std::slice::from_ref(case))?.into_iter().next().flatten();
    let (cases, difference) = match alone {
        Some(difference) => shrink(oracle, vec![case.clone()], difference)?,
        // It takes the cases that ran before it in the same process.
        None => shrink(oracle, batch.to_vec(), difference)?,
    };
    let folder = write_cases(oracle, plan, number, &cases, &difference)?;
    println!("{difference}");
    Err(Error::Findings(format!(
        "{}: answers that must be the same differ; the case is in {}",
        plan.tool,
        folder.display()
    )))
}

/// Takes pieces away as long as a difference remains.
fn shrink<O: Oracle>(
    oracle: &O,
    mut cases: Vec<O::Case>,
    mut difference: String,
) -> Result<(Vec<O::Case>, String), Error> {
    let mut tries = 0;
    'again: loop {
        for candidate in smaller(oracle, &cases) {
            if tries == SHRINKING {
                return Ok((cases, difference));
            }
            tries += 1;
            if let Some(still) = oracle.differences(&candidate)?.into_iter().flatten().next() {
                (cases, difference) = (candidate, still);
                continue 'again;
            }
        }
        return Ok((cases, difference));
    }
}

/// Cases that run together, made smaller in every way: halves of them, then all but one, then one of them
/// itself.
fn smaller<O: Oracle>(oracle: &O, cases: &[O::Case]) -> Vec<Vec<O::Case>> {
    let without = |from: usize, to: usize| [&cases[..from], &cases[to..]].concat();
    let mut smaller = Vec::new();
    let half = cases.len() / 2;
    if cases.len() > 3 {
        smaller.extend([without(0, half), without(half, cases.len())]);
    }
    if cases.len() > 1 {
        smaller.extend((0..cases.len()).map(|at| without(at, at + 1)));
    }
    for (at, case) in cases.iter().enumerate() {
        for less in oracle.smaller(case) {
            let mut cases = cases.to_vec();
            cases[at] = less;
            smaller.push(cases);
        }
    }
    smaller
}

fn write_cases<O: Oracle>(
    oracle: &O,
    plan: &Plan,
    number: usize,
    cases: &[O::Case],
    difference: &str,
) -> Result<PathBuf, Error> {
    let folder = target_folder()?.join("oracle").join(format!("{}-{}-{number}", plan.tool, plan.seed));
    fs::create_dir_all(&folder).map_err(Error::writing(&folder))?;
    let mut files = oracle.files(cases);
    files.push(("difference.txt".to_owned(), format!("seed {}, case {number}\n\n{difference}\n", plan.seed)));
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::writing(&path))?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::{Error, Oracle, Plan, Programs, ProgressBar, Random, Scratch, Tool, can_lie, search, shrink};

    /// Cases are lists of numbers; one that holds a seven differs.
    struct Sevens;

    impl Oracle for Sevens {
        type Case = Vec<usize>;
        const BATCH: usize = 3;

        fn generate(&self, random: &mut Random) -> Vec<usize> {
            (0..5).map(|_| random.below(100)).collect()
        }

        fn smaller(&self, case: &Vec<usize>) -> Vec<Vec<usize>> {
            let without = |at: usize| {
                let mut less = case.clone();
                less.remove(at);
                less
            };
            (0..case.len()).map(without).collect()
        }

        fn files(&self, _: &[Vec<usize>]) -> Vec<(String, String)> {
            Vec::new()
        }

        fn differences(&self, cases: &[Vec<usize>]) -> Result<Vec<Option<String>>, Error> {
            Ok(cases.iter().map(|case| case.contains(&7).then(|| format!("{case:?}"))).collect())
        }
    }

    fn plan(cases: usize, plant: Option<&str>) -> Plan {
        Plan { tool: "sevens", seed: 1, cases: 0..cases, plant: plant.map(str::to_owned) }
    }

    fn searched(plan: &Plan) -> Result<String, Error> {
        search(&Sevens, plan, &ProgressBar::hidden())
    }

    #[test]
    fn a_failing_case_is_made_as_small_as_it_gets() {
        let (cases, difference) = shrink(&Sevens, vec![vec![1, 7, 2, 3]], String::new()).unwrap();
        assert_eq!((cases, difference.as_str()), (vec![vec![7]], "[7]"));
        let several = vec![vec![1], vec![2], vec![7, 3], vec![4], vec![]];
        assert_eq!(shrink(&Sevens, several, String::new()).unwrap().0, [[7]]);
    }

    #[test]
    fn a_planted_fault_must_be_found() {
        assert!(searched(&plan(200, Some("a seven"))).is_ok());
        assert!(searched(&plan(0, Some("a seven"))).is_err());
    }

    /// A program that takes one fault only.
    #[test]
    fn a_program_that_cannot_lie_is_refused() {
        let (folder, scratch) = (Scratch::new().unwrap(), Scratch::new().unwrap());
        let program = folder.path().join("ivl");
        fs::write(&program, "#!/bin/sh\ntest \"$*\" = 'verify --plant drop-part --help'\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let programs = Programs::built(folder.path());
        can_lie(Tool::Ivl, &programs, "drop-part", &scratch).unwrap();
        let refused = can_lie(Tool::Ivl, &programs, "trust-calls", &scratch).unwrap_err();
        assert!(refused.to_string().contains("without the fault `trust-calls`"), "{refused}");
        can_lie(Tool::Smt, &programs, "check", &scratch).unwrap();
    }
}
