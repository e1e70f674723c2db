//! What a cache needs to know of questions and answers.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::digest::{Confirm, Digest};
use crate::key::{Key, PartKind};

/// What an engine is asked, as far as a cache needs to know.
///
/// Two questions may share an answer exactly if their digests agree. Limits are no part of a question:
/// they are given beside it.
pub trait Question {
    /// Names the question inside a run.
    fn digest(&self) -> Digest;

    /// Confirms a hit on disk. Called only when a store is there.
    fn confirm(&self) -> Confirm;

    /// The question's name in messages to users.
    fn name(&self) -> String {
        format!("question {}", self.digest())
    }
}

impl Question for Key {
    fn digest(&self) -> Digest {
        Self::digest(self)
    }

    fn confirm(&self) -> Confirm {
        Self::confirm(self)
    }

    fn name(&self) -> String {
        let parts = self.parts();
        let first = |kind| parts.iter().find(|part| part.kind == kind).map(|part| part.name.as_str());
        match (first(PartKind::Schema), first(PartKind::Content)) {
            (Some(schema), Some(content)) => format!("{schema} `{content}` ({})", Self::digest(self)),
            (Some(schema), None) => format!("{schema} {}", Self::digest(self)),
            _ => format!("question {}", Self::digest(self)),
        }
    }
}

/// What an engine says, as far as a cache needs to know.
///
/// It is a type of the tool's own. Rust implements no foreign trait for a foreign type, so a plain `String` or `Vec` is
/// wrapped; and who could not answer within the limits needs a word for it, which a plain text has not:
///
/// ```
/// use cache_core::cache::Answer;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
/// struct Summary(String);
///
/// impl Answer for Summary {
///     fn out_of_limits(&self) -> bool {
///         false // This engine always ends.
///     }
///     fn agrees_with(&self, fresh: &Self) -> bool {
///         self == fresh
///     }
/// }
/// ```
///
/// # What is stored
/// The payload of a stored answer is its serialized form, so a type that changes must change the schema
/// part of its questions' keys. The encoding ([`crate::codec`]) is compact and names no fields, so the type must
/// not use serde's `flatten`, `untagged`, `tag`, `content`, `skip_serializing_if` or any other attribute that makes
/// what is written depend on more than the type; values may be nested [`crate::codec::MAX_DEPTH`] levels. Before an
/// answer is stored it is decoded and compared (`PartialEq`); one that comes back as another is not stored,
/// and a warning says so. So is one that does not equal itself, as with a number that is none: who answers with such
/// numbers compares them by their bits. What `PartialEq` passes over is not seen: a field that is skipped by both comes
/// back as its default, and -0.0 as the 0.0 that it equals.
///
/// # Hangs
/// An engine that had to be stopped has no answer, and a failure of the engine is not kept. Who knows that it was
/// the clock (`WorkerError::Deadline`) and puts the deadline and the machine into the request's
/// [`Limits`](crate::limits::Limits) answers with a value for which [`Answer::out_of_limits`] holds: the next run
/// with no more time does not wait for the hang again.
pub trait Answer: Clone + PartialEq + Serialize + DeserializeOwned {
    /// Whether the engine ran out of the request's limits, so that this answer speaks only for requests
    /// with no larger ones.
    fn out_of_limits(&self) -> bool;

    /// Whether a stored answer (this one) and a fresh answer to the same question say the same. Only
    /// asked where neither ran out of limits.
    fn agrees_with(&self, fresh: &Self) -> bool;
}

/// What an answer cost the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Time in seconds.
    pub seconds: f64,
    /// The engine's own deterministic measure of work, 0 if it has none.
    pub resource: u64,
}

/// A fresh answer of the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked<A> {
    /// The answer.
    pub answer: A,
    /// What it cost.
    pub cost: Cost,
}
