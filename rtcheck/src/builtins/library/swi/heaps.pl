:- module(more_heaps, [min_of_heap/5, is_heap/1]).

% What SWI-Prolog's library(heaps) has besides.

min_of_heap(Heap, P1, K1, P2, K2) :- get_from_heap(Heap, P1, K1, Rest), min_of_heap(Rest, P2, K2).

is_heap(Heap) :- nonvar(Heap), Heap = heap(Tree, Size), integer(Size), Size >= 0, ( Tree == nil -> true ; nonvar(Tree), Tree = t(_, _, _) ).
