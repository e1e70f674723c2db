:- module(ciao_collections,
    [ord_member/2, ord_test_member/3, ord_intersection_diff/4, ord_subset_diff/3, ord_union_change/3,
     ord_union_symdiff/4, q_empty/1, q_insert/3, q_delete/3, q_member/2, dictionary/1, dictionary/5, dic_node/2,
     dic_lookup/3, dic_lookup/4, dic_get/3, dic_replace/4, old_or_new/1, non_empty_dictionary/1, add_assoc/4,
     update_assoc/4, update_assoc/5, get_assoc/5, get_next_assoc/4, get_prev_assoc/4, new_array/1, is_array/1,
     aref/3, arefa/3, arefl/3, aset/4, array_to_list/2]).

% Collections of Ciao's libraries sets, queues, dict, assoc and arrays that other systems do not have.

ord_member(X, [Y|Ys]) :- compare(Order, X, Y), ( Order = (=) -> true ; Order = (>), ord_member(X, Ys) ).
ord_test_member(Set, X, Result) :- ( ord_member(X, Set) -> Result = yes ; Result = no ).
ord_intersection_diff(Set1, Set2, Common, Left) :- ord_intersection(Set1, Set2, Common), ord_subtract(Set1, Set2, Left).
ord_subset_diff(Set1, Set2, Left) :- ord_subset(Set1, Set2), ord_subtract(Set2, Set1, Left).
ord_union_change(Set1, Set2, Union) :- ord_union(Set1, Set2, Union), Union \== Set2.
ord_union_symdiff(Set1, Set2, Union, Different) :- ord_union(Set1, Set2, Union), ord_symdiff(Set1, Set2, Different).

% What was inserted last is at the front of the second list.
q_empty(queue([], [])).
q_insert(queue(Front, Back), X, queue(Front, [X|Back])).
q_delete(queue(Front0, Back0), X, queue(Front, Back)) :-
    (   Front0 = [Y|Front1] -> X = Y, Front = Front1, Back = Back0
    ;   reverse(Back0, [X|Front]), Back = []
    ).
q_member(X, queue(Front, Back)) :- ( member(X, Front) ; reverse(Back, Front1), member(X, Front1) ).

% Trees whose leaves are variables, where new keys are put.
dictionary(Dictionary) :- ( var(Dictionary) -> true ; non_empty_dictionary(Dictionary) ).
non_empty_dictionary(Dictionary) :- nonvar(Dictionary), Dictionary = dic(_, _, Left, Right), dictionary(Left), dictionary(Right).
dictionary(dic(Key, Value, Left, Right), Key, Value, Left, Right).
dic_node(Dictionary, Dictionary) :- nonvar(Dictionary).
dic_node(Dictionary, Node) :- nonvar(Dictionary), Dictionary = dic(_, _, Left, Right), ( dic_node(Left, Node) ; dic_node(Right, Node) ).

dic_lookup(Dictionary, Key, Value) :- dic_lookup(Dictionary, Key, Value, _).
dic_lookup(Dictionary, Key, Value, Status) :- var(Dictionary), !, Dictionary = dic(Key, Value, _, _), Status = new.
dic_lookup(dic(Key0, Value0, Left, Right), Key, Value, Status) :-
    compare(Order, Key, Key0),
    (   Order = (=) -> Value = Value0, Status = old
    ;   Order = (<) -> dic_lookup(Left, Key, Value, Status)
    ;   dic_lookup(Right, Key, Value, Status)
    ).

dic_get(Dictionary, Key, Value) :-
    nonvar(Dictionary), Dictionary = dic(Key0, Value0, Left, Right),
    compare(Order, Key, Key0),
    (   Order = (=) -> Value = Value0
    ;   Order = (<) -> dic_get(Left, Key, Value)
    ;   dic_get(Right, Key, Value)
    ).

dic_replace(Dictionary, Key, Value, New) :- var(Dictionary), !, New = dic(Key, Value, _, _).
dic_replace(dic(Key0, Value0, Left, Right), Key, Value, New) :-
    compare(Order, Key, Key0),
    (   Order = (=) -> New = dic(Key0, Value, Left, Right)
    ;   Order = (<) -> New = dic(Key0, Value0, Left1, Right), dic_replace(Left, Key, Value, Left1)
    ;   New = dic(Key0, Value0, Left, Right1), dic_replace(Right, Key, Value, Right1)
    ).

old_or_new(old).
old_or_new(new).

add_assoc(Key, Assoc0, Value, Assoc) :- \+ get_assoc(Key, Assoc0, _), put_assoc(Key, Assoc0, Value, Assoc).
update_assoc(Key, Assoc0, Value, Assoc) :- update_assoc(Key, Assoc0, Value, _, Assoc).
update_assoc(Key, Assoc0, Value, Old, Assoc) :- get_assoc(Key, Assoc0, Old), put_assoc(Key, Assoc0, Value, Assoc).
get_assoc(Key, Assoc0, Old, Assoc, Value) :- get_assoc(Key, Assoc0, Old), put_assoc(Key, Assoc0, Value, Assoc).
get_next_assoc(Key, Assoc, Next, Value) :-
    assoc_to_list(Assoc, Pairs), member(Next-Value, Pairs), Next @> Key, !.
get_prev_assoc(Key, Assoc, Previous, Value) :-
    assoc_to_list(Assoc, Pairs0), reverse(Pairs0, Pairs), member(Previous-Value, Pairs), Previous @< Key, !.

new_array('$array'(Assoc)) :- empty_assoc(Assoc).
is_array(Array) :- nonvar(Array), Array = '$array'(_).
aref(Index, '$array'(Assoc), Element) :- get_assoc(Index, Assoc, Element).
arefa(Index, '$array'(Assoc), Element) :- ( get_assoc(Index, Assoc, Element0) -> Element = Element0 ; new_array(Element) ).
arefl(Index, '$array'(Assoc), Element) :- ( get_assoc(Index, Assoc, Element0) -> Element = Element0 ; Element = [] ).
aset(Index, '$array'(Assoc0), Element, '$array'(Assoc)) :- put_assoc(Index, Assoc0, Element, Assoc).
array_to_list('$array'(Assoc), Pairs) :- assoc_to_list(Assoc, Pairs).
