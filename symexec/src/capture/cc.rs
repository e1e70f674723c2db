//! `symexec cc`: the compiler as it is, then the sources once more as bitcode, put into what it made.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::CaptureError;
use super::command::{Command, Product, Source};
use super::section::{Contents, Member, Piece, SECTION, contents};
use crate::base::system::{Ended, System};
use crate::module::library;
use crate::module::reader::is_cxx;

/// Which of the compiler's programs is meant: they differ in the libraries that they link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `clang-19`, or what `SYMEXEC_CLANG` names.
    C,
    /// `clang++-19`, or what `SYMEXEC_CLANGXX` names.
    Cpp,
}

/// Bitcode as it is explored: as written, with line numbers. What is inline in C has its body in each file only
/// where it may be optimised, so that is allowed and not done; headers are told that it is not ([`NOT_OPTIMISED`]).
const BITCODE: [&str; 9] = [
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-D__NO_INLINE__=1",
    "-g",
    "-w",
    "-fno-color-diagnostics",
    "-emit-llvm",
    "-c",
];

/// Tells headers, which then have no macros and bodies in the place of calls. A source may need what others declare for
/// these alone (glibc's `libintl.h` includes `locale.h`), and is compiled without it then.
const NOT_OPTIMISED: &str = "-U__OPTIMIZE__";

/// What C was written with before compilers refused it: gcc 12, with which Debian's packages are built, warns. In front
/// of a program's own options, so that these decide.
const WARNED_OF: [&str; 4] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
];

/// Sources with such a name are questions of a build system to the compiler. Nobody explores them.
const QUESTIONS: [&str; 3] = ["conftest", "CMakeCCompilerId", "CMakeCXXCompilerId"];

/// Compiles as the compiler does and gives its exit code; bitcode that cannot be had is told in a line on
/// standard error and does not fail the build.
///
/// # Errors
/// If the compiler cannot be started.
pub fn cc(system: &dyn System, language: Language, arguments: &[OsString]) -> Result<u8, CaptureError> {
    let (variable, default) = match language {
        Language::C => ("SYMEXEC_CLANG", "clang-19"),
        Language::Cpp => ("SYMEXEC_CLANGXX", "clang++-19"),
    };
    let compiler = system.environment(variable).filter(|name| !name.is_empty()).unwrap_or(default.to_owned());
    let lenient = WARNED_OF.iter().filter(|_| language == Language::C).map(OsString::from);
    let words: Vec<OsString> = lenient.chain(arguments.iter().cloned()).collect();
    let ended = system.hand_over(Path::new(&compiler), &words).map_err(|error| CaptureError::Start {
        program: compiler.clone(),
        package: "clang-19",
        error,
    })?;
    match ended {
        Ended::Code(0) => {}
        Ended::Code(code) => return Ok(u8::try_from(code).unwrap_or(1)),
        // As shells tell it.
        Ended::Signal(signal) => return Ok(u8::try_from(128 + signal).unwrap_or(1)),
    }
    let command = Command::parse(arguments, |file| system.read_file(file).ok());
    if let Err(error) = capture(system, &compiler, language, &command) {
        system.say(&format!("symexec cc: no bitcode: {error}"));
    }
    Ok(0)
}

fn capture(
    system: &dyn System,
    compiler: &str,
    language: Language,
    command: &Command,
) -> Result<(), CaptureError> {
    let is_question = |source: &&Source| {
        let name = source.file.file_stem().unwrap_or_default();
        QUESTIONS.iter().any(|question| name == *question)
    };
    if command.product == Product::Other || command.sources.iter().any(|source| is_question(&source)) {
        return Ok(());
    }
    let mut linked = Vec::new();
    for (number, source) in command.sources.iter().enumerate() {
        let folder = tempfile::tempdir().map_err(CaptureError::Folder)?;
        let target = folder.path().join(format!("{number}.bc"));
        let bytes = bitcode(system, (compiler, language), command, source, &target)?;
        match command.product {
            Product::Objects => {
                put(system, &command.object(source), &Piece::Bitcode(&bytes).bytes(), folder.path())?;
            }
            _ => linked.extend(Piece::Bitcode(&bytes).bytes()),
        }
    }
    if command.product == Product::Linked {
        for library in command.libraries(|file| system.exists(file)) {
            if has_bitcode(system, &library) {
                linked.extend(Piece::Library(system.absolute(&library).as_os_str().as_bytes()).bytes());
            }
        }
    }
    if linked.is_empty() {
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(CaptureError::Folder)?;
    let program = command.output.clone().unwrap_or_else(|| "a.out".into());
    put(system, &program, &linked, folder.path())
}

/// Whether a library was built with `symexec cc`; what cannot be read is not for us.
fn has_bitcode(system: &dyn System, library: &Path) -> bool {
    let is_captured = |bytes: &[u8]| matches!(contents(bytes), Ok(Contents::Elf(Some(_))));
    let file_is = |file: &Path| system.read_file(file).is_ok_and(|bytes| is_captured(&bytes));
    let Ok(bytes) = system.read_file(library) else { return false };
    match contents(&bytes) {
        Ok(Contents::Archive(members)) => members.iter().any(|member| match member {
            Member::Bytes(bytes) => is_captured(bytes),
            Member::File(name) => file_is(&library.with_file_name("").join(OsStr::from_bytes(name))),
        }),
        _ => is_captured(&bytes),
    }
}

/// Compiles a source to bitcode. C++ is compiled against the library that there is as bitcode, whichever one the
/// program itself is linked with.
fn bitcode(
    system: &dyn System,
    (compiler, language): (&str, Language),
    command: &Command,
    source: &Source,
    target: &Path,
) -> Result<Vec<u8>, CaptureError> {
    let lenient = WARNED_OF.iter().filter(|_| language == Language::C).map(OsString::from);
    let mut arguments: Vec<OsString> = lenient.chain(command.options.iter().cloned()).collect();
    arguments.extend(BITCODE.map(OsString::from));
    let is_cxx = match &source.language {
        Some(language) => language == "c++",
        None => language == Language::Cpp || is_cxx(&source.file),
    };
    if is_cxx
        && !library::is_chosen(command.options.iter())
        && let Some(library) = library::folder(system)
    {
        arguments.extend(library::options(&library));
    }
    arguments.extend(["-o".into(), target.into()]);
    if let Some(language) = &source.language {
        arguments.extend(["-x".into(), language.clone()]);
    }
    arguments.extend(["--".into(), source.file.clone().into()]);
    let not_optimised = [&[NOT_OPTIMISED.into()], arguments.as_slice()].concat();
    run(system, compiler, "clang-19", &not_optimised)
        .or_else(|error| run(system, compiler, "clang-19", &arguments).map_err(|_| error))?;
    read(system, target)
}

/// Puts pieces into the section of an object or a program, behind those that are there.
fn put(system: &dyn System, file: &Path, pieces: &[u8], folder: &Path) -> Result<(), CaptureError> {
    let before = read(system, file)?;
    let unreadable = |what| CaptureError::Unreadable { path: file.to_owned(), what };
    let Contents::Elf(section) = contents(&before).map_err(unreadable)? else {
        return Err(unreadable("no object in ELF's format"));
    };
    let all = [section.unwrap_or_default(), pieces].concat();
    let place = folder.join("section");
    system.write_file(&place, &all).map_err(|error| CaptureError::File { path: place.clone(), error })?;
    let how = if section.is_some() { "--update-section" } else { "--add-section" };
    let mut assignment = OsString::from(format!("{SECTION}="));
    assignment.push(&place);
    run(system, "objcopy", "binutils", &[how.into(), assignment, file.into()]).map(drop)
}

/// Runs a program that has nothing to say unless it fails.
pub(super) fn run(
    system: &dyn System,
    program: &str,
    package: &'static str,
    arguments: &[OsString],
) -> Result<Vec<u8>, CaptureError> {
    let output = system.run(Path::new(program), arguments).map_err(|error| CaptureError::Start {
        program: program.to_owned(),
        package,
        error,
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(CaptureError::Failed { program: program.to_owned(), said });
    }
    Ok(output.stdout)
}

pub(super) fn read(system: &dyn System, file: &Path) -> Result<Vec<u8>, CaptureError> {
    let path = PathBuf::from(file);
    system.read_file(file).map_err(|error| CaptureError::File { path, error })
}
