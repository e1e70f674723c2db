:- module(lazy_lists,
    [lazy_list/2, lazy_list/3, lazy_list_materialize/1, lazy_list_length/2, lazy_get_codes/4, lazy_read_terms/4, lazy_read_lines/4,
     stream_to_lazy_list/2, lazy_findall/3, lazy_findall/4, lazy_engine_next/4,
     syntax_error//1, lazy_list_location//1, lazy_list_character_count//1]).

% Lists whose next elements are made when somebody looks: the tail is a variable that waits.

:- meta_predicate lazy_list(2, -), lazy_list(3, +, -), lazy_findall(?, 0, -), lazy_findall(+, ?, 0, -).

% call(Next, List, Tail) gives some more elements, and nothing more if Tail is [].
lazy_list(Next, List) :- put_attr(List, lazy_lists, lazy(some(Next), cell(_))).

stream_to_lazy_list(Stream, List) :- lazy_list(lazy_get_codes(Stream, 4096), List).

% call(Next, State0, State, Element) gives one; the list ends where it fails.
lazy_list(Next, State, List) :- put_attr(List, lazy_lists, lazy(one(Next, State), cell(_))).

% A cell is filled at most once, whoever binds the list, and stays filled when the program fails back.
attr_unify_hook(lazy(Next, Cell), Value) :-
    ( Cell = cell(Known), nonvar(Known) -> true ; more(Next, Elements, End), nb_setarg(1, Cell, filled(Elements, End)) ),
    arg(1, Cell, filled(Elements1, End1)),
    (   End1 == end -> Value = Elements1
    ;   following(End1, Next, Following), put_attr(Tail, lazy_lists, Following),
        append(Elements1, Tail, List), Value = List
    ).
following(on(Cell), Next, lazy(Next, Cell)).
following(state(State, Cell), one(Next, _), lazy(one(Next, State), Cell)).

% Some elements, and whether there is an end, or where others will be.
more(one(Next, State0), Elements, End) :-
    ( call(Next, State0, State, Element) -> Elements = [Element], End = state(State, cell(_)) ; Elements = [], End = end ).
more(some(Next), Elements, End) :-
    call(Next, List, Tail),
    ( Tail == [] -> Elements = List, End = end ; up_to(List, Tail, Elements), End = on(cell(_)) ).
up_to(List, Tail, Elements) :- ( List == Tail -> Elements = [] ; List = [X|List1], Elements = [X|Elements1], up_to(List1, Tail, Elements1) ).

attribute_goals(List) --> { get_attr(List, lazy_lists, lazy(Next, _)) },
    ( { Next = one(Goal, State) } -> [lazy_list(Goal, State, List)] ; { Next = some(Goal) }, [lazy_list(Goal, List)] ).

lazy_list_materialize(List) :-
    '$skip_list'(_, List, Tail),
    ( \+ attvar(Tail) -> true ; Tail = [_|Rest] -> lazy_list_materialize(Rest) ; Tail = [] ).

lazy_list_length(List, Length) :-
    lazy_list_materialize(List),
    ( '$skip_list'(Length0, List, []) -> Length = Length0 ; type_error(list, List) ).

% The solutions of a goal, which goes on when somebody looks at more of them.
lazy_findall(Template, Goal, List) :- lazy_findall(1, Template, Goal, List).
lazy_findall(Most, Template, Goal, List) :-
    must_be(positive_integer, Most),
    engine_create(Template, Goal, Engine),
    lazy_list(lazy_engine_next(Engine, Most), List).
lazy_engine_next(Engine, Most, List, Tail) :- some(Most, answer(Engine), List, Tail).

% What streams give, for lazy_list/2: lazy_list(lazy_get_codes(Stream, 100), Codes).
lazy_get_codes(Stream, Most, List, Tail) :- some(Most, code(Stream), List, Tail).
lazy_read_lines(Stream, Options, List, Tail) :-
    ( memberchk(chunk(Most), Options) -> true ; Most = 10 ),
    ( memberchk(as(As), Options) -> true ; As = string ),
    some(Most, line(Stream, As), List, Tail).
lazy_read_terms(Stream, Options, List, Tail) :-
    ( memberchk(chunk(Most), Options) -> true ; Most = 10 ),
    exclude(=(chunk(_)), Options, Reading),
    some(Most, term(Stream, Reading), List, Tail).

some(Left, One, List, Tail) :-
    (   Left =:= 0 -> List = Tail
    ;   one(One, X) -> List = [X|List1], Left1 is Left - 1, some(Left1, One, List1, Tail)
    ;   List = [], Tail = []
    ).
one(answer(Engine), Answer) :- engine_next(Engine, Answer).
one(code(Stream), Code) :- get_code(Stream, Code), Code \== -1.
one(line(Stream, As), Line) :-
    read_line_to_codes(Stream, Codes), Codes \== -1, Codes \== end_of_file, as(As, Codes, Line).
one(term(Stream, Options), Term) :- read_term(Stream, Term, Options), Term \== end_of_file.
as(string, Codes, Line) :- string_codes(Line, Codes).
as(atom, Codes, Line) :- atom_codes(Line, Codes).
as(codes, Codes, Codes).
as(chars, Codes, Line) :- atom_codes(A, Codes), atom_chars(A, Line).

% Where a grammar is, as the context of an error: in the text that phrase_from_file/2 or phrase_from_stream/2 parses, as
% far from the end as the list is long, or so far from the end of any other list.
syntax_error(Error, Here, _) :- location(Here, Location), throw(error(syntax_error(Error), Location)).
lazy_list_location(Location, Here, Here) :- location(Here, Location).
lazy_list_character_count(Count, Here, Here) :-
    ( place(Here, _, _, Count0) -> Count = Count0 ; left(Here, Left), Count = end_of_file-Left ).

location(Here, Location) :-
    (   place(Here, Where, Front, Count) ->
        atom_codes(Front, Codes), position(Codes, 1, 0, Line, Column),
        Where =.. [Kind, Source], Location =.. [Kind, Source, Line, Column, Count]
    ;   left(Here, Left), Location = end_of_file-Left
    ).
left(Here, Left) :- '$skip_list'(Left0, Here, Tail), ( Tail == [] -> Left = Left0 ; type_error(lazy_list, Here) ).

% A text, what of it is in front, and how long that is.
place(Here, Where, Front, Count) :-
    '$skip_list'(Left, Here, Tail),
    (   Tail == [] -> nb_current('$parsed', text(Where, Text)), atom_length(Text, Length), Count is Length - Left, Count >= 0
    ;   get_attr(Tail, lazy_lists, lazy(some(Goal), _)), strip_module(Goal, _, lazy_get_codes(Stream, _)),
        stream_property(Stream, position(Position)), stream_position_data(char_count, Position, Read), Count is Read - Left,
        stream_property(Stream, file_name(File)), Where = file(File), read_file_to_string(File, String, []), atom_string(Text, String)
    ),
    sub_atom(Text, Count, Left, _, Behind), length(Seen, Left), append(Seen, _, Here), !,
    ( Seen = [C|_], atom(C) -> atom_chars(Behind, Seen) ; atom_codes(Behind, Seen) ),
    sub_atom(Text, 0, Count, _, Front).

position([], Line, Column, Line, Column).
position([C|Cs], L0, P0, L, P) :-
    (   C =:= 0'\n -> L1 is L0 + 1, P1 = 0
    ;   C =:= 0'\t -> L1 = L0, P1 is (P0 \/ 7) + 1
    ;   L1 = L0, P1 is P0 + 1
    ),
    position(Cs, L1, P1, L, P).
