% Rules with `=>`: the head is matched with the call, which stays as it is, and the first rule whose head matches and
% whose guard holds is the only one. What a clause has in its head is tested in front of its cut.

'$matching_rule'((Head0 => Body0), (Head :- Body)) :-
    '$rule_guard'(Head0, Head1, Guard),
    '$rule_module'(Head1, Head2, Head, NewHead),
    callable(Head2),
    Head2 =.. [F|As],
    '$match_arguments'(As, Vs, [], _, Tests, [Guard, !, Body0]),
    NewHead =.. [F|Vs],
    '$rule_body'(Tests, Body).
'$rule_guard'(Head, Head, true) :- var(Head), !.
'$rule_guard'((Head, Guard), Head, Guard) :- !.
'$rule_guard'(Head, Head, true).
'$rule_module'(Head, Head, NewHead, NewHead) :- var(Head), !.
'$rule_module'(M:Head, Head1, M:Outer, NewHead) :- !, '$rule_module'(Head, Head1, Outer, NewHead).
'$rule_module'(Head, Head, NewHead, NewHead).
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
