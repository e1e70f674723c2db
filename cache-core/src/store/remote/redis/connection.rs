//! A connection, driven by whoever asks: the client library writes the commands and reads the answers, each within its
//! time and room.

use std::time::{Duration, Instant};

use redis::{ConnectionLike, Parser, RedisConnectionInfo, RedisResult, Value};

use super::super::transport::{MAX_RECORD, TransportError};
use super::explained;
use super::stream::Stream;

/// So many bytes an answer to a command has at most beside the records that it was asked for.
const WORDS: usize = 1 << 16;

/// An open connection.
pub(super) struct Connection {
    stream: Box<dyn Stream>,
    /// What came and is no whole answer yet.
    parser: Parser,
    database: i64,
    /// How many records the next command asks for.
    records: usize,
}

impl Connection {
    /// Says who one is, over a stream that ends with the time for opening.
    pub(super) fn over(
        stream: impl Stream + 'static,
        settings: &RedisConnectionInfo,
    ) -> Result<Self, TransportError> {
        let mut connection =
            Self { stream: Box::new(stream), records: 0, parser: Parser::new(), database: settings.db() };
        connection.introduce(settings)?;
        Ok(connection)
    }

    fn introduce(&mut self, settings: &RedisConnectionInfo) -> Result<(), TransportError> {
        if let Some(password) = settings.password() {
            self.authenticate(settings.username(), password).map_err(|error| {
                if error.is_io_error() {
                    return explained(&error);
                }
                TransportError(format!("it wants other credentials ({error})"))
            })?;
        }
        if self.database != 0 {
            redis::cmd("SELECT").arg(self.database).exec(self).map_err(|error| explained(&error))?;
        }
        Ok(())
    }

    fn authenticate(&mut self, user: Option<&str>, password: &str) -> RedisResult<()> {
        if let Some(user) = user {
            match redis::cmd("AUTH").arg(user).arg(password).exec(self) {
                // Servers before Redis 6 know no users.
                Err(error) if error.to_string().contains("wrong number of arguments") => {}
                known => return known,
            }
        }
        redis::cmd("AUTH").arg(password).exec(self)
    }

    /// Does something that may take so long, and brings so many records at most. After an error the connection must be
    /// dropped.
    pub(super) fn within<T>(
        &mut self,
        within: Duration,
        records: usize,
        act: impl FnOnce(&mut Self) -> RedisResult<T>,
    ) -> RedisResult<T> {
        self.stream.set_end(Instant::now() + within);
        self.records = records;
        act(self)
    }
}

impl ConnectionLike for Connection {
    fn req_packed_command(&mut self, command: &[u8]) -> RedisResult<Value> {
        let mut values = self.req_packed_commands(command, 0, 1)?;
        values.pop().unwrap_or(Value::Nil).extract_error()
    }

    fn req_packed_commands(
        &mut self,
        commands: &[u8],
        offset: usize,
        count: usize,
    ) -> RedisResult<Vec<Value>> {
        self.stream.set_room(WORDS + self.records * (MAX_RECORD + 64));
        self.stream.write_all(commands)?;
        self.stream.flush()?;
        let mut values = Vec::with_capacity(count);
        for at in 0..offset + count {
            let value = self.parser.parse_value(&mut self.stream)?;
            if at >= offset {
                values.push(value);
            }
        }
        Ok(values)
    }

    fn get_db(&self) -> i64 {
        self.database
    }

    fn check_connection(&mut self) -> bool {
        redis::cmd("PING").exec(self).is_ok()
    }

    /// As far as is known: it is dropped with the first error.
    fn is_open(&self) -> bool {
        true
    }
}
