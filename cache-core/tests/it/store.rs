//! Laws of `cache_core::store`, and a file per kind of store fault.
