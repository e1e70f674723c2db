:- module(threads,
    [thread_self/1, mutex_create/1, mutex_create/2, mutex_destroy/1, mutex_lock/1, mutex_trylock/1, mutex_unlock/1,
     with_mutex/2]).

% SWI-Prolog's predicates about threads, as far as a program with one thread can tell: nobody else holds a mutex.

:- meta_predicate with_mutex(?, 0).

thread_self(main).

mutex_create(Mutex) :- ( var(Mutex) -> gensym('$mutex', Mutex) ; true ).
mutex_create(Mutex, Options) :- ( memberchk(alias(Name), Options) -> Mutex = Name ; mutex_create(Mutex) ).
mutex_destroy(_).
mutex_lock(_).
mutex_trylock(_).
mutex_unlock(_).
with_mutex(_, Goal) :- once(Goal).
