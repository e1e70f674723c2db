:- module(ciao_hiordlib, [map/3, minimum/3, split/4]).

% What Ciao's library(hiordlib) has besides, under names that a program imports.

:- meta_predicate map(?, 2, ?), minimum(?, 2, ?), split(?, 1, ?, ?).

map([], _, []).
map([X|Xs], Goal, [Y|Ys]) :- call(Goal, X, Y), map(Xs, Goal, Ys).

% The first element that none of the others comes before.
minimum([X|Xs], Before, Least) :- minimum(Xs, X, Before, Least).

minimum([], Least, _, Least).
minimum([X|Xs], Least0, Before, Least) :-
    ( call(Before, X, Least0) -> minimum(Xs, X, Before, Least) ; minimum(Xs, Least0, Before, Least) ).

split([], _, [], []).
split([X|Xs], Goal, Yes, No) :-
    ( call(Goal, X) -> Yes = [X|Yes1], No = No1 ; Yes = Yes1, No = [X|No1] ),
    split(Xs, Goal, Yes1, No1).
