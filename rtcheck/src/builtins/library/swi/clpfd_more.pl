:- module(clpfd_more, [
    op(700, xfx, in_set),
    (in_set)/2, fd_set/2, is_fdset/1, empty_fdset/1, empty_interval/2, fdset_parts/4, fdset_interval/3,
    fdset_singleton/2, fdset_min/2, fdset_max/2, fdset_size/2, list_to_fdset/2, fdset_to_list/2, range_to_fdset/2,
    fdset_to_range/2, fdset_add_element/3, fdset_del_element/3, fdset_disjoint/2, fdset_intersect/2,
    fdset_intersection/3, fdset_member/2, fdset_eq/2, fdset_subset/2, fdset_subtract/3, fdset_union/3, fdset_union/2,
    fdset_complement/2, serialized/2, domain/3, minimum/2, maximum/2, count/4]).

:- use_module(library(clpfd)).

% What belongs to library(clpfd) and needs nothing of its inside but domains: sets of integers as SWI-Prolog and SICStus
% Prolog have them, and the constraints that are SICStus Prolog's alone (domain/3 and what follows it).
%
% A set is a domain as library(clpfd) keeps it: intervals Low-High in order, apart from each other, with `inf` and `sup`
% at the ends only.

X in_set Set :- clpfd:domain_term(Set, Range), X in Range.
fd_set(X, Set) :- integer_variable(X), clpfd:domain(X, Set).
integer_variable(X) :- ( var(X) -> true ; must_be(integer, X) ).

is_fdset(Set) :- is_list(Set), ground(Set), apart(Set, inf).
apart([], _).
apart([L-H|Is], Least) :- bound(L, inf), bound(H, sup), clpfd:le(Least, L), clpfd:le(L, H), ( Is == [] -> true ; integer(H), Next is H + 2, apart(Is, Next) ).
bound(B, End) :- ( integer(B) -> true ; B == End ).

empty_fdset([]).
empty_interval(Low, High) :- \+ clpfd:le(Low, High).
% The first interval and the rest.
fdset_parts([L-H|Rest], L, H, Rest).
fdset_interval([L-H], L, H) :- clpfd:le(L, H).
fdset_singleton([N-N], N).
fdset_min([L-_|_], L).
fdset_max(Set, H) :- Set = [_|_], clpfd:highest(Set, H).
fdset_size(Set, Size) :- clpfd:size(Set, Size).

list_to_fdset(List, Set) :- must_be(list(integer), List), clpfd:domain_of_values(List, Set).
fdset_to_list(Set, List) :- fdset_size(Set, Size), integer(Size), clpfd:values(Set, List).
range_to_fdset(Range, Set) :- clpfd:domain_of(Range, Set).
fdset_to_range(Set, Range) :- clpfd:domain_term(Set, Range).

fdset_add_element(Set0, N, Set) :- must_be(integer, N), clpfd:union(Set0, [N-N], Set).
fdset_del_element(Set0, N, Set) :- must_be(integer, N), clpfd:without(Set0, N, Set).
fdset_disjoint(A, B) :- fdset_intersection(A, B, []).
fdset_intersect(A, B) :- fdset_intersection(A, B, [_|_]).
fdset_intersection(A, B, Set) :- clpfd:intersection(A, B, Set).
fdset_member(N, Set) :-
    (   integer(N) -> clpfd:has(Set, N)
    ;   member(Low-High, Set),
        (   integer(Low) -> between(Low, High, N)
        ;   throw(error(instantiation_error, fdset_member/2))
        )
    ).
fdset_eq(A, B) :- A == B.
fdset_subset(A, B) :- fdset_intersection(A, B, A).
fdset_subtract(A, B, Set) :- fdset_complement(B, Others), fdset_intersection(A, Others, Set).
fdset_union(A, B, Set) :- clpfd:union(A, B, Set).
fdset_union(Sets, Set) :- must_be(list, Sets), foldl(fdset_union, Sets, [], Set).
fdset_complement(A, Set) :- clpfd:complement(A, Set).

% Tasks with these starts and durations do not overlap.
serialized(Starts, Durations) :-
    must_be(list(any), Starts), must_be(list(any), Durations),
    pairs_keys_values(Tasks, Starts, Durations),
    one_by_one(Tasks).
one_by_one([]).
one_by_one([Task|Tasks]) :- maplist(before_or_behind(Task), Tasks), one_by_one(Tasks).
before_or_behind(S1-D1, S2-D2) :- S1 + D1 #=< S2 #\/ S2 + D2 #=< S1.

domain(Vars, Low, High) :- Vars ins Low..High.
minimum(Min, [X|Xs]) :- foldl(joined(min), Xs, X, Least), Min #= Least.
maximum(Max, [X|Xs]) :- foldl(joined(max), Xs, X, Most), Max #= Most.
joined(Function, X, Term0, Term) :- Term =.. [Function, Term0, X].
% So many of the variables as the relation says have the value.
count(Value, Vars, Relation, Count) :- maplist(has_value(Value), Vars, Truths), sum(Truths, Relation, Count).
has_value(Value, X, Truth) :- X #= Value #<==> Truth.
