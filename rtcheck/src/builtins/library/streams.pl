% Streams and terms as text.

:- meta_predicate with_output_to(?, 0), listing(:), help(:), phrase_from_file(//, ?), phrase_from_file(//, ?, ?),
    phrase_from_stream(//, ?), write_term(?, :), write_term(?, ?, :).

stream_property(S, P) :-
    '$stream_property_name'(P),
    '$streams'(S, Ss),
    member(S0, Ss),
    '$same_stream'(S, S0),
    '$stream_properties'(S0, Ps),
    ( nonvar(P), P \= alias(_) -> memberchk(P, Ps) ; member(P, Ps) ).
% An alias stands for its stream.
'$same_stream'(S, S0) :- ( atom(S) -> true ; S = S0 ).
current_stream(File, Mode, S) :-
    stream_property(S, mode(Mode)),
    ( stream_property(S, file_name(F)) -> File = F ; File = [] ).

write_term(T, Q) :- '$strip_module'(Q, M, Options), '$write_portrayed'(Options, M, T, T1), '$write_term'(T1, Options).
write_term(S, T, Q) :- '$strip_module'(Q, M, Options), '$write_portrayed'(Options, M, T, T1), '$write_term'(S, T1, Options).
'$write_portrayed'(Options, M, T, T1) :-
    ( is_list(Options), '$portrays'(Options, M, Options, Goal) -> '$portrayed'(T, Goal, T1) ; T1 = T ).
% What is called with each subterm: a goal of the caller's, or portray/1.
'$portrays'([O|Os], M, Options, Goal) :-
    ( nonvar(O), O = portray_goal(G), nonvar(G) -> Goal = portrays(M:G, Options)
    ; nonvar(O), ( O = portray(B) ; O = portrayed(B) ), B == true, '$has_portray', \+ '$has_goal'(Os) -> Goal = portray
    ; '$portrays'(Os, M, Options, Goal)
    ).
'$has_goal'([O|Os]) :- ( nonvar(O), O = portray_goal(_) -> true ; '$has_goal'(Os) ).
'$portrays_by'(portray, T) :- user:portray(T).
'$portrays_by'(portrays(Goal, Options), T) :- call(Goal, T, Options).

print(T) :- current_output(S), print(S, T).
print(S, T) :- ( '$has_portray' -> '$portrayed'(T, portray, T1) ; T1 = T ), '$print'(S, T1).
'$has_portray' :- '$defined'(user:portray(_)).
% The text that portray/1 writes for a subterm stands for that subterm.
'$portrayed'(T, _, P) :- var(T), !, P = T.
'$portrayed'(T, G, P) :-
    '$capture'(C, O),
    ( catch('$portrays_by'(G, T), E, ( '$captured'(C, O, _), throw(E) )) ->
        '$captured'(C, O, Text), P = '$portrayed'(Text)
    ;   '$captured'(C, O, _), '$portray_inside'(T, G, P)
    ).
'$portray_inside'(T, _, T) :- atomic(T), !.
'$portray_inside'(T, _, T) :- \+ acyclic_term(T), !.
'$portray_inside'([X|Xs], G, [P|Ps]) :- !, '$portrayed'(X, G, P), '$portray_tail'(Xs, G, Ps).
'$portray_inside'(T, G, P) :- compound_name_arguments(T, F, As), '$portray_all'(As, G, Ps), compound_name_arguments(P, F, Ps).
'$portray_tail'(T, G, P) :- ( nonvar(T), T = [_|_] -> '$portray_inside'(T, G, P) ; T == [] -> P = [] ; '$portrayed'(T, G, P) ).
'$portray_all'([], _, []).
'$portray_all'([A|As], G, [P|Ps]) :- '$portrayed'(A, G, P), '$portray_all'(As, G, Ps).

with_output_to(Sink, Goal) :-
    nonvar(Sink), \+ '$is_sink'(Sink), is_stream(Sink), !,
    current_output(O),
    setup_call_cleanup(set_output(Sink), once(Goal), set_output(O)).
with_output_to(Sink, Goal) :-
    '$check_sink'(Sink),
    '$capture'(C, O),
    ( catch(Goal, E, ( '$captured'(C, O, _), throw(E) )) ->
        '$captured'(C, O, Text), '$to_sink'(Sink, Text)
    ;   '$captured'(C, O, _), fail
    ).
'$check_sink'(V) :- var(V), !, throw(error(instantiation_error, _)).
'$check_sink'(S) :- '$is_sink'(S), !.
'$check_sink'(S) :- throw(error(domain_error(output_sink, S), _)).
'$is_sink'(atom(_)).
'$is_sink'(string(_)).
'$is_sink'(codes(_)).
'$is_sink'(codes(_, _)).
'$is_sink'(chars(_)).
'$is_sink'(chars(_, _)).
'$to_sink'(atom(A), T) :- A = T.
'$to_sink'(string(S), T) :- '$string_of'(T, S0), S = S0.
'$to_sink'(codes(L), T) :- atom_codes(T, L).
'$to_sink'(codes(L, Tail), T) :- atom_codes(T, L0), append(L0, Tail, L).
'$to_sink'(chars(L), T) :- atom_chars(T, L).
'$to_sink'(chars(L, Tail), T) :- atom_chars(T, L0), append(L0, Tail, L).

sformat(S, F, Args) :- format(string(S), F, Args).
sformat(S, F) :- format(string(S), F, []).
display_string(Text) :- '$text_atom'(Text, A), write(A).
display_string(S, Text) :- '$text_atom'(Text, A), write(S, A).
display_list([]) :- !.
display_list([X|Xs]) :- !, display(X), display_list(Xs).
display_list(X) :- display(X).
term_to_codes(T, Cs) :- with_output_to(codes(Cs), writeq(T)).
open_string(Text, S) :- '$open_text'(Text, S).
open_null_stream(S) :- open('/dev/null', write, S).

read_line_to_codes(S, L) :- '$read_line'(S, A), ( A == -1 -> L = end_of_file ; atom_codes(A, L) ).
read_line_to_codes(S, L, Tail) :-
    '$read_line'(S, A),
    ( A == -1 -> L = Tail ; atom_codes(A, L0), append(L0, [0'\n|Tail], L) ).
read_line_to_string(S, L) :- '$read_line'(S, A), ( A == -1 -> L = end_of_file ; '$string_of'(A, L) ).
read_stream_to_codes(S, L) :- '$read_rest'(S, A), atom_codes(A, L).
read_stream_to_codes(S, L, Tail) :- '$read_rest'(S, A), atom_codes(A, L0), append(L0, Tail, L).
% read_string(+Stream, ?Length, -String): as many characters as are asked for, or all.
read_string(S, Length, Text) :-
    ( var(Length) -> '$read_rest'(S, A), '$string_of'(A, Text), string_length(Text, Length)
    ; must_be(nonneg, Length), '$read_codes'(Length, S, Cs), '$string'(Cs, text, Text)
    ).
'$read_codes'(N, S, Cs) :-
    ( N =:= 0 -> Cs = []
    ; get_code(S, C), ( C =:= -1 -> Cs = [] ; Cs = [C|Cs1], N1 is N - 1, '$read_codes'(N1, S, Cs1) )
    ).
% read_string(+Stream, +Separators, +Padding, -Separator, -String): up to a separator, without padding at both ends.
read_string(S, Separators, Padding, Separator, Text) :-
    string_codes(Separators, Ends),
    '$read_until'(S, Ends, Cs, Separator0),
    split_string(Cs, "", Padding, [Text0]),
    Separator = Separator0, Text = Text0.
'$read_until'(S, Ends, Cs, End) :-
    get_code(S, C),
    ( C =:= -1 -> Cs = [], End = -1
    ; memberchk(C, Ends) -> Cs = [], End = C
    ; Cs = [C|Cs1], '$read_until'(S, Ends, Cs1, End)
    ).
read_term_from_stream(S, T) :- read(S, T).
read_file_to_codes(F, L, _) :- open(F, read, S), '$read_rest'(S, A), close(S), atom_codes(A, L).
read_file_to_string(F, T, _) :- open(F, read, S), '$read_rest'(S, A), close(S), '$string_of'(A, T).
read_file_to_terms(F, Ts, _) :- open(F, read, S), catch('$read_terms'(S, Ts), E, ( close(S), throw(E) )), close(S).
'$read_terms'(S, Ts) :- read(S, T), ( T == end_of_file -> Ts = [] ; Ts = [T|Ts1], '$read_terms'(S, Ts1) ).
copy_stream_data(In, Out) :-
    repeat, get_char(In, C), ( C == end_of_file -> ! ; put_char(Out, C), fail ).
copy_stream_data(In, Out, N) :- forall(( between(1, N, _), get_char(In, C), C \== end_of_file ), put_char(Out, C)).
get(C) :- current_input(S), get(S, C).
get(S, C) :- repeat, get_code(S, C0), ( C0 =:= -1 ; C0 > 32 ), !, C = C0.
skip(C) :- current_input(S), skip(S, C).
skip(S, C) :- ( integer(C) -> Code = C ; char_code(C, Code) ), repeat, get_code(S, C0), ( C0 =:= Code ; C0 =:= -1 ), !.
% `put("a")`: one character in double quotes.
put(C) :- current_output(S), put(S, C).
put(S, C0) :- ( nonvar(C0), ( C0 = [C] ; string(C0), string_chars(C0, [C]) ) -> true ; C = C0 ), ( integer(C) -> put_code(S, C) ; put_char(S, C) ).
ttyflush :- flush_output(user_output).
fileerrors.
nofileerrors.
prompt(Old, _) :- Old = ''.

% The whole file is read at first, so that it costs what it is long, and no stream stays open.
phrase_from_file(G, F) :- phrase_from_file(G, F, []).
phrase_from_file(G, F, Options) :-
    '$file_text'(F, Path), setup_call_cleanup(open(Path, read, S, Options), '$read_rest'(S, A), close(S)),
    '$absolute_file'(Path, File), '$phrase_from_text'(G, A, file(File)).
phrase_from_stream(G, S) :- '$read_rest'(S, A), '$phrase_from_text'(G, A, stream(S)).
% What is in a file is what text in double quotes is: characters where the flag says so, or else codes. While it is
% parsed, lazy_list_location//1 knows where it is from.
'$phrase_from_text'(G, A, Where) :-
    ( current_prolog_flag(double_quotes, chars) -> atom_chars(A, L) ; atom_codes(A, L) ),
    ( nb_current('$parsed', Outer) -> true ; Outer = none ),
    b_setval('$parsed', text(Where, A)),
    phrase(G, L),
    b_setval('$parsed', Outer).

% absolute_file_name(+Spec, -File), and with options: extensions(Es), file_type(T), access(Mode), relative_to(Place),
% file_errors(fail), solutions(all). As in SWI-Prolog, options may come second.
absolute_file_name(Spec, Path) :- '$absolute_file'(Spec, Path).
absolute_file_name(Spec, Options, Path) :- is_list(Options), \+ is_list(Path), !, absolute_file_name(Spec, Path, Options).
absolute_file_name(Spec, Path, Options) :-
    must_be(list, Options),
    '$file_extensions'(Options, Es),
    ( memberchk(relative_to(Place), Options) -> true ; Place = '.' ),
    % What an alias stands for may not be there either.
    (   memberchk(file_errors(fail), Options) ->
        catch('$file_place'(Spec, Place, Name), error(existence_error(source_sink, _), _), fail)
    ;   '$file_place'(Spec, Place, Name)
    ),
    ( '$file_wanted'(Options, Test) ->
        findall(P, ( member(E, Es), '$with_extension'(Name, E, N), '$absolute_file'(N, P), '$file_passes'(Test, P) ), Ps0),
        list_to_set(Ps0, Ps),
        ( Ps = [] ->
            ( memberchk(file_errors(fail), Options) -> fail ; existence_error(source_sink, Spec) )
        ; memberchk(solutions(all), Options) -> member(Path, Ps)
        ; Ps = [Path|_]
        )
    ;   '$absolute_file'(Name, Path)
    ).
'$file_extensions'(Options, Es) :- memberchk(extensions(Es0), Options), !, append(Es0, [''], Es1), list_to_set(Es1, Es).
'$file_extensions'(Options, Es) :- memberchk(file_type(T), Options), '$type_extensions'(T, Es), !.
'$file_extensions'(_, ['']).
'$type_extensions'(prolog, ['.pl', '.pro', '']).
'$type_extensions'(source, ['.pl', '.pro', '']).
'$file_wanted'(Options, Test) :-
    ( memberchk(file_type(directory), Options) -> Test = directory
    ; memberchk(access(Mode), Options), Mode \== none -> Test = access(Mode)
    ; memberchk(file_type(T), Options), '$type_extensions'(T, _) -> Test = access(exist)
    ; memberchk(extensions(_), Options) -> Test = access(exist)
    ).
'$file_passes'(directory, P) :- exists_directory(P).
'$file_passes'(access(Mode), P) :- access_file(P, Mode), \+ exists_directory(P).
'$with_extension'(Name, '', Name) :- !.
'$with_extension'(Name, E, Name1) :-
    ( atom_concat('.', _, E) -> E1 = E ; atom_concat('.', E, E1) ),
    ( atom_concat(_, E1, Name) -> Name1 = Name ; atom_concat(Name, E1, Name1) ).
'$file_place'(Spec, Place, Name) :-
    '$file_text'(Spec, Text),
    ( Place == '.' -> Name = Text
    ; atom_concat('/', _, Text) -> Name = Text
    ; atomic_list_concat([Place, '/', Text], Name)
    ).
% A path may be written as a term, and a place by its alias.
'$file_text'(Spec, _) :- var(Spec), !, instantiation_error(Spec).
'$file_text'(A/B, Text) :- !, '$file_text'(A, TA), '$file_text'(B, TB), atomic_list_concat([TA, '/', TB], Text).
'$file_text'(Spec, Text) :- compound(Spec), \+ is_list(Spec), !,
    ( Spec =.. [Alias, Inner], '$defined'(user:file_search_path(_, _)), user:file_search_path(Alias, Place) ->
        '$file_text'(Place/Inner, Text)
    ; existence_error(source_sink, Spec)
    ).
'$file_text'(Spec, Text) :- ( catch('$atom_of_text'(Spec, Text), _, fail), atomic(Text), \+ number(Text) -> true ; type_error(atom, Spec) ).
'$absolute_file'(Spec, Path) :-
    '$file_text'(Spec, Text),
    ( atom_concat('/', _, Text) -> Full = Text
    ; '$working_directory'(D), atomic_list_concat([D, '/', Text], Full)
    ),
    atomic_list_concat(Parts, '/', Full),
    '$path_parts'(Parts, [], Kept),
    ( Kept = [] -> Path = (/) ; atomic_list_concat([''|Kept], '/', Path) ).
'$path_parts'([], Rs, Ps) :- reverse(Rs, Ps).
'$path_parts'([P|Ps], Rs, Ks) :-
    ( ( P == '' ; P == '.' ) -> '$path_parts'(Ps, Rs, Ks)
    ; P == '..' -> ( Rs = [_|Rs1] -> true ; Rs1 = [] ), '$path_parts'(Ps, Rs1, Ks)
    ; '$path_parts'(Ps, [P|Rs], Ks)
    ).

working_directory(Old, New) :-
    '$working_directory'(Old),
    ( var(New) -> New = Old ; New == Old -> true ; '$change_directory'(New) ).
chdir(D) :- '$change_directory'(D).
cd(D) :- '$change_directory'(D).
access_file(F, Mode) :-
    ( Mode == none -> true ; Mode == exist -> file_exists(F)
    ; Mode == read -> file_exists(F)
    ; exists_file(F) -> true
    ; catch(open(F, append, S), _, fail), close(S), delete_file(F)
    ).
% Text may be a list of codes or characters, as text in double quotes is.
'$atom_of_text'(F, A) :- ( nonvar(F), F = [C|_] -> ( atom(C) -> atom_chars(A, F) ; atom_codes(A, F) ) ; A = F ).
% Slashes at the end say nothing.
file_directory_name(F, D) :-
    '$name_codes'(F, Rs),
    (   Rs == [0'/] -> D = (/)
    ;   append(_, [0'/|Ds0], Rs) -> '$without_slashes'(Ds0, Ds1), reverse(Ds1, Ds), atom_codes(D, Ds)
    ;   D = '.'
    ).
file_base_name(F, B) :-
    '$name_codes'(F, Rs),
    ( Rs \== [0'/], append(Bs0, [0'/|_], Rs) -> true ; Bs0 = Rs ),
    reverse(Bs0, Bs), atom_codes(B, Bs).
'$name_codes'(F, Rs) :-
    '$atom_of_text'(F, A), ( compound(A) -> type_error(text, A) ; true ),
    atom_codes(A, Cs), reverse(Cs, Rs0), '$without_slashes'(Rs0, Rs).
'$without_slashes'([0'/|Rs0], Rs) :- Rs0 = [_|_], !, ( Rs0 = [0'/|_] -> '$without_slashes'(Rs0, Rs) ; Rs = Rs0 ).
'$without_slashes'(Rs, Rs).
% What is behind the last slash.
'$after_slash'(F, B) :-
    atom_codes(F, Cs), reverse(Cs, Rs),
    ( append(Bs0, [0'/|_], Rs) -> reverse(Bs0, Bs), atom_codes(B, Bs) ; B = F ).
file_name_extension(Base0, Ext0, Name0) :-
    '$atom_of_text'(Base0, Base), '$atom_of_text'(Ext0, Ext), '$atom_of_text'(Name0, Name),
    ( nonvar(Name), atom_codes(Name, Cs), reverse(Cs, Rs), append(Es, [0'.|Bs], Rs), \+ memberchk(0'/, Es) ->
        reverse(Es, E1), reverse(Bs, B1), atom_codes(Ext, E1), atom_codes(Base, B1)
    ;   nonvar(Name) -> Base = Name, Ext = ''
    ;   atom_codes(Ext, [0'.|_]) -> atom_concat(Base, Ext, Name)
    ;   Ext == '' -> Name = Base
    ;   atom_concat(Base, '.', N0), atom_concat(N0, Ext, Name)
    ).

% Edinburgh's streams: a file is opened when it is first named, and stays where it is until it is closed.
see(F) :- '$edinburgh'(F, read, S), set_input(S).
seeing(S) :- current_input(S).
seen :- current_input(S), close(S), set_input(user_input).
tell(F) :- '$edinburgh'(F, write, S), set_output(S).
append(F) :- '$edinburgh'(F, append, S), set_output(S).
telling(S) :- current_output(S).
told :- current_output(S), close(S), set_output(user_output).
'$edinburgh'(F, _, _) :- var(F), !, throw(error(instantiation_error, _)).
'$edinburgh'(user, Mode, S) :- !, ( Mode == read -> S = user_input ; S = user_output ).
'$edinburgh'(F, _, F) :- is_stream(F), !.
'$edinburgh'(F0, Mode, S) :-
    '$atom_of_text'(F0, F),
    ( Mode == read -> D = input ; D = output ),
    ( stream_property(S0, file_name(F)), stream_property(S0, D) -> S = S0 ; open(F, Mode, S) ).

% Listings.
listing :- '$listing'(_, user).
listing(M:Spec) :- !, '$listing'(Spec, M).
listing(Spec) :- '$listing'(Spec, user).
'$listing'(V, M) :-
    var(V), !,
    ( var(M) -> instantiation_error(M) ; true ),
    '$dynamic_predicates'(M, _, Ds), '$list_all'(Ds, M),
    '$static_predicates'(M, _, Ss), '$list_static'(Ss, M).
'$listing'([], _) :- !.
'$listing'([S|Ss], M) :- !, '$listing'(S, M), '$listing'(Ss, M).
'$listing'(M:S, _) :- !, '$listing'(S, M).
'$listing'(N/A, M) :- !,
    '$dynamic_predicates'(M, N, Ds0), findall(N/A, member(N/A, Ds0), Ds), '$list_all'(Ds, M),
    '$static_predicates'(M, N, Ss0), findall(N/A, member(N/A, Ss0), Ss), '$list_static'(Ss, M),
    ( Ds == [], Ss == [] -> '$list_elsewhere'(N, A, M) ; true ).
'$listing'(N//A0, M) :- !, ( integer(A0) -> A is A0 + 2 ; true ), '$listing'(N/A, M).
'$listing'(N, M) :- atom(N), !, '$listing'(N/_, M).
'$listing'(S, _) :- throw(error(type_error(predicate_indicator, S), _)).
% What a module sees and does not define: clauses of another module, or a remark.
'$list_elsewhere'(N, A, M) :-
    '$visible_predicates'(M, Ps),
    findall(Home:N/A, ( member(N/A, Ps), functor(H, N, A), predicate_property(M:H, imported_from(Home)) ), All),
    All \== [], !,
    forall(member(Home:Spec, All), '$listing'(Spec, Home)).
'$list_elsewhere'(N, A, _) :- integer(A), functor(H, N, A), predicate_property(system:H, built_in), !, '$list_built_in'(N/A).
'$list_elsewhere'(N, A, _) :- ( var(A) -> What = N ; What = N/A ), print_message(warning, format("there is no predicate ~q to list", [What])).
'$list_built_in'(Spec) :- format("% ~q is built in; help(~q) tells what it does.~n", [Spec, Spec]).
'$list_all'([], _).
'$list_all'([N/A|Ps], M) :-
    portray_clause((:- dynamic N/A)), nl,
    functor(H, N, A),
    forall(clause(M:H, B, R), ( '$name_variables'(R, (H :- B)), portray_clause((H :- B)) )),
    nl,
    '$list_all'(Ps, M).

'$list_static'([], _).
'$list_static'([N/A|Ps], M) :-
    '$static_clauses'(M, N, A, Cs),
    ( Cs == [] -> true ; forall(member(C, Cs), portray_clause(C)), nl ),
    '$list_static'(Ps, M).

% The manual (see the engine's `manual`), and where a program's own predicates stand.
help(Spec) :- '$strip_module'(Spec, M, S), '$help_of'(S, N, A), '$help'(N, A, M).
'$help_of'(S, _, _) :- var(S), !, instantiation_error(S).
'$help_of'(N/A, N, A) :- atom(N), ( var(A) ; integer(A) ), !.
'$help_of'(N//A, N, B) :- atom(N), integer(A), !, B is A + 2.
'$help_of'(N, N, _) :- atom(N), !.
'$help_of'(S, _, _) :- type_error(predicate_indicator, S).
'$help'(N, A, M) :-
    findall(N/A-H, ( '$program_indicator'(M, N/A), functor(H, N, A) ), Own),
    forall(member(I-H, Own), '$help_on_own'(I, M:H)),
    (   '$manual'(N, A) -> true
    ;   Own \== [] -> true
    ;   ( var(A) -> S = N ; S = N/A ),
        format("Nothing is said of ~q. apropos(~q) looks for what speaks of it.~n", [S, N])
    ).
'$program_indicator'(M, N/A) :-
    '$visible_predicates'(M, Ps), member(N/A, Ps), functor(H, N, A), '$program_predicate'(M:H).
'$help_on_own'(I, H) :-
    '$predicate_properties'(H, Ps),
    (   memberchk(file(F), Ps), memberchk(line_count(L), Ps) -> format("~q: ~w:~w~n", [I, F, L])
    ;   memberchk(file(F), Ps) -> format("~q: ~w~n", [I, F])
    ;   format("~q is of this session.~n", [I])
    ).
apropos(Word) :- var(Word), !, instantiation_error(Word).
apropos(Word) :-
    atom_string(A, Word),
    ( '$apropos'(A) -> true ; format("Nothing speaks of ~w.~n", [A]) ).

% What a position of a stream says.
stream_position_data(Field, Position, Value) :-
    ( var(Position) -> instantiation_error(Position) ; Position = '$stream_position'(C, L, P, B) -> true ; domain_error(stream_position, Position) ),
    member(Field-Value0, [char_count-C, line_count-L, line_position-P, byte_count-B]),
    Value = Value0.

% Messages: errors, warnings and, unless the flag `verbose` is `silent`, what informs are told on standard error, the
% others are not. A hook sees the silent ones, too.
print_message(Kind, Message) :-
    '$defined'(user:message_hook(_, _, _)),
    '$message_lines'(Message, Lines),
    catch(user:message_hook(Message, Kind, Lines), _, fail), !.
print_message(Kind, _) :- '$silent_message'(Kind), !.
print_message(Kind, Message) :-
    '$message_prefix'(Kind, Prefix),
    format(user_error, '~N', []),
    (   '$hooked_message'(Message, Lines) -> print_message_lines(user_error, Prefix, Lines)
    ;   '$write_message'(Message, Prefix), nl(user_error)
    ).
'$message_prefix'(error, 'ERROR: ') :- !.
'$message_prefix'(warning, 'Warning: ') :- !.
'$message_prefix'(informational, '% ') :- !.
'$message_prefix'(debug(_), '% ') :- !.
'$message_prefix'(_, '').
'$silent_message'(K) :- nonvar(K), member(K, [silent, load_file(_), query]), !.
'$silent_message'(K) :- nonvar(K), K = debug(Topic), !, \+ '$is_debugged'(Topic).
'$silent_message'(K) :- nonvar(K), member(K, [informational, banner]), current_prolog_flag(verbose, silent), !.
% The words that a program gives a message, or the formal part of an error.
'$hooked_message'(M, Lines) :-
    nonvar(M), '$defined'(prolog:message(_, _, _)),
    catch(prolog:message(M, Lines0, []), _, fail), !,
    Lines = Lines0.
'$hooked_message'(M, Lines) :-
    nonvar(M), M = error(Formal, _), nonvar(Formal), '$defined'(prolog:error_message(_, _, _)),
    catch(prolog:error_message(Formal, Lines0, []), _, fail), !,
    Lines = Lines0.
'$message_lines'(M, Lines) :- '$hooked_message'(M, Lines0), !, Lines = Lines0.
'$message_lines'(M, Lines) :- nonvar(M), M = format(F, As), !, Lines = [F-As].
'$message_lines'(M, ['~w'-[Text]]) :- nonvar(M), '$in_words'(M, Text), !.
'$message_lines'(M, ['Unknown message: ~p'-[M]]).
'$write_message'(V, P) :- var(V), !, write(user_error, P), print(user_error, V).
'$write_message'(format(F, Args), P) :- !, write(user_error, P), format(user_error, F, Args).
'$write_message'(M, P) :-
    '$in_words'(M, Text), !,
    ( M = error(_, _) -> write(user_error, P) ; true ), write(user_error, Text).
'$write_message'(error(F, _), P) :- !, write(user_error, P), print(user_error, F).
'$write_message'(M, P) :- write(user_error, P), print(user_error, M).
% Each line begins with the prefix and ends with a new line, the last one too unless the message ends with `flush`.
print_message_lines(S, Prefix0, Lines0) :-
    ( nonvar(Prefix0), Prefix0 = kind(Kind) -> '$message_prefix'(Kind, P), atom_concat('~N', P, Prefix) ; Prefix = Prefix0 ),
    must_be(list, Lines0),
    ( Lines0 = [at_same_line|Lines] -> true ; Lines = Lines0, format(S, Prefix, []) ),
    '$print_lines'(Lines, S, Prefix).
'$print_lines'([], S, _) :- nl(S).
'$print_lines'([L|Ls], S, P) :-
    (   L == nl -> nl(S), ( Ls == [] -> true ; format(S, P, []), '$print_lines'(Ls, S, P) )
    ;   L == flush, Ls == [] -> flush_output(S)
    ;   '$print_line'(L, S), '$print_lines'(Ls, S, P)
    ).
'$print_line'(L, _) :- var(L), !, instantiation_error(L).
'$print_line'(F-A, S) :- !, format(S, F, A).
'$print_line'(ansi(_, F, A), S) :- !, format(S, F, A).
'$print_line'(url(Place), S) :- !, ( nonvar(Place), Place = File:Line -> format(S, '~w:~w', [File, Line]) ; write(S, Place) ).
'$print_line'(url(_, Label), S) :- !, write(S, Label).
'$print_line'(begin(_, _), _) :- !.
'$print_line'(end(_), _) :- !.
'$print_line'(flush, S) :- !, flush_output(S).
'$print_line'(at_same_line, _) :- !.
'$print_line'(F, S) :- format(S, F, []).
