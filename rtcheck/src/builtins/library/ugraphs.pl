% Graphs as lists of Vertex-Neighbours, in the standard order of the vertices; the neighbours are ordered sets.

vertices_edges_to_ugraph(Vertices, Edges, Graph) :-
    '$edge_ends'(Edges, Ends),
    append(Vertices, Ends, All), sort(All, Set),
    sort(Edges, Sorted),
    '$graph'(Set, Sorted, Graph).
'$edge_ends'([], []).
'$edge_ends'([A-B|Es], [A, B|Vs]) :- '$edge_ends'(Es, Vs).
'$graph'([], _, []).
'$graph'([V|Vs], Es, [V-Ns|G]) :- '$edges_of'(Es, V, Ns, Rest), '$graph'(Vs, Rest, G).
'$edges_of'([A-B|Es], V, [B|Ns], Rest) :- A == V, !, '$edges_of'(Es, V, Ns, Rest).
'$edges_of'(Es, _, [], Es).
vertices(G, Vs) :- pairs_keys(G, Vs).
edges(G, Es) :- '$all_edges'(G, Es).
'$all_edges'([], []).
'$all_edges'([V-Ns|G], Es) :- '$edges_from'(Ns, V, Es, Rest), '$all_edges'(G, Rest).
'$edges_from'([], _, Es, Es).
'$edges_from'([N|Ns], V, [V-N|Es], Rest) :- '$edges_from'(Ns, V, Es, Rest).
add_vertices(G, Vs, G1) :- edges(G, Es), vertices(G, Vs0), append(Vs0, Vs, All), vertices_edges_to_ugraph(All, Es, G1).
add_edges(G, New, G1) :- edges(G, Es), vertices(G, Vs), append(Es, New, All), vertices_edges_to_ugraph(Vs, All, G1).
del_edges(G, Old, G1) :- sort(Old, Set), '$del_edges'(G, Set, G1).
'$del_edges'([], _, []).
'$del_edges'([V-Ns|G], Set, [V-Ns1|G1]) :-
    '$ends_from'(Set, V, Ends), ord_subtract(Ns, Ends, Ns1), '$del_edges'(G, Set, G1).
'$ends_from'([], _, []).
'$ends_from'([A-B|Es], V, Bs) :- ( A == V -> Bs = [B|Bs1] ; Bs = Bs1 ), '$ends_from'(Es, V, Bs1).
del_vertices(G, Vs, G1) :- sort(Vs, Set), '$del_vertices'(G, Set, G1).
'$del_vertices'([], _, []).
'$del_vertices'([V-Ns|G], Set, G1) :-
    ( ord_memberchk(V, Set) -> G1 = G2 ; ord_subtract(Ns, Set, Ns1), G1 = [V-Ns1|G2] ),
    '$del_vertices'(G, Set, G2).
neighbours(V, G, Ns) :- '$neighbours'(G, V, Ns).
neighbors(V, G, Ns) :- '$neighbours'(G, V, Ns).
'$neighbours'([V1-Ns1|G], V, Ns) :- ( V1 == V -> Ns = Ns1 ; '$neighbours'(G, V, Ns) ).
reachable(V, G, R) :-
    list_to_assoc(G, A),
    ( get_assoc(V, A, _) -> true ; fail ),
    empty_assoc(Seen0), put_assoc(V, Seen0, x, Seen),
    '$reachable'([V], A, Seen, All),
    assoc_to_keys(All, R).
'$reachable'([], _, Seen, Seen).
'$reachable'([V|Vs], A, Seen0, Seen) :-
    ( get_assoc(V, A, Ns) -> true ; Ns = [] ),
    '$unseen'(Ns, Seen0, Seen1, Vs, Next),
    '$reachable'(Next, A, Seen1, Seen).
'$unseen'([], Seen, Seen, Vs, Vs).
'$unseen'([N|Ns], Seen0, Seen, Vs0, Vs) :-
    ( get_assoc(N, Seen0, _) -> Seen1 = Seen0, Vs1 = Vs0 ; put_assoc(N, Seen0, x, Seen1), Vs1 = [N|Vs0] ),
    '$unseen'(Ns, Seen1, Seen, Vs1, Vs).
transpose_ugraph(G, T) :-
    vertices(G, Vs), edges(G, Es), '$flip_pairs'(Es, Fs), vertices_edges_to_ugraph(Vs, Fs, T).
ugraph_union(A, B, C) :-
    vertices(A, VA), vertices(B, VB), edges(A, EA), edges(B, EB),
    append(VA, VB, Vs), append(EA, EB, Es), '$graph_of'(Vs, Es, C).
compose(A, B, C) :-
    vertices(A, VA), vertices(B, VB), append(VA, VB, Vs),
    list_to_assoc(B, AB),
    findall(X-Z, ( member(X-Ys, A), member(Y, Ys), get_assoc(Y, AB, Zs), member(Z, Zs) ), Es),
    '$graph_of'(Vs, Es, C).
% Edges begin at these vertices; where they end is asked of nobody.
'$graph_of'(Vs, Es, G) :- sort(Vs, Set), sort(Es, Sorted), '$graph'(Set, Sorted, G).
transitive_closure(G, C) :- '$closure'(G, G, C).
'$closure'([], _, []).
'$closure'([V-Ns|Vs], G, [V-R|C]) :- '$reach_all'(Ns, G, R), '$closure'(Vs, G, C).
'$reach_all'(Ns, G, R) :- findall(X, ( member(N, Ns), reachable(N, G, Xs), member(X, Xs) ), L), sort(L, R).
% Each vertex before its neighbours: those without unlisted predecessors first.
top_sort(G, Order) :-
    vertices(G, Vs), edges(G, Es), pairs_values(Es, Ends), msort(Ends, Sorted), clumped(Sorted, Counts0),
    '$zero_counts'(Vs, Counts0, Counts),
    list_to_assoc(Counts, Degrees), list_to_assoc(G, A),
    '$sources'(Counts, Sources),
    '$top_sort'(Sources, A, Degrees, Order),
    length(Vs, N), length(Order, N).
'$zero_counts'([], _, []).
'$zero_counts'([V|Vs], Cs, [V-N|Rest]) :-
    ( Cs = [V1-N1|Cs1], V1 == V -> N = N1, '$zero_counts'(Vs, Cs1, Rest) ; N = 0, '$zero_counts'(Vs, Cs, Rest) ).
'$sources'([], []).
'$sources'([V-N|Cs], Vs) :- ( N =:= 0 -> Vs = [V|Vs1] ; Vs = Vs1 ), '$sources'(Cs, Vs1).
'$top_sort'([], _, _, []).
'$top_sort'([V|Vs], A, D0, [V|Order]) :-
    get_assoc(V, A, Ns),
    '$count_down'(Ns, D0, D, Vs, Next),
    '$top_sort'(Next, A, D, Order).
'$count_down'([], D, D, Vs, Vs).
'$count_down'([N|Ns], D0, D, Vs0, Vs) :-
    get_assoc(N, D0, C0), C is C0 - 1, put_assoc(N, D0, C, D1),
    ( C =:= 0 -> Vs1 = [N|Vs0] ; Vs1 = Vs0 ),
    '$count_down'(Ns, D1, D, Vs1, Vs).
