% Clauses of dynamic predicates.

:- meta_predicate
    assert(:), asserta(:), assertz(:), retract(:), retractall(:), abolish(:), clause(:, ?), dynamic(:),
    discontiguous(:).

clause(Q, B) :- '$clauses'(Q, access, Ids), '$strip_module'(Q, _, H), member(Id, Ids), '$clause_term'(Id, (H :- B)).
retract(Q) :-
    '$qualified_clause'(Q, M, H, B),
    '$clauses'(M:H, modify, Ids), member(Id, Ids), '$clause_term'(Id, (H :- B)), '$erase'(Id).
retractall(Q) :-
    '$strip_module'(Q, M, H),
    ( '$defined'(Q) -> true ; functor(H, N, A), '$dynamic'(M:N/A) ),
    '$clauses'(Q, modify, Ids),
    '$retract_all'(Ids, H).
'$qualified_clause'(Q, M, H, B) :-
    '$strip_module'(Q, M0, C),
    ( nonvar(C), C = (H0 :- B) -> true ; H0 = C, B = true ),
    '$strip_module'(M0:H0, M, H).
'$retract_all'([], _).
'$retract_all'([Id|Ids], H) :-
    ( \+ '$clause_term'(Id, (H :- _)) -> true ; '$erase'(Id) -> true ; true ),
    '$retract_all'(Ids, H).
abolish(Q) :- '$strip_module'(Q, M, N/A), functor(H, N, A), retractall(M:H).
dynamic(Specs) :- '$dynamic_all'(Specs).
'$dynamic_all'(V) :- var(V), !, throw(error(instantiation_error, _)).
'$dynamic_all'([]) :- !.
'$dynamic_all'([S|Ss]) :- !, '$dynamic_all'(S), '$dynamic_all'(Ss).
'$dynamic_all'((A, B)) :- !, '$dynamic_all'(A), '$dynamic_all'(B).
'$dynamic_all'(M:Ss) :- nonvar(Ss), '$dynamic_all'(Ss, M), !.
'$dynamic_all'(S) :- '$dynamic'(S).
'$dynamic_all'([], _).
'$dynamic_all'([S|Ss], M) :- '$dynamic_all'(M:S), '$dynamic_all'(M:Ss).
'$dynamic_all'((A, B), M) :- '$dynamic_all'(M:A), '$dynamic_all'(M:B).
discontiguous(_).
