//! Goals that are left and gone on with: delimited continuations, engines; and goals that may
//! go so deep only. What is expected is what SWI-Prolog 9.0.4 says.

use crate::support::run;

/// Runs goals, and compares what each of them writes.
#[track_caller]
pub(crate) fn check(program: &str, goals: &[(&str, &str)]) {
    let mut text = format!(
        "{program}\n:- initialization(main).\n\
         t(G, T) :- ( catch(G, error(E, _), ( print(E), nl )) -> ( T == [] -> true ; print(T), nl ) ; writeln(no) ).\n"
    );
    let calls: Vec<String> = goals.iter().map(|(goal, _)| format!("t{goal}")).collect();
    text.push_str(&format!("main :- {}.\n", calls.join(",\n ")));
    let expected: String = goals.iter().map(|(_, expected)| format!("{expected}\n")).collect();
    let ran = run(&text);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected.as_str(), ""));
}

const HANDLERS: &str = "
    step :- shift(one), writeln(behind_one), shift(two), writeln(behind_two).
    get(S) :- shift(get(S)).
    put(S) :- shift(put(S)).
    run_state(G, S0, S) :-
        reset(G, Ball, Cont),
        ( Cont == 0 -> S = S0 ; Ball = get(S0) -> run_state(Cont, S0, S) ; Ball = put(S1) -> run_state(Cont, S1, S) ).
    increment :- get(S), S1 is S + 1, put(S1).
    count(0) :- !.
    count(N) :- increment, N1 is N - 1, count(N1).
    yield(X) :- shift(yield(X)).
    each([]).
    each([X|Xs]) :- yield(X), each(Xs).
    sum(G, S) :- reset(G, Ball, Cont), ( Cont == 0 -> S = 0 ; Ball = yield(X), sum(Cont, S1), S is X + S1 ).
    deep(0) :- shift(bottom).
    deep(N) :- N > 0, N1 is N - 1, deep(N1), write(N), nl.
    branch(X) :- ( member(X, [1, 2]), shift(a) -> true ; X = no ).
    cutting(X) :- member(X, [1, 2, 3]), shift(a), !.
    soft(X) :- ( member(X, [1, 2]), shift(a) *-> true ; X = no ).
    negated :- \\+ ( shift(a), fail ).
    caught(E) :- catch(( shift(a), throw(oops) ), E, true).
    sentence --> [a], { shift(here) }, [b].
    :- dynamic(kept/1).";

#[test]
fn what_is_left_of_a_goal_is_a_goal() {
    check(
        HANDLERS,
        &[
            ("((reset(step, A, B), reset(B, C, D), call(D)), A-C)", "behind_one\nbehind_two\none-two"),
            ("(run_state(count(5), 0, S1), S1)", "5"),
            ("(findall(S, sum(( member(X, [5, 6]), each([X, 1]) ), S), S2), S2)", "[6,7]"),
            ("((reset(deep(2), bottom, D1), call(D1), call(D1)), [])", "1\n2\n1\n2"),
            ("((reset(true, _, N1), reset(fail, _, _)), N1)", "no"),
            ("(reset(true, _, N2), N2)", "0"),
            ("(reset(reset(shift(a), b, _), B3, _), B3)", "a"),
            ("(reset(shift(a), b, _), [])", "existence_error(reset,a)"),
            ("(shift(a), [])", "existence_error(reset,a)"),
            ("(call_continuation([]), done)", "done"),
            ("((reset(phrase(sentence, [a, b, c], R4), _, D4), call(D4)), R4)", "[c]"),
        ],
    );
}

#[test]
fn cuts_and_catches_behind_a_shift_find_what_they_mean() {
    check(
        HANDLERS,
        &[
            ("(findall(X, ( reset(branch(X), _, C), C \\== 0, call(C) ), L1), L1)", "[1]"),
            ("(findall(X, ( reset(cutting(X), _, C), C \\== 0, call(C) ), L2), L2)", "[1,2,3]"),
            ("(findall(X, ( reset(soft(X), _, C), C \\== 0, call(C) ), L3), L3)", "[1,2]"),
            // What fails behind a shift fails into the other branch, with which the goal ends.
            ("((reset(negated, _, D4), D4 \\== 0, call(D4)), [])", "no"),
            ("((reset(caught(E5), _, C5), call(C5)), E5)", "oops"),
            // Elsewhere, a cut leaves what was there before the call.
            ("((reset(cutting(X6), _, C6), assertz(kept(C6))), X6)", "1"),
            ("(findall(X, ( member(X, [p, q]), kept(C), call(C) ), L7), L7)", "[p,q]"),
            (
                "(findall(K, ( reset(( X = 1, shift(a), Y = X ), a, C), ( K = Y, call(C) ; K = Y, call(C) ) ), L8), L8)",
                "[1,1]",
            ),
            // Nothing leaves a goal whose solutions are collected.
            (
                "(reset(findall(X, ( member(X, [1, 2]), shift(b(X)) ), _), _, _), [])",
                "existence_error(reset,b(1))",
            ),
            (
                "((reset(setup_call_cleanup(true, ( member(X9, [1, 2]), shift(b) ), true), _, C9), call(C9)), X9)",
                "1",
            ),
        ],
    );
}

#[test]
fn no_term_makes_a_continuation() {
    check(
        "",
        &[
            ("(call_continuation(['$continuation'(0)]), [])", "type_error(continuation,'$continuation'(0))"),
            (
                "(call_continuation(['$continuation'(99, a)]), [])",
                "type_error(continuation,'$continuation'(99,a))",
            ),
            ("(call_continuation(a), [])", "type_error(list,a)"),
            ("(call_continuation(_), [])", "instantiation_error"),
            ("(call_continuation([x|_]), [])", "type_error(continuation,x)"),
        ],
    );
}

#[test]
fn continuations_outlive_clauses_that_are_retracted_and_collections() {
    check(
        ":- dynamic(p/1).
         p(X) :- numlist(1, 200, L), shift(go), sum_list(L, X).
         fill(0) :- !.
         fill(N) :- assertz(q(N, foo(N), [N])), N1 is N - 1, fill(N1).
         :- dynamic(q/3).",
        &[(
            "((reset(p(X), _, C), retractall(p(_)), fill(3000), retractall(q(_, _, _)), fill(3000),
               garbage_collect, call(C)), X)",
            "20100",
        )],
    );
}

const DEPTHS: &str = "
    p(0) :- !.
    p(N) :- N1 is N - 1, p(N1).
    r(X) :- s(X).
    s(X) :- atom_length(X, _).
    t(X) :- u(X), v.
    u(1).
    u(2).
    v.
    a :- b, c.
    b :- d.
    d.
    c :- e.
    e :- f.
    f.
    lp :- lp.
    nrev([], []).
    nrev([H|T], R) :- nrev(T, R1), append(R1, [H], R).
    each(G, L, Rs) :- findall(G-R, call_with_depth_limit(G, L, R), Rs).";

#[test]
fn a_goal_may_go_so_deep() {
    check(
        DEPTHS,
        &[
            ("(each(p(5), 100, L1), L1)", "[p(5)-6]"),
            ("(each(p(5), 5, L2), L2)", "[p(5)-depth_limit_exceeded]"),
            ("(each(r(abc), 3, L3), L3)", "[r(abc)-3]"),
            ("(each(r(abc), 2, L4), L4)", "[r(abc)-depth_limit_exceeded]"),
            ("(each(t(_), 10, L5), L5)", "[t(1)-2,t(2)-2]"),
            ("((each(member(X, [a, b]), 1, L6), L6 = [_-R6]), R6)", "depth_limit_exceeded"),
            ("(each(true, 0, L7), L7)", "[true-depth_limit_exceeded]"),
            ("(each(fail, 9, L8), none-L8)", "none-[]"),
            ("(each(a, 10, L9), L9)", "[a-4]"),
            ("(each(( a, a ), 10, L10), L10)", "[(a,a)-5]"),
            ("(each(call(call(a)), 10, L11), L11)", "[call(call(a))-6]"),
            ("(each(( a -> true ; true ), 10, L12), L12)", "[(a->true;true)-5]"),
            (
                "(each(call_with_depth_limit(a, 3, R), 10, L13), L13)",
                "[call_with_depth_limit(a,3,depth_limit_exceeded)-2]",
            ),
            ("(each(lp, 50, L14), L14)", "[lp-depth_limit_exceeded]"),
            ("(each(nrev([1, 2, 3, 4], _), 20, L15), L15)", "[nrev([1,2,3,4],[4,3,2,1])-5]"),
            (
                "((findall(R, call_with_depth_limit(append(_, _, [1, 2, 3]), 2, R), L16)), L16)",
                "[1,2,depth_limit_exceeded]",
            ),
            ("(call_with_depth_limit(a, x, _), [])", "type_error(integer,x)"),
            // An error ends the limit, and what comes behind may be as deep as it likes.
            ("((catch(call_with_depth_limit(throw(x), 9, _), x, true), p(3000)), done)", "done"),
            (
                "((findall(X, ( call_with_depth_limit(member(X, [1, 2]), 9, _), p(3000) ), L18)), L18)",
                "[1,2]",
            ),
        ],
    );
}

#[test]
fn engines_are_asked_for_one_solution_after_the_other() {
    check(
        ":- use_module(library(clpfd)). :- use_module(library(clpb)). :- use_module(library(clpq)).
         nat(0).
         nat(N) :- nat(M), N is M + 1.
         total(S0, R) :- engine_fetch(X), S is S0 + X, ( R = S ; total(S, R) ).
         add(E, S0, S) :- ( engine_next(E, X) -> S1 is S0 + X, add(E, S1, S) ; S = S0 ).
         :- dynamic(f/1).
         f(1). f(2). f(3).",
        &[
            (
                "((engine_create(X, nat(X), E1), engine_create(Y, member(Y, [a, b, c]), F1),
                   findall(A-B, ( between(1, 3, _), engine_next(E1, A), engine_next(F1, B) ), L1)), L1)",
                "[0-a,1-b,2-c]",
            ),
            (
                "((engine_create(S, total(0, S), E2), engine_post(E2, 1, _), engine_post(E2, 2, _),
                   engine_post(E2, 3, S2)), S2)",
                "6",
            ),
            (
                "((engine_create(S, ( engine_yield(1), engine_yield(2), S = 3 ), E3),
                   findall(X, ( between(1, 3, _), engine_next(E3, X) ), L3)), L3)",
                "[1,2,3]",
            ),
            (
                "((engine_create(X, ( X = 1 ; throw(oops) ), E4), engine_next_reified(E4, A4), engine_next_reified(E4, B4)), A4/B4)",
                "the(1)/exception(oops)",
            ),
            ("((engine_create(X, between(1, 20000, X), E5), add(E5, 0, S5)), S5)", "200010000"),
            (
                "((engine_create(X, setup_call_cleanup(true, member(X, [1, 2]), writeln(cleaned)), E6), engine_next(E6, X6),
                   engine_destroy(E6)), X6)",
                "cleaned\n1",
            ),
            // What an engine sees is what there was when its goal began.
            (
                "((engine_create(X, f(X), E7), engine_next(E7, A7), retract(f(2)), assertz(f(4)),
                   findall(Y, ( between(1, 2, _), engine_next(E7, Y) ), L7), findall(Y, f(Y), M7)), A7/L7/M7)",
                "1/[2,3]/[1,3,4]",
            ),
            ("((engine_create(X-Y, ( freeze(X, Y = got), X = 1 ), E8), engine_next(E8, L8)), L8)", "1-got"),
            ("((engine_create(X, freeze(X, writeln(woken)), E9), engine_next(E9, V9), V9 = 3), V9)", "woken\n3"),
            (
                "((nb_setval(k, outer), engine_create(V, ( nb_setval(k, inner), nb_getval(k, V) ), E10), engine_next(E10, V10),
                   nb_getval(k, W10)), V10/W10)",
                "inner/outer",
            ),
            (
                "((engine_create(L, ( numlist(1, 2000, Ns), member(_, [1, 2, 3]), garbage_collect,
                   findall(X, ( member(X, Ns), X > 0 ), L) ), E11),
                   findall(K, ( between(1, 3, _), engine_next(E11, Q), garbage_collect, length(Q, K) ), N11)), N11)",
                "[2000,2000,2000]",
            ),
            // Flags, records and names that are new belong to all, and libraries with variables of their own work in each.
            (
                "((flag(zz, _, 1), engine_create(x, flag(zz, N, N + 1), E16), engine_next(E16, _), get_flag(zz, V16),
                   findall(K, ( current_flag(K), K == zz ), K16)), V16/K16)",
                "2/[zz]",
            ),
            (
                "((recorda(k, a, R17), engine_create(R, recorda(k, b, R), E17), engine_next(E17, S17), R17 \\== S17, erase(R17),
                   findall(V, recorded(k, V), L17)), L17)",
                "[b]",
            ),
            (
                "((gensym(g, A18), engine_create(X, gensym(g, X), E18), engine_next(E18, B18), gensym(g, C18), sort([A18, B18, C18], L18)), L18)",
                "[g1,g2,g3]",
            ),
            (
                "((engine_create(X-Y, ( X in 1..3, X #> Y, Y #>= 1, label([X, Y]) ), E19),
                   findall(S, ( between(1, 3, _), engine_next(E19, S) ), L19)), L19)",
                "[2-1,3-1,3-2]",
            ),
            (
                "((engine_create(X, {X + 2 =:= 5}, E20), engine_next(E20, L20)), L20)",
                "3",
            ),
            (
                "((engine_create(X, ( sat(X * ~X + X), labeling([X]) ), E21), engine_next(E21, L21)), L21)",
                "1",
            ),
            (
                "((engine_create(X-Y, ( b_setval(k22, f(1)), nb_setval(l22, g(2)), nb_getval(l22, Y), b_getval(k22, X) ), E22),
                   engine_next(E22, L22)), L22)",
                "f(1)-g(2)",
            ),
            ("((engine_create(X, member(X, [p]), pq, [alias(pq)]), engine_next(pq, A12)), A12)", "p"),
            // An engine that has ended is destroyed without a word, once.
            (
                "((engine_create(x, fail, E15), \\+ engine_next(E15, _), engine_destroy(E15), \\+ is_engine(E15)), done)",
                "done",
            ),
            ("(engine_next(_, _), [])", "instantiation_error"),
            ("(engine_next(foo, _), [])", "existence_error(engine,foo)"),
            ("(engine_next(f(x), _), [])", "type_error(engine,f(x))"),
            ("(engine_fetch(_), [])", "existence_error(term,delivery,main)"),
            ("((engine_create(x, fail, E13), engine_next(E13, _)), [])", "no"),
            ("((engine_create(x, no_such, E14), engine_next(E14, _)), [])", "existence_error(procedure,no_such/0)"),
        ],
    );
}

#[test]
fn tries_are_maps_from_terms_up_to_renaming() {
    check(
        "",
        &[
            (
                "((trie_new(T), trie_insert(T, f(X, Y, X), v), trie_insert(T, f(X, Y, Y), w),
                   ( trie_lookup(T, f(_, _, _), _) -> true ; writeln(other) ), trie_lookup(T, f(A, _, A), V1),
                   \\+ trie_insert(T, f(Y, X, Y), v),
                   trie_update(T, k, 1), trie_update(T, k, 2), trie_lookup(T, k, V2),
                   findall(K, trie_gen(T, K, _), Ks), length(Ks, N), trie_delete(T, k, _), \\+ trie_lookup(T, k, _),
                   trie_destroy(T), \\+ is_trie(T)), V1/V2/N)",
                "other\nv/2/3",
            ),
            ("(trie_insert(_, a), [])", "instantiation_error"),
            ("(trie_lookup(foo, a, _), [])", "type_error(trie,foo)"),
        ],
    );
}

/// What a goal prints when it is `main/0`.
fn printed(goal: &str) -> String {
    let ran = run(&format!(":- initialization(main).\nmain :- {goal}.\n"));
    assert_eq!(ran.error.replace("warning: the goal main failed\n", ""), "", "{goal}");
    ran.output
}

#[test]
fn backtracking_and_exceptions_run_what_undo_left_and_cuts_do_not() {
    for (goal, expected) in [
        ("( X = 1, undo(print(X)), print(a), fail ; print(b) )", "a1b"),
        ("undo(print(a)), !, undo(print(b)), fail", "ba"),
        ("( member(X, [1, 2]), undo(print(u(X))), print(X), X >= 2, ! ; true ), print(end)", "1u(1)2endu(2)"),
        ("\\+ \\+ ( undo(print(z)), print(in) ), print(out)", "inzout"),
        ("forall(( undo(print(z)), print(in) ), print(then)), print(out)", "inthenzout"),
        ("findall(X, ( member(X, [1, 2]), undo(print(X)) ), L), print(L)", "12[1,2]"),
        // The goal is a copy, once, and what it does to the others is their own affair.
        ("( undo(print(X)), X = 3, fail ; true )", "_"),
        ("( undo(( member(X, [1, 2]), print(X) )), fail ; true )", "1"),
        ("( undo(fail), undo(print(a)), fail ; print(b) )", "ab"),
        ("catch(( undo(throw(oops)), undo(print(a)), fail ), E, ( print(E) ))", "aoops"),
        ("catch(( undo(print(a)), throw(x) ), x, print(b)), print(c)", "abc"),
        ("catch(( undo(throw(y)), throw(x) ), E, print(E))", "x"),
        ("( undo(( undo(print(a)), print(b) )), fail ; print(c) )", "bac"),
        ("catch(undo(_), error(E, _), print(E))", "instantiation_error"),
        ("catch(undo(1), error(E, _), print(E))", "type_error(callable,1)"),
        // Long terms, collections, attributes and engines in between.
        (
            "( length(L, 3), undo(( length(L, N), print(N) )), numlist(1, 30000, Ns), garbage_collect, sum_list(Ns, S), print(S), fail ; true )",
            "4500150003",
        ),
        ("( freeze(X, print(woke)), undo(print(u)), X = 1, print(x), fail ; print(end) )", "wokexuend"),
        (
            "engine_create(X, ( member(X, [1, 2]), undo(print(u(X))) ), E), engine_next(E, A), engine_next(E, B), print(A-B), \\+ engine_next(E, _)",
            "u(1)1-2u(2)",
        ),
        ("( between(1, 200, X), undo(nb_setval(k, X)), fail ; nb_getval(k, Y), print(Y) )", "200"),
        ("( undo(print(a)), undo(print(b)), numlist(1, 30000, _), garbage_collect, fail ; true )", "ba"),
        (
            "catch(( undo(print(a)), ( undo(print(b)) ; true ), undo(print(c)), garbage_collect, throw(x) ), x, print(end))",
            "cbaend",
        ),
        ("catch(( undo(halt), throw(x) ), x, true), print(not_reached)", ""),
        ("findall(X, ( undo(halt), X = 1 ), _), print(not_reached)", ""),
        ("catch(call_cleanup(( undo(halt), throw(x) ), true), x, true), print(not_reached)", ""),
        ("undo(print(a)), halt", ""),
        ("catch(( undo(print(a)), ( undo(print(b)), halt ; true ) ), _, true)", ""),
        ("undo(print(a)), forall(true, halt)", ""),
        (
            "engine_create(x, ( undo(print(u)), throw(o) ), E), catch(engine_next(E, _), B, true), print(B)",
            "uo",
        ),
        ("engine_create(x, ( undo(halt), throw(o) ), E), catch(engine_next(E, _), _, true), print(no)", ""),
        (
            "engine_create(x, ( undo(halt) ; true ), E), engine_next(E, _), engine_destroy(E), print(no), ( undo(print(u)), fail ; true )",
            "",
        ),
        ("\\+ ( setup_call_cleanup(true, member(_, [1, 2]), undo(print(a))), !, fail ), print(b)", "ab"),
    ] {
        let printed = printed(goal);
        let printed =
            if expected == "_" { printed.trim_end_matches(|c: char| c.is_ascii_digit()) } else { &printed };
        assert_eq!(printed, expected, "{goal}");
    }
}

#[test]
fn goals_of_undo_whose_exceptions_undo_goals_have_an_end() {
    // Also where the program is told of it, and leaves goals of its own then.
    let hooked = ":- initialization(main).\n:- multifile(user:message_hook/3).\n\
        user:message_hook(_, _, _) :- undo(true), throw(x).\n\
        p :- undo(p), throw(x).\nmain :- catch(p, _, true), print(end).\n";
    assert_eq!(run(hooked).output, "end");
    let ran =
        run(":- initialization(main).\np :- undo(p), throw(x).\nmain :- catch(p, _, true), print(end).\n");
    assert_eq!(ran.output, "end");
    assert!(ran.error.contains("depth"), "{}", ran.error);
    assert!(ran.error.lines().count() < 10, "{}", ran.error);
}

#[test]
fn collections_inside_undone_goals_follow_no_environment_of_another_clause() {
    // The caller keeps far more slots than the clause whose alternative is tried has, and what lies above these refers
    // to terms that are gone.
    let names = |prefix: &str| (0..60).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
    let goals = |goal: &str, names: &[String]| {
        names.iter().map(|name| format!("{goal}({name})")).collect::<Vec<_>>().join(", ")
    };
    let (kept, stale) = (names("K"), names("S"));
    let program = format!(
        ":- initialization(main).
        collecting :- numlist(1, 300000, L), sum_list(L, _), garbage_collect.
        t(L) :- length(L, 3).
        u(L) :- length(L, N), N == 3.
        filled(0) :- !, numlist(1, 50000, _).
        filled(N) :- {stale_made}, M is N - 1, filled(M), {stale_used}.
        fill :- numlist(1, 200000, _), filled(4), fail.
        fill.
        tried(X) :- ( X = 1, undo(collecting), fail ; true ), X = 2, print(second).
        caught(X) :- ( X = 1, undo(collecting), throw(x) ; true ), X = 2.
        main :- {kept_made}, fill, tried(_), fill, catch(caught(_), x, print(caught)), fill,
            catch(( tried(_), fill, caught(_) ), x, print(caught)), {kept_used}, print(end).\n",
        stale_made = goals("t", &stale),
        stale_used = goals("u", &stale),
        kept_made = goals("t", &kept),
        kept_used = goals("u", &kept),
    );
    let ran = run(&program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("secondcaughtsecondcaughtend", ""));
}

#[test]
fn what_waits_for_a_variable_is_called_in_front_of_a_goal_that_fails() {
    for (goal, expected) in [
        ("( freeze(X, print(woke)), X = 1, fail ; print(end) )", "wokeend"),
        ("( freeze(X, print(woke)), X = 1, !, fail ; true )", "woke"),
        ("( freeze(X, throw(t)), catch(( X = 1, fail ), t, print(caught)) ; true )", "caught"),
        ("( freeze(X, fail), X = 1, fail ; print(end) )", "end"),
        ("freeze(X, print(woke)), ( \\+ ( X = 1, fail ) -> print(yes) ; true )", "wokeyes"),
    ] {
        assert_eq!(printed(goal).trim_end(), expected, "{goal}");
    }
}

#[test]
fn a_limit_on_calls_ends_with_the_last_solution() {
    let work = ":- initialization(main).\nwork(0) :- !.\nwork(N) :- M is N - 1, work(M).\n";
    for (goal, expected) in [
        (
            "findall(R, call_with_inference_limit(( true ; fail ), 1000, R), L), work(5000), print(L)",
            "[true]",
        ),
        (
            "findall(X-R, call_with_inference_limit(member(X, [1, 2]), 1000, R), L), work(5000), print(L)",
            "[1-true,2-!]",
        ),
        (
            "call_with_inference_limit(( findall(x, call_with_inference_limit(( true ; fail ), 9, _), _), work(5000) ), 1000, R), print(R)",
            "inference_limit_exceeded",
        ),
        (
            "findall(R, call_with_inference_limit(( true ; work(5000) ), 1000, R), L), work(5000), print(L)",
            "[true,inference_limit_exceeded]",
        ),
    ] {
        let ran = run(&format!("{work}main :- {goal}.\n"));
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""), "{goal}");
    }
}

#[test]
fn a_goal_of_undo_ends_the_program_wherever_it_was_left() {
    // The library's texts are looked for by goals of the program.
    let ran = run(":- multifile user:file_search_path/2.
         user:file_search_path(x, '.') :- undo(halt(3)).
         :- use_module(x(nowhere)).
         :- initialization(main).
         main :- print(not_reached).");
    assert_eq!((ran.output.as_str(), ran.error.as_str(), ran.exit), ("", "", 3));
    // So do the goals behind the end.
    let ran = run(":- at_halt(undo(halt(4))).\n:- initialization(main).\nmain :- print(a).");
    assert_eq!((ran.output.as_str(), ran.exit), ("a", 4));
}

/// Wherever a limit is met inside of another one, it is its own goal's that ends.
#[test]
fn limits_inside_of_limits_end_where_they_are_met() {
    let program = "
        :- initialization(main).
        goal :- forall(between(1, 9, _), true).
        inner(L) :- call_with_inference_limit(goal, L, R), ( R == inference_limit_exceeded ; true ).
        work(L) :- forall(between(0, 5, _), forall(inner(L), true)).
        main :-
            forall(
                ( member(L, [0, 1, 2, 3, 5, 11, 23]), between(1, 160, N) ),
                ( catch(call_with_inference_limit(work(L), N, _), E, ( print(L-N-E), nl )) -> true ; print(L-N), nl )
            ),
            writeln(done).
    ";
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("done\n", ""));
}
