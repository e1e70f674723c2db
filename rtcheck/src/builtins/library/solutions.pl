% All solutions of a goal.

:- meta_predicate
    findall(?, 0, -), findall(?, 0, -, ?), forall(0, 0), aggregate_all(?, 0, -),
    aggregate_all(?, ?, 0, -), aggregate(?, ^, -), aggregate(?, ?, ^, -), bagof(?, ^, -), setof(?, ^, -), foreach(0, 0).

findall(T, G, L) :-
    '$check_list'(L),
    '$bag_new'(H),
    '$findall'(T, G, H, Bag, []),
    L = Bag.
findall(T, G, L, Tail) :-
    '$check_list'(L),
    '$bag_new'(H),
    '$findall'(T, G, H, Bag, Tail),
    L = Bag.
'$findall'(T, G, H, _, _) :- call(G), '$bag_add'(H, T), fail.
'$findall'(_, _, H, Bag, Tail) :- '$bag_take'(H, Bag, Tail).

forall(C, A) :- \+ ( call(C), \+ call(A) ).
% The conjunction of a goal's instances for all solutions of another one. What the two share is what differs among the
% instances; the other variables are those of the caller.
foreach(G, A) :-
    term_variables(G, Gs), term_variables(A, As),
    '$shared_variables'(Gs, As, Shared),
    findall(Shared, G, Rows),
    '$foreach'(Rows, Shared, A, As).
'$shared_variables'([], _, []).
'$shared_variables'([V|Vs], As, Ws) :- ( '$occurs_among'(As, V) -> Ws = [V|Ws1] ; Ws = Ws1 ), '$shared_variables'(Vs, As, Ws1).
'$occurs_among'([A|As], V) :- ( A == V -> true ; '$occurs_among'(As, V) ).
'$foreach'([], _, _, _).
'$foreach'([Row|Rows], Shared, A, As) :-
    (   acyclic_term(A) -> '$instance'(A, Shared, Row, A1)
    ;   copy_term(Shared/As/A, Row/As1/A1), '$keep_others'(As, As1, Shared)
    ),
    call(A1),
    '$foreach'(Rows, Shared, A, As).
% A term with values in place of some variables; what has none of them is the same term, which the goal may change.
'$instance'(T, Shared, Row, V) :- var(T), !, '$value_of'(Shared, Row, T, V).
'$instance'(T, Shared, Row, T1) :-
    compound(T), term_variables(T, Vs), '$shared_variables'(Vs, Shared, [_|_]), !,
    compound_name_arguments(T, Name, As), '$instances'(As, Shared, Row, As1), compound_name_arguments(T1, Name, As1).
'$instance'(T, _, _, T).
'$instances'([], _, _, []).
'$instances'([A|As], Shared, Row, [B|Bs]) :- '$instance'(A, Shared, Row, B), '$instances'(As, Shared, Row, Bs).
'$value_of'([], [], T, T).
'$value_of'([S|Ss], [V0|Vs], T, V) :- ( S == T -> V = V0 ; '$value_of'(Ss, Vs, T, V) ).
'$keep_others'([], [], _).
'$keep_others'([V|Vs], [W|Ws], Shared) :- ( '$occurs_among'(Shared, V) -> true ; V = W ), '$keep_others'(Vs, Ws, Shared).

aggregate_all(Spec, G, R) :- var(Spec), !, instantiation_error(G-R).
aggregate_all(count, G, C) :- !, '$count_solutions'(G, C0), C = C0.
aggregate_all(count(_), G, C) :- !, '$count_solutions'(G, C0), C = C0.
aggregate_all(sum(E), G, S) :- !, findall(E, G, L), sum_list(L, S0), S = S0.
aggregate_all(max(E), G, M) :- !, findall(E, G, L), '$greatest'(L, M0), M = M0.
aggregate_all(min(E), G, M) :- !, findall(E, G, L), '$least'(L, M0), M = M0.
aggregate_all(max(E, W), G, M) :- !, findall(E-W, G, [P|Ps]), '$greatest'(Ps, P, E1, W1), M = max(E1, W1).
aggregate_all(min(E, W), G, M) :- !, findall(E-W, G, [P|Ps]), '$least'(Ps, P, E1, W1), M = min(E1, W1).
aggregate_all(bag(E), G, L) :- !, findall(E, G, L0), L = L0.
aggregate_all(set(E), G, S) :- !, findall(E, G, L), sort(L, S0), S = S0.
aggregate_all(Spec, G, R) :-
    '$aggregates_of'(Spec, F, Specs, Templates),
    findall(Templates, G, Rows),
    '$aggregate_rows'(F, Spec, Specs, Rows, R).
aggregate_all(Spec, D, G, C) :- Spec == count, !, findall(D, G, L), sort(L, S), length(S, C).
aggregate_all(Spec, D, G, R) :-
    '$aggregates_of'(Spec, F, Specs, T),
    findall(D-T, G, L0), sort(L0, L), pairs_values(L, Ts),
    '$aggregate_rows'(F, Spec, Specs, Ts, R).
% The same for each binding of the goal's free variables, as bagof/3 does; none if there is no solution.
aggregate(Spec, G, R) :-
    '$aggregates_of'(Spec, F, Specs, T),
    bagof(T, G, L),
    '$aggregate_rows'(F, Spec, Specs, L, R).
aggregate(Spec, D, G, R) :-
    '$aggregates_of'(Spec, F, Specs, T),
    setof(D-T, G, L0), pairs_values(L0, L),
    '$aggregate_rows'(F, Spec, Specs, L, R).
'$aggregate_rows'(F, Spec, _, L, R) :- var(F), !, '$aggregate'(Spec, L, R0), R = R0.
'$aggregate_rows'(F, _, Specs, Rows, R) :-
    '$columns'(Specs, Rows, Columns), '$aggregate'(Specs, Columns, Results), R0 =.. [F|Results], R = R0.
'$count_solutions'(G, C) :- findall(x, G, L), length(L, C).
% What is to be found for one specification, or for a term of several; F is unbound for one.
'$aggregates_of'(Spec, _, _, _) :- var(Spec), !, instantiation_error(Spec).
'$aggregates_of'(Spec, _, _, T) :- '$template'(Spec, T), !.
'$aggregates_of'(Spec, F, Specs, Ts) :- compound(Spec), !, Spec =.. [F|Specs], '$aggregates'(Specs, Ts).
'$aggregates_of'(Spec, _, _, _) :- atom(Spec), !, domain_error(aggregate_template, Spec).
'$aggregates_of'(Spec, _, _, _) :- type_error(aggregate_template, Spec).
'$template'(count, x).
'$template'(sum(E), E).
'$template'(max(E), E).
'$template'(min(E), E).
'$template'(max(E, W), E-W).
'$template'(min(E, W), E-W).
'$template'(bag(E), E).
'$template'(set(E), E).
'$aggregates'([], []).
'$aggregates'([S|Ss], [T|Ts]) :-
    '$aggregates_of'(S, F, _, T),
    ( var(F) -> true ; domain_error(aggregate_template, S) ),
    '$aggregates'(Ss, Ts).
'$columns'([], _, []).
'$columns'([_|Ss], Rows, [C|Cs]) :- '$column'(Rows, C, Rest), '$columns'(Ss, Rest, Cs).
'$column'([], [], []).
'$column'([[X|R]|Rows], [X|Xs], [R|Rs]) :- '$column'(Rows, Xs, Rs).
'$aggregate'([], [], []) :- !.
'$aggregate'([S|Ss], [C|Cs], [R|Rs]) :- !, '$aggregate'(S, C, R), '$aggregate'(Ss, Cs, Rs).
'$aggregate'(count, L, C) :- length(L, C).
'$aggregate'(sum(_), L, S) :- sum_list(L, S).
'$aggregate'(max(_), L, M) :- '$greatest'(L, M).
'$aggregate'(min(_), L, M) :- '$least'(L, M).
'$aggregate'(max(_, _), [P|Ps], max(E, W)) :- '$greatest'(Ps, P, E, W).
'$aggregate'(min(_, _), [P|Ps], min(E, W)) :- '$least'(Ps, P, E, W).
'$aggregate'(bag(_), L, L).
'$aggregate'(set(_), L, S) :- sort(L, S).
% The elements are expressions; where they are no numbers they are compared as terms.
'$greatest'([X|Xs], M) :- '$value'(X, V), '$greatest_of'(Xs, V, M).
'$greatest_of'([], M, M).
'$greatest_of'([X|Xs], M0, M) :-
    '$value'(X, V), ( '$precedes'(M0, V) -> '$greatest_of'(Xs, V, M) ; '$greatest_of'(Xs, M0, M) ).
'$least'([X|Xs], M) :- '$value'(X, V), '$least_of'(Xs, V, M).
'$least_of'([], M, M).
'$least_of'([X|Xs], M0, M) :-
    '$value'(X, V), ( '$precedes'(V, M0) -> '$least_of'(Xs, V, M) ; '$least_of'(Xs, M0, M) ).
'$greatest'([], E-W, V, W) :- '$value'(E, V).
'$greatest'([E-W|Ps], E0-W0, V, W1) :-
    '$value'(E0, V0), '$value'(E, V2),
    ( '$precedes'(V0, V2) -> '$greatest'(Ps, V2-W, V, W1) ; '$greatest'(Ps, V0-W0, V, W1) ).
'$least'([], E-W, V, W) :- '$value'(E, V).
'$least'([E-W|Ps], E0-W0, V, W1) :-
    '$value'(E0, V0), '$value'(E, V2),
    ( '$precedes'(V2, V0) -> '$least'(Ps, V2-W, V, W1) ; '$least'(Ps, V0-W0, V, W1) ).
'$value'(X, V) :- ( number(X) -> V = X ; atom(X) -> V = X ; catch(V is X, error(_, _), V = X) ).
'$precedes'(X, Y) :- ( number(X), number(Y) -> X < Y ; X @< Y ).

bagof(T, G, L) :-
    '$check_list'(L),
    '$strip'(G, Goal, Bound),
    '$free_variables'(Goal, T-Bound, Free),
    ( Free == [] ->
        findall(T, Goal, L0), L0 \== [], L = L0
    ;   Witness =.. [v|Free],
        findall(Witness-T, Goal, Pairs), Pairs \== [],
        keysort(Pairs, Sorted),
        ( '$ground_groups'(Sorted, Groups) -> true ; '$groups'(Sorted, Groups) ),
        member(Witness-L, Groups)
    ).
setof(T, G, S) :- '$check_list'(S), bagof(T, G, L), sort(L, S).
'$strip'(G, G, []) :- var(G), !, instantiation_error(G).
'$strip'(V^G0, G, [V|Vs]) :- !, '$strip'(G0, G, Vs).
'$strip'(M:G0, G, Vs) :- nonvar(G0), G0 = V^G1, !, Vs = [V|Vs1], '$strip'(M:G1, G, Vs1).
% `:` binds more loosely than `^` here, unlike in SWI-Prolog: `V^m:p(V)` is meant to be `V^(m:p(V))`.
'$strip'(M0:G0, G, Vs) :- nonvar(M0), M0 = V^M, !, Vs = [V|Vs1], '$strip'(M:G0, G, Vs1).
'$strip'(_:G0, G, [V|Vs]) :- nonvar(G0), G0 = M0:G1, nonvar(M0), M0 = V^M, !, '$strip'(M:G1, G, Vs).
'$strip'(G, G, []) :- ( callable(G) -> true ; type_error(callable, G) ).
% Solutions whose witnesses are variants belong together; their variables become the same.
'$groups'([], []).
'$groups'([W-T|Rest], [W-[T|Ts]|Groups]) :-
    '$group'(Rest, W, Ts, Others),
    '$groups'(Others, Groups).
'$group'([], _, [], []).
'$group'([W1-T|Rest], W, Ts, Others) :-
    ( W1 =@= W -> W1 = W, Ts = [T|Ts1], '$group'(Rest, W, Ts1, Others)
    ; Others = [W1-T|Others1], '$group'(Rest, W, Ts, Others1)
    ).
