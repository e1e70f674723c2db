:- module(chr, [
    op(1180, xfx, ==>), op(1180, xfx, <=>), op(1150, fx, constraints), op(1150, fx, chr_constraint), op(1150, fx, handler),
    op(1150, fx, rules), op(1100, xfx, \), op(1200, xfx, @), op(1190, xfx, pragma), op(500, yfx, #),
    op(1150, fx, chr_type), op(1150, fx, chr_declaration), op(1130, xfx, --->), op(1150, fx, (?)),
    chr_show_store/1, find_chr_constraint/1, current_chr_constraint/1, current_chr_constraint/2,
    chr_trace/0, chr_notrace/0, chr_leash/1]).

% Constraint Handling Rules, as SWI-Prolog's library of this name understands them: the refined operational semantics.
%
% A text's rules are collected while it is read and become clauses at its end. A constraint c/2 becomes a predicate
% that makes a suspension and tries the occurrences of c/2 in the heads of rules one after the other: 'c/2__1',
% 'c/2__2' and so on, each with loops over the partners that its rule asks for ('c/2__1__1' over the first of them).
% Behind the last occurrence the suspension is in the store.
%
% A suspension is suspension(Id, State, Generation, Constraint, History, Module:Wake, Link, Links...). The State is
% `new`, `active` (it is in the store) or `removed`; the Generation counts how often it was woken; the History has the
% instances of propagation rules that fired. A store is a list behind a cell that is changed in place, newest first;
% the Link is the cell in front of the suspension's own, so that removing takes one step and whoever is on the list
% goes on. What a rule looks up by an argument has an index: by the argument's value if it is ground (an AVL tree of
% such lists), by the attribute of its first variable otherwise. Everything is undone on backtracking.

:- use_module(library(lists)).
:- use_module(library(assoc)).

:- meta_predicate current_chr_constraint(:), current_chr_constraint(?, :), find_chr_constraint(:).

:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.
:- dynamic rule_of/3, constraint_of/4, chr_module/1.

:- initialization('$share'('$chr_id', 0), now).

% --- What a text says.

expansion(Term, Clauses) :-
    nonvar(Term),
    prolog_load_context(module, Module),
    ( prolog_load_context(source, File) -> true ; File = [] ),
    expansion(Term, Module, File, Clauses).

expansion(Term, Module, File, []) :- declares(Term, Specs), !, declare(Specs, Module, File).
expansion(Term, _, _, []) :- says_nothing(Term), !.
expansion(Term, Module, File, []) :-
    is_rule(Term), constraint_of(Module, File, _, _), !,
    assertz(rule_of(Module, File, Term)).
expansion(end_of_file, Module, File, Clauses) :-
    constraint_of(Module, File, _, _),
    findall(Name/Arity, retract(constraint_of(Module, File, Name, Arity)), Constraints0),
    distinct_indicators(Constraints0, Constraints),
    findall(Rule, retract(rule_of(Module, File, Rule)), Rules),
    ( chr_module(Module) -> true ; assertz(chr_module(Module)) ),
    program(Module, Constraints, Rules, Clauses0),
    append(Clauses0, [end_of_file], Clauses).

declares((:- Directive), Specs) :- nonvar(Directive), declares_(Directive, Specs).
declares((constraints Specs), Specs).
declares_((constraints Specs), Specs).
declares_((chr_constraint Specs), Specs).

says_nothing((:- Directive)) :- nonvar(Directive), says_nothing_(Directive).
says_nothing((handler _)).
says_nothing((rules _)).
says_nothing((chr_type _)).
says_nothing(option(_, _)) :- prolog_load_context(module, Module), constraint_of(Module, _, _, _).
says_nothing_((chr_type _)).
says_nothing_((chr_declaration _)).
says_nothing_(chr_option(_, _)).
says_nothing_((handler _)).

is_rule((_ <=> _)).
is_rule((_ ==> _)).
is_rule((_ @ _)).
is_rule((_ pragma _)).

declare(Specs, _, _) :- var(Specs), !, throw(error(instantiation_error, _)).
declare((A, B), Module, File) :- !, declare(A, Module, File), declare(B, Module, File).
declare(Name/Arity, Module, File) :- !,
    ( atom(Name), integer(Arity) -> true ; throw(error(type_error(predicate_indicator, Name/Arity), _)) ),
    assertz(constraint_of(Module, File, Name, Arity)).
declare(Spec, Module, File) :- callable(Spec), !,
    functor(Spec, Name, Arity), assertz(constraint_of(Module, File, Name, Arity)).
declare(Spec, _, _) :- throw(error(type_error(callable, Spec), _)).

distinct_indicators([], []).
distinct_indicators([C|Cs0], [C|Cs]) :- without(Cs0, C, Cs1), distinct_indicators(Cs1, Cs).
without([], _, []).
without([A|As], X, Bs) :- ( A == X -> Bs = Bs1 ; Bs = [A|Bs1] ), without(As, X, Bs1).

% --- Rules: rule(Number, Heads, Guard, Body) with heads h(Constraint, kept or removed, active or passive).

rules_([], _, _, []).
rules_([R0|Rs0], N, Constraints, [rule(N, Heads, Guard, Body)|Rs]) :-
    strip_name(R0, R1),
    strip_pragmas(R1, Passive, R2),
    parts(R2, Heads0, Guard, Body),
    heads(Heads0, Passive, Constraints, R0, Heads),
    N1 is N + 1,
    rules_(Rs0, N1, Constraints, Rs).

strip_name(R0, R) :- ( R0 = (_ @ R1) -> R = R1 ; R = R0 ).
strip_pragmas(R0, Passive, R) :- ( R0 = (R pragma Ps) -> passive_ids(Ps, Passive) ; R = R0, Passive = [] ).
passive_ids(Ps, []) :- var(Ps), !.
passive_ids((A, B), Ids) :- !, passive_ids(A, Ids1), passive_ids(B, Ids2), append(Ids1, Ids2, Ids).
passive_ids(passive(Id), [Id]) :- !.
passive_ids(_, []).

% Kept heads and removed heads, in the order in which an active constraint tries them: removed ones first.
parts(R, _, _, _) :- var(R), !, throw(error(instantiation_error, _)).
parts((H ==> B0), Heads, Guard, Body) :- !, head_list(H, kept, Heads, []), guard(B0, Guard, Body).
parts((H <=> B0), Heads, Guard, Body) :- !,
    ( nonvar(H), H = (K \ R) -> head_list(R, removed, Heads, Heads1), head_list(K, kept, Heads1, [])
    ; head_list(H, removed, Heads, [])
    ),
    guard(B0, Guard, Body).
parts(R, _, _, _) :- throw(error(type_error(chr_rule, R), _)).
guard(B0, Guard, Body) :- ( nonvar(B0), B0 = '|'(G, B) -> Guard = G, Body = B ; Guard = true, Body = B0 ).
head_list(H, _, _, _) :- var(H), !, throw(error(instantiation_error, _)).
head_list((A, B), Kind, Hs, Hs1) :- !, head_list(A, Kind, Hs, Hs2), head_list(B, Kind, Hs2, Hs1).
head_list(H, Kind, [Kind-H|Hs], Hs).

heads([], _, _, _, []).
heads([Kind-H0|Hs0], Passive, Constraints, Rule, [h(H, Kind, Mode)|Hs]) :-
    ( H0 = (H # Id) -> ( ( Id == passive ; among(Passive, Id) ) -> Mode = passive ; Mode = active ) ; H = H0, Mode = active ),
    ( callable(H) -> true ; throw(error(type_error(callable, H), _)) ),
    functor(H, Name, Arity),
    ( memberchk(Name/Arity, Constraints) -> true ; throw(error(existence_error(chr_constraint, Name/Arity), Rule)) ),
    heads(Hs0, Passive, Constraints, Rule, Hs).
among([Y|Ys], X) :- ( X == Y -> true ; among(Ys, X) ).

% --- The program of a text.

program(Module, Constraints, Rules0, [(:- chr:new_stores(Keys))|Clauses]) :-
    rules_(Rules0, 1, Constraints, Rules),
    plans(Constraints, Rules, Plans),
    findall(Index, index_in(Plans, Index), Indexes0),
    sort(Indexes0, Indexes),
    keys(Constraints, Module, Indexes, Keys, []),
    findall(Fact, store_fact(Constraints, Module, Fact), Clauses, Clauses1),
    constraints(Plans, Module, Indexes, Clauses1, []).

index_in(Plans, (Name/Arity)-Position) :-
    member(occurrences(_, Os), Plans),
    member(o(_, _, _, _, Steps), Os),
    member(step(h(H, _, _), _, by(Position, _), _, _, _), Steps),
    functor(H, Name, Arity).
store_fact(Constraints, Module, '$chr_store'(Constraint, Key)) :-
    member(Name/Arity, Constraints),
    store_key(Module, Name/Arity, Key),
    functor(Constraint, Name, Arity).

keys([], _, _) --> [].
keys([C|Cs], Module, Indexes) -->
    { store_key(Module, C, Key), findall(K, ( member(C-P, Indexes), index_key(Module, C, P, K) ), Ks) },
    [Key], listed(Ks), keys(Cs, Module, Indexes).
listed([]) --> [].
listed([X|Xs]) --> [X], listed(Xs).

store_key(Module, Name/Arity, Key) :- atomic_list_concat(['$chr ', Module, ':', Name, '/', Arity], Key).
index_key(Module, C, Position, Key) :- store_key(Module, C, Key0), atomic_list_concat([Key0, ' ', Position], Key).
predicate(Name/Arity, What, P) :- atomic_list_concat([Name, '/', Arity, '__', What], P).

% The plan of an occurrence, o(Rule, ActiveHead, As, Tests, Steps): what the arguments As of the active constraint must
% be, then a step for each partner in the order in which they are looked for.
plans([], _, []).
plans([C|Cs], Rules, [occurrences(C, Os)|Ps]) :- occurrences(Rules, C, Os, []), plans(Cs, Rules, Ps).

occurrences([], _) --> [].
occurrences([Rule|Rs], C) --> { Rule = rule(_, Heads, _, _) }, occurrences_in(Heads, 1, C, Rule), occurrences(Rs, C).
occurrences_in([], _, _, _) --> [].
occurrences_in([h(H, _, Mode)|Hs], I, Name/Arity, Rule) -->
    ( { Mode == active, functor(H, Name, Arity) } -> { copy_term(Rule, Copy), plan(Copy, I, O) }, [O] ; [] ),
    { I1 is I + 1 },
    occurrences_in(Hs, I1, Name/Arity, Rule).

plan(rule(N, Heads, Guard, Body), I, o(rule(N, Heads, Late, Body), I, As, Tests, Steps)) :-
    nth1(I, Heads, h(H, _, _)),
    H =.. [_|Hs],
    match_arguments(Hs, As, [], Bound, Tests, Tests1),
    conjuncts(Guard, Guards),
    early(Guards, Bound, Tests1, [], Guards1),
    findall(J, ( nth1(J, Heads, _), J =\= I ), Js),
    steps(Js, Heads, Bound, Guards1, Late, Steps).

steps([], _, _, Late, Late, []).
steps(Js, Heads, Bound0, Guards0, Late, [step(Head, J, Lookup, As, Tests, _)|Steps]) :-
    Js = [_|_],
    best(Js, Heads, Bound0, J, Lookup, Js1),
    nth1(J, Heads, Head),
    Head = h(H, _, _),
    H =.. [_|Hs],
    match_arguments(Hs, As, Bound0, Bound, Tests, Tests1),
    early(Guards0, Bound, Tests1, [], Guards1),
    steps(Js1, Heads, Bound, Guards1, Late, Steps).

% The partner to look for first: one that an argument tells.
best(Js, Heads, Bound, J, Lookup, Rest) :-
    (   member(J0, Js), nth1(J0, Heads, h(H, _, _)), told_by(H, Bound, Lookup0) -> J = J0, Lookup = Lookup0
    ;   Js = [J|_], Lookup = all
    ),
    without(Js, J, Rest).
told_by(H, _, _) :- atom(H), !, fail.
told_by(H, Bound, by(Position, A)) :- arg(Position, H, A), var(A), among(Bound, A), !.
told_by(H, _, by(Position, A)) :- arg(Position, H, A), atomic(A), !.

conjuncts(G, [G]) :- var(G), !.
conjuncts((A, B), Gs) :- !, conjuncts(A, Gs1), conjuncts(B, Gs2), append(Gs1, Gs2, Gs).
conjuncts(true, []) :- !.
conjuncts(G, [G]).

% Tests that cannot throw are made as soon as their variables are known.
early([], _, Tests, Tests, []).
early([G|Gs], Bound, Tests0, Tests, Late) :-
    (   nonvar(G), is_test(G), term_variables(G, Vs), all_among(Vs, Bound) -> Tests0 = [G|Tests1], Late = Late1
    ;   Tests0 = Tests1, Late = [G|Late1]
    ),
    early(Gs, Bound, Tests1, Tests, Late1).
all_among([], _).
all_among([V|Vs], Bound) :- among(Bound, V), all_among(Vs, Bound).
is_test(_ == _).
is_test(_ \== _).
is_test(_ @< _).
is_test(_ @> _).
is_test(_ @=< _).
is_test(_ @>= _).
is_test(var(_)).
is_test(nonvar(_)).
is_test(atom(_)).
is_test(atomic(_)).
is_test(number(_)).
is_test(integer(_)).
is_test(float(_)).
is_test(compound(_)).
is_test(ground(_)).

% Matching: the call's arguments As become the head's variables where these occur first, and are tested elsewhere.
match_arguments([], [], Bound, Bound, Tests, Tests).
match_arguments([H|Hs], [A|As], Bound0, Bound, Tests0, Tests) :-
    match(H, A, Bound0, Bound1, Tests0, Tests1),
    match_arguments(Hs, As, Bound1, Bound, Tests1, Tests).
match(H, A, Bound0, Bound, Tests0, Tests) :- var(H), !,
    ( among(Bound0, H) -> Bound = Bound0, Tests0 = [A == H|Tests] ; A = H, Bound = [H|Bound0], Tests0 = Tests ).
match(H, A, Bound, Bound, [A == H|Tests], Tests) :- atomic(H), !.
match(H, A, Bound0, Bound, [nonvar(A), A = Skeleton|Tests0], Tests) :-
    H =.. [F|Hs],
    match_arguments(Hs, As, Bound0, Bound, Tests0, Tests),
    Skeleton =.. [F|As].

% --- Clauses.

constraints([], _, _) --> [].
constraints([occurrences(C, Os)|Ps], Module, Indexes) -->
    { C = Name/Arity,
      functor(Constraint, Name, Arity), Constraint =.. [_|As],
      suspension(C, Indexes, S, Id, new, 0, Constraint, t, Module:Wake),
      S =.. [_, _, _, _, _, _, _|Links], empty_links(Links),
      predicate(C, wake, Wake), predicate(C, insert, Insert), predicate(C, remove, Remove), predicate(C, 1, First),
      store_key(Module, C, Key),
      append(As, [S], Args), Try =.. [First|Args],
      append(As, [S1], Args1), Try1 =.. [First|Args1],
      suspension(C, Indexes, S2, _, active, G, Constraint, _, _),
      findall(chr:index(X, K, Link, Position), index_of(C, Module, Indexes, Position, K, Link), Is),
      findall(chr:unlink(X, Link), index_of(C, Module, Indexes, _, _, Link), Us),
      for_suspension(Is, X, S1, Insertions0), conjunction(Insertions0, Insertions),
      for_suspension(Us, X, S1, Removals0), conjunction(Removals0, Removals),
      InsertHead =.. [Insert, S1], RemoveHead =.. [Remove, S1],
      WakeIndex =.. [Wake, index, S1], WakeRun =.. [Wake, run, S1]
    },
    [ (Constraint :- chr:new_id(Id), Try),
      (InsertHead :- arg(2, S1, State), ( State == new -> chr:insert(S1, Key), Insertions ; true )),
      (RemoveHead :-
          arg(2, S1, State), setarg(2, S1, removed),
          ( State == active -> chr:unlink(S1, 7), Removals, chr:detach(S1, Key) ; true )),
      (WakeIndex :- Insertions),
      (WakeRun :- ( S1 = S2 -> G1 is G + 1, setarg(3, S1, G1), Try1 ; true )) ],
    occurrence_clauses(Os, 1, C, Module, Indexes),
    constraints(Ps, Module, Indexes).

empty_links([]).
empty_links([[]|Ls]) :- empty_links(Ls).
for_suspension([], _, _, []).
for_suspension([M:G0|Gs0], X, S, [M:G|Gs]) :- G0 =.. [F, _|As], G =.. [F, S|As], for_suspension(Gs0, X, S, Gs).
conjunction([], true).
conjunction([G|Gs], C) :- ( Gs == [] -> C = G ; C = (G, C1), conjunction(Gs, C1) ).

suspension(C, Indexes, S, Id, State, Generation, Constraint, History, Wake) :-
    findall(P, member(C-P, Indexes), Ps), length(Ps, Count), Arity is Count + 7,
    functor(S, suspension, Arity),
    arg(1, S, Id), arg(2, S, State), arg(3, S, Generation), arg(4, S, Constraint), arg(5, S, History), arg(6, S, Wake).
index_of(C, Module, Indexes, Position, Key, Link) :-
    findall(P, member(C-P, Indexes), Ps), nth1(N, Ps, Position), Link is N + 7, index_key(Module, C, Position, Key).

% Behind the last occurrence the constraint is stored.
occurrence_clauses([], N, C, _, _) -->
    { predicate(C, N, P), predicate(C, insert, Insert), C = _/Arity,
      length(As, Arity), append(As, [S], Args), Head =.. [P|Args], Body =.. [Insert, S] },
    [(Head :- Body)].
occurrence_clauses([O|Os], N, C, Module, Indexes) -->
    { N1 is N + 1, findall(Clauses, clauses_of(O, N, C, Module, Indexes, Clauses), [Cs]) },
    listed(Cs), occurrence_clauses(Os, N1, C, Module, Indexes).

clauses_of(o(Rule, I, As, Tests, Steps), N, C, Module, Indexes, Clauses) :-
    Rule = rule(Number, Heads, Late, Body),
    predicate(C, N, P), N1 is N + 1, predicate(C, N1, NextP),
    append(As, [S], Args), Head =.. [P|Args], Next =.. [NextP|Args],
    nth1(I, Heads, h(_, Kind, _)),
    suspension(C, Indexes, Pattern, OwnId, _, _, _, _, _), Own = [S = Pattern],
    partners(Steps, Module, Indexes),
    term_variables(As-Tests, Context0), append([S|Context0], [], Context1),
    distinct_variables(Context1, Context),
    active_goal(Kind, C, S, Generation, Kill, Keep),
    history(Heads, Number, I, S, OwnId, Steps, Fresh, Note),
    Info = info(P, S, C, Kind, Generation, Kill, Keep, Late, Body, Fresh, Note, Own, Next),
    (   Steps == [] ->
        commit(Info, [], Next, Commit),
        append([Tests, Own, Late, Fresh], Condition0), conjunction(Condition0, Condition),
        Clauses = [(Head :- Condition, !, Commit), (Head :- Next)]
    ;   Steps = [Step|_],
        lookup(Step, Module, List, Lookup),
        level_name(P, 1, P1), Loop =.. [P1, List|Context],
        conjunction(Tests, Condition),
        (   Tests == [] -> Clauses = [(Head :- Lookup, Loop)|Clauses1]
        ;   Clauses = [(Head :- Condition, !, Lookup, Loop), (Head :- Next)|Clauses1]
        ),
        levels(Steps, 1, Context, [], Next, Info, Module, Clauses1)
    ).

distinct_variables([], []).
distinct_variables([V|Vs], [V|Ws]) :- without(Vs, V, Vs1), distinct_variables(Vs1, Ws).

% What each step's partner looks like.
partners([], _, _).
partners([step(h(H, _, _), _, _, As, _, p(_, Id, Pattern, C))|Steps], Module, Indexes) :-
    functor(H, Name, Arity), C = Name/Arity,
    Constraint =.. [Name|As],
    suspension(C, Indexes, Pattern, Id, active, _, Constraint, _, _),
    partners(Steps, Module, Indexes).

active_goal(removed, C, S, _, Kill, true) :- predicate(C, remove, Remove), Kill =.. [Remove, S].
active_goal(kept, C, S, Generation, true, ( Insert, arg(3, S, Generation) )) :- predicate(C, insert, Name), Insert =.. [Name, S].

% Propagation: an instance fires once.
history(Heads, Number, I, S, OwnId, Steps, Fresh, Note) :-
    (   member(h(_, removed, _), Heads) -> Fresh = [], Note = true
    ;   Steps == [] -> Fresh = [chr:fresh(Number, S)], Note = chr:note(Number, S)
    ;   partner_ids(Steps, Pairs, Tuple, Fresh0),
        keysort([I-OwnId|Pairs], Sorted), values_of(Sorted, Ids),
        Tuple =.. [t, Number|Ids],
        Fresh = [chr:fresh(Tuple, S)|Fresh0], Note = chr:note(Tuple, S)
    ).
partner_ids([], [], _, []).
partner_ids([step(_, J, _, _, _, p(P, Id, _, _))|Steps], [J-Id|Pairs], Tuple, [chr:fresh(Tuple, P)|Fresh]) :-
    partner_ids(Steps, Pairs, Tuple, Fresh).
values_of([], []).
values_of([_-V|Ps], [V|Vs]) :- values_of(Ps, Vs).

lookup(step(h(H, _, _), _, How, _, _, _), Module, List, Goal) :-
    functor(H, Name, Arity), store_key(Module, Name/Arity, Key),
    (   How = by(Position, A) -> index_key(Module, Name/Arity, Position, IndexKey), Goal = chr:look_up(A, Key, IndexKey, List)
    ;   Goal = chr:stored(Key, List)
    ).

level_name(P, Level, Name) :- atomic_list_concat([P, '__', Level], Name).

% The loop over the partners of a step. Behind its end the loop around it goes on.
levels([], _, _, _, _, _, _, []).
levels([Step|Steps], Level, Context, Outer, Ended, Info, Module, [(EmptyHead :- Ended), (Head :- ( Condition -> Then ; Again ))|Clauses]) :-
    Info = info(P, S, C, _, _, _, _, Late, _, Fresh, _, Own, _),
    Step = step(h(_, PartnerKind, _), _, _, As, Tests, p(Partner, _, Pattern, PartnerC)),
    level_name(P, Level, Name),
    EmptyHead =.. [Name, []|Context],
    Head =.. [Name, [Partner|Rest]|Context],
    Again =.. [Name, Rest|Context],
    ( PartnerC == C -> Differ0 = [Partner \== S] ; Differ0 = [] ),
    others(Outer, PartnerC, Partner, Differ2),
    append(Differ0, Differ2, Differ),
    Outer1 = [outer(Partner, PartnerKind, PartnerC, Again)|Outer],
    (   Steps = [NextStep|_] ->
        append([[Partner = Pattern|Differ], Tests], Condition0),
        lookup(NextStep, Module, List, Lookup),
        Level1 is Level + 1, level_name(P, Level1, Name1),
        term_variables(Context/As/Tests/Partner/Rest, Vs0), ids_of(Pattern, Vs0, Context1),
        Loop =.. [Name1, List|Context1],
        Then = ( Lookup, Loop ),
        levels(Steps, Level1, Context1, Outer1, Again, Info, Module, Clauses)
    ;   append([[Partner = Pattern|Differ], Tests, Own, Late, Fresh], Condition0),
        commit(Info, Outer1, Again, Then),
        Clauses = []
    ),
    conjunction(Condition0, Condition).

ids_of(Pattern, Vs0, Vs) :- arg(1, Pattern, Id), ( var(Id), \+ among(Vs0, Id) -> Vs = [Id|Vs0] ; Vs = Vs0 ).
others([], _, _, []).
others([outer(P, _, C1, _)|Os], C, Partner, Ds) :-
    ( C1 == C -> Ds = [Partner \== P|Ds1] ; Ds = Ds1 ),
    others(Os, C, Partner, Ds1).

% What a rule does that fires.
commit(info(_, S, _, Kind, Generation, Kill, Keep, _, Body, _, Note, _, _), Outer, Again, Commit) :-
    removals(Outer, Removals),
    (   Kind == removed -> append(Removals, [Kill, Body], Goals)
    ;   continue(Outer, Again, Continue),
        append(Removals, [Note, Keep, Body, ( arg(2, S, active), arg(3, S, Generation) -> Continue ; true )], Goals)
    ),
    without(Goals, true, Goals1),
    conjunction(Goals1, Commit).
removals([], []).
removals([outer(P, Kind, C, _)|Os], Gs) :-
    ( Kind == removed -> predicate(C, remove, Remove), G =.. [Remove, P], Gs = [G|Gs1] ; Gs = Gs1 ),
    removals(Os, Gs1).
% The innermost loop goes on whose partners in front of it are still there.
continue([], Next, Next).
continue([Innermost|Outer], _, Goal) :- Innermost = outer(_, _, _, Again), reverse(Outer, Outer1), continue_(Outer1, Again, Goal).
continue_([], Innermost, Innermost).
continue_([outer(P, Kind, _, Again)|Os], Innermost, Goal) :-
    (   Kind == removed -> Goal = Again
    ;   Goal = ( arg(2, P, active) -> Goal1 ; Again ), continue_(Os, Innermost, Goal1)
    ).

% --- What runs.

new_stores([]).
new_stores([K|Ks]) :- nb_setval(K, []), new_stores(Ks).

new_id(Id) :- b_getval('$chr_id', Id0), Id is Id0 + 1, b_setval('$chr_id', Id).

insert(S, Key) :-
    setarg(2, S, active),
    b_getval(Key, Head0),
    ( Head0 == [] -> Head = head(x, []), b_setval(Key, Head) ; Head = Head0 ),
    link(Head, S, 7),
    arg(4, S, Constraint),
    term_variables(Constraint, Vs),
    attach(Vs, Key, S).
link(Head, S, Link) :-
    arg(2, Head, Old),
    New = [S|Old],
    setarg(2, Head, New),
    setarg(Link, S, Head),
    ( Old = [Next|_] -> setarg(Link, Next, New) ; true ).
unlink(S, Link) :-
    arg(Link, S, Before),
    (   Before == [] -> true
    ;   arg(2, Before, [_|After]),
        setarg(2, Before, After),
        ( After = [Next|_] -> setarg(Link, Next, Before) ; true )
    ).

index(S, Key, Link, Position) :-
    (   arg(Link, S, []), arg(4, S, Constraint), arg(Position, Constraint, Value), ground(Value) ->
        b_getval(Key, Tree0),
        ( Tree0 == [] -> Tree = t ; Tree = Tree0 ),
        (   get_assoc(Value, Tree, Head) -> true
        ;   Head = head(x, []), put_assoc(Value, Tree, Head, Tree1), b_setval(Key, Tree1)
        ),
        link(Head, S, Link)
    ;   true
    ).

stored(Key, List) :- b_getval(Key, Head), ( Head == [] -> List = [] ; arg(2, Head, List) ).
look_up(Value, Key, IndexKey, List) :-
    (   term_variables(Value, [V|_]) ->
        ( get_attr(V, chr, Lists), list_of(Lists, Key, List0) -> List = List0 ; List = [] )
    ;   b_getval(IndexKey, Tree),
        ( Tree \== [], get_assoc(Value, Tree, Head) -> arg(2, Head, List) ; List = [] )
    ).
list_of([K-L|Ls], Key, List) :- ( K == Key -> List = L ; list_of(Ls, Key, List) ).

% The attribute of a variable: for each constraint the suspensions that mention it, newest first, but those
% that came together with another variable's oldest first.
attach([], _, _).
attach([V|Vs], Key, S) :-
    ( get_attr(V, chr, Lists0) -> true ; Lists0 = [] ),
    with(Lists0, Key, S, Lists),
    put_attr(V, chr, Lists),
    attach(Vs, Key, S).
with([], Key, S, [Key-[S]]).
with([K-L|Ls0], Key, S, Ls) :- ( K == Key -> Ls = [K-[S|L]|Ls0] ; Ls = [K-L|Ls1], with(Ls0, Key, S, Ls1) ).
detach(S, Key) :- arg(4, S, Constraint), term_variables(Constraint, Vs), arg(1, S, Id), detach_(Vs, Key, Id).
detach_([], _, _).
detach_([V|Vs], Key, Id) :-
    (   get_attr(V, chr, Lists0) ->
        without_id(Lists0, Key, Id, Lists),
        ( Lists == [] -> del_attr(V, chr) ; put_attr(V, chr, Lists) )
    ;   true
    ),
    detach_(Vs, Key, Id).
without_id([], _, _, []).
without_id([K-L|Ls], Key, Id, Out) :-
    (   K == Key -> drop(L, Id, L1), ( L1 == [] -> Out = Ls ; Out = [K-L1|Ls] )
    ;   Out = [K-L|Out1], without_id(Ls, Key, Id, Out1)
    ).
drop([], _, []).
drop([S|Ss], Id, Out) :- ( arg(1, S, Id) -> Out = Ss ; Out = [S|Out1], drop(Ss, Id, Out1) ).

attr_unify_hook(Lists, Other) :-
    term_variables(Other, Vs),
    share(Vs, Lists),
    ( attvar(Other), get_attr(Other, chr, All) -> true ; All = Lists ),
    suspensions(All, Ss0),
    keysort(Ss0, Ss),
    wake(Ss, index),
    wake(Ss, run).
share([], _).
share([V|Vs], Lists) :-
    ( get_attr(V, chr, Lists0) -> merge_lists(Lists, Lists0, Lists1) ; Lists1 = Lists ),
    put_attr(V, chr, Lists1),
    share(Vs, Lists).
merge_lists([], Ls, Ls).
merge_lists([K-L|Ls1], Ls2, Ls) :- merge_in(Ls2, K, L, Ls3), merge_lists(Ls1, Ls3, Ls).
merge_in([], K, L, [K-L]).
merge_in([K0-L0|Ls0], K, L, Ls) :-
    ( K0 == K -> oldest_first(L0, L, L1), Ls = [K-L1|Ls0] ; Ls = [K0-L0|Ls1], merge_in(Ls0, K, L, Ls1) ).
oldest_first(L1, L2, L) :- by_id(L1, P1), by_id(L2, P2), append(P1, P2, P3), keysort(P3, P4), unique(P4, L).
by_id([], []).
by_id([S|Ss], [Id-S|Ps]) :- arg(1, S, Id), by_id(Ss, Ps).
unique([], []).
unique([Id-S|Ps], [S|L]) :- ( Ps = [Id1-_|_], Id1 == Id -> Ps = [_|Ps1] ; Ps1 = Ps ), unique(Ps1, L).
suspensions([], []).
suspensions([_-L|Ls], Ps) :- by_id(L, Ps0), append(Ps0, Ps1, Ps), suspensions(Ls, Ps1).
wake([], _).
wake([_-S|Ss], What) :-
    ( arg(2, S, active) -> arg(6, S, Module:Wake), call(Module:Wake, What, S) ; true ),
    wake(Ss, What).

fresh(Tuple, S) :- arg(5, S, History), \+ get_assoc(Tuple, History, _).
note(Tuple, S) :- arg(5, S, History0), put_assoc(Tuple, History0, x, History), setarg(5, S, History).

% --- What programs and the top level ask.

chr_show_store(Module) :- ( stored_constraint(Module, C), print(C), nl, fail ; true ).
find_chr_constraint(_:C) :- chr_module(Module), stored_constraint(Module, C).
current_chr_constraint(M:C) :- chr_module(M0), ( M0 == M ; M == user, M0 \== user ), stored_constraint(M0, C).
current_chr_constraint(Module, _:C) :- chr_module(Module), stored_constraint(Module, C).
stored_constraint(Module, C) :-
    Module:'$chr_store'(C0, Key),
    stored(Key, List),
    member(S, List),
    arg(2, S, active), arg(4, S, C0),
    C = C0.

% The constraints of an answer are told as a whole, not by variable.
attribute_goals(_) --> [].
store_goals(Goals) :- findall(M, chr_module(M), Ms), of_modules(Ms, Goals, []).
of_modules([]) --> [].
of_modules([M|Ms]) --> { findall(Key, M:'$chr_store'(_, Key), Keys) }, of_stores(Keys, M), of_modules(Ms).
of_stores([], _) --> [].
of_stores([Key|Keys], M) --> { stored(Key, List) }, of_list(List, M), of_stores(Keys, M).
of_list([], _) --> [].
of_list([S|Ss], M) -->
    { arg(4, S, C), ( M == user -> Goal = C ; Goal = M:C ) },
    [Goal], of_list(Ss, M).

chr_trace.
chr_notrace.
chr_leash(_).

user:term_expansion(Term, Clauses) :- chr:expansion(Term, Clauses).
