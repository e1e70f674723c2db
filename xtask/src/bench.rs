//! `cargo xtask bench`: the tools on the fixtures, counted and timed.
//!
//! Each tool has a module that runs it and returns a [`Section`]; all sections end as tables on the
//! terminal and as one report with charts.

pub(crate) mod measure;
pub(crate) mod table;
mod chart;
mod goals;
mod report;
mod rtcheck;
mod ivl;
mod symexec;
mod core;

use std::path::Path;

use crate::error::Error;
use crate::phases::{Phases, in_phases};
use crate::programs::{Build, Programs};
use crate::setup;
pub(crate) use ivl::Brought;
use report::Section;
pub(crate) use symexec::programs::Length;

/// What to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Subject {
    /// Boogie verification over edit histories.
    Ivl,
    /// Symbolic execution.
    Symexec,
    /// Run-time checks of Prolog assertions.
    Rtcheck,
    /// Micro-benchmarks of the core.
    Core,
}

/// How much work to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Size {
    /// Seconds: shows that everything runs.
    Smoke,
    /// About a minute of processor time per tool.
    Default,
    /// Everything.
    Full,
}

impl Size {
    fn name(self) -> &'static str {
        match self {
            Size::Smoke => "smoke",
            Size::Default => "default",
            Size::Full => "full",
        }
    }
}

/// Explores the programs of the paper that `symexec` follows, those of the given names where there are any, and nothing
/// else; with the tools of the folder `tools` where there is one.
pub(crate) fn programs(length: Length, only: &[String], tools: Option<&Path>) -> Result<(), Error> {
    let name = length.name();
    symexec::programs::known(only)?;
    let measured = in_phases("bench", |phases| {
        let programs = match tools {
            Some(folder) => Programs::built(folder),
            None => built(phases, Build::Measured)?,
        };
        let section = phases.run(name, || symexec::programs::section(&programs, length, only))?;
        reported(phases, vec![section], name)
    })?;
    show(&measured, name);
    Ok(())
}

/// Builds the programs, and runs the benches of the given subjects, of the three tools where none is given; `peers`
/// compares with other systems as well, `brought` are further edit sessions.
pub(crate) fn run(subjects: &[Subject], size: Size, peers: bool, brought: &Brought) -> Result<(), Error> {
    let measured = in_phases("bench", |phases| {
        let core = subjects.contains(&Subject::Core);
        let programs = built(phases, if core { Build::Release } else { Build::Measured })?;
        tables(phases, &programs, subjects, size, peers, brought)
    })?;
    show(&measured, size.name());
    Ok(())
}

/// Shows that what measures the three tools runs, with programs that were built before.
pub(crate) fn smoke(programs: &Programs) -> Result<(), Error> {
    let (size, brought) = (Size::Smoke, Brought::default());
    let measured = in_phases("bench", |phases| tables(phases, programs, &[], size, false, &brought))?;
    show(&measured, size.name());
    Ok(())
}

/// What was measured, and where it was written.
type Measured = (Vec<Section>, report::Files);

fn built(phases: &mut Phases, how: Build) -> Result<Programs, Error> {
    phases.run("set up", || Ok(setup::run(false)?))?;
    phases.run("build", || Programs::build(how))
}

fn tables(
    phases: &mut Phases,
    programs: &Programs,
    subjects: &[Subject],
    size: Size,
    peers: bool,
    brought: &Brought,
) -> Result<Measured, Error> {
    // The core's benches are for its developers, and building them takes longer than running them.
    let tools = [Subject::Rtcheck, Subject::Ivl, Subject::Symexec];
    let subjects = if subjects.is_empty() { &tools } else { subjects };
    let wanted = |subject: Subject| subjects.contains(&subject);
    let mut sections: Vec<Section> = Vec::new();
    if wanted(Subject::Rtcheck) {
        sections.push(phases.run("rtcheck", || rtcheck::section(programs, size, peers))?);
    }
    if wanted(Subject::Ivl) {
        sections.push(phases.run("ivl", || ivl::section(programs, size, peers, brought))?);
    }
    if wanted(Subject::Symexec) {
        sections.push(phases.run("symexec", || symexec::section(programs, size))?);
    }
    if wanted(Subject::Core) {
        sections.push(phases.run("core", || core::section(programs, size))?);
    }
    reported(phases, sections, size.name())
}

fn reported(phases: &mut Phases, sections: Vec<Section>, size: &str) -> Result<Measured, Error> {
    let files = phases.run("report", || report::write(&sections, size))?;
    Ok((sections, files))
}

fn show((sections, files): &Measured, size: &str) {
    for section in sections {
        println!("\n{}: goals, and what this {size} run measured\n{}", section.tool, section.goals.page());
    }
    println!("tables: {}\nreport: {}", files.tables.display(), files.page.display());
}
