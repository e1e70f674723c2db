:- module(dicts,
    [is_dict/1, is_dict/2, dict_create/3, dict_pairs/3, dict_keys/2, get_dict/3, get_dict/5, get_dict_ex/3, put_dict/3,
     put_dict/4, del_dict/4, select_dict/3, mapdict/2, mapdict/3]).

% SWI-Prolog's predicates about dicts, which the reader makes terms '$dict'(Tag, [Key-Value, ...]) of, with the keys in
% the standard order. Functions on dicts (`X = Dict.key`) are not there.

:- meta_predicate mapdict(2, ?), mapdict(3, ?, ?).

is_dict(Dict) :- is_dict(Dict, _).
is_dict(Dict, Tag) :- nonvar(Dict), Dict = '$dict'(Tag, Pairs), is_list(Pairs).

dict_create(Dict, Tag, Given) :- must_be(list, Given), named(Given, Pairs), dict_of(Tag, Pairs, Dict).

dict_pairs(Dict, Tag, Pairs) :- nonvar(Dict), !, must_be(dict, Dict), Dict = '$dict'(Tag, Pairs0), Pairs = Pairs0.
dict_pairs(Dict, Tag, Given) :-
    must_be(list, Given), named(Given, Pairs), keysort(Pairs, Sorted), different(Sorted), Dict = '$dict'(Tag, Sorted).

% Of several values for a key the first counts.
dict_of(Tag, Pairs, '$dict'(Tag, Sorted)) :- sort(1, @<, Pairs, Sorted).

named([], []).
named([G|Gs], [Key-Value|Pairs]) :- pair(G, Key, Value), must_be_key(Key), named(Gs, Pairs).
pair(G, _, _) :- var(G), !, instantiation_error(G).
pair(K-V, K, V) :- !.
pair(K=V, K, V) :- !.
pair(K:V, K, V) :- !.
pair(G, K, V) :- compound(G), G =.. [K, V], !.
pair(G, _, _) :- type_error(pair, G).

must_be_key(Key) :- var(Key), !, instantiation_error(Key).
must_be_key(Key) :- ( atom(Key) ; integer(Key) ), !.
must_be_key(Key) :- type_error(dict_key, Key).

different([K-_, L-_|_]) :- K == L, !, throw(error(duplicate_key(K), _)).
different([_|Pairs]) :- !, different(Pairs).
different([]).

dict_keys(Dict, Keys) :- dict_pairs(Dict, _, Pairs), pairs_keys(Pairs, Keys).

get_dict(Key, Dict, Value) :- var(Key), !, dict_pairs(Dict, _, Pairs), member(Key-Value, Pairs).
get_dict(Key, Dict, Value) :- dict_pairs(Dict, _, Pairs), found(Pairs, Key, Value0), Value = Value0.
get_dict(Key, Dict, Value, NewValue, NewDict) :-
    get_dict(Key, Dict, Value), put_dict(Key, Dict, NewValue, NewDict).
get_dict_ex(Key, Dict, Value) :- get_dict(Key, Dict, Value0), !, Value = Value0.
get_dict_ex(Key, Dict, _) :- existence_error(key, Key, Dict).

found([K-V|Pairs], Key, Value) :-
    compare(Order, Key, K),
    ( Order = (=) -> Value = V ; Order = (>), found(Pairs, Key, Value) ).

put_dict(New, Dict, Result) :-
    ( is_dict(New) -> dict_pairs(New, _, Pairs) ; must_be(list, New), named(New, Pairs) ),
    dict_pairs(Dict, Tag, Old),
    append(Pairs, Old, All), dict_of(Tag, All, Result0), Result = Result0.
put_dict(Key, Dict, Value, Result) :-
    must_be_key(Key),
    dict_pairs(Dict, Tag, Old), dict_of(Tag, [Key-Value|Old], Result0), Result = Result0.

del_dict(Key, Dict, Value, '$dict'(Tag, Rest)) :- dict_pairs(Dict, Tag, Pairs), select(Key-Value0, Pairs, Rest0), !,
    Value = Value0, Rest = Rest0.

% The keys of the first are in the second, with values that unify; the others are the rest.
select_dict('$dict'(Tag, Select), '$dict'(Tag, From), '$dict'(Tag, Rest)) :- select_pairs(Select, From, Rest).
select_pairs([], Rest, Rest).
select_pairs([K-V|Ss], From, Rest) :- before(From, K, V, Later, Rest, Rest1), select_pairs(Ss, Later, Rest1).
before([L-W|From], K, V, Later, Rest, Rest1) :-
    compare(Order, K, L),
    (   Order = (=) -> V = W, Later = From, Rest = Rest1
    ;   Order = (>), Rest = [L-W|Rest0], before(From, K, V, Later, Rest0, Rest1)
    ).

mapdict(Goal, Dict) :- dict_pairs(Dict, _, Pairs), each(Pairs, Goal).
each([], _).
each([K-V|Pairs], Goal) :- call(Goal, K, V), each(Pairs, Goal).
mapdict(Goal, Dict, Mapped) :- dict_pairs(Dict, Tag, Pairs), each(Pairs, Mapped0, Goal), Mapped = '$dict'(Tag, Mapped0).
each([], [], _).
each([K-V|Pairs], [K-W|Mapped], Goal) :- call(Goal, K, V, W), each(Pairs, Mapped, Goal).
