% Ciao's package traits: `:- trait(T, [m/N, ...])` names predicates that terms of several kinds have, `:- impl(T, F/K)`
% says that F has them, clauses `(F(...) as T).m(...) :- Body` say what they are for F, and goals `(X as T).m(...)` call
% what they are for X. A trait's predicate has a clause for each `impl`, in their order, which calls a predicate of F's
% own, so that cuts there are cuts of F's. The parts of F are the first arguments of that predicate.
:- module(traits, [op(700, xfx, as)]).

% The traits that were read: name, module and members.
:- dynamic trait/3.

sentence((:- trait(T, Members)), Declarations, M) :- !,
    must_be(atom, T), must_be(list, Members),
    maplist(checked(trait_member), Members), maplist(declarations(M:T), Members, All), append(All, Declarations),
    retractall(trait(T, M, _)), assertz(trait(T, M, Members)).
sentence((:- impl(T, Kind)), Terms, M) :- !,
    must_be(atom, T),
    ( atom(Kind) -> F = Kind, K = 0 ; checked(functor, Kind), Kind = F/K ),
    home(T, M, Home),
    ( trait(T, Home, Members) -> true ; existence_error(trait, T) ),
    functor(Self, F, K),
    maplist(declarations(Home:T), Members, All), append(All, Declarations),
    maplist(hook(Home:T, Self, M), Members, Hooks),
    append(Declarations, Hooks, Terms).
sentence(Clause0, [Clause], _) :-
    parts(Clause0, '$dot'(Place, Method), Clause, Head),
    nonvar(Place), Place = (Self as T), !,
    must_be(atom, T), must_be(callable, Self), must_be(callable, Method),
    own(Self, T, Method, Head).

parts((Head0 :- Body), Head0, (Head :- Body), Head) :- !.
parts(Head0, Head0, Head, Head).

checked(What, Spec) :- ( nonvar(Spec), Spec = Name/N, atom(Name), integer(N), N >= 0 -> true ; domain_error(What, Spec) ).

% Whose trait a text means by a name: its own, that of a module from which it imports, or the first one.
home(T, M, M) :- trait(T, M, _), !.
home(T, M, Home) :-
    findall(Home0, trait(T, Home0, _), Homes),
    (   member(Home, Homes), imports_from(M, Home) -> true
    ;   Homes = [First|_] -> Home = First
    ;   Home = M
    ).

imports_from(M, Home) :-
    '$visible_predicates'(M, Visible), '$module_exports'(Home, Exports),
    member(Name/N, Exports), memberchk(Name/N, Visible), functor(Head, Name, N),
    predicate_property(M:Head, imported_from(Home)), !.

declarations(T, Name/N, [(:- multifile('$traits':Hook/N1)), (:- discontiguous('$traits':Hook/N1))]) :-
    N1 is N + 1, method(T, Name, Hook).

hook(T, Self, M, Name/N, ('$traits':Head :- M:Own)) :-
    functor(Method, Name, N), Method =.. [_|As],
    method(T, Name, Hook), Head =.. [Hook, Self|As],
    T = _:Trait, own(Self, Trait, Method, Own).

method(Home:T, Name, Hook) :- atomic_list_concat([Home, ':', T, '.', Name], Hook).

own(Self, T, Method, Goal) :-
    Self =.. [F|Parts], Method =.. [Name|As], length(Parts, K),
    ( K =:= 0 -> Kind = F ; Kind = F/K ),
    format(atom(Own), "<~w as ~w>.~w", [Kind, T, Name]),
    append(Parts, As, All), Goal =.. [Own|All].

% What a goal is; a closure comes with the arguments that it lacks.
goal(G, '$traits':Goal, M) :-
    compound(G), G =.. ['$dot', Place, Method|More], nonvar(Place), Place = (X as T),
    must_be(atom, T), must_be(callable, Method),
    Method =.. [Name|As0], append(As0, More, As),
    home(T, M, Home), method(Home:T, Name, Hook), Goal =.. [Hook, X|As].
