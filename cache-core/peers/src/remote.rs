//! A remote tier over loopback, beside bare requests of the client libraries: elapsed time, as most of it is the
//! server's. Without nginx or redis-server on this machine there are no rows.

use std::error::Error;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use cache_core::digest::{Confirm, Digest};
use cache_core::key::Checksum;
use cache_core::store::remote::{Http, Redis, Remote, RemoteOptions, SecretKey, Transport, Trust};
use cache_core::store::{Found, Store};
use tempfile::TempDir;

use super::Least;

/// Look-ups one after the other.
const SERIAL: usize = 400;
/// Look-ups side by side.
const BESIDE: usize = 1000;
/// Bytes of an answer.
const PAYLOAD: usize = 200;

/// A server that ends with its measurements.
struct Server {
    child: Child,
    address: SocketAddr,
    folder: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn measure(rounds: usize) -> Result<(), Box<dyn Error>> {
    let mut least = Least::default();
    if let Some(server) = nginx()? {
        let url = format!("http://{}", server.address);
        let remote = || -> Result<Remote, Box<dyn Error>> { through(Box::new(Http::new(&url, None))) };
        let ids = fill(&remote()?)?;
        let agent = ureq::agent();
        let addresses: Vec<String> = paths(&server)?.iter().map(|path| format!("{url}/ac/{path}")).collect();
        let bare = |address: &String| -> Result<(), Box<dyn Error>> {
            agent.get(address).call()?.body_mut().read_to_vec()?;
            Ok(())
        };
        for _ in 0..rounds {
            least.add("a hit over HTTP", "ureq", serial(&addresses, bare)?, "ns");
            least.add("a hit over HTTP", "Remote", serial(&ids, hit(&remote()?))?, "ns");
            least.add("1,000 look-ups over HTTP", "Remote", beside(&remote()?, &ids)?, "ns");
        }
    }
    if let Some(server) = redis()? {
        let url = format!("redis://{}", server.address);
        let remote = || -> Result<Remote, Box<dyn Error>> { through(Box::new(Redis::new(&url)?)) };
        let ids = fill(&remote()?)?;
        let mut connection = redis::Client::open(url.as_str())?.get_connection()?;
        let keys: Vec<String> = redis::cmd("KEYS").arg("*").query(&mut connection)?;
        for _ in 0..rounds {
            let bare = |key: &String| -> Result<(), Box<dyn Error>> {
                let _: Vec<u8> = redis::cmd("GET").arg(key).query(&mut connection)?;
                Ok(())
            };
            least.add("a hit in Redis", "redis", serial(&keys, bare)?, "ns");
            least.add("a hit in Redis", "Remote", serial(&ids, hit(&remote()?))?, "ns");
            least.add("1,000 look-ups in Redis", "Remote", beside(&remote()?, &ids)?, "ns");
        }
    }
    least.tell("remote")
}

fn through(transport: Box<dyn Transport>) -> Result<Remote, Box<dyn Error>> {
    let key = SecretKey::parse(&format!("ed25519-secret:{}", "07".repeat(32)), "the benchmark")?;
    let mut trust = Trust::nobody();
    trust.add("the benchmark", key.public());
    Ok(Remote::new(transport, RemoteOptions::default().trust(trust).sign(key)))
}

/// Leaves answers on the server.
fn fill(remote: &Remote) -> Result<Vec<Checksum>, Box<dyn Error>> {
    let id = |number: usize| {
        let bytes = number.to_le_bytes();
        Checksum { digest: Digest::of(&bytes), confirm: Confirm::of(&bytes) }
    };
    let ids: Vec<Checksum> = (0..BESIDE).map(id).collect();
    for id in &ids {
        remote.put(id, &id.confirm.to_bytes().repeat(PAYLOAD / 32 + 1)[..PAYLOAD])?;
    }
    remote.flush()?;
    Ok(ids)
}

/// Looks one up, which must be there.
fn hit(remote: &Remote) -> impl FnMut(&Checksum) -> Result<(), Box<dyn Error>> {
    |id| match remote.get(id)? {
        Found::Hit(_) => Ok(()),
        Found::Missing(why) => Err(why.explain().into()),
    }
}

/// Nanoseconds that each takes, one after the other, the first few apart.
fn serial<T>(
    items: &[T],
    mut act: impl FnMut(&T) -> Result<(), Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    for item in items.iter().take(20) {
        act(item)?;
    }
    let begun = Instant::now();
    for item in items.iter().cycle().take(SERIAL) {
        act(item)?;
    }
    Ok(begun.elapsed().as_nanos() as f64 / SERIAL as f64)
}

/// Nanoseconds that all take, side by side.
fn beside(remote: &Remote, ids: &[Checksum]) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    remote.prefetch(ids);
    let taken = begun.elapsed();
    ids.iter().try_for_each(hit(remote))?;
    Ok(taken.as_nanos() as f64)
}

fn nginx() -> Result<Option<Server>, Box<dyn Error>> {
    start("nginx", |folder, port| {
        fs::create_dir_all(folder.join("kept"))?;
        fs::create_dir_all(folder.join("tmp"))?;
        open_to_all(&[folder, &folder.join("kept"), &folder.join("tmp")])?;
        let here = folder.display();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|name| format!("{name}_temp_path {here}/tmp/{name};\n"))
            .collect();
        let text = format!(
            "daemon off; master_process off; pid {here}/pid; error_log {here}/log;\n\
             events {{ worker_connections 256; }}\n\
             http {{ access_log off; keepalive_requests 1000000; {temporary}\n\
             server {{ listen 127.0.0.1:{port}; root {here}/kept;\n\
             location / {{ dav_methods PUT; create_full_put_path on; }} }} }}\n"
        );
        fs::write(folder.join("conf"), text)?;
        Ok(["-p", &here.to_string(), "-c", "conf", "-e", "log"].map(str::to_owned).into())
    })
}

fn redis() -> Result<Option<Server>, Box<dyn Error>> {
    start("redis-server", |folder, port| {
        let (port, here) = (port.to_string(), folder.display().to_string());
        Ok(["--port", &port, "--bind", "127.0.0.1", "--save", "", "--dir", &here].map(str::to_owned).into())
    })
}

/// The addresses under which nginx keeps records.
fn paths(server: &Server) -> Result<Vec<String>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(server.folder.path().join("kept/ac"))? {
        paths.push(entry?.file_name().to_string_lossy().into_owned());
    }
    Ok(paths)
}

/// Who runs this as root must let the server's workers write.
fn open_to_all(folders: &[&Path]) -> std::io::Result<()> {
    #[cfg(unix)]
    for folder in folders {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o777))?;
    }
    Ok(())
}

fn start(
    program: &str,
    arguments: impl Fn(&Path, u16) -> Result<Vec<String>, Box<dyn Error>>,
) -> Result<Option<Server>, Box<dyn Error>> {
    let folder = TempDir::new()?;
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let beside = Path::new("/usr/sbin").join(program);
    let mut command = if beside.exists() { Command::new(beside) } else { Command::new(program) };
    command.args(arguments(folder.path(), port)?).current_dir(folder.path());
    let Ok(mut child) = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    else {
        return Ok(None);
    };
    while child.try_wait()?.is_none() {
        if TcpStream::connect(address).is_ok() {
            return Ok(Some(Server { child, address, folder }));
        }
        std::thread::yield_now();
    }
    Err(format!("{program} ends at once").into())
}
