:- module(dicts,
    [is_dict/1, is_dict/2, dict_create/3, dict_pairs/3, dict_keys/2, get_dict/3, get_dict/5, get_dict_ex/3, put_dict/3,
     put_dict/4, del_dict/4, select_dict/3, mapdict/2, mapdict/3, (:<)/2, (>:<)/2, '$with_functions'/3,
     '$dict_function'/3]).

% SWI-Prolog's predicates about dicts, which the reader makes terms '$dict'(Tag, [Key-Value, ...]) of, with the keys in
% the standard order. A function of a dict, `Dict.key`, is read as a term of both and becomes a goal in front of the goal
% that has it. The name of that term is not written here: only the reader makes an atom of it.

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
select_dict(Select0, From0, '$dict'(_, Rest)) :-
    as_dict(Select0, Tag, Select), as_dict(From0, Tag, From), select_pairs(Select, From, Rest).
as_dict(Given, Tag, Pairs) :- is_list(Given), !, named(Given, Pairs0), keysort(Pairs0, Sorted), different(Sorted), Tag = _, Pairs = Sorted.
as_dict(Dict, Tag, Pairs) :- dict_pairs(Dict, Tag, Pairs).
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

% What a text's term becomes; fails where it has no function.
'$with_functions'(Term, M, New) :- has_function(Term), translated(Term, M, New), !.

is_function(Term, Dict, Function) :-
    compound(Term), compound_name_arity(Term, Name, 2), atom_length(Name, 4), atom_concat($, dot, Name),
    arg(1, Term, Dict), arg(2, Term, Function),
    % That is a term of Ciao's traits.
    \+ ( nonvar(Dict), functor(Dict, as, 2) ).
has_function(Term) :- compound(Term), ( is_function(Term, _, _) -> true ; arg(_, Term, Arg), has_function(Arg) -> true ).

translated((:- Goal), M, (:- New)) :- !, body(Goal, M, New).
translated((Head --> Body), M, New) :- !, dcg_translate_rule((Head --> Body), Clause), translated(Clause, M, New).
translated((Head => Body), M, (Head => New)) :- !, body(Body, M, New).
% A definition of a function: `Dict.name(Args) := Value`, behind which a body may stand.
translated(((Definition := Value) :- Body), M, New) :-
    is_function(Definition, Dict, Function), callable(Function), !,
    ( compound(Function) -> compound_name_arguments(Function, Name, Args) ; Name = Function, Args = [] ),
    append(Args, [Dict, Result], All), Head =.. [Name|All],
    data(Value, Value1, Goals), body(Body, M, Body1), conjunction(Goals, Result = Value1, Last),
    New = (Head :- Body1, Last).
translated((Definition := Value), M, New) :-
    is_function(Definition, _, _), !, translated(((Definition := Value) :- true), M, New).
translated((Head :- Body), M, (Head1 :- New)) :- !,
    data(Head, Head1, Goals), body(Body, M, Body1), conjunction(Goals, Body1, New).
translated(Head, _, (Head1 :- Body)) :- data(Head, Head1, Goals), conjunction(Goals, true, Body).

body(Goal, _, New) :- var(Goal), !, New = Goal.
body(Goal, _, New) :- \+ has_function(Goal), !, New = Goal.
body(Goal, _, New) :- Goal = M1:Goal1, atom(M1), !, body(Goal1, M1, New1), New = M1:New1.
body(Goal, M, New) :-
    (   control(Goal, Spec) -> true
    ;   '$meta_declaration'(M:Goal, Head) -> Head =.. [_|Spec]
    ;   functor(Goal, _, N), length(Spec, N), maplist(=(?), Spec)
    ),
    Goal =.. [Name|Args], arguments(Args, Spec, M, Args1, Goals, []),
    Goal1 =.. [Name|Args1], conjunction(Goals, Goal1, New).
control((_, _), [0, 0]).
control((_ ; _), [0, 0]).
control((_ -> _), [0, 0]).
control((_ *-> _), [0, 0]).
control(\+ _, [0]).
arguments([], [], _, [], Goals, Goals).
arguments([A|As], [S|Ss], M, [B|Bs], Goals0, Goals) :-
    (   S == 0 -> body(A, M, B), Goals0 = Goals1
    ;   integer(S), nonvar(A), A = (Ps>>A1) -> body(A1, M, B1), B = (Ps>>B1), Goals0 = Goals1
    ;   data(A, B, Goals0, Goals1)
    ),
    arguments(As, Ss, M, Bs, Goals1, Goals).

data(Term, New, Goals) :- data(Term, New, Goals, []).
data(Term, New, Goals0, Goals) :-
    (   \+ has_function(Term) -> New = Term, Goals0 = Goals
    ;   is_function(Term, Dict, Function) ->
        data(Dict, Dict1, Goals0, Goals1),
        data(Function, Function1, Goals1, ['$dict_function'(Dict1, Function1, New)|Goals])
    ;   compound_name_arguments(Term, Name, Args), all_data(Args, Args1, Goals0, Goals), compound_name_arguments(New, Name, Args1)
    ).
all_data([], [], Goals, Goals).
all_data([A|As], [B|Bs], Goals0, Goals) :- data(A, B, Goals0, Goals1), all_data(As, Bs, Goals1, Goals).
conjunction([], Goal, Goal).
conjunction([G|Gs], Goal, (G, Rest)) :- conjunction(Gs, Goal, Rest).

% The value of a function.
'$dict_function'(Dict, Function, Value) :-
    ( var(Function) -> instantiation_error(Function) ; true ),
    value(Function, Dict, Value).
value(Key, Dict, Value) :- atomic(Key), !, must_be(dict, Dict), get_dict_ex(Key, Dict, Value0), Value = Value0.
value(get(Key), Dict, Value) :- !, get_dict(Key, Dict, Value0), Value = Value0.
value(get(Key, Default), Dict, Value) :- !, ( get_dict(Key, Dict, Value0) -> Value = Value0 ; Value = Default ).
value(put(New), Dict, Value) :- !, put_dict(New, Dict, Value0), Value = Value0.
value(put(Path, New), Dict, Value) :- !, put_path(Path, Dict, New, Value0), Value = Value0.
value(Function, Dict, Value) :-
    must_be(dict, Dict), dict_pairs(Dict, Tag, _),
    ( atom(Tag) -> call(Tag:Function, Dict, Value0), Value = Value0 ; existence_error(dict_function, Function) ).
put_path(Path/Key, Dict, New, Value) :- !,
    ( path_value(Path, Dict, Inner0) -> true ; dict_create(Inner0, _, []) ),
    put_dict(Key, Inner0, New, Inner), put_path(Path, Dict, Inner, Value).
put_path(Key, Dict, New, Value) :- put_dict(Key, Dict, New, Value).
path_value(Path/Key, Dict, Value) :- !, path_value(Path, Dict, Inner), get_dict(Key, Inner, Value).
path_value(Key, Dict, Value) :- get_dict(Key, Dict, Value).

% All of the first is in the second; what both have unifies.
:<(Select, From) :- select_dict(Select, From, _).
>:<(A, B) :- dict_pairs(A, Tag, As), dict_pairs(B, Tag, Bs), punned(As, Bs).
punned([], _) :- !.
punned(_, []) :- !.
punned([K-V|As], [L-W|Bs]) :-
    compare(Order, K, L),
    (   Order = (=) -> V = W, punned(As, Bs)
    ;   Order = (<) -> punned(As, [L-W|Bs])
    ;   punned([K-V|As], Bs)
    ).
