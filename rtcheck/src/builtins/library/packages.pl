% Ciao's packages argnames, attr and define_flag.

% A declaration is kept, and leaves nothing in the text; other terms are read with the names. Fails where nothing changes.
'$with_named_arguments'((:- argnames(Spec)), M, []) :- !,
    '$named_structures'(Spec, M).
'$with_named_arguments'(Term, M, New) :-
    nb_current('$argument_names', Known), member(M-_, Known),
    '$named_arguments'(Term, M, New),
    New \== Term.
'$named_structures'(Specs, _) :- var(Specs), !, instantiation_error(Specs).
'$named_structures'((A, B), M) :- !, '$named_structures'(A, M), '$named_structures'(B, M).
'$named_structures'(/(Spec), M) :- !, '$named_structures'(Spec, M).
'$named_structures'(Spec, M) :-
    must_be(compound, Spec),
    ( nb_current('$argument_names', Known) -> true ; Known = [] ),
    nb_setval('$argument_names', [M-Spec|Known]).

'$named_arguments'(Term, _, New) :- \+ compound(Term), !, New = Term.
'$named_arguments'($(F, Names), M, New) :-
    atom(F), nb_current('$argument_names', Known), member(M-Spec, Known), functor(Spec, F, N), !,
    functor(New, F, N),
    ( Names == {} -> true
    ; Names = {Pairs0} -> '$named_arguments'(Pairs0, M, Pairs), '$set_arguments'(Pairs, Spec, New)
    ; domain_error(named_arguments, $(F, Names))
    ).
'$named_arguments'(Term, M, New) :-
    Term =.. [F|As0], '$all_named_arguments'(As0, M, As), New =.. [F|As].
'$all_named_arguments'([], _, []).
'$all_named_arguments'([A0|As0], M, [A|As]) :- '$named_arguments'(A0, M, A), '$all_named_arguments'(As0, M, As).
'$set_arguments'((A, B), Spec, New) :- !, '$set_arguments'(A, Spec, New), '$set_arguments'(B, Spec, New).
'$set_arguments'((Name => Value), Spec, New) :-
    ( arg(N, Spec, Known), Known == Name -> arg(N, New, Value) ; existence_error(argument, Name) ).

% define_flag(Name, Values, Default) is a flag as well as a fact.
'$with_flags'(define_flag(Name, Values, Default), _, [define_flag(Name, Values, Default)]) :-
    atom(Name), ground(Default), create_prolog_flag(Name, Default, []).

% Attributes of the module that asks.
:- meta_predicate put_attr_local(?, :), get_attr_local(?, :), del_attr_local(:).
put_attr_local(X, Q) :- '$strip_module'(Q, M, V), put_attr(X, M, V).
get_attr_local(X, Q) :- '$strip_module'(Q, M, V), get_attr(X, M, V).
del_attr_local(Q) :- '$strip_module'(Q, M, X), del_attr(X, M).
