//! Cancelling requests from another thread.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::supervisor::Event;

/// A switch that ends the requests that were given it, those under way and those to come. Clones are
/// the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    cancelled: bool,
    next: u64,
    /// Who waits for an answer now.
    waiting: BTreeMap<u64, Sender<Event>>,
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
        for waiting in state.waiting.values() {
            // Whoever waited has its answer already if this fails.
            let _ = waiting.send(Event::Woken);
        }
    }

    /// Whether the switch is thrown.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    /// Has `events` told when the switch is thrown, until the guard is dropped.
    pub(super) fn watch(&self, events: Sender<Event>) -> Watch<'_> {
        let mut state = self.lock();
        if state.cancelled {
            let _ = events.send(Event::Woken);
        }
        let number = state.next;
        state.next += 1;
        state.waiting.insert(number, events);
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
