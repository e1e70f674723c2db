//! Modes: what a run may take from a cache and leave in it.
//!
//! ```
//! use cache_core::mode::Mode;
//!
//! let mode: Mode = "offline".parse()?;
//! assert!(mode.reads() && !mode.writes() && !mode.asks());
//! # Ok::<(), <Mode as std::str::FromStr>::Err>(())
//! ```

/// What a run may take from a cache and leave in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The cache is neither read nor written.
    Off,
    /// Answers are taken from the cache; nothing is written.
    Read,
    /// Answers are taken from the cache and new ones are written.
    #[default]
    ReadWrite,
    /// Nothing is taken; every answer is computed and written over what was there.
    Rebuild,
    /// Answers are taken from the cache; a miss is an error and no engine is started.
    Offline,
}

impl Mode {
    /// Whether answers are taken from the cache.
    #[must_use]
    pub fn reads(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite | Self::Offline)
    }

    /// Whether fresh answers are written.
    #[must_use]
    pub fn writes(self) -> bool {
        matches!(self, Self::ReadWrite | Self::Rebuild)
    }

    /// Whether the engine may be asked at all.
    #[must_use]
    pub fn asks(self) -> bool {
        !matches!(self, Self::Offline)
    }
}

crate::names!(
    Mode, "cache mode":
    Off = "off", Read = "read", ReadWrite = "read-write", Rebuild = "rebuild", Offline = "offline"
);
