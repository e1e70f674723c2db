:- module(more_dicts, [
    dict_size/2, dict_fill/4, dict_no_fill/3, dicts_same_tag/2, dicts_same_keys/2, dicts_to_same_keys/3, dicts_join/3,
    dicts_join/4, dicts_slice/3, dicts_to_compounds/4]).

% SWI-Prolog's predicates about lists of dicts.

:- meta_predicate dicts_to_same_keys(?, 3, ?), dicts_to_compounds(?, ?, 3, ?).

dict_size(Dict, Size) :- dict_pairs(Dict, _, Pairs), length(Pairs, Size).

% What takes the place of a value that is not there.
dict_fill(Given, _, _, Value) :- copy_term(Given, Value).
dict_no_fill(Key, Dict, _) :- existence_error(key, Key, Dict).

dicts_same_tag(Dicts, Tag) :- maplist(has_tag(Tag), Dicts).
has_tag(Tag, Dict) :- is_dict(Dict, Tag).

dicts_same_keys([Dict|Dicts], Keys) :- dict_keys(Dict, Keys), maplist(has_keys(Keys), Dicts).
has_keys(Keys, Dict) :- dict_keys(Dict, Keys).

dicts_to_same_keys(Dicts0, OnEmpty, Dicts) :-
    maplist(dict_keys, Dicts0, Lists), append(Lists, Keys0), sort(Keys0, Keys),
    maplist(filled(Keys, OnEmpty), Dicts0, Dicts).
filled(Keys, OnEmpty, Dict0, Dict) :-
    maplist(value_in(Dict0, OnEmpty), Keys, Values), pairs_keys_values(Pairs, Keys, Values),
    is_dict(Dict0, Tag), dict_pairs(Dict, Tag, Pairs).
value_in(Dict, OnEmpty, Key, Value) :- ( get_dict(Key, Dict, Value0) -> Value = Value0 ; call(OnEmpty, Key, Dict, Value) ).

% Dicts with the same value for a key are one; those without the key stay as they are, in front.
dicts_join(Key, Dicts0, Dicts) :-
    partition(knows(Key), Dicts0, With, Without),
    maplist(keyed(Key), With, Keyed), keysort(Keyed, Sorted),
    joined(Sorted, Joined), append(Without, Joined, Dicts).
dicts_join(Key, Dicts1, Dicts2, Dicts) :- append(Dicts1, Dicts2, All), dicts_join(Key, All, Dicts).
knows(Key, Dict) :- get_dict(Key, Dict, _).
keyed(Key, Dict, Value-Dict) :- get_dict(Key, Dict, Value).
joined([], []).
joined([Value-Dict|Rest], Dicts) :-
    (   Rest = [Other-Dict2|Rest1], Other == Value ->
        Dict >:< Dict2, put_dict(Dict2, Dict, Both), joined([Value-Both|Rest1], Dicts)
    ;   Dicts = [Dict|Dicts1], joined(Rest, Dicts1)
    ).

dicts_slice(Keys0, Dicts0, Dicts) :- sort(Keys0, Keys), maplist(sliced(Keys), Dicts0, Dicts).
sliced(Keys, Dict0, Dict) :-
    dict_pairs(Dict0, Tag, Pairs0), include(is_among(Keys), Pairs0, Pairs), dict_pairs(Dict, Tag, Pairs).
is_among(Keys, Key-_) :- memberchk(Key, Keys).

% A compound has the dict's tag, or `row`, and the values of the keys.
dicts_to_compounds(Dicts, Keys, OnEmpty, Compounds) :- maplist(as_compound(Keys, OnEmpty), Dicts, Compounds).
as_compound(Keys, OnEmpty, Dict, Compound) :-
    (   nonvar(Dict) ->
        is_dict(Dict, Tag), ( var(Tag) -> Tag = row ; true ),
        maplist(value_in(Dict, OnEmpty), Keys, Values), Compound =.. [Tag|Values]
    ;   Compound =.. [Tag|Values],
        pairs_keys_values(Pairs, Keys, Values), dict_pairs(Dict, Tag, Pairs)
    ).
