:- module(occurs,
    [contains_term/2, contains_var/2, free_of_term/2, free_of_var/2, occurrences_of_term/3, occurrences_of_var/3,
     sub_term/2, sub_var/2, sub_term_shared_variables/3]).

% SWI-Prolog's library(occurs): where a term is part of another.

contains_term(Sub, Term) :- sub_term(Sub, Term), !.
contains_var(Sub, Term) :- \+ free_of_var(Sub, Term).

free_of_term(Sub, Term) :- \+ ( sub_term(X, Term), \+ X \= Sub ).
free_of_var(Sub, Term) :- \+ ( sub_term(X, Term), X == Sub ).

occurrences_of_term(Sub, Term, Count) :- aggregate_all(count, ( sub_term(X, Term), \+ X \= Sub ), Count).
occurrences_of_var(Sub, Term, Count) :- aggregate_all(count, ( sub_term(X, Term), X == Sub ), Count).

sub_term(X, X).
sub_term(X, Term) :- compound(Term), arg(_, Term, Arg), sub_term(X, Arg).

sub_var(Sub, Term) :- contains_var(Sub, Term).

sub_term_shared_variables(Sub, Term, Shared) :-
    term_variables(Sub, Variables),
    hidden(Term, Sub, Rest),
    term_variables(Rest, Others),
    both(Variables, Others, Shared).

% The term without the first place where the part itself stands.
hidden(Term, Sub, hidden) :- same_term(Term, Sub), !.
hidden(Term, Sub, Rest) :- compound(Term), compound_name_arguments(Term, Name, Args), hidden_in(Args, Sub, Args1), !, compound_name_arguments(Rest, Name, Args1).
hidden(Term, _, Term).

hidden_in([A|As], Sub, [B|Bs]) :-
    ( same_term(A, Sub) -> B = hidden, Bs = As
    ; hidden(A, Sub, B), B \== A -> Bs = As
    ; B = A, hidden_in(As, Sub, Bs)
    ).

both([], _, []).
both([V|Vs], Others, Shared) :-
    ( member(O, Others), O == V -> Shared = [V|Rest] ; Shared = Rest ),
    both(Vs, Others, Rest).
