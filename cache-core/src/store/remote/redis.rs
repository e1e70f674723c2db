//! Remote caches in Redis: one value per record, under `reprise:ADDRESS`.
//!
//! Look-ups side by side are one `MGET` for each [`AT_ONCE`] of them. What makes room is the server's business
//! (`maxmemory-policy allkeys-lru`).
//!
//! The client bounds each read of a connection and not a whole answer, and looks names up without a bound. So
//! the connection belongs to a thread of its own, and who asks waits for its answer no longer than the deadline says;
//! after that nothing is asked of it any more.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use redis::{Client, Connection, ErrorKind, RedisError, RedisResult};

use super::transport::{Deadline, MAX_RECORD, Transport, TransportError};

/// How many records are asked for, or sent, in one command.
const AT_ONCE: usize = 128;

/// A server that speaks Redis's protocol.
pub struct Redis {
    client: Client,
    place: String,
    line: Mutex<Option<Line>>,
}

/// A way to the thread that has the connection.
struct Line {
    requests: Sender<Request>,
    answers: Receiver<RedisResult<Vec<Option<Vec<u8>>>>>,
}

struct Request {
    within: Duration,
    what: What,
}

enum What {
    Get(Vec<String>),
    Put(Vec<(String, Vec<u8>)>),
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
        Ok(Self { client, place: super::without_password(url), line: Mutex::new(None) })
    }

    fn ask(&self, what: What, deadline: Deadline) -> Result<Vec<Option<Vec<u8>>>, TransportError> {
        let within = deadline.next().ok_or_else(TransportError::too_slow)?;
        let mut held = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let line = held.take().unwrap_or_else(|| Line::open(self.client.clone()));
        let gone = || TransportError("its connection broke down".to_owned());
        line.requests.send(Request { within, what }).map_err(|_| gone())?;
        // A line whose answer did not come is dropped: the answer to one request must not be taken for the next one's.
        match line.answers.recv_timeout(within) {
            Ok(Ok(values)) => {
                *held = Some(line);
                Ok(values)
            }
            Ok(Err(error)) => Err(explained(&error)),
            Err(RecvTimeoutError::Timeout) => Err(TransportError::too_slow()),
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
        }
    }
}

impl Transport for Redis {
    fn place(&self) -> &str {
        &self.place
    }

    fn get(&self, addresses: &[String], deadline: Deadline) -> Vec<Result<Option<Vec<u8>>, TransportError>> {
        let mut results = Vec::with_capacity(addresses.len());
        for some in addresses.chunks(AT_ONCE) {
            match self.ask(What::Get(some.iter().map(|address| key(address)).collect()), deadline) {
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
            self.ask(What::Put(some), deadline)?;
        }
        Ok(())
    }
}

impl Line {
    /// Begins a thread, which connects when it is first asked, and ends when nobody asks any more.
    fn open(client: Client) -> Self {
        let (requests, asked) = channel::<Request>();
        let (answer, answers) = channel();
        std::thread::spawn(move || {
            let mut connection = None;
            while let Ok(request) = asked.recv() {
                if answer.send(serve(&client, &mut connection, &request)).is_err() {
                    return;
                }
            }
        });
        Self { requests, answers }
    }
}

fn serve(
    client: &Client,
    kept: &mut Option<Connection>,
    request: &Request,
) -> RedisResult<Vec<Option<Vec<u8>>>> {
    let mut connection = match kept.take() {
        Some(connection) => connection,
        None => client.get_connection_with_timeout(request.within)?,
    };
    connection.set_read_timeout(Some(request.within))?;
    connection.set_write_timeout(Some(request.within))?;
    let values = match &request.what {
        What::Get(keys) => redis::cmd("MGET").arg(keys).query(&mut connection)?,
        What::Put(records) => {
            let mut pipeline = redis::pipe();
            for (key, record) in records {
                pipeline.cmd("SET").arg(key).arg(record).ignore();
            }
            pipeline.query::<()>(&mut connection)?;
            Vec::new()
        }
    };
    *kept = Some(connection);
    Ok(values)
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
