% --- Linear constraints.

L #= R :- compare_sides(eq, L, R).
L #\= R :- ( apart(L, R, D, K) -> N is -K, compare_sides(ne, D, K), compare_sides(ne, D, N) ; compare_sides(ne, L, R) ).
L #=< R :- compare_sides(le, L, R).
L #>= R :- compare_sides(le, R, L).
L #< R :- compare_sides(le, L + 1, R).
L #> R :- compare_sides(le, R + 1, L).
% Two variables that are not at a given distance: no variable stands for the distance.
apart(L, R, D, K) :- ( integer(R) -> distance(L, D), K = R ; integer(L), distance(R, D), K = L ), K >= 0.
distance(E, X - Y) :- nonvar(E), E = abs(D), nonvar(D), D = X - Y, ( var(X) ; integer(X) ), ( var(Y) ; integer(Y) ), !.
compare_sides(Op, L, R) :- terms(L, R, Ts, K), equation(Op, Ts, K), attend.
terms(L, R, Ts, K) :- linear(L, 1, [], Ts0, 0, K0), linear(R, -1, Ts0, Ts1, K0, K), merged(Ts1, Ts).
% The terms and the constant together are 0, not 0, or at most 0.
equation(Op, Ts, K0) :- K is -K0, pairs(Ts, Cs, Vs), normal(Op, Cs, Vs, K).
pairs([], [], []).
pairs([V-C|Ts], [C|Cs], [V|Vs]) :- pairs(Ts, Cs, Vs).
scalar(Op, Cs, Vs, K0) :- zip(Cs, Vs, Ts0, 0, K1), merged(Ts0, Ts), K is K1 - K0, equation(Op, Ts, K).
zip([], [], [], K, K).
zip([C|Cs], [V|Vs], Ts, K0, K) :-
    ( integer(V) -> K1 is K0 + C*V, Ts = Ts1 ; Ts = [V-C|Ts1], K1 = K0 ),
    zip(Cs, Vs, Ts1, K1, K).
normal(Op, [], [], K) :- !, true(Op, 0, K).
normal(Op, Cs0, Vs, K0) :-
    divisor(Cs0, 0, G),
    ( G =:= 1 -> Cs = Cs0, K = K0
    ; Op == le -> divided(Cs0, G, Cs), K is K0 div G
    ; K0 mod G =:= 0 -> divided(Cs0, G, Cs), K is K0 // G
    ; Op == ne -> Cs = none
    ; fail
    ),
    ( Cs == none -> true ; normal_(Op, Cs, Vs, K) ).
divisor([], G, G).
divisor([C|Cs], G0, G) :- G1 is gcd(C, G0), divisor(Cs, G1, G).
divided([], _, []).
divided([C|Cs], G, [D|Ds]) :- D is C // G, divided(Cs, G, Ds).
normal_(eq, [1], [X], K) :- !, X = K.
normal_(eq, [-1], [X], K) :- !, X is -K.
normal_(ne, [1], [X], K) :- !, exclude(X, K).
normal_(ne, [-1], [X], K) :- !, V is -K, exclude(X, V).
normal_(le, [1], [X], K) :- !, narrow(X, inf, K).
normal_(le, [-1], [X], K) :- !, L is -K, narrow(X, L, sup).
normal_(eq, [1, -1], [X, Y], 0) :- !, X = Y.
normal_(eq, [-1, 1], [X, Y], 0) :- !, X = Y.
normal_(ne, Cs, Vs, K) :- !, new(scalar(ne, Cs, Vs, K), bound, Vs).
normal_(eq, Cs, Vs, K) :- Vs = [_, _], Cs = [A, B], abs(A) =:= 1, abs(B) =:= 1, !, new(scalar(eq, Cs, Vs, K), changed, Vs).
normal_(Op, Cs, Vs, K) :- new(scalar(Op, Cs, Vs, K), bounds, Vs).
true(eq, S, K) :- S =:= K.
true(ne, S, K) :- S =\= K.
true(le, S, K) :- S =< K.

propagate(scalar(Op, Cs, Vs, K), P) :- propagate_scalar(Op, Cs, Vs, K, P).
propagate(times(X, Y, Z), P) :- propagate_times(X, Y, Z, P).
propagate(quotient(X, Y, Z), P) :- propagate_quotient(X, Y, Z, P).
propagate(floored(X, Y, Z), P) :- propagate_floored(X, Y, Z, P).
propagate(modulo(X, Y, Z), P) :- propagate_modulo(X, Y, Z, P).
propagate(remainder(X, Y, Z), P) :- propagate_remainder(X, Y, Z, P).
propagate(power(X, Y, Z), P) :- propagate_power(X, Y, Z, P).
propagate(absolute(X, Z), P) :- propagate_absolute(X, Z, P).
propagate(maximum(X, Y, Z), P) :- propagate_maximum(X, Y, Z, P).
propagate(minimum(X, Y, Z), P) :- propagate_minimum(X, Y, Z, P).
propagate(different(Xs), P) :- propagate_different(Xs, P).
propagate(distinct(Xs), P) :- propagate_distinct(Xs, P).
propagate(tuple(T, R), P) :- propagate_tuple(T, R, P).
propagate(element(I, Xs, X), P) :- propagate_element(I, Xs, X, P).
propagate(holds(Op, Cs, Vs, K, B), P) :- propagate_holds(Op, Cs, Vs, K, B, P).
propagate(within(X, D, B), P) :- propagate_within(X, D, B, P).
propagate(table(Op, A, B, C), P) :- propagate_table(Op, A, B, C, P).
propagate(circuit(Xs), P) :- propagate_circuit(Xs, P).
propagate(schedule(Ts, L), P) :- propagate_schedule(Ts, L, P).

propagate_scalar(ne, Cs, Vs, K, P) :- !,
    open_terms(Cs, Vs, K, Left, [], Open),
    ( Open = [] -> Left =\= 0
    ; Open = [X-C] -> die(P), ( Left mod C =:= 0 -> V is Left // C, exclude(X, V) ; true )
    ; true
    ).
propagate_scalar(Op, [A, B], [X, Y], K, P) :- Op == eq, abs(A) =:= 1, abs(B) =:= 1, !,
    ( integer(X) -> die(P), Y is (K - A*X) * B
    ; integer(Y) -> die(P), X is (K - B*Y) * A
    ; domain(X, DX), S is -A*B, T is K*B, mapped(DX, S, T, DX1), restrict(Y, DX1),
      ( integer(Y) -> true ; domain(Y, DY), T1 is K*A, mapped(DY, S, T1, DY1), restrict(X, DY1) )
    ).
propagate_scalar(Op, Cs, Vs, K, P) :-
    term_bounds(Cs, Vs, 0, Min, 0, MinInfs, 0, Max, 0, MaxInfs, Ts),
    ( Op == eq ->
        ( MinInfs =:= 0 -> Min =< K ; true ),
        ( MaxInfs =:= 0 -> Max >= K ; true ),
        ( MinInfs =:= 0, MaxInfs =:= 0, Min =:= Max -> die(P) ; narrow_terms(Ts, eq, K, Min, MinInfs, Max, MaxInfs) )
    ; ( MinInfs =:= 0 -> Min =< K ; true ),
      ( MaxInfs =:= 0, Max =< K -> die(P) ; narrow_terms(Ts, le, K, Min, MinInfs, Max, MaxInfs) )
    ).
open_terms([], [], K, K, Open, Open).
open_terms([C|Cs], [V|Vs], K0, K, Open0, Open) :-
    ( integer(V) -> K1 is K0 - C*V, open_terms(Cs, Vs, K1, K, Open0, Open)
    ; Open0 = [_, _|_] -> K = K0, Open = Open0
    ; open_terms(Cs, Vs, K0, K, [V-C|Open0], Open)
    ).
% Each value V of a domain as S*V + T, where S is 1 or -1.
mapped(D, S, T, D1) :- ( S =:= 1 -> shifted(D, T, D1) ; mirrored(D, T, [], D1) ).
shifted([], _, []).
shifted([L-H|D], T, [L1-H1|D1]) :- plus_bound(L, T, L1), plus_bound(H, T, H1), shifted(D, T, D1).
mirrored([], _, D, D).
mirrored([L-H|D], T, D0, D1) :- minus_bound(H, T, L1), minus_bound(L, T, H1), mirrored(D, T, [L1-H1|D0], D1).
plus_bound(B, T, B1) :- ( integer(B) -> B1 is B + T ; B1 = B ).
minus_bound(B, T, B1) :- ( integer(B) -> B1 is T - B ; B == inf -> B1 = sup ; B1 = inf ).
term_bounds([], [], Min, Min, I, I, Max, Max, J, J, []).
term_bounds([C|Cs], [V|Vs], Min0, Min, I0, I, Max0, Max, J0, J, Ts) :-
    ( integer(V) ->
        Min1 is Min0 + C*V, Max1 is Max0 + C*V, Ts = Ts1, I1 = I0, J1 = J0
    ; bounds(V, L, H),
      ( C > 0 -> A = L, B = H ; A = H, B = L ),
      ( integer(A) -> Low is C*A, Min1 is Min0 + Low, I1 = I0 ; Low = inf, Min1 = Min0, I1 is I0 + 1 ),
      ( integer(B) -> High is C*B, Max1 is Max0 + High, J1 = J0 ; High = sup, Max1 = Max0, J1 is J0 + 1 ),
      Ts = [t(C, V, Low, High)|Ts1]
    ),
    term_bounds(Cs, Vs, Min1, Min, I1, I, Max1, Max, J1, J, Ts1).
% Every term is what the others leave of the constant.
narrow_terms([], _, _, _, _, _, _).
narrow_terms([t(C, V, Low, High)|Ts], Op, K, Min, I, Max, J) :-
    ( rest(Low, Min, I, RestMin) -> Most is K - RestMin ; Most = sup ),
    ( Op == eq, rest(High, Max, J, RestMax) -> Least is K - RestMax ; Least = inf ),
    ( le(High, Most), High \== sup, le(Least, Low), Low \== inf -> true
    ; C > 0 -> ceiling_of(Least, C, L), floor_of(Most, C, H), narrow(V, L, H)
    ; ceiling_of(Most, C, L), floor_of(Least, C, H), narrow(V, L, H)
    ),
    narrow_terms(Ts, Op, K, Min, I, Max, J).
rest(B, Sum, Infs, Rest) :- ( integer(B) -> Infs =:= 0, Rest is Sum - B ; Infs =:= 1, Rest = Sum ).
ceiling_of(B, C, L) :- ( integer(B) -> L is -((-B) div C) ; L = inf ).
floor_of(B, C, H) :- ( integer(B) -> H is B div C ; H = sup ).
