//! Questions, answers, and the cache that puts everything together.
