:- module(strings,
    [string_lines/2, dedent_lines/3, indent_lines/3, indent_lines/4, interpolate_string/4]).

% SWI-Prolog's library(strings): texts of several lines, and texts with places for values.

:- meta_predicate indent_lines(1, ?, ?, ?).

string_lines(String, Lines) :- var(String), !, ended(Lines, Texts), atomic_list_concat(Texts, Atom), atom_string(Atom, String).
string_lines(String, Lines) :-
    split_string(String, "\n", "", Lines0),
    ( append(Lines1, [Last], Lines0), string_length(Last, 0) -> true ; Lines1 = Lines0 ),
    ( Lines = Lines1 -> true ; ground(Lines), Lines = Lines0 ).

ended([], []).
ended([Line|Lines], [Line, '\n'|Texts]) :- ended(Lines, Texts).

dedent_lines(Text, Dedented, _) :-
    split_string(Text, "\n", "", Lines0),
    maplist(codes_of, Lines0, Lines),
    findall(Blank, ( member(Line, Lines), \+ blank(Line), leading(Line, Blank) ), Blanks),
    ( Blanks = [First|Others] -> foldl(shared, Others, First, Shared) ; Shared = [] ),
    maplist(without(Shared), Lines, Texts),
    atomic_list_concat(Texts, '\n', Atom),
    atom_string(Atom, Dedented).

codes_of(Text, Codes) :- atom_codes(Text, Codes).

blank([]).
blank([C|Cs]) :- ( C =:= 0'  ; C =:= 0'\t ), !, blank(Cs).

leading([C|Cs], Blank) :- ( C =:= 0'  ; C =:= 0'\t ), !, Blank = [C|Rest], leading(Cs, Rest).
leading(_, []).

shared([C|As], [C|Bs], Shared) :- !, Shared = [C|Rest], shared(As, Bs, Rest).
shared(_, _, []).

without(_, Line, '') :- blank(Line), !.
without(Shared, Line, Text) :- append(Shared, Rest, Line), !, atom_codes(Text, Rest).

indent_lines(Prefix, Text, Indented) :- indent_lines(strings:filled, Prefix, Text, Indented).

filled(Line) :- atom_codes(Line, Codes), \+ blank(Codes).

% Behind the last line end there is no line.
indent_lines(Filter, Prefix, Text, Indented) :-
    split_string(Text, "\n", "", Lines0),
    ( append(Lines, [Last], Lines0), string_length(Last, 0) -> End = [''] ; Lines = Lines0, End = [] ),
    maplist(prefixed(Filter, Prefix), Lines, Texts0),
    append(Texts0, End, Texts),
    atomic_list_concat(Texts, '\n', Atom),
    atom_string(Atom, Indented).

prefixed(Filter, Prefix, Line, Text) :- ( call(Filter, Line) -> atom_concat(Prefix, Line, Text) ; Text = Line ).

% {Name} is the value of Name in the list, {Name,Default} has one where there is none; other braces are text. Names begin
% as variables do.
interpolate_string(Text, Result, Map, _) :-
    ( is_list(Text) -> atom_codes(Atom, Text) ; Atom = Text ), atom_codes(Atom, Codes),
    filled_in(Codes, Map, Codes1),
    string_codes(Result, Codes1).

filled_in([], _, []).
filled_in([0'{|Codes], Map, Result) :-
    variable_name(Codes, Name, Rest0),
    ( Rest0 = [0'}|Rest], Default = none
    ; Rest0 = [0',|Rest1], append(Text, [0'}|Rest], Rest1), Default = text(Text)
    ),
    ( ( memberchk(Name = Value, Map) ; Term =.. [Name, Value], memberchk(Term, Map) ) ->
        format(codes(Filled), '~w', [Value])
    ; Default = text(Filled) -> true
    ; throw(error(existence_error(template_var, Name), _))
    ),
    !,
    append(Filled, Result1, Result),
    filled_in(Rest, Map, Result1).
filled_in([C|Codes], Map, [C|Result]) :- filled_in(Codes, Map, Result).

variable_name([C|Codes], Name, Rest) :-
    ( code_type(C, upper) ; C =:= 0'_ ), !,
    name_codes(Codes, Cs, Rest),
    atom_codes(Name, [C|Cs]).

name_codes([C|Codes], [C|Cs], Rest) :- code_type(C, csym), !, name_codes(Codes, Cs, Rest).
name_codes(Rest, [], Rest).
