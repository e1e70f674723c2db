:- module(others,
    [load_test_files/1, shell/0, shell/1, shell/2, thread_local/1, volatile/1, public/1, noprofile/1, non_terminal/1, '$hide'/1, '$clausable'/1,
     '$sig_atomic'/1, '$set_source_module'/1, '$set_source_module'/2, '$current_source_module'/1,
     '$current_typein_module'/1, locale_sort/2, translate_message/3, b_set_dict/3, nb_set_dict/3, stream_pair/3, set_prolog_stack/2,
     set_prolog_gc_thread/1, prolog_stack_property/2, tty_size/2, compile_aux_clauses/1, compile_aux_clauses/2,
     current_flag/1, var_property/2, writef/1, writef/2, ls/0, ls/1, pwd/0, call_time/2, call_time/3, convert_time/2,
     current_functor/2, hex_bytes/2, portray_clause/3, source_file/2, source_file_property/2,
     get_prolog_backtrace/2, get_prolog_backtrace/3, print_prolog_backtrace/2, print_prolog_backtrace/3,
     prolog_current_frame/1, on_signal/3, prolog_alert_signal/2, current_signal/3,
     dcg_translate_rule/4, with_output_to/3, read_pending_codes/3, read_pending_chars/3,
     collation_key/2, size_abstract_term/3, load_foreign_library/1, load_foreign_library/2, quasi_quotation_syntax/1,
     require/1, prolog_listen/2, prolog_listen/3, prolog_unlisten/2, abort/0, notrace/1, thread_setconcurrency/2, expand_term/4, expand_goal/4,
     abolish_private_tables/0, abolish_shared_tables/0, abolish_monotonic_tables/0, abolish_nonincremental_tables/0,
     abolish_table_subgoals/1, not_exists/1, swritef/2, swritef/3, profile/1, profile/2, '$factorize_term'/3, random_property/1, call_cleanup/3,
     format_predicate/2, current_format_predicate/2, bb_put/2, bb_get/2, bb_b_put/2, bb_delete/2, bb_update/3,
     '$set_predicate_attribute'/3, '$get_predicate_attribute'/3, '$flushed_predicate'/1, free_variables/4, expand_phrase/2, expand_phrase/4,
     '$fast_put'/2, fast_read/2, fast_term_serialized/2]).

% Built-in predicates and library predicates of SWI-Prolog that few programs name.

:- meta_predicate
    thread_local(:), volatile(:), public(:), noprofile(:), non_terminal(:), '$hide'(:), '$clausable'(:), '$sig_atomic'(0),
    compile_aux_clauses(:), compile_aux_clauses(:, ?), call_time(0, ?), call_time(0, ?, ?), portray_clause(?, ?, :),
    source_file(:, ?), with_output_to(?, 0, ?), call_cleanup(0, ?, 0), notrace(0), profile(0), profile(0, ?), not_exists(0), format_predicate(+, :), current_format_predicate(?, :), '$flushed_predicate'(:), '$get_predicate_attribute'(:, ?, ?).

% Commands run to their end; what they write goes where the program's output goes.
shell(Command) :- shell(Command, 0).
shell(Command, Status) :- '$shell'(Command, Status0), Status = Status0.
shell :- ( getenv('SHELL', Shell) -> true ; Shell = '/bin/sh' ), shell(Shell).

% Threads take turns, so their own clauses are those of all; the other declarations have no consequence here.
thread_local(Specs) :- dynamic(Specs).
'$clausable'(_).
'$hide'(_).
'$set_predicate_attribute'(_, _, _).
volatile(_).
public(_).
noprofile(_).
non_terminal(_).
'$sig_atomic'(Goal) :- once(Goal).

'$set_source_module'(Module) :- '$set_source_module'(_, Module).
'$set_source_module'(Old, New) :- '$source_module'(Old0), Old = Old0, ( Old == New -> true ; '$set_module'(New) ).
'$current_source_module'(Module) :- '$source_module'(Module).
'$current_typein_module'(user).

% The value of a key that is there, changed in place.
b_set_dict(Key, Dict, Value) :- value_cell(Key, Dict, Pair), setarg(2, Pair, Value).
nb_set_dict(Key, Dict, Value) :- value_cell(Key, Dict, Pair), nb_setarg(2, Pair, Value).
value_cell(Key, Dict, Pair) :-
    dict_pairs(Dict, _, Pairs),
    ( member(Pair, Pairs), Pair = K-_, K == Key -> true ; existence_error(key, Key, Dict) ).

% A pair of streams is a term of both; what is written goes to the second.
stream_pair(Pair, Read, Write) :-
    (   nonvar(Pair), Pair = '$stream_pair'(Read0, Write0) -> Read = Read0, Write = Write0
    ;   nonvar(Pair) ->
        ( stream_property(Pair, input) -> Read = Pair ; stream_property(Pair, output) -> Write = Pair ; domain_error(stream, Pair) )
    ;   must_be(nonvar, Read), must_be(nonvar, Write), Pair = '$stream_pair'(Read, Write)
    ).

% Directives of format/2 that a program defines: the predicate gets the number, or `default`, and so many arguments as it
% has besides.
format_predicate(Char0, Q) :-
    must_be(nonvar, Char0),
    ( integer(Char0) -> char_code(Char, Char0) ; atom(Char0), atom_length(Char0, 1) -> Char = Char0 ; type_error(character, Char0) ),
    '$strip_module'(Q, M, Head), must_be(callable, Head), functor(Head, Name, Arity),
    ( Arity =:= 0 -> domain_error(arity_above_zero, Head) ; '$format_predicate'(Char, M, Name, Arity) ).
current_format_predicate(Code, Q) :-
    '$strip_module'(Q, M0, Head0),
    ( var(Code) ; integer(Code) ), !,
    '$format_predicates'(List), member(format(Char, M, Name, Arity), List), char_code(Char, Code),
    functor(Head, Name, Arity), ( M0 == M -> Head0 = Head ; Head0 = M:Head ).

% There is no foreign code: what it would define is unknown when it is called.
load_foreign_library(_).
load_foreign_library(_, _).

% Texts in quasi quotations are not read, events do not come, and what is required is there.
quasi_quotation_syntax(_).
prolog_listen(_, _).
prolog_listen(_, _, _).
prolog_unlisten(_, _).
require(_).

% The program ends as by an error that nobody catches.
abort :- throw('$aborted').

notrace(Goal) :- once(Goal).
thread_setconcurrency(1, _).
profile(Goal) :- once(Goal).
profile(Goal, _) :- once(Goal).

% Positions of terms in their text are not told.
expand_term(Term0, _, Term, _) :- expand_term(Term0, Term).
expand_goal(Goal0, _, Goal, _) :- expand_goal(Goal0, Goal).

% All tables are of one kind.
abolish_private_tables :- abolish_all_tables.
abolish_shared_tables.
abolish_monotonic_tables.
abolish_nonincremental_tables :- abolish_all_tables.
abolish_table_subgoals(_) :- abolish_all_tables.

% Of a call with variables: that it has no answer, also where it is not tabled.
not_exists(Goal) :- ( predicate_property(Goal, tabled) -> tnot(Goal) ; \+ Goal ).

% The lines of a message, as programs ask '$messages' for them.
translate_message(Message, Lines, Rest) :- '$message_lines'(Message, Own), append(Own, Rest, Lines).

locale_sort(Texts, Sorted) :-
    map_list_to_pairs(collation_key, Texts, Keyed), keysort(Keyed, Ordered), pairs_values(Ordered, Sorted).

swritef(String, Format) :- with_output_to(string(String), writef(Format)).
swritef(String, Format, Arguments) :- with_output_to(string(String), writef(Format, Arguments)).

% Memory looks after itself.
set_prolog_stack(Stack, Property) :- must_be(atom, Stack), must_be(callable, Property).
set_prolog_gc_thread(Status) :- must_be(oneof([true, false, stop]), Status).
prolog_stack_property(Stack, Property) :-
    member(Stack, [local, global, trail]), member(Property, [min_free(0), low(0), factor(16), spare(0)]).
random_property(_) :- fail.

tty_size(_, _) :- throw(error(system_error('there is no terminal whose size is known'), _)).

compile_aux_clauses(Clauses) :- '$strip_module'(Clauses, Module, Plain), ( is_list(Plain) -> List = Plain ; List = [Plain] ),
    forall(member(Clause, List), assertz(Module:Clause)).
compile_aux_clauses(Clauses, _) :- compile_aux_clauses(Clauses).

current_flag(Key) :- '$shared_keys'('$flag ', Names), member(Name, Names), '$shared'(Name, Key-_).
var_property(_, _) :- fail.

% %w is the next argument, %p too, by print/1, %d too, %s a list of codes; \n and \l are new lines.
writef(Format) :- writef(Format, []).
writef(Format, Arguments) :- '$atom_of_text'(Format, Text), atom_codes(Text, Codes), written(Codes, Arguments).
written([], _).
written([0'%, 0'w|Codes], [A|As]) :- !, write(A), written(Codes, As).
written([0'%, 0'p|Codes], [A|As]) :- !, print(A), written(Codes, As).
written([0'%, 0'd|Codes], [A|As]) :- !, write(A), written(Codes, As).
written([0'%, 0's|Codes], [A|As]) :- !, format("~s", [A]), written(Codes, As).
written([0'%, D|Codes], [A|As]) :- count(Codes, D, Count, Side, Rest), !, column(Side, Count, A), written(Rest, As).
written([0'\\, 0'n|Codes], As) :- !, nl, written(Codes, As).
written([0'\\, 0'l|Codes], As) :- !, nl, written(Codes, As).
written([Code|Codes], As) :- put_char_code(Code), written(Codes, As).
put_char_code(Code) :- char_code(Char, Code), put_char(Char).
% %Nl, %Nr and %Nc: in a column of N characters.
count(Codes, D, Count, Side, Rest) :-
    code_type(D, digit), digits(Codes, Ds, [Letter|Rest]),
    memberchk(Letter-Side, [0'l-left, 0'r-right, 0'c-centre]), number_codes(Count, [D|Ds]).
digits([D|Codes], [D|Ds], Rest) :- code_type(D, digit), !, digits(Codes, Ds, Rest).
digits(Rest, [], Rest).
column(left, Count, A) :- format("~w~t~*|", [A, Count]).
column(right, Count, A) :- format("~t~w~*|", [A, Count]).
column(centre, Count, A) :- format("~t~w~t~*|", [A, Count]).

pwd :- working_directory(Folder, Folder), format("~w~n", [Folder]).
ls :- ls('.').
ls(Folder) :-
    directory_files(Folder, Names0), exclude(hidden, Names0, Names1), msort(Names1, Names),
    forall(member(Name, Names), ( kind(Folder, Name, Mark), format("~w~w~n", [Name, Mark]) )).
hidden(Name) :- sub_atom(Name, 0, 1, _, '.').
kind(Folder, Name, Mark) :- atomic_list_concat([Folder, /, Name], Path), ( exists_directory(Path) -> Mark = (/) ; Mark = '' ).

call_time(Goal, Time) :- call_time(Goal, Time, Result), call(Result).
call_time(Goal, '$dict'(time, [cpu-Cpu, inferences-Inferences, wall-Wall]), Result) :-
    statistics(cputime, Cpu0), statistics(inferences, Inferences0), get_time(Wall0),
    ( call(Goal) -> Result = true ; Result = false ),
    statistics(cputime, Cpu1), statistics(inferences, Inferences1), get_time(Wall1),
    Cpu is Cpu1 - Cpu0, Inferences is Inferences1 - Inferences0, Wall is Wall1 - Wall0.

convert_time(Stamp, Text) :- format_time(string(Text), '%a %b %e %H:%M:%S %Y', Stamp).

% The functors of predicates and of the atoms among them.
current_functor(Name, Arity) :-
    ( atom(Name), Arity == 0 -> true ; setof(Name/Arity, M^H^( current_predicate(_, M:H), functor(H, Name, Arity) ), All), member(Name/Arity, All) ).

% Two hexadecimal digits for each byte.
hex_bytes(Hex, Bytes) :-
    (   nonvar(Hex) -> atom_chars(Hex, Chars), byte_digits(Chars, Bytes)
    ;   must_be(list(between(0, 255)), Bytes),
        foldl(byte_text, Bytes, [], Reversed), reverse(Reversed, Texts), atomic_list_concat(Texts, Hex)
    ).
byte_digits([], []).
byte_digits([A, B|Chars], [Byte|Bytes]) :-
    char_type(A, xdigit(High)), char_type(B, xdigit(Low)), Byte is High << 4 \/ Low, byte_digits(Chars, Bytes).
byte_text(Byte, Texts, [Text|Texts]) :- format(atom(Text), "~|~`0t~16r~2+", [Byte]).

portray_clause(Stream, Clause, _) :- portray_clause(Stream, Clause).

source_file(Head, File) :- predicate_property(Head, file(File)).
source_file_property(File0, Property) :-
    ( nonvar(File0) -> '$absolute_text'(File0, File), once(source_file(File)) ; source_file(File), File0 = File ),
    ( current_module(Module), module_property(Module, file(File)), Property = module(Module) ; Property = load_context(user, user, []) ).

% The stack of calls is what the tracer shows; there is none to look at otherwise.
get_prolog_backtrace(Depth, Backtrace) :- get_prolog_backtrace(Depth, Backtrace, []).
get_prolog_backtrace(Depth, [], _) :- must_be(nonneg, Depth).
print_prolog_backtrace(_, _).
print_prolog_backtrace(_, _, _).
prolog_current_frame(1).

on_signal(Signal, default, _) :- must_be(nonvar, Signal).
prolog_alert_signal(Old, New) :- Old = 0, New = Old.
current_signal(Name, Number, debug) :- member(Name-Number, [int-2, term-15]).

dcg_translate_rule(Rule, Position, Clause, Position) :- dcg_translate_rule(Rule, Clause).

with_output_to(Sink, Goal, _) :- with_output_to(Sink, Goal).

% What has been read ahead of a stream: here up to the end of a line.
read_pending_codes(Stream, Codes, Tail) :- pending(Stream, get_code, -1, Codes, Tail).
read_pending_chars(Stream, Chars, Tail) :- pending(Stream, get_char, end_of_file, Chars, Tail).
pending(Stream, Get, End, List, Tail) :-
    call(Get, Stream, X),
    (   X == End -> List = Tail0, Tail0 = [], ignore(Tail = [])
    ;   List = [X|List1], ( memberchk(X, [10, '\n']) -> List1 = Tail ; pending(Stream, Get, End, List1, Tail) )
    ).

collation_key(Text, Key) :- atom_string(Key, Text).

% As much of a term, breadth first, as has so many cells; variables stand for the rest.
size_abstract_term(Size, Term, Abstract) :- must_be(nonneg, Size), abstracted([Term-Abstract|Tail], Tail, Size).
abstracted(Queue, Tail, _) :- Queue == Tail, !.
abstracted([Term-Abstract|Queue], Tail, Size) :-
    (   compound(Term) ->
        compound_name_arity(Term, Name, Arity), Rest is Size - Arity - 1,
        (   Rest >= 0 -> compound_name_arity(Abstract, Name, Arity), compound_name_arguments(Term, _, As), compound_name_arguments(Abstract, _, Bs), pairs_keys_values(Pairs, As, Bs),
            append(Pairs, Tail1, Tail), abstracted(Queue, Tail1, Rest)
        ;   abstracted(Queue, Tail, Size)
        )
    ;   Abstract = Term, abstracted(Queue, Tail, Size)
    ).

'$factorize_term'(Term, Skeleton, Substitution) :- term_factorized(Term, Skeleton, Substitution).

% The old form, whose cleanup learns how the goal ended.
call_cleanup(Goal, Catcher, Cleanup) :- setup_call_catcher_cleanup(true, Goal, Catcher, Cleanup).

% Clauses are there as soon as they are added.
'$flushed_predicate'(Head) :- '$strip_module'(Head, Module, Plain), functor(Plain, Name, Arity), current_predicate(Module:Name/Arity), !.

'$get_predicate_attribute'(Head, Attribute, Value) :-
    (   Attribute == imported -> predicate_property(Head, imported_from(Value))
    ;   Attribute == number_of_clauses -> predicate_property(Head, number_of_clauses(Value))
    ;   Attribute == system -> predicate_property(Head, built_in), Value = 1
    ;   predicate_property(Head, Attribute), Value = 1
    ),
    !.

% The blackboard of SICStus Prolog, YAP and Scryer Prolog.
bb_put(Key, Value) :- bb_key(Key, Name), nb_setval(Name, Value).
bb_b_put(Key, Value) :- bb_key(Key, Name), ( nb_current(Name, _) -> true ; nb_setval(Name, []) ), b_setval(Name, Value).
bb_get(Key, Value) :- bb_key(Key, Name), nb_current(Name, Value).
bb_delete(Key, Value) :- bb_get(Key, Value), bb_key(Key, Name), nb_delete(Name).
bb_update(Key, Old, New) :- bb_get(Key, Old), bb_put(Key, New).
bb_key(Key, Name) :- must_be(atomic, Key), format(atom(Name), '$bb:~q', [Key]).

% The variables of a generator as bagof/3 knows them, in front of those that are known already.
free_variables(Generator, Template, Known, Free) :-
    '$strip_module'(Generator, _, Plain), unquantified(Plain, Goal, Bound),
    '$free_variables'(Goal, Template-Bound-Known, Found), append(Found, Known, Free).
unquantified(Term, Goal, [V|Vs]) :- nonvar(Term), Term = V^Inner, !, unquantified(Inner, Goal, Vs).
unquantified(Term, Term, []).

% A call of phrase/2,3 as the goal that it makes; fails where the body is unknown.
expand_phrase(Phrase, Goal) :-
    ( Phrase = phrase(Body, List) -> Rest = [] ; Phrase = phrase(Body, List, Rest) ),
    '$strip_module'(Body, _, Plain), nonvar(Plain),
    dcg_translate_body(Body, S0, S, Goal0), S0 = List, S = Rest, Goal = Goal0.
expand_phrase(Phrase, Position, Goal, Position) :- expand_phrase(Phrase, Goal).

% Terms on binary streams: the length of the text in four bytes, and its bytes. The text is no other system's.
'$fast_put'(Stream, Term) :-
    fast_text(Term, Text), string_bytes(Text, Bytes, utf8), length(Bytes, Length),
    forall(( member(Shift, [24, 16, 8, 0]), Byte is (Length >> Shift) /\ 255 ), put_byte(Stream, Byte)),
    put_bytes(Bytes, Stream).
put_bytes([], _).
put_bytes([Byte|Bytes], Stream) :- put_byte(Stream, Byte), put_bytes(Bytes, Stream).
fast_text(Term, Text) :- with_output_to(string(Text), ( write_term(Term, [quoted(true), ignore_ops(true)]), write(' .') )).

fast_read(Stream, Term) :-
    get_byte(Stream, A),
    (   A =:= -1 -> Term0 = end_of_file
    ;   get_byte(Stream, B), get_byte(Stream, C), get_byte(Stream, D),
        Length is A << 24 \/ B << 16 \/ C << 8 \/ D,
        fast_bytes(Length, Stream, Bytes), string_bytes(Text, Bytes, utf8), fast_term(Text, Term0)
    ),
    Term = Term0.
fast_bytes(0, _, []) :- !.
fast_bytes(N, Stream, [Byte|Bytes]) :-
    get_byte(Stream, Byte),
    ( Byte =:= -1 -> throw(error(io_error(read, Stream), context(fast_read/2, 'the term is not complete'))) ; true ),
    N1 is N - 1, fast_bytes(N1, Stream, Bytes).
fast_term(Text, Term) :-
    setup_call_cleanup(open_string(Text, Stream), read_term(Stream, Term, [double_quotes(string)]), close(Stream)).

fast_term_serialized(Term, Text) :- ( nonvar(Text) -> fast_term(Text, Term0), Term = Term0 ; fast_text(Term, Text) ).

% The texts of tests that stand beside the program's texts: `a.plt` beside `a.pl`, each once.
:- dynamic test_file/1.
load_test_files(_) :-
    system:'$loaded_files'(Files),
    findall(Tests, ( member(File, Files), file_name_extension(Base, Old, File), Old \== plt, file_name_extension(Base, plt, Tests),
                     exists_file(Tests), \+ test_file(Tests) ), All0),
    sort(All0, All),
    forall(member(Tests, All), ( assertz(test_file(Tests)), user:load_files(Tests, []) )).
