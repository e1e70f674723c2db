% SWI-Prolog's library(prolog_wrap): goals around the calls of a predicate, while it stays what it is to assert/1, retract/1,
% clause/2 and listing/1. The outermost is the one that was added last.
:- module(prolog_wrap, [wrap_predicate/4, unwrap_predicate/2, current_predicate_wrapper/4, table/1]).

:- meta_predicate wrap_predicate(:, +, -, +), unwrap_predicate(:, ?), current_predicate_wrapper(:, -, -, -).

% wrapper(Module, Name/Arity, Wrapper, Number), the innermost first.
:- dynamic wrapper/4.

wrap_predicate(Module:Head, Wrapper, Wrapped, Body) :-
    must_be(callable, Head), must_be(atom, Wrapper),
    functor(Head, Name, Arity), Head =.. [_|Arguments], same_length(Arguments, Variables),
    (   wrapper(Module, Name/Arity, Wrapper, Number) -> true
    ;   flag('$wrappers', Number, Number + 1), assertz(wrapper(Module, Name/Arity, Wrapper, Number))
    ),
    names(Number, Outside, Inside),
    Wrapped =.. [Inside|Variables], New =.. [Outside|Arguments], functor(Any, Outside, Arity),
    Variables = Arguments,
    retractall(Module:Any), assertz(Module:(New :- Body)),
    ( chained(Module, Name/Arity) -> true ; retract(wrapper(Module, Name/Arity, Wrapper, Number)), fail ).

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

% Predicates are tabled while a program runs: the table stands around what they are. `:- table` in front of their clauses
% is what texts have.
:- meta_predicate table(:).
table(_:Specs) :- var(Specs), !, instantiation_error(Specs).
table(M:(A, B)) :- !, table(M:A), table(M:B).
table(M:[]) :- !, must_be(atom, M).
table(M:[A|As]) :- !, table(M:A), table(M:As).
table(_:M:Spec) :- !, table(M:Spec).
table(M:(Spec as _)) :- !, table(M:Spec).
table(M:Spec) :-
    ( Spec = Name/Arity -> must_be(atom, Name), must_be(nonneg, Arity), functor(Head, Name, Arity) ; must_be(callable, Spec), Head = Spec ),
    functor(Head, F, N),
    ( wrapper(M, F/N, '$table', _) -> true ; tabled(M, Head, F/N) ).
tabled(M, Head, Indicator) :-
    (   predicate_property(M:Head, defined) -> true
    ;   throw(error(existence_error(procedure, Indicator), 'define it first, or declare it in front of its clauses'))
    ),
    flag('$wrappers', Number, Number + 1), assertz(wrapper(M, Indicator, '$table', Number)),
    names(Number, Outside, Inside),
    system:'$table_wrapper'(M, Head, Inside, (Outer :- Body)),
    Outer =.. [_|Arguments], New =.. [Outside|Arguments],
    assertz(M:(New :- Body)),
    chained(M, Indicator).
