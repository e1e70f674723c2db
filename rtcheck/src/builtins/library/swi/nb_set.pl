:- module(nb_set, [empty_nb_set/1, add_nb_set/2, add_nb_set/3, gen_nb_set/2, size_nb_set/2, nb_set_to_list/2]).

% SWI-Prolog's library(nb_set): sets of terms up to renaming that outlive backtracking. A set is nb_set(Size, Buckets), where
% a term is in the list of the bucket that the hash of its text chooses; there are never more terms than buckets, so
% that adding one copies a short list only.

empty_nb_set(nb_set(0, Buckets)) :- emptied(32, Buckets).

emptied(Count, Buckets) :- length(Lists, Count), maplist(=([]), Lists), Buckets =.. [buckets|Lists].

add_nb_set(Key, Set) :- add_nb_set(Key, Set, _).

add_nb_set(Key, Set, New) :-
    set(Set, Size, Buckets),
    place(Key, Buckets, I),
    arg(I, Buckets, Known),
    ( member(Other, Known), Other =@= Key -> New = false
    ; New = true,
      Size1 is Size + 1,
      nb_setarg(I, Buckets, [Key|Known]),
      nb_setarg(1, Set, Size1),
      functor(Buckets, _, Count),
      ( Size1 > Count -> grown(Set, Buckets, Count) ; true )
    ).

place(Key, Buckets, I) :-
    functor(Buckets, _, Count),
    ( integer(Key) -> Hash = Key ; copy_term(Key, Form), numbervars(Form, 0, _), term_hash(Form, Hash) ),
    I is Hash mod Count + 1.

grown(Set, Buckets, Count) :-
    Buckets =.. [_|Lists], append(Lists, Keys),
    More is Count * 4,
    emptied(More, Buckets1),
    entered(Keys, Buckets1),
    nb_setarg(2, Set, Buckets1).

entered([], _).
entered([Key|Keys], Buckets) :-
    place(Key, Buckets, I), arg(I, Buckets, Known), setarg(I, Buckets, [Key|Known]), entered(Keys, Buckets).

set(Set, Size, Buckets) :-
    ( nonvar(Set), Set = nb_set(Size, Buckets) -> true
    ; var(Set) -> throw(error(instantiation_error, _))
    ; throw(error(type_error(nb_set, Set), _))
    ).

gen_nb_set(Set, Key) :- nb_set_to_list(Set, Keys), member(Key, Keys).

size_nb_set(Set, Size) :- set(Set, Size, _).

nb_set_to_list(Set, Keys) :-
    set(Set, _, Buckets),
    Buckets =.. [_|Lists], append(Lists, Keys0), copy_term(Keys0, Keys1), sort(Keys1, Keys).
