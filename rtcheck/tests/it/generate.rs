//! Values that are made for what a test's precondition asks for.

use crate::support::open;
use rtcheck::report::{TestResult, TestRun};
use rtcheck::session::Options;

fn runs(program: &str) -> Vec<TestRun> {
    let (mut session, _) = open(program, Options::default());
    session.test("")
}

#[test]
fn free_arguments_of_a_precondition_are_given_values_of_their_types() {
    let program = "
        :- module(m, _, [assertions, regtypes, hiord, unittestdecls]).
        :- regtype tree(T).
        tree(leaf(X)) :- int(X).
        tree(node(L, R)) :- tree(L), tree(R).
        :- regtype long(T).
        long(more(X)) :- long(X).
        long(end).
        :- prop odd(X).
        odd(X) :- int(X), 1 is X mod 2.
        :- prop never(X).
        never(f(X)) :- never(X).
        :- test size(T, N) : tree(T) => (N == 1) + not_fails.
        size(leaf(_), 1).
        size(node(L, R), N) :- size(L, A), size(R, B), N is A + B.
        :- test two(X, Y) : (int(X), list(atm, Y)) => (X == 0, Y == []) + not_fails.
        two(_, _).
        :- test big(X) : (int(X), X > 3) => (X > 3) + not_fails.
        big(X) :- integer(X).
        :- test uneven(X) : odd(X) => (1 is X mod 2) + not_fails.
        uneven(_).
        :- test rest([a|T]) : list(T) => list(T) + not_fails.
        rest(_).
        :- test ends(X) : long(X) => (X == end) + not_fails.
        ends(_).
        :- test all(L) : (L = [A, B], list(int, L)) => (A == 0, B == 0) + not_fails.
        all(_).
        :- test none(X) : never(X) => true.
        none(_).
        :- test high(X) : (int(X), X > 100000) => true.
        high(_).
        :- data seen/1.
        :- test each(X) : nnegint(X) + (not_fails, generate_from_calls_n(4)).
        each(X) :- assertz_fact(seen(X)).
        :- test were(L) => (L == [0, 1, 2, 3]) + not_fails.
        were(L) :- findall(X, seen(X), L).
        :- test once(X) : int(X) => int(X) + (not_fails, generate_from_calls_n(0)).
        once(_).
        ";
    let runs = runs(program);
    let results: Vec<_> = runs.iter().map(|run| (run.predicate.as_str(), run.result)).collect();
    let (passed, failed) = (TestResult::Passed, TestResult::Failed);
    let expected = [
        ("size/2", passed),
        ("two/2", passed),
        ("big/1", passed),
        ("uneven/1", passed),
        ("rest/1", passed),
        ("ends/1", passed),
        ("all/1", passed),
        ("none/1", failed),
        ("high/1", failed),
        ("each/1", passed),
        ("were/1", passed),
        ("once/1", passed),
    ];
    assert_eq!(results, expected, "{:?}", runs.iter().map(|run| &run.reasons).collect::<Vec<_>>());
}

#[test]
fn preconditions_that_ask_for_no_values_are_called_once() {
    let program = "
        :- module(m, _, [assertions, regtypes, unittestdecls]).
        :- dynamic(counter/1).
        counter(1). counter(2). counter(3). counter(4). counter(5). counter(6).
        count(N) :- retract(counter(N)), !.
        never(N) :- count(N), N > 3.
        :- test p(X) : never(X).
        :- test p(X) : (count(X), X > 3).
        p(_).
        :- test left(L) => (L == [3, 4, 5, 6]) + not_fails.
        left(L) :- findall(N, counter(N), L).
        work(0) :- !.
        work(N) :- M is N - 1, work(M).
        worked(X) :- work(1500000), X = done.
        :- test long(X) : worked(X) => (X == done) + not_fails.
        long(_).
        :- regtype busy(X).
        busy(X) :- work(1500000), X = f(X).
        :- test tells(X) : busy(X) + not_fails.
        tells(_).
        ";
    let runs = runs(program);
    let found: Vec<_> =
        runs.iter().map(|run| (run.predicate.as_str(), run.result, run.reasons.join("|"))).collect();
    let (passed, failed) = (TestResult::Passed, TestResult::Failed);
    let no = |text: &str| text.to_owned();
    let expected = [
        ("p/1", failed, no("the precondition failed")),
        ("p/1", failed, no("the precondition failed")),
        ("left/1", passed, no("")),
        ("long/1", passed, no("")),
        ("tells/1", failed, no("the precondition took more than 1000000 inferences")),
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_depth_with_the_most_values_counts() {
    // At depth 1 there are two; deeper searches find the same and meet their limit.
    let program = "
        :- module(m, _, [assertions, regtypes, unittestdecls]).
        :- dynamic(seen/1).
        :- prop few(X).
        few(X) :- int(X), slow(X).
        slow(0). slow(1).
        slow(X) :- X > 32, work(X), fail.
        work(X) :- numlist(1, 300, L), member(_, L), X < 0.
        :- test each(X) : few(X) + (not_fails, generate_from_calls_n(3)).
        each(X) :- assertz(seen(X)).
        :- test were(L) => (L == [0, 1]) + not_fails.
        were(L) :- findall(X, seen(X), L).
        ";
    for run in runs(program) {
        assert_eq!(run.result, TestResult::Passed, "{}: {:?}", run.predicate, run.reasons);
    }
}
