//! Leases: who is at work on an answer, so that other processes wait for it instead of computing it as well.

use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::{Store, StoreError};
use crate::key::Checksum;

/// What a store says to someone who wants to compute what is kept under an id.
#[derive(Debug)]
#[non_exhaustive]
pub enum Claim {
    /// Nobody else is at it, as far as this store knows.
    Held(Lease),
    /// Someone else is. Ask again later, and do not wait for ever: a lease ends with its holder, but a holder may hang.
    Taken,
    /// This store knows nothing of leases.
    Unsupported,
}

/// The right to compute something, until it is dropped or the process ends. It is a courtesy: answers are right
/// without it, and who does not ask for it is not held up.
pub struct Lease {
    /// Dropping it gives the lease up.
    _held: Box<dyn Send>,
}

impl Lease {
    /// A lease that is given up by dropping `held`.
    #[must_use]
    pub fn new(held: impl Send + 'static) -> Self {
        Self { _held: Box::new(held) }
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease").finish_non_exhaustive()
    }
}

/// A store is asked again after this long at first, and after twice as long each time, up to the second.
const AGAIN: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(16));

/// What is to be claimed, and how long to wait for it at most.
pub(crate) struct Turn {
    store: Arc<dyn Store>,
    id: Checksum,
    most: Duration,
}

/// How a turn ended. Dropping it gives the lease up.
pub(crate) enum Taken {
    /// With the lease.
    Held { _lease: Lease },
    /// Someone else has the lease and does not give it up.
    Busy,
    /// The store knows nothing of leases.
    Unsupported,
}

impl Taken {
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Busy)
    }
}

impl Turn {
    pub(crate) fn new(store: Arc<dyn Store>, id: Checksum, most: Duration) -> Self {
        Self { store, id, most }
    }

    /// Waits until nobody else has the lease, but not beyond the bound.
    pub(crate) fn take(self) -> Result<Taken, StoreError> {
        let (mut step, longest) = AGAIN;
        let mut left = self.most;
        loop {
            match self.store.claim(&self.id)? {
                Claim::Held(lease) => return Ok(Taken::Held { _lease: lease }),
                Claim::Unsupported => return Ok(Taken::Unsupported),
                Claim::Taken if left.is_zero() => return Ok(Taken::Busy),
                Claim::Taken => {
                    // Another process tells nobody when it is done. Waking early does no harm.
                    let pause = step.min(left);
                    thread::park_timeout(pause);
                    left -= pause;
                    step = (2 * step).min(longest);
                }
            }
        }
    }
}
