:- module(simplex, [
    gen_state/1, constraint/3, constraint/4, constraint_add/4, maximize/3, minimize/3, variable_value/3, objective/2,
    shadow_price/3, transportation/4, assignment/2]).

% Linear programs over rational numbers, as in SWI-Prolog's library of this name: every variable is at least 0, some may
% be integers.
%
% A state is lp(Constraints, Integers), a constraint c(Name, Terms, Op, Number) with terms Variable-Factor. A solved
% state is solved(Objective, Values, Prices), the prices of named constraints. The tableau is a list of rows
% row(Basic, Factors, Right) over the columns in their order; what enters and leaves has the least number among what may
% (Bland's rule), so that there are no circles. Integers are found by branch and bound.

gen_state(lp([], [])).

constraint(C, S0, S) :- constraint('$none', C, S0, S).
constraint(_, C, lp(Cs, Is), S) :- C = integral(V), !, S = lp(Cs, [V|Is]).
constraint(Name, C, lp(Cs, Is), lp([c(Name, Ts, Op, B)|Cs], Is)) :-
    must_be(nonvar, C),
    (   C = (L = R) -> Op = (=)
    ;   C = (L >= R) -> Op = (>=)
    ;   C = (L =< R) -> Op = (=<)
    ;   domain_error(linear_constraint, C)
    ),
    must_be(list, L),
    ( number(R) -> true ; domain_error(rational_number, R) ),
    B is rationalize(R),
    terms(L, Ts).

constraint_add(Name, Left, lp(Cs0, Is), lp(Cs, Is)) :-
    terms(Left, Ts),
    (   append(Before, [c(Name, Ts0, Op, B)|Behind], Cs0)
    ->  append(Ts0, Ts, Ts1), append(Before, [c(Name, Ts1, Op, B)|Behind], Cs)
    ;   existence_error(constraint, Name)
    ).

terms([], []).
terms([T|Ts], [V-F|Us]) :-
    ( nonvar(T), T = F0*V0, number(F0) -> V = V0, F is rationalize(F0) ; V = T, F = 1 ),
    terms(Ts, Us).

variable_value(solved(_, Values, _), V, Value) :- ( memberchk(V-Value0, Values) -> Value = Value0 ; Value = 0 ).
objective(solved(Objective, _, _), Objective).
shadow_price(solved(_, _, Prices), Name, Price) :- memberchk(Name-Price, Prices).

minimize(Left, S, solved(Objective, Values, Prices)) :-
    terms(Left, Ts0),
    negated(Ts0, Ts),
    best(Ts, S, solved(Negative, Values, Prices0)),
    Objective is -Negative,
    negated(Prices0, Prices).
maximize(Left, S, Solved) :- terms(Left, Ts), best(Ts, S, Solved).
negated([], []).
negated([V-F|Ts], [V-G|Us]) :- G is -F, negated(Ts, Us).

best(Objective, lp(Cs, Is), Solved) :-
    relaxed(Objective, Cs, First),
    (   Is == [] -> Solved = First
    ;   branched([Cs-First], Objective, Is, none, Solved), Solved \== none
    ).

% What is left to look at is a stack of programs with their relaxed solutions.
branched([], _, _, Best, Best).
branched([Cs-Solved|Open0], Objective, Is, Best0, Best) :-
    (   Best0 = solved(Value0, _, _), Solved = solved(Value, _, _), Value =< Value0
    ->  Open = Open0, Best1 = Best0
    ;   fractional(Is, Solved, V, Value1)
    ->  Low is floor(Value1), High is Low+1,
        branch(c('$none', [V-1], =<, Low), Cs, Objective, Open0, Open1),
        branch(c('$none', [V-1], >=, High), Cs, Objective, Open1, Open),
        Best1 = Best0
    ;   Open = Open0, Best1 = Solved
    ),
    branched(Open, Objective, Is, Best1, Best).
branch(C, Cs, Objective, Open, Open1) :-
    ( relaxed(Objective, [C|Cs], Solved) -> Open1 = [[C|Cs]-Solved|Open] ; Open1 = Open ).
fractional([I|Is], Solved, V, Value) :-
    variable_value(Solved, I, Value0),
    ( integer(Value0) -> fractional(Is, Solved, V, Value) ; V = I, Value = Value0 ).

% The greatest value without regard to integers; fails where there is none.
relaxed(Objective, Cs0, solved(Value, Values, Prices)) :-
    reverse(Cs0, Cs),
    names(Cs, Objective, Vs),
    length(Vs, N),
    normal(Cs, Ns),
    slacks(Ns, N, N1),
    first_basis(Ns, N1, N2, Basics),
    rows(Ns, Basics, Vs, N, N2, Rows0),
    artificial_row(Rows0, N1, N2, Phase1),
    simplex(Rows0, Phase1, N2, Rows1, row(_, _, Infeasible)),
    Infeasible =:= 0,
    pivoted_out(Rows1, N1, Rows2),
    coefficients(Vs, Objective, Cost0),
    filled(N2, N, Cost0, Cost1),
    reduced(Rows2, row(z, Cost1, 0), Phase2),
    simplex(Rows2, Phase2, N1, Rows, row(_, Last, Value0)),
    Value is -Value0,
    values(Vs, 1, Rows, Values),
    prices(Ns, Basics, Last, Prices).

names(Cs, Objective, Vs) :-
    findall(V, ( member(c(_, Ts, _, _), Cs), member(V-_, Ts) ; member(V-_, Objective) ), Vs0),
    sort(Vs0, Vs).

% Right sides are at least 0: n(Name, Terms, Op, Right, Sign, Slack).
normal([], []).
normal([c(Name, Ts0, Op0, B0)|Cs], [n(Name, Ts, Op, B, Sign, _)|Ns]) :-
    ( B0 < 0 -> negated(Ts0, Ts), B is -B0, opposite(Op0, Op), Sign = -1 ; Ts = Ts0, B = B0, Op = Op0, Sign = 1 ),
    normal(Cs, Ns).
opposite(=, =).
opposite(=<, >=).
opposite(>=, =<).

slacks([], N, N).
slacks([n(_, _, Op, _, _, Slack)|Ns], N0, N) :-
    ( Op = (=) -> N1 = N0, Slack = none ; N1 is N0+1, Slack = N1 ),
    slacks(Ns, N1, N).
% Each row has a column of its own: its slack, or an artificial one.
first_basis([], N, N, []).
first_basis([n(_, _, Op, _, _, Slack)|Ns], N0, N, [Basic|Basics]) :-
    ( Op = (=<) -> Basic = Slack, N1 = N0 ; N1 is N0+1, Basic = N1 ),
    first_basis(Ns, N1, N, Basics).

rows([], [], _, _, _, []).
rows([n(_, Ts, Op, B, _, Slack)|Ns], [Basic|Basics], Vs, N, N2, [row(Basic, Fs, B)|Rows]) :-
    coefficients(Vs, Ts, Fs0),
    From is N+1,
    extra(From, N2, Op, Slack, Basic, Extra),
    append(Fs0, Extra, Fs),
    rows(Ns, Basics, Vs, N, N2, Rows).
extra(I, N, _, _, _, []) :- I > N, !.
extra(I, N, Op, Slack, Basic, [F|Fs]) :-
    ( I == Basic -> F = 1 ; I == Slack, Op = (>=) -> F = -1 ; F = 0 ),
    I1 is I+1,
    extra(I1, N, Op, Slack, Basic, Fs).
coefficients([], _, []).
coefficients([V|Vs], Ts, [F|Fs]) :-
    findall(G, member(V-G, Ts), Gs),
    sum_list(Gs, F),
    coefficients(Vs, Ts, Fs).
filled(N, N0, Fs0, Fs) :- M is N-N0, length(Zeros, M), maplist(=(0), Zeros), append(Fs0, Zeros, Fs).

% The first phase makes the sum of the artificial variables, with a minus in front, as great as it gets.
artificial_row(Rows, N1, N2, Row) :-
    findall(F, ( between(1, N2, I), ( I > N1 -> F = -1 ; F = 0 ) ), Fs),
    reduced(Rows, row(z, Fs, 0), Row).

% Costs of basic variables are 0.
reduced([], Z, Z).
reduced([Row|Rows], Z0, Z) :- Row = row(Basic, _, _), eliminated(Row, Basic, Z0, Z1), reduced(Rows, Z1, Z).

eliminated(row(_, Gs, C), I, row(B, Fs0, B0), row(B, Fs, B1)) :-
    nth1(I, Fs0, F),
    (   F =:= 0 -> Fs = Fs0, B1 = B0
    ;   less(Fs0, Gs, F, Fs), B1 is B0 - F*C
    ).
less([], [], _, []).
less([A|As], [B|Bs], F, [C|Cs]) :- ( B =:= 0 -> C = A ; C is A - F*B ), less(As, Bs, F, Cs).

% Columns up to Last may enter.
simplex(Rows0, Z0, Last, Rows, Z) :-
    Z0 = row(_, Costs, _),
    (   entering(Costs, 1, Last, I)
    ->  leaving(Rows0, I, none, none, Leaves),
        Leaves = leave(_, Basic),
        pivot(Rows0, Basic, I, Rows1, Pivot),
        eliminated(Pivot, I, Z0, Z1),
        simplex(Rows1, Z1, Last, Rows, Z)
    ;   Rows = Rows0, Z = Z0
    ).
entering([C|Cs], I0, Last, I) :- I0 =< Last, ( C > 0 -> I = I0 ; I1 is I0+1, entering(Cs, I1, Last, I) ).
leaving([], _, Ratio, Basic, leave(Ratio, Basic)) :- Basic \== none.
leaving([row(B, Fs, C)|Rows], I, Ratio0, Basic0, Leaves) :-
    nth1(I, Fs, F),
    (   F > 0, Ratio is C rdiv F,
        ( Basic0 == none -> true ; Ratio < Ratio0 -> true ; Ratio =:= Ratio0, B < Basic0 )
    ->  leaving(Rows, I, Ratio, B, Leaves)
    ;   leaving(Rows, I, Ratio0, Basic0, Leaves)
    ).
pivot(Rows0, Basic, I, Rows, Pivot) :-
    memberchk(row(Basic, Fs0, B0), Rows0),
    nth1(I, Fs0, F),
    divided(Fs0, F, Fs),
    B is B0 rdiv F,
    Pivot = row(I, Fs, B),
    replaced(Rows0, Basic, I, Pivot, Rows).
divided([], _, []).
divided([A|As], F, [B|Bs]) :- B is A rdiv F, divided(As, F, Bs).
replaced([], _, _, _, []).
replaced([Row|Rows], Basic, I, Pivot, [New|News]) :-
    ( Row = row(Basic, _, _) -> New = Pivot ; eliminated(Pivot, I, Row, New) ),
    replaced(Rows, Basic, I, Pivot, News).

% Artificial variables that are still in the basis are 0: another column takes their place, or the row says nothing.
pivoted_out(Rows0, N1, Rows) :-
    (   member(row(Basic, Fs, _), Rows0), Basic > N1, between(1, N1, I), nth1(I, Fs, F), F =\= 0
    ->  pivot(Rows0, Basic, I, Rows1, _), pivoted_out(Rows1, N1, Rows)
    ;   Rows = Rows0
    ).

values([], _, _, []).
values([V|Vs], I, Rows, [V-Value|Values]) :-
    ( memberchk(row(I, _, Value0), Rows) -> Value = Value0 ; Value = 0 ),
    I1 is I+1,
    values(Vs, I1, Rows, Values).

prices([], [], _, []).
prices([n(Name, _, _, _, Sign, _)|Ns], [Basic|Basics], Last, Prices) :-
    (   Name == '$none' -> Prices = Prices1
    ;   nth1(Basic, Last, F), Price is -Sign*F, Prices = [Name-Price|Prices1]
    ),
    prices(Ns, Basics, Last, Prices1).

% --- Transport and assignment.

transportation(Supplies, Demands, Costs, Transport) :-
    length(Supplies, N),
    length(Demands, M),
    findall(I-J, ( between(1, N, I), between(1, M, J) ), Pairs),
    findall(C*x(I, J), ( member(I-J, Pairs), nth1(I, Costs, Row), nth1(J, Row, C) ), Left),
    gen_state(S0),
    sums(Supplies, 1, row, M, S0, S1),
    sums(Demands, 1, column, N, S1, S2),
    minimize(Left, S2, S),
    findall(Row, ( between(1, N, I), findall(V, ( between(1, M, J), variable_value(S, x(I, J), V) ), Row) ), Transport).
sums([], _, _, _, S, S).
sums([B|Bs], I, What, M, S0, S) :-
    findall(X, ( between(1, M, J), ( What == row -> X = x(I, J) ; X = x(J, I) ) ), Xs),
    constraint(Xs = B, S0, S1),
    I1 is I+1,
    sums(Bs, I1, What, M, S1, S).

assignment(Costs, Assignment) :-
    length(Costs, N),
    length(Ones, N),
    maplist(=(1), Ones),
    transportation(Ones, Ones, Costs, Assignment).
