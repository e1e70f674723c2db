:- module(threads,
    [thread_self/1, thread_create/1, thread_create/2, thread_create/3, thread_join/1, thread_join/2, thread_detach/1,
     thread_exit/1, thread_at_exit/1, thread_signal/2, sig_pending/1, sig_remove/2, thread_property/2, is_thread/1, thread_alias/1, thread_statistics/3,
     thread_send_message/2, thread_send_message/3, thread_get_message/1, thread_get_message/2, thread_get_message/3,
     thread_peek_message/1, thread_peek_message/2, thread_idle/2,
     message_queue_create/1, message_queue_create/2, message_queue_destroy/1, message_queue_property/2,
     thread_wait/1, thread_wait/2, thread_update/2,
     mutex_create/1, mutex_create/2, mutex_destroy/1, mutex_lock/1, mutex_trylock/1, mutex_unlock/1, mutex_unlock_all/0,
     mutex_property/2, with_mutex/2,
     alarm/3, alarm/4, alarm_at/3, alarm_at/4, install_alarm/1, install_alarm/2, uninstall_alarm/1, remove_alarm/1,
     current_alarm/4]).

% SWI-Prolog's threads, taking turns: a thread is an engine that runs as soon as it is created, until it ends, waits for
% a message or a mutex, sleeps, or has made very many calls. Whoever waits or sleeps lets the others run. So a program
% always does the same, and what would wait for ever is an error.

:- meta_predicate
    thread_create(0), thread_create(0, ?), thread_create(0, ?, ?), with_mutex(?, 0), thread_idle(0, ?),
    sig_remove(:, -), thread_wait(0), thread_wait(0, :), thread_update(0, :), thread_at_exit(0), thread_signal(?, 0),
    alarm(?, 0, ?), alarm(?, 0, ?, ?), alarm_at(?, 0, ?), alarm_at(?, 0, ?, ?), current_alarm(?, :, ?, ?).

% thread(Id, Engine, Status, Options), of those that nobody joined; queue(Id, Alias, MaxSize); message(Queue, Term);
% mutex(Id, Alias); locked(Mutex, Thread, Count); destroyed(Mutex), which is locked still; late(Engine, Deadline), of those
% that wait; at_exit(Thread, Goal); signal(Thread, Goal); alarm(Id, Time, Thread, Goal, Removed, Status).
:- dynamic thread/4, queue/3, message/2, mutex/2, locked/3, destroyed/1, late/2, at_exit/2, signal/2, alarm/6.

thread_create(Goal) :- thread_create(Goal, _, [detached(true)]).
thread_create(Goal, Id) :- thread_create(Goal, Id, []).
thread_create(M:Goal, Id, Options) :-
    must_be(callable, Goal), must_be(list, Options),
    flag('$threads', N, N + 1),
    (   memberchk(alias(Name), Options) ->
        must_be(atom, Name),
        ( ( Name == main ; thread(Name, _, _, _) ) -> permission_error(create, thread, Name) ; true ),
        Id0 = Name
    ;   Id0 = '$thread'(N)
    ),
    ( var(Id) -> Id = Id0 ; Id == Id0 -> true ; uninstantiation_error(Id) ),
    ( memberchk(at_exit(AtExit), Options) -> true ; AtExit = true ),
    ( AtExit = _:_ -> Exit = AtExit ; Exit = M:AtExit ),
    engine_create(done(Status), ended(Id0, M:Goal, Exit, Status), Engine),
    assertz(thread(Id0, Engine, running, Options)), event,
    turn(Id0).

ended(Id, Goal, AtExit, Status) :-
    catch(( call(Goal) -> Status = true ; Status = false ), Ball, true),
    ( nonvar(Ball) -> ( Ball = '$thread_exit'(Term) -> Status = exited(Term) ; Status = exception(Ball) ) ; true ),
    leave(Id), ignore(catch(AtExit, _, true)).
leave(Id) :- forall(retract(at_exit(Id, Goal)), ignore(catch(Goal, _, true))).

% What is asked for last is called first; in the main thread when the program ends.
thread_at_exit(Goal) :-
    '$strip_module'(Goal, _, Plain), must_be(callable, Plain), thread_self(Me),
    ( Me == main, \+ at_exit(main, _) -> at_halt('$threads':leave(main)) ; true ),
    asserta(at_exit(Me, Goal)).

% A thread runs up to its end or to where it waits. Whether there was one to run. Its current streams are its own.
turn(Id) :-
    thread(Id, Engine, running, Options),
    \+ is_asked(Engine), !,
    Engine = '$engine'(Number), current_output(Out), current_input(In),
    '$thread_next'(Number, What),
    set_streams(In, Out),
    (   What = done(Status) ->
        engine_destroy(Engine),
        retract(thread(Id, _, _, _)), event,
        retractall(message(Id, _)), retractall(signal(Id, _)),
        (   memberchk(detached(true), Options) -> unseen(Id, Status)
        ;   assertz(thread(Id, none, Status, Options))
        )
    ;   true
    ).
turn(_).

set_streams(In, Out) :- catch(set_input(In), _, true), catch(set_output(Out), _, true).

% The thread that is running waits: whoever gave it its turn goes on. Fails in the main one, and where a built-in waits
% for what runs.
stopped :-
    '$engine_self'(Number), thread(_, '$engine'(Number), running, _), '$engine_keep'(waits),
    current_output(Out), current_input(In), '$engine_stop', set_streams(In, Out).

unseen(Id, exception(Ball)) :- !, print_message(warning, format("[Thread ~w] Thread goal raised exception: ~p", [Id, Ball])).
unseen(_, _).

is_asked('$engine'(N)) :- \+ '$engine_waits'(N).

% What is waited for is looked at again after everybody else had a turn; with a deadline this fails when it is too late.
wait_for(Goal) :- wait_until(Goal, none).
wait_until(Goal, _) :- call(Goal), !.
wait_until(_, Deadline) :- number(Deadline), get_time(Now), Now >= Deadline, !, fail.
wait_until(Goal, Deadline) :-
    others(Deadline, Stuck),
    (   Stuck == no -> wait_until(Goal, Deadline)
    ;   call(Goal) -> true
    ;   throw(error(system_error(deadlock), _))
    ).

% In a thread it is the turn of whoever asked. Where nobody did anything, the time passes asleep until somebody has waited
% long enough, an alarm is due, or a limit on time ends the wait. With none of these everybody is stuck.
others(Deadline, Stuck) :-
    end_of_wait(Deadline, End),
    (   can_stop(Me) -> setup_call_cleanup(asserta(late(Me, End)), ignore(stopped), retractall(late(Me, _))), Stuck = no
    ;   get_flag('$events', Before),
        forall(thread(Id, _, running, _), turn(Id)),
        (   \+ get_flag('$events', Before) -> Stuck = no
        ;   findall(D, ( ( D = End ; late(_, D) ), number(D) ), [D0|Ds]) -> min_list([D0|Ds], First), sleep_until(First), Stuck = no
        ;   Stuck = yes
        )
    ).
can_stop(Engine) :- '$engine_self'(Number), Engine = '$engine'(Number), thread(_, Engine, running, _), '$engine_keep'(waits).
end_of_wait(Deadline, End) :-
    (   '$wakes_in'(Milliseconds) ->
        get_time(Now), End0 is Now + Milliseconds / 1000,
        ( number(Deadline), Deadline < End0 -> End = Deadline ; End = End0 )
    ;   End = Deadline
    ).

% While a thread sleeps the others go on.
asleep(Seconds) :- get_time(Now), Deadline is Now + max(0, min(Seconds, 1.0e9)), ( wait_until(fail, Deadline) -> true ; true ).

% What a goal that runs is interrupted for: it goes on behind this.
interrupted([]).
interrupted([Reason|Reasons]) :- interrupted_for(Reason), interrupted(Reasons).
interrupted_for(alarm) :- due_alarms.
interrupted_for(signal) :- thread_self(Me), signals(Me).
interrupted_for(turn) :- event, ( stopped -> true ; forall(thread(Id, _, running, _), turn(Id)) ).
signals(Me) :- ( retract(signal(Me, Goal)) -> ignore(Goal), signals(Me) ; true ).

thread_signal(Id, Goal) :-
    '$strip_module'(Goal, _, Plain), must_be(callable, Plain), known(Id),
    ( Id == main -> Number = 0 ; thread(Id, '$engine'(Number), running, _) -> true ; existence_error(thread, Id) ),
    send_signal(Id, Number, Goal).
% Signals that the thread that asks has not been interrupted for yet.
sig_pending(Goals) :- thread_self(Me), findall(Goal, signal(Me, Goal), Goals).
sig_remove(M:Pattern, Goals) :- thread_self(Me), findall(M:Pattern, retract(signal(Me, M:Pattern)), Goals).
send_signal(Id, Number, Goal) :- assertz(signal(Id, Goal)), event, '$signal'(Number).

wait_in_time(Goal, Options) :- ( until(Options, Deadline) -> true ; Deadline = none ), wait_until(Goal, Deadline).
until(Options, Deadline) :- findall(D, one_until(Options, D), Ds), min_list(Ds, Deadline).
one_until(Options, D) :- memberchk(timeout(T), Options), get_time(Now), D is Now + T.
one_until(Options, D) :- memberchk(deadline(D), Options).
sleep_until(Deadline) :- get_time(Now), Rest is Deadline - Now, ( Rest > 0 -> Milliseconds is ceiling(Rest * 1000), '$sleep_on'(Milliseconds) ; true ).

% Something happened that somebody may wait for.
event :- flag('$events', N, N + 1).

% An engine belongs to the thread that asks it.
thread_self(Id) :- '$engines_running'(Numbers), ( member(N, Numbers), thread(Id0, '$engine'(N), _, _) -> Id = Id0 ; Id = main ).

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
    ( var(Id) -> true ; known(Id) ),
    ( var(Property) -> true ; memberchk(Property, [id(_), status(_), alias(_), detached(_), debug(_), engine(_)]) -> true ; domain_error(thread_property, Property) ),
    ( Id = main, Status = running, Options = [alias(main)] ; thread(Id, _, Status, Options) ),
    (   Property = id(Id)
    ;   memberchk(alias(Name), Options), Property = alias(Name)
    ;   Property = status(Status)
    ;   Property = detached(Detached), ( memberchk(detached(true), Options) -> Detached = true ; Detached = false )
    ;   Property = debug(true)
    ;   Property = engine(false)
    ).
thread_statistics(Id, Key, Value) :- known(Id), statistics(Key, Value).
thread_idle(Goal, _) :- call(Goal).

receiver(Queue) :- var(Queue), !, instantiation_error(Queue).
receiver(Queue) :- ( queue(Queue, _, _) ; is_thread(Queue) ), !, ( thread(Queue, none, _, _) -> existence_error(thread, Queue) ; true ).
receiver(Queue) :- ( atom(Queue) ; Queue = '$message_queue'(_) ; Queue = '$thread'(_) ), !, existence_error(message_queue, Queue).
receiver(Queue) :- type_error(message_queue, Queue).

thread_send_message(Queue, Term) :- thread_send_message(Queue, Term, []).
thread_send_message(Queue, Term, Options) :-
    receiver(Queue),
    ( queue(Queue, _, Most), Most > 0 -> wait_in_time(has_room(Queue, Most), Options) ; true ),
    assertz(message(Queue, Term)), event.
has_room(Queue, Most) :- receiver(Queue), aggregate_all(count, message(Queue, _), Size), Size < Most.

thread_get_message(Term) :- thread_self(Id), thread_get_message(Id, Term).
thread_get_message(Queue, Term) :- thread_get_message(Queue, Term, []).
thread_get_message(Queue, Term, Options) :- receiver(Queue), wait_in_time(got(Queue, Term), Options).
got(Queue, Term) :- receiver(Queue), retract(message(Queue, Term)), !, event.
thread_peek_message(Term) :- thread_self(Id), thread_peek_message(Id, Term).
thread_peek_message(Queue, Term) :- receiver(Queue), message(Queue, Term), !.

message_queue_create(Queue) :- message_queue_create(Queue, []).
message_queue_create(Queue, Options) :-
    ( memberchk(max_size(Most), Options) -> must_be(nonneg, Most) ; Most = 0 ),
    (   memberchk(alias(Name), Options) -> must_be(atom, Name), Id = Name, Alias = [Name]
    ;   atom(Queue) -> Id = Queue, Alias = [Queue]
    ;   nonvar(Queue) -> type_error(message_queue, Queue)
    ;   flag('$queues', N, N + 1), Id = '$message_queue'(N), Alias = []
    ),
    ( queue(Id, _, _) -> permission_error(create, message_queue, Id) ; true ),
    ( Queue = Id -> true ; uninstantiation_error(Queue) ),
    assertz(queue(Id, Alias, Most)).
message_queue_destroy(Queue) :-
    ( var(Queue) -> instantiation_error(Queue) ; true ),
    ( retract(queue(Queue, _, _)) -> retractall(message(Queue, _)) ; existence_error(message_queue, Queue) ).
message_queue_property(Queue, Property) :-
    ( var(Queue) -> true ; queue(Queue, _, _) -> true ; existence_error(message_queue, Queue) ),
    ( var(Property) -> true ; memberchk(Property, [alias(_), size(_), max_size(_), waiting(_)]) -> true ; domain_error(message_queue_property, Property) ),
    queue(Queue, Alias, Most),
    (   Alias = [Name], Property = alias(Name)
    ;   Property = size(Size), aggregate_all(count, message(Queue, _), Size)
    ;   Most > 0, Property = max_size(Most)
    ).

% A goal is tried again whenever others had a turn.
thread_wait(Goal) :- thread_wait(Goal, []).
thread_wait(Goal, Options0) :- '$strip_module'(Options0, _, Options), wait_in_time(Goal, Options).
thread_update(Goal, _) :- once(Goal).

mutex_create(Mutex) :- ( atom(Mutex) -> mutex_create(_, [alias(Mutex)]) ; mutex_create(Mutex, []) ).
mutex_create(Mutex, Options) :-
    (   memberchk(alias(Name), Options) -> must_be(atom, Name), Id = Name, Alias = [Name]
    ;   nonvar(Mutex) -> uninstantiation_error(Mutex)
    ;   flag('$mutexes', N, N + 1), Id = '$mutex'(N), Alias = []
    ),
    ( mutex(Id, _) -> permission_error(create, mutex, Id) ; true ),
    ( Mutex = Id -> true ; uninstantiation_error(Mutex) ),
    assertz(mutex(Id, Alias)).

known_mutex(Mutex) :- var(Mutex), !, instantiation_error(Mutex).
known_mutex(Mutex) :- mutex(Mutex, _), !.
known_mutex(Mutex) :- ( atom(Mutex) ; Mutex = '$mutex'(_) ), !, existence_error(mutex, Mutex).
known_mutex(Mutex) :- type_error(mutex, Mutex).

% One that is locked goes when it is unlocked.
mutex_destroy(Mutex) :-
    known_mutex(Mutex),
    ( locked(Mutex, _, _) -> ( destroyed(Mutex) -> true ; assertz(destroyed(Mutex)) ) ; retractall(mutex(Mutex, _)) ).

% Locking makes a mutex of an atom.
locked_for(Mutex, Count) :-
    ( atom(Mutex), \+ mutex(Mutex, _) -> mutex_create(Mutex) ; known_mutex(Mutex) ),
    thread_self(Me),
    ( locked(Mutex, Holder, Count0) -> Holder == Me, Count is Count0 + 1 ; Count = 1 ).
mutex_lock(Mutex) :- wait_for(mutex_trylock(Mutex)).
mutex_trylock(Mutex) :-
    locked_for(Mutex, Count), !,
    thread_self(Me), retractall(locked(Mutex, _, _)), asserta(locked(Mutex, Me, Count)).
mutex_unlock(Mutex) :-
    known_mutex(Mutex), thread_self(Me),
    (   retract(locked(Mutex, Me, Count0)) ->
        Count is Count0 - 1,
        (   Count > 0 -> asserta(locked(Mutex, Me, Count))
        ;   event,
            ( retract(destroyed(Mutex)) -> retractall(mutex(Mutex, _)) ; true )
        )
    ;   permission_error(unlock, mutex, Mutex)
    ).
mutex_unlock_all :- thread_self(Me), forall(locked(Mutex, Me, Count), forall(between(1, Count, _), mutex_unlock(Mutex))).
mutex_property(Mutex, Property) :-
    ( var(Mutex) -> true ; known_mutex(Mutex) ),
    ( var(Property) -> true ; memberchk(Property, [alias(_), status(_)]) -> true ; domain_error(mutex_property, Property) ),
    mutex(Mutex, Alias),
    (   Alias = [Name], Property = alias(Name)
    ;   ( locked(Mutex, Holder, Count) -> Status = locked(Holder, Count) ; Status = unlocked ), Property = status(Status)
    ).
with_mutex(Mutex, Goal) :- setup_call_cleanup(mutex_lock(Mutex), once(Goal), mutex_unlock(Mutex)).

% Alarms: a goal that interrupts the thread that asked for it when its time has come.
alarm(Time, Goal, Id) :- alarm(Time, Goal, Id, []).
alarm(Time, Goal, Id, Options) :- must_be(number, Time), get_time(Now), At is Now + Time, alarm_at(At, Goal, Id, Options).
alarm_at(At, Goal, Id) :- alarm_at(At, Goal, Id, []).
alarm_at(At, Goal, Id, Options) :-
    must_be(number, At), '$strip_module'(Goal, _, Plain), must_be(callable, Plain), must_be(list, Options),
    ( memberchk(remove(Removed), Options) -> must_be(boolean, Removed) ; Removed = false ),
    ( memberchk(install(Installed), Options) -> must_be(boolean, Installed) ; Installed = true ),
    ( var(Id) -> true ; uninstantiation_error(Id) ),
    flag('$alarms', N, N + 1), Id = '$alarm'(N),
    thread_self(Me),
    ( Installed == true -> Status = scheduled ; Status = activate ),
    assertz(alarm(Id, At, Me, Goal, Removed, Status)),
    schedule.
install_alarm(Id) :- set_status(Id, _, scheduled).
install_alarm(Id, Time) :- must_be(number, Time), get_time(Now), At is Now + Time, set_status(Id, At, scheduled).
uninstall_alarm(Id) :- set_status(Id, _, activate).
remove_alarm(Id) :- known_alarm(Id), retractall(alarm(Id, _, _, _, _, _)), schedule.
set_status(Id, At, Status) :-
    known_alarm(Id),
    retract(alarm(Id, At0, Thread, Goal, Removed, _)), !,
    ( var(At) -> At = At0 ; true ),
    assertz(alarm(Id, At, Thread, Goal, Removed, Status)),
    schedule.
known_alarm(Id) :- var(Id), !, instantiation_error(Id).
known_alarm(Id) :- alarm(Id, _, _, _, _, _), !.
known_alarm(Id) :- ( Id = '$alarm'(_) -> existence_error(alarm, Id) ; type_error(alarm, Id) ).

current_alarm(At, M:Goal, Id, Status) :-
    alarm(Id, At, _, M0:Goal0, _, Status0),
    ( Status0 == scheduled, first_alarm(First), At =:= First -> Status1 = next ; Status1 = Status0 ),
    ( M:Goal = M0:Goal0 -> true ; Goal = M0:Goal0 ), Status = Status1.

first_alarm(First) :- findall(At, alarm(_, At, _, _, _, scheduled), [At0|Ats]), min_list([At0|Ats], First).
schedule :-
    (   first_alarm(First) -> get_time(Now), Milliseconds is max(0, ceiling(min(1.0e9, First - Now) * 1000)), '$set_alarm'(Milliseconds)
    ;   '$set_alarm'(none)
    ).

% Those whose time has come become signals, in the order of their times.
due_alarms :-
    get_time(Now),
    findall(At-Id, ( alarm(Id, At, _, _, _, scheduled), At =< Now ), Due0), keysort(Due0, Due),
    forall(( member(_-Id, Due), retract(alarm(Id, At, Thread, Goal, Removed, _)) ),
           ( ( Removed == true -> true ; assertz(alarm(Id, At, Thread, Goal, Removed, done)) ), send_alarm(Thread, Goal) )),
    schedule.
send_alarm(Thread, Goal) :-
    ( Thread == main -> send_signal(main, 0, Goal) ; thread(Thread, '$engine'(N), running, _) -> send_signal(Thread, N, Goal) ; true ).
