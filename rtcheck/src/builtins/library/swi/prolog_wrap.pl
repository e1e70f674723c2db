% SWI-Prolog's library(prolog_wrap): goals around the calls of a predicate, while it stays what it is to assert/1, retract/1,
% clause/2 and listing/1. The outermost is the one that was added last.
:- module(prolog_wrap, [wrap_predicate/4, unwrap_predicate/2, current_predicate_wrapper/4]).

:- meta_predicate wrap_predicate(:, +, -, +), unwrap_predicate(:, ?), current_predicate_wrapper(:, -, -, -).

% wrapper(Module, Name/Arity, Wrapper, Number), the innermost first.
:- dynamic wrapper/4.

wrap_predicate(Module:Head, Wrapper, Wrapped, Body) :-
    must_be(callable, Head), must_be(atom, Wrapper),
    functor(Head, Name, Arity), Head =.. [_|Arguments], same_length(Arguments, Variables),
    new_wrapper(Module, Name/Arity, Wrapper, Number, Outside, Inside),
    Wrapped =.. [Inside|Variables], New =.. [Outside|Arguments], functor(Any, Outside, Arity),
    Variables = Arguments,
    retractall(Module:Any), assertz(Module:(New :- Body)),
    ( chained(Module, Name/Arity) -> true ; retract(wrapper(Module, Name/Arity, Wrapper, Number)), fail ).

% The number of a wrapper, what its clause is called, and what that calls.
new_wrapper(Module, Indicator, Wrapper, Number, Outside, Inside) :-
    (   wrapper(Module, Indicator, Wrapper, Number) -> true
    ;   flag('$wrappers', Number, Number + 1), assertz(wrapper(Module, Indicator, Wrapper, Number))
    ),
    names(Number, Outside, Inside).

names(Number, Outside, Inside) :- atom_concat('$wrapper ', Number, Outside), atom_concat('$wrapped ', Number, Inside).

chained(Module, Indicator) :-
    findall(Outside-Inside, ( wrapper(Module, Indicator, _, Number), names(Number, Outside, Inside) ), Wrappers),
    '$wrap'(Module:Indicator, Wrappers).

unwrap_predicate(Module:Indicator, Wrapper) :-
    retract(wrapper(Module, Indicator, Wrapper, Number)), !,
    chained(Module, Indicator),
    names(Number, Outside, _), Indicator = _/Arity, functor(Any, Outside, Arity), retractall(Module:Any).

current_predicate_wrapper(Module:Head, Wrapper, Wrapped, Body) :-
    wrapper(Module, Name/Arity, Wrapper, Number),
    functor(Head, Name, Arity), Head =.. [_|Arguments],
    names(Number, Outside, Inside), New =.. [Outside|Arguments], Wrapped =.. [Inside|Arguments],
    clause(Module:New, Body).
