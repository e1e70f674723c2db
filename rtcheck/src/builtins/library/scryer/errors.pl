:- module(more_errors, [can_be/2, domain_error/3, type_error/3, instantiation_error/0, call_with_error_context/2]).

% Scryer Prolog's predicates about errors, whose last argument is the context.

:- meta_predicate call_with_error_context(0, ?).

can_be(Type, X) :- ( var(X) -> true ; Type == list -> partial(X) ; Type == chars -> characters(X) ; must_be(Type, X) ).
partial(X) :- '$skip_list'(_, X, End), ( var(End) -> true ; must_be(list, X) ).
characters(X) :-
    partial(X),
    '$skip_list'(N, X, _), length(Known, N), append(Known, _, X), !,
    ( member(C, Known), nonvar(C), \+ is_of_type(char, C) -> throw(error(type_error(character, C), can_be/2)) ; true ).
domain_error(Domain, Culprit, Context) :- throw(error(domain_error(Domain, Culprit), Context)).
type_error(Type, Culprit, Context) :- throw(error(type_error(Type, Culprit), Context)).
instantiation_error :- throw(error(instantiation_error, _)).

% What the context of an error lacks is told beside it.
call_with_error_context(Goal, Context) :-
    catch(Goal, error(Error, Context0), ( var(Context0) -> throw(error(Error, [Context])) ; is_list(Context0) -> throw(error(Error, [Context|Context0])) ; throw(error(Error, [Context, predicate-Context0])) )).
