:- module(_, _, [fsyntax, hiord]).
:- use_module(library(hiordlib)).
main(_) :- P = (''(X) :- display(X), nl), P(1), Q = {''(A,B) :- B = A}, Q(1, Y), display(Y), nl,
    map([1,2,3], {''(X1, Y1) :- Y1 is X1 + 1}, L), display(L), nl.
