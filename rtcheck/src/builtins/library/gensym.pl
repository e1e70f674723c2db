% Atoms that are new in this run.

gensym(Base, Atom) :-
    '$gensym_key'(Base, Key),
    ( nb_current(Key, N0) -> true ; N0 = 0 ),
    N is N0 + 1,
    nb_setval(Key, N),
    atomic_list_concat([Base, N], Atom).
reset_gensym(Base) :- '$gensym_key'(Base, Key), nb_setval(Key, 0).
reset_gensym :- forall(( nb_current(Key, _), sub_atom(Key, 0, _, _, '$gensym ') ), nb_setval(Key, 0)).
'$gensym_key'(Base, Key) :- must_be(atomic, Base), atomic_list_concat(['$gensym ', Base], Key).
