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
        // Variables have numbers.
        let mut text = String::new();
        for character in ran.output.trim_end().chars() {
            if !(character.is_ascii_digit() && text.ends_with('_')) {
                text.push(character);
            }
        }
        assert_eq!(text, expected, "{goal}");
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
    let ran = run("X => Y :- X = a, Y = b.\n:- initialization((X => Y, write(X-Y))).\n");
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
        ("'1+-22'\n[a]\nmatching_rule\nmatching_rule\n(p(A, B, C), q(A))=>B=[A|C].\n", "")
    );
    // A program's own `==>` is a term.
    let ran =
        run(":- op(700, xfx, ==>).\na ==> b.\n:- initialization(main).\nmain :- X ==> Y, print(X-Y), nl.");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("a-b\n", ""));
}
