//! `cargo xtask bench`: the tools on the fixtures, counted and timed.
//!
//! Each tool has a module that runs it and returns a [`Section`]; all sections end as tables on the
//! terminal and as one report with charts.

pub(crate) mod measure;
pub(crate) mod table;
mod chart;
mod report;
mod rtcheck;
mod ivl;
mod symexec;
mod core;

use crate::error::Error;
use crate::phases::in_phases;
use crate::programs::Programs;
use crate::setup;
use report::Section;

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

impl Subject {
    /// The package whose programs are measured; the core's benches are built as they are run.
    fn package(self) -> Option<&'static str> {
        match self {
            Subject::Ivl => Some("ivl-verifier"),
            Subject::Symexec => Some("symexec"),
            Subject::Rtcheck => Some("rtcheck"),
            Subject::Core => None,
        }
    }
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

/// Runs the benches of the given subjects, of the three tools where none is given; `peers` compares with other
/// systems as well.
pub(crate) fn run(subjects: &[Subject], size: Size, peers: bool) -> Result<(), Error> {
    // The core's benches are for its developers, and building them takes longer than running them.
    let tools = [Subject::Rtcheck, Subject::Ivl, Subject::Symexec];
    let subjects = if subjects.is_empty() { &tools } else { subjects };
    let wanted = |subject: Subject| subjects.contains(&subject);
    let (sections, page) = in_phases("bench", |phases| {
        phases.run("set up", || Ok(setup::run(false)?))?;
        let packages: Vec<&str> = subjects.iter().filter_map(|subject| subject.package()).collect();
        let programs = phases.run("build", || Programs::build("release", &packages, &[]))?;
        let mut sections: Vec<Section> = Vec::new();
        if wanted(Subject::Rtcheck) {
            sections.push(phases.run("rtcheck", || rtcheck::section(&programs, size, peers))?);
        }
        if wanted(Subject::Ivl) {
            sections.push(phases.run("ivl", || ivl::section(&programs, size, peers))?);
        }
        if wanted(Subject::Symexec) {
            sections.push(phases.run("symexec", || symexec::section(&programs, size))?);
        }
        if wanted(Subject::Core) {
            sections.push(phases.run("core", || core::section(size))?);
        }
        let page = phases.run("report", || report::write(&sections, size.name()))?;
        Ok((sections, page))
    })?;
    for table in sections.iter().flat_map(|section| &section.tables) {
        println!("\n{}", table.text());
    }
    println!("report: {}", page.display());
    Ok(())
}
