:- module(ciao_system,
    [pause/1, datime/1, datime/9, getenvstr/2, setenvstr/2, current_env/2, set_env/2, del_env/1, get_tmp_dir/1,
     mktemp/2, mktemp_in_tmp/2, modif_time/2, modif_time0/2, file_exists/2, file_properties/6, copy_file/3, system/1,
     system/2, current_host/1, current_executable/1, using_windows/0, winpath/2, extract_paths/2, get_exec_ext/1,
     cygwin/0, get_arch/1, get_os/1, get_platform/1, get_debug/1, get_ciao_ext/1, ciao_version/1, this_module/1,
     new_atom/1, gc/0, nogc/0, path_is_root/1, path_is_absolute/1, path_is_relative/1, path_norm/2, path_concat/3,
     path_split/3, path_dirname/2, path_basename/2, path_splitext/3, path_splitext_sep/4, path_split_list/2,
     path_concat_list/2, path_get_relative/3, path_relocate/4, term_to_meta/2, '$nodebug_call'/1,
     '$quoted_atom_length'/2, lock_atom/1, unlock_atom/1, srandom/1, fast_write/1, fast_write/2, fast_read/1,
     '$global_vars_get'/2, '$global_vars_set'/2,
     setval/2, getval/2, create_mutable/2, get_mutable/2, update_mutable/2, mutable/1, is_mutable/1]).

% The system around a program in Ciao: its libraries system, system_info, pathnames, prolog_flags and internals.

:- meta_predicate this_module(:), '$nodebug_call'(0).

pause(Seconds) :- sleep(Seconds).

datime(datime(Year, Month, Day, Hour, Minute, Second)) :-
    datime(_, Year, Month, Day, Hour, Minute, Second, _, _).
% The seconds since 1970 are taken if they are known.
datime(Time, Year, Month, Day, Hour, Minute, Second, WeekDay, YearDay) :-
    ( var(Time) -> get_time(Now), Time is truncate(Now) ; true ),
    stamp_date_time(Time, date(Year, Month, Day, Hour, Minute, Second0, _, _, _), local),
    Second is truncate(float(Second0)),
    day_of_the_week(date(Year, Month, Day), WeekDay0),
    WeekDay is WeekDay0 mod 7,
    date_time_stamp(date(Year, 1, 1, 0, 0, 0, 0, -, -), First),
    YearDay is truncate(float(Time-First)) // 86400.

getenvstr(Name, Codes) :- getenv(Name, Value), atom_codes(Value, Codes).
setenvstr(Name, Codes) :- atom_codes(Value, Codes), setenv(Name, Value).
current_env(Name, Value) :- atom(Name), getenv(Name, Value).
set_env(Name, Value) :- setenv(Name, Value).
del_env(Name) :- unsetenv(Name).

get_tmp_dir('/tmp').
mktemp_in_tmp(_, File) :- tmp_file(ciao, File).
mktemp(_, File) :- tmp_file(ciao, File).

modif_time(File, Time) :- time_file(File, Time0), Time is truncate(Time0).
modif_time0(File, Time) :- ( exists_file(File) -> modif_time(File, Time) ; Time = 0 ).

file_exists(File, Mode) :- ( Mode =:= 0 -> Access = exist ; Mode =:= 2 -> Access = write ; Access = read ), access_file(File, Access).

file_properties(File, Type, [], Time, [], Size) :-
    (   exists_directory(File) -> Type = directory, Size = 0
    ;   Type = regular, size_file(File, Size)
    ),
    modif_time(File, Time).

copy_file(From, To, _) :- copy_file(From, To).

system(Command) :- shell(Command, _).
system(Command, Status) :- shell(Command, Status).

current_host(localhost).
current_executable(rtcheck).
using_windows :- fail.
cygwin :- fail.
winpath(Path, Path).
get_exec_ext('').
extract_paths(Codes, Paths) :-
    atom_codes(Atom, Codes),
    ( Atom == '' -> Paths = [] ; atomic_list_concat(Paths, :, Atom) ).

get_os('LINUX').
get_arch(x86_64).
get_platform('LINUXx86_64').
get_debug('').
get_ciao_ext('').
ciao_version('1.23').
this_module(Module:Module).

new_atom(Atom) :- gensym('atom$', Atom).
gc.
nogc.
lock_atom(_).
unlock_atom(_).
srandom(Seed) :- ( var(Seed) -> Seed = 0 ; true ), set_random(seed(Seed)).

% Variables by number, which are 0 until they are set; backtracking takes back what they were set to.
'$global_vars_get'(N, Value) :- global_key(N, Key), ( nb_current(Key, Value0) -> Value = Value0 ; Value = 0 ).
'$global_vars_set'(N, Value) :- global_key(N, Key), b_setval(Key, Value).
global_key(N, Key) :- must_be(nonneg, N), atom_concat('$ciao_global_', N, Key).

term_to_meta(Term, Term).
'$nodebug_call'(Goal) :- call(Goal).
'$quoted_atom_length'(Atom, Length) :- format(atom(Quoted), "~q", [Atom]), atom_length(Quoted, Length).

fast_write(Term) :- write_term(Term, [quoted(true), ignore_ops(true)]), write(' .'), nl.
fast_write(Stream, Term) :-
    (   stream_property(Stream, type(binary)) -> '$fast_put'(Stream, Term)
    ;   write_term(Stream, Term, [quoted(true), ignore_ops(true)]), write(Stream, ' .'), nl(Stream)
    ).
fast_read(Term) :- read(Term0), Term0 \== end_of_file, Term = Term0.

path_is_root(/).
path_is_absolute(Path) :- sub_atom(Path, 0, 1, _, /).
path_is_relative(Path) :- \+ path_is_absolute(Path).

path_concat('', Path, Path) :- !.
path_concat(Path, '', Joined) :- !, ( sub_atom(Path, _, 1, 0, /) -> Joined = Path ; atom_concat(Path, /, Joined) ).
path_concat(_, Path, Path) :- path_is_absolute(Path), !.
path_concat(Path1, Path2, Path) :-
    ( sub_atom(Path1, _, 1, 0, /) -> atom_concat(Path1, Path2, Path) ; atomic_list_concat([Path1, /, Path2], Path) ).

% The directory has no slash at its end unless it is the root; the base has none at all.
path_split(Path, Directory, Base) :-
    (   last_slash(Path, Before)
    ->  sub_atom(Path, 0, Before, _, Directory0),
        After is Before+1,
        sub_atom(Path, After, _, 0, Base),
        without_slashes(Directory0, Directory1),
        ( Directory1 == '' -> Directory = / ; Directory = Directory1 )
    ;   Directory = '', Base = Path
    ).
path_dirname(Path, Directory) :- path_split(Path, Directory, _).
path_basename(Path, Base) :- path_split(Path, _, Base).

last_slash(Path, Before) :- findall(B, sub_atom(Path, B, 1, _, /), Bs), last(Bs, Before).

without_slashes(Path0, Path) :-
    ( Path0 \== '', atom_concat(Path1, /, Path0) -> without_slashes(Path1, Path) ; Path = Path0 ).

% The extension has its point; a name that begins with one has none.
path_splitext(Path, Base, Extension) :-
    path_splitext_sep(Path, Base, Separator, Extension0),
    atom_concat(Separator, Extension0, Extension).
path_splitext_sep(Path, Base, Separator, Extension) :-
    path_split(Path, _, Name),
    (   findall(B, sub_atom(Name, B, 1, _, '.'), Bs), last(Bs, Before), Before > 0
    ->  sub_atom(Name, Before, _, 0, Tail),
        atom_concat(Base, Tail, Path),
        atom_concat('.', Extension, Tail),
        Separator = '.'
    ;   Base = Path, Separator = '', Extension = ''
    ).

path_split_list(Path, Parts) :-
    atomic_list_concat(Parts0, /, Path),
    ( Parts0 = [''|Parts1], Parts1 \== [] -> Parts2 = [/|Parts1] ; Parts2 = Parts0 ),
    kept(Parts2, Parts).

kept([], []).
kept([''|Parts0], Parts) :- !, kept(Parts0, Parts).
kept([Part|Parts0], [Part|Parts]) :- kept(Parts0, Parts).

path_concat_list([], '').
path_concat_list([Part|Parts], Path) :- foldl(joined, Parts, Part, Path).
joined(Part, Path0, Path) :- path_concat(Path0, Part, Path).

path_norm(Path, Normal) :-
    path_split_list(Path, Parts),
    normal(Parts, [], Reversed),
    reverse(Reversed, Parts1),
    ( Parts1 == [] -> Normal = '.' ; path_concat_list(Parts1, Normal) ).

normal([], Done, Done).
normal([Part|Parts], Done0, Done) :-
    (   Part == '.' -> Done1 = Done0
    ;   Part == '..' -> up(Done0, Done1)
    ;   Done1 = [Part|Done0]
    ),
    normal(Parts, Done1, Done).

up([], ['..']).
up([/], [/]) :- !.
up(['..'|Done], ['..', '..'|Done]) :- !.
up([_|Done], Done).

path_get_relative(Base, Path, Relative) :-
    path_concat(Base, '', Base1),
    atom_concat(Base1, Relative, Path).
path_relocate(From, To, Path, Moved) :-
    (   From == Path -> Moved = To
    ;   path_get_relative(From, Path, Relative), path_concat(To, Relative, Moved)
    ).

% Global variables that backtracking sets back, Ciao's global_vars.
setval(Name, Value) :- b_setval(Name, Value).
getval(Name, Value) :- b_getval(Name, Value).

% Mutable terms, SICStus Prolog's: what they hold is set back by backtracking.
create_mutable(Value, '$mutable'(Value)).
is_mutable(Mutable) :- nonvar(Mutable), Mutable = '$mutable'(_).
mutable(Mutable) :- is_mutable(Mutable).
get_mutable(Value, Mutable) :- must_be_mutable(Mutable), arg(1, Mutable, Value).
update_mutable(Value, Mutable) :- must_be_mutable(Mutable), setarg(1, Mutable, Value).
must_be_mutable(Mutable) :- ( var(Mutable) -> instantiation_error(Mutable) ; is_mutable(Mutable) -> true ; type_error(mutable, Mutable) ).
