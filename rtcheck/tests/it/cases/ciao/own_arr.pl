:- module(own_arr, [new/1, get/3, put/4, test/0], [assertions, regtypes, fsyntax, argnames]).
:- use_module(library(arrays)).
:- use_module(library(assoc)).
:- use_module(library(counters)).
:- use_module(library(dict)).
:- use_module(library(sets), [insert/3, ord_union/3]).
:- use_module(library(sort), [sort/2, keysort/2]).
:- use_module(library(hiordlib), [map/3, foldl/4, filter/3, maplist/3, maplist/4]).
:- use_module(library(ugraphs)).
:- use_module(library(idlists)).
:- use_module(library(terms_vars), [varset/2]).
:- use_module(library(terms_check), [ask/2, instance/2, variant/2]).
:- use_module(library(terms), [copy_args/3, term_size/2]).
:- argnames point(x, y, z).
:- regtype arr := array(~list, ~int).
:- regtype color := red | green | blue.
:- regtype tree(X).
tree := leaf | node(~tree, ~term, ~tree).
new(A) :- new_array(A).
get(I, A, X) :- aref(I, A, X).
put(I, A0, X, A) :- aset(I, A0, X, A).
p(P) :- P = point${x => 1, y => Y}, Y = 2, arg(1, P, _).
test :- setcounter(c, 0), inccounter(c, N), N = 1, p(_), foldl([1,2], 0, ''(X,A,B) :- B is A + X, _S), map([1,2], ''(X2,Y2) :- Y2 is X2*2, _).
fact(0) := 1.
fact(N) := N * ~fact(N-1) :- N > 0.
