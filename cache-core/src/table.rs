//! Tables for an inner loop.
