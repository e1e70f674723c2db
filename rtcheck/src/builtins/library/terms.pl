% Terms.

:- meta_predicate mapargs(2, ?, ?).

numbervars(T) :- numbervars(T, 0, _).
numbervars(T, Start, End) :- must_be(integer, Start), term_variables(T, Vs), '$number_all'(Vs, Start, End).
numbervars(T, Start, End, _) :- numbervars(T, Start, End).
'$number_all'([], N, N).
'$number_all'(['$VAR'(N0)|Vs], N0, N) :- N1 is N0 + 1, '$number_all'(Vs, N1, N).
% The parts of a copy that setarg/3 could change are its own, ground ones too.
duplicate_term(T, C) :- copy_term(T, C).
mapargs(P, T, U) :- functor(T, N, A), functor(U, N, A), '$mapargs'(1, A, P, T, U).
'$mapargs'(I, A, P, T, U) :-
    ( I > A -> true ; arg(I, T, X), arg(I, U, Y), call(P, X, Y), I1 is I + 1, '$mapargs'(I1, A, P, T, U) ).
% An atom, a list of different variables, or a compound term with such arguments.
is_most_general_term(T) :-
    callable(T),
    (   T = [_|_] -> is_list(T), Args = T ; T =.. [_|Args] ),
    '$different_variables'(Args).
'$different_variables'(Args) :- term_variables(Args, Vs), length(Args, N), length(Vs, N), '$all_variables'(Args).
'$all_variables'([]).
'$all_variables'([A|As]) :- var(A), '$all_variables'(As).
