:- module(base32, [base32/2, base32//1]).

% SWI-Prolog's library(base32): RFC 4648. Texts are bytes.

base32(Plain, Encoded) :-
    ( nonvar(Plain) ->
        atom_codes(Plain, Bytes), encoded(Bytes, Codes), atom_codes(Encoded, Codes)
    ; nonvar(Encoded) ->
        atom_codes(Encoded, Codes), decoded(Codes, Bytes), atom_codes(Plain, Bytes)
    ; throw(error(instantiation_error, _))
    ).

% The text that a list of codes encodes, or a text that is encoded.
base32(Plain, S0, S) :- nonvar(Plain), !, atom_codes(Plain, Bytes), encoded(Bytes, Codes), append(Codes, S, S0).
base32(Plain, S0, []) :- decoded(S0, Plain).

% Five bytes are eight digits; a rest is filled up with zeros, and its missing digits are `=`.
encoded([], []) :- !.
encoded(Bytes, Codes) :-
    taken(5, Bytes, Taken, Rest, Missing),
    foldl(joined, Taken, 0, Sum),
    Word is Sum << (8 * Missing),
    Digits is 8 - Missing * 8 // 5,
    digits(0, Digits, Word, Codes, More),
    encoded(Rest, More).

taken(0, Rest, [], Rest, 0) :- !.
taken(N, [], [], [], N) :- !.
taken(N, [B|Bs], [B|Taken], Rest, Missing) :- byte(B), N1 is N - 1, taken(N1, Bs, Taken, Rest, Missing).

byte(B) :- ( B =< 255 -> true ; throw(error(representation_error(encoding), _)) ).

joined(B, Sum0, Sum) :- Sum is Sum0 << 8 \/ B.

digits(8, _, _, Codes, Codes) :- !.
digits(I, Digits, Word, [C|Codes], More) :-
    ( I < Digits -> D is Word >> (5 * (7 - I)) /\ 31, digit(D, C) ; C = 0'= ),
    I1 is I + 1,
    digits(I1, Digits, Word, Codes, More).

digit(D, C) :- nonvar(D), !, ( D < 26 -> C is 0'A + D ; C is 0'2 + D - 26 ).
digit(D, C) :- ( C >= 0'A, C =< 0'Z -> D is C - 0'A ; C >= 0'2, C =< 0'7 -> D is C - 0'2 + 26 ).

decoded([], []) :- !.
decoded(Codes, Bytes) :-
    length(Eight, 8), append(Eight, Rest, Codes),
    foldl(valued, Eight, 0, Word),
    exclude(==(0'=), Eight, Digits), length(Digits, Length), Count is Length * 5 // 8,
    bytes(0, Count, Word, Bytes, More),
    decoded(Rest, More).

valued(C, Word0, Word) :- ( C == 0'= -> Word is Word0 << 5 ; digit(D, C), Word is Word0 << 5 \/ D ).

bytes(Count, Count, _, Bytes, Bytes) :- !.
bytes(I, Count, Word, [B|Bytes], More) :- B is Word >> (8 * (4 - I)) /\ 255, I1 is I + 1, bytes(I1, Count, Word, Bytes, More).
