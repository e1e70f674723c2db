:- module(more_intercept, [intercept/4, intercept_all/4, nb_intercept_all/4]).

% What SWI-Prolog's library(intercept) has besides intercept/3.

:- meta_predicate intercept(0, ?, 1, ?), intercept_all(?, 0, ?, -), nb_intercept_all(?, 0, ?, -).

% A handler is copied with its pattern; what it shares with the caller is under a name of its own.
intercept(Goal, Ball, Handler, Context) :-
    gensym('$intercept_', Key), b_setval(Key, Context),
    intercept(Goal, Ball, '$more_intercept':handled(Handler, Key)).

handled(Handler, Key) :- b_getval(Key, Context), call(Handler, Context).

% What is sent while the goal runs, as instances of the template: on the way to this solution, or ever.
intercept_all(Template, Goal, Ball, List) :-
    gensym('$intercept_', Key), b_setval(Key, []),
    intercept(Goal, Ball, '$more_intercept':keep(Template, Key)),
    b_getval(Key, Backwards), reverse(Backwards, List).

nb_intercept_all(Template, Goal, Ball, List) :-
    gensym('$intercept_', Key), nb_setval(Key, []),
    intercept(Goal, Ball, '$more_intercept':keep_for_good(Template, Key)),
    nb_getval(Key, Backwards), reverse(Backwards, List).

keep(Instance, Key) :- b_getval(Key, Sent), b_setval(Key, [Instance|Sent]).
keep_for_good(Instance, Key) :- nb_getval(Key, Sent), nb_setval(Key, [Instance|Sent]).
