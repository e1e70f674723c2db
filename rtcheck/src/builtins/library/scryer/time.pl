:- module(more_time, [current_time/1, max_sleep_time/1, format_time//2]).

% Scryer Prolog's predicates about time: a moment is a list of texts by the letters of format_time//2.

current_time(Time) :-
    get_time(Now),
    findall(Letter=Text, ( member(Letter, ['Y', 'm', 'd', 'H', 'M', 'S', 'y', 'b', 'B', 'a', 'A', 'w', 'u', 'U', 'W', j, 'D', x, v]), part(Letter, Now, Text) ), Time).
part(Letter, Now, Text) :- atom_concat('%', Letter, Format), format_time(chars(Text), Format, Now).

format_time(Format, Time, Chars, Rest) :- must_be(chars, Format), made(Format, Time, Chars, Rest).
made([], _) --> [].
made([C|Cs], Time) -->
    (   { C == '%', Cs = [L|Cs1] } -> { L == '%' -> Text = ['%'] ; memberchk(L=Text, Time) -> true ; throw(error(domain_error(time_specifier, L), format_time//2)) }, text(Text), made(Cs1, Time)
    ;   [C], made(Cs, Time)
    ).
text([]) --> [].
text([C|Cs]) --> [C], text(Cs).

max_sleep_time(0xfffffffffffffbff).
