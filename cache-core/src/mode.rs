//! Modes: what a run may take from a cache and leave in it.
//!
//! ```
//! use cache_core::mode::Mode;
//!
//! let mode: Mode = "offline".parse()?;
//! assert!(mode.reads() && !mode.writes() && !mode.asks());
//! # Ok::<(), <Mode as std::str::FromStr>::Err>(())
//! ```

use std::fmt;
use std::str::FromStr;

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
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Off, Self::Read, Self::ReadWrite, Self::Rebuild, Self::Offline];

    /// How it is written where a user chooses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Read => "read",
            Self::ReadWrite => "read-write",
            Self::Rebuild => "rebuild",
            Self::Offline => "offline",
        }
    }

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

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|mode| mode.name() == text);
        found.ok_or_else(|| UnknownMode(text.to_owned()))
    }
}

/// A text that names no mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown cache mode `{0}`: use off, read, read-write, rebuild or offline")]
pub struct UnknownMode(String);
