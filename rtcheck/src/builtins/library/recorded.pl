% The recorded database, and flags that count.

:- dynamic(system:'$record'/3).

recorda(K, V) :- recorda(K, V, _).
recorda(K, V, R) :- '$record_key'(K, Key), '$new_record'(R), asserta(system:'$record'(Key, V, R)).
recordz(K, V) :- recordz(K, V, _).
recordz(K, V, R) :- '$record_key'(K, Key), '$new_record'(R), assertz(system:'$record'(Key, V, R)).
recorded(K, V) :- recorded(K, V, _).
recorded(K, V, R) :-
    ( var(K) -> '$record'(Key, V, R), '$key_term'(Key, K) ; '$record_key'(K, Key), '$record'(Key, V, R) ).
erase(R) :-
    ( var(R) -> instantiation_error(R)
    ; '$referred_clause'(R, Id) -> '$erase'(Id)
    ; retract(system:'$record'(_, _, R)) -> true
    ; existence_error(db_reference, R)
    ).
instance(R, V) :- ( '$referred_clause'(R, Id) -> '$clause_term'(Id, V) ; '$record'(_, V, R0), R0 == R, ! ).
current_key(K) :- findall(Key, '$record'(Key, _, _), Keys0), sort(Keys0, Keys), member(Key, Keys), '$key_term'(Key, K).
% Keys are told apart by name and arity.
'$record_key'(K, N/A) :- ( var(K) -> instantiation_error(K) ; functor(K, N, A) ).
'$key_term'(N/A, K) :- functor(K, N, A).
'$new_record'('$record'(N)) :- flag('$records', N, N + 1).
flag(K, Old, New) :-
    must_be(atomic, K),
    atomic_list_concat(['$flag ', K], Key),
    ( nb_current(Key, Old0) -> true ; Old0 = 0 ),
    Old = Old0,
    Value is New,
    nb_setval(Key, Value).
% Ciao's library(counters).
setcounter(K, N) :- flag(K, _, N).
getcounter(K, N) :- flag(K, N, N).
inccounter(K, N) :- flag(K, N0, N0 + 1), N is N0 + 1.
