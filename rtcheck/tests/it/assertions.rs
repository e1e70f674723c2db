//! Assertions: normalization, the transformed program, violations.

use crate::support::{open, run, run_with};
use rtcheck::machine::OnViolation;
use rtcheck::session::Options;

/// Example 1 of the paper.
const EXAMPLE_1: &str = "
:- pred p(X,Y) : (int(X), var(Y)) => (int(X), int(Y)).
:- pred p(X,Y) : (int(X), var(Y)) => (int(X), atm(Y)).
:- pred p(X,Y) : (atm(X), var(Y)) => (atm(X), atm(Y)).
p(1,42).
p(2,gamma).
p(a,alpha).
";

#[test]
fn example_1_shares_literals_and_preconditions() {
    let (mut session, _) = open(EXAMPLE_1, Options::default());
    insta::assert_snapshot!(session.expand(), @r#"
p(X,Y) :-
    p_c(X,Y,R3,R4),
    'p\''(X,Y),
    p_s(X,Y,R3,R4).
p_c(X,Y,R3,R4) :-
    reify_check(int(X),R0),
    reify_check(var(Y),R1),
    reify_check(atm(X),R2),
    R3 is R0/\R1,
    R4 is R1/\R2,
    Rc is R3\/R4,
    error_if_false(Rc).
p_s(X,Y,R3,R4) :-
    reify_check(int(X),R5),
    reify_check(int(Y),R6),
    reify_check(atm(Y),R7),
    reify_check(atm(X),R8),
    Rs is (R3#1\/(R5/\R6))/\(R3#1\/(R5/\R7))/\(R4#1\/(R8/\R7)),
    error_if_false(Rs).
"#);
}

#[test]
fn trivial_conditions_leave_no_wrapper() {
    let program = ":- pred p(X) : term(X) => term(X).\n:- pred p(X).\np(_).\n";
    let (mut session, _) = open(program, Options::default());
    assert_eq!(session.expand(), "");
}

#[test]
fn without_a_success_condition_the_last_call_stays_one() {
    let program = "
:- pred count(N) : int(N).
count(0) :- !.
count(N) :- N1 is N - 1, count(N1).
:- initialization(count(100000)).
";
    let (mut session, _) = open(program, Options::default());
    insta::assert_snapshot!(session.listing("count", 1).expect("it is defined"), @r#"
count/1:
   -12 GetConstant X0 0
   -11 NeckCut
   -10 Proceed
    -9 AddSmall(0, 1, -1)
    -8 Move(1, 0)
    -7 Execute count/1
    -6 Try -12 1
    -5 Trust -9
    -4 JumpIfFree X0 -12
    -3 Jump -6
    -1 Switch X0: variable -4, list -9, other -9, 0 -12
     0 EnterContract(0)
"#);
    assert_eq!(run(program).exit, 0);
}

#[test]
fn a_violated_call_is_told_in_ciaos_words() {
    let ran = run("
:- pred len(L,N) : list(L) => int(N).
len([],0).
len([_|T],N) :- len(T,M), N is M+1.
:- initialization(len(a,_)).
");
    assert_eq!(ran.exit, 1);
    insta::assert_snapshot!(ran.error, @r#"
{In v.pl
ERROR: (lns 2-2) v:len(L,N) run-time check failure.
Requires in *calls*: 
    list(L).
But instead:
    L=a
ERROR: (lns 3-4) Failed in v:len(L,N).
}
"#);
}

#[test]
fn every_failing_alternative_is_shown() {
    let ran = run("
:- pred q(X) : int(X).
:- pred q(X) : atm(X).
q(_).
:- initialization(q(1.5)).
");
    insta::assert_snapshot!(ran.error, @r#"
{In v.pl
ERROR: (lns 2-2) v:q(X) run-time check failure.
Requires in *calls*: 
    int(X)
  or
    atm(X).
But instead:
    X=1.5
ERROR: (lns 4-4) Failed in v:q(X).
}
"#);
}

#[test]
fn a_violation_can_be_caught_or_reported() {
    let program = "
:- pred q(X) => atm(X).
q(1).
:- initialization(main).
main :- q(X), write(X).
";
    let caught = run(&program.replace("main :- q(X)", "main :- catch(q(X), rtcheck(K,_,_,_,_,_), X = K)"));
    assert_eq!((caught.output.as_str(), caught.exit), ("success", 0));
    let options = Options { on_violation: OnViolation::Report, ..Options::default() };
    let reported = run_with(program, &[], options);
    assert_eq!((reported.output.as_str(), reported.exit), ("1", 1));
    assert!(reported.error.contains("Requires in *success*"), "{}", reported.error);
}

#[test]
fn checks_off_leave_no_residue() {
    let assertions = ":- pred len(L,N) : list(L) => int(N).\n";
    let program = "len([],0).\nlen([_|T],N) :- len(T,M), N is M+1.\n";
    let off = Options { checks: false, ..Options::default() };
    let (mut with, _) = open(&format!("{assertions}{program}"), off);
    let (mut without, _) = open(program, Options::default());
    assert_eq!(with.listing("len", 2), without.listing("len", 2));
    let (mut on, _) = open(&format!("{assertions}{program}"), Options::default());
    assert_ne!(on.listing("len", 2), without.listing("len", 2));
}

#[test]
fn bad_assertions_are_diagnosed_with_excerpts() {
    let ran = run("
:- pred missing(X) : int(X).
:- pred p(X) : nonsense(X).
:- pred p(X,X) : int(X).
:- regtype r/1.
r(f(X,X)).
p(_).
p(_,_).
");
    assert_eq!(ran.exit, 2);
    insta::assert_snapshot!(ran.error, @r#"
error: ill-formed assertion
 --> v.pl:4:1
  |
4 | :- pred p(X,X) : int(X).
  | ^^^^^^^^^^^^^^^^^^^^^^^ the arguments of an assertion's head must be distinct
warning: `r/1` is not a regular type: it is checked by calling it
 --> v.pl:6:1
  |
6 | r(f(X,X)).
  | ^^^^^^^^^ a variable occurs twice in the term
error: assertion on the unknown predicate `missing/1`
 --> v.pl:2:1
  |
2 | :- pred missing(X) : int(X).
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: define it, or correct its name or number of arguments
warning: an assertion on `p/1` is not checked whole
 --> v.pl:3:1
  |
3 | :- pred p(X) : nonsense(X).
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown property `nonsense/1`: it is neither a regular type nor a predicate
"#);
}

#[test]
fn fields_without_brackets_are_diagnosed() {
    for field in [": int(X), atm(Y)", ": (int(X) ; atm(X)), int(Y)", "=> int(X), int(Y)", ": int(X) ; int(Y)"]
    {
        let ran = run(&format!(":- pred q(X,Y) {field}.\nq(_,_).\n"));
        assert_eq!(ran.exit, 2, "{field}");
        assert!(ran.error.contains("put what one of these has into brackets"), "{field}: {}", ran.error);
    }
}

#[test]
fn a_comparison_of_what_nothing_else_speaks_of_is_no_condition() {
    for (assertion, fine) in [
        (":- pred p(X) : X > 0.", true),
        (":- pred p(X) : Y > 0.", false),
        (":- pred p(X) : (Y > 0 ; X = 1).", true),
        (":- pred p(X) => Y == 1.", false),
        (":- pred p(X) : (X = f(Y)) => Y == 1.", true),
        (":- pred p(X) : (1 = 1, foo).", false),
        (":- test p(X) : (Y = 1) => Y == 1.", true),
        (":- test p(X) => (1 == 1, int).", false),
    ] {
        let ran = run(&format!("{assertion}\np(_).\n"));
        assert_eq!(!ran.error.contains("unknown property"), fine, "{assertion}\n{}", ran.error);
    }
}
