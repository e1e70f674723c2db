//! How `rtcheck` is run: with which cache, what a violation does, and what is forced to happen meanwhile.

use super::super::random::Random;

/// One way to run a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting {
    policy: &'static str,
    size: usize,
    depth_limit: Option<u32>,
    /// Depths that are multiples of this are remembered.
    every: u32,
    inherit: bool,
    pub(super) violations: Violations,
    /// A collection at every so many calls.
    collect: Option<u32>,
    /// Every hit is walked again, and every proved condition evaluated.
    pub(super) audit: bool,
    /// What is proved is not checked.
    analysis: bool,
}

/// What a violation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Violations {
    /// It is thrown, which undoes what happened since the catch.
    Thrown,
    /// It is printed, and the goal goes on: what was remembered stays.
    Reported,
}

impl Violations {
    pub(super) const ALL: [Violations; 2] = [Violations::Thrown, Violations::Reported];

    /// The options of `rtcheck run`.
    pub(super) fn options(self) -> [String; 2] {
        let what = match self {
            Violations::Thrown => "throw",
            Violations::Reported => "report",
        };
        ["--on-violation".to_owned(), what.to_owned()]
    }
}

const PLAIN: Setting = Setting {
    policy: "lru",
    size: 256,
    depth_limit: None,
    every: 1,
    inherit: true,
    violations: Violations::Thrown,
    collect: None,
    audit: false,
    analysis: false,
};

/// The settings that every batch is run with: small tables evict at once, large ones keep what should be gone.
pub(super) const SETTINGS: [Setting; 20] = [
    Setting { size: 1, ..PLAIN },
    Setting { size: 4, depth_limit: Some(1), inherit: false, ..PLAIN },
    Setting { inherit: false, ..PLAIN },
    Setting { policy: "direct", size: 2, depth_limit: Some(2), ..PLAIN },
    Setting { policy: "direct", size: 64, every: 2, inherit: false, ..PLAIN },
    Setting { policy: "s3fifo", size: 8, ..PLAIN },
    Setting { size: 16, audit: true, ..PLAIN },
    Setting { violations: Violations::Reported, ..PLAIN },
    Setting { policy: "direct", size: 64, depth_limit: Some(2), violations: Violations::Reported, ..PLAIN },
    Setting { collect: Some(1), inherit: false, ..PLAIN },
    Setting { policy: "direct", collect: Some(3), violations: Violations::Reported, ..PLAIN },
    Setting { policy: "s3fifo", size: 64, depth_limit: Some(2), collect: Some(2), audit: true, ..PLAIN },
    Setting { policy: "cells", ..PLAIN },
    Setting { policy: "cells", violations: Violations::Reported, ..PLAIN },
    Setting { policy: "cells", collect: Some(1), ..PLAIN },
    Setting { policy: "cells", collect: Some(3), violations: Violations::Reported, audit: true, ..PLAIN },
    Setting { policy: "cells", analysis: true, ..PLAIN },
    Setting { policy: "cells", analysis: true, violations: Violations::Reported, ..PLAIN },
    Setting { policy: "cells", analysis: true, audit: true, ..PLAIN },
    Setting { size: 16, analysis: true, collect: Some(2), ..PLAIN },
];

impl Setting {
    /// Any setting at all.
    pub(super) fn draw(random: &mut Random) -> Setting {
        Setting {
            policy: random.one(&["lru", "direct", "s3fifo", "cells", "cells"]),
            size: random.one(&[1, 2, 3, 5, 8, 16, 32, 64, 256, 1024]),
            depth_limit: random.one(&[Some(1), Some(2), Some(3), Some(5), None, None]),
            every: random.one(&[1, 1, 1, 2, 3]),
            inherit: random.chance(1, 2),
            violations: random.one(&Violations::ALL),
            collect: random.one(&[None, None, Some(1), Some(2), Some(5), Some(20)]),
            audit: random.chance(1, 4),
            analysis: random.chance(1, 2),
        }
    }

    /// The setting as options of `rtcheck run`.
    pub(super) fn options(&self) -> Vec<String> {
        let mut options = vec![
            "--check-cache".to_owned(),
            self.policy.to_owned(),
            "--cache-size".to_owned(),
            self.size.to_string(),
            "--depth-limit".to_owned(),
            self.depth_limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string()),
            "--cache-every".to_owned(),
            self.every.to_string(),
            "--inherit".to_owned(),
            if self.inherit { "on" } else { "off" }.to_owned(),
        ];
        options.extend(self.violations.options());
        if let Some(calls) = self.collect {
            options.extend(["--collect-every".to_owned(), calls.to_string()]);
        }
        let analysis = if self.analysis { "on" } else { "off" };
        options.extend(["--analysis".to_owned(), analysis.to_owned()]);
        if self.audit {
            options.extend(["--audit".to_owned(), "always".to_owned()]);
        }
        options
    }
}
