% The part of the library that is written in Prolog.

% Interpretation of control constructs that are met in call/1. L is the choicepoint a cut returns to.
'$exec'(V, _) :- var(V), !, call(V).
'$exec'((A, B), L) :- !, '$exec'(A, L), '$exec'(B, L).
'$exec'(!, L) :- !, '$cut'(L).
'$exec'((C -> T ; E), L) :- !, ( call(C) -> '$exec'(T, L) ; '$exec'(E, L) ).
'$exec'((C *-> T ; E), L) :- !, ( call(C) *-> '$exec'(T, L) ; '$exec'(E, L) ).
'$exec'((A ; B), L) :- !, ( '$exec'(A, L) ; '$exec'(B, L) ).
'$exec'((C -> T), L) :- !, ( call(C) -> '$exec'(T, L) ).
'$exec'((C *-> T), L) :- !, call(C), '$exec'(T, L).
'$exec'(\+ G, _) :- !, \+ call(G).
'$exec'(G, _) :- call(G).

','(A, B) :- call((A, B)).
;(A, B) :- call((A ; B)).
->(A, B) :- call((A -> B)).
*->(A, B) :- call((A *-> B)).
\+(G) :- \+ call(G).
! .
not(G) :- \+ call(G).
once(G) :- call(G), !.
ignore(G) :- ( call(G) -> true ; true ).
repeat.
repeat :- repeat.
forall(C, A) :- \+ ( call(C), \+ call(A) ).
apply(G, Extra) :- G =.. L0, append(L0, Extra, L), G2 =.. L, call(G2).

% All solutions.
findall(T, G, L) :-
    '$bag_new'(H),
    '$findall'(T, G, H, Bag),
    L = Bag.
'$findall'(T, G, H, _) :- call(G), '$bag_add'(H, T), fail.
'$findall'(_, _, H, Bag) :- '$bag_take'(H, Bag).
findall(T, G, L, Tail) :- findall(T, G, L0), append(L0, Tail, L).
aggregate_all(count, G, C) :- !, findall(x, G, L), length(L, C).
aggregate_all(sum(E), G, S) :- !, findall(E, G, L), sum_list(L, S).
aggregate_all(max(E), G, M) :- !, findall(E, G, L), L = [H|T], foldl('$max', T, H, M).
aggregate_all(min(E), G, M) :- !, findall(E, G, L), L = [H|T], foldl('$min', T, H, M).
aggregate_all(bag(E), G, L) :- !, findall(E, G, L).
aggregate_all(set(E), G, S) :- findall(E, G, L), sort(L, S).
'$max'(X, Y, Z) :- Z is max(X, Y).
'$min'(X, Y, Z) :- Z is min(X, Y).

bagof(T, G, L) :-
    '$strip'(G, Goal, Bound),
    term_variables(T-Bound, BoundVars),
    term_variables(Goal, GoalVars),
    '$free'(GoalVars, BoundVars, Free),
    ( Free == [] ->
        findall(T, Goal, L), L \== []
    ;   Witness =.. [v|Free],
        findall(Witness-T, Goal, Pairs), Pairs \== [],
        keysort(Pairs, Sorted),
        '$pick'(Sorted, Witness, L)
    ).
setof(T, G, S) :- bagof(T, G, L), sort(L, S).
'$strip'(G, G, []) :- var(G), !.
'$strip'(V^G0, G, [V|Vs]) :- !, '$strip'(G0, G, Vs).
'$strip'(_:G0, G, Vs) :- !, '$strip'(G0, G, Vs).
'$strip'(G, G, []).
'$free'([], _, []).
'$free'([V|Vs], Bound, Free) :-
    ( '$memberchk_eq'(V, Bound) -> Free = Free1 ; Free = [V|Free1] ),
    '$free'(Vs, Bound, Free1).
'$memberchk_eq'(X, [Y|Ys]) :- ( X == Y -> true ; '$memberchk_eq'(X, Ys) ).
'$pick'(Sorted, Witness, L) :-
    '$groups'(Sorted, Groups),
    member(Witness-L, Groups).
'$groups'([], []).
'$groups'([W-T|Rest], [W-[T|Ts]|Groups]) :-
    '$group'(Rest, W, Ts, Others),
    '$groups'(Others, Groups).
'$group'([W2-T|Rest], W, [T|Ts], Others) :- '$variant'(W2, W), !, W2 = W, '$group'(Rest, W, Ts, Others).
'$group'(Others, _, [], Others).
'$variant'(A, B) :-
    copy_term(A, A1), copy_term(B, B1),
    term_variables(A1, VA), term_variables(B1, VB),
    length(VA, N), length(VB, N),
    '$number_all'(VA, 0), '$number_all'(VB, 0),
    A1 == B1.
'$number_all'([], _).
'$number_all'(['$VAR'(N)|Vs], N) :- N1 is N + 1, '$number_all'(Vs, N1).

% The database.
clause(H, B) :- '$clauses'(H, access, Ids), member(Id, Ids), '$clause_term'(Id, (H :- B)).
retract(C) :-
    ( C = (H :- B) -> true ; H = C, B = true ),
    '$clauses'(H, modify, Ids), member(Id, Ids), '$clause_term'(Id, (H :- B)), '$erase'(Id).
retractall(H) :-
    functor(H, N, A),
    ( '$defined'(N, A) -> true ; '$dynamic'(N/A) ),
    '$clauses'(H, modify, Ids),
    '$retract_all'(Ids, H).
'$retract_all'([], _).
'$retract_all'([Id|Ids], H) :-
    ( \+ '$clause_term'(Id, (H :- _)) -> true ; '$erase'(Id) -> true ; true ),
    '$retract_all'(Ids, H).
abolish(N/A) :- functor(H, N, A), retractall(H).
dynamic(Specs) :- '$dynamic_all'(Specs).
'$dynamic_all'(V) :- var(V), !, throw(error(instantiation_error, _)).
'$dynamic_all'([]) :- !.
'$dynamic_all'([S|Ss]) :- !, '$dynamic_all'(S), '$dynamic_all'(Ss).
'$dynamic_all'((A, B)) :- !, '$dynamic_all'(A), '$dynamic_all'(B).
'$dynamic_all'(S) :- '$dynamic'(S).
discontiguous(_).
current_op(P, T, N) :- '$operators'(Ops), member(op(P, T, N), Ops).
set_prolog_flag(F, V) :- '$set_flag'(F, V).

% Global variables.
nb_setval(K, V) :- '$nb_set'(K, V).
b_setval(K, V) :- '$nb_set'(K, V).
b_getval(K, V) :- nb_getval(K, V).

% Numbers and texts.
between(L, H, X) :- integer(X), !, X >= L, ( H == inf -> true ; H == infinite -> true ; X =< H ).
between(L, H, X) :- ( H == inf ; H == infinite ), !, '$from'(L, X).
between(L, H, X) :- L =< H, '$between'(L, H, X).
'$between'(L, L, X) :- !, X = L.
'$between'(L, _, L).
'$between'(L, H, X) :- L1 is L + 1, '$between'(L1, H, X).
'$from'(L, L).
'$from'(L, X) :- L1 is L + 1, '$from'(L1, X).
plus(X, Y, Z) :- ( var(Z) -> Z is X + Y ; var(Y) -> Y is Z - X ; X is Z - Y ).
atom_concat(A, B, C) :- nonvar(A), nonvar(B), !, '$atom_concat'(A, B, C).
atom_concat(A, B, C) :- atom_codes(C, Cs), append(As, Bs, Cs), atom_codes(A, As), atom_codes(B, Bs).
atomic_list_concat(L, A) :- '$concat_all'(L, Cs), atom_codes(A, Cs).
'$concat_all'([], []).
'$concat_all'([X|Xs], Cs) :- '$concat_all'(Xs, Rest), '$codes'(X, Xc), append(Xc, Rest, Cs).
'$codes'(X, Cs) :- ( number(X) -> number_codes(X, Cs) ; atom_codes(X, Cs) ).
sub_atom(A, B, L, R, S) :-
    atom_codes(A, Cs),
    ( atom(S) ->
        atom_codes(S, Ss), append(Pre, Rest, Cs), append(Ss, Post, Rest)
    ;   append(Pre, Rest, Cs), append(Ss, Post, Rest)
    ),
    length(Pre, B), length(Ss, L), length(Post, R), atom_codes(S, Ss).

% Lists.
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
pairs_keys_values([], [], []).
pairs_keys_values([K-V|T], [K|Ks], [V|Vs]) :- pairs_keys_values(T, Ks, Vs).
pairs_keys([], []).
pairs_keys([K-_|T], [K|Ks]) :- pairs_keys(T, Ks).
pairs_values([], []).
pairs_values([_-V|T], [V|Vs]) :- pairs_values(T, Vs).
maplist(_, []).
maplist(P, [A|As]) :- call(P, A), maplist(P, As).
maplist(_, [], []).
maplist(P, [A|As], [B|Bs]) :- call(P, A, B), maplist(P, As, Bs).
maplist(_, [], [], []).
maplist(P, [A|As], [B|Bs], [C|Cs]) :- call(P, A, B, C), maplist(P, As, Bs, Cs).
maplist(_, [], [], [], []).
maplist(P, [A|As], [B|Bs], [C|Cs], [D|Ds]) :- call(P, A, B, C, D), maplist(P, As, Bs, Cs, Ds).
foldl(P, L, A0, A) :- '$foldl'(L, P, A0, A).
'$foldl'([], _, A, A).
'$foldl'([X|Xs], P, A0, A) :- call(P, X, A0, A1), '$foldl'(Xs, P, A1, A).

% Statistics.
statistics(runtime, [T, 0]) :- !, '$cpu_time'(T).
statistics(cputime, T) :- !, '$cpu_time'(M), T is M / 1000.0.
statistics(process_cputime, T) :- !, '$cpu_time'(M), T is M / 1000.0.
statistics(walltime, [T, 0]) :- !, '$wall_time'(T).
statistics(real_time, [T, 0]) :- !, '$wall_time'(M), T is M // 1000.
statistics(inferences, N) :- '$inferences'(N).

% Types, for clauses that call them.
term(_).
int(X) :- integer(X).
nnegint(X) :- integer(X), X >= 0.
flt(X) :- float(X).
num(X) :- number(X).
atm(X) :- atom(X).
constant(X) :- atomic(X).
struct(X) :- compound(X).
gnd(X) :- ground(X).
cgoal(X) :- callable(X).
list(X) :- is_list(X).
list(T, L) :- is_list(L), '$all'(L, T).
'$all'([], _).
'$all'([X|Xs], T) :- call(T, X), '$all'(Xs, T).

% There is no collector yet, so a request for a collection has nothing to do.
garbage_collect.
