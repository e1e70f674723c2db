//! The top level on plain input.

use rtcheck::base::MemorySystem;
use rtcheck::machine::Machine;
use rtcheck::session::{Line, Lines, Options, PlainLines, Session};
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
fn answers_that_are_undefined_come_with_what_they_rest_on() {
    let text = ":- table p/0, q/0, v/1.\np :- tnot(q).\nq :- tnot(p).\nv(X) :- member(X, [1, 2]), ( X =:= 2 -> undefined ; true ).\n";
    let (output, _, _) =
        session(&[("wfs.pl", text)], "p.\nX = 1.\nX = 2, v(X).\nv(1).\nundefined.\n( p ; true ).\n;\n");
    // As in SWI-Prolog.
    let residual = "% WFS residual program\n    p :-\n        tnot(q).\n    q :-\n        tnot(p).\np";
    assert_eq!(
        output,
        format!(
            "{residual}.\nX = 1.\n% WFS residual program\n    v(2) :-\n        undefined.\nX = 2,\nv(2).\ntrue.\n\
             undefined.\n{residual} ;\ntrue.\n"
        )
    );
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

/// What the tracer shows, with variables by one name.
fn traced(program: &str, input: &str) -> (String, String) {
    let (output, error, _) = session(&[("v.pl", program)], input);
    let mut shown = String::new();
    let mut characters = error.chars().peekable();
    while let Some(character) = characters.next() {
        shown.push(character);
        if character == '_' {
            while characters.next_if(char::is_ascii_digit).is_some() {}
        }
    }
    (output, shown)
}

const CHOICES: &str = "p(X) :- q(X), r(X).\nq(1). q(2). q(3).\nr(X) :- X > 1.\nc(X) :- q(X), !, r(X).\nc(9).\n\
    t(X) :- q(X), X =:= 2, throw(oops).\n:- dynamic d/1.\nd(5). d(6).\nm(L) :- findall(X, d(X), L), maplist(r, L).\n";

#[test]
fn the_tracer_shows_calls_at_their_ports() {
    let (output, shown) = traced(CHOICES, "trace, p(X).\n;\n");
    assert_eq!(output, "X = 2 ;\nX = 3.\n");
    assert_eq!(
        shown,
        "   Call: (1) p(_)\n   Call: (2) q(_)\n   Exit: (2) q(1)\n   Call: (2) r(1)\n   Fail: (2) r(1)\n   \
         Redo: (2) q(1)\n   Exit: (2) q(2)\n   Call: (2) r(2)\n   Exit: (2) r(2)\n   Exit: (1) p(2)\n   \
         Redo: (1) p(2)\n   Redo: (2) q(2)\n   Exit: (2) q(3)\n   Call: (2) r(3)\n   Exit: (2) r(3)\n   \
         Exit: (1) p(3)\n"
    );
    let (output, shown) = traced(CHOICES, "trace.\nt(_).\nm(L).\nnotrace.\nm(L).\n");
    assert!(
        shown.starts_with(
            "   Call: (1) t(_)\n   Call: (2) q(_)\n   Exit: (2) q(1)\n   Redo: (2) q(1)\n   Exit: (2) q(2)\n   \
             Exception: (1) t(_) throws oops\nerror: uncaught exception: oops\n"
        ),
        "{shown}"
    );
    // Dynamic predicates, and calls by predicates of the library; nothing once it is off.
    assert!(
        shown.ends_with(
            "   Call: (1) m(_)\n   Call: (2) d(_)\n   Exit: (2) d(5)\n   Redo: (2) d(5)\n   Exit: (2) d(6)\n   \
             Call: (2) r(5)\n   Exit: (2) r(5)\n   Call: (2) r(6)\n   Exit: (2) r(6)\n   Exit: (1) m([5,6])\n"
        ),
        "{shown}"
    );
    assert_eq!(output, "true.\nL = [5, 6].\ntrue.\nL = [5, 6].\n");
}

#[test]
fn a_spy_point_is_waited_for() {
    let (output, shown) =
        traced(CHOICES, "spy(r/1).\nc(X).\nnospy(r/1), debug.\nc(X).\ndebugging.\nspy(nobody).\n");
    assert!(shown.starts_with(" * Call: (2) r(1)\n * Fail: (2) r(1)\n   Fail: (1) c(_)\n"), "{shown}");
    assert!(shown.contains("unknown procedure nobody") || shown.contains("nobody"), "{shown}");
    assert_eq!(shown.matches("Call").count(), 1, "{shown}");
    assert!(output.contains("The tracer is on, until a spy point is called.\nNo spy points.\n"), "{output}");
}

#[test]
fn the_tracer_asks_at_leashed_ports() {
    // Skip, retry, fail, leap, end: each where it is asked, and then the next query.
    let asked = |commands: &str| traced(CHOICES, &format!("leash(all), trace, p(X).\n{commands}"));
    let (output, shown) = asked("s\n\n");
    assert_eq!(shown, "   Call: (1) p(_) ? \n   Exit: (1) p(2) ? \n");
    assert_eq!(output, "X = 2 .\n");
    let (_, shown) = asked("c\nf\n\nn\n");
    assert_eq!(
        shown,
        "   Call: (1) p(_) ? \n   Call: (2) q(_) ? \n   Fail: (2) q(_) ? \n   Fail: (1) p(_) ? \n"
    );
    let (output, shown) = asked("s\nr\ns\n\n\n");
    assert_eq!(shown.matches("Call: (1) p(_)").count(), 2, "{shown}");
    assert_eq!(output, "X = 2 .\n");
    let (_, shown) = asked("c\nc\na\np(3).\n");
    assert!(
        shown.starts_with("   Call: (1) p(_) ? \n   Call: (2) q(_) ? \n   Exit: (2) q(1) ? \n"),
        "{shown}"
    );
    let (output, shown) = asked("l\n\n");
    assert_eq!((output.as_str(), shown.as_str()), ("X = 2 .\n", "   Call: (1) p(_) ? \n"));
    let (_, shown) = asked("h\nw\n+\ns\nn\n");
    assert!(shown.contains("skip to the end of this call"), "{shown}");
    // The input ends where somebody is asked.
    let (_, shown) = asked("");
    assert!(shown.contains("Exit: (1) p(2)"), "{shown}");
    let (_, shown) = traced(CHOICES, "leash([call, nothing]).\nleash(_), spy(_).\nspy(3).\n");
    assert!(shown.contains("leash_port") && shown.contains("predicate_indicator"), "{shown}");
}

#[test]
fn a_traced_program_is_checked_and_does_the_same() {
    let program = ":- use_package(assertions).\n:- use_package(regtypes).\n\
        :- regtype ints(L).\nints([]).\nints([X|Xs]) :- int(X), ints(Xs).\n\
        :- pred sum(L, S) : ints(L) => int(S).\nsum([], 0).\nsum([X|Xs], S) :- sum(Xs, S0), S is S0 + X.\n\
        all(S) :- sum([1, 2, 3], S).\nnone(S) :- sum([1, a], S).\n\
        loop(0) :- !.\nloop(N) :- M is N - 1, loop(M).\n";
    let (plain, violated) = traced(program, "all(S).\nnone(S).\n");
    let (output, shown) = traced(program, "trace, all(S).\nnone(S).\n");
    assert_eq!(output, plain);
    assert!(
        violated.contains("ints")
            && shown.contains("violates calls")
            && shown.contains("Requires in *calls*"),
        "{shown}"
    );
    // A deep recursion is as deep as without the tracer, as far as its depth is told.
    let (output, shown) = traced(program, "trace, loop(300).\n");
    assert_eq!(output, "true.\n");
    assert_eq!((shown.matches("Call:").count(), shown.matches("Exit:").count()), (301, 301));
}

/// Somebody at a terminal, who types lines and presses keys.
struct Typed {
    lines: std::vec::IntoIter<String>,
}

impl Lines for Typed {
    fn line(&mut self, _machine: &mut Machine, _prompt: &str) -> Line {
        self.lines.next().map_or(Line::End, Line::Text)
    }

    fn is_terminal(&self) -> bool {
        true
    }

    fn offer(&mut self, _names: &mut dyn FnMut() -> Vec<String>) {}
}

/// What somebody sees who types lines, and these keys where keys are asked for.
fn typed(lines: &[&str], keys: &str) -> (String, String) {
    let mut system = MemorySystem::default();
    system.keys = keys.as_bytes().to_vec();
    let system = Rc::new(RefCell::new(system));
    let mut session =
        Session::new(Box::new(Rc::clone(&system)), Options::default()).expect("the library loads");
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(session.top(&[], &mut Typed { lines: lines.into_iter() }), 0);
    let system = system.borrow();
    assert!(system.keys.is_empty(), "keys that nobody asked for: {:?}", system.keys);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("what is written is text");
    (text(&system.output), text(&system.error))
}

#[test]
fn a_key_is_enough_for_the_next_answer() {
    let member = "member(X, [a, b, c]).";
    for (keys, shown) in [
        (";;", "X = a ;\nX = b ;\nX = c.\n"),
        (" n", "X = a ;\nX = b ;\nX = c.\n"),
        ("\n", "X = a .\n"),
        ("xy.", "X = a .\n"),
        (";\u{3}", "X = a ;\nX = b .\n"),
    ] {
        assert_eq!(typed(&[member], keys).0, shown, "{keys}");
    }
    let (shown, _) = typed(&[member], "h.");
    assert!(shown.contains("another answer") && shown.ends_with("X = a .\n"), "{shown}");
    // The keys have an end.
    assert_eq!(typed(&[member], "").0, "X = a .\n");
}

#[test]
fn a_long_answer_is_shortened_for_a_terminal_and_shown_whole_where_it_is_asked_for() {
    let list = "numlist(1, 20, L)";
    let (short, whole) = ("[1, 2, 3, 4, 5, 6, 7, 8, 9|...]", "18, 19, 20]");
    let (shown, _) = typed(&[&format!("{list}."), "w."], "");
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("L = [1, 2, 3") && lines[0].ends_with("|...]."), "{shown}");
    assert!(lines[0].len() <= short.len() + 5, "{shown}");
    assert!(lines[1].ends_with(&format!("{whole}.")), "{shown}");
    let (shown, _) = typed(&[&format!("{list}, ( true ; true ).")], "w;");
    assert!(shown.contains("[whole]\n") && shown.contains(&format!("{whole} ;\n")), "{shown}");
    // Whoever reads from a pipe gets all of it, and a program may have a `w` of its own.
    assert!(session(&[], &format!("{list}.\n")).0.ends_with(&format!("{whole}.\n")));
    let (shown, _) = typed(&["assertz(w).", "w."], "");
    assert_eq!(shown, "true.\ntrue.\n");
}

#[test]
fn a_clause_at_the_prompt_is_explained() {
    for clause in ["foo(1) :- bar(2).", "s --> [a], s."] {
        let (shown, told) = typed(&[clause, "X = 1."], "");
        assert!(told.contains("this is a clause") && told.contains("[user]"), "{told}");
        assert_eq!(shown, "X = 1.\n");
    }
}

#[test]
fn the_tracer_obeys_keys() {
    let lines = ["assertz((p :- q)).", "assertz(q).", "trace, p."];
    let (_, told) = typed(&lines, "c\nwn");
    assert!(told.contains("Call: (2) q") && told.contains("Exit: (2) q"), "{told}");
    let (shown, told) = typed(&lines, "\u{3}");
    assert!(!shown.ends_with("true.\ntrue.\ntrue.\n"), "it was interrupted: {shown}{told}");
}

#[test]
fn help_and_apropos_answer_from_the_manual() {
    let program = ":- module(a, [fact/2]).\nfact(0, 1).\nfact(1, 1).\n";
    let ask = |goal: &str| session(&[("a.pl", program)], &format!("{goal}\n"));
    for (goal, said) in [
        ("help(append/3).", "append(?Xs, ?Ys, ?XsYs)\n"),
        ("help(maplist/5).", "maplist(:Goal, ?Xs, ...)"),
        ("help(=..).", "?Term =.. ?List"),
        ("help(fact/2).", "fact/2: a.pl:2"),
        ("help(digits//1).", "Grammar rules"),
        ("help(nowhere).", "Nothing is said of nowhere. apropos(nowhere)"),
        ("apropos(permutation).", "permutation/2"),
        ("apropos(\"Standard order\").", "msort/2"),
        ("apropos(nowhere).", "Nothing speaks of nowhere."),
        ("help.", "help(append/3)"),
    ] {
        let (shown, told, _) = ask(goal);
        assert!(shown.contains(said), "{goal}: {shown}{told}");
        assert_eq!(told, "", "{goal}");
    }
    assert!(ask("help(_).").1.contains("instantiation_error"));
    assert!(ask("help(1).").1.contains("type_error(predicate_indicator"));
}

#[test]
fn listing_follows_what_is_imported_and_tells_what_is_built_in() {
    let program = ":- module(a, [fact/2]).\nfact(0, One) :- One = 1.\n";
    let (shown, told, _) = session(&[("a.pl", program)], "listing(fact/2).\nlisting(append/3).\n");
    assert!(shown.contains("fact(0, One) :-\n"), "{shown}{told}");
    assert!(shown.contains("% append/3 is built in; help(append/3) tells what it does."), "{shown}{told}");
    let (shown, told, _) = session(&[("a.pl", program)], "listing(nowhere).\nlisting(fact/7).\n");
    for what in ["nowhere", "fact/7"] {
        assert!(told.contains(&format!("there is no predicate {what} to list")), "{shown}{told}");
    }
}

#[test]
fn files_that_changed_are_loaded_again() {
    let mut system = MemorySystem::default();
    for (path, text) in [
        ("a.pl", ":- module(a, [p/1]).\n:- use_module(b).\np(1).\n"),
        ("b.pl", ":- module(b, [q/1]).\nq(1).\n"),
        ("c.pl", "r(1).\n"),
    ] {
        system.files.insert(path.into(), text.as_bytes().to_vec());
    }
    let program = "make.\n\
        open('a.pl', write, S), write(S, ':- module(a, [p/1, new/1]). :- use_module(b). p(22). new(1).'), close(S).\n\
        open('b.pl', write, S), write(S, ':- module(b, [q/1]). q(333). q(4).'), close(S).\n\
        open('c.pl', write, S), write(S, 'r(55555).'), close(S).\n\
        make.\np(X).\nnew(X).\nr(X).\nb:q(X).\nq(X).\nmake.\n";
    system.input = program.as_bytes().to_vec();
    let system = Rc::new(RefCell::new(system));
    let mut session =
        Session::new(Box::new(Rc::clone(&system)), Options::default()).expect("the library loads");
    session.top(&["a.pl".into(), "c.pl".into()], &mut PlainLines::default());
    let system = system.borrow();
    let shown = String::from_utf8_lossy(&system.output);
    let again: Vec<&str> = shown.lines().filter(|line| line.starts_with('%')).collect();
    assert_eq!(again.len(), 3, "{shown}");
    assert!(shown.contains("X = 22.\nX = 1.\nX = 55555.\nX = 333 .\n"), "{shown}");
    let told = String::from_utf8_lossy(&system.error);
    assert!(told.contains("unknown procedure q/1"), "what `a` imports is not imported by `user`: {told}");
}

#[test]
fn earlier_answers_and_functions_of_dicts_are_known_to_queries() {
    // What SWI-Prolog answers.
    for (input, output) in [
        ("X = 5.\nY is $X + 1.\nprint($Y).", "X = 5.\nY = 6,\nX = 5.\n6\nY = 6.\n"),
        ("member(X, [a, b]).\n;\nY = $X.", "X = a ;\nX = b.\nY = X, X = b.\n"),
        ("X = f(A, A, _).\n$X = f(1, B, c).", "X = f(A, A, _).\nX = f(1, 1, c),\nB = 1.\n"),
        ("X = point{x: 1}.x.", "X = 1.\n"),
        ("D = _{a: 1}, Y = D.a.", "D = _{a:1},\nY = 1.\n"),
        ("writeln(_{a: 3}.a).", "3\ntrue.\n"),
    ] {
        let (answered, error, code) = session(&[], input);
        assert_eq!((answered.as_str(), error.as_str(), code), (output, "", 0), "{input}");
    }
    let (answered, error, _) = session(&[], "X = 1, fail.\nY = $X.\nZ = 2.\n");
    assert_eq!(answered, "false.\nZ = 2.\n");
    assert!(error.starts_with("error: there is no answer '$X'\n"), "{error}");
    // A long answer is not kept.
    let (_, error, _) = session(&[], "numlist(1, 5000, L).\nlength($L, N).\n");
    assert!(error.starts_with("error: there is no answer '$L'\n"), "{error}");
}

#[test]
fn what_may_have_been_meant_is_told() {
    let program = ("m.pl", "likes(mary, wine).\nfound(1).\nfound(1, 2).\n");
    for (query, perhaps) in [
        ("lenght([a], N).", " (perhaps length/2)"),
        ("appendd([], X, Y).", " (perhaps append/3)"),
        ("atomlength(a, N).", " (perhaps atom_length/2)"),
        ("liks(mary, X).", " (perhaps likes/2)"),
        ("member(a).", " (perhaps member/2)"),
        ("found.", " (perhaps found/1 or found/2)"),
        ("something_else(X).", ""),
        ("q(X).", ""),
    ] {
        let (_, error, _) = session(&[program], query);
        let told = format!(", correct its name{perhaps}, or declare it dynamic\n");
        assert!(error.ends_with(&told), "{query}: {error}");
    }
    let (_, error, _) = session(&[], "X #> 3.");
    assert!(error.contains("`:- use_module(library(clpfd)).`"), "{error}");
    // To compare long names would take the square of their length.
    let long = "a".repeat(40_000);
    let (_, error, _) = session(&[("m.pl", &format!("{long}c(1).\n"))], &format!("{long}d(X)."));
    assert!(error.ends_with(", correct its name, or declare it dynamic\n"), "{} letters", error.len());
}

#[test]
fn a_program_adds_goals_to_answers() {
    let program = ":- residual_goals(kept).\nkept --> { nb_current(k, V) }, [k = V].\n";
    let (output, error, _) = session(&[("v.pl", program)], "X = 1.\nb_setval(k, 5), Y = 2.\n");
    assert_eq!((output.as_str(), error.as_str()), ("X = 1.\nY = 2,\nk=5.\n", ""));
}

#[test]
fn what_a_newcomer_meets_first_says_how_to_go_on() {
    // Libraries that are compiled on demand are not traced.
    let (output, shown) = traced("", "use_module(library(clpfd)).\ntrace.\nX in 1..9, X #> 7, label([X]).\n");
    assert_eq!((output.lines().last(), shown.as_str()), (Some("X = 8 ."), ""));
    for (query, told) in [
        ("quit.", "`halt.` ends the program"),
        ("exit.", "`halt.` ends the program"),
        ("[nowhere].", "there is no file nowhere"),
        ("format(\"~w ~w~n\", [x]).", "format: not enough arguments"),
    ] {
        let (_, error, _) = session(&[], &format!("{query}\n"));
        assert!(error.contains(told), "{query}: {error}");
    }
}

#[test]
fn goals_of_traits_are_what_they_are_in_texts() {
    let text = ":- use_package(traits).\n:- trait(shape, [area/1]).\n:- impl(shape, square/1).\n\
        (square(S) as shape).area(A) :- A is S * S.\n";
    let queries = "(square(3) as shape).area(A).\nfindall(A, (square(2) as shape).area(A), As).\n";
    let (output, error, _) = session(&[("/t.pl", text)], queries);
    assert_eq!((output.as_str(), error.as_str()), ("A = 9.\nAs = [4].\n", ""));
}
