//! A cache for a team: a store on a server that need not be believed.
//!
//! [`Remote`] stands as the last tier behind the disk of each machine ([`super::Tiered`]): what the disk lacks is asked
//! of the server, checked, and kept on the disk.
//!
//! # How a record travels
//! ```text
//! put:  payload ──> waits for others ──> compressed ──> signed with its question, as all of them ──> server
//! get:  question ──> address ──> server ──> signed for this question? by whom? ──> unpacked ──> payload
//! ```
//! The address is a digest of the question's two digests. A record carries neither the question nor its digests,
//! but its signature covers both (`record`). So a record is good for one question only, wherever it is found.
//!
//! # Whom it trusts
//! Whoever can write to the server can write anything there: a pull request's build, a neighbour, the server itself. So
//! records are signed, by keys that only builds hold that run reviewed code, and a reader names the keys that it trusts
//! ([`Trust`]) and serves nothing else. A server can
//! - withhold, delay, cut, alter, exchange, or invent records: each is a miss, and the first is told;
//! - give an *older* record of the same question by the same signer. Answers are functions of their questions, so
//!   this can matter only for what was wrong when it was signed (then its key is trusted no more), for what
//!   ran out of limits (judged by its limits as ever), and for hints (which change no answer).
//!
//! What a disk keeps of a server's answers says who signed it (`copies`): a key that is trusted no more is believed
//! there no more either. What is pulled ([`exchange::pull`]) is kept so, too.
//!
//! What is put once answers were given may be made of these. So it names their keys, on disks and servers, and is served
//! only where all of them are trusted: nothing that was signed wrongly is handed on under another key. What the processes
//! of a run tell each other beside the store is not followed.
//!
//! It cannot make a reader serve what no trusted key signed for that very question. Who holds a trusted key
//! can: an audit over remote hits (`--audit sample=N`) asks the engine again, and names the question and the
//! signer.
//!
//! # What it costs
//! A run waits for the server at most [`RemoteOptions::patience`], beside [`PER_HIT`] for each answer that it gave; what these
//! take beyond [`QUICK_HIT`] is excused for [`EXCUSED`] times the patience in all, so that a slow server costs a bounded time
//! however many answers it has. Then, or
//! after the first request that fails, the server is not asked any more in this run, which is told once; all else is a miss. What
//! will be asked soon is best named beforehand ([`super::Store::prefetch`]): those look-ups go out side by side. What is put goes out
//! several records at a time, under one signature (`batch`); what waits is sent by [`super::Store::flush`]. A hit is one
//! request and a few digests, and for the first of each batch the verification of a signature (about 40 µs).

pub mod exchange;
mod batch;
mod copies;
mod judge;
mod keys;
mod patience;
mod record;
mod transport;

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "redis")]
mod redis;

use std::collections::BTreeSet;
use std::fmt;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

#[cfg(feature = "http")]
pub use http::Http;
pub use keys::{KeyError, PublicKey, SecretKey, Trust};
pub use patience::{EXCUSED, PER_HIT, QUICK_HIT};
#[cfg(feature = "redis")]
pub use redis::Redis;
pub use transport::{Deadline, MAX_RECORD, Transport, TransportError};

use super::{Copies, Counters, Found, MAX_PAYLOAD, Store, StoreError, Usage, Verified};
use crate::digest::Digest;
use crate::key::Checksum;
use crate::stats::MissReason;
use batch::Signed;
use judge::{Failed, refusal};
use keys::Fingerprint;
use patience::Patience;
use record::{Opened, Outgoing, Refused};

/// What is put is sent once so many records wait,
const PENDING: usize = batch::MOST;
/// or so many bytes.
const PENDING_BYTES: usize = 1 << 20;

/// How a remote cache is used: `RemoteOptions::default()`, and what differs from it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RemoteOptions {
    /// Whose records are served.
    pub trust: Trust,
    /// With what records are signed that are put; without it nothing is put.
    pub sign: Option<SecretKey>,
    /// How long a run waits in vain, for reading and as long for writing. 5 seconds by default.
    pub patience: Duration,
    /// How long one request may take. 2 seconds by default.
    pub request: Duration,
    /// A lie that is to be told.
    #[cfg(feature = "plant")]
    pub fault: Option<crate::plant::Fault>,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            trust: Trust::nobody(),
            sign: None,
            patience: Duration::from_secs(5),
            request: Duration::from_secs(2),
            #[cfg(feature = "plant")]
            fault: None,
        }
    }
}

impl RemoteOptions {
    /// With records of these signers [served](Self::trust).
    #[must_use]
    pub fn trust(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    /// With a key to [sign](Self::sign) with, or none.
    #[must_use]
    pub fn sign(self, key: impl Into<Option<SecretKey>>) -> Self {
        Self { sign: key.into(), ..self }
    }

    /// With other [patience](Self::patience).
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// With other time for a [request](Self::request).
    #[must_use]
    pub fn request(self, request: Duration) -> Self {
        Self { request, ..self }
    }

    /// With a lie to tell.
    #[cfg(feature = "plant")]
    #[must_use]
    pub fn fault(self, fault: impl Into<Option<crate::plant::Fault>>) -> Self {
        Self { fault: fault.into(), ..self }
    }
}

/// A store on a server. See the [module](self).
///
/// What is put without a key to sign with stays here; so a reader may be given everything that the disk is given.
pub struct Remote {
    transport: Box<dyn Transport>,
    options: RemoteOptions,
    /// The fingerprint of the key that signs.
    own: Option<Fingerprint>,
    signed: Signed,
    state: Mutex<State>,
}

struct State {
    reading: Patience,
    writing: Patience,
    /// What was fetched before it was asked for, by digest; looked up, never listed.
    ahead: FxHashMap<Digest, (Checksum, Fetched)>,
    /// Of what was given last under a digest, on which keys it rests; looked up, never listed.
    given: FxHashMap<Digest, Given>,
    /// The keys on whose answers this run may rest by now: trusted ones, and its own.
    rests_on: BTreeSet<Fingerprint>,
    /// What was put and not sent yet.
    pending: Vec<Outgoing>,
    pending_bytes: usize,
    counters: Counters,
    troubles: Vec<StoreError>,
    told_refusals: bool,
}

/// What a request brought.
enum Fetched {
    Record(Opened),
    Missing(MissReason),
}

/// Which keys an answer that was given rests on.
struct Given {
    /// Of the payload: another one may be given under the same id beside.
    payload: Digest,
    /// Which of the trusted keys signed it, unless it was made here.
    signer: Option<usize>,
    others: Vec<Fingerprint>,
}

impl Remote {
    /// A store behind a transport. Connects to nothing yet.
    #[must_use]
    pub fn new(transport: Box<dyn Transport>, options: RemoteOptions) -> Self {
        let patience = || Patience::new(options.patience);
        let state = State {
            reading: patience(),
            writing: patience(),
            ahead: FxHashMap::default(),
            given: FxHashMap::default(),
            rests_on: BTreeSet::new(),
            pending: Vec::new(),
            pending_bytes: 0,
            counters: Counters::default(),
            troubles: Vec::new(),
            told_refusals: false,
        };
        let own = options.sign.as_ref().map(|key| key.public().fingerprint());
        Self { transport, options, own, signed: Signed::default(), state: Mutex::new(state) }
    }

    /// The server's place for messages, without passwords.
    #[must_use]
    pub fn place(&self) -> &str {
        self.transport.place()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What a panic could leave behind is a store that knows less.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the server, side by side.
    fn fetch(&self, ids: &[Checksum]) -> Vec<Fetched> {
        let unreachable = || Fetched::Missing(MissReason::Unreachable);
        // The lock is not held meanwhile: others may ask as well.
        let Some(left) = self.state().reading.left else {
            return ids.iter().map(|_| unreachable()).collect();
        };
        let begun = Instant::now();
        let deadline = Deadline { end: begun + left, request: self.options.request };
        let addresses: Vec<String> = ids.iter().map(record::address).collect();
        let answers = self.transport.get(&addresses, deadline);
        let mut error = None;
        let records = answers.into_iter().map(|answer| match answer {
            Ok(record) => Ok(record),
            Err(failure) => {
                error.get_or_insert(failure);
                Err(MissReason::Unreachable)
            }
        });
        let records: Vec<Result<Option<Vec<u8>>, MissReason>> = records.collect();
        let waited = begun.elapsed();
        let opened = self.open_all(ids, records);
        let mut state = self.state();
        let mut hits = 0;
        let mut refusals = Vec::new();
        let mut found = Vec::with_capacity(ids.len());
        for (id, opened) in ids.iter().zip(opened) {
            found.push(match opened {
                Ok(Some(opened)) => {
                    hits += 1;
                    Fetched::Record(opened)
                }
                Ok(None) => Fetched::Missing(MissReason::Absent),
                Err(Failed::Missing(why)) => Fetched::Missing(why),
                Err(Failed::Refused(why)) => {
                    refusals.push((why, record::address(id)));
                    state.counters.damaged += 1;
                    Fetched::Missing(if why == Refused::Foreign {
                        MissReason::ForeignVersion
                    } else {
                        MissReason::Untrusted
                    })
                }
            });
        }
        if let Some((why, address)) = refusals.first()
            && !mem::replace(&mut state.told_refusals, true)
        {
            let trouble = self.trouble(&refusal(*why, address));
            state.troubles.push(trouble);
        }
        let ended = match &error {
            Some(error) => Some(error.to_string()),
            None => state.reading.spend(waited, hits).then(|| {
                format!("it is too slow (waited {:.1} s in vain)", self.options.patience.as_secs_f64())
            }),
        };
        // Of several that failed at once the first tells.
        if let Some(why) = ended
            && (state.reading.left.take().is_some() || error.is_none())
        {
            let trouble = self.trouble(&format!("{why}, so it is not asked any more in this run"));
            state.troubles.push(trouble);
        }
        found
    }

    /// Whether the lie is told that records are served whoever signed them.
    #[cfg(feature = "plant")]
    fn believes_all(&self) -> bool {
        self.options.fault == Some(crate::plant::Fault::TrustRecords)
    }

    #[cfg(not(feature = "plant"))]
    #[expect(clippy::unused_self, reason = "it has a fault only where faults can be planted")]
    fn believes_all(&self) -> bool {
        false
    }

    /// Sends what waits.
    fn send(&self) {
        let (pending, left) = {
            let mut state = self.state();
            state.pending_bytes = 0;
            (mem::take(&mut state.pending), state.writing.left)
        };
        let (Some(left), Some(key), false) = (left, &self.options.sign, pending.is_empty()) else { return };
        let records: Vec<(String, Vec<u8>)> = pending
            .iter()
            .map(|sent| record::address(&sent.id))
            .zip(record::seal(&pending, key))
            .filter(|(_, record)| record.len() <= MAX_RECORD)
            .collect();
        let begun = Instant::now();
        let deadline = Deadline { end: begun + left, request: self.options.request };
        let sent = self.transport.put(&records, deadline);
        let mut state = self.state();
        let count = u32::try_from(records.len()).unwrap_or(u32::MAX);
        let ended = match sent {
            Err(error) => Some(error.to_string()),
            Ok(()) => {
                state.counters.puts += u64::from(count);
                let spent = state.writing.spend(begun.elapsed(), count);
                spent.then(|| "it is too slow".to_owned())
            }
        };
        if let Some(why) = ended {
            state.writing.left = None;
            let trouble = self.trouble(&format!("{why}, so nothing more is sent to it in this run"));
            state.troubles.push(trouble);
        }
    }

    /// Whether all of these keys are trusted, or its own. With the planted lie everybody is.
    fn trusts(&self, keys: &[Fingerprint]) -> bool {
        self.believes_all() || self.options.trust.covers(keys, self.own.as_ref())
    }

    /// Notes that an answer was given, and on whom the run rests with it.
    fn was_given(&self, id: &Checksum, payload: &[u8], signer: Option<usize>, others: Vec<Fingerprint>) {
        let signed = signer.and_then(|signer| self.options.trust.fingerprint(signer));
        let mut state = self.state();
        state.rests_on.extend(signed.into_iter().chain(&others));
        state.given.insert(id.digest, Given { payload: Digest::of(payload), signer, others });
    }

    /// The keys on whose answers what is put now may rest.
    fn rests_on(&self) -> Vec<Fingerprint> {
        self.state().rests_on.iter().copied().collect()
    }

    /// Whether what was given last under an id rests on nobody beside its signer and these.
    fn rests_within(&self, id: &Checksum, keys: &[Fingerprint]) -> bool {
        self.state()
            .given
            .get(&id.digest)
            .is_none_or(|given| given.others.iter().all(|key| keys.contains(key)))
    }

    /// Keeps what is to be sent, and sends what waits where it is much.
    fn queue(&self, id: &Checksum, payload: &[u8], others: Vec<Fingerprint>) -> Result<(), StoreError> {
        if payload.len() > MAX_PAYLOAD {
            return Err(StoreError::TooLarge { length: payload.len() });
        }
        let full = {
            let mut state = self.state();
            state.ahead.remove(&id.digest);
            if self.options.sign.is_none() || state.writing.left.is_none() {
                return Ok(());
            }
            // What goes out side by side arrives in any order: of two for one id only the newer may go.
            state.pending.retain(|waits| waits.id != *id);
            state.pending_bytes += payload.len();
            state.pending.push(Outgoing { id: *id, payload: payload.to_vec(), others });
            state.pending.len() >= PENDING || state.pending_bytes >= PENDING_BYTES
        };
        if full {
            self.send();
        }
        Ok(())
    }

    fn trouble(&self, what: &str) -> StoreError {
        StoreError::Remote { place: self.place().to_owned(), what: what.to_owned() }
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("place", &self.place()).finish_non_exhaustive()
    }
}

impl Store for Remote {
    /// Never fails: what goes wrong with a server is a trouble, once, and a miss.
    fn get(&self, id: &Checksum) -> Result<Found, StoreError> {
        let (ahead, waits) = {
            let mut state = self.state();
            let ahead = match state.ahead.get(&id.digest) {
                // What is missing is known to be missing until the end of the run.
                Some((of, Fetched::Missing(why))) if of == id => Some(Fetched::Missing(*why)),
                Some((of, Fetched::Record(_))) if of == id => {
                    state.ahead.remove(&id.digest).map(|(_, fetched)| fetched)
                }
                _ => None,
            };
            let waits = state.pending.iter().rev().find(|waits| waits.id == *id);
            (ahead, waits.map(|waits| waits.payload.clone()))
        };
        let fetched = match (ahead, waits) {
            (Some(fetched), _) => fetched,
            (None, Some(payload)) => {
                // It is this run's own, and those in front were given it.
                let mut state = self.state();
                state.given.remove(&id.digest);
                state.counters.hits += 1;
                return Ok(Found::Hit(payload));
            }
            (None, None) => {
                let fetched = self.fetch(std::slice::from_ref(id)).pop();
                fetched.unwrap_or(Fetched::Missing(MissReason::Unreachable))
            }
        };
        match fetched {
            Fetched::Record(Opened { payload, signer, others }) => {
                self.was_given(id, &payload, Some(signer), others);
                self.state().counters.hits += 1;
                Ok(Found::Hit(payload))
            }
            Fetched::Missing(why) => {
                self.state().counters.miss(why);
                Ok(Found::Missing(why))
            }
        }
    }

    /// While it is asked at all.
    fn is_far(&self) -> bool {
        self.transport.is_far() && self.state().reading.left.is_some()
    }

    fn prefetch(&self, ids: &[Checksum]) {
        let new: Vec<Checksum> = {
            let state = self.state();
            ids.iter().filter(|id| !state.ahead.contains_key(&id.digest)).copied().collect()
        };
        if new.is_empty() {
            return;
        }
        let found = self.fetch(&new);
        let mut state = self.state();
        for (id, fetched) in new.into_iter().zip(found) {
            let was_put = state.pending.iter().any(|waits| waits.id == id);
            if !was_put && !matches!(fetched, Fetched::Missing(MissReason::Unreachable)) {
                state.ahead.insert(id.digest, (id, fetched));
            }
        }
    }

    fn put(&self, id: &Checksum, payload: &[u8]) -> Result<(), StoreError> {
        // Who gave what was there before does not vouch for this.
        self.state().given.remove(&id.digest);
        // The key that signs is named by that.
        let others = self.rests_on().into_iter().filter(|key| self.own.as_ref() != Some(key)).collect();
        self.queue(id, payload, others)
    }

    /// Forgets what was fetched and not given yet, and what was not sent yet. Servers of this kind forget nothing when
    /// they are asked to; what is put later takes the place of what is there.
    fn remove(&self, id: &Checksum) -> Result<(), StoreError> {
        let mut state = self.state();
        state.ahead.insert(id.digest, (*id, Fetched::Missing(MissReason::Absent)));
        state.pending.retain(|waits| waits.id.digest != id.digest);
        Ok(())
    }

    fn flush(&self) -> Result<(), StoreError> {
        self.send();
        Ok(())
    }

    /// Not from here: others use it.
    fn clean(&self) -> Result<(), StoreError> {
        Err(self.trouble("it is not emptied from here, as others use it: do so at the server"))
    }

    /// Nothing: servers of this kind do not say.
    fn usage(&self) -> Result<Usage, StoreError> {
        Ok(Usage::default())
    }

    /// Nothing: servers of this kind do not list what they have. What is fetched is checked in any case.
    fn verify(&self) -> Result<Verified, StoreError> {
        Ok(Verified::default())
    }

    /// What this instance did. Records that were refused count as damaged.
    fn counters(&self) -> Counters {
        self.state().counters.clone()
    }

    fn signer(&self, id: &Checksum) -> Option<String> {
        let state = self.state();
        let given = state.given.get(&id.digest)?;
        let signer = self.options.trust.name(given.signer?)?;
        let trust = &self.options.trust;
        let others: Vec<&str> =
            given.others.iter().filter_map(|key| trust.name(trust.position(key)?)).collect();
        Some(match others.as_slice() {
            [] => signer.to_owned(),
            others => format!("{signer}, who may have built on {}", others.join(" and ")),
        })
    }

    fn copies(&self) -> Option<&dyn Copies> {
        Some(self)
    }

    fn take_troubles(&self) -> Vec<StoreError> {
        mem::take(&mut self.state().troubles)
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.send();
    }
}

/// A URL without what proves who asks, for messages: what stands between its scheme and `@`, and what follows a `?`.
#[must_use]
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let shown = format!("{scheme}://{host}{path}");
    shown.split_once('?').map_or(shown.as_str(), |(shown, _)| shown).to_owned()
}
