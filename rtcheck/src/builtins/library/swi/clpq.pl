:- module(clpq, [
    op(700, xfx, .=.), op(700, xfx, .<>.), op(700, xfx, .<.), op(700, xfx, .=<.), op(700, xfx, .>.), op(700, xfx, .>=.),
    ({})/1, entailed/1, sup/2, sup/4, inf/2, inf/4, maximize/1, minimize/1, bb_inf/3, bb_inf/5, dump/3,
    (.=.)/2, (.<>.)/2, (.<.)/2, (.=<.)/2, (.>.)/2, (.>=.)/2,
    clp_meta/1, clp_entailed/1, clpq_meta/1, clpq_entailed/1]).

% Linear constraints over rational numbers, as in SWI-Prolog's library of this name; with dots as in Ciao's package.

:- use_module(library(clpqr)).

{C} :- post(C, q).
entailed(C) :- entailed(C, q).
sup(E, Value) :- bound_of(sup, E, q, Value).
sup(E, Value, Vector, Vertex) :- bound_of(sup, E, q, Value, Vector, Vertex).
inf(E, Value) :- bound_of(inf, E, q, Value).
inf(E, Value, Vector, Vertex) :- bound_of(inf, E, q, Value, Vector, Vertex).
maximize(E) :- optimum(sup, E, q).
minimize(E) :- optimum(inf, E, q).
bb_inf(Ints, E, Value) :- bb_inf(Ints, E, Value, _, 0).
bb_inf(Ints, E, Value, Vertex, Eps) :- integer_optimum(Ints, E, q, Value, Vertex, Eps).
dump(Vs, Names, Cs) :- dump(Vs, Names, q, Cs).
X .=. Y :- post(X = Y, q).
X .<>. Y :- post(X =\= Y, q).
X .<. Y :- post(X < Y, q).
X .=<. Y :- post(X =< Y, q).
X .>. Y :- post(X > Y, q).
X .>=. Y :- post(X >= Y, q).

% Ciao's: what is in a list or a conjunction is constrained, or follows from what is known.
clp_meta(Cs) :- all_posted(Cs, q).
clp_entailed(Cs) :- all_entailed(Cs, q).
clpq_meta(Cs) :- all_posted(Cs, q).
clpq_entailed(Cs) :- all_entailed(Cs, q).
