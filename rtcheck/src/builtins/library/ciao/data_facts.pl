:- module(ciao_data_facts,
    [asserta_fact/1, asserta_fact/2, assertz_fact/1, assertz_fact/2, current_fact/1, current_fact/2,
     current_fact_nb/1, current_fact_nb/2, retract_fact/1, retract_fact_nb/1, retractall_fact/1, set_fact/1,
     open_predicate/1, close_predicate/1, data/1, concurrent/1]).

% Ciao's facts of `data` and `concurrent` predicates. No call waits for facts to come, so that those with `_nb` are
% the same as the others, and predicates need not be opened and closed.

:- meta_predicate
    asserta_fact(:), asserta_fact(:, ?), assertz_fact(:), assertz_fact(:, ?), current_fact(:), current_fact(:, ?),
    current_fact_nb(:), current_fact_nb(:, ?), retract_fact(:), retract_fact_nb(:), retractall_fact(:), set_fact(:),
    open_predicate(:), close_predicate(:), data(:), concurrent(:).

% As declarations while the program runs.
data(Specs) :- dynamic(Specs).
concurrent(Specs) :- dynamic(Specs).

asserta_fact(Fact) :- asserta(Fact).
asserta_fact(Fact, Reference) :- asserta(Fact, Reference).
assertz_fact(Fact) :- assertz(Fact).
assertz_fact(Fact, Reference) :- assertz(Fact, Reference).
current_fact(Fact) :- clause(Fact, true).
current_fact(Fact, Reference) :- clause(Fact, true, Reference).
current_fact_nb(Fact) :- clause(Fact, true).
current_fact_nb(Fact, Reference) :- clause(Fact, true, Reference).
retract_fact(Fact) :- retract(Fact).
retract_fact_nb(Fact) :- retract(Fact).
retractall_fact(Fact) :- retractall(Fact).

% The only fact of its predicate from now on.
set_fact(Module:Fact) :-
    functor(Fact, Name, Arity),
    functor(Any, Name, Arity),
    retractall(Module:Any),
    assertz(Module:Fact).

open_predicate(_).
close_predicate(_).
