//! What is checked while texts are read, what a text decides about its own checks, and modules in front of what
//! assertions speak of.

use crate::support::{run, run_files, run_with};
use rtcheck::session::Options;

const TRY: &str = "try(G) :- catch((G -> write(y) ; write(n)), rtcheck(K,_,_,P,_,_), \
    (functor(P, N, _), write(K/N))), write(' ').\n";

/// The output and the messages of a program with `try/1`, which tells what a goal violates.
fn told(program: &str) -> (String, String) {
    let ran = run(&format!("{TRY}{program}"));
    (ran.output, ran.error)
}

#[test]
fn calls_of_directives_between_clauses_are_checked() {
    let program = ":- pred p(X) : int(X) => atm(X).
p(_).
:- try(p(a)), try(p(1)).
:- pred c(X) : int(X) + det.
c(1). c(1).
:- try((c(_), true)), try(c(a)), try(findall(X, c(1), _)).
:- initialization((try(p(a)), try(p(1)), try(c(a)))).
";
    let expected = "calls/int success/atm calls/int calls/int comp/det calls/int success/atm calls/int ";
    assert_eq!(told(program), (expected.to_owned(), String::new()));
}

#[test]
fn checks_of_directives_follow_types_and_properties_that_are_still_read() {
    let program = ":- discontiguous t/1.
:- regtype t/1.
t(a).
t(f(X)) :- t(X).
:- pred p(X) : t(X).
p(_).
:- try(p(a)), try(p(f(b))), try(p(b)).
t(b).
:- try(p(f(b))), try(p(c)).
:- pred q(X) : u(X).
q(_).
:- prop u(X).
u(X) :- X == x, t(a).
:- try(q(1)), try(q(x)).
:- pred r(X) : int(X).
:- try(catch(r(a), error(_, _), true)).
r(_).
:- try(r(a)).
";
    let expected = "y calls/t calls/t y calls/t calls/u y y calls/int ";
    assert_eq!(told(program), (expected.to_owned(), String::new()));
}

#[test]
fn goals_of_conditions_and_expansions_are_checked_while_a_text_is_read() {
    let program = ":- pred e(X) : int(X).
e(_).
term_expansion(make(X), made(X)) :- try(e(X)).
goal_expansion(old(X), true) :- try(e(X)).
:- if(try(e(a))).
make(b).
made :- old(c).
:- endif.
make(1).
";
    assert_eq!(told(program).0, "calls/int calls/int calls/int y ");
}

#[test]
fn a_text_decides_about_its_own_checks_alone() {
    let b = ":- module(b, [bp/1, bc/1, up/1]).
:- set_prolog_flag(runtime_checks, no).
:- set_prolog_flag(rtchecks_trust, no).
:- pred bp(X) : int(X).
bp(_).
bc(X) :- check(int(X)), true.
:- use_module(u).
up(X) :- upp(X).
:- user:try(user:mp(a)).
";
    let u = ":- module(u, [upp/1]).\n:- trust pred upp(X) : int(X).\nupp(_).\n";
    let main = format!(
        "{TRY}:- pred mp(X) : int(X).
mp(_).
:- use_module(b).
:- trust pred mt(X) : int(X).
mt(_).
mc(X) :- check(int(X)), true.
:- initialization((try(bp(a)), try(bc(a)), try(mp(a)), try(mt(a)), try(mc(a)), try(up(a)))).
"
    );
    let ran = run_files(&[("v.pl", &main), ("b.pl", b), ("u.pl", u)], &[], Options::default());
    let expected = "calls/int y y calls/int calls/int pp_check/int calls/int ";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn a_text_without_checks_or_with_them_stays_so_whatever_the_program_does() {
    let program = |value: &str, later: &str| {
        format!(
            ":- module(m, []).\n:- set_prolog_flag(runtime_checks, {value}).\n{TRY}:- pred p(X) : int(X).\np(_).
c(X) :- check(int(X)), true.
:- try(p(a)).
main :- try(p(a)), try(c(a)), set_prolog_flag(runtime_checks, {later}), try(p(a)), try(c(a)).
:- initialization(main).\n"
        )
    };
    assert_eq!(run(&program("no", "yes")).output, "y y y y y ");
    let all = "calls/int calls/int pp_check/int calls/int pp_check/int ";
    assert_eq!(run(&program("yes", "no")).output, all.replace("pp_check/int", "pp_check/(:)"));
    let off = Options { checks: false, ..Options::default() };
    assert_eq!(run_with(&program("yes", "no"), &[], off).output, all.replace("pp_check/int", "pp_check/(:)"));
}

#[test]
fn assertions_may_name_the_module_of_their_predicate() {
    let program = ":- module(m, []).
:- pred m:p(X) => atm(X).
p(_).
:- calls m:q(X) : int(X).
q(_).
:- check pred m:(r(X) : int(X)).
r(_).
:- trust success m:s(X) : int(X) => atm(X).
s(_).
:- prop m:t/1.
:- regtype m:tt(X).
t(a). tt(b).
:- check calls m:v(+,X) : (t(X)).
v(_, _).
:- true pred m:w(X) : int(X).
w(_).
:- pred m:(k(X) :: int : ground(X) => (X > 0)).
k(_).
:- pred z : t(a).
z.
:- pred m:n/1 : tt.
n(_).
:- pred m:g(X) : X > 0.
g(_).
:- pred m:h(X) :: int : ground(X).
h(_).
main :- try(p(1)), try(q(a)), try(r(a)), try(s(1)), try(v(1, b)), try(v(_, a)), try(w(a)), try(k(a)), try(k(0)),
    try(z), try(n(a)), try(n(b)), try(g(0)), try(g(1)), try(h(a)).
:- initialization(main).
";
    let program = program.replace(":- module(m, []).\n", &format!(":- module(m, []).\n{TRY}"));
    let ran = run(&program);
    let expected = "success/atm calls/int calls/int success/atm calls/t calls/nonvar y compat/int success/(>) y \
        calls/tt y calls/(>) y compat/int ";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn names_in_assertions_on_another_modules_predicate_are_those_of_the_text() {
    let d = ":- module(d, [dp/1, own/1]).\nt(d).\ndp(_).\nown(X) :- dp(X).\n";
    let main = format!(
        ":- module(m, []).\n:- use_module(d).\n{TRY}:- regtype t/1.\nt(a).\n:- pred d:dp(X) : t(X).
:- initialization((try(dp(a)), try(dp(d)), try(own(d)), try(own(a)))).\n"
    );
    let ran = run_files(&[("v.pl", &main), ("d.pl", d)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("y calls/t calls/t y ", ""));
    let library = run(":- use_module(library(lists)).\n:- pred lists:append(X, _, _) : list(X).\n");
    assert!(library.error.contains("its calls are not checked"), "{}", library.error);
}

#[test]
fn what_a_text_said_counts_in_texts_that_it_loads() {
    let main = format!(
        "{TRY}:- multifile h/1.
:- pred h(X) : int(X).
h(1).
:- ensure_loaded(o).
:- try(h(a)), try(h(20)), try(h(2.5)).
:- unload_file(o).
:- try(h(2.5)), try(h(1)).
:- initialization((try(h(2.5)), try(h(1)))).
"
    );
    let o = ":- multifile h/1.
:- calls h(X) : (X = 2.5).
h(2.5).
:- try(h(a)), try(h(20)), try(h(2.5)).
";
    let ran = run_files(&[("v.pl", &main), ("o.pl", o)], &[], Options::default());
    let expected = "calls/(;) n y calls/(;) n y calls/int y calls/int y ";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

/// What was quadratic took minutes for this text.
#[test]
fn directives_between_thousands_of_clauses_and_assertions_cost_no_more_each() {
    const COUNT: usize = 4000;
    let mut text = format!("{TRY}:- pred c(X) : int(X).\nc(_).\n");
    for number in 0..COUNT {
        text.push_str(&format!(":- pred l{number}(X) : int(X).\nq{number}(1).\n:- c({number}).\n"));
    }
    (0..COUNT).for_each(|number| text.push_str(&format!("l{number}(_).\n")));
    text.push_str(":- dynamic d/1.\n:- try(l7(a)), try(c(a)), try(l7(1)).\n");
    let ran = run(&text);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("calls/int calls/int y ", ""));
}
