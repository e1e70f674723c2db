//! The bytes between this machine and a server: over TCP or a socket of Unix, encrypted or not. Each of them is waited
//! for until the deadline and no longer, and an answer has the room that it is given and no more.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
#[cfg(unix)]
use std::{os::unix::net::UnixStream, path::Path};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use super::super::transport::TransportError;
use super::explained;

/// What commands go over.
pub(super) trait Stream: Read + Write + Send {
    /// Until when bytes are waited for.
    fn set_end(&mut self, end: Instant);
    /// How many more bytes may come.
    fn set_room(&mut self, room: usize);
}

/// A stream of this machine that ends with a deadline.
pub(super) struct Timed {
    socket: Socket,
    end: Instant,
    room: usize,
}

enum Socket {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Timed {
    /// Connects to a host and its port.
    pub(super) fn connect(host: &str, port: u16, end: Instant) -> Result<Self, TransportError> {
        let stream = connect(&addresses(host, port, end)?, end).map_err(|error| explained(&error.into()))?;
        Ok(Self { socket: Socket::Tcp(stream), end, room: 0 })
    }

    /// Connects to a socket of Unix.
    #[cfg(unix)]
    pub(super) fn connect_unix(path: &Path, end: Instant) -> Result<Self, TransportError> {
        let stream = connect_unix(path, end).map_err(|error| explained(&error.into()))?;
        Ok(Self { socket: Socket::Unix(stream), end, room: 0 })
    }

    /// The same with encryption laid over it. Who is spoken to is known with the first byte.
    pub(super) fn encrypted(
        self,
        host: &str,
        config: Arc<ClientConfig>,
    ) -> Result<StreamOwned<ClientConnection, Self>, TransportError> {
        let wrong = |error: &dyn std::fmt::Display| TransportError(format!("it cannot be reached ({error})"));
        let name =
            ServerName::try_from(host.trim_matches(['[', ']']).to_owned()).map_err(|error| wrong(&error))?;
        let connection = ClientConnection::new(config, name).map_err(|error| wrong(&error))?;
        Ok(StreamOwned::new(connection, self))
    }
}

impl Stream for Timed {
    fn set_end(&mut self, end: Instant) {
        self.end = end;
    }

    fn set_room(&mut self, room: usize) {
        self.room = room;
    }
}

impl Stream for StreamOwned<ClientConnection, Timed> {
    fn set_end(&mut self, end: Instant) {
        self.sock.end = end;
    }

    /// Encrypted bytes are more by less than an eighth, and by what is said when a connection begins.
    fn set_room(&mut self, room: usize) {
        self.sock.room = room + room / 8 + GREETING;
    }
}

/// So many bytes has what a server says of itself when an encrypted connection begins, at most.
const GREETING: usize = 1 << 18;

impl Read for Timed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = Some(left(self.end)?);
        let count = match &mut self.socket {
            Socket::Tcp(stream) => {
                stream.set_read_timeout(left)?;
                stream.read(into)?
            }
            #[cfg(unix)]
            Socket::Unix(stream) => {
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
        let left = Some(left(self.end)?);
        match &mut self.socket {
            Socket::Tcp(stream) => {
                stream.set_write_timeout(left)?;
                stream.write(bytes)
            }
            #[cfg(unix)]
            Socket::Unix(stream) => {
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

/// A server that takes no connections, as one that is stopped, lets those who want one wait as long as they wait for
/// bytes to be taken. The standard library sets that time only once there is a connection.
#[cfg(unix)]
fn connect_unix(path: &Path, end: Instant) -> io::Result<UnixStream> {
    use rustix::net::sockopt::{Timeout, set_socket_timeout};
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    set_socket_timeout(&socket, Timeout::Send, Some(left(end)?))?;
    connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok(socket.into())
}
