:- module(tables,
    [get_call/3, get_calls/3, get_returns/2, get_returns/3, get_returns_for_call/2, abolish_table_pred/1, abolish_table_call/1,
     abolish_table_call/2, abolish_table_subgoals/2]).

:- use_module(library(tabling)).

% XSB's predicates on tables, by the names that SWI-Prolog has for them. A skeleton `ret(V, ...)` has the variables of a
% call.

:- meta_predicate
    get_call(:, -, -), get_calls(:, -, -), get_returns_for_call(:, :), abolish_table_pred(:), abolish_table_call(:),
    abolish_table_call(:, ?), abolish_table_subgoals(:, ?).

get_calls(Goal, Table, Skeleton) :-
    current_table(Goal, Table), '$strip_module'(Goal, _, Plain), term_variables(Plain, Vs), Skeleton =.. [ret|Vs].
get_call(Goal0, Table, Skeleton) :-
    '$strip_module'(Goal0, M, Goal),
    copy_term(Goal, Copy),
    current_table(M:Copy, Table), Table = '$table'(Call), Call =@= M:Goal, !,
    term_variables(Goal, Vs), Skeleton =.. [ret|Vs].

get_returns(Table, Skeleton) :- trie_gen(Table, Skeleton).
get_returns(Table, Skeleton, Skeleton) :- trie_gen(Table, Skeleton).

get_returns_for_call(Goal, Answer0) :-
    '$strip_module'(Answer0, _, Answer),
    get_call(Goal, '$table'(_:Call), _), copy_term(Call, Copy), '$strip_module'(Goal, M, _),
    call(M:Copy), Answer = Copy.

abolish_table_pred(_) :- abolish_all_tables.
abolish_table_call(_) :- abolish_all_tables.
abolish_table_call(_, _) :- abolish_all_tables.
abolish_table_subgoals(_, _) :- abolish_all_tables.
