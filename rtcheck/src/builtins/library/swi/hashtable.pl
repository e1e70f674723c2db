:- module(hashtable,
    [ht_new/1, ht_is_hashtable/1, ht_size/2, ht_put/3, ht_put_new/3, ht_put/5, ht_update/4, ht_get/3, ht_gen/3, ht_keys/2,
     ht_pairs/2, ht_del/3]).

% SWI-Prolog's library(hashtable): tables that are changed in place and changed back when goals fail. A table is
% ht(Size, Tree), where the tree is an AVL tree, so that keys come in the standard order.

ht_new(ht(0, Tree)) :- empty_assoc(Tree).

ht_is_hashtable(Table) :- nonvar(Table), Table = ht(Size, _), integer(Size).

ht_size(ht(Size, _), Size).

ht_put(Table, Key, Value) :-
    must_be(nonvar, Key),
    Table = ht(Size, Tree),
    ( get_assoc(Key, Tree, _) -> true ; Size1 is Size + 1, setarg(1, Table, Size1) ),
    put_assoc(Key, Tree, Value, Tree1),
    setarg(2, Table, Tree1).

ht_put_new(Table, Key, Value) :- Table = ht(_, Tree), \+ get_assoc(Key, Tree, _), ht_put(Table, Key, Value).

ht_put(Table, Key, Value, Default, Old) :-
    Table = ht(_, Tree),
    ( get_assoc(Key, Tree, Known) -> Old = Known ; Old = Default ),
    ht_put(Table, Key, Value).

ht_update(Table, Key, Old, New) :- Table = ht(_, Tree), get_assoc(Key, Tree, Old), ht_put(Table, Key, New).

ht_get(ht(_, Tree), Key, Value) :- must_be(nonvar, Key), get_assoc(Key, Tree, Value).

ht_gen(ht(_, Tree), Key, Value) :- gen_assoc(Key, Tree, Value).

ht_keys(ht(_, Tree), Keys) :- assoc_to_keys(Tree, Keys).

ht_pairs(Table, Pairs) :-
    ( nonvar(Table) -> Table = ht(_, Tree), assoc_to_list(Tree, Pairs)
    ; ht_new(Table), put_all(Pairs, Table)
    ).

put_all([], _).
put_all([Key-Value|Pairs], Table) :- ht_put(Table, Key, Value), put_all(Pairs, Table).

ht_del(Table, Key, Value) :-
    Table = ht(Size, Tree), del_assoc(Key, Tree, Value, Tree1),
    Size1 is Size - 1, setarg(1, Table, Size1), setarg(2, Table, Tree1).
