//! Rules with `=>`, built-ins that leave choices, cyclic terms as equations. What is expected is what `swipl` does.

use crate::support::{output, run, run_with};
use rtcheck::session::Options;

const RULES: &str = "\
len([], N) => N = 0.
len([_|T], N) => len(T, N0), N is N0+1.
q(X, Y), X > 0 => Y = pos.
q(X, Y), X < 0 => Y = neg.
q(_, Y) => Y = zero.
m(f(X,X), R) => R = same(X).
m(f(X,Y), R) => R = diff(X,Y).
m(a, R) => R = atom.
m(1.5, R) => R = float.
m([X,Y|_], R), member(X,[1,2]), member(Y, [3]) => R = l(X,Y).
z => write(z).
c(X, Y) => ( X = 1 -> Y = one ; Y = other ).
d(X, Y) => X = 1, Y = one ; Y = two.
g(X, X) => true.
g(_, _) => fail.
u(X), var(X) => X = bound.
u(_) => true.
sum(L, S) => foldl([X,A0,A]>>(A is A0+X), L, 0, S).
t(G) :- numbervars(G, 0, _), fail.
t(G) :- catch(G, error(E, _), (print(E), nl, fail)), print(G), nl, fail.
t(_).
";

/// What was printed, without the numbers of variables.
fn without_numbers(output: &str) -> String {
    let mut text = String::new();
    for character in output.chars() {
        if !(character.is_ascii_digit() && text.ends_with('_')) {
            text.push(character);
        }
    }
    text
}

#[test]
fn the_head_of_a_rule_is_matched_and_the_first_rule_decides() {
    for (goal, expected) in [
        ("len([a,b], _)", "len([a,b],2)"),
        ("len(foo, _)", "existence_error(matching_rule,len(foo,_))"),
        ("len([a|_], _)", "existence_error(matching_rule,len(_,_))"),
        ("q(1, _)", "q(1,pos)"),
        ("q(0, _)", "q(0,zero)"),
        ("q(0, neg)", ""),
        ("m(f(A,A), _)", "m(f(_,_),same(_))"),
        ("m(f(_,_), _)", "m(f(_,_),diff(_,_))"),
        ("m(f(1,1), _)", "m(f(1,1),same(1))"),
        ("m(_, _)", "existence_error(matching_rule,m(_,_))"),
        ("m(a, _)", "m(a,atom)"),
        ("m(1.5, _)", "m(1.5,float)"),
        ("m([2,3,4], _)", "m([2,3,4],l(2,3))"),
        ("m([5,3,4], _)", "existence_error(matching_rule,m([5,3,4],_))"),
        ("z", "zz"),
        ("c(_, _)", "c(1,one)"),
        ("findall(X-Y, d(X,Y), _)", "findall(_-_,d(_,_),[1-one,_-two])"),
        ("g(_, _)", ""),
        ("g(1, 1)", "g(1,1)"),
        ("u(_)", "u(bound)"),
        ("sum([1,2,3], _)", "sum([1,2,3],6)"),
    ] {
        let ran = run(&format!("{RULES}:- initialization(main).\nmain :- t({goal}).\n"));
        assert_eq!((ran.error.as_str(), ran.exit), ("", 0), "{goal}");
        assert_eq!(without_numbers(ran.output.trim_end()), expected, "{goal}");
    }
}

#[test]
fn a_predicate_has_rules_or_clauses() {
    let ran = run("p(1) :- true.\np(X) => X = 2.\n:- initialization((p(1), write(yes))).\n");
    assert!(ran.error.contains("has clauses with `:-` and with `=>`"), "{}", ran.error);
    assert_eq!(ran.exit, 2);
}

#[test]
fn an_arrow_with_a_priority_of_its_own_is_a_term() {
    let facts = ":- op(700, xfx, =>).\na => b.\nc => d.\n";
    let ran = run(&format!("{facts}:- initialization(forall(X => Y, write(X-Y))).\n"));
    assert_eq!((ran.error.as_str(), ran.output.as_str()), ("", "a-bc-d"));
    let ran = run("X => Y :- X = a, Y = b.\n:- initialization(((X => Y), write(X-Y))).\n");
    assert_eq!((ran.error.as_str(), ran.output.as_str()), ("", "a-b"));
}

#[test]
fn arg_enumerates() {
    for (goal, expected) in [
        ("findall(N-A, arg(N, f(a,b,c), A), L)", "[1-a,2-b,3-c]"),
        ("findall(N, arg(N, f(a,b,a), a), L)", "[1,3]"),
        ("findall(N-A, arg(N, [x|y], A), L)", "[1-x,2-y]"),
        ("findall(N-M, (arg(N, f(g(a),h(b,c)), A), arg(M, A, _)), L)", "[1-1,2-1,2-2]"),
        ("findall(N, (arg(N, f(a,b,c), A), A == b, !), L)", "[2]"),
        ("findall(N, call(arg, N, f(a,b), _), L)", "[1,2]"),
        ("G = arg(_, f(a,b), X), findall(X, G, L)", "[a,b]"),
        ("findall(X, (arg(N, f(1,2,3), X), N > 1), L)", "[2,3]"),
        ("findall(E, catch(arg(_, a, _), error(E, _), true), L)", "[type_error(compound,a)]"),
        ("findall(N, (freeze(X, X > 1), arg(N, f(1,2), X)), L)", "[2]"),
    ] {
        assert_eq!(output(&format!("{goal}, print(L)")), expected, "{goal}");
    }
    // Deep in a clause whose registers and slots are needed behind it, with collections at every call.
    let program = "p(A, B, N, R) :- X = g(A), arg(N, f(A,B,X), Y), ( N =:= 2 -> q(Y) ; Y = Z, q(Z) ), R = r(A,B,X,Y).\n\
                   q(_).\n:- initialization((findall(R, p(1,2,_,R), L), print(L))).\n";
    let options = Options { collect_every: Some(1), ..Options::default() };
    assert_eq!(run_with(program, &[], options).output, "[r(1,2,g(1),1),r(1,2,g(1),2),r(1,2,g(1),g(1))]");
}

#[test]
fn arg_is_strict_under_the_flag_iso() {
    let program = ":- initialization((catch(arg(_, f(a), _), error(E, _), true), print(E))).\n";
    let options = Options { iso: true, ..Options::default() };
    assert_eq!(run_with(program, &[], options).output, "instantiation_error");
}

#[test]
fn characters_are_no_codes_and_numbers_have_ascii_digits_under_the_flag_iso() {
    let program = ":- initialization((member(G, [atom_codes(_, [a, b]), number_codes(_, [0'\u{663}])]),\n\
        catch(G, error(E, _), true), print(E), nl, fail ; true)).\n";
    let options = Options { iso: true, ..Options::default() };
    let expected = "type_error(integer,a)\nsyntax_error(illegal_number)\n";
    assert_eq!(run_with(program, &[], options).output, expected);
}

#[test]
fn operators_of_declarations_are_read_and_not_written() {
    for (goal, expected) in [
        ("writeq([@(true), ?(x), #(a, b), ::(a, b)])", "[@(true),?(x),#(a,b),::(a,b)]"),
        ("X = (@ a), writeq(X)", "@(a)"),
        ("op(200, fy, @), writeq([@(true), ?(x)])", "[@true,?(x)]"),
        ("op(700, xfx, ::), writeq((a :: b) = c)", "(a::b)=c"),
    ] {
        assert_eq!(output(goal), expected, "{goal}");
    }
}

#[test]
fn cyclic_terms_are_written_as_equations() {
    for (goal, expected) in [
        ("X = f(X), print(X)", "@(S_1,[S_1=f(S_1)])"),
        ("X = [1|X], writeq(X)", "@(S_1,[S_1=[1|S_1]])"),
        ("X = [1,2|X], write(a-X)", "@(a-S_1,[S_1=[1,2|S_1]])"),
        ("X = f(Y,X), Y = g(X,Y), print(X)", "@(S_1,[S_1=f(S_2,S_1),S_2=g(S_1,S_2)])"),
        ("X = (a:-X), format(\"~w ~q\", [X,b])", "@(S_1,[S_1=(a:-S_1)]) b"),
        ("X = f(X), copy_term(X, Y), Y = f(Z), print(Z)", "@(S_1,[S_1=f(S_1)])"),
    ] {
        assert_eq!(output(goal), expected, "{goal}");
    }
}

#[test]
fn a_program_with_an_error_runs_the_rest_and_ends_with_1() {
    for program in [
        "p(1).\np(2 :- .\np(3).\n:- initialization(main).\nmain :- findall(X, p(X), L), print(L), nl.\n",
        "p(1).\np(2 :- .\np(3).\n:- initialization(main).\nmain :- findall(X, p(X), L), print(L), nl, halt.\n",
    ] {
        let ran = run(program);
        assert_eq!((ran.output.as_str(), ran.exit), ("[1,3]\n", 1), "{program}");
        assert!(ran.error.contains("a clause is missing, the rest of the program runs"), "{}", ran.error);
    }
    assert_eq!(run("p(1).\np(2 :- .\n").exit, 1);
    assert_eq!(run("p(2 :- .\n").exit, 2);
}

#[test]
fn grammars_may_have_rules_that_match() {
    let ran = run(":- initialization(main).
         num(X), number(X) ==> { number_codes(X, Cs) }, list(Cs).
         num(plus(A, B)) ==> num(A), [0'+], num(B).
         num(neg(A)) ==> [0'-], num(A).
         list([]) ==> [].
         list([H|T]) ==> [H], list(T).
         back, [a] ==> [a], [b].
         main :- phrase(num(plus(1, neg(22))), L), atom_codes(A, L), print(A), nl,
             phrase(back, [a, b], R), print(R), nl,
             forall(member(T, [foo, _]), ( catch(phrase(num(T), _), error(E, _), true), E = existence_error(K, _), print(K), nl )),
             dcg_translate_rule((p(X), q(X) ==> [X]), C), portray_clause(C).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("'1+-22'\n[a]\nmatching_rule\nmatching_rule\np(A, B, C), q(A) =>\n    B=[A|C].\n", "")
    );
    // A program's own `==>` is a term.
    let ran =
        run(":- op(700, xfx, ==>).\na ==> b.\n:- initialization(main).\nmain :- X ==> Y, print(X-Y), nl.");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("a-b\n", ""));
}

#[test]
fn rules_are_asserted_and_loaded_as_clauses_of_dynamic_predicates() {
    let ran = run(":- initialization(main).
        :- dynamic l/1.
        l(X), number(X), X > 0 => true.
        l(f(X)) => print(X), nl.
        t(G) :- catch(( call(G) -> print(yes(G)) ; print(no) ), error(E, _), print(E)), nl.
        main :-
            assertz((r(X), X > 0 => true)), assertz((r(X), X < 0 => fail)), t(r(1)), t(r(-1)), t(r(0)),
            assertz((f(g(X), X) => Y = X, print(Y), nl)), t(f(g(2), 2)), t(f(g(2), 3)), t(f(a, b)),
            asserta((f(a, _) => true)), t(f(a, b)), t(( f(a, _), fail )),
            assertz(m:(q(1) => true)), t(m:q(2)),
            t(l(1)), t(l(f(a))), t(l(-1)), t(assertz(l(9))), t(assertz((l(_) => true))), t(l(-1)),
            retractall(l(_)), t(l(-1)), assertz(l(3)), t(l(4)),
            t(assertz((_ => true))), t(assertz((7 => true))), t(assertz(foo(1))), t(assertz((foo(_) => true))),
            assertz((n(X) => ( X = 1 ; X = 2 ))), findall(X, n(X), L), print(L), nl.");
    let expected = "yes(r(1))\nno\nexistence_error(matching_rule,r(0))\n\
        2\nyes(f(g(2),2))\nexistence_error(matching_rule,f(g(2),3))\nexistence_error(matching_rule,f(a,b))\n\
        yes(f(a,b))\nno\nexistence_error(matching_rule,m:q(2))\n\
        yes(l(1))\na\nyes(l(f(a)))\nexistence_error(matching_rule,l(-1))\n\
        permission_error(assert,procedure,l/1)\nyes(assertz((l(_)=>true)))\nyes(l(-1))\n\
        existence_error(matching_rule,l(-1))\nno\n\
        instantiation_error\ntype_error(callable,7)\nyes(assertz(foo(1)))\npermission_error(assert,procedure,foo/1)\n\
        [1,2]\n";
    let output = without_numbers(&ran.output);
    assert_eq!((output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn a_guard_that_unifies_an_argument_matches_it() {
    // As `swipl` does: such a goal belongs to the head, wherever it stands, unless a goal in front of it speaks of the
    // argument, or it is the second one for it.
    let ran = run(":- initialization(main).
        a(X), X = f(_) => true.
        a(_) => print(other), nl.
        b(X), f(_) = X => true.
        b(_) => print(other), nl.
        c(X), true, X = f(_) => true.
        c(_) => print(other), nl.
        d(X), var(X), X = f(_) => true.
        d(_) => print(other), nl.
        e(g(X)), X = f(_) => true.
        f(X, Y), X = f(Y) => true.
        f(_, _) => print(other), nl.
        g(X), X = f(Y), Y = 1 => true.
        h(X), Y = X, Y = f(_) => true.
        i(X), X = 1 => true.
        i(_) => print(other), nl.
        j(X, X), X = f(_) => true.
        j(_, _) => print(other), nl.
        k(X), X = f(_), X = f(1) => true.
        t(G) :- catch(G, error(E, _), ( print(E), nl )), print(G), nl.
        main :- t(a(_)), t(b(_)), t(c(_)), t(d(_)), t(e(g(_))), t(f(f(1), _)), t(f(f(1), 1)), t(g(f(_))), t(h(_)),
            t(i(_)), t(j(_, _)), A = f(2), t(j(A, A)), t(k(f(_))).");
    let expected = "other\na(_)\nother\nb(_)\nother\nc(_)\nd(f(_))\ne(g(f(_)))\nother\nf(f(1),_)\nf(f(1),1)\n\
        g(f(1))\nh(f(_))\nother\ni(_)\nother\nj(_,_)\nj(f(2),f(2))\nk(f(1))\n";
    let output = without_numbers(&ran.output);
    assert_eq!((output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn a_rule_may_leave_the_rules_behind_it_a_chance() {
    let program = ":- op(1200, xfx, ?=>).
        :- initialization(main).
        p(X), X > 0 ?=> print(first(X)).
        p(X) ?=> print(second(X)).
        p(X) => print(third(X)).
        p(_) => print(fourth).
        q(a) ?=> print(a).
        r(f(X)) ?=> X = 1.
        :- dynamic d/1.
        d(X) ?=> print(X).
        d(_) => print(last).
        t(G) :- catch(forall(G, true), error(E, _), (numbervars(E, 0, _), print(E))), nl.
        main :- t(p(1)), t(p(0)), t(q(b)), t(q(a)), t(r(_)), t(d(1)),
            assertz((e(X) ?=> print(X))), assertz((e(_) => print(no_more))), t(e(1)),
            findall(P, (member(P, [p(_), d(_), main]), predicate_property(P, ssu)), L), print(L), nl.\n";
    let ran = run(program);
    let expected = "first(1)second(1)third(1)\nsecond(0)third(0)\nexistence_error(matching_rule,q(b))\n\
        aexistence_error(matching_rule,q(a))\nexistence_error(matching_rule,r(A))\n1last\n1no_more\n[p(_),d(_)]\n";
    assert_eq!((without_numbers(&ran.output).as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn listings_show_rules_as_they_were_written() {
    let program = "f(N, R), N > 0 => M is N - 1, f(M, R0), R = s(R0).\nf(0, R) => R = z.\n\
        h(X) => X = 1.\n:- initialization((listing(f/2), listing(h/1))).\n";
    let expected = "f(N, R), N>0 =>\n    M is N-1,\n    f(M, R0),\n    R=s(R0).\nf(0, R) =>\n    R=z.\n\n\
        h(X) =>\n    X=1.\n\n";
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn rules_that_leave_others_a_chance_are_written_as_rules() {
    let program = ":- op(1200, xfx, ?=>).
        :- initialization(main).
        main :- portray_clause((p(X), X > 0 ?=> q(X), r)), portray_clause((p(X) => q(X))).\n";
    let ran = run(program);
    let expected = "p(A), A>0 ?=>\n    q(A),\n    r.\np(A) =>\n    q(A).\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
    // Where it is no such operator it is a term as any other.
    let ran = run(":- op(700, xfx, ?=>).\n:- initialization(main).\nmain :- portray_clause((p ?=> q)).\n");
    assert_eq!(ran.output, "p?=>q.\n");
}
