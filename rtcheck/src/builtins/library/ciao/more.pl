:- module(ciao_more,
    [del_file_nofail/1, del_file_nofail/2, del_files_nofail/1, delete_files/1, del_endings_nofail/2,
     move_file/2, move_files/2, move_if_diff/3, backup_file/1, mkpath/1, mkpath/2, make_dirpath/2, dir_path/2,
     file_dir_name/3, no_path_file_name/2, file_directory_base_name/3, find_executable/2, remove_dir/1,
     get_pid/1, cpu_count/1, get_numcores/1, ignore_nosuccess/1, version_split_patch/3, discard_to/1,
     put_codes/1, put_codes/2, put_code_list/1, read_string_to_end/2, file_to_terms/2, terms_to_file/2,
     file_to_line/2, atom2term/2, string2term/2, display_term/1, write_list1/1, message_lns/4, number_codes/3,
     atom_number/3, valid_base/1, ttyget/1, ttyget1/1, ttynl/0, ttyput/1, ttyskip/1, ttyskipeol/0, ttytab/1,
     ttydisplay/1, ttydisplayq/1, ttydisplay_string/1, assoc_keys/2, assoc_values/2, null_dict/1,
     create_dict/2, create_pretty_dict/2, complete_dict/3, complete_vars_dict/3, prune_dict/3, sort_dict/2,
     varnamesl2dict/2, dict2varnamesl/2, vars_names_dict/3, getopts/4, cl_option/2, send_signal/2,
     wellformed_body/3, module_concat/3, point_to/3, once_port_reify/2]).

% What Ciao's libraries system_extra, source_tree, stream_utils, ttyout, vndict, getopts, assoc and others have besides.

:- meta_predicate ignore_nosuccess(0), once_port_reify(0, ?).

% Files.
del_file_nofail(File) :- catch(delete_file(File), error(_, _), true).
del_file_nofail(File, Error) :- catch(( delete_file(File), Error = ok ), Error, true).
del_files_nofail(Files) :- maplist(del_file_nofail, Files).
delete_files(Files) :- maplist(delete_file, Files).
del_endings_nofail([], _).
del_endings_nofail([Ending|Endings], Name) :- atom_concat(Name, Ending, File), del_file_nofail(File), del_endings_nofail(Endings, Name).
move_file(File, To) :- ( exists_directory(To) -> inside(To, File, New) ; New = To ), rename_file(File, New).
move_files([], _).
move_files([File|Files], Folder) :- move_file(File, Folder), move_files(Files, Folder).
inside(Folder, File, Path) :- no_path_file_name(File, Name), atomic_list_concat([Folder, /, Name], Path).
move_if_diff(From, To, New) :-
    (   exists_file(To), file_to_string(From, Text), file_to_string(To, Text)
    ->  delete_file(From), New = no
    ;   rename_file(From, To), New = yes
    ).
backup_file(File) :-
    (   exists_file(File) -> between(0, inf, N), atomic_list_concat([File, ~, N, ~], New), \+ exists_file(New), !, rename_file(File, New)
    ;   true
    ).
mkpath(Path) :- make_directory_path(Path).
mkpath(Path, _) :- make_directory_path(Path).
make_dirpath(Path, _) :- make_directory_path(Path).
dir_path(Folder, Path) :- ( sub_atom(Folder, _, 1, 0, /) -> Path = Folder ; atom_concat(Folder, /, Path) ).
file_dir_name(File, Folder, Name) :-
    no_path_file_name(File, Name), atom_concat(Folder0, Name, File),
    (   memberchk(Folder0-Folder1, [''-'.', / - /]) -> Folder = Folder1
    ;   atom_concat(Folder, /, Folder0)
    ).
no_path_file_name(File, Name) :- system:'$after_slash'(File, Name).
file_directory_base_name(File, Folder, Name) :-
    no_path_file_name(File, Name), atom_concat(Folder0, Name, File), ( Folder0 == '' -> Folder = './' ; Folder = Folder0 ).
find_executable(Name, Path) :-
    getenv('PATH', Paths), atomic_list_concat(Folders, :, Paths),
    member(Folder, Folders), atomic_list_concat([Folder, /, Name], Path), exists_file(Path), !.
remove_dir(Folder) :- delete_directory_and_contents(Folder).
get_pid(Id) :- current_prolog_flag(pid, Id).
cpu_count(N) :- ( current_prolog_flag(cpu_count, N0) -> N = N0 ; N = 1 ).
get_numcores(N) :- cpu_count(N).
ignore_nosuccess(Goal) :- ( catch(Goal, _, true) -> true ; true ).
version_split_patch(Version, Patch, Rest) :-
    atomic_list_concat(Parts, '.', Version), append(Front, [Patch], Parts), atomic_list_concat(Front, '.', Rest).

% Text.
discard_to(Code) :- get_code(C), ( C =:= -1 -> true ; C =:= Code -> true ; discard_to(Code) ).
put_codes(Codes) :- format("~s", [Codes]).
put_codes(Stream, Codes) :- format(Stream, "~s", [Codes]).
put_code_list(Codes) :- put_codes(Codes).
read_string_to_end(Stream, Codes) :- read_to_end(Stream, Codes).
file_to_terms(File, Terms) :- file_terms(File, Terms).
terms_to_file(Terms, File) :- file_terms(File, Terms).
file_to_line(File, Line) :- setup_call_cleanup(open(File, read, S), get_line(S, Line), close(S)).
atom2term(Atom, Term) :- atom_to_term(Atom, Term, _).
string2term(Codes, Term) :- atom_codes(Atom, Codes), atom_to_term(Atom, Term, _).
display_term(Term) :- display(Term).
write_list1([]).
write_list1([X|Xs]) :- write(X), nl, write_list1(Xs).
message_lns(Kind, From, To, Message) :- message(Kind, ['(lns ', From, '-', To, ') '|Message]).
% Codes of a number in a base.
number_codes(Number, Base, Codes) :-
    valid_base(Base),
    (   var(Number) -> base_number(Codes, Base, Number)
    ;   format(codes(Codes), "~*r", [Base, Number])
    ).
base_number([0'-|Codes], Base, Number) :- !, base_number(Codes, Base, 0, N), Number is -N.
base_number(Codes, Base, Number) :- Codes = [_|_], base_number(Codes, Base, 0, Number).
base_number([], _, Number, Number).
base_number([C|Cs], Base, Number0, Number) :-
    char_code(Char, C), downcase_atom(Char, Low), char_code(Low, D0),
    ( D0 >= 0'a -> D is D0 - 0'a + 10 ; D is D0 - 0'0 ),
    D >= 0, D < Base, Number1 is Number0*Base + D, base_number(Cs, Base, Number1, Number).
atom_number(Atom, Base, Number) :-
    (   atom(Atom) -> atom_codes(Atom, Codes), number_codes(Number, Base, Codes)
    ;   number_codes(Number, Base, Codes), atom_codes(Atom, Codes)
    ).
valid_base(Base) :- integer(Base), Base >= 2, Base =< 36.

% The terminal.
ttyget(Code) :- get_code(user_input, Code).
ttyget1(Code) :- ttyget(C), ( C =:= -1 -> Code = C ; C =< 32 -> ttyget1(Code) ; Code = C ).
ttynl :- nl(user_output).
ttyput(Code) :- put_code(user_output, Code).
ttyskip(Code) :- ttyget(C), ( C =:= Code -> true ; C =:= -1 -> true ; ttyskip(Code) ).
ttyskipeol :- ttyskip(0'\n).
ttytab(N) :- tab(user_output, N).
ttydisplay(Term) :- display(user_output, Term).
ttydisplayq(Term) :- displayq(user_output, Term).
ttydisplay_string(Codes) :- put_codes(user_output, Codes).

% Pairs, sorted by their keys.
assoc_keys(Assoc, Keys) :- assoc_to_keys(Assoc, Keys).
assoc_values(Assoc, Values) :- assoc_to_values(Assoc, Values).

% Names of variables: dic(Variables, Names).
null_dict(dic([], [])).
create_dict(Term, dic(Vars, Names)) :- term_variables(Term, Vars0), sort(Vars0, Vars), names_from(Vars, 1, Names).
create_pretty_dict(Term, Dict) :- create_dict(Term, Dict).
names_from([], _, []).
names_from([_|Vars], N, [Name|Names]) :- nth_name(N, Name), N1 is N+1, names_from(Vars, N1, Names).
nth_name(N, Name) :-
    Letter is 0'A + (N-1) mod 26, Round is (N-1) // 26,
    ( Round =:= 0 -> atom_codes(Name, [Letter]) ; char_code(C, Letter), atom_concat(C, Round, Name) ).
complete_dict(dic(Vars0, Names0), Term, dic(Vars, Names)) :-
    term_variables(Term, Vars1), added(Vars1, Vars0, Names0, 1, Vars, Names).
complete_vars_dict(Dict0, Vars, Dict) :- complete_dict(Dict0, Vars, Dict).
added([], Vars, Names, _, Vars, Names).
added([V|Vs], Vars0, Names0, N, Vars, Names) :-
    (   member(W, Vars0), W == V -> added(Vs, Vars0, Names0, N, Vars, Names)
    ;   between(N, inf, N1), nth_name(N1, Name), \+ memberchk(Name, Names0), !,
        append(Vars0, [V], Vars1), append(Names0, [Name], Names1), added(Vs, Vars1, Names1, N1, Vars, Names)
    ).
prune_dict(Term, dic(Vars0, Names0), dic(Vars, Names)) :- term_variables(Term, Wanted), pruned(Vars0, Names0, Wanted, Vars, Names).
pruned([], _, _, [], []).
pruned([V|Vs], [N|Ns], Wanted, Vars, Names) :-
    (   member(W, Wanted), W == V -> Vars = [V|Vars1], Names = [N|Names1] ; Vars = Vars1, Names = Names1 ),
    pruned(Vs, Ns, Wanted, Vars1, Names1).
sort_dict(dic(Vars0, Names0), dic(Vars, Names)) :- pairs_keys_values(Pairs0, Vars0, Names0), keysort(Pairs0, Pairs), pairs_keys_values(Pairs, Vars, Names).
varnamesl2dict(Equations, dic(Vars, Names)) :- findall_names(Equations, Names, Vars).
dict2varnamesl(dic(Vars, Names), Equations) :- findall_names(Equations, Names, Vars).
findall_names([], [], []).
findall_names([Name=Var|Equations], [Name|Names], [Var|Vars]) :- findall_names(Equations, Names, Vars).
vars_names_dict(dic(Vars, Names), Vars, Names).

% getopts(Arguments, Specification, Options, Rest): options Name/N with N arguments each.
getopts([], _, [], []).
getopts([Argument|Arguments], Options0, Options, Rest) :-
    (   Argument == (--) -> Options = [], Rest = Arguments
    ;   option_of(Options0, Argument, N), length(Values, N), append(Values, Arguments1, Arguments)
    ->  atom_chars(Argument, Chars), bare(Chars, Bare), atom_chars(Name, Bare), Option =.. [Name|Values],
        Options = [Option|Options1], getopts(Arguments1, Options0, Options1, Rest)
    ;   Rest = [Argument|Rest1], getopts(Arguments, Options0, Options, Rest1)
    ).
option_of(Options, Argument, N) :-
    member(Option, Options), ( Option = Name/N -> true ; Name = Option, N = 0 ),
    ( Name == Argument -> true ; atom_concat('-', Name, Argument) -> true ; atom_concat('--', Name, Argument) ), !.
bare(['-'|Chars0], Chars) :- !, bare(Chars0, Chars).
bare(Chars, Chars).
cl_option(Options, Option) :- memberchk(Option, Options).

% Terms and goals.
send_signal(Signal, Handled) :-
    catch(( send_signal(Signal), Handled0 = true ), E, ( E == Signal -> Handled0 = false ; throw(E) )),
    Handled = Handled0.
wellformed_body(Body, _, Body) :- var(Body), !.
wellformed_body(Body, _, Body) :- callable(Body).
module_concat(Module, Name, All) :- atomic_list_concat([Module, :, Name], All).
point_to(Vertex, Graph, Sources) :- findall(V, ( member(V-Ns, Graph), memberchk(Vertex, Ns) ), Sources).
once_port_reify(Goal, Port) :-
    ( catch(Goal, E, true) -> ( var(E) -> Port = success ; Port = exception(E) ) ; Port = fail ).
