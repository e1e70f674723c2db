% Values for arguments that a test's precondition asks for and nothing gives: `: int(X)` with a free X. What the
% precondition says of types makes them, simple ones first; what else it says chooses among them.

% '$test_values'(Module, Precondition, Wanted, Count, Late): the precondition as a goal. Where it asks for values, what a
% program's own types make of free variables may have no end: then Late becomes '$late'(true). Values are made only if
% Count is 0 by then: the goal itself has had no solution. Any other precondition is called once, as it is.
'$test_values'(M, Pre, _, _, _) :- \+ '$wants_values'(Pre, M), !, call(M:Pre).
'$test_values'(M, Pre, _, _, Late) :-
    call_with_inference_limit(M:Pre, 1000000, Result),
    ( Result == inference_limit_exceeded -> nb_setarg(1, Late, true), fail ; true ).
'$test_values'(M, Pre, Wanted, Count, _) :- arg(1, Count, 0), '$generated'(M, Pre, Wanted).
% Whether a literal is of a type or another property, and has free variables.
'$wants_values'(G, _) :- var(G), !, fail.
'$wants_values'((A, B), M) :- !, ( '$wants_values'(A, M) -> true ; '$wants_values'(B, M) ).
'$wants_values'((A ; B), M) :- !, ( '$wants_values'(A, M) -> true ; '$wants_values'(B, M) ).
'$wants_values'(M:G, _) :- atom(M), !, '$wants_values'(G, M).
'$wants_values'(G, M) :-
    callable(G), \+ ground(G),
    ( '$is_property'(M:G) -> true ; \+ '$redefines'(M:G), '$type_values'(G, M, 1, _) -> true ).
% '$generated'(Module, Precondition, Wanted): holds of so many ways to satisfy the precondition, or of as many as a search
% finds that ends. Deeper terms are tried where there are not enough others, and the depth with the most counts.
'$generated'(M, Pre, Wanted) :-
    term_variables(Pre, Vs),
    '$most_generated'([1, 2, 4, 8], M, Pre, Wanted, Vs, 0, [], Values),
    member(Vs, Values).
'$most_generated'([], _, _, _, _, _, Values, Values).
'$most_generated'([Depth|Depths], M, Pre, Wanted, Vs, N0, Values0, Values) :-
    '$generated_at'(Depth, M, Pre, Wanted, Vs, N1, Values1),
    (   N1 >= max(1, Wanted) -> Values = Values1
    ;   N1 > N0 -> '$most_generated'(Depths, M, Pre, Wanted, Vs, N1, Values1, Values)
    ;   '$most_generated'(Depths, M, Pre, Wanted, Vs, N0, Values0, Values)
    ).
'$generated_at'(Depth, M, Pre, Wanted, Vs, N, Values) :-
    % The search makes no more calls, so it finds no more values.
    Most is max(1, min(Wanted, 200000)),
    functor(Made, '$made', Most), C = '$count'(0),
    \+ \+ catch(call_with_inference_limit('$make_some'(Depth, M, Pre, Most, Vs, C, Made), 200000, _), E, '$no_values'(E)),
    arg(1, C, N),
    findall(Vs, ( between(1, N, I), arg(I, Made, Vs) ), Values).
'$make_some'(Depth, M, Pre, Most, Vs, C, Made) :-
    '$generate'(Pre, M, Depth),
    arg(1, C, N0), N is N0 + 1,
    nb_setarg(N, Made, Vs), nb_setarg(1, C, N),
    N >= Most, !.
'$make_some'(_, _, _, _, _, _, _).
% What makes values has thrown: what there is by then counts, unless that is somebody else's affair.
'$no_values'(E) :- ( '$rtc_fatal'(E) ; memberchk(E, [time_limit_exceeded, inference_limit_exceeded]) ), !, throw(E).
'$no_values'(_).

'$generate'(G, M, _) :- var(G), !, call(M:G).
'$generate'((A, B), M, D) :- !, '$generate'(A, M, D), '$generate'(B, M, D).
'$generate'((A ; B), M, D) :- \+ A = (_ -> _), \+ A = (_ *-> _), !, ( '$generate'(A, M, D) ; '$generate'(B, M, D) ).
'$generate'(M:G, _, D) :- atom(M), !, '$generate'(G, M, D).
'$generate'(G, M, D) :-
    callable(G), \+ ground(G), \+ '$redefines'(M:G), '$type_values'(G, M, D, Values), !,
    call(Values).
'$generate'(G, M, D) :-
    callable(G), \+ ground(G), predicate_property(M:G, static), \+ predicate_property(M:G, built_in), !,
    D > 0, D1 is D - 1,
    ( predicate_property(M:G, imported_from(From)) -> true ; From = M ),
    clause(From:G, Body),
    ( '$has_cut'(Body) -> call(From:Body) ; '$generate'(Body, From, D1) ).
'$generate'(G, M, _) :- call(M:G).
% Clauses with control constructs of their own are run as they are.
'$has_cut'(B) :- var(B), !, fail.
'$has_cut'(!).
'$has_cut'((A, B)) :- ( '$has_cut'(A) -> true ; '$has_cut'(B) ).
'$has_cut'((_ -> _)).
'$has_cut'((_ *-> _)).
'$has_cut'((A ; B)) :- ( '$has_cut'(A) -> true ; '$has_cut'(B) ).
'$redefines'(G) :- predicate_property(G, static), \+ predicate_property(G, built_in), \+ predicate_property(G, imported_from(_)).

% '$type_values'(Literal, Module, Depth, Goal): the goal makes the literal hold. Terms that are there already are looked
% at, and lists that are there in part are completed.
'$type_values'(int(X), _, D, '$some_int'(D, X)) :- var(X).
'$type_values'(nnegint(X), _, D, '$some_nnegint'(D, X)) :- var(X).
'$type_values'(num(X), _, D, '$some_int'(D, X)) :- var(X).
'$type_values'(flt(X), _, D, ( '$some_int'(D, N), X is N / 10.0 )) :- var(X).
'$type_values'(atm(X), _, _, member(X, [a, b, c, d, ''])) :- var(X).
'$type_values'(atom(X), _, _, member(X, [a, b, c, d, ''])) :- var(X).
'$type_values'(constant(X), _, D, ( member(X, [a, b, c, d, '']) ; '$some_int'(D, X) )) :- var(X).
'$type_values'(gnd(X), M, D, '$each_generated'(Vs, constant, M, D)) :- term_variables(X, Vs).
'$type_values'(ground(X), M, D, '$each_generated'(Vs, constant, M, D)) :- term_variables(X, Vs).
'$type_values'(struct(X), _, _, member(X, [f(_), f(_, _), [_|_]])) :- var(X).
'$type_values'(gndstr(X), _, _, member(X, [f(a), f(a, b), [a]])) :- var(X).
'$type_values'(cgoal(X), _, _, member(X, [a, b, f(_)])) :- var(X).
'$type_values'(callable(X), _, _, member(X, [a, b, f(_)])) :- var(X).
'$type_values'(character_code(X), _, _, between(0'a, 0'z, X)) :- var(X).
'$type_values'(string(X), M, D, '$some_list'(X, character_code, M, D)) :- '$list_or_open'(X).
'$type_values'(bytelist(X), M, D, '$some_list'(X, nnegint, M, D)) :- '$list_or_open'(X).
'$type_values'(list(X), _, D, '$some_length'(D, X)) :- '$list_or_open'(X).
'$type_values'(list(T0, X0), M, D, '$some_list'(X, T, M, D)) :- '$list_arguments'(M:T0, X0, T, X), '$list_or_open'(X).
'$type_values'('$first'(M, P, X), _, D, '$generate'(G, M, D)) :- '$with_first'(P, X, G).
'$list_or_open'(X) :- '$skip_list'(_, X, T), ( var(T) -> true ; T == [] ).
'$some_int'(_, 0).
'$some_int'(D, X) :- Most is 16 << D, between(1, Most, N), ( X = N ; X is -N ).
'$some_nnegint'(D, X) :- Most is 16 << D, between(0, Most, X).
'$some_length'(_, X) :- is_list(X), !.
'$some_length'(D, X) :- '$skip_list'(N, X, _), Most is N + D, between(N, Most, Length), length(X, Length).
'$some_list'(X, T, M, D) :- '$some_length'(D, X), '$each_generated'(X, T, M, D).
'$each_generated'([], _, _, _).
'$each_generated'([X|Xs], T, M, D) :-
    ( T = M1:T1 -> true ; M1 = M, T1 = T ),
    T1 =.. L0, append(L0, [X], L), G =.. L,
    '$generate'(G, M1, D),
    '$each_generated'(Xs, T, M, D).
