:- class(own_class, [], [assertions]).
:- export([push/1, pop/1]).
:- data storage/1.
push(E) :- nonvar(E), asserta_fact(storage(E)).
pop(E) :- retract_fact(storage(E)).
own_class.
own_class(X) :- push(X).
destructor :- retractall_fact(storage(_)).
:- virtual top/1.
:- inheritable storage/1.
top(X) :- storage(X).
