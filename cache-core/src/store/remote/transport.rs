//! How records reach a server and come back: what the kinds of servers have in common.

use std::time::{Duration, Instant};

/// No record is sent or fetched that is longer than this many bytes.
pub const MAX_RECORD: usize = 8 << 20;

/// How long a transport may take.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// For everything together.
    pub end: Instant,
    /// For each request.
    pub request: Duration,
}

impl Deadline {
    /// What is left for the next request; nothing if nothing is.
    #[must_use]
    pub fn next(&self) -> Option<Duration> {
        let left = self.end.saturating_duration_since(Instant::now());
        (!left.is_zero()).then(|| left.min(self.request))
    }
}

/// Why a server did not do as it was asked: a clause for users.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TransportError(pub String);

impl TransportError {
    /// No answer within the deadline.
    #[cfg(any(feature = "http", feature = "redis"))]
    pub(crate) fn too_slow() -> Self {
        Self("it does not answer in time".to_owned())
    }
}

/// A way to a server that keeps records under addresses of 64 hexadecimal digits.
///
/// Implementations keep to the deadline whatever the server does, and believe nothing: what they give is what the
/// server sent.
pub trait Transport: Send + Sync {
    /// The server's place for messages, without passwords.
    fn place(&self) -> &str;

    /// What the server has under each address, side by side where there are several. After a failure nothing new is
    /// asked, and what was not asked fails in the same way.
    fn get(&self, addresses: &[String], deadline: Deadline) -> Vec<Result<Option<Vec<u8>>, TransportError>>;

    /// Keeps each record under its address, side by side where there are several.
    ///
    /// # Errors
    /// The first failure, after which nothing new is sent.
    fn put(&self, records: &[(String, Vec<u8>)], deadline: Deadline) -> Result<(), TransportError>;

    /// Whether asking takes time.
    fn is_far(&self) -> bool {
        true
    }
}
