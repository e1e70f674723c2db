% Types, for clauses that call them.

:- meta_predicate list(1, ?), compat(?, 1), inst(?, 1).
:- meta_predicate nlist(1, ?).
:- meta_predicate sequence(1, ?).
:- meta_predicate sequence_or_list(1, ?).

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
% What ends in a variable is made longer and longer, as by the clauses that define these types.
list(X) :- ( is_list(X) -> true ; '$open_list'(X), '$list'(X) ).
list(T0, L0) :-
    '$list_arguments'(T0, L0, T, L),
    ( is_list(L) -> '$all'(L, T) ; '$open_list'(L), '$list'(L, T) ).
% Ciao's programs write `list(T, L)` and `list(L, T)`: what is no list is the type of the elements.
'$list_arguments'(T0, L0, T, L) :-
    ( callable(L0), L0 \== [], L0 \= [_|_] -> '$strip_module'(T0, M, L), T = M:L0 ; T = T0, L = L0 ).
'$open_list'(L) :- '$skip_list'(L, _, Tail), var(Tail).
'$list'([]).
'$list'([_|Xs]) :- '$list'(Xs).
'$list'([], _).
'$list'([X|Xs], T) :- call(T, X), '$list'(Xs, T).
% Whether a property could hold, and whether it does without binding anything.
compat(X, P) :- ground(X), !, \+ \+ call(P, X).
compat(X, M:P) :- P =.. L0, append(L0, [X], L), G =.. L, '$may_hold'(M:G).
inst(X, P) :-
    copy_term_nat(X, Y), term_variables(Y, Vs), '$keep_free'(Vs),
    \+ \+ ( call(P, Y), copy_term_nat(Y, Z), subsumes_term(Z, X) ).
'$keep_free'([]).
'$keep_free'([V|Vs]) :- freeze(V, fail), '$keep_free'(Vs).
gndstr(X) :- compound(X), ground(X).
character_code(X) :- integer(X).
% What Ciao's programs mean by it.
'$string_or_codes'(X) :- ( string(X) -> true ; list(character_code, X) ).
bytelist(X) :- list(int, X).
atm_or_atm_list(X) :- atom(X), !.
atm_or_atm_list(X) :- list(atm, X).
predname(P/A) :- atom(P), nnegint(A).
operator_specifier(X) :- '$one_of'([fy, fx, yfx, xfy, xfx, yf, xf], X).
'$one_of'([X|_], X).
'$one_of'([_|Xs], X) :- '$one_of'(Xs, X).
nlist(_, []).
nlist(T, [X|Xs]) :- nlist(T, X), nlist(T, Xs).
nlist(T, X) :- call(T, X).
sequence(T, X) :- call(T, X).
sequence(T, (X, Xs)) :- call(T, X), sequence(T, Xs).
sequence_or_list(T, X) :- list(T, X).
sequence_or_list(T, X) :- sequence(T, X).
'$all'([], _).
'$all'([X|Xs], T) :- call(T, X), '$all'(Xs, T).
