//! Worker programs: an engine in a child process, so that a crash, a runaway or a memory blow-up of the
//! engine costs one answer and not the run.
//!
//! The parent drives a [`Supervisor`] per child, or a [`Pool`] of them; the child's `main` calls
//! [`serve()`]. Requests and answers are bytes, which this module does not look into, in length-prefixed
//! frames over the child's standard input and output:
//!
//! ```text
//! parent                                          child
//! Supervisor::ask ── writer thread ── stdin ────> reader thread ── handler
//!        ^                                                           │
//!        └────────── reader thread <── stdout ───────────────────────┘
//!                    tail thread   <── stderr (the last few KiB, for messages)
//! ```
//!
//! - The child is *started on the first ask*, and again after a failure: a run that is answered from
//!   the cache pays nothing. The first frames are a greeting: the parent names the protocol's version
//!   and the memory limit, which the child applies to itself before it serves.
//! - *Deadline*: the parent waits so long and then kills the child. Neither a child that does not read
//!   nor one that does not answer can block it, because threads of its own read and write the pipes.
//! - *Orphans*: the child reads its standard input in a thread of its own and dies when it closes, even
//!   in the middle of a request. A parent that is killed therefore leaves nothing behind.
//! - *Garbage* on standard output (a library that prints there, say) is an error: a frame begins with a
//!   magic number, and its length is bounded.
//!
//! What a request costs beside the engine's work: two copies of its bytes and two switches of threads
//! on each side.

mod cancel;
mod frame;
mod pool;
mod serve;
mod supervisor;

pub use cancel::Cancel;
pub use pool::{Pool, Request};
pub use serve::{end_at_once, serve, serve_on};
pub use supervisor::{Supervisor, WorkerConfig, WorkerError};
