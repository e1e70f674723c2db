:- module(own_streams, [get_all/2, write_all/2, with_file/3, copy/2, lines/3],
    [dcg, assertions, regtypes, isomodes]).
:- use_module(library(stream_utils), [get_line/2, write_string/1, write_string/2, file_to_string/2, string_to_file/2, read_to_end/2]).
:- use_module(library(streams)).
:- use_module(library(lists), [append/3, reverse/2]).
:- use_module(library(messages)).
:- use_module(engine(io_basic)).
:- use_module(engine(stream_basic)).
:- use_module(library(read), [read/2]).
:- use_module(library(write), [write/2, writeq/2, print/1, print/2, portray_clause/2]).
:- use_module(library(system), [file_exists/1, delete_file/1, mktemp_in_tmp/2, current_env/2, get_pid/1, get_tmp_dir/1]).
:- use_module(library(system_extra), [del_file_nofail/1, mkpath/1, move_if_diff/3]).
:- use_module(library(pathnames), [path_concat/3, path_split/3]).
:- pred get_all(S, T) : stream(S) => list(T).
get_all(S, []) :- peek_code(S, -1), !.
get_all(S, [T|Ts]) :- read(S, T), get_all(S, Ts).
write_all(F, Ts) :- open(F, write, S), w(Ts, S), close(S).
w([], _).
w([T|Ts], S) :- writeq(S, T), write(S, '.'), nl(S), w(Ts, S).
:- meta_predicate with_file(?, ?, pred(1)).
with_file(F, M, G) :- open(F, M, S), G(S), close(S).
copy(F1, F2) :- file_to_string(F1, S), string_to_file(S, F2).
lines(S) --> line(L), { S = [L|Ls] }, lines(Ls).
lines([]) --> [].
line([]) --> "\n", !.
line([C|Cs]) --> [C], line(Cs).
:- initialization(true).
