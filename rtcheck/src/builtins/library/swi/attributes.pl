:- module(more_attributes, [call_residue_vars/2, copy_term/4, copy_term_nat/4, term_singletons/2, nonground/2, term_size/2]).

% What SWI-Prolog has besides for copies, variables and attributes.

:- meta_predicate call_residue_vars(0, ?).

% The variables that got attributes, or other ones, while the goal ran and have some still.
call_residue_vars(Goal, Vars) :-
    '$attributed_variables'(Before),
    call(Goal),
    '$attributed_variables'(After),
    added(After, Before, Vars).

added([], _, []).
added([V-As|Vs], Before, Added) :-
    ( member(W-Bs, Before), W == V -> ( As == Bs -> Added = Rest ; Added = [V|Rest] ) ; Added = [V|Rest] ),
    added(Vs, Before, Rest).

among([W|Ws], V) :- ( W == V -> true ; among(Ws, V) ).

% Only some of the term's variables are renamed; copy_term/4 gives the new ones their attributes.
copy_term(Vars, Term, NewVars, Copy) :- copied(Vars, Term, NewVars, Copy, copy_term).
copy_term_nat(Vars, Term, NewVars, Copy) :- copied(Vars, Term, NewVars, Copy, copy_term_nat).

copied(Vars, Term, NewVars, Copy, How) :-
    term_variables(Vars, Renamed),
    term_variables(Vars+Term, All),
    exclude(among(Renamed), All, Kept),
    call(How, Kept/Vars/Term, Fresh/NewVars0/Copy0),
    (   maplist(plain, Fresh) -> Fresh = Kept, NewVars = NewVars0, Copy = Copy0
    ;   % Binding one variable with attributes to another would wake what waits for them.
        replaced(NewVars0/Copy0, Fresh, Kept, NewVars/Copy)
    ).
plain(V) :- \+ attvar(V).

replaced(Term, Fresh, Kept, Result) :-
    ( var(Term) -> ( kept(Fresh, Kept, Term, Result0) -> Result = Result0 ; Result = Term )
    ; compound(Term) -> compound_name_arguments(Term, F, Args), replaced_all(Args, Fresh, Kept, Args1), compound_name_arguments(Result, F, Args1)
    ; Result = Term
    ).
replaced_all([], _, _, []).
replaced_all([A|As], Fresh, Kept, [B|Bs]) :- replaced(A, Fresh, Kept, B), replaced_all(As, Fresh, Kept, Bs).
kept([F|Fs], [K|Ks], V, Result) :- ( F == V -> Result = K ; kept(Fs, Ks, V, Result) ).

% The variables that occur once.
term_singletons(Term, Singletons) :- '$singletons'(Term, Singletons).

% A variable of the term; fails if there is none.
nonground(Term, Var) :- term_variables(Term, [V|_]), Var = V.

% How many cells a term takes where nothing is shared.
term_size(Term, Size) :- sized([Term], 0, Size).
sized([], Size, Size).
sized([T|Ts], Size0, Size) :-
    (   compound(T) -> compound_name_arguments(T, _, Args), length(Args, N), Size1 is Size0 + N + 1, sized(Args, Size1, Size2), sized(Ts, Size2, Size)
    ;   sized(Ts, Size0, Size)
    ).
