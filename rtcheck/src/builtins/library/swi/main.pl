:- module(main, [main/0, argv_options/3, argv_options/4]).

% SWI-Prolog's library(main): programs with a command line. Options are typed by opt_type/3 of the module that asks;
% without it, long ones are taken as they look.

:- meta_predicate argv_options(:, ?, ?), argv_options(:, ?, ?, ?).

main :- current_prolog_flag(argv, Arguments), user:main(Arguments).

argv_options(Q, Positional, Options) :- argv_options(Q, Positional, Options, []).

argv_options(M:Arguments, Positional, Options, Settings) :-
    ( catch(M:opt_type(_, _, _), error(existence_error(procedure, _), _), fail) -> Typed = typed(M) ; Typed = untyped ),
    ( memberchk(options_after_arguments(false), Settings) -> After = false ; After = true ),
    arguments(Arguments, Typed, After, Positional, Options).

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
