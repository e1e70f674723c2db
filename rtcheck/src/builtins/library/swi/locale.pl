:- module(locale, [locale_create/3, locale_destroy/1, locale_property/2, set_locale/1, current_locale/1]).

% SWI-Prolog's locales: what stands between the digits that `~:d` and its like of format/2 write. There is one for the
% whole program, whatever stream it writes to.

% locale(Locale, Alias, DecimalPoint, Separator, Groups): a locale with an alias is that atom, any other '$locale'(N).
:- dynamic locale/5, current/1, last/1.

locale(default, default, '.', '', []).
current(default).
last(0).

current_locale(Locale) :- current(Locale0), Locale = Locale0.

set_locale(Locale0) :-
    known(Locale0, Locale),
    locale(Locale, _, Point, Separator, Groups),
    ( append(Front, [repeat(Size)], Groups) -> append(Front, [Size], Sizes), Repeats = true ; Sizes = Groups, Repeats = false ),
    system:'$set_locale'(Point, Separator, Sizes, Repeats),
    retractall(current(_)), assertz(current(Locale)).

% A locale by itself, by its alias, or as the current one.
known(Locale, _) :- var(Locale), !, instantiation_error(Locale).
known(current_locale, Locale) :- !, current(Locale).
known(Locale, Locale) :- locale(Locale, _, _, _, _), !.
known(Locale, _) :- atom(Locale), !, existence_error(locale, Locale).
known(Locale, _) :- type_error(locale, Locale).

% The locale of C, which other systems ask for by these names, is the one that a program starts with.
locale_create(Locale, Default0, Options) :-
    (   nonvar(Default0), memberchk(Default0, ["C", 'C', "POSIX", 'POSIX']) -> Point0 = '.', Separator0 = '', Groups0 = []
    ;   string(Default0) -> existence_error(locale, Default0)
    ;   known(Default0, Default), locale(Default, _, Point0, Separator0, Groups0)
    ),
    must_be(list, Options),
    maplist(checked, Options),
    option(decimal_point(Point), Options, Point0),
    option(thousands_sep(Separator), Options, Separator0),
    option(grouping(Groups), Options, Groups0),
    (   option(alias(Alias), Options) ->
        ( locale(Alias, _, _, _, _) -> permission_error(create, locale, Alias) ; true ),
        Locale0 = Alias
    ;   retract(last(N0)), N is N0 + 1, assertz(last(N)), Locale0 = '$locale'(N), Alias = []
    ),
    assertz(locale(Locale0, Alias, Point, Separator, Groups)),
    Locale = Locale0.

checked(Option) :- var(Option), !, instantiation_error(Option).
checked(alias(Alias)) :- !, must_be(atom, Alias).
checked(decimal_point(Point)) :- !, must_be(atom, Point).
checked(thousands_sep(Separator)) :- !, must_be(atom, Separator).
checked(grouping(Groups)) :- !, must_be(list, Groups), all_groups(Groups).
checked(_).

all_groups([]).
all_groups([Group|Groups]) :- group(Group, Groups), all_groups(Groups).
group(Group, _) :- var(Group), !, instantiation_error(Group).
group(repeat(Size), Groups) :- !, size(Size), ( Groups == [] -> true ; domain_error(grouping, [repeat(Size)|Groups]) ).
group(Size, _) :- size(Size).
size(Size) :- must_be(integer, Size), ( Size > 0 -> true ; domain_error(digit_group_size, Size) ).

% The one in use stays until another one is set.
locale_destroy(Locale0) :-
    known(Locale0, Locale),
    ( current(Locale) -> true ; retractall(locale(Locale, _, _, _, _)) ).

locale_property(Locale0, Property) :-
    ( var(Property) -> true ; memberchk(Property, [alias(_), decimal_point(_), thousands_sep(_), grouping(_)]) -> true ; domain_error(locale_property, Property) ),
    ( var(Locale0) -> true ; Locale0 == current_locale -> current(Locale) ; Locale = Locale0 ),
    locale(Locale, Alias, Point, Separator, Groups),
    ( var(Locale0) -> Locale0 = Locale ; true ),
    (   Alias \== [], Property = alias(Alias)
    ;   Property = decimal_point(Point)
    ;   Separator \== '', Property = thousands_sep(Separator)
    ;   Groups \== [], Property = grouping(Groups)
    ).
