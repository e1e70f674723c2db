//! Laws of `cache_core::limits`.
