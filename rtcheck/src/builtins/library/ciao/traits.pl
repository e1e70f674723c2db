% Ciao's package traits: `:- trait(T, [m/N, ...])` names predicates that terms of several kinds have, `:- impl(T, F/K)`
% says that F has them, clauses `(F(...) as T).m(...) :- Body` say what they are for F, and goals `(X as T).m(...)` call
% what they are for X. All clauses for one name are those of one predicate, whose first argument is the term.
:- module(traits, [op(700, xfx, as)]).

sentence((:- trait(T, Ms)), Declarations, _) :- !,
    must_be(atom, T), must_be(list, Ms), maplist(declaration(T), Ms, Declarations).
sentence((:- impl(T, _)), [], _) :- !, must_be(atom, T).
sentence(Clause0, Clauses, _) :-
    head_of(Clause0, '$dot'((_ as _), _)), !,
    in_place(Clause0, Clause),
    head_of(Clause, M:Head), functor(Head, Name, N),
    Clauses = [(:- multifile(M:Name/N)), (:- discontiguous(M:Name/N)), Clause].
sentence(Term0, [Term], _) :- has_method(Term0), in_place(Term0, Term).

head_of((Head0 :- _), Head) :- !, Head = Head0.
head_of(Head, Head).

declaration(T, M/N, (:- multifile('$traits':Name/N1))) :-
    must_be(atom, M), must_be(nonneg, N), N1 is N + 1, method(T, M, Name).

method(T, M, Name) :- atomic_list_concat([T, '.', M], Name).

has_method(Term) :- compound(Term), ( is_method(Term, _, _, _) -> true ; arg(_, Term, Part), has_method(Part) ), !.

is_method('$dot'(Place, M), X, T, M) :- nonvar(Place), Place = (X as T), atom(T), callable(M).

in_place(Term, New) :- \+ compound(Term), !, New = Term.
in_place(Term, '$traits':Goal) :-
    is_method(Term, X0, T, M), !,
    in_place(X0, X), M =.. [Name|As0], maplist(in_place, As0, As),
    method(T, Name, Method), Goal =.. [Method, X|As].
in_place(Term, New) :- Term =.. [F|As0], maplist(in_place, As0, As), New =.. [F|As].
