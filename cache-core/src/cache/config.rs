//! How a cache behaves.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::audit::Audit;
use crate::mode::Mode;
use crate::store::Store;

/// How a cache behaves: `CacheConfig::default()`, and what differs from it.
#[derive(Clone)]
#[non_exhaustive]
pub struct CacheConfig {
    /// What may be taken and left.
    pub mode: Mode,
    /// How often a hit is checked against the engine. Nothing is audited offline.
    pub audit: Audit,
    /// Where answers are kept beyond this run; several caches may share one. Caches over one store keep
    /// apart by the schemas of their keys.
    pub store: Option<Arc<dyn Store>>,
    /// How long to wait at most for another process that is at work on the same question. Absent, which is the
    /// default, nobody waits, and what two processes ask at once is answered twice. Engines of several processes
    /// that ask each other's questions in a circle wait this long, too.
    pub lease_wait: Option<Duration>,
    /// The most answers kept in memory.
    pub memory_entries: usize,
    /// A lie that is to be told.
    #[cfg(feature = "plant")]
    pub fault: Option<crate::plant::Fault>,
}

impl Default for CacheConfig {
    /// Read and write, no audit, no store, 65,536 answers in memory.
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            audit: Audit::default(),
            store: None,
            lease_wait: None,
            memory_entries: 1 << 16,
            #[cfg(feature = "plant")]
            fault: None,
        }
    }
}

impl CacheConfig {
    /// In another [mode](Self::mode).
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// With hits [audited](Self::audit).
    #[must_use]
    pub fn audit(self, audit: Audit) -> Self {
        Self { audit, ..self }
    }

    /// Over a [store](Self::store), or none.
    #[must_use]
    pub fn store(self, store: impl Into<Option<Arc<dyn Store>>>) -> Self {
        Self { store: store.into(), ..self }
    }

    /// Waiting so long for [other processes](Self::lease_wait), or not at all.
    #[must_use]
    pub fn lease_wait(self, lease_wait: impl Into<Option<Duration>>) -> Self {
        Self { lease_wait: lease_wait.into(), ..self }
    }

    /// With another number of [answers in memory](Self::memory_entries).
    #[must_use]
    pub fn memory_entries(self, memory_entries: usize) -> Self {
        Self { memory_entries, ..self }
    }

    /// Committing a fault, or none.
    #[cfg(feature = "plant")]
    #[must_use]
    pub fn fault(self, fault: Option<crate::plant::Fault>) -> Self {
        Self { fault, ..self }
    }
}

impl fmt::Debug for CacheConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CacheConfig")
            .field("mode", &self.mode)
            .field("audit", &self.audit)
            .field("store", &self.store.is_some())
            .field("lease_wait", &self.lease_wait)
            .field("memory_entries", &self.memory_entries)
            .finish_non_exhaustive()
    }
}
