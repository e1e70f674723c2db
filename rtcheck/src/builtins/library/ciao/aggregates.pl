:- module(ciao_aggregates, [(^)/2]).

% What Ciao's library(aggregates) has besides, for programs that import it.

:- meta_predicate ^(?, 0).

% Where nothing collects solutions by the free variables of the goal, the variable in front says nothing.
_ ^ Goal :- call(Goal).
