:- module(rbtrees,
    [rb_new/1, rb_empty/1, rb_lookup/3, rb_insert/4, rb_insert_new/4, rb_update/4, rb_update/5, rb_apply/4,
     rb_delete/3, rb_delete/4, rb_del_min/4, rb_del_max/4, rb_visit/2, rb_keys/2, rb_map/2, rb_map/3,
     rb_partial_map/4, rb_fold/4, rb_clone/3, rb_min/3, rb_max/3, rb_next/4, rb_previous/4, rb_size/2, rb_in/3,
     list_to_rbtree/2, ord_list_to_rbtree/2, is_rbtree/1]).

% Red-black trees (Cormen et al., Introduction to Algorithms, chapter 13) in the shape that SWI-Prolog and YAP give
% them: `t(Nil, Tree)`, where a node is `Colour(Left, Key, Value, Right)` and Nil, `black('', _, _, '')`, is every leaf.
% A key occurs once. Insertion and deletion repair the tree on their way back to the root.

:- meta_predicate
    rb_apply(?, ?, 2, ?), rb_map(?, 2, ?), rb_map(?, 1), rb_partial_map(?, ?, 2, ?), rb_fold(3, ?, ?, ?).

% What is no tree is told, as SWI-Prolog tells it.
tree(Tree, Goal, Nil, Root) :-
    (   nonvar(Tree), Tree = t(Nil0, Root0), nonvar(Root0) -> Nil = Nil0, Root = Root0
    ;   throw(error(existence_error(matching_rule, rbtrees:Goal), _))
    ).

is_nil(black(L, _, _, _)) :- L == ''.

node(red(L, K, V, R), red, L, K, V, R).
node(black(L, K, V, R), black, L, K, V, R).

rb_new(t(Nil, Nil)) :- Nil = black('', _, _, '').
rb_empty(t(Nil, Nil)) :- Nil = black('', _, _, '').

rb_lookup(K, V, Tree) :- tree(Tree, rb_lookup(K, V, Tree), _, T), value(T, K, V).

value(T, K, V) :-
    node(T, _, L, K0, V0, R), L \== '',
    compare(Order, K, K0),
    value(Order, L, V0, R, K, V).
value(<, L, _, _, K, V) :- value(L, K, V).
value(=, _, V, _, _, V).
value(>, _, _, R, K, V) :- value(R, K, V).

rb_insert(Tree, K, V, t(Nil, T)) :-
    tree(Tree, rb_insert(Tree, K, V, _), Nil, T0),
    inserted(T0, K, V, Nil, T1),
    blackened(T1, T).

rb_insert_new(Tree, K, V, Tree1) :-
    tree(Tree, rb_insert_new(Tree, K, V, Tree1), _, T0),
    \+ value(T0, K, _),
    rb_insert(Tree, K, V, Tree1).

blackened(T0, black(L, K, V, R)) :- node(T0, _, L, K, V, R).

inserted(T0, K, V, Nil, T) :-
    node(T0, Colour, L, K0, V0, R),
    (   L == '' -> T = red(Nil, K, V, Nil)
    ;   compare(Order, K, K0), inserted(Order, Colour, L, K0, V0, R, K, V, Nil, T)
    ).
inserted(<, Colour, L0, K0, V0, R, K, V, Nil, T) :- inserted(L0, K, V, Nil, L), repaired_left(Colour, L, K0, V0, R, T).
inserted(>, Colour, L, K0, V0, R0, K, V, Nil, T) :- inserted(R0, K, V, Nil, R), repaired_right(Colour, L, K0, V0, R, T).
inserted(=, Colour, L, K, _, R, _, V, _, T) :- node(T, Colour, L, K, V, R).

% A black node whose left child is red and has a red child: colours move up where the other child is red too, else
% the three nodes are rotated.
repaired_left(black, L, K, V, R, T) :- two_red(L), !, repaired(R, L, K, V, T).
repaired_left(Colour, L, K, V, R, T) :- node(T, Colour, L, K, V, R).

repaired(red(A, KR, VR, B), L0, K, V, red(L, K, V, black(A, KR, VR, B))) :- !, blackened(L0, L).
repaired(R, red(A, KL, VL, red(B, KM, VM, C)), K, V, black(red(A, KL, VL, B), KM, VM, red(C, K, V, R))) :- !.
repaired(R, red(A, KL, VL, B), K, V, black(A, KL, VL, red(B, K, V, R))).

repaired_right(black, L, K, V, R, T) :- two_red(R), !, mirrored(L, K, V, R, T).
repaired_right(Colour, L, K, V, R, T) :- node(T, Colour, L, K, V, R).

mirrored(red(A, KL, VL, B), K, V, R0, red(black(A, KL, VL, B), K, V, R)) :- !, blackened(R0, R).
mirrored(L, K, V, red(red(A, KM, VM, B), KR, VR, C), black(red(L, K, V, A), KM, VM, red(B, KR, VR, C))) :- !.
mirrored(L, K, V, red(A, KR, VR, B), black(red(L, K, V, A), KR, VR, B)).

two_red(red(red(_, _, _, _), _, _, _)) :- !.
two_red(red(_, _, _, red(_, _, _, _))).

rb_update(Tree, K, V, t(Nil, T)) :-
    tree(Tree, rb_update(Tree, K, V, _), Nil, T0),
    updated(T0, K, _, V, T).
rb_update(Tree, K, V0, V, t(Nil, T)) :-
    tree(Tree, rb_update(Tree, K, V0, V, _), Nil, T0),
    updated(T0, K, V0, V, T).

rb_apply(Tree, K, Goal, t(Nil, T)) :-
    tree(Tree, rb_apply(Tree, K, Goal, _), Nil, T0),
    updated(T0, K, V0, V, T),
    call(Goal, V0, V), !.

updated(T0, K, V0, V, T) :-
    node(T0, Colour, L, K0, V1, R), L \== '',
    compare(Order, K, K0),
    updated(Order, Colour, L, K0, V1, R, K, V0, V, T).
updated(<, Colour, L0, K0, V1, R, K, V0, V, T) :- updated(L0, K, V0, V, L), node(T, Colour, L, K0, V1, R).
updated(>, Colour, L, K0, V1, R0, K, V0, V, T) :- updated(R0, K, V0, V, R), node(T, Colour, L, K0, V1, R).
updated(=, Colour, L, K, V0, R, _, V0, V, T) :- node(T, Colour, L, K, V, R).

rb_delete(Tree, K, t(Nil, T)) :-
    tree(Tree, rb_delete(Tree, K, _), Nil, T0),
    deleted(T0, K, _, T, _).
rb_delete(Tree, K, V, t(Nil, T)) :-
    tree(Tree, rb_delete(Tree, K, V, _), Nil, T0),
    deleted(T0, K, V, T, _).

% The last argument says whether the tree has lost a black node on each way to its leaves.
deleted(T0, K, V, T, Short) :-
    node(T0, Colour, L, K0, V0, R), L \== '',
    compare(Order, K, K0),
    deleted(Order, Colour, L, K0, V0, R, K, V, T, Short).
deleted(<, Colour, L0, K0, V0, R, K, V, T, Short) :-
    deleted(L0, K, V, L, Short0),
    left_shortened(Short0, Colour, L, K0, V0, R, T, Short).
deleted(>, Colour, L, K0, V0, R0, K, V, T, Short) :-
    deleted(R0, K, V, R, Short0),
    right_shortened(Short0, Colour, L, K0, V0, R, T, Short).
deleted(=, Colour, L, _, V, R, _, V, T, Short) :- joined(Colour, L, R, T, Short).

% What takes the place of a node: its only child, or its successor.
joined(Colour, L, R, T, Short) :-
    (   is_nil(L) -> promoted(R, Colour, T, Short)
    ;   is_nil(R) -> promoted(L, Colour, T, Short)
    ;   first(R, K, V, R1, Short0), right_shortened(Short0, Colour, L, K, V, R1, T, Short)
    ).

promoted(red(L, K, V, R), _, black(L, K, V, R), no) :- !.
promoted(Nil, Colour, Nil, Short) :- short(Colour, Short).

short(red, no).
short(black, yes).

first(T0, K, V, T, Short) :-
    node(T0, Colour, L0, K0, V0, R),
    (   is_nil(L0) -> K = K0, V = V0, joined(Colour, L0, R, T, Short)
    ;   first(L0, K, V, L, Short0), left_shortened(Short0, Colour, L, K0, V0, R, T, Short)
    ).

last(T0, K, V, T, Short) :-
    node(T0, Colour, L, K0, V0, R0),
    (   is_nil(R0) -> K = K0, V = V0, joined(Colour, L, R0, T, Short)
    ;   last(R0, K, V, R, Short0), right_shortened(Short0, Colour, L, K0, V0, R, T, Short)
    ).

left_shortened(no, Colour, L, K, V, R, T, no) :- node(T, Colour, L, K, V, R).
left_shortened(yes, Colour, L, K, V, R, T, Short) :- left_repaired(R, Colour, L, K, V, T, Short).

% By the sibling, the first argument.
left_repaired(red(A, KR, VR, B), _, L, K, V, black(T, KR, VR, B), no) :- !,
    left_repaired(A, red, L, K, V, T, _).
left_repaired(black(A, KR, VR, red(B, KB, VB, C)), Colour, L, K, V, T, no) :- !,
    node(T, Colour, black(L, K, V, A), KR, VR, black(B, KB, VB, C)).
left_repaired(black(red(A, KA, VA, B), KR, VR, C), Colour, L, K, V, T, no) :- !,
    node(T, Colour, black(L, K, V, A), KA, VA, black(B, KR, VR, C)).
left_repaired(black(A, KR, VR, B), Colour, L, K, V, black(L, K, V, red(A, KR, VR, B)), Short) :- short(Colour, Short).

right_shortened(no, Colour, L, K, V, R, T, no) :- node(T, Colour, L, K, V, R).
right_shortened(yes, Colour, L, K, V, R, T, Short) :- right_repaired(L, Colour, K, V, R, T, Short).

right_repaired(red(A, KL, VL, B), _, K, V, R, black(A, KL, VL, T), no) :- !,
    right_repaired(B, red, K, V, R, T, _).
right_repaired(black(red(A, KA, VA, B), KL, VL, C), Colour, K, V, R, T, no) :- !,
    node(T, Colour, black(A, KA, VA, B), KL, VL, black(C, K, V, R)).
right_repaired(black(A, KL, VL, red(B, KB, VB, C)), Colour, K, V, R, T, no) :- !,
    node(T, Colour, black(A, KL, VL, B), KB, VB, black(C, K, V, R)).
right_repaired(black(A, KL, VL, B), Colour, K, V, R, black(red(A, KL, VL, B), K, V, R), Short) :- short(Colour, Short).

rb_del_min(Tree, K, V, t(Nil, T)) :-
    tree(Tree, rb_del_min(Tree, K, V, _), Nil, T0),
    \+ is_nil(T0),
    first(T0, K, V, T, _).
rb_del_max(Tree, K, V, t(Nil, T)) :-
    tree(Tree, rb_del_max(Tree, K, V, _), Nil, T0),
    \+ is_nil(T0),
    last(T0, K, V, T, _).

rb_min(Tree, K, V) :- tree(Tree, rb_min(Tree, K, V), _, T), \+ is_nil(T), least(T, K, V).
rb_max(Tree, K, V) :- tree(Tree, rb_max(Tree, K, V), _, T), \+ is_nil(T), greatest(T, K, V).

least(T, K, V) :- node(T, _, L, K0, V0, _), ( is_nil(L) -> K = K0, V = V0 ; least(L, K, V) ).
greatest(T, K, V) :- node(T, _, _, K0, V0, R), ( is_nil(R) -> K = K0, V = V0 ; greatest(R, K, V) ).

rb_next(Tree, K, Next, V) :- tree(Tree, rb_next(Tree, K, Next, V), _, T), next(T, K, Next, V, none).
rb_previous(Tree, K, Previous, V) :-
    tree(Tree, rb_previous(Tree, K, Previous, V), _, T),
    previous(T, K, Previous, V, none).

% The key must be there. The last argument is the closest key so far on the way to it.
next(T, K, Next, V, Closest) :-
    node(T, _, L, K0, V0, R), L \== '',
    compare(Order, K, K0),
    (   Order = (<) -> next(L, K, Next, V, K0-V0)
    ;   Order = (>) -> next(R, K, Next, V, Closest)
    ;   is_nil(R) -> Closest = Next-V
    ;   least(R, Next, V)
    ).
previous(T, K, Previous, V, Closest) :-
    node(T, _, L, K0, V0, R), L \== '',
    compare(Order, K, K0),
    (   Order = (<) -> previous(L, K, Previous, V, Closest)
    ;   Order = (>) -> previous(R, K, Previous, V, K0-V0)
    ;   is_nil(L) -> Closest = Previous-V
    ;   greatest(L, Previous, V)
    ).

rb_visit(Tree, Pairs) :- tree(Tree, rb_visit(Tree, Pairs), _, T), pairs(T, Pairs, []).

pairs(T, Pairs0, Pairs) :-
    node(T, _, L, K, V, R),
    (   L == '' -> Pairs0 = Pairs
    ;   pairs(L, Pairs0, [K-V|Pairs1]), pairs(R, Pairs1, Pairs)
    ).

rb_keys(Tree, Keys) :- tree(Tree, rb_keys(Tree, Keys), _, T), pairs(T, Pairs, []), pairs_keys(Pairs, Keys).

rb_size(Tree, Size) :- tree(Tree, rb_size(Tree, Size), _, T), pairs(T, Pairs, []), length(Pairs, Size).

rb_in(K, V, Tree) :-
    tree(Tree, rb_in(K, V, Tree), _, T),
    (   ground(K) -> value(T, K, V)
    ;   pair_in(T, K, V)
    ).

pair_in(T, K, V) :- node(T, _, L, K0, V0, R), L \== '', pair_in(L, K0, V0, R, K, V).
pair_in(L, _, _, _, K, V) :- pair_in(L, K, V).
pair_in(_, K, V, _, K, V).
pair_in(_, _, _, R, K, V) :- pair_in(R, K, V).

rb_map(Tree, Goal) :- tree(Tree, rb_map(Tree, Goal), _, T), map(T, Goal).
rb_map(Tree, Goal, t(Nil, T)) :- tree(Tree, rb_map(Tree, Goal, _), Nil, T0), map(T0, Goal, Nil, T).

map(T, Goal) :-
    node(T, _, L, _, V, R),
    (   L == '' -> true
    ;   call(Goal, V), !, map(L, Goal), map(R, Goal)
    ).
map(T0, Goal, Nil, T) :-
    node(T0, Colour, L0, K, V0, R0),
    (   L0 == '' -> T = Nil
    ;   call(Goal, V0, V),
        node(T, Colour, L, K, V, R),
        map(L0, Goal, Nil, L),
        map(R0, Goal, Nil, R)
    ).

rb_partial_map(Tree, Keys, Goal, t(Nil, T)) :-
    tree(Tree, rb_partial_map(Tree, Keys, Goal, _), Nil, T0),
    partly(T0, Keys, Goal, Rest, T), Rest == [].

% Keys are in order; values for which the goal fails stay.
partly(T, [], _, [], T) :- !.
partly(T0, Keys0, Goal, Keys, T) :-
    node(T0, Colour, L0, K, V0, R0),
    (   L0 == '' -> Keys = Keys0, T = T0
    ;   partly(L0, Keys0, Goal, Keys1, L),
        (   Keys1 = [K1|Keys2], K1 == K
        ->  ( call(Goal, V0, V1) -> V = V1 ; V = V0 )
        ;   V = V0, Keys2 = Keys1
        ),
        partly(R0, Keys2, Goal, Keys, R),
        node(T, Colour, L, K, V, R)
    ).

rb_fold(Goal, Tree, State0, State) :-
    tree(Tree, rb_fold(Goal, Tree, State0, State), _, T),
    folded(T, Goal, State0, State).

folded(T, Goal, State0, State) :-
    node(T, _, L, K, V, R),
    (   L == '' -> State = State0
    ;   folded(L, Goal, State0, State1),
        call(Goal, K-V, State1, State2),
        folded(R, Goal, State2, State)
    ).

rb_clone(Tree, t(Nil, T), Pairs) :-
    tree(Tree, rb_clone(Tree, t(Nil, T), Pairs), Nil, T0),
    cloned(T0, Nil, T, Pairs, []).

cloned(T0, Nil, T, Pairs0, Pairs) :-
    node(T0, Colour, L0, K, _, R0),
    (   L0 == '' -> T = Nil, Pairs0 = Pairs
    ;   node(T, Colour, L, K, V, R),
        cloned(L0, Nil, L, Pairs0, [K-V|Pairs1]),
        cloned(R0, Nil, R, Pairs1, Pairs)
    ).

list_to_rbtree(Pairs, Tree) :- sort(Pairs, Sorted), ord_list_to_rbtree(Sorted, Tree).

% A tree whose levels are full but for the last, which is red.
ord_list_to_rbtree([], Tree) :- !, rb_new(Tree).
ord_list_to_rbtree([K-V], t(Nil, black(Nil, K, V, Nil))) :- !, Nil = black('', _, _, '').
ord_list_to_rbtree(Pairs, t(Nil, T)) :-
    Nil = black('', _, _, ''),
    length(Pairs, Count),
    Depth is msb(Count),
    built(Count, Depth, Nil, Pairs, [], T).

built(0, _, Nil, Pairs, Pairs, Nil) :- !.
built(Count, Depth, Nil, Pairs0, Pairs, T) :-
    LeftCount is (Count-1)//2,
    RightCount is Count-1-LeftCount,
    Depth1 is Depth-1,
    built(LeftCount, Depth1, Nil, Pairs0, [K-V|Pairs1], L),
    built(RightCount, Depth1, Nil, Pairs1, Pairs, R),
    ( Depth =:= 0 -> T = red(L, K, V, R) ; T = black(L, K, V, R) ).

is_rbtree(Tree) :- nonvar(Tree), Tree = t(_, T), nonvar(T), sound(T, none, none, black, _).

% Keys ascend, no red node has a red child, and each way to a leaf has the same number of black nodes.
sound(T, Low, High, Above, Depth) :-
    nonvar(T),
    node(T, Colour, L, K, _, R),
    (   L == '' -> Depth = 0
    ;   \+ ( Above == red, Colour == red ),
        ( Low = key(K1) -> K1 @< K ; true ),
        ( High = key(K2) -> K @< K2 ; true ),
        sound(L, Low, key(K), Colour, Depth0),
        sound(R, key(K), High, Colour, Depth0),
        ( Colour == black -> Depth is Depth0+1 ; Depth = Depth0 )
    ).
