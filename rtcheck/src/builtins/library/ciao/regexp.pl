:- module(ciao_regexp,
    [match_posix/2, match_posix/4, match_posix_rest/3, match_posix_matches/3, match_shell/2, match_shell/3,
     match_struct/4, match_pred/2, match_pattern/2, match_pattern/3, case_insensitive_match/2, letter_match/2,
     replace_first/4, replace_all/4, (=~)/2]).

% Regular expressions of Ciao's libraries regexp and patterns. Patterns and texts are lists of codes, or atoms.

:- op(700, xfx, =~).

Text =~ Pattern :- match_posix(Pattern, Text).

match_posix(Pattern, Text) :- match_posix(Pattern, Text, _, []).
% The parts in brackets, in the order in which they begin, and what is left behind the longest match.
match_posix(Pattern, Text, Parts, Rest) :-
    regexp_codes(Pattern, Ps), regexp_codes(Text, Cs),
    parsed(Ps, Expression, Groups),
    once(( matches(Expression, Cs, Rest0), Rest = Rest0 )),
    closed(Groups), Parts = Groups.
match_posix_rest(Pattern, Text, Rest) :- match_posix(Pattern, Text, _, Rest).
match_posix_matches(Pattern, Text, Parts) :- match_posix(Pattern, Text, Parts, []).
match_pattern(Pattern, Text) :- match_shell(Pattern, Text).
match_pattern(Pattern, Text, Rest) :- match_shell(Pattern, Text, Rest).

% * and ?, and sets in brackets; | between alternatives.
match_shell(Pattern, Text) :- match_shell(Pattern, Text, []).
match_shell(Pattern, Text, Rest) :-
    regexp_codes(Pattern, Ps), regexp_codes(Text, Cs),
    shell(Expression, Ps, []), !,
    once(matches(Expression, Cs, Rest)).

% Expressions that are terms: a string, [] for nothing, . or any, *(E), +(E), ?(E), (E, F), (E ; F), E # Part.
match_struct(Struct, Text, Rest, Parts) :-
    regexp_codes(Text, Cs), structured(Struct, Expression, Parts0, []),
    once(( matches(Expression, Cs, Rest0), Rest = Rest0 )), closed(Parts0), Parts = Parts0.
structured(Struct, _, _, _) :- var(Struct), !, instantiation_error(Struct).
structured([], empty, Parts, Parts) :- !.
structured((E, F), then(X, Y), Parts0, Parts) :- !, structured(E, X, Parts0, Parts1), structured(F, Y, Parts1, Parts).
structured((E ; F), or(X, Y), Parts0, Parts) :- !, structured(E, X, Parts0, Parts1), structured(F, Y, Parts1, Parts).
structured(*(E), repeat(X, 0, inf), Parts0, Parts) :- !, structured(E, X, Parts0, Parts).
structured(+(E), repeat(X, 1, inf), Parts0, Parts) :- !, structured(E, X, Parts0, Parts).
structured(?(E), repeat(X, 0, 1), Parts0, Parts) :- !, structured(E, X, Parts0, Parts).
structured(E # Part, group(X, Part), [Part|Parts0], Parts) :- !, structured(E, X, Parts0, Parts).
structured('.', any, Parts, Parts) :- !.
structured(any, any, Parts, Parts) :- !.
structured(Text, Expression, Parts, Parts) :- regexp_codes(Text, Codes), sequence_of(Codes, Expression).
sequence_of([], empty).
sequence_of([C|Cs], then(char(C), E)) :- sequence_of(Cs, E).

match_pred(Pattern, Indicator) :- Indicator = Name/_, match_posix(Pattern, Name).

case_insensitive_match([], []).
case_insensitive_match([C|Cs], [D|Ds]) :- letter_match(C, D), case_insensitive_match(Cs, Ds).
letter_match(C, D) :- upcase_atom_code(C, U), upcase_atom_code(D, U).
upcase_atom_code(C, U) :- char_code(A, C), upcase_atom(A, B), atom_codes(B, Us), ( Us = [U] -> true ; U = C ).

% replace_first(Text, Pattern, Replacement, New): where it matches first; replace_all/4 everywhere.
replace_first(Text, Pattern, Replacement, New) :- replaced(Text, Pattern, Replacement, first, New).
replace_all(Text, Pattern, Replacement, New) :- replaced(Text, Pattern, Replacement, all, New).
replaced(Text, Pattern, Replacement, Which, New) :-
    regexp_codes(Text, Cs), regexp_codes(Pattern, Ps), regexp_codes(Replacement, Rs),
    parsed(Ps, Expression, _),
    replaced_codes(Cs, Expression, Rs, Which, New).
replaced_codes([], _, _, _, []) :- !.
replaced_codes(Cs, Expression, Rs, Which, New) :-
    once(matches(Expression, Cs, Rest)), Rest \== Cs, !,
    append(Rs, New1, New),
    ( Which == first -> New1 = Rest ; replaced_codes(Rest, Expression, Rs, Which, New1) ).
replaced_codes([C|Cs], Expression, Rs, Which, [C|New]) :- replaced_codes(Cs, Expression, Rs, Which, New).

regexp_codes(Text, Codes) :- ( Text == [] -> Codes = [] ; is_list(Text) -> Codes = Text ; atom_codes(Text, Codes) ).
closed([]) :- !.
closed([Part|Parts]) :- ( var(Part) -> Part = [] ; true ), closed(Parts).

parsed(Ps, Expression, Groups) :-
    (   alternatives(Expression, Groups, [], Ps, []) -> true
    ;   atom_codes(Text, Ps), domain_error(regular_expression, Text)
    ).
alternatives(E, G0, G) --> branch(E0, G0, G1), more_alternatives(E0, E, G1, G).
more_alternatives(E0, or(E0, E), G0, G) --> "|", !, alternatives(E, G0, G).
more_alternatives(E, E, G, G) --> [].
branch(then(E0, E), G0, G) --> piece(E0, G0, G1), !, branch(E, G1, G).
branch(empty, G, G) --> [].
piece(E, G0, G) --> atom_of(E0, G0, G), repeated(E0, E).
repeated(E0, E) --> "*", !, repeated(repeat(E0, 0, inf), E).
repeated(E0, E) --> "+", !, repeated(repeat(E0, 1, inf), E).
repeated(E0, E) --> "?", !, repeated(repeat(E0, 0, 1), E).
repeated(E0, E) --> "{", number_of(Low), bound(Low, High), "}", !, repeated(repeat(E0, Low, High), E).
repeated(E, E) --> [].
bound(_, High) --> ",", number_of(High), !.
bound(_, inf) --> ",", !.
bound(Low, Low) --> [].
number_of(N) --> digit_of(D), digits_of(Ds), { number_codes(N, [D|Ds]) }.
digits_of([D|Ds]) --> digit_of(D), !, digits_of(Ds).
digits_of([]) --> [].
digit_of(D) --> [D], { D >= 0'0, D =< 0'9 }.
atom_of(group(E, Part), [Part|G0], G) --> "(", !, alternatives(E, G0, G), ")".
atom_of(any, G, G) --> ".", !.
atom_of(start, G, G) --> "^", !.
atom_of(end, G, G) --> "$", !.
atom_of(none_of(Set), G, G) --> "[^", !, set_of(Set).
atom_of(one_of(Set), G, G) --> "[", !, set_of(Set).
atom_of(char(C), G, G) --> "\\", !, [C].
atom_of(char(C), G, G) --> [C], { \+ memberchk(C, `|)*+?{`) }.
set_of([Item|Items]) --> set_item(Item), set_items(Items).
set_items([]) --> "]", !.
set_items([Item|Items]) --> set_item(Item), set_items(Items).
set_item(Class) --> "[:", letters(Cs), ":]", !, { atom_codes(Name, Cs), Class = class(Name) }.
set_item(C-D) --> [C], "-", [D], { D =\= 0'] }, !.
set_item(C-C) --> [C].
letters([C|Cs]) --> [C], { C >= 0'a, C =< 0'z }, !, letters(Cs).
letters([]) --> [].

shell(E) --> shell_branch(E0), shell_more(E0, E).
shell_more(E0, or(E0, E)) --> "|", !, shell(E).
shell_more(E, E) --> [].
shell_branch(then(repeat(any, 0, inf), E)) --> "*", !, shell_branch(E).
shell_branch(then(any, E)) --> "?", !, shell_branch(E).
shell_branch(then(one_of(Set), E)) --> "[", set_of(Set), !, shell_branch(E).
shell_branch(then(char(C), E)) --> "\\", [C], !, shell_branch(E).
shell_branch(then(char(C), E)) --> [C], { C =\= 0'| }, !, shell_branch(E).
shell_branch(empty) --> [].

% The longest repetition first.
matches(empty, Cs, Cs).
matches(char(C), [C|Cs], Cs).
matches(any, [_|Cs], Cs).
matches(start, Cs, Cs).
matches(end, [], []).
matches(one_of(Set), [C|Cs], Cs) :- among(Set, C).
matches(none_of(Set), [C|Cs], Cs) :- \+ among(Set, C).
matches(then(E, F), Cs, Rest) :- matches(E, Cs, Rest0), matches(F, Rest0, Rest).
matches(or(E, F), Cs, Rest) :- ( matches(E, Cs, Rest) ; matches(F, Cs, Rest) ).
matches(group(E, Part), Cs, Rest) :-
    matches(E, Cs, Rest), append(Part0, Rest, Cs), !, ( var(Part) -> Part = Part0 ; true ).
matches(repeat(E, Low, High), Cs, Rest) :- repeats(Low, High, E, Cs, Rest).
repeats(Low, High, E, Cs, Rest) :-
    High \== 0,
    matches(E, Cs, Rest0), ( Rest0 \== Cs -> true ; Low > 0 ),
    Low1 is max(0, Low-1), ( High == inf -> High1 = inf ; High1 is High-1 ),
    repeats(Low1, High1, E, Rest0, Rest).
repeats(0, _, _, Cs, Cs).
among([Item|Items], C) :- ( item_has(Item, C) -> true ; among(Items, C) ).
item_has(Low-High, C) :- C >= Low, C =< High.
item_has(class(Name), C) :- code_type(C, Name).
