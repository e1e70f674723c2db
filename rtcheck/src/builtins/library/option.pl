% Lists of options Name(Value) or Name = Value.

option(O, Options, Default) :-
    functor(O, N, 1), functor(G, N, 1),
    ( '$option'(Options, N, G) -> O = G ; arg(1, O, Default) ).
option(O, Options) :- functor(O, N, 1), functor(G, N, 1), '$option'(Options, N, G), !, O = G.
'$option'([X|Xs], N, G) :- ( nonvar(X), '$is_option'(X, N, G) -> true ; '$option'(Xs, N, G) ).
'$is_option'(X, N, G) :- functor(X, N, 1), !, G = X.
'$is_option'(N = V, N, G) :- arg(1, G, V).
select_option(O, Options, Rest) :-
    functor(O, N, 1), functor(G, N, 1), '$select_option'(Options, N, G, Rest0), !, O = G, Rest = Rest0.
select_option(O, Options, Rest, Default) :-
    functor(O, N, 1), functor(G, N, 1),
    ( '$select_option'(Options, N, G, Rest0) -> O = G, Rest = Rest0 ; arg(1, O, Default), Rest = Options ).
'$select_option'([X|Xs], N, G, R) :-
    ( nonvar(X), '$is_option'(X, N, G) -> R = Xs ; R = [X|R1], '$select_option'(Xs, N, G, R1) ).
merge_options(New, Old, Merged) :-
    '$plain_options'(New, N), '$plain_options'(Old, O),
    '$without_options'(O, N, Kept),
    append(N, Kept, All), sort(All, Merged).
'$plain_options'([], []).
'$plain_options'([X|Xs], [Y|Ys]) :- ( X = (N = V) -> Y =.. [N, V] ; Y = X ), '$plain_options'(Xs, Ys).
'$without_options'([], _, []).
'$without_options'([X|Xs], New, R) :-
    functor(X, N, A), functor(G, N, A),
    ( memberchk(G, New) -> R = R1 ; R = [X|R1] ),
    '$without_options'(Xs, New, R1).
