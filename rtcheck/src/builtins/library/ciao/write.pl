% What Ciao's library(write) has of its own.
:- module(ciao_write, [print/1, print/2]).

% Ciao's printq/1 writes quotes, print/1 does not.
:- redefining(print/1).
:- redefining(print/2).
print(Term) :- current_output(Stream), print(Stream, Term).
print(Stream, Term) :-
    ( '$has_portray' -> '$portrayed'(Term, portray, Portrayed) ; Portrayed = Term ),
    '$print_without_quotes'(Stream, Portrayed).
