:- module(own_typedef, [p/1], [assertions, regtypes, functional, lazy]).
:- lazy fun_eval nums/1.
nums(N) := [N | nums(N+1)].
:- fun_eval arith(true).
:- fun_eval take/2.
take(0, _) := [].
take(N, [X|Xs]) := [X | take(N-1, Xs)] :- N > 0.
p(X) :- X = ~take(2, ~nums(0)).
:- fun_return q(~, _).
q(1, 2).
