//! Laws of `cache_core::cache`: what each mode takes and leaves, that no failure of a store changes an
//! answer, that limits are judged, and that audits notice an engine or a store that lies.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use cache_core::cache::{
    Answer, Answered, Asked, Cache, CacheConfig, CacheError, Cost, Lookup, Provenance, Question, Remembered,
    Settled,
};
use cache_core::digest::{Confirm, Digest};
use cache_core::key::Checksum;
use cache_core::key::{Change, Key, KeyBuilder, PartKind};
use cache_core::limits::{Limits, MachineId};
use cache_core::mode::Mode;
use cache_core::policy::{Lru, Policy};
use cache_core::stats::MissReason;
use cache_core::store::{Counters, Found, MemoryStore, Store, StoreError, Tiered, Usage, Verified};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

mod ahead;
mod audits;
mod budgets;
mod carried;
mod dropped;
mod faults;
mod history;
mod leases;
mod modes;
mod oracle;
mod room;
mod shared;

/// What the engine needs for the number 0, in bytes.
const MOST_MEMORY: u64 = 6;

/// The engine's verdict on a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Verdict {
    Square(u64),
    OutOfLimits,
}

impl Answer for Verdict {
    fn out_of_limits(&self) -> bool {
        *self == Self::OutOfLimits
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// An engine that squares numbers, needs as much resource as the number and less memory the more it is, and counts
/// how often it is asked.
#[derive(Default)]
struct Engine {
    asked: Cell<u64>,
    lies: Cell<bool>,
}

impl Engine {
    fn run(&self, number: u64, limits: &Limits) -> Asked<Verdict> {
        self.asked.set(self.asked.get() + 1);
        let memory = MOST_MEMORY.saturating_sub(number);
        let answer = if limits.resource.is_some_and(|limit| limit < number)
            || limits.memory_bytes.is_some_and(|limit| limit < memory)
        {
            Verdict::OutOfLimits
        } else {
            Verdict::Square(number * number + u64::from(self.lies.get()))
        };
        Asked { answer, cost: Cost { seconds: 0.5, resource: number } }
    }

    /// How often it was asked since the last call.
    fn asked(&self) -> u64 {
        self.asked.replace(0)
    }
}

fn question(number: u64) -> Key {
    KeyBuilder::new("square", 1).engine("multiplier", "1.0").content("number", &number).finish()
}

fn resource(limit: u64) -> Limits {
    Limits { resource: Some(limit), ..Limits::default() }
}

fn cache(mode: Mode, store: &Arc<dyn Store>) -> Cache<Verdict> {
    Cache::new(CacheConfig::default().mode(mode).store(Arc::clone(store)))
}

fn memory_store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new())
}

type Result<T> = std::result::Result<T, CacheError<String>>;

fn ask<P: Policy>(
    cache: &mut Cache<Verdict, P>,
    engine: &Engine,
    number: u64,
    limits: &Limits,
) -> Result<Answered<Verdict>> {
    cache.answer(&question(number), limits, || Ok(engine.run(number, limits)))
}
