//! What every layer needs: typed ids, bit vectors, and the edge to the outside world.

pub mod bits;
pub mod float;
pub mod id;
#[cfg(feature = "plant")]
pub mod plant;
pub mod system;
