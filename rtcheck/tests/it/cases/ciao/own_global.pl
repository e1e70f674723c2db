:- module(own_global, [t/1], [global_vars, tabling, condcomp, trace]).
:- use_package(global_vars).
:- table path/2.
:- compilation_fact(debugging).
t(X) :- setval(a, 1), getval(a, X).
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(1,2). edge(2,1).
:- if(defined(debugging)).
dbg.
:- endif.
