//! Constraints and programs that are solved: GNU Prolog's finite domains, `library(clpb)`, `library(simplex)` and
//! `library(reif)`. What is expected is what GNU Prolog 1.4.5 and SWI-Prolog 9.0.4 say.

use crate::support::{run, run_with};
use rtcheck::session::Options;

/// A program that does not fail says this, and nothing is told of it.
fn says(program: &str, output: &str) {
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (output, ""), "{program}");
}

/// Solutions of goals, one line for each goal.
fn solutions(head: &str, goals: &[&str]) -> String {
    let mut program = format!(
        "{head}\nq(V, G) :- findall(R, catch(( G, R = V ), error(R, _), true), L), print(L), nl.\nmain :- true"
    );
    for goal in goals {
        program.push_str(",\n  q(");
        program.push_str(goal);
        program.push(')');
    }
    program.push_str(".\n");
    let ran = run(&program);
    assert_eq!(ran.error, "", "{program}");
    ran.output
}

#[test]
fn gnu_prologs_constraints_need_no_directive() {
    says(
        "main :- q(X, Y), write(X-Y), nl, fail.\nmain.\n\
         q(X, Y) :- fd_domain([X, Y], 1, 3), X #<# Y, X + Y #\\= 4, fd_labeling([X, Y]).\n",
        "1-2\n2-3\n",
    );
    // The first clause that needs the operators may be a directive.
    says(":- fd_domain(X, 0, 9), X * X #= 49, write(X), nl.\nmain.\n", "7\n");
}

#[test]
fn gnu_prologs_operators_are_no_others() {
    let ran = run("main :- writeq(#=), nl.\np(X) :- X #= 1 2.\n");
    assert!(ran.error.contains("error: syntax error"), "{}", ran.error);
    assert_eq!(ran.output, "#=\n");
    let strict = Options { iso: true, ..Options::default() };
    let ran = run_with("p(X) :- X #= 1.\nmain.\n", &[], strict);
    assert!(ran.error.contains("error: syntax error"), "{}", ran.error);
}

#[test]
fn gnu_prologs_variables_have_a_domain() {
    let said = solutions(
        "",
        &[
            "D, (X #< 5, fd_dom(X, D))",
            "L-H, (Y #= 3 - Z, fd_min(Y, L), fd_max(Z, H))",
            "X, (X #= -1)",
            "M, fd_max_integer(M)",
            "D, (B #<=> (X #= 3), fd_dom(B, D))",
            "D, fd_dom(5, D)",
            "x, fd_min(_, _)",
            "x, fd_domain(_, a, 3)",
            "x, fd_labeling(_)",
            "x, (_ #= foo)",
            "D, (fd_domain(X, [1, 3, 4, 8]), fd_dom(X, D))",
            "N, (fd_domain(X, [1, 3, 4, 8]), fd_size(X, N))",
        ],
    );
    insta::assert_snapshot!(said, @r#"
    [[0,1,2,3,4]]
    [0-3]
    []
    [268435455]
    [[0,1]]
    [[5]]
    [instantiation_error]
    [type_error(integer,a)]
    [instantiation_error]
    [type_error(fd_evaluable,foo/0)]
    [[1,3,4,8]]
    [4]
    "#);
}

#[test]
fn gnu_prologs_constraints_hold() {
    let said = solutions(
        "",
        &[
            "A-B, (fd_domain([A, B], 0, 1), A #\\<=> B, fd_labeling([A, B]))",
            "A-B, (fd_domain([A, B], 0, 1), A #\\\\/ B)",
            "A-B, (fd_domain([A, B], 0, 1), #\\ (A #==> B))",
            "A-B, (fd_domain([A, B], 0, 1), A ## B, fd_labeling([A, B]))",
            "L, (L = [_, _, _], fd_domain(L, 1, 2), fd_exactly(2, L, 1), fd_labeling(L))",
            "L, (L = [_, _, _], fd_domain(L, 1, 2), fd_atmost(1, L, 1), fd_atleast(1, L, 1), fd_labeling(L))",
            "L, (L = [_, _, _], fd_only_one(L), fd_labeling(L))",
            "X-Y, (fd_relation([[1, 2], [3, 4]], [X, Y]), fd_labeling([X, Y]))",
            "X-Y, (fd_relationc([[1, 3], [2, 4]], [X, Y]), fd_labeling([X, Y]))",
            "I-X, (fd_element(I, [5, 7, 5], X), X #= 5, fd_labeling(I))",
            "X, (fd_domain(X, 8, 12), fd_prime(X))",
            "N-X, (fd_domain(X, 1, 3), fd_cardinality([X #> 1, X #> 2], N), fd_labeling(X))",
            "X-Y, (dist(3, X) #= 1, X #> 3, 2 ** Y #= 8)",
            "R-Q, (7 // 2 #= Q, 7 rem 2 #= R)",
            "L, (fd_domain([A, B, C], 1, 3), fd_all_different([A, B, C]), A #> B, L = [A, B, C], fd_labeling(L))",
        ],
    );
    insta::assert_snapshot!(said, @r#"
    [0-1,1-0]
    [0-0]
    [1-0]
    [0-1,1-0]
    [[1,1,2],[1,2,1],[2,1,1]]
    [[1,2,2],[2,1,2],[2,2,1]]
    [[0,0,1],[0,1,0],[1,0,0]]
    [1-2,3-4]
    [1-2,3-4]
    [1-5,3-5]
    [11]
    [0-1,1-2,2-3]
    [4-3]
    [1-3]
    [[2,1,3],[3,1,2],[3,2,1]]
    "#);
}

#[test]
fn gnu_prologs_search_takes_values_and_variables_as_told() {
    let said = solutions(
        "",
        &[
            "X, (fd_domain(X, 1, 7), fd_labeling(X, [value_method(middle)]))",
            "X, (fd_domain(X, 1, 7), fd_labeling(X, [value_method(limits)]))",
            "X, (fd_domain(X, 1, 4), fd_labeling(X, [value_method(max)]))",
            "X, (fd_domain(X, 1, 4), fd_labeling(X, [value_method(bisect)]))",
            "X-Y, (fd_domain(X, 1, 3), fd_domain(Y, 1, 2), fd_labelingff([X, Y]))",
            "X-Y-S, (fd_domain([X, Y], 1, 3), S #= X + Y, S #>= 5, fd_minimize(fd_labeling([X, Y]), S))",
            "X-Y-S, (fd_domain([X, Y], 1, 3), S #= X + Y, fd_maximize(fd_labeling([X, Y]), S))",
            "x, (fd_domain(X, 1, 3), fd_labeling(X, [value_method(bounds)]))",
            "N, (fd_domain(X, 1, 9), X * X #= 49, fd_labeling([X], [backtracks(N)]))",
        ],
    );
    insta::assert_snapshot!(said, @r#"
    [3,4,2,5,1,6,7]
    [1,7,2,6,3,5,4]
    [4,3,2,1]
    [1,2,3,4]
    [1-1,2-1,3-1,1-2,2-2,3-2]
    [2-3-5,3-2-5]
    [3-3-6]
    [domain_error(fd_labeling_option,value_method(bounds))]
    [0]
    "#);
}

#[test]
fn truth_values_are_constrained() {
    let said = solutions(
        &format!(":- use_module(library(clpb)).\n{SHOWN}"),
        &[
            "X-Y, sat(X * Y)",
            "L, all_of(X-Y, sat(X + Y), L)",
            "L, all_of(X-Y-Z, sat(Z =:= X * Y), L)",
            "same, (sat(X =:= Y), X == Y)",
            "X-Y, sat(~(X + Y))",
            "L, all_of(X-Y, ( sat(X # Y # Z), Z = 0 ), L)",
            "T, taut(X + ~X, T)",
            "T, (sat(X =< Y), sat(Y =< Z), taut(X =< Z, T))",
            "X-Y, (sat(X + Y), labeling([X, Y]))",
            "N, (length(L, 40), sat(card([20], L)), sat_count(+[1|L], N))",
            "Vs-N, (Vs = [A, B, C], sat(A # B), weighted_maximum([1, 2, 1], Vs, N))",
            "Vs, (Vs = [A, B, C], sat(card([0-1, 3], Vs)), labeling(Vs))",
            "x, (sat(X =\\= Y), X = Y)",
            "same, (sat(X =\\= Y), sat(Y =\\= Z), X == Z)",
            "x, (sat(X + Y), f(X, Y) = f(0, 0))",
            "X-Y-Z, (sat(X =:= Y + Z), f(X, Y, Z) = f(0, 0, 0))",
            "Y, sat(X ^ (X * Y))",
            "x, sat(a)",
            "L, all_of(X, sat(X =:= a), L)",
            "T, (sat(X =:= a), sat(Y =:= a), taut(X =:= Y, T))",
            "x, (X = y, sat(f(X)))",
        ],
    );
    insta::assert_snapshot!(said, @r#"
    [1-1]
    [[A-B-[clpb:sat(A=\=A*B#B)]]]
    [[A-B-C-[clpb:sat(C=:=A*B)]]]
    [same]
    [0-0]
    [[A-B-[clpb:sat(A=\=B)]]]
    [1]
    [1]
    [0-1,1-0,1-1]
    [137846528820]
    [[0,1,1]-3]
    [[0,0,0],[0,0,1],[0,1,0],[1,0,0],[1,1,1]]
    []
    [same]
    []
    [0-0-0]
    [1]
    []
    [[A-[clpb:sat(A=:=a)]]]
    [1]
    [domain_error(clpb_expr,f(y))]
    "#);
}

#[test]
fn linear_programs_are_solved() {
    let said = solutions(
        ":- use_module(library(simplex)).\n\
         post([], S, S).\npost([C|Cs], S0, S) :- ( C = (N: D) -> constraint(N, D, S0, S1) ; constraint(C, S0, S1) ), post(Cs, S1, S).\n\
         values([], _, []).\nvalues([V|Vs], S, [X|Xs]) :- variable_value(S, V, X), values(Vs, S, Xs).\n\
         best(Cs, Goal, Vs, O-Xs) :- gen_state(S0), post(Cs, S0, S1), Goal =.. [P, T], call(P, T, S1, S), objective(S, O), values(Vs, S, Xs).",
        &[
            "R, best([[6*x, 2*y] =< 14, [10*x, 4*y] >= 3, integral(y)], maximize([x, 3*y]), [x, y], R)",
            "R, best([[0.3*x, 0.1*y] =< 2.7, [0.5*x, 0.5*y] = 6, [0.6*x, 0.4*y] >= 6], minimize([0.4*x, 0.5*y]), [x, y], R)",
            "R, best([[x] >= 2, [x] =< 1], maximize([x]), [x], R)",
            "R, best([[x] >= 2], maximize([x]), [x], R)",
            "R, best([[3*a, 2*b, 4*c] =< 7, [a] =< 1, [b] =< 1, [c] =< 1, integral(a), integral(b), integral(c)], maximize([10*a, 4*b, 7*c]), [a, b, c], R)",
            "A-B-C, (gen_state(S0), post([a: ([x] =< 2), b: ([y] =< 3), c: ([x, y] =< 4)], S0, S1), maximize([3*x, 2*y], S1, S), shadow_price(S, a, A), shadow_price(S, b, B), shadow_price(S, c, C))",
            "T, transportation([12, 7, 14], [3, 15, 9, 6], [[20, 50, 10, 60], [70, 40, 60, 30], [40, 80, 70, 40]], T)",
            "A, assignment([[4, 1], [2, 3]], A)",
        ],
    );
    insta::assert_snapshot!(said, @r#"
    [21-[0,7]]
    [21r4-[15r2,9r2]]
    []
    []
    [17-[1,0,1]]
    [1-0-2]
    [[[0,3,9,0],[0,7,0,0],[3,5,0,6]]]
    [[[0,1],[1,0]]]
    "#);
}

#[test]
fn conditions_are_decided_or_tried_both_ways() {
    let said = solutions(
        ":- use_module(library(reif)).\n:- use_module(library(lambda)).\n",
        &[
            "X-T, (X = 1, if_(X = 1, T = yes, T = no))",
            "T, if_(X = 1, T = X, T = other)",
            "Ys, tfilter(=(a), [a, b, a], Ys)",
            "Ts-Fs, tpartition(=(a), [a, b, a], Ts, Fs)",
            "X, memberd_t(X, [a, b], true)",
            "T, memberd_t(c, [a, b], T)",
            "T, ','(a = a, b = c, T)",
            "T, ;(a = b, b = b, T)",
            "x, if_(no(_), true, true)",
            "Ys, (N = 3, maplist(N +\\ X ^ Y ^ (Y is X * N), [1, 2], Ys))",
        ],
    );
    insta::assert_snapshot!(said, @r#"
    [1-yes]
    [1,other]
    [[a,a]]
    [[a,a]-[b]]
    [a,b]
    [false]
    [false]
    [true]
    [existence_error(procedure,no/2)]
    [[3,6]]
    "#);
}

#[test]
fn sequences_follow_an_automaton() {
    let said = solutions(
        ":- use_module(library(clpfd)).\n",
        &[
            "Vs, (length(Vs, 3), automaton(Vs, [source(a), sink(b)], [arc(a, 0, a), arc(a, 1, b), arc(b, 0, a), arc(b, 1, b)]), label(Vs))",
            "Vs, (length(Vs, 3), Vs ins 0..2, automaton(Vs, [source(a), sink(c)], [arc(a, 0, a), arc(a, 1, b), arc(b, 2, c), arc(c, 0, c)]), label(Vs))",
            "L-N, (length(L, 4), L ins 0..1, automaton(L, _, L, [source(s), sink(i), sink(j), sink(s)], [arc(s, 0, s), arc(s, 1, j), arc(j, 0, i, [C+1]), arc(j, 1, j, [C+1]), arc(i, 0, i), arc(i, 1, j, [C+1])], [C], [0], [N]), N #= 2, label(L))",
            "X-Y, (X in 0..2, Y in 0..1, disjoint2([r(0, 2, 0, 1), r(X, 1, Y, 1)]), label([X, Y]))",
            "Xs-Cost, (Xs = [_, _], global_cardinality(Xs, [1-_, 2-_], [cost(Cost, [[3, 5], [7, 1]])]), Cost #=< 6, label(Xs))",
            "Y, 2 ^ Y #= 8",
        ],
    );
    insta::assert_snapshot!(said, @r#"
    [[0,0,1],[0,1,1],[1,0,1],[1,1,1]]
    [[0,1,2],[1,2,0]]
    [[0,1,0,1]-2,[0,1,1,0]-2,[0,1,1,1]-2,[1,0,0,1]-2,[1,1,0,0]-2]
    [0-1,1-1,2-0,2-1]
    [[1,2]-4,[2,2]-6]
    [3]
    "#);
}

#[test]
fn older_and_other_names_of_constraints_are_known() {
    says(
        ":- use_module(library(bounds)).\nmain :- [X, Y] in 1..3, X #< Y, X #= 2 #=> Y #= 1, label([X, Y]), write(X-Y), nl.\n",
        "1-2\n",
    );
    says(":- use_module(library(clpz)).\nmain :- X in 1..3, #X #> 2, write(X), nl.\n", "3\n");
}

/// Solutions and what is left to say of them.
const SHOWN: &str = "shown(G, V0, V-Gs) :- call(G), copy_term(V0, V, Gs), numbervars(V-Gs, 0, _).\n\
    all(V, G) :- all_of(V, G, L), print(L), nl.\n\
    all_of(V, G, L) :- findall(R, catch(shown(G, V, R), error(R, _), true), L).\n";

#[test]
fn linear_constraints_over_numbers_are_solved() {
    let goals = [
        "X-Y, ({X + Y = 10, X - Y = 2})",
        "X, ({X >= 2}, {X =< 2})",
        "X, ({X > 2}, {X =< 2})",
        "X, {X >= 2}",
        "X-Y, {X = 2 * Y + 3}",
        "M, ({X =< 5, Y =< 3, X + Y =< 7}, sup(2 * X + Y, M))",
        "M, ({X >= 1, Y >= 2}, inf(X + Y, M))",
        "P, mortgage(1000, 12, 0.01, 0, P)",
        "X, ({X * Y = 6}, Y = 2)",
        "yes, ({X > 3}, entailed(X > 2))",
        "yes, ({X > 3}, entailed(X > 4))",
        "X-Y, ({X + Y =< 10, X >= 0, Y >= 0}, maximize(X + 2 * Y))",
        "X, ({X =\\= 2}, X = 2)",
        "X, ({X =\\= 2}, X = 3)",
        "X-Y, ({X = Y + Z, Z = 2}, Y = 1)",
        "X, {X ^ 2 = 9}",
        "M, ({X >= 0.5, Y >= 0.5, X + Y >= 2.3}, bb_inf([X, Y], X + Y, M))",
        "F, fib(5, F)",
        "X, ({X >= 0, X =< 10, 2 * X >= Y, Y = 8})",
        "X, {X = a}",
        "X, {foo(1)}",
    ];
    for library in ["clpq", "clpr"] {
        let mut program = format!(
            ":- use_module(library({library})).\n{SHOWN}\
             mortgage(P, T, _, B, _) :- T =< 0, {{B = P}}.\n\
             mortgage(P, T, I, B, MP) :- T > 0, T1 is T - 1, {{P1 = P * (1 + I) - MP}}, mortgage(P1, T1, I, B, MP).\n\
             fib(N, F) :- {{N =< 1, N >= 0}}, {{F = 1}}.\n\
             fib(N, F) :- N >= 2, {{N1 = N - 1, N2 = N - 2, F = F1 + F2}}, fib(N1, F1), fib(N2, F2).\nmain :- true"
        );
        for goal in goals {
            program.push_str(",\n  all(");
            program.push_str(goal);
            program.push(')');
        }
        program.push_str(".\n");
        let ran = run(&program);
        assert!(!ran.error.contains("error"), "{}", ran.error);
        insta::allow_duplicates! {
            if library == "clpq" {
                insta::assert_snapshot!(ran.output, @r#"
                [6-4-[]]
                [2-[]]
                []
                [A-[{A>=2}]]
                [A-B-[{B= -3r2+1r2*A}]]
                [12-[]]
                [3-[]]
                [11268250301319697206612010r126825030131969720661201-[]]
                [3-[]]
                [yes-[]]
                []
                [0-10-[]]
                []
                [3-[]]
                [3-1-[]]
                [A-[{A^2=9}]]
                [3-[]]
                [8-[]]
                [A-[{A>=4},{A=<10}]]
                [type_error(clpq_expression,a)]
                [type_error(clpq_constraint,foo(1))]
                "#);
            } else {
                insta::assert_snapshot!(ran.output, @r#"
                [6.0-4.0-[]]
                [2.0-[]]
                []
                [A-[{A>=2.0}]]
                [A-B-[{B= -1.5+0.5*A}]]
                [12.0-[]]
                [3.0-[]]
                [88.8487886783417-[]]
                [3.0-[]]
                [yes-[]]
                []
                [0.0-10.0-[]]
                []
                [3-[]]
                [3.0-1-[]]
                [3.0-[],-3.0-[]]
                [3.0-[]]
                [8.0-[]]
                [A-[{A>=4.0},{A=<10.0}]]
                [type_error(clpr_expression,a)]
                [type_error(clpr_constraint,foo(1))]
                "#);
            }
        }
    }
    // Ciao's packages write them with dots.
    says(
        ":- module(m, [main/0], [clpq]).\nmain :- X .=. Y + 1, Y .>=. 3, X .=<. 4, print(X-Y), nl.\n",
        "4-3\n",
    );
}
