:- module(hprolog, [memberchk_eq/2, substitute_eq/4, intersect_eq/3, list_difference_eq/3, take/3, split_at/4, max_go_list/2,
    or_list/2, chr_delete/3]).

% Predicates over lists that programs with handling rules take from SWI-Prolog's library(dialect/hprolog): elements are
% the same if they are identical.

:- use_module(library(lists)).
:- use_module(library(apply)).
:- reexport(library(dialect/hprolog/more)).

memberchk_eq(X, [Y|Ys]) :- ( X == Y -> true ; memberchk_eq(X, Ys) ).

% Every element that is X becomes Y.
substitute_eq(_, [], _, []).
substitute_eq(X, [Z|Zs], Y, [W|Ws]) :- ( X == Z -> W = Y ; W = Z ), substitute_eq(X, Zs, Y, Ws).

intersect_eq([], _, []).
intersect_eq([X|Xs], Ys, Zs) :- ( memberchk_eq(X, Ys) -> Zs = [X|Zs1] ; Zs = Zs1 ), intersect_eq(Xs, Ys, Zs1).

list_difference_eq([], _, []).
list_difference_eq([X|Xs], Ys, Zs) :- ( memberchk_eq(X, Ys) -> Zs = Zs1 ; Zs = [X|Zs1] ), list_difference_eq(Xs, Ys, Zs1).

% The first elements of a list that has so many.
take(N, List, Taken) :- ( N =:= 0 -> Taken = [] ; N > 0, split_at(N, List, Taken, _) ).
split_at(0, List, [], List) :- !.
split_at(N, [X|Xs], [X|Taken], Rest) :- N1 is N - 1, split_at(N1, Xs, Taken, Rest).

max_go_list([X|Xs], Max) :- foldl(greatest, Xs, X, Max).
greatest(X, Y, Max) :- ( X @> Y -> Max = X ; Max = Y ).

or_list(Numbers, Or) :- foldl(joined, Numbers, 0, Or).
joined(X, Or0, Or) :- Or is Or0 \/ X.

chr_delete([], _, []).
chr_delete([X|Xs], Y, Zs) :- ( X == Y -> Zs = Zs1 ; Zs = [X|Zs1] ), chr_delete(Xs, Y, Zs1).
