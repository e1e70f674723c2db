% Checks of assertions that need to call something, signals, and checks at program points.

:- meta_predicate intercept(0, ?, 0), check(0), trust(0), true(0), false(0).

% What a contract that the machine cannot evaluate alone does around the body of its predicate.
'$rtc_calls'(N, Args) :-
    '$rtc_evaluate'(N, -1, Args, _),
    '$rtc_body'(N, Args).
'$rtc_success'(N, Args) :-
    '$rtc_evaluate'(N, -1, Args, Held),
    '$rtc_body'(N, Args),
    '$rtc_evaluate'(N, Held, Args, _).
'$rtc_comp'(N, Args) :-
    '$rtc_evaluate'(N, -1, Args, Held),
    '$rtc_comps'(N, Held, Ks),
    '$rtc_watch'(Ks, N, Args),
    '$rtc_evaluate'(N, Held, Args, _).

% Each literal is called at most once: its status is an argument of S, free until it is known.
'$rtc_evaluate'(N, Phase, Args, Held) :-
    '$rtc_statuses'(N, Phase, S),
    '$rtc_steps'(N, Phase, Args, S, Held).
'$rtc_steps'(N, Phase, Args, S, Held) :-
    '$rtc_step'(N, Phase, Args, S, Step),
    '$rtc_next'(Step, N, Phase, Args, S, Held).
'$rtc_next'(done(Held, Balls), _, _, _, _, Held) :- '$rtc_violations'(Balls).
'$rtc_next'(call(K, Protect), N, Phase, Args, S, Held) :-
    '$rtc_clock'(T),
    '$rtc_reify'(N, Phase, K, Protect, Args, R),
    '$rtc_called'(N, Phase, K, R, T),
    arg(K, S, R),
    '$rtc_steps'(N, Phase, Args, S, Held).

% 1 if a literal holds, 0 or exception(E) if not. Whatever it did to terms is undone.
% Of terms with variables a called property is told incompatible only where no binding could make it hold.
'$rtc_reify'(N, Phase, K, 0, Args, R) :-
    '$rtc_goal'(N, Phase, K, Args, G),
    term_variables(Args, Vs), term_variables(G, Ws), member(W, Ws), '$occurs_among'(Vs, W), !,
    '$guard'(0),
    ( catch('$may_hold'(G), E, ( '$unguard', throw(E) )) -> '$unguard', R = 1 ; '$unguard', R = 0 ).
'$rtc_reify'(N, Phase, K, Protect, Args, R) :-
    '$guard'(Protect),
    (   catch('$rtc_holds'(N, Phase, K, Args), E, '$unguard')
    ->  '$unguard', '$rtc_status'(E, R)
    ;   '$unguard', R = 0
    ).
'$rtc_holds'(N, Phase, K, Args) :- \+ \+ ( '$rtc_goal'(N, Phase, K, Args, G), call(G) ).
'$rtc_status'(E, R) :- var(E), !, R = 1.
'$rtc_status'(E, _) :- '$rtc_fatal'(E), !, throw(E).
'$rtc_status'(E, exception(E)).
'$rtc_fatal'(error(resource_error(_), _)).
'$rtc_fatal'('$aborted').

% Whether a goal could hold once its variables are bound: what has none is called, the alternatives of properties that
% clauses define are looked at, and of anything else nothing is known. A clause that would bind a variable could hold.
% It is asked of a copy: what waits for variables does not wake, and none of them is protected from being bound.
'$may_hold'(G0) :-
    copy_term_nat(G0, G),
    \+ \+ (
        catch(call_with_inference_limit('$may_hold'(G, user), 100000, Result), E, '$unless_ended'(E)),
        ( nonvar(E) -> true ; var(Result) -> fail ; true )
    ).
'$unless_ended'(E) :- ( '$rtc_fatal'(E) ; memberchk(E, [time_limit_exceeded, inference_limit_exceeded]) ), !, throw(E).
'$unless_ended'(_).
'$may_hold'(G, _) :- var(G), !.
'$may_hold'((A, B), M) :- !, '$may_hold'(A, M), '$may_hold'(B, M).
'$may_hold'((A ; B), M) :- \+ '$is_condition'(A), !, ( '$may_hold'(A, M) ; '$may_hold'(B, M) ).
'$may_hold'(M:G, _) :- atom(M), !, '$may_hold'(G, M).
'$may_hold'(X = Y, _) :- !, X = Y.
'$may_hold'(G, M) :- ground(G), !, once(M:G).
'$may_hold'(list(T0, L0), M) :- \+ '$redefines'(M:list(_, _)), !, '$list_arguments'(M:T0, L0, T, L), '$elements_may'(L, T).
'$may_hold'(G, M) :- functor(G, F, 1), '$tells_tag'(F), \+ '$redefines'(M:G), !, ( arg(1, G, X), var(X) -> true ; call(M:G) ).
% Where an alternative bound nothing, no other one can do better.
'$may_hold'(G, M) :-
    arg(_, G, X), nonvar(X), !,
    (   '$is_property'(M:G), predicate_property(M:G, static), \+ predicate_property(M:G, built_in)
    ->  ( predicate_property(M:G, imported_from(From)) -> true ; From = M ),
        term_variables(G, Vs), '$clause_may'(G, From), term_variables(Vs, Ws), ( Vs == Ws -> ! ; true )
    ;   true
    ).
'$may_hold'(_, _).
'$clause_may'(G, From) :-
    functor(G, F, N), functor(Head, F, N),
    clause(From:Head, Body),
    ( '$binds_only'(Head, G) -> Head = G, ( '$has_cut'(Body) -> true ; '$may_hold'(Body, From) ) ; unifiable(Head, G, _) ).
% Whether a goal is an instance of a clause's head, which has no variable of it.
'$binds_only'(Head, G) :- term_variables(Head, Hs), unifiable(Head, G, Us), '$bound_among'(Us, Hs).
'$bound_among'([], _).
'$bound_among'([V = _|Us], Hs) :- '$occurs_among'(Hs, V), '$bound_among'(Us, Hs).
'$tells_tag'(F) :- memberchk(F, [integer, int, nnegint, float, flt, number, num, atom, atm, atomic, constant]).
'$elements_may'(L, _) :- var(L), !.
'$elements_may'([], _).
'$elements_may'([X|Xs], T) :-
    ( T = '$first'(M, P) -> '$with_first'(P, X, G) ; T = M:P, P =.. L0, append(L0, [X], L1), G =.. L1 ),
    '$may_hold'(G, M), '$elements_may'(Xs, T).

'$rtc_violations'([]).
'$rtc_violations'([Ball|Balls]) :-
    '$rtc_signal'(Ball),
    '$rtc_violations'(Balls).
'$rtc_signal'(Ball) :-
    '$rtc_count',
    '$rtc_deliver'(Ball).
'$rtc_deliver'(Ball) :-
    (   '$find_handler'(Ball, Handler, Frame) ->  '$run_handler'(Handler, Frame), !
    ;   '$rtc_unhandled'(Ball)
    ).

% Properties of the computation: the body runs inside the watch of each.
'$rtc_watch'([], N, Args) :- '$rtc_body'(N, Args).
'$rtc_watch'([K|Ks], N, Args) :-
    '$rtc_goal'(N, -2, K, Args, P),
    '$rtc_property'(P, Ks, N, Args, K).
'$rtc_instead'(N, Args, K, Instead) :-
    '$rtc_comp_ball'(N, K, Args, Instead, Ball),
    '$rtc_signal'(Ball).

'$rtc_property'(M:P, Ks, N, Args, _) :- !,
    P =.. [F|As],
    G =.. [F, '$rtc_watch'(Ks, N, Args)|As],
    call(M:G).
'$rtc_property'(P, Ks, N, Args, K) :-
    '$rtc_kind'(P, W), !,
    C = '$count'(0),
    (   '$level'(L0), '$rtc_watch'(Ks, N, Args), '$level'(L1),
        '$increment'(C, Count),
        ( L0 == L1 -> Last = yes ; Last = no ),
        ( '$rtc_at_exit'(W, Count, Last, Args, Instead) -> '$rtc_instead'(N, Args, K, Instead) ; true ),
        ( Last == yes -> ! ; true )
    ;   arg(1, C, Count),
        '$rtc_at_fail'(W, Count, Instead),
        '$rtc_instead'(N, Args, K, Instead),
        fail
    ).
'$rtc_property'(exception, Ks, N, Args, K) :- '$rtc_property'(exception(_), Ks, N, Args, K).
'$rtc_property'(throws(E), Ks, N, Args, K) :- '$rtc_property'(exception(E), Ks, N, Args, K).
'$rtc_property'(exception(E), Ks, N, Args, K) :-
    Told = '$count'(0),
    (   catch('$rtc_watch'(Ks, N, Args), Ball, '$rtc_thrown'(E, Ball, N, Args, K))
    ;   '$rtc_first'(Told, N, Args, K, no_exception), fail
    ),
    '$rtc_first'(Told, N, Args, K, no_exception).
'$rtc_property'(no_exception, Ks, N, Args, K) :- '$rtc_property'(no_exception(_), Ks, N, Args, K).
'$rtc_property'(no_exception(E), Ks, N, Args, K) :-
    catch('$rtc_watch'(Ks, N, Args), Ball, '$rtc_not_to_throw'(E, Ball, N, Args, K)).
'$rtc_property'(signal, Ks, N, Args, K) :- '$rtc_property'(signal(_), Ks, N, Args, K).
'$rtc_property'(signals(S), Ks, N, Args, K) :- '$rtc_property'(signal(S), Ks, N, Args, K).
'$rtc_property'(signal(S), Ks, N, Args, K) :-
    C = '$count'(0), Told = '$count'(0),
    (   intercept('$rtc_watch'(Ks, N, Args), S0, '$rtc_observe'(S0, noted(S, C)))
    ;   '$rtc_unless_sent'(C, Told, N, Args, K), fail
    ),
    '$rtc_unless_sent'(C, Told, N, Args, K).
'$rtc_property'(no_signal, Ks, N, Args, K) :- '$rtc_property'(no_signal(_), Ks, N, Args, K).
'$rtc_property'(no_signal(S), Ks, N, Args, K) :-
    intercept('$rtc_watch'(Ks, N, Args), S0, '$rtc_observe'(S0, refused(S, N, Args, K))).
'$rtc_property'(not_further_inst(X), Ks, N, Args, K) :-
    term_variables(X, Vs),
    '$rtc_watch'(Ks, N, Args),
    ( '$distinct_variables'(Vs) -> true ; '$rtc_instead'(N, Args, K, instantiated(X)) ).
'$rtc_property'(user_output(S), Ks, N, Args, K) :-
    '$rtc_writes'(user_output, S, Ks, N, Args, K).
'$rtc_property'(user_error(S), Ks, N, Args, K) :-
    '$rtc_writes'(user_error, S, Ks, N, Args, K).
'$rtc_writes'(Stream, S, Ks, N, Args, K) :-
    '$redirect'(Stream, C, O),
    (   catch('$rtc_watch'(Ks, N, Args), Ball, true)
    ->  '$rtc_written'(Stream, C, O, S, N, Args, K), ( nonvar(Ball) -> throw(Ball) ; true )
    ;   '$rtc_written'(Stream, C, O, S, N, Args, K), fail
    ).
'$rtc_written'(Stream, C, O, S, N, Args, K) :-
    '$redirected'(Stream, C, O, Written),
    '$text_atom'(S, Wanted),
    ( Written == Wanted -> true ; Instead =.. [Stream, Written], '$rtc_instead'(N, Args, K, Instead) ).

% Those that count solutions.
'$rtc_kind'(is_det, is_det).
'$rtc_kind'(semidet, is_det).
'$rtc_kind'(det, det).
'$rtc_kind'(multi, not_fails).
'$rtc_kind'(nondet, nondet).
'$rtc_kind'(succeeds, not_fails).
'$rtc_kind'(not_fails, not_fails).
'$rtc_kind'(fails, fails).
'$rtc_kind'(non_det, non_det).
'$rtc_kind'(num_solutions(M), num_solutions(M)).
'$rtc_kind'(solutions(L), solutions(L)).
'$rtc_kind'(no_choicepoints, no_choicepoints).
'$rtc_kind'(leaves_choicepoints, leaves_choicepoints).

'$rtc_at_exit'(is_det, 2, _, _, non_det).
'$rtc_at_exit'(det, 2, _, _, non_det).
'$rtc_at_exit'(fails, 1, _, _, not_fails).
'$rtc_at_exit'(non_det, 1, yes, _, is_det).
'$rtc_at_exit'(num_solutions(M), C, Last, _, num_solutions(C)) :-
    ( integer(M) -> ( C =:= M + 1 -> true ; Last == yes, C < M ) ; Last == yes, \+ call(M, C) ).
'$rtc_at_exit'(solutions(L), C, Last, Args, Instead) :-
    (   nth1(C, L, G) ->
        G =.. [_|Wanted], Args =.. [_|Found],
        (   subsumes_term(Wanted, Found), subsumes_term(Found, Wanted) -> Last == yes, \+ length(L, C), Instead = num_solutions(C)
        ;   ( callable(G) -> functor(G, F, _), Solution =.. [F|Found] ; Solution = Found ), Instead = solution(C, Solution)
        )
    ;   length(L, C0), C =:= C0 + 1, Instead = num_solutions(C)
    ).
'$rtc_at_exit'(no_choicepoints, _, no, _, leaves_choicepoints).
'$rtc_at_exit'(leaves_choicepoints, _, yes, _, no_choicepoints).

'$rtc_at_fail'(not_fails, 0, fails).
'$rtc_at_fail'(det, 0, fails).
'$rtc_at_fail'(non_det, 1, is_det).
'$rtc_at_fail'(num_solutions(M), C, num_solutions(C)) :- ( integer(M) -> C < M ; \+ call(M, C) ).
'$rtc_at_fail'(solutions(L), C, num_solutions(C)) :- length(L, C0), C < C0.

'$rtc_thrown'(_, Ball, _, _, _) :- '$rtc_passes'(Ball), !, throw(Ball).
'$rtc_thrown'(E, Ball, N, Args, K) :-
    ( \+ '$rtc_is_ball'(E, Ball) -> '$rtc_instead'(N, Args, K, exception(Ball)) ; true ),
    throw(Ball).
% A property that names an unknown procedure without its module, as the standard does, means that of any.
'$rtc_is_ball'(Ball, Ball).
'$rtc_is_ball'(error(existence_error(procedure, Indicator), Context), error(existence_error(procedure, _:Indicator), Context)).
'$rtc_not_to_throw'(E, Ball, N, Args, K) :-
    ( '$rtc_passes'(Ball) -> true ; \+ E = Ball -> true ; '$rtc_instead'(N, Args, K, exception(Ball)) ),
    throw(Ball).
'$rtc_passes'(Ball) :- '$rtc_fatal'(Ball).
'$rtc_passes'(rtcheck(_, _, _, _, _, _)).

% What watches signals does not handle them.
'$rtc_observe'(rtcheck(_, _, _, _, _, _), _) :- !.
'$rtc_observe'(S0, noted(S, C)) :- ( \+ S0 = S -> true ; '$increment'(C, _) ).
'$rtc_observe'(S0, refused(S, N, Args, K)) :-
    ( \+ S0 = S -> true ; '$rtc_instead'(N, Args, K, signal(S0)) ).
'$rtc_unless_sent'(C, Told, N, Args, K) :-
    ( arg(1, C, 0) -> '$rtc_first'(Told, N, Args, K, no_signal) ; true ).
% Told once for all solutions.
'$rtc_first'(Told, N, Args, K, Instead) :-
    ( arg(1, Told, 0) -> '$increment'(Told, _), '$rtc_instead'(N, Args, K, Instead) ; true ).

% Signals: the innermost intercept/3 around the sender whose pattern unifies handles them, and the sender goes on.
send_signal(S) :-
    (   var(S) -> throw(error(instantiation_error, send_signal/1))
    ;   '$find_handler'(S, Handler, Frame) -> '$run_handler'(Handler, Frame), !
    ;   throw(error(unintercepted_signal(S), send_signal/1))
    ).
send_silent_signal(S) :-
    (   var(S) -> throw(error(instantiation_error, send_silent_signal/1))
    ;   '$find_handler'(S, Handler, Frame) -> '$run_handler'(Handler, Frame), !
    ;   true
    ).
'$find_handler'(S, Handler, Frame) :-
    '$handlers'(Handlers),
    '$handler_for'(Handlers, S, Handler, Frame).
'$handler_for'([handler(P, H, F)|Handlers], S, Handler, Frame) :-
    '$fresh_handler'(P, H, P1, H1),
    (   H1 = '$rtc_observe'(_, _) ->
        P1 = S, '$run_handler'(H1, F), !, '$handler_for'(Handlers, S, Handler, Frame)
    ;   P1 = S -> Handler = H1, Frame = F
    ;   '$handler_for'(Handlers, S, Handler, Frame)
    ).
% The variables of the pattern are the handler's own at each signal, all others are shared with the program.
'$fresh_handler'(P, H, P1, H1) :-
    term_variables(P, Own),
    term_variables(P-H, All),
    '$subtract_eq'(All, Own, Others),
    copy_term(t(P, H, Others), t(P1, H1, Others)).

% Lists of terms that are told apart by ==/2. The second predicate leaves each term once.
'$in_eq'(X, [Y|Ys]) :- ( X == Y -> true ; '$in_eq'(X, Ys) ).
'$subtract_eq'([], _, []).
'$subtract_eq'([X|Xs], Seen, Rest) :-
    ( '$in_eq'(X, Seen) -> Rest = Rest1 ; Rest = [X|Rest1] ),
    '$subtract_eq'(Xs, [X|Seen], Rest1).

% Program points.
check(G) :- ( '$checks_point'(check, G) -> '$rtc_point'(G) ; true ).
trust(G) :- ( '$checks_point'(trust, G) -> '$rtc_point'(G) ; true ).
true(_).
false(_).
'$rtc_point'(G) :-
    '$guard'(1),
    (   catch(\+ \+ call(G), E, '$unguard')
    ->  '$unguard', '$rtc_status'(E, R)
    ;   '$unguard', R = 0
    ),
    '$rtc_at_point'(R, G).
'$rtc_at_point'(1, _).
'$rtc_at_point'(0, G) :- '$pp_ball'(G, [], Ball), '$rtc_signal'(Ball).
'$rtc_at_point'(exception(E), G) :- '$pp_ball'(G, [exception(E)], Ball), '$rtc_signal'(Ball).

% Sharing and independence of variables.
indep(X, Y) :- term_variables(X, Xs), term_variables(Y, Ys), '$disjoint'(Xs, Ys).
indep(Pairs) :- '$indep_all'(Pairs).
'$indep_all'([]).
'$indep_all'([Pair|Pairs]) :-
    ( Pair = [X, Y] -> true ; Pair = (X, Y) -> true ; Pair = indep(X, Y) ),
    indep(X, Y),
    '$indep_all'(Pairs).
'$disjoint'([], _).
'$disjoint'([X|Xs], Ys) :- \+ '$in_eq'(X, Ys), '$disjoint'(Xs, Ys).
covered(X, Y) :- term_variables(X, Xs), term_variables(Y, Ys), '$subset_eq'(Xs, Ys).
'$subset_eq'([], _).
'$subset_eq'([X|Xs], Ys) :- '$in_eq'(X, Ys), '$subset_eq'(Xs, Ys).
linear(X) :- '$occurrences'([X], [], _).
'$occurrences'([], Seen, Seen).
'$occurrences'([T|Ts], Seen0, Seen) :-
    (   var(T) -> \+ '$in_eq'(T, Seen0), '$occurrences'(Ts, [T|Seen0], Seen)
    ;   compound(T), acyclic_term(T) -> compound_name_arguments(T, _, As), append(As, Ts, Ts1), '$occurrences'(Ts1, Seen0, Seen)
    ;   '$occurrences'(Ts, Seen0, Seen)
    ).
% Each set of variables that some variable is in is among the sets, or part of the union of some of them.
mshare(Sets) :-
    '$vars_of_sets'(Sets, Vs),
    mshare(Vs, Sets),
    \+ '$aliased'(Sets).
% Two arguments are the same term, and no set says that they may be.
'$aliased'(Sets) :-
    append(_, [[X]|Rest], Sets), member([Y], Rest), X == Y, \+ ground(X),
    \+ ( member(Set, Sets), append(_, [X1|More], Set), X1 == X, '$in_eq'(X, More) ).
mshare(Terms, Sets) :-
    term_variables(Terms, Vs),
    '$sharing'(Vs, Terms, Sets).
'$vars_of_sets'(Sets, Vs) :- append(Sets, All), '$subtract_eq'(All, [], Vs).
'$sharing'([], _, _).
'$sharing'([V|Vs], Terms, Sets) :-
    '$in_terms'(Terms, V, Group),
    '$group_allowed'(Sets, Group),
    '$sharing'(Vs, Terms, Sets).
'$in_terms'([], _, []).
'$in_terms'([T|Ts], V, Group) :-
    term_variables(T, Vs),
    ( '$in_eq'(V, Vs) -> Group = [T|Group1] ; Group = Group1 ),
    '$in_terms'(Ts, V, Group1).
'$group_allowed'(Sets, Group) :- member(Set, Sets), '$same_set'(Set, Group), !.
'$same_set'(A, B) :- '$subset_eq'(A, B), '$subset_eq'(B, A).
succeeds(G) :- \+ \+ call(G).
compat(G) :- \+ \+ call(G).
instance(G) :- call(G).
free(X) :- var(X).
not_free(X) :- nonvar(X).
