//! What every stage shares: typed ids and arenas, interned names, positions in source text,
//! diagnostics as data, and the one door to the outside world.
//!
//! Trees of user size live in [`arena::Arena`]s under typed `u32` ids, so that neither a pass nor a
//! drop recurses over them.

pub mod arena;
pub mod diagnostic;
pub mod engine;
pub mod names;
#[cfg(feature = "plant")]
pub mod plant;
pub mod source;
pub mod system;
