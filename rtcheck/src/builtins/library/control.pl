% Control: what call/1 does with control constructs, and predicates over goals.

:- meta_predicate
    ','(0, 0), ;(0, 0), ->(0, 0), *->(0, 0), \+(0), not(0), if(0, 0, 0), once(0), ignore(0), apply(:, ?),
    call_cleanup(0, 0), undo(0), setup_call_cleanup(0, 0, 0), setup_call_catcher_cleanup(0, 0, ?, 0), catch_with_backtrace(0, ?, 0),
    call(0), call(1, ?), call(2, ?, ?), call(3, ?, ?, ?), call(4, ?, ?, ?, ?), call(5, ?, ?, ?, ?, ?),
    call(6, ?, ?, ?, ?, ?, ?), call(7, ?, ?, ?, ?, ?, ?, ?),
    call(8, ?, ?, ?, ?, ?, ?, ?, ?),
    call(9, ?, ?, ?, ?, ?, ?, ?, ?, ?),
    call(10, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
    call(11, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
    call(12, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
    call(13, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
    call(14, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
    call(15, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
    catch(0, ?, 0), '$exec'(0, ?), at_halt(0),
    reset(0, ?, ?).

:- dynamic(system:'$at_halt'/1).

% Interpretation of control constructs that are met in call/1. L is the choicepoint a cut returns to. Those of a
% module other than user keep it in front of their parts.
'$exec'(V, _) :- var(V), !, call(V).
'$exec'(M:G, L) :- nonvar(G), !, '$exec'(G, M, L).
'$exec'((A, B), L) :- !, '$exec'(A, L), '$exec'(B, L).
'$exec'(!, L) :- !, '$cut'(L).
'$exec'((C -> T ; E), L) :- !, ( call(C) -> '$exec'(T, L) ; '$exec'(E, L) ).
'$exec'((C *-> T ; E), L) :- !, ( call(C) *-> '$exec'(T, L) ; '$exec'(E, L) ).
'$exec'((A ; B), L) :- !, ( '$exec'(A, L) ; '$exec'(B, L) ).
'$exec'((C -> T), L) :- !, ( call(C) -> '$exec'(T, L) ).
'$exec'((C *-> T), L) :- !, call(C), '$exec'(T, L).
'$exec'(\+ G, _) :- !, \+ call(G).
'$exec'(G, _) :- call(G).

'$exec'((A, B), M, L) :- !, '$exec'(M:A, L), '$exec'(M:B, L).
'$exec'(!, _, L) :- !, '$cut'(L).
'$exec'((C -> T ; E), M, L) :- !, ( call(M:C) -> '$exec'(M:T, L) ; '$exec'(M:E, L) ).
'$exec'((C *-> T ; E), M, L) :- !, ( call(M:C) *-> '$exec'(M:T, L) ; '$exec'(M:E, L) ).
'$exec'((A ; B), M, L) :- !, ( '$exec'(M:A, L) ; '$exec'(M:B, L) ).
'$exec'((C -> T), M, L) :- !, ( call(M:C) -> '$exec'(M:T, L) ).
'$exec'((C *-> T), M, L) :- !, call(M:C), '$exec'(M:T, L).
'$exec'(\+ G, M, _) :- !, \+ call(M:G).
'$exec'(M:G, _, L) :- !, '$exec'(M:G, L).
'$exec'(G, M, _) :- call(M:G).

','(A, B) :- call((A, B)).
;(A, B) :- call((A ; B)).
->(A, B) :- call((A -> B)).
*->(A, B) :- call((A *-> B)).
\+(G) :- \+ call(G).
! .
not(G) :- \+ call(G).
if(C, T, E) :- ( call(C) *-> call(T) ; call(E) ).
once(G) :- call(G), !.
ignore(G) :- ( call(G) -> true ; true ).
repeat.
repeat :- repeat.
apply(M:G, Extra) :- !, must_be(callable, G), G =.. L0, append(L0, Extra, L), G2 =.. L, call(M:G2).
apply(G, Extra) :- must_be(callable, G), G =.. L0, append(L0, Extra, L), G2 =.. L, call(G2).

% The catcher is unified with why the goal is done; the cleanup runs if it is equal.
setup_call_cleanup(Setup, Goal, Cleanup) :-
    once(Setup),
    '$with_cleanup'(Goal, _, Cleanup).
setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    once(Setup),
    '$with_cleanup'(Goal, Catcher, Cleanup).
call_cleanup(Goal, Cleanup) :- '$with_cleanup'(Goal, _, Cleanup).
'$with_cleanup'(_, _, Cleanup) :- '$strip_module'(Cleanup, _, Goal), var(Goal), !, instantiation_error(Goal).
'$with_cleanup'(Goal, Catcher, Cleanup) :-
    '$push_cleanup'(Catcher-Cleanup, Position),
    call(Goal),
    '$leave_cleanup'(Position, Done),
    ( Done == true -> '$clean_up'(Catcher-Cleanup, exit) ; true ).
'$clean_up'(Catcher-Cleanup, Reason) :- ( Catcher = Reason, call(Cleanup) -> true ; true ).
'$fail_cleanup'(What) :- '$clean_up'(What, fail), fail.
catch_with_backtrace(Goal, Catcher, Recovery) :- catch(Goal, Catcher, Recovery).

% undo(Goal): a copy of the goal runs once when backtracking, or an exception, passes this moment; a cut keeps it.
undo(Q) :- '$strip_module'(Q, M, G), must_be(callable, G), '$push_undo'(M:G).
'$run_undone' :- '$undone'(Gs), '$run_each_undone'(Gs), fail.
'$run_each_undone'([]).
'$run_each_undone'([G|Gs]) :-
    catch(ignore(G), E, true),
    '$run_each_undone'(Gs),
    ( nonvar(E) -> throw(E) ; true ).

% Goals for the end of the program, in the order in which they were given.
at_halt(G) :- must_be(callable, G), assertz(system:'$at_halt'(G)).
'$run_at_halt' :- retract(system:'$at_halt'(G)), catch(ignore(G), E, print_message(error, E)), fail.
'$run_at_halt'.

% SWI-Prolog's determinism: of predicates (`:- det p/1`) and of goals (`$Goal`).
:- meta_predicate $(0).
$(Goal) :- '$strip_module'(Goal, _, Culprit), '$det'(Culprit, Goal, goal).
($).
'$det_wrapper'(M, Spec, Name, (Head :- '$det'(Culprit, M:Goal, property))) :-
    functor(Spec, F, N), functor(Head, F, N), Head =.. [F|As], Goal =.. [Name|As],
    ( M == user -> Culprit = F/N ; Culprit = M:F/N ).
'$det'(Culprit, Goal, Kind) :-
    (   '$level'(Before), call(Goal), '$level'(Behind)
    ->  ( Behind =:= Before -> true ; throw(error(determinism_error(Culprit, det, nondet, Kind), _)) )
    ;   throw(error(determinism_error(Culprit, det, fail, Kind), _))
    ).

% Calls that wait while all arguments at a `-` of one of the heads are free.
'$block_wrapper'(M, Specs, Name, (Head :- Body)) :-
    Specs = [Spec|_], functor(Spec, F, N), functor(Head, F, N), Head =.. [F|As], Goal =.. [Name|As],
    '$block_conditions'(Specs, As, true, Condition),
    ( Condition == true -> Body = M:Goal ; Body = when(Condition, M:Goal) ).
'$block_conditions'([], _, C, C).
'$block_conditions'([Spec|Specs], As, C0, C) :-
    Spec =.. [_|Modes],
    '$block_any'(Modes, As, none, Any),
    ( Any == none -> C1 = C0 ; C0 == true -> C1 = Any ; C1 = (C0, Any) ),
    '$block_conditions'(Specs, As, C1, C).
'$block_any'([], [], Any, Any).
'$block_any'([Mode|Modes], [A|As], Any0, Any) :-
    (   Mode == (-) -> ( Any0 == none -> Any1 = nonvar(A) ; Any1 = (Any0 ; nonvar(A)) )
    ;   memberchk(Mode, [?, +]), Any1 = Any0
    ),
    '$block_any'(Modes, As, Any1, Any).
