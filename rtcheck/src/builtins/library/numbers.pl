% Numbers.

between(L, H, X) :- integer(X), !, X >= L, ( H == inf -> true ; H == infinite -> true ; X =< H ).
between(L, H, X) :- ( H == inf ; H == infinite ), !, '$from'(L, X).
between(L, H, X) :- L =< H, '$between'(L, H, X).
'$between'(L, L, X) :- !, X = L.
'$between'(L, _, L).
'$between'(L, H, X) :- L1 is L + 1, '$between'(L1, H, X).
'$from'(L, L).
'$from'(L, X) :- L1 is L + 1, '$from'(L1, X).
plus(X, Y, Z) :- ( var(Z) -> Z is X + Y ; var(Y) -> Y is Z - X ; X is Z - Y ).
