//! Dependency checksums and change classes.
