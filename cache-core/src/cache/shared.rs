//! A cache that threads share, and that an engine may ask while it answers.
//!
//! [`SharedCache`] keeps a [`Cache`] behind a lock that is held while something is looked up or kept and never while
//! an engine is at work. A question that a thread is at work on is *in flight*: others that ask it wait for its answer
//! instead of asking the engine again, and look it up then.
//!
//! # Who waits for whom
//! An engine that needs answers to smaller questions asks them through the same cache, so threads that wait may wait
//! for each other in a circle: one works on `f` and needs `g`, another works on `g` and needs `f`. Before a thread
//! waits, the chain from the question's owner over what that one waits for is followed; where it leads back to the
//! thread itself, it does not wait but asks its engine. So no thread waits for ever unless an engine does, and a question
//! is asked twice only in such circles, by one thread that meets its own question again, and where the answer in flight
//! did not come (the engine failed, or ran out of limits that are smaller than the ones that wait).
//!
//! Who waits for whom is known by threads. An engine that asks in threads of its own and waits for them says so, by
//! [`SharedCache::here`] and [`Here::helped`]; the chain then leads from a thread to all who help it. Of threads of
//! which nothing was said, a circle is not seen and has no end.
//!
//! Cost beside that of the cache: two locks of a small map per question.

use std::collections::hash_map::Entry;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use rustc_hash::{FxHashMap, FxHashSet};

use super::question::{Answer, Asked, Question};
use super::{Answered, Cache, CacheError, Lookup, fresh_answer};
use crate::digest::Digest;
use crate::limits::Limits;
use crate::policy::{Policy, S3Fifo};

/// A cache that threads share, and that an engine may ask while it answers: its lock is held while something is looked
/// up or kept and never while an engine is at work. Who asks what another thread is at work on waits for that answer.
///
/// ```
/// use std::convert::Infallible;
///
/// use cache_core::cache::{Answer, Asked, Cache, CacheConfig, CacheError, Cost, SharedCache};
/// use cache_core::key::KeyBuilder;
/// use cache_core::limits::Limits;
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
/// struct Number(u64);
///
/// impl Answer for Number {
///     fn out_of_limits(&self) -> bool {
///         false
///     }
///     fn agrees_with(&self, fresh: &Self) -> bool {
///         self == fresh
///     }
/// }
///
/// /// The engine needs the two numbers before, and asks for them.
/// fn fibonacci(cache: &SharedCache<Number>, n: u64) -> Result<u64, CacheError<Infallible>> {
///     let key = KeyBuilder::new("fibonacci", 1).content("n", &n).finish();
///     let ask = || {
///         let answer = match n {
///             0 | 1 => n,
///             // The engine does not fail, and the mode is not offline.
///             _ => fibonacci(cache, n - 1).unwrap_or(0) + fibonacci(cache, n - 2).unwrap_or(0),
///         };
///         Ok(Asked { answer: Number(answer), cost: Cost::default() })
///     };
///     Ok(cache.answer(&key, &Limits::unlimited(), ask)?.answer.0)
/// }
///
/// let cache = SharedCache::new(Cache::new(CacheConfig::default()));
/// assert_eq!(fibonacci(&cache, 80)?, 23_416_728_348_467_685);
/// assert_eq!(cache.with(|cache| cache.stats().missed()), 81);
/// # Ok::<(), CacheError<Infallible>>(())
/// ```
pub struct SharedCache<A: Answer, P: Policy = S3Fifo> {
    cache: Mutex<Cache<A, P>>,
    flights: Mutex<Flights>,
    /// Told whenever a question is in flight no more.
    landed: Condvar,
}

/// Who works on what, and who waits for what. Looked up, never listed.
#[derive(Default)]
struct Flights {
    owners: FxHashMap<Digest, ThreadId>,
    waiting: FxHashMap<ThreadId, Digest>,
    /// The threads that each one waits for since they help it; one that does so twice is there twice.
    helpers: FxHashMap<ThreadId, Vec<ThreadId>>,
}

impl Flights {
    /// Whether a thread that waited for a question would wait for itself.
    fn leads_back(&self, question: Digest, thread: ThreadId) -> bool {
        let mut left: Vec<ThreadId> = self.owners.get(&question).copied().into_iter().collect();
        let mut seen = FxHashSet::default();
        while let Some(at) = left.pop() {
            if at == thread {
                return true;
            }
            if seen.insert(at) {
                left.extend(self.waiting.get(&at).and_then(|next| self.owners.get(next)));
                left.extend(self.helpers.get(&at).into_iter().flatten());
            }
        }
        false
    }
}

/// A thread that is asked for something and has it done by others; see [`SharedCache::here`].
pub struct Here<'a, A: Answer, P: Policy> {
    cache: &'a SharedCache<A, P>,
    thread: ThreadId,
}

impl<A: Answer, P: Policy> Here<'_, A, P> {
    /// Does something in a thread that the one of [`SharedCache::here`] waits for.
    pub fn helped<R>(&self, act: impl FnOnce() -> R) -> R {
        let helper = thread::current().id();
        lock(&self.cache.flights).helpers.entry(self.thread).or_default().push(helper);
        let _helping = Helping { here: self, helper };
        act()
    }
}

/// Ends with what is done for another thread, also where that panics.
struct Helping<'a, A: Answer, P: Policy> {
    here: &'a Here<'a, A, P>,
    helper: ThreadId,
}

impl<A: Answer, P: Policy> Drop for Helping<'_, A, P> {
    fn drop(&mut self) {
        let mut flights = lock(&self.here.cache.flights);
        if let Entry::Occupied(mut helpers) = flights.helpers.entry(self.here.thread) {
            if let Some(place) = helpers.get().iter().position(|helper| *helper == self.helper) {
                helpers.get_mut().swap_remove(place);
            }
            if helpers.get().is_empty() {
                helpers.remove();
            }
        }
    }
}

/// A question that this thread works on. Landing it wakes those who wait, also where the engine panics.
struct Flight<'a, A: Answer, P: Policy> {
    cache: &'a SharedCache<A, P>,
    /// Absent where another flight of the question goes on.
    question: Option<Digest>,
}

impl<A: Answer, P: Policy> Drop for Flight<'_, A, P> {
    fn drop(&mut self) {
        if let Some(question) = self.question {
            lock(&self.cache.flights).owners.remove(&question);
            self.cache.landed.notify_all();
        }
    }
}

/// What a panic could leave behind is a cache that knows less.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<A: Answer, P: Policy> SharedCache<A, P> {
    /// Shares a cache.
    #[must_use]
    pub fn new(cache: Cache<A, P>) -> Self {
        Self { cache: Mutex::new(cache), flights: Mutex::default(), landed: Condvar::new() }
    }

    /// [`Cache::answer`], from any thread and from within an engine that this cache has asked.
    ///
    /// # Errors
    /// As [`Cache::answer`].
    pub fn answer<E>(
        &self,
        question: &(impl Question + ?Sized),
        limits: &Limits,
        ask: impl FnOnce() -> Result<Asked<A>, E>,
    ) -> Result<Answered<A>, CacheError<E>> {
        let flight = self.take_off(question.digest());
        let mut looked_up = {
            let mut cache = lock(&self.cache);
            match cache.lookup(question, limits) {
                Lookup::Miss(why) if !cache.mode.asks() => {
                    return Err(CacheError::Offline { question: question.name(), why });
                }
                looked_up => looked_up,
            }
        };
        // Held until the answer is kept. Who meets a question that he is at work on has its lease already.
        let mut taken = None;
        if let Lookup::Miss(why) = looked_up
            && flight.question.is_some()
            && let Some(turn) = { lock(&self.cache).turn(question) }
        {
            let taken = taken.insert(turn.take());
            looked_up = lock(&self.cache).look_again(question, limits, why, taken);
        }
        match looked_up {
            Lookup::Hit { answer, provenance, saved, audit: false } => {
                Ok(Answered { answer, provenance, cost: saved })
            }
            Lookup::Hit { answer, provenance, saved, audit: true } => {
                let stored = Answered { answer, provenance, cost: saved };
                let fresh = ask();
                Ok(lock(&self.cache).settled(question, limits, stored, fresh.ok()))
            }
            Lookup::Miss(why) => {
                let fresh = ask().map_err(CacheError::Engine)?;
                lock(&self.cache).fill(question, limits, &fresh);
                Ok(fresh_answer(fresh, why))
            }
        }
    }

    /// Puts a question in flight; waits while it is in another thread's.
    fn take_off(&self, question: Digest) -> Flight<'_, A, P> {
        let thread = thread::current().id();
        let mut flights = lock(&self.flights);
        loop {
            if let Entry::Vacant(free) = flights.owners.entry(question) {
                free.insert(thread);
                return Flight { cache: self, question: Some(question) };
            }
            if flights.leads_back(question, thread) {
                return Flight { cache: self, question: None };
            }
            flights.waiting.insert(thread, question);
            flights = self.landed.wait(flights).unwrap_or_else(PoisonError::into_inner);
            flights.waiting.remove(&thread);
        }
    }

    /// This thread, for others that ask this cache on its behalf while it waits for them.
    ///
    /// ```
    /// use std::thread;
    /// # use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost, SharedCache};
    /// # use cache_core::key::KeyBuilder;
    /// # use cache_core::limits::Limits;
    /// # #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    /// # struct Size(usize);
    /// # impl Answer for Size {
    /// #     fn out_of_limits(&self) -> bool { false }
    /// #     fn agrees_with(&self, fresh: &Self) -> bool { self == fresh }
    /// # }
    ///
    /// /// `f` calls `g`, which calls `f`; each is asked for in a thread of its own.
    /// fn size(cache: &SharedCache<Size>, function: &str, depth: usize) -> usize {
    ///     let key = KeyBuilder::new("size", 1).content("function", function).finish();
    ///     let other = if function == "f" { "g" } else { "f" };
    ///     let ask = || {
    ///         let here = cache.here();
    ///         let callee = || here.helped(|| size(cache, other, depth + 1));
    ///         let below = match depth {
    ///             0 | 1 => thread::scope(|scope| scope.spawn(callee).join().unwrap_or(0)),
    ///             _ => 0,
    ///         };
    ///         Ok::<_, String>(Asked { answer: Size(below + 1), cost: Cost::default() })
    ///     };
    ///     cache.answer(&key, &Limits::unlimited(), ask).map_or(0, |answered| answered.answer.0)
    /// }
    ///
    /// let cache = SharedCache::new(Cache::new(CacheConfig::default()));
    /// assert_eq!(size(&cache, "f", 0), 3);
    /// ```
    #[must_use]
    pub fn here(&self) -> Here<'_, A, P> {
        Here { cache: self, thread: thread::current().id() }
    }

    /// Does something with the cache itself, while all others wait: what has to do with its history, warnings and
    /// statistics. Must not ask this shared cache.
    pub fn with<R>(&self, act: impl FnOnce(&mut Cache<A, P>) -> R) -> R {
        act(&mut lock(&self.cache))
    }

    /// The cache, when it is no longer shared.
    #[must_use]
    pub fn into_inner(self) -> Cache<A, P> {
        self.cache.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
