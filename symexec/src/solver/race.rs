//! One question for several workers: the first answer counts.
//!
//! Starting many solvers for a question that takes no time would cost more than it saves, so the first one has a
//! head start. The others join when it ends, or when the first one gave up. Who is beaten is ended, and started anew
//! by its next question.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use cache_core::worker::{Cancel, Supervisor, WorkerError};

/// How long the first worker is alone with a question.
const HEAD_START: Duration = Duration::from_millis(200);

/// How often it is asked whether to go on.
const TICK: Duration = Duration::from_millis(50);

/// Asks all workers, the first one earlier than the others, and gives the first answer that is one for `decided`; if
/// there is none, what the first worker said. As long as `goes_on` says so.
///
/// # Errors
/// Those of the first worker, where no worker had a decided answer.
pub(super) fn ask(
    workers: &mut [Supervisor],
    goes_on: &dyn Fn() -> bool,
    request: &[u8],
    deadline: Option<Duration>,
    decided: &dyn Fn(&[u8]) -> bool,
) -> Result<Vec<u8>, WorkerError> {
    let cancel = Cancel::new();
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let mut waiting = workers.iter_mut().enumerate();
        let mut running = 0;
        let mut start = |count: usize| {
            for (place, worker) in waiting.by_ref().take(count) {
                running += 1;
                let (cancel, sender) = (cancel.clone(), sender.clone());
                scope.spawn(move || {
                    let answer = worker.ask_unless(&cancel, request, deadline);
                    // Nobody listens any more where another one was first.
                    drop(sender.send((place, answer)));
                });
            }
            running
        };
        let mut started = start(1);
        let (mut ended, mut first) = (0, Err(WorkerError::Cancelled));
        let mut wait = HEAD_START;
        while ended < started {
            match receiver.recv_timeout(wait) {
                Ok((_, Ok(answer))) if decided(&answer) => {
                    cancel.cancel();
                    return Ok(answer);
                }
                Ok((place, answer)) => {
                    ended += 1;
                    if place == 0 {
                        first = answer;
                    }
                }
                Err(RecvTimeoutError::Timeout) if goes_on() => {}
                Err(_) => {
                    cancel.cancel();
                    return Err(WorkerError::Cancelled);
                }
            }
            started = start(usize::MAX);
            wait = TICK;
        }
        first
    })
}
