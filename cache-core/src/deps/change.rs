//! What moved between two snapshots, and why.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::snapshot::Snapshot;

/// How an entity differs from the entity of the same name in an earlier snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ChangeClass {
    /// Neither it nor anything that it reaches changed: its answer is still good.
    Unchanged,
    /// Only something that it reaches changed.
    DependencyChanged,
    /// Its own content changed.
    EntityChanged,
    /// It was not there.
    New,
    /// It is there no more.
    Removed,
}

/// The order in which entities should be answered, most urgent last: section 3.3 of the paper on
/// fine-grained caching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// Only a dependency changed.
    Low,
    /// The entity itself changed.
    Medium,
    /// The entity is new.
    High,
    /// Nothing changed: a look-up is enough, and its answer is reported at once.
    Highest,
}

impl ChangeClass {
    /// The priority of an entity of this class; a removed one needs no answer.
    #[must_use]
    pub fn priority(self) -> Option<Priority> {
        match self {
            Self::Unchanged => Some(Priority::Highest),
            Self::DependencyChanged => Some(Priority::Low),
            Self::EntityChanged => Some(Priority::Medium),
            Self::New => Some(Priority::High),
            Self::Removed => None,
        }
    }
}

impl fmt::Display for ChangeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unchanged => "unchanged",
            Self::DependencyChanged => "dependency changed",
            Self::EntityChanged => "changed",
            Self::New => "new",
            Self::Removed => "removed",
        })
    }
}

/// One reason why a dependency checksum moved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// The entity that moved by itself.
    pub name: String,
    /// How: changed, new or removed; or "dependency changed" if its content is the same but its references
    /// are not.
    pub class: ChangeClass,
    /// The references that lead there, from the entity that was asked about (left out) to `name` (left out):
    /// empty if it is referred to directly or is the entity itself. A shortest one.
    pub through: Vec<String>,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class {
            ChangeClass::DependencyChanged => write!(f, "`{}` refers to other entities", self.name)?,
            ChangeClass::New => write!(f, "`{}` is new", self.name)?,
            ChangeClass::Removed => write!(f, "`{}` is gone", self.name)?,
            ChangeClass::EntityChanged | ChangeClass::Unchanged => write!(f, "`{}` changed", self.name)?,
        }
        for (number, name) in self.through.iter().enumerate() {
            write!(f, "{} `{name}`", if number == 0 { ", through" } else { "," })?;
        }
        Ok(())
    }
}

impl Snapshot {
    /// The class of one entity against an earlier snapshot; absent if neither has it.
    fn class(&self, name: &str, earlier: &Self) -> Option<ChangeClass> {
        match (self.get(name), earlier.get(name)) {
            (None, None) => None,
            (Some(_), None) => Some(ChangeClass::New),
            (None, Some(_)) => Some(ChangeClass::Removed),
            (Some(now), Some(then)) => Some(if now.entity != then.entity {
                ChangeClass::EntityChanged
            } else if now.dependency != then.dependency {
                ChangeClass::DependencyChanged
            } else {
                ChangeClass::Unchanged
            }),
        }
    }

    /// The classes of all entities of both snapshots.
    #[must_use]
    pub fn changes_since(&self, earlier: &Self) -> BTreeMap<String, ChangeClass> {
        let names = self.iter().chain(earlier.iter()).map(|(name, _)| name);
        names.filter_map(|name| Some((name.to_owned(), self.class(name, earlier)?))).collect()
    }

    /// Why the dependency checksum of an entity moved: everything that it reaches, in this snapshot or in
    /// the earlier one, and that moved by itself. Nearest first, then by name. Empty if and only if the
    /// entity is unchanged (or unknown to both).
    #[must_use]
    pub fn causes(&self, name: &str, earlier: &Self) -> Vec<Cause> {
        let mut causes = Vec::new();
        // Breadth first, level by level and sorted within a level. Each name once, with the one it was
        // reached from; what is unchanged reaches nothing that moved.
        let mut reached_from: BTreeMap<&str, Option<&str>> = BTreeMap::from([(name, None)]);
        let mut level = vec![name];
        while !level.is_empty() {
            let mut next = Vec::new();
            for name in level {
                let Some(class) = self.class(name, earlier) else { continue };
                if class == ChangeClass::Unchanged {
                    continue;
                }
                let (now, then) = (self.get(name), earlier.get(name));
                let references =
                    |record: Option<&super::Record>| record.map(|record| record.depends_on.clone());
                if class != ChangeClass::DependencyChanged || references(now) != references(then) {
                    let through = way(&reached_from, name);
                    causes.push(Cause { name: name.to_owned(), class, through });
                }
                for reference in [now, then].into_iter().flatten().flat_map(|record| &record.depends_on) {
                    if !reached_from.contains_key(reference.as_str()) {
                        reached_from.insert(reference, Some(name));
                        next.push(reference.as_str());
                    }
                }
            }
            next.sort_unstable();
            level = next;
        }
        causes
    }
}

/// The names strictly between the start and `name`.
fn way(reached_from: &BTreeMap<&str, Option<&str>>, name: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = reached_from.get(name).copied().flatten();
    while let Some(before) = at {
        at = reached_from.get(before).copied().flatten();
        if at.is_some() {
            names.push(before.to_owned());
        }
    }
    names.reverse();
    names
}
