:- module(own_act, [p/1], [actmods]).
:- use_module(library(actmods/tmpbased_publish)).
:- use_active_module(other, [q/1]).
p(X) :- q(X).
