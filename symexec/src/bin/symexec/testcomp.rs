//! `symexec testcomp`: what it is told, and what that means for a run.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use symexec::exec::{ErrorKind, ExecConfig, Search};
use symexec::memory::Placement;
use symexec::module::reader::Request;
use symexec::report::property::{self, Goal, Property};
use symexec::report::{Options, Restart, Suite, TestFiles, XmlTests};

use crate::compiling::Compiling;

const HELP: &str = "Example:\n\n  symexec testcomp --property coverage-branches.prp --max-time 60 \
    program.c\n\nThe suite is a folder with metadata.xml and a file for each test; the validator TestCov takes its \
    .xml files in one zip file.\n\nExit codes: 0 the suite is written, 2 unusable input or usage, 3 a miss with \
    `--cache offline` or an audit that disagreed.";

/// A suite that is asked for.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Testcomp {
    /// The program: a C source, preprocessed or not, that takes unknown values from `__VERIFIER_nondet_...`.
    #[arg(value_name = "FILE")]
    program: PathBuf,

    /// The file with the property that says what is to be covered.
    #[arg(long, value_name = "FILE")]
    property: PathBuf,

    /// The sizes of C's types; only those of 64-bit programs are there.
    #[arg(long, default_value = "LP64", value_name = "LP64", value_parser = data_model)]
    data_model: String,

    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,

    /// Stop when the engine has so many megabytes of memory.
    #[arg(long, value_name = "MB")]
    max_memory: Option<u64>,

    /// Where the suite goes; must not exist.
    #[arg(long, default_value = "test-suite", value_name = "DIR")]
    output_dir: PathBuf,

    /// Let so many processes explore the program at once. Of a run that ends by itself the suite covers the same,
    /// with more tests: what is covered first is each process's own.
    #[arg(short = 'j', long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: u16,

    /// Work for another process of the same run.
    #[arg(long, hide = true)]
    pub(crate) as_worker: bool,

    #[command(flatten)]
    compiling: Compiling,
}

fn data_model(text: &str) -> Result<String, String> {
    match text {
        "LP64" => Ok(text.to_owned()),
        "ILP32" => Err("programs of 32 bits are not explored: only LP64 is there".to_owned()),
        _ => Err(format!("unknown data model `{text}`: LP64 is there")),
    }
}

impl Testcomp {
    /// What was asked for, as the library takes it; `read` gives the content of a file.
    ///
    /// # Errors
    /// Says what is wrong with the property.
    pub(crate) fn options(self, read: &dyn Fn(&Path) -> io::Result<Vec<u8>>) -> Result<Options, String> {
        let file = self.property.display();
        let bytes = read(&self.property).map_err(|error| format!("cannot read {file}: {error}"))?;
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let Property { entry, goal } = property::parse(&text).map_err(|error| format!("{file}: {error}"))?;
        let program = self.program.display().to_string();
        let mut exec = ExecConfig {
            search: vec![Search::RandomPath, Search::Coverage],
            entry,
            arguments: vec![program],
            max_time: self.max_time.map(Duration::from_secs),
            max_memory: self.max_memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
            new_coverage_only: true,
            new_sides: true,
            check_overshift: false,
            ..ExecConfig::default()
        };
        if self.jobs > 1 {
            exec.placement = Placement::PerState;
        }
        let mut xml = XmlTests::All;
        if let Goal::Call(function) = goal {
            exec.reach = Some(function);
            exec.exit_on = vec![ErrorKind::Report];
            exec.dump_states = false;
            xml = XmlTests::Reaching;
        }
        // The competition's programs are older than what compilers refuse today.
        let flags = ["-std=gnu11", "-w", "-Wno-error", "-fno-strict-aliasing", "-D__alias__(x)="];
        let old =
            ["implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types"];
        let old = old.iter().map(|what| format!("-Wno-{what}"));
        Ok(Options {
            program: Request {
                files: vec![self.program],
                defines: self.compiling.defines,
                include: self.compiling.include,
                clang: self.compiling.clang,
                flags: flags
                    .map(str::to_owned)
                    .into_iter()
                    .chain(old)
                    .chain(self.compiling.options)
                    .collect(),
                ..Request::default()
            },
            exec,
            files: TestFiles { xml, ..TestFiles::default() },
            suite: Suite { specification: Some(text), ..Suite::default() },
            output_dir: Some(self.output_dir),
            jobs: usize::from(self.jobs),
            restart: Restart { subcommand: "testcomp", ..Restart::default() },
            ..Options::default()
        })
    }
}
