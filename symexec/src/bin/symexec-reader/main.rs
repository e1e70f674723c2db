//! The worker that reads programs: the only one that links LLVM.
//!
//! Usually `symexec` starts it and asks over its standard input and output. `symexec-reader FILE...`
//! reads once and says on standard error what it found; that is for looking at a program by hand.

mod compile;
mod llvm;
mod lower;
mod runtime;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use symexec::base::system::{RealSystem, System};
use symexec::module::Module;
use symexec::module::reader::{Request, Response, decode, encode, is_source};

fn main() -> ExitCode {
    let system = RealSystem::default();
    let files = system.arguments();
    if files.is_empty() {
        let served = cache_core::worker::serve(|request| {
            let response: Response = decode::<Request>(request).and_then(|request| read(&system, &request));
            encode(&response).unwrap_or_default()
        });
        return match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                say(&error.to_string());
                ExitCode::from(2)
            }
        };
    }
    let request = Request { files: files.into_iter().map(Into::into).collect(), ..Request::default() };
    match read(&system, &request) {
        Ok(module) => {
            describe(&module);
            ExitCode::SUCCESS
        }
        Err(what) => {
            say(&what);
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "the program's own edge, when it is started by hand")]
fn say(text: &str) {
    eprintln!("symexec-reader: {text}");
}

fn describe(module: &Module) {
    for function in module.functions.iter().filter(|function| function.is_defined()) {
        say(&format!(
            "{}: {} instructions, {} registers",
            function.name,
            function.code.len(),
            function.registers
        ));
        for instruction in &function.code {
            say(&format!("  {instruction:?}"));
        }
    }
}

/// Compiles what is C, links everything, lowers the whole.
fn read(system: &dyn System, request: &Request) -> Response {
    // Sources, and sources that went through the preprocessor.
    let no_folder = |error: std::io::Error| format!("no temporary folder: {error}");
    let mut request = request.clone();
    // Only the compiler needs a place to write to.
    let folder = match request.files.iter().any(|file| is_source(file)) {
        false => None,
        true => Some(tempfile::tempdir().map_err(no_folder)?),
    };
    if let Some(folder) = &folder {
        let include = folder.path().join("include");
        let header = include.join("klee");
        system
            .create_folder(&header)
            .and_then(|()| system.write_file(&header.join("klee.h"), runtime::KLEE_HEADER.as_bytes()))
            .map_err(no_folder)?;
        request.include.push(include);
    }
    let mut files = Vec::new();
    for (number, file) in request.files.iter().enumerate() {
        if let Some(folder) = folder.as_ref().filter(|_| is_source(file)) {
            if !system.exists(file) {
                return Err(format!("{}: no such file", file.display()));
            }
            files.push(compile::compile(system, file, folder.path(), number, &request)?);
        } else {
            files.push(file.clone());
        }
    }
    let wanted: &[&str] = if request.start { &[symexec::exec::START] } else { &[] };
    let names = request.files.iter().map(PathBuf::as_path);
    let files: Vec<(&Path, &Path)> = names.zip(files.iter().map(PathBuf::as_path)).collect();
    let program = llvm::Program::read(system, &files, wanted, &request)?;
    let mut module = lower::lower(&program, wanted, &request)?;
    if request.bitcode {
        module.bitcode = program.bitcode();
    }
    Ok(module)
}
