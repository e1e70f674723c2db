:- module(main, [main/0, argv_options/3, argv_options/4, argv_usage/1, cli_parse_debug_options/2]).

% SWI-Prolog's library(main): programs with a command line. Options are typed by opt_type/3 of the module that asks;
% without it, long ones are taken as they look. Typed ones have `--help`, which shows what opt_help/2 says, and what is
% wrong with them is told and ends the program, but is an exception for who asks with options, without on_error(halt(Status)).

:- meta_predicate argv_options(:, ?, ?), argv_options(:, ?, ?, ?), argv_usage(:).

% The arguments go to main/1 of the module that calls.
:- module_transparent main/0.
main :- context_module(M), current_prolog_flag(argv, Arguments), M:main(Arguments).

argv_options(Q, Positional, Options) :- argv_options(Q, Positional, Options, [on_error(halt(1))]).

argv_options(M:Arguments, Positional, Options, Settings) :-
    ( catch(M:opt_type(_, _, _), error(existence_error(procedure, _), _), fail) -> Typed = typed(M) ; Typed = untyped ),
    ( memberchk(options_after_arguments(false), Settings) -> After = false ; After = true ),
    ( memberchk(on_error(OnError), Settings) -> true ; OnError = error ),
    ( Typed = typed(M), asks_for_help(Arguments, M) -> argv_usage(M:Settings), halt(0) ; true ),
    catch(arguments(Arguments, Typed, After, Positional, Options), error(Wrong, Context),
          wrong(OnError, Wrong, Context)).

asks_for_help([A|As], M) :-
    A \== (--),
    ( help_flag(A, Flag), \+ M:opt_type(Flag, _, _) -> true ; asks_for_help(As, M) ).
help_flag('-h', h).
help_flag('-?', ?).
help_flag('--help', help).

% What is wrong with the arguments: told, and the end of the program, or thrown.
wrong(OnError, Wrong, Context) :- OnError \= halt(_), OnError \== halt, !, throw(error(Wrong, Context)).
wrong(OnError, Wrong, Context) :-
    (   wrong_in_words(Wrong, Format, Values) -> print_message(error, format(Format, Values))
    ;   print_message(error, error(Wrong, Context))
    ),
    ( OnError = halt(Status) -> halt(Status) ; halt(1) ).
wrong_in_words(existence_error(commandline_option, Flag), 'there is no option ~w (--help shows those that there are)', [Shown]) :-
    flag_shown(Flag, Shown).
wrong_in_words(opt_error(missing_value(Flag, Type)), 'option ~w needs ~w', [Shown, Words]) :-
    flag_shown(Flag, Shown), type_in_words(Type, Words).
wrong_in_words(opt_error(value_type(Flag, Type, Text)), 'option ~w takes ~w, not ~w', [Shown, Words, Text]) :-
    flag_shown(Flag, Shown), type_in_words(Type, Words).
type_in_words(oneof(Values), Words) :- !, atomic_list_concat(Values, ', ', List), atom_concat('one of ', List, Words).
type_in_words(between(L, H), Words) :- !, format(atom(Words), 'a number from ~w to ~w', [L, H]).
type_in_words(Type, Words) :- format(atom(Words), 'a value of the type ~w', [Type]).

flag_shown(Flag, Shown) :-
    atomic_list_concat(Parts, '_', Flag), atomic_list_concat(Parts, -, Name),
    ( atom_length(Flag, 1) -> atom_concat(-, Name, Shown) ; atom_concat(--, Name, Shown) ).

% Shows on standard error how the program is called: opt_help/2 has a text for each option, and for `help(header)`,
% `help(usage)`, `help(description)` and `help(footer)`; opt_meta/2 names an option's value.
argv_usage(M:_) :-
    forall(said(M, help(header), Header), format(user_error, '~w~n', [Header])),
    program(M, Program),
    ( said(M, help(usage), Usage) -> true ; Usage = ' [options]' ),
    format(user_error, 'Usage: ~w~w~n', [Program, Usage]),
    forall(said(M, help(description), Description), format(user_error, '~n~w~n', [Description])),
    findall(Name, M:opt_type(_, Name, _), Names0), distinct_names(Names0, Names),
    findall(Left-Right, described(M, Names, Left, Right), Rows),
    findall(Length, ( member(Left-_, Rows), atom_length(Left, Length) ), Lengths),
    max_list(Lengths, Width),
    format(user_error, '~nOptions:~n', []),
    forall(member(Left-Right, Rows), row(Left, Right, Width)),
    forall(said(M, help(footer), Footer), format(user_error, '~n~w~n', [Footer])).

row(Left, Right, Width) :-
    atom_length(Left, Length), Blanks is Width - Length,
    format(user_error, '    ~w~*c  ~w~n', [Left, Blanks, 0' , Right]).

said(M, Of, Text) :-
    catch(M:opt_help(Of, Text0), error(existence_error(procedure, _), _), fail), !,
    ( string(Text0) -> atom_string(Text, Text0) ; is_list(Text0), catch(atom_codes(Text, Text0), _, fail) -> true ; Text = Text0 ).

program(M, Program) :-
    (   predicate_property(M:opt_type(_, _, _), file(File)) -> file_base_name(File, Base), atom_concat('rtcheck run ', Base, Program)
    ;   Program = program
    ).

distinct_names([], []).
distinct_names([Name|Names0], [Name|Names]) :- delete(Names0, Name, Names1), distinct_names(Names1, Names).

described(_, _, '-h, -?, --help', 'Show this help message and exit').
described(M, Names, Left, Right) :-
    member(Name, Names),
    findall(Flag-Type, M:opt_type(Flag, Name, Type), Flags),
    Flags = [_-Type|_],
    ( catch(M:opt_meta(Name, Meta), error(existence_error(procedure, _), _), fail) -> true ; meta(Type, Meta) ),
    findall(Length-Shown, ( member(Flag-_, Flags), atom_length(Flag, Length), flag_with_value(Flag, Type, Meta, Shown) ), Lengths),
    keysort(Lengths, Sorted), pairs_values(Sorted, All),
    atomic_list_concat(All, ', ', Left),
    ( said(M, Name, Right) -> true ; Right = '' ).

flag_with_value(Flag, Type, Meta, Shown) :-
    flag_shown(Flag, Bare),
    (   truth(Type, _) -> Shown = Bare
    ;   atom_length(Flag, 1) -> format(atom(Shown), '~w ~w', [Bare, Meta])
    ;   format(atom(Shown), '~w=~w', [Bare, Meta])
    ).
meta(Type, Meta) :- ( callable(Type) -> functor(Type, Name, _) ; Name = value ), upcase_atom(Name, Meta).

% Options that switch messages of debug/3 on.
cli_parse_debug_options([], []).
cli_parse_debug_options([debug(Topic)|Options], Rest) :- !, debug(Topic), cli_parse_debug_options(Options, Rest).
cli_parse_debug_options([Option|Options], [Option|Rest]) :- cli_parse_debug_options(Options, Rest).

arguments([], _, _, [], []).
arguments([--|Arguments], _, _, Arguments, []) :- !.
arguments([A|Arguments], Typed, After, Positional, Options) :-
    atom_concat(--, Long, A), !,
    ( sub_atom(Long, Before, 1, _, =) ->
        sub_atom(Long, 0, Before, _, Flag), Start is Before + 1, sub_atom(Long, Start, _, 0, Text),
        Value = given(Text)
    ; Flag = Long, Value = none
    ),
    option(Typed, Flag, Value, Option, Arguments, Rest),
    Options = [Option|Options1],
    arguments(Rest, Typed, After, Positional, Options1).
arguments([A|Arguments], typed(M), After, Positional, Options) :-
    atom_concat(-, Short, A), Short \== '', \+ atom_number(A, _), !,
    atom_chars(Short, Letters),
    letters(Letters, M, Options, Options1, Arguments, Rest),
    arguments(Rest, typed(M), After, Positional, Options1).
arguments([A|Arguments], _, false, [A|Arguments], []) :- !.
arguments([A|Arguments], Typed, After, [A|Positional], Options) :- arguments(Arguments, Typed, After, Positional, Options).

letters([], _, Options, Options, Rest, Rest).
letters([L|Ls], M, [Option|Options], End, Arguments, Rest) :-
    ( M:opt_type(L, Name, Type) -> true ; throw(error(existence_error(commandline_option, L), _)) ),
    ( truth(Type, Default) -> Option =.. [Name, Default], letters(Ls, M, Options, End, Arguments, Rest)
    ; Ls = [_|_] -> atom_chars(Text, Ls), typed(Type, L, Text, Value), Option =.. [Name, Value],
        Options = End, Rest = Arguments
    ; Arguments = [Text|Rest] -> typed(Type, L, Text, Value), Option =.. [Name, Value], Options = End
    ; throw(error(opt_error(missing_value(L, Type)), _))
    ).

% What the flag by itself says.
truth(boolean, true).
truth(boolean(Value), Value).

opposite(true, false).
opposite(false, true).

option(untyped, Flag, Value, Option, Rest, Rest) :-
    ( Value = given(Text) -> looks(Text, V), underscored(Flag, Name), Option =.. [Name, V]
    ; atom_concat('no-', Off, Flag) -> underscored(Off, Name), Option =.. [Name, false]
    ; underscored(Flag, Name), Option =.. [Name, true]
    ).
option(typed(M), Flag0, Value, Option, Arguments, Rest) :-
    underscored(Flag0, Flag),
    ( M:opt_type(Flag, Name, Type) ->
        ( Value = given(Text) -> Rest = Arguments, typed(Type, Flag, Text, V)
        ; truth(Type, Default) -> V = Default, Rest = Arguments
        ; Arguments = [Text|Rest] -> typed(Type, Flag, Text, V)
        ; throw(error(opt_error(missing_value(Flag, Type)), _))
        ),
        Option =.. [Name, V]
    ; Value == none, negated(Flag, On), M:opt_type(On, Name, Type), truth(Type, Default) ->
        opposite(Default, V), Option =.. [Name, V], Rest = Arguments
    ; throw(error(existence_error(commandline_option, Flag0), _))
    ).

negated(Flag, On) :- ( atom_concat(no_, On, Flag) ; atom_concat(no, On, Flag) ).

underscored(Flag, Name) :- atomic_list_concat(Parts, -, Flag), atomic_list_concat(Parts, '_', Name).

looks(Text, Value) :- ( atom_number(Text, N) -> Value = N ; Value = Text ).

typed(Type, Flag, Text, Value) :-
    ( alternative(Type, One), converted(One, Text, Value) -> true
    ; throw(error(opt_error(value_type(Flag, Type, Text)), _))
    ).

alternative(Type, One) :- nonvar(Type), ( Type = (A ; B) ; Type = (A | B) ), !, ( alternative(A, One) ; alternative(B, One) ).
alternative(Type, Type).

converted(boolean, Text, Value) :- boolean(Text, Value).
converted(boolean(_), Text, Value) :- boolean(Text, Value).
converted(integer, Text, Value) :- atom_number(Text, Value), integer(Value).
converted(nonneg, Text, Value) :- atom_number(Text, Value), integer(Value), Value >= 0.
converted(natural, Text, Value) :- atom_number(Text, Value), integer(Value), Value >= 1.
converted(number, Text, Value) :- atom_number(Text, Value).
converted(float, Text, Value) :- atom_number(Text, N), Value is float(N).
converted(between(L, H), Text, Value) :-
    atom_number(Text, N), N >= L, N =< H, ( integer(L), integer(H) -> integer(N), Value = N ; Value is float(N) ).
converted(oneof(Values), Text, Text) :- memberchk(Text, Values).
converted(atom, Text, Text).
converted(string, Text, Value) :- atom_string(Text, Value).
converted(file, Text, Text).
converted(file(_), Text, Text).
converted(directory, Text, Text).
converted(directory(_), Text, Text).
converted(term, Text, Value) :- term_to_atom(Value, Text).
converted(term(Options), Text, Value) :-
    term_string(Term, Text, Options),
    ( memberchk(variable_names(Bindings), Options) -> Value = Term-Bindings ; Value = Term ).

boolean(true, true).
boolean(yes, true).
boolean(on, true).
boolean('1', true).
boolean(false, false).
boolean(no, false).
boolean(off, false).
boolean('0', false).
