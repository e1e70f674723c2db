//! History: under which keys something with a lasting identity was known last.
//!
//! A key says what a question is, not whose. When a procedure is edited its key changes, and nothing
//! leads from the new one to the answers for the version before. The history does: for an identity (the
//! procedure's name, say) it remembers the last [`DEPTH`] keys with their parts. It explains misses
//! ("dependency `abs` changed") and lets fine-grained caching find an earlier version.
//!
//! It is a hint. It lives in the store under a schema of its own, is written over without care for other
//! writers, and if it is lost, time is lost and no answer changes.

use serde::{Deserialize, Serialize};

use super::Cache;
use super::question::{Answer, Question};
use crate::codec;
use crate::digest::{Confirm, Digest};
use crate::key::{Change, Key, KeyBuilder, Part};
use crate::policy::Policy;
use crate::store::{EntryId, Found};

/// How many keys are remembered for an identity.
pub const DEPTH: usize = 8;

/// A key that an identity had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The key's digest.
    pub digest: Digest,
    /// The key's confirming digest.
    pub confirm: Confirm,
    /// What it was made of.
    pub parts: Vec<Part>,
}

/// A remembered key finds its answer like the key itself.
impl Question for Remembered {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn confirm(&self) -> Confirm {
        self.confirm
    }

    fn parts(&self) -> Vec<Part> {
        self.parts.clone()
    }
}

fn id_of(identity: &str) -> (Digest, Confirm) {
    let key = KeyBuilder::new("cache-core history", 1).content("identity", identity).finish();
    (key.digest(), key.confirm())
}

impl<A: Answer, P: Policy> Cache<A, P> {
    /// Remembers that `identity` has this key now. An identity names its kind too (`procedure abs`), as
    /// all caches over one store share them.
    pub fn remember(&mut self, identity: &str, key: &Key) {
        if !self.mode.reads() && !self.mode.writes() {
            return;
        }
        let (digest, confirm) = id_of(identity);
        let mut keys = self.history_of(digest, confirm);
        let now =
            Remembered { digest: key.digest(), confirm: key.confirm(), parts: Key::parts(key).to_vec() };
        if keys.first() == Some(&now) {
            return;
        }
        keys.retain(|earlier| earlier.digest != now.digest);
        keys.insert(0, now);
        keys.truncate(DEPTH);
        if self.mode.writes()
            && let Some(store) = &self.store
        {
            // Encoding fails for no such list; a hint that is not kept is no loss.
            if let Ok(bytes) = codec::encode(&keys)
                && let Err(error) = store.put(&EntryId { digest, confirm }, &bytes)
            {
                self.warnings.add(error.to_string());
            }
        }
        self.history.insert(digest, keys);
    }

    /// The keys that `identity` had, the latest first, at most [`DEPTH`]. Empty in modes that do not
    /// read.
    pub fn recall(&mut self, identity: &str) -> Vec<Remembered> {
        if !self.mode.reads() {
            return Vec::new();
        }
        let (digest, confirm) = id_of(identity);
        let keys = self.history_of(digest, confirm);
        self.history.insert(digest, keys.clone());
        keys
    }

    /// Why `key` missed: what moved since the most similar key that `identity` had (the latest of them
    /// if several are). `None` if no other key of it is remembered. If there is an answer, the last
    /// miss counts as stale, so ask at most once per miss, and before [`Cache::remember`].
    pub fn explain_miss(&mut self, identity: &str, key: &Key) -> Option<Vec<Change>> {
        let changes = self
            .recall(identity)
            .iter()
            .filter(|earlier| earlier.digest != key.digest())
            .map(|earlier| key.changes_since(&earlier.parts))
            .min_by_key(Vec::len)?;
        self.stats.stale += 1;
        Some(changes)
    }

    fn history_of(&mut self, digest: Digest, confirm: Confirm) -> Vec<Remembered> {
        if let Some(keys) = self.history.get(&digest) {
            return keys.clone();
        }
        match self.store.as_ref().map(|store| store.get(&EntryId { digest, confirm })) {
            // A history that cannot be decoded is none.
            Some(Ok(Found::Hit(bytes))) => codec::decode(&bytes).unwrap_or_default(),
            Some(Ok(Found::Missing(_))) | None => Vec::new(),
            Some(Err(error)) => {
                self.warnings.add(error.to_string());
                Vec::new()
            }
        }
    }
}
