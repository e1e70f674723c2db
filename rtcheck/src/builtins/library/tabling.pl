% Tabling: a tabled predicate is called through its table, see the machine's module `tabling`. Its clauses have another
% name. Modes say which arguments are combined into one answer, and how.

'$tabled'(Goal, Worker) :-
    '$table_call'(Goal, Table, Evaluate),
    ( Evaluate =:= 1 -> catch('$table_evaluate'(Table, Goal, Worker), E, '$table_threw'(Table, E)) ; true ),
    '$table_read'(Table, 0, Goal).
'$table_threw'(Table, E) :- '$table_abandon'(Table), throw(E).
'$table_evaluate'(Table, Goal, Worker) :-
    repeat,
    '$table_round'(Table, Goal, Worker),
    '$table_end_round'(Table), !.
'$table_round'(Table, Goal, Worker) :- call(Worker), '$table_add'(Table, Goal), fail.
'$table_round'(_, _, _).
'$table_read'(Table, From, Goal) :-
    '$table_answer'(Table, From, Answer, Next),
    ( Next == [] -> Goal = Answer
    ; Goal = Answer
    ; '$table_read'(Table, Next, Goal)
    ).

% Key: the arguments that tell answers apart. Values: the others, free in Worker, with a mode for each.
'$tabled'(Goal, Worker, Key, Values, Modes) :-
    '$table_call'(Goal, Table, Evaluate),
    ( Evaluate =:= 1 ->
        catch('$table_evaluate'(Table, Worker, Key, Values, Modes), E, '$table_threw'(Table, E))
    ; true
    ),
    '$table_read'(Table, 0, Key-Values).
'$table_evaluate'(Table, Worker, Key, Values, Modes) :-
    repeat,
    '$table_round'(Table, Worker, Key, Values, Modes),
    '$table_end_round'(Table), !.
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

% Negation of a tabled call. What has an answer is not so; where there is none, the table must be complete: a call that
% depends on its own negation is neither true nor false, and of these well-founded models would be needed.
:- meta_predicate tnot(0).
tnot(G0) :-
    '$strip_module'(G0, M, G),
    must_be(callable, G),
    functor(G, F, N),
    atom_concat(F, ' tabled', Worker),
    ( '$table_home'(M, G, Home), current_predicate(Home:Worker/N) -> true ; permission_error(tnot, non_tabled_procedure, F/N) ),
    ( call(Home:G) -> fail
    ; '$table_is_complete'(Home:G) -> true
    ; throw(error(representation_error(undefined), context(tnot/1, G)))
    ).
% By a declaration of its text, or by a goal, which puts a wrapper around it.
'$is_tabled'(M, G, P) :-
    functor(G, F, N), '$table_home'(M, G, Home), atom_concat(F, ' tabled', Worker),
    ( current_predicate(Home:Worker/N) -> true ; '$modules'(Ms), memberchk(prolog_wrap, Ms), prolog_wrap:wrapper(Home, F/N, '$table', _) -> true ),
    ( P = tabled ; P = tabled(variant) ).
'$table_home'(M, G, Home) :- ( predicate_property(M:G, imported_from(Home0)) -> Home = Home0 ; Home = M ).
