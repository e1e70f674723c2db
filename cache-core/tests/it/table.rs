//! Laws of `cache_core::table`.
