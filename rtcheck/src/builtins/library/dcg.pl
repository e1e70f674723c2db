% Grammar rules.
%
% The body of a rule becomes a goal on two lists: what is there before and what is left after. `Free` is true where
% the second list is a variable that only what follows will use: it can be made the first one at once, where nothing
% is consumed.

:- meta_predicate phrase(//, ?), phrase(//, ?, ?), call_dcg(//, ?, ?).

% What loading makes of a term: by the program's own term_expansion/2 or term_expansion/4, or else of a grammar rule.
expand_term(T, X) :- var(T), !, X = T.
expand_term(T, X) :- '$defined'(user:term_expansion(_, _, _, _)), user:term_expansion(T, _, X0, _), !, X = X0.
expand_term(T, X) :- '$defined'(user:term_expansion(_, _)), user:term_expansion(T, X0), !, X = X0.
expand_term((H --> B), X) :- !, '$dcg_rule'((H --> B), X0), X = X0.
expand_term((H ==> B), X) :- '$is_matching_grammar', !, '$dcg_rule'((H ==> B), X0), X = X0.
expand_term(T, T).
dcg_translate_rule(Rule, Clause) :- '$dcg_rule'(Rule, Clause).
'$dcg_rule'(Rule, _) :- var(Rule), !, instantiation_error(Rule).
'$dcg_rule'((Head --> _), _) :- ( var(Head) ; nonvar(Head), Head = (Inner, _), var(Inner) ), !, instantiation_error(Head).
'$dcg_rule'((Head, Pushback --> Body), (NewHead :- Goal)) :- !,
    '$dcg_nonterminal'(Head, S0, S, NewHead),
    (   '$dcg_terminals'(Pushback, S, S1, Back) -> true
    ;   current_prolog_flag(iso, true) -> type_error(list, Pushback)
    ;   '$dcg_body'(Pushback, S, S1, false, Back)
    ),
    '$dcg_body'(Body, S0, S1, false, Goal0),
    '$dcg_and'(Goal0, Back, Goal).
'$dcg_rule'((Head --> Body), Clause) :- !,
    '$dcg_nonterminal'(Head, S0, S, NewHead),
    '$dcg_first'(Body, S0, S, Goal),
    ( Goal == true -> Clause = NewHead ; Clause = (NewHead :- Goal) ).
% A grammar's rules that match: what stands beside the head is put back if it is a list, and a guard otherwise.
'$dcg_rule'((Head0 ==> Body), Rule) :- !,
    ( nonvar(Head0), Head0 = (Head, Beside) -> true ; Head = Head0, Beside = [] ),
    ( var(Head) -> instantiation_error(Head) ; true ),
    '$dcg_nonterminal'(Head, S0, S, NewHead),
    (   is_list(Beside) ->
        '$dcg_terminals'(Beside, S, S1, Back), '$dcg_body'(Body, S0, S1, false, Goal0),
        ( Beside == [] -> S1 = S, Goal = Goal0 ; '$dcg_and'(Goal0, Back, Goal) ),
        Rule = (NewHead => Goal)
    ;   '$dcg_body'(Body, S0, S, false, Goal), Rule = ((NewHead, Beside) => Goal)
    ).
'$dcg_rule'(Rule, _) :- type_error(dcg_rule, Rule).

% Programs that give `==>` another priority mean a term of their own.
'$is_matching_grammar' :- current_op(1200, xfx, ==>), \+ current_prolog_flag(iso, true).

% A list at the beginning of the body belongs to the head, where clauses are told apart by it.
'$dcg_first'(Body, S0, S, Goal) :-
    ( nonvar(Body), '$dcg_first_list'(Body, List, Rest), '$dcg_known_list'(List) ->
        append(List, S1, S0),
        ( Rest == [] -> S1 = S, Goal = true ; '$dcg_body'(Rest, S1, S, false, Goal) )
    ; '$dcg_body'(Body, S0, S, false, Goal)
    ).
'$dcg_first_list'((A, B), List, Rest) :- nonvar(A), !,
    '$dcg_first_list'(A, List, Rest0),
    ( Rest0 == [] -> Rest = B ; Rest = (Rest0, B) ).
'$dcg_first_list'(List, List, []) :- List = [_|_], !.
'$dcg_first_list'(Text, List, []) :- string(Text), string_codes(Text, List), List = [_|_].
'$dcg_known_list'(List) :- is_list(List).

dcg_translate_body(Body, S0, S, Goal) :- '$dcg_body'(Body, S0, S, false, Goal).

'$dcg_body'(V, S0, S, _, phrase(V, S0, S)) :- var(V), !.
'$dcg_body'((A, B), S0, S, Free, Goal) :- !,
    '$dcg_body'(A, S0, S1, true, GoalA),
    '$dcg_body'(B, S1, S, Free, GoalB),
    '$dcg_and'(GoalA, GoalB, Goal).
'$dcg_body'((A ; B), S0, S, _, (GoalA ; GoalB)) :- !,
    '$dcg_body'(A, S0, S, false, GoalA),
    '$dcg_body'(B, S0, S, false, GoalB).
'$dcg_body'('|'(A, B), S0, S, Free, Goal) :- !, '$dcg_body'((A ; B), S0, S, Free, Goal).
'$dcg_body'((C -> T), S0, S, _, (GoalC -> GoalT)) :- !,
    '$dcg_body'(C, S0, S1, true, GoalC),
    '$dcg_body'(T, S1, S, false, GoalT).
'$dcg_body'((C *-> T), S0, S, _, (GoalC *-> GoalT)) :- !,
    '$dcg_body'(C, S0, S1, true, GoalC),
    '$dcg_body'(T, S1, S, false, GoalT).
'$dcg_body'(!, S0, S, Free, Goal) :- !, '$dcg_rest'(Free, !, S0, S, Goal).
'$dcg_body'([], S0, S, Free, Goal) :- !, '$dcg_rest'(Free, true, S0, S, Goal).
'$dcg_body'({}, S0, S, Free, Goal) :- !, '$dcg_rest'(Free, true, S0, S, Goal).
'$dcg_body'({G}, S0, S, Free, Goal) :- !,
    ( var(G) -> G1 = call(G) ; G1 = G ),
    '$dcg_rest'(Free, G1, S0, S, Goal).
'$dcg_body'(\+ B, S0, S, Free, Goal) :- !,
    '$dcg_body'(B, S0, _, true, GoalB),
    '$dcg_rest'(Free, \+ GoalB, S0, S, Goal).
'$dcg_body'(List, S0, S, _, Goal) :- '$dcg_terminals'(List, S0, S, Goal), !.
'$dcg_body'(M:B, S0, S, Free, Goal) :- !,
    '$dcg_plain'(B, Plain),
    ( var(Plain) -> Goal = phrase(M:B, S0, S) ; Goal = M:Goal1, '$dcg_body'(B, S0, S, Free, Goal1) ).
'$dcg_body'(call(G), S0, S, _, call(G, S0, S)) :- !.
'$dcg_body'(B, S0, S, _, Goal) :-
    compound(B), \+ '$nullary'(B, _), functor(B, call, _), !,
    '$dcg_nonterminal'(B, S0, S, Goal).
'$dcg_body'(B, S0, S, _, Goal) :- '$dcg_nonterminal'(B, S0, S, Goal).

% What stands behind the names of modules.
'$dcg_plain'(B, Plain) :- ( nonvar(B), B = _:B1 -> '$dcg_plain'(B1, Plain) ; Plain = B ).

'$dcg_rest'(true, G, S, S, G).
'$dcg_rest'(false, G, S0, S, Goal) :- '$dcg_and'(G, S0 = S, Goal).
'$dcg_and'(true, G, Goal) :- !, Goal = G.
'$dcg_and'(G, true, Goal) :- !, Goal = G.
'$dcg_and'((A, B), C, (A, G)) :- nonvar(B), !, '$dcg_and'(B, C, G).
'$dcg_and'(A, B, (A, B)).

'$dcg_terminals'(List, S0, S, Goal) :-
    nonvar(List),
    ( string(List) -> string_codes(List, Codes) ; List = [_|_] -> is_list(List), Codes = List ; List == [], Codes = [] ),
    append(Codes, S, Out),
    Goal = (S0 = Out).

'$dcg_nonterminal'(M:B, S0, S, M:Goal) :- nonvar(B), !, '$dcg_nonterminal'(B, S0, S, Goal).
'$dcg_nonterminal'(B, S0, S, Goal) :-
    ( callable(B), \+ is_list(B) -> true ; type_error(callable, B) ),
    ( '$nullary'(B, Name) -> L0 = [Name] ; B =.. L0 ),
    append(L0, [S0, S], L),
    Goal =.. L.

phrase(G, L) :- phrase(G, L, []).
phrase(G, L, R) :-
    '$dcg_plain'(G, Plain),
    ( var(Plain) -> instantiation_error(Plain) ; true ),
    ( callable(Plain) -> true ; string(Plain) -> true ; type_error(callable, Plain) ),
    ( Plain = [_|_] -> '$skip_list'(_, Plain, T), ( T == [] -> true ; var(T) -> instantiation_error(T) ; type_error(list, Plain) ) ; true ),
    '$check_list'(L),
    '$check_list'(R),
    call_dcg(G, L, R).
call_dcg(M:G, S0, S) :- nonvar(G), !, '$dcg_body'(G, S1, S2, false, Goal), S1 = S0, S2 = S, call(M:Goal).
call_dcg(G, S0, S) :- '$dcg_body'(G, S1, S2, false, Goal), S1 = S0, S2 = S, call(Goal).

% What goal_expansion/2 makes of a goal.
expand_goal(G0, G) :- '$expand_goals'(G0, [user], G).

% goal_expansion/2 of the modules Ms, behind which are Ciao's translations of goals, for each goal of a clause's body
% until it changes no more.
'$expand_clause'((H :- B0), Ms, (H :- B)) :- !, '$expand_goals'(B0, Ms, B).
'$expand_clause'((:- B0), Ms, (:- B)) :- \+ '$is_declaration'(B0), !, '$expand_goals'(B0, Ms, B).
'$expand_clause'((H0 => B0), Ms, (H => B)) :- !,
    ( nonvar(H0), H0 = (Head, G0) -> '$expand_goals'(G0, Ms, G), H = (Head, G) ; H = H0 ),
    '$expand_goals'(B0, Ms, B).
'$expand_clause'((H --> B0), Ms, C) :- !,
    dcg_translate_rule((H --> B0), C0), '$expand_clause'(C0, Ms, C).
'$expand_clause'(C, _, C).
'$is_declaration'(D) :- functor(D, F, _), memberchk(F, [
    module, use_module, use_package, ensure_loaded, include, dynamic, discontiguous, multifile, meta_predicate, op,
    pred, calls, success, comp, entry, exit, prop, regtype, test, texec, modedef, decl, check, trust, true, false,
    checked, set_prolog_flag, data, export, import, impl_defined, doc, push_prolog_flag, pop_prolog_flag, table]).
'$expand_goals'(G, _, G) :- var(G), !.
'$expand_goals'(G0, Ms, G) :-
    '$expand_goal'(Ms, G0, G1), G1 \== G0, !,
    '$expand_goals'(G1, Ms, G).
'$expand_goals'(G0, Ms, G) :-
    ( '$goal_arguments'(G0, Spec) -> true ; '$meta_arguments'(G0, Ms, Spec) ), !,
    G0 =.. [F|As0], '$expand_arguments'(Spec, As0, Ms, As1),
    ( F == (;), As0 = [A0|_], As1 = [A1|Bs] -> '$same_alternative'(A0, A1, A), As = [A|Bs] ; As = As1 ),
    G =.. [F|As].
'$expand_goals'(G, _, G).
% The text's module, or the one next to it that is asked.
'$text_module'(['$translation'(_, _, _, M)|_], M) :- !.
'$text_module'([M|_], M).
'$expand_goal'(['$translation'(Home, Name, Arity, M)|Ms], G0, G) :- !,
    length(As, Arity), append(As, _, [G0, G1, M]), Goal =.. [Name|As],
    ( catch(Home:Goal, E, '$no_translation'(E, G0)), nonvar(G1) -> G = G1 ; '$expand_goal'(Ms, G0, G) ).
'$expand_goal'([M|Ms], G0, G) :-
    ( '$defined'(M:goal_expansion(_, _, _, _)), call(M:goal_expansion(G0, _, G, _)) -> true
    ; '$defined'(M:goal_expansion(_, _)), call(M:goal_expansion(G0, G)) -> true
    ; '$expand_goal'(Ms, G0, G)
    ).
% A translation may rest on what only Ciao has.
'$no_translation'(E, _) :- ( '$rtc_fatal'(E) ; memberchk(E, [time_limit_exceeded, inference_limit_exceeded]) ), !, throw(E).
'$no_translation'(E, G) :- print_message(warning, format("~q is not translated: ~p", [G, E])), fail.
% What was no condition of a disjunction becomes none.
'$same_alternative'(A0, A1, A) :-
    ( '$is_condition'(A1), \+ '$is_condition'(A0) -> A = (A1, true) ; A = A1 ).
'$is_condition'(A) :- nonvar(A), ( A = (_ -> _) -> true ; A = (_ *-> _) ).
% Which arguments of control and of the predicates that call goals are goals.
'$goal_arguments'((_, _), [0, 0]).
'$goal_arguments'((_ ; _), [0, 0]).
'$goal_arguments'((_ -> _), [0, 0]).
'$goal_arguments'((_ *-> _), [0, 0]).
'$goal_arguments'(\+ _, [0]).
'$goal_arguments'(call(_), [0]).
'$goal_arguments'(once(_), [0]).
'$goal_arguments'(ignore(_), [0]).
'$goal_arguments'(forall(_, _), [0, 0]).
'$goal_arguments'(findall(_, _, _), [?, 0, ?]).
'$goal_arguments'(bagof(_, _, _), [?, 0, ?]).
'$goal_arguments'(setof(_, _, _), [?, 0, ?]).
'$goal_arguments'(_ ^ _, [?, 0]).
'$goal_arguments'(aggregate_all(_, _, _), [?, 0, ?]).
'$goal_arguments'(catch(_, _, _), [0, ?, 0]).
'$goal_arguments'(_ : _, [?, 0]).
'$expand_arguments'([], [], _, []).
'$expand_arguments'([S|Ss], [A0|As0], Ms, [A|As]) :-
    ( S == 0 -> '$expand_goals'(A0, Ms, A) ; integer(S), callable(A0) -> '$expand_closure'(A0, S, Ms, A) ; A = A0 ),
    '$expand_arguments'(Ss, As0, Ms, As).
% What other predicates say of their arguments.
'$meta_arguments'(G, Ms, Spec) :-
    callable(G), '$text_module'(Ms, M), '$meta_declaration'(M:G, Head), Head =.. [_|Spec],
    member(S, Spec), integer(S), !.
% A goal that lacks N arguments is expanded with variables in their place. Where the result does not end in these, it
% becomes a lambda expression.
'$expand_closure'((Ps>>B0), _, Ms, (Ps>>B)) :- !, '$expand_goals'(B0, Ms, B).
'$expand_closure'(M:A, _, _, M:A) :- !.
'$expand_closure'(A0, N, Ms, A) :-
    length(Vs, N), A0 =.. L0, append(L0, Vs, L1), G1 =.. L1,
    '$expand_goals'(G1, Ms, G2),
    (   G2 == G1 -> A = A0
    ;   '$without_last'(G2, Vs, A1) -> A = A1
    ;   term_variables(Vs+G2, All), append(Vs, Free, All), Shared =.. [v|Free], A = (Shared/Vs>>G2)
    ).
'$without_last'(G, Vs, A) :-
    callable(G), G =.. L, append(Front, Last, L), Last == Vs, Front = [_|_], A =.. Front,
    term_variables(A, Ws), \+ ( member(V, Vs), member(W, Ws), V == W ).
