:- module(codesio,
    [format_to_codes/3, format_to_codes/4, write_to_codes/2, write_to_codes/3, write_term_to_codes/3,
     write_term_to_codes/4, open_codes_stream/2, read_from_codes/2, read_term_from_codes/3, with_output_to_codes/2,
     with_output_to_codes/3]).

% SWI-Prolog's library(codesio): reading from and writing to lists of codes.

:- meta_predicate with_output_to_codes(0, ?), with_output_to_codes(0, ?, ?).

open_codes_stream(Codes, Stream) :- must_be(list, Codes), open_string(Codes, Stream).
format_to_codes(Format, Args, Codes) :- format(codes(Codes), Format, Args).
format_to_codes(Format, Args, Codes, Tail) :- format(codes(All), Format, Args), append(All, Tail, Codes).
write_to_codes(Term, Codes) :- write_term_to_codes(Term, Codes, [numbervars(true)]).
write_to_codes(Term, Codes, Tail) :- write_to_codes(Term, All), append(All, Tail, Codes).
write_term_to_codes(Term, Codes, Options) :- with_output_to(codes(Codes), write_term(Term, Options)).
write_term_to_codes(Term, Codes, Tail, Options) :- write_term_to_codes(Term, All, Options), append(All, Tail, Codes).
read_from_codes(Codes, Term) :- atom_codes(Atom, Codes), term_to_atom(Term, Atom).
read_term_from_codes(Codes, Term, Options) :- atom_codes(Atom, Codes), read_term_from_atom(Atom, Term, Options).
with_output_to_codes(Goal, Codes) :- with_output_to(codes(Codes), Goal).
with_output_to_codes(Goal, Codes, Tail) :- with_output_to(codes(All), Goal), append(All, Tail, Codes).
