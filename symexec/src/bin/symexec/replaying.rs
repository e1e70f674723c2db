//! The command line of `symexec replay`.

use std::path::PathBuf;

use clap::Args;
use symexec::report::{ReplayOptions, Sanitizer};

use crate::compiling::Compiling;

const REPLAY_HELP: &str = "Example:\n\n  symexec replay matrix.c --test klee-last/test000001.ktest\n\n\
    Exit codes: 0 the program always came to its own end, 1 it failed in some test (a signal, a failed \
    assertion, an error that a sanitizer found), 2 unusable input or usage, 3 a test does not fit the program.";

#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayArguments {
    /// The program's files: C sources, bitcode (.bc) or LLVM assembly (.ll).
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The tests.
    #[arg(long = "test", required = true, num_args = 1.., value_name = "TEST")]
    tests: Vec<PathBuf>,

    #[command(flatten)]
    compiling: Compiling,

    /// End the program at undefined operations too, or at accesses outside of objects (which needs clang's
    /// runtime library).
    #[arg(long, value_delimiter = ',', value_name = "undefined|address", value_parser = sanitizer)]
    sanitize: Vec<Sanitizer>,

    /// How many seconds a test may run.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u32,
}

fn sanitizer(text: &str) -> Result<Sanitizer, String> {
    match text {
        "undefined" => Ok(Sanitizer::Undefined),
        "address" => Ok(Sanitizer::Address),
        _ => Err(format!("unknown sanitizer `{text}`: use undefined or address")),
    }
}

impl ReplayArguments {
    /// What was asked for, as the library takes it.
    pub(crate) fn options(self) -> ReplayOptions {
        ReplayOptions {
            files: self.files,
            defines: self.compiling.defines,
            include: self.compiling.include,
            flags: self.compiling.options,
            clang: self.compiling.clang,
            sanitize: self.sanitize,
            tests: self.tests,
            seconds: self.timeout,
        }
    }
}
