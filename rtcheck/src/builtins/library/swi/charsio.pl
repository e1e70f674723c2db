:- module(charsio,
    [format_to_chars/3, format_to_chars/4, write_to_chars/2, write_to_chars/3, atom_to_chars/2, atom_to_chars/3,
     number_to_chars/2, number_to_chars/3, read_from_chars/2, read_term_from_chars/3, with_output_to_chars/2,
     with_output_to_chars/3]).

% SWI-Prolog's library(charsio): the same as library(codesio) by older names; what it calls characters are codes.

:- meta_predicate with_output_to_chars(0, ?), with_output_to_chars(0, ?, ?).

format_to_chars(Format, Args, Codes) :- format(codes(Codes), Format, Args).
format_to_chars(Format, Args, Codes, Tail) :- format(codes(All), Format, Args), append(All, Tail, Codes).
write_to_chars(Term, Codes) :- with_output_to(codes(Codes), write_term(Term, [numbervars(true)])).
write_to_chars(Term, Codes, Tail) :- write_to_chars(Term, All), append(All, Tail, Codes).
atom_to_chars(Atom, Codes) :- atom_codes(Atom, Codes).
atom_to_chars(Atom, Codes, Tail) :- atom_codes(Atom, All), append(All, Tail, Codes).
number_to_chars(Number, Codes) :- number(Number), !, number_codes(Number, Codes).
number_to_chars(Number, _) :- var(Number), !, throw(error(instantiation_error, _)).
number_to_chars(Number, _) :- throw(error(type_error(number, Number), _)).
number_to_chars(Number, Codes, Tail) :- number_to_chars(Number, All), append(All, Tail, Codes).
read_from_chars([], Term) :- !, Term = end_of_file.
read_from_chars(Codes, Term) :- atom_codes(Atom, Codes), term_to_atom(Term, Atom).
read_term_from_chars(Codes, Term, Options) :- atom_codes(Atom, Codes), read_term_from_atom(Atom, Term, Options).
with_output_to_chars(Goal, Codes) :- with_output_to(codes(Codes), Goal).
with_output_to_chars(Goal, Codes, Tail) :- with_output_to(codes(All), Goal), append(All, Tail, Codes).
