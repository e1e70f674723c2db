//! Unit tests: `test` assertions, as `rtcheck test` runs them.

use crate::support::{open, run, run_files};
use rtcheck::report::{TestResult, TestRun};
use rtcheck::session::Options;

fn runs(program: &str, filter: &str) -> Vec<TestRun> {
    let (mut session, _) = open(program, Options::default());
    session.test(filter)
}

const PROGRAM: &str = "
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
boom :- atom_length(_, _).
out :- write(hi).
out :- write(ho).
err :- write(told), write(user_error, o), format(user_error, '~w', [h]).
quiet :- fail.
both(1).
both(2).
both(a).
typed(X) :- typed_inside(X).
:- pred typed_inside(X) : int(X).
typed_inside(_).
:- dynamic(done/1).
noted :- done(setup).
ends :- halt(3).
napping :- sleep(0.2).
";

#[test]
fn every_field_of_a_test_counts() {
    use TestResult::{Aborted, Failed, Passed};
    for (assertion, expected, reason) in [
        ("test app(X,Y,Z) : (X=[1],Y=[2]) => (Z=[1,2]) + not_fails", Passed, ""),
        ("test app(X,Y,Z) : (X=[1],Y=[2]) => (Z=[2,1])", Failed, "Z=[2,1]"),
        ("test app(X,Y,Z) : (X=a) + fails", Passed, ""),
        ("test app(X,Y,Z) : (X=[]) + fails", Failed, "not_fails"),
        ("test app(X,Y,Z) : (X=a) + not_fails", Failed, "fails"),
        ("test app(X,Y,Z) : (Z=[1,2]) + num_solutions(3)", Passed, ""),
        ("test app(X,Y,Z) : (Z=[1,2]) + num_solutions(2)", Failed, "num_solutions(3)"),
        ("test app(X,Y,Z) : (Z=[1,2]) + is_det", Failed, "non_det"),
        ("test app(X,Y,Z) : (Z=[1,2]) => list(X)", Passed, ""),
        // The postcondition is checked for the first two solutions, or as many as the test says.
        ("test both(X) => int(X)", Passed, ""),
        ("test both(X) => int(X) + try_sols(3)", Failed, "X=a"),
        ("test napping + (not_fails, timeout(50))", Failed, "the goal took more than 50 ms"),
        ("test napping + (not_fails, timeout(5000))", Passed, ""),
        // Each input by itself.
        ("test both(X) : member(X, [1,2,a]) => int(X)", Passed, ""),
        ("test both(X) : member(X, [1,2,a]) => int(X) + generate_from_calls_n(3)", Failed, "X=a"),
        ("test app(X,Y,Z) : fail", Failed, "the precondition failed"),
        ("test app(X,Y,Z) : throw(oops)", Failed, "the precondition threw oops"),
        // Lists are made where there is none, as the clauses that define them would.
        ("test app(X,Y,Z) : list * list * var => list * list * list", Passed, ""),
        ("test app(X,Y,Z) : (list(X), length(X, 2), Y=[]) => (Z=[_,_])", Passed, ""),
        ("test app(X,Y,Z) : (X = 1, atm(X), Y=[])", Failed, "the precondition failed"),
        ("test boom + exception(error(instantiation_error,_))", Passed, ""),
        ("test boom + exception(error(type_error(_,_),_))", Failed, "instantiation_error"),
        ("test boom + no_exception", Failed, "instantiation_error"),
        ("test boom", Aborted, "instantiation_error"),
        ("test both(X) + exception(_)", Failed, "no_exception"),
        ("test out + user_output(\"hi\")", Passed, ""),
        ("test out + user_output(\"ho\")", Failed, "user_output(hi)"),
        ("test out + (not_fails, user_error(\"hi\"))", Failed, "user_error('')"),
        ("test err + user_error(\"oh\")", Passed, ""),
        ("test err + user_error(\"ah\")", Failed, "user_error(oh)"),
        ("test err + (user_error(\"oh\"), user_output(\"told\"))", Passed, ""),
        ("test err + user_output(\"hi\")", Failed, "user_output(told)"),
        ("test quiet", Passed, "note: the goal failed"),
        (
            "test noted : true + (setup(assertz(done(setup))), cleanup(retractall(done(_))), not_fails)",
            Passed,
            "",
        ),
        ("test noted + not_fails", Failed, "fails"),
        ("test both(_) + (times(3), not_fails)", Passed, ""),
        ("test both(_) + setup(fail)", Failed, "the setup failed"),
        ("test ends", Aborted, "exit code 3"),
        ("texec app([1],[2],_)", Passed, ""),
        // What the program itself asserts is checked as well, and built-ins are tested as other predicates.
        ("test typed(X) : (X = a)", Failed, "int(X)"),
        ("test true", Passed, ""),
        ("test fail/0 + fails", Passed, ""),
        ("test atom_length(A,N) : (A = abc) => (N = 3) + is_det", Passed, ""),
    ] {
        let found = runs(&format!("{PROGRAM}:- {assertion}.\n"), "");
        assert_eq!(found.len(), 1, "{assertion}");
        let reasons = found[0].reasons.join("\n");
        assert_eq!(found[0].result, expected, "{assertion}: {reasons}");
        assert!(
            reasons.contains(reason) && reasons.is_empty() == reason.is_empty(),
            "{assertion}: {reasons}"
        );
    }
}

#[test]
fn tests_are_chosen_by_predicate_text_and_place() {
    let program = format!("{PROGRAM}:- test both(_) # \"one\".\n:- test quiet + fails # \"two\".\n");
    let names =
        |filter: &str| -> Vec<String> { runs(&program, filter).into_iter().map(|run| run.comment).collect() };
    assert_eq!(names(""), ["one", "two"]);
    assert_eq!(names("quiet/0"), ["two"]);
    assert_eq!(names("one"), ["one"]);
    assert_eq!(names("v.pl:19"), ["one"]);
    assert_eq!(names("nothing"), [""; 0]);
}

#[test]
fn one_test_leaves_nothing_to_the_next() {
    let program = format!(
        "{PROGRAM}:- test both(X) : (X = Y, Y = 1) => (X == 1).\n:- test boom # \"aborts\".\n:- test both(_) + not_fails.\n"
    );
    let results: Vec<TestResult> = runs(&program, "").into_iter().map(|run| run.result).collect();
    assert_eq!(results, [TestResult::Passed, TestResult::Aborted, TestResult::Passed]);
}

#[test]
fn a_test_of_nothing_is_an_error_with_an_excerpt() {
    let (mut session, system) = open(":- test missing(X) : (X = 1).\n", Options::default());
    let found = session.test("");
    assert_eq!(session.test_exit(&found), 2);
    let error = String::from_utf8(system.borrow().error.clone()).expect("messages are text");
    assert!(
        error.contains("assertion on the unknown predicate `missing/1`") && error.contains("v.pl:1:1"),
        "{error}"
    );
}

#[test]
fn tests_of_plunit_run_as_their_options_say() {
    use TestResult::{Aborted, Failed, Passed};
    for (test, expected, reason) in [
        ("test(t) :- two(2)", Passed, ""),
        ("test(t) :- two(_)", Passed, "note: the goal left a choicepoint"),
        ("test(t)", Passed, ""),
        ("test(t) :- two(3)", Failed, "the goal failed"),
        ("test(t) :- atom_length(_, _)", Aborted, "instantiation_error"),
        ("test(t, X == 1) :- two(X)", Passed, "note: the goal left a choicepoint"),
        ("test(t, X == 2) :- two(X)", Failed, "1==2 is not true"),
        ("test(t, [true(X =:= 1.0), nondet]) :- two(X)", Passed, ""),
        ("test(t, true(X > 1)) :- two(X)", Failed, "1>1 is not true"),
        ("test(t, fail) :- two(3)", Passed, ""),
        ("test(t, [fail]) :- two(1)", Failed, "the goal succeeded: two(1)"),
        ("test(t, all(X == [1,2])) :- two(X)", Passed, ""),
        ("test(t, all(X == [2,1])) :- two(X)", Failed, "the solutions are [1,2], not [2,1]"),
        ("test(t, set(X == [2,1,1])) :- two(X)", Passed, ""),
        ("test(t, bag(X == [2,1,1])) :- two(X)", Failed, "the solutions are [1,2], not [1,1,2]"),
        ("test(t, error(type_error(evaluable, _))) :- _ is foo", Passed, ""),
        ("test(t, throws(ball(_))) :- throw(ball(1))", Passed, ""),
        ("test(t, throws(ball(2))) :- throw(ball(1))", Failed, "the goal threw ball(1), not ball(2)"),
        ("test(t, throws(ball(2))) :- throw(_)", Failed, "instantiation_error"),
        ("test(t, throws(b)) :- two(_)", Failed, "the goal threw nothing, not b"),
        ("test(t, error(_)) :- fail", Failed, "the goal failed and did not throw"),
        ("test(t, blocked(later)) :- fail", Passed, "note: skipped: later"),
        ("test(t, condition(fail)) :- fail", Passed, "note: skipped: condition(fail)"),
        ("test(t, [setup(X = 1), true(Y == 1)]) :- Y = X", Passed, ""),
        ("test(t, setup(fail))", Failed, "the setup failed"),
        ("test(t, cleanup(throw(a)))", Failed, "the cleanup threw a"),
        ("test(t, [setup(assertz(f(1))), cleanup(retract(f(1)))]) :- f(1)", Passed, ""),
        ("test(t, forall(two(X))) :- X > 1", Failed, "the goal failed"),
        ("test(t, timeout(0.05)) :- sleep(0.2)", Failed, "it took more than 0.05 s"),
        ("test(t, [timeout(60), nondet]) :- two(_)", Passed, ""),
        ("test(t, [occurs_check(true), fail]) :- X = f(X)", Passed, ""),
        ("test(t, [sto(finite_trees), fail]) :- X = f(X)", Passed, ""),
        ("test(t, [sto(rational_trees)]) :- X = f(X)", Passed, ""),
        ("test(t, [occurs_check(error), throws(error(occurs_check(_, _), _))]) :- X = f(X)", Passed, ""),
        ("test(t) :- X = f(X)", Passed, ""),
        ("test(t, [forall(two(X)), true(Y > 1)]) :- Y is X + 1", Passed, ""),
        ("test(t) :- helper(1)", Passed, ""),
        ("test(t) :- checked(a)", Failed, "int(X)"),
    ] {
        let program = format!(
            ":- use_module(library(plunit)).\n:- dynamic f/1.\ntwo(1).\ntwo(2).\n:- pred checked(X) : int(X).\n\
             checked(_).\n:- begin_tests(u, [condition(true)]).\nhelper(1).\n{test}.\n:- end_tests(u).\n"
        );
        let found = runs(&program, "");
        let [run] = found.as_slice() else { panic!("{test}: {found:?}") };
        let reasons = run.reasons.join("\n");
        assert_eq!(
            (run.predicate.as_str(), run.lines.0, run.result),
            ("u:t", 9, expected),
            "{test}: {reasons}"
        );
        let quoted = reasons.starts_with('\'');
        assert!(
            reasons.contains(reason) && reasons.is_empty() == reason.is_empty() && !quoted,
            "{test}: {reasons}"
        );
    }
}

#[test]
fn a_program_runs_its_own_tests() {
    let program = |body: &str, units: &str| {
        format!(
            ":- begin_tests(one).\ntest(a) :- {body}.\ntest(b).\n:- end_tests(one).\n:- begin_tests(two).\n\
             test(c).\n:- end_tests(two).\n:- initialization(main).\n\
             main :- ( run_tests({units}) -> write(passed) ; write(failed) ).\n"
        )
    };
    for (body, units, output, error) in [
        ("true", "all", "passed", "% All 3 tests passed\n"),
        ("fail", "all", "failed", "v.pl:2: test one:a: the goal failed\n% 1 of 3 tests failed\n"),
        ("throw(x)", "one", "failed", "v.pl:2: test one:a: received error: x\n% 1 of 2 tests failed\n"),
        ("fail", "two", "passed", "% All 1 tests passed\n"),
        ("fail", "[two, one:b]", "passed", "% All 2 tests passed\n"),
    ] {
        let run = run(&program(body, units));
        assert_eq!((run.output.as_str(), run.error.as_str()), (output, error), "{body}");
    }
}

#[test]
fn a_unit_that_is_not_there_is_an_error() {
    let program = ":- begin_tests(one).\ntest(a).\n:- end_tests(one).\n:- initialization(main).\n\
        main :- forall(member(Us, [two, [one, two:a], on, one:b, one]), \
          ( catch(run_tests(Us), error(existence_error(K, E), _), true) -> print(K-E), nl ; write(failed) )).\n";
    let run = run(program);
    let lines: Vec<&str> = run.output.lines().collect();
    assert_eq!(lines[..3], ["unit_test-two", "unit_test-two", "unit_test-on"], "{}", run.output);
    assert!(lines.len() == 5 && lines[3..].iter().all(|line| line.starts_with('_')), "{}", run.output);
    assert_eq!(run.error, "% All 0 tests passed\n% All 1 tests passed\n");
}

#[test]
fn setup_test_and_cleanup_share_their_variables() {
    let program = "
:- dynamic(open/1).
begin(N) :- assertz(open(N)).
end(N) :- retract(open(N)).
uses(N) :- integer(N), open(N).
makes(N) :- N = 7, assertz(open(N)).
none :- \\+ open(_).
:- test uses(N) : true + (setup((N = 3, begin(N))), cleanup(end(N)), not_fails).
:- test none + not_fails.
:- test makes(N) + (cleanup(end(N)), not_fails).
:- test none + not_fails.
:- test makes(N) : (X = 7) + (cleanup((X == N, end(X))), not_fails, times(1)).
:- test none + not_fails.
:- test uses(_) : true + (setup(begin(M)), cleanup((nonvar(M) -> true ; retractall(open(_)))), fails).
:- test none + not_fails.
";
    let program = program.replace("(X == N, end(X))", "end(N)").replace(" : (X = 7)", "");
    for run in runs(&program, "") {
        assert_eq!(
            (run.result, run.reasons.join("; ").as_str()),
            (TestResult::Passed, ""),
            "{}",
            run.predicate
        );
    }
}

#[test]
fn a_variable_may_be_several_arguments_of_a_test() {
    let program = "
:- module(v, _, [assertions, unittest]).
:- test p(X,X) : (X = 1) + not_fails.
:- test p(X,X) : (X = 2) + fails.
:- test p(X,Y) => (Y == 1) + not_fails.
:- test p(X,X) => (X == 1) + not_fails.
p(1,1).
p(2,_) :- fail.
";
    for run in runs(program, "") {
        assert_eq!(
            (run.result, run.reasons.join("; ").as_str()),
            (TestResult::Passed, ""),
            "{:?}",
            run.lines
        );
    }
}

#[test]
fn what_a_condition_of_plunit_binds_is_there_in_the_test() {
    let program = "
:- begin_tests(u).
test(bound, [condition(c(X)), setup(s(X)), Y == 2]) :- Y is X + 1.
test(unmet, [condition(fail), setup(throw(x))]) :- throw(y).
:- end_tests(u).
c(1).
s(X) :- integer(X).
";
    for run in runs(program, "") {
        let unmet = run.predicate.contains("unmet");
        let reasons = if unmet { "note: skipped: condition(fail)" } else { "" };
        assert_eq!(
            (run.result, run.reasons.join("; ").as_str()),
            (TestResult::Passed, reasons),
            "{}",
            run.predicate
        );
    }
}

#[test]
fn a_unit_of_plunit_is_a_module_that_sees_the_text_around_it() {
    use TestResult::Passed;
    let program = "
:- module(m, [seen/1]).
:- dynamic f/1.
f(0).
seen(X) :- hidden(X).
hidden(1).
:- regtype t/1.
t(a).
:- begin_tests(one).
:- dynamic noted/1.
helper(1).
:- pred checked(X) : t(X).
checked(_).
:- regtype own/1.
own(b).
:- pred of_own(X) : own(X).
of_own(_).
test(module) :- context_module(M), M == plunit_one.
test(sees) :- seen(1), hidden(1), f(0), later(2).
test(helper) :- helper(1), \\+ helper(2).
test(closure) :- maplist(helper, [1]).
test(own, all(X == [1])) :- assertz(f(1)), f(X).
test(others, all(X == [0])) :- m:f(X).
test(notes) :- assertz(noted(1)), noted(1).
test(types) :- checked(a), of_own(b).
test(refused) :- checked(b).
test(refuses) :- of_own(a).
:- end_tests(one).
:- begin_tests(two).
helper(2).
:- dynamic noted/1.
test(helper) :- helper(2), \\+ helper(1).
test(nothing) :- \\+ noted(_), plunit_one:noted(1).
:- end_tests(two).
later(2).
:- begin_tests(one).
test(again) :- helper(1), noted(1).
:- end_tests(one).
";
    for run in runs(program, "") {
        let refused = run.predicate.contains("refuse");
        let expected = if refused { TestResult::Failed } else { Passed };
        assert_eq!(run.result, expected, "{}: {:?}", run.predicate, run.reasons);
        assert_eq!(run.reasons.is_empty(), !refused, "{}: {:?}", run.predicate, run.reasons);
    }
}

#[test]
fn what_a_unit_sets_up_holds_for_all_its_tests() {
    use TestResult::{Failed, Passed};
    let program = |options: &str| {
        format!(
            "
:- dynamic made/1.
:- begin_tests(u, {options}).
test(a) :- user:made(1), \\+ user:made(2), assertz(user:made(2)).
test(b) :- user:made(1), user:made(2).
:- end_tests(u).
:- begin_tests(v).
test(c) :- findall(X, user:made(X), L), atomic_list_concat([left|L], ' ', T), throw(T).
:- end_tests(v).
:- initialization(main).
main :- ( run_tests(u) -> write(passed) ; write(failed) ).
"
        )
    };
    let make = "setup(assertz(user:made(1)))";
    let clean = "cleanup(retractall(user:made(_)))";
    for (options, expected, reasons, left) in [
        (format!("[{make}, {clean}]"), [Passed, Passed], ["", ""], "left"),
        (make.to_owned(), [Passed, Passed], ["", ""], "left 1 2"),
        // What the setup binds, the cleanup finds.
        (
            "[setup((X = 1, assertz(user:made(X)))), cleanup(retract(user:made(X)))]".to_owned(),
            [Passed, Passed],
            ["", ""],
            "left 2",
        ),
        (format!("[{make}, cleanup(fail)]"), [Passed, Failed], ["", "the unit cleanup failed"], "left 1 2"),
        (
            format!("[{clean}, setup(throw(no))]"),
            [Failed, Failed],
            ["the unit setup threw no", "the unit setup threw no"],
            "left",
        ),
        (
            format!("[{make}, {clean}, condition(fail)]"),
            [Passed, Passed],
            ["note: skipped: condition(fail)", "note: skipped: condition(fail)"],
            "left",
        ),
    ] {
        let found = runs(&program(&options), "");
        let [a, b, c] = found.as_slice() else { panic!("{options}: {found:?}") };
        assert_eq!([a.result, b.result], expected, "{options}");
        assert_eq!([a.reasons.join("; "), b.reasons.join("; ")], reasons, "{options}");
        let told = c.reasons.join("; ");
        assert!(told.contains(left) && !told.contains(&format!("{left} ")), "{options}: {told}");
        // A program that runs the unit itself sees the same.
        let own = run(&program(&options));
        let passed = if expected.contains(&Failed) { "failed" } else { "passed" };
        assert_eq!(own.output, passed, "{options}: {}", own.error);
    }
}

#[test]
fn a_choicepoint_that_a_test_leaves_is_told() {
    for (test, told) in [
        ("test(t) :- member(_, [1,2])", true),
        ("test(t) :- member(X, [1,2]), X == 2", false),
        ("test(t, nondet) :- member(_, [1,2])", false),
        ("test(t, X == 1) :- member(X, [1,2])", true),
        ("test(t, [X == 1, nondet]) :- member(X, [1,2])", false),
        ("test(t, all(X == [1,2])) :- member(X, [1,2])", false),
    ] {
        let found = runs(&format!(":- begin_tests(u).\n{test}.\n:- end_tests(u).\n"), "");
        assert_eq!(found[0].result, TestResult::Passed, "{test}");
        let note = "note: the goal left a choicepoint: add nondet if it may";
        assert_eq!(found[0].reasons.join("; "), if told { note } else { "" }, "{test}");
    }
}

#[test]
fn the_standard_s_clauses_hold_as_ciao_s_tests_say_them() {
    let runs = runs(include_str!("cases/iso.pl"), "");
    let failed: Vec<String> = runs
        .iter()
        .filter(|run| run.result != TestResult::Passed)
        .map(|run| format!("{} at {:?}", run.predicate, run.result))
        .collect();
    assert_eq!((failed, runs.len()), (Vec::new(), 505));
}

/// Runs the tests of a text in both modes: all of them, so many, must pass.
fn pass_in_both_modes(text: &str, count: usize) {
    for iso in [false, true] {
        let (mut session, _) = open(text, Options { iso, ..Options::default() });
        let runs = session.test("");
        let failed = runs.iter().filter(|run| run.result != TestResult::Passed);
        let failed: Vec<_> = failed.map(|run| format!("{} at {:?}", run.predicate, run.result)).collect();
        assert_eq!((failed, runs.len()), (Vec::new(), count), "iso: {iso}");
    }
}

#[test]
fn every_argument_of_the_standard_s_predicates_is_tested_in_both_modes() {
    pass_in_both_modes(include_str!("cases/iso_arguments.pl"), 740);
}

#[test]
fn goals_of_several_steps_give_what_the_standard_says_in_both_modes() {
    pass_in_both_modes(include_str!("cases/iso_sequences.pl"), 448);
}

#[test]
fn the_most_that_an_assertion_says_of_a_call_holds_in_both_modes() {
    pass_in_both_modes(include_str!("cases/iso_control.pl"), 72);
}

#[test]
fn each_of_many_goals_has_the_outcome_that_the_standard_says_in_both_modes() {
    pass_in_both_modes(include_str!("cases/iso_outcomes.pl"), 326);
}

#[test]
fn what_the_other_texts_leave_out_holds_in_both_modes() {
    pass_in_both_modes(include_str!("cases/iso_features.pl"), 102);
}

#[test]
fn the_standard_has_three_modes_of_streams() {
    let text = ":- test u(E) => (E == domain_error(io_mode,update)).\nu(E) :- catch(open(u, update, _), error(E, _), true).\n";
    let (mut session, _) = open(text, Options { iso: true, ..Options::default() });
    assert_eq!(session.test("")[0].result, TestResult::Passed);
}

#[test]
fn units_and_tests_share_what_they_bind_with_their_cleanups() {
    let program = "
        :- dynamic(log/1).
        note(X) :- assertz(log(X)).
        :- begin_tests(u, [setup(X = 1), cleanup(note(unit(X)))]).
        test(a, [true, cleanup(note(test(Y)))]) :- Y = 2.
        test(b, [condition(fail), cleanup(note(_))]) :- true.
        :- end_tests(u).
        :- begin_tests(v).
        test(c, L == [test(2), unit(1)]) :- findall(X, user:log(X), L).
        :- end_tests(v).
        ";
    let runs = runs(program, "");
    assert!(
        runs.len() == 3 && runs.iter().all(|run| run.result == TestResult::Passed),
        "{:?}",
        runs.iter().map(|run| &run.reasons).collect::<Vec<_>>()
    );
}

#[test]
fn a_unit_limits_the_time_of_its_tests_and_what_only_a_test_can_say_is_an_error() {
    let found = runs(
        ":- begin_tests(u, [timeout(0.05)]).\ntest(a) :- sleep(0.2).\ntest(b).\ntest(c, timeout(60)) :- true.\n:- end_tests(u).\n",
        "",
    );
    let results: Vec<_> = found.iter().map(|test| test.result).collect();
    assert_eq!(results, [TestResult::Failed, TestResult::Passed, TestResult::Passed]);
    let ran = run(":- begin_tests(u, [throws(x)]).\ntest(a) :- throw(x).\n:- end_tests(u).\n");
    assert!(ran.error.contains("`throws(x)` is no option of a unit of tests"), "{}", ran.error);
}

#[test]
fn a_condition_on_success_knows_what_the_precondition_has_bound() {
    let program = "
        :- module(m, _, [assertions, unittestdecls]).
        :- test vars(T, V) : (T = f(X, g(Y), X)) => (V == [X, Y]) + not_fails.
        vars(T, V) :- term_variables(T, V).
        :- test two(X) : (Y = 1) => (X = Y).
        two(2).
        :- test fresh(L) : (L = [A, _]) => (L = [B, _], B == A, true).
        fresh(_).
        :- test copied(X, Y) : (X = f(A)) => (Y = f(A)).
        copied(X, Y) :- copy_term(X, Y).
        :- test set(X) => (X == S) + setup(S = 5).
        set(5).
        :- test none : (X = 1, Y = X) => (Y == 1).
        none.
        ";
    let runs = runs(program, "");
    let results: Vec<_> = runs.iter().map(|run| (run.predicate.as_str(), run.result)).collect();
    let (passed, failed) = (TestResult::Passed, TestResult::Failed);
    let expected = [
        ("vars/2", passed),
        ("two/1", failed),
        ("fresh/1", passed),
        ("copied/2", failed),
        ("set/1", passed),
        ("none/0", passed),
    ];
    assert_eq!(results, expected, "{:?}", runs.iter().map(|run| &run.reasons).collect::<Vec<_>>());
    assert_eq!(runs[1].reasons, ["the unmet condition 2=1"]);
}

#[test]
fn an_assertion_may_speak_of_calls_with_a_term() {
    let program = "
        :- module(m, _, [assertions, unittestdecls, rtchecks]).
        :- test len([a, b], N) => (N == 2) + not_fails.
        :- test len([a|T], N) : (T = []) => (N == 1) + not_fails.
        :- test len(foo, -) + fails.
        len([], 0).
        len([_|T], N) :- len(T, M), N is M + 1.
        :- pred zero(0, X) => atm(X).
        zero(0, 1).
        zero(1, 2).
        :- test zero(0, _) + not_fails.
        :- test one(A) => (A == B) + setup(B = 1).
        one(1).
        ";
    let runs = runs(program, "");
    let results: Vec<_> = runs.iter().map(|run| (run.predicate.as_str(), run.result)).collect();
    let mut expected = ["len/2", "len/2", "len/2", "zero/2", "one/1"].map(|name| (name, TestResult::Passed));
    expected[3].1 = TestResult::Failed;
    assert_eq!(results, expected, "{:?}", runs.iter().map(|run| &run.reasons).collect::<Vec<_>>());
    assert!(runs[3].reasons[0].contains("atm(X)"), "{}", runs[3].reasons[0]);
}

#[test]
fn tests_beside_a_text_are_loaded_once() {
    let program = ":- initialization(main).\np(1).\nmain :- load_test_files([]), load_test_files([]), ( run_tests -> writeln(passed) ; writeln(failed) ).\n";
    let tests = ":- begin_tests(v).\ntest(one) :- p(1).\ntest(two, fail) :- p(2).\n:- end_tests(v).\n";
    let ran = run_files(&[("v.pl", program), ("v.plt", tests)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("passed\n", "% All 2 tests passed\n"));
}
