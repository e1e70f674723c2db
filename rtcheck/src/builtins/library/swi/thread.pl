:- module(thread,
    [concurrent/3, concurrent_forall/2, concurrent_forall/3, concurrent_and/2, concurrent_and/3, concurrent_maplist/2,
     concurrent_maplist/3, concurrent_maplist/4, first_solution/3]).

% SWI-Prolog's library(thread), by one thread: what may run side by side runs one after the other.

:- meta_predicate
    concurrent(?, :, ?), concurrent_forall(0, 0), concurrent_forall(0, 0, ?), concurrent_and(0, 0),
    concurrent_and(0, 0, ?), concurrent_maplist(1, ?), concurrent_maplist(2, ?, ?), concurrent_maplist(3, ?, ?, ?),
    first_solution(?, :, ?).

concurrent(_, M:Goals, _) :- !, each(Goals, M).
concurrent(_, Goals, _) :- each(Goals, user).

each([], _).
each([Goal|Goals], M) :- once(M:Goal), each(Goals, M).

concurrent_forall(Generate, Test) :- forall(Generate, Test).
concurrent_forall(Generate, Test, _) :- forall(Generate, Test).
concurrent_and(Generate, Test) :- call(Generate), call(Test).
concurrent_and(Generate, Test, _) :- call(Generate), call(Test).

concurrent_maplist(Goal, Xs) :- must_be(list, Xs), maplist(Goal, Xs), !.
concurrent_maplist(Goal, Xs, Ys) :- maplist(Goal, Xs, Ys), !.
concurrent_maplist(Goal, Xs, Ys, Zs) :- maplist(Goal, Xs, Ys, Zs), !.

% What the goal that succeeds first binds of the template alone.
first_solution(X, M:Goals, _) :- copy_term(X-Goals, Y-Copies), member(Goal, Copies), call(M:Goal), !, X = Y.
