//! `library(clpfd)`. Domains and residual goals are those that `swipl` tells, solutions are compared with trying all.

use crate::support::{output, run_with};
use rtcheck::session::Options;

/// The output of a goal in a program that uses the library.
fn solved(goal: &str) -> String {
    let program = format!(":- use_module(library(clpfd)).\n:- initialization(main).\nmain :- {goal}.\n");
    let ran = run_with(&program, &[], Options::default());
    assert_eq!((ran.error.as_str(), ran.exit), ("", 0), "{goal}");
    ran.output
}

/// Sets of integers are told as ranges: how a set is written is each system's own.
#[test]
fn sets_of_integers_have_their_operations() {
    for (goal, expected) in [
        (
            "X in 1..3\\/5..9, fd_set(X, S), fdset_min(S, A), fdset_max(S, B), fdset_size(S, N), print(A/B/N)",
            "1/9/8",
        ),
        (
            "X in 1..3\\/5..9, fd_set(X, S), fdset_parts(S, A, B, T), fdset_to_range(T, R), print(A-B-R)",
            "1-3-5..9",
        ),
        (
            "list_to_fdset([3,1,2,7,7], S), fdset_to_range(S, R), fdset_to_list(S, L), print(R-L)",
            "1..3\\/7-[1,2,3,7]",
        ),
        (
            "range_to_fdset(1..3\\/5..9, S), list_to_fdset([1,2,3,7], T), fdset_union(S, T, U), fdset_intersection(S, T, I), \
             fdset_subtract(S, T, D), fdset_complement(S, C), maplist(fdset_to_range, [U,I,D,C], Rs), print(Rs)",
            "[1..3\\/5..9,1..3\\/7,5..6\\/8..9,inf..0\\/4\\/10..sup]",
        ),
        ("list_to_fdset([1,2,3,7], S), findall(M, fdset_member(M, S), Ms), print(Ms)", "[1,2,3,7]"),
        (
            "list_to_fdset([1,2,3,7], S), fdset_add_element(S, 4, T), fdset_del_element(T, 2, U), fdset_to_range(T, A), \
             fdset_to_range(U, B), print(A-B)",
            "1..4\\/7-(1\\/3..4\\/7)",
        ),
        (
            "range_to_fdset(inf..3\\/8, S), fdset_size(S, N), fdset_min(S, M), \\+ fdset_to_list(S, _), print(N-M)",
            "sup-inf",
        ),
        ("list_to_fdset([1,2,3,7], S), X in_set S, fd_dom(X, D), print(D)", "1..3\\/7"),
        (
            "list_to_fdset([1,2], S), list_to_fdset([2,3], T), list_to_fdset([4], U), fdset_disjoint(S, U), fdset_intersect(S, T), \
          \\+ fdset_subset(S, T), fdset_eq(S, S), is_fdset(S), \\+ is_fdset(foo), fdset_singleton(U, N), print(N)",
            "4",
        ),
        (
            "fdset_interval(S, 2, 6), \\+ fdset_interval(T, 3, 2), empty_fdset(T), empty_interval(5, 3), \\+ empty_interval(inf, 3), \
          fdset_to_range(S, R), fdset_to_range(T, Q), print(R-Q)",
            "2..6-1..0",
        ),
    ] {
        assert_eq!(solved(goal), expected, "{goal}");
    }
}

#[test]
fn tasks_are_serialized_and_sicstus_has_names_of_its_own() {
    for (goal, expected) in [
        ("serialized([P,Q], [2,3]), P = 0, Q in 0..3, fd_dom(Q, D), print(D)", "2..3"),
        ("serialized([P,Q], [2,3]), P in 0..4, Q = 2, print(P)", "0"),
        ("domain([X,Y], 1, 3), X #> Y, fd_dom(X, D), print(D)", "2..3"),
        ("domain([X,Y], 1, 3), maximum(M, [X,Y]), M #= 1, minimum(N, [X,5]), print(X/Y/N)", "1/1/1"),
        ("domain([X,Y,Z], 0, 1), count(1, [X,Y,Z], #=, 3), print([X,Y,Z])", "[1,1,1]"),
        ("X in 1..5, labeling([maximize(X mod 4)], [X]), print(X)", "3"),
    ] {
        assert_eq!(solved(goal), expected, "{goal}");
    }
}

#[test]
fn domains_are_narrowed() {
    for (goal, expected) in [
        ("X in 1..5, X #> 2, X #\\= 4, fd_dom(X, D), print(D)", "3\\/5"),
        ("X in 1..4, Y #= X*2, fd_dom(Y, D), print(D)", "2..8"),
        ("X in 0..9, Y in 0..9, X + Y #= 17, fd_dom(X, D), print(D)", "8..9"),
        ("X #= 3 + 4*2, print(X)", "11"),
        ("3 #= X + 1, print(X)", "2"),
        ("X in 1..10, X mod 3 #= 2, X #> 5, fd_dom(X, D), print(D)", "8..8"),
        ("X * X #= 49, X #> 0, print(X)", "7"),
        ("X in 1..8, Y in 1..8, abs(X-Y) #\\= 2, X = 3, fd_dom(Y, D), print(D)", "2..4\\/6..8"),
        ("X in 1..8, 0 #\\= abs(X-4), fd_dom(X, D), print(D)", "1..3\\/5..8"),
        ("X in 1..3, Y in 1..3, abs(X-Y) #\\= -1, X = 2, fd_dom(Y, D), print(D)", "1..3"),
        ("X in -5..5, abs(X) #= 4, fd_dom(X, D), print(D)", "-4\\/4"),
        ("X in 1..2, Y in 1..2, Z in 1..3, all_distinct([X,Y,Z]), print(Z)", "3"),
        ("all_different([X,Y]), X in 1..2, Y = 1, print(X)", "2"),
        ("tuples_in([[X,Y]], [[1,2],[2,3],[3,5]]), Y #> 2, fd_dom(X, D), print(D)", "2..3"),
        ("X in 0..sup, fd_inf(X, L), fd_sup(X, H), fd_size(X, N), print(L/H/N)", "0/sup/sup"),
        ("X in 1..3, B #<==> (X #> 5), print(B)", "0"),
        ("X in 1..9, B #<==> (X #> 5), B = 1, fd_dom(X, D), print(D)", "6..9"),
        ("X in 0..3, (X #> 1) #\\/ (X #< 0), fd_dom(X, D), print(D)", "2..3"),
    ] {
        assert_eq!(solved(goal), expected, "{goal}");
    }
}

#[test]
fn variables_that_are_one_are_seen() {
    for goal in [
        "X #< Y, X = Y",
        "X #\\= Y, X = Y",
        "X in 1..2, X = 3",
        "X in 1..2, Y in 3..4, X = Y",
        "X #= Y + 1, X = Y",
    ] {
        assert_eq!(solved(&format!("( {goal} -> print(yes) ; print(no) )")), "no", "{goal}");
    }
}

/// Bounds of what has no end push each other; what is posted ends, and what is known later is seen.
#[test]
fn what_has_no_end_is_not_followed_without_end() {
    for (goal, expected) in [
        ("X #> 0, X #> Y, Y #> X", "yes"),
        ("X #> 0, X #> Y, Y #> X, X = 4", "no"),
        ("X #> 0, X #> Y, Y #> X, X #< 100", "no"),
        ("X #> 0, X #> Y, Y #> X, X in 0..100000, label([X])", "no"),
        ("X #> 0, Y #= 2*X, X #= 2*Y + 1", "yes"),
        ("X #> 2, X*X #= Y, Y #=< X + Z, Z #=< 4, Z #>= 0", "yes"),
    ] {
        assert_eq!(solved(&format!("( {goal} -> print(yes) ; print(no) )")), expected, "{goal}");
    }
}

#[test]
fn what_is_left_is_told() {
    for (goal, expected) in [
        ("X in 1..5, X #\\= 3, copy_term(X, Y, Gs), Y = x, print(Gs)", "[x in 1..2\\/4..5]"),
        ("A + B #= 3, copy_term(A-B, C, Gs), C = a-b, print(Gs)", "[a+b#=3]"),
        ("all_different([A,B]), copy_term(A-B, C, Gs), C = a-b, print(Gs)", "[all_different([a,b])]"),
        ("X #>= 2*Y - 3, copy_term(X-Y, C, Gs), C = x-y, print(Gs)", "[2*y#=<x+3]"),
        ("B #<==> (V #> 3), copy_term(B-V, C, Gs), C = b-v, print(Gs)", "[b in 0..1,b#<==>0#=<v+ -4]"),
    ] {
        assert_eq!(solved(goal), expected, "{goal}");
    }
}

#[test]
fn searches_find_their_solutions_in_order() {
    for (goal, expected) in [
        ("X in 1..3, findall(X, label([X]), L), print(L)", "[1,2,3]"),
        ("X in 1..3, findall(X, labeling([down], [X]), L), print(L)", "[3,2,1]"),
        ("[X,Y] ins 0..3, X + Y #=< 4, labeling([max(X*Y)], [X,Y]), print(X-Y)", "2-2"),
        (
            "[X,Y] ins 0..3, X + Y #>= 3, findall(X-Y, labeling([min(X+2*Y)], [X,Y]), L), L = [A,B|_], print([A,B])",
            "[3-0,2-1]",
        ),
        ("catch(label([_]), error(E, _), print(E))", "instantiation_error"),
        ("catch(a #= 1, error(E, _), print(E))", "type_error(evaluable,a/0)"),
        (
            "Vs = [S,E,N,D,M,O,R,Y], Vs ins 0..9, all_different(Vs), S*1000+E*100+N*10+D + M*1000+O*100+R*10+E #= \
             M*10000+O*1000+N*100+E*10+Y, M #\\= 0, S #\\= 0, label(Vs), print(Vs)",
            "[9,5,6,7,1,0,8,2]",
        ),
        ("transpose([[1,2],[3,4]], T), print(T)", "[[1,3],[2,4]]"),
        ("length(L, 4), circuit(L), findall(L, label(L), Ls), length(Ls, N), print(N)", "6"),
        (
            "[A,B] ins 0..3, cumulative([task(A,3,_,1,_),task(B,2,_,1,_)]), findall(A-B, label([A,B]), L), print(L)",
            "[0-3,2-0,3-0,3-1]",
        ),
        (
            "[A,B,C,D] ins 0..9, cumulative([task(A,3,E,2,_),task(B,2,F,1,_),task(C,2,G,2,_),task(D,1,H,3,_)], \
             [limit(3)]), M #= max(max(E,F), max(G,H)), once(labeling([min(M)], [M,A,B,C,D])), print([A,B,C,D]-M)",
            "[0,0,3,5]-6",
        ),
        ("X in 1..3, Y in 5..6, zcompare(O, X, Y), print(O)", "<"),
        ("X in 1..9, zcompare(O, X, 5), O = (>), fd_dom(X, D), print(D)", "6..9"),
        ("X in 1..9, zcompare(O, X, 5), X = 5, print(O)", "="),
        ("zcompare(O, 7, 5), print(O)", ">"),
        (
            "global_cardinality([X,Y,Z], [1-2,2-1]), findall([X,Y,Z], label([X,Y,Z]), L), print(L)",
            "[[1,1,2],[1,2,1],[2,1,1]]",
        ),
    ] {
        assert_eq!(solved(goal), expected, "{goal}");
    }
}

#[test]
fn without_the_library_nothing_is_there() {
    assert_eq!(output("catch(all_distinct([]), error(existence_error(K, _), _), print(K))"), "procedure");
}

/// Random constraints over a few variables, posted and labelled, against all assignments tried one by one.
#[test]
fn random_constraints_have_the_solutions_that_trying_finds() {
    let program = format!(
        "{}:- initialization(main).\nmain :- forall(between(1, 150, S), one(S)), write(done).\n",
        include_str!("clpfd.pl")
    );
    let ran = run_with(&program, &[], Options::default());
    assert_eq!((ran.error.as_str(), ran.output.as_str()), ("", "done"));
}

#[test]
fn a_search_finds_solutions_in_swi_prolog_s_order() {
    let goal =
        "forall(( member(S, [leftmost,min,max]), member(B, [step,enum,bisect]), member(D, [up,down]) ),
        ( findall(X-Y-Z-W, ( [X,Y,Z,W] ins 1..4, X+Y #= Z+W, X*Z #> Y, all_different([X,Y,W]),
            labeling([S,B,D], [X,Y,Z,W]) ), L), print(S-B-D-L), nl ))";
    let table = include_str!("cases/labeling.txt");
    let expected: Vec<&str> = table.lines().filter(|line| !line.starts_with('%')).collect();
    assert_eq!(solved(goal).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn tasks_one_at_a_time_take_the_sum_of_their_durations() {
    // Ten tasks with an order among them: without the sum, every order is tried before 145 is known to be best.
    let goal = "Ds = [35,15,40,15,5,10,5,10,5,5], same_length(Ds, Ss), same_length(Ds, Es), Ss ins 0..145, Es ins 0..145,
        maplist([S,D,E,task(S,D,E,1,_)]>>true, Ss, Ds, Es, Ts), cumulative(Ts, [limit(1)]),
        foldl([E,M0,M]>>(M #= max(M0, E)), Es, 0, Last),
        maplist({Ss,Es}/[A-B]>>( nth1(A, Es, E), nth1(B, Ss, S), E #=< S ),
            [1-2,1-3,1-4,2-5,4-6,5-7,5-8,3-8,5-9,3-9,7-10,8-10,9-10,6-10]),
        once(labeling([ffc,enum,min(Last)], Ss)), print(Last)";
    assert_eq!(solved(goal), "145");
}

#[test]
fn tasks_share_a_resource_as_a_look_at_every_time_says() {
    // Random tasks with open starts, durations and needs: all solutions, in order, beside a check of each time.
    let program = ":- use_module(library(clpfd)).
        r(N, X) :- nb_getval(s, S0), S is (S0*1103515245+12345) mod 2147483648, nb_setval(s, S), X is (S>>8) mod N.
        main :- nb_setval(s, 7), forall(between(1, 60, I), one(I)), writeln(done).
        one(I) :- r(3, N0), N is N0+2, r(3, L0), L is L0+1, length(Ts, N), maplist(task, Ts, Ss, Ds, Cs),
            findall(Ss, ( cumulative(Ts, [limit(L)]), append([Ss,Ds,Cs], Vs), label(Vs) ), A0),
            findall(Ss, ( append([Ss,Ds,Cs], Vs), label(Vs), fit(Ss, Ds, Cs, L) ), B0),
            ( A0 == B0 -> true ; print(differ(I, Ts, L)), nl ).
        task(task(S,D,E,C,_), S, D, C) :- r(3, A), B is A+3, S in A..B, r(4, K), ( K =:= 0 -> D in 1..2 ; D is K ),
            r(3, C0), ( C0 =:= 0 -> C in 0..1 ; C = C0 ), E in 0..12.
        fit(Ss, Ds, Cs, L) :- forall(between(0, 12, T), ( used(Ss, Ds, Cs, T, U), U =< L )).
        used([], [], [], _, 0).
        used([S|Ss], [D|Ds], [C|Cs], T, U) :- used(Ss, Ds, Cs, T, U0), ( S =< T, T < S+D -> U is U0+C ; U = U0 ).
        :- initialization(main).
    ";
    assert_eq!(run_with(program, &[], Options::default()).output, "done\n");
    // A task of three quarters of the time leaves room for one beside it only: the others start behind it.
    assert_eq!(
        solved(
            "maplist([task(S,D,E,C,_), D-C, S, E]>>true, Ts, [30-3,10-1,15-3,15-2], Ss, Es), Ss ins 0..60, Es ins 0..90,
             foldl([E,M0,M]>>(M #= max(M0, E)), Es, 0, End), cumulative(Ts, [limit(4)]),
             once(labeling([min(End)], Ss)), print(End-Ss)"
        ),
        "60-[0,0,30,45]"
    );
    assert_eq!(
        solved(
            "S in 0..5, cumulative([task(0,4,4,2,_), task(S,2,_,1,_)], [limit(2)]), fd_dom(S, D), print(D)"
        ),
        "4..5"
    );
}
