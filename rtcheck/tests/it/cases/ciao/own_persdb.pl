:- module(own_persdb, _, [persdb, iso]).
persistent_dir(db, 'db').
:- persistent(bar/1, db).
main :- passertz_fact(bar(1)), pretract_fact(bar(1)).
