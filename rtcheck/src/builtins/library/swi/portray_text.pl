:- module(portray_text, [portray_text/1, portray_text/2, set_portray_text/2, set_portray_text/3, is_text_code/1]).

% SWI-Prolog's library(portray_text): print/1 shows lists of codes as the text that they are, from when
% the library is loaded until that is switched off.

:- dynamic([shown/2, portray_text:installed/0]).

shown(enabled, true).
shown(min_length, 3).
shown(ellipsis, 30).

portray_text(On) :- set_portray_text(enabled, On).
portray_text(Old, New) :- set_portray_text(enabled, Old, New).
set_portray_text(Key, Value) :- set_portray_text(Key, _, Value).
set_portray_text(Key, Old, New) :-
    must_be(oneof([enabled, min_length, ellipsis]), Key),
    shown(Key, Old0), Old = Old0,
    (   Old0 == New -> true
    ;   ( Key == enabled -> must_be(boolean, New) ; must_be(nonneg, New) ),
        retractall(shown(Key, _)), assertz(shown(Key, New))
    ),
    ( shown(enabled, true), \+ installed -> install ; true ).

% A program's own portray/1 that is no dynamic predicate stays alone.
install :-
    assertz(installed),
    catch(assertz((user:portray(Term) :- portray_text:shown_as_text(Term))), error(permission_error(_, _, _), _), true).

shown_as_text(Codes) :-
    shown(enabled, true),
    nonvar(Codes), Codes = [_|_], is_list(Codes),
    shown(min_length, Least), length(Codes, N), N >= Least,
    all_text(Codes),
    shown(ellipsis, Most),
    (   N =< Most -> format("`~s`", [Codes])
    ;   Front is max(0, Most-6), length(Start, Front), append(Start, _, Codes),
        length(End, 3), append(_, End, Codes), format("`~s...~s`", [Start, End])
    ).
all_text([]).
all_text([C|Cs]) :- is_text_code(C), all_text(Cs).

is_text_code(Code) :- integer(Code), Code >= 0, ( Code >= 9, Code =< 13 -> true ; Code >= 32, Code < 127 -> true ; Code >= 160, Code =< 0x10ffff, code_type(Code, graph) ).

:- initialization(install, now).
