//! Laws of `cache_core::rename`.
