:- module(lambda, [
    op(201, xfx, +\),
    (\)/1, (\)/2, (\)/3, (\)/4, (\)/5, (\)/6, (\)/7,
    (+\)/2, (+\)/3, (+\)/4, (+\)/5, (+\)/6, (+\)/7, (+\)/8]).

% `Free+\X1^X2^Goal`, after Neumerkel's library of this name: a goal with parameters, of which each call renames all
% variables but the free ones; of `\X1^X2^Goal` all variables are renamed.

:- meta_predicate
    \(0), \(1, ?), \(2, ?, ?), \(3, ?, ?, ?), \(4, ?, ?, ?, ?), \(5, ?, ?, ?, ?, ?), \(6, ?, ?, ?, ?, ?, ?),
    +\(?, 0), +\(?, 1, ?), +\(?, 2, ?, ?), +\(?, 3, ?, ?, ?), +\(?, 4, ?, ?, ?, ?), +\(?, 5, ?, ?, ?, ?, ?),
    +\(?, 6, ?, ?, ?, ?, ?, ?).

\(L) :- applied([], L, []).
\(L, A) :- applied([], L, [A]).
\(L, A, B) :- applied([], L, [A, B]).
\(L, A, B, C) :- applied([], L, [A, B, C]).
\(L, A, B, C, D) :- applied([], L, [A, B, C, D]).
\(L, A, B, C, D, E) :- applied([], L, [A, B, C, D, E]).
\(L, A, B, C, D, E, F) :- applied([], L, [A, B, C, D, E, F]).

+\(Free, L) :- applied(Free, L, []).
+\(Free, L, A) :- applied(Free, L, [A]).
+\(Free, L, A, B) :- applied(Free, L, [A, B]).
+\(Free, L, A, B, C) :- applied(Free, L, [A, B, C]).
+\(Free, L, A, B, C, D) :- applied(Free, L, [A, B, C, D]).
+\(Free, L, A, B, C, D, E) :- applied(Free, L, [A, B, C, D, E]).
+\(Free, L, A, B, C, D, E, F) :- applied(Free, L, [A, B, C, D, E, F]).

applied(Free, L0, Arguments) :-
    copy_term_nat(Free+L0, Free+L),
    '$strip_module'(L, M, Abstraction),
    bound(Arguments, Abstraction, Goal),
    call(M:Goal).
bound([], Goal, Goal).
bound([A|As], Abstraction, Goal) :-
    (   nonvar(Abstraction), Abstraction = X^Body -> X = A, bound(As, Body, Goal)
    ;   Abstraction =.. Parts0, append(Parts0, [A|As], Parts), Goal =.. Parts
    ).
