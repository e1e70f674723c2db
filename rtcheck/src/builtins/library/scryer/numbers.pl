:- module(more_numbers, [
    lcm/3, lsb/2, msb/2, popcount/2, expmod/4, number_to_rational/2, number_to_rational/3, rational_numerator_denominator/3,
    gen_int/1, gen_nat/1, numlist/2, list_max/2, list_min/2, random_integer/3]).

% Scryer Prolog's predicates about numbers.

lcm(A, B, M) :- must_be(integer, A), must_be(integer, B), M is lcm(A, B).
lsb(X, N) :- must_be(positive_integer, X), N is lsb(X).
msb(X, N) :- must_be(positive_integer, X), N is msb(X).
popcount(X, N) :- must_be(nonneg, X), N is popcount(X).
expmod(Base, Exponent, Modulus, R) :- R is powm(Base, Exponent, Modulus).

number_to_rational(X, R) :- must_be(number, X), R is rationalize(X).
number_to_rational(Eps, X, R) :- must_be(number, Eps), must_be(number, X), E is abs(rational(Eps)), V is rational(X), simplest(V - E, V + E, R).
% The fraction with the least denominator within bounds, by their continued fractions.
simplest(Low0, High0, R) :-
    Low is Low0, High is High0,
    (   Low > 0 -> positive(Low, High, R)
    ;   High < 0 -> L is -High, H is -Low, positive(L, H, R0), R is -R0
    ;   R = 0
    ).
positive(Low, High, R) :-
    F is numerator(Low) div denominator(Low),
    (   F =:= Low -> R = F
    ;   F < numerator(High) div denominator(High) -> R is F + 1
    ;   L is 1 rdiv (High - F), H is 1 rdiv (Low - F), positive(L, H, R0), R is F + 1 rdiv R0
    ).
rational_numerator_denominator(R, N, D) :- must_be(rational, R), N is numerator(R), D is denominator(R).

gen_nat(N) :- ( var(N) -> between(0, inf, N) ; must_be(integer, N), N >= 0 ).
gen_int(N) :- ( var(N) -> between(0, inf, A), ( N = A ; A > 0, N is -A ) ; must_be(integer, N) ).
numlist(Last, List) :- numlist(1, Last, List).
list_max([X|Xs], Max) :- foldl(greater, Xs, X, Max).
list_min([X|Xs], Min) :- foldl(smaller, Xs, X, Min).
greater(A, B, C) :- C is max(A, B).
smaller(A, B, C) :- C is min(A, B).

% From the lower bound up to, and without, the upper one.
random_integer(Low, High, N) :- Last is High - 1, random_between(Low, Last, N).
