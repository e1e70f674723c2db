:- module(own_clpq, [main/0], [clpq]).
main :- X .=. 2*Y + 1, Y .>. 3, X .=<. 10, display(X).
