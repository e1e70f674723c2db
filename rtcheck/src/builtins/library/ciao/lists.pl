:- module(ciao_lists,
    [delete_non_ground/3, dlist/3, list_insert/2, contains_ro/2, contains1/2, nocontainsx/2, list_lookup/3,
     list_lookup/4, intset_insert/3, intset_delete/3, intset_in/2, intset_sequence/3, subordlist/2, equal_lists/2,
     list_to_list_of_lists/2, powerset/2, cross_product/2, sequence_to_list/2, list1/2, member_0/2, union_idlists/3,
     get_primes/2, intlist/1, sum_list/3, sum_list_of_lists/2, sum_list_of_lists/3, transpose/2,
     collect_singletons/2, keylist/1]).

% Predicates of Ciao's libraries lists, idlists, llists, numlists and sort that other systems do not have.

:- meta_predicate list1(?, 1).

delete_non_ground([], _, []).
delete_non_ground([X|Xs], Element, Rest) :-
    ( X \= Element -> Rest = [X|Rest1] ; Rest = Rest1 ),
    delete_non_ground(Xs, Element, Rest1).

% dlist(List, Open, Tail): Open is List in front of Tail.
dlist([], Tail, Tail).
dlist([X|Xs], [X|Open], Tail) :- dlist(Xs, Open, Tail).

% Into a list with an open end, unless the very term is there.
list_insert(List, Term) :- var(List), !, List = [Term|_].
list_insert([Known|_], Term) :- Known == Term, !.
list_insert([_|List], Term) :- list_insert(List, Term).

contains_ro([X|_], Element) :- Element = X.
contains_ro(Xs, Element) :- nonvar(Xs), Xs = [_|Rest], contains_ro(Rest, Element).

contains1([X|_], X) :- !.
contains1([_|Xs], X) :- contains1(Xs, X).

nocontainsx([], _).
nocontainsx([X|Xs], Element) :- X \== Element, nocontainsx(Xs, Element).

% Pairs in a list with an open end, to which new ones are added.
list_lookup(List, Key, Value) :- list_lookup(List, -, Key, Value).
list_lookup(List, Functor, Key, Value) :- var(List), !, Pair =.. [Functor, Key, Value], List = [Pair|_].
list_lookup([Pair|_], Functor, Key, Value) :- Pair =.. [Functor, Known, Value0], Known == Key, !, Value = Value0.
list_lookup([_|List], Functor, Key, Value) :- list_lookup(List, Functor, Key, Value).

intset_insert([], X, [X]).
intset_insert([Y|Ys], X, Set) :-
    (   X =:= Y -> Set = [Y|Ys]
    ;   X < Y -> Set = [X, Y|Ys]
    ;   Set = [Y|Set1], intset_insert(Ys, X, Set1)
    ).
intset_delete([], _, []).
intset_delete([Y|Ys], X, Set) :-
    (   X =:= Y -> Set = Ys
    ;   X < Y -> Set = [Y|Ys]
    ;   Set = [Y|Set1], intset_delete(Ys, X, Set1)
    ).
intset_in(X, [Y|Ys]) :- ( X =:= Y -> true ; X > Y, intset_in(X, Ys) ).
intset_sequence(0, Set, [0|Set]) :- !.
intset_sequence(N, Set0, Set) :- N1 is N-1, intset_sequence(N1, [N|Set0], Set).

subordlist([], _).
subordlist([X|Xs], [Y|Ys]) :- ( X = Y, subordlist(Xs, Ys) ; subordlist([X|Xs], Ys) ), !.

equal_lists(Xs, Ys) :- sublist(Xs, Ys), sublist(Ys, Xs), !.

list_to_list_of_lists([], []).
list_to_list_of_lists([X|Xs], [[X]|Ls]) :- list_to_list_of_lists(Xs, Ls).

powerset([], [[]]).
powerset([X|Xs], Sets) :- powerset(Xs, Sets0), all_with(Sets0, X, Sets1), append(Sets1, Sets0, Sets).

all_with([], _, []).
all_with([Xs|Xss], X, [[X|Xs]|Yss]) :- all_with(Xss, X, Yss).

cross_product([], [[]]).
cross_product([Xs|Xss], Product) :- cross_product(Xss, Rest), all_with_each(Xs, Rest, Product).

all_with_each([], _, []).
all_with_each([X|Xs], Rest, Product) :-
    all_with(Rest, X, Product1),
    all_with_each(Xs, Rest, Product2),
    append(Product1, Product2, Product).

% A sequence is `a, b, c`.
sequence_to_list(Sequence, [Sequence]) :- var(Sequence), !.
sequence_to_list((A, B), List) :- !,
    sequence_to_list(A, List1), sequence_to_list(B, List2), append(List1, List2, List).
sequence_to_list(A, [A]).

% A list of at least one element, all of a type.
list1([X|Xs], Type) :- call(Type, X), all_of(Xs, Type).

all_of([], _).
all_of([X|Xs], Type) :- call(Type, X), all_of(Xs, Type).

member_0(Element, [X|Xs]) :- ( Element == X -> true ; member_0(Element, Xs) ).

union_idlists([], Ys, Ys).
union_idlists([X|Xs], Ys, Zs) :-
    ( member_0(X, Ys) -> Zs = Zs1 ; Zs = [X|Zs1] ),
    union_idlists(Xs, Ys, Zs1).

% The first N primes.
get_primes(N, Primes) :- primes(N, 2, [], Primes).

primes(0, _, Found, Primes) :- !, reverse(Found, Primes).
primes(N, Candidate, Found, Primes) :-
    Next is Candidate+1,
    (   member(P, Found), Candidate mod P =:= 0 -> primes(N, Next, Found, Primes)
    ;   N1 is N-1, primes(N1, Next, [Candidate|Found], Primes)
    ).

intlist([]).
intlist([X|Xs]) :- integer(X), intlist(Xs).

sum_list([], Sum, Sum).
sum_list([X|Xs], Sum0, Sum) :- Sum1 is Sum0+X, sum_list(Xs, Sum1, Sum).

sum_list_of_lists(Xss, Sum) :- sum_list_of_lists(Xss, 0, Sum).
sum_list_of_lists([], Sum, Sum).
sum_list_of_lists([Xs|Xss], Sum0, Sum) :- sum_list(Xs, Sum0, Sum1), sum_list_of_lists(Xss, Sum1, Sum).

transpose([], []).
transpose([Row|Rows], Columns) :- columns(Row, [Row|Rows], Columns).

columns([], _, []).
columns([_|Xs], Rows, [Column|Columns]) :- heads(Rows, Column, Rows1), columns(Xs, Rows1, Columns).

heads([], [], []).
heads([[X|Xs]|Rows], [X|Column], [Xs|Rows1]) :- heads(Rows, Column, Rows1).

collect_singletons([], []).
collect_singletons([[X]|Ls], [X|Xs]) :- !, collect_singletons(Ls, Xs).
collect_singletons([_|Ls], Xs) :- collect_singletons(Ls, Xs).

keylist([]).
keylist([_-_|Pairs]) :- keylist(Pairs).
