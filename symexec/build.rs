//! Two things that the worker programs need.
//!
//! `symexec-solver` finds the Z3 library beside itself when installed, in this checkout's `.deps`
//! otherwise. `symexec-reader` carries the C runtime (`runtime/`) as bitcode, compiled here with clang 19;
//! without the compiler it carries none, and programs that need it say what is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The options of programs under test, without anything of a system library, and without the path of
/// this checkout in positions.
const OPTIONS: [&str; 9] = [
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-g",
    "-ffreestanding",
    "-fno-builtin",
    "-fdebug-compilation-dir=.",
    "-emit-llvm",
    "-c",
];

/// Half of what code without optimisation does is to keep local variables in memory; programs are explored as they were
/// compiled, but of the runtime nobody looks at these. Branches stay as they were written: each is a fork.
const VARIABLES_IN_REGISTERS: &str = "-passes=mem2reg";

/// What C needs besides.
const C_OPTIONS: &[&str] = &["-I../include"];

/// What C++ without its library needs besides.
const CXX_OPTIONS: &[&str] =
    &["-x", "c++", "-std=c++17", "-nostdinc++", "-fno-exceptions", "-fno-threadsafe-statics"];

fn main() {
    println!("cargo:rerun-if-env-changed=REPRISE_DEPS");
    println!("cargo:rustc-link-arg-bin=symexec-solver=-Wl,-rpath,$ORIGIN");
    if let Ok(deps) = std::env::var("REPRISE_DEPS") {
        println!("cargo:rustc-link-arg-bin=symexec-solver=-Wl,-rpath,{deps}/z3/z3/lib");
    }
    println!("cargo:rerun-if-changed=runtime/source");
    println!("cargo:rerun-if-changed=runtime/world");
    println!("cargo:rerun-if-changed=runtime/cxx");
    println!("cargo:rerun-if-changed=runtime/include");
    if let Some(folder) = std::env::var_os("OUT_DIR") {
        let whole = compile_runtime(Path::new(&folder)).unwrap_or_else(|fault| {
            match fault {
                Fault::Missing(tool) => {
                    println!(
                        "cargo:warning=symexec-reader is built without its C runtime: {tool} does not start"
                    );
                }
                Fault::Refused(what) => {
                    for line in what.lines() {
                        println!("cargo::error={line}");
                    }
                }
            }
            "&[]".to_owned()
        });
        let text = format!(
            "/// All of it as one module of bitcode; nothing where no compiler was there.\npub(crate) const WHOLE: &[u8] = {whole};\n"
        );
        if let Err(error) = std::fs::write(Path::new(&folder).join("runtime.rs"), text) {
            println!("cargo:warning={error}");
        }
    }
}

/// Why there is no runtime.
enum Fault {
    /// A tool that does not start.
    Missing(&'static str),
    /// What a tool says of our sources: two definitions of one name, for example.
    Refused(String),
}

fn run(tool: &'static str, command: &mut Command) -> Result<(), Fault> {
    let output = command.output().map_err(|_| Fault::Missing(tool))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(Fault::Refused(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr))))
    }
}

/// Compiles every file of the runtime and links them, since a linker takes from one large module what a program needs
/// in less time than it adds ninety small ones. Gives the expression of the bytes.
fn compile_runtime(folder: &Path) -> Result<String, Fault> {
    let mut files: Vec<(&Path, PathBuf)> = Vec::new();
    for source in ["runtime/source", "runtime/world", "runtime/cxx"].map(Path::new) {
        let entries = std::fs::read_dir(source)
            .map_err(|error| Fault::Refused(format!("{}: {error}", source.display())))?;
        files.extend(entries.filter_map(Result::ok).map(|entry| (source, entry.path())));
    }
    files
        .retain(|(_, file)| file.extension().is_some_and(|extension| extension == "c" || extension == "cpp"));
    files.sort();
    let mut link = Command::new("llvm-link-19");
    for (source, file) in files {
        let name = file.file_name().unwrap_or_default();
        let is_cxx = file.extension().is_some_and(|extension| extension == "cpp");
        // Two files may differ in their extension alone.
        let target = folder.join(format!("{}.bc", name.to_string_lossy()));
        let further = if is_cxx { CXX_OPTIONS } else { C_OPTIONS };
        let mut command = Command::new("clang-19");
        command.current_dir(source).args(OPTIONS).args(further).arg(name).arg("-o").arg(&target);
        run("clang-19", &mut command)?;
        run(
            "opt-19",
            Command::new("opt-19").arg(VARIABLES_IN_REGISTERS).arg(&target).arg("-o").arg(&target),
        )?;
        link.arg(&target);
    }
    let whole = folder.join("runtime.bc");
    run("llvm-link-19", link.arg("-o").arg(&whole))?;
    Ok(format!("include_bytes!({:?})", whole.display().to_string()))
}
