% --- Tasks that share a resource.

cumulative(Ts) :- cumulative(Ts, [limit(1)]).
cumulative(Ts, Options) :-
    must_be(list, Ts), must_be(list, Options),
    ( memberchk(limit(L), Options) -> true ; L = 1 ),
    tasks(Ts),
    room(Ts, L),
    task_variables(Ts, Vs),
    new(schedule(Ts, L), bounds, [L|Vs]).
task_variables([], []).
task_variables([task(S, D, E, C, _)|Ts], [S, D, E, C|Vs]) :- task_variables(Ts, Vs).
% What the tasks use together fits between the first start and the last end: that bounds what is minimized at once.
room([], _).
room([task(S, D, E, C, _)|Ts], L) :- room(Ts, L, S, E, D * C).
room([], L, First, Last, Area) :- Area #=< L * (Last - First).
room([task(S, D, E, C, _)|Ts], L, First0, Last0, Area) :-
    First #= min(First0, S), Last #= max(Last0, E), room(Ts, L, First, Last, Area + D * C).
tasks([]).
tasks([T|Ts]) :-
    ( nonvar(T), T = task(S, D, E, C, _) -> true ; type_error(task, T) ),
    S + D #= E, D #>= 0, C #>= 0,
    tasks(Ts).
% From its latest start to its earliest end a task runs whatever is chosen. Where such parts leave too little of the
% resource, nothing else runs: tasks start behind and end in front of that. Of tasks that are known the parts are all.
propagate_schedule(Ts, L, P) :-
    certain(Ts, Parts),
    borders(Parts, Times0), sort(Times0, Times),
    stretches(Times, Parts, 0, Peak, Stretches),
    narrow(L, Peak, sup),
    bounds(L, _, Most),
    ( integer(Most), Stretches \== [] -> reverse(Stretches, Backwards), moved(Ts, Most, Stretches, Backwards) ; true ),
    ( ground(L-Ts) -> die(P) ; true ).
certain([], []).
certain([task(S, _, E, C, _)|Ts], Parts) :-
    ( certain_part(S, E, C, Part) -> Parts = [Part|Parts1] ; Parts = Parts1 ),
    certain(Ts, Parts1).
certain_part(S, E, C, p(From, To, Use)) :-
    bounds(S, _, From), integer(From), bounds(E, To, _), integer(To), From < To, bounds(C, Use, _), integer(Use), Use > 0.
borders([], []).
borders([p(From, To, _)|Parts], [From, To|Times]) :- borders(Parts, Times).
% The times between borders, with what the parts use there, from the first to the last, and the most that is used.
stretches([From, To|Times], Parts, Peak0, Peak, Stretches) :- !,
    use(Parts, From, 0, Use), Peak1 is max(Peak0, Use),
    ( Use > 0 -> Stretches = [p(From, To, Use)|Stretches1] ; Stretches = Stretches1 ),
    stretches([To|Times], Parts, Peak1, Peak, Stretches1).
stretches(_, _, Peak, Peak, []).
use([], _, Use, Use).
use([p(From, To, C)|Parts], Time, Use0, Use) :-
    ( From =< Time, Time < To -> Use1 is Use0 + C ; Use1 = Use0 ),
    use(Parts, Time, Use1, Use).
moved([], _, _, _).
moved([task(S, D, E, C, _)|Ts], Most, Stretches, Backwards) :-
    (   bounds(D, Length, _), integer(Length), Length > 0, bounds(C, Use, _), integer(Use), Use > 0, \+ ground(S-E) ->
        Room is Most - Use,
        ( certain_part(S, E, C, Own) -> true ; Own = p(0, 0, 0) ),
        bounds(S, First, _), ( integer(First) -> earliest(Stretches, Own, Length, Room, First, S1), narrow(S, S1, sup) ; true ),
        bounds(E, _, Last), ( integer(Last) -> latest(Backwards, Own, Length, Room, Last, E1), narrow(E, inf, E1) ; true )
    ;   true
    ),
    moved(Ts, Most, Stretches, Backwards).
earliest([p(From, To, Use)|Stretches], Own, Length, Room, S0, S) :-
    From < S0 + Length, !,
    ( To > S0, full(From, Use, Own, Room) -> S1 = To ; S1 = S0 ),
    earliest(Stretches, Own, Length, Room, S1, S).
earliest(_, _, _, _, S, S).
latest([p(From, To, Use)|Stretches], Own, Length, Room, E0, E) :-
    To > E0 - Length, !,
    ( From < E0, full(From, Use, Own, Room) -> E1 = From ; E1 = E0 ),
    latest(Stretches, Own, Length, Room, E1, E).
latest(_, _, _, _, E, E).
% The others use so much that the task does not fit beside them.
full(Time, Use, p(From, To, C), Room) :- ( From =< Time, Time < To -> Use - C > Room ; Use > Room ).
