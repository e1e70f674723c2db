% Clauses of dynamic predicates.

clause(H, B) :- '$clauses'(H, access, Ids), member(Id, Ids), '$clause_term'(Id, (H :- B)).
retract(C) :-
    ( C = (H :- B) -> true ; H = C, B = true ),
    '$clauses'(H, modify, Ids), member(Id, Ids), '$clause_term'(Id, (H :- B)), '$erase'(Id).
retractall(H) :-
    functor(H, N, A),
    ( '$defined'(N, A) -> true ; '$dynamic'(N/A) ),
    '$clauses'(H, modify, Ids),
    '$retract_all'(Ids, H).
'$retract_all'([], _).
'$retract_all'([Id|Ids], H) :-
    ( \+ '$clause_term'(Id, (H :- _)) -> true ; '$erase'(Id) -> true ; true ),
    '$retract_all'(Ids, H).
abolish(N/A) :- functor(H, N, A), retractall(H).
dynamic(Specs) :- '$dynamic_all'(Specs).
'$dynamic_all'(V) :- var(V), !, throw(error(instantiation_error, _)).
'$dynamic_all'([]) :- !.
'$dynamic_all'([S|Ss]) :- !, '$dynamic_all'(S), '$dynamic_all'(Ss).
'$dynamic_all'((A, B)) :- !, '$dynamic_all'(A), '$dynamic_all'(B).
'$dynamic_all'(S) :- '$dynamic'(S).
discontiguous(_).
