//! Asking the engine again on a hit.
