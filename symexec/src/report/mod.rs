//! A run from its options to its exit code, and everything that users see of it.
//!
//! `run` reads the program in a worker, explores it, and writes an output folder with KLEE's file
//! names and texts (`output`). This and `main` are the only places that print.

mod files;
mod output;
mod run;
mod workers;

pub use files::describe;
pub use run::{Options, QueryCacheKind, RunError, Style, UnknownQueryCache, run};
