//! What users see: diagnostics with excerpts, violations in Ciao's format, uncaught errors, statistics.

mod diagnostics;
mod messages;
mod profile;
mod statistics;

pub use diagnostics::diagnostics;
pub use messages::{REPORTERS, error, violation};
pub use profile::{Profile, Row, rows};
pub use statistics::statistics;
