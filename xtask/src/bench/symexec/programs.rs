//! The paper's own programs (`--programs`): m4, make, sqlite, apr, libxml2, expat, bash and json-c of its
//! Tables II to V, libosip, libyaml and ten coreutils of its section VI-D, from the distribution's source
//! packages.
//!
//! Sources are fetched and made below cargo's folder (`fetch`, `make`), the list is in `list`. A program that cannot
//! be fetched, made or explored has a row that says why, and the goals that need it are missed. Counts come first:
//! runs end by their paths or by a number of instructions, never by time.

mod fetch;
mod figures;
mod list;
mod make;
mod measure;

use self::list::{Amount, DEPENDENT, INDEPENDENT, Subject};
use self::make::Workshop;
use self::measure::{Measured, Plan};
use super::grid::geometric;
use crate::bench::report::Section;
use crate::bench::table::{Table, ratio};
use crate::error::Error;
use crate::explore::{Cache, Model};
use crate::phases::bar;
use crate::programs::Programs;

/// How much is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// Some minutes.
    Quick,
    /// At most an hour of two processors.
    Hour,
}

impl Length {
    /// For the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Length::Quick => "programs, quick",
            Length::Hour => "programs, hour",
        }
    }

    fn amount(self, subject: &Subject) -> Amount {
        match self {
            Length::Quick => subject.quick,
            Length::Hour => subject.hour,
        }
    }
}

/// Whether all these are names of programs.
pub(crate) fn known(names: &[String]) -> Result<(), Error> {
    let all: Vec<&str> = DEPENDENT.iter().chain(&INDEPENDENT).map(|subject| subject.name).collect();
    match names.iter().find(|name| !all.contains(&name.as_str())) {
        Some(name) => {
            Err(Error::Findings(format!("no program is called `{name}`; there are {}", all.join(", "))))
        }
        None => Ok(()),
    }
}

/// Measures all programs, or those of the given names where there are any, and shows every table.
pub(crate) fn section(tools: &Programs, length: Length, only: &[String]) -> Result<Section, Error> {
    let mut section = Section { tool: "symexec", ..Section::default() };
    section.notes.push(
        "The programs of the paper on address-aware query caching, from the distribution's sources: other versions \
         than the paper's, with drivers and templates of our own and less unknown input. So factors compare, and counts \
         do not. In the segmented model the base uses segments again, and the address-aware run does not."
            .to_owned(),
    );
    if !only.is_empty() {
        section.notes.push(format!("Of the programs, {} alone.", only.join(", ")));
    }
    let workshop = Workshop::new(tools)?;
    let mut failed = Vec::new();
    let count = if only.is_empty() { DEPENDENT.len() + INDEPENDENT.len() } else { only.len() };
    let progress = bar(count);
    let mut explored = |subjects: &[Subject], plan: Plan, section: &mut Section| {
        let mut all = Vec::new();
        for subject in
            subjects.iter().filter(|subject| only.is_empty() || only.iter().any(|one| one == subject.name))
        {
            progress.set_message(subject.name);
            match Measured::new(tools, &workshop, subject, length.amount(subject), plan, &mut section.raw) {
                Ok(measured) => all.push(measured),
                Err(error) => failed.push((subject.name, error.to_string())),
            }
            progress.inc(1);
        }
        all
    };
    let dependent = explored(&DEPENDENT, Plan { rounds: 1, audit: true }, &mut section);
    let rounds = if length == Length::Hour { 2 } else { 1 };
    let independent = explored(&INDEPENDENT, Plan { rounds, audit: length == Length::Hour }, &mut section);
    progress.finish_and_clear();

    section.tables.push(figures::work(&dependent));
    section.tables.push(figures::classes(&dependent));
    figures::factors(&dependent, &mut section);
    figures::memory(&dependent, &mut section);
    section.tables.push(figures::validation(&dependent));
    section.tables.push(figures::overhead(&independent));
    if !failed.is_empty() {
        let mut table = Table::new("symexec, the paper's programs: not measured", "", &["program", "why"]);
        table.rows.extend(failed.iter().map(|(name, why)| vec![(*name).to_owned(), why.clone()]));
        section.tables.push(table);
    }
    goals(&mut section, &dependent, &independent, &failed, only.is_empty());
    Ok(section)
}

/// What the project set out to reach on these programs; a mean is judged where it is over all of them.
fn goals(
    section: &mut Section,
    dependent: &[Measured],
    independent: &[Measured],
    failed: &[(&'static str, String)],
    all: bool,
) {
    let goals = &mut section.goals;
    let astray: Vec<&str> = dependent
        .iter()
        .chain(independent)
        .filter(|measured| !measured.ended())
        .map(|measured| measured.name)
        .chain(failed.iter().map(|(name, _)| *name))
        .collect();
    let count = dependent.len() + independent.len();
    goals.add(
        "all programs end by their limit or completely",
        if astray.is_empty() { format!("{count} programs") } else { format!("not {}", astray.join(", ")) },
        Some(astray.is_empty()),
    );
    for (model, bound) in [(Model::Forking, 3.2), (Model::Segmented, 2.6)] {
        let factors: Vec<(&str, f64)> = dependent
            .iter()
            .map(|measured| {
                (measured.name, measured.pair(model, |explored| explored.solver_queries() as f64).factor())
            })
            .collect();
        let name = model.name();
        let mean = geometric(&factors.iter().map(|(_, factor)| *factor).collect::<Vec<_>>());
        goals.add(
            format!("{name}: solver queries, geometric mean of the factor: at least {bound}"),
            ratio(mean),
            all.then_some(mean >= bound && failed.is_empty()),
        );
        let worst = factors.iter().copied().reduce(|a, b| if b.1 < a.1 { b } else { a });
        goals.add(
            format!("{name}: no program asks more with the address-aware cache"),
            worst.map_or_else(String::new, |(name, factor)| format!("{} at worst ({name})", ratio(factor))),
            worst.map(|(_, factor)| factor >= 1.0),
        );
    }
    let audited: u64 = dependent.iter().chain(independent).flat_map(|one| one.audited.values()).sum();
    let wrong = failed.iter().find(|(_, why)| why.contains("exit status: 3"));
    goals.add(
        "every hit asked again agrees",
        wrong.map_or_else(|| format!("{audited} hits"), |(name, _)| format!("not in {name}")),
        (all || wrong.is_some() || audited > 0).then_some(wrong.is_none() && audited > 0),
    );
    let unanswered: Vec<String> = dependent
        .iter()
        .chain(independent)
        .flat_map(|one| Model::ALL.map(|model| (one.name, model, one.unanswered(model))))
        .filter(|(_, _, pair)| pair.base > 0.0 || pair.aware > 0.0)
        .map(|(name, model, pair)| format!("{name} {} ({}, {})", model.name(), pair.base, pair.aware))
        .collect();
    goals.add(
        "questions that end by their limit of work, with the plain and the address-aware cache",
        if unanswered.is_empty() { "none".to_owned() } else { unanswered.join(", ") },
        None,
    );
    let errors: Vec<&str> = dependent
        .iter()
        .chain(independent)
        .filter(|one| Model::ALL.iter().any(|model| !one.cell(*model, Cache::Plain).told.is_empty()))
        .map(|one| one.name)
        .collect();
    goals.add(
        "no error is reported in these programs",
        if errors.is_empty() { "none".to_owned() } else { errors.join(", ") },
        Some(errors.is_empty()),
    );
}
