:- module(varnumbers, [varnumbers/2, varnumbers/3, max_var_number/3, varnumbers_names/3]).

% SWI-Prolog's library(varnumbers): numbervars/3 undone.

varnumbers(Term, Copy) :- varnumbers(Term, 0, Copy).

varnumbers(Term, Start, Copy) :-
    must_be(acyclic, Term),
    empty_assoc(Known),
    renamed(Term, Start, Copy, Known, _).

renamed(Term, _, Term, K, K) :- var(Term), !.
renamed('$VAR'(N), Start, V, K0, K) :- integer(N), N >= Start, !, variable_of(N, V, K0, K).
renamed(Term, Start, Copy, K0, K) :-
    compound(Term), !,
    compound_name_arity(Term, Name, Arity),
    compound_name_arity(Copy, Name, Arity),
    renamed_args(0, Arity, Term, Start, Copy, K0, K).
renamed(Term, _, Term, K, K).

renamed_args(N, N, _, _, _, K, K) :- !.
renamed_args(I0, N, Term, Start, Copy, K0, K) :-
    I is I0 + 1, arg(I, Term, A), arg(I, Copy, B), renamed(A, Start, B, K0, K1),
    renamed_args(I, N, Term, Start, Copy, K1, K).

variable_of(N, V, K0, K) :- ( get_assoc(N, K0, V0) -> V = V0, K = K0 ; put_assoc(N, K0, V, K) ).

max_var_number(Term, Start, Max) :- greatest([Term], Start, Max).

greatest([], Max, Max).
greatest([Term|Terms], Max0, Max) :-
    ( compound(Term) ->
        ( Term = '$VAR'(N), integer(N) -> Max1 is max(Max0, N), greatest(Terms, Max1, Max)
        ; compound_name_arguments(Term, _, Args), append(Args, Terms, All), greatest(All, Max0, Max)
        )
    ; greatest(Terms, Max0, Max)
    ).

varnumbers_names(Term, Copy, Bindings) :-
    must_be(acyclic, Term),
    empty_assoc(Known),
    named(Term, Copy, Known, All),
    assoc_to_list(All, Pairs),
    bindings(Pairs, Bindings).

named(Term, Term, K, K) :- var(Term), !.
named('$VAR'(Name), V, K0, K) :- atomic(Name), !, variable_of(Name, V, K0, K).
named(Term, Copy, K0, K) :- compound(Term), !, compound_name_arguments(Term, F, As), named_all(As, Bs, K0, K), compound_name_arguments(Copy, F, Bs).
named(Term, Term, K, K).

named_all([], [], K, K).
named_all([A|As], [B|Bs], K0, K) :- named(A, B, K0, K1), named_all(As, Bs, K1, K).

bindings([], []).
bindings([Name-V|Pairs], [Name = V|Bindings]) :- bindings(Pairs, Bindings).
