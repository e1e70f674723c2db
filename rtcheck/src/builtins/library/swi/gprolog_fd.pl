:- module(gprolog_fd, [
    op(750, xfy, #<=>), op(750, xfy, #\<=>), op(740, xfy, #==>), op(740, xfy, #\==>), op(730, xfy, ##),
    op(730, yfx, #\/), op(730, yfx, #\\/), op(720, yfx, #/\), op(720, yfx, #\/\), op(710, fy, #\),
    op(700, xfx, #=), op(700, xfx, #\=), op(700, xfx, #<), op(700, xfx, #=<), op(700, xfx, #>), op(700, xfx, #>=),
    op(700, xfx, #=#), op(700, xfx, #\=#), op(700, xfx, #<#), op(700, xfx, #=<#), op(700, xfx, #>#), op(700, xfx, #>=#),
    (#=)/2, (#\=)/2, (#<)/2, (#=<)/2, (#>)/2, (#>=)/2, (#=#)/2, (#\=#)/2, (#<#)/2, (#=<#)/2, (#>#)/2, (#>=#)/2,
    (#<=>)/2, (#\<=>)/2, (#==>)/2, (#\==>)/2, (##)/2, (#\/)/2, (#\\/)/2, (#/\)/2, (#\/\)/2, (#\)/1,
    fd_max_integer/1, fd_vector_max/1, fd_set_vector_max/1, fd_domain/2, fd_domain/3, fd_domain_bool/1,
    fd_var/1, non_fd_var/1, generic_var/1, non_generic_var/1, fd_min/2, fd_max/2, fd_size/2, fd_dom/2,
    fd_has_extra_cstr/1, fd_has_vector/1, fd_use_vector/1, fd_all_different/1, fd_element/3, fd_element_var/3,
    fd_atmost/3, fd_atleast/3, fd_exactly/3, fd_only_one/1, fd_at_most_one/1, fd_at_least_one/1,
    fd_cardinality/2, fd_cardinality/3, fd_relation/2, fd_relationc/2, fd_prime/1, fd_not_prime/1, fd_reified_in/4,
    fd_labeling/1, fd_labeling/2, fd_labelingff/1, fd_minimize/2, fd_maximize/2]).

% GNU Prolog's constraints over finite domains, by those of library(clpfd).
%
% A variable of GNU Prolog's has the values from 0 to `fd_max_integer` from the moment that a constraint names it, and no
% others; truth is a variable with the values 0 and 1. Each constraint of a program becomes one of clpfd's here: what
% has the `#` on both sides, or no name there (`dist`, `**`, `#\/\`), is spelled out, and domains are set first. What is
% pruned before a search may differ, solutions and their order do not.

:- use_module(library(clpfd), except([
    (#=)/2, (#\=)/2, (#<)/2, (#=<)/2, (#>)/2, (#>=)/2, (#==>)/2, (#\/)/2, (#/\)/2, (#\)/1, fd_var/1, fd_size/2, fd_dom/2])).
:- initialization('$share'('$gprolog_fd_vector', 127), now).

fd_max_integer(268435455).
fd_vector_max(N) :- nb_getval('$gprolog_fd_vector', N).
fd_set_vector_max(N) :- must_be(nonneg, N), nb_setval('$gprolog_fd_vector', N).

% --- Expressions and conditions.

L #= R :- posted(L, R, A, B), clpfd:(A #= B).
L #\= R :- posted(L, R, A, B), clpfd:(A #\= B).
L #< R :- posted(L, R, A, B), clpfd:(A #< B).
L #=< R :- posted(L, R, A, B), clpfd:(A #=< B).
L #> R :- posted(L, R, A, B), clpfd:(A #> B).
L #>= R :- posted(L, R, A, B), clpfd:(A #>= B).
L #=# R :- L #= R.
L #\=# R :- L #\= R.
L #<# R :- L #< R.
L #=<# R :- L #=< R.
L #># R :- L #> R.
L #>=# R :- L #>= R.

posted(L, R, A, B) :- expression(L, A), expression(R, B).

expression(E, E) :- var(E), !, finite(E).
expression(E, E) :- integer(E), !.
expression(A+B, C+D) :- !, expression(A, C), expression(B, D).
expression(A-B, C-D) :- !, expression(A, C), expression(B, D).
expression(A*B, C*D) :- !, expression(A, C), expression(B, D).
expression(-A, -B) :- !, expression(A, B).
expression(+A, B) :- !, expression(A, B).
expression(A//B, C//D) :- !, expression(A, C), expression(B, D).
expression(A/B, Z) :- !, expression(A, C), expression(B, D), finite(Z), clpfd:(D*Z #= C), clpfd:(D #\= 0).
expression(A rem B, C rem D) :- !, expression(A, C), expression(B, D).
expression(A**B, C^D) :- !, expression(A, C), expression(B, D).
expression(dist(A, B), abs(C-D)) :- !, expression(A, C), expression(B, D).
expression(min(A, B), min(C, D)) :- !, expression(A, C), expression(B, D).
expression(max(A, B), max(C, D)) :- !, expression(A, C), expression(B, D).
expression(quot_rem(A, B, R), C//D) :- !, expression(A, C), expression(B, D), finite(R), clpfd:(R #= C rem D).
expression(E, _) :- callable(E), !, functor(E, F, N), type_error(fd_evaluable, F/N).
expression(E, _) :- type_error(fd_evaluable, E).

% The values that every variable has.
finite(X) :- integer(X), !.
finite(X) :- get_attr(X, clpfd, fd(L, _, _, _)), integer(L), L >= 0, !.
finite(X) :- fd_max_integer(H), X in 0..H.

condition(C, C) :- var(C), !, C in 0..1.
condition(C, C) :- integer(C), !.
condition(A #<=> B, C #<==> D) :- !, condition(A, C), condition(B, D).
condition(A #\<=> B, C #\ D) :- !, condition(A, C), condition(B, D).
condition(A ## B, C #\ D) :- !, condition(A, C), condition(B, D).
condition(A #==> B, C #==> D) :- !, condition(A, C), condition(B, D).
condition(A #\==> B, #\ (C #==> D)) :- !, condition(A, C), condition(B, D).
condition(A #\/ B, C #\/ D) :- !, condition(A, C), condition(B, D).
condition(A #\\/ B, #\ (C #\/ D)) :- !, condition(A, C), condition(B, D).
condition(A #/\ B, C #/\ D) :- !, condition(A, C), condition(B, D).
condition(A #\/\ B, #\ (C #/\ D)) :- !, condition(A, C), condition(B, D).
condition(#\ A, #\ B) :- !, condition(A, B).
condition(C, D) :- comparison(C, L, R, A, B, D), !, posted(L, R, A, B).
condition(C, _) :- callable(C), !, functor(C, F, N), type_error(fd_bool_evaluable, F/N).
condition(C, _) :- type_error(fd_bool_evaluable, C).

comparison(L #= R, L, R, A, B, A #= B).
comparison(L #\= R, L, R, A, B, A #\= B).
comparison(L #< R, L, R, A, B, A #< B).
comparison(L #=< R, L, R, A, B, A #=< B).
comparison(L #> R, L, R, A, B, A #> B).
comparison(L #>= R, L, R, A, B, A #>= B).
comparison(L #=# R, L, R, A, B, A #= B).
comparison(L #\=# R, L, R, A, B, A #\= B).
comparison(L #<# R, L, R, A, B, A #< B).
comparison(L #=<# R, L, R, A, B, A #=< B).
comparison(L #># R, L, R, A, B, A #> B).
comparison(L #>=# R, L, R, A, B, A #>= B).

A #<=> B :- holds(A #<=> B).
A #\<=> B :- holds(A #\<=> B).
A #==> B :- holds(A #==> B).
A #\==> B :- holds(A #\==> B).
A ## B :- holds(A ## B).
A #\/ B :- holds(A #\/ B).
A #\\/ B :- holds(A #\\/ B).
A #/\ B :- holds(A #/\ B).
A #\/\ B :- holds(A #\/\ B).
#\ A :- holds(#\ A).

holds(C) :- condition(C, D), clpfd:call(D).

% --- Domains.

fd_domain(Xs, L, H) :- check(integer, L), check(integer, H), each(Xs, between_bounds(L, H)).
fd_domain(Xs, Values) :-
    must_be(list, Values),
    check_all(Values),
    include([V]>>(V >= 0), Values, Vs),
    each(Xs, one_of(Vs)).
fd_domain_bool(Xs) :- each(Xs, between_bounds(0, 1)).

check(Type, X) :- must_be(Type, X).
check_all([]).
check_all([V|Vs]) :- check(integer, V), check_all(Vs).

each(Xs, Goal) :- ( nonvar(Xs), ( Xs = [] ; Xs = [_|_] ) -> must_be(list, Xs), on_all(Xs, Goal) ; on(Goal, Xs) ).
on_all([], _).
on_all([X|Xs], Goal) :- on(Goal, X), on_all(Xs, Goal).
on(Goal, X) :- fd_variable(X), do(Goal, X).
do(between_bounds(L, H), X) :- finite(X), X in L..H.
do(one_of(Vs), X) :- finite(X), Vs = [V|Rest], union_of(Rest, V, D), X in D.
union_of([], D, D).
union_of([V|Vs], D0, D) :- union_of(Vs, D0 \/ V, D).
fd_variable(X) :- var(X), !.
fd_variable(X) :- integer(X), !, X >= 0.
fd_variable(X) :- type_error(fd_variable, X).

fd_var(X) :- var(X), get_attr(X, clpfd, _).
non_fd_var(X) :- \+ fd_var(X).
generic_var(X) :- var(X), \+ fd_var(X).
non_generic_var(X) :- \+ generic_var(X).

% What is asked of a domain needs one.
domain(X) :- var(X), \+ fd_var(X), !, instantiation_error(X).
domain(X) :- fd_variable(X).
fd_min(X, N) :- domain(X), fd_inf(X, N).
fd_max(X, N) :- domain(X), fd_sup(X, N).
fd_size(X, N) :- domain(X), clpfd:fd_size(X, N).
fd_dom(X, Vs) :- domain(X), values(X, Vs).
values(X, Vs) :- clpfd:domain(X, D), clpfd:values(D, Vs).
fd_has_extra_cstr(X) :- domain(X), fail.
fd_has_vector(X) :- domain(X), fd_sup(X, H), fd_vector_max(M), H =< M.
fd_use_vector(X) :- domain(X).

% --- Constraints on lists.

finite_list(Xs) :- must_be(list, Xs), finite_all(Xs).
finite_all([]).
finite_all([X|Xs]) :- fd_variable(X), finite(X), finite_all(Xs).

fd_all_different(Xs) :- finite_list(Xs), all_different(Xs).
fd_element(I, Xs, X) :- fd_variable(I), fd_variable(X), finite(I), finite(X), finite_list(Xs), element(I, Xs, X).
fd_element_var(I, Xs, X) :- fd_element(I, Xs, X).
fd_atmost(N, Xs, V) :- count(Xs, V, S), clpfd:(S #=< N).
fd_atleast(N, Xs, V) :- count(Xs, V, S), clpfd:(S #>= N).
fd_exactly(N, Xs, V) :- count(Xs, V, S), clpfd:(S #= N).
count(Xs, V, Sum) :- finite_list(Xs), counted(Xs, V, 0, Sum).
counted([], _, Sum, Sum).
counted([X|Xs], V, Sum0, Sum) :- clpfd:(B #<==> (X #= V)), counted(Xs, V, Sum0+B, Sum).
fd_only_one(Xs) :- bools(Xs, S), clpfd:(S #= 1).
fd_at_most_one(Xs) :- bools(Xs, S), clpfd:(S #=< 1).
fd_at_least_one(Xs) :- bools(Xs, S), clpfd:(S #>= 1).
bools(Xs, Sum) :- must_be(list, Xs), fd_domain_bool(Xs), sum_of(Xs, 0, Sum).
sum_of([], Sum, Sum).
sum_of([X|Xs], Sum0, Sum) :- sum_of(Xs, Sum0+X, Sum).
fd_cardinality(Cs, N) :- must_be(list, Cs), truths(Cs, 0, S), finite(N), clpfd:(N #= S).
fd_cardinality(L, Cs, H) :- fd_cardinality(Cs, N), N #>= L, N #=< H.
truths([], Sum, Sum).
truths([C|Cs], Sum0, Sum) :- condition(C, D), clpfd:(B #<==> D), truths(Cs, Sum0+B, Sum).
fd_relation(Tuples, Xs) :- finite_list(Xs), tuples_in([Xs], Tuples).
fd_relationc(Columns, Xs) :- transpose(Columns, Tuples), fd_relation(Tuples, Xs).
fd_prime(X) :- fd_vector_max(M), fd_variable(X), findall(P, ( between(2, M, P), prime(P) ), Ps), fd_domain(X, Ps).
fd_not_prime(X) :- fd_vector_max(M), fd_variable(X), findall(P, ( between(0, M, P), \+ prime(P) ), Ps), fd_domain(X, Ps).
prime(P) :- P >= 2, \+ ( between(2, P, D), ( D*D > P -> !, fail ; P mod D =:= 0 ) ).
fd_reified_in(X, L, H, B) :- fd_variable(X), finite(X), B in 0..1, clpfd:(B #<==> (X in L..H)).

% --- Search.

fd_labeling(Xs) :- fd_labeling(Xs, []).
fd_labelingff(Xs) :- fd_labeling(Xs, [variable_method(first_fail)]).
fd_labeling(Xs0, Options) :-
    must_be(list, Options),
    options(Options, o(standard, true, min, none), O),
    ( nonvar(Xs0), ( Xs0 = [] ; Xs0 = [_|_] ) -> must_be(list, Xs0), Xs = Xs0 ; Xs = [Xs0] ),
    domains(Xs),
    O = o(Method, Reorder, Value, Backtracks),
    (   Reorder == true -> Variables = Xs
    ;   ordered(Xs, Method, Variables)
    ),
    ( Reorder == true -> Dynamic = Method ; Dynamic = standard ),
    ( Backtracks = backtracks(Count) -> counting(Variables, Dynamic, Value, Count) ; search(Variables, Dynamic, Value, none) ).
domains([]).
domains([X|Xs]) :- domain(X), domains(Xs).

options([], O, O).
options([X|_], _, _) :- var(X), !, instantiation_error(X).
options([X|Xs], o(M, R, V, B), O) :-
    (   X = variable_method(M1), memberchk(M1, [standard, first_fail, ff, most_constrained, smallest, largest, max_regret, random])
    ->  options(Xs, o(M1, R, V, B), O)
    ;   X = reorder(R1), memberchk(R1, [true, false]) -> options(Xs, o(M, R1, V, B), O)
    ;   X = value_method(V1), memberchk(V1, [min, max, middle, limits, random, bisect]) -> options(Xs, o(M, R, V1, B), O)
    ;   X = backtracks(_) -> options(Xs, o(M, R, V, X), O)
    ;   domain_error(fd_labeling_option, X)
    ).

ordered([], _, []).
ordered(Xs, Method, [X|Ys]) :- Xs = [_|_], chosen(Method, Xs, X, Rest), ordered(Rest, Method, Ys).

counting(Xs, Method, Value, Count) :-
    Counter = count(0),
    search(Xs, Method, Value, Counter),
    arg(1, Counter, Count).

search(Xs0, Method, Value, Counter) :-
    clpfd:open_variables(Xs0, Xs),
    (   Xs == [] -> true
    ;   chosen(Method, Xs, X, Rest),
        assigned(Value, X, Counter),
        ( integer(X) -> search(Rest, Method, Value, Counter) ; search([X|Rest], Method, Value, Counter) )
    ).

chosen(standard, [X|Xs], X, Xs) :- !.
chosen(random, Xs, X, Rest) :- !, length(Xs, N), I is random(N), nth0(I, Xs, X, Rest).
chosen(Method, [Y|Ys], X, Rest) :- key(Method, Y, K), best(Ys, Method, K, Y, X), clpfd:removed([Y|Ys], X, Rest).
best([], _, _, X, X).
best([Y|Ys], Method, K0, X0, X) :-
    key(Method, Y, K),
    ( K @< K0 -> best(Ys, Method, K, Y, X) ; best(Ys, Method, K0, X0, X) ).
key(first_fail, X, N) :- clpfd:fd_size(X, N).
key(ff, X, N) :- clpfd:fd_size(X, N).
key(most_constrained, X, N-M) :- clpfd:fd_size(X, N), fewest(X, M).
key(smallest, X, L-M) :- fd_inf(X, L), fewest(X, M).
key(largest, X, N-M) :- fd_sup(X, H), N is -H, fewest(X, M).
key(max_regret, X, N-M) :- values(X, Vs), ( Vs = [A, B|_] -> N is A-B ; N = 0 ), fewest(X, M).
fewest(X, M) :- fd_degree(X, N), M is -N.

assigned(min, X, C) :- !, fd_inf(X, V), valued(X, V, C).
assigned(max, X, C) :- !, fd_sup(X, V), valued(X, V, C).
assigned(bisect, X, C) :- !,
    fd_inf(X, L), fd_sup(X, H), M is (L+H)//2,
    ( clpfd:(X #=< M) ; another(C), clpfd:(X #> M) ).
assigned(Method, X, C) :- values(X, Vs0), reordered(Method, Vs0, Vs), one_of(Vs, X, C).
valued(X, V, C) :- ( X = V ; another(C), clpfd:(X #\= V) ).
one_of([V|Vs], X, C) :- ( X = V ; another(C), one_of(Vs, X, C) ).
another(none) :- !.
another(Counter) :- arg(1, Counter, N0), N is N0+1, nb_setarg(1, Counter, N).
reordered(random, Vs0, Vs) :- random_permutation(Vs0, Vs).
reordered(limits, Vs0, Vs) :- limits(Vs0, Vs).
reordered(middle, Vs0, Vs) :-
    length(Vs0, N), M is max(N//2, 1)-1,
    length(Below, M), append(Below, [V|Above], Vs0),
    reverse(Below, Down),
    ( N mod 2 =:= 0 -> alternately(Down, Above, Rest) ; alternately(Above, Down, Rest) ),
    Vs = [V|Rest].
limits([], []).
limits([V|Vs], [V|Ws]) :- ( Vs == [] -> Ws = [] ; reverse(Vs, [W|Rs]), reverse(Rs, Us), Ws = [W|Ws1], limits(Us, Ws1) ).
alternately([], Vs, Vs).
alternately([A|As], Bs, [A|Vs]) :- alternately(Bs, As, Vs).

:- meta_predicate fd_minimize(0, ?), fd_maximize(0, ?).

% The best value is found by asking for a better one until there is none; then there are the solutions that have it.
fd_minimize(Goal, X) :- best_of(Goal, X, #<, Best), X = Best, call(Goal).
fd_maximize(Goal, X) :- best_of(Goal, X, #>, Best), X = Best, call(Goal).
best_of(Goal, X, Better, Best) :- found(Goal, X, First), improved(Goal, X, Better, First, Best).
found(Goal, X, V) :- findall(X, once(Goal), [V]), domain(V).
improved(Goal, X, Better, V0, V) :-
    C =.. [Better, X, V0],
    ( found(( gprolog_fd:C, Goal ), X, V1) -> improved(Goal, X, Better, V1, V) ; V = V0 ).
