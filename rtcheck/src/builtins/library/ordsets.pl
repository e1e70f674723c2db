% Ordered sets: lists in the standard order without duplicates.

is_ordset(L) :- is_list(L), '$is_ordered'(L).
'$is_ordered'([]).
'$is_ordered'([X|Xs]) :- '$is_ordered'(Xs, X).
'$is_ordered'([], _).
'$is_ordered'([Y|Ys], X) :- X @< Y, '$is_ordered'(Ys, Y).
ord_empty([]).
list_to_ord_set(L, S) :- sort(L, S).
ord_memberchk(X, [Y|Ys]) :- compare(O, X, Y), ( O == (=) -> true ; O == (>) -> ord_memberchk(X, Ys) ).
ord_insert(S, X, S2) :- ord_add_element(S, X, S2).
ord_add_element(S, X, S2) :- '$ord_add'(S, X, S2).
'$ord_add'([], X, [X]).
'$ord_add'([Y|Ys], X, S) :-
    compare(O, X, Y),
    ( O == (>) -> S = [Y|S1], '$ord_add'(Ys, X, S1) ; O == (=) -> S = [Y|Ys] ; S = [X, Y|Ys] ).
ord_del_element([], _, []).
ord_del_element([Y|Ys], X, S) :-
    compare(O, X, Y),
    ( O == (>) -> S = [Y|S1], ord_del_element(Ys, X, S1) ; O == (=) -> S = Ys ; S = [Y|Ys] ).
ord_selectchk(X, S, R) :- '$ord_select'(S, X, R).
'$ord_select'([Y|Ys], X, R) :-
    compare(O, X, Y),
    ( O == (>) -> R = [Y|R1], '$ord_select'(Ys, X, R1) ; O == (=), R = Ys ).
ord_union(Sets, S) :- '$ends'(Sets, T, ordsets, ord_union(T, _)), append(Sets, L), sort(L, S).
ord_union(A, B, S) :- '$ends'(A, T, ordsets, ord_union(T, B, _)), '$ord_union'(A, B, S).
'$ord_union'([], B, B).
'$ord_union'([X|Xs], B, S) :- '$ord_union'(B, X, Xs, S).
'$ord_union'([], X, Xs, [X|Xs]).
'$ord_union'([Y|Ys], X, Xs, S) :-
    compare(O, X, Y),
    ( O == (<) -> S = [X|S1], '$ord_union'(Xs, Y, Ys, S1)
    ; O == (>) -> S = [Y|S1], '$ord_union'(Ys, X, Xs, S1)
    ; S = [X|S1], '$ord_union'(Xs, Ys, S1)
    ).
% ord_union(Old, New, Union, Added)
ord_union([], B, B, B).
ord_union([X|Xs], B, S, New) :- '$ord_union'(B, X, Xs, S, New).
'$ord_union'([], X, Xs, [X|Xs], []).
'$ord_union'([Y|Ys], X, Xs, S, New) :-
    compare(O, X, Y),
    ( O == (<) -> S = [X|S1], ord_union(Xs, [Y|Ys], S1, New)
    ; O == (>) -> S = [Y|S1], New = [Y|New1], '$ord_union'(Ys, X, Xs, S1, New1)
    ; S = [X|S1], ord_union(Xs, Ys, S1, New)
    ).
ord_subtract(A, B, S) :- '$ends'(A, T, ordsets, ord_subtract(T, B, _)), '$ord_subtract'(A, B, S).
'$ord_subtract'([], _, []).
'$ord_subtract'([X|Xs], B, S) :- '$ord_subtract'(B, X, Xs, S).
'$ord_subtract'([], X, Xs, [X|Xs]).
'$ord_subtract'([Y|Ys], X, Xs, S) :-
    compare(O, X, Y),
    ( O == (<) -> S = [X|S1], '$ord_subtract'(Xs, [Y|Ys], S1)
    ; O == (>) -> '$ord_subtract'(Ys, X, Xs, S)
    ; '$ord_subtract'(Xs, Ys, S)
    ).
ord_intersection([], _, []).
ord_intersection([X|Xs], B, S) :- '$ord_intersection'(B, X, Xs, S).
'$ord_intersection'([], _, _, []).
'$ord_intersection'([Y|Ys], X, Xs, S) :-
    compare(O, X, Y),
    ( O == (<) -> '$ord_intersection'(Xs, Y, Ys, S)
    ; O == (>) -> '$ord_intersection'(Ys, X, Xs, S)
    ; S = [X|S1], ord_intersection(Xs, Ys, S1)
    ).
ord_intersection(Sets, I) :- '$skip_list'(_, Sets, T), ( T == [] -> true ; type_error(list, Sets) ), Sets = [S|Ss], foldl(ord_intersection, Ss, S, I).
% ord_intersection(A, B, Both, OnlyB)
ord_intersection(A, B, Both, OnlyB) :- ord_intersection(A, B, Both), ord_subtract(B, A, OnlyB).
ord_intersect(A, B) :- \+ ord_disjoint(A, B).
ord_disjoint([], _).
ord_disjoint([X|Xs], B) :- '$ord_disjoint'(B, X, Xs).
'$ord_disjoint'([], _, _).
'$ord_disjoint'([Y|Ys], X, Xs) :-
    compare(O, X, Y),
    ( O == (<) -> '$ord_disjoint'(Xs, Y, Ys) ; O == (>) -> '$ord_disjoint'(Ys, X, Xs) ).
ord_subset([], _).
ord_subset([X|Xs], [Y|Ys]) :-
    compare(O, X, Y),
    ( O == (=) -> ord_subset(Xs, Ys) ; O == (>) -> ord_subset([X|Xs], Ys) ).
ord_seteq(A, B) :- A == B.
ord_symdiff([], B, B).
ord_symdiff([X|Xs], B, S) :- '$ord_symdiff'(B, X, Xs, S).
'$ord_symdiff'([], X, Xs, [X|Xs]).
'$ord_symdiff'([Y|Ys], X, Xs, S) :-
    compare(O, X, Y),
    ( O == (<) -> S = [X|S1], '$ord_symdiff'(Xs, Y, Ys, S1)
    ; O == (>) -> S = [Y|S1], '$ord_symdiff'(Ys, X, Xs, S1)
    ; ord_symdiff(Xs, Ys, S)
    ).
ord_product([], _, []).
ord_product([X|Xs], B, S) :- '$ord_product'(B, X, Xs, B, S).
'$ord_product'([], _, Xs, B, S) :- ord_product(Xs, B, S).
'$ord_product'([Y|Ys], X, Xs, B, [X-Y|S]) :- '$ord_product'(Ys, X, Xs, B, S).
% Names in Ciao's library(sets).
insert(S, X, S2) :- ord_add_element(S, X, S2).
merge(A, B, S) :- ord_union(A, B, S).
ord_delete(S, X, R) :- ord_del_element(S, X, R).
ord_union_diff(Old, New, Union, Added) :- ord_union(Old, New, Union, Added).
setproduct(A, B, S) :- ord_product(A, B, S).
