//! Laws of `cache_core::subsume`.
