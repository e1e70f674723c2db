% Operators and flags.

current_op(P, T, N) :- '$operators'(P, T, N, Ops), member(op(P, T, N), Ops).
set_prolog_flag(F, V) :- '$set_flag'(F, V).
