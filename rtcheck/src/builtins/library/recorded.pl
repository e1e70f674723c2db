% The recorded database, and flags that count.

% '$record'(Name, Arity, Value, Number): keys are told apart by name and arity. Each is an argument, so that records are
% found by their keys and by their numbers.
:- dynamic(system:'$record'/4).

recorda(K, V) :- recorda(K, V, _).
recorda(K, V, R) :- '$record_key'(K, N, A), '$new_record'(R, I), asserta(system:'$record'(N, A, V, I)).
recordz(K, V) :- recordz(K, V, _).
recordz(K, V, R) :- '$record_key'(K, N, A), '$new_record'(R, I), assertz(system:'$record'(N, A, V, I)).
recorded(K, V) :- recorded(K, V, _).
recorded(K, V, R) :-
    R = '$record'(I),
    ( var(K) -> '$record'(N, A, V, I), functor(K, N, A) ; '$record_key'(K, N, A), '$record'(N, A, V, I) ).
erase(R) :-
    ( var(R) -> instantiation_error(R)
    ; '$referred_clause'(R, Id) -> '$erase'(Id)
    ; R = '$record'(I), integer(I), retract(system:'$record'(_, _, _, I)) -> true
    ; '$was_reference'(R) -> fail
    ; type_error(db_reference, R)
    ).
% Of something that is erased.
'$was_reference'('$record'(I)) :- integer(I).
'$was_reference'('$clause'(N, B)) :- integer(N), integer(B).
instance(R, V) :-
    ( '$referred_clause'(R, Id) -> '$clause_term'(Id, V) ; nonvar(R), R = '$record'(I), integer(I), '$record'(_, _, V, I), ! ).
current_key(K) :- findall(N/A, '$record'(N, A, _, _), Keys0), sort(Keys0, Keys), member(N/A, Keys), functor(K, N, A).
'$record_key'(K, N, A) :- ( var(K) -> instantiation_error(K) ; functor(K, N, A) ).
'$new_record'('$record'(I), I) :- flag('$records', I, I + 1).
flag(K, Old, New) :-
    must_be(atomic, K),
    atomic_list_concat(['$flag ', K], Key),
    ( '$shared'(Key, _-Old0) -> true ; Old0 = 0 ),
    Old = Old0,
    Value is New,
    '$share'(Key, K-Value).
% Ciao's library(counters).
setcounter(K, N) :- flag(K, _, N).
getcounter(K, N) :- flag(K, N, N).
inccounter(K, N) :- flag(K, N0, N0 + 1), N is N0 + 1.
