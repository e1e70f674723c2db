:- module(uri,
    [uri_components/2, uri_data/3, uri_data/4, uri_is_global/1, uri_encoded/3, uri_query_components/2,
     uri_authority_components/2, uri_authority_data/3, uri_resolve/3, uri_normalized/2, uri_normalized/3,
     uri_normalized_iri/2, uri_normalized_iri/3,
     uri_iri/2, uri_file_name/2]).

% Parts of identifiers of resources, by the grammar of RFC 3986.

uri_components(Uri, Components) :-
    (   nonvar(Uri) ->
        atom_of(Uri, Atom),
        parts(Atom, Scheme, Authority, Path, Search, Fragment),
        Components = uri_components(Scheme, Authority, Path, Search, Fragment)
    ;   nonvar(Components), Components = uri_components(Scheme, Authority, Path, Search, Fragment) ->
        joined([Scheme-':'], S), in_front('//', Authority, A),
        ( var(Path) -> P = '' ; P = Path ),
        in_front(?, Search, Q), in_front(#, Fragment, F),
        atomic_list_concat([S, A, P, Q, F], Uri)
    ;   instantiation_error(Uri)
    ).
joined([Part-After], Text) :- ( var(Part) -> Text = '' ; atom_concat(Part, After, Text) ).
in_front(Before, Part, Text) :- ( var(Part) -> Text = '' ; compound(Part) -> type_error(atom, Part) ; atom_concat(Before, Part, Text) ).
atom_of(Text, Atom) :- ( atom(Text) -> Atom = Text ; atom_string(Atom, Text) ).

parts(Uri, Scheme, Authority, Path, Search, Fragment) :-
    cut(Uri, #, Uri1, Fragment),
    cut(Uri1, ?, Uri2, Search),
    (   sub_atom(Uri2, Before, 1, _, :), sub_atom(Uri2, 0, Before, _, Scheme0), is_scheme(Scheme0) ->
        Scheme = Scheme0, Start is Before + 1, sub_atom(Uri2, Start, _, 0, Uri3)
    ;   Uri3 = Uri2
    ),
    (   atom_concat(//, Rest, Uri3) ->
        ( sub_atom(Rest, End, 1, _, /) -> sub_atom(Rest, 0, End, _, Authority), sub_atom(Rest, End, _, 0, Path) ; Authority = Rest, Path = '' )
    ;   Path = Uri3
    ).
% The text up to a character, and what is behind it if it is there.
cut(Text, Char, Front, Behind) :-
    (   sub_atom(Text, Before, 1, _, Char) -> sub_atom(Text, 0, Before, _, Front), Start is Before + 1, sub_atom(Text, Start, _, 0, Behind)
    ;   Front = Text
    ).
is_scheme(Scheme) :- atom_chars(Scheme, [C|Cs]), char_type(C, alpha), C \== '_', forall(member(D, Cs), ( char_type(D, alnum) ; memberchk(D, [+, -, '.']) )).

uri_data(Name, Components, Data) :- place(Name, I), arg(I, Components, Data).
uri_data(Name, Components, Data, New) :- place(Name, I), functor(Components, F, N), functor(New, F, N), copied(N, I, Components, Data, New).
copied(0, _, _, _, _) :- !.
copied(N, I, Old, Data, New) :- ( N =:= I -> arg(N, New, Data) ; arg(N, Old, A), arg(N, New, A) ), N1 is N - 1, copied(N1, I, Old, Data, New).
place(scheme, 1).
place(authority, 2).
place(path, 3).
place(search, 4).
place(fragment, 5).

% A scheme of one letter would be a drive.
uri_is_global(Uri) :- atom_of(Uri, Atom), sub_atom(Atom, Before, 1, _, :), !, Before > 1, sub_atom(Atom, 0, Before, _, Scheme), is_scheme(Scheme).

uri_encoded(Component, Value, Encoded) :-
    must_be(oneof([query_value, fragment, path, segment]), Component),
    ( nonvar(Value) -> encoded(Component, Value, Encoded) ; nonvar(Encoded) -> decoded(Component, Encoded, Value) ; instantiation_error(Value) ).
encoded(Component, Value, Encoded) :- allowed(Component, Allowed), encoded_text(Value, Allowed, Encoded).
allowed(query_value, "!$'()*,@/?").
allowed(fragment, "!$&'()*+,;=:@/?").
allowed(path, "!$&'()*+,;=@/").
allowed(segment, "!$&'()*+,;=@").
encoded_text(Value, Allowed, Encoded) :-
    atom_codes(Value, Codes), string_codes(Allowed, Others),
    phrase(all_encoded(Codes, Others), Out), atom_codes(Encoded, Out).
all_encoded([], _) --> [].
all_encoded([C|Cs], Others) --> ( { plain(C) ; memberchk(C, Others) } -> [C] ; { phrase(utf8_codes([C]), Bytes) }, hexed(Bytes) ), all_encoded(Cs, Others).
plain(C) :- C < 128, ( code_type(C, alnum) ; memberchk(C, [0'-, 0'., 0'_, 0'~]) ), !.
hexed([]) --> [].
hexed([B|Bs]) --> { format(codes(Cs), '%~|~`0t~16R~2+', [B]) }, list(Cs), hexed(Bs).
list([]) --> [].
list([C|Cs]) --> [C], list(Cs).
decoded(Component, Encoded, Value) :-
    atom_codes(Encoded, Codes), ( Component == query_value -> Plus = true ; Plus = false ),
    unhexed(Codes, Plus, Bytes), ( phrase(utf8_codes(Out), Bytes) -> true ; Out = Bytes ), atom_codes(Value, Out).
unhexed([], _, []).
unhexed([0'%, A, B|Cs], Plus, [Byte|Bytes]) :- code_type(A, xdigit(X)), code_type(B, xdigit(Y)), !, Byte is X * 16 + Y, unhexed(Cs, Plus, Bytes).
unhexed([0'+|Cs], true, [32|Bytes]) :- !, unhexed(Cs, true, Bytes).
unhexed([C|Cs], Plus, Bytes) :- ( C > 127 -> phrase(utf8_codes([C]), Some), append(Some, Rest, Bytes) ; Bytes = [C|Rest] ), unhexed(Cs, Plus, Rest).

uri_query_components(Query, Pairs) :-
    (   nonvar(Query) -> atom_of(Query, Atom), ( Atom == '' -> Pairs = [] ; separated(Atom, Parts), maplist(pair_of, Parts, Pairs) )
    ;   must_be(list, Pairs), maplist(part_of, Pairs, Parts), atomic_list_concat(Parts, &, Query)
    ).
separated(Atom, Parts) :- atom_codes(Atom, Codes), split_string(Atom, "&;", "", Strings), maplist([S, A]>>atom_string(A, S), Strings, Parts), Codes \== [].
pair_of(Part, Name = Value) :-
    cut(Part, =, Name0, Value0), ( var(Value0) -> Value0 = '' ; true ),
    decoded(query_value, Name0, Name), decoded(query_value, Value0, Value).
part_of(Pair, Part) :-
    ( Pair = (Name = Value) -> true ; Pair = Name-Value -> true ; Pair =.. [Name, Value] -> true ; type_error(name_value, Pair) ),
    encoded(query_value, Name, N), encoded(query_value, Value, V), atomic_list_concat([N, =, V], Part).

uri_authority_components(Authority, Components) :-
    (   nonvar(Authority) ->
        atom_of(Authority, Atom),
        (   last_at(Atom, Before) -> sub_atom(Atom, 0, Before, _, Login), Start is Before + 1, sub_atom(Atom, Start, _, 0, Place), cut(Login, :, User, Password)
        ;   Place = Atom
        ),
        (   sub_atom(Place, Colon, 1, _, :), P is Colon + 1, sub_atom(Place, P, _, 0, PortText), \+ sub_atom(PortText, _, _, _, :), \+ sub_atom(PortText, _, _, _, ']') ->
            sub_atom(Place, 0, Colon, _, Host0),
            ( PortText == '' -> true ; catch(atom_number(PortText, Port0), _, fail) -> Port = Port0 ; Port = PortText )
        ;   Host0 = Place
        ),
        ( Host0 == '' -> true ; Host = Host0 ),
        Components = uri_authority(User, Password, Host, Port)
    ;   Components = uri_authority(User, Password, Host, Port),
        ( var(User) -> L = '' ; var(Password) -> atom_concat(User, @, L) ; atomic_list_concat([User, :, Password, @], L) ),
        ( var(Host) -> H = '' ; H = Host ),
        ( var(Port) -> Q = '' ; atom_concat(:, Port, Q) ),
        atomic_list_concat([L, H, Q], Authority)
    ).
last_at(Atom, Before) :- findall(B, sub_atom(Atom, B, 1, _, @), Bs), last(Bs, Before).
uri_authority_data(Name, Components, Data) :-
    ( var(Components) -> functor(Components, uri_authority, 4) ; true ),
    nth1(I, [user, password, host, port], Name), !, arg(I, Components, Data).

% RFC 3986, 5.2.
uri_resolve(Relative, Base, Absolute) :-
    uri_components(Relative, uri_components(S, A, P, Q, F)),
    uri_components(Base, uri_components(S0, A0, P0, Q0, _)),
    (   nonvar(S) -> T = uri_components(S, A, P1, Q, F), no_dots(P, P1)
    ;   nonvar(A) -> T = uri_components(S0, A, P1, Q, F), no_dots(P, P1)
    ;   P == '' -> ( nonvar(Q) -> Q1 = Q ; Q1 = Q0 ), T = uri_components(S0, A0, P0, Q1, F)
    ;   sub_atom(P, 0, _, _, /) -> no_dots(P, P1), T = uri_components(S0, A0, P1, Q, F)
    ;   merged(A0, P0, P, P2), no_dots(P2, P1), T = uri_components(S0, A0, P1, Q, F)
    ),
    plain_text(T, Absolute).
plain_text(uri_components(S, A, P, Q, F), Uri) :-
    joined([S-':'], S1), in_front('//', A, A1), in_front(?, Q, Q1), in_front(#, F, F1), atomic_list_concat([S1, A1, P, Q1, F1], Uri).
merged(A0, '', P, P2) :- nonvar(A0), !, atom_concat(/, P, P2).
merged(_, P0, P, P2) :- atomic_list_concat(Parts, /, P0), append(Front, [_], Parts), append(Front, [P], All), atomic_list_concat(All, /, P2).
no_dots(Path, Result) :-
    atomic_list_concat(Parts, /, Path),
    ( Parts = [''|Below] -> Root = [''] ; Below = Parts, Root = [] ),
    dotless(Below, [], Kept), append(Root, Kept, All), atomic_list_concat(All, /, Result).
dotless([], Back, Parts) :- reverse(Back, Parts).
dotless([P|Ps], Back, Parts) :-
    (   P == '.' -> ( Ps == [] -> dotless([''], Back, Parts) ; dotless(Ps, Back, Parts) )
    ;   P == '..' -> ( Back = [_|Back1] -> true ; Back1 = [] ), ( Ps == [] -> dotless([''], Back1, Parts) ; dotless(Ps, Back1, Parts) )
    ;   dotless(Ps, [P|Back], Parts)
    ).

uri_normalized(Uri, Normalized) :-
    uri_components(Uri, uri_components(S, A, P, Q, F)),
    ( var(S) -> true ; downcase_atom(S, S1) ), ( var(A) -> true ; downcase_atom(A, A1) ),
    escaped(P, P1), no_dots(P1, P2), escaped(Q, Q1), escaped(F, F1),
    plain_text(uri_components(S1, A1, P2, Q1, F1), Normalized).
uri_normalized(Uri, Base, Normalized) :- uri_resolve(Uri, Base, Absolute), uri_normalized(Absolute, Normalized).

% The same with characters that are not of ASCII as they are.
uri_normalized_iri(Uri, Normalized) :- uri_normalized(Uri, Ascii), uri_iri(Ascii, Normalized).
uri_normalized_iri(Uri, Base, Normalized) :- uri_normalized(Uri, Base, Ascii), uri_iri(Ascii, Normalized).

% What is escaped although it need not be is not, and what must be is, in capital letters (RFC 3986, 6.2.2).
escaped(Part, _) :- var(Part), !.
escaped(Part, Escaped) :- atom_codes(Part, Codes), phrase(all_escaped(Codes), Out), atom_codes(Escaped, Out).
all_escaped([]) --> [].
all_escaped([0'%, A, B|Cs]) -->
    { code_type(A, xdigit(X)), code_type(B, xdigit(Y)) }, !,
    { Byte is X * 16 + Y }, ( { unreserved(Byte) } -> [Byte] ; hexed([Byte]) ), all_escaped(Cs).
all_escaped([C|Cs]) --> ( { unreserved(C) ; memberchk(C, `!$&'()*+,;=:@/?[]`) } -> [C] ; { phrase(utf8_codes([C]), Bytes) }, hexed(Bytes) ), all_escaped(Cs).
unreserved(C) :- C < 128, ( code_type(C, alnum) ; memberchk(C, `-._~`) ), !.

% An identifier with other characters than those of ASCII, and without.
uri_iri(Uri, Iri) :-
    (   nonvar(Iri) -> atom_codes(Iri, Codes), phrase(ascii(Codes), Out), atom_codes(Uri, Out)
    ;   atom_codes(Uri, Codes), foreign(Codes, Out), atom_codes(Iri, Out)
    ).
ascii([]) --> [].
ascii([C|Cs]) --> ( { C < 128, C > 32 } -> [C] ; { phrase(utf8_codes([C]), Bytes) }, hexed(Bytes) ), ascii(Cs).
foreign([], []).
foreign(Codes, Out) :- bytes(Codes, Bytes, Rest), Bytes \== [], phrase(utf8_codes(Cs), Bytes), !, append(Cs, Out1, Out), foreign(Rest, Out1).
foreign([C|Cs], [C|Out]) :- foreign(Cs, Out).
bytes([0'%, A, B|Cs], [Byte|Bytes], Rest) :- code_type(A, xdigit(X)), code_type(B, xdigit(Y)), Byte is X * 16 + Y, Byte >= 128, !, bytes(Cs, Bytes, Rest).
bytes(Rest, [], Rest).

uri_file_name(Uri, File) :-
    (   nonvar(Uri) -> uri_components(Uri, uri_components(Scheme, Authority, Path, _, _)), Scheme == file,
        ( var(Authority) ; Authority == '' ; Authority == localhost ), !, decoded(path, Path, File)
    ;   absolute_file_name(File, Absolute), encoded(path, Absolute, Path), atom_concat('file://', Path, Uri)
    ).
