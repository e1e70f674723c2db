:- module(own_types, [stack/1, push/3, expr/1, eval/2, env/1], [assertions, regtypes, hiord]).
:- regtype stack(S) # "@var{S} is a stack.".
stack([]).
stack([_|S]) :- stack(S).
:- regtype expr/1.
expr(X) :- num(X).
expr(A + B) :- expr(A), expr(B).
expr(A * B) :- expr(A), expr(B).
expr(- A) :- expr(A).
:- regtype env(E).
env(E) :- list(E, binding).
:- regtype binding(B).
binding(N = V) :- atm(N), num(V).
:- pred push(S0, X, S) : stack(S0) => stack(S).
push(S, X, [X|S]).
:- pred eval(E, V) : expr(E) => num(V).
eval(X, X) :- number(X).
eval(A+B, V) :- eval(A, VA), eval(B, VB), V is VA+VB.
eval(A*B, V) :- eval(A, VA), eval(B, VB), V is VA*VB.
eval(-A, V) :- eval(A, VA), V is -VA.
