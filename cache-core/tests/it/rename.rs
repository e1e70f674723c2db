//! Laws of `cache_core::rename`.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking, in helpers as well")]

mod back;
mod cost;
mod pairwise;
mod paper;
mod sets;
mod shapes;
mod terms;
