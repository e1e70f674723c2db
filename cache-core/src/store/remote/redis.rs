//! Remote caches in Redis: one value per record, under `reprise:ADDRESS`.
//!
//! Look-ups side by side are one `MGET` for each [`AT_ONCE`] of them. What makes room is the server's business
//! (`maxmemory-policy allkeys-lru`).
//!
//! The client library bounds each read of a connection and not a whole answer, which a server could send byte
//! by byte, and without end. So connections are our own (`connection`), over streams that end with a deadline and
//! with the room that an answer may take (`stream`); the library writes the commands and reads the answers.

mod connection;
mod stream;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis::{
    ConnectionAddr, ConnectionInfo, ConnectionLike, ErrorKind, IntoConnectionInfo, RedisError, RedisResult,
};
use rustls::ClientConfig;
use rustls_platform_verifier::ConfigVerifierExt;

use super::transport::{Deadline, MAX_RECORD, Transport, TransportError};
use connection::Connection;
use stream::Timed;

/// How many records are asked for, or sent, in one command.
const AT_ONCE: usize = 128;

/// A server that speaks Redis's protocol.
pub struct Redis {
    server: ConnectionInfo,
    /// Where the connection is encrypted, whom it trusts; known once the first one was opened.
    encryption: Option<Encryption>,
    place: String,
    kept: Mutex<Option<Connection>>,
}

/// How connections are encrypted.
#[derive(Default)]
struct Encryption(Mutex<Option<Arc<ClientConfig>>>);

/// What a command gives: for each key that is asked for, what is kept under it.
type Values = Vec<Option<Vec<u8>>>;

/// A command of ours.
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
        let no_url = |detail: &str| TransportError(format!("this is no URL of a Redis server ({detail})"));
        let mut parsed = redis::parse_redis_url(url).ok_or_else(|| no_url("it does not parse"))?;
        let encrypted = parsed.scheme() == "rediss";
        if encrypted {
            if parsed.fragment().is_some() {
                return Err(no_url(
                    "a server is trusted by its certificate and not by `#...`: SSL_CERT_FILE",
                ));
            }
            // Encryption is laid over the stream here.
            parsed.set_scheme("redis").map_err(|()| no_url("it does not parse"))?;
        }
        let server = parsed.into_connection_info().map_err(|error| no_url(&error.to_string()))?;
        let encryption = encrypted.then(Encryption::default);
        Ok(Self { server, encryption, place: super::without_password(url), kept: Mutex::new(None) })
    }

    fn ask(&self, what: &What, deadline: Deadline) -> Result<Values, TransportError> {
        let within = deadline.next().ok_or_else(TransportError::too_slow)?;
        let mut held = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // A connection whose answer did not come is dropped: the answer to one request must not be taken for the next
        // one's. One that was kept for long may have ended meanwhile.
        let kept = match held.take().map(|kept| kept.ask(what, within)) {
            Some(Err(failure)) if failure.ended => None,
            Some(done) => Some(done?),
            None => None,
        };
        let (values, kept) = match kept {
            Some(done) => done,
            None => self.open(within)?.ask(what, within)?,
        };
        *held = Some(kept);
        Ok(values)
    }

    fn open(&self, within: Duration) -> Result<Connection, TransportError> {
        let (settings, end) = (self.server.redis_settings(), Instant::now() + within);
        match self.server.addr() {
            ConnectionAddr::Tcp(host, port) => {
                let stream = Timed::connect(host, *port, end)?;
                match &self.encryption {
                    None => Connection::over(stream, settings),
                    Some(encryption) => {
                        Connection::over(stream.encrypted(host, encryption.settings()?)?, settings)
                    }
                }
            }
            #[cfg(unix)]
            ConnectionAddr::Unix(path) => Connection::over(Timed::connect_unix(path, end)?, settings),
            _ => Err(TransportError("this way to reach a server is not known here".to_owned())),
        }
    }
}

impl Encryption {
    /// Whom a connection trusts: the authorities that the system trusts, which are read once.
    fn settings(&self) -> Result<Arc<ClientConfig>, TransportError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        // What encrypts is chosen once for the whole process; who chose before has chosen.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let config = ClientConfig::with_platform_verifier()
            .map_err(|error| TransportError(format!("the system's authorities cannot be read ({error})")))?;
        Ok(Arc::clone(known.insert(Arc::new(config))))
    }
}

impl Connection {
    /// The values that a command gives, and the connection, where it can be used again.
    fn ask(mut self, what: &What, within: Duration) -> Result<(Values, Self), Failure> {
        let values = self.within(within, what.records(), |connection| serve(connection, what))?;
        Ok((values, self))
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
