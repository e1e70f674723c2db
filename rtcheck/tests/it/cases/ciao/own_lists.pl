:- module(own_lists, [nonsingle/1, app/3, rev/2, intset/1, dlist/3, cross/2, mmap/3, sum/2, last_of/2],
    [assertions, isomodes, hiord, nativeprops, fsyntax, basicmodes, condcomp]).

:- use_module(engine(basic_props)).
:- use_module(engine(term_basic), ['C'/3]).
:- use_module(engine(hiord_rt), [call/2]).

:- doc(title, "List processing").
:- doc(author, "A. Author").
:- doc(author, "B. Author (one part)").
:- doc(stability, beta).
:- doc(module, "This module has predicates for lists. @p
   It uses @lib{sort}, and @pred{app/3}. @begin{verbatim}
?- app(X, Y, [1]).
@end{verbatim} ").
:- doc(bug, "none is known").
:- doc(hide, mmap/3).
:- doc(nonsingle(X), "@var{X} is not a list of one.").

:- pred nonsingle(X) # "@var{X} is not a singleton.".
:- pred nonsingle/1 : list.
nonsingle([_]) :- !, fail.
nonsingle(_).

:- pred app(Xs,Ys,Zs) => ( list(Xs) )
   # "@var{Zs} is @var{Ys} behind @var{Xs}.".
:- pred app(Xs,Ys,Zs) : list * list * var => list * list * list
   + ( det, mut_exclusive, sideff(free), eval, size(ub, Zs, length(Xs) + length(Ys)),
       steps_ub(length(Xs) + 1) ).
:- trust success app(Xs,Ys,Zs) : (ground(Xs), ground(Ys)) => ground(Zs).
:- trust comp app(X,Y,Z) + ( bind_ins, error_free ).
:- test app(A,B,C) : (A=[1,2], B=[3]) => (C=[1,2,3]) + (not_fails, is_det) # "simple".
:- test app(A,B,C) : (C=[1]) => (A=[], B=[1] ; A=[1], B=[]) + (try_sols(5), num_solutions(2)).
app([], L, L).
app([E|Es], L, [E|R]) :- app(Es, L, R).

:- pred rev(+list, -list) + (det, sideff(free)).
rev(Xs, Ys) :- rev_(Xs, [], Ys).
rev_([], L, L).
rev_([X|Xs], L0, L) :- rev_(Xs, [X|L0], L).

:- prop intset/1 + regtype # "@var{X} is a set of integers.".
intset(X) :- list(X, int).

:- true prop dlist(List,DList,Tail) # "difference lists".
dlist(X, Y, Z) :- dl(X, Y, Z).
dl([], X, X).
dl([X|Xs], [X|Ys], T) :- dl(Xs, Ys, T).

:- meta_predicate mmap(pred(2), ?, ?).
:- pred mmap(P, Xs, Ys) :: callable(P).
mmap(_, [], []).
mmap(P, [X|Xs], [~P(X)|Ys]) :- mmap(P, Xs, Ys).

:- if(defined(optional)).
:- endif.
:- if(\+ defined(optional)).
cross([], [[]]).
:- else.
cross(_, _).
:- endif.

sum([]) := 0.
sum([X|Xs]) := ~(X + sum(Xs)).
:- pred last_of(L, X) : list(L) => term(X).
last_of([X], X) :- !.
last_of([_|Xs], X) :- last_of(Xs, X).
