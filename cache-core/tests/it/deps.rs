//! Laws of `cache_core::deps`.
