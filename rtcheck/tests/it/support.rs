//! Runs programs in memory.

use rtcheck::base::MemorySystem;
use rtcheck::check::Counters;
use rtcheck::session::{Options, Session};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

/// What a program did.
pub(crate) struct Ran {
    pub(crate) output: String,
    pub(crate) error: String,
    pub(crate) exit: i32,
    pub(crate) counters: Counters,
}

/// Opens a program given as text under the name `v.pl`.
pub(crate) fn open(program: &str, options: Options) -> (Session, Rc<RefCell<MemorySystem>>) {
    open_files(&[("v.pl", program)], options)
}

/// Opens the first of some files.
pub(crate) fn open_files(files: &[(&str, &str)], options: Options) -> (Session, Rc<RefCell<MemorySystem>>) {
    let mut system = MemorySystem::default();
    for (path, text) in files {
        system.files.insert((*path).into(), text.as_bytes().to_vec());
    }
    let system = Rc::new(RefCell::new(system));
    let session = Session::open(Box::new(Rc::clone(&system)), Path::new(files[0].0), options)
        .expect("the file is there");
    (session, system)
}

/// Runs a program given as text.
pub(crate) fn run_with(program: &str, arguments: &[&str], options: Options) -> Ran {
    run_files(&[("v.pl", program)], arguments, options)
}

/// Runs the first of some files.
pub(crate) fn run_files(files: &[(&str, &str)], arguments: &[&str], options: Options) -> Ran {
    let (mut session, system) = open_files(files, options);
    let exit = session.run(arguments.iter().map(|&argument| argument.to_owned()).collect());
    let system = system.borrow();
    Ran {
        output: String::from_utf8(system.output.clone()).expect("programs write text"),
        error: String::from_utf8(system.error.clone()).expect("messages are text"),
        exit,
        counters: session.machine.checker.counters(),
    }
}

/// Runs a program with the default options.
pub(crate) fn run(program: &str) -> Ran {
    run_with(program, &[], Options::default())
}

/// The output of a goal that must succeed.
pub(crate) fn output(goal: &str) -> String {
    let ran = run(&format!(":- initialization(main).\nmain :- {goal}.\n"));
    assert_eq!((ran.error.as_str(), ran.exit), ("", 0), "{goal}");
    ran.output
}

/// A program of the fixtures.
pub(crate) fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/prolog").join(name);
    std::fs::read_to_string(path).expect("the fixture is there")
}
