:- module(own_traits, _, [traits]).
:- trait(shape, [area/2]).
:- impl(shape, sq/1).
(sq(X) as shape).area(A) :- A is X*X.
