% SWI-Prolog's library(thread_pool). Threads take turns here and most of them end before their creator goes on, so a pool
% limits nothing; it is a name, with the size that it was given.
:- module(thread_pool,
    [thread_pool_create/3, thread_pool_destroy/1, thread_create_in_pool/4, current_thread_pool/1, thread_pool_property/2]).

:- meta_predicate thread_create_in_pool(+, 0, -, :).
:- multifile create_pool/1.
:- dynamic create_pool/1, pool/3.

thread_pool_create(Pool, Size, Options) :-
    must_be(atom, Pool), must_be(nonneg, Size),
    ( pool(Pool, _, _) -> permission_error(create, thread_pool, Pool) ; assertz(pool(Pool, Size, Options)) ).

thread_pool_destroy(Pool) :- ( retract(pool(Pool, _, _)) -> true ; existence_error(thread_pool, Pool) ).

% A pool that is not there is made by the hook create_pool/1, if the program has one.
thread_create_in_pool(Pool, Goal, Id, Options) :-
    must_be(atom, Pool),
    ( pool(Pool, _, _) -> true ; create_pool(Pool), pool(Pool, _, _) -> true ; existence_error(thread_pool, Pool) ),
    '$strip_module'(Options, _, Plain), ( selectchk(wait(_), Plain, Rest) -> true ; Rest = Plain ),
    thread_create(Goal, Id, Rest).

current_thread_pool(Pool) :- pool(Pool, _, _).

thread_pool_property(Pool, Property) :-
    pool(Pool, Size, Options),
    member(Property, [options(Options), free(Size), size(Size), members([]), running(0), backlog(0)]).
