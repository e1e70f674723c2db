//! A run from its options to its exit code, and everything that users see of it.
//!
//! `run` reads the program in a worker, explores it, and writes an output folder with KLEE's file names and
//! texts (`output`), as XML too where that is asked for ([`test_suite`], for a [`property`]). This and `main`
//! are the only places that print.

mod conclusion;
mod coverage;
mod exec_tree;
mod external;
mod files;
mod folder;
mod info;
mod istats;
mod joint;
mod kept;
mod ktest;
mod listing;
mod options;
mod output;
mod parts;
mod profile;
mod program;
pub mod property;
mod render;
mod replay;
mod run;
mod run_error;
mod run_stats;
mod shard;
mod status;
mod team;
pub mod test_suite;
mod workers;

pub use files::describe;
pub use ktest::{ShowError, show_tests};
pub use listing::{Listing, Shape};
pub use options::{LeftOut, Options, QueryCacheKind, STANDARD_INPUT, Style, TestFiles, XmlTests};
pub use profile::{ProfileError, show_profile};
pub use replay::{ReplayError, ReplayOptions, Sanitizer, replay};
pub use run::run;
pub use run_error::RunError;
pub use shard::{MergeError, MergeOptions, merge};
pub use team::serve_team;
pub use test_suite::Suite;
pub use workers::Restart;
