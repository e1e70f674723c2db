//! A connection of the client library, on a thread of its own.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use redis::{Client, Connection, RedisResult};

use super::super::transport::TransportError;
use super::{Failure, Values, What, serve};

/// A way to the thread that has the connection.
pub(super) struct Line {
    requests: Sender<Request>,
    answers: Receiver<RedisResult<Values>>,
}

struct Request {
    within: Duration,
    what: What,
}

impl Line {
    /// Begins a thread, which connects when it is first asked, and ends when nobody asks any more.
    pub(super) fn open(client: Client) -> Self {
        let (requests, asked) = channel::<Request>();
        let (answer, answers) = channel();
        std::thread::spawn(move || {
            let mut connection = None;
            while let Ok(request) = asked.recv() {
                if answer.send(ask(&client, &mut connection, &request)).is_err() {
                    return;
                }
            }
        });
        Self { requests, answers }
    }

    /// The values that a command gives. After an error the line must be dropped: an answer may still come.
    pub(super) fn ask(&self, what: What, within: Duration) -> Result<Values, Failure> {
        let gone = || TransportError("its connection broke down".to_owned());
        self.requests.send(Request { within, what }).map_err(|_| gone())?;
        match self.answers.recv_timeout(within) {
            Ok(values) => Ok(values?),
            Err(RecvTimeoutError::Timeout) => Err(TransportError::too_slow().into()),
            Err(RecvTimeoutError::Disconnected) => Err(gone().into()),
        }
    }
}

fn ask(client: &Client, kept: &mut Option<Connection>, request: &Request) -> RedisResult<Values> {
    let mut connection = match kept.take() {
        Some(connection) => connection,
        None => client.get_connection_with_timeout(request.within)?,
    };
    connection.set_read_timeout(Some(request.within))?;
    connection.set_write_timeout(Some(request.within))?;
    let values = serve(&mut connection, &request.what)?;
    *kept = Some(connection);
    Ok(values)
}
