:- module(more_terms,
    [mapsubterms/3, mapsubterms_var/3, foldsubterms/4, foldsubterms/5, same_functor/2, same_functor/3, same_functor/4,
     same_functor/5, term_subsumer/3, term_factorized/3, term_hash/2, write_length/3]).

% What SWI-Prolog's library(terms) has besides.

:- meta_predicate mapsubterms(2, ?, ?), mapsubterms_var(2, ?, ?), foldsubterms(3, ?, ?, ?), foldsubterms(4, ?, ?, ?, ?).

% From the root down: what the goal maps is not looked into.
mapsubterms(Goal, Term, Mapped) :- mapped(Term, Goal, skip, Mapped).

mapsubterms_var(Goal, Term, Mapped) :- mapped(Term, Goal, call, Mapped).

mapped(Term, _, skip, Mapped) :- var(Term), !, Mapped = Term.
mapped(Term, Goal, _, Mapped) :- call(Goal, Term, Term1), !, Mapped = Term1.
mapped(Term, Goal, Variables, Mapped) :-
    compound(Term), !,
    compound_name_arity(Term, Name, Arity), compound_name_arity(Mapped, Name, Arity),
    mapped_args(0, Arity, Term, Goal, Variables, Mapped).
mapped(Term, _, _, Term).

mapped_args(N, N, _, _, _, _) :- !.
mapped_args(I0, N, Term, Goal, Variables, Mapped) :-
    I is I0 + 1, arg(I, Term, A), arg(I, Mapped, B), mapped(A, Goal, Variables, B),
    mapped_args(I, N, Term, Goal, Variables, Mapped).

foldsubterms(Goal, Term, S0, S) :- folded([Term], Goal, S0, S).

folded([], _, S, S).
folded([Term|Terms], Goal, S0, S) :-
    ( call(Goal, Term, S0, S1) -> folded(Terms, Goal, S1, S)
    ; compound(Term) -> compound_name_arguments(Term, _, Args), folded(Args, Goal, S0, S1), folded(Terms, Goal, S1, S)
    ; folded(Terms, Goal, S0, S)
    ).

foldsubterms(Goal, Term, Mapped, S0, S) :- folded_to(Term, Goal, Mapped, S0, S).

folded_to(Term, _, Mapped, S0, S) :- var(Term), !, Mapped = Term, S = S0.
folded_to(Term, Goal, Mapped, S0, S) :- call(Goal, Term, Mapped0, S0, S1), !, Mapped = Mapped0, S = S1.
folded_to(Term, Goal, Mapped, S0, S) :-
    compound(Term), !, compound_name_arguments(Term, Name, Args), all_folded_to(Args, Goal, Args1, S0, S), compound_name_arguments(Mapped, Name, Args1).
folded_to(Term, _, Term, S, S).

all_folded_to([], _, [], S, S).
all_folded_to([A|As], Goal, [B|Bs], S0, S) :- folded_to(A, Goal, B, S0, S1), all_folded_to(As, Goal, Bs, S1, S).

same_functor(A, B) :- same_functor(A, B, _, _).
same_functor(A, B, Arity) :- same_functor(A, B, _, Arity).
same_functor(A, B, Name, Arity) :-
    ( nonvar(A) -> functor(A, Name, Arity), functor(B, Name, Arity)
    ; functor(B, Name, Arity), functor(A, Name, Arity)
    ).
same_functor(A, B, C, Name, Arity) :- same_functor(A, B, Name, Arity), functor(C, Name, Arity).

% The most special term that both are instances of.
term_subsumer(A, B, General) :- generalized(A, B, General, [], _).

generalized(A, B, A, Seen, Seen) :- A == B, !.
generalized(A, B, General, Seen0, Seen) :-
    compound(A), compound(B), compound_name_arity(A, Name, Arity), compound_name_arity(B, Name, Arity), !,
    compound_name_arguments(A, Name, As), compound_name_arguments(B, Name, Bs),
    all_generalized(As, Bs, Gs, Seen0, Seen), compound_name_arguments(General, Name, Gs).
generalized(A, B, V, Seen0, Seen) :-
    ( member(pair(A1, B1, V1), Seen0), A1 == A, B1 == B -> V = V1, Seen = Seen0 ; Seen = [pair(A, B, V)|Seen0] ).

all_generalized([], [], [], Seen, Seen).
all_generalized([A|As], [B|Bs], [G|Gs], Seen0, Seen) :-
    generalized(A, B, G, Seen0, Seen1), all_generalized(As, Bs, Gs, Seen1, Seen).

% The term with a variable for each compound term that is in it more than once.
term_factorized(Term, Factorized, Bindings) :-
    empty_assoc(None),
    counted([Term], None, Counts),
    empty_assoc(Names0),
    factored(Term, Counts, Factorized, Names0-[], _-Bindings0),
    reverse(Bindings0, Bindings).

counted([], Counts, Counts).
counted([Term|Terms], Counts0, Counts) :-
    ( \+ compound(Term) -> counted(Terms, Counts0, Counts)
    ; get_assoc(Term, Counts0, N) -> N1 is N + 1, put_assoc(Term, Counts0, N1, Counts1), counted(Terms, Counts1, Counts)
    ; put_assoc(Term, Counts0, 1, Counts1), compound_name_arguments(Term, _, Args), counted(Args, Counts1, Counts2), counted(Terms, Counts2, Counts)
    ).

% A term gets its name before its arguments are looked at, which may contain it.
factored(Term, _, Term, S, S) :- \+ compound(Term), !.
factored(Term, Counts, Result, Names0-Bindings0, S) :-
    (   get_assoc(Term, Names0, Name) -> Result = Name, S = Names0-Bindings0
    ;   get_assoc(Term, Counts, N),
        ( N > 1 -> put_assoc(Term, Names0, Result, Names1), Bindings1 = [Result = Copy|Bindings0] ; Result = Copy, Names1 = Names0, Bindings1 = Bindings0 ),
        compound_name_arguments(Term, F, Args),
        all_factored(Args, Counts, Args1, Names1-Bindings1, S),
        compound_name_arguments(Copy, F, Args1)
    ).

all_factored([], _, [], S, S).
all_factored([A|As], Counts, [B|Bs], S0, S) :- factored(A, Counts, B, S0, S1), all_factored(As, Counts, Bs, S1, S).

% A number of 24 bits that depends on the term's text alone; none for a term with variables.
term_hash(Term, Hash) :- '$term_hash'(Term, Hash0), !, Hash = Hash0.
term_hash(Term, Hash) :-
    ( ground(Term) -> with_output_to(codes(Codes), write_canonical(Term)), hashed(Codes, 5381, Hash) ; true ).

hashed([], Hash, Hash).
hashed([C|Cs], H0, Hash) :- H1 is (H0 * 33 + C) /\ 0xffffff, hashed(Cs, H1, Hash).

write_length(Term, Length, Options0) :-
    ( select(max_length(Most), Options0, Options) -> true ; Options = Options0, Most = inf ),
    with_output_to(codes(Codes), write_term(Term, Options)),
    length(Codes, Length),
    ( Most == inf -> true ; Length =< Most ).
