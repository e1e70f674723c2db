% Grammar rules for lists of character codes, as in SWI-Prolog's library(dcg/basics).

blank --> [C], { '$char_class'(space, C, _) }.
blanks --> blank, !, blanks.
blanks --> [].
white --> [C], { '$char_class'(white, C, _) }.
whites --> white, !, whites.
whites --> [].
nonblank(C) --> [C], { integer(C), \+ '$char_class'(space, C, _) }.
nonblanks([C|Cs]) --> nonblank(C), !, nonblanks(Cs).
nonblanks([]) --> [].
blanks_to_nl --> [C], { C =\= 0'\n, '$char_class'(space, C, _) }, !, blanks_to_nl.
blanks_to_nl --> "\n", !.
blanks_to_nl --> eos.
string([]) --> [].
string([C|Cs]) --> [C], string(Cs).
string_without(Ends, Cs) --> { '$text_codes'(Ends, Codes) }, '$string_without'(Cs, Codes).
'$string_without'([C|Cs], Ends) --> [C], { \+ memberchk(C, Ends) }, !, '$string_without'(Cs, Ends).
'$string_without'([], _) --> [].
alpha_to_lower(L) --> [C], { integer(C), '$char_class'(alpha, C, _), '$char_class'('to_lower/1', C, L) }.
digits([D|Ds]) --> digit(D), !, digits(Ds).
digits([]) --> [].
digit(D) --> [D], { '$char_class'('digit/1', D, _) }.
integer(I, Head, Tail) :-
    ( nonvar(I) -> number_codes(I, Cs), append(Cs, Tail, Head)
    ; '$dcg_int_codes'(Cs, Head, Tail), number_codes(I, Cs)
    ).
'$dcg_int_codes'([0'-, D|Ds]) --> "-", !, '$dcg_digits'(D, Ds).
'$dcg_int_codes'([D|Ds]) --> "+", !, '$dcg_digits'(D, Ds).
'$dcg_int_codes'([D|Ds]) --> '$dcg_digits'(D, Ds).
'$dcg_digits'(D, Ds) --> digit(D), digits(Ds).
float(F, Head, Tail) :-
    ( nonvar(F) -> number_codes(F, Cs), append(Cs, Tail, Head)
    ; '$dcg_number_codes'(Cs, Head, Tail), number_codes(F0, Cs), F is float(F0)
    ).
number(N, Head, Tail) :-
    ( nonvar(N) -> number_codes(N, Cs), append(Cs, Tail, Head)
    ; '$dcg_number_codes'(Cs, Head, Tail), number_codes(N, Cs)
    ).
'$dcg_number_codes'(Cs) --> '$dcg_int_codes'(I), '$dcg_fraction'(F), '$dcg_exponent'(F, E), { append([I, F, E], Cs) }.
'$dcg_fraction'([0'., D|Ds]) --> ".", digit(D), !, digits(Ds).
'$dcg_fraction'([]) --> [].
'$dcg_exponent'(F, Cs) -->
    [E], { E == 0'e ; E == 0'E }, '$dcg_int_codes'(I), !,
    { F == [] -> Cs = [0'., 0'0, 0'e|I] ; Cs = [0'e|I] }.
'$dcg_exponent'(_, []) --> [].
xinteger(V, Head, Tail) :-
    ( nonvar(V) -> '$hexadecimal'(V, [], Cs), append(Cs, Tail, Head) ; '$xinteger'(V, Head, Tail) ).
'$hexadecimal'(V, Cs0, Cs) :-
    D is V mod 16, V1 is V // 16,
    ( D < 10 -> C is 0'0 + D ; C is 0'a + D - 10 ),
    ( V1 =:= 0 -> Cs = [C|Cs0] ; '$hexadecimal'(V1, [C|Cs0], Cs) ).
'$xinteger'(V) --> xdigit(D), '$xinteger'(D, V).
'$xinteger'(V0, V) --> xdigit(D), !, { V1 is V0 * 16 + D }, '$xinteger'(V1, V).
'$xinteger'(V, V) --> [].
xdigit(W) --> [C], { '$char_class'('xdigit/1', C, W) }.
xdigits([W|Ws]) --> xdigit(W), !, xdigits(Ws).
xdigits([]) --> [].
eos([], []).
eol --> "\n", !.
eol --> "\r\n", !.
eol --> eos.
remainder(R, R, []).
prolog_symbol(S) --> [C], { '$char_class'(prolog_symbol, C, _) }, '$prolog_symbols'(Cs), { atom_codes(S, [C|Cs]) }.
'$prolog_symbols'([C|Cs]) --> [C], { '$char_class'(prolog_symbol, C, _) }, !, '$prolog_symbols'(Cs).
'$prolog_symbols'([]) --> [].
csym(C) --> [C], { '$char_class'(csym, C, _) }.
csyms([C|Cs]) --> csym(C), !, csyms(Cs).
csyms([]) --> [].
prolog_var_name(N) -->
    [C], { '$char_class'(prolog_var_start, C, _) }, !, csyms(Cs), { atom_codes(N, [C|Cs]) }.
atom(A, Head, Tail) :- must_be(atomic, A), atom_codes(A, Cs), append(Cs, Tail, Head).
