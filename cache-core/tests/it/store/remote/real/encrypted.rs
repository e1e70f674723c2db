//! Redis over encrypted connections. Whom the system trusts is read from the environment once for a process, so each test
//! runs itself again with an authority of its own (`SSL_CERT_FILE`), made by `openssl` as `docs/team.md` tells.

use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::*;

/// Tells a test that it was started by itself, and where its certificates are.
const INSIDE: &str = "CACHE_CORE_TEST_CERTIFICATES";

/// Where the certificates are, in the process that trusts their authority; otherwise starts this process, and waits for it.
fn trusting_process() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(INSIDE) {
        return Some(PathBuf::from(folder));
    }
    let folder = fresh_folder();
    let (thread, test) = (thread::current(), std::env::current_exe().unwrap());
    let certified = certify(folder.path());
    let required = std::env::var("REPRISE_SERVICES").is_ok_and(|value| value == "required");
    assert!(certified || !required, "openssl is missing: run `cargo xtask setup --services`");
    if certified {
        let mut again = Command::new(test);
        again.args(["--exact", thread.name().unwrap(), "--nocapture"]);
        again.env(INSIDE, folder.path()).env("SSL_CERT_FILE", folder.path().join("ca.pem"));
        let output = again.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}{output:?}");
    }
    None
}

/// Makes `ca.pem`, and `server.pem` and `server.key` for this machine's address; says whether there is an `openssl`.
fn certify(folder: &Path) -> bool {
    let extensions = "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n";
    fs::write(folder.join("extensions"), extensions).unwrap();
    let steps = [
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=Team \
         -addext basicConstraints=critical,CA:TRUE",
        "req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=cache",
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions \
         -out server.pem",
    ];
    steps.iter().all(|step| {
        let mut command = Command::new("openssl");
        let done = command.args(step.split_whitespace()).current_dir(folder).output();
        done.is_ok_and(|output| {
            assert!(output.status.success(), "{step}: {}", String::from_utf8_lossy(&output.stderr));
            true
        })
    })
}

fn encrypted(certificates: &Path) -> Option<Running> {
    start("redis-server", "rediss", |folder, port| {
        let own = format!(
            "--port 0 --tls-port {port} --bind 127.0.0.1 --save --dir {} --tls-auth-clients no \
             --tls-cert-file {here}/server.pem --tls-key-file {here}/server.key --tls-ca-cert-file {here}/ca.pem",
            folder.display(),
            here = certificates.display()
        );
        // The word that saves nothing is empty.
        own.split_whitespace()
            .flat_map(|word| if word == "--save" { vec![word, ""] } else { vec![word] })
            .map(str::to_owned)
            .collect()
    })
}

#[test]
fn a_redis_serves_a_team() {
    let Some(certificates) = trusting_process() else { return };
    let Some(server) = encrypted(&certificates) else { return };
    serves_a_team(&server.url);
    // Who speaks in the clear is not understood.
    let plain = Remote::new(to(&server.url.replace("rediss", "redis")), options_of_little_patience());
    assert_eq!(plain.get(&id("0")).unwrap(), missing(MissReason::Unreachable));
}

#[test]
fn a_redis_that_no_authority_vouches_for_is_not_spoken_to() {
    let folder = fresh_folder();
    if !certify(folder.path()) {
        return;
    }
    let Some(server) = encrypted(folder.path()) else { return };
    let reader = through(to(&server.url), false);
    assert_eq!(reader.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    let said: Vec<String> = reader.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(said.as_slice(), [one] if one.contains("certificate")), "{said:?}");
    assert!(Redis::new(&format!("{}/#insecure", server.url)).is_err());
}

/// Accepts one connection, and says this and then zeros as long as somebody takes them; how many were taken.
fn endless(certificates: &Path, pause: Option<Duration>) -> (String, thread::JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("rediss://{}", listener.local_addr().unwrap());
    let chain = CertificateDer::from_pem_file(certificates.join("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(certificates.join("server.key")).unwrap();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![chain], key).unwrap();
    let server = thread::spawn(move || {
        let (socket, _) = listener.accept().unwrap();
        let mut stream = StreamOwned::new(ServerConnection::new(Arc::new(config)).unwrap(), socket);
        let begun = stream.read(&mut [0; 4096]).and_then(|_| stream.write_all(b"*1\r\n$1000000000\r\n"));
        let mut taken = 0;
        let block = vec![0; if pause.is_some() { 1 } else { 1 << 16 }];
        let mut say = || -> io::Result<()> {
            stream.write_all(&block)?;
            stream.flush()?;
            // Whoever reads here waits for the asker's end.
            stream.sock.set_read_timeout(pause)?;
            match pause.map(|_| stream.sock.read(&mut [0; 64])) {
                Some(Ok(_)) => Err(io::ErrorKind::UnexpectedEof.into()),
                _ => Ok(()),
            }
        };
        while begun.is_ok() && say().is_ok() {
            taken += block.len();
        }
        taken
    });
    (url, server)
}

#[test]
fn a_redis_whose_answer_has_no_end_costs_its_patience_once() {
    let Some(certificates) = trusting_process() else { return };
    let (url, server) = endless(&certificates, Some(Duration::from_millis(10)));
    let reader = Remote::new(to(&url), options_of_little_patience());
    for _ in 0..10 {
        assert_eq!(reader.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    }
    let said: Vec<String> = reader.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(said.as_slice(), [one] if one.contains("in time")), "{said:?}");
    drop(reader);
    assert!(server.join().unwrap() > 0);
}

#[test]
fn a_redis_that_says_too_much_is_heard_no_longer_than_an_answer_may_be() {
    let Some(certificates) = trusting_process() else { return };
    let (url, server) = endless(&certificates, None);
    let reader = through(to(&url), false);
    assert_eq!(reader.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    let said: Vec<String> = reader.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(said.as_slice(), [one] if one.contains("does not end")), "{said:?}");
    drop(reader);
    // What the system's own buffers took counts too.
    let taken = server.join().unwrap();
    assert!(taken > 8 << 20 && taken < 32 << 20, "{taken}");
}
