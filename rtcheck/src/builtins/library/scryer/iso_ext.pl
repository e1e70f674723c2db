:- module(iso_ext, [countall/2, partial_string/1, partial_string/3, partial_string_tail/2]).

% Scryer Prolog's predicates beyond the standard; those that are not here are always there.

:- meta_predicate countall(0, ?).

countall(Goal, Count) :- aggregate_all(count, Goal, Count0), Count = Count0.

% Lists of characters whose end is open; no other representation stands behind them here.
partial_string(Chars) :- nonvar(Chars), Chars = [C|Cs], is_of_type(char, C), characters(Cs).
characters(Cs) :- ( var(Cs) -> true ; Cs == [] -> true ; Cs = [C|Cs1], is_of_type(char, C), characters(Cs1) ).
partial_string(Chars, All, Tail) :- must_be(chars, Chars), append(Chars, Tail, All).
partial_string_tail(Chars, Tail) :- partial_string(Chars), end(Chars, Tail).
end(Cs, End) :- ( nonvar(Cs), Cs = [_|Cs1] -> end(Cs1, End) ; End = Cs ).
