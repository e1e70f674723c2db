//! Predicates that are called while their text is still being read.

use crate::support::{run, run_with};
use rtcheck::session::Options;
use std::fmt::Write as _;

fn facts(count: usize) -> String {
    (1..=count).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "p({i}, k{}, [x, {i}]).", i % 7);
        text
    })
}

fn prints(program: &str, output: &str) {
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str(), ran.exit), (output, "", 0), "{program}");
}

#[test]
fn an_expansion_in_front_of_many_clauses_takes_room_for_each_once() {
    let mut options = Options::default();
    options.limits.memory = 24 << 20;
    for expansion in [
        "term_expansion(none(X), some(X)).",
        "goal_expansion(none(X), some(X)).",
        "term_expansion(p(X, _, _), []) :- X > 1, \\+ p(1, _, _).",
        "term_expansion(p(X, _, _), []) :- X > 1, \\+ clause(p(1, _, _), _).",
    ] {
        let program = format!(
            "{expansion}\n{}:- initialization((aggregate_all(count, p(_, _, _), N), write(N))).\n",
            facts(3000)
        );
        let ran = run_with(&program, &[], options);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), ("3000", ""), "{expansion}");
    }
}

#[test]
fn an_expansion_sees_all_clauses_in_front_of_it() {
    let mut program = String::from(
        ":- dynamic seen/2.\n\
         term_expansion(p(I, K, L), p(I, K, L)) :-\n    I > 1, I0 is I - 1, p(I0, _, _), \\+ p(I, _, _), once(p(1, _, _)),\n\
         \x20   findall(X, p(X, K, _), Xs), length(Xs, N), assertz(seen(I, N)).\n\
         term_expansion(ask(I), asked(I, Ls)) :- findall(Y, r(I, Y), Ls).\n\
         :- discontiguous p/3, r/2, asked/2.\n",
    );
    for i in 1..=200 {
        let _ = writeln!(program, "p({i}, k{}, [x]).", i % 7);
        // A cut leaves no later clause, of those that are read already.
        let _ = writeln!(program, "r(X, Y) :- X > {i}, !, Y = a{i}.\nr(X, b{i}) :- X =:= {i}.\nask({i}).");
    }
    program.push_str(
        ":- initialization(main).\n\
         main :- forall(( between(2, 200, I), N is (I - 1) // 7 ), \n\
             ( seen(I, N) -> true ; seen(I, N1), write(I-N-N1), nl )),\n\
             forall(( between(2, 200, I), \\+ asked(I, [a1]) ), ( write(I), nl )), asked(1, L1), write(L1), nl.\n",
    );
    prints(&program, "[b1]\n");
}

#[test]
fn rules_and_directives_see_what_is_read_too() {
    let mut program = String::from("term_expansion(none, []).\n");
    for i in 1..=120 {
        let _ = writeln!(program, "v({i}, X) => X = {i}.\n:- v({i}, X), X == {i}.");
        let _ =
            writeln!(program, ":- catch(v(0, _), error(existence_error(matching_rule, v(0, _)), _), true).");
    }
    program.push_str(":- initialization((v(120, X), write(X))).\n");
    prints(&program, "120");
}

#[test]
fn what_grows_is_no_dynamic_predicate() {
    let mut program = String::from(
        "term_expansion(p(I), p(I)) :-\n    I > 1, p(1), \\+ predicate_property(p(_), dynamic),\n\
         \x20   N is I - 1, predicate_property(p(_), number_of_clauses(N)),\n\
         \x20   catch(( assertz(p(0)), fail ), error(permission_error(_, _, _), _), true).\n",
    );
    for i in 1..=100 {
        let _ = writeln!(program, "p({i}).");
    }
    program.push_str(":- initialization((findall(X, p(X), Xs), sum_list(Xs, S), write(S))).\n");
    prints(&program, "5050");
}

#[test]
fn a_clause_that_cannot_be_compiled_is_told_of_once() {
    let mut program = String::from("term_expansion(p(I), p(I)) :- I > 60, p(1).\n");
    for i in 1..=100 {
        let _ = writeln!(program, "p({i}).");
    }
    program.push_str("p(X) :- X = 1, 2.\np(101).\n:- initialization(true).\n");
    let ran = run(&program);
    assert_eq!(ran.error.matches("cannot be compiled").count(), 1, "{}", ran.error);
}
