:- module(more_pio, [phrase_to_file/2, phrase_to_file/3, phrase_to_stream/2]).

% A file, or what goes to a stream, described by a grammar over characters.

:- meta_predicate phrase_to_file(//, ?), phrase_to_file(//, ?, ?), phrase_to_stream(//, ?).

phrase_to_file(Grammar, File) :- phrase_to_file(Grammar, File, []).
phrase_to_file(Grammar, File, Options) :-
    text_name(File, Name),
    setup_call_cleanup(open(Name, write, Stream, Options), phrase_to_stream(Grammar, Stream), close(Stream)).
phrase_to_stream(Grammar, Stream) :- phrase(Grammar, Text), forall(member(C, Text), put(Stream, C)).
put(Stream, C) :- ( integer(C) -> ( stream_property(Stream, type(binary)) -> put_byte(Stream, C) ; put_code(Stream, C) ) ; put_char(Stream, C) ).

text_name(Text, Name) :- ( is_list(Text), catch(atom_chars(Name0, Text), _, atom_codes(Name0, Text)) -> Name = Name0 ; Name = Text ).
