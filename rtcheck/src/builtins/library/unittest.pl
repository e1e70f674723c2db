% Unit tests: how one test assertion is run.

% '$run_test'(Module, Test, Contract, Results): Contract is the number of what is to be checked, or none. Results has,
% for each run: done; fails, if the goal failed and the test does not say whether it may; failed(Why); aborted(Ball).
% What is violated is recorded besides.
'$run_test'(M, test(_, Head, Pre, _, Comp, _), N, Results) :-
    '$test_commands'(Comp, Setups, Cleanups),
    (   '$test_goals'(Setups, M, Why) -> Results = [failed(setup(Why))]
    ;   '$test_number'(Comp, times, 1, Times),
        '$test_number'(Comp, generate_from_calls_n, 1, Inputs),
        '$test_solutions'(Comp, Sols),
        findall(R, ( between(1, Times, _), '$test_input'(M, Head, Pre, N, Inputs, Sols, Comp, R) ), Results0),
        ( '$test_goals'(Cleanups, M, Why) -> Results = [failed(cleanup(Why))|Results0] ; Results = Results0 )
    ).

'$test_commands'([], [], []).
'$test_commands'([C|Cs], Setups, Cleanups) :-
    (   C = setup(G) -> Setups = [G|Setups1], Cleanups = Cleanups1
    ;   C = cleanup(G) -> Setups = Setups1, Cleanups = [G|Cleanups1]
    ;   Setups = Setups1, Cleanups = Cleanups1
    ),
    '$test_commands'(Cs, Setups1, Cleanups1).
% Succeeds with what is wrong with the first goal that does not succeed.
'$test_goals'([G|Gs], M, Why) :-
    (   catch(M:G, E, true) -> ( nonvar(E) -> Why = threw(E) ; '$test_goals'(Gs, M, Why) )
    ;   Why = failed
    ).
'$test_number'(Comp, Name, Default, N) :-
    C =.. [Name, N0],
    ( member(C, Comp), integer(N0) -> N = N0 ; N = Default ).
% Two solutions tell whether there is more than one; properties may need more.
'$test_solutions'(Comp, Sols) :-
    '$test_number'(Comp, try_sols, 2, Sols0),
    ( member(num_solutions(N), Comp), integer(N) -> Sols1 is max(Sols0, N + 1) ; Sols1 = Sols0 ),
    ( member(solutions(L), Comp), is_list(L) -> length(L, M), Sols is max(Sols1, M + 1) ; Sols = Sols1 ).

'$test_input'(M, Head, Pre, N, Inputs, Sols, Comp, Result) :-
    C = '$count'(0),
    (   catch(M:Pre, E, true),
        '$increment'(C, K),
        ( nonvar(E) -> Result = failed(precondition(threw(E))) ; '$test_call'(M, Head, N, Sols, Comp, Result) ),
        ( K >= Inputs -> ! ; true )
    ;   arg(1, C, 0),
        Result = failed(precondition(failed))
    ).

'$test_call'(M, Head, N, Sols, Comp, Result) :-
    C = '$count'(0),
    catch('$test_in_time'('$test_run'(M, Head, N, Sols, C), Comp, Late), E, true),
    (   Late == true -> '$test_number'(Comp, timeout, 0, Most), Result = failed(timeout(Most))
    ;   nonvar(E) -> ( '$test_expects'(Comp, exceptions) -> Result = done ; Result = aborted(E) )
    ;   arg(1, C, 0), \+ '$test_expects'(Comp, failure) -> Result = fails
    ;   Result = done
    ).
% timeout(N): the goal gets N milliseconds.
'$test_in_time'(Goal, Comp, Late) :-
    '$test_number'(Comp, timeout, none, Most),
    (   Most == none -> call(Goal)
    ;   Seconds is Most / 1000.0,
        catch(call_with_time_limit(Seconds, Goal), time_limit_exceeded, Late = true)
    ).
'$test_run'(M, Head, N, Sols, C) :-
    intercept('$test_goal'(N, M, Head), Signal, '$test_signal'(Signal)),
    '$increment'(C, K),
    K >= Sols,
    !.
'$test_run'(_, _, _, _, _).
'$test_goal'(none, M, Head) :- !, call(M:Head).
'$test_goal'(N, _, Head) :- Head =.. [_|As], Args =.. ['$VAR'|As], '$rtc_comp'(N, Args).
'$test_signal'(Ball) :- Ball = rtcheck(_, _, _, _, _, _), !, '$record_violation'(Ball).
'$test_signal'(Signal) :- send_signal(Signal).

'$test_expects'(Comp, What) :- member(C, Comp), functor(C, F, _), '$test_says'(F, What), !.
'$test_says'(exception, exceptions).
'$test_says'(throws, exceptions).
'$test_says'(no_exception, exceptions).
'$test_says'(possible_exceptions, exceptions).
'$test_says'(fails, failure).
'$test_says'(not_fails, failure).
'$test_says'(det, failure).
'$test_says'(multi, failure).
'$test_says'(num_solutions, failure).
'$test_says'(solutions, failure).
'$test_says'(possibly_fails, failure).
'$test_says'(semidet, failure).
