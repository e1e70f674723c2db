:- module(gprolog,
    [argument_counter/1, argument_value/2, argument_list/1, g_assign/2, g_assignb/2, g_link/2, g_read/2, g_inc/1,
     g_inc/2, g_dec/1, g_dec/2, cpu_time/1, user_time/1, system_time/1, real_time/1, date_time/1, randomize/0, set_seed/1,
     write_to_atom/2, writeq_to_atom/2, writeq_to_chars/2, writeq_to_codes/2, display_to_atom/2, format_to_atom/3,
     print_to_atom/2, print_to_chars/2, print_to_codes/2, for/3, call_det/2, decompose_file_name/4, prolog_file_name/2,
     read_integer/1, read_integer/2, read_number/1, read_number/2, read_atom/1, read_atom/2, lower_upper/2,
     number_atom/2, list_or_partial_list/1, partial_list/1, name_singleton_vars/1,
     stream_line_column/3]).

% Built-in predicates of GNU Prolog that other systems do not have. Those that SWI-Prolog has under the same names with
% other arguments (`write_to_codes/2`, `format_to_codes/3` ...) are SWI-Prolog's.

argument_list(List) :-
    current_prolog_flag(argv, List).
argument_counter(Count) :- argument_list(List), length(List, Count0), Count is Count0+1.
argument_value(Index, Value) :-
    must_be(nonneg, Index),
    argument_list(List),
    ( Index =:= 0 -> Value = rtcheck ; nth1(Index, List, Value) ).

:- meta_predicate call_det(0, ?).

for(Index, Low, High) :- between(Low, High, Index).
% Whether the goal left no choice.
call_det(Goal, Deterministic) :-
    call_cleanup(Goal, Done = true),
    ( Done == true -> Deterministic = true ; Deterministic = false ).

% A folder with its last `/`, a name, and an extension with its point.
decompose_file_name(File, Directory, Prefix, Suffix) :-
    (   sub_atom(File, Before, 1, After, /), sub_atom(File, _, After, 0, Name), \+ sub_atom(Name, _, 1, _, /)
    ->  Length is Before+1, sub_atom(File, 0, Length, _, Directory)
    ;   Directory = '', Name = File
    ),
    file_name_extension(Prefix, Extension, Name),
    ( Extension == '' -> Suffix = '' ; atom_concat('.', Extension, Suffix) ).
prolog_file_name(File, Name) :-
    decompose_file_name(File, _, _, Suffix),
    ( Suffix == '' -> atom_concat(File, '.pl', Name) ; Name = File ).

% Lines and columns count from 1.
stream_line_column(Stream, Line, Column) :-
    line_count(Stream, Line), line_position(Stream, Column0), Column is Column0+1.

% Global variables have the value 0 until they are assigned.
g_assign(Key, Value) :- nb_setval(Key, Value).
g_assignb(Key, Value) :- ( nb_current(Key, _) -> true ; nb_setval(Key, 0) ), b_setval(Key, Value).
g_link(Key, Value) :- b_setval(Key, Value).
g_read(Key, Value) :- ( nb_current(Key, Value0) -> Value = Value0 ; Value = 0 ).
g_inc(Key) :- g_inc(Key, _).
g_inc(Key, Value) :- g_read(Key, Old), Value is Old+1, nb_setval(Key, Value).
g_dec(Key) :- g_dec(Key, _).
g_dec(Key, Value) :- g_read(Key, Old), Value is Old-1, nb_setval(Key, Value).

cpu_time(Milliseconds) :- statistics(runtime, [Milliseconds|_]).
user_time(Milliseconds) :- statistics(runtime, [Milliseconds|_]).
system_time(Milliseconds) :- statistics(system_time, [Milliseconds|_]).
real_time(Milliseconds) :- statistics(walltime, [Milliseconds|_]).
date_time(dt(Year, Month, Day, Hour, Minute, Second)) :-
    get_time(Now),
    stamp_date_time(Now, date(Year, Month, Day, Hour, Minute, Second0, _, _, _), local),
    Second is truncate(Second0).

randomize :- get_time(Now), Seed is truncate(Now), set_random(seed(Seed)).
set_seed(Seed) :- must_be(nonneg, Seed), set_random(seed(Seed)).

write_to_atom(Atom, Term) :- format(atom(Atom), "~w", [Term]).
writeq_to_atom(Atom, Term) :- format(atom(Atom), "~q", [Term]).
writeq_to_chars(Chars, Term) :- format(chars(Chars), "~q", [Term]).
writeq_to_codes(Codes, Term) :- format(codes(Codes), "~q", [Term]).
display_to_atom(Atom, Term) :- with_output_to(atom(Atom), write_term(Term, [ignore_ops(true)])).
print_to_atom(Atom, Term) :- format(atom(Atom), "~p", [Term]).
print_to_chars(Chars, Term) :- format(chars(Chars), "~p", [Term]).
print_to_codes(Codes, Term) :- format(codes(Codes), "~p", [Term]).
format_to_atom(Atom, Format, Arguments) :- format(atom(Atom), Format, Arguments).

% The next word of a stream.
read_number(Number) :- current_input(Stream), read_number(Stream, Number).
read_number(Stream, Number) :- word(Stream, Codes), number_codes(Number, Codes).
read_integer(Integer) :- current_input(Stream), read_integer(Stream, Integer).
read_integer(Stream, Integer) :-
    read_number(Stream, Integer0),
    ( integer(Integer0) -> Integer = Integer0 ; syntax_error(integer_expected) ).
read_atom(Atom) :- current_input(Stream), read_atom(Stream, Atom).
read_atom(Stream, Atom) :- word(Stream, Codes), atom_codes(Atom, Codes).

word(Stream, Codes) :-
    peek_code(Stream, Code),
    (   Code =:= -1 -> Codes = []
    ;   code_type(Code, space) -> get_code(Stream, _), word(Stream, Codes)
    ;   rest_of_word(Stream, Codes)
    ).
rest_of_word(Stream, Codes) :-
    peek_code(Stream, Code),
    (   Code =\= -1, \+ code_type(Code, space)
    ->  get_code(Stream, _), Codes = [Code|Codes1], rest_of_word(Stream, Codes1)
    ;   Codes = []
    ).

lower_upper(Lower, Upper) :- nonvar(Lower), !, upcase_atom(Lower, Upper).
lower_upper(Lower, Upper) :- downcase_atom(Upper, Lower).

number_atom(Number, Atom) :- nonvar(Atom), !, atom_codes(Atom, Codes), number_codes(Number, Codes).
number_atom(Number, Atom) :- number_codes(Number, Codes), atom_codes(Atom, Codes).

partial_list(List) :- var(List), !.
partial_list([_|List]) :- partial_list(List).
list_or_partial_list(List) :- ( is_list(List) -> true ; partial_list(List) ).

name_singleton_vars(Term) :-
    term_variables(Term, Vars),
    singles(Vars, Term).

singles([], _).
singles([V|Vs], Term) :- ( occurrences_of_var(V, Term, 1) -> V = '$VAR'('_') ; true ), singles(Vs, Term).
