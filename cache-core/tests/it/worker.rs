//! Laws of `cache_core::worker`.
