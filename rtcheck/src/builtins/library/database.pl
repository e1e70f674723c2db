% Clauses of dynamic predicates. Clauses are looked for one after the other, as they were when the search began; a
% search ends without a choicepoint where indexing shows that no other clause can match.

:- meta_predicate
    assert(:), asserta(:), assertz(:), retract(:), retractall(:), abolish(:), clause(:, ?), dynamic(:), dynamic(:, ?),
    discontiguous(:), abolish(:, ?), assert(:, ?), asserta(:, ?), assertz(:, ?), clause(:, ?, ?), nth_clause(:, ?, ?),
    transaction(0), transaction(0, +), transaction(0, 0, +), snapshot(0), rule(:, ?), rule(:, ?, ?).

clause(Q, B) :-
    ( var(B) -> true ; callable(B) -> true
    ; '$strip_module'(Q, _, Head), must_be(callable, Head), type_error(callable, B)
    ),
    (   '$open_clauses'(Q, Clauses) ->
        '$strip_module'(Q, _, H),
        '$listed_clause'(Clauses, H, B)
    ;   '$first_clause'(Q, access, Generation, First),
        '$strip_module'(Q, _, H),
        '$some_clause'(First, Generation, H, Id),
        '$clause_term'(Id, (H :- B))
    ).
% Clauses of static predicates, from what their text says.
'$listed_clause'([C], H, B) :- !, '$clause_parts'(C, H, B).
'$listed_clause'([C|_], H, B) :- '$clause_parts'(C, H, B).
'$listed_clause'([_|Cs], H, B) :- '$listed_clause'(Cs, H, B).
'$clause_parts'(C, H, B) :- ( C = (H0 :- B0) -> '$shown_body'(B0, B1), H = H0, B = B1 ; H = C, B = true ).
% References to clauses. One that is erased stands for nothing.
clause(Q, B, R) :-
    ( var(B) -> true ; callable(B) -> true ; type_error(callable, B) ),
    (   '$static_reference'(R, M, H1, C) ->
        '$clause_parts'(C, H1, B),
        '$referred_head'(Q, M, H1)
    ;   nonvar(R) ->
        '$known_reference'(R, Id),
        '$clause_predicate'(Id, M, _, _),
        '$referred_head'(Q, M, H),
        '$clause_term'(Id, (H :- B))
    ;   '$all_clauses'(Q, M, Name/Arity, Clauses) ->
        '$strip_module'(Q, _, H),
        nth1(I, Clauses, C),
        '$clause_parts'(C, H, B),
        R = '$clause'(M:Name/Arity, I)
    ;   '$first_clause'(Q, access, Generation, First),
        '$strip_module'(Q, _, H),
        '$some_clause'(First, Generation, H, Id),
        '$clause_term'(Id, (H :- B)),
        '$clause_reference'(Id, R)
    ).
'$known_reference'(R, Id) :-
    ( R = '$clause'(_, _) -> '$referred_clause'(R, Id) ; R = '$record'(_) -> fail ; type_error(db_reference, R) ).
'$referred_head'(Q, M, H) :- '$strip_module'(Q, M0, H0), ( var(H0), M \== M0 -> H0 = M:H ; H0 = H ).
% A clause of a static predicate is the one of that number, as long as the predicate has so many.
'$static_reference'(R, M, H, C) :-
    nonvar(R), R = '$clause'(M:Name/Arity, I), integer(I), atom(Name), integer(Arity),
    functor(H, Name, Arity), functor(Any, Name, Arity),
    '$open_clauses'(M:Any, Clauses), nth1(I, Clauses, C), !.
'$all_clauses'(Q, M, Name/Arity, Clauses) :-
    '$strip_module'(Q, M, H),
    callable(H), functor(H, Name, Arity), functor(Any, Name, Arity),
    '$open_clauses'(M:Any, Clauses).
% The clauses of a predicate by number.
nth_clause(Q, N, R) :-
    (   '$static_reference'(R, M, H, _) ->
        '$referred_head'(Q, M, H),
        R = '$clause'(_, N)
    ;   nonvar(R) ->
        '$known_reference'(R, Id),
        '$clause_predicate'(Id, M, Name, Arity),
        functor(H, Name, Arity),
        '$referred_head'(Q, M, H),
        '$nth_clause'(M:H, N, Id0), Id0 =:= Id, !
    ;   '$strip_module'(Q, M, H0),
        must_be(callable, H0),
        '$all_clauses'(Q, _, Indicator, Clauses) ->
        nth1(N, Clauses, _),
        R = '$clause'(M:Indicator, N)
    ;   '$strip_module'(Q, M, H0),
        functor(H0, Name, Arity), functor(H, Name, Arity),
        ( integer(N) -> '$nth_clause'(M:H, N, Id), ! ; '$nth_clause'(M:H, N, Id) ),
        '$clause_reference'(Id, R)
    ).
'$nth_clause'(M:H, N, Id) :-
    '$first_clause'(M:H, access, Generation, First),
    findall(Id0, ( '$some_clause'(First, Generation, H, Found), Id0 is Found /\ 0xffffffff ), Ids),
    nth1(N, Ids, Id).
clause_property(R, P) :-
    '$static_reference'(R, M, H, C), !,
    functor(H, Name, Arity), '$clause_parts'(C, _, B),
    ( P = predicate(M:Name/Arity) ; P = module(M) ; B == true, P = fact ).
clause_property(R, P) :-
    '$known_reference'(R, Id),
    '$clause_predicate'(Id, M, Name, Arity),
    '$clause_term'(Id, (_ :- B)),
    ( P = predicate(M:Name/Arity) ; P = module(M) ; B == true, P = fact ).
retract(Q) :-
    '$qualified_clause'(Q, M, H, B),
    '$first_clause'(M:H, modify, Generation, First),
    '$some_clause'(First, Generation, H, Id),
    '$clause_term'(Id, (H :- B)),
    '$erase'(Id).
'$some_clause'(First, Generation, H, Id) :-
    ( '$next_clause'(First, Generation, H, Next) -> '$some_clause'(First, Next, Generation, H, Id) ; Id = First ).
'$some_clause'(Id, _, _, _, Id).
'$some_clause'(_, Next, Generation, H, Id) :- '$some_clause'(Next, Generation, H, Id).
retractall(Q) :-
    '$strip_module'(Q, M, H),
    ( '$defined'(Q) -> true
    ; must_be(callable, H), functor(H, N, A), '$dynamic'(M:N/A)
    ),
    ( '$first_clause'(Q, modify, Generation, First), '$some_clause'(First, Generation, H, Id),
      '$clause_head'(Id, H), '$erase'(Id), fail
    ; true
    ).
'$qualified_clause'(Q, M, H, B) :-
    '$strip_module'(Q, M0, C),
    ( nonvar(C), C = (H0 :- B) -> true ; H0 = C, B = true ),
    '$strip_module'(M0:H0, M, H).
abolish(Q) :-
    '$strip_module'(Q, M, PI),
    ( var(PI) -> instantiation_error(PI)
    ; PI = N/A -> ( ( var(N) ; var(A) ) -> instantiation_error(PI) ; true )
    ; type_error(predicate_indicator, PI)
    ),
    '$abolish'(M:N/A).
abolish(Q, A) :- '$strip_module'(Q, M, N), abolish(M:N/A).
dynamic(Specs) :- '$dynamic_all'(Specs).
% dynamic(ListOfIndicators, Options).
dynamic(Specs, Options) :-
    must_be(list, Options),
    '$dynamic_all'(Specs),
    ( member(O, Options), subsumes_term(O, incremental(true)), O = incremental(true) -> '$incremental_all'(Specs) ; true ).
'$dynamic_all'(V) :- var(V), !, instantiation_error(V).
'$dynamic_all'([]) :- !.
'$dynamic_all'([S|Ss]) :- !, '$dynamic_all'(S), '$dynamic_all'(Ss).
'$dynamic_all'((A, B)) :- !, '$dynamic_all'(A), '$dynamic_all'(B).
'$dynamic_all'(S as As) :- !, '$dynamic_all'(S as As, user).
'$dynamic_all'(M:Ss) :- nonvar(Ss), '$dynamic_all'(Ss, M), !.
'$dynamic_all'(S) :- '$dynamic'(S).
'$dynamic_all'([], _).
'$dynamic_all'([S|Ss], M) :- '$dynamic_all'(M:S), '$dynamic_all'(M:Ss).
'$dynamic_all'((A, B), M) :- '$dynamic_all'(M:A), '$dynamic_all'(M:B).
% What `as` says: tables depend on the clauses.
'$dynamic_all'(S as As, M) :- '$dynamic_all'(M:S), ( '$dynamic_as'(As) -> '$incremental_all'(M:S) ; true ).
'$dynamic_as'(As) :- nonvar(As), ( As = (A, B) -> ( '$dynamic_as'(A) -> true ; '$dynamic_as'(B) ) ; memberchk(As, [incremental, monotonic]) ).
'$incremental_all'(Specs) :- '$strip_module'(Specs, M, Ss), '$incremental_all'(Ss, M).
'$incremental_all'([], _) :- !.
'$incremental_all'([S|Ss], M) :- !, '$incremental_all'(M:S), '$incremental_all'(M:Ss).
'$incremental_all'((A, B), M) :- !, '$incremental_all'(M:A), '$incremental_all'(M:B).
'$incremental_all'(S, M) :- '$incremental'(M:S).
discontiguous(_).

% What a goal changes in the database lasts if it succeeds, or not at all.
transaction(G) :-
    '$begin_transaction'(Outer),
    (   catch(G, E, true) -> ( var(E) -> '$commit'(Outer) ; '$roll_back'(Outer), throw(E) )
    ;   '$roll_back'(Outer), fail
    ).
transaction(G, _) :- transaction(G).
transaction(G, Constraint, _) :- transaction(( once(G), Constraint )).
snapshot(G) :-
    '$begin_transaction'(Outer),
    (   catch(G, E, true) -> '$roll_back'(Outer), ( var(E) -> true ; throw(E) )
    ;   '$roll_back'(Outer), fail
    ).
% rule(Head, Rule, Reference): a clause as it was written, a fact without a body.
rule(H, R) :- rule(H, R, _).
rule(Q, R, Ref) :-
    '$strip_module'(Q, _, H), clause(Q, B, Ref), ( B == true -> R = H ; R = (H :- B) ).
