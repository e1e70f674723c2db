:- module(base64,
    [base64/2, base64//1, base64url/2, base64url//1, base64_encoded/2, base64_encoded/3]).

% SWI-Prolog's library(base64): RFC 4648, with the alphabet for URLs (no padding) as well. Texts are taken as bytes by
% base64/2 and in UTF-8 by base64_encoded/2,3.

base64(Plain, Encoded) :- coded(Plain, Encoded, standard).

base64url(Plain, Encoded) :- coded(Plain, Encoded, url).

coded(Plain, Encoded, Alphabet) :-
    ( nonvar(Plain) ->
        text_to_codes(Plain, Bytes), bytes(Bytes, Plain),
        encoded(Bytes, Alphabet, Codes), atom_codes(Encoded, Codes)
    ; nonvar(Encoded) ->
        text_to_codes(Encoded, Codes), ( Alphabet == url -> true ; padded(true, Codes) ),
        decoded(Codes, Alphabet, Bytes), atom_codes(Plain, Bytes)
    ; throw(error(instantiation_error, _))
    ).

bytes([], _).
bytes([B|Bs], Text) :-
    ( B =< 255 -> true ; throw(error(representation_error(encoding), _)) ),
    bytes(Bs, Text).

base64_encoded(Plain, Encoded) :- base64_encoded(Plain, Encoded, []).

base64_encoded(Plain, Encoded, Options) :-
    ( memberchk(charset(url), Options) -> Alphabet = url ; Alphabet = standard ),
    ( memberchk(encoding(Encoding), Options) -> must_be(oneof([utf8, iso_latin_1, octet, ascii]), Encoding) ; Encoding = utf8 ),
    ( memberchk(padding(Padding), Options) -> must_be(boolean, Padding) ; Alphabet == url -> Padding = false ; Padding = true ),
    ( memberchk(as(As), Options) -> true ; As = string ),
    ( nonvar(Plain) ->
        text_to_codes(Plain, Codes), octets(Encoding, Codes, Bytes),
        encoded(Bytes, Alphabet, Text0), ( Padding == false -> exclude(==(0'=), Text0, Text) ; Text = Text0 ), as(As, Text, Encoded)
    ; nonvar(Encoded) ->
        text_to_codes(Encoded, Text), padded(Padding, Text), decoded(Text, Alphabet, Bytes),
        octets(Encoding, Codes, Bytes), as(As, Codes, Plain)
    ; throw(error(instantiation_error, _))
    ).

text_to_codes(Text, Codes) :- ( is_list(Text) -> atom_codes(Atom, Text) ; Atom = Text ), atom_codes(Atom, Codes).

as(string, Codes, Text) :- string_codes(Text, Codes).
as(atom, Codes, Text) :- atom_codes(Text, Codes).
as(codes, Codes, Codes).
as(chars, Codes, Chars) :- atom_codes(Atom, Codes), atom_chars(Atom, Chars).

octets(utf8, Codes, Bytes) :- !, ( nonvar(Codes) -> utf8(Codes, Bytes) ; from_utf8(Bytes, Codes) ).
octets(_, Bytes, Bytes) :- bytes(Bytes, Bytes).

utf8([], []).
utf8([C|Cs], Bytes) :-
    ( C < 0x80 -> Bytes = [C|Rest]
    ; C < 0x800 ->
        A is 0xc0 \/ (C >> 6), B is 0x80 \/ (C /\ 0x3f), Bytes = [A, B|Rest]
    ; C < 0x10000 ->
        A is 0xe0 \/ (C >> 12), B is 0x80 \/ ((C >> 6) /\ 0x3f), D is 0x80 \/ (C /\ 0x3f), Bytes = [A, B, D|Rest]
    ; A is 0xf0 \/ (C >> 18), B is 0x80 \/ ((C >> 12) /\ 0x3f), D is 0x80 \/ ((C >> 6) /\ 0x3f), E is 0x80 \/ (C /\ 0x3f),
        Bytes = [A, B, D, E|Rest]
    ),
    utf8(Cs, Rest).

from_utf8([], []).
from_utf8([A|As], [C|Cs]) :-
    ( A < 0xc0 -> C = A, Rest = As
    ; A < 0xe0, As = [B|Rest] -> C is (A /\ 0x1f) << 6 \/ (B /\ 0x3f)
    ; A < 0xf0, As = [B, D|Rest] -> C is (A /\ 0xf) << 12 \/ (B /\ 0x3f) << 6 \/ (D /\ 0x3f)
    ; As = [B, D, E|Rest], C is (A /\ 7) << 18 \/ (B /\ 0x3f) << 12 \/ (D /\ 0x3f) << 6 \/ (E /\ 0x3f)
    ),
    from_utf8(Rest, Cs).

base64(Plain, S0, S) :- grammar(Plain, standard, S0, S).

base64url(Plain, S0, S) :- grammar(Plain, url, S0, S).

grammar(Plain, Alphabet, S0, S) :-
    ( nonvar(Plain) ->
        text_to_codes(Plain, Bytes), encoded(Bytes, Alphabet, Codes), append(Codes, S, S0)
    ; taken(S0, Alphabet, Codes, S), decoded(Codes, Alphabet, Plain)
    ).

taken([C|S0], Alphabet, [C|Codes], S) :- integer(C), ( C =:= 0'= ; sextet(C, Alphabet, _) ), !, taken(S0, Alphabet, Codes, S).
taken(S, _, [], S).

encoded([A, B, C|Bytes], Alphabet, [W, X, Y, Z|Codes]) :- !,
    Three is A << 16 \/ B << 8 \/ C,
    sextets([W-18, X-12, Y-6, Z-0], Three, Alphabet),
    encoded(Bytes, Alphabet, Codes).
encoded([A, B], Alphabet, [W, X, Y|End]) :- !,
    Two is A << 16 \/ B << 8,
    sextets([W-18, X-12, Y-6], Two, Alphabet),
    ( Alphabet == url -> End = [] ; End = [0'=] ).
encoded([A], Alphabet, [W, X|End]) :- !,
    One is A << 16,
    sextets([W-18, X-12], One, Alphabet),
    ( Alphabet == url -> End = [] ; End = [0'=, 0'=] ).
encoded([], _, []).

sextets([], _, _).
sextets([Code-Shift|Rest], Bits, Alphabet) :-
    Value is (Bits >> Shift) /\ 63, letter(Value, Alphabet, Code), sextets(Rest, Bits, Alphabet).

letter(V, Alphabet, C) :-
    ( V < 26 -> C is V + 0'A
    ; V < 52 -> C is V - 26 + 0'a
    ; V < 62 -> C is V - 52 + 0'0
    ; V =:= 62 -> ( Alphabet == url -> C = 0'- ; C = 0'+ )
    ; Alphabet == url -> C = 0'_
    ; C = 0'/
    ).

sextet(C, Alphabet, V) :-
    ( C >= 0'A, C =< 0'Z -> V is C - 0'A
    ; C >= 0'a, C =< 0'z -> V is C - 0'a + 26
    ; C >= 0'0, C =< 0'9 -> V is C - 0'0 + 52
    ; Alphabet == url -> ( C =:= 0'- -> V = 62 ; C =:= 0'_, V = 63 )
    ; C =:= 0'+ -> V = 62
    ; C =:= 0'/, V = 63
    ).

% Four characters stand for three bytes, with padding at the end of the text.
padded(false, _).
padded(true, Codes) :- exclude(blank, Codes, Letters), length(Letters, Count), Count mod 4 =:= 0.
blank(C) :- memberchk(C, [0' , 0'\n, 0'\r, 0'\t]).

decoded(Codes, Alphabet, Bytes) :-
    values(Codes, Alphabet, Values),
    joined(Values, Bytes).

values([], _, []).
values([C|Codes], Alphabet, Values) :-
    ( C =:= 0'= -> Values = [], padding(Codes)
    ; memberchk(C, [0' , 0'\n, 0'\r, 0'\t]) -> values(Codes, Alphabet, Values)
    ; sextet(C, Alphabet, V), !, Values = [V|Rest], values(Codes, Alphabet, Rest)
    ).

padding([]).
padding([C|Codes]) :- memberchk(C, [0'=, 0' , 0'\n, 0'\r, 0'\t]), padding(Codes).

joined([W, X, Y, Z|Values], [A, B, C|Bytes]) :- !,
    Three is W << 18 \/ X << 12 \/ Y << 6 \/ Z,
    A is Three >> 16, B is (Three >> 8) /\ 255, C is Three /\ 255,
    joined(Values, Bytes).
joined([W, X, Y], [A, B]) :- !, Two is W << 12 \/ X << 6 \/ Y, A is Two >> 10, B is (Two >> 2) /\ 255.
joined([W, X], [A]) :- !, One is W << 6 \/ X, A is One >> 4.
joined([], []).
