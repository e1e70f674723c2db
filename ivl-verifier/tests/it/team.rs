//! One cache for several machines, and one job for several machines, through the program.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use cache_core::key::Checksum;
use cache_core::store::{DiskOptions, DiskStore, Found, Store};
use tempfile::TempDir;

const PROGRAM: &str = "\
const limit: int; axiom limit == 7;
procedure a(x: int) returns (r: int) ensures r > x; { r := x + 1; }
procedure b(x: int) returns (r: int) ensures r > x; { r := x - 1; }
procedure c(x: int) returns (r: int) ensures r == limit; { r := 7; }
procedure d(x: int) returns (r: int) { assert x != 0; r := x; }
procedure e(x: int) returns (r: int) requires x > 0; { call r := d(x); assert r == r; }
procedure f() { assert true; }
procedure g() { assert limit == 8; }
";

/// Keeps what is put, and gives it back.
struct Server {
    address: SocketAddr,
    records: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback is there");
        let address = listener.local_addr().expect("it has one");
        let records: Arc<Mutex<BTreeMap<String, Vec<u8>>>> = Arc::default();
        let kept = Arc::clone(&records);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || while serve(&kept, &stream).is_some() {});
            }
        });
        Self { address, records }
    }

    fn url(&self) -> String {
        format!("http://{}/cache", self.address)
    }
}

/// One request. Nothing is read ahead: a client sends the next one when it has the answer.
fn serve(kept: &Mutex<BTreeMap<String, Vec<u8>>>, mut stream: &TcpStream) -> Option<()> {
    let mut input = BufReader::new(stream);
    let mut line = String::new();
    input.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?, words.next()?);
    let mut length = 0;
    loop {
        let mut header = String::new();
        input.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(": ") else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    let mut kept = kept.lock().ok()?;
    let (status, answer) = match (method, kept.get(path)) {
        ("PUT", _) => {
            kept.insert(path.to_owned(), body);
            (201, Vec::new())
        }
        (_, Some(record)) => (200, record.clone()),
        _ => (404, Vec::new()),
    };
    let head = format!("HTTP/1.1 {status} Said\r\nContent-Length: {}\r\n\r\n", answer.len());
    stream.write_all(&[head.as_bytes(), &answer].concat()).ok()
}

/// A machine: a folder with a cache of its own.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let folder = TempDir::new().expect("there is room");
        fs::write(folder.path().join("p.bpl"), PROGRAM).expect("the folder is ours");
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, environment: &[(&str, &str)], arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ivl"));
        // Who runs the tests may have chosen otherwise for all programs.
        for (name, _) in
            std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("REPRISE_"))
        {
            command.env_remove(name);
        }
        command.args(arguments).current_dir(self.path()).env("REPRISE_CACHE_DIR", self.path().join("cache"));
        command.envs(environment.iter().copied()).output().expect("the program starts")
    }

    /// What a run says of a program that is not all right, and how many queries it sent.
    fn verify(&self, environment: &[(&str, &str)], more: &[&str]) -> (String, u64, String) {
        let stats = ["verify", "--time-limit", "0", "--cores", "1", "--stats", "stats.json", "p.bpl"];
        let output = self.run(environment, &[&stats, more].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        let stats = fs::read(self.path().join("stats.json")).expect("it was written");
        let stats: serde_json::Value = serde_json::from_slice(&stats).expect("it is JSON");
        let queries = stats["engine"]["solver_requests"].as_u64().expect("it is counted");
        (String::from_utf8_lossy(&output.stdout).into_owned(), queries, error)
    }

    fn keygen(&self) -> (String, String) {
        let output = self.run(&[], &["cache", "keygen", "secret"]);
        assert!(output.status.success());
        let public = String::from_utf8(output.stdout).expect("it is text").trim().to_owned();
        (public, self.path().join("secret").display().to_string())
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("it was written")
    }
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn what_one_machine_proved_others_are_told_if_they_trust_it() {
    let (server, builder, other, stranger) =
        (Server::start(), Machine::new(), Machine::new(), Machine::new());
    let url = server.url();
    let (public, secret) = builder.keygen();
    let remote = ["--remote", &url];
    let writes = ["--remote-mode", "read-write", "--remote-sign", &secret];
    let (first, queries, error) = builder.verify(&[], &[&remote[..], &writes].concat());
    assert!(queries > 0 && error.is_empty(), "{error}");
    assert!(!server.records.lock().expect("nothing breaks").is_empty());

    let trust = format!("builder={public}");
    let (second, queries, error) = other.verify(&[], &[&remote[..], &["--remote-trust", &trust]].concat());
    assert_eq!((sorted(&second), queries, error.as_str()), (sorted(&first), 0, ""));
    // It is on the disk now.
    assert_eq!(other.verify(&[], &[]).1, 0);
    // And is believed no longer than who signed it.
    let (unknown, _) = other.keygen();
    let (again, queries, _) = other.verify(&[], &[&remote[..], &["--remote-trust", &unknown]].concat());
    assert!(sorted(&again) == sorted(&first) && queries > 0);

    // The environment says the same; who trusts somebody else asks the solver, and is told why.
    let (unknown, _) = stranger.keygen();
    let environment = [("REPRISE_REMOTE", url.as_str()), ("REPRISE_REMOTE_TRUST", &unknown)];
    let (third, queries, error) = stranger.verify(&environment, &[]);
    assert_eq!(sorted(&third), sorted(&first));
    assert!(queries > 0 && error.contains("signed by nobody who is trusted"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    // Nothing is left by who may only read.
    let before = server.records.lock().expect("nothing breaks").clone();
    let (_, _, error) = stranger.verify(&[("REPRISE_REMOTE", &url)], &["--cache", "rebuild"]);
    assert!(error.contains("REPRISE_REMOTE_TRUST"), "{error}");
    assert_eq!(*server.records.lock().expect("nothing breaks"), before);
}

#[test]
fn ivl_boogie_learns_of_the_server_from_the_environment() {
    let (server, builder, other) = (Server::start(), Machine::new(), Machine::new());
    let url = server.url();
    let (public, secret) = builder.keygen();
    let key = fs::read_to_string(&secret).expect("it was written");
    let writer = [
        ("REPRISE_REMOTE", url.as_str()),
        ("REPRISE_REMOTE_MODE", "read-write"),
        ("REPRISE_REMOTE_KEY", key.trim()),
    ];
    let said = |machine: &Machine, environment: &[(&str, &str)]| {
        let output = machine.run(environment, &["boogie", "/timeLimit:0", "p.bpl"]);
        (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let first = said(&builder, &writer);
    assert_eq!(first.1, "");
    let reader =
        [("REPRISE_REMOTE", url.as_str()), ("REPRISE_REMOTE_TRUST", &public), ("REPRISE_CACHE", "offline")];
    assert_eq!(said(&other, &reader), first);
}

#[test]
fn a_server_that_is_down_costs_a_warning_and_no_result() {
    let machine = Machine::new();
    let (public, _) = machine.keygen();
    // The port was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("loopback is there");
    let url = format!("http://{address}");
    let (with, queries, error) = machine.verify(&[], &["--remote", &url, "--remote-trust", &public]);
    assert!(queries > 0 && error.contains("not asked any more") && error.lines().count() == 1, "{error}");
    assert_eq!(sorted(&with), sorted(&Machine::new().verify(&[], &[]).0));
}

#[test]
fn results_are_carried_to_the_server_and_back() {
    let (server, builder, other) = (Server::start(), Machine::new(), Machine::new());
    let url = server.url();
    let (public, secret) = builder.keygen();
    builder.verify(&[], &[]);
    let cache = |machine: &Machine, action: &str, more: &[&str]| {
        let output = machine.run(&[], &[&["cache", action, "--remote", &url], more].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let sent = cache(&builder, "push", &["--remote-sign", &secret]);
    assert!(sent.contains("sent") && sent.contains("0 were there"), "{sent}");
    let again = cache(&builder, "push", &["--remote-sign", &secret]);
    assert!(again.contains("sent 0 entries"), "{again}");
    let trust = format!("builder={public}");
    let told = cache(&other, "stats", &["--remote-trust", &trust]);
    assert!(told.contains("pushed, as builder says"), "{told}");
    cache(&other, "pull", &["--remote-trust", &trust]);
    assert_eq!(other.verify(&[], &[]).1, 0);
    // A key is made once.
    assert_eq!(builder.run(&[], &["cache", "keygen", "secret"]).status.code(), Some(2));
}

/// The answers in a machine's folder: payloads that begin with two bytes of versions and some of what confirms the
/// question (docs/format.md).
fn answers(machine: &Machine) -> Vec<(Checksum, Vec<u8>)> {
    let options = DiskOptions::default().read_only(true);
    let store = DiskStore::open(machine.path().join("cache/ivl"), options).expect("it is there");
    let ids = store.ids().expect("it can be read").into_iter();
    let entries = ids.filter_map(|id| match store.get(&id).expect("it can be read") {
        Found::Hit(payload) => Some((id, payload)),
        Found::Missing(_) => None,
    });
    entries.filter(|(id, payload)| payload.get(2..10) == id.confirm.to_bytes().get(..8)).collect()
}

#[test]
fn an_audit_finds_what_a_trusted_machine_signed_wrongly() {
    let (server, liar, honest) = (Server::start(), Machine::new(), Machine::new());
    let url = server.url();
    let (public, secret) = liar.keygen();
    let trust = format!("builder={public}");
    for (machine, claim) in [(&honest, "true"), (&liar, "false")] {
        let program = format!("procedure p() {{ assert {claim}; }}\n");
        fs::write(machine.path().join("p.bpl"), program).expect("the folder is ours");
        machine.run(&[], &["verify", "--time-limit", "0", "p.bpl"]);
    }
    // The liar takes what is known of the other program for what is known of its own, and signs that.
    let good = answers(&honest);
    assert!(!good.is_empty() && !answers(&liar).is_empty());
    let verify = |more: &[&str]| {
        let machine = Machine::new();
        fs::copy(liar.path().join("p.bpl"), machine.path().join("p.bpl")).expect("the folder is ours");
        let remote = ["verify", "--time-limit", "0", "--remote", &url, "--remote-trust", &trust, "p.bpl"];
        let output = machine.run(&[], &[&remote[..], more].concat());
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let mut lied = false;
    for (_, payload) in good {
        {
            let options = DiskOptions::default();
            let store = DiskStore::open(liar.path().join("cache/ivl"), options).expect("it is there");
            for (id, _) in answers(&liar) {
                let mut lie = payload.clone();
                lie.splice(2..10, id.confirm.to_bytes().iter().take(8).copied());
                store.put(&id, &lie).expect("there is room");
            }
        }
        let push = ["cache", "push", "--remote", &url, "--remote-sign", &secret];
        assert!(liar.run(&[], &push).status.success());
        // What a trusted machine signed is believed.
        if verify(&[]).0 == Some(0) {
            lied = true;
            let (status, said, warned) = verify(&["--audit", "always"]);
            assert_eq!(status, Some(3), "{said}{warned}");
            assert!(said.contains("Error") || said.contains("error"), "the solver's answer is told: {said}");
            assert!(warned.contains("signed by builder"), "{warned}");
            assert!(warned.contains("the cache held another answer to"), "{warned}");
        }
    }
    assert!(lied, "no lie was told, so that nothing was tested");
}

#[test]
fn the_merged_report_of_shards_is_that_of_one_machine() {
    let (whole, shards) = (Machine::new(), Machine::new());
    let report = ["verify", "--time-limit", "0", "--report", "whole", "p.bpl"];
    assert_eq!(whole.run(&[], &report).status.code(), Some(1));
    let costs = whole.run(&[], &["costs", "--time-limit", "0", "p.bpl"]);
    let costs = String::from_utf8(costs.stdout).expect("it is text");
    assert_eq!(costs.lines().filter(|line| line.contains(':')).count(), 7, "{costs}");
    fs::write(shards.path().join("costs"), costs).expect("the folder is ours");

    for (of, given) in [(1, &[][..]), (3, &[]), (3, &["--costs", "costs"]), (10, &["--costs", "costs"])] {
        let mut verified = 0;
        let names: Vec<String> = (1..=of).map(|number| format!("part-{number}")).collect();
        for (number, name) in names.iter().enumerate() {
            let shard = format!("{}/{of}", number + 1);
            let one = [
                "verify",
                "--time-limit",
                "0",
                "--json",
                "--cache",
                "off",
                "--shard",
                &shard,
                "--report",
                name,
                "p.bpl",
            ];
            let output = shards.run(&[], &[&one[..], given].concat());
            verified += String::from_utf8_lossy(&output.stdout).lines().count();
        }
        // Each did its own.
        assert_eq!(verified, 7);
        let parts: Vec<&str> = names.iter().map(String::as_str).rev().collect();
        let merged = shards.run(&[], &[&["merge"][..], &parts].concat());
        assert_eq!(merged.status.code(), Some(1));
        assert_eq!(String::from_utf8_lossy(&merged.stdout), whole.read("whole"));
        if of == 3 {
            let told = |parts: &[&str]| {
                let output = shards.run(&[], &[&["merge"], parts].concat());
                assert_eq!(output.status.code(), Some(2));
                String::from_utf8_lossy(&output.stderr).into_owned()
            };
            assert!(told(&parts[1..]).contains("shard 3/3 is missing"));
            assert!(told(&[parts[0], parts[0], parts[1]]).contains("is shard 3/3, as is part-3"));
            assert!(told(&["p.bpl"]).contains("no report of a shard"));
            // A report that was cut off lacks implementations.
            let text = shards.read("part-1");
            let cut = text.trim_end().rsplit_once('\n').expect("it has lines").0;
            fs::write(shards.path().join("part-1"), format!("{cut}\n")).expect("the folder is ours");
            assert!(told(&parts).contains("1 of the 7 implementations"));
        }
    }
}

#[test]
fn shards_of_different_programs_are_not_merged() {
    let machine = Machine::new();
    let shard = |number: &str, name: &str| {
        machine.run(&[], &["verify", "--time-limit", "0", "--shard", number, "--report", name, "p.bpl"]);
    };
    shard("1/2", "one");
    fs::write(machine.path().join("p.bpl"), PROGRAM.replace("x + 1", "x + 2")).expect("the folder is ours");
    shard("2/2", "two");
    let output = machine.run(&[], &["merge", "one", "two"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("other programs"));
}
