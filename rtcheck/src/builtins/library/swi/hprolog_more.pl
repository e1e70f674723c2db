:- module(hprolog_more, [drop/3, sublist/2, bounded_sublist/3, init_store/2, get_store/2, update_store/2,
    make_init_store_goal/3, make_get_store_goal/3, make_get_store_goal_no_error/3, make_update_store_goal/3,
    empty_ds/1, ds_to_list/2, get_ds/3, put_ds/4, time/3]).

% What else SWI-Prolog's library(dialect/hprolog) has, for programs that ask for it: its names are those of others too.

:- use_module(library(assoc)).

:- meta_predicate time(0, -, -).

% What is behind the first elements of a list that has so many.
drop(N, List, Rest) :- ( N =:= 0 -> Rest = List ; N > 0, length(Front, N), append(Front, Rest, List) ).

% Some elements in their order: all, or those without the first, or the first with some of the others.
sublist(List, List).
sublist(Some, [X|Xs]) :- without_some(Xs, X, Some).
without_some(Xs, _, Xs).
without_some([Y|Ys], _, Some) :- without_some(Ys, Y, Some).
without_some([Y|Ys], X, [X|Some]) :- without_some(Ys, Y, Some).

% The same with so many elements at most.
bounded_sublist([], _, _).
bounded_sublist(Some, [X|Xs], Bound) :-
    Bound > 0,
    ( Some = [X|Rest], Bound1 is Bound - 1, bounded_sublist(Rest, Xs, Bound1) ; bounded_sublist(Some, Xs, Bound) ).

% Stores are global variables; goals for them are made when programs are translated.
init_store(Name, Value) :- nb_setval(Name, Value).
get_store(Name, Value) :- nb_getval(Name, Value).
update_store(Name, Value) :- b_setval(Name, Value).
make_init_store_goal(Name, Value, nb_setval(Name, Value)).
make_get_store_goal(Name, Value, nb_getval(Name, Value)).
make_get_store_goal_no_error(Name, Value, nb_current(Name, Value)).
make_update_store_goal(Name, Value, b_setval(Name, Value)).

empty_ds(Store) :- empty_assoc(Store).
ds_to_list(Store, Pairs) :- assoc_to_list(Store, Pairs).
get_ds(Key, Store, Value) :- get_assoc(Key, Store, Value).
put_ds(Key, Store, Value, New) :- put_assoc(Key, Store, Value, New).

% What a solution of a goal took, of the processor and of all, in seconds.
time(Goal, Processor, Wall) :-
    statistics(cputime, Processor0), get_time(Wall0),
    call(Goal),
    statistics(cputime, Processor1), get_time(Wall1),
    Processor is Processor1 - Processor0, Wall is Wall1 - Wall0.
