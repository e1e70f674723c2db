% Association lists: AVL trees t(Key, Value, Balance, Left, Right) and t. The balance is `>` where the right side is
% deeper, `<` where the left one is, `-` where both are as deep.

:- meta_predicate map_assoc(1, ?), map_assoc(2, ?, ?).

empty_assoc(t).

get_assoc(K, A, V) :-
    ( '$is_tree'(A) -> '$get_assoc'(A, K, V) ; var(A) -> instantiation_error(A) ; type_error(btree, A) ).
'$get_assoc'(t(K1, V1, _, L, R), K, V) :-
    compare(O, K, K1),
    ( O == (=) -> V = V1 ; O == (<) -> '$get_assoc'(L, K, V) ; '$get_assoc'(R, K, V) ).
% Otherwise a free variable would be every tree, one after the other.
'$is_tree'(A) :- nonvar(A), ( A = t(_, _, _, _, _) -> true ; A == t ).
'$tree'(A, Goal) :- ( '$is_tree'(A) -> true ; throw(error(existence_error(matching_rule, assoc:Goal), _)) ).

put_assoc(K, A, V, A1) :- '$tree'(A, put_assoc(K, A, V, A1)), '$put_assoc'(A, K, V, A1, _).
% The last argument says whether the tree became deeper.
'$put_assoc'(t, K, V, t(K, V, -, t, t), yes).
'$put_assoc'(t(K1, V1, B, L, R), K, V, A, Deeper) :-
    compare(O, K, K1),
    '$put_assoc'(O, K, V, K1, V1, B, L, R, A, Deeper).
'$put_assoc'(=, K, V, _, _, B, L, R, t(K, V, B, L, R), no).
'$put_assoc'(<, K, V, K1, V1, B, L, R, A, Deeper) :-
    '$put_assoc'(L, K, V, L1, LeftDeeper),
    ( LeftDeeper == no -> A = t(K1, V1, B, L1, R), Deeper = no
    ; B == (-) -> A = t(K1, V1, <, L1, R), Deeper = yes
    ; B == (>) -> A = t(K1, V1, -, L1, R), Deeper = no
    ; Deeper = no, '$rotate_right'(K1, V1, L1, R, A, _)
    ).
'$put_assoc'(>, K, V, K1, V1, B, L, R, A, Deeper) :-
    '$put_assoc'(R, K, V, R1, RightDeeper),
    ( RightDeeper == no -> A = t(K1, V1, B, L, R1), Deeper = no
    ; B == (-) -> A = t(K1, V1, >, L, R1), Deeper = yes
    ; B == (<) -> A = t(K1, V1, -, L, R1), Deeper = no
    ; Deeper = no, '$rotate_left'(K1, V1, L, R1, A, _)
    ).
% The left side is deeper by two. The last argument says whether the result is less deep than the tree was.
'$rotate_right'(K, V, t(K1, V1, B1, L1, R1), R, A, Shallower) :-
    ( B1 == (<) -> A = t(K1, V1, -, L1, t(K, V, -, R1, R)), Shallower = yes
    ; B1 == (-) -> A = t(K1, V1, >, L1, t(K, V, <, R1, R)), Shallower = no
    ; R1 = t(K2, V2, B2, L2, R2),
      '$inner_balance'(B2, BL, BR),
      A = t(K2, V2, -, t(K1, V1, BL, L1, L2), t(K, V, BR, R2, R)), Shallower = yes
    ).
'$rotate_left'(K, V, L, t(K1, V1, B1, L1, R1), A, Shallower) :-
    ( B1 == (>) -> A = t(K1, V1, -, t(K, V, -, L, L1), R1), Shallower = yes
    ; B1 == (-) -> A = t(K1, V1, <, t(K, V, >, L, L1), R1), Shallower = no
    ; L1 = t(K2, V2, B2, L2, R2),
      '$inner_balance'(B2, BL, BR),
      A = t(K2, V2, -, t(K, V, BL, L, L2), t(K1, V1, BR, R2, R1)), Shallower = yes
    ).
'$inner_balance'(>, <, -).
'$inner_balance'(<, -, >).
'$inner_balance'(-, -, -).

del_assoc(K, A, V, A1) :- '$tree'(A, del_assoc(K, A, V, A1)), '$del_assoc'(A, K, V, A1, _).
'$del_assoc'(t(K1, V1, B, L, R), K, V, A, Shallower) :-
    compare(O, K, K1),
    '$del_assoc'(O, K, V, K1, V1, B, L, R, A, Shallower).
'$del_assoc'(=, _, V, _, V, B, L, R, A, Shallower) :-
    ( L == t -> A = R, Shallower = yes
    ; R == t -> A = L, Shallower = yes
    ; B == (>) -> '$del_min'(R, K2, V2, R1, RightShallower),
      '$right_shallower'(RightShallower, K2, V2, B, L, R1, A, Shallower)
    ; '$del_max'(L, K2, V2, L1, LeftShallower),
      '$left_shallower'(LeftShallower, K2, V2, B, L1, R, A, Shallower)
    ).
'$del_assoc'(<, K, V, K1, V1, B, L, R, A, Shallower) :-
    '$del_assoc'(L, K, V, L1, LeftShallower),
    '$left_shallower'(LeftShallower, K1, V1, B, L1, R, A, Shallower).
'$del_assoc'(>, K, V, K1, V1, B, L, R, A, Shallower) :-
    '$del_assoc'(R, K, V, R1, RightShallower),
    '$right_shallower'(RightShallower, K1, V1, B, L, R1, A, Shallower).
'$left_shallower'(no, K, V, B, L, R, t(K, V, B, L, R), no).
'$left_shallower'(yes, K, V, B, L, R, A, Shallower) :-
    ( B == (<) -> A = t(K, V, -, L, R), Shallower = yes
    ; B == (-) -> A = t(K, V, >, L, R), Shallower = no
    ; '$rotate_left'(K, V, L, R, A, Shallower)
    ).
'$right_shallower'(no, K, V, B, L, R, t(K, V, B, L, R), no).
'$right_shallower'(yes, K, V, B, L, R, A, Shallower) :-
    ( B == (>) -> A = t(K, V, -, L, R), Shallower = yes
    ; B == (-) -> A = t(K, V, <, L, R), Shallower = no
    ; '$rotate_right'(K, V, L, R, A, Shallower)
    ).
del_min_assoc(A, K, V, A1) :- '$tree'(A, del_min_assoc(A, K, V, A1)), '$del_min'(A, K, V, A1, _).
'$del_min'(t(K1, V1, B, L, R), K, V, A, Shallower) :-
    ( L == t -> K = K1, V = V1, A = R, Shallower = yes
    ; '$del_min'(L, K, V, L1, LeftShallower),
      '$left_shallower'(LeftShallower, K1, V1, B, L1, R, A, Shallower)
    ).
del_max_assoc(A, K, V, A1) :- '$tree'(A, del_max_assoc(A, K, V, A1)), '$del_max'(A, K, V, A1, _).
'$del_max'(t(K1, V1, B, L, R), K, V, A, Shallower) :-
    ( R == t -> K = K1, V = V1, A = L, Shallower = yes
    ; '$del_max'(R, K, V, R1, RightShallower),
      '$right_shallower'(RightShallower, K1, V1, B, L, R1, A, Shallower)
    ).

list_to_assoc(L, A) :-
    must_be(list, L),
    '$must_be_pairs'(L),
    keysort(L, S),
    ( '$ascending_keys'(S) -> true ; domain_error(unique_key_pairs, L) ),
    length(S, N),
    '$pairs_to_assoc'(N, S, [], _, A).
ord_list_to_assoc(L, A) :-
    must_be(list, L),
    '$must_be_pairs'(L),
    ( '$ascending_keys'(L) -> true ; domain_error(key_ordered_pairs, L) ),
    length(L, N),
    '$pairs_to_assoc'(N, L, [], _, A).
'$must_be_pairs'([]).
'$must_be_pairs'([P|Ps]) :- ( nonvar(P), P = _-_ -> true ; must_be(pair, P) ), '$must_be_pairs'(Ps).
'$ascending_keys'([]).
'$ascending_keys'([K-_|Ps]) :- '$ascending_keys'(Ps, K).
'$ascending_keys'([], _).
'$ascending_keys'([K-_|Ps], K0) :- K0 @< K, '$ascending_keys'(Ps, K).
% A tree of the first N pairs, the left side at least as large as the right one.
'$pairs_to_assoc'(0, Ps, Ps, 0, t) :- !.
'$pairs_to_assoc'(N, Ps0, Ps, D, t(K, V, B, L, R)) :-
    NL is N // 2, NR is N - 1 - NL,
    '$pairs_to_assoc'(NL, Ps0, [K-V|Ps1], DL, L),
    '$pairs_to_assoc'(NR, Ps1, Ps, DR, R),
    D is DL + 1,
    ( DL =:= DR -> B = (-) ; B = (<) ).
assoc_to_list(A, L) :- '$tree'(A, assoc_to_list(A, L)), '$assoc_list'(A, L, []).
'$assoc_list'(t, Ps, Ps).
'$assoc_list'(t(K, V, _, L, R), Ps0, Ps) :- '$assoc_list'(L, Ps0, [K-V|Ps1]), '$assoc_list'(R, Ps1, Ps).
assoc_to_keys(A, Ks) :- assoc_to_list(A, Ps), pairs_keys(Ps, Ks).
assoc_to_values(A, Vs) :- assoc_to_list(A, Ps), pairs_values(Ps, Vs).
min_assoc(A, K, V) :- '$tree'(A, min_assoc(A, K, V)), '$min_assoc'(A, K, V).
'$min_assoc'(t(K1, V1, _, L, _), K, V) :- ( L == t -> K = K1, V = V1 ; '$min_assoc'(L, K, V) ).
max_assoc(A, K, V) :- '$tree'(A, max_assoc(A, K, V)), '$max_assoc'(A, K, V).
'$max_assoc'(t(K1, V1, _, _, R), K, V) :- ( R == t -> K = K1, V = V1 ; '$max_assoc'(R, K, V) ).
gen_assoc(K, A, V) :- ( ground(K) -> get_assoc(K, A, V) ; '$tree'(A, gen_assoc(K, A, V)), '$gen_assoc'(A, K, V) ).
'$gen_assoc'(t(_, _, _, L, _), K, V) :- '$gen_assoc'(L, K, V).
'$gen_assoc'(t(K, V, _, _, _), K, V).
'$gen_assoc'(t(_, _, _, _, R), K, V) :- '$gen_assoc'(R, K, V).
map_assoc(P, A) :- '$tree'(A, map_assoc(P, A)), '$map_assoc'(A, P).
'$map_assoc'(t, _).
'$map_assoc'(t(_, V, _, L, R), P) :- '$map_assoc'(L, P), call(P, V), '$map_assoc'(R, P).
map_assoc(P, A, B) :- '$map_assoc'(A, P, B).
'$map_assoc'(t, _, t).
'$map_assoc'(t(K, V, B, L, R), P, t(K, W, B, L1, R1)) :-
    '$map_assoc'(L, P, L1), call(P, V, W), '$map_assoc'(R, P, R1).
is_assoc(A) :- '$is_assoc'(A, _, _, _).
% Depth, least and greatest key.
'$is_assoc'(A, 0, none, none) :- A == t, !.
'$is_assoc'(A, D, Min, Max) :-
    nonvar(A), A = t(K, _, B, L, R),
    '$is_assoc'(L, DL, MinL, MaxL), '$is_assoc'(R, DR, MinR, MaxR),
    ( MaxL == none -> Min = K ; MaxL @< K, Min = MinL ),
    ( MinR == none -> Max = K ; K @< MinR, Max = MaxR ),
    Difference is DR - DL, '$balance'(Difference, B0), B == B0,
    D is max(DL, DR) + 1.
'$balance'(0, -).
'$balance'(1, >).
'$balance'(-1, <).
