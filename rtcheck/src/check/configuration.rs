//! How checks are done.

use super::memory::CacheKind;
use cache_core::audit::Audit;
use std::num::NonZeroU32;

/// How checks are done.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    /// Which policy replaces entries. What follows up to `every`, and `inherit`, is about policies with a table.
    pub cache: CacheKind,
    /// How many pairs are remembered at most.
    pub size: usize,
    /// Only checks at depths below this are remembered; the root has depth 0. `None` is no limit.
    pub depth_limit: Option<u32>,
    /// Of these depths only the multiples of this number. A check then visits at most the levels up to the next
    /// multiple, whatever the size of the term.
    pub every: NonZeroU32,
    /// How often a hit is checked by walking the term again.
    pub audit: Audit,
    /// Whether an argument of a term checked just before inherits its type from it. Off is the paper's
    /// algorithm to the letter.
    pub inherit: bool,
}

impl Configuration {
    /// The same checker without memory: what memories are measured against, and audits done with.
    pub const UNCACHED: Self = Self {
        cache: CacheKind::None,
        size: 0,
        depth_limit: None,
        every: NonZeroU32::MIN,
        audit: Audit::Never,
        inherit: false,
    };
}

impl Default for Configuration {
    /// What is cheapest; of a table, what the paper found best over its benchmarks: 256 entries, depth limit 2.
    fn default() -> Self {
        Self { cache: CacheKind::Cells, size: 256, depth_limit: Some(2), inherit: true, ..Self::UNCACHED }
    }
}
