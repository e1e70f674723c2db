:- module(more_sequences, [group_by/4, reduced/1, reduced/3]).

% What SWI-Prolog's library(solution_sequences) has besides.

:- meta_predicate group_by(?, ?, 0, -), reduced(0), reduced(?, 0, ?).

% The variables of By are free in the goal, so that bagof/3 tells its solutions apart by them.
group_by(By, Template, Goal, Bag) :-
    term_variables(Goal, Vs0), term_variables(By+Template, Kept), others(Vs0, Kept, Vs),
    bagof(Template, Vs^Goal, Bag).

reduced(Goal) :- distinct(Goal).

% The table of solutions is never cut, so none comes twice.
reduced(Witness, Goal, _) :- distinct(Witness, Goal).

others([], _, []).
others([V|Vs], Kept, Others) :-
    ( member(K, Kept), K == V -> Others = Rest ; Others = [V|Rest] ),
    others(Vs, Kept, Rest).
