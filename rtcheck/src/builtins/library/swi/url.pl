:- module(url,
    [parse_url/2, parse_url/3, parse_url_search/2, is_absolute_url/1, global_url/3, www_form_encode/2, url_iri/2,
     http_location/2, file_name_to_url/2]).

% SWI-Prolog's older library(url): addresses as lists of properties.

parse_url(Url, Parts) :-
    (   nonvar(Url), \+ uri_is_global(Url) -> atom_concat('http://', Url, Whole), parse_url(Whole, Parts)
    ;   nonvar(Url) -> uri_components(Url, Components), attributes(Components, Parts)
    ;   memberchk(protocol(S), Parts),
        location_components(Parts, P, Q, F),
        (   memberchk(host(Host), Parts) ->
            ( memberchk(port(Port0), Parts), \+ default_port(S, Port0) -> Port = Port0 ; true ),
            ( memberchk(user(User), Parts) -> true ; true ),
            uri_authority_components(A, uri_authority(User, _, Host, Port))
        ;   S == file -> A = ''
        ;   true
        ),
        uri_components(Url, uri_components(S, A, P, Q, F))
    ).
parse_url(Url, Base, Parts) :-
    (   nonvar(Url) -> ( is_list(Base) -> parse_url(BaseUrl, Base) ; BaseUrl = Base ), uri_resolve(Url, BaseUrl, Absolute), parse_url(Absolute, Parts)
    ;   parse_url(Url, Parts)
    ).

location_components(Parts, Path, Search, Fragment) :-
    ( memberchk(path(Path0), Parts) -> uri_encoded(path, Path0, Path) ; Path = '' ),
    ( memberchk(search(Pairs), Parts), Pairs \== [] -> uri_query_components(Search, Pairs) ; true ),
    ( memberchk(fragment(Fragment), Parts) -> true ; true ).

attributes(uri_components(S, A, P, Q, F), Parts) :-
    (   nonvar(A), A \== '' -> uri_authority_components(A, uri_authority(User, _, Host, Port))
    ;   true
    ),
    ( P == '' -> Path = / ; uri_encoded(path, Path, P) ),
    (   var(Q) -> true ; uri_query_components(Q, Search) ),
    include(said, [protocol(S), user(User), host(Host), port(Port), path(Path), search(Search), fragment(F)], Parts).
said(Part) :- arg(1, Part, Value), nonvar(Value).

default_port(http, 80).
default_port(https, 443).
default_port(ftp, 21).

parse_url_search(Text, Search) :- ( is_list(Text), Text \== [] -> atom_codes(Atom, Text) ; Text == [] -> Atom = '' ; Atom = Text ), uri_query_components(Atom, Search).
is_absolute_url(Url) :- uri_is_global(Url).
global_url(Url, Base, Global) :- uri_resolve(Url, Base, Global).
url_iri(Url, Iri) :- uri_iri(Url, Iri).
http_location(Parts, Codes) :- location_components(Parts, P, Q, F), uri_components(Atom, uri_components(_, _, P, Q, F)), atom_codes(Atom, Codes).
file_name_to_url(File, Url) :- uri_file_name(Url, File).

% As forms are sent: letters, digits and a few others stay as they are.
www_form_encode(Value, Form) :-
    (   nonvar(Value) -> atom_codes(Value, Codes), phrase(form(Codes), Out), atom_codes(Form, Out)
    ;   uri_encoded(query_value, Value, Form)
    ).
form([]) --> [].
form([C|Cs]) --> { C < 128, ( code_type(C, alnum) ; memberchk(C, [0'-, 0'., 0'_, 0'~]) ) }, !, [C], form(Cs).
form([10|Cs]) --> !, hexed([13, 10]), form(Cs).
form([C|Cs]) --> { phrase(utf8_codes([C]), Bytes) }, hexed(Bytes), form(Cs).
hexed([]) --> [].
hexed([B|Bs]) --> { format(codes(Cs), '%~|~`0t~16r~2+', [B]) }, list(Cs), hexed(Bs).
list([]) --> [].
list([C|Cs]) --> [C], list(Cs).
