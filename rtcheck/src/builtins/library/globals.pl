% Global variables.

nb_setval(K, V) :- '$nb_set'(K, V).
b_setval(K, V) :- '$nb_set'(K, V).
b_getval(K, V) :- nb_getval(K, V).
