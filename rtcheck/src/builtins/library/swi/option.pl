:- module(more_option, [meta_options/3, dict_options/2]).

% What SWI-Prolog's library(option) has besides.

:- meta_predicate meta_options(1, :, -).

% Options whose values are goals get the module of the caller.
meta_options(IsMeta, Module:Options0, Options) :-
    must_be(list, Options0),
    qualified_options(Options0, IsMeta, Module, Options).

qualified_options([], _, _, []).
qualified_options([Option0|Options0], IsMeta, Module, [Option|Options]) :-
    qualified_option(Option0, IsMeta, Module, Option),
    qualified_options(Options0, IsMeta, Module, Options).

qualified_option(Name=Value, IsMeta, Module, Option) :- !,
    Option0 =.. [Name, Value],
    qualified_option(Option0, IsMeta, Module, Option).
qualified_option(Option0, IsMeta, Module, Option) :-
    compound(Option0), Option0 =.. [Name, Value],
    call(IsMeta, Name), !,
    (   nonvar(Value), Value = _:_ -> Option = Option0 ; Option =.. [Name, Module:Value] ).
qualified_option(Option, _, _, Option).

dict_options(Dict, Options) :-
    nonvar(Dict), !,
    dict_pairs(Dict, _, Pairs),
    findall(Option, ( member(Name-Value, Pairs), Option =.. [Name, Value] ), Options).
dict_options(Dict, Options) :-
    findall(Name-Value, ( member(Option, Options), ( Option = (Name=Value) -> true ; Option =.. [Name, Value] ) ), Pairs),
    dict_pairs(Dict, _, Pairs).
