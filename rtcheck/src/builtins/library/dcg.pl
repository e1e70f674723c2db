% Grammar rules.
%
% The body of a rule becomes a goal on two lists: what is there before and what is left after. `Free` is true where
% the second list is a variable that only what follows will use: it can be made the first one at once, where nothing
% is consumed.

:- meta_predicate phrase(//, ?), phrase(//, ?, ?), call_dcg(//, ?, ?).

dcg_translate_rule(Rule, Clause) :- '$dcg_rule'(Rule, Clause).
'$dcg_rule'(Rule, _) :- var(Rule), !, instantiation_error(Rule).
'$dcg_rule'((Head --> _), _) :- var(Head), !, instantiation_error(Head).
'$dcg_rule'((Head, Pushback --> Body), (NewHead :- Goal)) :- !,
    '$dcg_nonterminal'(Head, S0, S, NewHead),
    ( '$dcg_terminals'(Pushback, S, S1, Back) -> true ; type_error(list, Pushback) ),
    '$dcg_body'(Body, S0, S1, false, Goal0),
    '$dcg_and'(Goal0, Back, Goal).
'$dcg_rule'((Head --> Body), Clause) :- !,
    '$dcg_nonterminal'(Head, S0, S, NewHead),
    '$dcg_first'(Body, S0, S, Goal),
    ( Goal == true -> Clause = NewHead ; Clause = (NewHead :- Goal) ).
'$dcg_rule'(Rule, _) :- type_error(dcg_rule, Rule).

% A list at the beginning of the body belongs to the head, where clauses are told apart by it.
'$dcg_first'(Body, S0, S, Goal) :-
    ( nonvar(Body), '$dcg_first_list'(Body, List, Rest), '$dcg_known_list'(List) ->
        append(List, S1, S0),
        ( Rest == [] -> S1 = S, Goal = true ; '$dcg_body'(Rest, S1, S, false, Goal) )
    ; '$dcg_body'(Body, S0, S, false, Goal)
    ).
'$dcg_first_list'((A, B), List, Rest) :- nonvar(A), !,
    '$dcg_first_list'(A, List, Rest0),
    ( Rest0 == [] -> Rest = B ; Rest = (Rest0, B) ).
'$dcg_first_list'(List, List, []) :- List = [_|_].
'$dcg_known_list'(List) :- is_list(List).

dcg_translate_body(Body, S0, S, Goal) :- '$dcg_body'(Body, S0, S, false, Goal).

'$dcg_body'(V, S0, S, _, phrase(V, S0, S)) :- var(V), !.
'$dcg_body'((A, B), S0, S, Free, Goal) :- !,
    '$dcg_body'(A, S0, S1, true, GoalA),
    '$dcg_body'(B, S1, S, Free, GoalB),
    '$dcg_and'(GoalA, GoalB, Goal).
'$dcg_body'((A ; B), S0, S, _, (GoalA ; GoalB)) :- !,
    '$dcg_body'(A, S0, S, false, GoalA),
    '$dcg_body'(B, S0, S, false, GoalB).
'$dcg_body'('|'(A, B), S0, S, Free, Goal) :- !, '$dcg_body'((A ; B), S0, S, Free, Goal).
'$dcg_body'((C -> T), S0, S, _, (GoalC -> GoalT)) :- !,
    '$dcg_body'(C, S0, S1, true, GoalC),
    '$dcg_body'(T, S1, S, false, GoalT).
'$dcg_body'((C *-> T), S0, S, _, (GoalC *-> GoalT)) :- !,
    '$dcg_body'(C, S0, S1, true, GoalC),
    '$dcg_body'(T, S1, S, false, GoalT).
'$dcg_body'(!, S0, S, Free, Goal) :- !, '$dcg_rest'(Free, !, S0, S, Goal).
'$dcg_body'([], S0, S, Free, Goal) :- !, '$dcg_rest'(Free, true, S0, S, Goal).
'$dcg_body'({}, S0, S, Free, Goal) :- !, '$dcg_rest'(Free, true, S0, S, Goal).
'$dcg_body'({G}, S0, S, Free, Goal) :- !,
    ( var(G) -> G1 = call(G) ; G1 = G ),
    '$dcg_rest'(Free, G1, S0, S, Goal).
'$dcg_body'(\+ B, S0, S, Free, Goal) :- !,
    '$dcg_body'(B, S0, _, true, GoalB),
    '$dcg_rest'(Free, \+ GoalB, S0, S, Goal).
'$dcg_body'(List, S0, S, _, Goal) :- '$dcg_terminals'(List, S0, S, Goal), !.
'$dcg_body'(M:B, S0, S, _, M:Goal) :- callable(B), !, '$dcg_nonterminal'(B, S0, S, Goal).
'$dcg_body'(call(G), S0, S, _, call(G, S0, S)) :- !.
'$dcg_body'(B, S0, S, _, Goal) :-
    functor(B, call, N), N > 0, !,
    '$dcg_nonterminal'(B, S0, S, Goal).
'$dcg_body'(B, S0, S, _, Goal) :- '$dcg_nonterminal'(B, S0, S, Goal).

'$dcg_rest'(true, G, S, S, G).
'$dcg_rest'(false, G, S0, S, Goal) :- '$dcg_and'(G, S0 = S, Goal).
'$dcg_and'(true, G, Goal) :- !, Goal = G.
'$dcg_and'(G, true, Goal) :- !, Goal = G.
'$dcg_and'((A, B), C, (A, G)) :- nonvar(B), !, '$dcg_and'(B, C, G).
'$dcg_and'(A, B, (A, B)).

'$dcg_terminals'(List, S0, S, Goal) :-
    nonvar(List),
    ( List = [_|_] -> is_list(List) ; List == [] ),
    append(List, S, Out),
    Goal = (S0 = Out).

'$dcg_nonterminal'(M:B, S0, S, M:Goal) :- nonvar(B), !, '$dcg_nonterminal'(B, S0, S, Goal).
'$dcg_nonterminal'(B, S0, S, Goal) :-
    ( callable(B), \+ is_list(B) -> true ; type_error(callable, B) ),
    B =.. L0,
    append(L0, [S0, S], L),
    Goal =.. L.

phrase(G, L) :- phrase(G, L, []).
phrase(G, L, R) :-
    ( var(G) -> instantiation_error(G) ; true ),
    ( callable(G) -> true ; type_error(callable, G) ),
    '$check_list'(L),
    '$check_list'(R),
    call_dcg(G, L, R).
call_dcg(M:G, S0, S) :- nonvar(G), !, '$dcg_body'(G, S1, S2, false, Goal), S1 = S0, S2 = S, call(M:Goal).
call_dcg(G, S0, S) :- '$dcg_body'(G, S1, S2, false, Goal), S1 = S0, S2 = S, call(Goal).
