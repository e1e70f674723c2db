:- module(ciao_formulae,
    [list_to_conj/2, conj_to_list/2, list_to_disj/2, disj_to_list/2, conj_to_llist/2, llist_to_conj/2, disj_to_llist/2,
     llist_to_disj/2, body2list/2, asbody_to_conj/2]).

% Ciao's library(formulae): lists as conjunctions and disjunctions, and back. A free variable is a formula of its own.

list_to_conj(List, Conj) :- ( is_list(List) -> joined(List, (','), true, Conj) ; conj_to_list(Conj, List) ).
list_to_disj(List, Disj) :- ( is_list(List) -> joined(List, (;), false, Disj) ; disj_to_list(Disj, List) ).

joined([], _, Empty, Empty).
joined([X|Xs], Connective, _, Formula) :- joined_behind(Xs, X, Connective, Formula).
joined_behind([], X, _, X).
joined_behind([Y|Ys], X, Connective, Formula) :-
    Formula =.. [Connective, X, Rest], joined_behind(Ys, Y, Connective, Rest).

conj_to_list(Conj, List) :- parts(Conj, (','), true, List, []).
disj_to_list(Disj, List) :- parts(Disj, (;), false, List, []).
body2list(Conj, List) :- conj_to_list(Conj, List).

parts(Formula, _, _, [Formula|List], List) :- var(Formula), !.
parts(Empty, _, Empty, List, List) :- !.
parts(Formula, Connective, Empty, List0, List) :-
    Formula =.. [Connective, Left, Right], !,
    parts(Left, Connective, Empty, List0, List1),
    parts(Right, Connective, Empty, List1, List).
parts(Formula, _, _, [Formula|List], List).

conj_to_llist(Conj, Lists) :- conj_to_list(Conj, Disjs), maplist(disj_to_list, Disjs, Lists).
disj_to_llist(Disj, Lists) :- disj_to_list(Disj, Conjs), maplist(conj_to_list, Conjs, Lists).
llist_to_conj(Lists, Conj) :- maplist(list_to_disj, Lists, Disjs), list_to_conj(Disjs, Conj).
llist_to_disj(Lists, Disj) :- maplist(list_to_conj, Lists, Conjs), list_to_disj(Conjs, Disj).

% The body of an assertion, whose parts `*` joins, and a conjunction.
asbody_to_conj(Body, Conj) :-
    ( nonvar(Body) -> parts(Body, (*), true, List, []) ; conj_to_list(Conj, List) ),
    ( nonvar(Body) -> list_to_conj(List, Conj) ; reverse(List, [Last|Before]), starred(Before, Last, Body) ).
starred([], Body, Body).
starred([X|Xs], Rest, Body * Rest) :- starred(Xs, X, Body).
