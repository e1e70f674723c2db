:- module(prolog_code,
    [comma_list/2, semicolon_list/2, mkconj/3, mkdisj/3, pi_head/2, head_name_arity/3, most_general_goal/2,
     extend_goal/3, is_control_goal/1, body_term_calls/2,
     is_predicate_indicator/1, predicate_label/2, predicate_sort_key/2]).

% SWI-Prolog's library(prolog_code): conjunctions, heads and indicators.

comma_list(Conjunction, List) :- operands(Conjunction, ',', List).
semicolon_list(Disjunction, List) :- operands(Disjunction, ;, List).

operands(Term, Name, List) :- nonvar(Term), !, flat(Term, Name, List, []).
operands(Term, Name, List) :- is_list(List), List = [X|Xs], joined(Xs, X, Name, Term).

flat(Term, Name, List, Tail) :- compound(Term), compound_name_arity(Term, Name, 2), !,
    arg(1, Term, A), arg(2, Term, B), flat(A, Name, List, List1), flat(B, Name, List1, Tail).
flat(Term, _, [Term|Tail], Tail).

joined([], X, _, X).
joined([Y|Ys], X, Name, Term) :- functor(Term, Name, 2), arg(1, Term, X), arg(2, Term, Rest), joined(Ys, Y, Name, Rest).

mkconj(A, B, C) :-
    ( A == true -> C = B
    ; B == true -> C = A
    ; nonvar(A), A = (A1, A2) -> C = (A1, C2), mkconj(A2, B, C2)
    ; C = (A, B)
    ).

mkdisj(A, B, C) :-
    ( false(A) -> C = B
    ; false(B) -> C = A
    ; nonvar(A), A = (A1 ; A2) -> C = (A1 ; C2), mkdisj(A2, B, C2)
    ; C = (A ; B)
    ).

false(Goal) :- ( Goal == false ; Goal == fail ), !.

pi_head(Indicator, Head) :- var(Indicator), var(Head), !, throw(error(instantiation_error, _)).
pi_head(M:Indicator, M:Head) :- !, pi_head(Indicator, Head).
pi_head(Name/Arity, Head) :- !, head_name_arity(Head, Name, Arity).
pi_head(Name//Rule, Head) :- ( nonvar(Rule) -> Arity is Rule + 2, head_name_arity(Head, Name, Arity)
    ; head_name_arity(Head, Name, Arity), Rule is Arity - 2 ).

head_name_arity(Head, Name, Arity) :- functor(Head, Name, Arity).

most_general_goal(Goal, General) :-
    ( var(Goal) -> General = Goal
    ; Goal = M:G -> General = M:G1, most_general_goal(G, G1)
    ; functor(Goal, Name, Arity), functor(General, Name, Arity)
    ).

extend_goal(Goal, Extra, Extended) :-
    ( Extra == [] -> Extended = Goal
    ; var(Goal) -> Extended =.. [call, Goal|Extra]
    ; Goal = M:G -> Extended = M:G1, extend_goal(G, Extra, G1)
    ; must_be(callable, Goal), Goal =.. List, append(List, Extra, List1), Extended =.. List1
    ).

is_control_goal(Goal) :- var(Goal), !, fail.
is_control_goal((_, _)).
is_control_goal((_ ; _)).
is_control_goal((_ -> _)).
is_control_goal((_ *-> _)).
is_control_goal(\+ _).

body_term_calls(Body, Calls) :- var(Body), !, Calls = Body.
body_term_calls(Body, Body).
body_term_calls(Body, Calls) :- parts(Body, Parts), member(Part, Parts), body_term_calls(Part, Calls).

parts((A, B), [A, B]).
parts((A ; B), [A, B]).
parts((A -> B), [A, B]).
parts((A *-> B), [A, B]).
parts(\+ A, [A]).

is_predicate_indicator(Indicator) :- var(Indicator), !, instantiation_error(Indicator).
is_predicate_indicator(M:Indicator) :- !, atom(M), nonvar(Indicator), plain_indicator(Indicator).
is_predicate_indicator(Indicator) :- plain_indicator(Indicator).
plain_indicator(Name/Arity) :- atom(Name), integer(Arity), Arity >= 0.
plain_indicator(Name//Arity) :- atom(Name), integer(Arity), Arity >= 0.

% What it is called for people: without the module where everyone sees it.
predicate_label(M:Indicator, Label) :-
    !,
    (   ( memberchk(M, [user, system]) ; pi_head(Indicator, Head), predicate_property(M:Head, Property), memberchk(Property, [exported, built_in]) ) ->
        format(atom(Label), '~q', [Indicator])
    ;   format(atom(Label), '~q', [M:Indicator])
    ).
predicate_label(Indicator, Label) :- format(atom(Label), '~q', [Indicator]).

predicate_sort_key(_:Indicator, Name) :- !, predicate_sort_key(Indicator, Name).
predicate_sort_key(Name/_, Name).
predicate_sort_key(Name//_, Name).
