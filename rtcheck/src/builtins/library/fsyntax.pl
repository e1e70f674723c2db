% Ciao's functional notation: `f(X) := R :- B`, `~f(X)` for the value of a function, `C ? A | B` for a choice, `A | B`
% for alternatives, `^f(X)` for the term f(X). '$functional'(Term, e(Arith, Functions, Returns), Terms): the clauses in plain
% Prolog that a clause stands for; Functions are those that are evaluated without `~`, as Name/Arity, the value not counted,
% and Returns heads such as f(~, _) of those whose value is not the last argument.

'$functional'((H := R :- B), E, Cs) :- !, '$fs_definition'(R, H, B, E, Cs).
'$functional'((H := R), E, Cs) :- !, '$fs_definition'(R, H, true, E, Cs).
'$functional'((:- D), _, [(:- D)]) :- !.
'$functional'((?- D), _, [(?- D)]) :- !.
% A rule of a grammar is a clause first.
'$functional'((H --> B), E, Cs) :- !,
    ( catch(dcg_translate_rule((H --> B), C), _, fail) -> '$functional'(C, E, Cs) ; Cs = [(H --> B)] ).
'$functional'((H :- B), E, [C]) :- !, '$fs_head'(H, E, H1, G), '$fs_clause'(H1, G, B, true, E, C).
'$functional'(H, E, [C]) :- '$fs_head'(H, E, H1, G), '$fs_clause'(H1, G, true, true, E, C).

% Each alternative of a value is a clause.
'$fs_definition'(R, H, B, E, Cs) :-
    nonvar(R), R = '|'(X, Y), \+ ( nonvar(X), X = ?(_, _) ), !,
    '$fs_definition'(X, H, B, E, Cs0), '$fs_definition'(Y, H, B, E, Cs1), append(Cs0, Cs1, Cs).
'$fs_definition'(R, H, B, E, [C]) :-
    '$fs_value'(R, E, V, G),
    '$fs_head'(H, E, H1, HG),
    '$fs_with_value'(H1, V, E, HV),
    '$fs_clause'(HV, HG, B, G, E, C).
'$fs_with_value'(M:H, V, E, M:HV) :- '$fs_qualified'(M, H), !, '$fs_with_value'(H, V, E, HV).
'$fs_with_value'(H, V, e(_, _, Returns), HV) :-
    H =.. [F|As0],
    (   member(Return, Returns), Return =.. [F|Rs], '$fs_inserted'(Rs, As0, V, As) -> true
    ;   append(As0, [V], As)
    ),
    HV =.. [F|As].
'$fs_inserted'([R|Rs], As0, V, As) :-
    (   nonvar(R), R = (~) -> length(Rs, N), length(As0, N), As = [V|As0]
    ;   As0 = [A|As1], As = [A|As2], '$fs_inserted'(Rs, As1, V, As2)
    ).

% The head's own calls come first, then the body, then what the value needs.
'$fs_clause'(H, HG, B0, G, E, C) :-
    '$fs_body'(B0, E, B),
    '$fs_and'(HG, B, G0), '$fs_and'(G0, G, G1),
    ( G1 == true -> C = H ; C = (H :- G1) ).
% Only a head or a goal has a module: elsewhere `M:X` is a term like others.
'$fs_head'(M:H0, E, M:H, G) :- '$fs_qualified'(M, H0), !, '$fs_head'(H0, E, H, G).
'$fs_head'(H0, E, H, G) :- '$fs_arguments'(H0, E, H, G).
'$fs_qualified'(M, G) :- atom(M), callable(G).
'$fs_arguments'(H0, E, H, G) :- H0 =.. [F|As0], '$fs_values'(As0, E, As, G), H =.. [F|As].

'$fs_and'(A, B, C) :- var(A), !, ( B == true -> C = A ; C = (A, B) ).
'$fs_and'(true, B, C) :- !, C = B.
'$fs_and'(A, B, C) :- B == true, !, C = A.
'$fs_and'((A1, A2), B, C) :- !, '$fs_and'(A2, B, C2), '$fs_and'(A1, C2, C).
'$fs_and'(A, B, (A, B)).

'$fs_body'(G, _, G) :- var(G), !.
'$fs_body'(X = T, E, G) :- nonvar(T), T = ~(F), !, '$fs_call'(F, E, V, G0), '$fs_bound'(X, V, E, G0, G).
'$fs_body'(T = X, E, G) :- nonvar(T), T = ~(F), !, '$fs_call'(F, E, V, G0), '$fs_bound'(X, V, E, G0, G).
'$fs_body'(G0, E, G) :-
    '$goal_arguments'(G0, Spec), !,
    G0 =.. [F|As0], '$fs_meta'(Spec, As0, E, As, Pre), G1 =.. [F|As], '$fs_and'(Pre, G1, G).
'$fs_body'(G0, E, G) :-
    '$fs_arithmetic_goal'(G0), !,
    G0 =.. [F|As0], '$fs_expressions'(As0, E, As, Pre), G1 =.. [F|As], '$fs_and'(Pre, G1, G).
'$fs_body'(G0, E, G) :-
    functor(G0, F, A), A > 0, !,
    '$fs_arguments'(G0, E, G1, Pre), functor(G1, F, A), '$fs_and'(Pre, G1, G).
'$fs_body'(G, _, G).
% `X = ~f(Y)` is `f(Y, X)`, unless the other side has something to evaluate.
'$fs_bound'(X, V, _, G0, G) :- var(X), !, X = V, G = G0.
'$fs_bound'(X, V, E, G0, G) :- '$fs_value'(X, E, W, G1), '$fs_and'(G0, G1, G2), '$fs_and'(G2, V = W, G).
'$fs_meta'([], [], _, [], true).
'$fs_meta'([S|Ss], [A0|As0], E, [A|As], Pre) :-
    ( S == 0 -> '$fs_body'(A0, E, A), Pre0 = true ; '$fs_value'(A0, E, A, Pre0) ),
    '$fs_meta'(Ss, As0, E, As, Pre1), '$fs_and'(Pre0, Pre1, Pre).
'$fs_arithmetic_goal'(_ is _).
'$fs_arithmetic_goal'(_ =:= _).
'$fs_arithmetic_goal'(_ =\= _).
'$fs_arithmetic_goal'(_ < _).
'$fs_arithmetic_goal'(_ =< _).
'$fs_arithmetic_goal'(_ > _).
'$fs_arithmetic_goal'(_ >= _).

% '$fs_value'(T, E, V, G): the value of T is V after G.
'$fs_value'(T, _, V, G) :- \+ compound(T), \+ atom(T), !, V = T, G = true.
% Only the outermost functor is quoted.
'$fs_value'(^(T), E, V, G) :- compound(T), !, '$fs_arguments'(T, E, V, G).
'$fs_value'(^(T), _, T, true) :- !.
'$fs_value'(~(F), E, V, G) :- !, '$fs_call'(F, E, V, G).
'$fs_value'('|'(?(C0, A), B), E, V, ( C -> GA ; GB )) :- !,
    '$fs_body'(C0, E, C), '$fs_becomes'(A, E, V, GA), '$fs_becomes'(B, E, V, GB).
'$fs_value'('|'(A, B), E, V, ( GA ; GB )) :- !, '$fs_becomes'(A, E, V, GA), '$fs_becomes'(B, E, V, GB).
'$fs_value'(?(C0, A), E, V, ( C -> GA )) :- !, '$fs_body'(C0, E, C), '$fs_becomes'(A, E, V, GA).
% The body of a lambda expression is a goal.
'$fs_value'((P >> B0), E, (P >> B), true) :- ( is_list(P) ; nonvar(P), P = _ / _ ), !, '$fs_body'(B0, E, B).
% So is that of a predicate abstraction. What it shares is what it shared before it got variables for values.
'$fs_value'({A0}, E, {A}, true) :- '$sharing'(A0, _:A1), '$fs_abstraction'(A1, E, A), !.
'$fs_value'(A0, E, A, true) :- '$fs_abstraction'(A0, E, A), !.
'$fs_value'(T, E, V, G) :-
    E = e(true, _, _), '$fs_arithmetic'(T), !,
    '$fs_expression'(T, E, X, G0), '$fs_and'(G0, V is X, G).
'$fs_value'(T, E, V, G) :-
    callable(T), functor(T, F, A), E = e(_, Fs, _), memberchk(F/A, Fs), !,
    '$fs_call'(T, E, V, G).
'$fs_value'(T, _, T, true) :- atom(T), !.
'$fs_value'(T, E, V, G) :- '$fs_arguments'(T, E, V, G).
'$fs_abstraction'(A, E, (H :- B)) :-
    nonvar(A), A = (H :- B0), nonvar(H),
    ( H = (_ -> H1) -> true ; H1 = H ), nonvar(H1), functor(H1, '', _),
    '$fs_body'(B0, E, B).
% A value that something computes is bound by that.
'$fs_becomes'(T, E, V, G) :-
    '$fs_value'(T, E, V0, G0),
    ( var(V0), nonvar(T), T \= ^(_) -> V = V0, G = G0 ; '$fs_and'(G0, V = V0, G) ).
'$fs_values'([], _, [], true).
'$fs_values'([T|Ts], E, [V|Vs], G) :-
    '$fs_value'(T, E, V, G0), '$fs_values'(Ts, E, Vs, G1), '$fs_and'(G0, G1, G).
'$fs_call'(F, _, V, G) :- var(F), !, G = call(F, V).
'$fs_call'(M:F, E, V, M:G) :- atom(M), !, '$fs_call'(F, E, V, G).
'$fs_call'(F, E, V, G) :-
    ( atom(F) -> F1 = F, Pre = true ; '$fs_arguments'(F, E, F1, Pre) ),
    '$fs_with_value'(F1, V, E, G0), '$fs_and'(Pre, G0, G).
% An arithmetic expression is evaluated at once; what in it is no arithmetic, before.
'$fs_expression'(T, E, X, G) :-
    compound(T), '$fs_arithmetic'(T), !,
    T =.. [F|As0], '$fs_expressions'(As0, E, As, G), X =.. [F|As].
'$fs_expression'(T, E, X, G) :- '$fs_value'(T, E, X, G).
'$fs_expressions'([], _, [], true).
'$fs_expressions'([T|Ts], E, [X|Xs], G) :-
    '$fs_expression'(T, E, X, G0), '$fs_expressions'(Ts, E, Xs, G1), '$fs_and'(G0, G1, G).
'$fs_arithmetic'(T) :- compound(T), functor(T, F, A), '$fs_function'(F, A).
'$fs_function'(F, 1) :- memberchk(F, [
    -, +, abs, sign, float, integer, truncate, round, floor, ceiling, sqrt, sin, cos, tan, exp, log, asin, acos, atan,
    \, float_integer_part, float_fractional_part]).
'$fs_function'(F, 2) :- memberchk(F, [
    +, -, *, /, //, rem, mod, div, **, ^, <<, >>, /\, \/, #, gcd, min, max]).
