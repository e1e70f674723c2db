//! `symexec replay`: tests run natively.
//!
//! The program's files are compiled with a small library that hands out a test's inputs
//! (`runtime/replay`), once; then every test runs in a folder of its own, with the arguments and files
//! that it stands for. What the program prints is shown as it is.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use crate::base::system::{Ended, Execution, System};
use crate::exec::environment::{
    Entry, Environment, EnvironmentError, FAILURES, METADATA_INPUT, OUTPUT_INPUT, PROCESS_INPUTS,
    variable_input,
};
use crate::module::reader::is_cxx;
use crate::testcase::{KTest, KTestError};

/// The library, and the header that it and the program include.
const LIBRARY: &str = include_str!("../../runtime/replay/replay.c");
/// What sanitized code calls, and the header that it needs, by their places in a folder.
const HANDLERS: [(&str, &str); 2] = [
    ("world/sanitizer.c", include_str!("../../runtime/world/sanitizer.c")),
    ("source/runtime.h", include_str!("../../runtime/source/runtime.h")),
];
/// What makes the metadata of files those of a test, where tests have any.
const METADATA: (&str, &str) = ("replay/metadata.c", include_str!("../../runtime/replay/metadata.c"));
/// What makes its processes, where tests say which one is followed.
const CHILDREN: (&str, &str) = ("replay/children.c", include_str!("../../runtime/replay/children.c"));
const HEADER: &str = include_str!("../../runtime/include/klee/klee.h");

/// What the library writes where it ends the program: any exit code may be the program's own.
const DIFFERS: &[u8] = b"differs";
const REPORTED: &[u8] = b"reported";

/// The exit code of a sanitizer, as it is told to use; only there is it one.
const SANITIZER: i32 = 95;

/// A watch that the compiler puts into the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    /// Undefined operations; they then end in SIGILL.
    Undefined,
    /// Accesses outside of objects. Needs clang's runtime library (Debian: libclang-rt-19-dev).
    Address,
}

/// What is replayed, and how.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// The program: C sources, bitcode, assembly.
    pub files: Vec<PathBuf>,
    /// Macros for C sources.
    pub defines: Vec<String>,
    /// Folders in which C sources look for headers.
    pub include: Vec<PathBuf>,
    /// Further options of the compiler for sources.
    pub flags: Vec<String>,
    /// The compiler; `clang-19` if absent.
    pub clang: Option<PathBuf>,
    /// What ends the program beside what the machine does not allow.
    pub sanitize: Vec<Sanitizer>,
    /// The tests.
    pub tests: Vec<PathBuf>,
    /// How many seconds each may run.
    pub seconds: u32,
}

/// Why nothing was replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The compiler could not be started.
    #[error(
        "the compiler `{program}` could not be started ({error}); install clang 19, or name one by --clang"
    )]
    Compiler {
        /// The compiler.
        program: String,
        /// Why.
        error: std::io::Error,
    },
    /// The program does not compile.
    #[error("the program does not compile for this machine:\n{0}")]
    Compile(String),
    /// A test cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file is no test.
    #[error("{}: {error}", path.display())]
    Test {
        /// Which.
        path: PathBuf,
        /// Why.
        error: KTestError,
    },
    /// A test's arguments cannot be understood.
    #[error("{}: {error}", path.display())]
    Environment {
        /// Which.
        path: PathBuf,
        /// Why.
        error: EnvironmentError,
    },
    /// The folder for the program cannot be written.
    #[error("no temporary folder: {0}")]
    Folder(std::io::Error),
}

/// All tests ran to the program's own end.
const FINE: u8 = 0;
/// The program failed in some test.
const FAILED: u8 = 1;
/// A test does not fit the program.
const UNFIT: u8 = 3;

/// Replays tests and says what happened; gives the exit code: 0 if the program always came to its end,
/// 1 if it failed, 3 if a test does not fit it.
///
/// # Errors
/// If the program does not compile or a test cannot be read.
pub fn replay(options: &ReplayOptions, system: &dyn System) -> Result<u8, ReplayError> {
    let folder = tempfile::tempdir().map_err(ReplayError::Folder)?;
    let program = compile(options, system, folder.path())?;
    let mut code = FINE;
    for (number, path) in options.tests.iter().enumerate() {
        let bytes =
            system.read_file(path).map_err(|error| ReplayError::Read { path: path.clone(), error })?;
        let test =
            KTest::from_bytes(&bytes).map_err(|error| ReplayError::Test { path: path.clone(), error })?;
        let place = folder.path().join(format!("run-{number}"));
        let (status, failures) = run_test(options, system, &program, &place, path, &test)?;
        // Without the file the program came to an end of its own.
        let verdict = system.read_file(&place.with_extension("verdict")).unwrap_or_default();
        let (text, severity) = match verdict.as_slice() {
            DIFFERS => ("the test does not fit this program".to_owned(), UNFIT),
            REPORTED => ("the program reported an error".to_owned(), FAILED),
            _ => judge(status, options.sanitize.contains(&Sanitizer::Address)),
        };
        let without =
            if failures { " (calls of the system did not fail as they may have in the test)" } else { "" };
        system.say(&format!("{}: {text}{without}", path.display()));
        code = code.max(severity);
    }
    Ok(code)
}

/// What an exit status means, if the program may have been ended by a sanitizer with its own code.
fn judge(status: Ended, sanitized: bool) -> (String, u8) {
    match status {
        Ended::Code(SANITIZER) if sanitized => ("the sanitizer found an error".to_owned(), FAILED),
        Ended::Code(code) => (format!("the program ended with exit code {code}"), FINE),
        Ended::Signal(signal) => {
            let name = match signal {
                4 => "SIGILL, as by an undefined operation that is watched for",
                6 => "SIGABRT, as by a failed assertion",
                7 => "SIGBUS, an access to no memory",
                8 => "SIGFPE, as by a division by zero",
                11 => "SIGSEGV, an access to no memory",
                14 => "its time limit",
                _ => "a signal",
            };
            (format!("the program was ended by {name} (signal {signal})"), FAILED)
        }
    }
}

fn compile(options: &ReplayOptions, system: &dyn System, folder: &Path) -> Result<PathBuf, ReplayError> {
    let include = folder.join("include");
    let library = folder.join("replay.c");
    system
        .create_folder(&include.join("klee"))
        .and_then(|()| system.write_file(&include.join("klee").join("klee.h"), HEADER.as_bytes()))
        .and_then(|()| system.write_file(&library, LIBRARY.as_bytes()))
        .and_then(|()| {
            HANDLERS.iter().chain([&METADATA, &CHILDREN]).try_for_each(|(place, text)| {
                let file = folder.join(place);
                let parent = file.parent().filter(|parent| !system.exists(parent));
                parent.map_or(Ok(()), |parent| system.create_folder(parent))?;
                system.write_file(&file, text.as_bytes())
            })
        })
        .map_err(ReplayError::Folder)?;
    let program = folder.join("program");
    let support = folder.join("support.o");
    let mut arguments: Vec<OsString> = ["-g", "-w", "-r", "-nostdlib", "-I"].map(OsString::from).into();
    arguments.push(include.clone().into());
    arguments.push(library.into());
    arguments.push(folder.join(HANDLERS[0].0).into());
    if with_inputs(options, system, |name| name.ends_with(METADATA_INPUT)) {
        arguments.push(folder.join(METADATA.0).into());
    }
    let of_processes = |name: &str| PROCESS_INPUTS.iter().any(|input| is_numbered(input, name));
    if with_inputs(options, system, of_processes) {
        arguments.push(folder.join(CHILDREN.0).into());
    }
    arguments.extend(["-o".into(), support.clone().into()]);
    // By itself, since options of the program may be those of another language (`-std=c++20`).
    run_compiler(options, system, &arguments)?;
    // Drivers may have bodies of their own for the engine's functions; the first definition counts.
    let mut arguments: Vec<OsString> =
        ["-g", "-w", "-Wl,--allow-multiple-definition"].map(OsString::from).into();
    for sanitizer in &options.sanitize {
        let flags: &[&str] = match sanitizer {
            Sanitizer::Undefined => &["-fsanitize=undefined", "-fsanitize-trap=undefined"],
            Sanitizer::Address => &["-fsanitize=address"],
        };
        arguments.extend(flags.iter().map(OsString::from));
    }
    for define in &options.defines {
        arguments.push(format!("-D{define}").into());
    }
    for folder in options.include.iter().chain([&include]) {
        arguments.extend(["-I".into(), folder.into()]);
    }
    arguments.extend(options.flags.iter().map(OsString::from));
    arguments.push(support.into());
    arguments.extend(options.files.iter().map(OsString::from));
    if options.files.iter().any(|file| is_cxx(file)) {
        arguments.push("-lstdc++".into());
    }
    arguments.extend(["-lm".into(), "-o".into(), program.clone().into()]);
    run_compiler(options, system, &arguments)?;
    Ok(program)
}

fn run_compiler(
    options: &ReplayOptions,
    system: &dyn System,
    arguments: &[OsString],
) -> Result<(), ReplayError> {
    let clang = options.clang.clone().unwrap_or_else(|| "clang-19".into());
    let mut all: Vec<OsString> = vec!["-fno-color-diagnostics".into()];
    all.extend_from_slice(arguments);
    let result = system
        .run(&clang, &all)
        .map_err(|error| ReplayError::Compiler { program: clang.display().to_string(), error })?;
    if result.status.success() {
        return Ok(());
    }
    let mut said = String::from_utf8_lossy(&result.stderr).trim_end().to_owned();
    if said.contains("libclang_rt") {
        said.push_str("\nthe sanitizer's library is missing (Debian: apt-get install libclang-rt-19-dev)");
    }
    Err(ReplayError::Compile(said))
}

/// Whether a test has inputs of some names.
fn with_inputs(options: &ReplayOptions, system: &dyn System, are_such: impl Fn(&str) -> bool) -> bool {
    options.tests.iter().any(|path| {
        let test = system.read_file(path).ok().and_then(|bytes| KTest::from_bytes(&bytes).ok());
        test.is_some_and(|test| test.objects.iter().any(|(name, _)| are_such(name)))
    })
}

fn run_test(
    options: &ReplayOptions,
    system: &dyn System,
    program: &Path,
    place: &Path,
    path: &Path,
    test: &KTest,
) -> Result<(Ended, bool), ReplayError> {
    let environment = environment(system, path, test)?;
    let replayed = environment.replay(&test.objects);
    // What arguments and files are made of is not the program's to ask for.
    let own = |name: &str| !makes(&environment, name);
    let objects = test.objects.iter().filter(|(name, _)| own(name)).cloned().collect();
    let rest = KTest { objects, ..KTest::default() };
    let written = rest.to_bytes().map_err(|error| ReplayError::Test { path: path.to_owned(), error })?;
    let inputs = place.with_extension("ktest");
    system
        .create_folder(place)
        .and_then(|()| system.write_file(&inputs, &written))
        .map_err(ReplayError::Folder)?;
    let mut input = None;
    for (name, bytes) in &replayed.files {
        let file = match name {
            Some(name) => below(place, Path::new(name)),
            None => place.with_extension("stdin"),
        };
        if let Some(folder) = file.parent().filter(|folder| !system.exists(folder)) {
            system.create_folder(folder).map_err(ReplayError::Folder)?;
        }
        system.write_file(&file, bytes).map_err(ReplayError::Folder)?;
        if name.is_none() {
            input = Some(file);
        }
    }
    let arguments: Vec<OsString> = replayed.arguments.into_iter().map(OsString::from_vec).collect();
    let mut variables: Vec<(&str, OsString)> = vec![
        ("KTEST_FILE", inputs.into()),
        ("REPLAY_VERDICT", place.with_extension("verdict").into()),
        ("REPLAY_SECONDS", options.seconds.to_string().into()),
        ("ASAN_OPTIONS", format!("exitcode={SANITIZER}:detect_leaks=0").into()),
    ];
    let metadata = metadata(test);
    if !metadata.is_empty() {
        let file = place.with_extension("metadata");
        system.write_file(&file, metadata.as_bytes()).map_err(ReplayError::Folder)?;
        variables.push(("REPLAY_METADATA", file.into()));
    }
    let values = replayed.variables.iter();
    variables.extend(values.map(|(name, value)| (name.as_str(), OsString::from_vec(value.clone()))));
    let execution = Execution {
        program,
        arguments: &arguments,
        environment: &variables,
        folder: place,
        input: input.as_deref(),
    };
    let ended = system.execute(&execution).map_err(ReplayError::Folder)?;
    Ok((ended, replayed.failures))
}

/// What the test says of files besides their content, as `runtime/replay/metadata.c` reads it: a line for each file
/// with its name and the bytes.
fn metadata(test: &KTest) -> String {
    let mut lines = String::new();
    for (name, bytes) in &test.objects {
        let Some(file) = name.strip_suffix(METADATA_INPUT) else { continue };
        let file = file.strip_suffix("_data").unwrap_or(file);
        if file.is_empty() || file.contains(char::is_whitespace) {
            continue;
        }
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        lines.push_str(&format!("{file} {digits}\n"));
    }
    lines
}

/// Where a file of this name is for a program that runs in a folder: there, whatever the name says. What would lead
/// out of the folder has its last name only.
fn below(place: &Path, name: &Path) -> PathBuf {
    let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let name =
        if name.components().all(plain) { name.as_os_str() } else { name.file_name().unwrap_or_default() };
    place.join(name)
}

/// What the test's program was started with. Files that its arguments name (`--sym-stdin-from` and
/// `--sym-file-from`) are read again, for their sizes and for those without an unknown byte, which are no
/// part of tests; without one of them there is no replay. Of the option `--template` nothing is needed:
/// the test has all bytes of the files that it shaped.
fn environment(system: &dyn System, path: &Path, test: &KTest) -> Result<Environment, ReplayError> {
    let arguments = test.arguments.get(1..).unwrap_or_default();
    let read = |file: &Path| system.read_file(file).map_err(|error| error.to_string());
    Environment::parse(arguments, None, &read)
        .map_err(|error| ReplayError::Environment { path: path.to_owned(), error })
}

/// Whether a name is another one, perhaps with the number behind it that a second use gives.
fn is_numbered(base: &str, name: &str) -> bool {
    name.strip_prefix(base).is_some_and(|rest| {
        let number = rest.strip_prefix('_').unwrap_or("0");
        rest.is_empty()
            || !number.is_empty() && rest.starts_with('_') && number.bytes().all(|c| c.is_ascii_digit())
    })
}

/// Whether an input is part of an argument or a file, or says which call fails.
fn makes(environment: &Environment, name: &str) -> bool {
    let unknown = environment.entries.iter().any(|entry| matches!(entry, Entry::Unknown { .. }));
    let base = name.split_once('_').map_or(name, |(base, _)| base);
    let is_argument = |name: &str| {
        name.strip_prefix("arg")
            .is_some_and(|rest| rest.len() == 2 && rest.bytes().all(|c| c.is_ascii_digit()))
    };
    let of_arguments = unknown && (is_argument(base) || name == "n_args" || name.starts_with("n_args_"));
    of_arguments
        || environment.entries.iter().any(|entry| match entry {
            // Metadata are unknown also where no argument says so.
            Entry::File(_) if name.ends_with(METADATA_INPUT) => true,
            Entry::File(file) => is_numbered(&file.input_name(), name),
            Entry::Variable { name: variable, .. } => is_numbered(&variable_input(variable), name),
            Entry::Failures { .. } => FAILURES.contains(&name),
            Entry::Metadata => name.ends_with(METADATA_INPUT),
            Entry::Output => name == OUTPUT_INPUT || name.ends_with(METADATA_INPUT),
            _ => false,
        })
}
