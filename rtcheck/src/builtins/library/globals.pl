% Global variables. Those set by nb_setval/2 are copies that survive backtracking.

nb_setval(K, V) :- '$nb_set'(K, V).
b_setval(K, V) :- '$b_set'(K, V).
b_getval(K, V) :- nb_getval(K, V).
nb_current(K, V) :- ( atom(K) -> '$nb_is'(K), nb_getval(K, V) ; '$nb_keys'(Ks), member(K, Ks), nb_getval(K, V) ).
