:- module(clpr, [
    op(700, xfx, .=.), op(700, xfx, .<>.), op(700, xfx, .<.), op(700, xfx, .=<.), op(700, xfx, .>.), op(700, xfx, .>=.),
    ({})/1, entailed/1, sup/2, sup/4, inf/2, inf/4, maximize/1, minimize/1, bb_inf/3, bb_inf/5, dump/3,
    (.=.)/2, (.<>.)/2, (.<.)/2, (.=<.)/2, (.>.)/2, (.>=.)/2,
    clp_meta/1, clp_entailed/1, clpr_meta/1, clpr_entailed/1]).

% Linear constraints over floating-point numbers, as in SWI-Prolog's library of this name; with dots as in Ciao's package.

:- use_module(library(clpqr)).

{C} :- post(C, r).
entailed(C) :- entailed(C, r).
sup(E, Value) :- bound_of(sup, E, r, Value).
sup(E, Value, Vector, Vertex) :- bound_of(sup, E, r, Value, Vector, Vertex).
inf(E, Value) :- bound_of(inf, E, r, Value).
inf(E, Value, Vector, Vertex) :- bound_of(inf, E, r, Value, Vector, Vertex).
maximize(E) :- optimum(sup, E, r).
minimize(E) :- optimum(inf, E, r).
bb_inf(Ints, E, Value) :- bb_inf(Ints, E, Value, _, 0.001).
bb_inf(Ints, E, Value, Vertex, Eps) :- integer_optimum(Ints, E, r, Value, Vertex, Eps).
dump(Vs, Names, Cs) :- dump(Vs, Names, r, Cs).
X .=. Y :- post(X = Y, r).
X .<>. Y :- post(X =\= Y, r).
X .<. Y :- post(X < Y, r).
X .=<. Y :- post(X =< Y, r).
X .>. Y :- post(X > Y, r).
X .>=. Y :- post(X >= Y, r).

% Ciao's: what is in a list or a conjunction is constrained, or follows from what is known.
clp_meta(Cs) :- all_posted(Cs, r).
clp_entailed(Cs) :- all_entailed(Cs, r).
clpr_meta(Cs) :- all_posted(Cs, r).
clpr_entailed(Cs) :- all_entailed(Cs, r).
