//! What a cache needs to know of questions and answers.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::digest::{Confirm, Digest};
use crate::key::{Key, Part, PartKind};

/// What an engine is asked, as far as a cache needs to know.
///
/// Two questions may share an answer exactly if their digests agree. Limits are no part of a question:
/// they are given beside it.
pub trait Question {
    /// Names the question inside a run.
    fn digest(&self) -> Digest;

    /// Confirms a hit on disk. Called only when a store is there.
    fn confirm(&self) -> Confirm;

    /// What the question is made of, kept beside the answer so that a later miss can be explained.
    /// Called only when an answer is stored.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

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

    fn parts(&self) -> Vec<Part> {
        Self::parts(self).to_vec()
    }

    fn name(&self) -> String {
        let first =
            |kind| Self::parts(self).iter().find(|part| part.kind == kind).map(|part| part.name.as_str());
        match (first(PartKind::Schema), first(PartKind::Content)) {
            (Some(schema), Some(content)) => format!("{schema} `{content}` ({})", Self::digest(self)),
            (Some(schema), None) => format!("{schema} {}", Self::digest(self)),
            _ => format!("question {}", Self::digest(self)),
        }
    }
}

/// What an engine says, as far as a cache needs to know.
///
/// The payload of a stored answer is its serialized form, so a type that changes must change the schema
/// part of its questions' keys.
pub trait Answer: Clone + Serialize + DeserializeOwned {
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
