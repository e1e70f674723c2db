:- module(ciao_streams,
    [get_line/1, get_line/2, write_string/1, write_string/2, discard_to_nl/1, file_terms/2, file_to_string/2,
     file_to_string/3, string_to_file/2, stream_to_string/2, stream_to_string/3, copy_stream/3, copy_files/2,
     read_to_end/2, read_bytes_to_end/2, open_input/2, close_input/1, open_output/2, close_output/1,
     output_to_file/2, whitespace/2, whitespace0/2, get1_code/1, get1_code/2, skip_code/1, skip_code/2, skip_line/0,
     skip_line/1, code_class/2, getct/2, getct1/2, clearerr/1, stream_code/2, io_mode/1, format_to_string/3,
     close_file/1, second_prompt/2, prompt_for/2, prompt_for_default/2]).

% Reading and writing in Ciao: its libraries stream_utils, strings, io_basic, stream_basic and prompt. A string is a
% list of codes.

:- meta_predicate output_to_file(0, ?).

% A line without its end, which may be that of another system; the atom end_of_file behind the last one.
get_line(Line) :- current_input(Stream), get_line(Stream, Line).
get_line(Stream, Line) :-
    read_line_to_codes(Stream, Codes),
    ( Codes == end_of_file -> Line = end_of_file ; Codes == -1 -> Line = end_of_file ; Line = Codes ).

write_string(String) :- current_output(Stream), write_string(Stream, String).
write_string(Stream, String) :- format(Stream, "~s", [String]).

discard_to_nl(Stream) :- skip_line(Stream).

% Of a file that is to be read, or written if the terms are known.
file_terms(File, Terms) :- var(Terms), !, read_file_to_terms(File, Terms, []).
file_terms(File, Terms) :-
    setup_call_cleanup(open(File, write, Stream), write_terms(Terms, Stream), close(Stream)).

write_terms([], _).
write_terms([Term|Terms], Stream) :-
    writeq(Stream, Term), write(Stream, '.'), nl(Stream),
    write_terms(Terms, Stream).

file_to_string(File, String) :- file_to_string(File, String, []).
file_to_string(File, String, Tail) :-
    setup_call_cleanup(open(File, read, Stream), read_stream_to_codes(Stream, Codes), close(Stream)),
    append(Codes, Tail, String).

string_to_file(String, File) :-
    setup_call_cleanup(open(File, write, Stream), write_string(Stream, String), close(Stream)).

stream_to_string(Stream, String) :- stream_to_string(Stream, String, []).
stream_to_string(Stream, String, Tail) :-
    read_stream_to_codes(Stream, Codes),
    close(Stream),
    append(Codes, Tail, String).

copy_stream(In, Out, Copied) :-
    read_stream_to_codes(In, Codes),
    format(Out, "~s", [Codes]),
    length(Codes, Copied).

copy_files([], _).
copy_files([File|Files], Out) :-
    setup_call_cleanup(open(File, read, In), copy_stream(In, Out, _), close(In)),
    copy_files(Files, Out).

read_to_end(Stream, Codes) :- read_stream_to_codes(Stream, Codes).
read_bytes_to_end(Stream, Bytes) :-
    get_byte(Stream, Byte),
    ( Byte =:= -1 -> Bytes = [] ; Bytes = [Byte|Bytes1], read_bytes_to_end(Stream, Bytes1) ).

open_input(File, redirected(Old, New)) :- current_input(Old), open(File, read, New), set_input(New).
close_input(redirected(Old, New)) :- set_input(Old), close(New).
open_output(File, redirected(Old, New)) :- current_output(Old), open(File, write, New), set_output(New).
close_output(redirected(Old, New)) :- set_output(Old), close(New).

output_to_file(Goal, File) :-
    setup_call_cleanup(open_output(File, Output), once(Goal), close_output(Output)).

whitespace([C|Codes], Rest) :- blank(C), whitespace0(Codes, Rest).
whitespace0([C|Codes], Rest) :- blank(C), !, whitespace0(Codes, Rest).
whitespace0(Codes, Codes).

blank(C) :- integer(C), C =< 32.

get1_code(Code) :- current_input(Stream), get1_code(Stream, Code).
get1_code(Stream, Code) :-
    get_code(Stream, Code0),
    ( blank(Code0), Code0 =\= -1 -> get1_code(Stream, Code) ; Code = Code0 ).

skip_code(Code) :- current_input(Stream), skip_code(Stream, Code).
skip_code(Stream, Code) :-
    get_code(Stream, Code0),
    ( Code0 =:= Code -> true ; Code0 =:= -1 -> true ; skip_code(Stream, Code) ).
skip_line :- skip_code(10).
skip_line(Stream) :- skip_code(Stream, 10).

% 0: layout, 1: small letter, 2: capital letter or `_`, 3: digit, 4: symbol, 5: another.
code_class(Code, Class) :-
    (   Code =< 32 -> Class = 0
    ;   code_type(Code, lower) -> Class = 1
    ;   ( code_type(Code, upper) ; Code =:= 0'_ ) -> Class = 2
    ;   code_type(Code, digit) -> Class = 3
    ;   memberchk(Code, [0'#, 0'$, 0'&, 0'*, 0'+, 0'-, 0'., 0'/, 0':, 0'<, 0'=, 0'>, 0'?, 0'@, 0'\\, 0'^, 0'`, 0'~]) -> Class = 4
    ;   Class = 5
    ).
getct(Code, Class) :- get_code(Code), ( Code =:= -1 -> Class = -1 ; code_class(Code, Class) ).
getct1(Code, Class) :- get1_code(Code), ( Code =:= -1 -> Class = -1 ; code_class(Code, Class) ).

clearerr(_).
stream_code(Stream, Code) :- stream_property(Stream, file_no(Code)).

io_mode(read).
io_mode(write).
io_mode(append).

format_to_string(Format, Arguments, String) :- format(codes(String), Format, Arguments).

close_file(File) :- ( stream_property(Stream, file_name(File)) -> close(Stream) ; true ).

second_prompt('   ', _).

prompt_for(Prompt, Answer) :- write(Prompt), flush_output, get_line(Answer).
prompt_for_default(Answer, Default) :-
    format("[~w] ", [Default]), flush_output,
    get_line(Line),
    ( memberchk(Line, [[], end_of_file]) -> Answer = Default ; atom_codes(Answer, Line) ).
