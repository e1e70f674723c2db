//! Sets that persist: what is known of sets of constraints, beyond a run and for several processes.
//!
//! [`KeptSets`] is a [`SetTree`] over a store. All sets of one key are one entry there, which is small beside what a
//! store holds and is read once: a search needs all of them at hand.
//!
//! - *Confirmed*: members are looked up by their digests and compared by their confirming digests before a set is
//!   served.
//! - *Bounded*: beyond a number of sets those go that were found or learnt longest ago.
//! - *Merged*: [`KeptSets::save`] takes the store's lease, adds what others saved in the meantime, and writes; so
//!   processes that save at the same time lose nothing of each other's. Where the store has no leases, or the machines
//!   that share it have none in common, the sets that were saved last stay.
//! - *Whole*: what is to be saved is decoded and compared first, as answers are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::codec::{self, CodecError};
use crate::key::{Checksum, Key};
use crate::rename::NameChecksum;
use crate::store::{Found, Store, StoreError, Turn};
use crate::subsume::{NameSet, SetTree};

/// How long another process may take to save before one gives up.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why sets are not saved or not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetsError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A value cannot be encoded.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// A value comes back from the encoding as another one: see [`crate::cache::Answer`] for what to avoid.
    #[error("a value of a set does not come back from the encoding as it went in, so no set is saved")]
    Altered,
    /// Another process is saving, and does not end.
    #[error("another process has been saving these sets for too long: save again later")]
    Busy,
}

/// A set with what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept<V> {
    members: Members,
    value: V,
    /// Later for what was used later.
    used: u64,
}

/// Sorted by digest, no two of one digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Members(Vec<NameChecksum>);

impl Members {
    /// Absent where two different members share a digest: such a set is never known.
    fn of(members: &[NameChecksum]) -> Option<Self> {
        let mut members = members.to_vec();
        members.sort_unstable();
        members.dedup();
        Self(members).checked()
    }

    fn checked(self) -> Option<Self> {
        let apart = self.0.windows(2).all(|pair| pair[0].digest() < pair[1].digest());
        apart.then_some(self)
    }

    fn set(&self) -> NameSet {
        self.0.iter().map(|member| member.digest()).collect()
    }

    /// Whether all of `others` are among these, confirming digests and all.
    fn have(&self, others: &Self) -> bool {
        others.0.iter().all(|other| self.0.binary_search(other).is_ok())
    }
}

/// What is known of sets of constraints. See the [module](self).
///
/// ```
/// use std::sync::Arc;
///
/// use cache_core::key::KeyBuilder;
/// use cache_core::rename::NameChecksum;
/// use cache_core::sets::KeptSets;
/// use cache_core::store::{MemoryStore, Store};
///
/// let constraint = |text: &str| NameChecksum::node(text, &[]);
/// let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
/// let key = KeyBuilder::new("unsatisfiable sets", 1).engine("solver", "5.4.0").finish();
///
/// let mut first: KeptSets<()> = KeptSets::new(Arc::clone(&store), &key, 1000);
/// first.insert(&[constraint("x < 3"), constraint("x > 5")], ());
/// first.save()?;
///
/// let mut next: KeptSets<()> = KeptSets::new(store, &key, 1000);
/// next.load()?;
/// let question = ["x > 5", "y = 1", "x < 3"].map(constraint);
/// assert_eq!(next.subset(&question, |()| true), Some(&()));
/// # Ok::<(), cache_core::sets::SetsError>(())
/// ```
pub struct KeptSets<V> {
    store: Arc<dyn Store>,
    id: Checksum,
    most: usize,
    tree: SetTree<u64>,
    kept: BTreeMap<u64, Kept<V>>,
    /// The number of the next set.
    next: u64,
    clock: u64,
    /// Learnt since they were last saved: what others saved does not take their place.
    own: BTreeSet<u64>,
    /// Removed since then.
    removed: BTreeSet<NameSet>,
    #[cfg(feature = "plant")]
    fault: Option<crate::plant::Fault>,
}

impl<V: Clone + PartialEq + Serialize + DeserializeOwned> KeptSets<V> {
    /// No sets yet. The key says what is known of the sets, and with which engine; at most `most` sets are kept.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, key: &Key, most: usize) -> Self {
        Self {
            store,
            id: key.checksum(),
            most,
            tree: SetTree::new(),
            kept: BTreeMap::new(),
            next: 0,
            clock: 0,
            own: BTreeSet::new(),
            removed: BTreeSet::new(),
            #[cfg(feature = "plant")]
            fault: None,
        }
    }

    /// Committing a fault, or none.
    #[cfg(feature = "plant")]
    #[must_use]
    pub fn fault(self, fault: Option<crate::plant::Fault>) -> Self {
        Self { fault, ..self }
    }

    /// Whether members are taken for others of the same digest. Only where faults are planted they ever are.
    #[cfg(feature = "plant")]
    fn trusts_members(&self) -> bool {
        self.fault == Some(crate::plant::Fault::TrustMembers)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn trusts_members(&self) -> bool {
        false
    }

    /// Whether what was removed here is taken from others again.
    #[cfg(feature = "plant")]
    fn revives(&self) -> bool {
        self.fault == Some(crate::plant::Fault::ReviveSets)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn revives(&self) -> bool {
        false
    }

    /// How many sets are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether no set is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Learns a value of a set, in the place of an earlier one.
    pub fn insert(&mut self, members: &[NameChecksum], value: V) {
        let Some(members) = Members::of(members) else { return };
        self.clock += 1;
        let set = members.set();
        self.removed.remove(&set);
        let number = self.enter(&set, Kept { members, value, used: self.clock });
        self.own.insert(number);
        // A tenth at once, so that it is not done each time.
        if self.kept.len() > self.most + self.most / 10 {
            self.trim();
        }
    }

    /// Forgets a set, also in the store when sets are saved next.
    pub fn remove(&mut self, members: &[NameChecksum]) {
        let Some(members) = Members::of(members) else { return };
        let set = members.set();
        if let Some(number) = self.tree.remove(&set) {
            self.kept.remove(&number);
            self.own.remove(&number);
        }
        self.removed.insert(set);
    }

    /// The value of a known subset of these members that satisfies `fits`; see [`SetTree::subset`].
    pub fn subset(&mut self, members: &[NameChecksum], mut fits: impl FnMut(&V) -> bool) -> Option<&V> {
        let wanted = Members::of(members)?;
        let (kept, trusts) = (&self.kept, self.trusts_members());
        let good = |number: &u64| {
            let kept = kept.get(number);
            kept.is_some_and(|kept| (trusts || wanted.have(&kept.members)) && fits(&kept.value))
        };
        let number = *self.tree.subset(&wanted.set(), good)?;
        self.used(number)
    }

    /// The value of a known superset of these members that satisfies `fits`; see [`SetTree::superset`].
    pub fn superset(&mut self, members: &[NameChecksum], mut fits: impl FnMut(&V) -> bool) -> Option<&V> {
        let wanted = Members::of(members)?;
        let (kept, trusts) = (&self.kept, self.trusts_members());
        let good = |number: &u64| {
            let kept = kept.get(number);
            kept.is_some_and(|kept| (trusts || kept.members.have(&wanted)) && fits(&kept.value))
        };
        let number = *self.tree.superset(&wanted.set(), good)?;
        self.used(number)
    }

    fn used(&mut self, number: u64) -> Option<&V> {
        self.clock += 1;
        let kept = self.kept.get_mut(&number)?;
        kept.used = self.clock;
        Some(&kept.value)
    }

    fn enter(&mut self, set: &NameSet, kept: Kept<V>) -> u64 {
        let number = match self.tree.get(set) {
            Some(number) => *number,
            None => {
                self.next += 1;
                self.tree.insert(set, self.next);
                self.next
            }
        };
        self.kept.insert(number, kept);
        number
    }

    /// Lets those go that were used longest ago, until there are no more than there may be.
    fn trim(&mut self) {
        let mut by_use: Vec<(u64, u64)> =
            self.kept.iter().map(|(number, kept)| (kept.used, *number)).collect();
        by_use.sort_unstable();
        let surplus = by_use.len().saturating_sub(self.most);
        for (_, number) in by_use.into_iter().take(surplus) {
            if let Some(kept) = self.kept.remove(&number) {
                self.tree.remove(&kept.members.set());
            }
            self.own.remove(&number);
        }
    }

    /// Takes over what was saved: what others learnt is known, and what was known as saved and is there no more was removed
    /// by somebody. What was learnt or removed here since sets were last saved stays so. What is damaged, or of another
    /// version, is nothing.
    ///
    /// # Errors
    /// Where the store fails; what is known is as it was then.
    pub fn load(&mut self) -> Result<(), SetsError> {
        let Found::Hit(bytes) = self.store.get(&self.id)? else { return Ok(()) };
        let Ok(saved) = codec::decode::<Vec<Kept<V>>>(&bytes) else { return Ok(()) };
        let revives = self.revives();
        let mut there = BTreeSet::new();
        for kept in saved {
            // Whoever wrote it saw to that; the bytes may say anything.
            let Some(members) = kept.members.checked() else { continue };
            let set = members.set();
            self.clock = self.clock.max(kept.used);
            let known = self.tree.get(&set).and_then(|number| self.kept.get_mut(number).zip(Some(*number)));
            match known {
                Some((known, number)) if self.own.contains(&number) => known.used = known.used.max(kept.used),
                _ if self.removed.contains(&set) && !revives => {}
                Some((known, number)) => {
                    *known = Kept { members, used: known.used.max(kept.used), ..kept };
                    there.insert(number);
                }
                None => {
                    there.insert(self.enter(&set, Kept { members, ..kept }));
                }
            }
        }
        let (own, tree) = (&self.own, &mut self.tree);
        self.kept.retain(|number, kept| {
            let stays = there.contains(number) || own.contains(number);
            if !stays {
                tree.remove(&kept.members.set());
            }
            stays
        });
        Ok(())
    }

    /// Saves what is known, together with what others saved in the meantime, which is known afterwards as well.
    ///
    /// # Errors
    /// Where the store fails, where another process goes on saving for ten seconds, and where the encoding does not carry
    /// a value. Nothing is lost of what was saved before.
    pub fn save(&mut self) -> Result<(), SetsError> {
        let turn = Turn::new(Arc::clone(&self.store), self.id, PATIENCE).take()?;
        if turn.is_busy() {
            return Err(SetsError::Busy);
        }
        self.load()?;
        self.trim();
        let all: Vec<&Kept<V>> = self.kept.values().collect();
        let bytes = codec::encode(&all)?;
        let back: Vec<Kept<V>> = codec::decode(&bytes).map_err(|_| SetsError::Altered)?;
        if !back.iter().eq(all) {
            return Err(SetsError::Altered);
        }
        self.store.put(&self.id, &bytes)?;
        self.own.clear();
        self.removed.clear();
        Ok(())
    }
}
