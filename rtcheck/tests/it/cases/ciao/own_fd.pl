:- module(own_fd, [main/0, s/1], [fd]).
:- use_module(library(lists), [length/2]).
main :- s(L), display(L), nl.
s([X,Y]) :- X in 1..3, Y in 1..3 \/ 5..7, X .<. Y, X + 1 .=. Y, X .<>. 2, labeling([X,Y]).
