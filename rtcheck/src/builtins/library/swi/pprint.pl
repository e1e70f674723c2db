:- module(pprint, [print_term/2]).

% SWI-Prolog's library(pprint): terms over several lines where one is too short. Arguments stand below each other, behind
% the name; the elements of a list behind its bracket.

print_term(Term, Options) :-
    ( memberchk(output(Stream), Options) -> true ; current_output(Stream) ),
    ( memberchk(right_margin(Margin), Options) -> true ; Margin = 72 ),
    ( memberchk(left_margin(Left), Options), integer(Left) -> true ; Left = 0 ),
    ( memberchk(write_options(Write), Options) -> true ; Write = [numbervars(true), quoted(true), portray(true)] ),
    laid_out(Term, Left, 0, Margin, Write, Stream).

% Printed from a column on, with so many characters to come behind it.
laid_out(Term, Column, Behind, Margin, Write, Stream) :-
    with_output_to(codes(Codes), write_term(Term, Write)),
    length(Codes, Length),
    ( ( Column + Length + Behind =< Margin ; \+ compound(Term) ) -> format(Stream, '~s', [Codes])
    ; Term = [_|_] ->
        write(Stream, '[ '), Inner is Column + 2,
        elements(Term, Inner, Margin, Write, Stream),
        nl(Stream), spaces(Column, Stream), write(Stream, ']')
    ; compound_name_arguments(Term, Name, Args),
        with_output_to(codes(NameCodes), writeq(Name)),
        format(Stream, '~s(', [NameCodes]),
        length(NameCodes, Width), Inner is Column + Width + 1,
        arguments(Args, Inner, Behind, Margin, Write, Stream)
    ).

elements([X|Xs], Column, Margin, Write, Stream) :-
    laid_out(X, Column, 1, Margin, Write, Stream),
    ( var(Xs) -> rest(Xs, Column, Margin, Write, Stream)
    ; Xs == [] -> true
    ; Xs = [_|_] -> write(Stream, ','), nl(Stream), spaces(Column, Stream), elements(Xs, Column, Margin, Write, Stream)
    ; rest(Xs, Column, Margin, Write, Stream)
    ).

rest(Tail, Column, Margin, Write, Stream) :-
    nl(Stream), Bar is Column - 2, spaces(Bar, Stream), write(Stream, '| '),
    laid_out(Tail, Column, 0, Margin, Write, Stream).

arguments([A], Column, Behind, Margin, Write, Stream) :- !,
    More is Behind + 1, laid_out(A, Column, More, Margin, Write, Stream), write(Stream, ')').
arguments([A|As], Column, Behind, Margin, Write, Stream) :-
    laid_out(A, Column, 1, Margin, Write, Stream),
    write(Stream, ','), nl(Stream), spaces(Column, Stream),
    arguments(As, Column, Behind, Margin, Write, Stream).

spaces(N, Stream) :- forall(between(1, N, _), put_char(Stream, ' ')).
