% --- Variables.

get(X, L, H, D, Ps) :- ( get_attr(X, clpfd, fd(L0, H0, D0, Ps0)) -> L = L0, H = H0, D = D0, Ps = Ps0 ; L = inf, H = sup, D = [inf-sup], Ps = ps([], [], []) ).
bounds(X, L, H) :- ( integer(X) -> L = X, H = X ; get_attr(X, clpfd, fd(L0, H0, _, _)) -> L = L0, H = H0 ; L = inf, H = sup ).
domain(X, D) :- ( integer(X) -> D = [X-X] ; get(X, _, _, D, _) ).

% The domain of a variable becomes a part of what it was.
become(X, L, H, D0, D, Ps) :-
    ( D == D0 -> true
    ; D = [L1-_|_], highest(D, H1),
      ( L1 == H1 -> X = L1
      ; put_attr(X, clpfd, fd(L1, H1, D, Ps)),
        ( endless(L1, H1) -> true
        ; Ps = ps(_, B, C),
          ( L1 == L, H1 == H -> true ; enqueue(B) ),
          enqueue(C)
        )
      )
    ).
% Bounds of what has no end can push each other for ever (X #> 0, X #> Y, Y #> X). After many such steps in a row they
% wake nothing more until something else is said: what is left shows as residual goals.
endless(L, H) :-
    \+ ( integer(L), integer(H) ),
    nb_getval('$clpfd_open', N0), N is N0 + 1, nb_setval('$clpfd_open', N),
    N > 10000.
narrow(X, L, H) :-
    ( integer(X) -> le(L, X), le(X, H)
    ; get(X, L0, H0, D0, Ps),
      ( le(L, L0), le(H0, H) -> true ; intersection(D0, [L-H], D), become(X, L0, H0, D0, D, Ps) )
    ).
restrict(X, D1) :-
    ( integer(X) -> has(D1, X) ; get(X, L, H, D0, Ps), intersection(D0, D1, D), become(X, L, H, D0, D, Ps) ).
exclude(X, V) :-
    ( integer(X) -> X =\= V
    ; get(X, L, H, D0, Ps),
      ( has(D0, V) -> without(D0, V, D), become(X, L, H, D0, D, Ps) ; true )
    ).

attr_unify_hook(fd(L, H, D, Ps), Other) :-
    ( integer(Other) -> has(D, Other), wake_all(Ps)
    ; var(Other) ->
        ( get_attr(Other, clpfd, fd(_, _, D1, Ps1)) ->
            intersection(D, D1, D2), D2 = [L2-_|_], highest(D2, H2),
            Ps = ps(A, B, C), Ps1 = ps(A1, B1, C1),
            append(A, A1, A2), append(B, B1, B2), append(C, C1, C2),
            put_attr(Other, clpfd, fd(L2, H2, D2, ps(A2, B2, C2))),
            ( L2 == H2 -> Other = L2 ; true ),
            again(A2), again(B2), again(C2)
        ; put_attr(Other, clpfd, fd(L, H, D, Ps))
        )
    ; throw(error(type_error(integer, Other), _))
    ),
    attend.
wake_all(ps(A, B, C)) :- enqueue(A), enqueue(B), enqueue(C).
% Two variables are one: a linear constraint may have both.
again([]).
again([P|Ps]) :-
    P = prop(C, State),
    ( State == dead -> true
    ; C = scalar(Op, Cs, Vs, K) -> setarg(2, P, dead), scalar(Op, Cs, Vs, K)
    ; enqueue([P])
    ),
    again(Ps).

attribute_goals(X) -->
    { get_attr(X, clpfd, fd(_, _, D, ps(A, B, C))) },
    ( { D == [inf-sup] } -> [] ; { whole_term(D, T) }, [X in T] ),
    { append(A, B, AB), append(AB, C, Ps0), alive(Ps0, Ps) },
    ( { D == [inf-sup], Ps == [] } -> [X in inf..sup] ; [] ),
    goals_of(Ps).
alive([], []).
alive([prop(C, S)|Ps], Cs) :- ( S == dead -> Cs = Cs1 ; Cs = [C|Cs1] ), alive(Ps, Cs1).
goals_of([]) --> [].
goals_of([C|Cs]) --> ( { goal_of(C, G) } -> [G] ; [] ), goals_of(Cs).
goal_of(scalar(Op, Cs, Vs, K), G) :- sides(Cs, Vs, K, Op, G).
goal_of(times(X, Y, Z), X*Y #= Z).
goal_of(quotient(X, Y, Z), X // Y #= Z).
goal_of(floored(X, Y, Z), X div Y #= Z).
goal_of(modulo(X, Y, Z), X mod Y #= Z).
goal_of(remainder(X, Y, Z), X rem Y #= Z).
goal_of(power(X, Y, Z), X^Y #= Z).
goal_of(absolute(X, Y), Y #= abs(X)).
goal_of(maximum(X, Y, Z), Z #= max(X, Y)).
goal_of(minimum(X, Y, Z), Z #= min(X, Y)).
goal_of(different(Xs), all_different(Xs)).
goal_of(distinct(Xs), all_distinct(Xs)).
goal_of(tuple(T, R), tuples_in([T], R)).
goal_of(element(I, Xs, X), element(I, Xs, X)).
goal_of(holds(Op, Cs, Vs, K, B), B #<==> G) :- sides(Cs, Vs, K, Op, G).
goal_of(within(X, D, B), B #<==> X in T) :- whole_term(D, T).
goal_of(table(Op, A, B, C), G) :- table_goal(Op, A, B, C, G).
goal_of(circuit(Xs), circuit(Xs)).
goal_of(schedule(Ts, L), cumulative(Ts, [limit(L)])).
table_goal(and, A, B, C, A #/\ B #<==> C).
table_goal(or, A, B, C, A #\/ B #<==> C).
table_goal(xor, A, B, C, A #\ B #<==> C).
table_goal(equal, A, B, C, A #<==> B #<==> C).
table_goal(not, A, B, _, #\ A #<==> B).

% Terms with positive coefficients stand on the left, the others on the right.
sides(Cs, Vs, K, Op, G) :-
    sides_(Cs, Vs, Ls, Rs),
    ( K < 0, Ls \== [] -> K1 is -K, append(Ls, [K1], Ls1), Rs1 = Rs
    ; K =:= 0 -> Ls1 = Ls, Rs1 = Rs
    ; append(Rs, [K], Rs1), Ls1 = Ls
    ),
    total(Ls1, L), total(Rs1, R),
    relation(Op, L, R, G).
sides_([], [], [], []).
sides_([C|Cs], [V|Vs], Ls, Rs) :-
    ( C > 0 -> factor(C, V, T), Ls = [T|Ls1], Rs = Rs1 ; C1 is -C, factor(C1, V, T), Rs = [T|Rs1], Ls = Ls1 ),
    sides_(Cs, Vs, Ls1, Rs1).
factor(C, V, T) :- ( C =:= 1 -> T = V ; T = C*V ).
total([], 0).
total([T|Ts], S) :- total(Ts, T, S).
total([], S, S).
total([T|Ts], S0, S) :- total(Ts, S0 + T, S).
relation(eq, L, R, L #= R).
relation(ne, L, R, L #\= R).
relation(le, L, R, L #=< R).
