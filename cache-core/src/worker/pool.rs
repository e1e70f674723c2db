//! Several children side by side.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::cancel::Cancel;
use super::supervisor::{Supervisor, WorkerConfig, WorkerError};

/// One request to a [`Pool`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What is sent.
    pub bytes: Vec<u8>,
    /// How long the child may take.
    pub deadline: Option<Duration>,
}

/// Children of one kind, each started when it is first needed and kept between runs.
#[derive(Debug)]
pub struct Pool {
    workers: Vec<Supervisor>,
}

impl Pool {
    /// A pool of `size` children, none of which is started yet.
    #[must_use]
    pub fn new(config: &WorkerConfig, size: NonZeroUsize) -> Self {
        Self { workers: (0..size.get()).map(|_| Supervisor::new(config.clone())).collect() }
    }

    /// Asks all requests, begun in their order, and calls `each` on this thread with each request's
    /// index and result as they arrive: exactly once for every request. The order of arrival depends on
    /// timing, so whoever needs an order sorts by index.
    ///
    /// When `cancel` is thrown (from `each`, say), what is not answered yet ends as
    /// [`WorkerError::Cancelled`].
    pub fn run(
        &mut self,
        requests: &[Request],
        cancel: &Cancel,
        mut each: impl FnMut(usize, Result<Vec<u8>, WorkerError>),
    ) {
        let next = AtomicUsize::new(0);
        let (results, arriving) = mpsc::channel();
        thread::scope(|scope| {
            for worker in self.workers.iter_mut().take(requests.len()) {
                let (next, results) = (&next, results.clone());
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(Request { bytes, deadline }) = requests.get(index) else { break };
                        let result = worker.ask_unless(cancel, bytes, *deadline);
                        if results.send((index, result)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(results);
            // Owned here, so that a panic of `each` disconnects the threads and does not wait for all.
            let arriving = arriving;
            for (index, result) in &arriving {
                each(index, result);
            }
        });
    }

    /// Ends all children. The next run starts others.
    pub fn stop(&mut self) {
        self.workers.iter_mut().for_each(Supervisor::stop);
    }

    /// How often children were started so far.
    #[must_use]
    pub fn starts(&self) -> u64 {
        self.workers.iter().map(Supervisor::starts).sum()
    }
}
