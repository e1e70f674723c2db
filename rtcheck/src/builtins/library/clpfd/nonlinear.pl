% --- What is not linear.

propagate_times(X, Y, Z, P) :-
    ( integer(X), integer(Y) -> die(P), Z is X*Y
    ; integer(X) -> die(P), ( X =:= 0 -> Z = 0 ; equation(eq, [Y-X, Z-(-1)], 0) )
    ; integer(Y) -> die(P), ( Y =:= 0 -> Z = 0 ; equation(eq, [X-Y, Z-(-1)], 0) )
    ; bounds(X, XL, XH), bounds(Y, YL, YH),
      product(XL, YL, A), product(XL, YH, B), product(XH, YL, C), product(XH, YH, D),
      least([A, B, C, D], L), most([A, B, C, D], H), narrow(Z, L, H),
      factor_bounds(X, Y, Z), factor_bounds(Y, X, Z)
    ).
product(A, B, C) :-
    ( integer(A), integer(B) -> C is A*B
    ; A == 0 -> C = 0
    ; B == 0 -> C = 0
    ; sign_of(A, S), sign_of(B, T), ( S =:= T -> C = sup ; C = inf )
    ).
sign_of(B, S) :- ( integer(B) -> S is sign(B) ; B == inf -> S = -1 ; S = 1 ).
least([B], B) :- !.
least([A|Bs], L) :- least(Bs, B), ( le(A, B), A \== sup -> L = A ; L = B ).
most([B], B) :- !.
most([A|Bs], M) :- most(Bs, B), ( le(B, A), A \== inf -> M = A ; M = B ).
% X*Y = Z narrows X where Y is not 0 and the bounds are known.
factor_bounds(X, Y, Z) :-
    bounds(Y, YL, YH), bounds(Z, ZL, ZH),
    ( integer(X) -> true
    ; integer(YL), integer(YH), integer(ZL), integer(ZH) ->
        ( YL > 0 -> quotients(YL, YH, ZL, ZH, L, H), narrow(X, L, H)
        ; YH < 0 -> quotients(YL, YH, ZL, ZH, L, H), narrow(X, L, H)
        ; zero_in(ZL, ZH) -> true
        ; M is max(abs(ZL), abs(ZH)), L is -M, narrow(X, L, M), exclude(X, 0)
        )
    ; integer(ZL), integer(ZH), \+ zero_in(ZL, ZH) -> M is max(abs(ZL), abs(ZH)), L is -M, narrow(X, L, M), exclude(X, 0)
    ; integer(YL), YL > 0, integer(ZL), ZL >= 0 -> narrow(X, 0, sup), ( integer(ZH) -> H is ZH // YL, narrow(X, inf, H) ; true )
    ; true
    ).
zero_in(L, H) :- L =< 0, H >= 0.
quotients(YL, YH, ZL, ZH, L, H) :-
    A is -((-ZL) div YL), B is -((-ZL) div YH), C is -((-ZH) div YL), D is -((-ZH) div YH),
    L is min(min(A, B), min(C, D)),
    E is ZL div YL, F is ZL div YH, G is ZH div YL, I is ZH div YH,
    H is max(max(E, F), max(G, I)).

propagate_quotient(X, Y, Z, P) :-
    exclude(Y, 0),
    ( integer(X), integer(Y) -> die(P), Z is X // Y
    ; integer(Y) ->
        bounds(X, L, H), M is abs(Y),
        ( integer(L) -> A is L // Y ; signed(inf, Y, A) ),
        ( integer(H) -> B is H // Y ; signed(sup, Y, B) ),
        ( Y > 0 -> narrow(Z, A, B) ; narrow(Z, B, A) ),
        bounds(Z, ZL, ZH),
        % X lies between Y*Z and the next multiple, away from 0.
        ( Y > 0 -> U = ZL, V = ZH ; U = ZH, V = ZL ),
        ( integer(U) -> ( sign(U) * sign(Y) =< 0 -> XL is Y*U - M + 1 ; XL is Y*U ) ; XL = inf ),
        ( integer(V) -> ( sign(V) * sign(Y) >= 0 -> XH is Y*V + M - 1 ; XH is Y*V ) ; XH = sup ),
        narrow(X, XL, XH)
    ; bounds(X, L, H), integer(L), integer(H) -> M is max(abs(L), abs(H)), N is -M, narrow(Z, N, M),
      bounds(Y, YL, YH),
      ( L >= 0, integer(YL), YL > 0 ->
          ( integer(YH) -> A is L // YH ; A = 0 ), B is H // YL, narrow(Z, A, B)
      ; true
      )
    ; true
    ).
signed(B, Y, B1) :- ( Y > 0 -> B1 = B ; B == inf -> B1 = sup ; B1 = inf ).
propagate_floored(X, Y, Z, P) :-
    exclude(Y, 0),
    ( integer(X), integer(Y) -> die(P), Z is X div Y
    ; integer(Y), Y > 0 ->
        bounds(X, L, H),
        ( integer(L) -> A is L div Y ; A = inf ), ( integer(H) -> B is H div Y ; B = sup ), narrow(Z, A, B),
        bounds(Z, ZL, ZH),
        ( integer(ZL) -> XL is Y*ZL ; XL = inf ), ( integer(ZH) -> XH is Y*ZH + Y - 1 ; XH = sup ), narrow(X, XL, XH)
    ; true
    ).
propagate_modulo(X, Y, Z, P) :-
    exclude(Y, 0),
    ( integer(X), integer(Y) -> die(P), Z is X mod Y
    ; integer(Y) ->
        ( Y > 0 -> H is Y - 1, narrow(Z, 0, H) ; L is Y + 1, narrow(Z, L, 0) ),
        bounds(X, XL, XH),
        ( integer(XL), integer(XH), XL div Y =:= XH div Y -> die(P), K is Y * (XL div Y), equation(eq, [X-1, Z-(-1)], -K)
        ; integer(XL), integer(XH), XH - XL =< 1000 -> domain(X, DX), domain(Z, DZ), values(DX, Vs), residues(Vs, Y, DZ, Ws, Rs),
          domain_of_values(Ws, DX1), restrict(X, DX1), domain_of_values(Rs, DZ1), restrict(Z, DZ1)
        ; true
        )
    ; bounds(Y, L, H), integer(L), integer(H) ->
        M is max(abs(L), abs(H)) - 1, N is -M,
        ( L > 0 -> narrow(Z, 0, M) ; H < 0 -> narrow(Z, N, 0) ; narrow(Z, N, M) )
    ; true
    ).
residues([], _, _, [], []).
residues([V|Vs], Y, D, Ws, Rs) :-
    R is V mod Y,
    ( has(D, R) -> Ws = [V|Ws1], Rs = [R|Rs1] ; Ws = Ws1, Rs = Rs1 ),
    residues(Vs, Y, D, Ws1, Rs1).
propagate_remainder(X, Y, Z, P) :-
    exclude(Y, 0),
    ( integer(X), integer(Y) -> die(P), Z is X rem Y
    ; bounds(Y, L, H), integer(L), integer(H) ->
        M is max(abs(L), abs(H)) - 1, N is -M, bounds(X, XL, XH),
        ( integer(XL), XL >= 0 -> narrow(Z, 0, M) ; integer(XH), XH =< 0 -> narrow(Z, N, 0) ; narrow(Z, N, M) )
    ; true
    ).
propagate_power(X, Y, Z, P) :-
    ( integer(X), integer(Y) -> die(P), calculate(power(X, Y, W)), Z = W
    ; integer(Y), Y > 0 ->
        bounds(X, L, H),
        ( integer(L), integer(H) ->
            A is L^Y, B is H^Y,
            ( Y mod 2 =:= 1 -> narrow(Z, A, B)
            ; L >= 0 -> narrow(Z, A, B)
            ; H =< 0 -> narrow(Z, B, A)
            ; M is max(A, B), narrow(Z, 0, M)
            )
        ; Y mod 2 =:= 0 -> narrow(Z, 0, sup)
        ; true
        ),
        bounds(Z, ZL, ZH),
        ( integer(ZH), ZH >= 0, ( Y mod 2 =:= 0 -> true ; integer(L), L >= 0 ) -> root(ZH, Y, R), N is -R, narrow(X, N, R) ; true ),
        (   integer(ZL), ZL > 0, Y mod 2 =:= 0 ->
            % Nothing between the roots; of a known power nothing but the roots is left.
            ZL1 is ZL - 1, root(ZL1, Y, R1), R2 is R1 + 1, N2 is -R2, restrict(X, [inf-N2, R2-sup]),
            ( integer(Z) -> die(P) ; true )
        ;   integer(ZL), ZL > 0, bounds(X, XL, _), integer(XL), XL >= 0 ->
            ZL1 is ZL - 1, root(ZL1, Y, R1), R2 is R1 + 1, narrow(X, R2, sup)
        ;   true
        )
    ; integer(Y), Y =:= 0 -> die(P), Z = 1
    ; integer(X), X > 1, bounds(Z, _, ZH), integer(ZH) -> exponents(X, 0, ZH, H), narrow(Y, 0, H),
      bounds(Z, ZL, _), ( integer(ZL), ZL > 1 -> ZL1 is ZL - 1, exponents(X, 0, ZL1, L0), L is L0 + 1, narrow(Y, L, sup) ; true ),
      bounds(Y, YL, _), ( integer(YL), YL >= 0 -> A is X^YL, narrow(Z, A, sup) ; true )
    ; true
    ).
exponents(X, E, Z, H) :- ( X^(E+1) > Z -> H = E ; E1 is E + 1, exponents(X, E1, Z, H) ).
% The greatest R with R^Y at most Z.
root(Z, Y, R) :- grown(1, Y, Z, H), bisected(0, H, Y, Z, R).
grown(H0, Y, Z, H) :- ( H0^Y > Z -> H = H0 ; H1 is H0*2, grown(H1, Y, Z, H) ).
bisected(L, H, Y, Z, R) :- ( H - L =< 1 -> R = L ; M is (L + H) // 2, ( M^Y > Z -> bisected(L, M, Y, Z, R) ; bisected(M, H, Y, Z, R) ) ).
propagate_absolute(X, Z, P) :-
    ( integer(X) -> die(P), Z is abs(X)
    ; narrow(Z, 0, sup),
      domain(X, DX), positive(DX, DP), intersection(DX, [inf-0], DN0), mirrored(DN0, 0, [], DN),
      union(DP, DN, D), restrict(Z, D),
      domain(Z, DZ), mirrored(DZ, 0, [], DM), union(DM, DZ, D2), restrict(X, D2)
    ).
positive(D, DP) :- intersection(D, [0-sup], DP).
propagate_maximum(X, Y, Z, P) :-
    ( integer(X), integer(Y) -> die(P), Z is max(X, Y)
    ; bounds(X, XL, XH), bounds(Y, YL, YH),
      greatest_low(XL, YL, L), greatest_high(XH, YH, H), narrow(Z, L, H),
      bounds(Z, _, ZH), narrow(X, inf, ZH), narrow(Y, inf, ZH),
      ( integer(XH), integer(YL), XH < YL -> die(P), Z = Y ; integer(YH), integer(XL), YH < XL -> die(P), Z = X ; true )
    ).
propagate_minimum(X, Y, Z, P) :-
    ( integer(X), integer(Y) -> die(P), Z is min(X, Y)
    ; bounds(X, XL, XH), bounds(Y, YL, YH),
      ( XL == inf -> L = inf ; YL == inf -> L = inf ; L is min(XL, YL) ), least_high(XH, YH, H), narrow(Z, L, H),
      bounds(Z, ZL, _), narrow(X, ZL, sup), narrow(Y, ZL, sup),
      ( integer(XH), integer(YL), XH < YL -> die(P), Z = X ; integer(YH), integer(XL), YH < XL -> die(P), Z = Y ; true )
    ).
