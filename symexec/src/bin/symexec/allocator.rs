//! The allocator of the program, and giving back what it keeps.
//!
//! Pages that were freed go back to the system some ten milliseconds later, in which an engine at work takes megabytes
//! more. Where memory is short it has to know what is in use, and not how fast the machine is.

/// A path forks into many small shared pieces: a fifth of a branching run would be the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// The function is of the allocator that is linked above, takes a `bool` as C does, and may be called at any time by any
// thread: it looks at the calling thread's own pages and at pages that no thread has any more, and changes nothing that
// is in use. So calling it is safe, and this declaration is what has to be believed.
#[expect(unsafe_code, reason = "the safe bindings have no function that gives memory back")]
unsafe extern "C" {
    safe fn mi_collect(force: bool);
}

/// Gives back to the system what was freed.
pub(crate) fn give_back() {
    mi_collect(true);
}
