:- module(files, [
    directory_files/2, file_size/2, file_exists/1, directory_exists/1, delete_file/1, rename_file/2, file_copy/2,
    delete_directory/1, make_directory/1, make_directory_path/1, working_directory/2, path_canonical/2,
    path_segments/2, file_modification_time/2, file_creation_time/2, file_access_time/2]).

% Scryer Prolog's library of files, whose names are lists of characters.

name(Chars, Name) :- must_be(chars, Chars), atom_chars(Name, Chars).
chars(Name, Chars) :- atom_chars(Name, Chars).

directory_files(Folder, Files) :-
    name(Folder, Name), system:directory_files(Name, Names0),
    findall(File, ( member(N, Names0), N \== '.', N \== '..', chars(N, File) ), Files0), Files = Files0.
file_size(File, Size) :- name(File, Name), size_file(Name, Size).
file_exists(File) :- name(File, Name), exists_file(Name).
directory_exists(Folder) :- name(Folder, Name), exists_directory(Name).
delete_file(File) :- name(File, Name), system:delete_file(Name).
rename_file(From, To) :- name(From, A), name(To, B), system:rename_file(A, B).
file_copy(From, To) :- name(From, A), name(To, B), copy_file(A, B).
delete_directory(Folder) :- name(Folder, Name), system:delete_directory(Name).
make_directory(Folder) :- name(Folder, Name), system:make_directory(Name).
make_directory_path(Folder) :- name(Folder, Name), system:make_directory_path(Name).
working_directory(Old, New) :-
    system:working_directory(Old0, Old0),
    chars(Old0, OldChars), Old = OldChars,
    ( New == Old -> true ; name(New, Name), system:working_directory(_, Name) ).
path_canonical(Path, Canonical) :- name(Path, Name), absolute_file_name(Name, Absolute), chars(Absolute, Canonical).

% The parts between slashes; a path from the root begins with an empty one.
path_segments(Path, Segments) :-
    (   is_list(Path), ground(Path) -> parts(Path, Segments0), Segments = Segments0
    ;   must_be(list, Segments), joined(Segments, Path)
    ).
parts(Path, [Part|Parts]) :-
    ( append(Part0, ['/'|Rest], Path) -> Part = Part0, parts(Rest, Parts) ; Part = Path, Parts = [] ).
joined([], []).
joined([Part|Parts], Path) :-
    must_be(chars, Part),
    ( Parts == [] -> Path = Part ; append(Part, ['/'|Rest], Path), joined(Parts, Rest) ).

file_modification_time(File, Time) :- name(File, Name), time_file(Name, Seconds), stamp(Seconds, Time).
% Times of creation and access are not kept apart.
file_creation_time(File, Time) :- file_modification_time(File, Time).
file_access_time(File, Time) :- file_modification_time(File, Time).
stamp(Seconds, Time) :- stamp_date_time(Seconds, Date, local), Time = Date.
