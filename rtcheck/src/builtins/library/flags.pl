% Operators and flags.

current_op(P, T, N) :- '$operators'(P, T, N, Ops), member(op(P, T, N), Ops).
current_prolog_flag(F, V) :- '$flag_values'(F, Pairs), member(F-V, Pairs).
prolog_flag(F, V) :- current_prolog_flag(F, V).
prolog_flag(F, Old, New) :- current_prolog_flag(F, Old), set_prolog_flag(F, New).
current_char_conversion(X, Y) :-
    '$check_char'(X),
    '$check_char'(Y),
    ( var(X), nonvar(Y) -> ( '$char_conversions'(X0, Ps), member(X0-Y, Ps), X = X0
                           ; '$char_conversions'(Y, [_-Y]), X = Y )
    ; '$char_conversions'(X, Ps), member(X-Y, Ps)
    ).
'$check_char'(X) :- ( var(X) -> true ; atom(X), atom_length(X, 1) -> true ; type_error(character, X) ).
