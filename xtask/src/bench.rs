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

use crate::error::Error;
use crate::phases::in_phases;
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

/// Explores the programs of the paper that `symexec` follows, and nothing else.
pub(crate) fn programs(length: Length) -> Result<(), Error> {
    let name = length.name();
    in_phases("bench", |phases| {
        phases.run("set up", || Ok(setup::run(false)?))?;
        let programs = phases.run("build", || Programs::build(Build::Release))?;
        let section = phases.run(name, || symexec::programs::section(&programs, length))?;
        let sections = [section];
        let files = phases.run("report", || report::write(&sections, name))?;
        Ok((sections, files))
    })
    .map(|(sections, files)| show(&sections, name, &files))
}

/// Runs the benches of the given subjects, of the three tools where none is given; `peers` compares with other
/// systems as well, `brought` are further edit sessions.
pub(crate) fn run(subjects: &[Subject], size: Size, peers: bool, brought: &Brought) -> Result<(), Error> {
    // The core's benches are for its developers, and building them takes longer than running them.
    let tools = [Subject::Rtcheck, Subject::Ivl, Subject::Symexec];
    let subjects = if subjects.is_empty() { &tools } else { subjects };
    let wanted = |subject: Subject| subjects.contains(&subject);
    let (sections, files) = in_phases("bench", |phases| {
        phases.run("set up", || Ok(setup::run(false)?))?;
        let programs = phases.run("build", || Programs::build(Build::Release))?;
        let mut sections: Vec<Section> = Vec::new();
        if wanted(Subject::Rtcheck) {
            sections.push(phases.run("rtcheck", || rtcheck::section(&programs, size, peers))?);
        }
        if wanted(Subject::Ivl) {
            sections.push(phases.run("ivl", || ivl::section(&programs, size, peers, brought))?);
        }
        if wanted(Subject::Symexec) {
            sections.push(phases.run("symexec", || symexec::section(&programs, size))?);
        }
        if wanted(Subject::Core) {
            sections.push(phases.run("core", || core::section(&programs, size))?);
        }
        let files = phases.run("report", || report::write(&sections, size.name()))?;
        Ok((sections, files))
    })?;
    show(&sections, size.name(), &files);
    Ok(())
}

fn show(sections: &[Section], size: &str, files: &report::Files) {
    for section in sections {
        println!("\n{}: goals, and what this {size} run measured\n{}", section.tool, section.goals.page());
    }
    println!("tables: {}\nreport: {}", files.tables.display(), files.page.display());
}
