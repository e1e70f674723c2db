//! Variables with attributes in whole programs: hooks of modules, chains of goals that wait, collections, and checks,
//! which wake nothing.

use crate::support::{run, run_with};
use cache_core::audit::Audit;
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::machine::{Limits, OnViolation};
use rtcheck::session::Options;

/// Goals over the predicates of [`PROGRAM`], each with its output.
const GOALS: &[(&str, &str)] = &[
    ("domain(X, [a,b]), \\+ X = c, findall(X, member(X, [a,c,b]), L), print(L)", "[a,b]"),
    ("domain(X, [a,b]), domain(X, [a,c]), print(X)", "a"),
    (
        "domain(X, [a,b,c]), domain(Y, [b,c,d]), X = Y, copy_term(X, Z, Gs), Gs == [domain(Z,[b,c])], print(y)",
        "y",
    ),
    ("domain(X, [a]), domain(Y, [b]), ( X = Y -> print(y) ; print(n) )", "n"),
    ("domain(X, [a,b]), frozen(X, G), G == domain(X, [a,b]), print(y)", "y"),
    ("from(2, S), sieve(S, P), take(12, P, L), print(L)", "[2,3,5,7,11,13,17,19,23,29,31,37]"),
    (
        "queens(6, Qs), print(Qs), nl, fail ; true",
        "[2,4,6,1,3,5]\n[3,6,2,5,1,4]\n[4,1,5,2,6,3]\n[5,3,1,6,4,2]\n",
    ),
    ("chain(400, X, Z), X = done, print(Z)", "done"),
    ("consume(L, 0, S), produce(0, 300, L), print(S)", "44850"),
    ("repeated(300), print(ok)", "ok"),
    // Clauses: a cut, a condition, arithmetic and a choice of clauses come after what waits.
    ("dif(X, a), first(X, [a,b,c]), print(X)", "b"),
    ("freeze(X, fail), one(X, R), print(R)", "other"),
    ("freeze(X, Y = 5), sum(X, Y, Z), print(Z)", "6"),
    ("freeze(X, member(Y, [1,2,3])), big(X, Y), print(Y), fail ; true", "23"),
    ("freeze(X, member(Y, [1,2,3])), told(X, Y), fail ; true", "1 2 3 "),
    ("freeze(X, ( write(woken), nl )), fact(X, Y), print(Y)", "woken\n1"),
    // What waits fails, throws or leaves choicepoints in the middle of a clause whose slots are in use.
    ("freeze(X, member(Y, [1,2])), kept(X, Y, L), print(L), fail ; true", "[p,q,r,1-a][p,q,r,2-a]"),
    ("freeze(X, throw(t)), catch(kept(X, _, _), B, true), print(B)", "t"),
    // Attributes that are undone while goals of them wait.
    ("( freeze(X, true), X = 1, fail ; freeze(X, print(b)), X = 2 ), print(X)", "b2"),
    ("freeze(X, print(a)), ( freeze(X, print(b)), fail ; true ), X = 1", "a"),
    ("freeze(X, ( freeze(Y, print(X-Y)), Y = 2 )), X = 1", "1-2"),
];

const PROGRAM: &str = "
:- module(domain, [main/0]).
domain(X, Dom) :- list_to_ord_set(Dom, Set), put_attr(Y, domain, Set), X = Y.
attr_unify_hook(Set, Y) :-
    ( get_attr(Y, domain, Set1) ->
        ord_intersection(Set, Set1, New),
        ( New == [] -> fail ; New = [Value] -> Y = Value ; put_attr(Y, domain, New) )
    ; var(Y) -> put_attr(Y, domain, Set)
    ; ord_memberchk(Y, Set)
    ).
attribute_goals(X) --> { get_attr(X, domain, Set) }, [domain(X, Set)].

from(N, L) :- freeze(L, ( L = [N|T], N1 is N + 1, from(N1, T) )).
sieve(S, P) :- freeze(P, ( S = [X|Xs], P = [X|Ps], filter(Xs, X, Ys), sieve(Ys, Ps) )).
filter(Xs, P, Ys) :- freeze(Ys, filtered(Xs, P, Ys)).
filtered([X|Xs], P, Ys) :- ( X mod P =:= 0 -> filtered(Xs, P, Ys) ; Ys = [X|Zs], filter(Xs, P, Zs) ).
take(0, _, []) :- !.
take(N, [X|Xs], [X|Ys]) :- N1 is N - 1, take(N1, Xs, Ys).

queens(N, Qs) :- length(Qs, N), numlist(1, N, Ns), safe(Qs), place(Qs, Ns).
safe([]).
safe([Q|Qs]) :- apart(Qs, Q, 1), safe(Qs).
apart([], _, _).
apart([R|Qs], Q, D) :- when(( nonvar(Q), nonvar(R) ), ( Q =\\= R, abs(Q - R) =\\= D )), D1 is D + 1, apart(Qs, Q, D1).
place([], _).
place([Q|Qs], Ns) :- member(Q, Ns), place(Qs, Ns).

chain(0, X, X) :- !.
chain(N, X, Z) :- freeze(X, Y = X), N1 is N - 1, chain(N1, Y, Z).
consume(L, S0, S) :- freeze(L, consumed(L, S0, S)).
consumed([], S, S).
consumed([X|Xs], S0, S) :- S1 is S0 + X, consume(Xs, S1, S).
produce(N, N, []) :- !.
produce(I, N, [I|T]) :- I1 is I + 1, produce(I1, N, T).
repeated(0) :- !.
repeated(N) :- freeze(X, Y = N), dif(X, Z), X = 1, Y == N, Z = 2, N1 is N - 1, repeated(N1).

first(X, [X|_]) :- !.
first(X, [_|Ys]) :- first(X, Ys).
one(1, R) :- !, R = one.
one(_, other).
sum(X, Y, Z) :- X = 1, Z is Y + 1.
big(X, Y) :- X = 1, Y > 1.
told(X, Y) :- X = 1, write(Y), write(' ').
fact(1, 1).
kept(X, Y, L) :- A = p, q(B), C = r, X = 1, L = [A,B,C|T], q(_), D = Y-a, T = [D].
q(q).
";

fn program(goals: &[(&str, &str)]) -> String {
    let mut text = String::from(PROGRAM);
    for (number, (goal, _)) in goals.iter().enumerate() {
        text.push_str(&format!("goal({number}) :- {goal}.\n"));
    }
    text + ":- initialization(main).
main :- between(0, 1000, N), N < goals, write(N), write(':'), ( goal(N) -> true ; write(failed) ), write('|'), fail.
main.\n"
}

#[test]
fn what_waits_is_called_before_the_next_goal_wherever_collections_happen() {
    let text = program(GOALS).replace("N < goals", &format!("N < {}", GOALS.len()));
    let expected: String =
        GOALS.iter().enumerate().map(|(number, (_, output))| format!("{number}:{output}|")).collect();
    for collect_every in [None, Some(1), Some(7)] {
        let ran = run_with(&text, &[], Options { collect_every, ..Options::default() });
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected.as_str(), ""), "{collect_every:?}");
    }
}

#[test]
fn variables_that_are_gone_leave_nothing_behind() {
    let text = format!(
        "{PROGRAM}:- initialization(main).\nmain :- repeated(100000), consume(L, 0, S), produce(0, 100000, L), print(S).\n"
    );
    let limits = Limits { memory: 48 << 20, ..Limits::default() };
    let ran = run_with(&text, &[], Options { limits, ..Options::default() });
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("4999950000", ""));
}

/// Terms with waiting goals are checked as terms with free variables: nothing is woken or bound, and what the cache
/// says is what a check from scratch says.
#[test]
fn checks_wake_nothing_and_agree_under_every_policy() {
    let text = "
:- module(checked, [main/0], [assertions, regtypes]).
:- prop is_one(X).
is_one(X) :- X = 1.
:- pred one(X) : is_one(X).
one(_).
:- pred ints(L) : list(L, int) => list(L, int).
ints(_).
:- pred fills(X, L) : var(X) => list(L, int).
fills(X, _) :- X = 1.
say(G) :- catch(G, E, ( E = rtcheck(_, _, _, _, _, _) -> write(violated) ; write(other(E)) )), nl.
say(_) :- write(failed), nl.
main :-
    freeze(X, write(woken)), once(say(one(X))), ( var(X) -> write(free) ; write(bound) ), nl,
    X = 1, nl, once(say(one(X))),
    T = [2|U], freeze(U, write(woken)), once(say(ints([1|T]))), U = [3], nl, once(say(ints([1|T]))),
    ( V = [4], once(say(ints(V))), fail ; true ),
    freeze(A, B = [1,2]), once(say(fills(A, [0|B]))), write(B), nl,
    ( member(W, [[a],[5]]), freeze(Z, Z = W), once(say(( Z = W, ints(Z) ))), fail ; true ),
    put_attr(P, m, 1), once(say(ints([1,P]))),
    ( del_attr(P, m), P = 6, once(say(ints([1,P]))), fail ; true ), once(say(ints([1,P]))).
";
    let expected =
        "violated\nfree\nwoken\n\nviolated\nwoken\n\n\n\n[1,2]\nviolated\n\nviolated\n\nviolated\n";
    let mut outputs = Vec::new();
    for cache in CacheKind::ALL {
        for collect_every in [None, Some(1)] {
            let configuration = Configuration { cache, audit: Audit::Always, ..Configuration::default() };
            let options = Options {
                configuration,
                collect_every,
                on_violation: OnViolation::Throw,
                ..Options::default()
            };
            let ran = run_with(&format!("{text}:- initialization(main).\n"), &[], options);
            outputs.push((ran.output, ran.error));
        }
    }
    for output in &outputs {
        assert_eq!((output.0.as_str(), output.1.as_str()), (expected, ""));
    }
}

#[test]
fn what_is_decided_leaves_no_attribute() {
    let ran = run(":- initialization(main).
         main :- dif(a(x(1,2), B), a(X, 1)), X = a, ( attvar(B) -> writeln(waits) ; writeln(free) ),
             dif(C, 1), dif(f(C,D), f(2,3)), D = 4, copy_term(C, _, Gs), length(Gs, N), writeln(N),
             freeze(L, L = [1,2,3]), memberchk(2, L), writeln(L).");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("free\n1\n[1,2,3]\n", ""));
}

#[test]
fn what_waits_for_variables_has_a_say_in_subsumption_and_variants() {
    for (goal, expected) in [
        ("dif(X, a), subsumes_term(X, a)", "no"),
        ("dif(X, a), subsumes_term(X, b)", "yes"),
        ("freeze(X, fail), subsumes_term(f(X), f(a))", "no"),
        ("freeze(X, Y = 1), subsumes_term(X, g(Y))", "no"),
        ("freeze(X, true), subsumes_term(f(X), f(a)), var(X), frozen(X, G), G \\== true", "yes"),
        ("freeze(X, fail), f(X) =@= f(_)", "no"),
        ("freeze(X, fail), freeze(Y, fail), f(X) =@= f(Y)", "yes"),
    ] {
        let program = format!(":- initialization(main).\nmain :- ( {goal} -> write(yes) ; write(no) ).\n");
        let ran = run(&program);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""), "{goal}");
    }
}

#[test]
fn the_flag_occurs_check_keeps_terms_finite() {
    for (mode, goal, expected) in [
        ("true", "X = f(X)", "no"),
        ("true", "eq(X, f(X))", "no"),
        ("true", "call(eq, X, [X])", "no"),
        ("true", "part(X, f(X))", "no"),
        ("true", "G = (X = f(Y), Y = g(X)), call(G)", "no"),
        ("true", "f(X, Y) = f(g(Y), h(X))", "no"),
        ("true", "append([f(Z)], [], Z)", "no"),
        ("true", "length(L, 3), L = [L|_]", "no"),
        ("true", "assertz(q(X, X)), q(A, f(A))", "no"),
        ("true", "X \\= f(X)", "yes"),
        ("true", "unifiable(X, f(X), _)", "no"),
        ("true", "\\+ X = f(X), X = f(_), X = f(a)", "yes"),
        ("true", "( X = f(X) ; X = 1 ), X == 1", "yes"),
        ("true", "( true ; X = 2 ), ( X = f(X) ; true ), var(X), garbage_collect, X = 3", "yes"),
        ("true", "numlist(1, 2000, L), foldl([_,B,C]>>(C = s(B)), L, 0, S), S = s(s(_)), msort(L, L)", "yes"),
        ("true", "freeze(X, Y = g(X)), X = f(Y)", "no"),
        ("true", "freeze(X, true), X = f(X)", "no"),
        ("error", "catch(X = f(X), error(occurs_check(V, T), _), true), T == f(V), var(X)", "yes"),
        ("error", "catch(eq(X, [1|X]), error(occurs_check(_, [1|_]), _), true)", "yes"),
        ("error", "X = f(_), eq(X, f(1))", "yes"),
        ("error", "set_prolog_flag(occurs_check, false), X = f(X)", "yes"),
        ("false", "X = f(X), eq(X, f(X))", "yes"),
    ] {
        let program = format!(
            ":- initialization(main).\n:- dynamic q/2.\neq(A, A).\npart(A, f(B)) :- true(A, B), A = g(B).\ntrue(A, A).\n\
             main :- set_prolog_flag(occurs_check, {mode}), ( {goal} -> write(yes) ; write(no) ).\n"
        );
        let ran = run(&program);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""), "{mode}: {goal}");
    }
}

#[test]
fn goals_of_attributes_may_take_attributes_away() {
    let program = ":- module(m, []).
        attr_unify_hook(_, _).
        attribute_goals(X) --> { get_attr(X, m, Vs) }, [together(Vs)], { del_all(Vs) }.
        del_all([]).
        del_all([V|Vs]) :- del_attr(V, m), del_all(Vs).
        :- initialization(main).
        main :- put_attr(X, m, [X, Y]), put_attr(Y, m, [X, Y]), copy_term(X-Y, C-D, Gs), Gs = [together(L)],
            ( L == [C, D], get_attr(X, m, _), get_attr(Y, m, _), \\+ attvar(C) -> write(yes) ; write(no) ).";
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("yes", ""));
}

#[test]
fn attributes_are_written_where_a_program_asks_for_it() {
    for (options, expected) in [
        ("attributes(write)", "V{att(a,f(V,W{att(b,V,[])}),att(c,x y,[]))}"),
        ("attributes(write), quoted(true)", "V{att(a,f(V,W{att(b,V,[])}),att(c,'x y',[]))}"),
        ("attributes(dots)", "V{...}"),
        ("attributes(ignore)", "V"),
        ("quoted(true)", "V"),
    ] {
        let program = format!(
            ":- initialization(main).
            main :- put_attr(V, a, f(V, W)), put_attr(V, c, 'x y'), put_attr(W, b, V),
                write_term(V, [variable_names(['V' = V, 'W' = W]), {options}])."
        );
        let ran = run(&program);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""), "{options}");
    }
    let program = ":- initialization(main).
        main :- catch(write_term(a, [attributes(nothing)]), error(E, _), (print(E))).";
    assert_eq!(run(program).output, "domain_error(write_option,attributes(nothing))");
}
