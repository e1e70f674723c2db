:- module(json, [json_chars//1]).

% JSON as a grammar over characters: pairs(KeysValues), list(Values), string(Chars), number(N), boolean(B) and null. A
% text that is known is read, one that is not is written.

json_chars(Value, S0, S) :- ( var(S0) -> written(Value, S0, S) ; spaced(Value, S0, S) ).
spaced(Value) --> blanks, value(Value), blanks.

blanks --> [C], { blank(C) }, !, blanks.
blanks --> [].
blank(' ').
blank('\t').
blank('\n').
blank('\r').

value(pairs(Pairs)) --> ['{'], !, blanks, pairs(Pairs).
value(list(Values)) --> ['['], !, blanks, values(Values).
value(string(Chars)) --> ['"'], !, inside(Chars).
value(boolean(true)) --> [t, r, u, e], !.
value(boolean(false)) --> [f, a, l, s, e], !.
value(null) --> [n, u, l, l], !.
value(number(N)) --> number(Cs), { number_chars(N, Cs) }.

pairs([]) --> ['}'], !.
pairs([string(Key)-Value|Pairs]) --> ['"'], inside(Key), blanks, [':'], blanks, value(Value), blanks, more_pairs(Pairs).
more_pairs([]) --> ['}'], !.
more_pairs([string(Key)-Value|Pairs]) --> [','], blanks, ['"'], inside(Key), blanks, [':'], blanks, value(Value), blanks, more_pairs(Pairs).
values([]) --> [']'], !.
values([Value|Values]) --> value(Value), blanks, more_values(Values).
more_values([]) --> [']'], !.
more_values([Value|Values]) --> [','], blanks, value(Value), blanks, more_values(Values).

inside([]) --> ['"'], !.
inside([C|Cs]) --> ['\\'], !, [E], escaped(E, C), inside(Cs).
inside([C|Cs]) --> [C], { C @>= ' ' }, inside(Cs).
escaped(u, C) --> !, unit(A), ( { A >= 0xD800, A < 0xDC00 } -> ['\\', u], unit(B), { Code is 0x10000 + (A - 0xD800) << 10 + B - 0xDC00 } ; { Code = A } ), { char_code(C, Code) }.
escaped(E, C) --> { escape(E, C) }.
unit(Code) --> [A, B, C, D], { catch(number_chars(Code, ['0', x, A, B, C, D]), _, fail) }.
escape('"', '"').
escape('\\', '\\').
escape('/', '/').
escape(b, '\b').
escape(f, '\f').
escape(n, '\n').
escape(r, '\r').
escape(t, '\t').

number(Cs) --> sign(Cs, Cs1), whole(Cs1, Cs2), fraction(Cs2, Cs3, Exact), exponent(Cs3, Exact).
sign(['-'|Cs], Cs) --> ['-'], !.
sign(Cs, Cs) --> [].
whole(['0'|Cs], Cs) --> ['0'], !.
whole([D|Cs], Cs1) --> digit(D), digits(Cs, Cs1).
digits([D|Cs], Cs1) --> digit(D), !, digits(Cs, Cs1).
digits(Cs, Cs) --> [].
digit(D) --> [D], { char_type(D, digit(_)), D @=< '9' }.
fraction(['.', D|Cs], Cs1, float) --> ['.'], digit(D), !, digits(Cs, Cs1).
fraction(Cs, Cs, whole) --> [].
exponent(Cs, Exact) --> [E], { E == e ; E == 'E' }, !, { Exact == whole -> Cs = ['.', '0', e|Cs1] ; Cs = [e|Cs1] }, exponent_sign(Cs1, Cs2), digit(D), { Cs2 = [D|Cs3] }, digits(Cs3, []).
exponent([], _) --> [].
exponent_sign([S|Cs], Cs) --> [S], { S == (+) ; S == (-) }, !.
exponent_sign(Cs, Cs) --> [].

written(pairs(Pairs)) --> ['{'], written_pairs(Pairs), ['}'].
written(list(Values)) --> ['['], written_values(Values), [']'].
written(string(Chars)) --> ['"'], written_chars(Chars), ['"'].
written(number(N)) --> { number_chars(N, Cs) }, text(Cs).
written(boolean(B)) --> { must_be(boolean, B), atom_chars(B, Cs) }, text(Cs).
written(null) --> [n, u, l, l].
written_pairs([]) --> [].
written_pairs([Key-Value|Pairs]) --> written(Key), [':'], written(Value), ( { Pairs == [] } -> [] ; [','], written_pairs(Pairs) ).
written_values([]) --> [].
written_values([Value|Values]) --> written(Value), ( { Values == [] } -> [] ; [','], written_values(Values) ).
written_chars([]) --> [].
written_chars([C|Cs]) --> ( { escape(E, C), E \== (/) } -> ['\\', E] ; { C @< ' ' } -> { char_code(C, N), format(chars(Text), '\\u~|~`0t~16r~4+', [N]) }, text(Text) ; [C] ), written_chars(Cs).
text([]) --> [].
text([C|Cs]) --> [C], text(Cs).
