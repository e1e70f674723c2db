//! The top level on plain input.

use rtcheck::base::MemorySystem;
use rtcheck::session::{Options, PlainLines, Session};
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

/// What a session writes to standard output and standard error, and its exit code.
fn session(files: &[(&str, &str)], input: &str) -> (String, String, i32) {
    let mut system = MemorySystem::default();
    system.input = input.as_bytes().to_vec();
    for (path, text) in files {
        system.files.insert((*path).into(), text.as_bytes().to_vec());
    }
    let system = Rc::new(RefCell::new(system));
    let mut session =
        Session::new(Box::new(Rc::clone(&system)), Options::default()).expect("the library loads");
    let loaded: Vec<PathBuf> = files.iter().take(1).map(|(path, _)| path.into()).collect();
    let code = session.top(&loaded, &mut PlainLines::default());
    let system = system.borrow();
    (
        String::from_utf8(system.output.clone()).expect("answers are text"),
        String::from_utf8(system.error.clone()).expect("messages are text"),
        code,
    )
}

#[test]
fn answers_are_those_of_other_top_levels() {
    // Queries and what SWI-Prolog answers.
    for (input, output) in [
        ("X = 1.", "X = 1.\n"),
        ("true.", "true.\n"),
        ("fail.", "false.\n"),
        ("?- X = 1.", "X = 1.\n"),
        (":- X = 1.", "X = 1.\n"),
        ("X = 1, Y = 2.", "X = 1,\nY = 2.\n"),
        ("X = Y.", "X = Y.\n"),
        ("X = 1, Y = X.", "X = Y, Y = 1.\n"),
        ("X = f(Y, Z, Z).", "X = f(Y, Z, Z).\n"),
        ("length(L, 2).", "L = [_, _].\n"),
        ("L = [A, B, A | _], M = g(_).", "L = [A, B, A|_],\nM = g(_).\n"),
        ("length(M, 1), L = [M, M].", "M = [_A],\nL = [[_A], [_A]].\n"),
        ("copy_term(f(_A, _B, _A), X).", "X = f(_C, _, _C).\n"),
        ("Y = (a :- b, c), W = - 1, V = 'A b'.", "Y = (a:-b, c),\nW = -1,\nV = 'A b'.\n"),
        ("_X = 1.", "true.\n"),
        ("member(X, [a, b]).\n;", "X = a ;\nX = b.\n"),
        ("member(X, [a, b, c]).\n;\n;", "X = a ;\nX = b ;\nX = c.\n"),
        ("member(X, [a, b]).", "X = a .\n"),
        ("member(X, [a, b]).\n\nY = 1.", "X = a .\nY = 1.\n"),
        ("member(X, [a, b]).\nY = 1.", "X = a .\nY = 1.\n"),
        ("member(X-Y, [a-1, b-2]).\n;", "X = a,\nY = 1 ;\nX = b,\nY = 2.\n"),
        ("( true ; fail ).\n;", "true ;\nfalse.\n"),
        ("write(hello).", "hello\ntrue.\n"),
        ("write(hello), nl.", "hello\ntrue.\n"),
        ("X = 1. Y = 2.", "X = 1.\nY = 2.\n"),
        ("X = f(\n  a,\n  b\n).", "X = f(a, b).\n"),
        ("X = 'a.\\\nb'.", "X = 'a.b'.\n"),
        ("% a comment.\nX = 1.", "X = 1.\n"),
        ("assertz(f(1)).\nassertz(f(2)).\nfindall(X, f(X), L).", "true.\ntrue.\nL = [1, 2].\n"),
        ("X = f(X).", "X = f(X).\n"),
        ("X = f(Y, X), Y = g(Y).", "X = f(_S1, X), _S1 = g(_S1),\nY = g(Y).\n"),
        ("op(700, xfx, ===>).\nX = (a ===> b).", "true.\nX = (a===>b).\n"),
    ] {
        let (answered, error, code) = session(&[], input);
        let same = if output.ends_with('\n') { answered == output } else { answered.starts_with(output) };
        assert!(same, "{input}\nanswered {answered}\ndemanded {output}\n{error}");
        assert_eq!((error.as_str(), code), ("", 0), "{input}");
    }
}

#[test]
fn a_session_survives_what_goes_wrong() {
    let program = ":- pred q(X) : atm(X).\nq(_).\nr :- q(1).\n";
    for (input, error) in [
        ("X = .", "syntax error"),
        ("foo(1).", "existence_error(procedure,foo/1)"),
        ("throw(my).", "uncaught exception: my"),
        ("X is a.", "type_error(evaluable,a/0)"),
        ("q(1).", "Requires in *calls*"),
        ("r.", "Requires in *calls*"),
        ("[nowhere].", "existence_error(source_sink,nowhere)"),
        ("1.", "type_error(callable,1)"),
        ("X.", "instantiation_error"),
        ("atom(X", "syntax error"),
    ] {
        let (answered, told, code) = session(&[("p.pl", program)], &format!("{input}\nq(a).\n"));
        if input == "atom(X" {
            // The rest of the text belongs to it.
            assert!(told.contains(error) && code == 0, "{told}");
            continue;
        }
        assert_eq!((answered.as_str(), code), ("true.\n", 0), "{input}: {told}");
        assert!(told.contains(error), "{input}: {told}");
    }
}

#[test]
fn programs_are_loaded_at_the_prompt() {
    let files = [
        ("p.pl", ":- use_module(m).\np(X) :- q(X).\n"),
        ("m.pl", ":- module(m, [q/1]).\nq(1).\nhidden(2).\n"),
        ("more.pl", "more(3).\n"),
    ];
    for (input, output) in [
        ("p(X).", "X = 1.\n"),
        ("q(X).", "X = 1.\n"),
        ("m:hidden(X).", "X = 2.\n"),
        ("[more].\nmore(X).", "true.\nX = 3.\n"),
        ("consult(more).\nmore(X).", "true.\nX = 3.\n"),
        ("[user].\nown(1).\nown(2).\nend_of_file.\nfindall(X, own(X), L).", "true.\nL = [1, 2].\n"),
        ("module(m).\nhidden(X).", "true.\nX = 2.\n"),
    ] {
        let (answered, error, code) = session(&files, input);
        assert_eq!((answered.as_str(), error.as_str(), code), (output, "", 0), "{input}");
    }
}

#[test]
fn halt_ends_the_session_with_its_code() {
    assert_eq!(session(&[], "halt(3).\nwrite(no).\n"), (String::new(), String::new(), 3));
    assert_eq!(session(&[("p.pl", ":- halt(4).\n")], "write(no).\n"), (String::new(), String::new(), 4));
    assert_eq!(session(&[], ""), (String::new(), String::new(), 0));
}

#[test]
fn statistics_count_what_was_checked() {
    let program = ":- pred q(X) : list(X).\nq(_).\n";
    let (output, _, _) = session(&[("p.pl", program)], "q([a]), q([]).\nrtcheck_statistics.\n");
    let count = output.lines().find_map(|line| line.strip_prefix("checks")).map(str::trim);
    assert_eq!(count, Some("2"), "{output}");
}

#[test]
fn help_is_there() {
    let (output, _, _) = session(&[], "help.\n");
    assert!(output.contains("ends the session"), "{output}");
}
