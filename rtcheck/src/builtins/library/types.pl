% Types, for clauses that call them.

:- meta_predicate list(1, ?).

term(_).
int(X) :- integer(X).
nnegint(X) :- integer(X), X >= 0.
flt(X) :- float(X).
num(X) :- number(X).
atm(X) :- atom(X).
constant(X) :- atomic(X).
struct(X) :- compound(X).
gnd(X) :- ground(X).
cgoal(X) :- callable(X).
list(X) :- is_list(X).
list(T, L) :- is_list(L), '$all'(L, T).
'$all'([], _).
'$all'([X|Xs], T) :- call(T, X), '$all'(Xs, T).
