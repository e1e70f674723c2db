//! Admission and eviction.
