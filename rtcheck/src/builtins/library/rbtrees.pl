% The predicates of library(rbtrees), on the trees of library(assoc): what they promise is the same.

:- meta_predicate rb_apply(?, ?, 2, ?), rb_map(?, 2, ?), rb_map(?, 1), rb_fold(3, ?, ?, ?).

rb_new(t).
rb_empty(t).
rb_lookup(K, V, T) :- '$tree'(T, rb_lookup(K, V, T)), '$get_assoc'(T, K, V).
rb_insert(T, K, V, T1) :- put_assoc(K, T, V, T1).
rb_insert_new(T, K, V, T1) :- '$tree'(T, rb_insert_new(T, K, V, T1)), \+ get_assoc(K, T, _), put_assoc(K, T, V, T1).
rb_update(T, K, V, T1) :- '$tree'(T, rb_update(T, K, V, T1)), get_assoc(K, T, _), put_assoc(K, T, V, T1).
rb_update(T, K, V0, V, T1) :- '$tree'(T, rb_update(T, K, V0, V, T1)), get_assoc(K, T, V0), put_assoc(K, T, V, T1).
rb_apply(T, K, P, T1) :- '$tree'(T, rb_apply(T, K, P, T1)), get_assoc(K, T, V0), call(P, V0, V), !, put_assoc(K, T, V, T1).
rb_delete(T, K, T1) :- del_assoc(K, T, _, T1).
rb_delete(T, K, V, T1) :- del_assoc(K, T, V, T1).
rb_del_min(T, K, V, T1) :- del_min_assoc(T, K, V, T1).
rb_del_max(T, K, V, T1) :- del_max_assoc(T, K, V, T1).
rb_visit(T, Ps) :- assoc_to_list(T, Ps).
rb_keys(T, Ks) :- assoc_to_keys(T, Ks).
rb_map(T, P, T1) :- map_assoc(P, T, T1).
rb_map(T, P) :- map_assoc(P, T).
rb_fold(P, T, S0, S) :- assoc_to_list(T, Ps), foldl(P, Ps, S0, S).
rb_min(T, K, V) :- min_assoc(T, K, V).
rb_max(T, K, V) :- max_assoc(T, K, V).
rb_size(T, N) :- assoc_to_keys(T, Ks), length(Ks, N).
rb_in(K, V, T) :- '$tree'(T, rb_in(K, V, T)), gen_assoc(K, T, V).
list_to_rbtree(Ps, T) :- '$put_pairs'(Ps, t, T).
ord_list_to_rbtree(Ps, T) :- '$put_pairs'(Ps, t, T).
'$put_pairs'([], T, T).
'$put_pairs'([K-V|Ps], T0, T) :- put_assoc(K, T0, V, T1), '$put_pairs'(Ps, T1, T).
is_rbtree(T) :- is_assoc(T).
