% Texts of atoms.

atom_concat(A, B, C) :- nonvar(A), nonvar(B), !, '$atom_concat'(A, B, C).
atom_concat(A, B, C) :- atom_codes(C, Cs), append(As, Bs, Cs), atom_codes(A, As), atom_codes(B, Bs).
atomic_list_concat(L, A) :- '$concat_all'(L, Cs), atom_codes(A, Cs).
'$concat_all'([], []).
'$concat_all'([X|Xs], Cs) :- '$concat_all'(Xs, Rest), '$codes'(X, Xc), append(Xc, Rest, Cs).
'$codes'(X, Cs) :- ( number(X) -> number_codes(X, Cs) ; atom_codes(X, Cs) ).
sub_atom(A, B, L, R, S) :-
    atom_codes(A, Cs),
    ( atom(S) ->
        atom_codes(S, Ss), append(Pre, Rest, Cs), append(Ss, Post, Rest)
    ;   append(Pre, Rest, Cs), append(Ss, Post, Rest)
    ),
    length(Pre, B), length(Ss, L), length(Post, R), atom_codes(S, Ss).
