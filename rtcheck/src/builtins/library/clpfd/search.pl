% --- Search.

fd_var(X) :- var(X), get_attr(X, clpfd, _).
fd_inf(X, L) :- integer_or_variable(X), bounds(X, L0, _), L = L0.
fd_sup(X, H) :- integer_or_variable(X), bounds(X, _, H0), H = H0.
fd_size(X, N) :- integer_or_variable(X), domain(X, D), size(D, N0), N = N0.
fd_dom(X, T) :- integer_or_variable(X), domain(X, D), whole_term(D, T0), T = T0.
fd_degree(X, N) :- ( integer(X) -> N = 0 ; get(X, _, _, _, ps(A, B, C)), append(A, B, AB), append(AB, C, Ps), alive(Ps, Cs), length(Cs, N) ).

indomain(X) :- label([X]).
label(Xs) :- labeling([], Xs).
labeling(Options, Xs) :-
    must_be(list, Options), must_be(list, Xs),
    all_finite(Xs),
    options(Options, o(leftmost, up, step), O, [], Goals),
    ( repeated(Options) -> domain_error(nonrepeating_labeling_options, Options) ; true ),
    optimized(Goals, O, Xs).
all_finite([]).
all_finite([X|Xs]) :-
    integer_or_variable(X),
    bounds(X, L, H),
    ( integer(L), integer(H) -> true ; throw(error(instantiation_error, _)) ),
    all_finite(Xs).
options([], O, O, Gs, Gs).
options([X|_], _, _, _, _) :- var(X), !, throw(error(instantiation_error, _)).
% SICStus Prolog's names.
options([minimize(E)|Xs], O0, O, Gs0, Gs) :- !, options([min(E)|Xs], O0, O, Gs0, Gs).
options([maximize(E)|Xs], O0, O, Gs0, Gs) :- !, options([max(E)|Xs], O0, O, Gs0, Gs).
options([X|Xs], o(S, D, B), O, Gs0, Gs) :-
    ( memberchk(X, [leftmost, ff, ffc, min, max]) -> options(Xs, o(X, D, B), O, Gs0, Gs)
    ; memberchk(X, [up, down]) -> options(Xs, o(S, X, B), O, Gs0, Gs)
    ; memberchk(X, [step, enum, bisect]) -> options(Xs, o(S, D, X), O, Gs0, Gs)
    ; ( X = min(_) ; X = max(_) ) -> append(Gs0, [X], Gs1), options(Xs, o(S, D, B), O, Gs1, Gs)
    ; throw(error(domain_error(labeling_option, X), _))
    ).
repeated(Options) :-
    member(Kind, [[leftmost, ff, ffc, min, max], [up, down], [step, enum, bisect]]),
    select(X, Options, Others), memberchk(X, Kind), member(Y, Others), memberchk(Y, Kind), !.
optimized([], O, Xs) :- search(Xs, O).
optimized([G|Gs], O, Xs) :- G =.. [Sense, E], V #= E, by_value(Sense, V, Gs, O, Xs).
% The solutions in the order of the values of V: the best one is found by asking for a better one until there is none.
by_value(Sense, V, Gs, O, Xs) :-
    found(optimized(Gs, O, Xs), V, First),
    best(Sense, V, optimized(Gs, O, Xs), First, Best),
    ( V = Best, optimized(Gs, O, Xs)
    ; ( Sense == min -> V #> Best ; V #< Best ), by_value(Sense, V, Gs, O, Xs)
    ).
found(G, V, N) :- findall(V, once(G), [N]), ( integer(N) -> true ; throw(error(instantiation_error, _)) ).
best(Sense, V, G, N0, N) :- ( found(( better(Sense, V, N0), G ), V, N1) -> best(Sense, V, G, N1, N) ; N = N0 ).
better(min, V, N) :- V #< N.
better(max, V, N) :- V #> N.
search(Xs0, O) :-
    open_variables(Xs0, Xs),
    ( Xs == [] -> true
    ; O = o(S, D, B), chosen(S, Xs, X, Rest), branch(B, D, X, Again), ( Again == true -> search(Xs, O) ; search(Rest, O) )
    ).
open_variables([], []).
open_variables([X|Xs], Vs) :- ( integer(X) -> Vs = Vs1 ; Vs = [X|Vs1] ), open_variables(Xs, Vs1).
chosen(leftmost, [X|Xs], X, Xs) :- !.
chosen(S, [Y|Ys], X, Rest) :- key(S, Y, K), first_best(Ys, S, K, Y, X), removed([Y|Ys], X, Rest).
key(ff, X, N) :- domain(X, D), size(D, N).
key(ffc, X, N-M) :- domain(X, D), size(D, N), fd_degree(X, M0), M is -M0.
key(min, X, L) :- bounds(X, L, _).
key(max, X, N) :- bounds(X, _, H), N is -H.
first_best([], _, _, X, X).
first_best([Y|Ys], S, K0, X0, X) :- key(S, Y, K), ( K @< K0 -> first_best(Ys, S, K, Y, X) ; first_best(Ys, S, K0, X0, X) ).
removed([Y|Ys], X, Rest) :- ( X == Y -> Rest = Ys ; Rest = [Y|Rest1], removed(Ys, X, Rest1) ).
branch(step, D, X, Again) :-
    ( D == up -> bounds(X, V, _) ; bounds(X, _, V) ),
    ( X = V, Again = last ; exclude(X, V), attend, Again = true ).
branch(enum, D, X, last) :- domain(X, Dom), values(Dom, Vs0), ( D == up -> Vs = Vs0 ; reverse(Vs0, Vs) ), member(X, Vs).
branch(bisect, D, X, true) :-
    bounds(X, L, H), M is (L + H) div 2, M1 is M + 1,
    ( D == up -> ( narrow(X, inf, M) ; narrow(X, M1, sup) ) ; ( narrow(X, M1, sup) ; narrow(X, inf, M) ) ),
    attend.
