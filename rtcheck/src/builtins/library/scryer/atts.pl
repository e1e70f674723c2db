:- module(atts, [op(1199, fx, attribute), term_attributed_variables/2]).

% Attributed variables as SICStus Prolog and Scryer Prolog have them.
%
% `:- attribute color/1, size/2.` gives the module put_atts/2 and get_atts/2. A variable's attributes of a module are a
% list, which is the value of the attribute with the module's name. The module may define verify_attributes/3, which
% is called with a variable that has the attributes and with what it becomes, and gives goals to be called behind it.

:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.

user:term_expansion((:- attribute Indicators), Clauses) :-
    prolog_load_context(module, M),
    atts:known(M, Indicators),
    Clauses = [
        ( put_atts(V, Change) :- atts:put(V, M, Change) ),
        ( get_atts(V, Asked) :- atts:get(V, M, Asked) ),
        ( attr_unify_hook(As, Other) :- atts:unified(As, M, Other) )
    ].

known(_, Indicators) :- var(Indicators), !, throw(error(instantiation_error, (attribute)/1)).
known(M, (A, B)) :- !, known(M, A), known(M, B).
known(_, Name/Arity) :- !, must_be(atom, Name), must_be(nonneg, Arity).
known(_, Other) :- throw(error(type_error(predicate_indicator, Other), (attribute)/1)).

term_attributed_variables(Term, Vars) :- term_attvars(Term, Vars).

% put(V, M, Change): `+A` or `A` takes the place of an attribute with A's name and arity, `-A` takes it away.
put(V, _, _) :- nonvar(V), !, throw(error(uninstantiation_error(V), put_atts/2)).
put(_, _, Change) :- var(Change), !, throw(error(instantiation_error, put_atts/2)).
put(V, M, Change) :-
    ( get_attr(V, M, As0) -> true ; As0 = [] ),
    changed(Change, As0, As),
    ( As == As0 -> true ; As == [] -> del_attr(V, M) ; put_attr(V, M, As) ).

changed(Change, _, _) :- var(Change), !, throw(error(instantiation_error, put_atts/2)).
changed([], As, As) :- !.
changed([C|Cs], As0, As) :- !, changed(C, As0, As1), changed(Cs, As1, As).
changed(-A, As0, As) :- !, without(As0, A, As).
changed(+A, As0, As) :- !, with(As0, A, As).
changed(A, As0, As) :- with(As0, A, As).

with([], A, [A]).
with([A0|As0], A, As) :- ( alike(A0, A) -> As = [A|As0] ; As = [A0|As1], with(As0, A, As1) ).
without([], _, []).
without([A0|As0], A, As) :- ( alike(A0, A) -> As = As0 ; As = [A0|As1], without(As0, A, As1) ).
alike(A, B) :- functor(A, Name, Arity), functor(B, Name, Arity).

% get(V, M, Asked): `+A` or `A` is there, `-A` is not; a variable is bound to the list of all.
get(V, _, _) :- nonvar(V), !, throw(error(uninstantiation_error(V), get_atts/2)).
get(V, M, Asked) :-
    ( get_attr(V, M, As) -> true ; As = [] ),
    ( var(Asked) -> As \== [], Asked = As ; holds(Asked, As) ).

holds(Asked, _) :- var(Asked), !, throw(error(instantiation_error, get_atts/2)).
holds([], _) :- !.
holds([A|Rest], As) :- !, holds(A, As), holds(Rest, As).
holds(-A, As) :- !, \+ ( member(B, As), alike(A, B) ).
holds(+A, As) :- !, found(As, A).
holds(A, As) :- found(As, A).

found([B|Bs], A) :- ( alike(A, B) -> A = B ; found(Bs, A) ).

% The variable is bound already where this is called, so another one with its attributes stands for it.
unified(As, M, Other) :-
    (   predicate_property(M:verify_attributes(_, _, _), defined) ->
        put_attr(Var, M, As),
        M:verify_attributes(Var, Other, Goals),
        called(Goals, M)
    ;   true
    ).
called([], _).
called([G|Gs], M) :- call(M:G), called(Gs, M).

% The goals that make a variable's attributes again.
told(V, M, As) -->
    (   { predicate_property(M:attribute_goal(_, _), defined), M:attribute_goal(V, Goal) } -> [Goal]
    ;   changes(As, M, V)
    ).
changes([], _, _) --> [].
changes([A|As], M, V) --> [M:put_atts(V, A)], changes(As, M, V).
