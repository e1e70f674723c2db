:- module(own_res, [nrev/2, app/3], [assertions, regtypes, nativeprops, predefres(res_steps), resdefs]).
:- resource res_x.
:- head_cost(ub, res_x, 1).
:- literal_cost(ub, res_x, 0).
:- trust_default + cost(ub, res_x, 0).
:- entry nrev(A, B) : (list(A, num), var(B)).
:- pred nrev(A, B) : list * var => list * list + ( cost(ub, steps, exp(length(A), 2)), terminates, rsize(A, list(int)) ).
:- check comp nrev(A, B) + steps_o(exp(length(A), 2)).
nrev([], []).
nrev([X|Xs], Y) :- nrev(Xs, Y0), app(Y0, [X], Y).
app([], L, L).
app([X|Xs], L, [X|R]) :- app(Xs, L, R).
