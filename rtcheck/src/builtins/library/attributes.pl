% Variables with attributes, and goals that wait for bindings.
%
% The attributes of a variable are a term `att(Module, Value, More)`, which ends with `[]`. The machine calls
% '$wakeup'/1 for what waits, in the order of the bindings, before the next goal.

:- meta_predicate freeze(?, 0), when(?, 0).

'$wakeup'([]).
'$wakeup'([wake(As, Other)|Ws]) :- '$call_hooks'(As, Other), '$wakeup'(Ws).
% A built-in that leaves choices hands the rest of its work over.
'$wakeup'(arg(N, T, A)) :- compound_name_arity(T, _, Arity), between(1, Arity, N), arg(N, T, A).
% A signal, an alarm or the end of a turn.
'$wakeup'(interrupted(Reasons)) :- '$threads':interrupted(Reasons).
'$call_hooks'([], _).
'$call_hooks'(att(M, V, As), Other) :- '$call_hook'(M, V, Other), '$call_hooks'(As, Other).
'$call_hook'(freeze, G, Other) :- !, '$thaw'(Other, G).
'$call_hook'(dif, Ws, Other) :- !, '$call_waiting'(Ws, Other).
'$call_hook'(when, Ws, Other) :- !, '$call_waiting'(Ws, Other).
'$call_hook'('$attached', A, Other) :- !,
    ( get_attr(Other, '$attached', B) -> user:combine_attributes(A, B) ; user:verify_attribute(A, Other) ).
'$call_hook'(M, V, Other) :- M:attr_unify_hook(V, Other).

% One attribute of a variable.
attvar(X) :- '$attributes'(X, _).
get_attr(X, M, V) :- '$check_attribute_name'(M), '$attributes'(X, As), '$attribute'(As, M, V0), V = V0.
'$attribute'(att(M0, V0, As), M, V) :- ( M0 == M -> V = V0 ; '$attribute'(As, M, V) ).
put_attr(X, M, V) :-
    '$check_attribute_name'(M),
    ( nonvar(X) -> throw(error(uninstantiation_error(X), _)) ; true ),
    ( '$attributes'(X, As) -> true ; As = [] ),
    '$with_attribute'(As, M, V, As1),
    '$put_attributes'(X, As1).
'$with_attribute'([], M, V, att(M, V, [])).
'$with_attribute'(att(M0, V0, As), M, V, As1) :-
    ( M0 == M -> As1 = att(M, V, As) ; As1 = att(M0, V0, As2), '$with_attribute'(As, M, V, As2) ).
del_attr(X, M) :-
    '$check_attribute_name'(M),
    ( '$attributes'(X, As), '$without_attribute'(As, M, As1) -> '$put_attributes'(X, As1) ; true ).
'$without_attribute'(att(M0, V, As), M, As1) :-
    ( M0 == M -> As1 = As ; As1 = att(M0, V, As2), '$without_attribute'(As, M, As2) ).
'$check_attribute_name'(M) :-
    ( atom(M) -> true ; var(M) -> instantiation_error(M) ; type_error(atom, M) ).
get_attrs(X, As) :- '$attributes'(X, As0), As0 \== [], As = As0.
put_attrs(X, As) :- ( nonvar(X) -> throw(error(uninstantiation_error(X), _)) ; '$put_attributes'(X, As) ).
del_attrs(X) :- ( attvar(X) -> '$put_attributes'(X, []) ; true ).

% Ciao's: one attribute, of which user:verify_attribute/2 and user:combine_attributes/2 hear.
attach_attribute(X, A) :- put_attr(X, '$attached', A).
get_attribute(X, A) :- get_attr(X, '$attached', A).
update_attribute(X, A) :- put_attr(X, '$attached', A).
detach_attribute(X) :- del_attr(X, '$attached').

% Copies.
% What attribute_goals//1 changes is changed back.
copy_term(T, C, Gs) :-
    term_attvars(T, Vs),
    ( Vs == [] -> copy_term(T, C), Gs = []
    ; findall(Copy, ( '$all_attribute_goals'(Vs, Gs0), copy_term_nat(T-Gs0, Copy) ), [C-Gs])
    ).
'$all_attribute_goals'([], []).
'$all_attribute_goals'([V|Vs], Gs) :-
    % What tells the goals of a variable may take the attributes of another away.
    ( '$attributes'(V, As) -> '$attribute_goals'(As, V, Gs, Gs1) ; Gs = Gs1 ),
    '$all_attribute_goals'(Vs, Gs2),
    '$new_goals'(Gs2, Gs, Gs1, Gs1).
% A goal that waits for several variables is told once.
'$new_goals'([], _, End, End0) :- !, End = [], End0 = [].
'$new_goals'(Gs, All, End, End0) :- '$told_goals'(All, End0, Told), '$untold_goals'(Gs, Told, Left), End = Left.
'$told_goals'(Gs, End, Told) :- ( Gs == End -> Told = [] ; Gs = [G|Gs1], Told = [G|Told1], '$told_goals'(Gs1, End, Told1) ).
'$untold_goals'([], _, []).
'$untold_goals'([G|Gs], Told, Left) :-
    ( '$occurs_among'(Told, G) -> Left = Left1 ; Left = [G|Left1] ),
    '$untold_goals'(Gs, Told, Left1).
'$attribute_goals'([], _, S, S).
'$attribute_goals'(att(M, V, As), X, S0, S1) :-
    '$goals_of_attribute'(M, V, X, S0, S2),
    '$attribute_goals'(As, X, S2, S1).
'$goals_of_attribute'(freeze, G, X, S0, S1) :- !, '$frozen_goals'(G, X, S0, S1).
'$goals_of_attribute'(dif, Ws, _, S0, S1) :- !, '$waiting_goals'(Ws, S0, S1).
'$goals_of_attribute'(when, Ws, _, S0, S1) :- !, '$waiting_goals'(Ws, S0, S1).
'$goals_of_attribute'('$attached', A, X, S0, S1) :- !, S0 = [attach_attribute(X, A)|S1].
'$goals_of_attribute'(M, _, X, Gs, Gs1) :- '$defined'(M:attribute_goals(_, _, _)), M:attribute_goals(X, Gs, Gs1), !.
'$goals_of_attribute'(M, As, X, Gs, Gs1) :- '$defined'(M:put_atts(_, _)), '$defined'(atts:told(_, _, _, _, _)), !, atts:told(X, M, As, Gs, Gs1).
'$goals_of_attribute'(M, V, X, [put_attr(X, M, V)|S], S).

% freeze/2: the goals of a variable are one term.
freeze(X, G) :- nonvar(X), !, call(G).
freeze(X, G0) :-
    '$qualified'(G0, G),
    ( get_attr(X, freeze, G1) -> put_attr(X, freeze, '$and'(G1, G)) ; put_attr(X, freeze, G) ).
'$qualified'(G0, G) :- ( nonvar(G0), G0 = _:_ -> G = G0 ; G = user:G0 ).
'$thaw'(Other, G) :- nonvar(Other), !, '$call_thawed'(G).
'$thaw'(Other, G) :- get_attr(Other, freeze, G0), !, put_attr(Other, freeze, '$and'(G0, G)).
'$thaw'(Other, G) :- put_attr(Other, freeze, G).
'$call_thawed'('$and'(A, B)) :- !, '$call_thawed'(A), '$call_thawed'(B).
'$call_thawed'(G) :- call(G).
'$frozen_goals'('$and'(A, B), X, S0, S1) :- !, '$frozen_goals'(A, X, S0, S2), '$frozen_goals'(B, X, S2, S1).
'$frozen_goals'(G, X, [freeze(X, G)|S], S).
frozen(T, G) :-
    term_attvars(T, Vs), '$all_attribute_goals'(Vs, Gs0),
    sort(Gs0, Gs),
    '$conjunction'(Gs, G).
'$conjunction'([], true).
'$conjunction'([G|Gs], C) :- ( Gs == [] -> C = G ; C = (G, C1), '$conjunction'(Gs, C1) ).

'$residual_goals'(T, Gs) :-
    term_attvars(T, Vs), '$all_attribute_goals'(Vs, Gs0),
    ( '$defined'(chr:store_goals(_)) -> chr:store_goals(Gs1), append(Gs0, Gs1, Gs2) ; Gs2 = Gs0 ),
    ( nb_current('$residual_rules', NTs) -> true ; NTs = [] ),
    '$rules_goals'(NTs, Gs3),
    '$delays'(Delays), ( Delays == [] -> Gs4 = [] ; '$delays_condition'(Delays, user, C), '$comma_goals'(C, Gs4) ),
    append([Gs2, Gs3, Gs4], Gs).
'$comma_goals'((G, C), [G|Gs]) :- !, '$comma_goals'(C, Gs).
'$comma_goals'(G, [G]).
% The clauses of tabled predicates on which an answer rests that is neither true nor false, as text.
'$residual_text'(Text) :-
    '$delays'(Delays), Delays \== [], '$residual_program'(Delays, [], user, Program), Program \== [],
    with_output_to(string(Text0), forall(member(Clause, Program), portray_clause(Clause))),
    split_string(Text0, "\n", "", Lines0), append(Lines1, [_], Lines0),
    findall(Line, ( member(L, Lines1), atom_concat('    ', L, Line) ), Lines), atomic_list_concat(Lines, '\n', Text).
% Goals that hold beside those of attributes: what a grammar rule without arguments gives.
:- meta_predicate residual_goals(//).
residual_goals(NT) :-
    ( nb_current('$residual_rules', NTs0) -> true ; NTs0 = [] ),
    ( member(Known, NTs0), Known == NT -> true ; append(NTs0, [NT], NTs), nb_setval('$residual_rules', NTs) ).
'$rules_goals'([], []).
'$rules_goals'([NT|NTs], Gs) :-
    ( catch(phrase(NT, Gs0), _, fail), is_list(Gs0) -> append(Gs0, Gs1, Gs) ; Gs = Gs1 ),
    '$rules_goals'(NTs, Gs1).

% What waits for one of several variables: `wait(Done, What)` in the attribute `dif` or `when` of each, Done bound as soon as it is over.
% What began to wait last is in front, and is called last.
'$call_waiting'(Ws0, Other) :-
    reverse(Ws0, Ws),
    ( var(Other) -> '$share_waits'(Other, Ws) ; true ),
    '$wake_all'(Ws).
% For what waits for nothing yet.
'$wait_first'([], _, _).
'$wait_first'([V|Vs], M, W) :-
    ( get_attr(V, M, Ws) -> put_attr(V, M, [W|Ws]) ; put_attr(V, M, [W]) ),
    '$wait_first'(Vs, M, W).
'$wait_for'(Vs, W) :- W = wait(_, What), '$waits_as'(What, M), '$wait_for'(Vs, M, W).
'$waits_as'(What, M) :- functor(What, M0, _), ( M0 == differ -> M = dif ; M = M0 ).
'$wait_for'([], _, _).
'$wait_for'([V|Vs], M, W) :-
    ( nonvar(V) -> true
    ; get_attr(V, M, Ws) -> ( '$occurs_among'(Ws, W) -> true ; put_attr(V, M, [W|Ws]) )
    ; put_attr(V, M, [W])
    ),
    '$wait_for'(Vs, M, W).
'$share_waits'(_, []).
'$share_waits'(V, [W|Ws]) :- W = wait(Done, _), ( var(Done) -> '$wait_for'([V], W) ; true ), '$share_waits'(V, Ws).
'$wake_all'([]).
'$wake_all'([W|Ws]) :- W = wait(Done, What), ( var(Done) -> '$look_again'(What, Done, W) ; true ), '$wake_all'(Ws).
'$look_again'(dif(X, Y), Done, W) :-
    '$dif'(X, Y, Done, W),
    ( nonvar(Done) -> term_attvars(X-Y, Vs), '$no_longer_waited'(Vs, dif) ; true ).
'$look_again'(differ(X, Y), Done, W) :-
    ( ( var(X) ; var(Y) ) -> X \== Y ; '$look_again'(dif(X, Y), Done, W) ).
'$look_again'(when(C, G), Done, W) :- '$when'(C, G, Done, W).
% Variables for which nothing waits any more have no attribute.
'$no_longer_waited'([], _).
'$no_longer_waited'([V|Vs], M) :-
    (   get_attr(V, M, Ws0) ->
        '$still_waiting'(Ws0, Ws),
        ( Ws == [] -> del_attr(V, M) ; Ws == Ws0 -> true ; put_attr(V, M, Ws) )
    ;   true
    ),
    '$no_longer_waited'(Vs, M).
'$still_waiting'([], []).
'$still_waiting'([W|Ws0], Ws) :-
    W = wait(Done, _),
    ( nonvar(Done) -> Ws = Ws1 ; Ws = [W|Ws1] ),
    '$still_waiting'(Ws0, Ws1).
'$waiting_goals'([], S, S).
'$waiting_goals'([wait(Done, What)|Ws], S0, S1) :-
    '$waiting_goals'(Ws, S0, S2),
    ( var(Done), '$waiting_goal'(What, Goal) -> S2 = [Goal|S1] ; S2 = S1 ).
'$waiting_goal'(when(C, G), when(C, G)).
'$waiting_goal'(differ(X, Y), Goal) :- '$waiting_goal'(dif(X, Y), Goal).
% What is equal on both sides is left out where one variable decides.
'$waiting_goal'(dif(X, Y), dif(V, T)) :-
    '$unifier'(X, Y, Vs, Ts),
    ( Vs = [V0], Ts = [T0] -> ( var(T0), T0 @< V0 -> V = T0, T = V0 ; V = V0, T = T0 ) ; V = X, T = Y ).

% dif/2 waits for the variables that unifying would bind.
% Two variables both wait, as `differ/2`, and go on doing so while one of them is free.
dif(X, Y) :- var(X), var(Y), !, X \== Y, '$wait_first'([X, Y], dif, wait(_, differ(X, Y))).
dif(X, Y) :-
    ( '$unifier_variables'(X, Y, Vs) -> Vs \== [], '$wait_first'(Vs, dif, wait(_, dif(X, Y))) ; true ).
'$dif'(X, Y, Done, W) :-
    ( '$unifier_variables'(X, Y, Vs) -> Vs \== [], '$wait_for'(Vs, W) ; Done = done ).

% when/2 waits for the variables on which its condition depends.
when(C, G0) :-
    ( acyclic_term(C) -> true ; '$finite_condition'(C, []) ),
    '$check_condition'(C), '$qualified'(G0, G), '$condition'(C, Vs0),
    ( Vs0 == [] -> call(G) ; sort(Vs0, Vs), '$wait_first'(Vs, when, wait(_, when(C, G))) ).
'$when'(C, G, Done, W) :-
    '$condition'(C, Vs),
    ( Vs == [] -> Done = done, call(G) ; '$wait_for'(Vs, W) ).
% Of a condition only what it waits for may be cyclic.
'$finite_condition'(C, Above) :-
    ( nonvar(C), ( C = (A, B) ; C = (A ; B) ) ->
        ( member(D, Above), same_term(C, D) -> type_error(acyclic_term, C) ; true ),
        '$finite_condition'(A, [C|Above]), '$finite_condition'(B, [C|Above])
    ; true
    ).
'$check_condition'(C) :- var(C), !, instantiation_error(C).
'$check_condition'(nonvar(_)) :- !.
'$check_condition'(ground(_)) :- !.
'$check_condition'(?=(_, _)) :- !.
'$check_condition'((A, B)) :- !, '$check_condition'(A), '$check_condition'(B).
'$check_condition'((A ; B)) :- !, '$check_condition'(A), '$check_condition'(B).
'$check_condition'(C) :- domain_error(when_condition, C).
% The variables to wait for; none if the condition holds.
'$condition'(nonvar(X), Vs) :- ( var(X) -> Vs = [X] ; Vs = [] ).
'$condition'(ground(T), Vs) :- term_variables(T, Vs0), ( Vs0 = [V|_] -> Vs = [V] ; Vs = [] ).
'$condition'(?=(X, Y), Vs) :- ( '$unifier_variables'(X, Y, Vs0) -> Vs = Vs0 ; Vs = [] ).
'$condition'((A, B), Vs) :- '$condition'(A, Vs0), ( Vs0 == [] -> '$condition'(B, Vs) ; Vs = Vs0 ).
'$condition'((A ; B), Vs) :-
    '$condition'(A, Vs0),
    ( Vs0 == [] -> Vs = []
    ; '$condition'(B, Vs1), ( Vs1 == [] -> Vs = [] ; append(Vs0, Vs1, Vs) )
    ).
% What built-ins do where a variable with attributes is concerned.
'$not_unifiable'(X, Y) :- \+ X = Y.
'$memberchk'(X, L) :- ( member(X, L) -> true ; '$skip_list'(_, L, T), nonvar(T), T \== [], type_error(list, T) ).
unifiable(X, Y, Us) :- '$unifier'(X, Y, Vs, Ts), '$equations'(Vs, Ts, Us0), Us = Us0.
'$equations'([], [], []).
'$equations'([V|Vs], [T|Ts], [V = T|Us]) :- '$equations'(Vs, Ts, Us).
'$unifier_variables'(X, Y, Vs) :- '$unifier'(X, Y, Vs0, Ts), '$with_variables'(Ts, Vs0, Vs).
'$with_variables'([], Vs, Vs).
'$with_variables'([T|Ts], Vs0, Vs) :- ( var(T) -> Vs = [T|Vs1] ; Vs = Vs1 ), '$with_variables'(Ts, Vs0, Vs1).
