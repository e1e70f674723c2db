//! Laws of `cache_core::key`.
