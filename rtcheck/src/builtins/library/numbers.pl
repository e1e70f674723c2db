% Numbers.

between(L, H, X) :-
    must_be(integer, L),
    ( nonvar(H), ( H == inf ; H == infinite ) -> Bound = inf ; must_be(integer, H), Bound = H ),
    ( var(X) -> '$between'(Bound, L, X)
    ; must_be(integer, X), X >= L, ( Bound == inf -> true ; X =< Bound )
    ).
'$between'(inf, L, X) :- !, '$count_from'(L, X).
'$between'(H, L, X) :- L =< H, '$count'(L, H, X).
'$count'(L, H, X) :- ( L < H -> '$count_on'(L, H, X) ; X = L ).
'$count_on'(L, _, L).
'$count_on'(L, H, X) :- L1 is L + 1, '$count'(L1, H, X).
'$count_from'(L, L).
'$count_from'(L, X) :- L1 is L + 1, '$count_from'(L1, X).

plus(X, Y, Z) :- '$known_integer'(X), '$known_integer'(Y), '$known_integer'(Z), ( var(Z) -> Z is X + Y ; var(Y) -> Y is Z - X ; X is Z - Y ).
'$known_integer'(X) :- ( var(X) -> true ; must_be(integer, X) ).
divmod(Dividend, Divisor, Quotient, Remainder) :-
    Quotient is Dividend div Divisor,
    Remainder is Dividend mod Divisor.
nth_integer_root_and_remainder(N, I, Root, Remainder) :-
    must_be(positive_integer, N),
    must_be(integer, I),
    ( I < 0 ->
        ( N mod 2 =:= 1 -> true ; throw(error(evaluation_error(undefined), _)) ),
        Positive is -I,
        '$integer_root'(N, Positive, Positive1),
        Root0 is -Positive1
    ;   '$integer_root'(N, I, Root0)
    ),
    Root = Root0,
    Remainder is I - Root0 ** N.
% Newton's iteration from above; it ends where it stops falling.
'$integer_root'(_, 0, 0) :- !.
'$integer_root'(N, I, Root) :- Start is 1 << (msb(I) // N + 1), '$integer_root'(N, I, Start, Root).
'$integer_root'(N, I, X, Root) :-
    Y is ((N - 1) * X + I // X ** (N - 1)) // N,
    ( Y < X -> '$integer_root'(N, I, Y, Root) ; Root = X ).

% Random numbers: the same in every run.
set_random(Option) :- ( nonvar(Option), Option = seed(S), integer(S) -> '$seed'(S) ; true ).
setrand(S) :- '$seed'(S).
random(X) :- X is random_float.
random_between(L, H, X) :- must_be(integer, L), must_be(integer, H), H >= L, X is L + random(H - L + 1).
random(L, H, X) :-
    ( integer(L), integer(H) -> H > L, X is L + random(H - L) ; X is L + (H - L) * random_float ).
random_member(X, L) :- length(L, N), N > 0, I is random(N), nth0(I, L, X).
random_select(X, L, R) :- length(L, N), N > 0, I is random(N), nth0(I, L, X, R).
random_permutation(L, P) :- '$random_keys'(L, K), keysort(K, S), pairs_values(S, P).
'$random_keys'([], []).
'$random_keys'([X|Xs], [R-X|Ks]) :- R is random_float, '$random_keys'(Xs, Ks).
