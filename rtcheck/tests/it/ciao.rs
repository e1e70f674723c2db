//! Texts with what Ciao's own library is written with: they load without an error, and what is there works.

use crate::support::{Ran, open_files, run_files};
use rtcheck::session::Options;

/// The errors that a text has when it is loaded; warnings are not told.
fn errors(text: &str) -> String {
    let (session, system) = open_files(&[("m.pl", text)], Options::default());
    drop(session);
    let system = system.borrow();
    let told = String::from_utf8_lossy(&system.error).into_owned();
    told.lines().filter(|line| line.contains("error")).collect::<Vec<_>>().join("\n")
}

pub(crate) fn ran(module: &str, goal: &str) -> Ran {
    let main = format!(":- use_module(m).\n:- initialization(main).\nmain :- {goal}.\n");
    run_files(&[("v.pl", &main), ("m.pl", module)], &[], Options::default())
}

#[test]
fn what_is_defined_elsewhere_may_be_exported_and_asserted() {
    for text in [
        ":- module(m, [p/1, q/2], [assertions]).\n:- impl_defined([p/1, q/2]).\n:- trust pred p(X) : int(X).\n",
        ":- module(m, [], [assertions]).\n:- export(p/1).\n:- if(defined(no)).\np(_).\n:- else.\n\
         :- impl_defined(p/1).\n:- endif.\n",
        ":- module(m, [p/2, q/1], [assertions, foreign_interface, basicmodes]).\n\
         :- true pred p(in(X), go(Y)) :: int * int + (foreign(c_p), returns(Y)).\n\
         :- trust pred q(X) : int(X) + foreign_low(c_q) # \"Text.\".\n:- use_foreign_source('x.c').\n\
         :- use_foreign_source('Linux', ['y.c']).\n:- use_foreign_library(m).\n:- extra_compiler_opts('-O2').\n\
         :- extra_linker_opts('Linux', ['-L.']).\n:- use_compiler(gcc).\n:- use_linker(gcc).\n",
        ":- module(m, [at/2, at/3], [assertions]).\n:- meta_predicate at(addmodule, ?).\n\
         :- meta_predicate at(?, addmodule(goal), ?).\nat(_, _, _).\n",
    ] {
        assert_eq!(errors(text), "", "{text}");
    }
    // What nobody defines is still an error.
    assert!(errors(":- module(m, [p/1]).\n").contains("`p/1` is exported and not defined"));
    assert!(
        errors(":- module(m, [], [assertions]).\n:- pred p(X) : int(X) + det.\n")
            .contains("unknown predicate")
    );
}

#[test]
fn texts_add_declarations() {
    let text = ":- module(m, [], [assertions]).\n:- new_declaration(d/1).\n:- new_declaration([e/1, e/2], on).\n\
        :- d(x).\n:- e(x, y).\n:- concurrent c/1.\n:- '$props'(p/1, [impnat=indefinable]).\n\
        :- '$native_include_c_source'(engine(x)).\np(_).\n";
    assert_eq!(errors(text), "");
    assert!(errors(":- module(m, []).\n:- d(x).\n").contains("unknown procedure"));
}

#[test]
fn modes_named_by_operators_are_defined() {
    let text = ":- package(m).\n:- op(500, fx, (?)).\n:- modedef '+'(A) : nonvar(A).\n:- modedef '@'(A) + not_further_inst(A).\n\
        :- modedef go(A) => ground(A).\n:- push_prolog_flag(read_hiord, on).\n\
        :- modedef '+'(A,X) :: X(A) : nonvar(A).\n:- modedef '@'(A,X) :: X(A) + not_further_inst(A).\n\
        :- pop_prolog_flag(read_hiord).\n";
    assert_eq!(errors(text), "");
}

#[test]
fn two_bars_append_to_a_text() {
    let module = ":- module(m, [t/2, u/1, v/1]).\nt(\"a\"||X, \"\\\\n\"||X).\nu(X) :- X = \"ab\"||\"cd\"||[0'e].\n\
        v(X) :- X = [\"\"||a, f(\"x\"||b, c)|\"y\"||Z], Z = [].\n";
    for (goal, printed) in [
        ("t(\"abc\", X), atom_codes(A, X), writeq(A)", "'\\\\nbc'"),
        ("u(X), atom_codes(A, X), writeq(A)", "abcde"),
        ("v(X), writeq(X)", "[a,f([120|b],c),121]"),
        ("X = \"a\"||Y, Y = 1, writeq(X)", "[97|1]"),
    ] {
        let ran = ran(module, goal);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (printed, ""), "{goal}");
    }
    assert!(errors("p(X) :- X = a||b.\n").contains("syntax error"));
    assert!(
        errors(":- set_prolog_flag(double_quotes, atom).\np(X) :- X = \"a\"||b.\n").contains("syntax error")
    );
    let strict = ":- set_prolog_flag(iso, true).\np(X) :- X = \"a\"||b.\n";
    assert!(errors(strict).contains("syntax error"));
}

#[test]
fn a_module_replaces_built_in_predicates_for_itself() {
    let module = ":- module(m, [p/1, findall/3, (=..)/2]).\n:- redefining(findall/3).\n:- redefining((=..)/2).\n\
        findall(X, _, [own(X)]).\nX =.. own(X).\np(X) :- findall(a, true, Y), b =.. Z, X = Y-Z.\n";
    let module_ran = ran(module, "p(X), writeq(X)");
    assert_eq!(module_ran.output, "[own(a)]-own(b)");
    let all = ":- module(m, [p/1], [noprelude]).\nfindall(X, _, [own(X)]).\np(Y) :- findall(a, true, Y).\n";
    let main = ":- use_module(m).\n:- initialization(main).\nmain :- p(X), writeq(X), findall(Y, Y = 1, L), writeq(L).\n";
    let all_ran = run_files(&[("v.pl", main), ("m.pl", all)], &[], Options::default());
    assert_eq!((all_ran.output.as_str(), all_ran.error.as_str()), ("[own(a)][1]", ""));
    // Only where it says so, and control constructs never.
    assert!(errors(":- module(m, []).\nfindall(X, _, [X]).\n").contains("`findall/3` is built in"));
    assert!(errors(":- module(m, []).\n:- redefining((',')/2).\n(_ , _).\n").contains("built in"));
}

#[test]
fn long_texts_quotes_and_conditions_are_read() {
    let text = r#":- module(_, _, [assertions, dcg, hiord, fsyntax, datafacts, regtypes, nativeprops]).
:- doc(title, "A title over
   two lines, with @lib{x}, @var{X} and @tt{'q'}").
:- doc(author, "R@'{e}my H@\"{a}mm").
:- doc(p/1, "@begin{verbatim}
:- use_module(library(x)).
@end{verbatim}").
:- doc(hide, 'm:hook'/3).
:- multifile 'm:hook'/3, '$loop'/2.
:- data 'a copy'/1.
:- if((defined(a), \+ defined(b) ; true)).
'$loop'(A, B) :- 'm:hook'(A, B, _).
:- elif(defined(c)).
:- else.
:-endif.	
:- pred p(X) # "Holds for
   all.".
p(_).
:- prop n(X) + (sideff(free), native(n(X)), bind_ins) # "A property.".
n(_).
:- regtype t(X) + equiv(u(X)) # "A type.".
t(a).
:- pred d(+A, -B, C) : (list(A),
   list(C)) # "Unifies @var{B} with @tt{@>/2}.".
d(_, _, _).
:- test p(X) : (X = 1) => (X == 1) + (not_fails, is_det) # "A test.".
g(V, Vs) --> ( { p(V) } -> "a" ; [] ), g(Vs, V), !, [~w(f(V))].
w(X, X).
e((:- D), []) :- w(D, _).
e((H => B), [H, B]).
up([]) := [].
up([X|Xs]) := [~up2(X)|~up(Xs)].
up2(X0) := X :- X0 >= 0'a, X0 =< 0'z, !, X is X0 + 0'A - 0'a.
up2(X) := X.
b(fmt:nl) --> !, "\n".
c(0'-, 0'_, 0''', 0'\n).
"#;
    assert_eq!(errors(text), "");
}

#[test]
fn a_module_of_ciao_comes_before_what_is_built_in() {
    let module = ":- module(m, [p/1, (is)/2], []).\nsetof(X, _, [own(X)]).\np(X) :- setof(a, true, X).\nX is Y :- X = is(Y).\n";
    let main = ":- use_module(m, [p/1]).\n:- initialization(main).\nmain :- p(X), writeq(X), X2 is 1 + 1, writeq(X2).\n";
    let ran = run_files(&[("v.pl", main), ("m.pl", module)], &[], Options::default());
    assert_eq!(ran.output, "[own(a)]2");
    assert!(
        ran.error.contains("`setof/3` is built in: that of this module takes its place"),
        "{}",
        ran.error
    );
}

#[test]
fn steps_by_one_are_terms() {
    let module = ":- module(m, [t/1]).\nt([++X, --(X), ++a*b, [++, --], f(++)]).\n";
    let ran = ran(module, "t(L), L = [A|_], A = ++(1), write_canonical(L), \\+ current_op(_, _, ++)");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[++(1),--(1),++(*(a,b)),[++,--],f(++)]", ""));
    assert!(errors(":- set_prolog_flag(iso, true).\np(++X, X).\n").contains("syntax error"));
}

#[test]
fn what_an_unknown_package_adds_is_no_error() {
    let text = ":- module(m, [p/1], [assertions, argnames, elsewhere]).\n:- argnames person(name, age).\n\
        :- suspendable(p(term)).\n:- on(a, b).\np(person${name => X, age => _}) :- q(X).\nq(_).\n\
        :- trust pred ','(+cgoal, +cgoal) + iso.\n:- trust pred ';'(A, B) : cgoal * cgoal.\n\
        :- use_module(library(elsewhere/x), [y/1], [active]).\n:- include(library(elsewhere/z)).\n";
    assert_eq!(errors(text), "");
    // A goal that is known is run, and tells what goes wrong in it.
    let text = ":- module(m, [], [elsewhere]).\n:- atom_length(_, _).\n";
    assert!(errors(text).contains("error"));
}

#[test]
fn arguments_have_names() {
    let module = ":- module(m, [t/2, older/2], [argnames, assertions]).\n:- argnames person(name, age, job).\n\
        t(X, person${age => 3, name => X}).\nolder(person${age => A}, person${age => B}) :- A > B.\n\
        :- pred older(A, B) : (nonvar(A), nonvar(B)).\n";
    for (goal, printed) in [
        ("t(bob, X), X = person(N, A, J), writeq([N, A]), ( var(J) -> true ; write(J) )", "[bob,3]"),
        ("older(person(a, 3, x), person(b, 2, y)), write(yes)", "yes"),
    ] {
        let ran = ran(module, goal);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (printed, ""), "{goal}");
    }
    let wrong = ":- module(m, [], [argnames]).\n:- argnames p(a).\nq(p${b => 1}).\n";
    assert!(errors(wrong).contains("argument"));
}

#[test]
fn a_module_has_flags_and_attributes_of_its_own() {
    let module = ":- module(m, [t/2, d/2], [define_flag, attr, doccomments, dcg/dcg_phrase]).\n\
        define_flag(my_flag, [on, off], off).\ndefine_flag(depth, integer, 10).\n\
        t(X, D) :- current_prolog_flag(my_flag, X), set_prolog_flag(depth, 3), current_prolog_flag(depth, D).\n\
        d(X, Dom) :- var(Dom), !, get_attr_local(X, Dom).\nd(X, Dom) :- put_attr_local(X, Dom).\n\
        attr_unify_hook(Dom, Y) :- member(Y, Dom).\n";
    for (goal, printed) in [
        ("t(X, D), writeq(X-D)", "off-3"),
        ("d(X, [a, b]), d(X, D), writeq(D), X = b, ( d(Y, [a]), Y = c -> true ; write(no) )", "[a,b]no"),
    ] {
        let ran = ran(module, goal);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (printed, ""), "{goal}");
    }
    // Without what they add the texts load.
    assert_eq!(errors(":- module(m, [], [block]).\n:- block p(-, ?), p(?, -).\np(_, _).\n"), "");
    assert_eq!(errors(":- module(m, [], [fsyntax, lazy]).\n:- lazy fun_eval f/1.\nf(X) := X.\n"), "");
}

/// A module of Ciao's, whose `main/0` prints something.
fn says(body: &str, output: &str) {
    let program = format!(":- module(m, [main/0], [assertions, hiord]).\n{body}");
    let ran = crate::support::run(&program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (output, ""), "{program}");
}

#[test]
fn facts_are_kept_and_changed() {
    says(
        ":- use_module(engine(data_facts)).\n:- data c/1.\nc(0).\n\
         main :- retract_fact(c(X)), Y is X+1, asserta_fact(c(Y)), current_fact(c(Z)), display(Z), nl,\n\
             assertz_fact(c(7)), set_fact(c(9)), findall(A, c(A), As), display(As), nl,\n\
             retractall_fact(c(_)), ( current_fact(c(_)) -> true ; display(none), nl ).\n",
        "1\n[9]\nnone\n",
    );
}

#[test]
fn predicates_of_its_libraries_are_there() {
    says(
        ":- use_module(library(terms_vars), [varset/2]).\n:- use_module(library(pathnames)).\n\
         :- use_module(library(read_from_string)).\n:- use_module(library(queues)).\n:- use_module(library(dict)).\n\
         :- use_module(library(lists)).\n:- use_module(library(sets)).\n\
         main :- varset(f(V, g(V)), Vs), length(Vs, N), path_split('/a/b/c.pl', D, B), path_norm('/a/./b/../c', P),\n\
             path_splitext('c.tar.gz', E, X), display([N, D, B, P, E, X]), nl,\n\
             atom_codes('foo(X, bar)', Cs), read_from_string_atmvars(Cs, T), display(T), nl,\n\
             q_empty(Q0), q_insert(Q0, 1, Q1), q_insert(Q1, 2, Q2), q_delete(Q2, F, _), display(F), nl,\n\
             dic_lookup(Dic, a, 1), dic_lookup(Dic, a, W, S), display([W, S]), nl,\n\
             powerset([1, 2], Ls), display(Ls), nl, ord_union_change([a], [b], U), display(U), nl,\n\
             ( ord_union_change([a], [a], _) -> true ; display(same), nl ).\n",
        "[1,/a/b,c.pl,/a/c,c.tar,.gz]\nfoo(X,bar)\n1\n[1,old]\n[[1,2],[1],[2],[]]\n[a,b]\nsame\n",
    );
}

#[test]
fn generic_names_are_there_for_who_imports_them() {
    says(
        ":- use_module(library(hiordlib), [map/3]).\n:- use_module(library(terms), [arg/2]).\n\
         main :- map([1, 2], inc, L), display(L), nl, findall(A, arg(f(x, y), A), As), display(As), nl,\n\
             catch(error(oops), E, ( E = error(K, _), display(K), nl )).\n\
         inc(X, Y) :- Y is X+1.\n",
        "[2,3]\n[x,y]\nexistence_error(procedure,:(m,/(error,1)))\n",
    );
    says(
        ":- use_module(library(hiordlib)).\nmain :- split([1, 2, 3], odd, Y, N), display(Y), display(N), nl.\n\
         odd(X) :- X mod 2 =:= 1.\n",
        "[1,3][2]\n",
    );
    // Both orders of arguments are known.
    says(
        ":- use_module(library(hiordlib)).\nmain :- foldl([1, 2], z, f, X), foldl(f, [1, 2], z, Y), foldl([], z, f, Z),\n\
             display([X, Y, Z]), nl.\nf(X, Y, g(X, Y)).\n",
        "[g(1,g(2,z)),g(2,g(1,z)),z]\n",
    );
    // A seed may look like a term with a module, and one with a module is the goal's.
    says(
        ":- use_module(library(hiordlib)).\nmain :- foldl(f, [1, 2], k:z, X), foldl([1], k:z, f, Y), foldl([1], z, m:f, Z),\n\
             display([X, Y, Z]), nl.\nf(X, Y, g(X, Y)).\n",
        "[g(2,g(1,:(k,z))),g(1,:(k,z)),g(1,z)]\n",
    );
    // A variable in front of a goal says nothing where no free variables are asked for.
    says(
        ":- use_module(library(aggregates), [findall/3, setof/3, (^)/2]).\nq(1, b).\nq(2, a).\n\
         main :- findall(X, Y^q(X, Y), L), display(L), nl, setof(Y1, X1^q(X1, Y1), L1), display(L1), nl,\n\
             Z^T^q(Z, T), display(Z-T), nl, ( \\+ V^q(V, c) -> display(no) ; display(yes) ), nl.\n",
        "[1,2]\n[a,b]\n-(1,b)\nno\n",
    );
}

#[test]
fn rules_of_grammars_have_functions_and_what_is_quoted_is_not_computed() {
    let program = ":- module(m, [main/0], [fsyntax, dcg]).\n:- fun_eval arith(true).\nval := 42.\n\
         t --> [a], {X = ~val}, [X].\nu(Y) --> [~val, Y].\nq(X) := ^(X*2).\nr(X) := X*2.\ns(X) := ^g(~q(X), X+1).\n\
         main :- ( t([a, 42], []), u(Z, [42, b], []) -> display(Z) ; display(no) ), nl,\n\
         display(~q(3)), nl, display(~r(3)), nl, display(~s(3)), nl.\n";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("b\n*(3,2)\n6\ng(*(3,2),4)\n", ""));
}

#[test]
fn what_abstractions_compute_is_computed_when_they_are_called() {
    let program = ":- module(m, [main/0], [fsyntax, hiord]).\n:- fun_eval arith(true).\nsq(X) := X*X.\n\
         main :- maplist((''(A, B) :- B is A*A), [1, 2], L), display(L), nl, K = 10,\n\
         maplist({K -> ''(A, B) :- B = ~sq(A)+K}, [1, 2], M), display(M), nl,\n\
         maplist({''(A, B) :- B = A-1}, [5, 3+4], N), display(N), nl.\n";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[1,4]\n[11,14]\n[4,6]\n", ""));
}

#[test]
fn goals_in_lists_know_their_module() {
    says(
        ":- meta_predicate all(list(goal)), some(?, list(pred(1))), plain(list(int)).\nall([]).\nall([G|Gs]) :- call(G), all(Gs).\n\
         some(X, [P|Ps]) :- ( call(P, X) -> display(yes) ; some(X, Ps) ).\nplain([1]).\n\
         main :- all([shown(a), shown(X)]), display(X), some(3, [small, big]), plain([1]), all([]), nl.\n\
         shown(b) :- !, display(b).\nshown(X) :- display(X).\nsmall(X) :- X < 2.\nbig(X) :- X > 2.\n",
        "abbyes\n",
    );
}

#[test]
fn formulae_are_lists_and_back() {
    says(
        ":- use_module(library(formulae)).\n\
         main :- list_to_conj([a, b, c], C), display(C), nl, conj_to_list(((x, true), (y, z)), L), display(L), nl,\n\
         list_to_disj([], D), display(D), nl, disj_to_list((p ; (q, r)), M), display(M), nl,\n\
         conj_to_llist(((a ; b), c), N), display(N), nl, llist_to_disj(N, E), display(E), nl,\n\
         asbody_to_conj(k * l * m, O), display(O), nl, asbody_to_conj(P, (k, l, m)), display(P), nl.\n",
        ",(a,,(b,c))\n[x,y,z]\nfalse\n[p,,(q,r)]\n[[a,b],[c]]\n;(,(a,b),c)\n,(k,,(l,m))\n*(*(k,l),m)\n",
    );
}

#[test]
fn packages_bring_constraints_and_tables() {
    let program = ":- module(m, [main/0], [assertions, clpfd, tabling, chr]).\n\
         :- chr_constraint gcd/1.\ngcd(0) <=> true.\ngcd(N) \\ gcd(M) <=> N =< M | L is M mod N, gcd(L).\n\
         :- table path/2.\npath(X, Y) :- path(X, Z), e(Z, Y).\npath(X, Y) :- e(X, Y).\ne(a, b).\ne(b, a).\n\
         main :- X in 1..3, X #> 2, display(X), nl, findall(Y, path(a, Y), Ys), sort(Ys, Zs), display(Zs), nl,\n\
         gcd(9), gcd(6), findall(N, find_chr_constraint(gcd(N)), L), display(L), nl.\n";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("3\n[a,b]\n[3]\n", ""));
}

#[test]
fn abstractions_have_variables_of_their_own() {
    says(
        "main :- maplist({''(X, Y) :- Y is X*2}, [1, 2], L), display(L), nl, K = 10,\n\
         maplist({K -> ''(X, Y) :- Y is X+K}, [1, 2], M), display(M), nl,\n\
         maplist({''(X, Y) :- Z = K, Y is X+Z}, [1, 2], N), display(N-Z), nl, maplist({''(_, a)}, [1, 2], O), display(O), nl,\n\
         P = {''(_, V) :- V = W}, call(P, 1, 5), display(W), nl.\n",
        "[2,4]\n[11,12]\n-([11,12],10)\n[a,a]\n5\n",
    );
    says(
        "main :- maplist((''(X, Y) :- Y is X*2), [1, 2], L), display(L), nl,\n\
             K = 3, maplist(([K] -> ''(A, B) :- B is A*K), [1, 2], M), display(M), nl.\n",
        "[2,4]\n[3,6]\n",
    );
}

#[test]
fn packages_may_be_texts_beside_the_module() {
    let translation = ":- module(tr, [tr/3]).\n:- op(700, xfx, :=:).\ntr((A :=: B), (A :- B), _).\n";
    let package = ":- package(mine).\n:- op(700, xfx, :=:).\n:- load_compilation_module(.(tr)).\n:- add_sentence_trans(tr:tr/3, 210).\n";
    let program = ":- module(v, [main/0], [.(mine)]).\nmain :- p(X), display(X), nl.\np(1) :=: true.\n";
    let files = [("v.pl", program), ("mine.pl", package), ("tr.pl", translation)];
    let ran = run_files(&files, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("1\n", ""));
    // In the folders of a library, by its name there.
    let program = ":- module(v, [main/0], [library(syntax/mine)]).\nmain :- X = (a :=: b), display(X), nl.\n";
    let package = ":- package(mine).\n:- op(700, xfx, :=:).\n";
    let files = [("lib/deep/v.pl", program), ("lib/syntax/mine.pl", package)];
    let ran = run_files(&files, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (":=:(a,b)\n", ""));
}

#[test]
fn packages_translate_goals() {
    let translation = ":- module(tr, [gtr/3]).\ngtr(twice(G), (G, G), _).\ngtr(here(M), M = N, N).\ngtr(odd, _, _) :- throw(oops).\n";
    let package =
        ":- package(mine).\n:- load_compilation_module(.(tr)).\n:- add_goal_trans(tr:gtr/3, 750).\n";
    let program = ":- module(v, [main/0], [.(mine)]).\nmain :- twice(( display(x), \\+ twice(fail) )), here(M), display(M), nl, \\+ odd.\nodd :- fail.\n";
    let files = [("v.pl", program), ("mine.pl", package), ("tr.pl", translation)];
    let ran = run_files(&files, &[], Options::default());
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("xxv\n", "Warning: odd is not translated: oops\n")
    );
    // What ends the program, or a part of it, ends the translation too.
    let translation = translation.replace("throw(oops)", "throw(error(resource_error(memory), _))");
    let files = [("v.pl", program), ("mine.pl", package), ("tr.pl", translation.as_str())];
    let ran = run_files(&files, &[], Options::default());
    assert!(!ran.error.contains("is not translated"), "{}", ran.error);
    assert!(ran.error.contains("the limit of memory is reached"), "{}", ran.error);
}

#[test]
fn predicates_get_the_module_of_who_calls_them() {
    let module = ":- module(m, [at/2, run/1, both/1, plus/1]).\n\
        :- meta_predicate at(?, addmodule), run(addmodule(goal)), both(addmodule), plus(addmodule(+)).\n\
        plus(X, M) :- display(X-M), nl.\n\
        at(X, Y, M) :- display([X, Y, M]), nl.\nrun(G, M) :- display(M), call(G), nl.\n\
        both(X, M) :- at(X, M, M), at(a, X).\n";
    let main = ":- module(v, [main/0]).\n:- use_module(m).\n:- initialization(main).\n\
        main :- at(1, f), run(own), call(at, 4, 5), both(b), plus(c).\nown :- display(own).\n";
    let ran = run_files(&[("v.pl", main), ("m.pl", module)], &[], Options::default());
    let expected = "[1,f,v]\nvown\n[4,5,v]\n[b,v,v]\n[a,b,m]\n-(c,v)\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn goals_of_a_list_keep_the_module_of_who_calls() {
    let module = ":- module(m, [all/1, all/2]).\n:- meta_predicate all(addmodule(list(goal))).\n\
        all(Gs, M) :- display(M), run(Gs).\nrun([]) :- nl.\nrun([G|Gs]) :- call(G), run(Gs).\n";
    let main = ":- module(v, [main/0]).\n:- use_module(m).\n:- initialization(main).\n\
        main :- all([own, display(b)]), all([]), G = own, all([G]), catch(all([_]), _, (display(free), nl)).\nown :- display(own).\n";
    let ran = run_files(&[("v.pl", main), ("m.pl", module)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("vownb\nv\nvown\nvfree\n", ""));
}

#[test]
fn the_value_of_a_function_may_be_another_argument_than_the_last() {
    let program = ":- module(m, [main/0], [fsyntax]).\n:- fun_return first(~, _).\n:- fun_return pair(_, ~, _).\n\
        first([X|_]) := X.\npair(A, B) := A-B.\n\
        main :- display(~first([a, b])), X = ~pair(1, ~first([2])), display(X), first(Y, [c]), display(Y), nl.\n";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("a-(1,2)c\n", ""));
}

#[test]
fn tests_bring_modules_and_everything_may_be_exported() {
    let program = ":- module(v, _, _).\n:- use_package([unittestdecls]).\n:- load_test_module(.(t)).\n\
        :- load_test_module(.(t), [q/1]).\n:- load_test_package([hiord]).\n:- export(_).\n\
        main :- q(X), printq('A b'), display(X), nl.\n";
    let ran =
        run_files(&[("v.pl", program), ("t.pl", ":- module(t, [q/1]).\nq(1).\n")], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("'A b'1\n", ""));
}

#[test]
fn a_property_may_be_declared_with_its_first_clause() {
    let program = ":- module(m, [main/0], [assertions, fsyntax]).\n:- regtype colour := red | green.\n\
         :- pred p(X) : colour(X).\np(_).\n\
         main :- findall(C, colour(C), Cs), display(Cs), nl, catch(p(blue), E, ( functor(E, F, _), display(F), nl )).\n";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[red,green]\nrtcheck\n", ""));
}

#[test]
fn goals_that_may_run_at_the_same_time_run_one_after_the_other() {
    let ran = crate::support::run(
        ":- module(m, [main/0], [andprolog]).\nmain :- p(X, Y), display(X-Y), nl, q(A) &> H, r(B), H <&, display(A-B), nl.\n\
         p(X, Y) :- q(X) & r(Y).\nq(1).\nr(2).\n",
    );
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("-(1,2)\n-(1,2)\n", ""));
}

#[test]
fn breadth_first_search_finds_what_depth_first_search_does_not() {
    // `path(a, d)` runs for ever depth first: the circle comes first.
    let program = ":- module(m, [main/0], [bf]).\narc(a, b). arc(b, a). arc(b, c). arc(c, d).\n\
         path(X, Y) <- path(X, Z), arc(Z, Y).\npath(X, Y) <- arc(X, Y).\n\
         short(X, Y) <- true, arc(X, Y).\n\
         main :- ( path(a, d) -> display(yes) ; display(no) ), nl, findall(Y, short(a, Y), Ys), display(Ys), nl.\n";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("yes\n[b]\n", ""));
}

#[test]
fn lazy_functions_wait_for_who_looks_at_their_result() {
    let program = ":- module(m, [main/0], [functional, lazy]).\n:- use_module(library(lazy/lazy_lib), [take/3, takeWhile/3]).\n\
         :- lazy fun_eval nums/1.\nnums(X) := [X|nums(X+1)].\n\
         :- lazy ones/1.\nones([1|T]) :- ones(T).\n\
         small(X) :- X < 4.\n\
         main :- X = ~take(3, ~nums(1)), display(X), nl, ones(L), L = [A, B|_], display(f(A, B)), nl,\n\
             takeWhile(small, ~nums(2), S), display(S), nl.\n";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[1,2,3]\nf(1,1)\n[2,3]\n", ""));
}

#[test]
fn persistent_facts_are_there_again_and_what_is_wrong_with_their_files_is_told() {
    let program = ":- module(m, [main/0], [persdb]).\npersistent_dir(db, 'd').\n:- persistent(q/2, db).\n\
         main :- ( q(X, Y), writeq(X-Y), nl, fail ; true ), passertz_fact(q('A b', f(_))), passerta_fact(q(0, 'x')),\n\
             pretract_fact(q(1, _)), catch(passertz_fact(r(1)), error(E, _), true), writeq(E), nl,\n\
             read_file_to_string('d/q_2.pl', S, []), write(S).\n";
    let ran = run_files(&[("m.pl", program), ("d/q_2.pl", "q(1,a).\nq(2,'B').\n")], &[], Options::default());
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("1-a\n2-'B'\nexistence_error(persistent_predicate,m:r/1)\nq(0,x).\nq(2,'B').\nq('A b',f(A)).\n", "")
    );
    let ran = run_files(&[("m.pl", program), ("d/q_2.pl", "p(1).\n")], &[], Options::default());
    assert!(ran.error.contains("persistent"), "{}", ran.error);
}

#[test]
fn variables_that_backtracking_sets_back_and_arguments_to_find_clauses_by() {
    let program = ":- module(m, [main/0], [global_vars, indexer, freeze, when, dif]).\n:- use_module(library(mutables)).\n\
         :- index p(+, *), p(?, +).\np(1, a).\np(2, b).\n\
         main :- setval(k, 1), ( setval(k, 2), fail ; getval(k, V) ), display(V), nl, p(X, b), display(X), nl,\n\
             create_mutable(a, M), ( update_mutable(b, M), fail ; get_mutable(W, M) ), display(W), nl.\n";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("1\n2\na\n", ""));
}

#[test]
fn packages_that_add_nothing_here_and_libraries_behind_others_are_known() {
    let program =
        ":- module(v, [main/0], [nonpure, initial, debug, nodebug, default_predicates, compressed_bytecode,
            assertions/assertions_props, datafacts, dcg/dcg_phrase]).
        :- use_module(library(datafacts/datafacts_rt)).
        :- use_module(library(dcg/dcg_phrase_rt)).
        :- data fact/1.
        :- initialization(main).
        two --> [_, _].
        main :- assertz_fact(fact(1)), retract_fact(fact(X)), phrase(two, [a, b]), display(X), nl.
        ";
    let ran = crate::support::run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("1\n", ""));
}

#[test]
fn programs_print_count_and_declare_as_ciao_has_them() {
    // The words of a program that prints have no quotes, those of printq/1 have.
    let text = ":- module(m, [go/0], []).\ngo :- print('A b'), printq('A b'), print(f(\"x\", '$VAR'('Z'))), nl,\n\
        current_output(S), print(S, 'c d'), nl.\n";
    assert_eq!(ran(text, "go").output, "A b'A b'f([120],Z)\nc d\n");
    let text = ":- module(m, [go/0], [datafacts]).\ngo :- data(c/1), assertz_fact(c(1)), concurrent(d/2), \\+ d(_, _), c(X), display(X).\n";
    assert_eq!(ran(text, "go").output, "1");
    let text = ":- module(m, [go/0]).\n:- use_module(engine(internals), ['$global_vars_get'/2, '$global_vars_set'/2]).\n\
        go :- '$global_vars_get'(7, A), ( '$global_vars_set'(7, t(X)), '$global_vars_get'(7, t(b)), display(A-X), fail ; true ),\n\
        '$global_vars_get'(7, B), display(B).\n";
    assert_eq!(ran(text, "go").output, "-(0,b)0");
    // An entry point of a predicate that is gone is told and stops nothing.
    let found =
        ran(":- module(m, [p/1], [assertions]).\n:- entry q(X) : int(X).\np(1).\n", "p(X), display(X)");
    assert_eq!(found.output, "1");
    assert!(found.error.contains("warning: assertion on the unknown predicate `q/1`"), "{}", found.error);
    // The package that `fsyntax` was first.
    let text = ":- module(m, [go/0], [functions]).\n:- op(200, xfy, [::]).\n:- function :: /2.\nA :: B := ~append(A, B).\n\
        go :- display([a] :: [b] :: [c]).\n";
    assert_eq!(ran(text, "go").output, "[a,b,c]");
}

#[test]
fn constraints_are_told_and_asked_for_in_lists() {
    let text = ":- module(m, [go/0], [clpq]).\n\
        go :- clp_meta([X .>. 3, (Y .=. X+1, Y .=<. 10)]), ( clp_entailed([Y .>. 4, Y =< 10]) -> display(yes) ; display(no) ),\n\
        ( clpq_entailed(X .<. 5) -> display(yes) ; display(no) ), ( clpq_meta([X .<. 2 ; X .=. 7]), display(Y) ; true ).\n";
    assert_eq!(ran(text, "go").output, "yesno8");
}

#[test]
fn a_program_with_persistent_facts_starts_at_main() {
    let text = ":- use_package(persdb).\npersistent_dir(db, 'db').\n:- persistent(p/1, db).\n\
        main :- passertz_fact(p(1)), p(X), display(X).\n";
    let ran = run_files(&[("v.pl", text)], &[], Options::default());
    assert_eq!(ran.output, "1", "{}", ran.error);
}
