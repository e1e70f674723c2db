//! Laws of `cache_core::worker`: whatever a child does, it costs one answer and the next one works; a
//! child whose parent is gone goes away.
//!
//! The child is this test program itself, told by an environment variable to serve. The test harness
//! writes to standard output, so a shell first moves the pipe to descriptor 3.

#![cfg(feature = "worker")]
#![expect(clippy::unwrap_used, clippy::exit, clippy::panic, reason = "the child runs in tests alone")]

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use cache_core::worker::{Cancel, Orphaned, Pool, Request, Supervisor, WorkerConfig, WorkerError, serve_on};

const ROLE: &str = "REPRISE_TEST_WORKER";
const PROTOCOL: &str = "/proc/self/fd/3";
/// Longer than anything here takes; met only by a test that fails.
const PATIENCE: Duration = Duration::from_secs(60);

fn child() -> WorkerConfig {
    let mut config = WorkerConfig::new("/bin/sh");
    config.arguments = vec!["-c".into(), "exec 3>&1 1>/dev/null; exec \"$0\" \"$@\"".into()];
    config.arguments.push(std::env::current_exe().unwrap().into());
    config.arguments.extend(this_test().map(OsString::from));
    config.environment = vec![(ROLE.into(), "serve".into())];
    config
}

fn this_test() -> [&'static str; 3] {
    ["--exact", "worker::a_child_serves_what_it_reads_until_its_input_ends", "--nocapture"]
}

fn ask(supervisor: &mut Supervisor, request: &str) -> Result<String, WorkerError> {
    supervisor.ask(request.as_bytes(), None).map(|answer| String::from_utf8(answer).unwrap())
}

/// What the child does, by the request's first word.
fn handle(request: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(request).into_owned();
    let (what, rest) = text.split_once(' ').unwrap_or((&text, ""));
    match what {
        "echo" => rest.as_bytes().to_vec(),
        "bytes" => vec![7; rest.parse().unwrap()],
        "process" => std::process::id().to_string().into_bytes(),
        "exit" => std::process::exit(rest.parse().unwrap()),
        "die" => {
            std::io::stderr().write_all(rest.as_bytes()).unwrap();
            std::process::exit(1)
        }
        "abort" => std::process::abort(),
        "panic" => panic!("the engine said {rest}"),
        "hang" => hang(),
        // Shows that it is at work by a connection, which closes when the process ends.
        "hold" => {
            let _connection = UnixStream::connect(rest).unwrap();
            hang()
        }
        // Starts a program that says a byte and keeps the connection and standard error open; then hangs, dies or
        // answers.
        "start" | "leave" | "help" => {
            let connection: OwnedFd = UnixStream::connect(rest).unwrap().into();
            let mut program = Command::new("/bin/sh");
            let mut program =
                program.args(["-c", "echo >&0; exec sleep 600"]).stdin(connection).spawn().unwrap();
            match what {
                "leave" => std::process::exit(3),
                "help" => std::mem::forget(program),
                _ => drop(program.wait().unwrap()),
            }
            Vec::new()
        }
        // Keeps a connection until the process ends.
        "attend" => {
            std::mem::forget(UnixStream::connect(rest).unwrap());
            Vec::new()
        }
        // Waits until it is told to go on.
        "meet" => {
            let mut connection = UnixStream::connect(rest).unwrap();
            let mut byte = [0];
            connection.read_exact(&mut byte).unwrap();
            byte.to_vec()
        }
        "garbage" => {
            OpenOptions::new().write(true).open(PROTOCOL).unwrap().write_all(rest.as_bytes()).unwrap();
            hang()
        }
        "room" => {
            let room = Vec::<u8>::new().try_reserve_exact(rest.parse().unwrap());
            room.map_or_else(|_| b"no".to_vec(), |()| b"yes".to_vec())
        }
        "eat" => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(Vec::<u8>::with_capacity(1 << 24));
                std::hint::black_box(&eaten);
            }
        }
        _ => panic!("unknown request {text}"),
    }
}

fn hang() -> ! {
    loop {
        std::thread::park();
    }
}

/// A frame as `cache_core::worker` sends it.
fn frame(payload: &[u8]) -> Vec<u8> {
    [b"RPF1".as_slice(), &u32::try_from(payload.len()).unwrap().to_le_bytes(), payload].concat()
}

#[test]
fn a_child_serves_what_it_reads_until_its_input_ends() {
    match std::env::var(ROLE) {
        Ok(role) if role == "serve" => {
            let protocol = OpenOptions::new().write(true).open(PROTOCOL).unwrap();
            serve_on(std::io::stdin(), protocol, Orphaned::end, handle).unwrap();
            std::process::exit(0);
        }
        Ok(role) => {
            // A parent that is going to be killed, while its child is at work or when it has answered.
            let mut supervisor = Supervisor::new(child());
            let answered = ask(&mut supervisor, &role);
            assert!(role.starts_with("help"), "the child was not to answer {answered:?}");
            hang();
        }
        Err(_) => {
            let greeting = [1_u32.to_le_bytes().as_slice(), &u64::MAX.to_le_bytes()].concat();
            let input = [frame(&greeting), frame(b"echo one"), frame(b"bytes 2")].concat();
            let mut output = Vec::new();
            serve_on(Cursor::new(input), &mut output, |_| {}, handle).unwrap();
            assert_eq!(output, [frame(&1_u32.to_le_bytes()), frame(b"one"), frame(&[7, 7])].concat());
        }
    }
}

#[test]
fn a_child_without_a_parent_says_so() {
    let mut output = Vec::new();
    let error = serve_on(Cursor::new(b"hello, hello".to_vec()), &mut output, |_| {}, handle).unwrap_err();
    assert!(error.to_string().contains("started by another"), "{error}");
    assert!(output.is_empty());
}

/// What it has started for that answer works for nobody.
#[test]
fn a_child_whose_answer_cannot_be_written_ends_what_it_has_started() {
    static ORPHANED: AtomicBool = AtomicBool::new(false);
    // There is room for the frame that says that it is ready.
    let mut output = [0; 12];
    let greeting = [1_u32.to_le_bytes().as_slice(), &u64::MAX.to_le_bytes()].concat();
    // The input does not end.
    let (input, mut parent) = UnixStream::pair().unwrap();
    parent.write_all(&[frame(&greeting), frame(b"echo one")].concat()).unwrap();
    serve_on(input, output.as_mut_slice(), |_| ORPHANED.store(true, SeqCst), handle).unwrap_err();
    assert!(ORPHANED.load(SeqCst));
}

#[test]
fn a_child_is_started_on_the_first_request_and_kept() {
    let mut supervisor = Supervisor::new(child());
    assert_eq!(supervisor.starts(), 0);
    assert_eq!(ask(&mut supervisor, "echo one").unwrap(), "one");
    assert_eq!(ask(&mut supervisor, "echo two").unwrap(), "two");
    assert_eq!(supervisor.starts(), 1);
    let long = "x".repeat(3_000_000);
    assert_eq!(ask(&mut supervisor, &format!("echo {long}")).unwrap(), long);
    supervisor.stop();
    assert_eq!(ask(&mut supervisor, "echo three").unwrap(), "three");
    assert_eq!(supervisor.starts(), 2);
}

#[test]
fn a_child_that_ends_costs_one_answer() {
    let mut supervisor = Supervisor::new(child());
    for (request, how, said) in [
        ("exit 3", "exit status: 3", ""),
        ("abort", "signal: 6", ""),
        ("panic hello", "exit status: 101", "the engine said hello"),
    ] {
        let error = ask(&mut supervisor, request).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, WorkerError::Died { .. }), "{error:?}");
        assert!(text.contains(how) && text.contains(said), "{text}");
        assert_eq!(ask(&mut supervisor, "echo next").unwrap(), "next");
    }
    assert_eq!(supervisor.starts(), 4);
}

#[test]
fn a_child_that_ended_while_it_had_nothing_to_do_costs_no_answer() {
    let mut supervisor = Supervisor::new(child());
    let process = ask(&mut supervisor, "process").unwrap();
    assert!(Command::new("kill").args(["-KILL", &process]).status().unwrap().success());
    // It has ended once nothing but its status is left: of its first thread, and none of the others, which may
    // end later.
    let ended = |stat: String| {
        let facts: Vec<&str> = stat.rsplit(") ").next().unwrap_or("").split(' ').collect();
        facts.first() == Some(&"Z") && facts.get(17).is_none_or(|threads| matches!(*threads, "0" | "1"))
    };
    let status = format!("/proc/{process}/stat");
    while std::fs::read_to_string(&status).is_ok_and(|stat| !ended(stat)) {
        std::thread::yield_now();
    }
    assert_eq!(ask(&mut supervisor, "echo again").unwrap(), "again");
}

#[test]
fn a_child_that_hangs_costs_one_answer() {
    let mut supervisor = Supervisor::new(child());
    let error = supervisor.ask(b"hang", Some(Duration::from_millis(1))).unwrap_err();
    assert!(matches!(error, WorkerError::Deadline { .. }), "{error:?}");
    assert_eq!(ask(&mut supervisor, "echo next").unwrap(), "next");
    assert_eq!(supervisor.ask(b"echo soon", Some(PATIENCE)).unwrap(), b"soon");
    assert_eq!(supervisor.ask(b"echo never", Some(Duration::MAX)).unwrap(), b"never");
}

#[test]
fn a_child_that_takes_too_much_memory_costs_one_answer() {
    let limit = 1 << 30;
    let mut supervisor = Supervisor::new(child().memory_bytes(limit));
    let more = format!("room {}", 3 * (limit / 2));
    assert_eq!(ask(&mut Supervisor::new(child()), &more).unwrap(), "yes");
    assert_eq!(ask(&mut supervisor, &more).unwrap(), "no");
    let error = ask(&mut supervisor, "eat").unwrap_err();
    assert!(matches!(error, WorkerError::Memory { limit: told, .. } if told == limit), "{error:?}");
    assert_eq!(ask(&mut supervisor, "echo next").unwrap(), "next");
}

#[test]
fn a_limit_that_cannot_be_set_is_a_failure_to_start() {
    let lower = "ulimit -Hv 4000000; exec 3>&1 1>/dev/null; exec \"$0\" \"$@\"";
    let mut config = child().memory_bytes(1 << 50);
    config.arguments[1] = lower.into();
    let raised = ask(&mut Supervisor::new(config), "echo one");
    // A privileged user may raise its limits.
    if let Err(error) = raised {
        assert!(matches!(error, WorkerError::Start { .. }), "{error:?}");
        assert!(error.to_string().contains("could not limit its memory"), "{error}");
    }
}

#[test]
fn garbage_is_an_error_and_costs_one_answer() {
    let mut supervisor = Supervisor::new(child().frame_bytes(1000));
    for (request, expected) in [
        ("garbage WARNING: this is no frame", "no answer but \"WARNING:...\""),
        ("garbage \n", "\"\\n...\""),
        ("bytes 1001", "a frame of 1001 bytes"),
        ("garbage RPF1\u{7f}\u{7f}\u{7f}\u{7f}", "a frame of 2139062143 bytes"),
    ] {
        let error = ask(&mut supervisor, request).unwrap_err();
        assert!(matches!(error, WorkerError::Garbage { .. }), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(ask(&mut supervisor, "echo next").unwrap(), "next");
    }
    let longest = format!("echo {}", "x".repeat(995));
    assert_eq!(ask(&mut supervisor, &longest).unwrap(), longest[5..]);
    let error = supervisor.ask(&[b'x'; 1001], None).unwrap_err();
    assert!(matches!(error, WorkerError::TooLarge { bytes: 1001, bound: 1000 }), "{error:?}");
}

#[test]
fn a_program_that_cannot_be_started_says_why() {
    let start = |mut config: WorkerConfig| {
        config.start_deadline = if config.arguments == ["60"] { Duration::from_millis(1) } else { PATIENCE };
        let error = ask(&mut Supervisor::new(config), "echo one").unwrap_err();
        assert!(matches!(error, WorkerError::Start { .. }), "{error:?}");
        error.to_string()
    };
    let shell = |script: &str| {
        let mut config = WorkerConfig::new("/bin/sh");
        config.arguments = vec!["-c".into(), script.into(), "/bin/sh".into()];
        config
    };
    assert_eq!(
        start(WorkerConfig::new("/nowhere/solver")),
        "could not start `/nowhere/solver`: No such file or directory (os error 2)"
    );
    let loader = "echo \"$0: error while loading shared libraries: libz3.so.5.4: cannot open shared object \
                  file: No such file or directory\" >&2; exit 127";
    assert_eq!(
        start(shell(loader)),
        "could not start `/bin/sh`: libz3.so.5.4: cannot open shared object file: No such file or directory"
    );
    assert!(start(shell("exit 4")).ends_with("it ended before it was ready (exit status: 4)"));
    assert!(start(shell("echo hello; cat >/dev/null")).ends_with("it does not speak the worker protocol"));
    let mut sleeper = WorkerConfig::new("/bin/sleep");
    sleeper.arguments = vec!["60".into()];
    assert!(start(sleeper).ends_with("it was not ready within 1ms"));
}

/// Where a child shows that it is at work.
struct Meeting {
    _folder: tempfile::TempDir,
    listener: UnixListener,
    path: String,
}

impl Meeting {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("meeting");
        let listener = UnixListener::bind(&path).unwrap();
        Self { _folder: folder, listener, path: path.to_str().unwrap().to_owned() }
    }

    fn arrival(&self) -> UnixStream {
        let (connection, _) = self.listener.accept().unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        connection
    }
}

/// Waits until the program that a child has started is there.
fn started(meeting: &Meeting) -> UnixStream {
    let mut connection = meeting.arrival();
    connection.read_exact(&mut [0]).unwrap();
    connection
}

fn ends(mut connection: UnixStream) {
    // What it said before does not count.
    while connection.read(&mut [0]).unwrap() > 0 {}
}

#[test]
fn a_child_whose_parent_is_killed_goes_away_in_the_middle_of_a_request() {
    let meeting = Meeting::new();
    let mut parent = Command::new(std::env::current_exe().unwrap())
        .args(this_test())
        .env(ROLE, format!("hold {}", meeting.path))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let at_work = meeting.arrival();
    parent.kill().unwrap();
    parent.wait().unwrap();
    ends(at_work);
}

#[test]
fn a_dropped_supervisor_leaves_no_child() {
    let meeting = Meeting::new();
    let mut supervisor = Supervisor::new(child());
    ask(&mut supervisor, &format!("attend {}", meeting.path)).unwrap();
    let alive = meeting.arrival();
    drop(supervisor);
    ends(alive);
}

#[test]
fn what_a_child_has_started_ends_with_it() {
    // The supervisor ends the child.
    let meeting = Meeting::new();
    let mut supervisor = Supervisor::new(child());
    let cancel = Cancel::new();
    let request = format!("start {}", meeting.path);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| supervisor.ask_unless(&cancel, request.as_bytes(), None));
        let at_work = started(&meeting);
        cancel.cancel();
        assert!(matches!(asking.join().unwrap(), Err(WorkerError::Cancelled)));
        ends(at_work);
    });
    // The child ends by itself, and its status is told all the same.
    let error = ask(&mut supervisor, &format!("leave {}", meeting.path)).unwrap_err();
    assert!(error.to_string().contains("exit status: 3"), "{error}");
    ends(meeting.arrival());
    assert_eq!(ask(&mut supervisor, "echo next").unwrap(), "next");
}

#[test]
fn what_a_child_has_started_ends_with_its_parent() {
    // In the middle of a request, and behind one.
    for role in ["start", "help"] {
        let meeting = Meeting::new();
        let mut parent = Command::new(std::env::current_exe().unwrap())
            .args(this_test())
            .env(ROLE, format!("{role} {}", meeting.path))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let at_work = started(&meeting);
        parent.kill().unwrap();
        parent.wait().unwrap();
        ends(at_work);
    }
}

#[test]
fn a_child_that_ends_is_not_taken_for_one_that_hangs() {
    // What it has started holds its output open beyond the deadline, which is nearer than what its end may take.
    let meeting = Meeting::new();
    let mut supervisor = Supervisor::new(child());
    ask(&mut supervisor, "echo started").unwrap();
    let request = format!("leave {}", meeting.path);
    let error = supervisor.ask(request.as_bytes(), Some(Duration::from_millis(300))).unwrap_err();
    assert!(matches!(error, WorkerError::Died { .. }), "{error}");
    ends(meeting.arrival());
}

#[test]
fn a_request_is_cancelled_from_another_thread() {
    let meeting = Meeting::new();
    let mut supervisor = Supervisor::new(child());
    let cancel = Cancel::new();
    let request = format!("hold {}", meeting.path);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| supervisor.ask_unless(&cancel, request.as_bytes(), None));
        let at_work = meeting.arrival();
        cancel.cancel();
        assert!(matches!(asking.join().unwrap(), Err(WorkerError::Cancelled)));
        ends(at_work);
    });
    let error = supervisor.ask_unless(&cancel, b"echo one", None).unwrap_err();
    assert!(matches!(error, WorkerError::Cancelled), "the switch stays thrown");
    assert_eq!(ask(&mut supervisor, "echo next").unwrap(), "next");
}

fn requests(texts: &[&str], deadline: Option<Duration>) -> Vec<Request> {
    texts.iter().map(|text| Request { bytes: text.as_bytes().to_vec(), deadline }).collect()
}

#[test]
fn a_pool_answers_every_request_once_whatever_some_children_do() {
    let mut pool = Pool::new(&child(), NonZeroUsize::new(3).unwrap());
    assert_eq!(pool.starts(), 0);
    let mut texts: Vec<String> = (0..20).map(|number| format!("echo {number}")).collect();
    texts[4] = "exit 1".into();
    texts[9] = "garbage nonsense".into();
    let mut requests = requests(&texts.iter().map(String::as_str).collect::<Vec<_>>(), None);
    requests[13] = Request { bytes: b"hang".to_vec(), deadline: Some(Duration::from_millis(1)) };
    let mut results: Vec<Option<Result<String, WorkerError>>> = (0..20).map(|_| None).collect();
    pool.run(&requests, &Cancel::new(), |index, result| {
        let result = result.map(|answer| String::from_utf8(answer).unwrap());
        assert!(results[index].replace(result).is_none());
    });
    for (index, result) in results.into_iter().enumerate() {
        match (index, result.unwrap()) {
            (4, result) => assert!(matches!(result, Err(WorkerError::Died { .. }))),
            (9, result) => assert!(matches!(result, Err(WorkerError::Garbage { .. }))),
            (13, result) => assert!(matches!(result, Err(WorkerError::Deadline { .. }))),
            (_, result) => assert_eq!(result.unwrap(), index.to_string()),
        }
    }
    assert!((4..=6).contains(&pool.starts()), "three, and one more for each failure that had a successor");
}

#[test]
fn the_children_of_a_pool_work_side_by_side() {
    let meeting = Meeting::new();
    let request = format!("meet {}", meeting.path);
    let mut pool = Pool::new(&child(), NonZeroUsize::new(2).unwrap());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Neither goes on before both are at work.
            let both = [meeting.arrival(), meeting.arrival()];
            for mut connection in both {
                connection.write_all(b"!").unwrap();
            }
        });
        let mut answered = 0;
        pool.run(&requests(&[&request, &request], Some(PATIENCE)), &Cancel::new(), |_, result| {
            assert_eq!(result.unwrap(), b"!");
            answered += 1;
        });
        assert_eq!(answered, 2);
    });
}

#[test]
fn a_pool_can_be_cancelled_by_what_a_result_says() {
    let mut pool = Pool::new(&child(), NonZeroUsize::new(2).unwrap());
    let cancel = Cancel::new();
    let mut answered = Vec::new();
    pool.run(&requests(&["echo 0", "hang", "hang", "hang"], None), &cancel, |index, result| {
        cancel.cancel();
        answered.push((index, matches!(result, Err(WorkerError::Cancelled))));
    });
    answered.sort_unstable();
    assert_eq!(answered, [(0, false), (1, true), (2, true), (3, true)]);
}

#[test]
fn the_last_words_of_a_child_are_kept_within_bounds() {
    let mut config = WorkerConfig::new("/bin/sh");
    let script = "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done >&2; exit 1";
    config.arguments = vec!["-c".into(), script.into()];
    let text = ask(&mut Supervisor::new(config), "echo one").unwrap_err().to_string();
    assert!(text.ends_with("line 2999") && !text.contains("line 100\n"), "{text}");
    assert!(text.len() < 10_000);
}

#[test]
fn a_request_is_waited_for_as_long_as_it_is_wanted() {
    let mut supervisor = Supervisor::new(child());
    assert_eq!(supervisor.ask_while(&|| true, b"echo wanted", None).unwrap(), b"wanted");
    let looks = Cell::new(0);
    let wanted = || {
        looks.set(looks.get() + 1);
        looks.get() < 3
    };
    let ended = supervisor.ask_while(&wanted, b"hang", Some(PATIENCE));
    assert!(matches!(ended, Err(WorkerError::Cancelled)), "{ended:?}");
    assert_eq!(looks.get(), 3);
    // It ends at its deadline as any other, however much it is wanted.
    let ended = supervisor.ask_while(&|| true, b"hang", Some(Duration::from_millis(150)));
    assert!(matches!(ended, Err(WorkerError::Deadline { .. })), "{ended:?}");
    assert_eq!(ask(&mut supervisor, "echo again").unwrap(), "again");
}

#[test]
fn a_pool_that_was_stopped_starts_anew() {
    let mut pool = Pool::new(&child(), NonZeroUsize::new(1).unwrap());
    let ask = |pool: &mut Pool| {
        pool.run(&requests(&["echo 1"], None), &Cancel::new(), |_, result| assert_eq!(result.unwrap(), b"1"));
        pool.starts()
    };
    assert_eq!((ask(&mut pool), ask(&mut pool)), (1, 1));
    pool.stop();
    assert_eq!(ask(&mut pool), 2);
}

#[test]
fn only_who_has_a_limit_and_says_so_ran_out_of_memory() {
    for (limit, words, memory) in [
        (Some(1 << 32), "memory allocation of 7 bytes failed", true),
        (Some(1 << 32), "terminate called after throwing an instance of 'std::bad_alloc'", true),
        (Some(1 << 32), "assertion failed", false),
        (None, "(error \"out of memory\")", false),
    ] {
        let mut config = child();
        config.memory_bytes = limit;
        match ask(&mut Supervisor::new(config), &format!("die {words}")).unwrap_err() {
            WorkerError::Memory { limit, .. } => assert!(memory && limit == 1 << 32, "{words}"),
            WorkerError::Died { said, .. } => assert!(!memory && said.contains(words), "{words}: {said}"),
            other => panic!("{words}: {other}"),
        }
    }
}

#[test]
fn a_supervisor_shows_its_state() {
    let mut supervisor = Supervisor::new(child());
    assert!(format!("{supervisor:?}").contains("running: false, starts: 0"), "{supervisor:?}");
    ask(&mut supervisor, "echo one").unwrap();
    assert!(format!("{supervisor:?}").contains("running: true, starts: 1"), "{supervisor:?}");
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(format!("{cancel:?}").contains("cancelled: true"), "{cancel:?}");
}

#[test]
fn options_leave_each_other_alone() {
    let second = Duration::from_secs(1);
    let config = WorkerConfig::new("p")
        .frame_bytes(3)
        .start_deadline(second)
        .memory_bytes(7)
        .variable("A", "1")
        .arguments(["x"])
        .variable("B", "2");
    let WorkerConfig { program, arguments, environment, memory_bytes, start_deadline, frame_bytes, .. } =
        config;
    assert_eq!((program.to_str(), arguments), (Some("p"), vec![OsString::from("x")]));
    assert_eq!(environment, [("A".into(), "1".into()), ("B".into(), "2".into())]);
    assert_eq!((memory_bytes, start_deadline, frame_bytes), (Some(7), second, 3));
}

#[test]
fn who_is_not_ready_in_time_is_not_started() {
    let config = WorkerConfig::new("/bin/sh").arguments(["-c", "exec sleep 600"]);
    let error = ask(&mut Supervisor::new(config.start_deadline(Duration::from_millis(20))), "echo one");
    assert!(error.unwrap_err().to_string().contains("could not start"));
}

#[test]
fn nobody_waits_for_a_child_to_be_ready_who_wants_no_answer_any_more() {
    let looks = Cell::new(0);
    let wanted = || {
        looks.set(looks.get() + 1);
        looks.get() < 3
    };
    let mut supervisor = Supervisor::new(WorkerConfig::new("/bin/sh").arguments(["-c", "exec sleep 600"]));
    let ended = supervisor.ask_while(&wanted, b"echo one", None);
    assert!(matches!(ended, Err(WorkerError::Cancelled)), "{ended:?}");
}
