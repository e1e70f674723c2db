:- module(si, [
    atom_si/1, integer_si/1, atomic_si/1, list_si/1, character_si/1, chars_si/1, term_si/1, dif_si/2, when_si/2]).

% Tests that are errors where their argument is not known enough, after Neumerkel's library of this name.

:- meta_predicate when_si(?, 0).

atom_si(X) :- known(X), atom(X).
integer_si(X) :- known(X), integer(X).
atomic_si(X) :- known(X), atomic(X).
known(X) :- ( var(X) -> throw(error(instantiation_error, _)) ; true ).

list_si(Xs) :- '$skip_list'(_, Xs, End), ( nonvar(End) -> End == [] ; throw(error(instantiation_error, list_si/1)) ).
character_si(C) :- known(C), atom(C), atom_length(C, 1).
chars_si(Cs) :- list_si(Cs), \+ ( member(C, Cs), nonvar(C), \+ character_si(C) ), maplist(known, Cs).
term_si(X) :- ( ground(X) -> acyclic_term(X) ; throw(error(instantiation_error, term_si/1)) ).

dif_si(X, Y) :- X \== Y, ( X \= Y -> true ; throw(error(instantiation_error, dif_si/2)) ).
when_si(Condition, Goal) :-
    when(Condition, Holds = true),
    ( Holds == true -> call(Goal) ; throw(error(instantiation_error, when_si/2)) ).
