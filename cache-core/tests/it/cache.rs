//! Laws of `cache_core::cache`.
