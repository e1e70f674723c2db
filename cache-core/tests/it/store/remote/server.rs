//! A server for tests that speaks HTTP on loopback and lies as it is told.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// What the server does when it is asked for a record.
#[derive(Clone, Debug, Default)]
pub(super) enum Lie {
    /// Gives what was put last.
    #[default]
    None,
    /// Gives these bytes, whatever is asked.
    Always(Vec<u8>),
    /// Gives what was put first.
    Oldest,
    /// Gives the record that was put under the next address.
    Neighbour,
    /// Gives the first so many bytes only.
    Cut(usize),
    /// Gives the record with a bit changed.
    Flip(usize),
    /// Adds a field of its own behind the record, as servers do that know what an `ActionResult` is.
    Extend,
    /// Says that it has nothing.
    Withhold,
    /// Says this instead.
    Status(u16),
    /// Reads the question and says nothing.
    Hang,
    /// Sends a byte now and then, for ever.
    Trickle,
    /// Sends without end.
    Flood,
    /// Ends the connection.
    Close,
    /// Answers one request over each connection, and ends it at the next.
    Once,
    /// Speaks no HTTP.
    Babble,
    /// Answers nobody before so many ask at the same time.
    Together(usize),
}

#[derive(Default)]
struct State {
    records: BTreeMap<String, Vec<Vec<u8>>>,
    lie: Lie,
    /// What is said to who puts something, if not that it is well.
    put: Option<u16>,
    gets: usize,
    puts: usize,
    asking: usize,
    most_asking: usize,
    authorization: Option<String>,
    ended: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

pub(super) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&own);
                if shared.state.lock().unwrap().ended {
                    return;
                }
                std::thread::spawn(move || serve(&shared, stream.unwrap()));
            }
        });
        Self { address, shared }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/team", self.address)
    }

    fn with<R>(&self, act: impl FnOnce(&mut State) -> R) -> R {
        act(&mut self.shared.state.lock().unwrap())
    }

    pub(super) fn lies(&self, lie: Lie) {
        self.with(|state| state.lie = lie);
    }

    pub(super) fn refuses_puts(&self, status: u16) {
        self.with(|state| state.put = Some(status));
    }

    /// How often it was asked for a record since the last call.
    pub(super) fn gets(&self) -> usize {
        self.with(|state| std::mem::take(&mut state.gets))
    }

    pub(super) fn puts(&self) -> usize {
        self.with(|state| std::mem::take(&mut state.puts))
    }

    pub(super) fn most_asking(&self) -> usize {
        self.with(|state| state.most_asking)
    }

    pub(super) fn authorization(&self) -> Option<String> {
        self.with(|state| state.authorization.clone())
    }

    /// The latest records with the paths they were put under.
    pub(super) fn records(&self) -> Vec<(String, Vec<u8>)> {
        self.with(|state| {
            state.records.iter().map(|(path, all)| (path.clone(), all.last().unwrap().clone())).collect()
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.with(|state| state.ended = true);
        self.shared.changed.notify_all();
        // The listener's thread looks whether it should end.
        let _ = TcpStream::connect(self.address);
    }
}

/// Answers the requests of one connection. It ends when the other side does, or when the test is over.
fn serve(shared: &Shared, stream: TcpStream) -> Option<()> {
    let mut out = stream.try_clone().ok()?;
    let mut input = BufReader::new(stream);
    for before in 0.. {
        let mut line = String::new();
        input.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let mut words = line.split_whitespace();
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut length = 0;
        loop {
            let mut header = String::new();
            input.read_line(&mut header).ok()?;
            let Some((name, value)) = header.trim().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().ok()?,
                "authorization" => shared.state.lock().ok()?.authorization = Some(value.to_owned()),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        input.read_exact(&mut body).ok()?;
        if method == "PUT" {
            let mut state = shared.state.lock().ok()?;
            state.puts += 1;
            let status = state.put.unwrap_or(201);
            if status == 201 {
                state.records.entry(path).or_default().push(body);
            }
            drop(state);
            answer(&mut out, status, &[])?;
        } else {
            if before > 0 && matches!(shared.state.lock().ok()?.lie, Lie::Once) {
                return None;
            }
            get(shared, &mut out, &path)?;
        }
    }
    None
}

fn answer(out: &mut TcpStream, status: u16, body: &[u8]) -> Option<()> {
    let head = format!("HTTP/1.1 {status} Said\r\nContent-Length: {}\r\n\r\n", body.len());
    out.write_all(&[head.as_bytes(), body].concat()).ok()
}

fn get(shared: &Shared, out: &mut TcpStream, path: &str) -> Option<()> {
    let mut state = shared.state.lock().ok()?;
    state.gets += 1;
    state.asking += 1;
    state.most_asking = state.most_asking.max(state.asking);
    shared.changed.notify_all();
    let lie = state.lie.clone();
    if let Lie::Together(count) = lie {
        state = shared.changed.wait_while(state, |state| state.most_asking < count && !state.ended).ok()?;
    }
    state.asking -= 1;
    let all = state.records.get(path).cloned().unwrap_or_default();
    let next = state.records.range(path.to_owned()..).nth(1).or_else(|| state.records.iter().next());
    let next = next.and_then(|(_, all)| all.last().cloned()).unwrap_or_default();
    drop(state);
    let latest = all.last().cloned();
    let given = match lie {
        Lie::None | Lie::Together(_) | Lie::Once => latest,
        Lie::Always(bytes) => Some(bytes),
        Lie::Oldest => all.first().cloned(),
        Lie::Neighbour => Some(next),
        Lie::Cut(length) => latest.map(|record| record[..length.min(record.len())].to_vec()),
        Lie::Flip(bit) => latest.map(|mut record| {
            let length = record.len();
            record[bit / 8 % length] ^= 1 << (bit % 8);
            record
        }),
        // A field of each kind: bytes, a number, and numbers of eight and of four bytes.
        Lie::Extend => latest.map(|record| {
            let fixed = [0x51, 1, 2, 3, 4, 5, 6, 7, 8, 0x5d, 1, 2, 3, 4];
            [record.as_slice(), &[0x4a, 3, 1, 2, 3, 0x20, 7], &fixed].concat()
        }),
        Lie::Withhold => None,
        Lie::Status(status) => return answer(out, status, b"not now"),
        Lie::Close => return None,
        Lie::Babble => return out.write_all(b"* OK IMAP4 ready\r\n").ok().and(None),
        Lie::Hang => {
            let state = shared.state.lock().ok()?;
            drop(shared.changed.wait_while(state, |state| !state.ended));
            return None;
        }
        Lie::Trickle | Lie::Flood => {
            out.write_all(b"HTTP/1.1 200 Said\r\nContent-Length: 1000000000\r\n\r\n").ok()?;
            let piece = if matches!(lie, Lie::Flood) { vec![7; 1 << 16] } else { vec![7] };
            loop {
                out.write_all(&piece).ok()?;
                if piece.len() == 1 {
                    let state = shared.state.lock().ok()?;
                    let pause = std::time::Duration::from_millis(20);
                    let (state, _) =
                        shared.changed.wait_timeout_while(state, pause, |state| !state.ended).ok()?;
                    if state.ended {
                        return None;
                    }
                }
            }
        }
    };
    match given {
        Some(record) => answer(out, 200, &record),
        None => answer(out, 404, b"nothing here"),
    }
}
