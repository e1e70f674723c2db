% Grammar rules for lists of character codes, as in SWI-Prolog's library(dcg/basics), written as the clauses that they stand
% for: compiling one must run no goal.

blank([C|S0], S1) :- '$char_class'(space, C, _), S0 = S1.
blanks(S0, S1) :- blank(S0, S2), !, blanks(S2, S1).
blanks(S, S).
white([C|S0], S1) :- '$char_class'(white, C, _), S0 = S1.
whites(S0, S1) :- white(S0, S2), !, whites(S2, S1).
whites(S, S).
nonblank(C, [C|S0], S1) :- integer(C), \+ '$char_class'(space, C, _), S0 = S1.
nonblanks([C|Cs], S0, S1) :- nonblank(C, S0, S2), !, nonblanks(Cs, S2, S1).
nonblanks([], S, S).
blanks_to_nl([C|S0], S1) :- C =\= 0'\n, '$char_class'(space, C, _), !, blanks_to_nl(S0, S1).
blanks_to_nl([0'\n|S0], S1) :- !, S0 = S1.
blanks_to_nl(S0, S1) :- eos(S0, S1).
string([], S, S).
string([C|Cs], [C|S0], S1) :- string(Cs, S0, S1).
string_without(Ends, Cs, S0, S1) :- '$text_codes'(Ends, Codes), '$string_without'(Cs, Codes, S0, S1).
'$string_without'([C|Cs], Ends, [C|S0], S1) :- \+ memberchk(C, Ends), !, '$string_without'(Cs, Ends, S0, S1).
'$string_without'([], _, S, S).
alpha_to_lower(L, [C|S0], S1) :- integer(C), '$char_class'(alpha, C, _), '$char_class'('to_lower/1', C, L), S0 = S1.
digits([D|Ds], S0, S1) :- digit(D, S0, S2), !, digits(Ds, S2, S1).
digits([], S, S).
digit(D, [D|S0], S1) :- '$char_class'('digit/1', D, _), S0 = S1.
integer(I, Head, Tail) :-
    ( nonvar(I) -> number_codes(I, Cs), append(Cs, Tail, Head)
    ; '$dcg_int_codes'(Cs, Head, Tail), number_codes(I, Cs)
    ).
'$dcg_int_codes'([0'-, D|Ds], [0'-|S0], S1) :- !, '$dcg_digits'(D, Ds, S0, S1).
'$dcg_int_codes'([D|Ds], [0'+|S0], S1) :- !, '$dcg_digits'(D, Ds, S0, S1).
'$dcg_int_codes'([D|Ds], S0, S1) :- '$dcg_digits'(D, Ds, S0, S1).
'$dcg_digits'(D, Ds, S0, S1) :- digit(D, S0, S2), digits(Ds, S2, S1).
float(F, Head, Tail) :-
    ( nonvar(F) -> number_codes(F, Cs), append(Cs, Tail, Head)
    ; '$dcg_number_codes'(Cs, Head, Tail), number_codes(F0, Cs), F is float(F0)
    ).
number(N, Head, Tail) :-
    ( nonvar(N) -> number_codes(N, Cs), append(Cs, Tail, Head)
    ; '$dcg_number_codes'(Cs, Head, Tail), number_codes(N, Cs)
    ).
'$dcg_number_codes'(Cs, S0, S1) :-
    '$dcg_int_codes'(I, S0, S2),
    '$dcg_fraction'(F, S2, S3),
    '$dcg_exponent'(F, E, S3, S4),
    append([I, F, E], Cs),
    S4 = S1.
'$dcg_fraction'([0'., D|Ds], [0'.|S0], S1) :- digit(D, S0, S2), !, digits(Ds, S2, S1).
'$dcg_fraction'([], S, S).
'$dcg_exponent'(F, Cs, [E|S0], S1) :-
    ( E == 0'e ; E == 0'E ),
    '$dcg_int_codes'(I, S0, S2),
    !,
    ( F == [] -> Cs = [0'., 0'0, 0'e|I] ; Cs = [0'e|I] ),
    S2 = S1.
'$dcg_exponent'(_, [], S, S).
xinteger(V, Head, Tail) :-
    ( nonvar(V) -> '$hexadecimal'(V, [], Cs), append(Cs, Tail, Head) ; '$xinteger'(V, Head, Tail) ).
'$hexadecimal'(V, Cs0, Cs) :-
    D is V mod 16, V1 is V // 16,
    ( D < 10 -> C is 0'0 + D ; C is 0'a + D - 10 ),
    ( V1 =:= 0 -> Cs = [C|Cs0] ; '$hexadecimal'(V1, [C|Cs0], Cs) ).
'$xinteger'(V, S0, S1) :- xdigit(D, S0, S2), '$xinteger'(D, V, S2, S1).
'$xinteger'(V0, V, S0, S1) :- xdigit(D, S0, S2), !, V1 is V0 * 16 + D, '$xinteger'(V1, V, S2, S1).
'$xinteger'(V, V, S, S).
xdigit(W, [C|S0], S1) :- '$char_class'('xdigit/1', C, W), S0 = S1.
xdigits([W|Ws], S0, S1) :- xdigit(W, S0, S2), !, xdigits(Ws, S2, S1).
xdigits([], S, S).
eos([], []).
eol([0'\n|S0], S1) :- !, S0 = S1.
eol([0'\r, 0'\n|S0], S1) :- !, S0 = S1.
eol(S0, S1) :- eos(S0, S1).
remainder(R, R, []).
prolog_symbol(S, [C|S0], S1) :-
    '$char_class'(prolog_symbol, C, _),
    '$prolog_symbols'(Cs, S0, S2),
    atom_codes(S, [C|Cs]),
    S2 = S1.
'$prolog_symbols'([C|Cs], [C|S0], S1) :- '$char_class'(prolog_symbol, C, _), !, '$prolog_symbols'(Cs, S0, S1).
'$prolog_symbols'([], S, S).
csym(C, [C|S0], S1) :- '$char_class'(csym, C, _), S0 = S1.
csyms([C|Cs], S0, S1) :- csym(C, S0, S2), !, csyms(Cs, S2, S1).
csyms([], S, S).
prolog_var_name(N, [C|S0], S1) :-
    '$char_class'(prolog_var_start, C, _),
    !,
    csyms(Cs, S0, S2),
    atom_codes(N, [C|Cs]),
    S2 = S1.
atom(A, Head, Tail) :- must_be(atomic, A), atom_codes(A, Cs), append(Cs, Tail, Head).
