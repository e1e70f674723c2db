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
