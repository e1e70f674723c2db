% --- Expressions. linear(E, F, Ts0, Ts, K0, K): F times the expression is the terms and the constant.

linear(E, F, Ts0, Ts, K0, K) :- var(E), !, integer_variable(E), Ts = [E-F|Ts0], K = K0.
linear(E, F, Ts, Ts, K0, K) :- integer(E), !, K is K0 + F*E.
linear(?(E), F, Ts0, Ts, K0, K) :- !, linear(E, F, Ts0, Ts, K0, K).
linear(#(E), F, Ts0, Ts, K0, K) :- !, linear(E, F, Ts0, Ts, K0, K).
linear(A+B, F, Ts0, Ts, K0, K) :- !, linear(A, F, Ts0, Ts1, K0, K1), linear(B, F, Ts1, Ts, K1, K).
linear(A-B, F, Ts0, Ts, K0, K) :- !, G is -F, linear(A, F, Ts0, Ts1, K0, K1), linear(B, G, Ts1, Ts, K1, K).
linear(-A, F, Ts0, Ts, K0, K) :- !, G is -F, linear(A, G, Ts0, Ts, K0, K).
linear(A*B, F, Ts0, Ts, K0, K) :- !,
    whole(A, ATs, AK), whole(B, BTs, BK),
    ( ATs == [] -> G is F*AK, add(BTs, G, Ts0, Ts), K is K0 + G*BK
    ; BTs == [] -> G is F*BK, add(ATs, G, Ts0, Ts), K is K0 + G*AK
    ; variable(ATs, AK, X), variable(BTs, BK, Y),
      ( X == Y -> new(power(X, 2, Z), bounds, [X, Z]), narrow(Z, 0, sup) ; new(times(X, Y, Z), bounds, [X, Y, Z]) ),
      attend, linear(Z, F, Ts0, Ts, K0, K)
    ).
linear(E, F, Ts0, Ts, K0, K) :- operation(E, C, Xs, Es, Z), !,
    parts(Es, Xs),
    ( ground(Xs), \+ ground(Z) -> calculate(C) ; new(C, bounds, [Z|Xs]) ),
    linear(Z, F, Ts0, Ts, K0, K).
linear(E, _, _, _, _, _) :- not_evaluable(E).
not_evaluable(E) :- ( callable(E) -> functor(E, F, N), throw(error(type_error(evaluable, F/N), _)) ; throw(error(type_error(evaluable, E), _)) ).
integer_variable(X) :- ( attvar(X), get_attr(X, clpfd, _) -> true ; put_attr(X, clpfd, fd(inf, sup, [inf-sup], ps([], [], []))) ).
whole(E, Ts, K) :- linear(E, 1, [], Ts0, 0, K), merged(Ts0, Ts).
add([], _, Ts, Ts).
add([X-C|Xs], G, Ts0, Ts) :- D is C*G, add(Xs, G, [X-D|Ts0], Ts).
variable([X-1], 0, X) :- !.
variable(Ts, K, Z) :- equation(eq, [Z-(-1)|Ts], K), attend.
parts([], []).
parts([E|Es], [X|Xs]) :- whole(E, Ts, K), ( Ts == [] -> X = K ; variable(Ts, K, X) ), parts(Es, Xs).
operation(A // B, quotient(X, Y, Z), [X, Y], [A, B], Z).
operation(A div B, floored(X, Y, Z), [X, Y], [A, B], Z).
operation(A mod B, modulo(X, Y, Z), [X, Y], [A, B], Z).
operation(A rem B, remainder(X, Y, Z), [X, Y], [A, B], Z).
operation(A ^ B, power(X, Y, Z), [X, Y], [A, B], Z).
operation(abs(A), absolute(X, Z), [X], [A], Z).
operation(max(A, B), maximum(X, Y, Z), [X, Y], [A, B], Z).
operation(min(A, B), minimum(X, Y, Z), [X, Y], [A, B], Z).
calculate(quotient(X, Y, Z)) :- Y =\= 0, Z is X // Y.
calculate(floored(X, Y, Z)) :- Y =\= 0, Z is X div Y.
calculate(modulo(X, Y, Z)) :- Y =\= 0, Z is X mod Y.
calculate(remainder(X, Y, Z)) :- Y =\= 0, Z is X rem Y.
calculate(power(X, Y, Z)) :- ( Y >= 0 -> Z is X^Y ; X =:= 1 -> Z = 1 ; X =:= -1, Z is 1 - 2*(Y mod 2) ).
calculate(absolute(X, Z)) :- Z is abs(X).
calculate(maximum(X, Y, Z)) :- Z is max(X, Y).
calculate(minimum(X, Y, Z)) :- Z is min(X, Y).

% Each variable once, those with coefficient 0 gone, in the order of their first occurrence.
merged(Ts0, Ts) :- reverse(Ts0, Ts1), merge_terms(Ts1, [], Ts).
merge_terms([], Acc, Ts) :- kept(Acc, [], Ts).
merge_terms([X-C|Xs], Acc0, Ts) :- ( put_in(Acc0, X, C, Acc) -> true ; Acc = [X-C|Acc0] ), merge_terms(Xs, Acc, Ts).
put_in([Y-D|Ys], X, C, Zs) :- ( X == Y -> E is C + D, Zs = [Y-E|Ys] ; Zs = [Y-D|Zs1], put_in(Ys, X, C, Zs1) ).
kept([], Ts, Ts).
kept([X-C|Xs], Ts0, Ts) :- ( C =:= 0 -> kept(Xs, Ts0, Ts) ; kept(Xs, [X-C|Ts0], Ts) ).
