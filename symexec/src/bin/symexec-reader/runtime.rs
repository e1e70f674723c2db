//! The C runtime, compiled into this program.

include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// The header by which programs talk to the engine.
pub(crate) const KLEE_HEADER: &str = include_str!("../../../runtime/include/klee/klee.h");
