% Goals applied to the elements of lists.

:- meta_predicate
    maplist(1, ?), maplist(2, ?, ?), maplist(3, ?, ?, ?), maplist(4, ?, ?, ?, ?), maplist(5, ?, ?, ?, ?, ?),
    maplist(6, ?, ?, ?, ?, ?, ?), maplist(7, ?, ?, ?, ?, ?, ?, ?),
    foldl(3, ?, ?, ?), foldl(4, ?, ?, ?, ?), foldl(5, ?, ?, ?, ?, ?), foldl(6, ?, ?, ?, ?, ?, ?),
    foldr(3, ?, ?, ?), include(1, ?, ?), exclude(1, ?, ?), partition(1, ?, ?, ?), partition(2, ?, ?, ?, ?),
    convlist(2, ?, ?), filter(1, ?, ?).

maplist(P, As) :- '$maplist'(As, P).
'$maplist'([], _).
'$maplist'([A|As], P) :- call(P, A), '$maplist'(As, P).
maplist(P, As, Bs) :- '$maplist'(As, Bs, P).
'$maplist'([], [], _).
'$maplist'([A|As], [B|Bs], P) :- call(P, A, B), '$maplist'(As, Bs, P).
maplist(P, As, Bs, Cs) :- '$maplist'(As, Bs, Cs, P).
'$maplist'([], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], P) :- call(P, A, B, C), '$maplist'(As, Bs, Cs, P).
maplist(P, As, Bs, Cs, Ds) :- '$maplist'(As, Bs, Cs, Ds, P).
'$maplist'([], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], P) :- call(P, A, B, C, D), '$maplist'(As, Bs, Cs, Ds, P).
maplist(P, As, Bs, Cs, Ds, Es) :- '$maplist'(As, Bs, Cs, Ds, Es, P).
'$maplist'([], [], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], P) :-
    call(P, A, B, C, D, E), '$maplist'(As, Bs, Cs, Ds, Es, P).
maplist(P, As, Bs, Cs, Ds, Es, Fs) :- '$maplist'(As, Bs, Cs, Ds, Es, Fs, P).
'$maplist'([], [], [], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], P) :-
    call(P, A, B, C, D, E, F), '$maplist'(As, Bs, Cs, Ds, Es, Fs, P).
maplist(P, As, Bs, Cs, Ds, Es, Fs, Gs) :- '$maplist'(As, Bs, Cs, Ds, Es, Fs, Gs, P).
'$maplist'([], [], [], [], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], [G|Gs], P) :-
    call(P, A, B, C, D, E, F, G), '$maplist'(As, Bs, Cs, Ds, Es, Fs, Gs, P).

foldl(P, As, V0, V) :- '$foldl'(As, P, V0, V).
'$foldl'([], _, V, V).
'$foldl'([A|As], P, V0, V) :- call(P, A, V0, V1), '$foldl'(As, P, V1, V).
foldl(P, As, Bs, V0, V) :- '$foldl'(As, Bs, P, V0, V).
'$foldl'([], [], _, V, V).
'$foldl'([A|As], [B|Bs], P, V0, V) :- call(P, A, B, V0, V1), '$foldl'(As, Bs, P, V1, V).
foldl(P, As, Bs, Cs, V0, V) :- '$foldl'(As, Bs, Cs, P, V0, V).
'$foldl'([], [], [], _, V, V).
'$foldl'([A|As], [B|Bs], [C|Cs], P, V0, V) :- call(P, A, B, C, V0, V1), '$foldl'(As, Bs, Cs, P, V1, V).
foldl(P, As, Bs, Cs, Ds, V0, V) :- '$foldl'(As, Bs, Cs, Ds, P, V0, V).
'$foldl'([], [], [], [], _, V, V).
'$foldl'([A|As], [B|Bs], [C|Cs], [D|Ds], P, V0, V) :-
    call(P, A, B, C, D, V0, V1), '$foldl'(As, Bs, Cs, Ds, P, V1, V).
foldr(P, As, V0, V) :- '$foldr'(As, P, V0, V).
'$foldr'([], _, V, V).
'$foldr'([A|As], P, V0, V) :- '$foldr'(As, P, V0, V1), call(P, A, V1, V).

include(P, Xs, Is) :- '$include'(Xs, P, Is).
'$include'([], _, []).
'$include'([X|Xs], P, R) :- ( call(P, X) -> R = [X|R1] ; R = R1 ), '$include'(Xs, P, R1).
filter(P, Xs, Is) :- '$include'(Xs, P, Is).
exclude(P, Xs, Es) :- '$exclude'(Xs, P, Es).
'$exclude'([], _, []).
'$exclude'([X|Xs], P, R) :- ( call(P, X) -> R = R1 ; R = [X|R1] ), '$exclude'(Xs, P, R1).
partition(P, Xs, Is, Es) :- '$partition'(Xs, P, Is, Es).
'$partition'([], _, [], []).
'$partition'([X|Xs], P, I, E) :-
    ( call(P, X) -> I = [X|I1], E = E1 ; I = I1, E = [X|E1] ),
    '$partition'(Xs, P, I1, E1).
partition(P, Xs, Ls, Es, Gs) :- '$partition'(Xs, P, Ls, Es, Gs).
'$partition'([], _, [], [], []).
'$partition'([X|Xs], P, L, E, G) :-
    call(P, X, O),
    '$partition'(O, X, L, E, G, L1, E1, G1),
    '$partition'(Xs, P, L1, E1, G1).
'$partition'(O, X, L, E, G, L1, E1, G1) :-
    ( O == (<) -> L = [X|L1], E = E1, G = G1
    ; O == (=) -> L = L1, E = [X|E1], G = G1
    ; O == (>) -> L = L1, E = E1, G = [X|G1]
    ; must_be(order, O)
    ).
convlist(P, Xs, Ys) :- '$convlist'(Xs, P, Ys).
'$convlist'([], _, []).
'$convlist'([X|Xs], P, Ys) :- ( call(P, X, Y) -> Ys = [Y|Ys1] ; Ys = Ys1 ), '$convlist'(Xs, P, Ys1).
