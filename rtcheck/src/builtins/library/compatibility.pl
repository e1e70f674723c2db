% Names that other systems have for what is here, and declarations that mean nothing here.

:- meta_predicate time(0), once_port_reify(0, ?), port_call(?).

subsumes_chk(G, S) :- subsumes_term(G, S).
subsumes(G, S) :- subsumes_term(G, S), G = S.
variant(A, B) :- A =@= B.
compound_name_arguments(T, N, As) :-
    ( compound(T), '$nullary'(T, N0) -> N = N0, As = []
    ; compound(T) -> T =.. [N|As]
    ; var(T) -> must_be(atom, N), must_be(list, As), ( As == [] -> '$nullary'(T, N) ; T =.. [N|As] )
    ; type_error(compound, T)
    ).
compound_name_arity(T, N, A) :-
    ( var(T) -> ( A == 0, atom(N) -> '$nullary'(T, N) ; functor(T, N, A) )
    ; '$nullary'(T, N0) -> N = N0, A = 0
    ; compound(T) -> functor(T, N, A)
    ; type_error(compound, T)
    ).
% Ciao's.
printq(T) :- print(T).
printq(S, T) :- print(S, T).
rational(X) :- '$rational'(X, _, _).
rational(X, N, D) :- '$rational'(X, N, D).
is_callable(X) :- callable(X).
blob(_, _) :- fail.
license(_).
% A directive that a goal may give too; what it asks for is said while a text is read.
style_check(Style) :- must_be(nonvar, Style).
% Messages about topics that are switched on.
:- dynamic('$debug_topic'/1).
debug(Topic, Format, Args) :-
    (   \+ '$is_debugged'(Topic) -> true
    ;   '$defined'(prolog:debug_print_hook(_, _, _)), prolog:debug_print_hook(Topic, Format, Args) -> true
    ;   print_message(debug(Topic), format(Format, Args))
    ).
'$is_debugged'(Topic) :- '$debug_topic'(On), subsumes_term(On, Topic), !.
debug(Topic) :- ( '$debug_topic'(On), On =@= Topic -> true ; assertz(system:'$debug_topic'(Topic)) ).
nodebug(Topic) :- ( '$debug_topic'(On), On =@= Topic, retract(system:'$debug_topic'(On)) -> true ; true ).
debugging(Topic) :- '$debug_topic'(Topic).
debugging(Topic, On) :- ( nonvar(Topic) -> ( '$debug_topic'(Topic) -> On = true ; On = false ) ; '$debug_topic'(Topic), On = true ).
list_debug_topics :- forall('$debug_topic'(Topic), format(user_error, '~p~n', [Topic])).
garbage_collect_atoms :- '$collect_atoms', '$collected_atoms'.
'$collected_atoms'.
% Ciao: the seconds since 1970.
time(T) :- var(T), !, get_time(Now), T is truncate(Now).
time(G) :-
    statistics(inferences, I0), statistics(cputime, T0),
    ( catch(G, E, true) -> Result = done(E) ; Result = failed ),
    statistics(inferences, I1), statistics(cputime, T1),
    I is I1 - I0, T is T1 - T0,
    format(user_error, '% ~D inferences, ~3f CPU seconds~n', [I, T]),
    ( Result = done(E1) -> ( var(E1) -> true ; throw(E1) ) ; fail ).

% Lists, as Ciao and others name things.
nextto(X, Y, [X, Y|_]).
nextto(X, Y, [_|T]) :- nextto(X, Y, T).
nth(N, L, X) :- nth1(N, L, X).
list_concat(Ls, L) :- append(Ls, L).
insert_last(L, X, R) :- append(L, [X], R).
nonsingle([_, _|_]).
difference(A, B, C) :- subtract(A, B, C).
sublist(S, L) :- subset(S, L).
add_after(L, X, Y, R) :- '$add_after'(L, X, Y, R).
'$add_after'([], _, _, []).
'$add_after'([Z|Zs], X, Y, R) :- ( Z == X -> R = [Z, Y|Zs] ; R = [Z|R1], '$add_after'(Zs, X, Y, R1) ).
add_before([], _, _, []).
add_before([Z|Zs], X, Y, R) :- ( Z == X -> R = [Y, Z|Zs] ; R = [Z|R1], add_before(Zs, X, Y, R1) ).
reverse(L, A, R) :- '$reverse'(L, A, R).
atom_concat(As, A) :- atomic_list_concat(As, A).

% Ciao's conditional compilation: `:- compilation_fact(F)` makes `defined(F)` true.
:- dynamic('$compilation_fact'/1).
compilation_fact(F) :- ( '$compilation_fact'(F) -> true ; assertz(system:'$compilation_fact'(F)) ).
defined(F) :- '$compilation_fact'(F), !.

% Ciao's library(port_reify): how a goal ended, as a term, and the same end again.
once_port_reify(G, Port) :-
    ( catch(G, E, true) -> ( var(E) -> Port0 = success ; Port0 = exception(E) ) ; Port0 = fail ),
    Port = Port0.
port_call(Port) :- ( Port = exception(E) -> throw(E) ; Port == success ).
