:- module(charsio,
    [format_to_chars/3, format_to_chars/4, write_to_chars/2, write_to_chars/3, atom_to_chars/2, atom_to_chars/3,
     number_to_chars/2, number_to_chars/3, read_from_chars/2, read_term_from_chars/3, with_output_to_chars/2,
     with_output_to_chars/3, get_n_chars/3, get_line_to_chars/3, write_term_to_chars/3, chars_utf8bytes/2, chars_base64/3]).

% SWI-Prolog's library(charsio): the same as library(codesio) by older names; what it calls characters are codes.

:- meta_predicate with_output_to_chars(0, ?), with_output_to_chars(0, ?, ?).

format_to_chars(Format, Args, Codes) :- format(codes(Codes), Format, Args).
format_to_chars(Format, Args, Codes, Tail) :- format(codes(All), Format, Args), append(All, Tail, Codes).
write_to_chars(Term, Codes) :- with_output_to(codes(Codes), write_term(Term, [numbervars(true)])).
write_to_chars(Term, Codes, Tail) :- write_to_chars(Term, All), append(All, Tail, Codes).
atom_to_chars(Atom, Codes) :- atom_codes(Atom, Codes).
atom_to_chars(Atom, Codes, Tail) :- atom_codes(Atom, All), append(All, Tail, Codes).
number_to_chars(Number, Codes) :- number(Number), !, number_codes(Number, Codes).
number_to_chars(Number, _) :- var(Number), !, throw(error(instantiation_error, _)).
number_to_chars(Number, _) :- throw(error(type_error(number, Number), _)).
number_to_chars(Number, Codes, Tail) :- number_to_chars(Number, All), append(All, Tail, Codes).
read_from_chars([], Term) :- !, Term = end_of_file.
read_from_chars(Text, Term) :- text_atom(Text, Atom), term_to_atom(Term, Atom).
read_term_from_chars(Text, Term, Options) :- text_atom(Text, Atom), read_term_from_atom(Atom, Term, Options).
% Scryer Prolog's predicates of these names take characters indeed.
text_atom(Text, Atom) :- ( nonvar(Text), Text = [C|_], atom(C) -> atom_chars(Atom, Text) ; atom_codes(Atom, Text) ).
with_output_to_chars(Goal, Codes) :- with_output_to(codes(Codes), Goal).
with_output_to_chars(Goal, Codes, Tail) :- with_output_to(codes(All), Goal), append(All, Tail, Codes).

% Scryer Prolog's library of this name, where characters are characters.

% The next characters of a stream, fewer at its end; without a known number all there are.
get_n_chars(Stream, N, Chars) :-
    (   var(N) -> read_string(Stream, _, Text), string_chars(Text, Chars), length(Chars, N)
    ;   must_be(nonneg, N), taken(N, Stream, Chars0), Chars = Chars0
    ).
taken(0, _, Chars) :- !, Chars = [].
taken(N, Stream, Chars) :-
    get_char(Stream, C),
    ( C == end_of_file -> Chars = [] ; Chars = [C|Cs], N1 is N - 1, taken(N1, Stream, Cs) ).

% A line with its end, in front of a rest; at the end of the stream nothing.
get_line_to_chars(Stream, Chars, Rest) :- line(Stream, Chars0, Rest), Chars = Chars0.
line(Stream, Chars, Rest) :-
    get_char(Stream, C),
    (   C == end_of_file -> Chars = Rest
    ;   Chars = [C|Cs], ( C == '\n' -> Cs = Rest ; line(Stream, Cs, Rest) )
    ).

write_term_to_chars(Term, Options, Chars) :- with_output_to(chars(Chars), write_term(Term, Options)).

chars_utf8bytes(Chars, Bytes) :-
    (   is_list(Chars), ground(Chars) -> phrase(utf8_of(Chars), Bytes0), Bytes = Bytes0
    ;   must_be(list(between(0, 255)), Bytes), phrase(of_utf8(Chars0), Bytes), Chars = Chars0
    ).
utf8_of([]) --> [].
utf8_of([C|Cs]) --> { char_code(C, Code) }, bytes(Code), utf8_of(Cs).
bytes(Code) -->
    (   { Code < 0x80 } -> [Code]
    ;   { Code < 0x800 } -> { A is 0xC0 \/ Code >> 6 }, [A], low(Code, 0)
    ;   { Code < 0x10000 } -> { A is 0xE0 \/ Code >> 12 }, [A], low(Code, 6), low(Code, 0)
    ;   { A is 0xF0 \/ Code >> 18 }, [A], low(Code, 12), low(Code, 6), low(Code, 0)
    ).
low(Code, Shift) --> { B is 0x80 \/ ((Code >> Shift) /\ 0x3F) }, [B].
of_utf8([]) --> [].
of_utf8([C|Cs]) --> [A], { part(A, Code0, More) }, rest(More, Code0, Code), { char_code(C, Code) }, !, of_utf8(Cs).
of_utf8(['\xFFFD\'|Cs]) --> [_], of_utf8(Cs).
part(A, Code, More) :-
    (   A < 0x80 -> Code = A, More = 0
    ;   A >= 0xF0 -> Code is A /\ 0x07, More = 3
    ;   A >= 0xE0 -> Code is A /\ 0x0F, More = 2
    ;   A >= 0xC0 -> Code is A /\ 0x1F, More = 1
    ).
rest(0, Code, Code) --> !.
rest(N, Code0, Code) --> [B], { B /\ 0xC0 =:= 0x80, Code1 is (Code0 << 6) \/ (B /\ 0x3F), N1 is N - 1 }, rest(N1, Code1, Code).

% The options are those of base64/3: padding(true) and charset(standard) by default.
chars_base64(Chars, Text, Options) :-
    (   nonvar(Chars) ->
        chars_utf8bytes(Chars, Bytes), atom_codes(Plain, Bytes),
        base64_encoded(Plain, Encoded, [encoding(octet), as(atom)|Options]), atom_chars(Encoded, Text)
    ;   atom_chars(Encoded, Text),
        base64_encoded(Plain, Encoded, [encoding(octet), as(atom)|Options]),
        atom_codes(Plain, Bytes), chars_utf8bytes(Chars, Bytes)
    ).
