% Ciao's package lazy: `:- lazy fun_eval f/N` says that a call of the function waits until somebody wants a part of its
% result, the last argument of its predicate; `:- lazy p/N` says so of a predicate.
:- module(lazy, [op(1150, fy, lazy)]).

sentence((:- lazy(fun_eval(Name/Arity))), [(:- fun_eval(Name/Arity)), (:- block(Head))], _) :- !,
    must_be(nonneg, Arity), All is Arity + 1, waiting(Name, All, Head).
sentence((:- lazy(Name/Arity)), [(:- block(Head))], _) :- must_be(positive_integer, Arity), waiting(Name, Arity, Head).

waiting(Name, Arity, Head) :-
    length(Arguments, Arity), append(Others, [-], Arguments), maplist(=(?), Others), Head =.. [Name|Arguments].
