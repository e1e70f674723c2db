% Assertions of ISO conformity in Ciao's notation for what the other texts leave out: streams and their properties, terms
% that are read and written with options, operators and flags while a program runs, and the finer points of functions.
:- module(_, _, [assertions, nativeprops, regtypes, unittestdecls]).
:- set_prolog_flag(double_quotes, codes).
with_text(Name, Text, Goal) :- open(Name, write, S), write(S, Text), close(S), call(Goal).
reading(Name, S, Goal) :- open(Name, read, S), call(Goal), close(S).
err(G, E) :- catch(G, error(E, _), true).
% 8.11: streams.
:- test s1(X) => (X == [read]) + (not_fails, is_det).
s1(L) :- with_text('i1.txt', 'a.', reading('i1.txt', S, findall(M, stream_property(S, mode(M)), L))).
:- test s2(X) => (X == [not,at,past]) + not_fails.
s2([A,B,C]) :- with_text('i2.txt', a, ( open('i2.txt', read, S, [eof_action(eof_code)]), stream_property(S, end_of_stream(A)), get_char(S, a), peek_char(S, end_of_file), stream_property(S, end_of_stream(B)), get_char(S, end_of_file), stream_property(S, end_of_stream(C)), close(S) )).
:- test s3(E) => (E == permission_error(input,past_end_of_stream)) + not_fails.
s3(E) :- with_text('i3.txt', '', ( open('i3.txt', read, S, [eof_action(error)]), get_char(S, end_of_file), err(get_char(S, _), E0), close(S), E0 = permission_error(A,B,_), E = permission_error(A,B) )).
:- test s4(X) => (X == [end_of_file,end_of_file]) + not_fails.
s4([A,B]) :- with_text('i4.txt', '', ( open('i4.txt', read, S, [eof_action(eof_code)]), get_char(S, A), get_char(S, B), close(S) )).
:- test s5(X) => (X == ab) + not_fails.
s5(X) :- with_text('i5.txt', ab, ( open('i5.txt', read, S, [reposition(true)]), stream_property(S, position(P)), get_char(S, _), get_char(S, _), set_stream_position(S, P), get_char(S, A), get_char(S, B), close(S), atom_chars(X, [A,B]) )).
:- test s6(E) => (E == permission_error(input,stream)) + not_fails.
s6(E) :- open('i6.txt', write, S), err(get_char(S, _), permission_error(A,B,_)), close(S), E = permission_error(A,B).
:- test s7(E) => (E == permission_error(output,stream)) + not_fails.
s7(E) :- with_text('i7.txt', a, reading('i7.txt', S, ( err(put_char(S, a), permission_error(A,B,_)), E = permission_error(A,B) ))).
:- test s8(E) => (E == permission_error(input,text_stream)) + not_fails.
s8(E) :- with_text('i8.txt', a, reading('i8.txt', S, ( err(get_byte(S, _), permission_error(A,B,_)), E = permission_error(A,B) ))).
:- test s9(X) => (X == [1,255,-1]) + not_fails.
s9([A,B,C]) :- open('i9.bin', write, S, [type(binary)]), put_byte(S, 1), put_byte(S, 255), close(S), open('i9.bin', read, R, [type(binary)]), get_byte(R, A), peek_byte(R, B), get_byte(R, B), get_byte(R, C), close(R).
:- test s10(E) => (E == permission_error(output,binary_stream)) + not_fails.
s10(E) :- open('i10.bin', write, S, [type(binary)]), err(put_char(S, a), permission_error(A,B,_)), close(S), E = permission_error(A,B).
:- test s11(E) => (E == type_error(byte,256)) + not_fails.
s11(E) :- open('i11.bin', write, S, [type(binary)]), err(put_byte(S, 256), E), close(S).
:- test s12(X) => (X == [my,append]) + not_fails.
s12([A,M]) :- open('i12.txt', append, S, [alias(my)]), stream_property(S, alias(A)), stream_property(S, mode(M)), close(my).
:- test s13(E) => (E == permission_error(open,source_sink,alias(taken))) + not_fails.
s13(E) :- open('i13.txt', write, S, [alias(taken)]), err(open('i13b.txt', write, _, [alias(taken)]), E), close(S).
:- test s14(E) => (E == existence_error(stream)) + not_fails.
s14(E) :- open('i14.txt', write, S), close(S), err(put_char(S, a), existence_error(A,_)), E = existence_error(A).
:- test s15(E) => (E == domain_error(io_mode,both)) + not_fails.
s15(E) :- err(open('i15.txt', both, _), E).
:- test s16(E) => (E == uninstantiation_error(s)) + not_fails.
s16(E) :- err(open('i16.txt', write, s), E).
:- test s17(X) => (X == yes) + not_fails.
s17(X) :- current_output(S), ( stream_property(S, alias(user_output)) -> X = yes ; stream_property(S, output) -> X = yes ; X = no ).
:- test s18(E) => (E == domain_error(stream_property,foo)) + not_fails.
s18(E) :- err(stream_property(_, foo), E).
:- test s19(X) => (X == a) + not_fails.
s19(X) :- with_text('i19.txt', 'a. b.', ( current_input(Old), open('i19.txt', read, S), set_input(S), read(X), set_input(Old), close(S) )).
:- test s20(X) => (X == [0'a,0'a,-1]) + not_fails.
s20([A,B,C]) :- with_text('i20.txt', a, reading('i20.txt', S, ( peek_code(S, A), get_code(S, B), get_code(S, C) ))).
% 8.14: terms that are read and written.
:- test r1(X) => (X == f(['X','Y'],['Y'],2)) + not_fails.
r1(f(Ns,Ss,N)) :- with_text('j1.txt', 'f(X, Y, X, _).', reading('j1.txt', S, ( read_term(S, T, [variable_names(V), singletons(G)]), findall(A, member_(A=_, V), Ns), findall(B, member_(B=_, G), Ss), T = f(P,Q,P2,_), ( P == P2, P \== Q -> N = 2 ; N = 0 ) ))).
:- test r2(X) => (X == 3) + not_fails.
r2(N) :- with_text('j2.txt', 'f(X, _, Y, X).', reading('j2.txt', S, ( read_term(S, _, [variables(Vs)]), length_(Vs, N) ))).
:- test r3(X) => (X == [a,end_of_file]) + not_fails.
r3([A,B]) :- with_text('j3.txt', 'a. % no more', reading('j3.txt', S, ( read(S, A), read(S, B) ))).
:- test r4(X) => (X == [error,c]) + not_fails.
r4([E,X]) :- with_text('j4.txt', 'a b. c.', reading('j4.txt', S, ( catch(read(S, _), error(syntax_error(_), _), E = error), read(S, X) ))).
:- test r5 + user_output("f(A,'B b',[1,2])").
r5 :- write_term(f('$VAR'(0),'B b',[1,2]), [quoted(true), numbervars(true)]).
:- test r6 + user_output("+(1,*(2,a))").
r6 :- write_term(1+2*a, [ignore_ops(true)]).
:- test r7 + user_output("'$VAR'(1)").
r7 :- write_term('$VAR'(1), [quoted(true)]).
:- test r8 + user_output("-a").
r8 :- writeq(-(a)), true.
:- test r9 + user_output("-(-(1))").
r9 :- write_canonical(-(-(1))).
:- test r10 + user_output("1- -1").
r10 :- writeq(1 - (-1)), true.
:- test r11 + user_output("a:-b,c").
r11 :- writeq((a:-b,c)).
:- test r12 + user_output("f((a:-b),(c,d))").
r12 :- writeq(f((a:-b),(c,d))).
:- test r13 + user_output("'\\n'").
r13 :- writeq('\n').
:- test r14 + user_output("{a,b}").
r14 :- writeq({a,b}).
:- test r15 + user_output("\\+a").
r15 :- writeq(\+ a).
:- test r16 + user_output("[a|b]").
r16 :- writeq([a|b]).
:- test r17(E) => (E == domain_error(write_option,quoted(maybe))) + not_fails.
r17(E) :- err(write_term(a, [quoted(maybe)]), E).
:- test r18(E) => (E == instantiation_error) + not_fails.
r18(E) :- err(write_term(a, [quoted(true)|_]), E).
:- test r19(E) => (E == domain_error(read_option,foo)) + not_fails.
r19(E) :- with_text('j19.txt', 'a.', reading('j19.txt', S, err(read_term(S, _, [foo]), E))).
:- test r20(E) => (E == type_error(list,[quoted(true)|x])) + not_fails.
r20(E) :- err(write_term(a, [quoted(true)|x]), E).
:- test r21 + user_output("[-,:-]").
r21 :- writeq([-,(:-)]).
:- test r22 + user_output("[(a:-b),'X'|'_y']").
r22 :- writeq([(a:-b),'X'|'_y']).
:- test r23 + user_output("f(;,'|',{},!)").
r23 :- writeq(f(;,'|',{},!)).
% 8.14.3: operators.
:- test o1(X) => (X == [700,xfx]) + not_fails.
o1([P,T]) :- op(700, xfx, ===>), current_op(P, T, ===>), op(0, xfx, ===>).
:- test o2 + fails.
o2 :- op(700, xfx, ===>), op(0, xfx, ===>), current_op(_, _, ===>).
:- test o3(E) => (E == permission_error(modify,operator,',')) + not_fails.
o3(E) :- err(op(700, xfx, ','), E).
:- test o4(E) => (E == permission_error(create,operator,[])) + not_fails.
o4(E) :- err(op(700, xfx, [[]]), E).
:- test o5(E) => (E == permission_error(create,operator,'|')) + not_fails.
o5(E) :- err(op(900, xfx, '|'), E).
:- test o6(E) => (E == domain_error(operator_priority,1201)) + not_fails.
o6(E) :- err(op(1201, xfx, foo), E).
:- test o7(E) => (E == domain_error(operator_specifier,xxx)) + not_fails.
o7(E) :- err(op(30, xxx, foo), E).
:- test o8(E) => (E == type_error(integer,max)) + not_fails.
o8(E) :- err(op(max, xfx, foo), E).
:- test o9(X) => (X == [fy-200,yfx-500]) + not_fails.
o9(L) :- setof(T-P, current_op(P, T, -), L).
:- test o10(E) => (E == domain_error(operator_priority,1300)) + not_fails.
o10(E) :- err(current_op(1300, _, _), E).
:- test o11(E) => (E == type_error(atom,1)) + not_fails.
o11(E) :- err(current_op(_, _, 1), E).
:- test o12(X) => (X == [200,xfy]) + not_fails.
o12([P,T]) :- current_op(P, T, ^).
% 8.17: flags.
:- test f1(X) => (X == [toward_zero]) + not_fails.
f1(L) :- findall(V, current_prolog_flag(integer_rounding_function, V), L).
:- test f2(E) => (E == permission_error(modify,flag,bounded)) + not_fails.
f2(E) :- err(set_prolog_flag(bounded, true), E).
:- test f3(E) => (E == domain_error(flag_value,unknown+maybe)) + not_fails.
f3(E) :- err(set_prolog_flag(unknown, maybe), E).
:- test f4(E) => (E == type_error(atom,1)) + not_fails.
f4(E) :- err(current_prolog_flag(1, _), E).
:- test f5(E) => (E == domain_error(prolog_flag,no_such_flag_)) + not_fails.
f5(E) :- err(set_prolog_flag(no_such_flag_, a), E).
:- test f6(X) => (X == fails) + not_fails.
f6(X) :- set_prolog_flag(unknown, fail), ( catch(no_such_predicate_(1), _, true) -> X = succeeds ; X = fails ), set_prolog_flag(unknown, error).
% 8.9, 7.8: the database and control.
:- dynamic(d/1).
:- test d1(X) => (X == [1,2,3]) + not_fails.
d1(L) :- retractall(d(_)), assertz(d(1)), assertz(d(2)), findall(X, ( d(X), ( X == 1 -> assertz(d(3)) ; true ) ), L0), findall(X, d(X), L), L0 == [1,2].
:- test d2(X) => (X == [2]) + not_fails.
d2(L) :- retractall(d(_)), assertz(d(1)), assertz(d(2)), retract(d(1)), !, findall(X, d(X), L).
:- test d3(X) => (X == yes) + not_fails.
d3(X) :- retractall(d(_)), assertz((d(X1) :- X1 == 1, call(X1))), clause(d(Y), B), ( B == (Y == 1, call(Y)) -> X = yes ; X = B ).
:- test d4(E) => (E == permission_error(access,private_procedure,atom/1)) + not_fails.
d4(E) :- err(clause(atom(_), _), E).
:- test d5(E) => (E == permission_error(modify,static_procedure,err/2)) + not_fails.
d5(E) :- err(assertz(err(_, _)), E).
:- test d6(E) => (E == type_error(callable,4)) + not_fails.
d6(E) :- err(assertz((foo :- 4)), E).
:- test d7(X) => (X == [a-[1,2],b-[3]]) + not_fails.
d7(L) :- findall(K-Vs, bagof(V, member_(K-V, [a-1,a-2,b-3]), Vs), L).
:- test d8(X) => (X == [1,2,3]) + not_fails.
d8(L) :- bagof(V, K^member_(K-V, [a-1,b-2,a-3]), L).
:- test d9 + fails.
d9 :- bagof(X, member_(X, []), _).
:- test d10(X) => (X == [c(1),c(2)]) + not_fails.
d10(L) :- setof(c(X), Y^Z^member_(t(X,Y,Z), [t(2,a,b),t(1,c,d),t(2,e,f)]), L).
:- test d11(E) => (E == type_error(list,[a|b])) + not_fails.
d11(E) :- err(setof(X, member_(X, [1]), [a|b]), E).
:- test d12(X) => (X == 36) + not_fails.
d12(X) :- call(sum8, 1, 2, 3, 4, 5, 6, 15, X).
sum8(A,B,C,D,E,F,G,S) :- S is A+B+C+D+E+F+G.
:- test d13(X) => (X == [a,b]) + not_fails.
d13(L) :- findall(X, ( member_(X, [a,b,c]), \+ X = c ), L).
:- test d14(E) => (E == type_error(evaluable,foo/0)) + not_fails.
d14(E) :- err(_ is foo + 1, E).
% 8.16: texts.
:- test a1(X) => (X == [''-abc,a-bc,ab-c,abc-'']) + not_fails.
a1(L) :- findall(A-B, atom_concat(A, B, abc), L).
:- test a2(X) => (X == [0-2,2-0]) + not_fails.
a2(L) :- findall(B-A, sub_atom(abab, B, 2, A, ab), L).
:- test a3(X) => (X == 6) + not_fails.
a3(N) :- findall(S, sub_atom(ab, _, _, _, S), L), length_(L, N).
:- test a4(X) => (X == 12) + not_fails.
a4(X) :- number_codes(X, " 12").
:- test a5(E) => (E == syntax) + not_fails.
a5(E) :- catch(number_codes(_, "1 2"), error(syntax_error(_), _), E = syntax).
:- test a6(X) => (X == ['-',' ',1]) + not_fails.
a6(['-',' ',X]) :- number_chars(Y, ['0',x,'1']), X = Y.
:- test a7(E) => (E == type_error(character,ab)) + not_fails.
a7(E) :- err(atom_chars(_, [ab]), E).
:- test a8(E) => (E == representation_error(character_code)) + not_fails.
a8(E) :- err(atom_codes(_, [-1]), E).
:- test a9(E) => (E == type_error(integer,a)) + not_fails.
a9(E) :- err(atom_length(abc, a), E).
:- test a10(E) => (E == domain_error(not_less_than_zero,-4)) + not_fails.
a10(E) :- err(atom_length(abc, -4), E).
:- test a11(X) => (X == 39) + not_fails.
a11(X) :- char_code('\'', X).
:- test a12(E) => (E == instantiation_error) + not_fails.
a12(E) :- err(sub_atom(_, _, _, _, a), E).
% 9: arithmetic.
:- test n1(X) => (X == [-4,-3,1,-1]) + not_fails.
n1([A,B,C,D]) :- A is -7 div 2, B is -7 // 2, C is -7 mod 2, D is -7 rem 2.
:- test n2(X) => (X == [-3,-2,-2,-2]) + not_fails.
n2([A,B,C,D]) :- A is floor(-2.5), B is ceiling(-2.5), C is truncate(-2.5), D is round(-2.4).
:- test n3(E) => (E == evaluation_error(zero_divisor)) + not_fails.
n3(E) :- err(_ is 1 mod 0, E).
:- test n4(E) => (E == type_error(integer,2.0)) + not_fails.
n4(E) :- err(_ is 5 // 2.0, E).
:- test n5(E) => (E == evaluation_error(undefined)) + not_fails.
n5(E) :- err(_ is log(-1), E).
:- test n6(E) => (E == evaluation_error(undefined)) + not_fails.
n6(E) :- err(_ is sqrt(-1.0), E).
:- test n7(X) => (X == [1,-1,0]) + not_fails.
n7([A,B,C]) :- A is sign(7), B is sign(-7), C is sign(0).
:- test n8(X) => (X == [12,-2,6,14]) + not_fails.
n8([A,B,C,D]) :- A is 3 << 2, B is -8 >> 2, C is 14 /\ 7, D is 12 \/ 6.
:- test n9(X) => (X == 10.5) + not_fails.
n9(X) :- X is max(10.5, 3).
:- test n10(X) => (X == [8,0.5]) + not_fails.
n10([A,B]) :- A is 2 ^ 3, B is 2.0 ** -1.
:- test n11(E) => (E == type_error(float,2)) + not_fails.
n11(E) :- err(_ is 2 ^ -1, E).
% The parts of a number.
:- test n12(X) => (X == [0.25,1.0]) + not_fails.
n12([A,B]) :- A is float_fractional_part(3.25), B is float_integer_part(1.75).
:- test n15(X) => (X == [3,3.0,7]) + not_fails.
n15([A,B,C]) :- A is min(3, 7), B is min(3.0, 7), C is max(3.0, 7).
:- test n13(E) => (E == evaluation_error(float_overflow)) + not_fails.
n13(E) :- err(_ is 1.0e300 * 1.0e300, E).
:- test n14(X) => (X == yes) + not_fails.
n14(X) :- A is atan2(1, 1) * 4, B is pi, ( A =:= B -> X = yes ; X = no ).
member_(X, [X|_]).
member_(X, [_|Xs]) :- member_(X, Xs).
length_([], 0).
length_([_|Xs], N) :- length_(Xs, M), N is M + 1.
