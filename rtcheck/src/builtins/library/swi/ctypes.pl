:- module(ctypes,
    [is_alnum/1, is_alpha/1, is_ascii/1, is_cntrl/1, is_csym/1, is_csymf/1, is_digit/1, is_digit/3, is_endfile/1,
     is_endline/1, is_graph/1, is_lower/1, is_newline/1, is_newpage/1, is_paren/2, is_period/1, is_print/1, is_punct/1,
     is_quote/1, is_space/1, is_upper/1, is_white/1, to_lower/2, to_upper/2, upper_lower/2]).

% SWI-Prolog's library(ctypes): kinds of characters, given by their codes (or as characters).

is_alnum(C) :- code_type(C, alnum).
is_alpha(C) :- ( code_type(C, alpha), \+ code_type(C, digit(_)) ), C \== 0'_, C \== '_'.
is_ascii(C) :- code_type(C, ascii).
is_cntrl(C) :- code_type(C, cntrl).
is_csym(C) :- code_type(C, csym).
is_csymf(C) :- code_type(C, csymf).
is_digit(C) :- code_type(C, digit).
is_graph(C) :- code_type(C, graph).
is_lower(C) :- code_type(C, lower).
is_upper(C) :- code_type(C, upper).
is_punct(C) :- code_type(C, punct).
is_space(C) :- code_type(C, space).
is_print(C) :- code_type(C, graph).
is_white(C) :- code_type(C, white).
is_endfile(-1).
is_newline(10).
is_newpage(12).
is_endline(C) :- member(C, [10, 11, 12, 13]).
is_period(C) :- member(C, `.?!`).
is_quote(C) :- member(C, `'"\``).
is_paren(0'(, 0')).
is_paren(0'[, 0']).
is_paren(0'{, 0'}).

is_digit(Code, Base, Weight) :-
    ( var(Code) -> Most is Base - 1, between(0, Most, Weight), ( Weight < 10 -> Code is 0'0 + Weight ; Code is 0'a + Weight - 10 )
    ; Code >= 0'0, Code =< 0'9 -> Weight is Code - 0'0, Weight < Base
    ; Code >= 0'a, Code =< 0'z -> Weight is Code - 0'a + 10, Weight < Base
    ; Code >= 0'A, Code =< 0'Z -> Weight is Code - 0'A + 10, Weight < Base
    ).

to_lower(U, L) :- ( integer(U) -> char_code(C, U), downcase_atom(C, D), char_code(D, L) ; downcase_atom(U, L) ).
to_upper(L, U) :- ( integer(L) -> char_code(C, L), upcase_atom(C, D), char_code(D, U) ; upcase_atom(L, U) ).

upper_lower(U, L) :-
    ( nonvar(U) -> is_upper(U), to_lower(U, L)
    ; is_lower(L), to_upper(L, U)
    ).
