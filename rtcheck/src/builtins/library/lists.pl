% Lists.

:- meta_predicate predsort(3, ?, ?), max_member(2, ?, ?), min_member(2, ?, ?).

append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
append(Ls, L) :- must_be(list, Ls), '$append_all'(Ls, L).
'$append_all'([], []).
'$append_all'([L|Ls], R) :- append(L, R0, R), '$append_all'(Ls, R0).
prefix([], _).
prefix([X|Xs], [X|Ys]) :- prefix(Xs, Ys).
member(X, [Y|Ys]) :- '$member'(Ys, X, Y).
'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).
length(L, N) :-
    '$skip_list'(M, L, T),
    ( T == [] -> ( var(N) -> N = M ; '$length'(N), N = M )
    ; var(T) ->
        ( var(N) -> T \== N, '$grow'(T, M, N)
        ; '$length'(N), K is N - M, K >= 0, '$list_of'(K, T)
        )
    ; ( var(N) -> true ; '$length'(N) ), type_error(list, L)
    ).
'$length'(N) :- must_be(integer, N), ( N >= 0 -> true ; domain_error(not_less_than_zero, N) ).
'$list_of'(0, L) :- !, L = [].
'$list_of'(K, [_|T]) :- K1 is K - 1, '$list_of'(K1, T).
'$grow'([], N, N).
'$grow'([_|T], M, N) :- M1 is M + 1, '$grow'(T, M1, N).
proper_length(L, N) :- '$skip_list'(M, L, T), T == [], N = M.
same_length([], []).
same_length([_|Xs], [_|Ys]) :- same_length(Xs, Ys).
% Ends where one of the lists is known; two partial lists are tried by length.
reverse(L, R) :-
    '$skip_list'(N, L, T),
    (   T == [] -> '$reverse'(L, [], R)
    ;   var(T), '$skip_list'(M, R, S),
        (   S == [] -> N =< M, length(L, M), '$reverse'(L, [], R)
        ;   var(S), ( T \== S -> true ; N =:= M ),
            K is max(N, M), '$reverse_longer'(K, L, R)
        )
    ).
'$reverse_longer'(K, L, R) :- length(L, K), length(R, K), '$reverse'(L, [], R).
'$reverse_longer'(K, L, R) :- K1 is K + 1, '$reverse_longer'(K1, L, R).
'$reverse'([], R, R).
'$reverse'([H|T], A, R) :- '$reverse'(T, [H|A], R).

nth0(I, L, X) :-
    ( integer(I) -> I >= 0, '$nth'(I, L, X)
    ; var(I) -> '$nth_any'(L, X, 0, I)
    ; type_error(integer, I)
    ).
nth1(I, L, X) :-
    ( integer(I) -> I >= 1, I0 is I - 1, '$nth'(I0, L, X)
    ; var(I) -> '$nth_any'(L, X, 1, I)
    ; type_error(integer, I)
    ).
% A proper or long enough list is passed at once; a partial one is made longer.
'$nth'(I, L, X) :- '$skip_list'(N, L, T), ( var(T), I >= N -> '$nth_of'(I, L, X) ; '$element'(I, L, X) ).
'$nth_of'(0, [X|_], X) :- !.
'$nth_of'(I, [_|T], X) :- I1 is I - 1, '$nth_of'(I1, T, X).
'$nth_any'([Y|Ys], X, I0, I) :- '$nth_any'(Ys, Y, X, I0, I).
'$nth_any'(_, X, X, I, I).
'$nth_any'([Y|Ys], _, X, I0, I) :- I1 is I0 + 1, '$nth_any'(Ys, Y, X, I1, I).
nth0(I, L, X, R) :-
    ( var(I) -> '$nth_rest_any'(L, X, R, 0, I)
    ; integer(I), I >= 0 -> '$nth_rest'(I, L, X, R)
    ; type_error(nonneg, I)
    ).
nth1(I, L, X, R) :-
    ( var(I) -> '$nth_rest_any'(L, X, R, 1, I)
    ; integer(I), I >= 1 -> I0 is I - 1, '$nth_rest'(I0, L, X, R)
    ; type_error(positive_integer, I)
    ).
'$nth_rest'(0, L, X, R) :- !, L = [X|R].
'$nth_rest'(I, [Y|Ys], X, [Y|Zs]) :- I1 is I - 1, '$nth_rest'(I1, Ys, X, Zs).
'$nth_rest_any'([X|Xs], X, Xs, I, I).
'$nth_rest_any'([Y|Ys], X, [Y|Zs], I0, I) :- I1 is I0 + 1, '$nth_rest_any'(Ys, X, Zs, I1, I).

last([X|Xs], Y) :- '$last'(Xs, X, Y).
'$last'([], X, X).
'$last'([X|Xs], _, Y) :- '$last'(Xs, X, Y).
sumlist(L, S) :- sum_list(L, S).
sum_list(L, S) :- '$ends'(L, T, sum_list(T, _)), '$sum'(L, 0, S).
'$sum'([], S, S).
'$sum'([X|Xs], S0, S) :- S1 is S0 + X, '$sum'(Xs, S1, S).
max_list(L, M) :- '$ends'(L, T, max_list(T, _)), L = [X|Xs], '$max_list'(Xs, X, M).
'$max_list'([], M, M).
'$max_list'([X|Xs], M0, M) :- M1 is max(M0, X), '$max_list'(Xs, M1, M).
min_list(L, M) :- '$ends'(L, T, min_list(T, _)), L = [X|Xs], '$min_list'(Xs, X, M).
'$min_list'([], M, M).
'$min_list'([X|Xs], M0, M) :- M1 is min(M0, X), '$min_list'(Xs, M1, M).
max_member(M, L) :- '$ends'(L, T, max_member(_, T)), L = [X|Xs], '$max_member'(Xs, X, M).
'$max_member'([], M, M).
'$max_member'([X|Xs], M0, M) :- ( X @> M0 -> '$max_member'(Xs, X, M) ; '$max_member'(Xs, M0, M) ).
min_member(M, L) :- '$ends'(L, T, min_member(_, T)), L = [X|Xs], '$min_member'(Xs, X, M).
'$min_member'([], M, M).
'$min_member'([X|Xs], M0, M) :- ( X @< M0 -> '$min_member'(Xs, X, M) ; '$min_member'(Xs, M0, M) ).
max_member(P, M, L) :- '$ends'(L, T, max_member(P, _, T)), L = [X|Xs], '$max_member'(Xs, P, X, M).
'$max_member'([], _, M, M).
'$max_member'([X|Xs], P, M0, M) :-
    ( call(P, M0, X) -> '$max_member'(Xs, P, X, M) ; '$max_member'(Xs, P, M0, M) ).
min_member(P, M, L) :- '$ends'(L, T, min_member(P, _, T)), L = [X|Xs], '$min_member'(Xs, P, X, M).
'$min_member'([], _, M, M).
'$min_member'([X|Xs], P, M0, M) :-
    ( call(P, X, M0) -> '$min_member'(Xs, P, X, M) ; '$min_member'(Xs, P, M0, M) ).
numlist(L, H, R) :- must_be(integer, L), must_be(integer, H), L =< H, '$numlist'(L, H, R).
'$numlist'(L, H, [L|T]) :- ( L =:= H -> T = [] ; L1 is L + 1, '$numlist'(L1, H, T) ).

select(X, [X|T], T).
select(X, [H|T], [H|R]) :- select(X, T, R).
selectchk(X, L, R) :- select(X, L, R0), !, R = R0.
select(X, Xs, Y, Ys) :- '$select'(Xs, X, Y, Ys).
'$select'([X|T], X, Y, [Y|T]).
'$select'([H|T], X, Y, [H|R]) :- '$select'(T, X, Y, R).
selectchk(X, Xs, Y, Ys) :- select(X, Xs, Y, Ys0), !, Ys = Ys0.
subseq([], [], []).
subseq([X|Xs], Ys, Zs) :- '$subseq'(Xs, X, Ys, Zs).
'$subseq'(Xs, X, Ys, [X|Zs]) :- subseq(Xs, Ys, Zs).
'$subseq'(Xs, X, [X|Ys], Zs) :- subseq(Xs, Ys, Zs).
delete([], _, []).
delete([X|Xs], Y, R) :- ( X \= Y -> R = [X|R1] ; R = R1 ), delete(Xs, Y, R1).
% As SWI-Prolog's, these take lists that end.
subtract(Xs, Ys, R) :- '$ends'(Xs, T, subtract(T, Ys, _)), '$subtract'(Xs, Ys, R).
'$subtract'([], _, []).
'$subtract'([X|Xs], Ys, R) :- ( memberchk(X, Ys) -> R = R1 ; R = [X|R1] ), '$subtract'(Xs, Ys, R1).
intersection(Xs, Ys, R) :- '$ends'(Xs, T, intersection(T, Ys, _)), '$intersection'(Xs, Ys, R).
'$intersection'([], _, []).
'$intersection'([X|Xs], Ys, R) :- ( memberchk(X, Ys) -> R = [X|R1] ; R = R1 ), '$intersection'(Xs, Ys, R1).
union(Xs, Ys, R) :- '$ends'(Xs, T, union(T, Ys, _)), '$union'(Xs, Ys, R).
'$union'([], Ys, Ys).
'$union'([X|Xs], Ys, R) :- ( memberchk(X, Ys) -> R = R1 ; R = [X|R1] ), '$union'(Xs, Ys, R1).
subset(Xs, Ys) :- '$ends'(Xs, T, subset(T, Ys)), '$subset'(Xs, Ys).
'$subset'([], _).
'$subset'([X|Xs], Ys) :- memberchk(X, Ys), '$subset'(Xs, Ys).
'$ends'(Xs, T, Call) :- '$ends'(Xs, T, lists, Call).
'$ends'(Xs, T, M, Call) :- '$skip_list'(_, Xs, T), ( T == [] -> true ; existence_error(matching_rule, M:Call) ).
is_set(L) :- '$skip_list'(N, L, T), T == [], sort(L, S), length(S, N).
permutation(Xs, Ys) :-
    '$skip_list'(N, Xs, TX), '$skip_list'(M, Ys, TY),
    ( TX == [], TY == [] -> N =:= M
    ; TX == [] -> length(Ys, N)
    ; TY == [] -> length(Xs, M)
    ; var(TX), var(TY) -> length(Xs, K), length(Ys, K)
    ; must_be(list, Xs), must_be(list, Ys)
    ),
    '$permutation'(Xs, Ys).
'$permutation'([], []).
'$permutation'(Xs, [Y|Ys]) :- select(Y, Xs, Rest), '$permutation'(Rest, Ys).
flatten(L, R) :- '$flatten'(L, [], R0), !, R = R0.
'$flatten'(X, R, [X|R]) :- var(X), !.
'$flatten'([], R, R) :- !.
'$flatten'([X|Xs], R0, R) :- !, '$flatten'(X, R1, R), '$flatten'(Xs, R0, R1).
'$flatten'(X, R, [X|R]).
clumped([], []).
clumped([X|Xs], [X-N|Cs]) :- '$clump'(Xs, X, 1, N, Rest), clumped(Rest, Cs).
'$clump'([Y|Ys], X, N0, N, Rest) :- Y == X, !, N1 is N0 + 1, '$clump'(Ys, X, N1, N, Rest).
'$clump'(Rest, _, N, N, Rest).
'$memberchk_eq'(X, [Y|Ys]) :- ( X == Y -> true ; '$memberchk_eq'(X, Ys) ).

predsort(P, L, S) :-
    '$skip_list'(N, L, T),
    ( T == [] -> true ; var(T) -> instantiation_error(L) ; type_error(list, L) ),
    '$predsort'(N, P, L, _, S).
% Sorts the first N elements.
'$predsort'(0, _, L, R, S) :- !, R = L, S = [].
'$predsort'(1, _, [X|L], R, S) :- !, R = L, S = [X].
'$predsort'(N, P, L, R, S) :-
    A is N // 2, B is N - A,
    '$predsort'(A, P, L, L1, SA),
    '$predsort'(B, P, L1, R, SB),
    '$predmerge'(SA, SB, P, S).
'$predmerge'([], L, _, R) :- !, R = L.
'$predmerge'([X|Xs], Ys, P, R) :- '$predmerge'(Ys, X, Xs, P, R).
'$predmerge'([], X, Xs, _, [X|Xs]).
'$predmerge'([Y|Ys], X, Xs, P, R) :-
    call(P, O, X, Y),
    !,
    '$predmerge'(O, X, Xs, Y, Ys, P, R).
'$predmerge'(<, X, Xs, Y, Ys, P, [X|R]) :- '$predmerge'(Xs, [Y|Ys], P, R).
'$predmerge'(>, X, Xs, Y, Ys, P, [Y|R]) :- '$predmerge'([X|Xs], Ys, P, R).
'$predmerge'(=, X, Xs, _, Ys, P, R) :- '$predmerge'([X|Xs], Ys, P, R).
