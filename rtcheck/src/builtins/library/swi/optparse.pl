:- module(optparse, [opt_arguments/3, opt_arguments/4, opt_parse/4, opt_parse/5, opt_help/2]).

% Options of command lines from a specification, as in SWI-Prolog's library(optparse): a list for each option of
% opt(Name), type(Type), default(Value), shortflags(Letters), longflags(Names), meta(Name), help(Text).

opt_arguments(Spec, Opts, Positional) :- opt_arguments(Spec, Opts, Positional, []).
opt_arguments(Spec, Opts, Positional, Settings) :-
    current_prolog_flag(argv, Arguments0),
    ( append(_, [--|Arguments], Arguments0) -> true ; Arguments = Arguments0 ),
    opt_parse(Spec, Arguments, Opts, Positional, Settings).

opt_parse(Spec, Arguments, Opts, Positional) :- opt_parse(Spec, Arguments, Opts, Positional, []).
opt_parse(Spec, Arguments, Opts, Positional, Settings) :-
    maplist(checked(Spec), Spec),
    ( memberchk(output_functor(Functor), Settings) -> true ; Functor = none ),
    ( memberchk(duplicated_flags(Twice), Settings) -> true ; Twice = keeplast ),
    ( memberchk(allow_empty_flag_spec(false), Settings), member(Option, Spec), flags(Option, [], []) -> domain_error(non_empty_flags, Option) ; true ),
    parsed(Arguments, Spec, Given, Positional),
    once_each(Twice, Given, Kept),
    findall(Name-Value, ( member(Option, Spec), memberchk(opt(Name), Option), \+ memberchk(Name-_, Kept), default(Option, Value) ), Defaults),
    append(Defaults, Kept, Pairs),
    maplist(shaped(Functor), Pairs, Opts).

checked(Spec, Option) :-
    ( memberchk(opt(Name), Option) -> must_be(atom, Name) ; domain_error(opt_spec, Option) ),
    ( findall(x, ( member(Other, Spec), memberchk(opt(Name), Other) ), [_, _|_]) -> domain_error(unique_atom, Name) ; true ),
    ( memberchk(type(Type), Option) -> must_be(oneof([boolean, integer, float, atom, term]), Type) ; true ).
shaped(none, Name-Value, Opt) :- !, Opt =.. [Name, Value].
shaped(Functor, Name-Value, Opt) :- Opt =.. [Functor, Name, Value].

default(Option, Value) :- ( memberchk(default(Value0), Option) -> Value = Value0 ; true ).
type(Option, Type) :- ( memberchk(type(Type0), Option) -> Type = Type0 ; Type = term ).
flags(Option, Short, Long) :-
    ( memberchk(shortflags(Short0), Option) -> Short = Short0 ; Short = [] ),
    ( memberchk(longflags(Long0), Option) -> Long = Long0 ; Long = [] ).

% Of the values of one option the last counts, or the first, or all do.
once_each(keepall, Given, Given).
once_each(keepfirst, Given, Kept) :- first_of_each(Given, [], Kept).
once_each(keeplast, Given, Kept) :- reverse(Given, Back), first_of_each(Back, [], Back1), reverse(Back1, Kept).
first_of_each([], _, []).
first_of_each([N-V|Ps], Seen, Kept) :-
    ( memberchk(N, Seen) -> Kept = Kept1 ; Kept = [N-V|Kept1] ),
    first_of_each(Ps, [N|Seen], Kept1).

parsed([], _, [], []).
parsed([A|As], Spec, Given, Positional) :-
    (   A == -- -> Positional = [--|Positional1], parsed(As, Spec, Given, Positional1)
    ;   atom_concat(--, Long, A) -> long(Long, Spec, As, Rest, Pair), Given = [Pair|Given1], parsed(Rest, Spec, Given1, Positional)
    ;   atom_concat(-, Short, A), Short \== '' -> short(Short, Spec, As, Rest, Pair), Given = [Pair|Given1], parsed(Rest, Spec, Given1, Positional)
    ;   Positional = [A|Positional1], parsed(As, Spec, Given, Positional1)
    ).

long(Text, Spec, As, Rest, Name-Value) :-
    (   sub_atom(Text, Before, 1, _, =) -> sub_atom(Text, 0, Before, _, Flag), Start is Before + 1, sub_atom(Text, Start, _, 0, Given)
    ;   Flag = Text
    ),
    (   with_flag(long, Flag, Spec, Name, Type) ->
        (   nonvar(Given) -> value(Type, Flag, Given, Value), Rest = As
        ;   Type == boolean -> Value = true, Rest = As
        ;   As = [Next|Rest] -> value(Type, Flag, Next, Value)
        ;   value(Type, Flag, '', Value), Rest = []
        )
    ;   var(Given), ( atom_concat('no-', Off, Flag) ; atom_concat(no, Off, Flag) ), with_flag(long, Off, Spec, Name, boolean) -> Value = false, Rest = As
    ;   existence_error(commandline_option, Flag)
    ).
short(Text, Spec, As, Rest, Name-Value) :-
    sub_atom(Text, 0, 1, _, Flag), sub_atom(Text, 1, _, 0, Given),
    ( with_flag(short, Flag, Spec, Name, Type) -> true ; existence_error(commandline_option, Flag) ),
    (   Given \== '' -> value(Type, Flag, Given, Value), Rest = As
    ;   Type == boolean -> Value = true, Rest = As
    ;   As = [Next|Rest] -> value(Type, Flag, Next, Value)
    ;   value(Type, Flag, '', Value), Rest = []
    ).
with_flag(Kind, Flag, Spec, Name, Type) :-
    member(Option, Spec), flags(Option, Short, Long), ( Kind == short -> memberchk(Flag, Short) ; memberchk(Flag, Long) ), !,
    memberchk(opt(Name), Option), type(Option, Type).

value(Type, Flag, Text, Value) :-
    (   typed(Type, Text, Value0) -> Value = Value0
    ;   format(user_error, 'ERROR: flag ''~w'': expected atom parsable as ~w, found ''~w''~n', [Flag, Type, Text]),
        ( memberchk(Type, [integer, float]) -> syntax_error(illegal_number) ; type_error(flag_value, Type) )
    ).
typed(atom, Text, Text).
typed(boolean, Text, Value) :- downcase_atom(Text, Lower), ( memberchk(Lower, [true, 'on', yes, '1']) -> Value = true ; memberchk(Lower, [false, 'off', no, '0']) -> Value = false ).
typed(integer, Text, Value) :- atom_number(Text, Value), integer(Value).
typed(float, Text, Value) :- atom_number(Text, Number), Value is float(Number).
typed(term, Text, Value) :- catch(term_to_atom(Value, Text), _, fail).

% A table: long flags, short flags, type and default, help.
opt_help(Spec, Help) :-
    findall(row(L, S, T, H), ( member(Option, Spec), row(Option, L, S, T, H) ), Rows),
    widest(1, Rows, W1), widest(2, Rows, W2), widest(3, Rows, W3),
    findall(Text, ( member(Row, Rows), row_text(Row, W1, W2, W3, Text) ), Texts),
    atomic_list_concat(Texts, Help).
row(Option, Longs, Short, Typed, Helps) :-
    flags(Option, Short0, Long0), \+ ( Short0 == [], Long0 == [] ),
    findall(A, ( member(L, Long0), atom_concat(--, L, A) ), Longs0), commas(Longs0, Longs),
    findall(A, ( member(S, Short0), atom_concat(-, S, A) ), Shorts), atomic_list_concat(Shorts, ',', Short),
    type(Option, Type),
    ( memberchk(default(Default), Option) -> format(atom(D), '~w', [Default]) ; D = '_' ),
    ( memberchk(meta(Meta), Option) -> atomic_list_concat([Meta, :, Type, =, D], Typed) ; atomic_list_concat([Type, =, D], Typed) ),
    ( memberchk(help(H), Option) -> ( is_list(H) -> Helps = H ; Helps = [H] ) ; Helps = [''] ).
commas([], ['']).
commas([L], [L]) :- !.
commas([L|Ls], [A|As]) :- atom_concat(L, ',', A), commas(Ls, As).
widest(I, Rows, Width) :-
    findall(N, ( member(Row, Rows), arg(I, Row, Cell), ( is_list(Cell) -> member(Text, Cell) ; Text = Cell ), atom_length(Text, N) ), Ns),
    max_list([0|Ns], Width).
row_text(row(Longs, Short, Typed, Helps), W1, W2, W3, Text) :-
    append(Front, [Last], Longs),
    findall(Line, ( member(L, Front), atom_concat(L, '\n', Line) ), Lines),
    padded(Last, W1, A), padded(Short, W2, B), padded(Typed, W3, C),
    Helps = [First|More],
    Indent is W1 + W2 + W3 + 8,
    findall(Line, ( member(H, More), padded('', Indent, Blank), atomic_list_concat([Blank, H, '\n'], Line) ), Others),
    atomic_list_concat([A, '  ', B, '  ', C, '  ', First, '\n'], Main),
    append(Lines, [Main|Others], All), atomic_list_concat(All, Text).
padded(Text, Width, Padded) :- format(atom(Padded), '~w~t~*|', [Text, Width]).
