:- module(clpfd, [
    op(760, yfx, #<==>), op(750, xfy, #==>), op(750, yfx, #<==), op(740, yfx, #\/), op(730, yfx, #\), op(720, yfx, #/\),
    op(710, fy, #\), op(700, xfx, #>), op(700, xfx, #<), op(700, xfx, #>=), op(700, xfx, #=<), op(700, xfx, #=),
    op(700, xfx, #\=), op(700, xfx, in), op(700, xfx, ins), op(450, xfx, ..),
    (#>)/2, (#<)/2, (#>=)/2, (#=<)/2, (#=)/2, (#\=)/2, (#\)/1, (#<==>)/2, (#==>)/2, (#<==)/2, (#\/)/2, (#\)/2, (#/\)/2,
    (in)/2, (ins)/2, all_different/1, all_distinct/1, sum/3, scalar_product/4, tuples_in/2, element/3,
    global_cardinality/2, global_cardinality/3, automaton/3, automaton/8, disjoint2/1, label/1, labeling/2, indomain/1, fd_var/1, fd_inf/2, fd_sup/2, fd_size/2, fd_dom/2, fd_degree/2,
    transpose/2, chain/2, lex_chain/1, circuit/1, cumulative/1,
    cumulative/2, zcompare/3]).

:- reexport(library(clpfd/more)).

% Constraints over integers, as in SWI-Prolog's library of this name.
%
% A variable's attribute is fd(Low, High, Domain, Waiting): the domain as a list of intervals Low-High in order, `inf` and
% `sup` at its ends only; Waiting is ps(Bound, Bounds, Changed), the propagators that look again when the variable is
% bound, when its least or greatest value changes, or when any value goes. A propagator is prop(Constraint, State); the
% State is idle, queued or dead. Propagators that are to look again wait in a queue, and the first one that finds it
% unattended empties it. A constraint that is linear is scalar(Op, Coefficients, Variables, Constant); what is not has
% variables for its parts.
%
% Length: one module, which is one text.

:- initialization(( nb_setval('$clpfd_queue', []), nb_setval('$clpfd_busy', false), nb_setval('$clpfd_open', 0) ), now).

% --- Bounds and domains.

le(L, H) :- ( integer(L), integer(H) -> L =< H ; L == inf -> true ; H == sup ).
greatest_low(A, B, C) :- ( integer(A), integer(B) -> C is max(A, B) ; A == inf -> C = B ; B == inf -> C = A ; C = sup ).
least_high(A, B, C) :- ( integer(A), integer(B) -> C is min(A, B) ; A == sup -> C = B ; B == sup -> C = A ; C = inf ).

domain_of(D, _) :- var(D), !, throw(error(instantiation_error, _)).
domain_of(N, [N-N]) :- integer(N), !.
domain_of(L..H, D) :- !, domain_bound(L, inf), domain_bound(H, sup), ( le(L, H) -> D = [L-H] ; D = [] ).
domain_of(A \/ B, D) :- !, domain_of(A, D1), domain_of(B, D2), union(D1, D2, D).
domain_of(\ A, D) :- !, domain_of(A, D1), complement(D1, D).
domain_of(D, _) :- throw(error(type_error(clpfd_domain, D), _)).
domain_bound(B, _) :- var(B), !, throw(error(instantiation_error, _)).
domain_bound(B, _) :- integer(B), !.
domain_bound(B, _) :- memberchk(B, [inf, sup]), !.
domain_bound(B, _) :- throw(error(type_error(clpfd_bound, B), _)).

domain_term([I], T) :- !, interval_term(I, T).
domain_term([], 1..0).
domain_term([I|Is], T) :- Is = [_|_], interval_term(I, T0), domain_term_(Is, T0, T).
domain_term_([], T, T).
domain_term_([I|Is], T0, T) :- interval_term(I, T1), domain_term_(Is, T0 \/ T1, T).
interval_term(L-H, T) :- ( L == H -> T = L ; T = L..H ).
whole_term([N-M], T) :- N == M, !, T = N..N.
whole_term(D, T) :- domain_term(D, T).

intersection([], _, []).
intersection([A|As], Bs, D) :- intersection_(Bs, A, As, D).
intersection_([], _, _, []).
intersection_([L2-H2|Bs], L1-H1, As, D) :-
    greatest_low(L1, L2, L), least_high(H1, H2, H),
    ( le(L, H) -> D = [L-H|D1] ; D = D1 ),
    ( le(H1, H2) -> intersection(As, [L2-H2|Bs], D1) ; intersection_(Bs, L1-H1, As, D1) ).

union(D1, D2, D) :- append(D1, D2, D3), map_low(D3, D4), keysort(D4, D5), join(D5, D).
% Sorted by the lower bound; inf is less than any integer.
map_low([], []).
map_low([L-H|Is], [K-(L-H)|Ks]) :- ( L == inf -> K = low(0, 0) ; K = low(1, L) ), map_low(Is, Ks).
join([], []).
join([_-I|Ks], D) :- join_(Ks, I, D).
join_([], I, [I]).
join_([_-(L2-H2)|Ks], L1-H1, D) :-
    ( touches(H1, L2) -> greatest_high(H1, H2, H), join_(Ks, L1-H, D) ; D = [L1-H1|D1], join_(Ks, L2-H2, D1) ).
touches(sup, _) :- !.
touches(_, inf) :- !.
touches(H, L) :- L =< H + 1.
greatest_high(A, B, C) :- ( A == sup -> C = sup ; B == sup -> C = sup ; C is max(A, B) ).

complement(D, C) :- complement_(D, inf, C).
complement_([], L, [L-sup]).
complement_([L1-H1|Is], L, C) :-
    ( L1 == inf -> C = C1 ; H is L1 - 1, ( le(L, H) -> C = [L-H|C1] ; C = C1 ) ),
    ( H1 == sup -> C1 = [] ; L2 is H1 + 1, complement_(Is, L2, C1) ).

without([], _, []).
without([L-H|D], V, D1) :-
    ( integer(L), V < L -> D1 = [L-H|D]
    ; integer(H), V > H -> D1 = [L-H|D2], without(D, V, D2)
    ; ( L == V -> D1 = D2 ; A is V - 1, D1 = [L-A|D2] ),
      ( H == V -> D2 = D ; B is V + 1, D2 = [B-H|D] )
    ).
has([L-H|D], V) :- ( integer(L), V < L -> fail ; integer(H), V > H -> has(D, V) ; true ).
highest([_-H], H) :- !.
highest([_|D], H) :- highest(D, H).
size([], 0).
size([L-H|D], N) :- ( integer(L), integer(H) -> size(D, N0), ( N0 == sup -> N = sup ; N is N0 + H - L + 1 ) ; N = sup ).
values([], []).
values([L-H|D], Vs) :- numlist(L, H, Vs0), append(Vs0, Vs1, Vs), values(D, Vs1).
domain_of_values(Vs, D) :- sort(Vs, Ss), runs(Ss, D).
runs([], []).
runs([V|Vs], D) :- run(Vs, V, V, D).
run([], L, H, [L-H]).
run([V|Vs], L, H, D) :- ( V =:= H + 1 -> run(Vs, L, V, D) ; D = [L-H|D1], run(Vs, V, V, D1) ).

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

% --- The queue.

enqueue([]) :- !.
enqueue(Ps) :- nb_getval('$clpfd_queue', Q0), push(Ps, Q0, Q), ( Q0 == Q -> true ; b_setval('$clpfd_queue', Q) ).
push([], Q, Q).
push([P|Ps], Q0, Q) :- arg(2, P, S), ( S == idle -> setarg(2, P, queued), push(Ps, [P|Q0], Q) ; push(Ps, Q0, Q) ).
attend :- nb_getval('$clpfd_busy', true), !.
attend :- nb_getval('$clpfd_queue', []), !.
attend :- nb_setval('$clpfd_open', 0), b_setval('$clpfd_busy', true), attend_, b_setval('$clpfd_busy', false).
attend_ :-
    nb_getval('$clpfd_queue', Q),
    ( Q = [P|Q1] ->
        b_setval('$clpfd_queue', Q1),
        P = prop(C, S),
        ( S == dead -> true ; setarg(2, P, idle), propagate(C, P) ),
        attend_
    ; true
    ).
% A new propagator, which waits for variables and looks for the first time.
new(C, When, Vs) :- P = prop(C, idle), wait(Vs, When, P), enqueue([P]), attend.
wait([], _, _).
wait([V|Vs], When, P) :-
    ( integer(V) -> true
    ; get(V, L, H, D, ps(A, B, C)),
      ( When == bound -> Ps = ps([P|A], B, C) ; When == bounds -> Ps = ps(A, [P|B], C) ; Ps = ps(A, B, [P|C]) ),
      put_attr(V, clpfd, fd(L, H, D, Ps))
    ),
    wait(Vs, When, P).
die(P) :- setarg(2, P, dead).

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

% --- Sets of variables.

X in D0 :- domain_of(D0, D), integer_or_variable(X), restrict_new(X, D), attend.
restrict_new(X, D) :- ( var(X) -> integer_variable(X) ; true ), restrict(X, D).
integer_or_variable(X) :- ( var(X) -> true ; integer(X) -> true ; throw(error(type_error(integer, X), _)) ).
Xs ins D0 :- must_be(list, Xs), domain_of(D0, D), all_in(Xs, D), attend.
all_in([], _).
all_in([X|Xs], D) :- integer_or_variable(X), restrict_new(X, D), all_in(Xs, D).

all_different(Xs) :- must_be(list, Xs), all_integers(Xs), new(different(Xs), bound, Xs).
all_distinct(Xs) :- must_be(list, Xs), all_integers(Xs), new(different(Xs), bound, Xs), new(distinct(Xs), changed, Xs).
all_integers([]).
all_integers([X|Xs]) :- integer_or_variable(X), ( var(X) -> integer_variable(X) ; true ), all_integers(Xs).
propagate_different(Xs, P) :-
    split(Xs, Ns, Vs),
    sort(Ns, Ss), length(Ns, N), length(Ss, N),
    ( Vs == [] -> die(P) ; exclude_all(Vs, Ss, Again), ( Again == true -> propagate_different(Xs, P) ; true ) ).
split([], [], []).
split([X|Xs], Ns, Vs) :- ( integer(X) -> Ns = [X|Ns1], Vs = Vs1 ; Ns = Ns1, Vs = [X|Vs1] ), split(Xs, Ns1, Vs1).
exclude_all([], _, _).
exclude_all([V|Vs], Ns, Again) :-
    exclude_values(Ns, V),
    ( integer(V) -> Again = true ; true ),
    exclude_all(Vs, Ns, Again).
exclude_values([], _).
exclude_values([N|Ns], V) :- exclude(V, N), exclude_values(Ns, V).

% Values that no choice of different values for all variables contains go.
propagate_distinct(Xs, P) :-
    split(Xs, _, Vs),
    ( Vs == [] -> die(P) ; finite_domains(Vs, Ds) -> '$distinct'(Ds, Ds1), restrict_all(Vs, Ds1) ; true ).
finite_domains([], []).
finite_domains([V|Vs], [Ns|Ds]) :- domain(V, D), size(D, N), integer(N), N =< 5000, values(D, Ns), finite_domains(Vs, Ds).
restrict_all([], []).
restrict_all([V|Vs], [Ns|Ds]) :- domain_of_values(Ns, D), restrict(V, D), restrict_all(Vs, Ds).

sum(Vs, Op, E) :- must_be(list, Vs), total(Vs, S), related(Op, S, E).
scalar_product(Cs, Vs, Op, E) :- must_be(list, Cs), must_be(list, Vs), products(Cs, Vs, Ts), total(Ts, S), related(Op, S, E).
products([], [], []).
products([C|Cs], [V|Vs], [C*V|Ts]) :- products(Cs, Vs, Ts).
related(#=, L, R) :- L #= R.
related(#\=, L, R) :- L #\= R.
related(#<, L, R) :- L #< R.
related(#>, L, R) :- L #> R.
related(#=<, L, R) :- L #=< R.
related(#>=, L, R) :- L #>= R.

tuples_in(Ts, R) :- must_be(list, Ts), must_be(list, R), tuples_in_(Ts, R).
tuples_in_([], _).
tuples_in_([T|Ts], R) :- all_integers(T), new(tuple(T, R), changed, T), tuples_in_(Ts, R).
propagate_tuple(T, R, P) :-
    domains(T, Ds),
    possible(R, Ds, R1), R1 \== [],
    columns(T, R1, Columns),
    ( R1 = [_] -> die(P) ; R1 == R -> true ; setarg(1, P, tuple(T, R1)) ),
    restrict_columns(T, Columns).
domains([], []).
domains([X|Xs], [D|Ds]) :- domain(X, D), domains(Xs, Ds).
possible([], _, []).
possible([Row|Rows], Ds, Rs) :- ( fits(Row, Ds) -> Rs = [Row|Rs1] ; Rs = Rs1 ), possible(Rows, Ds, Rs1).
fits([], []).
fits([N|Ns], [D|Ds]) :- has(D, N), fits(Ns, Ds).
columns([], _, []).
columns([_|T], Rows, [C|Cs]) :- heads(Rows, C, Rests), columns(T, Rests, Cs).
heads([], [], []).
heads([[N|Ns]|Rows], [N|C], [Ns|Rests]) :- heads(Rows, C, Rests).
restrict_columns([], []).
restrict_columns([X|Xs], [C|Cs]) :- domain_of_values(C, D), restrict(X, D), restrict_columns(Xs, Cs).

element(I, Xs, X) :-
    must_be(list, Xs), length(Xs, N), N > 0, all_integers([I, X|Xs]), I in 1..N,
    new(element(I, Xs, X), changed, [I, X|Xs]).
propagate_element(I, Xs, X, P) :-
    ( integer(I) -> die(P), nth1(I, Xs, Y), X = Y
    ; domain(I, DI), domain(X, DX), values(DI, Is),
      choices(Is, Xs, DX, Js, [], D), domain_of_values(Js, DJ), restrict(I, DJ), restrict(X, D)
    ).
choices([], _, _, [], D, D).
choices([J|Js], Xs, DX, Ks, D0, D) :-
    nth1(J, Xs, Y), domain(Y, DY), intersection(DX, DY, Common),
    ( Common == [] -> Ks = Ks1, D1 = D0 ; Ks = [J|Ks1], union(D0, Common, D1) ),
    choices(Js, Xs, DX, Ks1, D1, D).
global_cardinality(Xs, Pairs) :-
    must_be(list, Xs), must_be(list, Pairs), all_integers(Xs), pairs_keys_values(Pairs, Keys, Counts),
    domain_of_values(Keys, D), all_in(Xs, D), attend,
    length(Xs, N), Counts ins 0..N,
    count_all(Keys, Counts, Xs), sum(Counts, #=, N).
global_cardinality(Xs, Pairs, Options) :-
    must_be(list, Options),
    global_cardinality(Xs, Pairs),
    cardinality_options(Options, Xs, Pairs).
cardinality_options([], _, _).
cardinality_options([O|Os], Xs, Pairs) :-
    ( O = consistency(_) -> true
    ; O = cost(Cost, Rows) -> pairs_keys_values(Pairs, Keys, _), costs(Xs, Rows, Keys, 0, Sum), Cost #= Sum
    ; throw(error(domain_error(global_cardinality_option, O), _))
    ),
    cardinality_options(Os, Xs, Pairs).
% What it costs that a variable has a value: a row for each variable, a column for each key.
costs([], [], _, Sum, Sum).
costs([X|Xs], [Row|Rows], Keys, Sum0, Sum) :-
    pairs_of(Keys, Row, Tuples), tuples_in([[X, C]], Tuples), costs(Xs, Rows, Keys, Sum0 + C, Sum).
pairs_of([], [], []).
pairs_of([A|As], [B|Bs], [[A, B]|Ps]) :- pairs_of(As, Bs, Ps).
count_all([], [], _).
count_all([K|Ks], [C|Cs], Xs) :- equals(Xs, K, Bs), sum(Bs, #=, C), count_all(Ks, Cs, Xs).
equals([], _, []).
equals([X|Xs], K, [B|Bs]) :- B #<==> (X #= K), equals(Xs, K, Bs).
chain(Xs, Op) :- must_be(list, Xs), chain_(Xs, Op).
chain_([], _).
chain_([X|Xs], Op) :- ( Xs = [Y|_] -> related(Op, X, Y) ; true ), chain_(Xs, Op).
lex_chain(Ls) :- lex_chain_(Ls).
lex_chain_([]).
lex_chain_([A|Ls]) :- ( Ls = [B|_] -> lex_le(A, B, C), C #= 1 ; true ), lex_chain_(Ls).
lex_le([], [], 1).
lex_le([X|Xs], [Y|Ys], B) :- lex_le(Xs, Ys, B1), B #<==> (X #< Y) #\/ (X #= Y) #/\ B1.
circuit(Xs) :- must_be(list, Xs), length(Xs, N), Xs ins 1..N, all_distinct(Xs), not_self(Xs, 1, N), new(circuit(Xs), bound, Xs).
not_self([], _, _).
not_self([X|Xs], I, N) :- ( N =:= 1 -> true ; X #\= I ), I1 is I + 1, not_self(Xs, I1, N).
% No circle of bound successors is shorter than the whole.
propagate_circuit(Xs, P) :-
    length(Xs, N), T =.. [t|Xs],
    no_circle(1, N, T),
    ( ground(Xs) -> die(P) ; true ).
no_circle(I, N, T) :- ( I > N -> true ; follow(I, I, 1, N, T), I1 is I + 1, no_circle(I1, N, T) ).
follow(I, Start, K, N, T) :-
    arg(I, T, J),
    ( var(J) -> true ; J =:= Start -> K =:= N ; K >= N -> true ; K1 is K + 1, follow(J, Start, K1, N, T) ).
% Rectangles with a corner X, Y, a width and a height: one of two ends where the other one begins.
disjoint2(Rs) :- must_be(list, Rs), disjoint_all(Rs).
disjoint_all([]).
disjoint_all([R|Rs]) :- apart_from_all(Rs, R), disjoint_all(Rs).
apart_from_all([], _).
apart_from_all([R|Rs], R0) :-
    R0 =.. [_, X1, W1, Y1, H1], R =.. [_, X2, W2, Y2, H2],
    (X1 + W1 #=< X2) #\/ (X2 + W2 #=< X1) #\/ (Y1 + H1 #=< Y2) #\/ (Y2 + H2 #=< Y1),
    apart_from_all(Rs, R0).
% A state between any two elements of a sequence, by number, and the arc that led to it; counters change with the arc.
automaton(Vs, Nodes, Arcs) :- automaton(Vs, _, Vs, Nodes, Arcs, [], [], []).
automaton(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals) :-
    must_be(list(list), [Sequence, Signature, Nodes, Arcs, Counters, Initials, Finals]),
    findall(N, ( member(A, Arcs), A =.. [_, B, _, C|_], ( N = B ; N = C ) ; member(S, Nodes), arg(1, S, N) ), Names0),
    sort(Names0, Names),
    findall(I, ( member(source(N), Nodes), nth1(I, Names, N) ), Sources),
    findall(I, ( member(sink(N), Nodes), nth1(I, Names, N) ), Sinks),
    findall([I, L, K, J], ( nth1(K, Arcs, A), A =.. [_, N, L, M|_], nth1(I, Names, N), nth1(J, Names, M) ), Rows),
    maplist(counter_terms(Counters), Arcs, Terms),
    domain_of_values(Sources, D0), domain_term(D0, First), Start in First,
    steps(Signature, Sequence, Rows, Template-Counters-Terms, Start, End, Initials, Finals),
    domain_of_values(Sinks, D1), domain_term(D1, Last), End in Last.
% An arc without counters leaves them as they are.
counter_terms(Counters, Arc, Terms) :- ( Arc = arc(_, _, _, Terms0) -> Terms = Terms0 ; Terms = Counters ).
steps([], [], _, _, S, S, Cs, Cs).
steps([L|Ls], [X|Xs], Rows, Counting, S0, S, Cs0, Cs) :-
    tuples_in([[S0, L, K, S1]], Rows),
    copy_term(Counting, X-Cs0-Terms),
    same_length(Cs0, Cs1),
    counted_by(Terms, 1, K, Cs1),
    steps(Ls, Xs, Rows, Counting, S1, S, Cs1, Cs).
counted_by([], _, _, _).
counted_by([Ts|Terms], I, K, Cs) :- counters_are(Ts, I, K, Cs), I1 is I + 1, counted_by(Terms, I1, K, Cs).
counters_are([], _, _, []).
counters_are([T|Ts], I, K, [C|Cs]) :- K #= I #==> C #= T, counters_are(Ts, I, K, Cs).
cumulative(Ts) :- cumulative(Ts, [limit(1)]).
cumulative(Ts, Options) :-
    must_be(list, Ts), must_be(list, Options),
    ( memberchk(limit(L), Options) -> true ; L = 1 ),
    tasks(Ts),
    room(Ts, L),
    task_variables(Ts, Vs),
    new(schedule(Ts, L), bounds, [L|Vs]).
task_variables([], []).
task_variables([task(S, D, E, C, _)|Ts], [S, D, E, C|Vs]) :- task_variables(Ts, Vs).
% What the tasks use together fits between the first start and the last end: that bounds what is minimized at once.
room([], _).
room([task(S, D, E, C, _)|Ts], L) :- room(Ts, L, S, E, D * C).
room([], L, First, Last, Area) :- Area #=< L * (Last - First).
room([task(S, D, E, C, _)|Ts], L, First0, Last0, Area) :-
    First #= min(First0, S), Last #= max(Last0, E), room(Ts, L, First, Last, Area + D * C).
tasks([]).
tasks([T|Ts]) :-
    ( nonvar(T), T = task(S, D, E, C, _) -> true ; type_error(task, T) ),
    S + D #= E, D #>= 0, C #>= 0,
    tasks(Ts).
% From its latest start to its earliest end a task runs whatever is chosen. Where such parts leave too little of the
% resource, nothing else runs: tasks start behind and end in front of that. Of tasks that are known the parts are all.
propagate_schedule(Ts, L, P) :-
    certain(Ts, Parts),
    borders(Parts, Times0), sort(Times0, Times),
    stretches(Times, Parts, 0, Peak, Stretches),
    narrow(L, Peak, sup),
    bounds(L, _, Most),
    ( integer(Most), Stretches \== [] -> reverse(Stretches, Backwards), moved(Ts, Most, Stretches, Backwards) ; true ),
    ( ground(L-Ts) -> die(P) ; true ).
certain([], []).
certain([task(S, _, E, C, _)|Ts], Parts) :-
    ( certain_part(S, E, C, Part) -> Parts = [Part|Parts1] ; Parts = Parts1 ),
    certain(Ts, Parts1).
certain_part(S, E, C, p(From, To, Use)) :-
    bounds(S, _, From), integer(From), bounds(E, To, _), integer(To), From < To, bounds(C, Use, _), integer(Use), Use > 0.
borders([], []).
borders([p(From, To, _)|Parts], [From, To|Times]) :- borders(Parts, Times).
% The times between borders, with what the parts use there, from the first to the last, and the most that is used.
stretches([From, To|Times], Parts, Peak0, Peak, Stretches) :- !,
    use(Parts, From, 0, Use), Peak1 is max(Peak0, Use),
    ( Use > 0 -> Stretches = [p(From, To, Use)|Stretches1] ; Stretches = Stretches1 ),
    stretches([To|Times], Parts, Peak1, Peak, Stretches1).
stretches(_, _, Peak, Peak, []).
use([], _, Use, Use).
use([p(From, To, C)|Parts], Time, Use0, Use) :-
    ( From =< Time, Time < To -> Use1 is Use0 + C ; Use1 = Use0 ),
    use(Parts, Time, Use1, Use).
moved([], _, _, _).
moved([task(S, D, E, C, _)|Ts], Most, Stretches, Backwards) :-
    (   bounds(D, Length, _), integer(Length), Length > 0, bounds(C, Use, _), integer(Use), Use > 0, \+ ground(S-E) ->
        Room is Most - Use,
        ( certain_part(S, E, C, Own) -> true ; Own = p(0, 0, 0) ),
        bounds(S, First, _), ( integer(First) -> earliest(Stretches, Own, Length, Room, First, S1), narrow(S, S1, sup) ; true ),
        bounds(E, _, Last), ( integer(Last) -> latest(Backwards, Own, Length, Room, Last, E1), narrow(E, inf, E1) ; true )
    ;   true
    ),
    moved(Ts, Most, Stretches, Backwards).
earliest([p(From, To, Use)|Stretches], Own, Length, Room, S0, S) :-
    From < S0 + Length, !,
    ( To > S0, full(From, Use, Own, Room) -> S1 = To ; S1 = S0 ),
    earliest(Stretches, Own, Length, Room, S1, S).
earliest(_, _, _, _, S, S).
latest([p(From, To, Use)|Stretches], Own, Length, Room, E0, E) :-
    To > E0 - Length, !,
    ( From < E0, full(From, Use, Own, Room) -> E1 = From ; E1 = E0 ),
    latest(Stretches, Own, Length, Room, E1, E).
latest(_, _, _, _, E, E).
% The others use so much that the task does not fit beside them.
full(Time, Use, p(From, To, C), Room) :- ( From =< Time, Time < To -> Use - C > Room ; Use > Room ).
zcompare(O, A, B) :- integer(A), integer(B), !, compare(O, A, B).
zcompare(O, A, B) :- nonvar(O), !, ordered(O, A, B).
zcompare(O, A, B) :-
    freeze(O, ordered(O, A, B)),
    decided(A #< B, O, <), decided(A #= B, O, =), decided(A #> B, O, >).
decided(C, O, Found) :- V #<==> C, freeze(V, ( V =:= 1 -> O = Found ; true )).
ordered(<, A, B) :- A #< B.
ordered(=, A, B) :- A #= B.
ordered(>, A, B) :- A #> B.
transpose([], []).
transpose([L|Ls], Ts) :- transpose_(L, [L|Ls], Ts).
transpose_([], _, []).
transpose_([_|L], Ls, [T|Ts]) :- heads(Ls, T, Rests), transpose_(L, Rests, Ts).

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
