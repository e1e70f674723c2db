% What the top level does with a query: `$Name` is what Name was in an answer before, and functions of dicts are goals in
% front of the goal that has them. Goals of Ciao's traits are what they are in texts.

'$expanded_query'(Query0, Names, Query) :-
    '$with_old_answers'(Query0, Names, Query1),
    ( '$defined'(traits:goal(_, _, _)) -> '$expand_goals'(Query1, ['$translation'(traits, goal, 3, user)], Query2) ; Query2 = Query1 ),
    ( user:'$with_functions'((:- Query2), user, (:- Query3)) -> Query = Query3 ; Query = Query2 ).

'$with_old_answers'(Term, _, New) :- \+ compound(Term), !, New = Term.
'$with_old_answers'($(V), Names, New) :- var(V), member(Name=W, Names), W == V, !,
    atom_concat('$answer ', Name, Key),
    ( nb_current(Key, Value) -> V = Value, New = Value ; atom_concat($, Name, Asked), existence_error(answer, Asked) ).
'$with_old_answers'(Term, Names, New) :-
    compound_name_arguments(Term, F, As0), '$all_with_old_answers'(As0, Names, As), compound_name_arguments(New, F, As).
'$all_with_old_answers'([], _, []).
'$all_with_old_answers'([A0|As0], Names, [A|As]) :-
    '$with_old_answers'(A0, Names, A), '$all_with_old_answers'(As0, Names, As).

'$keep_answers'([]).
'$keep_answers'([Name=Value|Answers]) :-
    ( term_attvars(Value, []) -> atom_concat('$answer ', Name, Key), nb_setval(Key, Value) ; true ),
    '$keep_answers'(Answers).
