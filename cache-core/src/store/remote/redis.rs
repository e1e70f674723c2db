//! Remote caches in Redis: one value per record, under `reprise:ADDRESS`.
//!
//! Look-ups side by side are one `MGET` for each [`AT_ONCE`] of them. What makes room is the server's business
//! (`maxmemory-policy allkeys-lru`).
//!
//! The client library bounds each read of a connection and not a whole answer, which a server could send byte
//! by byte. So a connection is one of our own (`direct`), on which the library speaks, or, where it is
//! encrypted, the library's, on a thread that nobody waits for longer than the deadline says (`line`). To hand
//! a question over to a thread and back takes as long as a server nearby takes to answer it.

mod direct;
mod line;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use redis::{Client, ConnectionAddr, ConnectionLike, ErrorKind, RedisError, RedisResult};

use super::transport::{Deadline, MAX_RECORD, Transport, TransportError};
use direct::Direct;
use line::Line;

/// How many records are asked for, or sent, in one command.
const AT_ONCE: usize = 128;

/// A server that speaks Redis's protocol.
pub struct Redis {
    client: Client,
    place: String,
    way: Mutex<Option<Way>>,
}

/// An open connection.
enum Way {
    Direct(Direct),
    Line(Line),
}

/// What a command gives: for each key that is asked for, what is kept under it.
type Values = Vec<Option<Vec<u8>>>;

/// A command of ours.
#[derive(Clone)]
enum What {
    Get(Vec<String>),
    Put(Vec<(String, Vec<u8>)>),
}

impl What {
    /// How many records it brings at most.
    fn records(&self) -> usize {
        match self {
            Self::Get(keys) => keys.len(),
            Self::Put(_) => 0,
        }
    }
}

/// Why there are no values.
struct Failure {
    error: TransportError,
    /// Whether the connection ended before an answer came.
    ended: bool,
}

impl Redis {
    /// A server at a URL (`redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, or `rediss://` for an encrypted
    /// connection). Connects to nothing yet.
    ///
    /// # Errors
    /// Where the URL is none of Redis.
    pub fn new(url: &str) -> Result<Self, TransportError> {
        // What encrypts is chosen once for the whole process; who chose before has chosen.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::open(url)
            .map_err(|error| TransportError(format!("this is no URL of a Redis server ({error})")))?;
        Ok(Self { client, place: super::without_password(url), way: Mutex::new(None) })
    }

    fn ask(&self, what: &What, deadline: Deadline) -> Result<Values, TransportError> {
        let within = deadline.next().ok_or_else(TransportError::too_slow)?;
        let mut held = self.way.lock().unwrap_or_else(PoisonError::into_inner);
        // A connection whose answer did not come is dropped: the answer to one request must not be taken for the next
        // one's. One that was kept for long may have ended meanwhile.
        let kept = match held.take().map(|way| way.ask(what, within)) {
            Some(Err(failure)) if failure.ended => None,
            Some(done) => Some(done?),
            None => None,
        };
        let (values, way) = match kept {
            Some(done) => done,
            None => self.open(within)?.ask(what, within)?,
        };
        *held = Some(way);
        Ok(values)
    }

    fn open(&self, within: Duration) -> Result<Way, TransportError> {
        let info = self.client.get_connection_info();
        match info.addr() {
            ConnectionAddr::Tcp(host, port) => {
                Direct::open(host, *port, info.redis_settings(), within).map(Way::Direct)
            }
            #[cfg(unix)]
            ConnectionAddr::Unix(path) => {
                Direct::open_unix(path, info.redis_settings(), within).map(Way::Direct)
            }
            _ => Ok(Way::Line(Line::open(self.client.clone()))),
        }
    }
}

impl Way {
    /// The values that a command gives, and the connection, where it can be used again.
    fn ask(self, what: &What, within: Duration) -> Result<(Values, Self), Failure> {
        Ok(match self {
            Self::Direct(mut direct) => {
                let values = direct.within(within, what.records(), |direct| serve(direct, what))?;
                (values, Self::Direct(direct))
            }
            Self::Line(line) => (line.ask(what.clone(), within)?, Self::Line(line)),
        })
    }
}

impl Transport for Redis {
    fn place(&self) -> &str {
        &self.place
    }

    fn get(&self, addresses: &[String], deadline: Deadline) -> Vec<Result<Option<Vec<u8>>, TransportError>> {
        let mut results = Vec::with_capacity(addresses.len());
        for some in addresses.chunks(AT_ONCE) {
            match self.ask(&What::Get(some.iter().map(|address| key(address)).collect()), deadline) {
                Ok(values) if values.len() == some.len() => results.extend(values.into_iter().map(fits)),
                Ok(_) => {
                    let error = TransportError("it answers something else than what it was asked".to_owned());
                    results.resize(addresses.len(), Err(error));
                    break;
                }
                Err(error) => {
                    results.resize(addresses.len(), Err(error));
                    break;
                }
            }
        }
        results
    }

    fn put(&self, records: &[(String, Vec<u8>)], deadline: Deadline) -> Result<(), TransportError> {
        for some in records.chunks(AT_ONCE) {
            let some = some.iter().map(|(address, record)| (key(address), record.clone())).collect();
            self.ask(&What::Put(some), deadline)?;
        }
        Ok(())
    }
}

fn serve(connection: &mut dyn ConnectionLike, what: &What) -> RedisResult<Values> {
    match what {
        What::Get(keys) => redis::cmd("MGET").arg(keys).query(connection),
        What::Put(records) => {
            let mut pipeline = redis::pipe();
            for (key, record) in records {
                pipeline.cmd("SET").arg(key).arg(record).ignore();
            }
            pipeline.query::<()>(connection).map(|()| Vec::new())
        }
    }
}

fn key(address: &str) -> String {
    format!("reprise:{address}")
}

fn fits(value: Option<Vec<u8>>) -> Result<Option<Vec<u8>>, TransportError> {
    match value {
        Some(value) if value.len() > MAX_RECORD => {
            Err(TransportError(format!("it sent more than {MAX_RECORD} bytes")))
        }
        value => Ok(value),
    }
}

impl From<RedisError> for Failure {
    fn from(error: RedisError) -> Self {
        Self { ended: error.is_connection_dropped(), error: explained(&error) }
    }
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        Self { ended: false, error }
    }
}

impl From<Failure> for TransportError {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

/// An error of the client library in words. No conversion, since that would show its types to whoever uses this crate.
fn explained(error: &RedisError) -> TransportError {
    if error.is_timeout() {
        return TransportError::too_slow();
    }
    TransportError(match error.kind() {
        ErrorKind::Io => format!("it cannot be reached ({error})"),
        ErrorKind::AuthenticationFailed => format!("it wants other credentials ({error})"),
        _ => format!("it refuses what it is asked ({error})"),
    })
}
