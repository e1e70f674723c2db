% Ciao's package andprolog: goals that may run at the same time. Here they run one after the other.
:- module(andprolog, [(&)/2, (&>)/2, (<&)/1, op(950, xfy, &), op(950, xfx, &>), op(950, xf, <&)]).

:- meta_predicate &(0, 0), &>(0, ?).

A & B :- call(A), call(B).

% A goal that is begun, and waited for: it runs when somebody waits for it.
Goal &> begun(Goal).
begun(Goal) <& :- call(Goal).
