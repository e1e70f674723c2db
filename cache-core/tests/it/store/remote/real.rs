//! Real servers: Debian's `redis-server` and `nginx` with its module for WebDAV, on loopback, in a folder of the test.
//!
//! `cargo xtask setup --services` installs them. Where they are not, these tests do nothing, and
//! `cargo xtask test` says so; with the environment variable `REPRISE_SERVICES=required`, as in CI, they fail.

mod encrypted;

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use cache_core::store::remote::{Redis, Transport};
use tempfile::TempDir;

use super::*;

/// A server that ends with its test.
struct Running {
    child: Child,
    url: String,
    folder: TempDir,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Starts a server in a folder of its own and waits until it listens; nothing where it is not installed and
/// need not be.
fn start(program: &str, scheme: &str, arguments: impl Fn(&Path, u16) -> Vec<String>) -> Option<Running> {
    // Another process may have taken the port in between; then the server ends at once.
    for _ in 0..5 {
        let (folder, port) = (fresh_folder(), free_port());
        // Where servers lie is not on everybody's path.
        let beside = Path::new("/usr/sbin").join(program);
        let mut command = if beside.exists() { Command::new(beside) } else { Command::new(program) };
        command.args(arguments(folder.path(), port)).current_dir(folder.path());
        let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(error) => {
                let required = std::env::var("REPRISE_SERVICES").is_ok_and(|value| value == "required");
                assert!(!required, "{program} is missing ({error}): run `cargo xtask setup --services`");
                return None;
            }
        };
        while child.try_wait().unwrap().is_none() {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
                let url = format!("{scheme}://{address}");
                return Some(Running { child, url, folder });
            }
            std::thread::yield_now();
        }
    }
    unreachable!("{program} ends at once")
}

fn redis(more: &'static [&'static str]) -> Option<Running> {
    start("redis-server", "redis", |folder, port| {
        let port = port.to_string();
        let own = ["--port", &port, "--bind", "127.0.0.1", "--save", "", "--dir", folder.to_str().unwrap()];
        own.iter().chain(more).map(ToString::to_string).collect()
    })
}

fn nginx(more: &'static str) -> Option<Running> {
    start("nginx", "http", |folder, port| {
        fs::create_dir_all(folder.join("kept")).unwrap();
        fs::create_dir_all(folder.join("tmp")).unwrap();
        let here = folder.display();
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let paths: String =
            paths.iter().map(|name| format!("{name}_temp_path {here}/tmp/{name};\n")).collect();
        let text = format!(
            "daemon off; master_process off; pid {here}/pid; error_log {here}/log;\n\
             events {{ worker_connections 256; }}\n\
             http {{ access_log off; keepalive_requests 100000; client_max_body_size 64m; {paths}\n\
             server {{ listen 127.0.0.1:{port}; root {here}/kept;\n\
             location / {{ dav_methods PUT; create_full_put_path on; {more} }} }} }}\n"
        );
        fs::write(folder.join("conf"), text).unwrap();
        // Who runs the tests as root must let the workers write.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            for part in ["", "kept", "tmp"] {
                fs::set_permissions(folder.join(part), fs::Permissions::from_mode(0o777)).unwrap();
            }
        }
        let own = ["-p", folder.to_str().unwrap(), "-c", "conf", "-e", "log"];
        own.iter().map(ToString::to_string).collect()
    })
}

fn through(transport: Box<dyn Transport>, writes: bool) -> Remote {
    let sign = writes.then(|| key(1));
    Remote::new(transport, patient().trust(trusting(&[1])).sign(sign))
}

fn options_of_little_patience() -> RemoteOptions {
    RemoteOptions::default()
        .trust(trusting(&[1]))
        .patience(Duration::from_millis(200))
        .request(Duration::from_millis(100))
}

fn to(url: &str) -> Box<dyn Transport> {
    if url.starts_with("redis") { Box::new(Redis::new(url).unwrap()) } else { Box::new(Http::new(url, None)) }
}

/// What a team does with a server.
fn serves_a_team(url: &str) {
    let payload = |n: usize| n.to_string().repeat(1 + n * n % 5000).into_bytes();
    let ids: Vec<_> = (0..300).map(|n| id(&n.to_string())).collect();
    let writer = through(to(url), true);
    for (n, id) in ids[..250].iter().enumerate() {
        writer.put(id, &payload(n)).unwrap();
    }
    writer.flush().unwrap();
    assert!(writer.take_troubles().is_empty());

    let reader = through(to(url), false);
    assert_eq!(reader.get(&ids[0]).unwrap(), hit(payload(0)));
    reader.prefetch(&ids);
    for (n, id) in ids.iter().enumerate() {
        let expected = if n < 250 { hit(payload(n)) } else { missing(MissReason::Absent) };
        assert_eq!(reader.get(id).unwrap(), expected, "{n}");
    }
    assert_eq!(reader.take_troubles().len(), 0);
    assert!(reader.is_far());
    assert_eq!(reader.place(), url.trim_end_matches('/'));

    // The same record once more, by a newer writer; and what a stranger writes.
    let newer = through(to(url), true);
    newer.put(&ids[0], b"newer").unwrap();
    drop(newer);
    assert_eq!(through(to(url), false).get(&ids[0]).unwrap(), hit("newer"));
    let options = patient().sign(key(2));
    Remote::new(to(url), options).put(&ids[0], b"wrong").unwrap();
    assert_eq!(through(to(url), false).get(&ids[0]).unwrap(), missing(MissReason::Untrusted));
}

#[test]
fn redis_serves_a_team() {
    let Some(server) = redis(&[]) else { return };
    serves_a_team(&server.url);
}

#[cfg(unix)]
#[test]
fn a_redis_behind_a_socket_serves_a_team() {
    let Some(mut server) = redis(&["--unixsocket", "socket", "--requirepass", "swordfish"]) else { return };
    // It listens there a moment later than at its port.
    while UnixStream::connect(server.folder.path().join("socket")).is_err() {
        assert!(server.child.try_wait().unwrap().is_none(), "the server has ended");
        std::thread::yield_now();
    }
    let url = |more: &str| format!("redis+unix://{}/socket{more}", server.folder.path().display());
    let third = url("?db=3&pass=swordfish");
    let writer = through(to(&third), true);
    put(&writer, &["a"]);
    assert_eq!(writer.take_troubles().len(), 0);
    let reader = through(to(&third), false);
    assert_eq!(reader.get(&id("a")).unwrap(), hit("a"));
    // Over the connection that is kept.
    assert_eq!(reader.get(&id("b")).unwrap(), missing(MissReason::Absent));
    assert_eq!(reader.place(), url(""));
    let other = through(to(&url("?db=4&pass=swordfish")), false);
    assert_eq!(other.get(&id("a")).unwrap(), missing(MissReason::Absent));
    assert_eq!(reader.take_troubles().len() + other.take_troubles().len(), 0);
    let refused = through(to(&url("?pass=herring")), false);
    assert_eq!(refused.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    let said: Vec<String> = refused.take_troubles().iter().map(ToString::to_string).collect();
    assert!(
        matches!(said.as_slice(), [one] if one.contains("it wants other credentials") && !one.contains("herring")),
        "{said:?}"
    );
    let nowhere = through(to(&url("-that-is-not-there")), false);
    assert_eq!(nowhere.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    let said: Vec<String> = nowhere.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(said.as_slice(), [one] if one.contains("it cannot be reached")), "{said:?}");
}

#[cfg(unix)]
#[test]
fn a_socket_that_takes_no_connections_is_waited_for_no_longer_than_it_may_be() {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, bind, listen, socket};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let server = socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
    bind(&server, &SocketAddrUnix::new(&path).unwrap()).unwrap();
    // One may wait, which nobody takes.
    listen(&server, 0).unwrap();
    let _waiting = UnixStream::connect(&path).unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    let url = format!("redis+unix://{}", path.display());
    std::thread::spawn(move || {
        let options = RemoteOptions::default().patience(Duration::from_millis(50));
        let _ = tell.send(Remote::new(to(&url), options).get(&id("a")).unwrap());
    });
    // Much longer than it may take, which is forever where nothing bounds it.
    let found = told.recv_timeout(Duration::from_secs(60)).expect("it gives up");
    assert_eq!(found, missing(MissReason::Unreachable));
}

#[test]
fn nginx_serves_a_team() {
    let Some(server) = nginx("") else { return };
    serves_a_team(&server.url);
    serves_a_team(&format!("{}/below/a/path/", server.url));
}

#[test]
fn a_redis_that_is_full_is_sent_nothing_more_and_still_read() {
    let Some(server) = redis(&["--maxmemory", "3mb", "--maxmemory-policy", "noeviction"]) else { return };
    let writer = through(to(&server.url), true);
    let random = |n: usize| -> Vec<u8> {
        (0..4000_u32).flat_map(|at| id(&format!("{n} {at}")).digest.to_bytes()).collect()
    };
    for n in 0..100 {
        writer.put(&id(&n.to_string()), &random(n)).unwrap();
    }
    writer.flush().unwrap();
    let said: Vec<String> = writer.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(said.as_slice(), [one] if one.contains("memory")), "{said:?}");
    assert_eq!(through(to(&server.url), false).get(&id("0")).unwrap(), hit(random(0)));
}

#[test]
fn a_redis_that_wants_a_password_is_told_one_or_given_up() {
    let Some(server) = redis(&["--requirepass", "swordfish"]) else { return };
    let with = server.url.replace("redis://", "redis://:swordfish@");
    put(&through(to(&with), true), &["a"]);
    assert_eq!(through(to(&with), false).get(&id("a")).unwrap(), hit("a"));
    let without = through(to(&server.url), false);
    assert_eq!(without.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    let said: Vec<String> = without.take_troubles().iter().map(ToString::to_string).collect();
    assert!(said.len() == 1 && !said[0].contains("swordfish"), "{said:?}");
}

#[test]
fn a_redis_with_users_and_databases_is_told_which() {
    let Some(server) = redis(&["--user", "reader", "on", ">swordfish", "~*", "+@all"]) else { return };
    let with = |who: &str, database: &str| format!("{}/{database}", server.url.replace("redis://", who));
    let third = with("redis://reader:swordfish@", "3");
    put(&through(to(&third), true), &["a"]);
    assert_eq!(through(to(&third), false).get(&id("a")).unwrap(), hit("a"));
    let other = through(to(&with("redis://reader:swordfish@", "4")), false);
    assert_eq!(other.get(&id("a")).unwrap(), missing(MissReason::Absent));
    for (url, why) in [
        (with("redis://reader:herring@", "3"), "credentials"),
        (with("redis://reader:swordfish@", "300"), "refuses"),
    ] {
        let refused = through(to(&url), false);
        assert_eq!(refused.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
        let said: Vec<String> = refused.take_troubles().iter().map(ToString::to_string).collect();
        assert!(
            matches!(said.as_slice(), [one] if one.contains(why) && !one.contains("herring")),
            "{said:?}"
        );
    }
}

#[test]
fn a_redis_that_ends_what_it_kept_open_is_asked_again() {
    let Some(server) = redis(&[]) else { return };
    put(&through(to(&server.url), true), &["a", "b"]);
    let reader = through(to(&server.url), false);
    assert_eq!(reader.get(&id("a")).unwrap(), hit("a"));
    let mut other = TcpStream::connect(server.url.trim_start_matches("redis://")).unwrap();
    other.write_all(b"CLIENT KILL TYPE normal SKIPME yes\r\n").unwrap();
    let mut said = [0; 4];
    other.read_exact(&mut said).unwrap();
    assert_eq!(&said, b":1\r\n", "how many were ended");
    assert_eq!(reader.get(&id("b")).unwrap(), hit("b"));
    assert_eq!(reader.take_troubles().len(), 0);
}

#[test]
fn a_redis_is_found_by_its_name() {
    let Some(server) = redis(&[]) else { return };
    let url = server.url.replace("127.0.0.1", "localhost");
    put(&through(to(&url), true), &["a"]);
    assert_eq!(through(to(&url), false).get(&id("a")).unwrap(), hit("a"));
    let nowhere = through(to("redis://nobody.invalid:6379"), false);
    assert_eq!(nowhere.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    assert_eq!(nowhere.take_troubles().len(), 1);
}

/// Each byte is there before anybody has waited long for it, the answer never: were only the single byte waited for,
/// this would not end.
#[test]
fn a_redis_whose_answer_has_no_end_costs_its_patience_once() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    let drips = std::thread::spawn(move || {
        let (mut to, _) = listener.accept().unwrap();
        to.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
        let mut said = 0;
        to.write_all(b"*1\r\n$1000000\r\n").unwrap();
        // Whoever reads here waits for the asker's end.
        while to.read(&mut [0; 4096]).map_or(true, |count| count > 0) && to.write_all(b".").is_ok() {
            said += 1;
        }
        said
    });
    let reader = Remote::new(to(&url), options_of_little_patience());
    for _ in 0..10 {
        assert_eq!(reader.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    }
    let said: Vec<String> = reader.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(said.as_slice(), [one] if one.contains("in time")), "{said:?}");
    assert!(drips.join().unwrap() > 0);
}

#[test]
fn a_redis_that_ends_costs_misses_and_one_warning() {
    let Some(server) = redis(&[]) else { return };
    let url = server.url.clone();
    put(&through(to(&url), true), &["a", "b"]);
    let reader = through(to(&url), false);
    assert_eq!(reader.get(&id("a")).unwrap(), hit("a"));
    drop(server);
    for _ in 0..5 {
        assert_eq!(reader.get(&id("b")).unwrap(), missing(MissReason::Unreachable));
    }
    assert_eq!(reader.take_troubles().len(), 1);
}

#[test]
fn a_redis_that_hangs_costs_its_patience_once() {
    // A server that takes connections and says nothing, which is one that was stopped.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    let reader = Remote::new(to(&url), options_of_little_patience());
    for _ in 0..100 {
        assert_eq!(reader.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    }
    let said: Vec<String> = reader.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(said.as_slice(), [one] if one.contains("in time")), "{said:?}");
    // It was asked over one connection.
    assert!(listener.accept().is_ok());
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err());
}

#[test]
fn an_nginx_that_takes_nothing_is_still_read() {
    let Some(server) = nginx("limit_except GET { deny all; }") else { return };
    let writer = through(to(&server.url), true);
    put(&writer, &["a"]);
    let said: Vec<String> = writer.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(said.as_slice(), [one] if one.contains("403")), "{said:?}");
    assert_eq!(writer.get(&id("a")).unwrap(), missing(MissReason::Absent));
}
