:- module(own_basic, [term/1, int/1, flt/1, (own_call)/1, regt/1, callable/1, operator_specifier/1, list/1, list/2, sequence/2, predname/1],
    [noprelude, assertions, nortchecks]).
:- use_module(engine(basiccontrol)).
:- use_module(engine(term_typing)).
:- use_module(engine(hiord_rt)).
:- use_module(engine(arithmetic)).
:- doc(title,"Basic data types and properties").
:- doc(usage, "@include{InPrelude.lpdoc}").
:- prop term(X) + (regtype, native) # "@var{X} is any term.".
:- true comp term(_) + ( sideff(free), eval, equiv(true) ).
term(_).
:- true prop int(T) + (regtype, native).
:- trust comp int(T) : nonvar(T) + (eval, is_det).
int(X) :- nonvar(X), !, integer(X).
int(0).
int(N) :- posint(I), give_sign(I, N).
:- prop posint/1 + regtype.
posint(1).
posint(N) :- posint(N1), N is N1+1.
give_sign(P, P).
give_sign(P, N) :- N is -P.
flt(X) :- float(X).
:- op(1150, fx, own_call).
own_call(X) :- call(X).
regt(_).
:- regtype callable(T) # "t".
callable(T) :- nonvar(T), !, ( atom(T) -> true ; functor(T,_,A), A > 0 ).
:- regtype operator_specifier/1.
operator_specifier(fy). operator_specifier(fx).
operator_specifier(yfx).
:- prop list/1 + regtype.
list([]).
list([_|L]) :- list(L).
:- prop list(T,L) + regtype.
:- meta_predicate list(pred(1), ?).
list(_, []).
list(T, [X|Xs]) :- T(X), list(T, Xs).
:- regtype sequence(T,S).
:- meta_predicate sequence(pred(1), ?).
sequence(T, E) :- T(E).
sequence(T, (E,S)) :- T(E), sequence(T,S).
:- regtype predname(P) # "name and arity".
predname(P/A) :- atm(P), nnegint(A).
:- prop atm(X) + regtype.
atm(X) :- atom(X).
nnegint(X) :- int(X).
