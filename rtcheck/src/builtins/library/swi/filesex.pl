:- module(filesex,
    [directory_file_path/3, make_directory_path/1, ensure_directory_exists/1, directory_member/3, copy_file/2,
     copy_directory/2, relative_file_name/3, delete_directory_contents/1, delete_directory_and_contents/1]).

% SWI-Prolog's library(filesex), but for links and permissions.

% A path of a directory and a file in it, or what a path is made of.
directory_file_path(Directory, File, Path) :- nonvar(Directory), nonvar(File), !,
    (   ( is_absolute_file_name(File) ; Directory == '.' ) -> atom_of(File, Path0)
    ;   sub_atom(Directory, _, 1, 0, /) -> atomic_list_concat([Directory, File], Path0)
    ;   atomic_list_concat([Directory, /, File], Path0)
    ),
    Path = Path0.
directory_file_path(Directory, File, Path) :- nonvar(Path), !,
    (   nonvar(Directory)
    ->  ( sub_atom(Directory, _, 1, 0, /) -> Prefix = Directory ; atom_concat(Directory, /, Prefix) ),
        atom_concat(Prefix, File0, Path), File = File0
    ;   file_directory_name(Path, Directory), file_base_name(Path, File)
    ).
directory_file_path(Directory, File, Path) :- instantiation_error(directory_file_path(Directory, File, Path)).

atom_of(Text, Atom) :- format(atom(Atom), '~w', [Text]).

make_directory_path(Path) :- exists_directory(Path), !.
make_directory_path(Path) :-
    file_directory_name(Path, Parent),
    ( Parent == Path -> true ; make_directory_path(Parent) ),
    make_directory(Path).

ensure_directory_exists(Directory) :- make_directory_path(Directory).

% Options: extensions(List), recursive(Bool), matches(Pattern), exclude(Pattern), file_type(Type).
directory_member(Directory, Member, Options) :-
    directory_files(Directory, Names0), msort(Names0, Names),
    member(Name, Names), Name \== '.', Name \== '..',
    directory_file_path(Directory, Name, Path),
    (   wanted(Name, Path, Options), Member = Path
    ;   option(recursive(true), Options), exists_directory(Path), directory_member(Path, Member, Options)
    ).

wanted(Name, Path, Options) :-
    ( option(extensions(Extensions), Options) -> file_name_extension(_, Extension, Name), memberchk(Extension, Extensions) ; true ),
    ( option(matches(Pattern), Options) -> wildcard_match(Pattern, Name) ; true ),
    ( option(exclude(Not), Options) -> \+ wildcard_match(Not, Name) ; true ),
    ( option(file_type(Type), Options) -> of_type(Type, Path) ; true ).
of_type(directory, Path) :- !, exists_directory(Path).
of_type(regular, Path) :- !, exists_file(Path).
of_type(prolog, Path) :- !, exists_file(Path), file_name_extension(_, Extension, Path), memberchk(Extension, [pl, pro, prolog]).
of_type(_, _).

copy_file(From, To) :-
    ( exists_directory(To) -> file_base_name(From, Name), directory_file_path(To, Name, Target) ; Target = To ),
    setup_call_cleanup(open(From, read, In, [type(binary)]),
        setup_call_cleanup(open(Target, write, Out, [type(binary)]), copy_bytes(In, Out), close(Out)),
        close(In)).

copy_bytes(In, Out) :- repeat, get_byte(In, Byte), ( Byte =:= -1 -> ! ; put_byte(Out, Byte), fail ).

copy_directory(From, To) :-
    make_directory_path(To),
    directory_files(From, Names),
    forall(( member(Name, Names), Name \== '.', Name \== '..' ),
        ( directory_file_path(From, Name, Path), directory_file_path(To, Name, Copy),
          ( exists_directory(Path) -> copy_directory(Path, Copy) ; copy_file(Path, Copy) ) )).

% The way from one file's directory to another file.
relative_file_name(Path, To, Relative) :- nonvar(Path), !,
    absolute_file_name(Path, Path1), absolute_file_name(To, To1), file_directory_name(To1, Directory),
    atomic_list_concat(Is, /, Path1), atomic_list_concat(Ds, /, Directory),
    apart(Is, Ds, Is1, Ds1), up(Ds1, Ups), append(Ups, Is1, Parts),
    ( Parts == [] -> Relative = '.' ; atomic_list_concat(Parts, /, Relative0), Relative = Relative0 ).
relative_file_name(Path, To, Relative) :-
    file_directory_name(To, Directory), directory_file_path(Directory, Relative, Path0), absolute_file_name(Path0, Path).
apart([X|Xs], [Y|Ys], Is, Ds) :- X == Y, !, apart(Xs, Ys, Is, Ds).
apart(Is, Ds, Is, Ds).
up([], []).
up([_|Ds], [..|Ups]) :- up(Ds, Ups).

delete_directory_contents(Directory) :-
    directory_files(Directory, Names),
    forall(( member(Name, Names), Name \== '.', Name \== '..' ),
        ( directory_file_path(Directory, Name, Path),
          ( exists_directory(Path) -> delete_directory_and_contents(Path) ; delete_file(Path) ) )).
delete_directory_and_contents(Directory) :- delete_directory_contents(Directory), delete_directory(Directory).
