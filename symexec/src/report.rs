//! A run from its options to its exit code, and everything that users see of it.
//!
//! `run` reads the program in a worker, explores it, and writes an output folder with KLEE's file
//! names and texts (`output`). This and `main` are the only places that print.

mod coverage;
mod external;
mod files;
mod istats;
mod kept;
mod output;
mod profile;
mod replay;
mod run;
mod run_stats;
mod status;
mod workers;

pub use files::describe;
pub use output::TestFiles;
pub use profile::{ProfileError, show_profile};
pub use replay::{ReplayError, ReplayOptions, Sanitizer, replay};
pub use run::{Options, QueryCacheKind, RunError, STANDARD_INPUT, Style, run};
