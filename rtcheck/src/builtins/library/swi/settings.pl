:- module(settings,
    [setting/4, setting/2, current_setting/1, set_setting/2, set_setting_default/2, restore_setting/1,
     setting_property/2, list_settings/0, list_settings/1, load_settings/1, load_settings/2, save_settings/0,
     save_settings/1, convert_setting_text/3]).

% Typed values of an application that its users may change and keep in a file, as in SWI-Prolog's library(settings).

:- meta_predicate setting(:, +, +, +), setting(:, ?), current_setting(:), set_setting(:, +), set_setting_default(:, +),
    restore_setting(:), setting_property(:, ?), list_settings(:).

% declared(Module, Name, Type, Default, Comment), changed(Module, Name, Value), default_of(Module, Name, Value)
:- dynamic declared/5, changed/3, default_of/3, settings_file/1.

% A directive: `:- setting(Name, Type, Default, Comment)`.
setting(Q, Type, Default, Comment) :-
    '$strip_module'(Q, Module, Name),
    must_be(atom, Name),
    evaluated(Default, Type, Value),
    check_value(Type, Value),
    retractall(declared(Module, Name, _, _, _)),
    assertz(declared(Module, Name, Type, Default, Comment)).

setting(Q, Value) :-
    '$strip_module'(Q, Module, Name),
    (   nonvar(Name), \+ declared(Module, Name, _, _, _) -> existence_error(setting, Module:Name)
    ;   declared(Module, Name, Type, Default, _), value(Module, Name, Type, Default, Value0), Value = Value0
    ).
value(Module, Name, Type, Default, Value) :-
    (   changed(Module, Name, Value0) -> Value = Value0
    ;   default_of(Module, Name, Value0) -> Value = Value0
    ;   evaluated(Default, Type, Value)
    ).

current_setting(Q) :- '$strip_module'(Q, Module, Name), declared(Module, Name, _, _, _).

set_setting(Q, Value0) :-
    '$strip_module'(Q, Module, Name),
    known(Module, Name, Type),
    text_value(Type, Value0, Value),
    check_value(Type, Value),
    retractall(changed(Module, Name, _)),
    assertz(changed(Module, Name, Value)).

set_setting_default(Q, Value) :-
    '$strip_module'(Q, Module, Name),
    known(Module, Name, Type),
    check_value(Type, Value),
    retractall(default_of(Module, Name, _)),
    assertz(default_of(Module, Name, Value)).

restore_setting(Q) :- '$strip_module'(Q, Module, Name), known(Module, Name, _), retractall(changed(Module, Name, _)).

known(Module, Name, Type) :- ( declared(Module, Name, Type0, _, _) -> Type = Type0 ; existence_error(setting, Module:Name) ).

setting_property(Q, Property) :-
    '$strip_module'(Q, Module, Name),
    declared(Module, Name, Type, Default, Comment),
    (   Property = comment(Comment)
    ;   Property = type(Type)
    ;   ( default_of(Module, Name, Value) -> true ; evaluated(Default, Type, Value) ), Property = default(Value)
    ;   Property = source(user)
    ).

% Defaults may be expressions, flags, the environment, or other settings.
evaluated(Default, Type, Value) :-
    (   var(Default) -> instantiation_error(Default)
    ;   Default = env(Name) -> environment(Name, Type, Value)
    ;   Default = env(Name, Other) -> ( getenv(Name, Text) -> text_value(Type, Text, Value) ; evaluated(Other, Type, Value) )
    ;   Default = setting(Other) -> ( Other = M:N -> setting(M:N, Value) ; declared(M, Other, _, _, _) -> setting(M:Other, Value) ; existence_error(setting, Other) )
    ;   Default = A + B, text_type(Type) -> evaluated(A, Type, X), evaluated(B, Type, Y), atomic_list_concat([X, Y], Joined), text_of(Type, Joined, Value)
    ;   number_type(Type), compound(Default) -> expression(Default, Type, Expression), Value is Expression
    ;   Value = Default
    ).
expression(Default, Type, Value) :-
    (   compound(Default), \+ memberchk(Default, [env(_), env(_, _), setting(_)]) ->
        Default =.. [Function|Parts0], maplist([D, V]>>expression(D, Type, V), Parts0, Parts), Value =.. [Function|Parts]
    ;   evaluated(Default, Type, Value)
    ).
environment(Name, Type, Value) :- ( getenv(Name, Text) -> text_value(Type, Text, Value) ; existence_error(variable, Name) ).
text_type(atom).
text_type(string).
text_type(text).
text_of(string, Atom, String) :- !, atom_string(Atom, String).
text_of(_, Atom, Atom).
number_type(integer).
number_type(nonneg).
number_type(positive_integer).
number_type(float).
number_type(number).
number_type(between(_, _)).

check_value(any, _) :- !.
check_value(Type, Value) :- must_be(Type, Value).

% Text for another type is what it is read as.
text_value(Type, Value0, Value) :-
    ( \+ is_of_type_or_any(Type, Value0), ( atom(Value0) ; string(Value0) ) -> convert_setting_text(Type, Value0, Value) ; Value = Value0 ).
is_of_type_or_any(any, _) :- !.
is_of_type_or_any(Type, Value) :- is_of_type(Type, Value).

convert_setting_text(any, Text, Value) :- !, term_to_atom(Value, Text).
convert_setting_text(atom, Text, Value) :- !, atom_string(Value, Text).
convert_setting_text(string, Text, Value) :- !, text_to_string(Text, Value).
convert_setting_text(boolean, Text, Value) :- !, bool(Text, Value).
convert_setting_text(bool, Text, Value) :- !, bool(Text, Value).
convert_setting_text(float, Text, Value) :- !, term_to_atom(Value0, Text), ( integer(Value0) -> Value is float(Value0) ; Value = Value0 ), must_be(float, Value).
convert_setting_text(Type, Text, Value) :- term_to_atom(Value, Text), must_be(Type, Value).
bool(Text, Value) :- atom_string(Atom, Text), ( memberchk(Atom, [true, on, yes]) -> Value = true ; memberchk(Atom, [false, off, no]) -> Value = false ; type_error(bool, Text) ).

list_settings :- list_settings(_:_).
list_settings(Q) :-
    '$strip_module'(Q, _, Spec),
    ( nonvar(Spec), Spec = M:N -> true ; N = Spec ),
    forall(( declared(M, N, Type, Default, Comment), value(M, N, Type, Default, Value) ),
           format('~w~t~20| ~q~t~40| ~w~n', [N, Value, Comment])).

% The file holds `setting(Module:Name, Value)`.
load_settings(File) :- load_settings(File, []).
load_settings(File0, Options) :-
    absolute_file_name(File0, File),
    retractall(settings_file(_)), assertz(settings_file(File)),
    (   exists_file(File) -> setup_call_cleanup(open(File, read, In), load_all(In, Options), close(In))
    ;   true
    ).
load_all(In, Options) :-
    read_term(In, Term, []),
    (   Term == end_of_file -> true
    ;   load_one(Term, Options), load_all(In, Options)
    ).
load_one(setting(Module:Name, Value), Options) :- !,
    (   declared(Module, Name, _, _, _) -> set_setting(Module:Name, Value)
    ;   memberchk(undefined(load), Options) -> assertz(changed(Module, Name, Value))
    ;   print_message(warning, format('the setting ~w is not declared', [Module:Name]))
    ).
load_one(Term, _) :- type_error(setting, Term).

save_settings :- ( settings_file(File) -> save_settings(File) ; existence_error(settings_file, settings) ).
save_settings(File) :-
    setup_call_cleanup(open(File, write, Out),
        forall(( changed(M, N, V), declared(M, N, _, _, Comment) ), format(Out, '% ~w~nsetting(~q, ~q).~n', [Comment, M:N, V])),
        close(Out)).
