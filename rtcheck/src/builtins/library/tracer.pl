% The tracer: calls of the program's predicates, shown at four ports and where they throw. The machine sends each call
% here while calls are watched (see its module `trace`). Modes: trace (every port), skip(Depth) (none deeper than
% that), debug (none, until a spy point is called), off.

:- meta_predicate spy(:), nospy(:), trace(0).

'$trace_get'(Key, Default, Value) :- ( nb_current(Key, V) -> Value = V ; Value = Default ).
'$trace_mode'(Mode) :- '$trace_get'('$trace_mode', off, Mode).
'$trace_mode_is'(Mode) :-
    nb_setval('$trace_mode', Mode),
    ( Mode == off -> '$watch_calls'(false) ; '$watch_calls'(true) ).

trace :- '$trace_mode_is'(trace).
trace(Goal) :- trace, call(Goal).
tracing :- '$trace_mode'(Mode), Mode \== off, Mode \== debug.
notrace :- '$trace_mode_is'(off).
nodebug :- '$trace_mode_is'(off).
debug :- '$trace_mode_is'(debug).

% Spy points are M:N/A.
spy(Spec) :-
    '$spy_points'(Spec, Points),
    '$trace_get'('$trace_spied', [], Old),
    append(Old, Points, All), sort(All, New),
    nb_setval('$trace_spied', New),
    '$trace_mode'(Mode),
    ( Mode == off -> debug ; true ).
nospy(Spec) :-
    '$spy_points'(Spec, Points),
    '$trace_get'('$trace_spied', [], Old),
    findall(P, ( member(P, Old), \+ memberchk(P, Points) ), New),
    nb_setval('$trace_spied', New).
nospyall :- nb_setval('$trace_spied', []).
'$spy_points'(M:Spec, Points) :- !, '$spy_points'(Spec, M, Points).
'$spy_points'(Spec, Points) :- '$spy_points'(Spec, user, Points).
'$spy_points'(Spec, _, _) :- var(Spec), !, instantiation_error(Spec).
'$spy_points'([], _, []) :- !.
'$spy_points'([S|Ss], M, Points) :- !,
    '$spy_points'(S, M, P0), '$spy_points'(Ss, M, P1), append(P0, P1, Points).
'$spy_points'(M:S, _, Points) :- !, '$spy_points'(S, M, Points).
'$spy_points'(N/A, M, [M:N/A]) :- atom(N), integer(A), !.
'$spy_points'(N, M, Points) :- atom(N), !,
    '$dynamic_predicates'(M, N, Ds), '$static_predicates'(M, N, Ss), append(Ds, Ss, As),
    findall(M:N/A, member(A, As), Points),
    ( Points == [] -> throw(error(existence_error(procedure, N), spy/1)) ; true ).
'$spy_points'(S, _, _) :- throw(error(type_error(predicate_indicator, S), spy/1)).

debugging :-
    '$trace_mode'(Mode),
    ( Mode == off -> M = 'off' ; Mode == debug -> M = 'on, until a spy point is called' ; M = 'on, every port' ),
    format("The tracer is ~w.~n", [M]),
    '$trace_get'('$trace_spied', [], Spied),
    ( Spied == [] -> format("No spy points.~n", []) ; true ),
    forall(member(P, Spied), ( '$trace_plain'(P, S), format("Spy point on ~q.~n", [S]) )).
'$trace_plain'(user:S, S) :- !.
'$trace_plain'(S, S).

% Ports at which the tracer asks.
leash(Spec) :- var(Spec), !, '$trace_leashed'(Spec).
leash(Spec) :- '$leash'(Spec, Ports), nb_setval('$trace_leash', Ports).
'$trace_leashed'(Ports) :-
    ( '$asks' -> D = [call, exit, redo, fail, exception] ; D = [] ),
    '$trace_get'('$trace_leash', D, Ports).
'$leash'(Spec, Ports) :- memberchk(Spec, [full, all]), !, Ports = [call, exit, redo, fail, exception].
'$leash'(half, Ports) :- !, Ports = [call, redo].
'$leash'(Spec, Ports) :- memberchk(Spec, [off, none]), !, Ports = [].
'$leash'([], Ports) :- !, Ports = [].
'$leash'([P|Ps], [P|Qs]) :- !, '$leash_port'(P), '$leash'(Ps, Qs).
'$leash'(+P, Ports) :- !, '$leash_port'(P), '$trace_leashed'(Old), ( memberchk(P, Old) -> Ports = Old ; Ports = [P|Old] ).
'$leash'(-P, Ports) :- !, '$leash_port'(P), '$trace_leashed'(Old), findall(Q, ( member(Q, Old), Q \== P ), Ports).
'$leash'(P, [P]) :- '$leash_port'(P).
'$leash_port'(P) :- var(P), !, instantiation_error(P).
'$leash_port'(P) :- memberchk(P, [call, exit, redo, fail, exception]), !.
'$leash_port'(P) :- throw(error(domain_error(leash_port, P), leash/1)).

% A watched call. Way is how it is entered past the watch.
'$trace'(Goal, Way) :-
    '$trace_get'('$trace_depth', 0, D0), D is D0 + 1,
    '$trace_port'(call, D, Goal, Command),
    (   Command == fail -> '$trace_port'(fail, D, Goal, _), fail
    ;   catch('$trace_call'(Goal, Way, D0, D), E, '$trace_threw'(E, Goal, Way, D))
    ).
'$trace_call'(Goal, Way, D0, D) :-
    (   '$level'(L0), b_setval('$trace_depth', D),
        '$pass_watch'(Way), call(Goal),
        '$level'(L1),
        (   L0 =:= L1 -> !, '$trace_left'(exit, D, Goal), b_setval('$trace_depth', D0)
        ;   (   '$trace_left'(exit, D, Goal), b_setval('$trace_depth', D0)
            ;   '$trace_left'(redo, D, Goal), fail
            )
        )
    ;   '$trace_left'(fail, D, Goal), fail
    ).
'$trace_threw'('$trace_retry'(D), Goal, Way, D) :- !, '$trace'(Goal, Way).
'$trace_threw'(E, _, _, _) :- nonvar(E), E = '$trace_retry'(_), !, throw(E).
'$trace_threw'('$aborted', _, _, _) :- !, throw('$aborted').
'$trace_threw'(E, Goal, _, D) :- '$trace_port'(exception(E), D, Goal, Command), '$trace_obey'(Command, D), throw(E).
'$trace_left'(Port, D, Goal) :- '$trace_port'(Port, D, Goal, Command), '$trace_obey'(Command, D).
'$trace_obey'(retry, D) :- !, throw('$trace_retry'(D)).
'$trace_obey'(fail, _) :- !, fail.
'$trace_obey'(_, _).

'$trace_port'(Port, D, Goal, Command) :-
    '$trace_mode'(Mode),
    (   '$trace_shows'(Mode, Port, D, Goal) -> '$trace_show'(Port, D, Goal, Command)
    ;   Command = creep
    ).
'$trace_shows'(trace, _, _, _).
'$trace_shows'(skip(D0), Port, D, _) :-
    % What was skipped has ended, or another query began.
    ( D < D0 ; D =:= D0, Port \== redo ), !,
    nb_setval('$trace_mode', trace).
'$trace_shows'(debug, Port, _, Goal) :-
    '$trace_spied'(Goal),
    ( Port == call -> nb_setval('$trace_mode', trace) ; true ).
'$trace_spied'(Goal) :-
    '$strip_module'(Goal, M, G), functor(G, N, A),
    '$trace_get'('$trace_spied', [], Spied), memberchk(M:N/A, Spied).

'$trace_show'(Port, D, Goal, Command) :-
    '$trace_name'(Port, Kind, Name),
    ( '$trace_spied'(Goal) -> Mark = '*' ; Mark = ' ' ),
    '$trace_leashed'(Leashed),
    ( memberchk(Kind, Leashed) -> Asks = true ; Asks = false ),
    '$trace_line'(Mark, Name, D, Goal, [max_depth(12)]),
    ( Port = exception(E) -> '$trace_thrown'(E) ; true ),
    ( Asks == true -> '$trace_ask'(Mark, Name, D, Goal, Command) ; nl(user_error), Command = creep ).
% A violation is told in full once it is known that nobody catches it.
'$trace_thrown'(E) :- nonvar(E), E =.. [rtcheck, Kind|_], atom(Kind), !, format(user_error, " violates ~w", [Kind]).
'$trace_thrown'(E) :- write(user_error, ' throws '), '$trace_write'(E, [max_depth(8)]).
'$trace_line'(Mark, Name, D, Goal, Options) :-
    format(user_error, " ~w ~w: (~d) ", [Mark, Name, D]),
    '$trace_plain'(Goal, Plain),
    '$trace_write'(Plain, Options).
'$trace_write'(Term, Options) :- write_term(user_error, Term, [quoted(true), numbervars(true)|Options]).
'$trace_name'(call, call, 'Call').
'$trace_name'(exit, exit, 'Exit').
'$trace_name'(redo, redo, 'Redo').
'$trace_name'(fail, fail, 'Fail').
'$trace_name'(exception(_), exception, 'Exception').

'$trace_ask'(Mark, Name, D, Goal, Command) :-
    write(user_error, ' ? '), flush_output(user_error),
    '$trace_key'(C), nl(user_error),
    (   C == -1 -> nb_setval('$trace_leash', []), Command = creep
    ;   '$trace_command'(C, D, Goal, Command) -> true
    ;   '$trace_more'(C, Mark, Name, D, Goal), '$trace_ask'(Mark, Name, D, Goal, Command)
    ).
% A key of a terminal, or the first character of a line; c if that is empty.
'$trace_key'(C) :- '$asks', '$read_key'(Code), !, ( memberchk(Code, [10, 13, 32]) -> C = c ; Code == 3 -> C = a ; char_code(C, Code) ).
'$trace_key'(C) :-
    '$read_line'(user_input, Line),
    ( Line == -1 -> C = -1 ; atom_chars(Line, Cs), member(C, Cs), C \== ' ' -> true ; C = c ).
'$trace_command'(c, _, _, creep).
'$trace_command'(s, D, _, creep) :- nb_setval('$trace_mode', skip(D)).
'$trace_command'(l, _, _, creep) :- nb_setval('$trace_mode', debug).
'$trace_command'(n, _, _, creep) :- notrace.
'$trace_command'(f, _, _, fail).
'$trace_command'(r, _, _, retry).
'$trace_command'(a, _, _, _) :- throw('$aborted').
'$trace_command'(+, _, Goal, creep) :- '$trace_indicator'(Goal, S), spy(S).
'$trace_command'(-, _, Goal, creep) :- '$trace_indicator'(Goal, S), nospy(S).
'$trace_indicator'(Goal, M:N/A) :- '$strip_module'(Goal, M, G), functor(G, N, A).
'$trace_more'(w, Mark, Name, D, Goal) :- !, '$trace_line'(Mark, Name, D, Goal, []).
'$trace_more'(_, Mark, Name, D, Goal) :-
    format(user_error, "   c or nothing: creep    s: skip to the end of this call    l: leap to the next spy point~n", []),
    format(user_error, "   r: retry this call     f: fail                          n: no more ports~n", []),
    format(user_error, "   a: abort the query     + and -: spy point here or not   w: write the goal whole~n", []),
    '$trace_line'(Mark, Name, D, Goal, [max_depth(12)]).
