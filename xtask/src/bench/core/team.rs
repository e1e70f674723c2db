//! One cache and one job for several machines, under `ivl`: what a run takes whose answers all come from a server, and
//! what one of two shards takes.
//!
//! The programs are those that Debian's `dafny` prints, the server is Debian's `redis-server`; a machine is a cache
//! folder of its own. Reports tell the same on every machine: one that differs ends the bench.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::super::Size;
use super::super::ivl::printed_programs;
use super::super::measure::{Run, run};
use super::super::report::Section;
use super::super::table::{Table, ratio};
use crate::error::Error;
use crate::phases::bar;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// At most this part of the time from scratch may a run take whose answers all are remote.
const REMOTE: f64 = 0.05;
/// At most this part of one process's time may the longer of two shards take.
const SHARD: f64 = 0.6;
/// The solver's resource for each implementation: the same on every machine.
const RESOURCE: &str = "20000000";
/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// Processor seconds of one program.
struct Taken {
    name: String,
    whole: f64,
    remote: f64,
    shards: [f64; 2],
}

impl Taken {
    fn longer_shard(&self) -> f64 {
        self.shards[0].max(self.shards[1])
    }
}

/// Measures, where `dafny` and `redis-server` are installed.
pub(super) fn add_to(programs: &Programs, size: Size, section: &mut Section) -> Result<(), Error> {
    let goals = [
        "cache-core: `ivl`, all answers remote, at most 5 % of the time from scratch",
        "cache-core: `ivl`, the longer of two shards, at most 0.6 of one process's time",
    ];
    let mut left_out = |program: &str| {
        for goal in goals {
            section.goals.add(goal, format!("{program} is not installed"), None);
        }
        Ok(())
    };
    let Some(mut printed) = printed_programs()? else { return left_out("dafny") };
    let Some(server) = Server::start()? else { return left_out("redis-server") };
    if size == Size::Smoke {
        printed.truncate(1);
    }
    let progress = bar(printed.len());
    let mut all = Vec::new();
    for (name, text) in printed {
        all.push(taken(programs, &server, name, &text)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let sum = |of: fn(&Taken) -> f64| all.iter().map(of).sum::<f64>();
    let whole = sum(|it| it.whole);
    let (remote, shard) = (sum(|it| it.remote) / whole, sum(Taken::longer_shard) / whole);
    let decided = |reached: bool| (size > Size::Smoke).then_some(reached);
    section.goals.add(goals[0], part(remote), decided(remote <= REMOTE));
    section.goals.add(goals[1], ratio(shard), decided(shard <= SHARD));
    section.tables.push(table(&all));
    section.raw.extend(all.iter().map(
        |it| json!({ "printed": it.name, "whole": it.whole, "remote": it.remote, "shards": it.shards }),
    ));
    Ok(())
}

fn part(of_scratch: f64) -> String {
    format!("{:.1} %", 100.0 * of_scratch)
}

fn table(all: &[Taken]) -> Table {
    let mut table = Table::new(
        "cache-core: one cache and one job for several machines",
        "Processor seconds of `ivl verify` and its solver on programs printed by dafny: from scratch; on another \
         machine, all answers from Redis over loopback; each of two shards, divided by what implementations cost \
         before.",
        &["program", "from scratch", "all remote", "of scratch", "shard 1", "shard 2", "longer/scratch"],
    );
    for it in all {
        let seconds = |seconds: f64| format!("{seconds:.2}");
        table.rows.push(vec![
            it.name.clone(),
            seconds(it.whole),
            seconds(it.remote),
            part(it.remote / it.whole),
            seconds(it.shards[0]),
            seconds(it.shards[1]),
            ratio(it.longer_shard() / it.whole),
        ]);
    }
    table
}

/// Verifies a program on a machine that leaves its answers on the server, on one that finds them there, and on two
/// that share the work.
fn taken(programs: &Programs, server: &Server, name: String, text: &str) -> Result<Taken, Error> {
    let (builder, reader, sharing) = (Scratch::new()?, Scratch::new()?, [Scratch::new()?, Scratch::new()?]);
    let file = builder.path().join("program.bpl");
    fs::write(&file, text).map_err(Error::writing(&file))?;
    let secret = builder.path().join("secret").display().to_string();
    let mut keygen = programs.command("ivl", &builder);
    let public = process::stdout(keygen.args(["cache", "keygen", &secret]))?;
    let url = server.url();

    let whole = verify(programs, &builder, &file, &[])?;
    // From scratch as well, and apart: leaving answers on a server is not what is measured.
    let leaves = ["--remote-mode", "read-write", "--remote-sign", &secret];
    let left = verify(
        programs,
        &builder,
        &file,
        &[&["--cache", "rebuild", "--remote", &url], &leaves[..]].concat(),
    )?;
    let remote = verify(programs, &reader, &file, &["--remote", &url, "--remote-trust", public.trim()])?;
    let asked = remote.run.engine("solver_requests");
    if asked > 0 {
        return Err(Error::Findings(format!("{name}: {asked} questions were asked that the server knows")));
    }
    let costs = builder.path().join("costs");
    let mut known = programs.command("ivl", &builder);
    let known = process::stdout(known.args(["costs", "--rlimit", RESOURCE]).arg(&file))?;
    fs::write(&costs, known).map_err(Error::writing(&costs))?;
    let costs = costs.display().to_string();
    let share =
        |share: &str, machine| verify(programs, machine, &file, &["--shard", share, "--costs", &costs]);
    let shared = [share("1/2", &sharing[0])?, share("2/2", &sharing[1])?];

    let merged = builder.path().join("merged.jsonl");
    let mut merge = programs.command("ivl", &builder);
    merge.arg("merge").args(shared.iter().map(|it| &it.report)).arg("--report").arg(&merged);
    process::output(&mut merge)?;
    let read = |file: &Path| fs::read_to_string(file).map_err(Error::reading(file));
    let expected = read(&whole.report)?;
    for (report, what) in [(&left.report, "once more"), (&remote.report, "all remote"), (&merged, "merged")] {
        if read(report)? != expected {
            let detail = format!("{name}: the report ({what}) differs from that of one machine from scratch");
            return Err(Error::Findings(detail));
        }
    }
    let shards = shared.map(|it| it.run.seconds);
    Ok(Taken { name, whole: whole.run.seconds, remote: remote.run.seconds, shards })
}

/// A run and the report that it wrote.
struct Verified {
    run: Run,
    report: PathBuf,
}

fn verify(programs: &Programs, machine: &Scratch, file: &Path, more: &[&str]) -> Result<Verified, Error> {
    let report = machine.path().join(if more.is_empty() { "whole.jsonl" } else { "report.jsonl" });
    let (written, file) = (report.display().to_string(), file.display().to_string());
    let options = ["verify", "--cores", "1", "--rlimit", RESOURCE, "--report", &written];
    let run = run(programs.command("ivl", machine), &[&options, more].concat(), &[&file])?;
    Ok(Verified { run, report })
}

/// A Redis server on loopback, which ends with this value.
struct Server {
    child: Child,
    port: u16,
    _folder: Scratch,
}

impl Server {
    /// Absent where none is installed. It is asked for until it listens.
    fn start() -> Result<Option<Server>, Error> {
        let folder = Scratch::new()?;
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|it| it.local_addr());
        let port = free.map_err(Error::Scratch)?.port();
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--dir"]);
        command.arg(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(child) = command.spawn() else { return Ok(None) };
        let server = Server { child, port, _folder: folder };
        let begun = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if begun.elapsed() > PATIENCE {
                let detail = format!("it does not listen within {} s", PATIENCE.as_secs());
                return Err(Error::Output { command: process::shown(&command), detail });
            }
            thread::yield_now();
        }
        Ok(Some(server))
    }

    fn url(&self) -> String {
        format!("redis://{}:{}", Ipv4Addr::LOCALHOST, self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended by itself cannot be ended, and need not be.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
