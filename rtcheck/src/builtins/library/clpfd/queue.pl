% --- The queue.

enqueue([]) :- !.
enqueue(Ps) :- nb_getval('$clpfd_queue', Q0), push(Ps, Q0, Q), ( Q0 == Q -> true ; b_setval('$clpfd_queue', Q) ).
push([], Q, Q).
push([P|Ps], Q0, Q) :- arg(2, P, S), ( S == idle -> setarg(2, P, queued), push(Ps, [P|Q0], Q) ; push(Ps, Q0, Q) ).
attend :- nb_getval('$clpfd_busy', true), !.
attend :- nb_getval('$clpfd_queue', []), !.
attend :- nb_setval('$clpfd_open', 0), b_setval('$clpfd_busy', true), attend_, b_setval('$clpfd_busy', false).
attend_ :-
    nb_getval('$clpfd_queue', Q),
    ( Q = [P|Q1] ->
        b_setval('$clpfd_queue', Q1),
        P = prop(C, S),
        ( S == dead -> true ; setarg(2, P, idle), propagate(C, P) ),
        attend_
    ; true
    ).
% A new propagator, which waits for variables and looks for the first time.
new(C, When, Vs) :- P = prop(C, idle), wait(Vs, When, P), enqueue([P]), attend.
wait([], _, _).
wait([V|Vs], When, P) :-
    ( integer(V) -> true
    ; get(V, L, H, D, ps(A, B, C)),
      ( When == bound -> Ps = ps([P|A], B, C) ; When == bounds -> Ps = ps(A, [P|B], C) ; Ps = ps(A, B, [P|C]) ),
      put_attr(V, clpfd, fd(L, H, D, Ps))
    ),
    wait(Vs, When, P).
die(P) :- setarg(2, P, dead).
