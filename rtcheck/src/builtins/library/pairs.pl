% Lists of pairs Key-Value.

:- meta_predicate map_list_to_pairs(2, ?, ?).

pairs_keys_values([], [], []).
pairs_keys_values([K-V|T], [K|Ks], [V|Vs]) :- pairs_keys_values(T, Ks, Vs).
pairs_keys([], []).
pairs_keys([K-_|T], [K|Ks]) :- pairs_keys(T, Ks).
pairs_values([], []).
pairs_values([_-V|T], [V|Vs]) :- pairs_values(T, Vs).
transpose_pairs(Ps, Ts) :- '$flip_pairs'(Ps, Fs), keysort(Fs, Ts).
'$flip_pairs'([], []).
'$flip_pairs'([K-V|T], [V-K|R]) :- '$flip_pairs'(T, R).
map_list_to_pairs(P, L, Ps) :- '$keyed'(L, P, Ps).
'$keyed'([], _, []).
'$keyed'([X|Xs], P, [K-X|Ps]) :- call(P, X, K), '$keyed'(Xs, P, Ps).
group_pairs_by_key([], []).
group_pairs_by_key([K-V|Ps], [K-[V|Vs]|Gs]) :- '$same_key'(Ps, K, Vs, Rest), group_pairs_by_key(Rest, Gs).
'$same_key'([K1-V|Ps], K, [V|Vs], Rest) :- K1 == K, !, '$same_key'(Ps, K, Vs, Rest).
'$same_key'(Rest, _, [], Rest).
