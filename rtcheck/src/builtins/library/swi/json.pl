:- module(json,
    [json_read/2, json_read/3, json_read_dict/2, json_read_dict/3, json_write/2, json_write/3, json_write_dict/2,
     json_write_dict/3, atom_json_term/3, atom_json_dict/3, is_json_term/1]).

% SWI-Prolog's library(http/json). An object is json([Name=Value, ...]) or a dict; what texts and the names null, true
% and false are read as are options, given as settings(Text, Null, True, False, AtEnd, tag(Member, Default)): the name of the
% member that is a dict's tag, '' if none is, and the tag of a dict without it.

:- multifile json_write_hook/4.
:- dynamic json_write_hook/4.

json_read(Stream, Term) :- json_read(Stream, Term, []).
json_read(Stream, Term, Options) :-
    settings(Options, atom, @(null), @(true), @(false), Settings), json_value(Stream, Term0, classic, Settings), Term = Term0.
json_read_dict(Stream, Term) :- json_read_dict(Stream, Term, []).
json_read_dict(Stream, Term, Options) :-
    option(value_string_as_atom(AsAtom), Options, false),
    ( AsAtom == true -> Text = atom ; Text = string ),
    settings(Options, Text, null, true, false, Settings), json_value(Stream, Term0, dict, Settings), Term = Term0.

settings(Options, Text0, Null0, True0, False0, settings(Text, Null, True, False, AtEnd, Tag)) :-
    option(value_string_as_atom(AsAtom), Options, unsaid),
    ( AsAtom == true -> Text = atom ; Text = Text0 ),
    option(null(Null), Options, Null0), option(true(True), Options, True0), option(false(False), Options, False0),
    option(end_of_file(AtEnd), Options, error),
    option(tag(Member), Options, ''),
    ( option(default_tag(Default), Options) -> Tag = tag(Member, tag(Default)) ; Tag = tag(Member, none) ).

json_value(Stream, Term, Kind, Settings) :-
    next(Stream, Char),
    (   Char \== end_of_file -> value(Char, Stream, Term, Kind, Settings)
    ;   Settings = settings(_, _, _, _, AtEnd, _), AtEnd \== error -> Term = AtEnd
    ;   refuse(unexpected_end_of_file)
    ).

refuse(Why) :- syntax_error(json(Why)).

% The next character behind blanks, which is not taken.
next(Stream, Char) :- peek_char(Stream, C), ( blank(C) -> get_char(Stream, _), next(Stream, Char) ; Char = C ).
blank(' ').
blank('\t').
blank('\n').
blank('\r').

value(end_of_file, _, _, _, _) :- !, refuse(unexpected_end_of_file).
value('{', Stream, Term, Kind, Settings) :- !,
    get_char(Stream, _), next(Stream, Char),
    ( Char == '}' -> get_char(Stream, _), Pairs = [] ; members(Stream, Pairs, Kind, Settings) ),
    object(Kind, Pairs, Settings, Term).
value('[', Stream, Term, Kind, Settings) :- !,
    get_char(Stream, _), next(Stream, Char),
    ( Char == ']' -> get_char(Stream, _), Term = [] ; elements(Stream, Term, Kind, Settings) ).
value('"', Stream, Term, _, settings(Text, _, _, _, _, _)) :- !, quoted(Stream, Codes), text(Text, Codes, Term).
value(Char, Stream, Number, _, _) :- ( Char == (-) ; char_type(Char, digit(_)) ), !,
    number_chars_of(Stream, Chars),
    catch(number_codes(Number, Chars), error(syntax_error(_), _), refuse(illegal_number)).
value(Char, Stream, Term, _, settings(_, Null, True, False, _, _)) :-
    member(Char-Word-Value, [n-null-Null, t-true-True, f-false-False]), !,
    letters(Stream, Letters), atom_chars(Read, Letters),
    ( Read == Word -> Term = Value ; refuse(json_expected(Word)) ).
value(_, _, _, _, _) :- refuse(illegal_json).

text(atom, Codes, Term) :- atom_codes(Term, Codes).
text(string, Codes, Term) :- string_codes(Term, Codes).
text(codes, Codes, Codes).

object(classic, Pairs, _, json(Members)) :- named(Pairs, Members).
object(dict, Pairs, settings(_, _, _, _, _, Tag0), Dict) :-
    Tag0 = tag(Member, Default),
    (   Member \== '', selectchk(Member-Value, Pairs, Pairs1) -> ( string(Value) -> atom_string(Tag, Value) ; Tag = Value )
    ;   Pairs1 = Pairs, ( Default = tag(Tag) -> true ; true )
    ),
    keyed(Pairs1, Keyed), dict_pairs(Dict, Tag, Keyed).
named([], []).
named([Name-Value|Pairs], [Name=Value|Members]) :- named(Pairs, Members).
% A key that is written as a small integer is one.
keyed([], []).
keyed([Name-Value|Pairs], [Key-Value|Keyed]) :- ( small_integer(Name, Key0) -> Key = Key0 ; Key = Name ), keyed(Pairs, Keyed).
small_integer(Name, Key) :-
    atom_codes(Name, Codes), Codes = [First|_], First >= 0'0, First =< 0'9,
    atom_number(Name, Key), integer(Key), number_codes(Key, Codes), Key =< 1152921504606846975.

members(Stream, [Name-Value|Pairs], Kind, Settings) :-
    next(Stream, Quote), ( Quote == '"' -> true ; refuse(illegal_json) ),
    quoted(Stream, Codes), atom_codes(Name, Codes),
    next(Stream, Colon), ( Colon == (:) -> get_char(Stream, _) ; refuse(illegal_json) ),
    next(Stream, Char), value(Char, Stream, Value, Kind, Settings),
    next(Stream, Separator),
    (   Separator == (',') -> get_char(Stream, _), members(Stream, Pairs, Kind, Settings)
    ;   Separator == '}' -> get_char(Stream, _), Pairs = []
    ;   refuse(illegal_object)
    ).

elements(Stream, [Value|Values], Kind, Settings) :-
    next(Stream, Char), value(Char, Stream, Value, Kind, Settings),
    next(Stream, Separator),
    (   Separator == (',') -> get_char(Stream, _), elements(Stream, Values, Kind, Settings)
    ;   Separator == ']' -> get_char(Stream, _), Values = []
    ;   refuse(illegal_array)
    ).

quoted(Stream, Codes) :- get_char(Stream, _), get_code(Stream, Code), quoted(Code, Stream, Codes).
quoted(-1, _, _) :- !, refuse(eof_in_string).
quoted(0'", _, []) :- !.
quoted(0'\\, Stream, [Code|Codes]) :- !,
    get_code(Stream, Escape), escaped(Escape, Stream, Code), get_code(Stream, Next), quoted(Next, Stream, Codes).
quoted(Code, Stream, [Code|Codes]) :- get_code(Stream, Next), quoted(Next, Stream, Codes).

escaped(0'u, Stream, Code) :- !,
    four(Stream, High),
    (   High >= 0xD800, High =< 0xDBFF
    ->  ( get_code(Stream, 0'\\), get_code(Stream, 0'u) -> true ; refuse(illegal_surrogate_pair) ),
        four(Stream, Low),
        ( Low >= 0xDC00, Low =< 0xDFFF -> true ; refuse(illegal_surrogate_pair) ),
        Code is 0x10000 + ((High - 0xD800) << 10) + (Low - 0xDC00)
    ;   Code = High
    ).
escaped(Letter, _, Code) :- escape(Letter, Code0), !, Code = Code0.
escaped(_, _, _) :- refuse(illegal_string_escape).
escape(0'", 0'").
escape(0'\\, 0'\\).
escape(0'/, 0'/).
escape(0'b, 8).
escape(0'f, 12).
escape(0'n, 10).
escape(0'r, 13).
escape(0't, 9).

four(Stream, Value) :- digits(4, Stream, 0, Value).
digits(0, _, Value, Value) :- !.
digits(N, Stream, Value0, Value) :-
    get_char(Stream, Char),
    ( Char \== end_of_file, char_type(Char, xdigit(Weight)) -> true ; refuse(illegal_unicode_escape) ),
    Value1 is Value0 * 16 + Weight, N1 is N - 1, digits(N1, Stream, Value1, Value).

number_chars_of(Stream, Codes) :-
    peek_char(Stream, Char),
    (   Char \== end_of_file, ( char_type(Char, digit(_)) ; memberchk(Char, [-, +, '.', e, 'E']) )
    ->  get_code(Stream, Code), Codes = [Code|Codes1], number_chars_of(Stream, Codes1)
    ;   Codes = []
    ).
letters(Stream, Letters) :-
    peek_char(Stream, Char),
    ( Char \== end_of_file, char_type(Char, alpha) -> get_char(Stream, _), Letters = [Char|Letters1], letters(Stream, Letters1) ; Letters = [] ).

% Writing: on one line what fits, everything else an element or member a line. The names null, true and false are
% texts in classic terms, which have @(null) and its like.

json_write(Stream, Term) :- json_write(Stream, Term, []).
json_write(Stream, Term, Options) :- write_as(classic, Stream, Term, Options).
json_write_dict(Stream, Term) :- json_write_dict(Stream, Term, []).
json_write_dict(Stream, Term, Options) :- write_as(dict, Stream, Term, Options).

% How a term is written: writing(Kind, Tag, Unknown, Width, Step, Options), Kind being classic or dict, Tag the name of the
% member that a dict's tag becomes, Unknown whether other terms are written as text, Options what json_write_hook/4 gets.
write_as(As, Stream, Term, Options) :-
    option(width(Width), Options, 72), option(step(Step), Options, 2),
    option(tag(Tag), Options, ''), option(serialize_unknown(Unknown), Options, false),
    phrase(written(Term, 0, writing(As, Tag, Unknown, Width, Step, Options)), Codes), !,
    ( line_position(Stream, Column), Column > 0, parts(Term, '', _, _) -> put_char(Stream, ' ') ; true ),
    format(Stream, '~s', [Codes]).

written(Term, _, How) --> { hooked(Term, How, Codes) }, !, text_of(Codes).
written(Term, Indent, How) -->
    { How = writing(_, Tag, _, Width, Step, _) },
    (   { \+ parts(Term, Tag, _, _) ; Width =:= 0 ; length_of(Term, Tag, Length), Indent + Length =< Width } -> flat(Term, How)
    ;   { parts(Term, Tag, Kind, Parts), brackets(Kind, Open, Close), Indent1 is Indent + Step },
        [Open, 0'\n], lines(Parts, Indent1, How), [0'\n], blanks_of(Indent), [Close]
    ).

% What a program's hook writes for a term that is no list and no text.
hooked(Term, writing(_, _, _, _, _, Options), Codes) :-
    compound(Term), \+ Term = [_|_], predicate_property(json_write_hook(_, _, _, _), number_of_clauses(N)), N > 0,
    with_output_to(codes(Codes), ( current_output(Stream), json_write_hook(Term, Stream, [], Options) )), !.

% How long a term is on one line, escapes not counted.
length_of(Term, Tag, Length) :-
    parts(Term, Tag, _, Parts), !,
    foldl(part_length(Tag), Parts, 0, Length0), Length is max(Length0, 2).
length_of(Term, _, Length) :-
    ( Term = @(Text) -> true ; Text = Term ),
    format(codes(Codes), '~w', [Text]), length(Codes, Length0),
    ( ( number(Text) ; memberchk(Text, [null, true, false]) ) -> Length = Length0 ; Length is Length0 + 2 ).
part_length(Tag, member(Name, Value), Length0, Length) :- !,
    format(codes(Codes), '~w', [Name]), length(Codes, Key), length_of(Value, Tag, Rest), Length is Length0 + Key + Rest + 6.
part_length(Tag, Value, Length0, Length) :- length_of(Value, Tag, Length1), Length is Length0 + Length1 + 2.

text_of([]) --> [].
text_of([C|Cs]) --> [C], text_of(Cs).
blanks_of(0) --> !, [].
blanks_of(N) --> [0' ], { N1 is N - 1 }, blanks_of(N1).

brackets(object, 0'{, 0'}).
brackets(array, 0'[, 0']).

lines([Part|Parts], Indent, How) -->
    blanks_of(Indent), part(Part, Indent, How),
    ( { Parts == [] } -> [] ; [0',, 0'\n], lines(Parts, Indent, How) ).
part(member(Name, Value), Indent, How) --> !, key(Name, Value, How), written(Value, Indent, How).
part(Value, Indent, How) --> written(Value, Indent, How).

key(Name, Value, writing(_, Tag, _, _, _, _)) -->
    { name_codes(Name, Codes) }, string(Codes), [0':], ( { parts(Value, Tag, _, _) } -> [0' ] ; [] ).

% What an object or an array has in it.
parts(Term, _, _, _) :- var(Term), !, instantiation_error(Term).
parts([], _, array, []) :- !.
parts([X|Xs], _, array, [X|Xs]) :- !, must_be(list, Xs).
parts(json(Members), _, object, Parts) :- !, must_be(list, Members), members_of(Members, Parts).
parts(Dict, Tag, object, Parts) :-
    is_dict(Dict), dict_pairs(Dict, Value, Pairs),
    ( Tag \== '', nonvar(Value) -> members_of([Tag-Value|Pairs], Parts) ; members_of(Pairs, Parts) ).
members_of([], []).
members_of([M|Ms], [member(Name, Value)|Parts]) :-
    ( nonvar(M), ( M = (Name=Value) ; M = Name-Value ; compound(M), M =.. [Name, Value] ) -> true ; type_error(pair, M) ),
    members_of(Ms, Parts).

flat(Term, How) --> { hooked(Term, How, Codes) }, !, text_of(Codes).
flat(Term, How) -->
    { How = writing(_, Tag, _, _, _, _), parts(Term, Tag, Kind, Parts) }, !, { brackets(Kind, Open, Close) },
    [Open], flat_parts(Parts, Kind, How), [Close].
flat(Term, How) --> scalar(Term, How).
flat_parts([], _, _) --> [].
flat_parts([member(Name, Value)|Parts], Kind, How) --> key(Name, Value, How), flat(Value, How), separated(Parts, Kind, How).
flat_parts([Value|Parts], array, How) -->
    ( { parts(Value, '', _, _) } -> [0' ] ; [] ), flat(Value, How), separated(Parts, array, How).
separated([], Kind, _) --> ( { Kind == array } -> [0' ] ; [] ).
separated([Part|Parts], Kind, How) --> [0',, 0' ], flat_parts([Part|Parts], Kind, How).

scalar(@(Word), _) --> { memberchk(Word, [null, true, false]) }, !, { atom_codes(Word, Codes) }, text_of(Codes).
scalar(Word, writing(dict, _, _, _, _, _)) --> { memberchk(Word, [null, true, false]) }, !, { atom_codes(Word, Codes) }, text_of(Codes).
scalar(Number, _) --> { number(Number), ( ( integer(Number) ; float(Number) ) -> N = Number ; N is float(Number) ) }, !,
    { number_codes(N, Codes) }, text_of(Codes).
scalar(Text, _) --> { ( atom(Text) ; string(Text) ) }, !, { name_codes(Text, Codes) }, string(Codes).
scalar(string(Text), _) --> !, { name_codes(Text, Codes) }, string(Codes).
scalar(Term, writing(_, _, true, _, _, _)) --> !, { format(codes(Codes), '~q', [Term]) }, string(Codes).
scalar(Term, _) --> { type_error(json_term, Term) }.

name_codes(Name, Codes) :- format(codes(Codes), '~w', [Name]).

string(Codes) --> [0'"], escaped_codes(Codes), [0'"].
escaped_codes([]) --> [].
escaped_codes([C|Cs]) --> escaped_code(C), escaped_codes(Cs).
escaped_code(C) --> { escape(Letter, C), C =\= 0'/ }, !, [0'\\, Letter].
escaped_code(C) --> { C < 32 }, !, { High is 0'0 + C // 16, Low is C mod 16, format(codes(Digit), '~16r', [Low]) },
    [0'\\, 0'u, 0'0, 0'0, High], text_of(Digit).
escaped_code(C) --> [C].

is_json_term(Term) :- catch(phrase(flat(Term, writing(classic, '', false, 0, 2, [])), _), error(_, _), fail), !.

atom_json_term(Text, Term, Options) :- convert(Text, Term, Options, json_read, json_write, atom).
atom_json_dict(Text, Term, Options) :- convert(Text, Term, Options, json_read_dict, json_write_dict, atom).
convert(Text, Term, Options, Reads, _, _) :- ground(Text), !,
    setup_call_cleanup(open_string(Text, Stream), call(Reads, Stream, Term, Options), close(Stream)).
convert(Text, Term, Options, _, Writes, As0) :-
    option(as(As), Options, As0),
    Sink =.. [As, Text],
    with_output_to(Sink, call(Writes, current_output, Term, Options)).
