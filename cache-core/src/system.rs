//! What differs from system to system: who owns a file, reading at a place, groups of processes, limits of memory.
//!
//! On Unix all of it is there. Elsewhere a plain version does with the standard library what can be done with it:
//! files have no owners to tell apart (so nothing is refused because of them), a worker that is ended takes what it
//! started with it only as far as its system does that, and asking for a limit on a worker's memory is an error. The
//! configuration `cache_core_plain` chooses the plain version on Unix as well, so that it can be tested there.

#[cfg(all(unix, not(cache_core_plain)))]
mod unix;
#[cfg(all(unix, not(cache_core_plain)))]
pub(crate) use unix::*;

#[cfg(not(all(unix, not(cache_core_plain))))]
mod plain;
#[cfg(not(all(unix, not(cache_core_plain))))]
pub(crate) use plain::*;
