% Lists.

:- meta_predicate exclude(1, ?, ?), include(1, ?, ?), partition(1, ?, ?, ?), predsort(3, ?, ?).

append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
append(Ls, L) :- foldl('$append_to', Ls, L, []).
'$append_to'(X, L, R) :- append(X, R, L).
member(X, [Y|Ys]) :- '$member'(Ys, X, Y).
'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).
memberchk(X, L) :- member(X, L), !.
length(L, N) :-
    '$skip_list'(L, M, T),
    ( T == [] -> N = M
    ; var(T) ->
        ( integer(N) -> N >= M, K is N - M, '$list_of'(K, T)
        ; var(N) -> '$grow'(T, M, N)
        ; throw(error(type_error(integer, N), length/2))
        )
    ; throw(error(type_error(list, L), length/2))
    ).
'$list_of'(0, L) :- !, L = [].
'$list_of'(K, [_|T]) :- K1 is K - 1, '$list_of'(K1, T).
'$grow'([], N, N).
'$grow'([_|T], M, N) :- M1 is M + 1, '$grow'(T, M1, N).
reverse(L, R) :- '$reverse'(L, [], R).
'$reverse'([], R, R).
'$reverse'([H|T], A, R) :- '$reverse'(T, [H|A], R).
nth0(I, L, X) :- integer(I), !, I >= 0, '$nth'(I, L, X).
nth0(I, L, X) :- '$nth_any'(L, X, 0, I).
nth1(I, L, X) :- integer(I), !, I >= 1, I0 is I - 1, '$nth'(I0, L, X).
nth1(I, L, X) :- '$nth_any'(L, X, 1, I).
'$nth'(0, [X|_], X) :- !.
'$nth'(I, [_|T], X) :- I1 is I - 1, '$nth'(I1, T, X).
'$nth_any'([X|_], X, I, I).
'$nth_any'([_|T], X, I0, I) :- I1 is I0 + 1, '$nth_any'(T, X, I1, I).
last([X], X) :- !.
last([_|T], X) :- last(T, X).
select(X, [X|T], T).
select(X, [H|T], [H|R]) :- select(X, T, R).
selectchk(X, L, R) :- select(X, L, R), !.
exclude(_, [], []).
exclude(P, [X|Xs], R) :- ( call(P, X) -> R = R1 ; R = [X|R1] ), exclude(P, Xs, R1).
include(_, [], []).
include(P, [X|Xs], R) :- ( call(P, X) -> R = [X|R1] ; R = R1 ), include(P, Xs, R1).
partition(_, [], [], []).
partition(P, [X|Xs], I, E) :-
    ( call(P, X) -> I = [X|I1], E = E1 ; I = I1, E = [X|E1] ),
    partition(P, Xs, I1, E1).
delete([], _, []).
delete([X|Xs], Y, R) :- ( X \= Y -> R = [X|R1] ; R = R1 ), delete(Xs, Y, R1).
subtract([], _, []).
subtract([X|Xs], Ys, R) :- ( memberchk(X, Ys) -> R = R1 ; R = [X|R1] ), subtract(Xs, Ys, R1).
permutation([], []).
permutation(L, [X|P]) :- select(X, L, R), permutation(R, P).
sum_list(L, S) :- '$sum'(L, 0, S).
sumlist(L, S) :- '$sum'(L, 0, S).
'$sum'([], S, S).
'$sum'([X|Xs], S0, S) :- S1 is S0 + X, '$sum'(Xs, S1, S).
max_list([H|T], M) :- foldl('$max', T, H, M).
min_list([H|T], M) :- foldl('$min', T, H, M).
numlist(L, H, []) :- L > H, !.
numlist(L, H, [L|T]) :- L1 is L + 1, numlist(L1, H, T).
list_to_set(L, S) :- '$to_set'(L, [], S).
'$to_set'([], _, []).
'$to_set'([X|Xs], Seen, S) :-
    ( '$memberchk_eq'(X, Seen) -> S = S1 ; S = [X|S1] ),
    '$to_set'(Xs, [X|Seen], S1).
sort(L, S) :- '$sort'(L, S).
msort(L, S) :- '$msort'(L, S).
predsort(P, L, S) :-
    length(L, N),
    ( N < 2 -> S = L
    ; H is N // 2, length(A, H), append(A, B, L),
      predsort(P, A, SA), predsort(P, B, SB), '$predmerge'(SA, SB, P, S)
    ).
'$predmerge'([], L, _, L) :- !.
'$predmerge'(L, [], _, L) :- !.
'$predmerge'([X|Xs], [Y|Ys], P, R) :-
    call(P, O, X, Y),
    ( O = (<) -> R = [X|R1], '$predmerge'(Xs, [Y|Ys], P, R1)
    ; O = (>) -> R = [Y|R1], '$predmerge'([X|Xs], Ys, P, R1)
    ; '$predmerge'(Xs, [Y|Ys], P, R)
    ).
keysort(L, S) :- '$keysort'(L, S).
