% --- Bounds and domains.

le(L, H) :- ( integer(L), integer(H) -> L =< H ; L == inf -> true ; H == sup ).
greatest_low(A, B, C) :- ( integer(A), integer(B) -> C is max(A, B) ; A == inf -> C = B ; B == inf -> C = A ; C = sup ).
least_high(A, B, C) :- ( integer(A), integer(B) -> C is min(A, B) ; A == sup -> C = B ; B == sup -> C = A ; C = inf ).

domain_of(D, _) :- var(D), !, throw(error(instantiation_error, _)).
domain_of(N, [N-N]) :- integer(N), !.
domain_of(L..H, D) :- !, domain_bound(L, inf), domain_bound(H, sup), ( le(L, H) -> D = [L-H] ; D = [] ).
domain_of(A \/ B, D) :- !, domain_of(A, D1), domain_of(B, D2), union(D1, D2, D).
domain_of(\ A, D) :- !, domain_of(A, D1), complement(D1, D).
domain_of(D, _) :- throw(error(type_error(clpfd_domain, D), _)).
domain_bound(B, _) :- var(B), !, throw(error(instantiation_error, _)).
domain_bound(B, _) :- integer(B), !.
domain_bound(B, _) :- memberchk(B, [inf, sup]), !.
domain_bound(B, _) :- throw(error(type_error(clpfd_bound, B), _)).

domain_term([I], T) :- !, interval_term(I, T).
domain_term([], 1..0).
domain_term([I|Is], T) :- Is = [_|_], interval_term(I, T0), domain_term_(Is, T0, T).
domain_term_([], T, T).
domain_term_([I|Is], T0, T) :- interval_term(I, T1), domain_term_(Is, T0 \/ T1, T).
interval_term(L-H, T) :- ( L == H -> T = L ; T = L..H ).
whole_term([N-M], T) :- N == M, !, T = N..N.
whole_term(D, T) :- domain_term(D, T).

intersection([], _, []).
intersection([A|As], Bs, D) :- intersection_(Bs, A, As, D).
intersection_([], _, _, []).
intersection_([L2-H2|Bs], L1-H1, As, D) :-
    greatest_low(L1, L2, L), least_high(H1, H2, H),
    ( le(L, H) -> D = [L-H|D1] ; D = D1 ),
    ( le(H1, H2) -> intersection(As, [L2-H2|Bs], D1) ; intersection_(Bs, L1-H1, As, D1) ).

union(D1, D2, D) :- append(D1, D2, D3), map_low(D3, D4), keysort(D4, D5), join(D5, D).
% Sorted by the lower bound; inf is less than any integer.
map_low([], []).
map_low([L-H|Is], [K-(L-H)|Ks]) :- ( L == inf -> K = low(0, 0) ; K = low(1, L) ), map_low(Is, Ks).
join([], []).
join([_-I|Ks], D) :- join_(Ks, I, D).
join_([], I, [I]).
join_([_-(L2-H2)|Ks], L1-H1, D) :-
    ( touches(H1, L2) -> greatest_high(H1, H2, H), join_(Ks, L1-H, D) ; D = [L1-H1|D1], join_(Ks, L2-H2, D1) ).
touches(sup, _) :- !.
touches(_, inf) :- !.
touches(H, L) :- L =< H + 1.
greatest_high(A, B, C) :- ( A == sup -> C = sup ; B == sup -> C = sup ; C is max(A, B) ).

complement(D, C) :- complement_(D, inf, C).
complement_([], L, [L-sup]).
complement_([L1-H1|Is], L, C) :-
    ( L1 == inf -> C = C1 ; H is L1 - 1, ( le(L, H) -> C = [L-H|C1] ; C = C1 ) ),
    ( H1 == sup -> C1 = [] ; L2 is H1 + 1, complement_(Is, L2, C1) ).

without([], _, []).
without([L-H|D], V, D1) :-
    ( integer(L), V < L -> D1 = [L-H|D]
    ; integer(H), V > H -> D1 = [L-H|D2], without(D, V, D2)
    ; ( L == V -> D1 = D2 ; A is V - 1, D1 = [L-A|D2] ),
      ( H == V -> D2 = D ; B is V + 1, D2 = [B-H|D] )
    ).
has([L-H|D], V) :- ( integer(L), V < L -> fail ; integer(H), V > H -> has(D, V) ; true ).
highest([_-H], H) :- !.
highest([_|D], H) :- highest(D, H).
size([], 0).
size([L-H|D], N) :- ( integer(L), integer(H) -> size(D, N0), ( N0 == sup -> N = sup ; N is N0 + H - L + 1 ) ; N = sup ).
values([], []).
values([L-H|D], Vs) :- numlist(L, H, Vs0), append(Vs0, Vs1, Vs), values(D, Vs1).
domain_of_values(Vs, D) :- sort(Vs, Ss), runs(Ss, D).
runs([], []).
runs([V|Vs], D) :- run(Vs, V, V, D).
run([], L, H, [L-H]).
run([V|Vs], L, H, D) :- ( V =:= H + 1 -> run(Vs, L, V, D) ; D = [L-H|D1], run(Vs, V, V, D1) ).
