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
//! Both sides, in one program that starts itself; a hang costs its deadline once, because it is kept as an answer
//! that ran out of the request's limits:
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost};
//! use cache_core::key::KeyBuilder;
//! use cache_core::limits::{Limits, MachineId};
//! use cache_core::worker::{Supervisor, WorkerConfig, WorkerError, serve};
//! # use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
//! enum Verdict {
//!     Said(String),
//!     OutOfLimits,
//! }
//!
//! impl Answer for Verdict {
//!     fn out_of_limits(&self) -> bool {
//!         *self == Self::OutOfLimits
//!     }
//!     fn agrees_with(&self, fresh: &Self) -> bool {
//!         self == fresh
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     if std::env::args().nth(1).as_deref() == Some("worker") {
//!         // The child: the engine, which may crash or hang.
//!         return Ok(serve(|request| request.to_ascii_uppercase())?);
//!     }
//!     // The parent.
//!     let mut config = WorkerConfig::new(std::env::current_exe()?);
//!     config.arguments = vec!["worker".into()];
//!     let mut worker = Supervisor::new(config);
//!     let mut cache: Cache<Verdict> = Cache::new(CacheConfig::default());
//!     let (question, deadline) = ("x < 3", Duration::from_millis(400));
//!     let limits = Limits {
//!         wall_ms: Some(400),
//!         // Where the time was spent: something that names this machine and no other.
//!         machine: Some(MachineId("build-7".to_owned())),
//!         ..Limits::default()
//!     };
//!     let key = KeyBuilder::new("upper case", 1).engine("ascii", "1").content("text", question).finish();
//!     let answered = cache.answer(&key, &limits, || {
//!         let answer = match worker.ask(question.as_bytes(), Some(deadline)) {
//!             Ok(said) => Verdict::Said(String::from_utf8_lossy(&said).into_owned()),
//!             Err(WorkerError::Deadline { .. }) => Verdict::OutOfLimits,
//!             // Whatever else went wrong is no answer, and is not kept.
//!             Err(error) => return Err(error),
//!         };
//!         Ok(Asked { answer, cost: Cost::default() })
//!     })?;
//!     println!("{:?}", answered.answer);
//!     cache.finish();
//!     Ok(())
//! }
//! ```
//!
//! - The child is *started on the first ask*, and again after a failure: a run that is answered from
//!   the cache pays nothing. The first frames are a greeting: the parent names the protocol's version
//!   and the memory limit, which the child applies to itself before it serves.
//! - *Deadline*: the parent waits so long and then kills the child. Neither a child that does not read
//!   nor one that does not answer can block it, because threads of its own read and write the pipes.
//! - *Children of the child*: it leads a process group of its own, which ends with it, whoever ends it.
//! - *Orphans*: the child reads its standard input in a thread of its own and dies with its group when it closes,
//!   in the middle of a request or without one. A parent that is killed therefore leaves nothing behind.
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
pub use serve::serve;
#[cfg(feature = "plant")]
pub use serve::{Orphaned, serve_on};
pub use supervisor::{Supervisor, WorkerConfig, WorkerError};
