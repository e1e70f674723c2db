% Ciao's package persdb: facts of predicates that files keep. `:- persistent(p/2, Key)` with a fact
% `persistent_dir(Key, Folder)` keeps them in Folder/p_2.pl, from which they are read when the program is loaded.
:- module(persdb,
    [passerta_fact/1, passertz_fact/1, pretract_fact/1, pretractall_fact/1, make_persistent/2, initialize_db/0,
     update_files/0, update_files/1, op(1150, fx, persistent)]).

:- meta_predicate
    passerta_fact(:), passertz_fact(:), pretract_fact(:), pretractall_fact(:), make_persistent(:, ?), update_files(:).

% kept(Module, Name, Arity, File).
:- dynamic kept/4.

sentence((:- persistent(Specs, Key)), [(:- dynamic(Specs))|Loads], M) :- loads(Specs, Key, M, Loads, []).
loads((A, B), Key, M) --> !, loads(A, Key, M), loads(B, Key, M).
loads([], _, _) --> !, [].
loads([A|As], Key, M) --> !, loads(A, Key, M), loads(As, Key, M).
loads(Spec, Key, M) --> [(:- initialization(persdb:make_persistent(M:Spec, Key), '$preparation'))].

make_persistent(M:Name/Arity, Key) :-
    must_be(atom, Name), must_be(nonneg, Arity),
    folder(M, Key, Folder),
    ( exists_directory(Folder) -> true ; make_directory_path(Folder) ),
    format(atom(File), '~w/~w_~w.pl', [Folder, Name, Arity]),
    functor(Head, Name, Arity), dynamic(M:Name/Arity),
    retractall(kept(M, Name, Arity, _)), assertz(kept(M, Name, Arity, File)),
    read_kept(M, Head, File).

folder(M, Key, Folder) :-
    (   member(Home, [M, user]), member(Ask, [persistent_dir(Key, Folder), persistent_dir(Key, Folder, _, _)]),
        catch(Home:Ask, error(existence_error(procedure, _), _), fail) -> true
    ;   existence_error(persistent_dir, Key)
    ).

read_kept(M, Head, File) :-
    retractall(M:Head),
    (   exists_file(File) -> setup_call_cleanup(open(File, read, S), read_facts(S, M, Head), close(S))
    ;   true
    ).
read_facts(S, M, Head) :-
    read_term(S, Fact, []),
    (   Fact == end_of_file -> true
    ;   subsumes_term(Head, Fact) -> assertz(M:Fact), read_facts(S, M, Head)
    ;   domain_error(persistent_fact, Fact)
    ).

initialize_db :- forall(kept(M, Name, Arity, File), ( functor(Head, Name, Arity), read_kept(M, Head, File) )).

passertz_fact(M:Fact) :-
    file_of(M, Fact, File), assertz(M:Fact),
    setup_call_cleanup(open(File, append, S), write_fact(S, Fact), close(S)).
passerta_fact(M:Fact) :- file_of(M, Fact, _), asserta(M:Fact), save(M, Fact).
pretract_fact(M:Fact) :- file_of(M, Fact, _), retract(M:Fact), save(M, Fact).
pretractall_fact(M:Fact) :- file_of(M, Fact, _), retractall(M:Fact), save(M, Fact).

file_of(M, Fact, File) :-
    must_be(callable, Fact), functor(Fact, Name, Arity),
    ( kept(M, Name, Arity, Known) -> File = Known ; existence_error(persistent_predicate, M:Name/Arity) ).

% The whole file anew: who reads it meanwhile sees all of the facts from before.
save(M, Fact) :-
    functor(Fact, Name, Arity), functor(Head, Name, Arity), file_of(M, Fact, File),
    atom_concat(File, '.new', New),
    setup_call_cleanup(open(New, write, S), forall(clause(M:Head, true), write_fact(S, Head)), close(S)),
    rename_file(New, File).
write_fact(S, Fact) :- \+ \+ ( numbervars(Fact, 0, _), write_term(S, Fact, [quoted(true), ignore_ops(true), numbervars(true)]), write(S, '.\n') ).

update_files :- forall(kept(M, Name, Arity, _), ( functor(Head, Name, Arity), save(M, Head) )).
update_files(M:Specs) :- forall(member(Name/Arity, Specs), ( functor(Head, Name, Arity), save(M, Head) )).
