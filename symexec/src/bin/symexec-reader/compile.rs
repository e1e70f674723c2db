//! C and C++ files, compiled to bitcode by clang 19 before they are read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use symexec::base::system::System;
use symexec::module::library;
use symexec::module::reader::{Request, is_cxx};

/// The compiler that fits the library that reads its output.
const CLANG: &str = "clang-19";

/// Compiles a C or C++ file into `folder`; gives the path of the bitcode.
pub(crate) fn compile(
    system: &dyn System,
    source: &Path,
    folder: &Path,
    number: usize,
    request: &Request,
) -> Result<PathBuf, String> {
    let output = folder.join(format!("{number}.bc"));
    let program = request.clang.clone().unwrap_or_else(|| CLANG.into());
    // No optimisation, so that the program is explored as it is written; without `optnone`, so that a
    // later pass could still be asked for; with line numbers for reports.
    let mut arguments: Vec<OsString> =
        ["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-emit-llvm", "-c", "-fno-color-diagnostics"]
            .map(OsString::from)
            .into();
    for define in &request.defines {
        let mut flag = OsString::from("-D");
        flag.push(define);
        arguments.push(flag);
    }
    for folder in &request.include {
        arguments.extend(["-I".into(), folder.into()]);
    }
    let flags: Vec<OsString> = request.flags.iter().map(OsString::from).collect();
    if is_cxx(source)
        && !library::is_chosen(flags.iter())
        && let Some(library) = library::folder(system)
    {
        arguments.extend(library::options(&library));
    }
    arguments.extend(flags);
    arguments.extend(["-o".into(), output.clone().into(), source.into()]);
    let result = system.run(&program, &arguments).map_err(|error| {
        format!(
            "{}: the compiler `{}` could not be started ({error}); install clang 19 (Debian: apt-get install \
             clang-19), or give bitcode or LLVM assembly instead of C",
            source.display(),
            program.display()
        )
    })?;
    if !result.status.success() {
        let errors = String::from_utf8_lossy(&result.stderr);
        return Err(format!("{}: does not compile:\n{}", source.display(), errors.trim_end()));
    }
    Ok(output)
}
