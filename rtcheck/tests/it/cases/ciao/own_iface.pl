:- module(own_iface, [hook_call/2, pp/1], [assertions, hiord]).
:- multifile user_hook/2.
:- doc(user_hook/2, "multifile").
:- pred user_hook(A, B) => (atm(A), term(B)) # "A hook.".
:- dynamic user_hook/2.
:- multifile user:hooked/0.
:- discontiguous pp/1.
:- redefining(append/3).
hook_call(A, B) :- user_hook(A, B).
append(_, _, _).
pp(X) :- \+ X = 1, !.
pp(X) :- X \= 2, \+ (X = 3), ( X == 4 ; X == 5 ), !.
pp(_) :- append(_, _, _).
