% Ciao's library(lazy/lazy_lib): lists that are made as far as somebody looks at them.
:- module(lazy_lib, [hd/2, tl/2, nums_from/2, take/3, takeWhile/3, drop/3, dropWhile/3, zip/3, zipWith/4, tail/2]).

:- meta_predicate takeWhile(1, ?, ?), dropWhile(1, ?, ?), zipWith(3, ?, ?, ?).

hd([X|_], X).
tl([_|Xs], Xs).
tail(Xs, Ys) :- tl(Xs, Ys).

nums_from(N, Ns) :- freeze(Ns, ( Ns = [N|Rest], N1 is N + 1, nums_from(N1, Rest) )).

take(0, _, Ys) :- !, Ys = [].
take(_, [], Ys) :- !, Ys = [].
take(N, [X|Xs], [X|Ys]) :- N1 is N - 1, take(N1, Xs, Ys).

drop(0, Xs, Ys) :- !, Ys = Xs.
drop(N, [_|Xs], Ys) :- N1 is N - 1, drop(N1, Xs, Ys).

takeWhile(P, Xs, Ys) :- ( Xs = [X|Rest], call(P, X) -> Ys = [X|Ys1], takeWhile(P, Rest, Ys1) ; Ys = [] ).
dropWhile(P, Xs, Ys) :- ( Xs = [X|Rest], call(P, X) -> dropWhile(P, Rest, Ys) ; Ys = Xs ).

zip(Xs, Ys, Zs) :- freeze(Zs, zipped(Xs, Ys, Zs)).
zipped([X|Xs], [Y|Ys], Zs) :- !, Zs = [(X, Y)|Rest], zip(Xs, Ys, Rest).
zipped(_, _, []).
zipWith(P, Xs, Ys, Zs) :- freeze(Zs, zipped(Xs, Ys, P, Zs)).
zipped([X|Xs], [Y|Ys], P, Zs) :- !, call(P, X, Y, Z), Zs = [Z|Rest], zipWith(P, Xs, Ys, Rest).
zipped(_, _, _, []).
