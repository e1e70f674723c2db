% Rules with `=>`: the head is matched with the call, which stays as it is, and the first rule whose head matches and
% whose guard holds is the only one. What a clause has in its head is tested in front of its cut.

% A rule with `?=>` does not commit to itself.
'$matching_rule'((Head => Body), Clause) :- '$rule_clause'(Head, [!, Body], Clause).
'$matching_rule'('?=>'(Head, Body), Clause) :- '$rule_clause'(Head, [Body], Clause).
'$rule_clause'(Head0, Rest, (Head :- Body)) :-
    '$rule_guard'(Head0, Head1, Guard0),
    '$rule_module'(Head1, Head2, Head, NewHead),
    callable(Head2),
    Head2 =.. [F|As],
    '$guard_matches'(Guard0, As, [], _, Guard, Matches, []),
    '$match_arguments'(As, Vs, [], Seen, Tests, Tests1),
    '$match_all'(Matches, Seen, Tests1, [Guard|Rest]),
    NewHead =.. [F|Vs],
    '$rule_body'(Tests, Body).
'$rule_guard'(Head, Head, true) :- var(Head), !.
'$rule_guard'((Head, Guard), Head, Guard) :- !.
'$rule_guard'(Head, Head, true).
'$rule_module'(Head, Head, NewHead, NewHead) :- var(Head), !.
'$rule_module'(M:Head, Head1, M:Outer, NewHead) :- !, '$rule_module'(Head, Head1, Outer, NewHead).
'$rule_module'(Head, Head, NewHead, NewHead).
% A goal `X = Term` of the guard with an argument of the head that no goal before it speaks of belongs to the head: it
% matches, too.
'$guard_matches'(G, _, Used, [G|Used], G, Ms, Ms) :- var(G), !.
'$guard_matches'((A0, B0), As, Used0, Used, G, Ms0, Ms) :- !,
    '$guard_matches'(A0, As, Used0, Used1, A, Ms0, Ms1),
    '$guard_matches'(B0, As, Used1, Used, B, Ms1, Ms),
    ( A == true -> G = B ; B == true -> G = A ; G = (A, B) ).
'$guard_matches'(G, As, Used, [G|Used], true, [X-T|Ms], Ms) :-
    ( G = (X = T) ; G = (T = X) ), var(X), nonvar(T),
    '$occurs_among'(As, X), term_variables(Used, Vs), \+ '$occurs_among'(Vs, X), !.
'$guard_matches'(G, _, Used, [G|Used], G, Ms, Ms).
'$match_all'([], _, Tests, Tests).
'$match_all'([X-T|Ms], Seen0, Tests0, Tests) :-
    '$match'(T, X, Seen0, Seen, Tests0, Tests1),
    '$match_all'(Ms, Seen, Tests1, Tests).
'$rule_body'([G], G) :- !.
'$rule_body'([true|Gs], B) :- !, '$rule_body'(Gs, B).
'$rule_body'([G|Gs], (G, B)) :- '$rule_body'(Gs, B).

% Of each argument: the variable or skeleton in its place, and the tests that it takes. Seen are the variables of the
% head so far.
'$match_arguments'([], [], Seen, Seen, Tests, Tests).
'$match_arguments'([A|As], [V|Vs], Seen0, Seen, Tests0, Tests) :-
    '$match'(A, V, Seen0, Seen1, Tests0, Tests1),
    '$match_arguments'(As, Vs, Seen1, Seen, Tests1, Tests).
'$match'(A, V, Seen0, Seen, Tests0, Tests) :- var(A), !,
    ( '$occurs_among'(Seen0, A) -> Seen = Seen0, Tests0 = [V == A|Tests]
    ; V = A, Seen = [A|Seen0], Tests0 = Tests
    ).
'$match'(A, V, Seen, Seen, [V == A|Tests], Tests) :- atomic(A), !.
'$match'(A, V, Seen0, Seen, [nonvar(V), V = Skeleton|Tests0], Tests) :-
    compound_name_arguments(A, F, As),
    '$match_arguments'(As, Vs, Seen0, Seen, Tests0, Tests),
    compound_name_arguments(Skeleton, F, Vs).

'$no_matching_rule'(Goal) :- throw(error(existence_error(matching_rule, Goal), _)).
