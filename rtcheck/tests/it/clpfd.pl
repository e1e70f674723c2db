% Random constraints; one(Seed) prints what differs from trying all assignments.
:- use_module(library(clpfd)).
seed(S) :- nb_setval(s, S).
r(N, R) :- nb_getval(s, S0), S is (S0*1103515245+12345) mod 2147483648, nb_setval(s, S), R is (S >> 8) mod N.
pick(L, X) :- length(L, N), r(N, I), nth0(I, L, X).
expr(0, Vs, E) :- !, r(3, K), ( K =:= 0 -> r(7, N), E is N - 3 ; pick(Vs, E) ).
expr(D, Vs, E) :- D1 is D-1, r(14, K), expr(D1, Vs, A), expr(D1, Vs, B), op(K, A, B, E).
op(K, A, B, A+B) :- K =< 2, !.
op(K, A, B, A-B) :- K =< 4, !.
op(K, A, B, A*B) :- K =< 6, !.
op(7, A, B, A//B). op(8, A, B, A mod B). op(9, A, _, abs(A)). op(10, A, B, max(A,B)). op(11, A, B, min(A,B)).
op(12, A, _, A^2). op(13, A, B, A rem B).
lin(0, Vs, E) :- !, expr(0, Vs, E).
lin(D, Vs, E) :- D1 is D-1, r(3, K), lin(D1, Vs, A), lin(D1, Vs, B), ( K =:= 0 -> E = A+B ; K =:= 1 -> E = A-B ; r(5, N0), N is N0-2, E = N*A ).
rel(Vs, C) :- D = 2, expr(D, Vs, A), expr(1, Vs, B), relop(A, B, C).
relop(A, B, C) :- pick([#=, #\=, #<, #>, #=<, #>=], Op), C =.. [Op, A, B].
bool(0, Vs, C) :- !, r(6, K), ( K =:= 0 -> pick(Vs, X), C = (X in -1..1 \/ 3..9) ; lin(1, Vs, A), lin(1, Vs, B), relop(A, B, C) ).
bool(D, Vs, C) :- D1 is D-1, r(7, K), bool(D1, Vs, A), bool(D1, Vs, B),
   ( K =:= 0 -> C = (#\ A) ; K =:= 1 -> C = (A #/\ B) ; K =:= 2 -> C = (A #\/ B) ; K =:= 3 -> C = (A #\ B) ; K =:= 4 -> C = (A #==> B) ; K =:= 5 -> C = (A #<==> B) ; C = (A #<== B) ).
con(Vs, C) :- r(8, K), con(K, Vs, C).
con(0, Vs, C) :- bool(2, Vs, C).
con(1, Vs, C) :- bool(1, Vs, C).
con(2, Vs, all_different(Vs)).
con(3, Vs, all_distinct(Vs)).
con(4, [A,B|_], tuples_in([[A,B]],[[0,1],[1,2],[-1,3],[2,2],[3,-2]])).
con(5, [A,B|_], element(A,[B,A,2,B],B)).
con(6, Vs, C) :- rel(Vs, C).
con(7, Vs, C) :- rel(Vs, C).
holds(all_different(L)) :- sort(L, S), length(L, N), length(S, N).
holds(all_distinct(L)) :- holds(all_different(L)).
holds(tuples_in(Ts, R)) :- forall(member(T, Ts), memberchk(T, R)).
holds(element(I, L, X)) :- nth1(I, L, X0), X0 == X.
holds(X in D) :- indom(D, X).
holds(A #= B) :- catch(A =:= B, _, fail).
holds(A #\= B) :- catch(A =\= B, _, fail).
holds(A #< B) :- catch(A < B, _, fail).
holds(A #> B) :- catch(A > B, _, fail).
holds(A #=< B) :- catch(A =< B, _, fail).
holds(A #>= B) :- catch(A >= B, _, fail).
holds(#\ A) :- \+ holds(A).
holds(A #/\ B) :- holds(A), holds(B).
holds(A #\/ B) :- ( holds(A) -> true ; holds(B) ).
holds(A #\ B) :- ( holds(A) -> \+ holds(B) ; holds(B) ).
holds(A #==> B) :- ( holds(A) -> holds(B) ; true ).
holds(A #<== B) :- holds(B #==> A).
holds(A #<==> B) :- ( holds(A) -> holds(B) ; \+ holds(B) ).
indom(A\/B, X) :- !, ( indom(A, X) -> true ; indom(B, X) ).
indom(L..H, X) :- X >= L, X =< H.
cons(0, _, []) :- !.
cons(N, Vs, [C|Cs]) :- con(Vs, C), N1 is N-1, cons(N1, Vs, Cs).
brute(Vs, L, H, Cs, Sols) :- numlist(L, H, Ds), findall(Vs, ( maplist([V]>>member(V, Ds), Vs), holdall(Cs) ), S0), msort(S0, Sols).
holdall([]). holdall([C|Cs]) :- holds(C), holdall(Cs).
post([]). post([C|Cs]) :- call(C), post(Cs).
how([]). how([ff]). how([min,down]). how([max,bisect]). how([ffc,enum]). how([leftmost,down,enum]).
one(S) :-
  seed(S), r(3, N0), N is N0+2, length(Vs, N), r(3, L0), L is -L0-1, r(4, H0), H is H0+1, r(3, M0), M is M0+1, cons(M, Vs, Cs),
  brute(Vs, L, H, Cs, Expected),
  findall(O, how(O), Os), pick(Os, O), r(2, Order0), Order is Order0+1,
  findall(Vs, ( Order =:= 0 -> post(Cs), Vs ins L..H, labeling(O, Vs) ; Order =:= 1 -> Vs ins L..H, post(Cs), labeling(O, Vs)
     ; Vs ins L..H, Vs = [X|_], Vs = [_,Y|_], post(Cs), ( X = Y ; X #\= Y ), labeling(O, Vs) ), S0), msort(S0, Sols),
  ( Sols == Expected -> true ; print(diff(S, Cs, L..H, O, Order)), nl, subtract(Expected, Sols, Miss), subtract(Sols, Expected, More), length(Expected, EL), length(Sols, SL), print(missing(Miss, more(More), EL-SL)), nl ).
