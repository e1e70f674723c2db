:- module(prolog_source,
    [prolog_read_source_term/4, read_source_term_at_location/3, prolog_file_directives/3, prolog_open_source/2,
     prolog_close_source/1, prolog_canonical_source/2, load_quasi_quotation_syntax/2, file_name_on_path/2,
     file_alias_path/2, path_segments_atom/2, directory_source_files/3, valid_term_position/2]).

% SWI-Prolog's library(prolog_source): reading texts of programs as terms.

:- meta_predicate prolog_read_source_term(?, ?, ?, :), load_quasi_quotation_syntax(:, ?).

:- dynamic(changed/4).

prolog_canonical_source(Source, Canonical) :-
    (   is_stream(Source) -> Canonical = Source
    ;   absolute_file_name(Source, Canonical, [file_type(prolog), access(read), file_errors(fail)]) -> true
    ;   Canonical = Source
    ).

% A first line #! is for the operating system. Operators of the text hold until it is closed.
prolog_open_source(Source, In) :-
    (   is_stream(Source) -> In = Source
    ;   ( atomic(Source), exists_file(Source) -> Path = Source ; absolute_file_name(Source, Path, [file_type(prolog), access(read)]) ),
        open(Path, read, In)
    ),
    ( peek_string(In, 2, First), atom_string('#!', First) -> skip(In, 10) ; true ).
prolog_close_source(In) :-
    forall(retract(changed(In, Priority, Type, Name)), op(Priority, Type, Name)),
    close(In).

prolog_read_source_term(In, Term, Expanded, _:Options0) :-
    select_known(Options0, Options),
    read_term(In, Term, Options),
    followed(Term, In),
    ( Term == end_of_file -> Expanded = Term ; catch(expand_term(Term, Expanded), _, Expanded = Term) ).

select_known([], []).
select_known([Option|Options0], Options) :-
    ( known(Option) -> Options = [Option|Options1] ; Options = Options1 ),
    select_known(Options0, Options1).
known(Option) :-
    functor(Option, Name, 1),
    memberchk(Name, [variables, variable_names, singletons, term_position, subterm_positions, comments, syntax_errors,
        module, double_quotes, backquoted_string, var_prefix, cycles, dotlists]).

% Declarations that change how the rest is read.
followed((:- Directive), In) :- !, declared(Directive, In).
followed(_, _).
declared(Directive, _) :- var(Directive), !.
declared((A, B), In) :- !, declared(A, In), declared(B, In).
declared(op(Priority, Type, Names), In) :- !, operators_of(Names, Priority, Type, In).
declared(module(_, Exports), In) :- is_list(Exports), !,
    forall(( member(Export, Exports), nonvar(Export), Export = op(Priority, Type, Names) ),
        operators_of(Names, Priority, Type, In)).
declared(_, _).
operators_of(Names, Priority, Type, In) :-
    ( is_list(Names) -> forall(member(Name, Names), operator_of(Name, Priority, Type, In)) ; operator_of(Names, Priority, Type, In) ).
operator_of(Qualified, Priority, Type, In) :-
    ( nonvar(Qualified), Qualified = _:Name -> true ; Name = Qualified ),
    (   atom(Name), catch(before(Name, Type, Before), _, fail), catch(op(Priority, Type, Name), _, fail)
    ->  asserta(changed(In, Before, Type, Name))
    ;   true
    ).
before(Name, Type, Before) :-
    kind(Type, Kind),
    ( current_op(Priority, Other, Name), kind(Other, Kind), Other == Type -> Before = Priority ; Before = 0 ).
kind(fx, prefix).
kind(fy, prefix).
kind(xfx, infix).
kind(xfy, infix).
kind(yfx, infix).
kind(xf, postfix).
kind(yf, postfix).

% The term that the text goes on with where the stream stands.
read_source_term_at_location(In, Term, Options) :-
    ( memberchk(error(Error), Options) -> true ; true ),
    ( memberchk(line(Line), Options) -> seek(In, 0, bof, _), to_line(Line, In) ; true ),
    catch(read_term(In, Term, []), E, ( Error = E, fail )).
to_line(1, _) :- !.
to_line(Line, In) :- skip(In, 10), Line1 is Line-1, to_line(Line1, In).

% The directives in front of the first clause.
prolog_file_directives(File, Directives, Options) :-
    setup_call_cleanup(prolog_open_source(File, In), directives(In, Options, Directives), prolog_close_source(In)).
directives(In, Options, Directives) :-
    prolog_read_source_term(In, Term, Expanded, Options),
    (   Term == end_of_file -> Directives = []
    ;   nonvar(Expanded), Expanded = (:- Directive) -> Directives = [Directive|Directives1], directives(In, Options, Directives1)
    ;   Expanded == [] -> directives(In, Options, Directives)
    ;   Directives = []
    ).

load_quasi_quotation_syntax(_, _) :- fail.

% Paths as library(Name), where one of the search paths has them.
file_name_on_path(Path, Spec) :-
    (   file_alias_path(Alias, Folder), atom_concat(Folder, Rest0, Path), atom_concat(/, Rest, Rest0),
        ( file_name_extension(Name, pl, Rest) -> true ; Name = Rest )
    ->  Spec =.. [Alias, Name]
    ;   Spec = Path
    ).
file_alias_path(Alias, Folder) :-
    catch(user:file_search_path(Alias, Place), _, fail), atom(Place), absolute_file_name(Place, Folder).

path_segments_atom(Segments, Atom) :-
    (   var(Atom) -> joined(Segments, Atom)
    ;   atomic_list_concat(Parts, /, Atom), Parts = [First|Others], foldl([Part, Path, Path/Part]>>true, Others, First, Segments)
    ).
joined(Segments, Atom) :-
    (   nonvar(Segments), Segments = Front/Last -> joined(Front, A), atomic_list_concat([A, /, Last], Atom)
    ;   Atom = Segments
    ).

% The texts of a folder: those that are loaded, or with loaded(false) all.
directory_source_files(Folder0, Files, Options) :-
    absolute_file_name(Folder0, Folder),
    ( memberchk(loaded(Loaded), Options) -> true ; Loaded = true ),
    findall(Path, source_of(Folder, Loaded, Options, Path), Files0),
    sort(Files0, Files).
source_of(Folder, Loaded, Options, Path) :-
    directory_files(Folder, Names), member(Name, Names), Name \== '.', Name \== '..',
    atomic_list_concat([Folder, /, Name], Path0),
    (   exists_directory(Path0) -> memberchk(recursive(true), Options), source_of(Path0, Loaded, Options, Path)
    ;   file_name_extension(_, pl, Name), Path = Path0, ( Loaded == true -> source_file(Path) ; true )
    ).

% Whether a layout can be a term's.
valid_term_position(_, Position) :- var(Position), !.
valid_term_position(Term, From-To) :- !, ordered(From, To), ( var(Term) -> true ; atomic(Term) ).
valid_term_position(Term, string_position(From, To)) :- !, ordered(From, To), ( string(Term) -> true ; is_list(Term) ).
valid_term_position({Term}, brace_term_position(From, To, Position)) :- !, ordered(From, To), valid_term_position(Term, Position).
valid_term_position(Term, parentheses_term_position(From, To, Position)) :- !, ordered(From, To), valid_term_position(Term, Position).
valid_term_position(Term, list_position(From, To, Positions, Tail)) :- !,
    ordered(From, To), valid_elements(Positions, Term, Rest), ( Tail == none -> Rest == [] ; valid_term_position(Rest, Tail) ).
valid_term_position(Term, term_position(From, To, NameFrom, NameTo, Positions)) :-
    ordered(From, To), ordered(NameFrom, NameTo), compound(Term), Term =.. [_|Arguments],
    maplist(valid_term_position, Arguments, Positions).
valid_elements([], Rest, Rest).
valid_elements([Position|Positions], [X|Xs], Rest) :- valid_term_position(X, Position), valid_elements(Positions, Xs, Rest).
ordered(From, To) :- integer(From), integer(To), From =< To.
