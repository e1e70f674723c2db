//! What keeps conditions from being written in the languages of KLEE and of CVC.

/// Why a condition cannot be written in such a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("queries of KLEE and of CVC have no floating-point arithmetic")]
pub struct NoFloats;
