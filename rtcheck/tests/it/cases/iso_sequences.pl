% Assertions of ISO conformity in Ciao's notation, most of them goals of more than one step: streams with every property,
% texts that are read, terms that are written, the database while it is searched, control inside control. What each gives
% is what the standard says, and GNU Prolog or SWI-Prolog gives too.
:- module(_, _, [assertions, nativeprops, unittestdecls]).
:- set_prolog_flag(double_quotes, codes).
txt(A) :- open('t.tmp', write, S), write(S, A), close(S).
bin(Bs) :- open('t.tmp', write, S, [type(binary)]), puts(Bs, S), close(S).
puts([], _).
puts([B|Bs], S) :- put_byte(S, B), puts(Bs, S).
in(A, Os, S) :- txt(A), open('t.tmp', read, S, Os).
inb(A, Os, S) :- bin(A), open('t.tmp', read, S, [type(binary)|Os]).
out(Os, S) :- open('o.tmp', write, S, Os).
back(A) :- open('o.tmp', read, S), get_char(S, C), rest(C, S, Cs), close(S), atom_chars(A, Cs).
rest(end_of_file, _, []) :- !.
rest(C, S, [C|Cs]) :- get_char(S, D), rest(D, S, Cs).
rd(A, T) :- in(A, [], S), catch(read(S, T0), E, ( close(S), throw(E) )), close(S), T = T0.
wr(T, A) :- out([], S), writeq(S, T), close(S), back(A).
wrt(T, Os, A) :- out([], S), catch(write_term(S, T, Os), E, (close(S), throw(E))), close(S), back(A).
closed(S) :- in('', [], S), close(S).
member_(X, [X|_]).
member_(X, [_|Xs]) :- member_(X, Xs).
safe(S, G) :- catch(G, E, ( catch(close(S), _, true), throw(E) )), close(S).
:- dynamic(d/1).
:- dynamic(e/2).
d(1). d(2). d(3).
e(1, a). e(2, b).
% Equal up to the names of variables.
same(A, B) :- subsumes_term(A, B), subsumes_term(B, A).

% 8.11 to 8.14 streams
:- test s1_12 + not_fails.
s1_12 :- once((in('', [], _S), safe(_S, (peek_char(_S, A), stream_property(_S, end_of_stream(B)), get_char(_S, C), stream_property(_S, end_of_stream(D)))))), same([A,B,C,D], [end_of_file,at,end_of_file,past]).
:- test s1_13 + not_fails.
s1_13 :- once((in(a, [], _S), safe(_S, (stream_property(_S, end_of_stream(B)), get_char(_S, C), stream_property(_S, end_of_stream(D)))))), same([B,C,D], [not,a,at]).
:- test s1_14 + not_fails.
s1_14 :- once((in(a, [eof_action(error)], _S), safe(_S, (get_char(_S, A), get_char(_S, B), stream_property(_S, end_of_stream(C)), catch(get_char(_S, _), error(permission_error(X, Y, _), _), true))))), same([A,B,C,X,Y], [a,end_of_file,past,input,past_end_of_stream]).
:- test s1_15 + not_fails.
s1_15 :- once((in(a, [eof_action(error)], _S), safe(_S, (get_char(_S, A), get_char(_S, B), catch(peek_char(_S, _), error(permission_error(X, Y, _), _), true))))), same([A,B,X,Y], [a,end_of_file,input,past_end_of_stream]).
:- test s1_16 + not_fails.
s1_16 :- once((in(a, [eof_action(eof_code)], _S), safe(_S, (get_char(_S, A), get_char(_S, B), get_char(_S, C), peek_char(_S, D))))), same([A,B,C,D], [a,end_of_file,end_of_file,end_of_file]).
:- test s1_17 + not_fails.
s1_17 :- once((in(a, [eof_action(reset)], _S), safe(_S, (get_char(_S, A), get_char(_S, B), get_char(_S, C))))), same([A,B,C], [a,end_of_file,end_of_file]).
:- test s1_18 + not_fails.
s1_18 :- once((in(a, [], _S), safe(_S, (stream_property(_S, mode(M)), stream_property(_S, type(T)))))), same([M,T], [read,text]).
:- test s1_19 + not_fails.
s1_19 :- once((in(a, [], _S), safe(_S, stream_property(_S, input)))).
:- test s1_20 + fails.
s1_20 :- in(a, [], _S), safe(_S, stream_property(_S, output)).
:- test s1_21 + not_fails.
s1_21 :- once((out([], _S), safe(_S, (stream_property(_S, mode(M)), stream_property(_S, output))))), same([M], [write]).
:- test s1_23 + not_fails.
s1_23 :- once((out([alias(al)], _S), safe(_S, catch(open('u.tmp', write, _, [alias(al)]), error(E, _), true)))), same([E], [permission_error(open,source_sink,alias(al))]).
:- test s1_24 + not_fails.
s1_24 :- once((in(abc, [reposition(true)], _S), safe(_S, (get_char(_S, _), stream_property(_S, position(_P)), get_char(_S, A), get_char(_S, B), set_stream_position(_S, _P), get_char(_S, C))))), same([A,B,C], [b,c,b]).
:- test s1_25 + not_fails.
s1_25 :- once((in(abc, [reposition(true)], _S), safe(_S, stream_property(_S, reposition(B))))), same([B], [true]).
:- test s1_26 + not_fails.
s1_26 :- once((in(abc, [], _S), safe(_S, catch(set_stream_position(_S, foo), error(E, _), true)))), same([E], [domain_error(stream_position,foo)]).
:- test s1_27 + not_fails.
s1_27 :- once((in(abc, [], _S), safe(_S, catch(put_char(_S, a), error(permission_error(A, B, _), _), true)))), same([A,B], [output,stream]).
:- test s1_28 + not_fails.
s1_28 :- once((in(abc, [], _S), safe(_S, catch(write(_S, a), error(permission_error(A, B, _), _), true)))), same([A,B], [output,stream]).
:- test s1_29 + not_fails.
s1_29 :- once((in(abc, [], _S), safe(_S, catch(nl(_S), error(permission_error(A, B, _), _), true)))), same([A,B], [output,stream]).
:- test s1_30 + not_fails.
s1_30 :- once((in(abc, [], _S), safe(_S, catch(put_byte(_S, 1), error(permission_error(A, B, _), _), true)))), same([A,B], [output,stream]).
:- test s1_31 + not_fails.
s1_31 :- once((in(abc, [], _S), safe(_S, catch(get_byte(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,text_stream]).
:- test s1_32 + not_fails.
s1_32 :- once((in(abc, [], _S), safe(_S, catch(peek_byte(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,text_stream]).
:- test s1_33 + not_fails.
s1_33 :- once((in(abc, [], _S), safe(_S, catch(flush_output(_S), error(permission_error(A, B, _), _), true)))), same([A,B], [output,stream]).
:- test s1_34 + not_fails.
s1_34 :- once((inb([1,2], [], _S), safe(_S, (get_byte(_S, A), peek_byte(_S, B), get_byte(_S, C), get_byte(_S, D), stream_property(_S, end_of_stream(F)))))), same([A,B,C,D,F], [1,2,2,-1,past]).
:- test s1_35 + not_fails.
s1_35 :- once((inb([1,2], [], _S), safe(_S, catch(get_char(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,binary_stream]).
:- test s1_36 + not_fails.
s1_36 :- once((inb([1,2], [], _S), safe(_S, catch(peek_char(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,binary_stream]).
:- test s1_37 + not_fails.
s1_37 :- once((inb([1,2], [], _S), safe(_S, catch(get_code(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,binary_stream]).
:- test s1_38 + not_fails.
s1_38 :- once((inb([1,2], [], _S), safe(_S, catch(read(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,binary_stream]).
:- test s1_39 + not_fails.
s1_39 :- once((inb([1,2], [], _S), safe(_S, catch(read_term(_S, _, []), error(permission_error(A, B, _), _), true)))), same([A,B], [input,binary_stream]).
:- test s1_40 + not_fails.
s1_40 :- once((inb([1,2], [], _S), safe(_S, catch(get_byte(_S, a), error(E, _), true)))), same([E], [type_error(in_byte,a)]).
:- test s1_41 + not_fails.
s1_41 :- once((inb([1,2], [], _S), safe(_S, catch(get_byte(_S, 256), error(E, _), true)))), same([E], [type_error(in_byte,256)]).
:- test s1_42 + fails.
s1_42 :- inb([1,2], [], _S), safe(_S, get_byte(_S, 2)).
:- test s1_43 + not_fails.
s1_43 :- once((inb([], [], _S), safe(_S, get_byte(_S, -1)))).
:- test s1_44 + not_fails.
s1_44 :- once((inb([], [eof_action(error)], _S), safe(_S, (get_byte(_S, A), catch(get_byte(_S, _), error(permission_error(X, Y, _), _), true))))), same([A,X,Y], [-1,input,past_end_of_stream]).
:- test s1_45 + not_fails.
s1_45 :- once((out([type(binary)], _S), safe(_S, catch(put_char(_S, a), error(permission_error(A, B, _), _), true)))), same([A,B], [output,binary_stream]).
:- test s1_46 + not_fails.
s1_46 :- once((out([type(binary)], _S), safe(_S, catch(nl(_S), error(permission_error(A, B, _), _), true)))), same([A,B], [output,binary_stream]).
:- test s1_47 + not_fails.
s1_47 :- once((out([type(binary)], _S), safe(_S, catch(write(_S, a), error(permission_error(A, B, _), _), true)))), same([A,B], [output,binary_stream]).
:- test s1_48 + not_fails.
s1_48 :- once((out([type(binary)], _S), safe(_S, catch(write_term(_S, a, []), error(permission_error(A, B, _), _), true)))), same([A,B], [output,binary_stream]).
:- test s1_49 + not_fails.
s1_49 :- once((out([type(binary)], _S), safe(_S, catch(put_code(_S, 65), error(permission_error(A, B, _), _), true)))), same([A,B], [output,binary_stream]).
:- test s1_50 + not_fails.
s1_50 :- once((out([], _S), safe(_S, catch(get_char(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,stream]).
:- test s1_51 + not_fails.
s1_51 :- once((out([], _S), safe(_S, catch(get_byte(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,stream]).
:- test s1_52 + not_fails.
s1_52 :- once((out([], _S), safe(_S, catch(read(_S, _), error(permission_error(A, B, _), _), true)))), same([A,B], [input,stream]).
:- test s1_53 + not_fails.
s1_53 :- once((out([], _S), safe(_S, catch(put_byte(_S, 1), error(permission_error(A, B, _), _), true)))), same([A,B], [output,text_stream]).
:- test s1_55 + not_fails.
s1_55 :- once((out([], _S), put_char(_S, x), close(_S), open('o.tmp', append, _T), put_char(_T, y), close(_T), back(A))), same([A], [xy]).
:- test s1_56 + not_fails.
s1_56 :- once((in(abc, [], _S), set_input(_S), get_char(A), peek_char(B), close(_S), current_input(_C), stream_property(_C, alias(X)))), same([A,B,X], [a,b,user_input]).
:- test s1_57 + not_fails.
s1_57 :- once((out([], _S), set_output(_S), put_char(z), close(_S), current_output(_C), stream_property(_C, alias(X)), back(A))), same([X,A], [user_output,z]).
:- test s1_58 + not_fails.
s1_58 :- once((in('foo. bar(X,Y,X). "end"', [], _S), safe(_S, (read(_S, A), read_term(_S, _B, [variables(_V), variable_names(N), singletons(_G)]), length(_V, L), length(_G, K), catch(read(_S, _), error(syntax_error(_), _), E = syntax))))), same([A,N,L,K,E], [foo,['X'=VA,'Y'=VB],2,1,syntax]).
:- test s1_59 + not_fails.
s1_59 :- once((in('', [], _S), safe(_S, (read(_S, A), at_end_of_stream(_S))))), same([A], [end_of_file]).
:- test s1_60 + not_fails.
s1_60 :- once((in('', [eof_action(error)], _S), safe(_S, (read(_S, A), catch(read(_S, _), error(permission_error(X, Y, _), _), true))))), same([A,X,Y], [end_of_file,input,past_end_of_stream]).
:- test s1_61 + not_fails.
s1_61 :- once((in('foo', [], _S), safe(_S, catch(read(_S, _), error(syntax_error(_), _), E = syntax)))), same([E], [syntax]).
:- test s1_62 + not_fails.
s1_62 :- once((in('foo bar. baz.', [], _S), safe(_S, (catch(read(_S, _), error(syntax_error(_), _), E = syntax), read(_S, A))))), same([E,A], [syntax,baz]).
:- test s1_63 + not_fails.
s1_63 :- once((in('a.b', [], _S), safe(_S, catch(read(_S, X), error(syntax_error(_), _), E = syntax)))), same([X,E], [VA,syntax]).
:- test s1_64 + not_fails.
s1_64 :- once((in('% c\na. /* x */ b.%e\n', [], _S), safe(_S, (read(_S, A), read(_S, B), read(_S, C))))), same([A,B,C], [a,b,end_of_file]).
:- test s1_65 + not_fails.
s1_65 :- once((in('p(X) :- q(X,_Y), r(_).', [], _S), safe(_S, read_term(_S, T, [singletons(A), variable_names(B), variables(C)])))), same([T,A,B,C], [(p(VA):-q(VA,VB),r(VC)),['_Y'=VB],['X'=VA,'_Y'=VB],[VA,VB,VC]]).
:- test s1_67 + not_fails.
s1_67 :- once((catch(open('/nonexistent/x', append, _), error(E, _), true))), same([E], [existence_error(source_sink,'/nonexistent/x')]).
:- test s1_68 + exception(error(domain_error(stream_option,type(foo)), _)).
s1_68 :- open('t.tmp', read, _, [type(text), type(foo)]).
:- test s1_69 + exception(error(domain_error(stream_option,reposition(maybe)), _)).
s1_69 :- open('t.tmp', read, _, [reposition(maybe)]).
:- test s1_70 + exception(error(instantiation_error, _)).
s1_70 :- open('t.tmp', read, _, [eof_action(_)]).
:- test s1_72 + exception(error(domain_error(source_sink,1), _)).
s1_72 :- open(1, read, _).
:- test s1_73 + exception(error(instantiation_error, _)).
s1_73 :- open('t.tmp', _, 1).
:- test s1_74 + exception(error(domain_error(io_mode,red), _)).
s1_74 :- open('t.tmp', red, _S).
:- test s1_75 + exception(error(type_error(list,[type(text)|a]), _)).
s1_75 :- open('t.tmp', read, _S, [type(text)|a]).
:- test s1_76 + exception(error(instantiation_error, _)).
s1_76 :- close(_S, [force(true)]).
:- test s1_77 + not_fails.
s1_77 :- once((close(user_output), put_char(x))).
:- test s1_79 + exception(error(existence_error(stream,foo), _)).
s1_79 :- close(foo, [force(false)]).
:- test s1_80 + exception(error(permission_error(input,stream,user_output), _)).
s1_80 :- set_input(user_output).
:- test s1_81 + exception(error(permission_error(output,stream,user_input), _)).
s1_81 :- set_output(user_input).
:- test s1_82 + not_fails.
s1_82 :- once((stream_property(_S, alias(user_input)), stream_property(_S, mode(M)))), same([M], [read]).
:- test s1_86 + fails.
s1_86 :- stream_property(_, mode(foo)).
:- test s1_87 + exception(error(domain_error(stream_property,foo(a)), _)).
s1_87 :- stream_property(_, foo(a)).
:- test s1_88 + fails.
s1_88 :- stream_property(_, end_of_stream(foo)).
:- test s1_89 + exception(error(domain_error(stream,1), _)).
s1_89 :- stream_property(1, _).
:- test s1_90 + not_fails.
s1_90 :- once((current_input(_S), stream_property(_S, alias(user_input)))).
:- test s1_91 + exception(error(representation_error(in_character_code), _)).
s1_91 :- peek_code(user_input, -2).
:- test s1_92 + exception(error(type_error(integer,foo), _)).
s1_92 :- peek_code(user_input, foo).
:- test s1_93 + exception(error(representation_error(character_code), _)).
s1_93 :- put_code(1114112).
:- test s1_94 + exception(error(instantiation_error, _)).
s1_94 :- put_char(user_output, _).
:- test s1_95 + exception(error(type_error(character,[]), _)).
s1_95 :- put_char(user_output, []).
:- test s1_96 + exception(error(type_error(character,[97]), _)).
s1_96 :- put_char(user_output, "a").
:- test s1_97 + exception(error(type_error(in_character,ab), _)).
s1_97 :- get_char(user_input, ab).
:- test s1_98 + exception(error(existence_error(stream,a), _)).
s1_98 :- nl(a).
:- test s1_99 + exception(error(domain_error(stream_or_alias,1), _)).
s1_99 :- nl(1).
:- test s1_100 + exception(error(instantiation_error, _)).
s1_100 :- put_byte(user_output, _).
:- test s1_101 + exception(error(instantiation_error, _)).
s1_101 :- put_byte(_, 1).
:- test s1_102 + exception(error(type_error(byte,-1), _)).
s1_102 :- put_byte(-1).
:- test s1_103 + exception(error(instantiation_error, _)).
s1_103 :- set_stream_position(_, _).
:- test s1_104 + exception(error(instantiation_error, _)).
s1_104 :- set_stream_position(user_output, _).
:- test s1_105 + exception(error(domain_error(stream_or_alias,1), _)).
s1_105 :- set_stream_position(1, foo).
:- test s1_106 + exception(error(domain_error(read_option,foo), _)).
s1_106 :- read_term(user_input, _, [variables(_), foo]).
:- test s1_107 + exception(error(instantiation_error, _)).
s1_107 :- read_term(user_input, _, [foo|_]).
:- test s1_108 + exception(error(type_error(list,variables(A)), _)).
s1_108 :- read_term(user_input, _, variables(_)).
:- test s1_109 + exception(error(domain_error(stream_or_alias,1), _)).
s1_109 :- read(1, _).
:- test s1_110 + exception(error(domain_error(stream_or_alias,1), _)).
s1_110 :- write(1, a).
:- test s1_111 + exception(error(domain_error(write_option,foo(x)), _)).
s1_111 :- write_term(a, [quoted(true), foo(x)]).
:- test s1_112 + exception(error(domain_error(write_option,quoted(foo)), _)).
s1_112 :- write_term(a, [quoted(foo)]).
:- test s1_113 + exception(error(instantiation_error, _)).
s1_113 :- write_term(a, [_|_]).
:- test s1_114 + exception(error(type_error(list,[quoted(true)|foo]), _)).
s1_114 :- write_term(a, [quoted(true)|foo]).
:- test s1_115 + exception(error(instantiation_error, _)).
s1_115 :- write_term(_, a, []).
:- test s1_116 + exception(error(existence_error(stream,foo), _)).
s1_116 :- write_term(foo, a, []).
:- test s1_117 + exception(error(instantiation_error, _)).
s1_117 :- write_term(user_output, a, _).

% 6 syntax, written and read
:- test s5_1 + not_fails.
s5_1 :- once((wr('', A))), same([A], ['\'\'']).
:- test s5_2 + not_fails.
s5_2 :- once((wr(a, A))), same([A], [a]).
:- test s5_3 + not_fails.
s5_3 :- once((wr('A', A))), same([A], ['\'A\'']).
:- test s5_4 + not_fails.
s5_4 :- once((wr([], A))), same([A], [[]]).
:- test s5_5 + not_fails.
s5_5 :- once((wr('[]', A))), same([A], [[]]).
:- test s5_6 + not_fails.
s5_6 :- once((wr({}, A))), same([A], [{}]).
:- test s5_7 + not_fails.
s5_7 :- once((wr('{}', A))), same([A], [{}]).
:- test s5_8 + not_fails.
s5_8 :- once((wr(;, A))), same([A], [;]).
:- test s5_9 + not_fails.
s5_9 :- once((wr(!, A))), same([A], [!]).
:- test s5_10 + not_fails.
s5_10 :- once((wr((','), A))), same([A], ['\',\'']).
:- test s5_11 + not_fails.
s5_11 :- once((wr('|', A))), same([A], ['\'|\'']).
:- test s5_12 + not_fails.
s5_12 :- once((wr(',', A))), same([A], ['\',\'']).
:- test s5_13 + not_fails.
s5_13 :- once((wr('\\', A))), same([A], [\]).
:- test s5_14 + not_fails.
s5_14 :- once((wr('a b', A))), same([A], ['\'a b\'']).
:- test s5_15 + not_fails.
s5_15 :- once((wr('a''b', A))), same([A], ['\'a\\\'b\'']).
:- test s5_16 + not_fails.
s5_16 :- once((wr('a\nb', A))), same([A], ['\'a\\nb\'']).
:- test s5_17 + not_fails.
s5_17 :- once((wr('a\tb', A))), same([A], ['\'a\\tb\'']).
:- test s5_18 + not_fails.
s5_18 :- once((wr('a\\b', A))), same([A], ['\'a\\\\b\'']).
:- test s5_19 + not_fails.
s5_19 :- once((wr('\x41\', A))), same([A], ['\'A\'']).
:- test s5_20 + not_fails.
s5_20 :- once((wr('/*', A))), same([A], ['\'/*\'']).
:- test s5_21 + not_fails.
s5_21 :- once((wr('%', A))), same([A], ['\'%\'']).
:- test s5_22 + not_fails.
s5_22 :- once((wr('.', A))), same([A], ['\'.\'']).
:- test s5_23 + not_fails.
s5_23 :- once((wr('a.', A))), same([A], ['\'a.\'']).
:- test s5_24 + not_fails.
s5_24 :- once((wr(^, A))), same([A], [^]).
:- test s5_25 + not_fails.
s5_25 :- once((wr('^a', A))), same([A], ['\'^a\'']).
:- test s5_26 + not_fails.
s5_26 :- once((wr(- 1, A))), same([A], ['-1']).
:- test s5_27 + not_fails.
s5_27 :- once((wr(-(1), A))), same([A], ['- (1)']).
:- test s5_28 + not_fails.
s5_28 :- once((wr(-(-1), A))), same([A], ['- -1']).
:- test s5_29 + not_fails.
s5_29 :- once((wr(-(-(1)), A))), same([A], ['- - (1)']).
:- test s5_30 + not_fails.
s5_30 :- once((wr(-(1.0), A))), same([A], ['- (1.0)']).
:- test s5_31 + not_fails.
s5_31 :- once((wr(-a, A))), same([A], ['-a']).
:- test s5_32 + not_fails.
s5_32 :- once((wr(-(-(a)), A))), same([A], ['- -a']).
:- test s5_33 + not_fails.
s5_33 :- once((wr(-(-), A))), same([A], ['- (-)']).
:- test s5_34 + not_fails.
s5_34 :- once((wr(\ a, A))), same([A], ['\\a']).
:- test s5_35 + not_fails.
s5_35 :- once((wr(\ (-), A))), same([A], ['\\ (-)']).
:- test s5_36 + not_fails.
s5_36 :- once((wr(1 - -1, A))), same([A], ['1- -1']).
:- test s5_37 + not_fails.
s5_37 :- once((wr(1 - (-1), A))), same([A], ['1- -1']).
:- test s5_38 + not_fails.
s5_38 :- once((wr(1 - (-(1)), A))), same([A], ['1- - (1)']).
:- test s5_39 + not_fails.
s5_39 :- once((wr(a - (-1), A))), same([A], ['a- -1']).
:- test s5_40 + not_fails.
s5_40 :- once((wr(2 ** -1, A))), same([A], ['2** -1']).
:- test s5_41 + not_fails.
s5_41 :- once((wr(2 ^ -1, A))), same([A], ['2^ -1']).
:- test s5_42 + not_fails.
s5_42 :- once((wr(-(2) ^ 2, A))), same([A], ['(- (2))^2']).
:- test s5_43 + not_fails.
s5_43 :- once((wr(-(2 ^ 2), A))), same([A], ['- (2^2)']).
:- test s5_44 + not_fails.
s5_44 :- once((wr((-(2)) ^ 2, A))), same([A], ['(- (2))^2']).
:- test s5_45 + not_fails.
s5_45 :- once((wr((-2) ^ 2, A))), same([A], ['-2^2']).
:- test s5_46 + not_fails.
s5_46 :- once((wr(-2 ^ 2, A))), same([A], ['-2^2']).
:- test s5_47 + not_fails.
s5_47 :- once((wr(-(a) ^ 2, A))), same([A], ['(-a)^2']).
:- test s5_49 + not_fails.
s5_49 :- once((wr([:-, -], A))), same([A], ['[:-,-]']).
:- test s5_50 + not_fails.
s5_50 :- once((wr([(:-)|(:-)], A))), same([A], ['[:-|:-]']).
:- test s5_51 + not_fails.
s5_51 :- once((wr(f(:-), A))), same([A], ['f(:-)']).
:- test s5_52 + not_fails.
s5_52 :- once((wr(f((:-), a), A))), same([A], ['f(:-,a)']).
:- test s5_53 + not_fails.
s5_53 :- once((wr(f((a :- b)), A))), same([A], ['f((a:-b))']).
:- test s5_54 + not_fails.
s5_54 :- once((wr(f((a, b)), A))), same([A], ['f((a,b))']).
:- test s5_55 + not_fails.
s5_55 :- once((wr([(a, b)], A))), same([A], ['[(a,b)]']).
:- test s5_56 + not_fails.
s5_56 :- once((wr([(a :- b)|c], A))), same([A], ['[(a:-b)|c]']).
:- test s5_57 + not_fails.
s5_57 :- once((wr({a, b}, A))), same([A], ['{a,b}']).
:- test s5_58 + not_fails.
s5_58 :- once((wr({(:-)}, A))), same([A], ['{:-}']).
:- test s5_59 + not_fails.
s5_59 :- once((wr({a}, A))), same([A], ['{a}']).
:- test s5_60 + not_fails.
s5_60 :- once((wr('{}'(a, b), A))), same([A], ['{}(a,b)']).
:- test s5_61 + not_fails.
s5_61 :- once((wr({[]}, A))), same([A], ['{[]}']).
:- test s5_62 + not_fails.
s5_62 :- once((wr('[]'(a), A))), same([A], ['[](a)']).
:- test s5_63 + not_fails.
s5_63 :- once((wr((a :- b, c ; d -> e), A))), same([A], ['a:-b,c;d->e']).
:- test s5_64 + not_fails.
s5_64 :- once((wr((:- a), A))), same([A], [':-a']).
:- test s5_66 + not_fails.
s5_66 :- once((wr(\+ a, A))), same([A], ['\\+a']).
:- test s5_67 + not_fails.
s5_67 :- once((wr(\+ (a, b), A))), same([A], ['\\+ (a,b)']).
:- test s5_68 + not_fails.
s5_68 :- once((wr(\+ [a], A))), same([A], ['\\+[a]']).
:- test s5_69 + not_fails.
s5_69 :- once((wr(\+ (\+), A))), same([A], ['\\+ (\\+)']).
:- test s5_70 + not_fails.
s5_70 :- once((wr(- (a), A))), same([A], ['-a']).
:- test s5_71 + not_fails.
s5_71 :- once((wr(-(-(-(a))), A))), same([A], ['- - -a']).
:- test s5_72 + not_fails.
s5_72 :- once((wr(1 + 2 + 3, A))), same([A], ['1+2+3']).
:- test s5_73 + not_fails.
s5_73 :- once((wr(1 + (2 + 3), A))), same([A], ['1+(2+3)']).
:- test s5_74 + not_fails.
s5_74 :- once((wr((a , b , c), A))), same([A], ['a,b,c']).
:- test s5_75 + not_fails.
s5_75 :- once((wr(((a , b) , c), A))), same([A], ['(a,b),c']).
:- test s5_76 + not_fails.
s5_76 :- once((wr((a ; b ; c), A))), same([A], ['a;b;c']).
:- test s5_77 + not_fails.
s5_77 :- once((wr(((a ; b) ; c), A))), same([A], ['(a;b);c']).
:- test s5_78 + not_fails.
s5_78 :- once((wr((a -> b ; c), A))), same([A], ['a->b;c']).
:- test s5_79 + not_fails.
s5_79 :- once((wr((a :- (b :- c)), A))), same([A], ['a:-(b:-c)']).
:- test s5_80 + not_fails.
s5_80 :- once((wr(a = b, A))), same([A], ['a=b']).
:- test s5_81 + not_fails.
s5_81 :- once((wr((a = b) = c, A))), same([A], ['(a=b)=c']).
:- test s5_82 + not_fails.
s5_82 :- once((wr(a = (b = c), A))), same([A], ['a=(b=c)']).
:- test s5_83 + not_fails.
s5_83 :- once((wr(a is b, A))), same([A], ['a is b']).
:- test s5_84 + not_fails.
s5_84 :- once((wr(a mod b, A))), same([A], ['a mod b']).
:- test s5_85 + not_fails.
s5_85 :- once((wr(a mod (b mod c), A))), same([A], ['a mod (b mod c)']).
:- test s5_86 + not_fails.
s5_86 :- once((wr((a mod b) mod c, A))), same([A], ['a mod b mod c']).
:- test s5_87 + not_fails.
s5_87 :- once((wr(1 * (2 + 3), A))), same([A], ['1*(2+3)']).
:- test s5_88 + not_fails.
s5_88 :- once((wr(1 * 2 + 3, A))), same([A], ['1*2+3']).
:- test s5_89 + not_fails.
s5_89 :- once((wr(a * (b , c), A))), same([A], ['a*(b,c)']).
:- test s5_90 + not_fails.
s5_90 :- once((wr(2 - (3 - 4), A))), same([A], ['2-(3-4)']).
:- test s5_91 + not_fails.
s5_91 :- once((wr(a ^ b ^ c, A))), same([A], ['a^b^c']).
:- test s5_92 + not_fails.
s5_92 :- once((wr((a ^ b) ^ c, A))), same([A], ['(a^b)^c']).
:- test s5_94 + not_fails.
s5_94 :- once((wr(f(a + b, - c), A))), same([A], ['f(a+b,-c)']).
:- test s5_95 + not_fails.
s5_95 :- once((wr(f(- 1), A))), same([A], ['f(-1)']).
:- test s5_96 + not_fails.
s5_96 :- once((wr(f(-(1)), A))), same([A], ['f(- (1))']).
:- test s5_97 + not_fails.
s5_97 :- once((wr([a | b], A))), same([A], ['[a|b]']).
:- test s5_98 + not_fails.
s5_98 :- once((wr([a, b | c], A))), same([A], ['[a,b|c]']).
:- test s5_99 + not_fails.
s5_99 :- once((wr([a, 'B', "s" , 1.5], A))), same([A], ['[a,\'B\',[115],1.5]']).
:- test s5_100 + not_fails.
s5_100 :- once((wr('$VAR'(1), A))), same([A], ['B']).
:- test s5_101 + not_fails.
s5_101 :- once((wr('$VAR'(27), A))), same([A], ['B1']).
:- test s5_102 + not_fails.
s5_102 :- once((wr('$VAR'(x), A))), same([A], ['\'$VAR\'(x)']).
:- test s5_105 + not_fails.
s5_105 :- once((wr("abc", A))), same([A], ['[97,98,99]']).
:- test s5_107 + not_fails.
s5_107 :- once((wr(1.0, A))), same([A], ['1.0']).
:- test s5_108 + not_fails.
s5_108 :- once((wr(1.0e10, A))), same([A], ['10000000000.0']).
:- test s5_109 + not_fails.
s5_109 :- once((wr(1.0e100, A))), same([A], ['1.0e+100']).
:- test s5_110 + not_fails.
s5_110 :- once((wr(1.0e-10, A))), same([A], ['1.0e-10']).
:- test s5_111 + not_fails.
s5_111 :- once((wr(123456789012345.0, A))), same([A], ['123456789012345.0']).
:- test s5_112 + not_fails.
s5_112 :- once((wr(1234567890123456789.0, A))), same([A], ['1.2345678901234568e+18']).
:- test s5_113 + not_fails.
s5_113 :- once((wr(0.1, A))), same([A], ['0.1']).
:- test s5_114 + not_fails.
s5_114 :- once((wr(-0.0, A))), same([A], ['-0.0']).
:- test s5_115 + not_fails.
s5_115 :- once((wr(1.0e15, A))), same([A], ['1.0e+15']).
:- test s5_116 + not_fails.
s5_116 :- once((wr(1.0e16, A))), same([A], ['1.0e+16']).
:- test s5_117 + not_fails.
s5_117 :- once((wr(0.0001, A))), same([A], ['0.0001']).
:- test s5_118 + not_fails.
s5_118 :- once((wr(0.00001, A))), same([A], ['1.0e-5']).
:- test s5_119 + not_fails.
s5_119 :- once((wr(5.0e-324, A))), same([A], ['5.0e-324']).
:- test s5_120 + not_fails.
s5_120 :- once((wr(1.7976931348623157e308, A))), same([A], ['1.7976931348623157e+308']).
:- test s5_121 + not_fails.
s5_121 :- once((wr(a:b:c, A))), same([A], ['a:b:c']).
:- test s5_122 + not_fails.
s5_122 :- once((wr((a:b):c, A))), same([A], ['(a:b):c']).
:- test s5_125 + not_fails.
s5_125 :- once((wr((?- a, b), A))), same([A], ['?-a,b']).
:- test s5_126 + not_fails.
s5_126 :- once((wr(dynamic, A))), same([A], [dynamic]).
:- test s5_127 + not_fails.
s5_127 :- once((wr((dynamic a), A))), same([A], ['dynamic a']).
:- test s5_128 + not_fails.
s5_128 :- once((wr(- - a, A))), same([A], ['- -a']).
:- test s5_129 + not_fails.
s5_129 :- once((wr(\ \ a, A))), same([A], ['\\ \\a']).
:- test s5_130 + not_fails.
s5_130 :- once((wr(1 rdiv 2, A))), same([A], ['1 rdiv 2']).
:- test s5_133 + not_fails.
s5_133 :- once((wr([a = b, c], A))), same([A], ['[a=b,c]']).
:- test s5_134 + not_fails.
s5_134 :- once((wr([- a], A))), same([A], ['[-a]']).
:- test s5_135 + not_fails.
s5_135 :- once((wr([-], A))), same([A], ['[-]']).
:- test s5_136 + not_fails.
s5_136 :- once((wr([- | -], A))), same([A], ['[-|-]']).
:- test s5_138 + not_fails.
s5_138 :- once((wr(-(=), A))), same([A], ['- (=)']).
:- test s5_139 + not_fails.
s5_139 :- once((wr(=(-), A))), same([A], ['=(-)']).
:- test s5_140 + not_fails.
s5_140 :- once((wr(f(=, =), A))), same([A], ['f(=,=)']).
:- test s5_142 + not_fails.
s5_142 :- once((wr((a , (:- b)), A))), same([A], ['a,(:-b)']).
:- test s5_143 + not_fails.
s5_143 :- once((wr((:- b) + c, A))), same([A], ['(:-b)+c']).
:- test s5_144 + not_fails.
s5_144 :- once((wr(\ (1), A))), same([A], ['\\1']).
:- test s5_145 + not_fails.
s5_145 :- once((wr(+(1), A))), same([A], ['+1']).
:- test s5_146 + not_fails.
s5_146 :- once((wr(+(-1), A))), same([A], ['+ -1']).
:- test s5_147 + not_fails.
s5_147 :- once((wr(-(+(1)), A))), same([A], ['- +1']).
:- test s5_148 + not_fails.
s5_148 :- once((wr(a+'B', A))), same([A], ['a+\'B\'']).
:- test s5_149 + not_fails.
s5_149 :- once((wr('B'+a, A))), same([A], ['\'B\'+a']).
:- test s5_152 + not_fails.
s5_152 :- once((wr(1*(-), A))), same([A], ['1*(-)']).
:- test s5_153 + not_fails.
s5_153 :- once((wr(f(;), A))), same([A], ['f(;)']).
:- test s5_155 + not_fails.
s5_155 :- once((wr((a|b), A))), same([A], ['a|b']).
:- test s5_156 + not_fails.
s5_156 :- once((wr('|'(a, b), A))), same([A], ['a|b']).
:- test s5_157 + not_fails.
s5_157 :- once((wrt('$VAR'(1), [numbervars(true)], A))), same([A], ['B']).
:- test s5_158 + not_fails.
s5_158 :- once((wrt('$VAR'(51), [numbervars(true), quoted(true)], A))), same([A], ['Z1']).
:- test s5_159 + not_fails.
s5_159 :- once((wrt(f('$VAR'(0), 'A b'), [numbervars(true), quoted(true)], A))), same([A], ['f(A,\'A b\')']).
:- test s5_160 + not_fails.
s5_160 :- once((wrt(1 + 2 * 3, [ignore_ops(true)], A))), same([A], ['+(1,*(2,3))']).
:- test s5_162 + not_fails.
s5_162 :- once((wrt({a}, [ignore_ops(true)], A))), same([A], ['{}(a)']).
:- test s5_163 + not_fails.
s5_163 :- once((wrt('a b', [], A))), same([A], ['a b']).
:- test s5_164 + not_fails.
s5_164 :- once((wrt('a b', [quoted(false)], A))), same([A], ['a b']).
:- test s5_165 + not_fails.
s5_165 :- once((wrt('a b', [quoted(true), quoted(false)], A))), same([A], ['a b']).
:- test s5_166 + not_fails.
s5_166 :- once((wrt(f(_X, _Y), [variable_names(['X' = _X, 'Y' = _Y])], A))), same([A], ['f(X,Y)']).
:- test s5_167 + not_fails.
s5_167 :- once((wrt(f(_X), [variable_names(['X' = _X, 'Z' = _X])], A))), same([A], ['f(X)']).
:- test s5_168 + not_fails.
s5_168 :- once((wrt(f(_X), [variable_names([x = _X])], A))), same([A], ['f(x)']).
:- test s5_169 + not_fails.
s5_169 :- once((wrt(f(_X), [variable_names(['X y' = _X])], A))), same([A], ['f(X y)']).
:- test s5_170 + exception(error(domain_error(write_option,variable_names([1=A])), _)).
s5_170 :- wrt(f(_X), [variable_names([1 = _X])], A).
:- test s5_171 + exception(error(instantiation_error, _)).
s5_171 :- wrt(f(_X), [variable_names([_ = _X])], A).
:- test s5_172 + exception(error(domain_error(write_option,variable_names(foo)), _)).
s5_172 :- wrt(f(_X), [variable_names(foo)], A).
:- test s5_173 + exception(error(domain_error(write_option,variable_names([foo])), _)).
s5_173 :- wrt(f(_X), [variable_names([foo])], A).
:- test s5_175 + not_fails.
s5_175 :- once((wrt(- (1), [quoted(true)], A))), same([A], ['- (1)']).
:- test s5_176 + not_fails.
s5_176 :- once((wrt(1 - (- 1), [ignore_ops(true)], A))), same([A], ['-(1,-1)']).
:- test s5_177 + not_fails.
s5_177 :- once((rd('- 1.', T), integer(T))), same([T], [-1]).
:- test s5_178 + not_fails.
s5_178 :- once((rd('-1.', T))), same([T], [-1]).
:- test s5_179 + not_fails.
s5_179 :- once((rd('-(1).', T))), same([T], [- (1)]).
:- test s5_180 + not_fails.
s5_180 :- once((rd('- (1).', T))), same([T], [- (1)]).
:- test s5_181 + not_fails.
s5_181 :- once((rd('-(-(1)).', T))), same([T], [- - (1)]).
:- test s5_182 + not_fails.
s5_182 :- once((rd('- - 1.', T))), same([T], [- -1]).
:- test s5_183 + not_fails.
s5_183 :- once((rd('a- 1.', T), T =.. L)), same([T,L], [a-1,[-,a,1]]).
:- test s5_184 + not_fails.
s5_184 :- once((rd('a -1.', T), T =.. L)), same([T,L], [a-1,[-,a,1]]).
:- test s5_185 + not_fails.
s5_185 :- once((rd('a-1.', T), T =.. L)), same([T,L], [a-1,[-,a,1]]).
:- test s5_186 + not_fails.
s5_186 :- once((rd('[a|b].', T))), same([T], [[a|b]]).
:- test s5_187 + exception(error(syntax_error(_), _)).
s5_187 :- rd('[a|b|c].', T).
:- test s5_188 + exception(error(syntax_error(_), _)).
s5_188 :- rd('[a,|b].', T).
:- test s5_189 + not_fails.
s5_189 :- once((rd('[].', T))), same([T], [[]]).
:- test s5_190 + not_fails.
s5_190 :- once((rd('[ ].', T), T == [])), same([T], [[]]).
:- test s5_191 + not_fails.
s5_191 :- once((rd('{ }.', T), T == {})), same([T], [{}]).
:- test s5_192 + not_fails.
s5_192 :- once((rd('{a}.', T), T =.. L)), same([T,L], [{a},[{},a]]).
:- test s5_193 + exception(error(syntax_error(_), _)).
s5_193 :- rd('f(,).', T).
:- test s5_194 + exception(error(syntax_error(_), _)).
s5_194 :- rd('f(a,).', T).
:- test s5_195 + exception(error(syntax_error(_), _)).
s5_195 :- rd('f (a).', T).
:- test s5_196 + exception(error(syntax_error(_), _)).
s5_196 :- rd('f(a', T).
:- test s5_197 + not_fails.
s5_197 :- once((rd('f(:-).', T), T =.. L)), same([T,L], [f(:-),[f,:-]]).
:- test s5_201 + not_fails.
s5_201 :- once((rd('[:- , -].', T))), same([T], [[:-,-]]).
:- test s5_202 + not_fails.
s5_202 :- once((rd('X = Y.', T), T =.. [N|_])), same([T,N], [VA=VB,=]).
:- test s5_203 + not_fails.
s5_203 :- once((rd('"abc".', T))), same([T], [[97,98,99]]).
:- test s5_204 + not_fails.
s5_204 :- once((rd('"a""b".', T))), same([T], [[97,34,98]]).
:- test s5_205 + not_fails.
s5_205 :- once((rd('''a''''b''.', T), atom_length(T, N))), same([T,N], ['a\'b',3]).
:- test s5_206 + not_fails.
s5_206 :- once((rd('''a\\x41\\b''.', T))), same([T], [aAb]).
:- test s5_207 + not_fails.
s5_207 :- once((rd('''a\\101\\b''.', T))), same([T], [aAb]).
:- test s5_208 + not_fails.
s5_208 :- once((rd('''\\n''.', T), atom_codes(T, L))), same([T,L], ['\n',[10]]).
:- test s5_209 + exception(error(syntax_error(_), _)).
s5_209 :- rd('''\\z''.', T).
:- test s5_210 + not_fails.
s5_210 :- once((rd('''a\\\nb''.', T))), same([T], [ab]).
:- test s5_212 + not_fails.
s5_212 :- once((rd('0''a.', T))), same([T], [97]).
:- test s5_213 + not_fails.
s5_213 :- once((rd('0''\\n.', T))), same([T], [10]).
:- test s5_214 + exception(error(syntax_error(_), _)).
s5_214 :- rd('0''''''''.', T).
:- test s5_216 + not_fails.
s5_216 :- once((rd('0x1F.', T))), same([T], [31]).
:- test s5_217 + exception(error(syntax_error(_), _)).
s5_217 :- rd('0xG.', T).
:- test s5_218 + exception(error(syntax_error(_), _)).
s5_218 :- rd('0b102.', T).
:- test s5_219 + exception(error(syntax_error(_), _)).
s5_219 :- rd('0o8.', T).
:- test s5_220 + not_fails.
s5_220 :- once((rd('1.5e3.', T))), same([T], [1500.0]).
:- test s5_221 + exception(error(syntax_error(_), _)).
s5_221 :- rd('1.5e.', T).
:- test s5_222 + exception(error(syntax_error(_), _)).
s5_222 :- rd('1.e3.', T).
:- test s5_223 + not_fails.
s5_223 :- once((rd('1.', T))), same([T], [1]).
:- test s5_224 + not_fails.
s5_224 :- once((rd('1 .', T))), same([T], [1]).
:- test s5_225 + not_fails.
s5_225 :- once((rd('1.0Inf.', T))), same([T], [1.0Inf]).
:- test s5_226 + not_fails.
s5_226 :- once((rd('01.', T))), same([T], [1]).
:- test s5_228 + exception(error(syntax_error(_), _)).
s5_228 :- rd('a.b.', T).
:- test s5_229 + not_fails.
s5_229 :- once((rd('a:b:c.', T), T =.. [_, X, Y])), same([T,X,Y], [a:b:c,a,b:c]).
:- test s5_230 + not_fails.
s5_230 :- once((rd('a,b.', T), T =.. L)), same([T,L], [(a,b),[',',a,b]]).
:- test s5_231 + not_fails.
s5_231 :- once((rd('(a,b).', T), T =.. L)), same([T,L], [(a,b),[',',a,b]]).
:- test s5_232 + not_fails.
s5_232 :- once((rd('a;b->c.', T), T =.. L)), same([T,L], [(a;b->c),[;,a,(b->c)]]).
:- test s5_233 + not_fails.
s5_233 :- once((rd('a->b;c.', T), T =.. L)), same([T,L], [(a->b;c),[;,(a->b),c]]).
:- test s5_234 + not_fails.
s5_234 :- once((rd('\\+a.', T), T =.. L)), same([T,L], [\+a,[\+,a]]).
:- test s5_235 + not_fails.
s5_235 :- once((rd('\\+ (a,b).', T), T =.. L)), same([T,L], [\+ (a,b),[\+,(a,b)]]).
:- test s5_236 + not_fails.
s5_236 :- once((rd('\\+(a,b).', T), T =.. L)), same([T,L], [\+(a,b),[\+,a,b]]).
:- test s5_237 + not_fails.
s5_237 :- once((rd('-(3)^2.', T), T =.. L)), same([T,L], [(- (3))^2,[^,- (3),2]]).
:- test s5_238 + not_fails.
s5_238 :- once((rd('- 3^2.', T), T =.. L)), same([T,L], [-3^2,[^,-3,2]]).
:- test s5_239 + not_fails.
s5_239 :- once((rd('-3^2.', T), T =.. L)), same([T,L], [-3^2,[^,-3,2]]).
:- test s5_240 + not_fails.
s5_240 :- once((rd('-a^2.', T), T =.. L)), same([T,L], [-a^2,[-,a^2]]).
:- test s5_241 + not_fails.
s5_241 :- once((rd('2-3.', T), T =.. L)), same([T,L], [2-3,[-,2,3]]).
:- test s5_242 + not_fails.
s5_242 :- once((rd('2 - -3.', T), T =.. L)), same([T,L], [2- -3,[-,2,-3]]).
:- test s5_243 + exception(error(syntax_error(_), _)).
s5_243 :- rd('2--3.', T).
:- test s5_244 + exception(error(syntax_error(_), _)).
s5_244 :- rd('a=b=c.', T).
:- test s5_245 + exception(error(syntax_error(_), _)).
s5_245 :- rd('a:-b:-c.', T).
:- test s5_246 + exception(error(syntax_error(_), _)).
s5_246 :- rd(':- :- a.', T).
:- test s5_247 + not_fails.
s5_247 :- once((rd('\\ \\ a.', T), T =.. L)), same([T,L], [\ \a,[\,\a]]).
:- test s5_248 + not_fails.
s5_248 :- once((rd('- - a.', T), T =.. L)), same([T,L], [- -a,[-,-a]]).
:- test s5_249 + exception(error(syntax_error(_), _)).
s5_249 :- rd('a= \\+b.', T).
:- test s5_250 + exception(error(syntax_error(_), _)).
s5_250 :- rd('a is b is c.', T).
:- test s5_252 + not_fails.
s5_252 :- once((rd('[-].', T))), same([T], [[-]]).
:- test s5_253 + not_fails.
s5_253 :- once((rd('[- , +].', T))), same([T], [[-,+]]).
:- test s5_254 + not_fails.
s5_254 :- once((rd('- (-).', T))), same([T], [- (-)]).
:- test s5_255 + not_fails.
s5_255 :- once((rd('-(-).', T))), same([T], [- (-)]).
:- test s5_256 + not_fails.
s5_256 :- once((rd('f(-).', T))), same([T], [f(-)]).
:- test s5_257 + not_fails.
s5_257 :- once((rd('f(-,a).', T))), same([T], [f(-,a)]).
:- test s5_258 + not_fails.
s5_258 :- once((rd('f(- , a).', T))), same([T], [f(-,a)]).
:- test s5_260 + not_fails.
s5_260 :- once((rd('a -> b -> c.', T), T =.. L)), same([T,L], [(a->b->c),[->,a,(b->c)]]).
:- test s5_261 + not_fails.
s5_261 :- once((rd('p:-q,!,r.', T), T =.. L)), same([T,L], [(p:-q,!,r),[:-,p,(q,!,r)]]).
:- test s5_262 + not_fails.
s5_262 :- once((rd('/* c */ a.', T))), same([T], [a]).
:- test s5_263 + exception(error(syntax_error(_), _)).
s5_263 :- rd('/* c a.', T).
:- test s5_264 + not_fails.
s5_264 :- once((rd('a /* c */ . ', T))), same([T], [a]).
:- test s5_265 + not_fails.
s5_265 :- once((rd('a % c\n .', T))), same([T], [a]).
:- test s5_266 + not_fails.
s5_266 :- once((rd('a.%c', T))), same([T], [a]).
:- test s5_267 + exception(error(syntax_error(_), _)).
s5_267 :- rd('a', T).
:- test s5_268 + exception(error(syntax_error(_), _)).
s5_268 :- rd('a .b', T).
:- test s5_270 + not_fails.
s5_270 :- once((rd('a | b.', T), T =.. L)), same([T,L], [(a|b),['|',a,b]]).
:- test s5_271 + not_fails.
s5_271 :- once((rd('(a | b).', T), T =.. L)), same([T,L], [(a|b),['|',a,b]]).
:- test s5_272 + not_fails.
s5_272 :- once((rd('{a | b}.', T), T =.. L)), same([T,L], [{a|b},[{},(a|b)]]).
:- test s5_274 + exception(error(syntax_error(_), _)).
s5_274 :- rd('[a | b , c].', T).
:- test s5_275 + not_fails.
s5_275 :- once((rd('f(A, B, _, _, A).', T), T = f(X, Y, Z, W, V), X == V, Z \== W)), same([T,X,Y,Z,W,V], [f(VA,VB,VC,VD,VA),VA,VB,VC,VD,VA]).
:- test s5_276 + not_fails.
s5_276 :- once((rd('_.', T), var(T))), same([T], [VA]).
:- test s5_277 + not_fails.
s5_277 :- once((rd('_a + _a.', X + Y), X == Y)), same([X,Y], [VA,VA]).
:- test s5_278 + exception(error(syntax_error(_), _)).
s5_278 :- rd('\\.', T).
:- test s5_279 + exception(error(syntax_error(_), _)).
s5_279 :- rd('a\\b.', T).
:- test s5_281 + not_fails.
s5_281 :- once((rd('f(*, + , -).', T))), same([T], [f(*,+,-)]).
:- test s5_282 + exception(error(syntax_error(_), _)).
s5_282 :- rd('1.2.3.', T).
:- test s5_283 + not_fails.
s5_283 :- once((rd('X is 1.', T is 1))), same([T], [VA]).
:- test s5_284 + exception(error(syntax_error(_), _)).
s5_284 :- rd('a@b.', T).
:- test s5_286 + not_fails.
s5_286 :- once((rd('"\\x41\\".', T))), same([T], [[65]]).
:- test s5_287 + not_fails.
s5_287 :- once((rd('0''\\x41\\.', T))), same([T], [65]).
:- test s5_288 + not_fails.
s5_288 :- once((rd('0'' .', T))), same([T], [32]).
:- test s5_290 + exception(error(syntax_error(_), _)).
s5_290 :- rd('''\\x110000\\''.', T).
:- test s5_291 + exception(error(syntax_error(_), _)).
s5_291 :- rd('''\\xD800\\''.', T).

% goals of several clauses of the standard
:- test s6_1 + not_fails.
s6_1 :- once((X = f(Y), Y = 1)), same([X,Y], [f(1),1]).
:- test s6_3 + not_fails.
s6_3 :- once((catch(atom_length(f(x), _), error(type_error(T, C), _), true))), same([T,C], [atom,f(x)]).
:- test s6_4 + not_fails.
s6_4 :- once((catch(arg(x, f(a), _), error(type_error(T, C), _), true))), same([T,C], [integer,x]).
:- test s6_5 + not_fails.
s6_5 :- once((catch(arg(0, 3, _), error(type_error(T, C), _), true))), same([T,C], [compound,3]).
:- test s6_6 + not_fails.
s6_6 :- once((catch(number_codes(_, [0'1|b]), error(type_error(T, C), _), true))), same([T,C], [list,[49|b]]).
:- test s6_7 + not_fails.
s6_7 :- once((catch((true, call((fail ; 1))), error(type_error(T, C), _), true))), same([T,C], [callable,(fail;1)]).
:- test s6_8 + not_fails.
s6_8 :- once((catch(open(nofile, read, _), error(existence_error(A, B), _), true))), same([A,B], [source_sink,nofile]).
:- test s6_9 + not_fails.
s6_9 :- once((catch(open(_, read, _), error(E, _), true))), same([E], [instantiation_error]).
:- test s6_10 + not_fails.
s6_10 :- once((catch(close(_), error(E, _), true))), same([E], [instantiation_error]).
:- test s6_11 + not_fails.
s6_11 :- once((catch(assertz((foo :- 1)), error(E, _), true))), same([E], [type_error(callable,1)]).
:- test s6_12 + not_fails.
s6_12 :- once((catch(assertz((foo :- a, 1)), error(E, _), true))), same([E], [type_error(callable,(a,1))]).
:- test s6_13 + not_fails.
s6_13 :- once((catch(asserta((bar :- (a ; 1))), error(E, _), true))), same([E], [type_error(callable,(a;1))]).
:- test s6_15 + not_fails.
s6_15 :- once((catch(number_chars(_, ['3', ' ']), error(syntax_error(_), _), true))).
:- test s6_16 + exception(x).
s6_16 :- findall(X, (X = 1 ; X = 2 ; throw(x)), _).
:- test s6_17 + not_fails.
s6_17 :- once((catch(findall(X, (X = 1 ; throw(x(X))), _), x(Y), true))), same([X,Y], [VA,VB]).
:- test s6_18 + not_fails.
s6_18 :- once((catch(\+ throw(a), a, X = caught))), same([X], [caught]).
:- test s6_20 + not_fails.
s6_20 :- once((catch(catch(atom_length(_, _), error(type_error(_, _), _), X = 1), error(instantiation_error, _), X = 2))), same([X], [2]).
:- test s6_21 + not_fails.
s6_21 :- once((catch((between(1, 3, X), X >= 2, throw(done(X))), done(Y), true))), same([X,Y], [VA,2]).
:- test s6_22 + not_fails.
s6_22 :- once((catch(true, _, fail))).
:- test s6_23 + fails.
s6_23 :- catch(fail, _, true).
:- test s6_24 + not_fails.
s6_24 :- once((catch((d(X), X >= 2, !), _, true))), same([X], [2]).
:- test s6_25 + not_fails.
s6_25 :- once((call((d(X), !)))), same([X], [1]).
:- test s6_26 + not_fails.
s6_26 :- once((call((d(X), ! ; X = z)))), same([X], [1]).
:- test s6_27 + not_fails.
s6_27 :- once((call((fail, ! ; X = z)))), same([X], [z]).
:- test s6_28 + not_fails.
s6_28 :- once(((d(X), X > 1 -> true ; X = none))), same([X], [2]).
:- test s6_29 + not_fails.
s6_29 :- once(((d(X), X > 5 -> true ; X = none))), same([X], [none]).
:- test s6_30 + not_fails.
s6_30 :- once((\+ (d(X), X > 5))), same([X], [VA]).
:- test s6_31 + not_fails.
s6_31 :- once((\+ \+ (X = 1), var(X))), same([X], [VA]).
:- test s6_32 + not_fails.
s6_32 :- once(((\+ fail -> X = yes ; X = no))), same([X], [yes]).
:- test s6_33 + not_fails.
s6_33 :- once((G = (d(X), X > 1), (G -> Y = X ; Y = none))), same([G,X,Y], [(d(2),2>1),2,2]).
:- test s6_34 + not_fails.
s6_34 :- once((A = 1, B = 2, (A > B -> C = A ; C = B))), same([A,B,C], [1,2,2]).
:- test s6_36 + not_fails.
s6_36 :- once(((X = a, ! ; X = b))), same([X], [a]).
:- test s6_38 + not_fails.
s6_38 :- once((((fail ; true) -> X = 1 ; X = 2))), same([X], [1]).
:- test s6_39 + not_fails.
s6_39 :- once((((X = 1, fail) ; X = 2))), same([X], [2]).
:- test s6_40 + not_fails.
s6_40 :- once((assertz(cnt(0)), retract(cnt(C)), C1 is C + 1, assertz(cnt(C1)), cnt(X))), same([C,C1,X], [0,1,1]).
:- test s6_41 + not_fails.
s6_41 :- once((assertz((p1(X) :- X > 1, !)), assertz(p1(_)), (p1(2) -> R = y ; R = n), abolish(p1/1))), same([X,R], [VA,y]).
:- test s6_42 + not_fails.
s6_42 :- once((assertz(q1(1)), (q1(X), assertz(q1(2)), fail ; findall(Y, q1(Y), L)), retract(q1(1)), retract(q1(2)))), same([X,Y,L], [VA,VB,[1,2]]).
:- test s6_43 + not_fails.
s6_43 :- once((assertz(q2(1)), assertz(q2(2)), findall(X, retract(q2(X)), L), findall(Y, q2(Y), M))), same([X,L,Y,M], [VA,[1,2],VB,[]]).
:- test s6_44 + not_fails.
s6_44 :- once((assertz(q3(1)), assertz(q3(2)), (q3(X), retract(q3(2)), fail ; findall(Y, q3(Y), L)))), same([X,Y,L], [VA,VB,[1]]).
:- test s6_45 + not_fails.
s6_45 :- once((assertz((q4(X) :- call(X))), clause(q4(A), B))), same([X,A,B], [VA,VB,call(VB)]).
:- test s6_46 + not_fails.
s6_46 :- once((assertz((q5 :- X)), clause(q5, B))), same([X,B], [VA,call(VB)]).
:- test s6_47 + not_fails.
s6_47 :- once((assertz((q6 :- (X ; true))), clause(q6, B))), same([X,B], [VA,(call(VB);true)]).
:- test s6_48 + not_fails.
s6_48 :- once((assertz((q7(X) :- \+ X)), clause(q7(A), B))), same([X,A,B], [VA,VB,\+VB]).
:- test s6_49 + not_fails.
s6_49 :- once((assertz(foo(X, Y, X)), foo(A, B, C))), same([X,Y,A,B,C], [VA,VB,VC,VD,VC]).
:- test s6_51 + fails.
s6_51 :- retract(q9(_)).
:- test s6_52 + not_fails.
s6_52 :- once((catch(abolish(q9/1), error(E, _), true))), same([E], [VA]).
:- test s6_53 + not_fails.
s6_53 :- once((asserta(r1(1)), asserta(r1(2)), findall(X, r1(X), L))), same([X,L], [VA,[2,1]]).
:- test s6_54 + not_fails.
s6_54 :- once((assertz((r2(X) :- (X = 1 ; X = 2), !)), findall(X, r2(X), L))), same([X,L], [VA,[1]]).
:- test s6_55 + not_fails.
s6_55 :- once((assertz((r3(X) :- (X = 1 -> true ; true))), r3(2))), same([X], [VA]).
:- test s6_56 + not_fails.
s6_56 :- once((assertz((r4 :- !, fail)), assertz(r4), (r4 -> X = y ; X = n))), same([X], [n]).
:- test s6_57 + not_fails.
s6_57 :- once((assertz((r5(X) :- call((X = 1, ! ; X = 2)))), findall(X, r5(X), L))), same([X,L], [VA,[1]]).
:- test s6_58 + not_fails.
s6_58 :- once((assertz((r6(X) :- catch((X = 1, ! ; X = 2), _, true) ; X = 3)), findall(X, r6(X), L))), same([X,L], [VA,[1,3]]).
:- test s6_59 + not_fails.
s6_59 :- once((assertz((r7(X) :- findall(Y, (Y = 1, ! ; Y = 2), X))), r7(L))), same([X,Y,L], [VA,VB,[1]]).
:- test s6_60 + not_fails.
s6_60 :- once((assertz((r8(X) :- \+ (X = 1, !, fail), X = 3)), r8(X))), same([X], [3]).
:- test s6_61 + not_fails.
s6_61 :- once((atom_chars(X, [a, b, c]), atom_codes(X, L), atom_length(X, N))), same([X,L,N], [abc,[97,98,99],3]).
:- test s6_62 + not_fails.
s6_62 :- once((atom_codes(abc, [0'a|T]))), same([T], [[98,99]]).
:- test s6_63 + not_fails.
s6_63 :- once((sub_atom(hello, 1, 3, A, S))), same([A,S], [1,ell]).
:- test s6_64 + not_fails.
s6_64 :- once((findall(S, sub_atom(abc, _, 2, _, S), L))), same([S,L], [VA,[ab,bc]]).
:- test s6_65 + not_fails.
s6_65 :- once((findall(B-L, sub_atom(aaa, B, L, _, aa), R))), same([B,L,R], [VA,VB,[0-2,1-2]]).
:- test s6_66 + not_fails.
s6_66 :- once((char_code(X, 0'a), char_code(a, Y))), same([X,Y], [a,97]).
:- test s6_67 + not_fails.
s6_67 :- once((number_codes(N, "12"), number_chars(N, L))), same([N,L], [12,['1','2']]).
:- test s6_68 + not_fails.
s6_68 :- once((X = "abc", X = [H|T])), same([X,H,T], [[97,98,99],97,[98,99]]).
:- test s6_69 + not_fails.
s6_69 :- once((X == X, X \== Y)), same([X,Y], [VA,VB]).
:- test s6_70 + not_fails.
s6_70 :- once((f(X) == f(X))), same([X], [VA]).
:- test s6_71 + not_fails.
s6_71 :- once((f(X) @< f(Y) ; f(Y) @< f(X))), same([X,Y], [VA,VB]).
:- test s6_72 + not_fails.
s6_72 :- once((keysort([2-a, 1-b, 2-c, 1-d], L))), same([L], [[1-b,1-d,2-a,2-c]]).
:- test s6_73 + not_fails.
s6_73 :- once((setof(X-Y, member_(X-Y, [2-a, 1-b, 1-a, 2-a]), L))), same([X,Y,L], [VA,VB,[1-a,1-b,2-a]]).
:- test s6_74 + not_fails.
s6_74 :- once((setof(X, Y^member_(X-Y, [b-1, a-2, c-1]), L))), same([X,Y,L], [VA,VB,[a,b,c]]).
:- test s6_75 + not_fails.
s6_75 :- once((setof(Y-L, setof(X, member_(X-Y, [b-1, a-2, c-1]), L), R))), same([Y,L,X,R], [VA,VB,VC,[1-[b,c],2-[a]]]).
:- test s6_76 + not_fails.
s6_76 :- once((bagof(X-Y, member_(X-Y, [1-a, 2-b]), [A, B]))), same([X,Y,A,B], [VA,VB,1-a,2-b]).
:- test s6_77 + exception(error(existence_error(procedure,aggregate_test/0), _)).
s6_77 :- aggregate_test.
:- test s6_78 + not_fails.
s6_78 :- once((copy_term(f(X, Y, X), f(A, B, C)), A == C, A \== B)), same([X,Y,A,B,C], [VA,VB,VC,VD,VC]).
:- test s6_79 + not_fails.
s6_79 :- once((copy_term([X, Y], L), L = [A, B], A \== X)), same([X,Y,L,A,B], [VA,VB,[VC,VD],VC,VD]).
:- test s6_80 + not_fails.
s6_80 :- once((T = point(1, 2), functor(T, N, A), arg(1, T, X), T =.. L)), same([T,N,A,X,L], [point(1,2),point,2,1,[point,1,2]]).
:- test s6_81 + not_fails.
s6_81 :- once((functor(T, point, 2), arg(1, T, 3), arg(2, T, 4))), same([T], [point(3,4)]).
:- test s6_82 + not_fails.
s6_82 :- once((X = 'hello world', writeq(X))), same([X], ['hello world']).
:- test s6_83 + not_fails.
s6_83 :- once((writeq(f(A, B, A)), nl)), same([A,B], [VA,VB]).
:- test s6_84 + not_fails.
s6_84 :- once((writeq('\\'), writeq(a- -1), writeq(- 1), writeq(1 - 1))).
:- test s6_85 + not_fails.
s6_85 :- once((write_canonical([a, 'B'|c]), nl)).
:- test s6_86 + not_fails.
s6_86 :- once((write_canonical('$VAR'(1)), print_done = print_done)).
:- test s6_87 + not_fails.
s6_87 :- once((write('A b'), write(' '), write("str"))).
:- test s6_88 + not_fails.
s6_88 :- once((writeq(['\t', '\x1\', '\x7f\']))).
:- test s6_89 + not_fails.
s6_89 :- once((writeq(- (1)), writeq(-(-(1))), writeq(1 - (-1)))).
:- test s6_90 + not_fails.
s6_90 :- once((writeq([(a :- b), (c , d)]), writeq({x}), writeq('{}'(x, y)))).
:- test s6_91 + not_fails.
s6_91 :- once((writeq((a :- b, c)), writeq((:- a)), writeq(f((a , b))))).
:- test s6_92 + not_fails.
s6_92 :- once((writeq(1.0e10), writeq(' '), writeq(1.5), writeq(' '), writeq(100000000000000000000.0))).
:- test s6_93 + not_fails.
s6_93 :- once((writeq([]), writeq('[]'), writeq({}), writeq(;), writeq(!), writeq((',')))).
:- test s6_94 + not_fails.
s6_94 :- once((writeq("a\"b"))).
:- test s6_95 + not_fails.
s6_95 :- once((writeq('don''t'))).
