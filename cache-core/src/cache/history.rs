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
use crate::key::{Change, Checksum, Key, KeyBuilder, Part};
use crate::policy::Policy;
use crate::store::Found;

/// How many keys are remembered for an identity.
pub(super) const DEPTH: usize = 8;

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
}

pub(super) fn id_of(identity: &str) -> (Digest, Confirm) {
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
        let now = (key.digest(), key.confirm());
        let mut keys = match self.history.get(&digest) {
            Some(keys) if keys.first().is_some_and(|latest| (latest.digest, latest.confirm) == now) => return,
            Some(keys) => keys.clone(),
            None => match self.stored_history(digest, confirm) {
                Some(bytes) if is_latest(&bytes, now) => return,
                bytes => keys_in(bytes),
            },
        };
        let now = Remembered { digest: now.0, confirm: now.1, parts: key.parts() };
        keys.retain(|earlier| earlier.digest != now.digest);
        keys.insert(0, now);
        keys.truncate(DEPTH);
        if self.mode.writes()
            && let Some(store) = &self.store
        {
            self.finished = false;
            // Encoding fails for no such list; a hint that is not kept is no loss.
            if let Ok(bytes) = codec::encode(&keys)
                && let Err(error) = store.put(&Checksum { digest, confirm }, &bytes)
            {
                self.warnings.add(error.to_string());
            }
        }
        self.history.insert(digest, keys);
    }

    /// The keys that `identity` had, the latest first, at most eight. Empty in modes that do not
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
        match self.history.get(&digest) {
            Some(keys) => keys.clone(),
            None => keys_in(self.stored_history(digest, confirm)),
        }
    }

    fn stored_history(&mut self, digest: Digest, confirm: Confirm) -> Option<Vec<u8>> {
        match self.store.as_ref()?.get(&Checksum { digest, confirm }) {
            Ok(Found::Hit(bytes)) => Some(bytes),
            Ok(Found::Missing(_)) => None,
            Err(error) => {
                self.warnings.add(error.to_string());
                None
            }
        }
    }
}

/// The keys of a stored history. One that cannot be decoded is none.
fn keys_in(bytes: Option<Vec<u8>>) -> Vec<Remembered> {
    bytes.and_then(|bytes| codec::decode(&bytes).ok()).unwrap_or_default()
}

/// Whether a stored history begins with this key: most often nothing changed, and then its parts, which make
/// up nearly all of it, need not be read.
fn is_latest(bytes: &[u8], key: (Digest, Confirm)) -> bool {
    // After the number of keys comes the first of them.
    let start: Result<((u64, Digest, Confirm), usize), _> = codec::decode_start(bytes);
    start.is_ok_and(|((_, digest, confirm), _)| (digest, confirm) == key)
}
