//! What users see: diagnostics with excerpts, violations in Ciao's format, uncaught errors, statistics.

mod analysis;
mod diagnostics;
mod errors;
mod messages;
mod profile;
mod show;
mod statistics;
mod tests;
mod violation;

pub use analysis::{Condition, Place, Verdict, conditions, conditions_json, conditions_text};
pub use diagnostics::diagnostics;
pub use errors::error;
pub use messages::REPORTERS;
pub use profile::{Profile, Row, rows};
pub use statistics::statistics;
pub(crate) use tests::test_result;
pub use tests::{TestResult, TestRun, tests, tests_json};
pub use violation::violation;
