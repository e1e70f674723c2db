:- module(memory_file,
    [new_memory_file/1, free_memory_file/1, open_memory_file/3, open_memory_file/4, size_memory_file/2, size_memory_file/3,
     memory_file_to_atom/2, memory_file_to_atom/3, memory_file_to_codes/2, memory_file_to_codes/3, memory_file_to_string/2,
     memory_file_to_string/3, atom_to_memory_file/2, insert_memory_file/3, delete_memory_file/3, memory_file_substring/5,
     memory_file_line_position/4]).

% SWI-Prolog's library(memfile): texts that are written and read through streams. What a stream writes stands in a
% temporary file until somebody asks for the text.

% text(Id, Text): a string. written(Id, Stream, Mode, Path): what a stream writes or wrote, and where it belongs.
:- dynamic text/2, written/4.

new_memory_file('$memory_file'(N)) :- flag('$memory_files', N, N + 1), string_codes(Empty, []), assertz(text(N, Empty)).

free_memory_file(File) :- number(File, N), retractall(text(N, _)), forall(retract(written(N, Stream, _, Path)), dropped(Stream, Path)).
dropped(Stream, Path) :- catch(close(Stream), _, true), delete_file(Path).

number(File, _) :- var(File), !, instantiation_error(File).
number('$memory_file'(N), N) :- text(N, _), !.
number('$memory_file'(N), _) :- integer(N), !, existence_error(memory_file, '$memory_file'(N)).
number(File, _) :- type_error(memory_file, File).

% The text, with what has been written since.
content(File, N, Text) :-
    number(File, N),
    forall(written(N, Stream, Mode, Path), finished(File, N, Stream, Mode, Path)),
    text(N, Text).
finished(File, N, Stream, Mode, Path) :-
    ( is_stream(Stream) -> permission_error(access, memory_file, File) ; true ),
    read_file_to_string(Path, New, [encoding(utf8)]), delete_file(Path),
    retract(written(N, Stream, Mode, Path)), retract(text(N, Old)),
    placed(Mode, Old, New, Text),
    assertz(text(N, Text)).
placed(write, _, New, New).
placed(append, Old, New, Text) :- string_concat(Old, New, Text).
placed(insert(At), Old, New, Text) :- replaced(Old, At, 0, New, Text).
placed(update(At), Old, New, Text) :- string_length(New, Length), replaced(Old, At, Length, New, Text).

% The text with so many characters from a place on replaced.
replaced(Old, At, Length, New, Text) :-
    string_length(Old, All), Last is min(All, At + Length), Rest is All - Last,
    sub_string(Old, 0, At, _, Front), sub_string(Old, Last, Rest, _, Behind),
    atomic_list_concat([Front, New, Behind], Joined), atom_string(Joined, Text).

open_memory_file(File, Mode, Stream) :- open_memory_file(File, Mode, Stream, []).
open_memory_file(File, Mode, Stream, Options) :-
    content(File, N, Text),
    ( var(Mode) -> instantiation_error(Mode) ; true ),
    (   Mode == read ->
        ( memberchk(encoding(octet), Options) -> encoded(Text, Bytes), string_codes(Read, Bytes) ; Read = Text ),
        open_string(Read, Stream),
        ( memberchk(free_on_close(true), Options) -> free_memory_file(File) ; true )
    ;   ( Mode == insert -> Where = insert(0) ; Mode == update -> Where = update(0) ; Where = Mode ),
        ( memberchk(Where, [write, append, insert(_), update(_)]) -> true ; domain_error(io_mode, Mode) ),
        ( Where =.. [_, At] -> string_length(Text, Length), must_be(between(0, Length), At) ; true ),
        tmp_file_stream(utf8, Path, Stream),
        assertz(written(N, Stream, Where, Path))
    ).

size_memory_file(File, Size) :- content(File, _, Text), string_length(Text, Size).
size_memory_file(File, Size, Encoding) :-
    content(File, _, Text),
    ( memberchk(Encoding, [octet, utf8]) -> bytes(Text, Size) ; string_length(Text, Size) ).
bytes(Text, Size) :- encoded(Text, Bytes), length(Bytes, Size).
encoded(Text, Bytes) :- string_codes(Text, Codes), foldl(code_bytes, Codes, Bytes, []).
code_bytes(C, Bytes, Rest) :-
    (   C < 0x80 -> Bytes = [C|Rest]
    ;   C < 0x800 -> A is 0xC0 \/ C >> 6, B is 0x80 \/ (C /\ 0x3F), Bytes = [A, B|Rest]
    ;   C < 0x10000 -> A is 0xE0 \/ C >> 12, B is 0x80 \/ (C >> 6 /\ 0x3F), D is 0x80 \/ (C /\ 0x3F), Bytes = [A, B, D|Rest]
    ;   A is 0xF0 \/ C >> 18, B is 0x80 \/ (C >> 12 /\ 0x3F), D is 0x80 \/ (C >> 6 /\ 0x3F), E is 0x80 \/ (C /\ 0x3F), Bytes = [A, B, D, E|Rest]
    ).

memory_file_to_atom(File, Atom) :- content(File, _, Text), atom_string(Atom, Text).
memory_file_to_atom(File, Atom, Encoding) :- decoded(File, Encoding, Codes), atom_codes(Atom, Codes).
memory_file_to_codes(File, Codes) :- content(File, _, Text), string_codes(Text, Codes).
memory_file_to_codes(File, Codes, Encoding) :- decoded(File, Encoding, Codes).
memory_file_to_string(File, String) :- content(File, _, String0), String = String0.
memory_file_to_string(File, String, Encoding) :- decoded(File, Encoding, Codes), string_codes(String, Codes).
decoded(File, Encoding, Codes) :-
    must_be(atom, Encoding), content(File, _, Text),
    ( memberchk(Encoding, [octet, iso_latin_1]) -> encoded(Text, Codes) ; string_codes(Text, Codes) ).

atom_to_memory_file(Atom, File) :- text_to_string(Atom, Text), flag('$memory_files', N, N + 1), assertz(text(N, Text)), File = '$memory_file'(N).

insert_memory_file(File, At, Data) :- text_to_string(Data, New), changed(File, At, 0, New).
delete_memory_file(File, At, Length) :- must_be(nonneg, Length), changed(File, At, Length, '').
changed(File, At, Length, New) :-
    content(File, N, Old), string_length(Old, All), must_be(between(0, All), At),
    replaced(Old, At, Length, New, Text),
    retract(text(N, _)), assertz(text(N, Text)).

memory_file_substring(File, Before, Length, After, Sub) :- content(File, _, Text), sub_string(Text, Before, Length, After, Sub).

% Lines count from 1, places in them and offsets from 0.
memory_file_line_position(File, Line, LinePosition, Offset) :-
    content(File, _, Text),
    (   nonvar(Offset) ->
        must_be(nonneg, Offset), sub_string(Text, 0, Offset, _, Front),
        split_string(Front, "\n", "", Lines), length(Lines, Line), last(Lines, Last), string_length(Last, LinePosition)
    ;   must_be(positive_integer, Line), must_be(nonneg, LinePosition),
        split_string(Text, "\n", "", Lines), Before is Line - 1, length(Front, Before), append(Front, [This|_], Lines),
        string_length(This, Length),
        LinePosition =< Length,
        foldl(line_length, Front, 0, Start), Offset is Start + LinePosition
    ).
line_length(Line, N0, N) :- string_length(Line, Length), N is N0 + Length + 1.
