% Goals applied to the elements of lists.

:- meta_predicate maplist(1, ?), maplist(2, ?, ?), maplist(3, ?, ?, ?), maplist(4, ?, ?, ?, ?), foldl(3, ?, ?, ?).

maplist(_, []).
maplist(P, [A|As]) :- call(P, A), maplist(P, As).
maplist(_, [], []).
maplist(P, [A|As], [B|Bs]) :- call(P, A, B), maplist(P, As, Bs).
maplist(_, [], [], []).
maplist(P, [A|As], [B|Bs], [C|Cs]) :- call(P, A, B, C), maplist(P, As, Bs, Cs).
maplist(_, [], [], [], []).
maplist(P, [A|As], [B|Bs], [C|Cs], [D|Ds]) :- call(P, A, B, C, D), maplist(P, As, Bs, Cs, Ds).
foldl(P, L, A0, A) :- '$foldl'(L, P, A0, A).
'$foldl'([], _, A, A).
'$foldl'([X|Xs], P, A0, A) :- call(P, X, A0, A1), '$foldl'(Xs, P, A1, A).
