//! Exceptions and signals: their terms, their handlers, where they came from.

pub(super) mod error;
pub(super) mod exception;
pub(super) mod signals;
pub(super) mod thrown;
