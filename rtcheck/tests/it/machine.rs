//! Running programs.

use crate::support::{output, run};

#[test]
fn control_constructs() {
    assert_eq!(
        output("( fail ; write(a) ), ( true -> write(b) ; write(c) ), \\+ fail, ( fail -> true ; write(d) )"),
        "abd"
    );
    assert_eq!(output("forall(member(X, [1,2,3]), (write(X), nl))"), "1\n2\n3\n");
    assert_eq!(output("G = (member(X, [1,2,3]), X > 1, !, write(X)), call(G)"), "2");
    assert_eq!(output("( member(X, [1,2,3]) *-> write(X), X >= 2 ; write(none) )"), "12");
    assert_eq!(
        output("findall(X-Y, (member(X, [1,2]), member(Y, [a,b])), L), write(L)"),
        "[1-a,1-b,2-a,2-b]"
    );
    assert_eq!(output("G = format, ( G == format -> X = 1 ; X = 2 ), Y = X, write(Y)"), "1");
}

#[test]
fn exceptions_undo_bindings_and_find_the_active_catch_only() {
    assert_eq!(output("catch((X = 1, throw(oops)), B, (write(B-X)))").split('-').next(), Some("oops"));
    assert_eq!(output("catch(catch(throw(a), b, write(inner)), a, write(outer))"), "outer");
    assert_eq!(
        output("catch((catch(member(X, [1,2]), _, write(wrong)), X >= 2, throw(late)), late, write(right))"),
        "right"
    );
    assert_eq!(output("catch(_ is foo + 1, error(E, _), (write(E)))"), "type_error(evaluable,foo/0)");
    assert_eq!(
        output("catch(nothing_there(1), error(E, _), (write(E)))"),
        "existence_error(procedure,nothing_there/1)"
    );
    assert_eq!(output("catch(call((fail, 1)), error(E, _), write(E))"), "type_error(callable,(fail,1))");
}

#[test]
fn integers_are_unbounded() {
    assert_eq!(output("X is 2 ** 100, write(X)"), "1267650600228229401496703205376");
    assert_eq!(output("X is 1152921504606846975 + 1, write(X)"), "1152921504606846976");
    assert_eq!(
        output("X is 9223372036854775807 * 9223372036854775807, write(X)"),
        "85070591730234615847396907784232501249"
    );
    assert_eq!(output("X is -7 // 2, Y is -7 mod 2, Z is -7 rem 2, write(X/Y/Z)"), "-3/1/ -1");
    assert_eq!(output("X is 7 / 2, Y is 8 / 2, write(X-Y)"), "3.5-4");
}

#[test]
fn the_database_has_the_logical_update_view() {
    assert_eq!(
        output(
            "assertz(f(1)), assertz(f(2)), ( f(X), Y is X + 10, assertz(f(Y)), fail ; true ), findall(X, f(X), L), write(L)"
        ),
        "[1,2,11,12]"
    );
    assert_eq!(
        output("assertz(g(1)), assertz(g(2)), assertz(g(3)), retract(g(2)), findall(X, g(X), L), write(L)"),
        "[1,3]"
    );
    assert_eq!(output("assertz((h(X) :- X > 1, ! ; X = 1)), ( h(2) -> write(yes) ; write(no) )"), "yes");
}

#[test]
fn a_million_frames_need_no_native_stack() {
    let program = "
:- initialization(main).
count(0, 0) :- !.
count(N, M) :- N1 is N - 1, count(N1, M1), M is M1 + 1.
main :- count(1000000, N), write(N), numlist(1, 300000, L), length(L, K), write(K), sum_list(L, S), write(S).
";
    assert_eq!(run(program).output, "100000030000045000150000");
}

#[test]
fn unknown_predicates_and_uncaught_errors_are_told_with_a_way_out() {
    let ran = run(":- initialization(main).\nmain :- write(before), foo(1).\n");
    assert_eq!((ran.output.as_str(), ran.exit), ("before", 1));
    insta::assert_snapshot!(ran.error, @r#"
error: unknown procedure foo/1
 --> v.pl:2, likely in main/0
note: uncaught exception: existence_error(procedure,foo/1)
help: define foo/1, correct its name, or declare it dynamic
"#);
}

#[test]
fn halt_wins() {
    assert_eq!(run(":- initialization(main).\nmain :- halt(7).\n").exit, 7);
}

#[test]
fn a_program_may_define_a_library_predicate_without_changing_the_library() {
    let program = "
:- initialization(main).
append(a, b, c).
main :- append(X, Y, Z), write(X-Y-Z), append([[1],[2]], L), write(L).
";
    assert_eq!(run(program).output, "a-b-c[1,2]");
}

#[test]
fn walks_over_cyclic_terms_end() {
    for (goal, expected) in [
        ("X = [a|X], Y = [a|Y], X = Y, write(same)", "same"),
        ("X = [a, b|X], Y = [a, b, a, b|Y], X = Y, X == Y, compare(O, X, Y), write(O)", "="),
        ("X = [a, b|X], Y = [a, b, a, c|Y], ( X = Y -> write(same) ; write(different) )", "different"),
        ("X = [a, b|X], Y = [a, b, a, c|Y], compare(O, X, Y), write(O)", "<"),
        ("X = f(X, X, 1), Y = f(Y, Y, 2), ( X == Y -> write(same) ; write(different) )", "different"),
        ("X = f(X, _, _), term_variables(X, Vs), length(Vs, N), write(N)", "2"),
        ("X = f(X), ( ground(X) -> write(ground) ; write(open) )", "ground"),
        ("X = [_|X], copy_term(X, Y), Y = [B, C|_], ( B == C -> write(one) ; write(two) )", "one"),
        ("X = f(_, X), findall(X, true, [Z]), Z = f(W, V), W = 1, V = f(U, _), write(U)", "1"),
    ] {
        assert_eq!(output(goal), expected, "{goal}");
    }
}

#[test]
fn clauses_that_begin_with_tests_and_a_cut_are_tried_in_order() {
    let program = "
:- initialization(main).
k(X, Y) :- X < 0, !, Y = neg.
k(X, Y) :- Y = try, X > 5.
k(X, Y) :- 3 =:= X, !, Y = three.
k(X, Y) :- X < 10, Y = small.
k(_, e).
t(X, V) :- var(X), !, V = var.
t(X, V) :- X == a, !, V = a.
t(X, V) :- atom(X), !, V = atom.
t(X, V) :- V = other(X).
z(_, Y) :- !, Y = 1.
z(_, 2).
n(X, Y, Z) :- X + 1 < Y * 2, !, sub(X, Z).
n(X, _, X).
sub(X, Y) :- Y is X - 1.
main :-
    forall(member(X, [-1,3,4,7,20]), (findall(Y, k(X, Y), L), write(L))),
    forall(member(X, [_,a,b,f(1)]), (findall(V, t(X, V), L), write(L))),
    findall(Z, z(_, Z), Zs), write(Zs),
    n(1, 2, A), n(5, 2, B), write(A-B),
    k(20, e), catch(k(q, _), error(E, _), (write(E))).
";
    assert_eq!(
        run(program).output,
        "[neg][three][small,e][try,small,e][try,e][var][a][atom][other(f(1))][1]0-5type_error(evaluable,q/0)"
    );
}

#[test]
fn the_index_of_a_dynamic_predicate_changes_no_answer() {
    // Searches begin with and without an index, and go on while clauses of every kind come and go.
    let program = "
:- initialization(main).
:- dynamic f/2.
fill(L, H) :- forall(between(L, H, I), (K is I mod 5, assertz(f(K, I)))).
all(K, L) :- findall(I, f(K, I), L).
main :-
    fill(1, 20), all(3, A), write(A),
    findall(I, (f(2, I), assertz(f(2, 100)), retract(f(2, 12))), B), write(B),
    all(2, C), write(C),
    findall(I, (f(1, I), ( I =:= 1 -> assertz((f(_, any))), asserta(f(1, first)), retract(f(1, 16)) ; true )), D), write(D),
    all(1, E), write(E),
    retract((f(_, any) :- true)), !, all(1, F), write(F),
    findall(I, (f(K, I), K == 4), G), write(G),
    retractall(f(4, _)), all(4, H), write(H),
    fill(21, 24), all(4, J), write(J), all(k, N), write(N), all(3, O), write(O).
";
    assert_eq!(
        run(program).output,
        "[3,8,13,18][2][2,7,17,100,100,100,100][1,6,11,16][first,1,6,11,any][first,1,6,11][4,9,14,19][][24][]\
         [3,8,13,18,23]"
    );
}

#[test]
fn many_facts_are_found_by_their_first_argument() {
    // Without an index this takes 10^10 steps.
    let program = "
:- initialization(main).
:- dynamic f/2.
main :- forall(between(1, 100000, I), assertz(f(I, x))), forall(between(1, 100000, I), f(I, x)),
    forall(between(1, 100000, I), (retract(f(I, x)), assertz(f(I, y)))), f(77777, X), write(X).
";
    assert_eq!(run(program).output, "y");
}

#[test]
fn the_flag_stack_limit_ends_a_goal_that_needs_more() {
    let program = "
:- initialization(main).
deep(0, 0) :- !.
deep(N, M) :- N1 is N - 1, deep(N1, M1), M is M1 + 1.
grow(L) :- grow([x|L]).
loop(0) :- !.
loop(N) :- length(L, 10), L = [N|_], N1 is N - 1, loop(N1).
t(G) :- catch(( call(G) -> writeln(yes) ; writeln(no) ), error(E, _), ( print(E), nl )).
main :-
    set_prolog_flag(stack_limit, 1000000),
    t(deep(100000, _)), t(grow([])), t(loop(200000)), t(deep(1000, 1000)),
    set_prolog_flag(stack_limit, 100000000), t(deep(100000, 100000)), t(set_prolog_flag(stack_limit, x)).
";
    let ran = run(program);
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("resource_error(stack)\nresource_error(stack)\nyes\nyes\nyes\ntype_error(integer,x)\n", "")
    );
}

#[test]
fn a_global_variable_may_hold_a_variable() {
    let ran = run(":- module(m, []).
        attr_unify_hook(_, _).
        :- nb_setval(k, _), nb_setval(j, _).
        :- initialization(main).
        main :- nb_getval(k, X), put_attr(X, m, 1), nb_getval(k, Y), get_attr(Y, m, V), print(V), nl,
            ( member(Z, [1, 2]), nb_getval(j, A), A = Z, nb_getval(j, B), print(B), nl, fail ; true ),
            nb_getval(j, C), ( var(C) -> write(free) ; true ), C = 3, nb_getval(j, D), print(D), nl.");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("1\n1\n2\nfree3\n", ""));
}
