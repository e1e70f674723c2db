:- module(ciao_hiordlib, [map/3, minimum/3, split/4, foldl/4]).

% What Ciao's library(hiordlib) has besides, under names that a program imports.

:- redefining(foldl/4).
:- meta_predicate map(?, 2, ?), minimum(?, 2, ?), split(?, 1, ?, ?), foldl(:, ?, ?, ?).

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

% With the list in front, as Ciao had it first, from the right: the last element meets the seed.
foldl(M:Front, Second, Third, Value) :-
    (   nonvar(Front), ( Front == [] ; Front = [_|_] ) -> folded(Front, Second, M:Third, Value)
    ;   system:foldl(M:Front, Second, Third, Value)
    ).

folded([], Value, _, Value).
folded([X|Xs], Seed, Goal, Value) :- folded(Xs, Seed, Goal, Value0), call(Goal, X, Value0, Value).
