//! One query cache for several machines, through the program, on real servers: Debian's `redis-server`, and
//! `nginx` with its module for WebDAV, on loopback.
//!
//! `cargo xtask setup --services` installs them. Where they are not, these tests do nothing, and
//! `cargo xtask test` says so; with the environment variable `REPRISE_SERVICES=required`, as in CI, they fail.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use cache_core::store::remote::SecretKey;
use tempfile::TempDir;

use crate::caches::outcome;
use crate::program::explore;

/// A server that ends with its test.
struct Server {
    child: Child,
    url: String,
    _folder: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Nobody listens there; a moment ago at least.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Starts a server in a folder of its own and waits until it listens; nothing where it is not installed and
/// need not be.
fn start(program: &str, scheme: &str, arguments: fn(&Path, u16) -> Vec<String>) -> Option<Server> {
    // Another process may have taken the port in between; then the server ends at once.
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let address = free_address();
        let port = address.port();
        // Where servers lie is not on everybody's path.
        let beside = Path::new("/usr/sbin").join(program);
        let mut command = if beside.exists() { Command::new(beside) } else { Command::new(program) };
        command.args(arguments(folder.path(), port)).current_dir(folder.path());
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = match quiet.spawn() {
            Ok(child) => child,
            Err(error) => {
                let required = std::env::var("REPRISE_SERVICES").is_ok_and(|value| value == "required");
                assert!(!required, "{program} is missing ({error}): run `cargo xtask setup --services`");
                return None;
            }
        };
        while child.try_wait().unwrap().is_none() {
            if TcpStream::connect(address).is_ok() {
                return Some(Server { child, url: format!("{scheme}://{address}"), _folder: folder });
            }
            std::thread::yield_now();
        }
    }
    panic!("{program} ends at once")
}

fn redis(folder: &Path, port: u16) -> Vec<String> {
    let (folder, port) = (folder.display().to_string(), port.to_string());
    ["--port", &port, "--bind", "127.0.0.1", "--save", "", "--dir", &folder].map(ToOwned::to_owned).to_vec()
}

fn nginx(folder: &Path, port: u16) -> Vec<String> {
    for part in ["kept", "tmp"] {
        fs::create_dir_all(folder.join(part)).unwrap();
    }
    // Who runs the tests as root must let the workers write.
    use std::os::unix::fs::PermissionsExt;
    for part in ["", "kept", "tmp"] {
        fs::set_permissions(folder.join(part), fs::Permissions::from_mode(0o777)).unwrap();
    }
    let here = folder.display();
    let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let paths: String = kinds.map(|kind| format!("{kind}_temp_path {here}/tmp/{kind};\n")).concat();
    let text = format!(
        "daemon off; master_process off; pid {here}/pid; error_log {here}/log;\n\
         events {{ worker_connections 64; }}\n\
         http {{ access_log off; client_max_body_size 64m; {paths}\n\
         server {{ listen 127.0.0.1:{port}; root {here}/kept;\n\
         location / {{ dav_methods PUT; create_full_put_path on; }} }} }}\n"
    );
    fs::write(folder.join("conf"), text).unwrap();
    ["-p", &here.to_string(), "-c", "conf", "-e", "log"].map(ToOwned::to_owned).to_vec()
}

/// What one machine asked, others need not ask, if they trust who signed it.
fn shares(server: &Server) {
    const PROGRAM: &str = "matrix-4-3.ll";
    let folder = tempfile::tempdir().unwrap();
    let (key, stranger) = (SecretKey::generate().unwrap(), SecretKey::generate().unwrap());
    let secret = folder.path().join("secret");
    key.write_new(&secret).unwrap();
    let run = |cache: &str, more: &[&str]| {
        let cache = folder.path().join(cache).display().to_string();
        let own =
            ["--no-enumeration", "--cache", "read-write", "--cache-dir", &cache, "--remote", &server.url];
        explore(&folder, PROGRAM, &[&own, more].concat())
    };
    let sign = secret.display().to_string();
    let first = run("builder", &["--remote-mode", "read-write", "--remote-sign", &sign]);
    assert!(first.engine("solver_queries") > 0);
    assert!(!first.stderr.contains("WARNING: the remote"), "{}", first.stderr);

    let trusted = format!("builder={}", key.public());
    let second = run("other", &["--remote-trust", &trusted]);
    assert_eq!(second.engine("solver_queries"), 0, "{}", second.stderr);
    assert_eq!(outcome(&second), outcome(&first));
    // The first run left word of what it asked, and whoever is not trusted is not followed.
    assert_eq!((first.engine("foreseen_queries"), second.engine("foreseen_queries") > 0), (0, true));
    // What came from the server is on the disk now; what it says is what the solver says.
    let audited = run("third", &["--remote-trust", &trusted, "--audit", "always"]);
    assert_ne!(audited.code, 3, "{}", audited.stderr);
    assert!(audited.engine("audit_queries") > 0);

    let third = run("stranger", &["--remote-trust", &stranger.public().to_string()]);
    assert_eq!(third.engine("solver_queries"), first.engine("solver_queries"));
    assert_eq!(outcome(&third), outcome(&first));
    assert_eq!(third.engine("foreseen_queries"), 0);
    assert!(third.stderr.contains("signed by nobody who is trusted"), "{}", third.stderr);
}

#[test]
fn runs_share_answers_through_redis() {
    if let Some(server) = start("redis-server", "redis", redis) {
        shares(&server);
    }
}

#[test]
fn runs_share_answers_over_http() {
    if let Some(server) = start("nginx", "http", nginx) {
        shares(&server);
    }
}

#[test]
fn a_server_that_is_down_is_a_warning_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let plain = explore(&folder, "matrix.ll", &[]);
    let (url, key) = (format!("redis://{}", free_address()), SecretKey::generate().unwrap());
    let ran = explore(
        &folder,
        "matrix.ll",
        &["--cache", "read-write", "--remote", &url, "--remote-trust", &key.public().to_string()],
    );
    assert_eq!(outcome(&plain), outcome(&ran));
    assert!(ran.stderr.contains("not asked any more"), "{}", ran.stderr);
}
