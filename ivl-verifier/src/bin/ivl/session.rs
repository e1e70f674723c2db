//! What every subcommand that verifies needs: the solver's program, the store, reading files.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cache_core::limits::MachineId;
use cache_core::mode::Mode;
use cache_core::store::{DiskOptions, DiskStore, Remote, Store, Tiered};
use cache_core::worker::WorkerConfig;
use ivl_verifier::base::engine::{Engine, Family, PROGRAM_FLAG};
use ivl_verifier::base::source::{FileId, Sources};
use ivl_verifier::base::system::System;
use ivl_verifier::service::Options;
use reprise_tools::location::{CACHE_DIR, Environment, HOME, XDG_CACHE_HOME, cache_folder};
use reprise_tools::remote::{Settings, SettingsError};

use crate::arguments::Cache;

/// Everything is proved.
pub(crate) const FINE: u8 = 0;
/// Something is not proved.
pub(crate) const FINDINGS: u8 = 1;
/// The input or the usage is wrong, or there is no solver.
pub(crate) const UNUSABLE: u8 = 2;
/// A result is missing offline, or an audit found a wrong one.
pub(crate) const CACHE_FAULT: u8 = 3;

/// The name of the worker program.
const SOLVER: &str = "ivl-solver";

/// Prints results, and gives the exit code that this alone would have. A reader that went away wants no
/// more text, which is no fault of the run; text that is lost otherwise is.
pub(crate) fn print(system: &dyn System, text: &str) -> u8 {
    match system.print(text) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            system.print_error(&format!("error: cannot write standard output: {error}\n"));
            UNUSABLE
        }
        _ => FINE,
    }
}

/// Says why a run cannot begin, and gives its exit code.
pub(crate) fn unusable(system: &dyn System, message: &str) -> u8 {
    system.print_error(&format!("error: {message}\n"));
    UNUSABLE
}

/// The worker program: beside this one, or where `cargo xtask install` puts it. If it is in neither
/// place, the first one, so that a message names it.
fn solver(system: &dyn System) -> PathBuf {
    let Some(folder) = system.program().and_then(|program| program.parent().map(Path::to_owned)) else {
        return PathBuf::from(SOLVER);
    };
    let beside = folder.join(SOLVER);
    let installed = folder.join("../lib/reprise").join(SOLVER);
    if !system.exists(&beside) && system.exists(&installed) { installed } else { beside }
}

/// How the C library keeps memory that the solver gives back: the next query, whose context begins with tables of
/// 17 MB, need not get it from the system again; and the first one gets them in few large pages. Other C libraries
/// know nothing of it.
const KEPT_MEMORY: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=268435456:glibc.malloc.hugetlb=1",
);

/// How the worker program is started.
pub(crate) fn worker(system: &dyn System) -> WorkerConfig {
    let mut worker = WorkerConfig::new(solver(system));
    let (name, value) = KEPT_MEMORY;
    if system.variable(name).is_none() {
        worker.environment.push((name.into(), value.into()));
    }
    worker
}

/// How long a solver may take to say which version it is.
const TO_SAY_VERSION: Duration = Duration::from_secs(10);

/// Lets another solver's program answer: one that is found by its path or name.
///
/// # Errors
/// A message that says why it cannot, in which case nothing changes.
pub(crate) fn ask_program(options: &mut Options, system: &dyn System, program: &Path) -> Result<(), String> {
    let said = system.said_by(program, &["--version"], TO_SAY_VERSION);
    let said =
        said.map_err(|error| format!("{} cannot be asked for its version ({error})", program.display()))?;
    let engine = Engine::of_version(&String::from_utf8_lossy(&said));
    let engine = engine.ok_or_else(|| format!("{} does not say that it is Z3 or cvc5", program.display()))?;
    let arguments: [OsString; 3] = [PROGRAM_FLAG.into(), engine.family.name().into(), program.into()];
    options.solver = options.solver.clone().arguments(arguments);
    if engine.family != Family::Z3 {
        // Turns are Z3's settings one after the other.
        options.switch_after = 0;
    }
    options.engine = engine;
    Ok(())
}

/// The store that command lines ask for.
pub(crate) fn store_for(system: &dyn System, cache: &Cache) -> (Option<Arc<dyn Store>>, Vec<String>) {
    let remote = cache.remote.settings();
    store(system, cache.mode, cache.cache_dir.as_deref(), cache.allow_shared_cache, &remote)
}

/// The store on disk, and behind it the remote one if there is any. What there is not the run goes on without, with a
/// warning.
pub(crate) fn store(
    system: &dyn System,
    mode: Mode,
    flag: Option<&Path>,
    allow_shared: bool,
    remote: &Settings,
) -> (Option<Arc<dyn Store>>, Vec<String>) {
    if mode == Mode::Off {
        return (None, Vec::new());
    }
    let mut warnings = Vec::new();
    let mut tiers: Vec<Box<dyn Store>> = Vec::new();
    match disk(system, mode, flag, allow_shared) {
        Ok(disk) => tiers.push(Box::new(disk)),
        Err(message) => warnings.push(message),
    }
    match remote.open_behind(tiers.first().map(|disk| &**disk), &|name| system.variable(name)) {
        Ok(Some(remote)) => tiers.push(Box::new(remote)),
        Ok(None) => {}
        Err(error) => warnings.push(unused(&error)),
    }
    let store: Option<Arc<dyn Store>> = match tiers.len() {
        0 => None,
        1 => tiers.pop().map(Arc::from),
        _ => Some(Arc::new(Tiered::new(tiers))),
    };
    (store, warnings)
}

/// The remote cache, if one is asked for, or why it cannot be used.
pub(crate) fn remote(system: &dyn System, settings: &Settings) -> Result<Option<Remote>, String> {
    let opened = settings.open(&|name| system.variable(name));
    opened.map_err(|error| unused(&error))
}

fn unused(error: &SettingsError) -> String {
    format!("the remote cache is not used: {error}")
}

/// The store on disk, or why it cannot be used.
pub(crate) fn disk(
    system: &dyn System,
    mode: Mode,
    flag: Option<&Path>,
    allow_shared: bool,
) -> Result<Arc<DiskStore>, String> {
    let variables = [CACHE_DIR, XDG_CACHE_HOME, HOME].map(|name| system.variable(name));
    let [cache_dir, xdg_cache_home, home] =
        variables.each_ref().map(|value| value.as_deref().map(OsStr::new));
    let Some(folder) = cache_folder("ivl", &Environment { flag, cache_dir, xdg_cache_home, home }) else {
        return Err(
            "nothing says where the cache could be, so results are not kept: give --cache-dir".to_owned()
        );
    };
    let options = DiskOptions::default().read_only(!mode.writes()).allow_shared(allow_shared);
    match DiskStore::open(folder, options) {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(format!("the cache is not used: {error}")),
    }
}

/// Who this machine is, as far as it says so: results that ran out of time are reused on it only.
pub(crate) fn machine(system: &dyn System) -> Option<MachineId> {
    let bytes = system.read(Path::new("/etc/machine-id")).ok()?;
    let text = String::from_utf8(bytes).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(MachineId(text))
}

/// Reads a file into the sources, or says why not.
pub(crate) fn read(system: &dyn System, sources: &mut Sources, path: &Path) -> Result<FileId, String> {
    let name = path.display().to_string();
    // As in Boogie, this name stands for the standard input.
    let bytes =
        if name == "stdin.bpl" && !system.exists(path) { system.read_input() } else { system.read(path) };
    let bytes = bytes.map_err(|error| format!("cannot read {name}: {error}"))?;
    Ok(sources.add(&name, &text(&name, bytes)?))
}

/// The content of a file as text, or why it is none.
pub(crate) fn text(name: &str, bytes: Vec<u8>) -> Result<String, String> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(format!("cannot read {name}: files of 4 GiB and more are not accepted"));
    }
    let mut bytes = bytes;
    // A mark of the encoding is no part of the text, whose columns begin behind it.
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        format!("cannot read {name}: line {line}, column {column} is not UTF-8 text")
    })
}

/// The versions `F.v0.bpl`, `F.v1.bpl`, ... of a file `F.bpl`.
pub(crate) fn versions(system: &dyn System, path: &Path) -> Vec<PathBuf> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or("bpl");
    let mut found = Vec::new();
    loop {
        let version = path.with_extension(format!("v{}.{extension}", found.len()));
        if !system.exists(&version) {
            return found;
        }
        found.push(version);
    }
}
