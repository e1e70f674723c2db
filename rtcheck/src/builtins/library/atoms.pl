% Texts of atoms, and SWI-Prolog's strings. Any text may stand where a string is asked for; what is given is of the type
% that the predicate is named after.

current_atom(A) :- var(A), !, '$atoms'(As), member(A, As).
current_atom(A) :- must_be(atom, A).
atom_concat(A, B, C) :- nonvar(A), nonvar(B), !, '$atom_concat'(A, B, C).
atom_concat(A, B, C) :-
    ( var(C) -> instantiation_error(C) ; atomic(C) -> true ; type_error(atom, C) ),
    ( nonvar(A) -> '$prefix'(A, B, C)
    ; nonvar(B) -> '$suffix'(A, B, C)
    ; sub_atom(C, 0, N, M, A), sub_atom(C, N, M, 0, B)
    ).
'$prefix'(A, B, C) :- sub_atom(A, 0, N, 0, A1), sub_atom(C, 0, N, M, A1), sub_atom(C, N, M, 0, B).
'$suffix'(A, B, C) :- sub_atom(B, 0, M, 0, B1), sub_atom(C, N, M, 0, B1), sub_atom(C, 0, N, M, A).

sub_atom(A, B, L, R, S) :- '$sub_atom'(A, B, L, R, S, Search), '$search_sub_atom'(Search, A, B, L, R, S).
'$search_sub_atom'(done, _, _, _, _, _).
'$search_sub_atom'(occurrences(N), A, B, L, R, S) :- '$occurs'(A, S, 0, B), R is N - B - L.
'$search_sub_atom'(before(N), A, B, L, R, S) :-
    M is N - B, between(0, M, L), R is M - L, '$sub_text'(A, B, L, S).
'$search_sub_atom'(length(N), A, B, L, R, S) :-
    M is N - L, between(0, M, B), R is M - B, '$sub_text'(A, B, L, S).
'$search_sub_atom'(after(N), A, B, L, R, S) :-
    M is N - R, between(0, M, B), L is M - B, '$sub_text'(A, B, L, S).
'$search_sub_atom'(all(N), A, B, L, R, S) :-
    between(0, N, B), M is N - B, between(0, M, L), R is M - L, '$sub_text'(A, B, L, S).
'$occurs'(A, S, From, B) :-
    '$occurrence'(A, S, From, At),
    From1 is At + 1,
    ( '$occurrence'(A, S, From1, _) -> '$occurs'(A, S, At, From1, B) ; B = At ).
'$occurs'(_, _, At, _, At).
'$occurs'(A, S, _, From, B) :- '$occurs'(A, S, From, B).

atomic_list_concat(L, A) :- '$concat_list'(L, '', A0), !, A = A0.
atomic_list_concat(L, _) :- '$incomplete'(L).
atomic_list_concat(L, Sep, A) :- '$concat_list'(L, Sep, A0), !, A = A0.
atomic_list_concat(L, Sep, A) :-
    ( nonvar(Sep), nonvar(A) -> '$check_list'(L), '$split_atom'(Sep, A, Parts), L = Parts ; '$incomplete'(L) ).
'$incomplete'(L) :-
    '$skip_list'(_, L, T),
    ( T == [] -> true ; var(T) -> true ; type_error(list, L) ),
    instantiation_error(L).
concat_atom(L, A) :- atomic_list_concat(L, A).
concat_atom(L, Sep, A) :- atomic_list_concat(L, Sep, A).
atomic_concat(A, B, C) :- atomic_list_concat([A, B], C).
% Strings.
atom_string(A, S) :- ( nonvar(A) -> '$string'(A, atom, S0), '$given_text'(S, S0) ; '$text'(S, string, A) ).
number_string(N, S) :-
    ( var(N), nonvar(S) -> true ; must_be(number, N) ),
    ( nonvar(S) -> '$number_of_text'(S, N) ; '$string'(N, number, S) ).
string_to_atom(S, A) :- ( nonvar(S) -> '$text'(S, text, A0), '$given_text'(A, A0) ; '$string'(A, text, S) ).
string_chars(S, Cs) :- ( nonvar(S) -> '$text_chars'(S, Cs) ; '$text_or_list'(Cs), '$string'(Cs, text, S) ).
string_codes(S, Cs) :- ( nonvar(S) -> '$text_codes'(S, Cs) ; '$text_or_list'(Cs), '$string'(Cs, text, S) ).
'$text_or_list'(Cs) :- ( string(Cs) -> true ; '$check_list'(Cs) ).
string_code(I, T, C) :- ( var(I) -> string_length(T, N), between(1, N, I) ; true ), get_string_code(I, T, C).
text_to_string(T, S) :-
    ( var(T) -> instantiation_error(T) ; number(T) -> type_error(text, T) ; '$string'(T, text, S0), \+ compound(S), '$given_text'(S, S0) ).
string_concat(A, B, C) :-
    ( nonvar(A), nonvar(B) -> '$string_concat'(A, B, C)
    ; '$known_text'(A, atomic, A1), '$known_text'(B, atomic, B1), '$known_text'(C, atomic, C1),
      atom_concat(A1, B1, C1),
      '$new_string'(A, A1, A2), '$new_string'(B, B1, B2), '$new_string'(C, C1, C2),
      A = A2, B = B2, C = C2
    ).
% The result is a string if one of the texts is.
text_concat(A, B, C) :-
    ( ( string(A) ; string(B) ; string(C) ) -> string_concat(A, B, C)
    ; '$known_text'(A, atomic, A1), '$known_text'(B, atomic, B1), '$known_text'(C, atomic, C1),
      atom_concat(A1, B1, C1),
      '$new_atom'(A, A1, A2), '$new_atom'(B, B1, B2), '$new_atom'(C, C1, C2),
      A = A2, B = B2, C = C2
    ).
sub_string(T, B, L, R, S) :-
    ( T == [] -> A = T ; '$text'(T, string, A) ), ( S == [] -> S1 = S ; '$known_text'(S, string, S1) ),
    sub_atom(A, B, L, R, S1),
    '$new_string'(S, S1, S).
'$known_text'(T, Type, A) :- ( var(T) -> true ; '$text'(T, Type, A) ).
% What takes the place of a text: nothing does if it was given. Several of them may be one variable.
'$new_string'(T, A, S) :- ( var(T) -> '$string_of'(A, S) ; S = T ).
'$new_atom'(T, A, B) :- ( var(T) -> B = A ; B = T ).
% A text that is given may be of another type than the result.
'$given_text'(Given, Text) :- ( var(Given) -> Given = Text ; '$same_text'(Given, Text) ).
atomics_to_string(L, S) :- atomic_list_concat(L, A), '$string_of'(A, S).
term_string(T, S) :-
    ( nonvar(S) -> '$text'(S, text, A), term_to_atom(T, A) ; with_output_to(string(S), writeq(T)) ).
term_string(T, S, Options) :-
    ( nonvar(S) -> '$text'(S, text, A), read_term_from_atom(A, T, Options)
    ; with_output_to(string(S), write_term(T, [quoted(true)|Options]))
    ).
char_type(C, Type) :-
    ( var(C) -> '$type_of_code'(Code, Type, chars), char_code(C, Code)
    ; '$code_of'(C, Code), '$type_of_code'(Code, Type, chars)
    ).
code_type(C, Type) :-
    ( atom(C) -> char_code(C, Code) ; string(C) -> '$code_of'(C, Code) ; Code = C ),
    '$type_of_code'(Code, Type, codes).
'$type_of_code'(Code, Type, Kind) :-
    ( var(Type) -> '$char_type'(Type)
    ; functor(Type, N, A), functor(T, N, A), '$char_type'(T) -> true
    ; domain_error(char_type, Type)
    ),
    ( '$case_type'(Type, Value, Up, Down), ( nonvar(Code) ; nonvar(Value) ) -> '$cased'(Value, Code, Kind, Up, Down)
    ; '$code_has_type'(Code, Type, Kind)
    ).
% As in SWI-Prolog: a character has the type to_lower(U) if it is what U becomes in lower case, or U itself. Of those two
% the one in lower case is given for a U that is known, and the one in upper case for a character that is.
'$case_type'(to_lower(U), U, 'to_upper/1', 'to_lower/1').
'$case_type'(to_upper(L), L, 'to_lower/1', 'to_upper/1').
'$cased'(Value, Code, Kind, Up, _) :- var(Value), !, '$char_class'(Up, Code, V), '$class_value'(Kind, to_lower, V, Value).
'$cased'(Value, Code, _, _, Down) :-
    ( integer(Value) -> V = Value ; '$code_of'(Value, V) ),
    ( var(Code) -> '$char_class'(Down, V, Code) ; Code == V -> true ; '$char_class'(Down, V, Code) ).
'$code_has_type'(Code, Type, Kind) :-
    ( nonvar(Code) -> true ; nonvar(Type), Type = xdigit(W), integer(W) -> '$digit_of'(W, Code) ; between(0, 0x10ffff, Code) ),
    ( '$case_type'(Type, Cased, Up, Down) -> '$cased'(Cased, Code, Kind, Up, Down)
    ; Type =.. [Name, Value] ->
        '$class_name'(Name, Class), '$char_class'(Class, Code, V), '$class_value'(Kind, Name, V, Value)
    ;   '$char_class'(Type, Code, _)
    ).
'$digit_of'(W, Code) :- ( between(0, 9, W) -> Code is 0'0 + W ; between(10, 15, W) -> Code is 0'a + W - 10 ).
'$class_name'(digit, 'digit/1').
'$class_name'(decimal, 'decimal/1').
'$class_name'(xdigit, 'xdigit/1').
'$class_name'(upper, 'upper/1').
'$class_name'(lower, 'lower/1').
'$class_name'(paren, 'paren/1').
'$class_value'(Kind, Name, V, Value) :-
    ( Kind == chars, \+ memberchk(Name, [digit, decimal, xdigit]) -> char_code(Value, V) ; Value = V ).
'$char_type'(alnum).
'$char_type'(alpha).
'$char_type'(csym).
'$char_type'(csymf).
'$char_type'(ascii).
'$char_type'(white).
'$char_type'(cntrl).
'$char_type'(digit).
'$char_type'(digit(_)).
'$char_type'(space).
'$char_type'(end_of_line).
'$char_type'(newline).
'$char_type'(lower).
'$char_type'(upper).
'$char_type'(lower(_)).
'$char_type'(upper(_)).
'$char_type'(punct).
'$char_type'(graph).
'$char_type'(print).
'$char_type'(period).
'$char_type'(quote).
'$char_type'(paren).
'$char_type'(paren(_)).
'$char_type'(decimal(_)).
'$char_type'(xdigit(_)).
'$char_type'(to_lower(_)).
'$char_type'(to_upper(_)).
'$char_type'(prolog_var_start).
'$char_type'(prolog_atom_start).
'$char_type'(prolog_identifier_continue).
'$char_type'(prolog_symbol).
'$code_of'(C, Code) :- ( string(C), atom_length(C, 1) -> string_code(1, C, Code) ; char_code(C, Code) ).
normalize_space(Out, _) :- var(Out), !, instantiation_error(Out).
normalize_space(Out, Text) :- '$sink'(Out), !, '$normal_space'(Text, A), '$give_text'(Out, A).
normalize_space(Out, _) :- domain_error(output_sink, Out).
'$sink'(atom(_)).
'$sink'(string(_)).
'$sink'(codes(_)).
'$sink'(chars(_)).
'$give_text'(atom(A), A).
'$give_text'(string(S), A) :- '$string_of'(A, S).
'$give_text'(codes(Cs), A) :- atom_codes(A, Cs).
'$give_text'(chars(Cs), A) :- atom_chars(A, Cs).
