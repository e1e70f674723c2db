//! A connection without encryption, over TCP or a socket of Unix, driven by whoever asks: the client library writes the commands and reads the
//! answers, here each byte of them is waited for until the deadline and no longer.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
#[cfg(unix)]
use std::{os::unix::net::UnixStream, path::Path};

use redis::{ConnectionLike, Parser, RedisConnectionInfo, RedisResult, Value};

use super::super::transport::{MAX_RECORD, TransportError};
use super::explained;

/// So many bytes an answer to a command has at most beside the records that it was asked for.
const WORDS: usize = 1 << 16;

/// An open connection.
pub(super) struct Direct {
    stream: Timed,
    /// What came and is no whole answer yet.
    parser: Parser,
    database: i64,
    /// How many records the next command asks for.
    records: usize,
}

/// What the bytes go over.
enum Stream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

/// A stream that ends with a deadline.
struct Timed {
    stream: Stream,
    end: Instant,
    /// How many more bytes an answer may have.
    room: usize,
}

impl Direct {
    /// Connects to a host and its port, and says who one is.
    pub(super) fn open(
        host: &str,
        port: u16,
        settings: &RedisConnectionInfo,
        within: Duration,
    ) -> Result<Self, TransportError> {
        let end = Instant::now() + within;
        let stream = connect(&addresses(host, port, end)?, end).map_err(|error| explained(&error.into()))?;
        Self::over(Stream::Tcp(stream), settings, end)
    }

    /// The same over a socket of Unix.
    #[cfg(unix)]
    pub(super) fn open_unix(
        path: &Path,
        settings: &RedisConnectionInfo,
        within: Duration,
    ) -> Result<Self, TransportError> {
        let end = Instant::now() + within;
        let stream = UnixStream::connect(path).map_err(|error| explained(&error.into()))?;
        Self::over(Stream::Unix(stream), settings, end)
    }

    fn over(stream: Stream, settings: &RedisConnectionInfo, end: Instant) -> Result<Self, TransportError> {
        let mut direct = Self {
            stream: Timed { stream, end, room: WORDS },
            records: 0,
            parser: Parser::new(),
            database: settings.db(),
        };
        direct.introduce(settings)?;
        Ok(direct)
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
        self.stream.end = Instant::now() + within;
        self.records = records;
        act(self)
    }
}

impl ConnectionLike for Direct {
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
        self.stream.room = WORDS + self.records * (MAX_RECORD + 64);
        self.stream.write_all(commands)?;
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

impl Timed {
    /// What is left of the time.
    fn left(&self) -> io::Result<Duration> {
        left(self.end)
    }
}

impl Read for Timed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = Some(self.left()?);
        let count = match &mut self.stream {
            Stream::Tcp(stream) => {
                stream.set_read_timeout(left)?;
                stream.read(into)?
            }
            #[cfg(unix)]
            Stream::Unix(stream) => {
                stream.set_read_timeout(left)?;
                stream.read(into)?
            }
        };
        let too_long = || io::Error::new(io::ErrorKind::InvalidData, "its answer does not end");
        self.room = self.room.checked_sub(count).ok_or_else(too_long)?;
        Ok(count)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = Some(self.left()?);
        match &mut self.stream {
            Stream::Tcp(stream) => {
                stream.set_write_timeout(left)?;
                stream.write(bytes)
            }
            #[cfg(unix)]
            Stream::Unix(stream) => {
                stream.set_write_timeout(left)?;
                stream.write(bytes)
            }
        }
    }

    /// Neither keeps anything back.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is left until then.
fn left(end: Instant) -> io::Result<Duration> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// Where a name is. Who looks it up can wait for long, so a thread does.
fn addresses(host: &str, port: u16, end: Instant) -> Result<Vec<SocketAddr>, TransportError> {
    if let Ok(address) = host.trim_matches(['[', ']']).parse::<IpAddr>() {
        return Ok(vec![SocketAddr::from((address, port))]);
    }
    let (tell, told) = channel();
    let name = host.to_owned();
    std::thread::spawn(move || {
        let _ = tell.send((name.as_str(), port).to_socket_addrs().map(Vec::from_iter));
    });
    let within = left(end).map_err(|_| TransportError::too_slow())?;
    match told.recv_timeout(within) {
        Ok(Ok(addresses)) => Ok(addresses),
        Ok(Err(error)) => Err(TransportError(format!("it cannot be reached ({error})"))),
        Err(_) => Err(TransportError::too_slow()),
    }
}

fn connect(addresses: &[SocketAddr], end: Instant) -> io::Result<TcpStream> {
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "its name has no address");
    for address in addresses {
        match TcpStream::connect_timeout(address, left(end)?) {
            Ok(stream) => {
                // A command is one write; it must not wait for another to fill a packet.
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => failed = error,
        }
    }
    Err(failed)
}
