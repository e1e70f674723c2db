% Errors thrown by programs, and checks of types that throw them.

type_error(Type, Culprit) :- throw(error(type_error(Type, Culprit), _)).
domain_error(Domain, Culprit) :- throw(error(domain_error(Domain, Culprit), _)).
existence_error(Kind, Culprit) :- throw(error(existence_error(Kind, Culprit), _)).
existence_error(Kind, Culprit, Where) :- throw(error(existence_error(Kind, Culprit, Where), _)).
permission_error(Action, Kind, Culprit) :- throw(error(permission_error(Action, Kind, Culprit), _)).
instantiation_error(_) :- throw(error(instantiation_error, _)).
uninstantiation_error(Culprit) :- throw(error(uninstantiation_error(Culprit), _)).
representation_error(What) :- throw(error(representation_error(What), _)).
syntax_error(What) :- throw(error(syntax_error(What), _)).
resource_error(What) :- throw(error(resource_error(What), _)).

must_be(Type, X) :- ( Type == integer, integer(X) -> true ; '$must_be'(Type, X) ).
'$must_be'(Type, _) :- var(Type), !, instantiation_error(Type).
'$must_be'(Type, X) :- '$is_of_type'(Type, X, Is), !, ( call(Is) -> true ; '$is_not'(Type, X) ).
'$must_be'(Type, X) :- '$has_added_type'(Type), !, ( error:has_type(Type, X) -> true ; '$is_not'(Type, X) ).
'$must_be'(Type, _) :- existence_error(type, Type).

'$is_not'(Type, X) :- '$list_type'(Type, Element), !, '$is_no_list'(X, Type, Element).
'$is_not'(var, X) :- !, uninstantiation_error(X).
'$is_not'(cyclic, X) :- !, domain_error(cyclic_term, X).
'$is_not'(acyclic, X) :- !, domain_error(acyclic_term, X).
'$is_not'(_, X) :- var(X), !, instantiation_error(X).
'$is_not'(Type, X) :- '$text_type'(Type), \+ ground(X), !, instantiation_error(X).
'$is_not'(order, X) :- atom(X), !, domain_error(order, X).
'$is_not'(Type, X) :- type_error(Type, X).
'$list_type'(list, any).
'$list_type'(proper_list, any).
'$list_type'(list(T), T).
'$list_type'(list_of(T), T).
'$text_type'(chars).
'$text_type'(codes).
'$text_type'(text).
'$is_no_list'(X, Type, Element) :-
    '$skip_list'(_, X, Tail),
    ( var(Tail) -> instantiation_error(X)
    ; Tail == [] -> '$all_must_be'(X, Element)
    ; type_error(Type, X)
    ).
'$all_must_be'([], _).
'$all_must_be'([X|Xs], Type) :- must_be(Type, X), '$all_must_be'(Xs, Type).

is_of_type(Type, X) :- ( var(Type) -> instantiation_error(Type) ; '$is_of_type'(Type, X, Is), !, call(Is) ).
is_of_type(Type, X) :- '$has_added_type'(Type), error:has_type(Type, X), !.
% Types that programs add to those below.
'$has_added_type'(Type) :- '$defined'(error:has_type(_, _)), clause(error:has_type(Type, _), _), !.
current_type(Type, X, Body) :- '$is_of_type'(Type, X, Body).
current_type(Type, X, Body) :- '$defined'(error:has_type(_, _)), clause(error:has_type(Type, X), Body).
is_list_or_partial(X) :- '$skip_list'(_, X, T), ( var(T) -> true ; T == [] ).

'$is_of_type'(any, _, true).
'$is_of_type'(atom, X, atom(X)).
'$is_of_type'(atomic, X, atomic(X)).
'$is_of_type'(callable, X, callable(X)).
'$is_of_type'(char, X, '$is_char'(X)).
'$is_of_type'(chars, X, ( is_list(X), '$all'(X, '$is_char') )).
'$is_of_type'(code, X, '$is_code'(X)).
'$is_of_type'(codes, X, ( is_list(X), '$all'(X, '$is_code') )).
'$is_of_type'(text, X, '$is_text'(X)).
'$is_of_type'(string, X, string(X)).
'$is_of_type'(compound, X, compound(X)).
'$is_of_type'(constant, X, atomic(X)).
'$is_of_type'(float, X, float(X)).
'$is_of_type'(ground, X, ground(X)).
'$is_of_type'(cyclic, X, cyclic_term(X)).
'$is_of_type'(acyclic, X, acyclic_term(X)).
'$is_of_type'(integer, X, integer(X)).
'$is_of_type'(nonneg, X, ( integer(X), X >= 0 )).
'$is_of_type'(positive_integer, X, ( integer(X), X >= 1 )).
'$is_of_type'(negative_integer, X, ( integer(X), X < 0 )).
'$is_of_type'(nonvar, X, nonvar(X)).
'$is_of_type'(number, X, number(X)).
'$is_of_type'(rational, X, rational(X)).
'$is_of_type'(dict, X, is_dict(X)).
'$is_of_type'(var, X, var(X)).
'$is_of_type'(boolean, X, ( X == true ; X == false )).
'$is_of_type'(bool, X, ( X == true ; X == false )).
'$is_of_type'(order, X, ( X == (<) ; X == (=) ; X == (>) )).
'$is_of_type'(symbol, X, atom(X)).
'$is_of_type'(pair, X, ( nonvar(X), X = _-_ )).
'$is_of_type'(type, X, ( ground(X), once(current_type(X, _, _)) )).
'$is_of_type'(encoding, X, ( atom(X), memberchk(X, [utf8, text, octet, ascii, iso_latin_1, unicode_be, unicode_le, utf16be, utf16le, wchar_t]) )).
'$is_of_type'(list, X, is_list(X)).
'$is_of_type'(proper_list, X, is_list(X)).
'$is_of_type'(list_or_partial_list, X, is_list_or_partial(X)).
'$is_of_type'(list(T), X, ( is_list(X), '$all_of_type'(X, T) )).
'$is_of_type'(list_of(T), X, ( is_list(X), '$all_of_type'(X, T) )).
'$is_of_type'(oneof(L), X, ( ground(X), memberchk(X, L) )).
'$is_of_type'(between(L, H), X, '$is_between'(X, L, H)).
'$is_char'(X) :- atom(X), atom_length(X, 1).
'$is_code'(X) :- integer(X), X >= 0, X =< 0x10ffff.
'$is_text'(X) :- ( ( atom(X) ; string(X) ) -> true ; is_of_type(codes, X) -> true ; is_of_type(chars, X) ).
'$all_of_type'([], _).
'$all_of_type'([X|Xs], T) :- is_of_type(T, X), '$all_of_type'(Xs, T).
'$is_between'(X, L, H) :- ( integer(L), integer(H) -> integer(X) ; number(X) ), X >= L, X =< H.

% assertion/1 as SWI-Prolog has it.
:- meta_predicate assertion(0).
assertion(G) :- \+ \+ catch(G, E, '$assertion_failed'(E, G)), !.
assertion(G) :- '$assertion_failed'(fail, G).
'$assertion_failed'(Reason, G) :- '$strip_module'(G, M, P), throw(error(assertion_error(Reason, M:P), _)).
