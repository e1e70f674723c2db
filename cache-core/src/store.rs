//! Where answers are kept.
