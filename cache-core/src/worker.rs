//! Supervision of a child process that computes answers.
