//! Uncaught exceptions in words, with the place they came from.

use crate::support::{run, run_files};
use rtcheck::session::Options;

/// Programs that start with `main`, and the lines told.
const CASES: &[(&str, &[&str])] = &[
    (
        "main :- p(f(3)).\np(X) :- X \\== 1,\n    atom_length(X, _), true.",
        &[
            "error: atom_length/2: expected an atom, found f(3)",
            " --> v.pl:3-4, in p/1",
            "note: uncaught exception: type_error(atom,f(3))",
        ],
    ),
    (
        // The last call has replaced the clause; only one clause ends in that call.
        "main :- p, nosuch(1,2).\np.",
        &[
            "error: unknown procedure nosuch/2",
            " --> v.pl:2, likely in main/0",
            "note: uncaught exception: existence_error(procedure,nosuch/2)",
            "help: define nosuch/2, correct its name, or declare it dynamic",
        ],
    ),
    (
        "main :- nosuch, p.\np.",
        &[
            "error: unknown procedure nosuch/0",
            " --> v.pl:2, in main/0",
            "note: uncaught exception: existence_error(procedure,nosuch/0)",
            "help: define nosuch/0, correct its name, or declare it dynamic",
        ],
    ),
    ("main :- throw(mine(1)), p.\np.", &["error: uncaught exception: mine(1)", " --> v.pl:2, in main/0"]),
    (
        "main :- X = a, Y is X + 1, write(Y).",
        &[
            "error: a/0 is no arithmetic function",
            " --> v.pl:2, in main/0",
            "note: uncaught exception: type_error(evaluable,a/0)",
        ],
    ),
    (
        // A place inside findall/3, which runs its goal in the same run, and inside a library predicate.
        "main :- findall(X, q(X), L), write(L).\nq(X) :- nth0(a, [1], X), write(X).",
        &[
            "error: nth0/3: expected an integer, found a",
            " --> v.pl:3, in q/1",
            "note: uncaught exception: type_error(integer,a)",
        ],
    ),
    (
        // What was caught leaves no trace.
        "main :- catch(atom_length(_, _), _, true), q, true.\nq :- X is 1/0, write(X).",
        &[
            "error: division by zero",
            " --> v.pl:3, in q/0",
            "note: uncaught exception: evaluation_error(zero_divisor)",
        ],
    ),
    (
        "main :- throw(error(type_error(list,a), foo/2)), p.\np.",
        &[
            "error: foo/2: expected a list, found a",
            " --> v.pl:2, in main/0",
            "note: uncaught exception: type_error(list,a)",
        ],
    ),
    (
        "main :- throw(error(odd(1), context(foo/2, 'why not'))), p.\np.",
        &["error: foo/2: uncaught exception: odd(1) in why not", " --> v.pl:2, in main/0"],
    ),
];

#[test]
fn uncaught_errors_are_told_in_words_with_their_place() {
    for (program, lines) in CASES {
        let ran = run(&format!(":- initialization(main).\n{program}\n"));
        assert_eq!(ran.error.lines().collect::<Vec<_>>(), *lines, "{program}");
        assert_eq!(ran.exit, 1, "{program}");
    }
}

#[test]
fn a_program_that_starts_and_exports_main_runs_it_once() {
    for start in
        [":- initialization(main).", ":- initialization(m:main).", ":- initialization(main, main).", ""]
    {
        let ran = run(&format!(":- module(m, [main/0]).\n{start}\nmain :- write(x).\n"));
        assert_eq!((ran.output.as_str(), ran.error.as_str()), ("x", ""), "{start}");
    }
}

/// Equal balls are told with the place of each: those of several directives, and those of a goal and its cleanup.
#[test]
fn equal_errors_are_told_with_their_own_places() {
    let places = |program: &str| -> Vec<String> {
        let ran = run(program);
        let places = ran.error.lines().filter(|line| line.contains(", in "));
        places.map(|line| line.rsplit(", in ").next().unwrap_or(line).to_owned()).collect()
    };
    let twice = "a :- X is foo + 1, write(X).\nb :- X is foo + 2, write(X).\n:- a.\n:- b.\n";
    assert_eq!(places(twice), ["a/0", "b/0"], "{}", run(twice).error);
    let cleanup = "a :- X is foo + 1, write(X).\nb :- X is foo + 2, write(X).\n\
        :- setup_call_cleanup(true, a, b).\n";
    assert_eq!(places(cleanup), ["a/0"], "{}", run(cleanup).error);
}

#[test]
fn a_predicate_that_a_module_keeps_to_itself_is_told_with_the_call_that_reaches_it() {
    let module = ":- module(m, [open/1]).\nopen(1).\nhidden(1, 2).\n";
    for (call, help) in [
        ("hidden(_, _)", "help: module m has it and does not export it: call m:hidden(..)"),
        ("open(_)", "help: module m exports it: import it, or call m:open(..)"),
        ("nowhere(_)", "help: define nowhere/1, correct its name, or declare it dynamic"),
    ] {
        let main = format!(":- use_module(m, []).\n:- initialization(main).\nmain :- {call}.\n");
        let ran = run_files(&[("v.pl", &main), ("m.pl", module)], &[], Options::default());
        assert!(ran.error.lines().any(|line| line.trim() == help), "{call}: {}", ran.error);
    }
}

#[test]
fn names_in_syntax_errors_are_told_as_they_are() {
    let ran = run(":- initialization(( atom_to_term('defined_predicate other_name', _, _) )).\n");
    assert!(ran.error.contains("`other_name`"), "{}", ran.error);
    assert!(!ran.error.contains("other name"), "{}", ran.error);
}
