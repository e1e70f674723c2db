:- module(threads,
    [thread_self/1, thread_create/1, thread_create/2, thread_create/3, thread_join/1, thread_join/2, thread_detach/1,
     thread_exit/1, thread_property/2, is_thread/1, thread_alias/1, thread_statistics/3,
     thread_send_message/2, thread_send_message/3, thread_get_message/1, thread_get_message/2, thread_get_message/3,
     thread_peek_message/1, thread_peek_message/2, thread_idle/2,
     message_queue_create/1, message_queue_create/2, message_queue_destroy/1, message_queue_property/2,
     mutex_create/1, mutex_create/2, mutex_destroy/1, mutex_lock/1, mutex_trylock/1, mutex_unlock/1, mutex_unlock_all/0,
     with_mutex/2]).

% SWI-Prolog's threads, taking turns: a thread is an engine that runs as soon as it is created, until it ends or waits
% for a message that is not there. Whoever waits lets the others run. So a program always does the same, nobody else ever
% holds a mutex, and what would wait for ever is an error.

:- meta_predicate
    thread_create(0), thread_create(0, ?), thread_create(0, ?, ?), with_mutex(?, 0), thread_idle(0, ?).

% thread(Id, Engine, Status, Options), of those that nobody joined; queue(Id); message(Queue, Term).
:- dynamic thread/4, queue/1, message/2, at_exit/2.

thread_create(Goal) :- thread_create(Goal, _, [detached(true)]).
thread_create(Goal, Id) :- thread_create(Goal, Id, []).
thread_create(M:Goal, Id, Options) :-
    must_be(callable, Goal), must_be(list, Options),
    (   memberchk(alias(Name), Options) ->
        must_be(atom, Name),
        ( ( Name == main ; thread(Name, _, _, _) ) -> permission_error(create, thread, Name) ; true ),
        Id0 = Name
    ;   flag('$threads', N, N + 1), Id0 = '$thread'(N)
    ),
    ( var(Id) -> Id = Id0 ; Id == Id0 -> true ; uninstantiation_error(Id) ),
    ( memberchk(at_exit(AtExit), Options) -> true ; AtExit = true ),
    ( AtExit = _:_ -> Exit = AtExit ; Exit = M:AtExit ),
    engine_create(done(Status), ended(M:Goal, Exit, Status), Engine),
    assertz(thread(Id0, Engine, running, Options)),
    turn(Id0).

ended(Goal, AtExit, Status) :-
    catch(( call(Goal) -> Status = true ; Status = false ), Ball, true),
    ( nonvar(Ball) -> ( Ball = '$thread_exit'(Term) -> Status = exited(Term) ; Status = exception(Ball) ) ; true ),
    ignore(catch(AtExit, _, true)).

% A thread runs up to its end or to where it waits. Whether there was one to run.
turn(Id) :-
    thread(Id, Engine, running, Options),
    \+ is_asked(Engine), !,
    engine_next(Engine, What),
    (   What = done(Status) ->
        engine_destroy(Engine),
        retract(thread(Id, _, _, _)),
        retractall(message(Id, _)),
        (   memberchk(detached(true), Options) -> unseen(Id, Status)
        ;   assertz(thread(Id, none, Status, Options))
        )
    ;   true
    ).
turn(_).

unseen(Id, exception(Ball)) :- !, print_message(warning, format("[Thread ~w] Thread goal raised exception: ~p", [Id, Ball])).
unseen(_, _).

is_asked('$engine'(N)) :- \+ '$engine_waits'(N).

% What is waited for is looked at again after everybody else had a turn. In an engine it is the turn of whoever asked.
wait_for(Goal) :- call(Goal), !.
wait_for(Goal) :-
    count(Before),
    (   '$engine_keep'(waits) -> '$engine_stop'
    ;   forall(thread(Id, _, running, _), turn(Id)),
        ( count(Before) -> throw(error(system_error(deadlock), _)) ; true )
    ),
    wait_for(Goal).

% What changes as long as anything happens.
count(Messages-Running-Sent) :-
    aggregate_all(count, message(_, _), Messages), aggregate_all(count, thread(_, _, running, _), Running),
    get_flag('$messages', Sent).

thread_self(Id) :- ( engine_self(Engine), thread(Id0, Engine, _, _) -> Id = Id0 ; Id = main ).

is_thread(Id) :- nonvar(Id), ( Id == main ; thread(Id, _, _, _) ), !.
thread_alias(_).

known(Id) :- var(Id), !, instantiation_error(Id).
known(Id) :- ( is_thread(Id) -> true ; existence_error(thread, Id) ).

thread_join(Id) :- thread_join(Id, Status), ( Status == true -> true ; throw(error(thread_error(Id, Status), _)) ).
thread_join(Id, Status) :-
    known(Id),
    ( ( thread_self(Id) ; thread(Id, _, _, Options), memberchk(detached(true), Options) ) -> permission_error(join, thread, Id) ; true ),
    wait_for(( thread(Id, _, Status0, _), Status0 \== running )),
    retract(thread(Id, _, Status0, _)),
    Status = Status0.

thread_detach(Id) :-
    known(Id),
    retract(thread(Id, Engine, Status, Options)),
    ( Status == running -> assertz(thread(Id, Engine, Status, [detached(true)|Options])) ; true ).
thread_exit(Term) :- throw('$thread_exit'(Term)).

thread_property(Id, Property) :-
    ( Id = main, Status = running, Options = [alias(main)] ; thread(Id, _, Status, Options) ),
    ( Property = id(Id) ; Property = status(Status) ; memberchk(alias(Name), Options), Property = alias(Name)
    ; Property = detached(Detached), ( memberchk(detached(true), Options) -> Detached = true ; Detached = false ) ).
thread_statistics(Id, Key, Value) :- known(Id), statistics(Key, Value).
thread_idle(Goal, _) :- call(Goal).

receiver(Queue) :- var(Queue), !, instantiation_error(Queue).
receiver(Queue) :- ( queue(Queue) ; is_thread(Queue) ), !.
receiver(Queue) :- existence_error(message_queue, Queue).

thread_send_message(Queue, Term) :- receiver(Queue), assertz(message(Queue, Term)), flag('$messages', N, N + 1).
thread_send_message(Queue, Term, _) :- thread_send_message(Queue, Term).

thread_get_message(Term) :- thread_self(Id), thread_get_message(Id, Term).
thread_get_message(Queue, Term) :- receiver(Queue), wait_for(retract(message(Queue, Term))).
% Time passes at once where nobody can send anything any more.
thread_get_message(Queue, Term, Options) :-
    (   ( memberchk(timeout(_), Options) ; memberchk(deadline(_), Options) ) ->
        receiver(Queue),
        ( retract(message(Queue, Term)) -> true
        ; catch(wait_for(retract(message(Queue, Term))), error(system_error(deadlock), _), fail)
        )
    ;   thread_get_message(Queue, Term)
    ).
thread_peek_message(Term) :- thread_self(Id), thread_peek_message(Id, Term).
thread_peek_message(Queue, Term) :- receiver(Queue), message(Queue, Term), !.

message_queue_create(Queue) :- message_queue_create(Queue, []).
message_queue_create(Queue, Options) :-
    (   memberchk(alias(Name), Options) -> Id = Name
    ;   atom(Queue) -> Id = Queue
    ;   flag('$queues', N, N + 1), Id = '$message_queue'(N)
    ),
    ( queue(Id) -> permission_error(create, message_queue, Id) ; true ),
    Queue = Id,
    assertz(queue(Id)).
message_queue_destroy(Queue) :-
    ( var(Queue) -> instantiation_error(Queue) ; true ),
    ( retract(queue(Queue)) -> retractall(message(Queue, _)) ; existence_error(message_queue, Queue) ).
message_queue_property(Queue, size(Size)) :- queue(Queue), aggregate_all(count, message(Queue, _), Size).

mutex_create(Mutex) :- ( var(Mutex) -> gensym('$mutex', Mutex) ; true ).
mutex_create(Mutex, Options) :- ( memberchk(alias(Name), Options) -> Mutex = Name ; mutex_create(Mutex) ).
mutex_destroy(_).
mutex_lock(_).
mutex_trylock(_).
mutex_unlock(_).
mutex_unlock_all.
with_mutex(_, Goal) :- once(Goal).
