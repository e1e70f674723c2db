:- module(operators, [push_operators/1, push_operators/2, pop_operators/0, pop_operators/1, push_op/3]).

% SWI-Prolog's library(operators): operators for a time.

push_operators(New) :- push_operators(New, Undo), nb_stack(Stack), nb_setval('$operators', [Undo|Stack]).

nb_stack(Stack) :- ( nb_current('$operators', Known) -> Stack = Known ; Stack = [] ).

push_operators(New0, Undo) :- '$strip_module'(New0, _, New1), ( is_list(New1) -> New = New1 ; New = [New1] ), define(New, Undo).

define([], []).
define([op(P, T, Names)|New], Undo) :-
    ( is_list(Names) -> List = Names ; List = [Names] ),
    undone(List, T, Undo, Undo1),
    op(P, T, List),
    define(New, Undo1).

undone([], _, Undo, Undo).
undone([N|Ns], T, [op(P, Old, N)|Undo0], Undo) :-
    ( current_op(P, Old, N), same_place(T, Old) -> true ; P = 0, Old = T ),
    undone(Ns, T, Undo0, Undo).

same_place(A, B) :- place(A, P), place(B, P).

place(fx, prefix).
place(fy, prefix).
place(xf, postfix).
place(yf, postfix).
place(xfx, infix).
place(xfy, infix).
place(yfx, infix).

pop_operators :- nb_stack([Undo|Stack]), nb_setval('$operators', Stack), pop_operators(Undo).

pop_operators([]).
pop_operators([op(P, T, N)|Undo]) :- pop_operators(Undo), op(P, T, N).

push_op(P, T, Names) :-
    ( nb_stack([Undo|Stack]) -> true ; Undo = [], Stack = [] ),
    define([op(P, T, Names)], New), append(Undo, New, Undo1), nb_setval('$operators', [Undo1|Stack]).
