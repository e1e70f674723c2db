//! Runs Prolog whose assertion checks are cheap enough to stay on.
