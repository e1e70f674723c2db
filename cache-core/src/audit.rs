//! Audits: asking the engine again on a hit, and comparing.
//!
//! An [`Audit`] says how often. Which hits are taken is a function of their number alone (each n-th), so
//! a run with the same questions audits the same ones. What follows from a disagreement is the cache's
//! business.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// How often a hit is checked against the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audit {
    /// Never.
    #[default]
    Never,
    /// Each n-th hit, the first one among them.
    Sample(NonZeroU32),
    /// Every hit.
    Always,
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.write_str("never"),
            Self::Sample(n) => write!(f, "sample={n}"),
            Self::Always => f.write_str("always"),
        }
    }
}

/// An audit setting that does not exist.
#[derive(Debug, thiserror::Error)]
#[error("unknown audit `{0}`: use never, sample=N with N at least 1, or always")]
pub struct UnknownAudit(String);

impl FromStr for Audit {
    type Err = UnknownAudit;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "never" => Ok(Self::Never),
            "always" => Ok(Self::Always),
            _ => text
                .strip_prefix("sample=")
                .and_then(|n| n.parse().ok())
                .map(Self::Sample)
                .ok_or_else(|| UnknownAudit(text.to_owned())),
        }
    }
}

/// Chooses the hits to audit.
///
/// ```
/// use cache_core::audit::Auditor;
/// let mut auditor = Auditor::new("sample=3".parse()?);
/// let chosen: Vec<bool> = (0..7).map(|_| auditor.due()).collect();
/// assert_eq!(chosen, [true, false, false, true, false, false, true]);
/// # Ok::<(), cache_core::audit::UnknownAudit>(())
/// ```
#[derive(Clone, Debug)]
pub struct Auditor {
    audit: Audit,
    until_next: u32,
}

impl Auditor {
    /// An auditor that has seen no hit.
    #[must_use]
    pub fn new(audit: Audit) -> Self {
        Self { audit, until_next: 0 }
    }

    /// Whether the hit that just happened is to be audited. Call it once per hit.
    pub fn due(&mut self) -> bool {
        match self.audit {
            Audit::Never => false,
            Audit::Always => true,
            Audit::Sample(n) => {
                let due = self.until_next == 0;
                self.until_next = if due { n.get() - 1 } else { self.until_next - 1 };
                due
            }
        }
    }
}
