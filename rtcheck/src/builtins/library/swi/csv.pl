:- module(csv,
    [csv//1, csv//2, csv_read_file/2, csv_read_file/3, csv_read_file_row/3, csv_read_stream/3, csv_read_row/3, csv_options/2,
     csv_write_file/2, csv_write_file/3, csv_write_stream/3]).

% SWI-Prolog's library(csv): rows of comma-separated values (RFC 4180) to and from terms. Codes are read once.

csv(Rows) --> csv(Rows, []).

csv(Rows, Options) -->
    { csv_options(Form, Options) },
    ( { var(Rows) } -> rows(Rows, Form, Form) ; written(Rows, Form) ).

% form(Separator, Convert, Functor, Arity, Match, Strip, Case, Quotes): the arity is bound by the first row where rows must match.
csv_options(form(Separator, Convert, Functor, Arity, Match, Strip, Case, Quotes), Options) :-
    wanted(separator(Separator), Options, 0',),
    wanted(convert(Convert), Options, true),
    wanted(functor(Functor), Options, row),
    ( memberchk(arity(Arity), Options) -> true ; true ),
    wanted(match_arity(Match), Options, true),
    wanted(strip(Strip), Options, false),
    wanted(case(Case), Options, preserve),
    ( memberchk(ignore_quotes(true), Options) -> Quotes = text ; Quotes = quotes ).

wanted(Option, Options, Default) :- ( memberchk(Option, Options) -> true ; arg(1, Option, Default) ).

rows([], _, _, [], []) :- !.
rows([Row|Rows], Form, _) -->
    fields(Fields, Form),
    { row(Fields, Form, Row) },
    rows(Rows, Form, Form).

row(Fields, form(_, _, Functor, Arity, Match, _, _, _), Row) :-
    length(Fields, Count),
    ( Match == false -> true
    ; Arity = Count -> true
    ; throw(error(domain_error(row_arity(Arity), Count), _))
    ),
    Row =.. [Functor|Fields].

fields([Field|Fields], Form) -->
    field(Field, Form),
    ( separator(Form) -> fields(Fields, Form) ; end_of_row, { Fields = [] } ).

separator(form(Separator, _, _, _, _, _, _, _)) --> [Separator].

end_of_row --> [0'\r, 0'\n], !.
end_of_row --> [0'\n], !.
end_of_row --> [0'\r], !.
end_of_row, [] --> [].

field(Value, Form) -->
    { Form = form(_, Convert, _, _, _, Strip, Case, Quotes) },
    ( { Strip == true } -> blanks(Form) ; [] ),
    ( { Quotes == quotes }, [0'"] -> quoted(Codes), ( { Strip == true } -> blanks(Form) ; [] ) ; plain(Codes0, Form), { trimmed(Strip, Codes0, Codes) } ),
    { value(Convert, Case, Codes, Value) }.

blanks(Form) --> [C], { memberchk(C, [0' , 0'\t]), Form \= form(C, _, _, _, _, _, _, _) }, !, blanks(Form).
blanks(_) --> [].

quoted([0'"|Codes]) --> [0'", 0'"], !, quoted(Codes).
quoted([]) --> [0'"], !.
quoted([C|Codes]) --> [C], !, quoted(Codes).
quoted(_) --> { throw(error(syntax_error(end_of_file_in_quoted(string)), _)) }.

plain([C|Codes], Form) --> [C], { \+ memberchk(C, [0'\n, 0'\r]), Form \= form(C, _, _, _, _, _, _, _) }, !, plain(Codes, Form).
plain([], _) --> [].

trimmed(true, Codes0, Codes) :- !, reverse(Codes0, Reversed0), dropped(Reversed0, Reversed), reverse(Reversed, Codes).
trimmed(_, Codes, Codes).

dropped([C|Cs], Rest) :- memberchk(C, [0' , 0'\t]), !, dropped(Cs, Rest).
dropped(Rest, Rest).

value(true, _, Codes, Value) :- Codes = [C|_], C > 0' , catch(number_codes(Value, Codes), error(syntax_error(_), _), fail), !.
value(_, Case, Codes, Value) :-
    atom_codes(Atom, Codes),
    ( Case == up -> upcase_atom(Atom, Value) ; Case == down -> downcase_atom(Atom, Value) ; Value = Atom ).

written([], _) --> [].
written([Row|Rows], Form) --> { Row =.. [_|Fields] }, written_fields(Fields, Form), [0'\r, 0'\n], written(Rows, Form).

written_fields([], _) --> [].
written_fields([Field|Fields], Form) --> written_field(Field, Form), written_more(Fields, Form).

written_more([], _) --> [].
written_more([Field|Fields], Form) --> separator(Form), written_field(Field, Form), written_more(Fields, Form).

written_field(Field, Form) -->
    { format(codes(Codes), '~w', [Field]), Form = form(Separator, _, _, _, _, _, _, _) },
    ( { member(C, Codes), memberchk(C, [Separator, 0'", 0'\n, 0'\r]) } -> [0'"], doubled(Codes), [0'"] ; codes(Codes) ).

codes([]) --> [].
codes([C|Cs]) --> [C], codes(Cs).

doubled([]) --> [].
doubled([0'"|Cs]) --> !, [0'", 0'"], doubled(Cs).
doubled([C|Cs]) --> [C], doubled(Cs).

csv_read_file(File, Rows) :- csv_read_file(File, Rows, []).

csv_read_file(File, Rows, Options) :-
    separated(File, Options, Options1),
    opening(Options, Opening),
    setup_call_cleanup(open(File, read, Stream, Opening), csv_read_stream(Stream, Rows, Options1), close(Stream)).

% Tabs separate in a file whose name says so.
separated(File, Options0, Options) :-
    ( memberchk(separator(_), Options0) -> Options = Options0
    ; file_name_extension(_, tsv, File) -> Options = [separator(0'\t)|Options0]
    ; Options = Options0
    ).

opening(Options, Opening) :- ( memberchk(encoding(Encoding), Options) -> Opening = [encoding(Encoding)] ; Opening = [] ).

% A row for each answer; with line(N), and that is the line it begins in.
csv_read_file_row(File, Row, Options) :-
    separated(File, Options, Options1),
    csv_options(Form0, Options1),
    ( memberchk(match_arity(_), Options) -> Form = Form0 ; any_arity(Form0, Form) ),
    opening(Options, Opening),
    setup_call_cleanup(open(File, read, Stream, Opening), row_of(Stream, Row, Form, Options), close(Stream)).

% Rows of one file may differ unless it is said that they must not.
any_arity(form(Separator, Convert, Functor, _, _, Strip, Case, Quotes),
    form(Separator, Convert, Functor, _, false, Strip, Case, Quotes)).

row_of(Stream, Row, Form, Options) :-
    ( memberchk(skip_header(Lead), Options) -> atom_string(Lead, Text), atom_length(Text, Length), skip_header(Stream, Text, Length) ; true ),
    repeat,
    ( at_end_of_stream(Stream) -> !, fail ; true ),
    line_count(Stream, Line),
    csv_read_row(Stream, Found, Form),
    ( memberchk(line(Line0), Options) -> Line0 = Line ; true ),
    Row = Found.

skip_header(Stream, Text, Length) :-
    ( peek_string(Stream, Length, Text0), Text0 == Text -> read_line_to_codes(Stream, _), skip_header(Stream, Text, Length) ; true ).

csv_read_stream(Stream, Rows, Options) :-
    read_stream_to_codes(Stream, Codes0),
    ( memberchk(skip_lines(Count), Options) -> without_lines(Count, Codes0, Codes1) ; Codes1 = Codes0 ),
    ( memberchk(skip_header(Lead), Options) -> atom_codes(Lead, Start), without_header(Start, Codes1, Codes) ; Codes = Codes1 ),
    csv_options(Form, Options),
    phrase(rows(Rows, Form, Form), Codes).

without_lines(0, Codes, Codes) :- !.
without_lines(N, Codes, Rest) :-
    ( append(_, [0'\n|Codes1], Codes) -> N1 is N - 1, without_lines(N1, Codes1, Rest) ; Rest = [] ).

% The lines at the head that begin with some text.
without_header(Start, Codes, Rest) :-
    ( append(Start, _, Codes) -> without_lines(1, Codes, Codes1), without_header(Start, Codes1, Rest) ; Rest = Codes ).

csv_read_row(Stream, Row, Form) :-
    ( at_end_of_stream(Stream) -> Row = end_of_file
    ; arg(8, Form, Quotes), row_codes(Stream, outside, Quotes, Codes), phrase(fields(Fields, Form), Codes, _), row(Fields, Form, Row)
    ).

% The codes of one row: a line end within quotes is part of it.
row_codes(Stream, State, Quotes, Codes) :-
    get_code(Stream, C),
    ( C =:= -1 -> Codes = []
    ; C =:= 0'\n, State == outside -> Codes = [C]
    ; Codes = [C|Rest],
      ( C =:= 0'", Quotes == quotes -> other(State, State1) ; State1 = State ),
      row_codes(Stream, State1, Quotes, Rest)
    ).

other(outside, inside).
other(inside, outside).

csv_write_file(File, Rows) :- csv_write_file(File, Rows, []).

csv_write_file(File, Rows, Options) :-
    separated(File, Options, Options1),
    opening(Options, Opening),
    setup_call_cleanup(open(File, write, Stream, Opening), csv_write_stream(Stream, Rows, Options1), close(Stream)).

csv_write_stream(Stream, Rows, Options) :-
    csv_options(Form, Options),
    phrase(written(Rows, Form), Codes),
    format(Stream, '~s', [Codes]).
