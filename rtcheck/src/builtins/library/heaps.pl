% Priority queues: pairing heaps heap(Tree, Size), a tree being t(Key, Priority, Trees) or nil.

empty_heap(heap(nil, 0)).
singleton_heap(heap(t(K, P, []), 1), P, K).
add_to_heap(heap(T0, N0), P, K, heap(T, N)) :- N is N0 + 1, '$meld'(T0, t(K, P, []), T).
get_from_heap(heap(t(K, P, Ts), N0), P, K, heap(T, N)) :- N is N0 - 1, '$meld_pairs'(Ts, nil, T).
min_of_heap(heap(t(K, P, _), _), P, K).
peek_at_heap(H, P, K) :- min_of_heap(H, P, K).
heap_size(heap(_, N), N).
merge_heaps(heap(A, N), heap(B, M), heap(C, S)) :- S is N + M, '$meld'(A, B, C).
list_to_heap(L, H) :- empty_heap(H0), '$list_to_heap'(L, H0, H).
'$list_to_heap'([], H, H).
'$list_to_heap'([P-K|L], H0, H) :- add_to_heap(H0, P, K, H1), '$list_to_heap'(L, H1, H).
heap_to_list(H, L) :- ( get_from_heap(H, P, K, H1) -> L = [P-K|L1], heap_to_list(H1, L1) ; L = [] ).
delete_from_heap(H, P, K, H1) :-
    heap_to_list(H, L), select(P-K, L, L1), !, list_to_heap(L1, H1).
'$meld'(nil, T, T) :- !.
'$meld'(T, nil, T) :- !.
'$meld'(t(K1, P1, T1), t(K2, P2, T2), T) :-
    ( P2 @< P1 -> T = t(K2, P2, [t(K1, P1, T1)|T2]) ; T = t(K1, P1, [t(K2, P2, T2)|T1]) ).
% Pairs from the left, then all of them together.
'$meld_pairs'([], T, T).
'$meld_pairs'([A|Ts], T0, T) :-
    ( Ts = [B|Rest] -> '$meld'(A, B, C), '$meld'(C, T0, T1), '$meld_pairs'(Rest, T1, T) ; '$meld'(A, T0, T) ).
