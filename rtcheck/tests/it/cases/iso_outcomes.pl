% Assertions of ISO conformity in Ciao's notation, each of one goal and its outcome: success with a term, failure, or the
% error that the standard says. Flags, streams, options for reading and writing, operators, parts of atoms, numbers as
% text and evaluation.
:- module(_, _, [assertions, nativeprops, regtypes, unittestdecls]).
:- set_prolog_flag(double_quotes, codes).
:- dynamic(dyn/1).
dyn(1).
mem(X,[X|_]).
mem(X,[_|T]) :- mem(X,T).
tmp(A) :- open('t.txt',write,S), write(S,A), close(S).
ro(A,O,T) :- tmp(A), open('t.txt',read,S), catch(read_term(S,T,O),E,true), close(S), re(E).
re(E) :- var(E), !.
re(error(syntax_error(_),C)) :- !, throw(error(syntax_error,C)).
re(E) :- throw(E).
sy(A) :- catch(ro(A,[],_),error(syntax_error,_),(true,R=1)), R==1.
pe(G,A,B) :- catch(G,error(permission_error(A0,B0,_),_),true), A=A0, B=B0.
wt(T,O,A) :- open('t.txt',write,S), write_term(S,T,O), close(S), open('t.txt',read,R), chars(R,L), close(R), atom_chars(A,L).
chars(S,L) :- get_char(S,C), ( C == end_of_file -> L = [] ; L = [C|M], chars(S,M) ).
nc(X,L) :- catch(number_codes(X,L),E,true), re(E).
outcome(G,T,R) :- catch((G -> R = yes(T) ; R = no),E,true), ( nonvar(E) -> ( E = error(F,_) -> R = err(F) ; R = thrown(E) ) ; true ).
same(A,B) :- copy_term(A,A1), copy_term(B,B1), numv(A1,0,N), numv(B1,0,N), A1 == B1.
numv(T,N,M) :- term_variables(T,Vs), nv(Vs,N,M).
nv([],N,N).
nv([v(N)|Vs],N,M) :- N1 is N+1, nv(Vs,N1,M).
% 7.11, 8.17: flags.
:- test flag1(R) => (R == err(instantiation_error)) + not_fails.
flag1(R) :- outcome(set_prolog_flag(A,a), x, R).
:- test flag2(R) => (R == err(instantiation_error)) + not_fails.
flag2(R) :- outcome(set_prolog_flag(unknown,A), x, R).
:- test flag3(R) => (R == err(type_error(atom,1))) + not_fails.
flag3(R) :- outcome(set_prolog_flag(1,a), x, R).
:- test flag4(R) => (R == err(domain_error(prolog_flag,nosuchflag))) + not_fails.
flag4(R) :- outcome(set_prolog_flag(nosuchflag,x), x, R).
:- test flag5(R) => (R == err(domain_error(flag_value,unknown+bar))) + not_fails.
flag5(R) :- outcome(set_prolog_flag(unknown,bar), x, R).
:- test flag6(R) => (R == err(permission_error(modify,flag,bounded))) + not_fails.
flag6(R) :- outcome(set_prolog_flag(bounded,true), x, R).
:- test flag7(R) => (R == err(permission_error(modify,flag,max_arity))) + not_fails.
flag7(R) :- outcome(set_prolog_flag(max_arity,3), x, R).
:- test flag8(R) => (R == err(domain_error(flag_value,debug+trace))) + not_fails.
flag8(R) :- outcome(set_prolog_flag(debug,trace), x, R).
:- test flag9(R) => (R == err(domain_error(flag_value,char_conversion+maybe))) + not_fails.
flag9(R) :- outcome(set_prolog_flag(char_conversion,maybe), x, R).
:- test flag10(R) => (R == err(domain_error(flag_value,double_quotes+texts))) + not_fails.
flag10(R) :- outcome(set_prolog_flag(double_quotes,texts), x, R).
:- test flag11(R) => (R == err(type_error(atom,1))) + not_fails.
flag11(R) :- outcome(current_prolog_flag(1,A), x, R).
:- test flag12(R) => (R == err(domain_error(prolog_flag,warning))) + not_fails.
flag12(R) :- outcome(current_prolog_flag(warning,A), x, R).
:- test flag13(R) => (R == yes(toward_zero)) + not_fails.
flag13(R) :- outcome(current_prolog_flag(integer_rounding_function,A), A, R).
:- test flag15(R) => (R == yes(x)) + not_fails.
flag15(R) :- outcome((set_prolog_flag(unknown,fail),\+undefined_xyz,set_prolog_flag(unknown,error)), x, R).
% 8.17.3: halt/1.
:- test halt17(R) => (R == err(instantiation_error)) + not_fails.
halt17(R) :- outcome(halt(A), x, R).
:- test halt18(R) => (R == err(type_error(integer,a))) + not_fails.
halt18(R) :- outcome(halt(a), x, R).
% 8.11: streams.
:- test stream19(R) => (R == err(domain_error(stream,foo))) + not_fails.
stream19(R) :- outcome(current_input(foo), x, R).
:- test stream20(R) => (R == err(domain_error(stream,1))) + not_fails.
stream20(R) :- outcome(current_output(1), x, R).
:- test stream21(R) => (R == err(instantiation_error)) + not_fails.
stream21(R) :- outcome(set_input(A), x, R).
:- test stream22(R) => (R == err(existence_error(stream,foo_nosuch))) + not_fails.
stream22(R) :- outcome(set_input(foo_nosuch), x, R).
:- test stream23(R) => (R == err(domain_error(stream_or_alias,f(1)))) + not_fails.
stream23(R) :- outcome(set_input(f(1)), x, R).
:- test stream24(R) => (R == err(domain_error(stream_or_alias,1))) + not_fails.
stream24(R) :- outcome(set_output(1), x, R).
:- test stream25(R) => (R == yes(input-stream)) + not_fails.
stream25(R) :- outcome(pe(set_input(user_output),A,B), A-B, R).
:- test stream26(R) => (R == yes(output-stream)) + not_fails.
stream26(R) :- outcome(pe(set_output(user_input),A,B), A-B, R).
:- test stream27(R) => (R == err(instantiation_error)) + not_fails.
stream27(R) :- outcome(open(A,read,B), x, R).
:- test stream28(R) => (R == err(instantiation_error)) + not_fails.
stream28(R) :- outcome(open(f,A,B), x, R).
:- test stream29(R) => (R == err(instantiation_error)) + not_fails.
stream29(R) :- outcome(open(f,read,A,B), x, R).
:- test stream30(R) => (R == err(instantiation_error)) + not_fails.
stream30(R) :- outcome(open(f,read,A,[type(text)|B]), x, R).
:- test stream31(R) => (R == err(instantiation_error)) + not_fails.
stream31(R) :- outcome(open(f,read,A,[type(text),B]), x, R).
:- test stream32(R) => (R == err(type_error(atom,1))) + not_fails.
stream32(R) :- outcome(open(f,1,A), x, R).
:- test stream33(R) => (R == err(domain_error(io_mode,nomode))) + not_fails.
stream33(R) :- outcome(open(f,nomode,A), x, R).
:- test stream34(R) => (R == err(type_error(list,foo))) + not_fails.
stream34(R) :- outcome(open(f,read,A,foo), x, R).
:- test stream35(R) => (R == err(domain_error(stream_option,a(b)))) + not_fails.
stream35(R) :- outcome(open(f,read,A,[a(b)]), x, R).
:- test stream36(R) => (R == err(domain_error(stream_option,type(foo)))) + not_fails.
stream36(R) :- outcome(open(f,write,A,[type(foo)]), x, R).
:- test stream37(R) => (R == err(domain_error(stream_option,eof_action(foo)))) + not_fails.
stream37(R) :- outcome(open(f,write,A,[eof_action(foo)]), x, R).
:- test stream38(R) => (R == err(uninstantiation_error(s))) + not_fails.
stream38(R) :- outcome(open(f,write,s), x, R).
:- test stream39(R) => (R == err(domain_error(source_sink,f(1)))) + not_fails.
stream39(R) :- outcome(open(f(1),read,A), x, R).
:- test stream40(R) => (R == err(existence_error(source_sink,'nosuchdir/y'))) + not_fails.
stream40(R) :- outcome(open('nosuchdir/y',read,A), x, R).
:- test stream41(R) => (R == yes(permission_error(open,source_sink,alias(al1)))) + not_fails.
stream41(R) :- outcome((open('t1.txt',write,A,[alias(al1)]),catch(open('t2.txt',write,B,[alias(al1)]),error(C,D),true),close(A)), C, R).
:- test stream42(R) => (R == err(instantiation_error)) + not_fails.
stream42(R) :- outcome(close(A), x, R).
:- test stream43(R) => (R == err(existence_error(stream,nosuch_alias))) + not_fails.
stream43(R) :- outcome(close(nosuch_alias), x, R).
:- test stream44(R) => (R == err(domain_error(stream_or_alias,1))) + not_fails.
stream44(R) :- outcome(close(1), x, R).
:- test stream45(R) => (R == err(instantiation_error)) + not_fails.
stream45(R) :- outcome(close(user_output,A), x, R).
:- test stream46(R) => (R == err(domain_error(close_option,foo))) + not_fails.
stream46(R) :- outcome(close(user_output,[foo]), x, R).
:- test stream47(R) => (R == err(domain_error(close_option,force(maybe)))) + not_fails.
stream47(R) :- outcome(close(user_output,[force(maybe)]), x, R).
:- test stream48(R) => (R == err(type_error(list,foo))) + not_fails.
stream48(R) :- outcome(close(user_output,foo), x, R).
:- test stream49(R) => (R == yes(stream)) + not_fails.
stream49(R) :- outcome((open('t1.txt',write,A),close(A),catch(close(A),error(existence_error(B,C),D),true)), B, R).
:- test stream50(R) => (R == err(instantiation_error)) + not_fails.
stream50(R) :- outcome(flush_output(A), x, R).
:- test stream51(R) => (R == yes(output-stream)) + not_fails.
stream51(R) :- outcome(pe(flush_output(user_input),A,B), A-B, R).
:- test stream52(R) => (R == err(domain_error(stream,foo))) + not_fails.
stream52(R) :- outcome(stream_property(foo,A), x, R).
:- test stream53(R) => (R == err(domain_error(stream_property,foo))) + not_fails.
stream53(R) :- outcome(stream_property(A,foo), x, R).
:- test stream54(R) => (R == err(domain_error(stream_property,1))) + not_fails.
stream54(R) :- outcome(stream_property(A,1), x, R).
:- test stream55(R) => (R == err(instantiation_error)) + not_fails.
stream55(R) :- outcome(set_stream_position(user_input,A), x, R).
:- test stream56(R) => (R == yes(domain_error(stream_position,foo))) + not_fails.
stream56(R) :- outcome((tmp(abc),open('t.txt',read,A,[reposition(true)]),catch(set_stream_position(A,foo),error(B,C),true),close(A)), B, R).
:- test stream57(R) => (R == err(instantiation_error)) + not_fails.
stream57(R) :- outcome(at_end_of_stream(A), x, R).
:- test stream58(R) => (R == err(existence_error(stream,foo_nosuch))) + not_fails.
stream58(R) :- outcome(at_end_of_stream(foo_nosuch), x, R).
:- test stream59(R) => (R == err(domain_error(stream_or_alias,1))) + not_fails.
stream59(R) :- outcome(at_end_of_stream(1), x, R).
:- test stream60(R) => (R == yes(n/y)) + not_fails.
stream60(R) :- outcome((tmp(ab),open('t.txt',read,A),get_char(A,B),(at_end_of_stream(A)->C=y;C=n),get_char(A,D),(at_end_of_stream(A)->E=y;E=n),close(A)), C/E, R).
% 8.12, 8.13: characters, codes and bytes.
:- test char61(R) => (R == err(instantiation_error)) + not_fails.
char61(R) :- outcome(get_char(A,B), x, R).
:- test char62(R) => (R == err(type_error(in_character,1))) + not_fails.
char62(R) :- outcome(get_char(user_input,1), x, R).
:- test char63(R) => (R == err(type_error(in_character,ab))) + not_fails.
char63(R) :- outcome(peek_char(user_input,ab), x, R).
:- test char64(R) => (R == err(type_error(integer,a))) + not_fails.
char64(R) :- outcome(get_code(user_input,a), x, R).
:- test char65(R) => (R == err(type_error(integer,a))) + not_fails.
char65(R) :- outcome(peek_code(user_input,a), x, R).
:- test char66(R) => (R == err(representation_error(in_character_code))) + not_fails.
char66(R) :- outcome(get_code(user_input,-2), x, R).
:- test char67(R) => (R == yes(input-stream)) + not_fails.
char67(R) :- outcome(pe(get_char(user_output,A),B,C), B-C, R).
:- test char68(R) => (R == yes(input-stream)) + not_fails.
char68(R) :- outcome(pe(peek_code(user_output,A),B,C), B-C, R).
:- test char69(R) => (R == err(instantiation_error)) + not_fails.
char69(R) :- outcome(put_char(A), x, R).
:- test char70(R) => (R == err(type_error(character,1))) + not_fails.
char70(R) :- outcome(put_char(1), x, R).
:- test char71(R) => (R == err(type_error(character,ab))) + not_fails.
char71(R) :- outcome(put_char(ab), x, R).
:- test char72(R) => (R == err(instantiation_error)) + not_fails.
char72(R) :- outcome(put_code(A), x, R).
:- test char73(R) => (R == err(type_error(integer,a))) + not_fails.
char73(R) :- outcome(put_code(a), x, R).
:- test char74(R) => (R == err(representation_error(character_code))) + not_fails.
char74(R) :- outcome(put_code(-1), x, R).
:- test char75(R) => (R == err(instantiation_error)) + not_fails.
char75(R) :- outcome(nl(A), x, R).
:- test char76(R) => (R == yes(output-stream)) + not_fails.
char76(R) :- outcome(pe(nl(user_input),A,B), A-B, R).
:- test char77(R) => (R == yes(output-stream)) + not_fails.
char77(R) :- outcome(pe(put_char(user_input,a),A,B), A-B, R).
:- test char78(R) => (R == err(existence_error(stream,foo_nosuch))) + not_fails.
char78(R) :- outcome(nl(foo_nosuch), x, R).
:- test char79(R) => (R == yes(input-text_stream)) + not_fails.
char79(R) :- outcome((tmp(a),open('t.txt',read,A),pe(get_byte(A,B),C,D),close(A)), C-D, R).
:- test char80(R) => (R == yes(output-text_stream)) + not_fails.
char80(R) :- outcome((open('t3.txt',write,A),pe(put_byte(A,1),B,C),close(A)), B-C, R).
:- test char81(R) => (R == yes(instantiation_error)) + not_fails.
char81(R) :- outcome((open('t3.bin',write,A,[type(binary)]),catch(put_byte(A,B),error(C,D),true),close(A)), C, R).
:- test char82(R) => (R == yes(type_error(byte,a))) + not_fails.
char82(R) :- outcome((open('t3.bin',write,A,[type(binary)]),catch(put_byte(A,a),error(B,C),true),close(A)), B, R).
:- test char83(R) => (R == yes(type_error(in_byte,a)/7/ -1)) + not_fails.
char83(R) :- outcome((open('t3.bin',write,A,[type(binary)]),put_byte(A,7),close(A),open('t3.bin',read,B,[type(binary)]),catch(get_byte(B,a),error(C,D),true),get_byte(B,E),get_byte(B,F),close(B)), C/E/F, R).
:- test char84(R) => (R == yes(input-binary_stream)) + not_fails.
char84(R) :- outcome((open('t3.bin',write,A,[type(binary)]),put_byte(A,7),close(A),open('t3.bin',read,B,[type(binary)]),pe(get_char(B,C),D,E),close(B)), D-E, R).
:- test char85(R) => (R == yes(end_of_file/input/past_end_of_stream)) + not_fails.
char85(R) :- outcome((tmp(''),open('t.txt',read,A,[eof_action(error)]),get_char(A,B),pe(get_char(A,C),D,E),close(A)), B/D/E, R).
:- test char86(R) => (R == yes(-1/ -1)) + not_fails.
char86(R) :- outcome((tmp(''),open('t.txt',read,A,[eof_action(eof_code)]),get_code(A,B),get_code(A,C),close(A)), B/C, R).
:- test char87(R) => (R == yes([a,'\n',b,end_of_file])) + not_fails.
char87(R) :- outcome((tmp('a\nb'),open('t.txt',read,A),get_char(A,B),get_char(A,C),get_char(A,D),get_char(A,E),close(A)), [B,C,D,E], R).
% 8.14.1: terms that are read, with options and mistakes.
:- test read88(R) => (R == err(instantiation_error)) + not_fails.
read88(R) :- outcome(read_term(user_input,A,B), x, R).
:- test read89(R) => (R == err(domain_error(read_option,foo))) + not_fails.
read89(R) :- outcome(read_term(user_input,A,[foo]), x, R).
:- test read90(R) => (R == err(type_error(list,foo))) + not_fails.
read90(R) :- outcome(read_term(user_input,A,foo), x, R).
:- test read91(R) => (R == err(instantiation_error)) + not_fails.
read91(R) :- outcome(read_term(user_input,A,[variables(B)|C]), x, R).
:- test read92(R) => (R == err(instantiation_error)) + not_fails.
read92(R) :- outcome(read_term(user_input,A,[B]), x, R).
:- test read93(R) => (R == err(instantiation_error)) + not_fails.
read93(R) :- outcome(read(A,B), x, R).
:- test read94(R) => (R == err(existence_error(stream,foo_nosuch))) + not_fails.
read94(R) :- outcome(read(foo_nosuch,A), x, R).
:- test read95(R) => (R == yes(input-stream)) + not_fails.
read95(R) :- outcome(pe(read(user_output,A),B,C), B-C, R).
:- test read96(R) => same(R, yes(x(foo(A,B,A,C,D),[A,B,C,D],['A'=A,'_B'=B],['_B'=B]))) + not_fails.
read96(R) :- outcome(ro('foo(A,_B,A,_,_).',[variables(A),variable_names(B),singletons(C)],D), x(D,A,B,C), R).
:- test read97(R) => same(R, yes(foo(A,B,A,C)-['A'=A,'Roger'=B])) + not_fails.
read97(R) :- outcome(ro('foo(A,Roger,A,_).',[variable_names(A)],B), B-A, R).
:- test read98(R) => (R == yes(term1)) + not_fails.
read98(R) :- outcome(ro('term1. term2.',[],A), A, R).
:- test read99(R) => (R == yes(end_of_file)) + not_fails.
read99(R) :- outcome(ro('',[],A), A, R).
:- test read100(R) => (R == yes(end_of_file)) + not_fails.
read100(R) :- outcome(ro('% only a comment\n',[],A), A, R).
:- test read101(R) => (R == yes(x)) + not_fails.
read101(R) :- outcome(sy(foo), x, R).
:- test read102(R) => (R == yes(x)) + not_fails.
read102(R) :- outcome(sy('foo( .'), x, R).
:- test read103(R) => (R == yes(x)) + not_fails.
read103(R) :- outcome(sy('3.1e .'), x, R).
:- test read104(R) => (R == yes(x)) + not_fails.
read104(R) :- outcome(sy('a b.'), x, R).
:- test read106(R) => (R == yes(x)) + not_fails.
read106(R) :- outcome(sy('\'a\\qb\'.'), x, R).
:- test read107(R) => (R == yes(x)) + not_fails.
read107(R) :- outcome(sy('\'\\xg\\\'.'), x, R).
:- test read108(R) => (R == yes(x)) + not_fails.
read108(R) :- outcome(sy('f(a,).'), x, R).
:- test read109(R) => (R == yes(x)) + not_fails.
read109(R) :- outcome(sy('[a|b|c].'), x, R).
:- test read110(R) => (R == yes(x)) + not_fails.
read110(R) :- outcome(sy('[a,b|].'), x, R).
:- test read111(R) => (R == yes(x)) + not_fails.
read111(R) :- outcome(sy('{a.'), x, R).
:- test read112(R) => (R == yes(x)) + not_fails.
read112(R) :- outcome(sy('/* open'), x, R).
:- test read113(R) => (R == yes(x)) + not_fails.
read113(R) :- outcome(sy('a = b = c.'), x, R).
:- test read114(R) => (R == yes(x)) + not_fails.
read114(R) :- outcome(sy(':- :- a.'), x, R).
:- test read115(R) => (R == yes(x)) + not_fails.
read115(R) :- outcome(sy('X is 1 + .'), x, R).
:- test read116(R) => (R == yes([97,34,98])) + not_fails.
read116(R) :- outcome(ro('"a""b".',[],A), A, R).
:- test read117(R) => (R == yes(ab)) + not_fails.
read117(R) :- outcome(ro('\'a\\\nb\'.',[],A), A, R).
:- test read118(R) => (R == yes('AA')) + not_fails.
read118(R) :- outcome(ro('\'\\x41\\\\101\\\'.',[],A), A, R).
:- test read119(R) => (R == yes([97,39,10,31,15,5])) + not_fails.
read119(R) :- outcome(ro('[0\'a, 0\'\'\', 0\'\\n, 0x1F, 0o17, 0b101].',[],A), A, R).
:- test read121(R) => (R == yes(-1)) + not_fails.
read121(R) :- outcome(ro('-1.',[],A), A, R).
:- test read122(R) => (R == yes(- (1))) + not_fails.
read122(R) :- outcome(ro('-(1).',[],A), A, R).
:- test read123(R) => (R == yes(- (1))) + not_fails.
read123(R) :- outcome(ro('- (1).',[],A), A, R).
:- test read124(R) => (R == yes(a- -1)) + not_fails.
read124(R) :- outcome(ro('a- -1.',[],A), A, R).
:- test read125(R) => (R == yes((\+a,b))) + not_fails.
read125(R) :- outcome(ro('\\+a,b.',[],A), A, R).
:- test read126(R) => (R == yes(-2^2)) + not_fails.
read126(R) :- outcome(ro('-2^2.',[],A), A, R).
:- test read127(R) => (R == yes(-a^2)) + not_fails.
read127(R) :- outcome(ro('-a^2.',[],A), A, R).
:- test read128(R) => (R == yes(1-2-3)) + not_fails.
read128(R) :- outcome(ro('1 - 2 - 3.',[],A), A, R).
:- test read129(R) => (R == err(syntax_error)) + not_fails.
read129(R) :- outcome(ro('2 ** 3 ** 4.',[],A), x, R).
:- test read130(R) => (R == yes(2^3^4)) + not_fails.
read130(R) :- outcome(ro('2 ^ 3 ^ 4.',[],A), A, R).
:- test read131(R) => (R == yes(f(:-,a))) + not_fails.
read131(R) :- outcome(ro('f(:-, a).',[],A), A, R).
:- test read132(R) => (R == yes([:-|:-])) + not_fails.
read132(R) :- outcome(ro('[:-|:-].',[],A), A, R).
:- test read133(R) => (R == yes({})) + not_fails.
read133(R) :- outcome(ro('{}.',[],A), A, R).
:- test read134(R) => (R == yes({-})) + not_fails.
read134(R) :- outcome(ro('{-}.',[],A), A, R).
:- test read135(R) => (R == yes({a:-b,c})) + not_fails.
read135(R) :- outcome(ro('{a:-b,c}.',[],A), A, R).
:- test read136(R) => (R == yes(a)) + not_fails.
read136(R) :- outcome(ro('a/* c */.',[],A), A, R).
% 8.14.2: terms that are written with options.
:- test write137(R) => (R == err(instantiation_error)) + not_fails.
write137(R) :- outcome(write_term(1,A), x, R).
:- test write138(R) => (R == err(instantiation_error)) + not_fails.
write138(R) :- outcome(write_term(1,[quoted(true)|A]), x, R).
:- test write139(R) => (R == err(instantiation_error)) + not_fails.
write139(R) :- outcome(write_term(1,[quoted(true),A]), x, R).
:- test write140(R) => (R == err(type_error(list,foo))) + not_fails.
write140(R) :- outcome(write_term(1,foo), x, R).
:- test write141(R) => (R == err(type_error(list,[quoted(true)|foo]))) + not_fails.
write141(R) :- outcome(write_term(1,[quoted(true)|foo]), x, R).
:- test write142(R) => (R == err(domain_error(write_option,foo))) + not_fails.
write142(R) :- outcome(write_term(1,[quoted(true),foo]), x, R).
:- test write143(R) => (R == err(domain_error(write_option,quoted(maybe)))) + not_fails.
write143(R) :- outcome(write_term(1,[quoted(maybe)]), x, R).
:- test write144(R) => (R == err(instantiation_error)) + not_fails.
write144(R) :- outcome(write_term(1,[quoted(A)]), x, R).
:- test write145(R) => (R == err(instantiation_error)) + not_fails.
write145(R) :- outcome(write_term(A,1,[]), x, R).
:- test write146(R) => (R == err(existence_error(stream,foo_nosuch))) + not_fails.
write146(R) :- outcome(write_term(foo_nosuch,1,[]), x, R).
:- test write147(R) => (R == yes(output-stream)) + not_fails.
write147(R) :- outcome(pe(write_term(user_input,1,[]),A,B), A-B, R).
:- test write148(R) => (R == yes('B1')) + not_fails.
write148(R) :- outcome(wt('$VAR'(27),[numbervars(true)],A), A, R).
:- test write149(R) => (R == yes('$VAR(27)')) + not_fails.
write149(R) :- outcome(wt('$VAR'(27),[],A), A, R).
:- test write150(R) => (R == yes('\'$VAR\'(-1)')) + not_fails.
write150(R) :- outcome(wt('$VAR'(-1),[numbervars(true),quoted(true)],A), A, R).
:- test write151(R) => (R == yes('\'$VAR\'(x)')) + not_fails.
write151(R) :- outcome(wt('$VAR'(x),[numbervars(true),quoted(true)],A), A, R).
:- test write152(R) => (R == yes('[\'a b\',[],{},!,;,\',\',\'|\']')) + not_fails.
write152(R) :- outcome(wt(['a b',[],{},!,;,',','|'],[quoted(true)],A), A, R).
:- test write153(R) => (R == yes('1+2*3-(4-5)')) + not_fails.
write153(R) :- outcome(wt(1+2*3-(4-5),[],A), A, R).
:- test write154(R) => (R == yes('+(1,*(2,3))')) + not_fails.
write154(R) :- outcome(wt(1+2*3,[ignore_ops(true)],A), A, R).
:- test write157(R) => (R == yes('- -a')) + not_fails.
write157(R) :- outcome(wt(- -a,[quoted(true)],A), A, R).
:- test write158(R) => (R == yes('1- -1')) + not_fails.
write158(R) :- outcome(wt(1- -1,[quoted(true)],A), A, R).
:- test write159(R) => (R == yes('a:-b,c;d->e')) + not_fails.
write159(R) :- outcome(wt((a:-b,c;d->e),[quoted(true)],A), A, R).
:- test write160(R) => (R == yes('f((a,b),(c:-d),-)')) + not_fails.
write160(R) :- outcome(wt(f((a,b),(c:-d),-),[quoted(true)],A), A, R).
:- test write161(R) => (R == yes('\'\\t\\n\\\\\\\'\'')) + not_fails.
write161(R) :- outcome(wt('\t\n\\\'',[quoted(true)],A), A, R).
:- test write162(R) => (R == yes('{a,b}')) + not_fails.
write162(R) :- outcome(wt({a,b},[quoted(true)],A), A, R).
:- test write163(R) => (R == yes('[a|b]')) + not_fails.
write163(R) :- outcome(wt([a|b],[],A), A, R).
:- test write164(R) => (R == yes('\\+ (a,b)')) + not_fails.
write164(R) :- outcome(wt(\+ (a,b),[],A), A, R).
:- test write165(R) => (R == yes('2** -1')) + not_fails.
write165(R) :- outcome(wt(2** -1,[],A), A, R).
:- test write166(R) => (R == yes('10000000000.0')) + not_fails.
write166(R) :- outcome(wt(10000000000.0,[],A), A, R).
% 8.14.3, 8.14.4: operators.
:- test op167(R) => (R == err(instantiation_error)) + not_fails.
op167(R) :- outcome(op(A,xfx,a), x, R).
:- test op168(R) => (R == err(instantiation_error)) + not_fails.
op168(R) :- outcome(op(700,A,a), x, R).
:- test op169(R) => (R == err(instantiation_error)) + not_fails.
op169(R) :- outcome(op(700,xfx,A), x, R).
:- test op170(R) => (R == err(instantiation_error)) + not_fails.
op170(R) :- outcome(op(700,xfx,[a|A]), x, R).
:- test op171(R) => (R == err(domain_error(operator_priority,1201))) + not_fails.
op171(R) :- outcome(op(1201,xfx,a), x, R).
:- test op172(R) => (R == err(domain_error(operator_priority,-1))) + not_fails.
op172(R) :- outcome(op(-1,xfx,a), x, R).
:- test op173(R) => (R == err(type_error(integer,max))) + not_fails.
op173(R) :- outcome(op(max,xfx,a), x, R).
:- test op174(R) => (R == err(domain_error(operator_specifier,yfy))) + not_fails.
op174(R) :- outcome(op(30,yfy,a), x, R).
:- test op175(R) => (R == err(type_error(atom,1))) + not_fails.
op175(R) :- outcome(op(30,1,a), x, R).
:- test op176(R) => (R == err(type_error(list,1))) + not_fails.
op176(R) :- outcome(op(30,xfy,1), x, R).
:- test op177(R) => (R == err(type_error(atom,1))) + not_fails.
op177(R) :- outcome(op(30,xfy,[a,1]), x, R).
:- test op178(R) => (R == err(permission_error(modify,operator,','))) + not_fails.
op178(R) :- outcome(op(30,xfx,','), x, R).
:- test op180(R) => (R == err(permission_error(create,operator,[]))) + not_fails.
op180(R) :- outcome(op(30,xfy,[[]]), x, R).
:- test op181(R) => (R == err(permission_error(create,operator,{}))) + not_fails.
op181(R) :- outcome(op(30,xfy,{}), x, R).
:- test op182(R) => (R == err(permission_error(create,operator,'|'))) + not_fails.
op182(R) :- outcome(op(1000,xfy,'|'), x, R).
:- test op183(R) => (R == err(permission_error(create,operator,'|'))) + not_fails.
op183(R) :- outcome(op(1100,fy,'|'), x, R).
:- test op184(R) => (R == err(permission_error(create,operator,*))) + not_fails.
op184(R) :- outcome(op(30,xf,*), x, R).
:- test op185(R) => (R == yes(===>(a,b))) + not_fails.
op185(R) :- outcome((op(700,xfx,===>),ro('a ===> b.',[],A),op(0,xfx,===>),sy('a ===> b.')), A, R).
:- test op186(R) => (R == yes([200-xfy])) + not_fails.
op186(R) :- outcome((op(200,xfy,[o1,o2]),findall(A-B,current_op(A,B,o2),C),op(0,xfy,[o1,o2])), C, R).
:- test op187(R) => (R == err(domain_error(operator_priority,1201))) + not_fails.
op187(R) :- outcome(current_op(1201,A,B), x, R).
:- test op188(R) => (R == err(domain_error(operator_specifier,yfy))) + not_fails.
op188(R) :- outcome(current_op(A,yfy,B), x, R).
:- test op189(R) => (R == err(type_error(atom,1))) + not_fails.
op189(R) :- outcome(current_op(A,B,1), x, R).
:- test op190(R) => (R == yes(1000)) + not_fails.
op190(R) :- outcome(current_op(A,xfy,','), A, R).
% 8.16.3: parts of atoms.
:- test sub191(R) => (R == yes([ab,bc])) + not_fails.
sub191(R) :- outcome(findall(A,sub_atom(abc,B,2,C,A),D), D, R).
:- test sub192(R) => (R == yes([0-0-2,0-1-1,0-2-0,1-0-1,1-1-0,2-0-0])) + not_fails.
sub192(R) :- outcome(findall(A-B-C,sub_atom(ab,A,B,C,D),E), E, R).
:- test sub193(R) => (R == yes([0,1])) + not_fails.
sub193(R) :- outcome(findall(A,sub_atom(aaa,A,B,C,aa),D), D, R).
:- test sub194(R) => (R == yes([0-2,1-1,2-0])) + not_fails.
sub194(R) :- outcome(findall(A-B,sub_atom(ab,A,0,B,''),C), C, R).
:- test sub195(R) => (R == yes([abc,bc,c,''])) + not_fails.
sub195(R) :- outcome(findall(A,sub_atom(abc,B,C,0,A),D), D, R).
:- test sub196(R) => (R == err(instantiation_error)) + not_fails.
sub196(R) :- outcome(sub_atom(A,B,C,D,E), x, R).
:- test sub197(R) => (R == err(type_error(atom,f(a)))) + not_fails.
sub197(R) :- outcome(sub_atom(f(a),A,B,C,D), x, R).
:- test sub198(R) => (R == err(type_error(integer,a))) + not_fails.
sub198(R) :- outcome(sub_atom(abc,a,A,B,C), x, R).
:- test sub199(R) => (R == err(type_error(integer,b))) + not_fails.
sub199(R) :- outcome(sub_atom(abc,A,b,B,C), x, R).
:- test sub200(R) => (R == err(type_error(integer,c))) + not_fails.
sub200(R) :- outcome(sub_atom(abc,A,B,c,C), x, R).
:- test sub201(R) => (R == err(domain_error(not_less_than_zero,-1))) + not_fails.
sub201(R) :- outcome(sub_atom(abc,-1,A,B,C), x, R).
:- test sub202(R) => (R == err(domain_error(not_less_than_zero,-1))) + not_fails.
sub202(R) :- outcome(sub_atom(abc,A,B,-1,C), x, R).
:- test sub203(R) => (R == err(type_error(atom,f(x)))) + not_fails.
sub203(R) :- outcome(sub_atom(abc,A,B,C,f(x)), x, R).
:- test sub204(R) => (R == no) + not_fails.
sub204(R) :- outcome(sub_atom(abc,4,A,B,C), x, R).
:- test sub205(R) => (R == no) + not_fails.
sub205(R) :- outcome(sub_atom(abc,1,3,A,B), x, R).
% 8.16.7, 8.16.8: numbers as text.
:- test num206(R) => (R == yes(12)) + not_fails.
num206(R) :- outcome(nc(A,[49,50]), A, R).
:- test num207(R) => (R == yes(12)) + not_fails.
num207(R) :- outcome(nc(A,[32,49,50]), A, R).
:- test num208(R) => (R == yes(12)) + not_fails.
num208(R) :- outcome(nc(A,[10,49,50]), A, R).
:- test num209(R) => (R == err(syntax_error)) + not_fails.
num209(R) :- outcome(nc(A,[49,50,32]), x, R).
:- test num210(R) => (R == err(syntax_error)) + not_fails.
num210(R) :- outcome(nc(A,[51,32,52]), x, R).
:- test num211(R) => (R == err(syntax_error)) + not_fails.
num211(R) :- outcome(nc(A,[49,101,53,120]), x, R).
:- test num212(R) => (R == err(syntax_error)) + not_fails.
num212(R) :- outcome(nc(A,[49,46]), x, R).
:- test num213(R) => (R == err(syntax_error)) + not_fails.
num213(R) :- outcome(nc(A,[46,53]), x, R).
:- test num214(R) => (R == err(syntax_error)) + not_fails.
num214(R) :- outcome(nc(A,[]), x, R).
:- test num215(R) => (R == err(syntax_error)) + not_fails.
num215(R) :- outcome(nc(A,[48,120]), x, R).
:- test num216(R) => (R == err(syntax_error)) + not_fails.
num216(R) :- outcome(nc(A,[48,98,50]), x, R).
:- test num217(R) => (R == err(syntax_error)) + not_fails.
num217(R) :- outcome(nc(A,[102,111,111]), x, R).
:- test num218(R) => (R == err(syntax_error)) + not_fails.
num218(R) :- outcome(nc(A,[45,45,49]), x, R).
:- test num219(R) => (R == yes(-12)) + not_fails.
num219(R) :- outcome(nc(A,[45,49,50]), A, R).
:- test num220(R) => (R == yes(97)) + not_fails.
num220(R) :- outcome(nc(A,[48,39,97]), A, R).
:- test num221(R) => (R == yes(39)) + not_fails.
num221(R) :- outcome(nc(A,[48,39,39,39]), A, R).
:- test num222(R) => (R == yes(10)) + not_fails.
num222(R) :- outcome(nc(A,[48,39,92,110]), A, R).
:- test num223(R) => (R == yes(100.0)) + not_fails.
num223(R) :- outcome(nc(A,[49,46,48,101,43,50]), A, R).
:- test num224(R) => (R == yes(15)) + not_fails.
num224(R) :- outcome(nc(A,[48,111,49,55]), A, R).
:- test num227(R) => (R == err(instantiation_error)) + not_fails.
num227(R) :- outcome(number_codes(A,B), x, R).
:- test num228(R) => (R == err(instantiation_error)) + not_fails.
num228(R) :- outcome(number_codes(A,[49|B]), x, R).
:- test num229(R) => (R == err(instantiation_error)) + not_fails.
num229(R) :- outcome(number_codes(A,[49,B]), x, R).
:- test num230(R) => (R == err(type_error(number,a))) + not_fails.
num230(R) :- outcome(number_codes(a,A), x, R).
:- test num231(R) => (R == err(type_error(list,a))) + not_fails.
num231(R) :- outcome(number_codes(A,a), x, R).
:- test num232(R) => (R == err(type_error(list,[49|a]))) + not_fails.
num232(R) :- outcome(number_codes(A,[49|a]), x, R).
:- test num233(R) => (R == err(representation_error(character_code))) + not_fails.
num233(R) :- outcome(number_codes(A,[-1]), x, R).
:- test num234(R) => (R == err(type_error(character,2))) + not_fails.
num234(R) :- outcome(number_chars(A,['1',2]), x, R).
:- test num235(R) => (R == err(type_error(character,ab))) + not_fails.
num235(R) :- outcome(number_chars(A,['1',ab]), x, R).
:- test num236(R) => (R == yes(15)) + not_fails.
num236(R) :- outcome(number_chars(A,['0',x,f]), A, R).
:- test num237(R) => (R == yes([49,50])) + not_fails.
num237(R) :- outcome(number_codes(12,A), A, R).
:- test num238(R) => (R == yes(1.5)) + not_fails.
num238(R) :- outcome((number_codes(1.5,A),number_codes(B,A)), B, R).
% 8.16: atoms as text.
:- test atom239(R) => (R == err(instantiation_error)) + not_fails.
atom239(R) :- outcome(atom_length(A,B), x, R).
:- test atom240(R) => (R == err(type_error(integer,b))) + not_fails.
atom240(R) :- outcome(atom_length(a,b), x, R).
:- test atom241(R) => (R == err(domain_error(not_less_than_zero,-1))) + not_fails.
atom241(R) :- outcome(atom_length(a,-1), x, R).
:- test atom242(R) => (R == err(type_error(atom,f(a)))) + not_fails.
atom242(R) :- outcome(atom_length(f(a),A), x, R).
:- test atom243(R) => (R == err(instantiation_error)) + not_fails.
atom243(R) :- outcome(atom_chars(A,[a|B]), x, R).
:- test atom244(R) => (R == err(type_error(character,f(b)))) + not_fails.
atom244(R) :- outcome(atom_chars(A,[a,f(b)]), x, R).
:- test atom245(R) => (R == err(type_error(list,[a|b]))) + not_fails.
atom245(R) :- outcome(atom_chars(A,[a|b]), x, R).
:- test atom246(R) => (R == err(representation_error(character_code))) + not_fails.
atom246(R) :- outcome(atom_codes(A,[97,-1]), x, R).
:- test atom247(R) => (R == err(instantiation_error)) + not_fails.
atom247(R) :- outcome(char_code(A,B), x, R).
:- test atom248(R) => (R == err(type_error(character,ab))) + not_fails.
atom248(R) :- outcome(char_code(ab,A), x, R).
:- test atom249(R) => (R == err(type_error(integer,a))) + not_fails.
atom249(R) :- outcome(char_code(A,a), x, R).
:- test atom250(R) => (R == err(representation_error(character_code))) + not_fails.
atom250(R) :- outcome(char_code(A,-2), x, R).
:- test atom251(R) => (R == yes([''-ab,a-b,ab-''])) + not_fails.
atom251(R) :- outcome(findall(A-B,atom_concat(A,B,ab),C), C, R).
:- test atom252(R) => (R == err(instantiation_error)) + not_fails.
atom252(R) :- outcome(atom_concat(A,b,B), x, R).
% 8.14.14: conversion of characters.
:- test conv254(R) => (R == err(instantiation_error)) + not_fails.
conv254(R) :- outcome(char_conversion(A,a), x, R).
:- test conv255(R) => (R == err(instantiation_error)) + not_fails.
conv255(R) :- outcome(char_conversion(a,A), x, R).
:- test conv256(R) => (R == yes(a)) + not_fails.
conv256(R) :- outcome(current_char_conversion(a,A), A, R).
:- test conv257(R) => (R == no) + not_fails.
conv257(R) :- outcome(current_char_conversion(a,b), x, R).
% 9: evaluation and its errors.
:- test eval258(R) => (R == err(type_error(evaluable,foo/0))) + not_fails.
eval258(R) :- outcome(A is foo, x, R).
:- test eval259(R) => (R == err(type_error(evaluable,foo/2))) + not_fails.
eval259(R) :- outcome(A is foo(1,2), x, R).
:- test eval260(R) => (R == err(type_error(evaluable,a/0))) + not_fails.
eval260(R) :- outcome(A is 1+a, x, R).
:- test eval261(R) => (R == err(instantiation_error)) + not_fails.
eval261(R) :- outcome(A is B, x, R).
:- test eval262(R) => (R == err(instantiation_error)) + not_fails.
eval262(R) :- outcome(A is 1+B, x, R).
:- test eval263(R) => (R == err(evaluation_error(zero_divisor))) + not_fails.
eval263(R) :- outcome(A is 1//0, x, R).
:- test eval264(R) => (R == err(evaluation_error(zero_divisor))) + not_fails.
eval264(R) :- outcome(A is 1 mod 0, x, R).
:- test eval265(R) => (R == err(evaluation_error(zero_divisor))) + not_fails.
eval265(R) :- outcome(A is 1 rem 0, x, R).
:- test eval266(R) => (R == err(evaluation_error(zero_divisor))) + not_fails.
eval266(R) :- outcome(A is 1 div 0, x, R).
:- test eval267(R) => (R == err(evaluation_error(zero_divisor))) + not_fails.
eval267(R) :- outcome(A is 1/0, x, R).
:- test eval268(R) => (R == err(evaluation_error(zero_divisor))) + not_fails.
eval268(R) :- outcome(A is 1/0.0, x, R).
:- test eval269(R) => (R == err(evaluation_error(zero_divisor))) + not_fails.
eval269(R) :- outcome(A is 1.0/0, x, R).
:- test eval270(R) => (R == err(evaluation_error(undefined))) + not_fails.
eval270(R) :- outcome(A is 0/0.0, x, R).
:- test eval271(R) => (R == err(evaluation_error(undefined))) + not_fails.
eval271(R) :- outcome(A is log(0), x, R).
:- test eval272(R) => (R == err(evaluation_error(undefined))) + not_fails.
eval272(R) :- outcome(A is log(-1), x, R).
:- test eval273(R) => (R == err(evaluation_error(undefined))) + not_fails.
eval273(R) :- outcome(A is sqrt(-1), x, R).
:- test eval274(R) => (R == err(evaluation_error(undefined))) + not_fails.
eval274(R) :- outcome(A is acos(2), x, R).
:- test eval275(R) => (R == err(evaluation_error(undefined))) + not_fails.
eval275(R) :- outcome(A is asin(-2), x, R).
:- test eval276(R) => (R == err(evaluation_error(undefined))) + not_fails.
eval276(R) :- outcome(A is atan2(0,0), x, R).
:- test eval277(R) => (R == err(evaluation_error(undefined))) + not_fails.
eval277(R) :- outcome(A is atan2(0.0,0.0), x, R).
:- test eval278(R) => (R == err(evaluation_error(float_overflow))) + not_fails.
eval278(R) :- outcome(A is exp(1000.0), x, R).
:- test eval279(R) => (R == err(evaluation_error(float_overflow))) + not_fails.
eval279(R) :- outcome(A is 1.0e+308*10, x, R).
:- test eval280(R) => (R == err(type_error(integer,2.0))) + not_fails.
eval280(R) :- outcome(A is 1 mod 2.0, x, R).
:- test eval281(R) => (R == err(type_error(integer,1.0))) + not_fails.
eval281(R) :- outcome(A is 1.0>>2, x, R).
:- test eval282(R) => (R == err(type_error(integer,1.5))) + not_fails.
eval282(R) :- outcome(A is \1.5, x, R).
:- test eval283(R) => (R == err(type_error(evaluable,a/0))) + not_fails.
eval283(R) :- outcome(A is 1 xor a, x, R).
:- test eval284(R) => (R == err(type_error(float,2))) + not_fails.
eval284(R) :- outcome(A is 2^ -1, x, R).
:- test eval285(R) => (R == yes(1)) + not_fails.
eval285(R) :- outcome(A is 1^ -1, A, R).
:- test eval286(R) => (R == yes(-1)) + not_fails.
eval286(R) :- outcome(A is -1^ -1, A, R).
:- test eval287(R) => (R == yes(1)) + not_fails.
eval287(R) :- outcome(A is 0^0, A, R).
:- test eval288(R) => (R == yes(8.0)) + not_fails.
eval288(R) :- outcome(A is 2**3.0, A, R).
:- test eval289(R) => (R == yes(0.5)) + not_fails.
eval289(R) :- outcome(A is 2** -1, A, R).
:- test eval290(R) => (R == yes(1.0)) + not_fails.
eval290(R) :- outcome(A is 0.0**0, A, R).
:- test eval291(R) => (R == err(evaluation_error(zero_divisor))) + not_fails.
eval291(R) :- outcome(A is 0.0** -1, x, R).
:- test eval292(R) => (R == yes(-3)) + not_fails.
eval292(R) :- outcome(A is -7//2, A, R).
:- test eval293(R) => (R == yes(2)) + not_fails.
eval293(R) :- outcome(A is -7 mod 3, A, R).
:- test eval294(R) => (R == yes(-2)) + not_fails.
eval294(R) :- outcome(A is 7 mod -3, A, R).
:- test eval295(R) => (R == yes(-1)) + not_fails.
eval295(R) :- outcome(A is -7 rem 3, A, R).
:- test eval296(R) => (R == yes(-4)) + not_fails.
eval296(R) :- outcome(A is -7 div 2, A, R).
:- test eval297(R) => (R == yes(-1.0)) + not_fails.
eval297(R) :- outcome(A is sign(-2.5), A, R).
:- test eval298(R) => (R == yes(-2.0)) + not_fails.
eval298(R) :- outcome(A is float_integer_part(-2.5), A, R).
:- test eval299(R) => (R == yes(-0.5)) + not_fails.
eval299(R) :- outcome(A is float_fractional_part(-2.5), A, R).
:- test eval300(R) => (R == yes(-2)) + not_fails.
eval300(R) :- outcome(A is truncate(-2.5), A, R).
:- test eval301(R) => (R == yes(3)) + not_fails.
eval301(R) :- outcome(A is round(2.5), A, R).
:- test eval302(R) => (R == yes(0)) + not_fails.
eval302(R) :- outcome(A is ceiling(-0.5), A, R).
:- test eval303(R) => (R == err(type_error(evaluable,a/0))) + not_fails.
eval303(R) :- outcome(A is truncate(a), x, R).
:- test eval304(R) => (R == err(type_error(evaluable,foo/0))) + not_fails.
eval304(R) :- outcome(foo=:=1, x, R).
:- test eval305(R) => (R == err(instantiation_error)) + not_fails.
eval305(R) :- outcome(A=:=1, x, R).
:- test eval306(R) => (R == yes(x)) + not_fails.
eval306(R) :- outcome(1=:=1.0, x, R).
:- test eval307(R) => (R == yes(3.0)) + not_fails.
eval307(R) :- outcome(A is max(2,3.0), A, R).
:- test eval308(R) => (R == yes(2)) + not_fails.
eval308(R) :- outcome(A is min(2,3.0), A, R).
:- test eval309(R) => (R == yes(3)) + not_fails.
eval309(R) :- outcome(A is 7/\10\/1, A, R).
:- test eval310(R) => (R == yes(2)) + not_fails.
eval310(R) :- outcome(A is 1<<70>>69, A, R).
:- test eval311(R) => (R == yes(97)) + not_fails.
eval311(R) :- outcome(A is [97]+0, A, R).
% 8.8, 8.9: clauses.
:- test db314(R) => (R == err(type_error(callable,4))) + not_fails.
db314(R) :- outcome(assertz(4), x, R).
:- test db315(R) => (R == err(instantiation_error)) + not_fails.
db315(R) :- outcome(assertz(A), x, R).
:- test db316(R) => (R == err(instantiation_error)) + not_fails.
db316(R) :- outcome(asserta((A:-true)), x, R).
:- test db317(R) => (R == err(permission_error(modify,static_procedure,atom/1))) + not_fails.
db317(R) :- outcome(assertz((atom(A):-true)), x, R).
:- test db319(R) => (R == err(type_error(callable,4))) + not_fails.
db319(R) :- outcome(retract((4:-A)), x, R).
:- test db320(R) => (R == err(type_error(integer,a))) + not_fails.
db320(R) :- outcome(abolish(foo/a), x, R).
:- test db321(R) => (R == err(domain_error(not_less_than_zero,-1))) + not_fails.
db321(R) :- outcome(abolish(foo/ -1), x, R).
:- test db322(R) => (R == err(instantiation_error)) + not_fails.
db322(R) :- outcome(abolish(foo/A), x, R).
:- test db323(R) => (R == err(instantiation_error)) + not_fails.
db323(R) :- outcome(abolish(A), x, R).
:- test db324(R) => (R == err(type_error(predicate_indicator,foo))) + not_fails.
db324(R) :- outcome(abolish(foo), x, R).
:- test db325(R) => (R == err(type_error(atom,f(1)))) + not_fails.
db325(R) :- outcome(abolish(f(1)/1), x, R).
:- test db326(R) => (R == err(permission_error(modify,static_procedure,abolish/1))) + not_fails.
db326(R) :- outcome(abolish(abolish/1), x, R).
:- test db327(R) => (R == err(type_error(predicate_indicator,4))) + not_fails.
db327(R) :- outcome(current_predicate(4), x, R).
:- test db330(R) => (R == err(instantiation_error)) + not_fails.
db330(R) :- outcome(clause(A,B), x, R).
:- test db331(R) => (R == err(type_error(callable,4))) + not_fails.
db331(R) :- outcome(clause(4,A), x, R).
:- test db332(R) => (R == err(type_error(callable,5))) + not_fails.
db332(R) :- outcome(clause(dyn(A),5), x, R).
:- test db333(R) => (R == err(permission_error(access,private_procedure,atom/1))) + not_fails.
db333(R) :- outcome(clause(atom(A),B), x, R).
% 8.10: all solutions.
:- test all334(R) => (R == err(instantiation_error)) + not_fails.
all334(R) :- outcome(findall(A,B,C), x, R).
:- test all335(R) => (R == err(type_error(callable,4))) + not_fails.
all335(R) :- outcome(findall(A,4,B), x, R).
:- test all336(R) => (R == err(type_error(list,[a|1]))) + not_fails.
all336(R) :- outcome(findall(x,fail,[a|1]), x, R).
:- test all337(R) => (R == err(instantiation_error)) + not_fails.
all337(R) :- outcome(bagof(A,B,C), x, R).
:- test all338(R) => (R == err(type_error(callable,1))) + not_fails.
all338(R) :- outcome(setof(A,1,B), x, R).
:- test all339(R) => (R == err(type_error(list,[a|1]))) + not_fails.
all339(R) :- outcome(bagof(x,true,[a|1]), x, R).
:- test all340(R) => (R == yes([a-[1,3],b-[2]])) + not_fails.
all340(R) :- outcome(findall(A-B,bagof(C,mem(C-A,[1-a,2-b,3-a]),B),D), D, R).
:- test all341(R) => (R == yes([1,2,3])) + not_fails.
all341(R) :- outcome(setof(A,B^mem(A-B,[3-a,1-b,2-a,1-c]),C), C, R).
