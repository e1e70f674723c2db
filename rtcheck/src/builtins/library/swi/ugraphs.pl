:- module(more_ugraphs, [complement/2, connect_ugraph/3, top_sort/3]).

% What SWI-Prolog's library(ugraphs) has besides.

% An edge where there is none, but for those from a vertex to itself.
complement(Graph, Complement) :- vertices(Graph, Vertices), complemented(Graph, Vertices, Complement).

complemented([], _, []).
complemented([V-Ns|Graph], Vertices, [V-Others|Complement]) :-
    ord_union([V], Ns, Known), ord_subtract(Vertices, Known, Others),
    complemented(Graph, Vertices, Complement).

% A new vertex in front of all others, with edges to all of them.
connect_ugraph(Graph, Start, Connected) :-
    vertices(Graph, Vertices),
    ( Vertices = [First|_] -> before(First, Start), Connected = [Start-Vertices|Graph] ; Connected = [] ).

before(First, Start) :- ( First @> 0 -> Start = 0 ; number(First) -> Start is First - 1 ; Start = _ ).

% In front of a rest.
top_sort(Graph, Rest, Order) :- top_sort(Graph, Order0), append(Order0, Rest, Order).
