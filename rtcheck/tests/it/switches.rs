//! Flags of run-time checking, signals, program points and properties of computations.

use crate::support::{open, run, run_with};
use rtcheck::machine::{CheckFlags, OnViolation};
use rtcheck::session::Options;

const GUARDED: &str = "
:- pred p(X) : int(X).
p(_).
try(G) :- catch((G, write(y)), rtcheck(K,_,_,_,_,_), write(K)).
";

#[test]
fn checks_are_switched_off_and_on_while_the_program_runs() {
    let goal = "try(p(a)), set_prolog_flag(runtime_checks, no), try(p(a)), try(check(fail)),
        set_prolog_flag(runtime_checks, yes), try(p(a)), try(check(fail)), try(call(p, a))";
    let ran = run(&format!("{GUARDED}:- initialization(main).\nmain :- {goal}.\n"));
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("callsyycallspp_checkcalls", ""));
}

#[test]
fn a_package_or_a_flag_leaves_no_residue() {
    let assertions = ":- pred len(L,N) : sorted(L) => int(N) + is_det.\n";
    let program = ":- prop sorted/1.\nsorted(_).\nlen([],0).\nlen([_|T],N) :- len(T,M), N is M+1.\n";
    let plain = open(program, Options::default()).0.listing("len", 2);
    for (prefix, checks) in [(":- use_package(nortchecks).\n", true), ("", false)] {
        let options = Options { checks, ..Options::default() };
        let (mut session, _) = open(&format!("{prefix}{assertions}{program}"), options);
        assert_eq!(session.listing("len", 2), plain);
    }
    assert_ne!(open(&format!("{assertions}{program}"), Options::default()).0.listing("len", 2), plain);
}

#[test]
fn an_intercepted_violation_lets_the_goal_go_on() {
    let ran = run(&format!(
        "{GUARDED}
:- pred s(X) : int(X) => atm(X).
s(_).
count(0).
:- initialization(main).
main :- intercept((p(a), write(went_on)), rtcheck(T,_,_,_,_,_), (write(T), write(' '))), nl,
    intercept((s(1), s(b), write(on)), rtcheck(T2,_,_,_,_,_), (write(T2), write(' '))), nl,
    intercept(intercept(p(b), other, write(wrong)), rtcheck(_,_,_,_,_,_), write(outer)), nl,
    intercept((member(X,[1,2]), send_signal(saw(X)), X >= 2), saw(Y), (write(Y), write(' '))), nl,
    catch(send_signal(lonely), error(unintercepted_signal(S),_), write(S)), nl,
    intercept(intercept(send_signal(a), a, send_signal(a)), a, write(once)), nl,
    catch(intercept(true, x, true), _, true), catch(send_signal(x), error(E,_), write(E)), nl.
"
    ));
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("calls went_on\nsuccess calls on\nouter\n1 2 \nlonely\nonce\nunintercepted_signal(x)\n", "")
    );
}

#[test]
fn recorded_violations_can_be_asked_for() {
    let program = format!(
        "{GUARDED}:- initialization(main).\nmain :- p(a), p(1), p(b), recorded_violations(L), length(L, N), write(N).\n"
    );
    let options = Options { on_violation: OnViolation::Record, ..Options::default() };
    let ran = run_with(&program, &[], options);
    assert_eq!((ran.output.as_str(), ran.exit), ("2", 1));
    // They are told when the program ends.
    assert_eq!(ran.error.matches("run-time check failure").count(), 2, "{}", ran.error);
}

#[test]
fn places_and_names_are_told_as_the_flags_say() {
    let program = ":- pred p(X) : int(X).\np(_).\nq :- p(a), write(x).\n:- initialization(q).\n";
    let told = |flags: &[(&str, &str)]| {
        let mut options = Options::default();
        for (name, value) in flags {
            assert_eq!(options.flags.set(name, value), Some(true), "{name}={value}");
        }
        run_with(program, &[], options).error
    };
    let all = told(&[]);
    assert!(
        all.contains("ERROR: (lns 1-1) v:p(X)") && all.contains("ERROR: (lns 2-2) Failed in v:p(X)."),
        "{all}"
    );
    assert!(all.contains("ERROR: (lns 3-3) Failed during invocation of v:q/0."), "{all}");
    let literal = told(&[("rtchecks_callloc", "literal")]);
    assert!(literal.contains("Failed when invocation of v:q/0 called p/1 in its body."), "{literal}");
    let bare = told(&[("rtchecks_callloc", "no"), ("rtchecks_predloc", "no"), ("rtchecks_asrloc", "no")]);
    assert!(!bare.contains("lns"), "{bare}");
    let short = told(&[("rtchecks_namefmt", "short")]);
    assert!(short.contains("v:p/1") && !short.contains("But instead"), "{short}");
}

#[test]
fn every_flag_has_its_values() {
    for &(flag, values) in CheckFlags::ALL {
        assert_eq!(CheckFlags::default().get(flag), Some(values[0]), "{flag}");
        for &value in values {
            let mut flags = CheckFlags::default();
            assert_eq!((flags.set(flag, value), flags.get(flag)), (Some(true), Some(value)), "{flag}");
        }
        assert_eq!(CheckFlags::default().set(flag, "maybe"), Some(false), "{flag}");
    }
    let ran = run(":- initialization(main).
main :- catch(set_prolog_flag(rtchecks_level, some), error(E, _), (write(E), nl)).\n");
    assert!(ran.output.starts_with("domain_error(flag_value,"), "{}", ran.output);
}

#[test]
fn computations_are_watched() {
    let program = "
d(1). d(2).
one(1).
none :- fail.
bad :- throw(bad).
:- pred a(X) + is_det.
a(X) :- d(X).
:- pred b(X) + non_det.
b(X) :- one(X).
:- pred c + fails.
c.
:- pred e(X) + num_solutions(1).
e(X) :- d(X).
:- pred f(X) + no_choicepoints.
f(X) :- d(X).
:- pred g(X) + leaves_choicepoints.
g(X) :- one(X).
:- pred h(X) + solutions([h(1),h(3)]).
h(X) :- d(X).
:- pred i + no_exception(bad).
i :- bad.
:- pred j + signal(s).
j.
:- pred k + no_signal.
k :- send_silent_signal(s).
:- pred l + (det, no_choicepoints, not_fails, no_exception).
l.
:- pred m(X) + num_solutions(2).
m(X) :- d(X).
:- pred n(X) + solutions([1,3]).
n(X) :- d(X).
try(G) :- intercept(ignore(catch(forall(G, true), bad, true)), rtcheck(comp,_,_,P,V,_), (writeq(P/V), nl)).
:- initialization(main).
main :- try(a(_)), try(b(_)), try(c), try(e(_)), try(f(_)), try(g(_)), try(h(_)), try(i), try(j), try(k), try(l), try(m(_)), try(n(_)).
";
    let ran = run(program);
    let expected = "is_det/[non_det]\nnon_det/[is_det]\nfails/[not_fails]\nnum_solutions(1)/[num_solutions(2)]\n\
        no_choicepoints/[leaves_choicepoints]\nleaves_choicepoints/[no_choicepoints]\n\
        solutions([h(1),h(3)])/[solution(2,h(2))]\nno_exception(bad)/[exception(bad)]\nsignal(s)/[no_signal]\n\
        no_signal/[signal(s)]\nsolutions([1,3])/[solution(1,[1])]\nsolutions([1,3])/[solution(2,[2])]\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn checks_may_be_of_calls_from_other_modules_only() {
    let program = |level: &str| {
        format!(
            ":- module(m, [p/1, q/1]).
:- set_prolog_flag(rtchecks_level, {level}).
:- pred p(X) : int(X).
p(_).
:- entry q(X) : atm(X).
q(X) :- p(X), q0(X).
q0(X) :- q1(X), q1(X).
q1(_).
:- initialization(main).
main :- try(p(a)), try(q(a)), try(user:call(m:p(a))), try(q(1)), try(user:call(m:q(1))), try(own(a)).
:- pred own(X) : int(X).
own(_).
try(G) :- catch((G, write(y)), rtcheck(K,_,_,_,_,_), write(K)), write(' ').
"
        )
    };
    // An entry assertion speaks of calls from other modules, and of calls through call/N. No other module calls what
    // is not exported.
    let inner = run(&program("inner"));
    assert_eq!((inner.output.as_str(), inner.error.as_str()), ("calls calls calls calls calls calls ", ""));
    let exports = run(&program("exports"));
    assert_eq!((exports.output.as_str(), exports.error.as_str()), ("calls y calls calls calls y ", ""));
}

const CALLED: &str = ":- module(v, [main/0], [assertions]).
:- prop even(X).
even(X) :- 0 is X mod 2.
:- pred p(X) : even(X) => (int(X), even(X)).
p(_).
main :- p(2), p(4), p(3).
";

#[test]
fn properties_that_are_called_are_counted_as_well() {
    let options = Options { on_violation: OnViolation::Record, ..Options::default() };
    let (mut session, _) = open(CALLED, options);
    let (_, profile) = session.profile(Vec::new());
    let mut rows: Vec<_> = profile
        .rows
        .iter()
        .map(|row| (row.when, row.property.as_str(), row.counters.checks, row.counters.failures))
        .collect();
    rows.sort_unstable();
    assert_eq!(rows, [("calls", "even(X)", 3, 1), ("success", "even(X)", 2, 0), ("success", "int(X)", 2, 0)]);
}

#[test]
fn recorded_violations_are_among_the_statistics() {
    let options = Options { on_violation: OnViolation::Record, ..Options::default() };
    let (mut session, _) = open(CALLED, options);
    let exit = session.run(Vec::new());
    let report = rtcheck::report::statistics(&mut session.machine, exit);
    let json = serde_json::to_value(&report).expect("it is JSON");
    assert_eq!(
        json["engine"]["recorded_violations"],
        serde_json::json!([{
            "type": "calls", "predicate": "v:p(X)", "property": "even(X)", "found": ["X=3"],
            "file": "v.pl", "lines": [4, 4],
        }])
    );
}

#[test]
fn a_condition_says_whether_it_means_compatibility_or_instantiation() {
    let program = "
:- module(m, [main/0], [assertions, rtchecks]).
:- pred a(X) : compat(X, list(int)).
a(_).
:- pred b(X) : inst(X, list(int)).
b(_).
:- pred c(X) : compat(X, own).
c(_).
:- pred d(X) : inst(X, own).
d(_).
:- prop own/1.
own(f(Y)) :- Y = 1.
try(G) :- catch((G -> display(yes) ; display(no)), rtcheck(K,_,_,_,_,_), display(K)), display(' ').
main :-
    try(a(_)), try(a([1|_])), try(a([_,2])), try(a([a|_])), try(a(b)), nl,
    try(b(_)), try(b([1|_])), try(b([1,2])), try(b([_])), nl,
    try(c(_)), try(c(f(_))), try(c(f(1))), try(c(f(2))), nl,
    try(d(_)), try(d(f(_))), try(d(f(1))), nl,
    try(compat([_|_], list)), try(compat([a|b], list)), try(inst([_], list)), try(inst([_|_], list)), nl.
";
    let ran = run(program);
    let expected = "yes yes yes calls calls \ncalls calls yes calls \nyes yes yes calls \ncalls calls yes \n\
        yes no yes no \n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}
