//! `module_transparent/1`: clauses that know the module of who calls. Expected outputs are those of SWI-Prolog 9.0.4.

use crate::support::{run, run_files};
use rtcheck::session::Options;

const MODULE: &str = "
:- module(m, [who/1, who/0, run/1, each/2, twice/1, strip/3, defer/2, local/1, cond/2, at/2, grow/1, keep/1, chain/1, ahead/1]).
:- module_transparent ahead/1, behind/1, who/1, who/0, run/1, each/2, twice/1, strip/3.
:- module_transparent([defer/2, cond/2, at/2, grow/1]), module_transparent(chain/1).
ahead(M) :- behind(M).
behind(M) :- context_module(M).
who(M) :- context_module(M).
who :- context_module(M), write(M).
run(G) :- call(G).
each(G, L) :- maplist(G, L).
twice(G) :- G, G.
strip(T, M, P) :- strip_module(T, M, P).
defer(G, L) :- findall(X, call(G, X), L).
local(X) :- helper(X).
helper(m_helper).
cond(X, Y) :- ( X > 0, \\+ fails -> Y = pos, context_module(M), write(M) ; helper(Y) ).
fails :- fail.
at(M, G) :- @(G, M).
grow(T) :- assertz(T).
keep(X) :- who(X).
chain(M) :- m:who(M).
";

fn check(goal: &str, output: &str) {
    let program = format!(
        ":- use_module(m).\n:- dynamic q/1.\np(1). p(2).\nshow(X) :- write(show(X)).\n:- initialization(({goal})).\n"
    );
    let ran = run_files(&[("v.pl", &program), ("m.pl", MODULE)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str(), ran.exit), (output, "", 0), "{goal}");
}

#[test]
fn the_context_is_the_module_of_who_calls() {
    check("who(M), write(M)", "user");
    check("who", "user");
    check("ahead(M), write(M)", "user");
    check("m:who(M), write(M)", "m");
    check("other:who(M), write(M)", "other");
    check("call(who, M), write(M)", "user");
    check("G = who(M), call(G), write(M)", "user");
    check("maplist(who, [A, B]), write(A-B)", "user-user");
    check("keep(M), write(M)", "m");
    check("chain(M), write(M)", "user");
    check("@(who, bar)", "bar");
    check("@(context_module(M), bar), write(M)", "bar");
    check("at(foo, who)", "foo");
    check("findall(M, ( who(M) ; m:who(M) ), Ms), write(Ms)", "[user,m]");
}

#[test]
fn what_clauses_are_given_is_called_there_and_what_they_name_is_their_own() {
    check("run(show(a))", "show(a)");
    check("each(show, [1, 2])", "show(1)show(2)");
    check("twice(show(b))", "show(b)show(b)");
    check("defer(p, L), write(L)", "[1,2]");
    check("run(findall(X, p(X), Xs)), write(Xs)", "[1,2]");
    check("run((p(X), X > 1)), write(X)", "2");
    check("run(m:helper(X)), write(X)", "m_helper");
    check("local(X), write(X)", "m_helper");
    check("cond(1, Y), write(Y)", "userpos");
    check("cond(0, Y), write(Y)", "m_helper");
    check("grow(q(7)), q(Z), write(Z)", "7");
    check("strip(x, M, P), write(M-P)", "user-x");
    check("strip(k:x, M, P), write(M-P)", "k-x");
    check("catch(run(nothing), error(E, _), ( write(E) ))", "existence_error(procedure,nothing/0)");
}

#[test]
fn such_predicates_say_so_and_show_their_clauses() {
    check("predicate_property(who(_), transparent)", "");
    check(
        "\\+ predicate_property(local(_), transparent), \\+ predicate_property(who(_), meta_predicate(_))",
        "",
    );
    check("predicate_property(m:who(_), number_of_clauses(N)), write(N)", "1");
    check("clause(m:keep(X), B), B = who(X), clause(m:who(Y), context_module(Y))", "");
    check(
        "( catch(wrap_predicate(m:who(_), w, _, true), _, true) -> true ; true ), who(M), write(M)",
        "user",
    );
}

#[test]
fn the_declaration_may_be_followed_by_others() {
    for (program, output) in [
        (
            ":- module_transparent a/1, b/0.\n:- meta_predicate a(0).\na(G) :- context_module(M), write(M), call(G).\nb.\n:- initialization((a(b), x:b)).",
            "user",
        ),
        (":- module_transparent d/1.\n:- dynamic d/1.\nd(1).\n:- initialization((d(X), write(X))).", "1"),
        ("c(1).\n:- module_transparent c/1.\n:- initialization((c(X), write(X))).", "1"),
        (
            ":- module_transparent e/0.\n:- initialization(catch(e, error(E, _), write(E))).",
            "existence_error(procedure,e/0)",
        ),
        (
            ":- module_transparent g//1.\ng(M) --> { context_module(M) }, [a].\n:- initialization((phrase(g(M), [a]), write(M))).",
            "user",
        ),
        (
            "user:t(M) :- context_module(M).\n:- module_transparent user:u/1.\nu(M) :- context_module(M).\n:- initialization((t(A), z:u(B), write(A-B))).",
            "user-z",
        ),
    ] {
        let ran = run(program);
        assert_eq!((ran.output.as_str(), ran.exit), (output, 0), "{program}\n{}", ran.error);
    }
}

#[test]
fn control_constructs_hand_the_context_on() {
    check("G = who(M), @((m:(G, true)), q), write(M)", "q");
    check("G = who(M), @((m:( fail ; \\+ \\+ G, G -> true )), q), write(M)", "q");
    check("findall(X, @((m:( member(X, [1, 2, 3]), X > 1, ! ; X = 4 )), q), L), write(L)", "[2]");
}
