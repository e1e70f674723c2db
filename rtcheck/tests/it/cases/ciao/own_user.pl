:- use_package([assertions, regtypes]).
:- use_package(fsyntax).
:- use_module(library(lists)).
:- ensure_loaded(library(read)).
:- entry main.
:- entry main/0.
main :- display(hello), nl, q(X), display(X), nl.
q(~append([1],[2])).
:- initialization(main).
