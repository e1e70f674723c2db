//! What every layer above needs and none of them owns: places in a source text, diagnostics as data, and
//! the [`System`] behind which the clock, the files and the standard streams lie.
//!
//! Nothing here knows Prolog. Diagnostics are collected, never printed; `report` shows them.

mod diagnostic;
mod files;
mod memory;
mod os;
#[cfg(feature = "plant")]
pub mod plant;
mod system;

pub use diagnostic::{Diagnostic, Severity, Source, Span};
pub use files::{FileFacts, FileHandle, FileMode, Files};
pub use memory::MemorySystem;
pub use os::OsSystem;
pub use system::{Clock, System};
