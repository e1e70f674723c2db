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
% Ciao's programs write `list(T, L)` and, as in older versions, `list(L, T)`: what is no list is the type of the elements.
% In these versions a call's arguments come in front of those of a closure.
'$list_arguments'(T0, L0, T, L) :-
    ( callable(L0), L0 \== [], L0 \= [_|_] -> '$strip_module'(T0, M, L), '$first_of'(M, L0, T) ; T = T0, L = L0 ).
'$first_of'(M, P, T) :- ( ( atom(P) ; '$takes_closure'(M, P) ) -> T = M:P ; T = '$first'(M, P) ).
% A property that is declared to take a closure has that in front. The types here take it in either place.
'$takes_closure'(M, P) :-
    functor(P, F, N), N1 is N + 1, \+ '$is_type_over_types'(F/N1), functor(G, F, N1),
    predicate_property(M:G, meta_predicate(D)), arg(1, D, A), integer(A).
'$first'(M, P, X) :- '$with_first'(P, X, G), call(M:G).
'$with_first'(P, X, G) :- P =.. [F|As], G =.. [F, X|As].
% So do they with types of other terms: the type is a property there, and the term is none.
'$element_arguments'(T0, X0, T, X) :-
    '$strip_module'(T0, M, A),
    (   callable(X0), X0 \= [_|_], '$is_closure'(X0, M),
        ( '$is_closure'(A, M) -> '$names_property'(X0, M), \+ '$names_property'(A, M) ; true )
    ->  X = A, '$first_of'(M, X0, T)
    ;   T = T0, X = X0
    ).
% Of two that predicates have the names of, the property is the type: the other one is a term, and must not be called.
'$names_property'(P, M) :-
    functor(P, F, N), N1 is N + 1, functor(G, F, N1),
    ( '$is_property'(M:G) -> true ; '$is_type_over_types'(F/N1) -> true ; N == 0, '$is_type_of_terms'(F) ).
'$is_type_over_types'(I) :- '$one_of'([list/2, nlist/2, sequence/2, sequence_or_list/2], I), !.
'$is_type_of_terms'(F) :-
    '$one_of'([term, int, nnegint, flt, num, atm, constant, struct, gnd, cgoal, list, gndstr, character_code, bytelist, string], F), !.
'$is_closure'(P, M) :- callable(P), functor(P, F, N), N1 is N + 1, functor(G, F, N1), '$defined'(M:G).
'$open_list'(L) :- '$skip_list'(_, L, Tail), var(Tail).
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
nlist(T0, X0) :- '$element_arguments'(T0, X0, T, X), '$nlist'(X, T).
'$nlist'([], _).
'$nlist'([X|Xs], T) :- '$nlist'(X, T), '$nlist'(Xs, T).
'$nlist'(X, T) :- call(T, X).
sequence(T0, X0) :- '$element_arguments'(T0, X0, T, X), '$sequence'(X, T).
'$sequence'(X, T) :- call(T, X).
'$sequence'((X, Xs), T) :- call(T, X), '$sequence'(Xs, T).
sequence_or_list(T, X) :- list(T, X).
sequence_or_list(T, X) :- sequence(T, X).
'$all'([], _).
'$all'([X|Xs], T) :- call(T, X), '$all'(Xs, T).
