//! How C sources are compiled, as command lines say it.

use std::path::PathBuf;

use clap::Args;

/// How C sources are compiled.
#[derive(Debug, Args)]
pub(crate) struct Compiling {
    /// Define a macro for C sources.
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub(crate) defines: Vec<String>,

    /// A folder in which C sources look for headers.
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,

    /// A further option of the compiler for sources (`--compiler-option=-std=c++20`); may be repeated.
    #[arg(long = "compiler-option", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) options: Vec<String>,

    /// The compiler for C sources.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) clang: Option<PathBuf>,
}
