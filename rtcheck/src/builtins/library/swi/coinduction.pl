:- module(coinduction, [coinductive/1, op(1150, fx, coinductive)]).

% SWI-Prolog's library(coinduction): a goal of a predicate that is declared coinductive succeeds, too, if it unifies with
% one of those of which it is a part, the nearest first. The clauses get another name, and the predicate's own two clauses
% look among these goals, which a global variable holds, and call the others.

:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2, declared/3.
:- meta_predicate enter(0, 0), again(0).

user:term_expansion((:- coinductive(Specs)), Clauses) :-
    prolog_load_context(module, M), findall(Clause, ( coinduction:spec(Specs, M, Spec), coinduction:entry(Spec, Clause) ), Clauses).
user:term_expansion(Clause0, Clause) :-
    prolog_load_context(module, M), coinduction:declared(M, _, _), !, coinduction:renamed(Clause0, M, Clause).

coinductive(Specs) :- throw(error(context_error(nodirective, coinductive(Specs)), _)).

spec(Specs, _, _) :- var(Specs), !, instantiation_error(Specs).
spec((A, B), M, Spec) :- !, ( spec(A, M, Spec) ; spec(B, M, Spec) ).
spec(M:Specs, _, Spec) :- !, spec(Specs, M, Spec).
spec(Name/Arity, M, M:Name/Arity) :-
    must_be(atom, Name), must_be(nonneg, Arity),
    ( declared(M, Name, Arity) -> true ; assertz(declared(M, Name, Arity)) ).

entry(M:Name/Arity, Clause) :-
    functor(Head, Name, Arity), inner(Head, Inner),
    ( Clause = (M:Head :- coinduction:again(M:Head)) ; Clause = (M:Head :- coinduction:enter(M:Head, M:Inner)) ).
inner(Head, Inner) :- Head =.. [Name|Args], atom_concat('coinductive ', Name, Renamed), Inner =.. [Renamed|Args].

renamed((Head0 :- Body), M, (Head :- Body)) :- !, renamed(Head0, M, Head).
renamed(Head0, M, Head) :- callable(Head0), functor(Head0, Name, Arity), declared(M, Name, Arity), inner(Head0, Head).

% Goals under way, the innermost first.
goals(Goals) :- ( nb_current(coinduction_goals, Goals) -> true ; Goals = [] ).
again(Goal) :- goals(Goals), member(Goal, Goals), !.
enter(Goal, Inner) :-
    goals(Goals),
    b_setval(coinduction_goals, [Goal|Goals]),
    call(Inner),
    b_setval(coinduction_goals, Goals).
