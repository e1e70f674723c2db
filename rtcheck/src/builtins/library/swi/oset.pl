:- module(oset,
    [oset_is/1, oset_union/3, oset_int/3, oset_diff/3, oset_dunion/2, oset_dint/2, oset_power/2, oset_addel/3,
     oset_delel/3]).

% SWI-Prolog's library(oset): sets as ordered lists.

oset_is(Set) :- is_ordset(Set).
oset_union(A, B, C) :- ord_union(A, B, C).
oset_int(A, B, C) :- ord_intersection(A, B, C).
oset_diff(A, B, C) :- ord_subtract(A, B, C).
oset_dunion(Sets, Union) :- ord_union(Sets, Union).
oset_addel(Set, X, Set1) :- ord_union(Set, [X], Set1).
oset_delel(Set, X, Set1) :- ord_subtract(Set, [X], Set1).

oset_dint([Set|Sets], Intersection) :- foldl(common, Sets, Set, Intersection).

common(A, B, C) :- ord_intersection(A, B, C).

oset_power(Set, Power) :- subsets(Set, [[]], Subsets), sort(Subsets, Power).

subsets([], Subsets, Subsets).
subsets([X|Xs], Subsets0, Subsets) :-
    findall(Y, ( member(S, Subsets0), ( Y = S ; ord_union(S, [X], Y) ) ), Subsets1),
    subsets(Xs, Subsets1, Subsets).
