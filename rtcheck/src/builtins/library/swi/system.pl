:- module(more_system,
    [wildcard_match/2, wildcard_match/3, tmp_file/2, tmp_file_stream/3, tmp_file_stream/2, is_absolute_file_name/1,
     expand_file_name/2, same_file/2, prolog_to_os_filename/2, trim_stacks/0, trim_heap/0, garbage_collect_clauses/0,
     set_flag/2, get_flag/2, prompt1/1, read_clause/3,
     abolish_module_tables/1, utf8_codes//1, import_module/2, add_import_module/3, delete_import_module/2,
     set_module/1, default_module/2, peek_string/3,
     exists_source/1, exists_source/2, redefine_system_predicate/1, compile_predicates/1, current_arithmetic_function/1,
     expects_dialect/1]).

% Built-in predicates of SWI-Prolog that few programs name.

:- meta_predicate set_module(:), redefine_system_predicate(:).

% Patterns of files: `?`, `*`, `[a-z]`, `{one,two}` and `\` in front of a character that means itself.
wildcard_match(Pattern, Text) :- wildcard_match(Pattern, Text, []).
wildcard_match(Pattern, Text, Options) :-
    pattern_chars(Pattern, Ps0), pattern_chars(Text, Cs0),
    ( memberchk(case_sensitive(Case), Options) -> must_be(boolean, Case) ; Case = true ),
    ( Case == true -> Ps = Ps0, Cs = Cs0 ; maplist(downcase_atom, Ps0, Ps), maplist(downcase_atom, Cs0, Cs) ),
    ( phrase(pattern([], Pieces), Ps, Rest), Rest == [] -> true ; syntax_error('unmatched bracket') ),
    once(matches(Pieces, Cs)).

pattern_chars(Text, Chars) :-
    ( var(Text) -> instantiation_error(Text)
    ; is_of_type(text, Text) -> '$atom_of_text'(Text, Atom), atom_chars(Atom, Chars)
    ; atomic(Text) -> atom_chars(Text, Chars)
    ; type_error(text, Text)
    ).

% The pieces of a pattern up to one of some characters, or its end.
pattern(Ends, []) --> at_end(Ends), !.
pattern(Ends, [Piece|Pieces]) --> piece(Piece), pattern(Ends, Pieces).

at_end([]) --> call(none_left).
at_end([E|Es], [C|Cs], [C|Cs]) :- memberchk(C, [E|Es]).
none_left([], []).

piece(any) --> [?], !.
piece(some) --> [*], !.
piece(one_of(Set)) --> ['['], !, set(Set).
piece(either(Alternatives)) --> ['{'], !, alternatives(Alternatives).
piece(char(C)) --> [\], [C], !.
piece(char(C)) --> [C].

set([]) --> [']'], !.
set([A-B|Set]) --> set_char(A), [-], set_end(B), !, set(Set).
set([A-A|Set]) --> set_char(A), set(Set).
set_char(C) --> [\], !, [C].
set_char(C) --> [C].
set_end(C) --> set_char(C), { C \== ']' }.

alternatives([Pieces|Alternatives]) --> pattern([',', '}'], Pieces), [End],
    ( { End == '}' } -> { Alternatives = [] } ; alternatives(Alternatives) ).

matches([], []).
matches([Piece|Pieces], Cs) :- matches(Piece, Pieces, Cs).

matches(any, Pieces, [_|Cs]) :- matches(Pieces, Cs).
matches(char(C), Pieces, [C|Cs]) :- matches(Pieces, Cs).
matches(one_of(Set), Pieces, [C|Cs]) :- member(A-B, Set), A @=< C, C @=< B, !, matches(Pieces, Cs).
matches(some, Pieces, Cs) :- ( matches(Pieces, Cs) -> true ; Cs = [_|Cs1], matches(some, Pieces, Cs1) ).
matches(either(Alternatives), Pieces, Cs) :- member(Alternative, Alternatives), append(Alternative, Pieces, All), matches(All, Cs).

% The names of files that match; a pattern without a match, or without a character of patterns, is its own name.
expand_file_name(Pattern, Names) :-
    pattern_chars(Pattern, Chars0),
    home_expanded(Chars0, Chars),
    atom_chars(Name, Chars),
    (   member(C, Chars), memberchk(C, [?, *, '[', '{']) ->
        atomic_list_concat(Segments, /, Name),
        ( Segments = [''|Below] -> expanded(Below, [/], Found) ; expanded(Segments, [''], Found) ),
        msort(Found, Names)
    ;   Names = [Name]
    ).
home_expanded([~|Cs], Chars) :- ( Cs == [] ; Cs = [/|_] ), getenv('HOME', Home), !, atom_chars(Home, Hs), append(Hs, Cs, Chars).
home_expanded(Chars, Chars).

expanded([], Names, Names).
expanded([Segment|Segments], Folders, Names) :-
    findall(Name, ( member(Folder, Folders), in_folder(Folder, Segment, Name), ( Segments == [] -> true ; exists_directory(Name) ) ), Found),
    expanded(Segments, Found, Names).
in_folder(Folder, Segment, Name) :-
    ( Folder == '' -> Look = '.' ; Look = Folder ),
    catch(directory_files(Look, Files), _, fail),
    member(File, Files), ( sub_atom(File, 0, _, _, '.') -> sub_atom(Segment, 0, _, _, '.') ; true ),
    wildcard_match(Segment, File),
    ( Folder == '' -> Name = File ; Folder == / -> atom_concat(/, File, Name) ; atomic_list_concat([Folder, /, File], Name) ).

is_absolute_file_name(Name) :- atom_string(Atom, Name), sub_atom(Atom, 0, 1, _, First), memberchk(First, [/, ~]).
same_file(A, B) :- A == B, !.
same_file(A, B) :- access_file(A, exist), access_file(B, exist), absolute_file_name(A, C), absolute_file_name(B, C).
prolog_to_os_filename(Name, Name).

% The first name that no file has yet, in the folder that the flag names or, where it names the usual one, the environment.
tmp_file(Base0, Name) :- '$atom_of_text'(Base0, Base), must_be(atomic, Base), tmp_name(Base, '', Name).
tmp_name(Base, Extension, Name) :-
    current_prolog_flag(tmp_dir, Usual),
    ( Usual \== '/tmp' -> Folder = Usual ; getenv('TEMP', Folder) -> true ; getenv('TMP', Folder) -> true ; Folder = Usual ),
    ( nb_current('$tmp_file', From) -> true ; From = 0 ),
    between(From, inf, N),
    atomic_list_concat([Folder, '/rtcheck_', Base, '_', N, Extension], Name),
    \+ exists_file(Name), \+ exists_directory(Name), !,
    Next is N + 1, nb_setval('$tmp_file', Next).
% The first order of arguments was SWI-Prolog's before the other one.
tmp_file_stream(A, B, C) :-
    ( nonvar(A), memberchk(A, [text, binary, utf8, iso_latin_1, octet, ascii]) -> File = B, Stream = C, Encoding = A
    ; File = A, Stream = B, ( memberchk(encoding(Encoding), C) -> true ; Encoding = utf8 ), Options = C
    ),
    ( nonvar(Options), memberchk(extension(E), Options), E \== '' -> atom_concat('.', E, Extension) ; Extension = '' ),
    tmp_name(stream, Extension, File),
    ( Encoding == binary -> Open = [type(binary)]
    ; memberchk(Encoding, [utf8, iso_latin_1, octet, ascii]) -> Open = [encoding(Encoding)]
    ; Open = []
    ),
    catch(open(File, write, Stream, Open), error(domain_error(_, _), _), open(File, write, Stream)).
tmp_file_stream(Stream, Options) :- tmp_file_stream(_, Stream, Options).

% The engine's memory looks after itself.
trim_stacks.
trim_heap.
garbage_collect_clauses.
prompt1(_).

get_flag(Key, Value) :- flag(Key, Value, Value).
set_flag(Key, Value) :-
    must_be(atomic, Key),
    ( var(Value) -> instantiation_error(Value) ; atom(Value) -> true ; number(Value) -> true ; type_error(flag_value, Value) ),
    atomic_list_concat(['$flag ', Key], Name),
    '$share'(Name, Key-Value).

read_clause(Stream, Clause, Options) :- read_term(Stream, Clause, Options).
abolish_module_tables(_) :- abolish_all_tables.

peek_string(Stream, Length, String) :-
    must_be(nonneg, Length), Count is min(Length, 1 << 40),
    '$peek_text'(Stream, Count, Text), '$string_of'(Text, String0),
    String = String0.

% The modules that a module inherits from: user and system, and that of the text around a unit of tests.
import_module(Module, Import) :- '$base_module'(Module, Base), Import = Base.
default_module(Module, Default) :- current_module(Module), chain(Module, Default).
chain(Module, Module).
chain(Module, Default) :- '$base_module'(Module, Base), chain(Base, Default).
add_import_module(Module, Import, _) :- '$set_base_module'(Module, Import).
delete_import_module(Module, Import) :- '$base_module'(Module, Import), '$set_base_module'(Module, user).
set_module(Q) :- '$strip_module'(Q, M, Property), ( Property = base(Base) -> '$set_base_module'(M, Base) ; Property = class(_) -> true ; domain_error(module_property, Property) ).

% UTF-8, both ways.
utf8_codes([C|Cs]) --> utf8_code(C), !, utf8_codes(Cs).
utf8_codes([]) --> [].
utf8_code(C) --> { nonvar(C) }, !, encoded(C).
utf8_code(C) --> [A], ( { A < 0x80 } -> { C = A } ; { A >= 0xC0 }, following(A, C) ).
following(A, C) -->
    (   { A < 0xE0 } -> more(1, A /\ 0x1F, C)
    ;   { A < 0xF0 } -> more(2, A /\ 0x0F, C)
    ;   more(3, A /\ 0x07, C)
    ).
more(0, C0, C) --> !, { C is C0 }.
more(N, C0, C) --> [B], { B /\ 0xC0 =:= 0x80, N1 is N - 1, C1 is (C0 << 6) \/ (B /\ 0x3F) }, more(N1, C1, C).
encoded(C) --> { C < 0x80 }, !, [C].
encoded(C) --> { C < 0x800 }, !, { A is 0xC0 \/ (C >> 6) }, [A], rest(1, C).
encoded(C) --> { C < 0x10000 }, !, { A is 0xE0 \/ (C >> 12) }, [A], rest(2, C).
encoded(C) --> { A is 0xF0 \/ (C >> 18) }, [A], rest(3, C).
rest(0, _) --> !.
rest(N, C) --> { N1 is N - 1, B is 0x80 \/ ((C >> (6 * N1)) /\ 0x3F) }, [B], rest(N1, C).

% Whether there is a text or library of this name; of which path.
exists_source(Spec) :- exists_source(Spec, _).
exists_source(Spec, Path) :-
    (   Spec = library(Name), '$library_exists'(Name) -> Path = Spec
    ;   absolute_file_name(Spec, Path0, [file_type(prolog), access(read), file_errors(fail)]), Path = Path0
    ).

% A program may define what the standard does not anyway; what it does only if it says so.
redefine_system_predicate(M:Head) :-
    must_be(callable, Head),
    functor(Head, Name, Arity),
    ( '$redefine'(M:Head) -> true ; permission_error(redefine, built_in_procedure, Name/Arity) ).
% Predicates are compiled as they are.
compile_predicates(_).

% Whether a functor is evaluable is seen when it is evaluated.
current_arithmetic_function(Head) :-
    must_be(callable, Head),
    functor(Head, Name, Arity), functor(Trial, Name, Arity), Trial =.. [_|Ones], maplist(=(1), Ones),
    catch(( _ is Trial, Formal = known ), error(Formal, _), true),
    Formal \= type_error(evaluable, _).

% There is one dialect.
expects_dialect(Dialect) :- must_be(atom, Dialect).
