% Atoms that are new in this run, whichever engine asks for them.

gensym(Base, Atom) :-
    '$gensym_key'(Base, Key),
    ( '$shared'(Key, N0) -> true ; N0 = 0 ),
    N is N0 + 1,
    '$share'(Key, N),
    atomic_list_concat([Base, N], Atom).
reset_gensym(Base) :- '$gensym_key'(Base, Key), '$share'(Key, 0).
reset_gensym :- '$shared_keys'('$gensym ', Keys), forall(member(Key, Keys), '$share'(Key, 0)).
'$gensym_key'(Base, Key) :- must_be(atomic, Base), atomic_list_concat(['$gensym ', Base], Key).
