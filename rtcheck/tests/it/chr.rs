//! Constraint Handling Rules (`library(chr)`), and what makes them possible: `end_of_file` is expanded too.

use crate::support::{run, run_files};

/// What a program with these rules prints.
fn printed(rules: &str, goal: &str) -> String {
    let ran = run(&format!(
        ":- use_module(library(chr)).\n{rules}\n:- initialization(main).\n\
         main :- ( {goal} -> true ; writeln(no) ).\n"
    ));
    assert_eq!(ran.error, "", "{goal}");
    ran.output
}

const LEQ: &str = ":- chr_constraint leq/2.
    reflexivity  @ leq(X, X) <=> true.
    antisymmetry @ leq(X, Y), leq(Y, X) <=> X = Y.
    idempotence  @ leq(X, Y) \\ leq(X, Y) <=> true.
    transitivity @ leq(X, Y), leq(Y, Z) ==> leq(X, Z).";

#[test]
fn constraints_over_variables_wake_when_these_are_bound() {
    let goal = "leq(A, B), leq(B, C), leq(C, A), A == B, B == C, chr_show_store(user), writeln(equal)";
    assert_eq!(printed(LEQ, goal), "equal\n");
    let goal =
        "leq(A, B), leq(B, C), findall(x, find_chr_constraint(leq(_, _)), L), length(L, N), writeln(N),
        A = C, A == B, findall(x, find_chr_constraint(_), L1), writeln(L1)";
    assert_eq!(printed(LEQ, goal), "3\n[]\n");
}

#[test]
fn classic_programs_give_what_they_should() {
    let gcd = ":- chr_constraint gcd/1.
        gcd(0) <=> true.
        gcd(N) \\ gcd(M) <=> N =< M | L is M mod N, gcd(L).";
    assert_eq!(
        printed(gcd, "X is 37*11*11*7*3, gcd(X), Y is 11*7*5*3, gcd(Y), chr_show_store(user)"),
        "gcd(231)\n"
    );
    let primes = ":- chr_constraint prime/1, candidate/1.
        candidate(1) <=> true.
        candidate(N) <=> prime(N), M is N-1, candidate(M).
        absorb @ prime(Y) \\ prime(X) <=> 0 =:= X mod Y | true.";
    let goal = "candidate(30), findall(X, find_chr_constraint(prime(X)), L), print(L), nl";
    assert_eq!(printed(primes, goal), "[2,3,5,7,11,13,17,19,23,29]\n");
    let fib = ":- chr_constraint fib(+int, ?int), upto(+int).
        upto(N), fib(A, AV), fib(B, BV) ==> B =:= A+1, B < N | C is B+1, CV is AV+BV, fib(C, CV).";
    let goal = "fib(0, 1), fib(1, 1), upto(10), find_chr_constraint(fib(10, X)), print(X), nl";
    assert_eq!(printed(fib, goal), "89\n");
    let union = ":- chr_constraint make/1, find/2, union/2, (~>)/2, link/2, root/2.
        :- op(700, xfx, '~>').
        make(A) <=> root(A, 0).
        union(A, B) <=> find(A, X), find(B, Y), link(X, Y).
        A ~> B \\ find(A, X) <=> find(B, X).
        root(B, _) \\ find(B, X) <=> X = B.
        link(A, A) <=> true.
        link(A, B), root(A, N), root(B, M) <=> N >= M | B ~> A, N1 is max(N, M+1), root(A, N1).
        link(B, A), root(A, N), root(B, M) <=> N >= M | B ~> A, N1 is max(N, M+1), root(A, N1).";
    let goal = "maplist(make, [a, b, c, d, e]), union(a, b), union(c, d), union(b, d), find(a, X), find(c, Y), find(e, Z),
        ( X == Y -> writeln(same) ; true ), ( X == Z -> true ; writeln(other) )";
    let union = union.replacen(":- chr_constraint", ":- op(700, xfx, '~>').\n:- chr_constraint", 1);
    assert_eq!(printed(&union, goal), "same\nother\n");
}

/// What SWI-Prolog 9.0.4 prints for the same.
#[test]
fn rules_are_tried_in_the_refined_order() {
    let rules = ":- chr_constraint a(?), b/2, c/1, d(+int), e/0, f/1, g/2, h/1, k/1.
        a(X), a(Y) <=> writeln(a(X,Y)).
        b(X,Y) \\ b(Y,Z) <=> writeln(b(X,Y,Z)).
        c(X), c(Y) ==> writeln(c(X,Y)).
        c(X), c(Y), c(Z) ==> writeln(c(X,Y,Z)).
        d(X), d(Y), e ==> writeln(d(X,Y)).
        e ==> writeln(e).
        f(X) ==> var(X) | writeln(free).
        f(X) ==> nonvar(X) | writeln(f(X)).
        g(X,Y), f(X) ==> writeln(g(Y)).
        h(f(X,a)), k(X) # passive ==> writeln(hk(X)).
        k(X), h(f(_,Y)) # Id ==> writeln(kh(X,Y)) pragma passive(Id).";
    for (goal, expected) in [
        ("a(1), a(2), a(3), chr_show_store(user)", "a(2,1)\na(3)\n"),
        ("b(1,2), b(2,3), b(3,1), b(1,1), chr_show_store(user)", "b(1,2,3)\nb(3,1,2)\nb(3,1,1)\nb(3,1)\n"),
        (
            "c(1), c(2), c(3)",
            "c(2,1)\nc(1,2)\nc(3,2)\nc(3,1)\nc(2,3)\nc(1,3)\nc(3,2,1)\nc(3,1,2)\nc(2,3,1)\nc(1,3,2)\nc(2,1,3)\nc(1,2,3)\n",
        ),
        ("d(1), d(2), e, d(3)", "d(2,1)\nd(1,2)\ne\nd(3,2)\nd(3,1)\nd(2,3)\nd(1,3)\n"),
        (
            "f(X), g(X,1), g(X,2), X = 3, g(3,4), f(3)",
            "free\ng(1)\ng(2)\nf(3)\ng(4)\nf(3)\ng(4)\ng(2)\ng(1)\n",
        ),
        ("h(f(1,a)), k(1), k(2), h(f(2,b)), h(f(2,a))", "kh(1,a)\nkh(2,a)\nhk(2)\n"),
        ("f(A), f(B), g(A,1), g(B,2), g(A,A), A = B", "free\nfree\ng(1)\ng(2)\ng(_)\ng(2)\ng(1)\ng(_)\n"),
    ] {
        let output = printed(rules, goal);
        // Names of variables differ.
        let shown: String = output
            .lines()
            .map(|line| if line.starts_with("g(_") { "g(_)\n".to_owned() } else { format!("{line}\n") })
            .collect();
        assert_eq!(shown, expected, "{goal}");
    }
}

#[test]
fn stores_are_undone_on_backtracking_and_empty_for_the_next_goal() {
    let rules = ":- chr_constraint p/1.\np(X), p(Y) <=> X = Y | writeln(pair(X)).";
    let goal = "( p(1), fail ; true ), chr_show_store(user), ( member(X, [1, 2]), p(X), p(2), writeln(X), fail ; true )";
    assert_eq!(printed(rules, goal), "1\npair(2)\n2\n");
    assert_eq!(
        printed(rules, "catch(( p(1), throw(x) ), x, true), chr_show_store(user), writeln(end)"),
        "end\n"
    );
}

#[test]
fn modules_offer_constraints_and_say_what_is_wrong_in_rules() {
    let ran = run_files(
        &[
            (
                "v.pl",
                ":- use_module(m).\n:- use_module(library(chr)).\n:- initialization(main).\nmain :- p(1), p(2), chr_show_store(m).",
            ),
            (
                "m.pl",
                ":- module(m, [p/1]).\n:- use_module(library(chr)).\n:- chr_constraint p/1, q/1.\np(X), p(Y) <=> Z is X+Y, q(Z).",
            ),
        ],
        &[],
        rtcheck::session::Options::default(),
    );
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("q(3)\n", ""));
    let ran = run(":- use_module(library(chr)).\n:- chr_constraint p/1.\np(X), r(X) <=> true.\nmain.\n");
    assert!(ran.error.contains("r/1"), "{}", ran.error);
}

#[test]
fn end_of_file_is_expanded_as_well() {
    let ran = run(":- dynamic(kept/1).
         term_expansion(keep(X), []) :- assertz(kept(X)).
         term_expansion(end_of_file, [all(L), end_of_file]) :- findall(X, kept(X), L).
         keep(1). keep(2).
         :- initialization(main).
         main :- all(L), print(L), nl.");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[1,2]\n", ""));
}
