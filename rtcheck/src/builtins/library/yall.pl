% Goals with parameters, as in SWI-Prolog's library(yall): `[X1, ...]>>Goal`, `Free/[X1, ...]>>Goal`, `\X^Goal`.
% Each call renames the variables that are not among the free ones.

:- meta_predicate
    >>(?, 0), >>(?, 1, ?), >>(?, 2, ?, ?), >>(?, 3, ?, ?, ?), >>(?, 4, ?, ?, ?, ?), >>(?, 5, ?, ?, ?, ?, ?),
    >>(?, 6, ?, ?, ?, ?, ?, ?),
    /(?, 0), /(?, 1, ?), /(?, 2, ?, ?), /(?, 3, ?, ?, ?), /(?, 4, ?, ?, ?, ?), /(?, 5, ?, ?, ?, ?, ?),
    /(?, 6, ?, ?, ?, ?, ?, ?),
    ^(?, 0, ?), ^(?, 1, ?, ?), ^(?, 2, ?, ?, ?), ^(?, 3, ?, ?, ?, ?), ^(?, 4, ?, ?, ?, ?, ?).

>>(Ps, G) :- '$lambda'(Ps, G, []).
>>(Ps, G, A) :- '$lambda'(Ps, G, [A]).
>>(Ps, G, A, B) :- '$lambda'(Ps, G, [A, B]).
>>(Ps, G, A, B, C) :- '$lambda'(Ps, G, [A, B, C]).
>>(Ps, G, A, B, C, D) :- '$lambda'(Ps, G, [A, B, C, D]).
>>(Ps, G, A, B, C, D, E) :- '$lambda'(Ps, G, [A, B, C, D, E]).
>>(Ps, G, A, B, C, D, E, F) :- '$lambda'(Ps, G, [A, B, C, D, E, F]).

% A goal of which only some variables are shared.
/(Free, G) :- '$closed'(Free, G, []).
/(Free, G, A) :- '$closed'(Free, G, [A]).
/(Free, G, A, B) :- '$closed'(Free, G, [A, B]).
/(Free, G, A, B, C) :- '$closed'(Free, G, [A, B, C]).
/(Free, G, A, B, C, D) :- '$closed'(Free, G, [A, B, C, D]).
/(Free, G, A, B, C, D, E) :- '$closed'(Free, G, [A, B, C, D, E]).
/(Free, G, A, B, C, D, E, F) :- '$closed'(Free, G, [A, B, C, D, E, F]).
'$closed'(Free, G0, Args) :- copy_term_nat(Free/G0, Free/G), '$call_with'(Args, G).
is_lambda(T) :- nonvar(T), ( T = (_>>_) -> true ; T = _/L, nonvar(L) ), !.

'$lambda'(Ps0, G0, Args) :-
    ( nonvar(Ps0), Ps0 = Free/Ps1 -> copy_term_nat(Free/Ps1/G0, Free/Ps/G) ; copy_term_nat(Ps0/G0, Ps/G) ),
    '$bind_parameters'(Ps, Args, Rest),
    '$call_with'(Rest, G).
'$bind_parameters'(Ps, Args, Rest) :-
    ( nonvar(Ps), Ps = [P|Ps1], Args = [A|Args1] -> P = A, '$bind_parameters'(Ps1, Args1, Rest) ; Rest = Args ).
% One predicate for each number, so that none leaves a choicepoint.
'$call_with'([], G) :- call(G).
'$call_with'([A|As], G) :- '$call_with'(As, A, G).
'$call_with'([], A, G) :- call(G, A).
'$call_with'([B|As], A, G) :- '$call_with'(As, A, B, G).
'$call_with'([], A, B, G) :- call(G, A, B).
'$call_with'([C|As], A, B, G) :- '$call_with'(As, A, B, C, G).
'$call_with'([], A, B, C, G) :- call(G, A, B, C).
'$call_with'([D|As], A, B, C, G) :- '$call_with'(As, A, B, C, D, G).
'$call_with'([], A, B, C, D, G) :- call(G, A, B, C, D).
'$call_with'([E|As], A, B, C, D, G) :- '$call_with'(As, A, B, C, D, E, G).
'$call_with'([], A, B, C, D, E, G) :- call(G, A, B, C, D, E).
'$call_with'([F|As], A, B, C, D, E, G) :- '$call_with'(As, A, B, C, D, E, F, G).
'$call_with'([], A, B, C, D, E, F, G) :- call(G, A, B, C, D, E, F).

\(L, A) :- '$abstraction'(L, A, G), call(G).
\(L, A, B) :- '$abstraction'(L, A, G), call(G, B).
\(L, A, B, C) :- '$abstraction'(L, A, G), call(G, B, C).
\(L, A, B, C, D) :- '$abstraction'(L, A, G), call(G, B, C, D).
% Only the parameter is renamed.
'$abstraction'(L, A, G) :- '$strip_module'(L, M, X^_), '$free_variables'(L, X, Free), copy_term(Free/L, Free/L1),
    '$strip_module'(L1, _, A^G1), G = M:G1.

% The body of such an abstraction with further parameters: `\X^Y^Goal`.
^(A, G, A) :- call(G).
^(A, G, A, B) :- call(G, B).
^(A, G, A, B, C) :- call(G, B, C).
^(A, G, A, B, C, D) :- call(G, B, C, D).
^(A, G, A, B, C, D, E) :- call(G, B, C, D, E).

% Ciao's predicate abstractions: `''(X1, ...) :- Goal`, of which only the variables of Shared are those of the clause in
% `Shared -> ''(X1, ...) :- Goal`.
:- meta_predicate
    :-(?, 0, ?), :-(?, 0, ?, ?), :-(?, 0, ?, ?, ?), :-(?, 0, ?, ?, ?, ?), :-(?, 0, ?, ?, ?, ?, ?), :-(?, 0, ?, ?, ?, ?, ?, ?).
:-(H, G, A) :- '$call_abstraction'(H, G, [A]).
:-(H, G, A, B) :- '$call_abstraction'(H, G, [A, B]).
:-(H, G, A, B, C) :- '$call_abstraction'(H, G, [A, B, C]).
:-(H, G, A, B, C, D) :- '$call_abstraction'(H, G, [A, B, C, D]).
:-(H, G, A, B, C, D, E) :- '$call_abstraction'(H, G, [A, B, C, D, E]).
:-(H, G, A, B, C, D, E, F) :- '$call_abstraction'(H, G, [A, B, C, D, E, F]).
'$call_abstraction'(H0, G0, As) :-
    ( nonvar(H0), H0 = (Shared -> H1) -> true ; Shared = [], H1 = H0 ),
    ( nonvar(H1), functor(H1, '', _) -> true ; length([H0, G0|As], N), existence_error(procedure, (:-)/N) ),
    copy_term_nat(Shared/H1/G0, Shared/H/G),
    H =.. [_|As],
    call(G).

% In curly brackets the variables that are not in the head are those of the clause, unless it says which are.
:- meta_predicate {}(:, ?), {}(:, ?, ?), {}(:, ?, ?, ?), {}(:, ?, ?, ?, ?), {}(:, ?, ?, ?, ?, ?).
{}(P, A) :- '$sharing'(P, Q), call(Q, A).
{}(P, A, B) :- '$sharing'(P, Q), call(Q, A, B).
{}(P, A, B, C) :- '$sharing'(P, Q), call(Q, A, B, C).
{}(P, A, B, C, D) :- '$sharing'(P, Q), call(Q, A, B, C, D).
{}(P, A, B, C, D, E) :- '$sharing'(P, Q), call(Q, A, B, C, D, E).
'$sharing'(P0, M:P) :-
    '$strip_module'(P0, M, P1),
    (   nonvar(P1), P1 = (H :- B), '$abstraction_head'(H)
    ->  term_variables(H, Own), term_variables(B, Vs),
        exclude('$occurs_among'(Own), Vs, Shared), P = ((Shared -> H) :- B)
    ;   '$abstraction_head'(P1) -> P = (P1 :- true)
    ;   P = P1
    ).
'$abstraction_head'(H) :- nonvar(H), functor(H, '', _).
