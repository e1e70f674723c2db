:- module(clpz, [op(150, fx, #), nvalue/2, clpz_t/2, (#=)/3, (#<)/3]).

% Scryer Prolog's and SICStus Prolog's name of the constraints over integers, and what Scryer Prolog has besides.

:- reexport(library(clpfd)).

% nvalue(N, Vars): the variables have N different values.
nvalue(N, Vars) :-
    must_be(list, Vars),
    findall(Value, ( member(V, Vars), values(V, Value) ), Values0),
    sort(Values0, Values),
    maplist(taken(Vars), Values, Taken),
    sum(Taken, #=, N).
values(V, Value) :-
    fd_inf(V, Low), fd_sup(V, High),
    ( integer(Low), integer(High) -> true ; throw(error(instantiation_error, nvalue/2)) ),
    between(Low, High, Value), \+ \+ V = Value.
taken(Vars, Value, Taken) :- maplist(is_it(Value), Vars, Truths), sum(Truths, #=, Count), Taken #<==> Count #> 0.
is_it(Value, V, Truth) :- Truth #<==> V #= Value.

% Conditions for library(reif): the constraint holds, or its opposite does.
clpz_t(Constraint, Truth) :-
    Holds #<==> Constraint,
    ( Holds == 1 -> Truth = true ; Holds == 0 -> Truth = false ; Truth = true, Holds = 1 ; Truth = false, Holds = 0 ).
#=(X, Y, Truth) :- clpz_t(X #= Y, Truth).
#<(X, Y, Truth) :- clpz_t(X #< Y, Truth).
