% Terms.

:- meta_predicate mapargs(2, ?, ?).

numbervars(T) :- numbervars(T, 0, _).
numbervars(T, Start, End) :-
    must_be(integer, Start),
    term_variables(T, Vs),
    ( term_attvars(Vs, []) -> true ; type_error(free_of_attvar, T) ),
    '$number_all'(Vs, '$VAR', Start, End).
numbervars(T, Start, End, Options0) :-
    must_be(integer, Start),
    '$options'(Options0, Options),
    option(functor_name(Name), Options, '$VAR'),
    option(attvar(Action), Options, error),
    option(singletons(Singletons), Options, false),
    must_be(bool, Singletons),
    term_variables(T, Vs0),
    '$without_attributes'(Action, Vs0, T, Vs1),
    ( Singletons == true, acyclic_term(T) -> '$name_singles'(Action, T, Vs1, Vs) ; Vs = Vs1 ),
    '$number_all'(Vs, Name, Start, End).
% Options as built-in predicates take them, as a list of Name(Value): Name = Value and a dict say the same, and a name
% alone is true.
'$options'(Options0, Options) :- nonvar(Options0), Options0 = '$dict'(_, Pairs), !, '$paired_options'(Pairs, Options).
'$options'(Options0, Options) :-
    '$skip_list'(_, Options0, Tail),
    ( Tail == [] -> true ; var(Tail) -> instantiation_error(Options0) ; type_error(list, Tail) ),
    '$built_in_options'(Options0, Options).
'$paired_options'([], []).
'$paired_options'([Name-Value|Pairs], [Option|Options]) :- Option =.. [Name, Value], '$paired_options'(Pairs, Options).
'$built_in_options'([], []).
'$built_in_options'([O0|Os0], [O|Os]) :- '$built_in_option'(O0, O), '$built_in_options'(Os0, Os).
'$built_in_option'(O, _) :- var(O), !, instantiation_error(O).
'$built_in_option'(Name = Value, O) :- !, must_be(atom, Name), O =.. [Name, Value].
'$built_in_option'(O, O) :- compound(O), compound_name_arity(O, _, 1), !.
'$built_in_option'(singletons, singletons(true)) :- !.
'$built_in_option'(O, _) :- type_error(option, O).
'$number_all'([], _, N, N).
'$number_all'([V|Vs], Name, N0, N) :- functor(V, Name, 1), arg(1, V, N0), N1 is N0 + 1, '$number_all'(Vs, Name, N1, N).
'$without_attributes'(Action, Vs0, T, Vs) :-
    (   Action == bind -> Vs = Vs0
    ;   term_attvars(Vs0, []) -> Vs = Vs0
    ;   Action == skip -> exclude(attvar, Vs0, Vs)
    ;   type_error(free_of_attvar, T)
    ).
% Variables that occur once get their name; the others are left.
'$name_singles'(Action, T, Vs0, Vs) :-
    '$singletons'(T, Singles0),
    ( Action == skip -> exclude(attvar, Singles0, Singles) ; Singles = Singles0 ),
    maplist(=('$VAR'('_')), Singles),
    term_variables(Vs0, Vs).
% The parts of a copy that setarg/3 could change are its own, ground ones too.
duplicate_term(T, C) :- copy_term(T, C).
mapargs(_, T, U) :- compound(T), '$nullary'(T, N), !, compound_name_arity(U, N, 0).
mapargs(P, T, U) :- functor(T, N, A), functor(U, N, A), '$mapargs'(1, A, P, T, U).
'$mapargs'(I, A, P, T, U) :-
    ( I > A -> true ; arg(I, T, X), arg(I, U, Y), call(P, X, Y), I1 is I + 1, '$mapargs'(I1, A, P, T, U) ).
% An atom, a list of different variables, or a compound term with such arguments.
is_most_general_term(T) :-
    callable(T),
    (   T = [_|_] -> is_list(T), Args = T ; atom(T) -> Args = [] ; compound_name_arguments(T, _, Args) ),
    '$different_variables'(Args).
'$different_variables'(Args) :- term_variables(Args, Vs), length(Args, N), length(Vs, N), '$all_variables'(Args).
'$all_variables'([]).
'$all_variables'([A|As]) :- var(A), '$all_variables'(As).

% subsumes_term/2 where goals wait for variables of the general term: they are called, as by any unification.
'$subsumes_awake'(G, S) :- term_variables(S, Vs), G = S, true, term_variables(Vs, Ws), Vs == Ws.
