//! Normalizers: questions up to renaming.
