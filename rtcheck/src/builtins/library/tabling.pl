% Tabling: a tabled predicate is called through its table, see the machine's module `tabling`. Its clauses have another
% name. Modes say which arguments are combined into one answer, and how.

'$tabled'(Goal, Worker) :-
    '$table_call'(Goal, Table, Evaluate),
    ( Evaluate =:= 1 -> catch('$table_evaluate'(Table, Goal, Worker), E, '$table_threw'(Table, E)) ; true ),
    '$table_read'(Table, 0, Goal, Goal).
'$table_threw'(Table, E) :- '$table_abandon'(Table), throw(E).
'$table_evaluate'(Table, Goal, Worker) :-
    repeat,
    ( '$table_is_upper' -> '$table_upper_round'(Table, Goal, Worker) ; '$table_round'(Table, Goal, Worker) ),
    '$table_ask_rest'(Table), '$table_end_round'(Table), !.
'$table_ask_rest'(Table) :- '$table_unasked'(Table, Goal), !, ( \+ call(Goal), fail ; '$table_ask_rest'(Table) ).
'$table_ask_rest'(_).
'$table_round'(Table, Goal, Worker) :- call(Worker), '$table_add'(Table, Goal), fail.
'$table_round'(_, _, _).
% Where answers need what they rest on noted.
'$table_upper_round'(Table, Goal, Worker) :-
    b_setval('$delays', []), call(Worker), '$table_add'(Table, Goal), '$delays'(Delays), '$table_rests'(Table, Goal, Delays), fail.
'$table_upper_round'(_, _, _).
% The answers from one on. Goal is the call, of which Term are the parts that an answer gives.
'$table_read'(Table, From, Term, Goal) :-
    '$table_answer'(Table, From, Answer, Next),
    ( Next == [] -> Term = Answer
    ; integer(Next) -> ( Term = Answer ; '$table_read'(Table, Next, Term, Goal) )
    ; Next = delayed([]) -> Term = Answer, '$delay'(Goal)
    ; Next = delayed(From1), ( Term = Answer, '$delay'(Goal) ; '$table_read'(Table, From1, Term, Goal) )
    ).
% The goals on which the solution rests that is being found, the newest first.
'$delays'(Delays) :- ( nb_current('$delays', Delays0) -> Delays = Delays0 ; Delays = [] ).
'$delay'(Goal) :- '$delays'(Delays), ( member(G, Delays), G == Goal -> true ; b_setval('$delays', [Goal|Delays]) ).

% Key: the arguments that tell answers apart. Values: the others, free in Worker, with a mode for each.
'$tabled'(Goal, Worker, Key, Values, Modes) :-
    '$table_call'(Goal, Table, Evaluate),
    ( Evaluate =:= 1 ->
        catch('$table_evaluate'(Table, Worker, Key, Values, Modes), E, '$table_threw'(Table, E))
    ; true
    ),
    '$table_read'(Table, 0, Key-Values, Goal).
'$table_evaluate'(Table, Worker, Key, Values, Modes) :-
    repeat,
    '$table_round'(Table, Worker, Key, Values, Modes),
    '$table_ask_rest'(Table), '$table_end_round'(Table), !.
'$table_round'(Table, Worker, Key, Values, Modes) :-
    call(Worker),
    ( '$table_find'(Table, Key, _-Olds) ->
        '$table_combine'(Modes, Olds, Values, News), News \== Olds
    ; News = Values
    ),
    '$table_put'(Table, Key, Key-News),
    fail.
'$table_round'(_, _, _, _, _).
'$table_combine'([], [], [], []).
'$table_combine'([M|Ms], [O|Os], [V|Vs], [N|Ns]) :-
    ( '$table_mode'(M, O, V, N0) -> N = N0 ; N = O ),
    '$table_combine'(Ms, Os, Vs, Ns).
'$table_mode'(min, O, V, N) :- ( V @< O -> N = V ; N = O ).
'$table_mode'(max, O, V, N) :- ( V @> O -> N = V ; N = O ).
'$table_mode'(first, O, _, O).
'$table_mode'(last, _, V, V).
'$table_mode'(sum, O, V, N) :- N is O + V.
'$table_mode'(lattice(G), O, V, N) :- call(G, O, V, N).
'$table_mode'(po(G), O, V, N) :- ( call(G, O, V) -> N = V ; N = O ).

% The clause of a tabled predicate: of its head as it was declared and the name of its clauses.
'$table_wrapper'(M, Spec, Name, (Head :- Body)) :-
    Spec =.. [F|Modes0],
    '$table_modes'(Modes0, M, Modes),
    '$same_length'(Modes, As),
    Head =.. [F|As],
    ( '$member_eq_any'(Modes) ->
        '$table_arguments'(Modes, As, Bs, Key, Values, ModesLeft, Outs),
        Worker =.. [Name|Bs],
        Call =.. [F|Bs],
        Body = ( system:'$tabled'(M:Call, M:Worker, Key, Values, ModesLeft), Outs )
    ; Worker =.. [Name|As],
      Body = system:'$tabled'(M:Head, M:Worker)
    ).
'$same_length'([], []).
'$same_length'([_|Xs], [_|Ys]) :- '$same_length'(Xs, Ys).
'$member_eq_any'(Modes) :- member(M, Modes), M \== index, !.
'$table_modes'([], _, []).
'$table_modes'([A|As], M, [B|Bs]) :- '$table_mode_named'(A, M, B), '$table_modes'(As, M, Bs).
'$table_mode_named'(A, _, index) :- var(A), !.
'$table_mode_named'(index, _, index) :- !.
'$table_mode_named'(+, _, index) :- !.
'$table_mode_named'(-, _, first) :- !.
'$table_mode_named'(lattice(G0), M, lattice(M:G)) :- !, '$table_closure'(G0, 3, G).
'$table_mode_named'(po(G0), M, po(M:G)) :- !, '$table_closure'(G0, 2, G).
'$table_mode_named'(A, _, A) :- memberchk(A, [min, max, first, last, sum]), !.
'$table_mode_named'(A, _, _) :- domain_error(tabled_mode, A).
'$table_closure'(Name/_, _, G) :- !, G = Name.
'$table_closure'(G0, N, G) :- functor(G0, Name, N), !, G = Name.
'$table_closure'(G, _, G).
'$table_arguments'([], [], [], [], [], [], true).
'$table_arguments'([index|Ms], [A|As], [A|Bs], [A|Key], Values, Left, Outs) :- !,
    '$table_arguments'(Ms, As, Bs, Key, Values, Left, Outs).
'$table_arguments'([M|Ms], [A|As], [B|Bs], Key, [B|Values], [M|Left], (A = B, Outs)) :-
    '$table_arguments'(Ms, As, Bs, Key, Values, Left, Outs).

% Negation of a tabled call: it fails where the call is true, holds where it is false, and is left open otherwise, see the
% machine's module.
:- meta_predicate tnot(0), call_delays(0, ?), delays_residual_program(:, :), call_residual_program(0, ?).
tnot(G0) :-
    '$strip_module'(G0, M, G),
    must_be(callable, G),
    ( G == undefined -> '$table_undefined'(Outcome), Outcome =:= 2, '$delay'(tnot(system:undefined)) ; '$tnot'(G, M) ).
'$tnot'(G, M) :-
    functor(G, F, N),
    atom_concat(F, ' tabled', Worker),
    ( '$table_home'(M, G, Home), current_predicate(Home:Worker/N) -> true ; permission_error(tnot, non_tabled_procedure, F/N) ),
    ( \+ call(Home:G) -> Holds = 1 ; Holds = 0 ),
    ( '$table_negation'(Home:G, Outcome) -> true ; Outcome = Holds ),
    ( Outcome =:= 1 -> true ; Outcome =:= 2 -> '$delay'(tnot(Home:G)) ).
undefined :- '$table_undefined'(Outcome), Outcome =:= 2, '$delay'(undefined).

% On what a solution rests, and the clauses that say on what that rests in turn.
call_delays(Goal, Condition) :-
    '$strip_module'(Goal, M, _),
    '$delays'(Before), b_setval('$delays', []),
    call(Goal),
    '$delays'(Delays), append(Delays, Before, All), b_setval('$delays', All),
    '$delays_condition'(Delays, M, Condition0), Condition = Condition0.
'$delays_condition'([], _, true).
'$delays_condition'([D|Ds], M, Condition) :-
    '$delay_seen'(D, M, G), ( Ds == [] -> Condition = G ; Condition = (G, Rest), '$delays_condition'(Ds, M, Rest) ).
'$delay_seen'(undefined, _, undefined) :- !.
'$delay_seen'(tnot(G), M, tnot(S)) :- !, '$delay_seen'(G, M, S).
'$delay_seen'(Home:G, M, S) :- ( Home == M -> S = G ; S = Home:G ).
call_residual_program(Goal, Program) :-
    '$strip_module'(Goal, M, _), call_delays(Goal, Condition), delays_residual_program(M:Condition, M:Program).
delays_residual_program(Condition0, Program0) :-
    '$strip_module'(Condition0, M, Condition), '$strip_module'(Program0, _, Program),
    '$comma_list'(Condition, M, Literals), '$residual_program'(Literals, [], M, Program1), Program = Program1.
'$comma_list'(true, _, []) :- !.
'$comma_list'((A, B), M, [Q|Qs]) :- !, '$qualified_literal'(A, M, Q), '$comma_list'(B, M, Qs).
'$comma_list'(A, M, [Q]) :- '$qualified_literal'(A, M, Q).
'$qualified_literal'(undefined, _, undefined) :- !.
'$qualified_literal'(tnot(G), M, tnot(Q)) :- !, '$qualified_literal'(G, M, Q).
'$qualified_literal'(G0, M0, M:G) :- '$strip_module'(M0:G0, M, G).
'$residual_program'([], _, _, []).
'$residual_program'([L|Ls], Seen, M, Program) :-
    ( L = tnot(G) -> true ; G = L ),
    (   G \== undefined, \+ ( member(S, Seen), S == G ), '$table_conditions'(G, 0, Conditions)
    ->  '$residual_clauses'(Conditions, G, M, Program, Rest, Ls, Ls1), '$residual_program'(Ls1, [G|Seen], M, Rest)
    ;   '$residual_program'(Ls, Seen, M, Program)
    ).
'$residual_clauses'([], _, _, Program, Program, Ls, Ls).
'$residual_clauses'([C0|Cs], G, M, [(Head :- Body)|Program], Rest, Ls0, Ls) :-
    '$open_literals'(C0, C), '$delay_seen'(G, M, Head), '$delays_condition'(C, M, Body),
    append(Ls0, C, Ls1), '$residual_clauses'(Cs, G, M, Program, Rest, Ls1, Ls).
% What turned out to be true or false is left out.
'$open_literals'([], []).
'$open_literals'([L|Ls], Open) :-
    ( ( L == undefined ; L == tnot(system:undefined) ) -> true ; L = tnot(G) -> '$table_conditions'(G, 0, _) ; '$table_conditions'(L, 0, _) ), !,
    Open = [L|Open1], '$open_literals'(Ls, Open1).
'$open_literals'([_|Ls], Open) :- '$open_literals'(Ls, Open).

% By a declaration of its text, or by a goal, which puts a wrapper around it.
'$is_tabled'(M, G, P) :-
    functor(G, F, N), '$table_home'(M, G, Home), atom_concat(F, ' tabled', Worker),
    ( current_predicate(Home:Worker/N) -> true ; '$modules'(Ms), memberchk(prolog_wrap, Ms), prolog_wrap:wrapper(Home, F/N, '$table', _) -> true ),
    ( P = tabled ; P = tabled(variant) ).
'$table_home'(M, G, Home) :- ( predicate_property(M:G, imported_from(Home0)) -> Home = Home0 ; Home = M ).
