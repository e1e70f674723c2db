//! Laws of the end: a solver at work ends with what stands in for it, and with whoever reads the answers.
//!
//! The program that stands in, and what becomes the solver, are this test program itself, told by the environment.

use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

use clap::Parser;

use super::{Bench, example};

const FOLDER: &str = "REPRISE_TEST_STAND_IN";
/// Longer than anything here takes; met only by a test that fails.
const PATIENCE: Duration = Duration::from_secs(60);

fn this_test() -> [&'static str; 3] {
    ["--exact", "smt_cache::ends::a_child_of_the_tests_below_stands_in_for_a_solver", "--nocapture"]
}

#[test]
fn a_child_of_the_tests_below_stands_in_for_a_solver() {
    // What becomes the solver is started with these arguments and more.
    let own = std::env::args_os().skip(2 + this_test().len());
    if let Some((program, error)) = example::become_solver(own) {
        unreachable!("{}: {error}", program.display());
    }
    let Some(folder) = std::env::var_os(FOLDER).map(std::path::PathBuf::from) else { return };
    let (solver, cache) = (folder.join("z3"), folder.join("cache"));
    let mut options = example::Options::parse_from([
        "smt_cache".as_ref(),
        "--solver".as_ref(),
        solver.as_os_str(),
        "--cache-dir".as_ref(),
        cache.as_os_str(),
        "--".as_ref(),
        "-in".as_ref(),
    ]);
    let launcher = std::iter::once(std::env::current_exe().unwrap().into_os_string());
    options.launcher = Some(launcher.chain(this_test().map(Into::into)).chain(["--".into()]).collect());
    let script = std::io::Cursor::new(b"(check-sat)\n".to_vec());
    example::run(&options, Box::new(script), &mut std::io::sink()).unwrap();
}

/// A stand-in whose solver is at work for ever, and what that solver holds open: it ends when the solver does.
fn at_work(bench: &Bench) -> (StandIn, Receiver<()>) {
    let held = bench.path("forever");
    assert!(Command::new("mkfifo").arg(&held).status().unwrap().success());
    let stand_in = Command::new(std::env::current_exe().unwrap())
        .args(this_test())
        .env(FOLDER, bench.folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (send, what_happens) = channel();
    std::thread::spawn(move || {
        let mut held = fs::File::open(held).unwrap();
        held.read_exact(&mut [0]).unwrap();
        send.send(()).unwrap();
        // The end shows in the channel's.
        assert_eq!(held.read(&mut [0]).unwrap(), 0);
        drop(send);
    });
    let stand_in = StandIn(stand_in);
    what_happens.recv_timeout(PATIENCE).unwrap();
    assert_eq!(what_happens.try_recv(), Err(TryRecvError::Empty), "it is at work");
    (stand_in, what_happens)
}

struct StandIn(Child);

impl Drop for StandIn {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ends(what_happens: &Receiver<()>) {
    let end = what_happens.recv_timeout(PATIENCE);
    assert_eq!(end, Err(RecvTimeoutError::Disconnected), "the solver is still at work");
}

#[test]
fn a_solver_ends_with_what_stands_in_for_it() {
    let bench = Bench::new();
    let (stand_in, solver) = at_work(&bench);
    drop(stand_in);
    ends(&solver);
}

#[test]
fn a_solver_ends_when_nobody_reads_its_answers_any_more() {
    let bench = Bench::new();
    let (mut stand_in, solver) = at_work(&bench);
    drop(stand_in.0.stdout.take());
    ends(&solver);
    assert!(!stand_in.0.wait().unwrap().success());
}
