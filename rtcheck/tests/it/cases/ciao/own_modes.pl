:- module(own_modes, [p/3, q/2, r/1, s/2], [assertions, regtypes, fsyntax]).
:- use_package(isomodes).
:- modedef inn(A, P) : P(A).
:- modedef oo(A) : var(A) => nonvar(A) + not_free(A).
:- modedef io(A,T) :: regtype(A,T).
:- op(500, fx, inn).
:- pred p(+int, -(list), ?atm).
:- pred p(@(X), Y, Z) : int(Y) => atm(Z) + (not_fails, is_det).
p(_, [], a).
:- pred q(X, Y) : (int(X) ; atm(X)) => (int(Y), Y >= 0).
:- pred q(X, Y) :: (int * int).
:- pred q(X, Y) : {int, nnegint} * term => int * {int, flt}.
q(1, 1).
:- calls r(X) : ground(X).
:- success r(X) : int(X) => int(X).
:- comp r(X) : int(X) + det.
:- entry r(X) : int(X).
:- exit r(X) => int(X).
r(_).
:- false pred s(X, Y) : int(X).
:- checked pred s(X, Y) => int(Y).
:- true calls s(X, Y) : int(X).
:- decl d(X) # "x".
:- regtype l1(X) # "t".
l1 := [] | [~int|~l1].
:- prop sorted(X) # "s".
sorted([]). sorted([_]). sorted([X,Y|Z]) :- X =< Y, sorted([Y|Z]).
s(_, 1).
