//! The child's side.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::frame::{self, FrameError, Greeting};
use crate::system::processes;

/// The longest request that a child takes; the parent's own bound is what users meet.
const LONGEST_REQUEST: usize = u32::MAX as usize;

/// Serves requests from standard input, one at a time, until it closes; answers go to standard output,
/// which nothing else may write to. Does not return if standard input closes in the middle of a
/// request: then nobody waits for the answer, and the process ends at once without running destructors. Nor does it
/// where the process leads a group, as the children of a [`Supervisor`](super::Supervisor) do: whatever the engine has
/// started (a solver of its own, say) works for nobody either, and the whole group ends.
///
/// ```no_run
/// fn main() -> std::io::Result<()> {
///     cache_core::worker::serve(|request| request.iter().rev().copied().collect())
/// }
/// ```
///
/// # Errors
/// If the first frame is no greeting, a frame is torn, or a pipe fails otherwise.
pub fn serve(handler: impl FnMut(&[u8]) -> Vec<u8>) -> io::Result<()> {
    serve_on(io::stdin(), io::stdout(), Orphaned::end, handler)
}

/// [`serve`] on other streams. `orphaned` is called, from either thread, when the input of a process that was greeted
/// has ended: at once if a request is at work or would be begun, and behind the last one, also where its answer cannot
/// be written any more. If it returns, the requests that were read are served.
///
/// # Errors
/// As for [`serve`].
#[cfg_attr(
    not(feature = "plant"),
    expect(unreachable_pub, reason = "public where tests serve on streams of their own")
)]
pub fn serve_on(
    mut input: impl Read + Send + 'static,
    mut output: impl Write,
    orphaned: impl Fn(Orphaned) + Copy + Send + 'static,
    mut handler: impl FnMut(&[u8]) -> Vec<u8>,
) -> io::Result<()> {
    let greeting = match frame::read(&mut input, LONGEST_REQUEST) {
        Ok(bytes) => Greeting::from_bytes(&bytes),
        // The parent changed its mind.
        Err(FrameError::End) => return Ok(()),
        Err(_) => None,
    };
    let Some(greeting) = greeting else {
        let message = "expected a worker's first frame: this program is started by another one";
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    };

    let state = Arc::new(Mutex::new(State::default()));
    let (requests, to_serve) = mpsc::channel();
    let reading = Arc::clone(&state);
    // The thread is there before the memory limit, which it must not fail for.
    thread::Builder::new().name("worker-input".to_owned()).stack_size(128 * 1024).spawn(move || {
        let end = loop {
            match frame::read(&mut input, LONGEST_REQUEST) {
                Ok(request) => {
                    if requests.send(request).is_err() {
                        return;
                    }
                }
                Err(end) => break end,
            }
        };
        let mut state = lock(&reading);
        state.ended = true;
        state.torn = !matches!(end, FrameError::End);
        let busy = state.busy;
        drop(state);
        if busy {
            orphaned(Orphaned::AtWork);
        }
    })?;

    let limited = greeting.memory_bytes.map_or(Ok(()), limit_memory);
    let failed = limited.is_err();
    frame::write(&mut output, &frame::ready(limited))?;
    if failed {
        return Ok(());
    }
    let served = serve_requests(&to_serve, &state, &mut output, orphaned, &mut handler);
    // Behind a failure as well: what was started for an answer that nobody reads works for nobody.
    orphaned(Orphaned::Idle);
    served
}

/// Handles the requests of a child that is ready, until its input has ended.
fn serve_requests(
    requests: &mpsc::Receiver<Vec<u8>>,
    state: &Mutex<State>,
    output: &mut impl Write,
    orphaned: impl Fn(Orphaned),
    handler: &mut impl FnMut(&[u8]) -> Vec<u8>,
) -> io::Result<()> {
    while let Ok(request) = requests.recv() {
        // The reading thread sets `ended` under the same lock, so one of the two sees the other.
        let orphan = {
            let mut state = lock(state);
            state.busy = true;
            state.ended
        };
        if orphan {
            orphaned(Orphaned::AtWork);
        }
        let answer = handler(&request);
        frame::write(output, &answer)?;
        lock(state).busy = false;
    }
    if lock(state).torn {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a request was torn"));
    }
    Ok(())
}

#[derive(Default)]
struct State {
    /// A request is being handled.
    busy: bool,
    /// The input has ended.
    ended: bool,
    /// It ended otherwise than between two frames.
    torn: bool,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn limit_memory(bytes: u64) -> Result<(), String> {
    processes::limit_memory(bytes)
        .map_err(|error| format!("it could not limit its memory to {bytes} bytes: {error}"))
}

/// What a child is doing when nobody is there any more for whom it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "plant"),
    expect(unreachable_pub, reason = "public where tests serve on streams of their own")
)]
pub enum Orphaned {
    /// A request is being handled, or would be.
    AtWork,
    /// Nothing.
    Idle,
}

impl Orphaned {
    /// What [`serve`] does then. A process that leads a group, as the children of a
    /// [`Supervisor`](super::Supervisor) do, ends with the whole group: what the engine has started works for nobody
    /// either. Another one ends at once if it is at work: the destructors of an engine that is at work in another
    /// thread do not run (they may crash or wait for it), and no core file is left.
    #[cfg_attr(
        not(feature = "plant"),
        expect(unreachable_pub, reason = "public where tests serve on streams of their own")
    )]
    pub fn end(self) {
        processes::end_own_group();
        if self == Self::AtWork {
            std::process::abort();
        }
    }
}
