//! Libraries about the texts of programs: reading them, what they define and call, and how text is printed.

use crate::support::{run, run_files};
use rtcheck::session::Options;

#[test]
fn texts_of_programs_are_read_as_terms_with_their_operators() {
    let text = "#!/usr/bin/env rtcheck\n:- module(t, [op(700, xfx, ===>)]).\n:- op(200, xfy, **>).\n\
        a ===> b **> c.\np --> [x].\n";
    let main = "
:- use_module(library(prolog_source)).
terms(In) :- prolog_read_source_term(In, T, E, [variable_names(_), subterm_positions(P)]),
    ( valid_term_position(T, P) -> true ; write(no) ),
    ( T == end_of_file -> true ; functor(T, F, A), functor(E, G, _), writeq([F/A, G]), terms(In) ).
main :- prolog_open_source('t.pl', In), terms(In), prolog_close_source(In),
    ( current_op(_, xfx, ===>) -> write(still) ; write(' gone ') ),
    prolog_file_directives('t.pl', Ds, []), length(Ds, N), write(N), nl,
    path_segments_atom(a/b/c, S), path_segments_atom(Q, 'x/y'), writeq(S-Q), nl.
:- initialization(main).
";
    let ran = run_files(&[("v.pl", main), ("t.pl", text)], &[], Options::default());
    let expected = "[(:-)/1,:-][(:-)/1,:-][(===>)/2,===>][(-->)/2,p] gone 2\n'a/b/c'-x/y\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn lists_of_codes_are_printed_as_text_where_that_is_wanted() {
    let goal = "X = [0'h,0'e,0'y], print(X), nl, portray_text(true), print(f(X, [1], [0'h,0'i])), nl,
        set_portray_text(min_length, 2), print([0'h,0'i]), nl, set_portray_text(ellipsis, 10),
        numlist(97, 120, L), print(L), nl, portray_text(false), print(X)";
    let ran =
        run(&format!(":- use_module(library(portray_text)).\n:- initialization(main).\nmain :- {goal}.\n"));
    let expected = "`hey`\nf(`hey`,[1],[104,105])\n`hi`\n`abcd...vwx`\n[104,101,121]";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn what_a_text_defines_and_calls_is_known_without_loading_it() {
    let text = ":- module(y, [p/1, op(700, xfx, ===>)]).
:- use_module(library(lists)).
:- dynamic d/1.
p(X) :- q(X), ( r -> maplist(s(X), [a]) ; \\+ t ).
a ===> b.
g --> [x], g.
:- initialization(p(1)).
";
    let main = "
:- use_module(library(prolog_xref)).
head(H, N/A) :- functor(H, N, A).
main :- xref_source('y.pl'), xref_module('y.pl', M), write(M),
    forall(xref_defined('y.pl', H, How), ( xref_definition_line(How, L), head(H, P), print(P-L) )), nl,
    findall(P, ( xref_called('y.pl', C, _), head(C, P) ), Ps), print(Ps), nl,
    findall(E, ( xref_exported('y.pl', H), head(H, E) ), Es), findall(O, xref_op('y.pl', O), Os), print(Es-Os), nl,
    xref_clean('y.pl'), ( xref_defined('y.pl', _, _) -> write(left) ; write(clean) ).
:- initialization(main).
";
    let ran = run_files(&[("v.pl", main), ("y.pl", text)], &[], Options::default());
    let expected =
        "yd/1-3p/1-4(===>)/2-5g/2-6\n[q/1,r/0,maplist/2,s/2,t/0,g/2,p/1]\n[p/1]-[op(700,xfx,===>)]\nclean";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}
