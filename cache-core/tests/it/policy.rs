//! Laws of `cache_core::policy`.
