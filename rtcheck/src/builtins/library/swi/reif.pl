:- module(reif, [
    if_/3, (=)/3, dif/3, (',')/3, (;)/3, cond_t/3, memberd_t/3, tfilter/3, tpartition/4, tmember/2, tmember_t/3]).

% Conditions whose truth is an argument, after Neumerkel and Kral: `if_/3` chooses where the condition is decided and
% tries both ways where it is not.

:- meta_predicate
    if_(1, 0, 0), ','(1, 1, ?), ;(1, 1, ?), cond_t(1, 0, ?), tfilter(2, ?, ?), tpartition(2, ?, ?, ?), tmember(2, ?),
    tmember_t(2, ?, ?).

if_(If, Then, Else) :-
    call(If, Truth),
    ( Truth == true -> call(Then) ; Truth == false -> call(Else) ; must_be(boolean, Truth) ).

=(X, Y, Truth) :-
    (   X == Y -> Truth = true
    ;   ?=(X, Y) -> Truth = false
    ;   Truth = true, X = Y
    ;   Truth = false, dif(X, Y)
    ).
dif(X, Y, Truth) :- =(X, Y, Equal), opposite(Equal, Truth).
opposite(true, false).
opposite(false, true).

','(A, B, Truth) :- if_(A, call(B, Truth), Truth = false).
;(A, B, Truth) :- if_(A, Truth = true, call(B, Truth)).
cond_t(If, Then, Truth) :- if_(If, ( Then, Truth = true ), Truth = false).

memberd_t(X, Xs, Truth) :- among(Xs, X, Truth).
among([], _, false).
among([Y|Ys], X, Truth) :- if_(X = Y, Truth = true, among(Ys, X, Truth)).

tfilter(P, Xs, Ys) :- filtered(Xs, P, Ys).
filtered([], _, []).
filtered([X|Xs], P, Ys0) :- if_(call(P, X), Ys0 = [X|Ys], Ys0 = Ys), filtered(Xs, P, Ys).
tpartition(P, Xs, Ts, Fs) :- parted(Xs, P, Ts, Fs).
parted([], _, [], []).
parted([X|Xs], P, Ts0, Fs0) :-
    if_(call(P, X), ( Ts0 = [X|Ts], Fs0 = Fs ), ( Fs0 = [X|Fs], Ts0 = Ts )),
    parted(Xs, P, Ts, Fs).
tmember(P, [X|Xs]) :- if_(call(P, X), true, tmember(P, Xs)).
tmember_t(P, [X|Xs], Truth) :- if_(call(P, X), Truth = true, tmember_t(P, Xs, Truth)).
tmember_t(_, [], false).
