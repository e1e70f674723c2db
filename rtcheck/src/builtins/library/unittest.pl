% Unit tests: how one test assertion is run.

% '$run_test'(Module, Test, Contract, Results): Contract is the number of what is to be checked, or none. Results has,
% for each run: done; fails, if the goal failed and the test does not say whether it may; failed(Why); aborted(Ball).
% What is violated is recorded besides. What the setup binds is bound in the test, and what its first solution binds, in
% the cleanup.
'$run_test'(M, test(_, Head, Pre, Post, Comp0, _), N, Results) :-
    '$test_commands'(Comp0, Setups, Cleanups),
    '$test_shares'(Head, Pre-Setups, Post, Shared),
    '$plunit_setup'(Setups, M, Ready),
    Kept = '$kept'(none),
    Comp = ['$kept'(Kept, Head-Comp0), '$post'(Shared, Head-Pre)|Comp0],
    (   Ready \== yes -> Results = [failed(setup(Ready))]
    ;   '$test_number'(Comp, times, 1, Times),
        '$test_number'(Comp, generate_from_calls_n, 1, Inputs),
        '$test_solutions'(Comp, Sols),
        findall(R, ( between(1, Times, _), '$test_input'(M, Head, Pre, N, Inputs, Sols, Comp, R) ), Results0),
        ( arg(1, Kept, some(Bound)) -> Bound = Head-Comp0 ; true ),
        ( '$test_goals'(Cleanups, M, Why) -> Results = [failed(cleanup(Why))|Results0] ; Results = Results0 )
    ).
% A test as plunit writes it. Its goals share the variables of its options.
'$run_test'(M, plunit(Unit, Options, Body), _, Results) :-
    '$plunit_list'(Options, Os),
    (   '$plunit_skips'(Os, Why) -> Results = [skipped(Why)]
    ;   '$plunit_conditions'(Os, M, Unmet),
        '$test_commands'(Os, Setups, Cleanups),
        ( nonvar(Unmet) -> true ; '$plunit_setup'(Setups, M, Ready) ),
        (   nonvar(Unmet) -> Results = [skipped(Unmet)]
        ;   Ready \== yes -> Results = [failed(setup(Ready))]
        ;   ( member(forall(Cases), Os) -> true ; Cases = true ),
            findall(R-Os, ( M:Cases, '$plunit_in_time'(Unit, Os, M, Body, R) ), Runs),
            pairs_keys_values(Runs, Results0, Kept),
            % What the only case of a test binds is there in its cleanup.
            ( Kept = [Bound], Cases == true -> Os = Bound ; true ),
            ( '$test_goals'(Cleanups, M, Why) -> Results = [failed(cleanup(Why))|Results0] ; Results = Results0 )
        )
    ).

% '$unit_begin'(Module, Test, _, Results): before the first test of a unit. Results is what each of them says if none
% can be run.
'$unit_begin'(M, plunit(Options, _, _), _, Results) :-
    '$plunit_list'(Options, Os),
    (   '$plunit_skips'(Os, Why) -> Results = [skipped(Why)]
    ;   '$plunit_conditions'(Os, M, Unmet), nonvar(Unmet) -> Results = [skipped(Unmet)]
    ;   '$test_commands'(Os, Setups, _), '$plunit_setup'(Setups, M, Ready),
        ( Ready == yes -> nb_setval('$plunit_unit', M-Options), Results = [] ; Results = [failed(unit_setup(Ready))] )
    ).
% Behind the last test of a unit. What the setup has bound is bound.
'$unit_end'(M, plunit(Options, _, _), _, Results) :-
    ( nb_current('$plunit_unit', M-Bound), Bound = Options -> true ; true ),
    '$plunit_list'(Options, Os), '$test_commands'(Os, _, Cleanups),
    ( '$test_goals'(Cleanups, M, Why) -> Results = [failed(unit_cleanup(Why))] ; Results = [] ).

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
    C = '$count'(0), Late = '$late'(false),
    (   catch('$test_values'(M, Pre, Inputs, C, Late), E, true),
        '$increment'(C, K),
        ( nonvar(E) -> Result = failed(precondition(threw(E))) ; '$test_call'(M, Head, N, Sols, Comp, Result) ),
        ( K >= Inputs -> ! ; true )
    ;   arg(1, C, 0),
        ( arg(1, Late, true) -> Why = inference_limit_exceeded ; Why = failed ),
        Result = failed(precondition(Why))
    ).

'$test_call'(M, Head, N, Sols, Comp, Result) :-
    C = '$count'(0),
    catch('$test_in_time'('$test_run'(M, Head, N, Sols, C, Comp), Comp, Late), E, true),
    (   Late == true -> '$test_number'(Comp, timeout, 0, Most), Result = failed(timeout(Most))
    ;   nonvar(E) -> ( '$test_expects'(Comp, exceptions) -> Result = done ; Result = aborted(E) )
    ;   arg(1, C, 0), \+ '$test_expects'(Comp, failure) -> Result = fails
    ;   Comp = [_, '$post'(some(_, Unmet), _)|_], arg(1, Unmet, some(Literal)) -> Result = failed(unmet_condition(Literal))
    ;   Result = done
    ).
% timeout(N): the goal gets N milliseconds.
'$test_in_time'(Goal, Comp, Late) :-
    '$test_number'(Comp, timeout, none, Most),
    (   Most == none -> call(Goal)
    ;   Seconds is Most / 1000.0,
        catch(call_with_time_limit(Seconds, Goal), time_limit_exceeded, Late = true)
    ).
'$test_run'(M, Head, N, Sols, C, Comp) :-
    Comp = [_, '$post'(Shared, Known)|_],
    intercept('$test_goal'(N, M, Head), Signal, '$test_signal'(Signal, Shared)),
    '$test_post'(Shared, M, Known),
    '$test_keep'(Comp),
    '$increment'(C, K),
    K >= Sols,
    !.
'$test_run'(_, _, _, _, _, _).
'$test_keep'(['$kept'(Kept, Shared)|_]) :- ( arg(1, Kept, none) -> nb_setarg(1, Kept, some(Shared)) ; true ).
'$test_goal'(none, M, Head) :- !, call(M:Head).
'$test_goal'(N, _, Head) :- Head =.. [_|As], Args =.. ['$VAR'|As], '$rtc_comp'(N, Args).
% A condition on success that speaks of variables which the precondition or the setup has bound, and which are no
% arguments, is looked at here: the contract does not know them.
'$test_shares'(Head, Before, Post, Shared) :-
    term_variables(Head, Hs), term_variables(Before, Bs), term_variables(Post, Ps),
    (   member(V, Ps), '$occurs_among'(Bs, V), \+ '$occurs_among'(Hs, V) -> Shared = some(Post, '$kept'(none))
    ;   Shared = none
    ).
'$test_post'(none, _, _).
'$test_post'(some(Post, Unmet), M, Known) :-
    term_variables(Known, Vs),
    '$test_unmet'(Post, M, Vs, Literal),
    ( arg(1, Unmet, none), Literal \== none -> nb_setarg(1, Unmet, some(Literal)) ; true ).
% The first literal that does not hold. None of them may bind what was there before.
'$test_unmet'(Post, M, Vs, Literal) :-
    (   Post = (A, B), \+ A = (_ ; _) ->
        ( catch(M:A, _, fail), term_variables(Vs, Ws), Ws == Vs -> '$test_unmet'(B, M, Vs, Literal) ; Literal = A )
    ;   catch(M:Post, _, fail), term_variables(Vs, Ws), Ws == Vs -> Literal = none
    ;   Literal = Post
    ).
'$test_signal'(rtcheck(success, _, _, _, _, _), some(_, _)) :- !.
'$test_signal'(Signal, _) :- '$test_signal'(Signal).
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

% How tests of plunit end, by their options.
% Like '$test_goals'/3, but what the goals bind stays bound.
'$plunit_setup'([], _, yes).
'$plunit_setup'([G|Gs], M, Ready) :-
    (   catch(M:G, E, true) -> ( nonvar(E) -> Ready = threw(E) ; '$plunit_setup'(Gs, M, Ready) )
    ;   Ready = failed
    ).
'$plunit_list'(Options, Os) :- ( is_list(Options) -> Os = Options ; Os = [Options] ).
'$plunit_skips'(Os, Why) :- member(O, Os), ( O = blocked(Why) ; O = fixme(Why) ), !.
% What conditions bind stays bound; Unmet is the first that does not hold.
'$plunit_conditions'([], _, _).
'$plunit_conditions'([O|Os], M, Unmet) :-
    (   O = condition(G) -> ( catch(M:G, _, fail) -> '$plunit_conditions'(Os, M, Unmet) ; Unmet = O )
    ;   '$plunit_conditions'(Os, M, Unmet)
    ).

% timeout(Seconds), of the test or else of its unit.
'$plunit_in_time'(Unit, Os, M, Body, R) :-
    '$plunit_list'(Unit, Us),
    (   ( member(timeout(T), Os) ; member(timeout(T), Us) ), number(T), T > 0 ->
        catch(call_with_time_limit(T, '$plunit_checking'(Us, Os, M, Body, R0)), time_limit_exceeded, R0 = aborted(time_limit_exceeded)),
        ( R0 == aborted(time_limit_exceeded) -> '$plunit_failed'('it took more than ~w s', [T], R) ; R = R0 )
    ;   '$plunit_checking'(Us, Os, M, Body, R)
    ).
% occurs_check(Mode), the same; sto(Terms) says which terms unification makes.
'$plunit_checking'(Us, Os, M, Body, R) :-
    (   ( member(O, Os) ; member(O, Us) ), '$plunit_occurs_check'(O, Mode) ->
        current_prolog_flag(occurs_check, Old),
        setup_call_cleanup(
            set_prolog_flag(occurs_check, Mode), '$plunit_result'(Os, M, Body, R), set_prolog_flag(occurs_check, Old))
    ;   '$plunit_result'(Os, M, Body, R)
    ).
'$plunit_occurs_check'(occurs_check(Mode), Mode) :- memberchk(Mode, [true, false, error]).
'$plunit_occurs_check'(sto(Terms), Mode) :- memberchk(Terms-Mode, [finite_trees-true, rational_trees-false]).
'$plunit_result'(Os, M, Body, R) :-
    (   catch('$plunit_expected'(Os, M, Body, R0), E, true) -> ( var(E) -> R = R0 ; R = aborted(E) )
    ;   '$plunit_failed'('the goal failed', [], R)
    ).
% The first option that says how the test ends decides; without one the goal must succeed.
'$plunit_expected'(Os, M, Body, R) :- member(O, Os), '$plunit_end'(O, M, Body, R0, Os), !, R0 = run(G), call(G, R).
'$plunit_expected'(Os, M, Body, R) :- '$plunit_once'(Os, M, Body, R).
% What is tested should leave no choicepoint unless it says so.
'$plunit_once'(Os, M, Body, R) :-
    call_cleanup(M:Body, Det = true), ( Det == true -> Left = no ; Left = yes ), !,
    ( Left == yes, \+ memberchk(nondet, Os) -> R = choices ; R = done ).
'$plunit_end'(O, M, Body, run('$plunit_fails'(M, Body)), _) :- ( O == fail ; O == false ).
'$plunit_end'(throws(E), M, Body, run('$plunit_throws'(E, M, Body)), _).
'$plunit_end'(exception(E), M, Body, run('$plunit_throws'(E, M, Body)), _).
'$plunit_end'(error(F), M, Body, run('$plunit_throws'(error(F, _), M, Body)), _).
'$plunit_end'(error(F, C), M, Body, run('$plunit_throws'(error(F, C), M, Body)), _).
'$plunit_end'(all(C), M, Body, run('$plunit_all'(=, C, M, Body)), _).
'$plunit_end'(bag(C), M, Body, run('$plunit_all'(msort, C, M, Body)), _).
'$plunit_end'(set(C), M, Body, run('$plunit_all'(sort, C, M, Body)), _).
'$plunit_end'(true(C), M, Body, run('$plunit_true'(C, Os, M, Body)), Os).
'$plunit_end'(O, M, Body, run('$plunit_true'(O, Os, M, Body)), Os) :- '$plunit_comparison'(O).
'$plunit_comparison'(O) :-
    compound(O), functor(O, F, 2), memberchk(F, [=, ==, =@=, =:=, \=, \==, =\=, <, >, =<, >=, @<, @>, @=<, @>=, is]).

'$plunit_true'(C, Os, M, Body, R) :-
    '$plunit_once'(Os, M, Body, R0),
    ( M:C -> R = R0 ; '$plunit_failed'('~p is not true', [C], R) ).
'$plunit_fails'(M, Body, R) :-
    ( M:Body -> '$plunit_failed'('the goal succeeded: ~p', [Body], R) ; R = done ).
'$plunit_throws'(E, M, Body, R) :-
    (   catch(M:Body, Ball, true) ->
        (   var(Ball) -> '$plunit_failed'('the goal threw nothing, not ~p', [E], R)
        ;   subsumes_term(E, Ball) -> R = done
        ;   '$plunit_failed'('the goal threw ~p, not ~p', [Ball, E], R)
        )
    ;   '$plunit_failed'('the goal failed and did not throw ~p', [E], R)
    ).
'$plunit_all'(Order, C, M, Body, R) :-
    C =.. [Op, Template, Wanted0],
    findall(Template, M:Body, Found0),
    call(Order, Found0, Found),
    ( Order == (=) -> Wanted = Wanted0 ; call(Order, Wanted0, Wanted) ),
    ( call(Op, Found, Wanted) -> R = done ; '$plunit_failed'('the solutions are ~p, not ~p', [Found, Wanted], R) ).
'$plunit_failed'(Format, Args, failed(plunit(Text))) :- format(atom(Text), Format, Args).

% run_tests/0,1: from the program itself; the units may be `Unit` or `Unit:Name`. Fails if one of the tests does, throws
% if there is no unit of that name.
run_tests :- run_tests(all).
run_tests(Units) :-
    '$plunit_list'(Units, Us),
    '$plunit_tests'(Tests),
    ( Us == [all] -> true ; forall(member(U, Us), '$plunit_known'(U, Tests)) ),
    findall(T, ( member(T, Tests), arg(1, T, Name), '$plunit_chosen'(Us, Name) ), Chosen),
    '$plunit_units'(Chosen, All),
    findall(x, member(no, All), Failed),
    length(All, N), length(Failed, F),
    ( F =:= 0 -> format(user_error, '% All ~d tests passed~n', [N]) ; format(user_error, '% ~d of ~d tests failed~n', [F, N]), fail ).
run_tests(Units, _) :- run_tests(Units).
set_test_options(_).
'$plunit_known'(U, Tests) :-
    ( U = Unit:_ -> true ; U = Unit ),
    format(atom(Begin), '~w:', [Unit]),
    (   member(T, Tests), arg(1, T, Name), sub_atom(Name, 0, _, _, Begin) -> true
    ;   format(atom(Module), 'plunit_~w', [Unit]), '$modules'(Ms), memberchk(Module, Ms) -> true
    ;   throw(error(existence_error(unit_test, Unit), run_tests/1))
    ).
'$plunit_chosen'([all], _) :- !.
'$plunit_chosen'(Us, Name) :- member(U, Us), format(atom(A), '~w', [U]), ( Name == A ; atom_concat(A, ':', B), sub_atom(Name, 0, _, _, B) ), !.
'$plunit_units'([], []).
'$plunit_units'([T|Ts], All) :-
    T = t(_, _, _, M, Test),
    '$plunit_of_unit'(Ts, M, Same, Others),
    '$unit_begin'(M, Test, none, Blocked),
    findall(Passed, ( member(One, [T|Same]), '$plunit_told'(One, Blocked, Passed) ), All0),
    ( Blocked == [] -> '$unit_end'(M, Test, none, End) ; End = [] ),
    '$plunit_tell'(T, End, Ended),
    ( Ended == yes -> All1 = All0 ; append(Before, [_], All0), append(Before, [no], All1) ),
    '$plunit_units'(Others, All2),
    append(All1, All2, All).
'$plunit_of_unit'([T|Ts], M, [T|Same], Others) :- arg(4, T, M), !, '$plunit_of_unit'(Ts, M, Same, Others).
'$plunit_of_unit'(Ts, _, [], Ts).
'$plunit_told'(T, Blocked, Passed) :-
    T = t(_, _, _, M, Test),
    ( Blocked == [] -> '$run_test'(M, Test, none, Results) ; Results = Blocked ),
    '$plunit_tell'(T, Results, Passed).
'$plunit_tell'(t(Name, File, Line, _, _), Results, Passed) :-
    findall(R, ( member(R, Results), \+ memberchk(R, [done, choices, skipped(_)]) ), Bad),
    ( Bad == [] -> Passed = yes ; Passed = no ),
    forall(( member(R, Results), '$plunit_why'(R, Why) ), format(user_error, '~w:~w: test ~w: ~w~n', [File, Line, Name, Why])).
'$plunit_why'(failed(plunit(Why)), Why) :- !.
'$plunit_why'(choices, 'the goal left a choicepoint').
'$plunit_why'(failed(Why), Text) :-
    Why =.. [Part, How], member(Part-Words, [setup-setup, cleanup-cleanup, unit_setup-'unit setup', unit_cleanup-'unit cleanup']), !,
    ( How = threw(E) -> format(atom(Text), 'the ~w threw ~p', [Words, E]) ; format(atom(Text), 'the ~w failed', [Words]) ).
'$plunit_why'(failed(Why), Why).
'$plunit_why'(aborted(E), Why) :- format(atom(Why), 'received error: ~p', [E]).
