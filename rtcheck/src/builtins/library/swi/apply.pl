:- module(more_apply, [scanl/4, scanl/5, scanl/6, scanl/7]).

% What SWI-Prolog's library(apply) has besides: folds that keep what they come by.

:- meta_predicate scanl(3, ?, ?, ?), scanl(4, ?, ?, ?, ?), scanl(5, ?, ?, ?, ?, ?), scanl(6, ?, ?, ?, ?, ?, ?).

scanl(Goal, Xs, V0, [V0|Vs]) :- scanned(Xs, Goal, V0, Vs).

scanned([], _, _, []).
scanned([X|Xs], Goal, V0, [V|Vs]) :- call(Goal, X, V0, V), scanned(Xs, Goal, V, Vs).

scanl(Goal, Xs, Ys, V0, [V0|Vs]) :- scanned(Xs, Ys, Goal, V0, Vs).

scanned([], [], _, _, []).
scanned([X|Xs], [Y|Ys], Goal, V0, [V|Vs]) :- call(Goal, X, Y, V0, V), scanned(Xs, Ys, Goal, V, Vs).

scanl(Goal, Xs, Ys, Zs, V0, [V0|Vs]) :- scanned(Xs, Ys, Zs, Goal, V0, Vs).

scanned([], [], [], _, _, []).
scanned([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, [V|Vs]) :- call(Goal, X, Y, Z, V0, V), scanned(Xs, Ys, Zs, Goal, V, Vs).

scanl(Goal, Xs, Ys, Zs, Ws, V0, [V0|Vs]) :- scanned(Xs, Ys, Zs, Ws, Goal, V0, Vs).

scanned([], [], [], [], _, _, []).
scanned([X|Xs], [Y|Ys], [Z|Zs], [W|Ws], Goal, V0, [V|Vs]) :-
    call(Goal, X, Y, Z, W, V0, V), scanned(Xs, Ys, Zs, Ws, Goal, V, Vs).
