:- module(tries,
    [trie_new/1, trie_destroy/1, is_trie/1, current_trie/1, trie_insert/2, trie_insert/3, trie_update/3, trie_lookup/3,
     trie_delete/3, trie_gen/2, trie_gen/3, trie_gen_compiled/2, trie_gen_compiled/3, trie_property/2]).

% SWI-Prolog's tries: maps from terms up to renaming that outlive backtracking. The entries are facts, found by the hash
% of the key's text.

:- dynamic entry/4, trie/1, last/1.

last(0).

trie_new(Trie) :-
    retract(last(N0)), N is N0 + 1, assertz(last(N)),
    assertz(trie(N)),
    Trie = '$trie'(N).

trie_destroy(Trie) :- number(Trie, N), retractall(entry(N, _, _, _)), retract(trie(N)), !.

is_trie(Trie) :- nonvar(Trie), Trie = '$trie'(N), integer(N), trie(N), !.
current_trie('$trie'(N)) :- trie(N).

number(Trie, N) :-
    (   var(Trie) -> instantiation_error(Trie)
    ;   is_trie(Trie) -> Trie = '$trie'(N)
    ;   Trie = '$trie'(_) -> existence_error(trie, Trie)
    ;   type_error(trie, Trie)
    ).

hash(Key, Hash) :-
    ( atomic(Key) -> Form = Key ; copy_term_nat(Key, Form), numbervars(Form, 0, _) ),
    term_hash(Form, Hash).

plain(Term) :- term_attvars(Term, Vs), ( Vs == [] -> true ; type_error(free_of_attvar, Term) ).

known(N, Key, Hash, Value, Ref) :-
    hash(Key, Hash),
    clause(entry(N, Hash, Other, Value), true, Ref),
    Other =@= Key, !.

trie_insert(Trie, Key) :- trie_insert(Trie, Key, true).

trie_insert(Trie, Key, Value) :-
    number(Trie, N), plain(Key), plain(Value),
    (   known(N, Key, _, Value0, _) ->
        Value0 \=@= Value,
        permission_error(modify, trie_key, Key)
    ;   hash(Key, Hash),
        assertz(entry(N, Hash, Key, Value))
    ).

trie_update(Trie, Key, Value) :-
    number(Trie, N), plain(Key), plain(Value),
    ( known(N, Key, _, _, Ref) -> erase(Ref) ; true ),
    hash(Key, Hash),
    assertz(entry(N, Hash, Key, Value)).

% A table is one too, whose keys are the bindings of its call's variables.
trie_lookup('$table'(Call), Key, true) :- !, once(( answer(Call, Ret), Ret =@= Key )).
trie_lookup(Trie, Key, Value) :- number(Trie, N), known(N, Key, _, Value0, _), Value = Value0.

trie_delete(Trie, Key, Value) :- number(Trie, N), known(N, Key, _, Value0, Ref), Value = Value0, erase(Ref).

trie_gen(Trie, Key) :- trie_gen(Trie, Key, _).
trie_gen('$tables', Call, '$table'(Table)) :- !, system:'$table_calls'(Calls), member(Call, Calls), copy_term(Call, Table).
trie_gen('$table'(Call), Key, true) :- !, answer(Call, Key).
trie_gen(Trie, Key, Value) :-
    number(Trie, N),
    ( ground(Key) -> hash(Key, Hash), ( entry(N, Hash, Key, Value) ; entry(N, Other, Key, Value), Other =\= Hash )
    ; entry(N, _, Key, Value)
    ).
answer(Table, Ret) :- copy_term(Table, Call), term_variables(Call, Vs), Ret =.. [ret|Vs], call(Call).
trie_gen_compiled(Trie, Key) :- trie_gen(Trie, Key).
trie_gen_compiled(Trie, Key, Value) :- trie_gen(Trie, Key, Value).

trie_property(Trie, Property) :-
    number(Trie, N),
    Property = value_count(Count),
    aggregate_all(count, entry(N, _, _, _), Count).
