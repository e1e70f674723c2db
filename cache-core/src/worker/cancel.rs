//! Cancelling requests from another thread.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A switch that ends the requests that were given it, those under way and those to come. Clones are
/// the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Mutex<State>>);

/// What wakes somebody who waits for an answer.
type Wake = Box<dyn Fn() + Send>;

#[derive(Default)]
struct State {
    cancelled: bool,
    next: u64,
    /// Who waits for an answer now.
    waiting: BTreeMap<u64, Wake>,
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("State")
            .field("cancelled", &self.cancelled)
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

impl Cancel {
    /// A switch that is not thrown.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Throws the switch, for good. Children that are at work for it are killed.
    pub fn cancel(&self) {
        let mut state = self.lock();
        state.cancelled = true;
        state.waiting.values().for_each(|wake| wake());
    }

    /// Whether the switch is thrown.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    /// Calls `wake` when the switch is thrown, at once if it is, until the guard is dropped. It must not use the
    /// switch.
    pub(super) fn watch(&self, wake: impl Fn() + Send + 'static) -> Watch<'_> {
        let mut state = self.lock();
        if state.cancelled {
            wake();
        }
        let number = state.next;
        state.next += 1;
        state.waiting.insert(number, Box::new(wake));
        Watch { cancel: self, number }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the watch when dropped.
pub(super) struct Watch<'a> {
    cancel: &'a Cancel,
    number: u64,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.cancel.lock().waiting.remove(&self.number);
    }
}
