% --- Truth as 0 and 1.

#\ P :- truth(P, 0), attend.
P #<==> Q :- truth(P, B), truth(Q, B), attend.
P #==> Q :- truth(P, A), truth(Q, B), A #=< B.
P #<== Q :- Q #==> P.
P #\/ Q :- truth(P, A), truth(Q, B), A + B #>= 1.
P #/\ Q :- truth(P, 1), truth(Q, 1), attend.
P #\ Q :- truth(P, A), truth(Q, B), A + B #= 1.
truth(P, B) :- var(P), !, P in 0..1, B = P.
truth(P, B) :- integer(P), !, ( P =:= 0 -> true ; P =:= 1 ), B = P.
truth(?(P), B) :- !, truth(P, B).
truth(#(P), B) :- !, truth(P, B).
truth(#\ P, B) :- !, truth(P, A), B in 0..1, combine(not, A, B, 0).
truth(P #<==> Q, B) :- !, two(equal, P, Q, B).
truth(P #==> Q, B) :- !, truth(#\ P, A), truth(Q, C), B in 0..1, combine(or, A, C, B).
truth(P #<== Q, B) :- !, truth(Q #==> P, B).
truth(P #\/ Q, B) :- !, two(or, P, Q, B).
truth(P #/\ Q, B) :- !, two(and, P, Q, B).
truth(P #\ Q, B) :- !, two(xor, P, Q, B).
truth(L #= R, B) :- !, comparison(eq, L, R, B).
truth(L #\= R, B) :- !, comparison(ne, L, R, B).
truth(L #=< R, B) :- !, comparison(le, L, R, B).
truth(L #>= R, B) :- !, comparison(le, R, L, B).
truth(L #< R, B) :- !, comparison(le, L + 1, R, B).
truth(L #> R, B) :- !, comparison(le, R + 1, L, B).
truth(X in D0, B) :- !, domain_of(D0, D), all_integers([X]), B in 0..1, new(within(X, D, B), changed, [X, B]).
truth(P, _) :- throw(error(domain_error(clpfd_reifiable_expression, P), _)).
two(Op, P, Q, C) :- truth(P, A), truth(Q, B), C in 0..1, combine(Op, A, B, C).
combine(Op, A, B, C) :- new(table(Op, A, B, C), bound, [A, B, C]).
comparison(Op, L, R, B) :-
    B in 0..1,
    terms(L, R, Ts, K0), K is -K0, pairs(Ts, Cs, Vs),
    ( B == 1 -> normal(Op, Cs, Vs, K), attend
    ; B == 0 -> opposite(Op, Cs, Vs, K), attend
    ; Op == le -> new(holds(Op, Cs, Vs, K, B), bounds, [B|Vs])
    ; new(holds(Op, Cs, Vs, K, B), changed, [B|Vs])
    ).
opposite(eq, Cs, Vs, K) :- normal(ne, Cs, Vs, K).
opposite(ne, Cs, Vs, K) :- normal(eq, Cs, Vs, K).
opposite(le, Cs0, Vs, K0) :- negated(Cs0, Cs), K is -K0 - 1, normal(le, Cs, Vs, K).
negated([], []).
negated([C|Cs], [D|Ds]) :- D is -C, negated(Cs, Ds).
propagate_holds(Op, Cs, Vs, K, B, P) :-
    ( B == 1 -> die(P), scalar(Op, Cs, Vs, K)
    ; B == 0 -> die(P), zip(Cs, Vs, Ts0, 0, K1), merged(Ts0, Ts), pairs(Ts, Cs1, Vs1), K2 is K - K1, opposite(Op, Cs1, Vs1, K2)
    ; term_bounds(Cs, Vs, 0, Min, 0, I, 0, Max, 0, J, _),
      decided(Op, Cs, Vs, K, Min, I, Max, J, Truth),
      ( Truth == unknown -> true ; die(P), B = Truth )
    ).
decided(le, _, _, K, Min, I, Max, J, T) :- !, ( J =:= 0, Max =< K -> T = 1 ; I =:= 0, Min > K -> T = 0 ; T = unknown ).
decided(eq, Cs, Vs, K, Min, I, Max, J, T) :- !, equal(Cs, Vs, K, Min, I, Max, J, T).
decided(ne, Cs, Vs, K, Min, I, Max, J, T) :- equal(Cs, Vs, K, Min, I, Max, J, T0), ( T0 == unknown -> T = unknown ; T is 1 - T0 ).
equal(Cs, Vs, K, Min, I, Max, J, T) :-
    ( I =:= 0, J =:= 0, Min =:= Max -> ( Min =:= K -> T = 1 ; T = 0 )
    ; I =:= 0, Min > K -> T = 0
    ; J =:= 0, Max < K -> T = 0
    ; open_terms(Cs, Vs, K, Left, [], [X-C]), \+ possible_value(X, C, Left) -> T = 0
    ; Cs = [A, B], abs(A) =:= 1, A + B =:= 0, Vs = [X, Y], disjoint(X, Y, K, A) -> T = 0
    ; T = unknown
    ).
possible_value(X, C, Left) :- Left mod C =:= 0, V is Left // C, domain(X, D), has(D, V).
disjoint(X, Y, K, A) :- domain(X, DX), T is -K*A, shifted(DX, T, DX1), domain(Y, DY), intersection(DX1, DY, []).
propagate_within(X, D, B, P) :-
    ( B == 1 -> die(P), restrict(X, D)
    ; B == 0 -> die(P), complement(D, C), restrict(X, C)
    ; domain(X, DX), intersection(DX, D, Common),
      ( Common == [] -> die(P), B = 0 ; Common == DX -> die(P), B = 1 ; true )
    ).
propagate_table(Op, A, B, C, P) :-
    findall(A-B-C, row(Op, A, B, C), Rows), Rows \== [],
    ( Rows = [Row] -> die(P), A-B-C = Row
    ; agreed(Rows, A, B, C)
    ).
agreed(Rows, A, B, C) :- Rows = [A1-B1-C1|Rs],
    ( var(A), \+ ( member(X-_-_, Rs), X =\= A1 ) -> A = A1 ; true ),
    ( var(B), \+ ( member(_-Y-_, Rs), Y =\= B1 ) -> B = B1 ; true ),
    ( var(C), \+ ( member(_-_-Z, Rs), Z =\= C1 ) -> C = C1 ; true ).
row(and, A, B, C) :- truths(and, A, B, C).
row(or, A, B, C) :- truths(or, A, B, C).
row(xor, A, B, C) :- truths(xor, A, B, C).
row(equal, A, B, C) :- truths(equal, A, B, C).
row(not, A, B, 0) :- truths(not, A, B, 0).
truths(Op, A, B, C) :- fact(Op, X, Y, Z), may_be(A, X), may_be(B, Y), may_be(C, Z), A-B-C = X-Y-Z.
may_be(A, X) :- ( var(A) -> true ; A =:= X ).
fact(and, 0, 0, 0). fact(and, 0, 1, 0). fact(and, 1, 0, 0). fact(and, 1, 1, 1).
fact(or, 0, 0, 0). fact(or, 0, 1, 1). fact(or, 1, 0, 1). fact(or, 1, 1, 1).
fact(xor, 0, 0, 0). fact(xor, 0, 1, 1). fact(xor, 1, 0, 1). fact(xor, 1, 1, 0).
fact(equal, 0, 0, 1). fact(equal, 0, 1, 0). fact(equal, 1, 0, 0). fact(equal, 1, 1, 1).
fact(not, 0, 1, 0). fact(not, 1, 0, 0).
