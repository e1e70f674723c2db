:- module(more_random,
    [random_perm2/4, randseq/3, randset/3, random_subseq/3, maybe/0, maybe/1, maybe/2, random_numlist/4]).

% What SWI-Prolog's library(random) has besides.

random_perm2(A, B, X, Y) :- ( maybe -> X = A, Y = B ; X = B, Y = A ).

maybe :- random(2) =:= 0.
maybe(P) :- must_be(between(0.0, 1.0), P), random_float < P.
maybe(K, N) :- integer(K), integer(N), random(N) < K.

% So many different numbers from 1 on.
randset(K, N, Set) :- drawn(K, N, Set0), sort(Set0, Set).
randseq(K, N, Sequence) :- drawn(K, N, Set), random_permutation(Set, Sequence).

drawn(K, N, _) :- K > N, !, throw(error(domain_error(less_than_one_of(N), K), _)).
drawn(K, N, Set) :- empty_assoc(None), drawn(K, N, None, All), assoc_to_keys(All, Set).

drawn(0, _, All, All) :- !.
drawn(K, N, All0, All) :-
    X is 1 + random(N),
    ( get_assoc(X, All0, _) -> drawn(K, N, All0, All)
    ; put_assoc(X, All0, x, All1), K1 is K - 1, drawn(K1, N, All1, All)
    ).

random_subseq([], [], []).
random_subseq([X|Xs], Sub, Rest) :-
    ( maybe -> Sub = [X|Sub1], Rest = Rest1 ; Sub = Sub1, Rest = [X|Rest1] ),
    random_subseq(Xs, Sub1, Rest1).

random_numlist(P, L, H, Numbers) :- numlist(L, H, All), kept(All, P, Numbers).

kept([], _, []).
kept([N|Ns], P, Kept) :- ( maybe(P) -> Kept = [N|Rest] ; Kept = Rest ), kept(Ns, P, Rest).
