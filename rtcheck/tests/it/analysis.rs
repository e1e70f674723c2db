//! Conditions that are proved before a program runs: what is proved, and that nothing is that could fail.

use crate::random::Random;
use crate::support::{Ran, fixture, open, run_files, run_with};
use cache_core::audit::Audit;
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::machine::OnViolation;
use rtcheck::report::{Verdict, conditions};
use rtcheck::session::Options;

fn analysed() -> Options {
    Options { analysis: true, ..Options::default() }
}

fn unanalysed() -> Options {
    Options { analysis: false, ..Options::default() }
}

fn audited() -> Options {
    let configuration = Configuration { audit: Audit::Always, ..Configuration::default() };
    Options { configuration, ..analysed() }
}

/// Runs a program with checks that are proved left out, and with those made all the same: it must do what it does when
/// nothing is proved.
fn same(program: &str, options: Options) -> Ran {
    same_files(&[("v.pl", program)], options)
}

fn same_files(files: &[(&str, &str)], options: Options) -> Ran {
    let plain = run_files(files, &[], Options { analysis: false, ..options });
    let proved = run_files(files, &[], Options { analysis: true, ..options });
    assert_eq!(
        (&proved.output, &proved.error, proved.exit),
        (&plain.output, &plain.error, plain.exit),
        "{files:?}"
    );
    let audited = run_files(files, &[], Options { configuration: audited().configuration, ..analysed() });
    assert_eq!(audited.counters.disagreements, 0, "{files:?}\n{}", audited.error);
    plain
}

/// The verdicts on the conditions of a program, as `Name/Arity kind: verdict`.
fn verdicts(program: &str) -> Vec<String> {
    let (mut session, _) = open(program, Options { analysis: true, ..Options::default() });
    conditions(&mut session.machine)
        .into_iter()
        .map(|condition| {
            let inside = condition.places.iter().filter(|place| place.call.is_some());
            let verdict = match condition.kind {
                // Calls from elsewhere are always checked.
                "calls" if inside.clone().next().is_some() => {
                    let open = inside.clone().any(|place| place.verdict == Verdict::RunTime);
                    let refuted = inside.clone().any(|place| place.verdict == Verdict::Refuted);
                    match (refuted, open) {
                        (true, _) => Verdict::Refuted,
                        (_, true) => Verdict::RunTime,
                        _ => Verdict::Proved,
                    }
                }
                _ => condition.verdict,
            };
            let (_, name) = condition.predicate.split_once(':').expect("it has a module");
            format!("{name} {}: {verdict:?}", condition.kind)
        })
        .collect()
}

#[test]
fn the_benchmarks_print_the_same_with_fewer_checks() {
    // Of integers that come from outside, and of what a helper builds in two steps.
    for (name, at_most) in [
        ("amqueue", 0),
        ("avl", 256),
        ("set", 0),
        ("tree", 0),
        ("rbtree", 257),
        ("heap", 256),
        ("btree", 792),
    ] {
        let program = fixture(&format!("{name}.pl"));
        let run = |options| run_with(&program, &["256"], options);
        let (plain, proved, audited) = (run(unanalysed()), run(analysed()), run(audited()));
        assert_eq!((&proved.output, &proved.error), (&plain.output, &plain.error), "{name}");
        assert_eq!((&audited.output, &audited.error), (&plain.output, &plain.error), "{name}");
        assert_eq!(audited.counters.disagreements, 0, "{name}");
        // Where types are remembered otherwise, no check is left to a last call that makes it too.
        let cache = CacheKind::Direct;
        let all = run(Options {
            configuration: Configuration { cache, ..Configuration::default() },
            ..unanalysed()
        });
        assert_eq!(audited.counters.checks, all.counters.checks, "{name}: an audit makes all checks");
        assert!(plain.counters.checks <= all.counters.checks, "{name}");
        assert!(
            proved.counters.checks <= at_most && plain.counters.checks > 700,
            "{name}: {} of {}",
            proved.counters.checks,
            plain.counters.checks
        );
    }
}

#[test]
fn recursive_predicates_are_proved_from_their_calls_conditions() {
    let program = "
:- regtype tree(T).
tree(leaf).
tree(node(L, K, R)) :- tree(L), int(K), tree(R).
:- pred insert(K, T0, T) : (int(K), tree(T0)) => tree(T).
insert(K, leaf, node(leaf, K, leaf)).
insert(K, node(L, X, R), T) :-
    ( K < X -> T = node(L1, X, R), insert(K, L, L1) ; K > X -> T = node(L, X, R1), insert(K, R, R1) ; T = node(L, X, R) ).
:- pred sum(T, N) : tree(T) => int(N).
sum(leaf, 0).
sum(node(L, K, R), N) :- sum(L, A), sum(R, B), N is A + K + B.
:- pred half(T, N) : tree(T) => int(N).
half(T, N) :- sum(T, M), N is M / 2.
:- pred big(T) : tree(T).
big(T) :- sum(T, N), check_small(N).
:- pred check_small(A) : atm(A).
check_small(_).
";
    assert_eq!(
        verdicts(program),
        [
            "insert/3 calls: Proved",
            "insert/3 success: Proved",
            "sum/2 calls: Proved",
            "sum/2 success: Proved",
            // Division may give a float.
            "half/2 calls: RunTime",
            "half/2 success: RunTime",
            "big/1 calls: RunTime",
            "check_small/1 calls: Refuted",
        ]
    );
}

#[test]
fn helpers_without_assertions_are_followed() {
    let program = "
:- pred len(L, N) : list(L) => int(N).
len(L, N) :- count(L, 0, N).
count([], N, N).
count([_|T], N0, N) :- N1 is N0 + 1, count(T, N1, N).
:- pred first(L, X) : list(int, L) => int(X).
first(L, X) :- head(L, X).
head([X|_], X).
";
    assert_eq!(
        verdicts(program),
        [
            "len/2 calls: RunTime",
            "len/2 success: Proved",
            "first/2 calls: RunTime",
            "first/2 success: Proved"
        ]
    );
}

/// What every program here starts with. `try/1` tells what is thrown.
const PRELUDE: &str = "
:- regtype ints(L).
ints([]).
ints([X|Xs]) :- int(X), ints(Xs).
:- pred p(X) : ints(X).
p(_).
try(G) :- catch((G, write(yes)), E, told(E)), nl.
told(rtcheck(K,P,_,_,_,_)) :- !, write(K-P).
told(E) :- write(E).
:- initialization(main).
";

#[test]
fn what_could_end_a_type_ends_its_proof() {
    for body in [
        // Changes in place, by name and by a goal that is made while the program runs.
        ":- pred q(X) : ints(X). q(X) :- setarg(1, X, a), p(X). main :- try(q([1])).",
        ":- pred q(X,G) : ints(X). q(X,G) :- call(G), p(X). main :- X = [1], try(q(X, setarg(1, X, a))).",
        ":- pred q(X) : ints(X) => ints(X). q(X) :- r(X). r(X) :- setarg(1, X, a). main :- try(q([1])).",
        ":- pred q(X) : ints(X) => ints(X). q(X) :- r(X). r(X) :- G =.. [setarg, 1, X, a], G. main :- try(q([1])).",
        ":- pred q(X) : ints(X) => ints(X). q(X) :- nb_setarg(1, X, a). main :- try(q([1])).",
        ":- pred q(X) : ints(X). q(X) :- ( change(X), fail ; p(X) ). change(X) :- atom_concat(nb_, setarg, G), call(G, 1, X, a).
         main :- try(q([1])).",
        ":- pred q(X,Y) : ints(X). q(X,1) :- atom_concat(nb_, setarg, G), call(G, 1, X, a), fail. q(X,_) :- p(X).
         main :- try(q([1],_)).",
        ":- pred q(X) : ints(X). q(X) :- ( nb_linkarg(1, X, a), fail ; p(X) ). main :- try(q([1])).",
        // A goal that waits for a variable.
        ":- pred q(X,Y) : ints(X). q(X,Y) :- Y = 1, p(X). main :- X = [1], freeze(Y, setarg(1, X, a)), try(q(X, Y)).",
        ":- pred q(X,Y) : ints(X) => ints(X). q(X,Y) :- Y = 1. main :- X = [1], freeze(Y, setarg(1, X, a)), try(q(X, Y)).",
        ":- pred q(X,Y) : ints(X). q(X,Y) :- freeze(Y, setarg(1, X, a)), Y = 1, p(X). main :- try(q([1], _)).",
        // Backtracking into what succeeded, with what was changed meanwhile.
        ":- pred q(X,Y) : ints(X) => int(Y). q(X,Y) :- m(Y, X). m(Y, [Y|_]). m(Y, [_|T]) :- m(Y, T).
         main :- X = [1,2,3], try(( q(X, Y), write(Y), ( Y == 1 -> X = [_|T], nb_setarg(1, T, a) ; true ), Y == 3 )).",
        // A handler of violations that changes terms.
        ":- pred r(X) : atm(X). r(_). :- pred q(X) : ints(X) => ints(X). q(X) :- r(1), p(X).
         main :- X = [1], try(intercept(q(X), rtcheck(_,_,_,_,_,_), setarg(1, X, a))).",
        ":- pred r(X) : atm(X). r(_). :- pred q(X) : ints(X) => ints(X). q(X) :- r(1).
         main :- X = [1], I = intercept, G =.. [I, q(X), rtcheck(_,_,_,_,_,_), setarg(1, X, a)], try(G).",
        // Types of parts that are variables, aliased or not.
        ":- pred q(X) : list(X). q(X) :- X = [Y|_], Y = a, p(X). main :- try(q([_, 1])), try(q([_])).",
        ":- pred q(X,Y) : list(X) => list(Y). q(X,Y) :- X = [Y|_]. main :- A = [[]], try(q([A], _)), try(q([_], _)).",
        ":- pred q(X,Y) => ints(Y). q(X,Y) :- Y = [X|Z], ( integer(X) -> Z = [] ; Z = X ).
         main :- try(q(1, _)), try(q(a, _)), try(q(_, _)), try(q([], _)).",
        // Cyclic terms have no recursive type.
        ":- pred q(X,Y) : int(X) => ints(Y). q(X,Y) :- Y = [X|Y]. main :- try(q(1, _)).",
        ":- pred q(X,Y) : int(X) => ints(Y). q(X,Y) :- Y = [X|Z], Z = Y. main :- try(q(1, _)).",
        // What one branch knows, the other does not; what failed was not; a cut keeps nothing.
        ":- pred q(X,Y) => int(Y). q(X,Y) :- ( integer(X) -> true ; true ), Y = X. main :- try(q(1, _)), try(q(a, _)).",
        ":- pred q(X) => int(X). q(X) :- \\+ integer(X). main :- try(q(a)), try(q(1)).",
        ":- pred q(X) => int(X). q(X) :- integer(X), !. q(_). main :- try(q(a)), try(q(1)).",
        ":- pred q(X) => int(X). q(X) :- ( integer(X) ; atom(X) ). main :- try(q(a)), try(q(1)).",
        // Calls that are not proved promise nothing.
        ":- pred r(X,Y) : int(X) => int(Y). r(X,X). :- pred q(X,Y) => int(Y). q(X,Y) :- catch(r(X,Y), _, Y = X).
         main :- try(q(a, _)), try(q(1, _)).",
        ":- pred r(X,Y) : int(X) => int(Y). r(X,X). :- pred q(X,Y) => int(Y). q(X,Y) :- r(X,Y). main :- try(q(a,_)).",
        // Numbers that are neither integers nor floats.
        ":- regtype n(X). n(X) :- int(X). n(X) :- flt(X). :- pred r(X) : n(X). r(_). go(X) :- number(X), r(X).
         main :- try(go(1)), try(go(1.0)), try(go(1r3)).",
        // Arithmetic that gives no integer.
        ":- pred q(X,Y) : int(X) => int(Y). q(X,Y) :- Y is X / 2. main :- try(q(4,_)), try(q(3,_)).",
        ":- pred q(X,Y) : num(X) => int(Y). q(X,Y) :- Y is X + 1. main :- try(q(1,_)), try(q(1.0,_)).",
        ":- pred q(X,Y) : int(X) => int(Y). q(X,Y) :- Y is X ** -1. main :- try(q(1,_)), try(q(2,_)).",
        // Predicates that change, and names that are the program's own.
        ":- dynamic r/1. r(1). :- pred q(X) => int(X). q(X) :- r(X). main :- try(q(_)), assertz(r(a)), try((q(X), X == a)).",
        "length(_, a). :- pred q(L,N) : list(L) => int(N). q(L,N) :- length(L, N). main :- try(q([], _)).",
        ":- multifile r/1. r(1). :- pred q(X) => int(X). q(X) :- r(X). main :- try(q(_)).",
        // Properties of another kind.
        ":- pred q(X) : var(X). q(_). :- pred r(X,Y) : var(X). r(X,Y) :- Y = X, X = 1, q(Y). main :- try(r(_,_)).",
        ":- prop odd(X). odd(X) :- integer(X), 1 is X mod 2. :- pred q(X) : odd(X). q(_). :- pred r(X) : odd(X).
         r(X) :- q(X), Y is X + 1, q(Y). main :- try(r(1)).",
        ":- pred q(X) :: int. q(_). :- pred r(X) : atm(X). r(X) :- q(X). main :- try(r(a)).",
        ":- pred q(X) : int(X) => atm(X). :- pred q(X) : atm(X) => int(X). q(_). :- pred r(X) : int(X). r(X) :- q(X).
         main :- try(r(1)), try(q(a)), try(q(_)).",
        ":- pred q(X) : int(X) + fails. q(_). :- pred r(X) : int(X). r(X) :- q(X). main :- try(r(1)).",
        ":- pred q(X) : int(X) => int(X) + not_fails. q(1). :- pred r(X) : int(X). r(X) :- q(X). main :- try(r(1)), try(r(2)).",
        // Checks that are switched off for a while.
        ":- pred r(X) : int(X). r(_). :- pred q(X) : int(X). q(X) :- r(X).
         main :- set_prolog_flag(runtime_checks, no), try(q(a)), set_prolog_flag(runtime_checks, yes), try(q(a)), try(q(1)).",
        ":- pred r(X) : int(X). r(_). :- pred q(X,G) : int(X). q(X,G) :- G, r(X).
         main :- set_prolog_flag(runtime_checks, no), try(q(a, set_prolog_flag(runtime_checks, yes))).",
        // Predicates without assertions that nobody in the text calls.
        "go(X) :- r(X, Y), s(Y), p([Y]). :- pred r(X,Y) : int(X) => int(Y). r(X,X). :- pred s(Y) : int(Y). s(_).
         main :- try(go(1)), try(go(a)), try(go(_)).",
        "go(N, L) :- ( N =:= 0 -> p(L) ; M is N - 1, push(N, L, L1), go(M, L1) ).
         :- pred push(X,L0,L) : (int(X), ints(L0)) => ints(L). push(X, L, [X|L]).
         run :- go(3, []). main :- try(run), try(go(3, [a])), try(go(2.0, [])), try(go(2, _)).",
        "go(X, G) :- r(X, Y), G, s(Y). :- pred r(X,Y) : ints(X) => ints(Y). r(X,X). :- pred s(Y) : ints(Y). s(_).
         main :- try(go([1], true)), X = [1], try(go(X, setarg(1, X, a))), try(go([1|_], true)).",
        "go(X, Y) :- r(X, Z), Y = 1, s(Z). :- pred r(X,Y) : ints(X) => ints(Y). r(X,X). :- pred s(Y) : ints(Y). s(_).
         main :- try(go([1], _)), X = [1], freeze(Y, setarg(1, X, a)), try(go(X, Y)).",
        // Calls of which a part is proved.
        ":- pred r(X,Y,Z) : (int(X), int(Y), ints(Z)) => int(Z). r(_,_,_).
         go(Y, Z) :- r(1, Y, [2]), r(Y, 1, Z), r(Y, 1, a). main :- try(go(1, [])), try(go(a, [])), try(go(1, b)).",
        ":- pred r(X,Y,Z) : (int(X), int(Y)) => int(Z). r(X,Y,X) :- Y > 0. r(_,0,a).
         go(Y, Z) :- r(1, Y, Z), s(Z, Y). :- pred s(X,Y) : (int(X), int(Y)). s(_,_).
         main :- try(go(1, _)), try(go(0, _)), try(go(b, _)).",
        ":- pred r(X,Y) : (int(X), int(Y)). :- pred r(X,Y) : (atm(X), int(Y)). r(_,_).
         go(Y) :- r(1, Y), r(b, Y), r(Y, 1). main :- try(go(1)), try(go(b)), try(go([])), try(go(f)).",
        // No contract is checked while a property is called.
        ":- prop t(X). t(X) :- r(X, Y), s(Y, X). :- pred r(X,Y) : int(X) => int(Y). r(X,X).
         :- pred s(X,Y) : (int(X), int(Y)). s(_,_). :- pred q(X) : t(X). q(X) :- s(X, 1). main :- try(q(a)), try(q(1)).",
        // What violations do changes, and there is a way back.
        ":- pred r(X,Y) : int(X) => int(Y). r(X,X). :- pred s(Y) : int(Y). s(_).
         go :- member(X, [1,a]), r(X, Y), s(Y), set_prolog_flag(on_violation, report), X == a. main :- try(go).",
        ":- pred r(X,Y) : int(X) => int(Y). r(X,X). :- pred s(Y) : int(Y). s(_).
         go(X) :- r(X, Y), s(Y). main :- set_prolog_flag(on_violation, report), try(go(a)),
         set_prolog_flag(on_violation, throw), try(go(a)).",
        // Conditions on success whose precondition is not the call's.
        ":- success r(X,Y) : int(X) => int(Y). r(_,a). :- pred q(X,Y) : term(X). q(X,Y) :- r(X,Y).
         go(X) :- r(X,_). main :- try(q(b,_)), try(q(1,_)), try(go(b)), try(go(1)).",
        ":- pred r(X,Y) : term(X). :- success r(X,Y) : int(X) => int(Y). r(_,a). go(X) :- r(X,_).
         main :- try(go(b)), try(go(1)).",
        // A condition on success is no reason for itself.
        ":- pred c(N,X) : int(N) => int(X). c(0, a). c(N, X) :- N > 0, M is N - 1, c(M, X).
         main :- try(c(0, _)), try(c(2, _)).",
        ":- pred c(N,X) : int(N) => int(X). c(N, X) :- N > 0, d(N, X). :- pred d(N,X) : int(N) => int(X).
         d(1, a) :- !. d(N, X) :- M is N - 1, c(M, X). main :- try(c(1, _)), try(c(3, _)).",
    ] {
        let program = format!("{PRELUDE}{body}\n");
        for on_violation in [OnViolation::Throw, OnViolation::Report, OnViolation::Record] {
            let ran = same(&program, Options { on_violation, ..Options::default() });
            assert!(!ran.output.is_empty(), "{body}\n{}", ran.error);
        }
    }
}

#[test]
fn modules_call_opened_predicates_of_others_until_their_proofs_are_given_up() {
    let module = ":- module(m, [go/1], [assertions]).
:- pred r(X, Y) : int(X) => int(Y).
r(X, X).
:- pred s(X) : int(X).
s(_).
go(X) :- r(X, Y), s(Y), h(Y).
h(_).
";
    let main = ":- use_module(m).
try(G) :- catch((G, write(yes)), rtcheck(K,_,_,_,_,_), write(K)), nl.
:- initialization(main).
main :- try(go(1)), try(go(a)), consult(other), try(go(1)), try(m:go(a)), trace, try(go(a)).
";
    let other = ":- module(other, []).\nm:r(_, b).\n";
    let ran = same_files(&[("v.pl", main), ("m.pl", module), ("other.pl", other)], Options::default());
    assert!(ran.output.starts_with("yes\ncalls\n"), "{}", ran.output);
}

#[test]
fn the_tracer_shows_all_calls_of_a_text_that_is_loaded_while_it_watches() {
    let main = ":- initialization(main).\nmain :- trace, consult(other), go(1), nodebug.\n";
    let other = ":- pred r(X, Y) : int(X) => int(Y).
r(X, X).
:- pred s(X) : int(X).
s(_).
go(X) :- r(X, Y), s(Y).
";
    let ran = same_files(&[("v.pl", main), ("other.pl", other)], Options::default());
    assert_eq!(ran.error.matches("Call: ").count(), 3, "{}", ran.error);
}

#[test]
fn a_definition_that_takes_the_place_of_another_ends_the_proofs_that_rest_on_it() {
    let module = ":- module(m, [q/2], [assertions]).
:- pred q(L, N) : list(L) => int(N).
q(L, N) :- length(L, N).
";
    let main = ":- use_module(m).
try(G) :- catch((G, write(yes)), rtcheck(K,_,_,_,_,_), write(K)), nl.
:- initialization(main).
main :- try(q([], _)), consult(other), try(q([], _)).
";
    let other = "length(_, a).\n";
    let ran = same_files(&[("v.pl", main), ("m.pl", module), ("other.pl", other)], Options::default());
    assert_eq!(ran.output.lines().next(), Some("yes"));
    let again = ":- pred r(X) => int(X).
r(1).
:- pred q(X) => int(X).
q(X) :- r(X).
";
    let main = ":- consult(a).
try(G) :- catch((G, write(yes)), rtcheck(K,_,_,_,_,_), write(K)), nl.
:- initialization(main).
main :- try(q(_)), consult(b), try(q(_)), try(r(_)).
";
    let ran = same_files(&[("v.pl", main), ("a.pl", again), ("b.pl", "r(a).\n")], Options::default());
    assert_eq!(ran.output.lines().next(), Some("yes"));
}

#[test]
fn random_programs_print_the_same_with_what_is_proved_left_out() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..25 {
        same(&random.program(), Options::default());
    }
}

#[test]
fn elements_of_lists_have_the_type_that_all_of_them_have() {
    let program = ":- module(m, [a/1, b/1, c/1, main/0], [assertions, regtypes]).
:- regtype ints/1.
ints([]). ints([X|Xs]) :- int(X), ints(Xs).
:- regtype odd/1.
odd([]). odd([X|Xs]) :- int(X), even(Xs).
:- regtype even/1.
even([]). even([X|Xs]) :- atm(X), odd(Xs).
:- regtype ne/1.
ne([X]) :- int(X).
ne([X|Xs]) :- int(X), ne(Xs).
:- pred u(X) : int(X).
u(_).
:- pred t(X) : atm(X).
t(_).
:- pred l(X) : ints(X).
l(_).
:- pred n(X) : ne(X).
n(_).
:- pred o(X) : odd(X).
o(_).
:- pred v(X) : int(X).
v(_).
:- pred a(L) : ints(L).
a(L) :- member(X, L), u(X), nth0(I, L, Y), u(Y), u(I), last(L, Z), u(Z), reverse(L, R), l(R),
    append(P, S, L), l(P), l(S), append(L, R, C), l(C), select(_, L, D), l(D), msort(L, M), l(M).
:- pred b(L) : odd(L).
b(L) :- member(X, L), v(X), reverse(L, R), o(R).
:- pred c(L) : ne(L).
c(L) :- select(_, L, S), n(S), append(_, T, L), n(T), words(W), nth1(1, W, A), t(A).
words([x, y]).
try(G) :- catch(( G -> write(yes) ; write(no) ), rtcheck(K, P, _, _, _, _), print(K-P)), nl.
main :- try(a([1, 2])), try(b([1, a])), try(c([1])), try(c([1, 2])).
:- initialization(main).
";
    let found = verdicts(program);
    for (name, verdict) in [
        ("u", "Proved"),
        ("l", "Proved"),
        ("t", "Proved"),
        ("n", "RunTime"),
        ("o", "RunTime"),
        ("v", "RunTime"),
    ] {
        let expected = format!("{name}/1 calls: {verdict}");
        assert!(found.contains(&expected), "{expected}: {found:?}");
    }
    same(program, Options::default());
}
