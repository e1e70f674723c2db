:- module(ciao_terms_basic, [arg/2, type/2]).

% Predicates of Ciao's library(terms) and engine(term_typing) under names that a program imports.

arg(Term, Argument) :- arg(_, Term, Argument).

type(Term, Type) :-
    (   attvar(Term) -> Type = attv
    ;   var(Term) -> Type = var
    ;   float(Term) -> Type = float
    ;   integer(Term) -> Type = integer
    ;   atom(Term) -> Type = atom
    ;   Term = [_|_] -> Type = list
    ;   Type = structure
    ).
