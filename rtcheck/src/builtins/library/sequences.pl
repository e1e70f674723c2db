% Some of a goal's solutions, as in SWI-Prolog's library(solution_sequences).

:- meta_predicate
    limit(?, 0), offset(?, 0), call_nth(0, ?), distinct(0), distinct(?, 0), order_by(?, 0), findnsols(?, ?, 0, -), findnsols(?, ?, 0, -, ?).

limit(N, G) :-
    ( N == inf -> call(G)
    ; must_be(nonneg, N), N > 0,
      State = count(0),
      call(G),
      arg(1, State, C0), C is C0 + 1,
      ( C =:= N -> ! ; nb_setarg(1, State, C) )
    ).
offset(N, G) :-
    must_be(nonneg, N),
    State = count(0),
    call(G),
    arg(1, State, C0),
    ( C0 >= N -> true ; C is C0 + 1, nb_setarg(1, State, C), fail ).
call_nth(G, N) :-
    ( var(N) -> true ; must_be(integer, N), ( N < 0 -> domain_error(not_less_than_zero, N) ; N > 0 ) ),
    State = count(0),
    call(G),
    arg(1, State, C0), C is C0 + 1, nb_setarg(1, State, C),
    ( var(N) -> N = C ; C =:= N, ! ).
distinct(G) :- distinct(G, G).
distinct(W, G) :-
    State = seen(t),
    call(G),
    copy_term(W, Key), numbervars(Key, 0, _),
    arg(1, State, Seen),
    ( get_assoc(Key, Seen, _) -> fail ; put_assoc(Key, Seen, x, Seen1), nb_setarg(1, State, Seen1) ).
order_by(Specs, G) :-
    term_variables(G, Vs),
    findall(Specs-Vs, G, Rows0),
    length(Specs, N),
    '$order'(N, Rows0, Rows),
    member(Specs-Vs, Rows).
% By the last criterion first; sorting keeps the order of what is equal.
'$order'(0, Rows, Rows) :- !.
'$order'(I, Rows0, Rows) :-
    '$order_keys'(Rows0, I, Keyed, Direction),
    ( Direction == desc -> sort(1, @>=, Keyed, Sorted) ; sort(1, @=<, Keyed, Sorted) ),
    pairs_values(Sorted, Rows1),
    I1 is I - 1,
    '$order'(I1, Rows1, Rows).
'$order_keys'([], _, [], _).
'$order_keys'([Specs-Vs|Rows], I, [K-(Specs-Vs)|Ks], D) :-
    nth1(I, Specs, Spec), functor(Spec, D, 1), arg(1, Spec, K), '$order_keys'(Rows, I, Ks, D).
findnsols(N, T, G, L) :- findnsols(N, T, G, L, []).
% The goal goes on where it was when the next solutions are wanted.
findnsols(N, T, G, L, Tail) :-
    must_be(nonneg, N),
    '$check_list'(L),
    '$bag_new'(H),
    % What the goal binds is not seen, here as in findall/3.
    copy_term(T-G, T1-G1),
    '$findnsols'(H, N, T1, G1, L0, Tail),
    L = L0.
'$findnsols'(H, N, T, G, L, Tail) :-
    N > 0, call_cleanup(G, Det = true), '$bag_add'(H, T), '$bag_drain'(H, N, L, Tail),
    ( Det == true -> ! ; true ).
'$findnsols'(H, _, _, _, L, Tail) :- '$bag_take'(H, L, Tail).
