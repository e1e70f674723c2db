//! Garbage collection: programs give the same answers however often cells move, and memory stays bounded.

use crate::support::{fixture, open, run_with};
use rtcheck::session::Options;

/// Goals that keep terms alive in every way there is, each with its output.
const GOALS: &[(&str, &str)] = &[
    // Environments, arguments, variables bound after they were put into terms.
    ("build(50, L), mirror(L, M), M = [X|_], write(X-L)", "50-[1"),
    // A slot written before backtracking holds a dangling cell afterwards.
    (
        "( member(X, [1,2,3]), build(X, L), garbage, Y = f(L, Z), Z = X, X >= 3, garbage, write(Y) )",
        "f([1,2,3],3)",
    ),
    // Bindings of older variables, undone.
    (
        "X = f(A, B, C), ( member(A, [1,2]), garbage, B = A, garbage, C = [A|B], fail ; garbage, write(X) )",
        "f(_",
    ),
    // Early reset must not touch what the goal going on still reads.
    ("( garbage, X = 1, Y = g(X) ; X = 2, Y = h(X) ), garbage, write(Y), Y = h(_)", "g(1)h(2)"),
    // Destructive assignment, undone and not.
    (
        "X = f(a, b), ( setarg(1, X, [1,2]), garbage, setarg(1, X, c), garbage, write(X), fail ; garbage, write(X) )",
        "f(c,b)f(a,b)",
    ),
    // An argument that is a free variable is the variable, wherever it lies.
    ("Y = g(A), X = f(A), garbage, setarg(1, X, 4), garbage, write(X/Y/A)", "f(4)/g(4)/4"),
    ("X = f(A), Y = g(A), garbage, setarg(1, X, 4), garbage, write(X/Y/A)", "f(4)/g(4)/4"),
    ("Y = g(A), X = f(A), ( garbage, setarg(1, X, 4), fail ; garbage, A = 5, write(X/Y) )", "f(5)/g(5)"),
    ("X = n(A, C), C = n(A, leaf), garbage, setarg(1, X, [1]), garbage, write(C)", "n([1],leaf)"),
    ("X = f(A), Y = A, garbage, setarg(1, X, A), garbage, A = 1, write(X/Y)", "f(1)/1"),
    // Who refers to an argument that was a free variable sees what is put there later, behind collections, too: also
    // over chains of variables, and of a variable that lies elsewhere only the argument changes.
    ("X = f(A), A = 5, garbage, setarg(1, X, 4), garbage, write(X/A)", "f(4)/4"),
    ("X = f(A), B = A, C = [B], A = 5, garbage, garbage, setarg(1, X, 4), write(X/A/B/C)", "f(4)/4/4/[4]"),
    (
        "length(X, 2), X = [A|_], A = 5, garbage, setarg(1, X, 4), garbage, X = [_, B], B = 6, write(X/A)",
        "[4,6]/4",
    ),
    ("Y = g(A), X = f(A), A = 5, garbage, setarg(1, X, 4), garbage, write(X/A)", "f(4)/5"),
    // Catch and throw over collections; the catcher's terms are saved arguments.
    (
        "Z = [p, q], catch((garbage, build(5, L), throw(ball(L, Z))), ball(Y, Z), (garbage, write(Y-Z)))",
        "[1,2,3,4,5]-[p,q]",
    ),
    ("catch((member(X, [1,2,3]), garbage, X >= 2, throw(found(X))), found(Y), (garbage, write(Y)))", "2"),
    // Soft cut and negation keep and drop choicepoints in the middle.
    ("( member(X, [1,2]) *-> garbage, write(X) ; write(none) ), X >= 2", "12"),
    ("X = s(Y), \\+ ( garbage, Y = 1, garbage, fail ), garbage, Y = 2, write(X)", "s(2)"),
    // Numbers outside cells.
    (
        "X is 3.25 * 2, Y is 7 ** 60, garbage, garbage, Z is X + 1, W is Y + 1, write(X/Y/Z/W)",
        "6.5/508021860739623365322188197652216501772434524836001/7.5/508021860739623365322188197652216501772434524836002",
    ),
    // All solutions, the database, and calls of terms.
    (
        "findall(X-L, (member(X, [1,2,3]), build(X, L), garbage), R), garbage, write(R)",
        "[1-[1],2-[1,2],3-[1,2,3]]",
    ),
    (
        "assertz(fact([1,2])), assertz((fact(X) :- garbage, X = [3])), findall(X, (fact(X), garbage), R), write(R)",
        "[[1,2],[3]]",
    ),
    ("G = (build(3, L), garbage, write(L)), call(G), garbage, call(write, L)", "[1,2,3][1,2,3]"),
    // Cyclic terms.
    ("X = [a, b|X], garbage, X = [A, B, C|_], garbage, write(A-B-C)", "a-b-a"),
    // More slots than a word of an instruction names.
    (
        "A1=f(a1),A2=f(a2),A3=f(a3),A4=f(a4),A5=f(a5),A6=f(a6),A7=f(a7),A8=f(a8),A9=f(a9),B1=f(b1),B2=f(b2),B3=f(b3),\
      B4=f(b4),B5=f(b5),B6=f(b6),B7=f(b7),B8=f(b8),B9=f(b9),C1=f(c1),C2=f(c2),C3=f(c3),C4=f(c4),C5=f(c5),C6=f(c6),\
      C7=f(c7),C8=f(c8),C9=f(c9),D1=f(d1),D2=f(d2),D3=f(d3),D4=f(d4),D5=f(d5),D6=f(d6),D7=f(d7),garbage,\
      write([A1,A2,A3,A4,A5,A6,A7,A8,A9,B1,B2,B3,B4,B5,B6,B7,B8,B9,C1,C2,C3,C4,C5,C6,C7,C8,C9,D1,D2,D3,D4,D5,D6,D7])",
        "[f(a1),f(a2),f(a3),f(a4),f(a5),f(a6),f(a7),f(a8),f(a9),f(b1),f(b2),f(b3),f(b4),f(b5),f(b6),f(b7),f(b8),f(b9),\
         f(c1),f(c2),f(c3),f(c4),f(c5),f(c6),f(c7),f(c8),f(c9),f(d1),f(d2),f(d3),f(d4),f(d5),f(d6),f(d7)]",
    ),
];

const LIBRARY: &str = "
:- dynamic fact/1.
build(N, L) :- build(1, N, L).
build(I, N, []) :- I > N, !.
build(I, N, [I|T]) :- I1 is I + 1, build(I1, N, T).
mirror([], []).
mirror([X|T], M) :- mirror(T, R), append(R, [X], M).
garbage :- build(20, _), garbage_collect.
:- initialization(main).
";

fn collecting(calls: u32) -> Options {
    Options { collect_every: Some(calls), ..Options::default() }
}

#[test]
fn answers_do_not_depend_on_when_cells_move() {
    for (goal, expected) in GOALS {
        let program = format!("{LIBRARY}main :- {goal}.\n");
        for options in [Options::default(), collecting(1), collecting(2), collecting(3), collecting(7)] {
            let ran = run_with(&program, &[], options);
            assert!(ran.output.starts_with(expected), "{goal}: {} {}", ran.output, ran.error);
            assert_eq!(ran.exit, 0, "{goal}: {}", ran.error);
        }
    }
}

#[test]
fn the_benchmarks_run_the_same_with_collections_all_the_time() {
    for name in ["amqueue", "avl", "btree", "heap", "rbtree", "set", "tree"] {
        let program = fixture(&format!("{name}.pl"));
        let expected = run_with(&program, &["64"], Options::default());
        for calls in [1, 5, 64] {
            let ran = run_with(&program, &["64"], collecting(calls));
            assert_eq!(
                (ran.output, ran.exit),
                (expected.output.clone(), expected.exit),
                "{name} every {calls}"
            );
        }
    }
}

/// Programs that build much more than they keep, with the bytes that they may use.
const BOUNDED: &[(&str, &str, usize)] = &[
    (
        "a loop",
        "main :- loop(3000000, []).\nloop(0, _) :- !.\nloop(N, _) :- N1 is N - 1, loop(N1, f(N, [N])).",
        16,
    ),
    (
        "a loop below a choicepoint",
        "main :- ( true ; true ), loop(3000000, []), !.\nloop(0, _) :- !.\nloop(N, _) :- N1 is N - 1, loop(N1, f(N, [N])).",
        16,
    ),
    // A variable that only later bindings reach: the trail must not keep it.
    (
        "trailed garbage",
        "main :- ( true ; true ), X = f(_), loop(1000000, X), !.\nloop(0, _) :- !.\nloop(N, f(V)) :- ( V = g(_), fail ; true ), V = N, N1 is N - 1, loop(N1, f(_)).",
        16,
    ),
    // The list is not needed once its length is known.
    (
        "a dead slot",
        "main :- build(300000, L), length(L, N), loop(N, []), write(N).\nbuild(0, []) :- !.\nbuild(N, [N|T]) :- N1 is N - 1, build(N1, T).\nloop(0, _) :- !.\nloop(N, _) :- N1 is N - 1, loop(N1, f(N, [N])).",
        24,
    ),
    (
        "a loop through call/1",
        "main :- loop(1000000).\nloop(0) :- !.\nloop(N) :- N1 is N - 1, G = loop(N1), call(G).",
        16,
    ),
    (
        "destructive assignment of numbers",
        "main :- ( true ; true ), T = t(0), loop(2000000, T), !.\nloop(0, _) :- !.\nloop(N, T) :- setarg(1, T, N), N1 is N - 1, loop(N1, T).",
        16,
    ),
    (
        "destructive assignment",
        "main :- ( true ; true ), T = t(0), loop(2000000, T), !.\nloop(0, _) :- !.\nloop(N, T) :- setarg(1, T, f(N)), N1 is N - 1, loop(N1, T).",
        16,
    ),
];

#[test]
fn what_is_not_needed_takes_no_memory() {
    for (name, program, megabytes) in BOUNDED {
        let (mut session, system) =
            open(&format!(":- initialization(main).\n{program}\n"), Options::default());
        session.machine.limits.memory = megabytes << 20;
        let exit = session.run(Vec::new());
        assert_eq!(exit, 0, "{name}: {}", String::from_utf8_lossy(&system.borrow().error));
        assert!(session.machine.counters.collections > 0, "{name}");
    }
}

#[test]
fn collections_are_few_however_much_is_kept() {
    // A million choicepoints, each with a term; a million environments; both kept to the end.
    for program in [
        "main :- grow(300000, []).\ngrow(0, _) :- !.\ngrow(N, L) :- N1 is N - 1, grow(N1, [f(N)|L]).\ngrow(_, _).",
        "main :- grow(300000, _).\ngrow(0, []) :- !.\ngrow(N, [f(N)|L]) :- N1 is N - 1, grow(N1, L), true(L).\ntrue(_).",
    ] {
        let (mut session, system) =
            open(&format!(":- initialization(main).\n{program}\n"), Options::default());
        assert_eq!(session.run(Vec::new()), 0, "{}", String::from_utf8_lossy(&system.borrow().error));
        let collections = session.machine.counters.collections;
        assert!((1..=8).contains(&collections), "{collections} collections");
    }
}

/// Runs a program under limits; its output.
fn limited(program: &str, limit: impl FnOnce(&mut rtcheck::machine::Machine)) -> String {
    let (mut session, system) = open(&format!(":- initialization(main).\n{program}\n"), Options::default());
    limit(&mut session.machine);
    assert_eq!(session.run(Vec::new()), 0, "{}", String::from_utf8_lossy(&system.borrow().error));
    let output = system.borrow().output.clone();
    String::from_utf8_lossy(&output).into_owned()
}

#[test]
fn memory_and_depth_are_limits_that_a_program_can_catch() {
    // Terms, environments, choicepoints and the trail, each without end; then the program goes on.
    for endless in [
        "endless(L) :- endless([L|L]).",
        "endless(L) :- endless(L), write(L).",
        "endless(L) :- endless(L).\nendless(_).",
        "endless(L) :- endless(f(L, _)).\nendless(_).",
    ] {
        let program = format!(
            "main :- catch(endless([]), error(resource_error(R), _), true), write(R), count(1000, 0), write(done).\n\
             count(N, N) :- !.\ncount(N, M) :- M1 is M + 1, count(N, M1).\n{endless}"
        );
        let memory = limited(&program, |machine| machine.limits.memory = 8 << 20);
        assert_eq!(memory, "memorydone", "{endless}");
    }
    let program = "main :- catch(deep(0), error(resource_error(R), _), true), write(R), loop(100000).\n\
                   deep(N) :- N1 is N + 1, deep(N1), write(N).\nloop(0) :- !.\nloop(N) :- N1 is N - 1, loop(N1).";
    assert_eq!(limited(program, |machine| machine.limits.depth = Some(10_000)), "depth");
}

#[test]
fn calls_that_never_end_are_an_error_without_a_search_for_garbage() {
    let program = "main :- catch(endless(0), error(E, _), true), statistics(garbage_collection, [N|_]), writeq(E-N).\n\
                   endless(N) :- N1 is N + 1, endless(N1), write(N).";
    let output = limited(program, |machine| machine.limits.memory = 8 << 20);
    assert_eq!(output, "resource_error(memory)-0");
}

#[test]
fn an_interrupt_stops_a_goal_that_calls_no_built_in() {
    let program = "main :- catch((interrupt, loop), E, true), write(E).\nloop :- loop.";
    let output = limited(program, |machine| {
        // A signal handler does the same at a time of its own.
        machine.define_builtin("interrupt", 0, |machine| {
            machine.interrupt().store(true, std::sync::atomic::Ordering::Relaxed);
            Ok(true)
        });
    });
    assert_eq!(output, "unwind(keyboard_interrupt)");
}
