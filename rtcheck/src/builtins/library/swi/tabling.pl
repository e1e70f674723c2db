:- module(tabling_goals, [table/1, untable/1, current_table/2, '$tbl_local_variant_table'/1, '$tbl_table_status'/4]).

:- use_module(library(prolog_wrap)).

% Predicates are tabled while a program runs: the table stands around what they are, as a wrapper, also when they are loaded
% anew. `:- table` in front of their clauses is what texts have.

:- meta_predicate table(:), untable(:), current_table(:, ?).
table(Specs) :- each(Specs, tabled).
% A predicate whose text declares it goes on to be called through its tables, which changes none of its answers.
untable(Specs) :- each(Specs, untabled), abolish_all_tables.

each(_:Specs, _) :- var(Specs), !, instantiation_error(Specs).
each(M:(A, B), Do) :- !, each(M:A, Do), each(M:B, Do).
each(M:[], _) :- !, must_be(atom, M).
each(M:[A|As], Do) :- !, each(M:A, Do), each(M:As, Do).
each(_:M:Spec, Do) :- !, each(M:Spec, Do).
each(M:(Spec as _), Do) :- !, each(M:Spec, Do).
each(M:Spec, Do) :-
    (   Spec = Name/Arity -> must_be(atom, Name), must_be(nonneg, Arity), functor(Head, Name, Arity)
    ;   Spec = Name//Arity -> must_be(atom, Name), must_be(nonneg, Arity), N is Arity + 2, functor(Head, Name, N)
    ;   must_be(callable, Spec), Head = Spec
    ),
    call(Do, M, Head).
tabled(M, Head) :-
    functor(Head, Name, Arity),
    (   prolog_wrap:wrapper(M, Name/Arity, '$table', _) -> true
    ;   \+ predicate_property(M:Head, defined) ->
        throw(error(existence_error(procedure, Name/Arity), 'define it first, or declare it in front of its clauses'))
    ;   prolog_wrap:new_wrapper(M, Name/Arity, '$table', _, Outside, Inside),
        system:'$table_wrapper'(M, Head, Inside, (Outer :- Body)),
        Outer =.. [_|Arguments], New =.. [Outside|Arguments],
        assertz(M:(New :- Body)),
        prolog_wrap:chained(M, Name/Arity)
    ).
untabled(M, Head) :-
    functor(Head, Name, Arity),
    ( prolog_wrap:wrapper(M, Name/Arity, '$table', _) -> unwrap_predicate(M:Name/Arity, '$table') ; true ).

% The calls that have a table. What is done with the call's variables changes nothing of the table.
current_table(Variant, '$table'(Table)) :-
    '$strip_module'(Variant, M, Goal),
    system:'$table_calls'(Calls), member(M:Goal, Calls), copy_term(M:Goal, Table).

% What programs ask SWI-Prolog's own tables for.
'$tbl_local_variant_table'('$tables').
'$tbl_table_status'('$table'(Table), Status, Call, Skeleton) :-
    ( system:'$table_is_stale'(Table) -> Status = invalid ; Status = complete ),
    copy_term(Table, Call), term_variables(Call, Vs), Skeleton =.. [ret|Vs].
