% All solutions of a goal.

:- meta_predicate findall(?, 0, -), findall(?, 0, -, ?), aggregate_all(?, 0, -), bagof(?, ^, -), setof(?, ^, -).

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
'$strip'(M:G0, M:G, Vs) :- !, '$strip'(G0, G, Vs).
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
