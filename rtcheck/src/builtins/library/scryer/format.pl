:- module(more_format, [format_//2, portray_clause_//1]).

% What format/2 and portray_clause/1 write, as grammars over characters.

format_(Format, Arguments, Chars, Rest) :- format(chars(Text), Format, Arguments), append(Text, Rest, Chars).
portray_clause_(Clause, Chars, Rest) :- with_output_to(chars(Text), portray_clause(Clause)), append(Text, Rest, Chars).
