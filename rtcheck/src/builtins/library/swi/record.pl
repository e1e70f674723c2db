:- module(record, [record/1, op(1150, fx, record)]).

% SWI-Prolog's library(record): `:- record point(x:integer=0, y:integer=0).` defines default_point/1, is_point/1,
% point_data/3, make_point/2,3, point_x/2, set_x_of_point/2,3, set_point_fields/3,4, set_point_field/3 and their like. The
% clauses stand in the text that has the directive.

:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.

user:term_expansion((:- record(Specs)), Clauses) :- record:expanded(Specs, Clauses).

record(Specs) :- throw(error(context_error(nodirective, record(Specs)), _)).

expanded(Specs, Clauses) :- findall(Spec, operand(Specs, Spec), List), records(List, Clauses).

operand(Specs, Spec) :- nonvar(Specs), Specs = (A, B), !, ( operand(A, Spec) ; operand(B, Spec) ).
operand(Spec, Spec).

records([], []).
records([Spec|Specs], Clauses) :- clauses_of(Spec, Clauses0), records(Specs, Clauses1), append(Clauses0, Clauses1, Clauses).

clauses_of(Spec, Clauses) :-
    Spec =.. [Name|Fields0],
    fields(Fields0, 1, Fields),
    length(Fields, Arity),
    findall(Clause, clause_of(Name, Arity, Fields, Clause), Clauses).

% field(Number, Name, Type, Default)
fields([], _, []).
fields([F|Fs], N, [field(N, Name, Type, Default)|Fields]) :-
    ( nonvar(F), F = (Typed = Default) -> true ; Typed = F ),
    ( nonvar(Typed), Typed = Name:Type -> true ; Name = Typed, Type = any ),
    N1 is N + 1,
    fields(Fs, N1, Fields).

clause_of(Name, Arity, Fields, Head) :-
    atom_concat(default_, Name, Default), functor(Record, Name, Arity),
    defaults(Fields, Record), Head =.. [Default, Record].
clause_of(Name, Arity, Fields, (Head :- Body)) :-
    atom_concat(is_, Name, Is), functor(Record, Name, Arity), Head =.. [Is, V],
    tests(Fields, Record, Tests), Body = (nonvar(V), V = Record, Tests).
clause_of(Name, Arity, Fields, Head) :-
    atom_concat(Name, '_data', Data), member(field(N, Field, _, _), Fields),
    functor(Record, Name, Arity), arg(N, Record, V), Head =.. [Data, Field, Record, V].
clause_of(Name, Arity, Fields, Head) :-
    member(field(N, Field, _, _), Fields), atomic_list_concat([Name, '_', Field], Get),
    functor(Record, Name, Arity), arg(N, Record, V), Head =.. [Get, Record, V].
clause_of(Name, Arity, Fields, (Head :- Test)) :-
    member(field(N, Field, Type, _), Fields), atomic_list_concat([set_, Field, '_of_', Name], Set),
    functor(Old, Name, Arity), functor(New, Name, Arity), same_but(1, Arity, N, Old, New), arg(N, New, V),
    must(Type, V, Test), Head =.. [Set, V, Old, New].
clause_of(Name, Arity, Fields, (Head :- Test, setarg(N, Record, V))) :-
    member(field(N, Field, Type, _), Fields), atomic_list_concat([set_, Field, '_of_', Name], Set),
    functor(Any, Name, Arity), must(Type, V, Test0), Test = (Record = Any, Test0), Head =.. [Set, V, Record].
clause_of(Name, Arity, Fields, (Head :- Test, nb_setarg(N, Record, V))) :-
    member(field(N, Field, Type, _), Fields), atomic_list_concat([nb_set_, Field, '_of_', Name], Set),
    functor(Any, Name, Arity), must(Type, V, Test0), Test = (Record = Any, Test0), Head =.. [Set, V, Record].
clause_of(Name, _, _, (Head :- Body)) :-
    atom_concat(make_, Name, Make), Head =.. [Make, Values, Record], Body =.. [Make, Values, Record, []].
clause_of(Name, _, _, (Head :- DefaultGoal, SetGoal)) :-
    atom_concat(make_, Name, Make), atom_concat(default_, Name, Default),
    atomic_list_concat([set_, Name, '_fields'], Set),
    Head =.. [Make, Values, Record, Rest], DefaultGoal =.. [Default, Record0], SetGoal =.. [Set, Values, Record0, Record, Rest].
clause_of(Name, _, _, (Head :- Body)) :-
    atomic_list_concat([set_, Name, '_fields'], Set), Head =.. [Set, Values, Record0, Record],
    Body =.. [Set, Values, Record0, Record, []].
clause_of(Name, _, _, Head) :-
    atomic_list_concat([set_, Name, '_fields'], Set), Head =.. [Set, [], Record, Record, []].
clause_of(Name, _, _, (Head :- ( One -> Rest = Rest1 ; Record1 = Record0, Rest = [Value|Rest1] ), More)) :-
    atomic_list_concat([set_, Name, '_fields'], Set), atomic_list_concat([set_, Name, '_field'], SetOne),
    Head =.. [Set, [Value|Values], Record0, Record, Rest], One =.. [SetOne, Value, Record0, Record1],
    More =.. [Set, Values, Record1, Record, Rest1].
clause_of(Name, _, Fields, (Head :- Goal)) :-
    member(field(_, Field, _, _), Fields), atomic_list_concat([set_, Name, '_field'], SetOne),
    atomic_list_concat([set_, Field, '_of_', Name], Set),
    Value =.. [Field, V], Head =.. [SetOne, Value, Old, New], Goal =.. [Set, V, Old, New].

defaults([], _).
defaults([field(N, _, _, Default)|Fields], Record) :- arg(N, Record, Default), defaults(Fields, Record).

tests([], _, true).
tests([field(N, _, Type, _)|Fields], Record, Tests) :-
    arg(N, Record, V), tests(Fields, Record, Rest),
    ( Type == any -> Tests = Rest
    ; known(Type) -> Tests = (is_of_type(Type, V), Rest)
    ; atom_concat(is_, Type, Name), Is =.. [Name, V], Tests = (Is, Rest)
    ).

must(any, _, true) :- !.
must(Type, V, Test) :- known(Type), !, Test = must_be(Type, V).
% Another record.
must(Type, V, ( Is -> true ; throw(error(type_error(Type, V), _)) )) :- atom_concat(is_, Type, Name), Is =.. [Name, V].

known(Type) :- \+ atom(Type), !.
known(Type) :- catch(( must_be(Type, _) ; true ), error(E, _), E \= existence_error(type, _)), !.

same_but(I, Arity, _, _, _) :- I > Arity, !.
same_but(I, Arity, N, Old, New) :-
    ( I =:= N -> true ; arg(I, Old, A), arg(I, New, A) ),
    I1 is I + 1, same_but(I1, Arity, N, Old, New).
