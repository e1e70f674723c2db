//! The engine without checks beside other Prolog systems: the seven programs and eight classics, in the same
//! run, in processor time. A system that is not installed is left out, with a note.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::super::Size;
use super::super::measure::children_seconds;
use super::super::report::Section;
use super::super::table::{Table, ratio};
use super::grid::geometric_mean;
use super::workload::{PROGRAMS, portable_classic};
use crate::error::Error;
use crate::phases::bar;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::{root, runs};

/// The elements that the seven programs insert.
const N: usize = 256;

/// The classics, below `fixtures/prolog/classics`.
const CLASSICS: [&str; 8] = ["nrev", "tak", "queens", "zebra", "crypt", "deriv", "poly_10", "browse"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Peer {
    Rtcheck,
    Swi,
    GnuNative,
    GnuConsulted,
}

impl Peer {
    const ALL: [Peer; 4] = [Peer::Rtcheck, Peer::Swi, Peer::GnuNative, Peer::GnuConsulted];

    fn name(self) -> &'static str {
        match self {
            Peer::Rtcheck => "rtcheck",
            Peer::Swi => "swipl -O",
            Peer::GnuNative => "gplc",
            Peer::GnuConsulted => "gprolog, consulted",
        }
    }

    fn is_installed(self) -> bool {
        match self {
            Peer::Rtcheck => true,
            Peer::Swi => runs("swipl"),
            Peer::GnuNative => runs("gplc"),
            Peer::GnuConsulted => runs("gprolog"),
        }
    }

    /// A `main` that reads how often to repeat from the command line.
    fn entry(self) -> String {
        match self {
            Peer::Rtcheck => format!("main([A]) :- atom_number(A, R), repeat_workload(R, {N}).\n"),
            Peer::Swi => format!(
                "main :- current_prolog_flag(argv, As), append(_, [A], As), atom_number(A, R), \
                 repeat_workload(R, {N}), halt.\n"
            ),
            Peer::GnuNative | Peer::GnuConsulted => format!(
                "main :- argument_value(1, A), atom_codes(A, Cs), number_codes(R, Cs), \
                 repeat_workload(R, {N}), halt.\n"
            ),
        }
    }
}

/// A program prepared for one system.
struct Prepared {
    peer: Peer,
    /// What to start; arguments but for the number of repetitions.
    program: PathBuf,
    arguments: Vec<String>,
}

impl Prepared {
    fn new(
        peer: Peer,
        name: &str,
        text: &str,
        folder: &Path,
        programs: &Programs,
    ) -> Result<Prepared, Error> {
        let file = folder.join(format!("{name}-{peer:?}.pl"));
        let mut text = format!("{text}\n{}", peer.entry());
        if peer == Peer::GnuNative {
            text.push_str(":- initialization(main).\n");
        }
        fs::write(&file, text).map_err(Error::writing(&file))?;
        let path = file.display().to_string();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (program, arguments) = match peer {
            Peer::Rtcheck => (programs.path("rtcheck"), words(&["run", "--checks", "off", &path, "--"])),
            Peer::Swi => (PathBuf::from("swipl"), words(&["-O", "-g", "main", "-t", "halt", &path, "--"])),
            Peer::GnuNative => {
                let program = file.with_extension("");
                let mut compile = Command::new("gplc");
                compile.arg("--no-top-level").arg("-o").arg(&program).arg(&file);
                process::stdout(&mut compile)?;
                (program, Vec::new())
            }
            Peer::GnuConsulted => {
                (PathBuf::from("gprolog"), words(&["--consult-file", &path, "--query-goal", "main", "--"]))
            }
        };
        Ok(Prepared { peer, program, arguments })
    }

    /// Processor seconds of a run that repeats the workload so often.
    fn seconds(&self, repetitions: u64) -> Result<f64, Error> {
        let scratch = Scratch::new()?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(repetitions.to_string());
        scratch.guard(&mut command);
        let start = children_seconds();
        process::stdout(&mut command)?;
        Ok(children_seconds() - start)
    }

    /// How often to repeat the workload so that it takes a time, and several times as long as starting: systems start
    /// in different times, and what those vary by must be small beside the work of each.
    fn repetitions(&self, least: f64) -> Result<u64, Error> {
        let start = self.seconds(0)?.min(self.seconds(0)?);
        let least = least.max(STARTS * start);
        let mut repetitions = 1;
        loop {
            let took = self.seconds(repetitions)? - start;
            if took > least / 5.0 || repetitions > 1 << 24 {
                let wanted = repetitions as f64 * least / took.max(1e-4);
                return Ok((wanted as u64).max(1));
            }
            repetitions *= 4;
        }
    }
}

/// The work that is measured takes at least so many times as long as starting.
const STARTS: f64 = 3.0;

/// Times of one program: seconds per repetition, by system.
struct Times {
    name: &'static str,
    classic: bool,
    seconds: Vec<Option<f64>>,
}

/// Which programs a mean is over.
type Kind = fn(&Times) -> bool;

/// What the comparison found.
pub(super) struct Comparison {
    pub(super) table: Table,
    /// The geometric mean of rtcheck's time divided by SWI-Prolog's.
    pub(super) against_swi: Option<f64>,
}

/// Runs every program on every system that is there.
pub(super) fn compare(programs: &Programs, size: Size, section: &mut Section) -> Result<Comparison, Error> {
    let peers: Vec<Peer> = Peer::ALL.into_iter().filter(|peer| peer.is_installed()).collect();
    for peer in Peer::ALL.into_iter().filter(|peer| !peers.contains(peer)) {
        section.notes.push(format!("{} is not installed, so nothing is compared with it.", peer.name()));
    }
    let (rounds, least) = match size {
        Size::Smoke => (2, 0.05),
        Size::Default => (3, 0.15),
        Size::Full => (7, 0.3),
    };
    let mut texts = Vec::new();
    for program in &PROGRAMS {
        texts.push((program.name, false, program.portable()?));
    }
    for name in CLASSICS {
        let path = root().join("fixtures/prolog/classics").join(format!("{name}.pl"));
        texts.push((name, true, portable_classic(&path)?));
    }
    let progress = bar(texts.len());
    let folder = Scratch::new()?;
    let mut all = Vec::new();
    for (name, classic, text) in texts {
        let prepared = peers
            .iter()
            .map(|peer| Prepared::new(*peer, name, &text, folder.path(), programs))
            .collect::<Result<Vec<_>, Error>>()?;
        let repetitions =
            prepared.iter().map(|prepared| prepared.repetitions(least)).collect::<Result<Vec<_>, Error>>()?;
        let mut starts = vec![Vec::new(); prepared.len()];
        let mut ends = vec![Vec::new(); prepared.len()];
        for _ in 0..rounds {
            for (number, prepared) in prepared.iter().enumerate() {
                starts[number].push(prepared.seconds(0)?);
                ends[number].push(prepared.seconds(repetitions[number])?);
            }
        }
        let mut seconds = vec![None; Peer::ALL.len()];
        for (number, (start, end)) in starts.iter().zip(&ends).enumerate() {
            let prepared = &prepared[number];
            let once = (least_of(end) - least_of(start)) / repetitions[number] as f64;
            seconds[prepared.peer as usize] = Some(once);
            section.raw.push(json!({ "program": name, "system": prepared.peer.name(), "seconds": once }));
        }
        all.push(Times { name, classic, seconds });
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(Comparison { table: table(&all), against_swi: mean(&all, Peer::Swi, |_| true) })
}

/// The least of some times: whatever else the machine does only adds to them.
fn least_of(times: &[f64]) -> f64 {
    times.iter().copied().min_by(f64::total_cmp).unwrap_or(f64::NAN)
}

/// The geometric mean of rtcheck's times divided by another system's.
fn mean(all: &[Times], peer: Peer, of: Kind) -> Option<f64> {
    let own = |times: &Times| times.seconds[Peer::Rtcheck as usize];
    let ratios: Vec<f64> = all
        .iter()
        .filter(|times| of(times))
        .filter_map(|times| Some(own(times)? / times.seconds[peer as usize]?))
        .collect();
    (!ratios.is_empty()).then(|| geometric_mean(&ratios))
}

fn table(all: &[Times]) -> Table {
    let mut table = Table::new(
        "rtcheck: the engine without checks, beside other systems",
        &format!(
            "Microseconds of processor time for one repetition (the seven programs: N = {N}): the least of several \
             runs, which take at least {STARTS} times as long as starting, less the least time of starting. Behind \
             the bar rtcheck's time as a multiple of it, so that less than 1 is faster."
        ),
        &["program"],
    );
    table.heads.extend(Peer::ALL.map(|peer| peer.name().to_owned()));
    for times in all {
        let own = times.seconds[Peer::Rtcheck as usize].unwrap_or(f64::NAN);
        let mut row = vec![times.name.to_owned()];
        row.extend(Peer::ALL.map(|peer| match times.seconds[peer as usize] {
            None => "-".to_owned(),
            Some(seconds) if peer == Peer::Rtcheck => format!("{:.1}", seconds * 1e6),
            Some(seconds) => format!("{:.1} | {}", seconds * 1e6, ratio(own / seconds)),
        }));
        table.rows.push(row);
    }
    let groups: [(&str, Kind); 3] = [
        ("geometric mean, the seven", |times| !times.classic),
        ("geometric mean, classics", |times| times.classic),
        ("geometric mean, all", |_| true),
    ];
    for (name, of) in groups {
        let mut row = vec![name.to_owned()];
        row.extend(Peer::ALL.map(|peer| mean(all, peer, of).map_or_else(|| "-".to_owned(), ratio)));
        table.rows.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{Peer, Times, least_of, mean, table};

    #[test]
    fn means_are_of_what_both_systems_ran() {
        let times =
            |classic, seconds: [Option<f64>; 4]| Times { name: "p", classic, seconds: seconds.to_vec() };
        let all = [
            times(false, [Some(1.0), Some(2.0), None, None]),
            times(true, [Some(8.0), Some(1.0), Some(8.0), None]),
        ];
        assert!((mean(&all, Peer::Swi, |_| true).unwrap() - 2.0).abs() < 1e-9);
        assert!((mean(&all, Peer::Swi, |times| times.classic).unwrap() - 8.0).abs() < 1e-9);
        assert!((mean(&all, Peer::GnuNative, |_| true).unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(mean(&all, Peer::GnuConsulted, |_| true), None);
        assert_eq!(table(&all).rows.len(), 5);
        assert!((least_of(&[3.0, 1.0, 2.0]) - 1.0).abs() < 1e-9);
    }
}
