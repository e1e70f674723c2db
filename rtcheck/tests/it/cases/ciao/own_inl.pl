:- module(own_inl, [p/1], [inliner, assertions]).
:- inline q/1.
:- unfold r/2.
p(X) :- q(X).
q(1).
