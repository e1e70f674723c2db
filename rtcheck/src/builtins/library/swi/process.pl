% Other programs: SWI-Prolog's library(process), and Ciao's, whose processes run to their end.
:- module(process, [
    process_create/3, process_wait/2, process_wait/3, process_kill/1, process_kill/2, process_id/1, process_id/2,
    is_process/1, process_release/1, process_set_method/1,
    process_call/3, process_pipe/1, process_pipe/2, process_join/1, process_join/2, process_send_signal/2]).

% The shell starts them. A command is a text for it, made of words in quotes; what a process writes for the program goes
% through a file, or, where both run side by side, through a named pipe, which either side opens in the same order. A
% process that runs beside the program leaves its status in a file when it ends.

:- redefining(process_id/1).

% started(Pid, StatusFile).
:- dynamic started/2.

% --- Words for the shell.

quoted(Word0, Quoted) :-
    word(Word0, Word), atomic_list_concat(Parts, '\'', Word), atomic_list_concat(Parts, '\'\\\'\'', Inside),
    atomic_list_concat(['\'', Inside, '\''], Quoted).
word(Word, _) :- var(Word), !, instantiation_error(Word).
word(file(Spec), Word) :- !, absolute_file_name(Spec, Word, [file_errors(error), access(none)]).
word(Word, Atom) :- ( string(Word) ; atomic(Word) ), !, format(atom(Atom), '~w', [Word]).
word(Codes, Atom) :- is_list(Codes), catch(atom_codes(Atom, Codes), error(_, _), fail), !.
word(Term, Atom) :- format(atom(Atom), '~w', [Term]).

% A list of words may have lists of words among them, but a text as a list of codes is one.
words([], []) :- !.
words([W|Ws], Quoted) :- !,
    (   is_list(W), \+ is_text(W) -> words(W, First), words(Ws, Rest), append(First, Rest, Quoted)
    ;   quoted(W, Q), Quoted = [Q|Rest], words(Ws, Rest)
    ).
words(Other, _) :- type_error(list, Other).
is_text([C|Cs]) :- integer(C), C > 0, forall(member(D, Cs), ( integer(D), D > 0 )).

% The program of a command, and whether there is one of that name.
program(Command, _) :- var(Command), !, instantiation_error(Command).
program(path(Name), Quoted) :- !, quoted(Name, Quoted), must_exist(Quoted, path(Name)).
program(Spec, Quoted) :- compound(Spec), \+ is_list(Spec), !,
    absolute_file_name(Spec, File, [file_errors(error), access(exist)]), quoted(File, Quoted).
program(Name, Quoted) :- quoted(Name, Quoted), must_exist(Quoted, Name).
must_exist(Quoted, Name) :-
    atomic_list_concat(['command -v ', Quoted, ' >/dev/null 2>&1'], Look),
    ( shell(Look, 0) -> true ; existence_error(source_sink, Name) ).

% With what the options say of folder and environment.
command(Program, Args, Options, Command) :-
    program(Program, Quoted), words(Args, Words),
    environment(Options, Before, Variables),
    append(Variables, [Quoted|Words], All), atomic_list_concat(All, ' ', Line),
    atomic_list_concat([Before, Line], Command).
environment(Options, Before, Variables) :-
    ( memberchk(cwd(Folder0), Options) -> folder(Folder0, Folder), atomic_list_concat(['cd ', Folder, ' && '], Before) ; Before = '' ),
    (   member(Option, Options), ( Option = environment(Pairs) ; Option = env(Pairs) ), ! -> settings(Pairs, Settings), Variables = [env|Settings]
    ;   memberchk(set_env(Pairs), Options) -> settings(Pairs, Settings), Variables = [env, '-i'|Settings]
    ;   Variables = []
    ).
folder(Spec, Quoted) :- ( compound(Spec), \+ is_list(Spec) -> absolute_file_name(Spec, Folder, [file_type(directory)]) ; Folder = Spec ), quoted(Folder, Quoted).
settings([], []).
settings([Name=Value|Pairs], [Setting|Settings]) :-
    word(Value, V), atomic_list_concat([Name, =, V], Text), quoted(Text, Setting), settings(Pairs, Settings).

% --- SWI-Prolog's.

process_create(Program, Args, Options) :-
    must_be(list, Options),
    command(Program, Args, Options, Command),
    stream_option(stdin, Options, '<', In), stream_option(stdout, Options, '>', Out), stream_option(stderr, Options, '2>', Err),
    redirections([In, Out, Err], Words),
    (   ( memberchk(process(_), Options) ; member(Used, [In, Out, Err]), Used = pipe(_, _, _, _) ) ->
        (   memberchk(process(Pid), Options)
        ->  tmp_file(process, StatusFile), start(Command, Words, StatusFile, [In, Out, Err], Pid0),
            assertz(started(Pid0, StatusFile)), Pid = Pid0
        ;   start(Command, Words, '/dev/null', [In, Out, Err], _)
        )
    ;   append([Command|Words], [], All), atomic_list_concat(All, ' ', Line),
        shell(Line, Status),
        ( Status =:= 0 -> true ; ended(Status, How), throw(error(process_error(Program, How), _)) )
    ).

% What becomes of one of the three streams: nothing, a word for the shell, or pipe(Sign, File, Stream, Options).
stream_option(Name, Options, Sign, Use) :-
    Option =.. [Name, Spec],
    ( memberchk(Option, Options) -> use(Spec, Sign, Use) ; Use = std ).
use(Spec, _, _) :- var(Spec), !, instantiation_error(Spec).
use(std, _, std) :- !.
use(null, Sign, word(Word)) :- !, atom_concat(Sign, '/dev/null', Word).
use(pipe(Stream), Sign, Use) :- !, use(pipe(Stream, []), Sign, Use).
use(pipe(Stream, Options), Sign, pipe(Sign, File, Stream, Options)) :- !, tmp_file(process, File).
use(stream(Stream), '2>', word('2>&1')) :- Stream == stdout, !.
use(Spec, _, _) :- domain_error(process_stream, Spec).
redirections([], []).
redirections([Use|Uses], Words) :-
    (   Use = word(Word) -> Words = [Word|Rest]
    ;   Use = pipe(Sign, File, _, _) -> quoted(File, Q), atom_concat(Sign, Q, Word), Words = [Word|Rest]
    ;   Words = Rest
    ),
    redirections(Uses, Rest).

start(Command, Words, StatusFile, Uses, Pid) :-
    tmp_file(process_id, PidFile),
    findall(File, member(pipe(_, File, _, _), Uses), Pipes),
    ( Pipes == [] -> true ; maplist(quoted, Pipes, Names), atomic_list_concat([mkfifo|Names], ' ', Make), shell(Make) ),
    atomic_list_concat(Words, ' ', Redirections),
    % The process has the number that is told: its shell becomes the program, another one waits for it and does not
    % tell what ended it. Whoever looks for a file finds it whole.
    leaves('$$', '$0', Number), leaves('$?', '$3', Status),
    atomic_list_concat(['exec 3>&2 4<&0; { sh -c ''', Number, '; exec "$@"'' "$2" sh -c "$1" <&4 2>&3 3>&- 4<&- ', Redirections,
        ' & wait $!; ', Status, '; } 2>/dev/null &'], Inner),
    quoted(Inner, QuotedInner), atom_concat('exec ', Command, Executed0), executed(Command, Executed0, Executed),
    maplist(quoted, [Executed, PidFile, StatusFile], Given), atomic_list_concat(Given, ' ', Arguments),
    atomic_list_concat(['sh -c ', QuotedInner, ' sh ', Arguments], Line),
    shell(Line),
    opened(Uses), awaited(PidFile, infinite),
    read_number(PidFile, Pid), delete_file(PidFile),
    maplist(delete_file, Pipes).
% The command that leaves a number in the file that an argument of the shell names; nobody waits for one in no file.
leaves(Value, File, Command) :-
    atomic_list_concat(['case "', File, '" in /dev/null) ;; *) echo ', Value, ' >"', File, '.new"; mv "', File, '.new" "', File, '";; esac'], Command).
executed(Command, Executed0, Executed) :- ( sub_atom(Command, 0, _, _, 'cd ') -> Executed = Command ; Executed = Executed0 ).
opened([]).
opened([Use|Uses]) :-
    (   Use = pipe(Sign, File, Stream, Options) -> ( Sign == '<' -> Mode = write ; Mode = read ), open(File, Mode, Stream, Options)
    ;   true
    ),
    opened(Uses).

ended(Status, How) :- ( Status > 128 -> Signal is Status-128, How = killed(Signal) ; How = exit(Status) ).
read_number(File, Number) :- setup_call_cleanup(open(File, read, S), read_line_to_codes(S, Codes), close(S)), number_codes(Number, Codes).

process_wait(Pid, Status) :- process_wait(Pid, Status, []).
process_wait(Pid, Status, Options) :-
    known(Pid, File),
    ( memberchk(timeout(Time), Options), Time \== infinite -> get_time(Now), End is Now+Time ; End = infinite ),
    (   awaited(File, End)
    ->  read_number(File, Number), delete_file(File), ended(Number, Status0), Status = Status0,
        ( memberchk(release(false), Options) -> true ; retractall(started(Pid, _)) )
    ;   Status = timeout
    ).
known(Pid, File) :- must_be(integer, Pid), ( started(Pid, File0) -> File = File0 ; existence_error(process, Pid) ).
awaited(File, infinite) :- !,
    quoted(File, Q), atomic_list_concat(['while [ ! -e ', Q, ' ]; do sleep 0.01; done'], Wait), shell(Wait).
awaited(File, End) :-
    (   exists_file(File) -> true
    ;   get_time(Now), Now < End, sleep(0.01), awaited(File, End)
    ).

process_kill(Pid) :- process_kill(Pid, term).
process_kill(Pid, Signal0) :-
    known(Pid, _), word(Signal0, Signal1), upcase_atom(Signal1, Signal2), quoted(Signal2, Signal),
    atomic_list_concat(['kill -', Signal, ' ', Pid, ' 2>/dev/null'], Line),
    ( shell(Line, 0) -> true ; existence_error(process, Pid) ).
process_id(Pid) :- current_prolog_flag(pid, Pid).
process_id(Pid, Pid).
is_process(Pid) :- integer(Pid), started(Pid, _), !.
process_release(Pid) :- known(Pid, _), retractall(started(Pid, _)).
process_set_method(_).

% --- Ciao's.

process_call(Program, Args, Options) :- process_pipe([process_call(Program, Args, Options)], Options).
process_pipe(Calls) :- process_pipe(Calls, []).
process_pipe(Calls, Options) :-
    must_be(list, Options),
    stages(Calls, Stages, Statuses),
    atomic_list_concat(Stages, ' | ', Pipe),
    source(Options, From, Made), sink(stdout, Options, '>', To, Sink), sink(stderr, Options, '2>', Errors, ErrorSink),
    atomic_list_concat(['{ ', Pipe, '; }', From, To, Errors], Line),
    shell(Line, _),
    ( Made == none -> true ; delete_file(Made) ),
    taken(Sink), taken(ErrorSink),
    each_ended(Statuses).

% A command of the shell for each call, which leaves its status in a file.
stages([], [], []).
stages([Call|Calls], [Stage|Stages], [status(Program, Options, File)|Statuses]) :-
    ( Call = process_call(Program, Args, Options) -> true ; Call = process_call(Program, Args) -> Options = [] ; type_error(process_call, Call) ),
    command(Program, Args, Options, Command), tmp_file(process, File),
    quoted(File, Q), atomic_list_concat(['{ ( ', Command, ' ); echo $? >', Q, '; }'], Stage),
    stages(Calls, Stages, Statuses).
each_ended([]).
each_ended([status(Program, Options, File)|Statuses]) :-
    read_number(File, Status), delete_file(File),
    (   memberchk(status(Wanted), Options) -> Wanted = Status
    ;   memberchk(background(process(Status)), Options) -> true
    ;   Status =:= 0 -> true
    ;   throw(error(process_error(Program, exit(Status)), process_call/3))
    ),
    each_ended(Statuses).

% What the first process reads: a word for the shell, and a file that is made for it.
source(Options, Word, Made) :-
    ( memberchk(stdin(Spec), Options) -> from(Spec, Word, Made) ; Word = '', Made = none ).
from(default, '', none) :- !.
from(null, ' </dev/null', none) :- !.
from(file(Name), Word, none) :- !, quoted(Name, Q), atomic_list_concat([' <', Q], Word).
from(Given, Word, File) :-
    tmp_file(process, File),
    setup_call_cleanup(open(File, write, S), written(Given, S), close(S)),
    quoted(File, Q), atomic_list_concat([' <', Q], Word).
written(string(Text), S) :- !, format(S, '~s', [Text]).
written(line(Text), S) :- !, format(S, '~s~n', [Text]).
written(atmlist(Atoms), S) :- !, forall(member(A, Atoms), ( write(S, A), nl(S) )).
written(terms(Terms), S) :- !, forall(member(T, Terms), format(S, '~q.~n', [T])).
written(stream(From), S) :- !, copy_stream_data(From, S).
written(Spec, _) :- domain_error(process_stream, Spec).

% Where what is written goes, and what the program gets of it.
sink(Name, Options, Sign, Word, Sink) :-
    Option =.. [Name, Spec],
    ( memberchk(Option, Options) -> to(Spec, Sign, Word, Sink) ; Word = '', Sink = none ).
to(default, _, '', none) :- !.
to(stdout, _, ' 2>&1', none) :- !.
to(null, Sign, Word, none) :- !, atomic_list_concat([' ', Sign, '/dev/null'], Word).
to(file(Name), Sign, Word, none) :- !, quoted(Name, Q), atomic_list_concat([' ', Sign, Q], Word).
to(file_append(Name), Sign, Word, none) :- !, quoted(Name, Q), atomic_list_concat([' ', Sign, '>', Q], Word).
to(Spec, Sign, Word, take(File, Spec)) :- tmp_file(process, File), quoted(File, Q), atomic_list_concat([' ', Sign, Q], Word).

taken(none).
taken(take(File, Spec)) :- take(Spec, File).
take(pipe(Stream), File) :- !, open(File, read, Stream), delete_file(File).
take(Spec, File) :-
    read_file_to_codes(File, Codes, []), delete_file(File),
    (   Spec = string(Text) -> Text = Codes
    ;   Spec = line(Text) -> ( append(Text0, [0'\n], Codes) -> Text = Text0 ; Text = Codes )
    ;   Spec = atmlist(Atoms) -> lines(Codes, Lines), maplist(atom_of_codes, Lines, Atoms0), Atoms = Atoms0
    ;   Spec = terms(Terms) -> terms(Codes, Terms)
    ;   Spec = stream(Stream) -> format(Stream, '~s', [Codes])
    ;   domain_error(process_stream, Spec)
    ).
atom_of_codes(Codes, Atom) :- atom_codes(Atom, Codes).
lines([], []) :- !.
lines(Codes, [Line|Lines]) :- ( append(Line, [0'\n|Rest], Codes) -> lines(Rest, Lines) ; Line = Codes, Lines = [] ).
terms(Codes, Terms) :- setup_call_cleanup(open_codes(Codes, S), terms_of(S, Terms), close(S)).
open_codes(Codes, S) :- string_codes(Text, Codes), open_string(Text, S).
terms_of(S, Terms) :- read_term(S, T, []), ( T == end_of_file -> Terms = [] ; Terms = [T|Rest], terms_of(S, Rest) ).

% Those that run in the background have ended, and are known by their status.
process_join(Process) :- process_join(Process, _).
process_join(Process, Status) :-
    ( nonvar(Process), Process = process(Status0) -> Status = Status0 ; existence_error(process, Process) ).
process_send_signal(Process, _) :- existence_error(process, Process).
