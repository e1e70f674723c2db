//! What a run is given: the program, its environment, seeds, and functions outside of it.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use cache_core::worker::{Supervisor, WorkerConfig, WorkerError};

use super::external;
use super::options::{Options, Style};
use super::run_error::RunError;
use super::workers::locate;
use crate::base::system::System;
use crate::exec::environment::{Entry, Environment, EnvironmentError};
use crate::exec::{ExecConfig, External, Replay, Seed, Seeds, mathematics, provides};
use crate::module::reader::{Request, Response, decode, encode};
use crate::module::{FORMAT, Module};
use crate::testcase::KTest;

/// How a program is explored, after everything was read that options name. Programs of external functions are
/// made in a folder, and last as long as that.
pub(super) fn config(
    options: &Options,
    system: &Rc<dyn System>,
    environment: Option<Environment>,
    seeds: Vec<Seed>,
    module: &Module,
    folder: &Path,
) -> Result<ExecConfig, RunError> {
    Ok(ExecConfig {
        variables: variables(options, &**system)?,
        environment: environment.filter(|environment| !environment.is_plain()),
        externals: externals(options, system, module, folder)?,
        seeds: Seeds { all: seeds, ..options.exec.seeds.clone() },
        conditions: options.files.kquery || options.files.cvc || options.files.smtlib,
        replays: read_replays(options, &**system)?,
        path: read_path(options, &**system)?,
        record_branches: options.files.paths || options.files.symbolic_paths || options.replay_path.is_some(),
        ..options.exec.clone()
    })
}

/// The program's environment: that of a file, for KLEE's users this process's own, or none.
fn variables(options: &Options, system: &dyn System) -> Result<Vec<Vec<u8>>, RunError> {
    let Some(file) = &options.env_file else {
        // What is said to this house, secrets among it, is not the program's business.
        let mut all = if options.style == Style::Klee { system.variables() } else { Vec::new() };
        all.retain(|variable| !variable.starts_with(b"REPRISE_"));
        return Ok(all);
    };
    let failed = |error| RunError::Write { path: file.clone(), error };
    let bytes = system.read_file(file).map_err(failed)?;
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Ok(lines.map(<[u8]>::to_vec).collect())
}

/// What the program is started with, if that is not known arguments alone.
pub(super) fn environment(
    options: &Options,
    system: &Rc<dyn System>,
) -> Result<Option<Environment>, RunError> {
    let arguments = options.exec.arguments.get(1..).unwrap_or_default();
    if !options.symbolic_arguments {
        let entries = arguments.iter().cloned().map(Entry::Argument).collect();
        let mut environment = Environment { entries, ..Environment::default() };
        environment.follow(options.follow_fork);
        return Ok(Some(environment).filter(|environment| !environment.is_plain()));
    }
    let read = |path: &Path| system.read_file(path).map_err(|error| error.to_string());
    let template = match &options.template {
        None => None,
        Some(file) => Some(read(file).map_err(|error| EnvironmentError::Template {
            option: "--template".to_owned(),
            file: file.display().to_string(),
            error,
        })?),
    };
    let mut environment = Environment::parse(arguments, template.as_deref(), &read)?;
    if options.symbolic_metadata {
        environment.let_metadata_be_unknown();
    }
    if !environment.entries.iter().any(|entry| matches!(entry, Entry::Processes(_))) {
        environment.follow(options.follow_fork);
    }
    let unusual = !environment.is_plain() || !environment.warnings.is_empty();
    if !environment.is_plain() && options.exec.entry != "main" {
        return Err(RunError::Entry(options.exec.entry.clone()));
    }
    Ok(unusual.then_some(environment))
}

/// Reads the seeds.
pub(super) fn read_seeds(options: &Options, system: &dyn System) -> Result<Vec<Seed>, RunError> {
    let tests = read_tests(&options.seeds, system)?;
    Ok(tests.into_iter().map(|(_, test)| Seed { objects: test.objects }).collect())
}

/// Reads the tests that are replayed.
pub(super) fn read_replays(options: &Options, system: &dyn System) -> Result<Vec<Replay>, RunError> {
    let tests = read_tests(&options.replays, system)?;
    let replay = |(path, test): (PathBuf, KTest)| Replay {
        name: path.display().to_string(),
        objects: test.objects.into_iter().map(|(_, bytes)| bytes).collect(),
    };
    Ok(tests.into_iter().map(replay).collect())
}

/// Reads the sides of branches, as `.path` files have them: a digit in each line.
pub(super) fn read_path(options: &Options, system: &dyn System) -> Result<Option<Vec<bool>>, RunError> {
    let Some(file) = &options.replay_path else { return Ok(None) };
    let failed = |error: String| RunError::Path { path: file.clone(), error };
    let bytes = system.read_file(file).map_err(|error| failed(error.to_string()))?;
    let side = |(number, line): (usize, &[u8])| match line.trim_ascii() {
        b"0" => Ok(false),
        b"1" => Ok(true),
        _ => Err(failed(format!("line {} is neither 0 nor 1", number + 1))),
    };
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    lines.filter(|(_, line)| !line.trim_ascii().is_empty()).map(side).collect::<Result<_, _>>().map(Some)
}

/// Reads tests: of a folder, all of its tests by name.
fn read_tests(paths: &[PathBuf], system: &dyn System) -> Result<Vec<(PathBuf, KTest)>, RunError> {
    let failed = |path: &Path, error: String| RunError::Seed { path: path.to_path_buf(), error };
    let mut files = Vec::new();
    for path in paths {
        match system.list_folder(path) {
            Ok(names) => {
                let is_test = |name: &PathBuf| name.extension().is_some_and(|extension| extension == "ktest");
                let before = files.len();
                files.extend(names.into_iter().filter(is_test).map(|name| path.join(name)));
                if files.len() == before {
                    return Err(failed(path, "the folder has no files that end with .ktest".to_owned()));
                }
            }
            // No folder, so a file, or nothing.
            Err(_) => files.push(path.clone()),
        }
    }
    let read = |path: PathBuf| {
        let bytes = system.read_file(&path).map_err(|error| failed(&path, error.to_string()))?;
        let test = KTest::from_bytes(&bytes).map_err(|error| failed(&path, error.to_string()))?;
        Ok((path, test))
    };
    files.into_iter().map(read).collect()
}

/// What KLEE says before it begins of functions and variables that nobody defines.
pub(super) fn undefined(module: &Module) -> Vec<String> {
    // Of the handle of a program only the address counts.
    let is_outside = |name: &str| !name.starts_with("llvm.") && !provides(name) && name != "__dso_handle";
    let functions = module.functions.iter().filter(|function| !function.is_defined());
    let functions = functions.filter(|function| is_outside(&function.name));
    let functions = functions.map(|function| format!("undefined reference to function: {}", function.name));
    let variables = module.globals.iter().filter(|global| !global.defined && is_outside(&global.name));
    let variables = variables.map(|global| format!("undefined reference to variable: {}", global.name));
    functions.chain(variables).collect()
}

/// Compiles the program in which declared functions are called, and those of `math.h` that the program calls.
/// Without the former nobody asked for it: where it cannot be compiled, the latter are undefined.
fn externals(
    options: &Options,
    system: &Rc<dyn System>,
    module: &Module,
    folder: &Path,
) -> Result<Vec<External>, RunError> {
    let mut declarations = options.externals.clone();
    let undefined = module.functions.iter().filter(|function| !function.is_defined());
    for declaration in undefined.filter_map(|function| mathematics(&function.name)) {
        if declarations.iter().all(|known| known.name != declaration.name) {
            declarations.push(declaration);
        }
    }
    if declarations.is_empty() {
        return Ok(Vec::new());
    }
    let clang = options.program.clang.as_deref();
    match external::compile(&**system, clang, &declarations, &options.libraries, folder) {
        Err(_) if options.externals.is_empty() => Ok(Vec::new()),
        result => result.map_err(RunError::External),
    }
}

/// Reads the program in its worker; gives what that says.
pub(super) fn read(request: &Request, system: &Rc<dyn System>) -> Result<Vec<u8>, RunError> {
    let request = encode(request).map_err(RunError::Reader)?;
    let mut reader = Supervisor::new(WorkerConfig::new(locate(&**system, "symexec-reader")));
    reader.ask_while(&|| !system.interrupted(), &request, None).map_err(|error| {
        RunError::Reader(match error {
            WorkerError::Cancelled => return RunError::Interrupted,
            WorkerError::Start { .. } => format!(
                "{error}\nthe reader lies beside `symexec` or in PREFIX/lib/reprise and needs the LLVM 19 library; \
                 `cargo xtask setup` (Debian: apt-get install llvm-19-dev clang-19) and `cargo build` put both there"
            ),
            WorkerError::Died { .. } => format!(
                "{error}\nLLVM's reader broke down on this input, which is probably damaged: compile it again"
            ),
            error => error.to_string(),
        })
    })
}

/// The program that the reader speaks of.
pub(super) fn understand(answer: &[u8]) -> Result<Module, RunError> {
    let response: Response = decode(answer).map_err(RunError::Reader)?;
    let module = response.map_err(RunError::Program)?;
    if module.format != FORMAT {
        return Err(RunError::Reader(format!(
            "`symexec-reader` is of another version (format {}, not {FORMAT}): install both together",
            module.format
        )));
    }
    Ok(module)
}
