//! What the tests share: a verifier with the real solver and a cache of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cache_core::mode::Mode;
use cache_core::store::{DiskOptions, DiskStore, Store};
use cache_core::worker::{Cancel, WorkerConfig};
use ivl_verifier::base::source::Sources;
use ivl_verifier::base::system::OperatingSystem;
use ivl_verifier::report::boogie::{self, Style};
use ivl_verifier::report::{Origin, Report, human};
use ivl_verifier::service::{Options, Verifier};

/// Z3's resource count for one implementation: the same verdicts on every machine.
const RESOURCES: u64 = 20_000_000;

/// A verifier of snapshots.
pub(crate) struct Session {
    pub(crate) verifier: Verifier,
}

/// What a test looks at.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Diagnostics of the front end and errors of implementations, in Boogie's layout.
    pub(crate) text: String,
    /// One line per implementation, in the order in which they were reported.
    pub(crate) explanations: String,
    /// The reports in the order of the program.
    pub(crate) reports: Vec<Report>,
    /// Which constants hold, where that was to be found out.
    pub(crate) assignment: Vec<(String, bool)>,
}

impl Seen {
    /// The names of the implementations for which the solver was asked.
    pub(crate) fn asked(&self) -> Vec<&str> {
        let asked = self.reports.iter().filter(|report| report.origin == Origin::Solver);
        asked.map(|report| report.name.as_str()).collect()
    }

    /// How many checks fail.
    pub(crate) fn errors(&self) -> usize {
        self.reports.iter().map(|report| report.errors.len()).sum()
    }
}

/// Options with the solver that was built with these tests.
pub(crate) fn options() -> Options {
    Options {
        resource_limit: Some(RESOURCES),
        time_limit_ms: None,
        ..Options::new(WorkerConfig::new(env!("CARGO_BIN_EXE_ivl-solver")))
    }
}

impl Session {
    /// A session whose results are kept in a folder.
    pub(crate) fn on_disk(folder: &Path, options: Options) -> Self {
        let disk = DiskOptions::default().read_only(!options.mode.writes());
        let store: Arc<dyn Store> = Arc::new(DiskStore::open(folder, disk).expect("the folder is ours"));
        Self { verifier: Verifier::new(options, Some(store), Arc::new(OperatingSystem::new())) }
    }

    /// A session that keeps results in memory, if its mode keeps any.
    pub(crate) fn with(options: Options) -> Self {
        Self { verifier: Verifier::new(options, None, Arc::new(OperatingSystem::new())) }
    }

    /// A session that keeps results in memory.
    pub(crate) fn in_memory() -> Self {
        Self::with(options())
    }

    /// A session without a cache.
    pub(crate) fn from_scratch() -> Self {
        Self::with(Options { mode: Mode::Off, ..options() })
    }

    /// Whether a text is a program of which something is asked.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let mut sources = Sources::default();
        let file = sources.add("p.bpl", text);
        !self.verifier.questions(&sources, &[file]).is_empty()
    }

    /// Verifies a program.
    pub(crate) fn verify(&mut self, name: &str, text: &str) -> Seen {
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        let style = Style {
            base_names: true,
            traces: true,
            own_places: true,
            inlined_places: true,
            ..Style::default()
        };
        let (mut shown, mut explanations) = (String::new(), String::new());
        let snapshot = self.verifier.verify(&sources, &[file], &Cancel::new(), |report| {
            shown.push_str(&boogie::report(&sources, report, style));
            explanations.push_str(&human::explanation(&sources, report));
        });
        let text = boogie::diagnostics(&sources, &snapshot, name, style) + &shown;
        Seen { text, explanations, reports: snapshot.reports, assignment: snapshot.assignment }
    }
}

/// A file of `fixtures/boogie`.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/boogie").join(name)
}

/// The edit history `NAME.v0.bpl, NAME.v1.bpl, ...` of a fixture, each version with its file name.
pub(crate) fn history(name: &str) -> Vec<(String, String)> {
    (0..)
        .map(|version| format!("{name}.v{version}.bpl"))
        .map_while(|file| std::fs::read_to_string(fixture(&file)).ok().map(|text| (file, text)))
        .collect()
}
