% Limits of calls, of time and of depth, and sleeping.

:- meta_predicate call_with_inference_limit(0, ?, ?), call_with_time_limit(?, 0), call_with_time_limit(?, 0, ?),
    call_with_depth_limit(0, ?, ?).

% call_with_inference_limit(Goal, Limit, Result): Result is ! or true, as the goal leaves no choicepoint or leaves
% one, or inference_limit_exceeded.
call_with_inference_limit(Goal, Limit, Result) :-
    must_be(integer, Limit),
    % Four calls more: those of catch/3 and what follows, so that the end of the limit is met inside of it.
    Most is max(0, min(Limit, 1 << 59)) + 4,
    '$begin_budget'(inferences, Owner, Most, Before0),
    Kept = '$kept'(Before0),
    ( catch(call_cleanup(Goal, Det = true), Ball, true),
        % No call of a predicate in Prolog comes before the limit is taken back: it would end outside of catch/3.
        arg(1, Kept, before(Bound, Outer)), '$end_budget'(inferences, Bound, Outer, Left),
        ( nonvar(Ball) -> !,
            ( Ball == inference_limit_exceeded, '$met_budget'(Owner) -> true ; throw(Ball) ),
            Result = inference_limit_exceeded
        ; Det == true -> !, Result = !
        ; '$leave_budget'(Owner, Left, Kept), Result = true
        )
    ; arg(1, Kept, before(Bound, Outer)), '$end_budget'(inferences, Bound, Outer, _), fail
    ).

% Backtracking into the goal brings back what it had left. Whatever bound there is by then holds when the goal ends.
'$leave_budget'(_, _, _).
'$leave_budget'(Owner, Left, Kept) :- '$begin_budget'(inferences, Owner, Left, Before), nb_setarg(1, Kept, Before), fail.

% call_with_time_limit(Seconds, Goal): the goal's first solution, or time_limit_exceeded is thrown.
call_with_time_limit(Seconds, Goal) :-
    must_be(number, Seconds),
    ( Seconds > 0 -> true ; throw(time_limit_exceeded) ),
    Milliseconds is ceiling(min(Seconds, 1.0e9) * 1000),
    '$begin_budget'(time, _, Milliseconds, before(Bound, Outer)),
    ( catch(call(Goal), Ball, true) ->
        '$end_budget'(time, Bound, Outer, _),
        ( var(Ball) -> true ; throw(Ball) )
    ; '$end_budget'(time, Bound, Outer, _), fail
    ).
% The third argument is for a debugger.
call_with_time_limit(Seconds, Goal, _) :- call_with_time_limit(Seconds, Goal).

% call_with_depth_limit(Goal, Limit, Result): Result is how deep the calls of Goal got, or depth_limit_exceeded if it
% fails and a call failed for being deeper than Limit. Goal itself is one below catch/3.
call_with_depth_limit(Goal, Limit, Result) :-
    must_be(integer, Limit),
    Most is max(0, min(Limit, 1 << 40)),
    '$set_depth'(-1, 0, Outer, Depth),
    Base is Depth + 1, Bound is Base + Most,
    '$level'(Level),
    '$set_depth'(Bound, 0, _, _),
    ( catch(Goal, Ball, true),
        '$leave_depth'(Outer, Inner),
        '$level'(Now),
        ( nonvar(Ball) -> throw(Ball) ; true ),
        ( Now =:= Level + 1 -> ! ; '$again_depth'(Outer, Inner) ),
        Inner = depth(_, Reached),
        Result is max(1, Reached - Base)
    ; '$leave_depth'(Outer, depth(_, Reached)),
        Reached > Bound,
        Result = depth_limit_exceeded
    ).

'$leave_depth'(depth(Limit, Reached), Inner) :- '$set_depth'(Limit, Reached, Inner, _).

% Backtracking into the goal brings back its limit.
'$again_depth'(_, _).
'$again_depth'(_, depth(Limit, Reached)) :- '$set_depth'(Limit, Reached, _, _), fail.

sleep(Seconds) :-
    must_be(number, Seconds),
    % Threads that were created go on meanwhile.
    (   flag('$threads', 0, 0) -> Milliseconds is truncate(max(0, min(Seconds, 1.0e9)) * 1000), '$sleep_on'(Milliseconds)
    ;   '$threads':asleep(Seconds)
    ).
'$sleep_on'(0) :- !.
'$sleep_on'(Milliseconds) :-
    Now is min(Milliseconds, 20),
    '$sleep'(Now),
    Rest is Milliseconds - Now,
    '$sleep_on'(Rest).
