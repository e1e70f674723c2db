% Assertions of ISO conformity in Ciao's notation: 7.8 control, 8.2 to 8.17 built-in predicates with their errors in every
% argument position, 9 arithmetic, and 6 syntax by texts that are read and terms that are written.
:- module(_, _, [assertions]).
:- set_prolog_flag(double_quotes, codes).
:- dynamic(fact/1).
:- dynamic(rule/1).
:- dynamic(m/2).
:- dynamic(new/1).
:- dynamic(up/1).
:- dynamic(v/2).
:- dynamic(w/1).
fact(1).
fact(2).
rule(X) :- fact(X), X.
m(1,a).
m(2,b).
m(3,a).
abolish_all(F/N) :- functor(H,F,N), retract_all(H).
retract_all(H) :- retract((H:-_)), fail.
retract_all(_).
rd(A,T) :- open('iso.tmp',write,S), write(S,A), nl(S), close(S), open('iso.tmp',read,R), catch(read(R,T0),E,(close(R),throw(E))), close(R), T=T0.
wr(P,T,A) :- open('iso.tmp',write,S), G=..[P,S,T], call(G), close(S), open('iso.tmp',read,R), get_char(R,C), rest(C,R,Cs), close(R), atom_chars(A,Cs).
rest(end_of_file,_,[]) :- !.
rest(C,R,[C|Cs]) :- get_char(R,D), rest(D,R,Cs).
print_(S,T) :- write_term(S,T,[ignore_ops(true)]).


% 7.8 control
:- test s7_8_1 + exception(error(type_error(callable,(true;1)), _)).
s7_8_1 :- (call((true;1))).
:- test s7_8_2 + exception(error(type_error(callable,(1;true)), _)).
s7_8_2 :- (call((1;true))).
:- test s7_8_3 + exception(error(type_error(callable,(true->1)), _)).
s7_8_3 :- (call((true->1))).
:- test s7_8_4 + exception(error(type_error(callable,(1->true;true)), _)).
s7_8_4 :- (call((1->true;true))).
:- test s7_8_5 + exception(error(type_error(callable,(true->true;1)), _)).
s7_8_5 :- (call((true->true;1))).
:- test s7_8_6 + fails.
s7_8_6 :- call((fail,\+ 1)).
:- test s7_8_7 + exception(error(type_error(callable,1), _)).
s7_8_7 :- call(\+ 1).
:- test s7_8_8 + fails.
s7_8_8 :- call((fail,call(1))).
:- test s7_8_9 + fails.
s7_8_9 :- call((fail,_)).
:- test s7_8_10 + exception(error(instantiation_error, _)).
s7_8_10 :- call((_,fail)).
:- test s7_8_11 + not_fails.
s7_8_11 :- (once(call((true;_)))).
:- test s7_8_12(X) => (X==true) + not_fails.
s7_8_12(X) :- call((X=true,X)).
:- test s7_8_13 + fails.
s7_8_13 :- (call((!,fail;true))).
:- test s7_8_14 + not_fails.
s7_8_14 :- ((call(!),fail;true)).
:- test s7_8_15(X) => (X==2) + not_fails.
s7_8_15(X) :- (call((X=1;X=2)),X==2).
:- test s7_8_16 + fails.
s7_8_16 :- (call(((X=1;X=2),!)),X==2).
:- test s7_8_17(L) => (L==[1]) + not_fails.
s7_8_17(L) :- (findall(X,(call((X=1;X=2)),!),L)).
:- test s7_8_18(L) => (L==[1,2]) + not_fails.
s7_8_18(L) :- (findall(X,(X=1;X=2),L)).
:- test s7_8_19(L) => (L==[1]) + not_fails.
s7_8_19(L) :- (findall(X,((X=1;X=2)->true),L)).
:- test s7_8_20(L) => (L==[1]) + not_fails.
s7_8_20(L) :- (findall(X,((X=1;X=2),!;X=3),L)).
:- test s7_8_21(L) => ((L=[A,B],var(A),B==2)) + not_fails.
s7_8_21(L) :- (findall(X,(\+ \+ X=1;X=2),L)).
:- test s7_8_22 + fails.
s7_8_22 :- ((fail->true)).
:- test s7_8_23 + fails.
s7_8_23 :- ((true->fail;true)).
:- test s7_8_24(X) => (X==1) + not_fails.
s7_8_24(X) :- ((fail->true;X=1)).
:- test s7_8_25(X) => (var(X)) + not_fails.
s7_8_25(X) :- (((X=1,fail)->true;true)).
:- test s7_8_26(X) => (X==2) + not_fails.
s7_8_26(X) :- (((fail;fail)->true;X=2)).
:- test s7_8_27 + not_fails.
s7_8_27 :- ((true;fail->fail)).
:- test s7_8_28 + exception(error(type_error(callable,(fail,1)), _)).
s7_8_28 :- G=(fail,1),call(G).
:- test s7_8_29 + fails.
s7_8_29 :- call(fail).
:- test s7_8_30 + exception(error(type_error(callable,1.5), _)).
s7_8_30 :- call(1.5).
:- test s7_8_31 + exception(error(existence_error(procedure,undefined_here/0), _)).
s7_8_31 :- call(undefined_here).
:- test s7_8_32 + exception(error(existence_error(procedure,undefined_here/2), _)).
s7_8_32 :- call(undefined_here(a,b)).
:- test s7_8_33 + exception(error(existence_error(procedure,undefined_here/3), _)).
s7_8_33 :- call(undefined_here,1,2,3).
:- test s7_8_34 + exception(error(instantiation_error, _)).
s7_8_34 :- call(_,a).
:- test s7_8_35 + exception(error(type_error(callable,1), _)).
s7_8_35 :- call(1,a).
:- test s7_8_36(X) => (X==a) + not_fails.
s7_8_36(X) :- call(=(X),a).
:- test s7_8_37(X) => (X==b) + not_fails.
s7_8_37(X) :- call(=,X,b).
:- test s7_8_38(T) => ((T=f(A,B),var(A),var(B),A\==B)) + not_fails.
s7_8_38(T) :- call(functor(T),f,2).
:- test s7_8_39(X) => (X==1) + not_fails.
s7_8_39(X) :- call(call(call,=),X,1).
:- test s7_8_40(X,Y) => ((X==1,Y==2)) + not_fails.
s7_8_40(X,Y) :- call(',',X=1,Y=2).
:- test s7_8_41(X) => (X==2) + not_fails.
s7_8_41(X) :- call(;,fail,X=2).
:- test s7_8_42(X) => (X==3) + not_fails.
s7_8_42(X) :- call(->,true,X=3).
:- test s7_8_43 + not_fails.
s7_8_43 :- call(\+,fail).
:- test s7_8_44 + not_fails.
s7_8_44 :- call(!).
:- test s7_8_45 + exception(error(existence_error(procedure,!/1), _)).
s7_8_45 :- call(!,1).
:- test s7_8_46(Y) => (var(Y)) + not_fails.
s7_8_46(Y) :- catch(throw(f(X)),f(Y),true),X=1.
:- test s7_8_47(X) => (var(X)) + not_fails.
s7_8_47(X) :- catch((X=1,throw(a)),a,true).
:- test s7_8_48 + exception(a).
s7_8_48 :- catch(throw(a),b,true).
:- test s7_8_49(X) => (X==outer) + not_fails.
s7_8_49(X) :- catch(catch(throw(a),b,true),a,X=outer).
:- test s7_8_50(X) => (X==2) + not_fails.
s7_8_50(X) :- catch(catch(throw(a),a,throw(b)),b,X=2).
:- test s7_8_51 + not_fails.
s7_8_51 :- catch(throw(_),_,true).
:- test s7_8_52(E) => ((nonvar(E),E=error(instantiation_error,_))) + not_fails.
s7_8_52(E) :- catch(throw(_),E,true).
:- test s7_8_53 + fails.
s7_8_53 :- catch(fail,_,true).
:- test s7_8_54(X) => (X==2) + not_fails.
s7_8_54(X) :- (catch((X=1;X=2),_,true),X==2).
:- test s7_8_55(L) => (L==[1]) + not_fails.
s7_8_55(L) :- (findall(X,(catch((X=1;X=2),_,true),!),L)).
:- test s7_8_56 + not_fails.
s7_8_56 :- (catch(!,_,true),fail;true).
:- test s7_8_57(Y,X) => ((Y==caught,var(X))) + not_fails.
s7_8_57(Y,X) :- catch(number_codes(X,"3x"),error(syntax_error(_),_),Y=caught).
:- test s7_8_58(B,C) => (B==C) + not_fails.
s7_8_58(B,C) :- catch(throw(f(A,A)),f(B,C),true).
:- test s7_8_59 + fails.
s7_8_59 :- \+ !.
:- test s7_8_60 + not_fails.
s7_8_60 :- \+ (!,fail).
:- test s7_8_61 + fails.
s7_8_61 :- \+ (X=1,_Y=X).
:- test s7_8_62(X) => (var(X)) + not_fails.
s7_8_62(X) :- \+ \+ (X=1).
:- test s7_8_63 + exception(error(instantiation_error, _)).
s7_8_63 :- \+ _.
:- test s7_8_64 + exception(error(type_error(callable,(fail,1)), _)).
s7_8_64 :- \+ (fail,1).
:- test s7_8_65(X) => (X==1) + not_fails.
s7_8_65(X) :- (once((X=1;X=2))).
:- test s7_8_66 + exception(error(instantiation_error, _)).
s7_8_66 :- once(_).
:- test s7_8_67 + exception(error(type_error(callable,3), _)).
s7_8_67 :- once(3).
:- test s7_8_68 + fails.
s7_8_68 :- (once((fail;fail))).
:- test s7_8_69 + not_fails.
s7_8_69 :- once(!).
:- test s7_8_70(L) => (L==[1,3]) + not_fails.
s7_8_70(L) :- (findall(X,(once((X=1;X=2));X=3),L)).

% 8.2
:- test s8_2_1(X) => (X==f(1)) + not_fails.
s8_2_1(X) :- X=f(Y),Y=1.
:- test s8_2_2(X,Y) => ((X==2,Y==1)) + not_fails.
s8_2_2(X,Y) :- f(X,1)=f(2,Y).
:- test s8_2_3(X,Y) => ((X==1,Y==1)) + not_fails.
s8_2_3(X,Y) :- f(X,Y)=f(Y,1).
:- test s8_2_4 + fails.
s8_2_4 :- 1=1.0.
:- test s8_2_5 + not_fails.
s8_2_5 :- 'a'=a.
:- test s8_2_6 + not_fails.
s8_2_6 :- "a"=[97].
:- test s8_2_7 + not_fails.
s8_2_7 :- '\x61\'=a.
:- test s8_2_8 + not_fails.
s8_2_8 :- f(_,_)\=f(1).
:- test s8_2_9 + not_fails.
s8_2_9 :- f(X,X)\=f(1,2).
:- test s8_2_10 + fails.
s8_2_10 :- X\=X.
:- test s8_2_11(X,Y) => (X==Y) + not_fails.
s8_2_11(X,Y) :- unify_with_occurs_check(f(X),f(Y)).
:- test s8_2_12 + fails.
s8_2_12 :- unify_with_occurs_check(f(X,Y),f(Y,g(X))).
:- test s8_2_13(X,Y) => (X==Y) + not_fails.
s8_2_13(X,Y) :- unify_with_occurs_check(f(X,X),f(Y,Y)).
:- test s8_2_14 + not_fails.
s8_2_14 :- subsumes_term(f(_,_),f(a,b)).
:- test s8_2_15 + fails.
s8_2_15 :- subsumes_term(f(X,X),f(1,2)).
:- test s8_2_16(X) => (var(X)) + not_fails.
s8_2_16(X) :- subsumes_term(f(X,X),f(1,1)).
:- test s8_2_17(X) => (var(X)) + not_fails.
s8_2_17(X) :- subsumes_term(f(X),f(X)).
:- test s8_2_18 + fails.
s8_2_18 :- subsumes_term(X,f(X)).
:- test s8_2_19 + fails.
s8_2_19 :- subsumes_term(g(X),g(f(X))).
:- test s8_2_20(X) => (var(X)) + not_fails.
s8_2_20(X) :- subsumes_term(X,f(Y)),Y=1.
:- test s8_2_21 + fails.
s8_2_21 :- subsumes_term(a,b).
:- test s8_2_22 + fails.
s8_2_22 :- subsumes_term(f(a),f(_)).
:- test s8_2_23(T) => (var(T)) + not_fails.
s8_2_23(T) :- subsumes_term([_|T],[1,2]).

% 8.3
:- test s8_3_1 + not_fails.
s8_3_1 :- var(_).
:- test s8_3_2 + fails.
s8_3_2 :- X=1,var(X).
:- test s8_3_3 + fails.
s8_3_3 :- nonvar(_).
:- test s8_3_4 + not_fails.
s8_3_4 :- atom('').
:- test s8_3_5 + not_fails.
s8_3_5 :- atom("").
:- test s8_3_6 + fails.
s8_3_6 :- atom(1).
:- test s8_3_7 + fails.
s8_3_7 :- atom(f(a)).
:- test s8_3_8 + fails.
s8_3_8 :- integer(1.0).
:- test s8_3_9 + not_fails.
s8_3_9 :- integer(-0).
:- test s8_3_10 + not_fails.
s8_3_10 :- float(1.0e10).
:- test s8_3_11 + fails.
s8_3_11 :- float(1).
:- test s8_3_12 + fails.
s8_3_12 :- number(a).
:- test s8_3_13 + not_fails.
s8_3_13 :- number(- 1).
:- test s8_3_14 + not_fails.
s8_3_14 :- number(-1).
:- test s8_3_15 + not_fails.
s8_3_15 :- atomic(f).
:- test s8_3_16 + fails.
s8_3_16 :- atomic(f(x)).
:- test s8_3_17 + fails.
s8_3_17 :- atomic(_).
:- test s8_3_18 + fails.
s8_3_18 :- compound([]).
:- test s8_3_19 + not_fails.
s8_3_19 :- compound([_]).
:- test s8_3_20 + fails.
s8_3_20 :- compound({}).
:- test s8_3_21 + not_fails.
s8_3_21 :- compound({_}).
:- test s8_3_22 + not_fails.
s8_3_22 :- compound(-(1)).
:- test s8_3_23 + not_fails.
s8_3_23 :- callable(f(_)).
:- test s8_3_24 + fails.
s8_3_24 :- callable(_).
:- test s8_3_25 + not_fails.
s8_3_25 :- callable("ab").
:- test s8_3_26 + not_fails.
s8_3_26 :- ground(f(a,"b",1.0)).
:- test s8_3_27 + fails.
s8_3_27 :- ground([a|_]).

% 8.4
:- test s8_4_1(O) => (O==(>)) + not_fails.
s8_4_1(O) :- compare(O,a,1).
:- test s8_4_2(O) => (O==(>)) + not_fails.
s8_4_2(O) :- compare(O,f(a),a).
:- test s8_4_3(O) => (O==(<)) + not_fails.
s8_4_3(O) :- compare(O,_X,1).
:- test s8_4_4(O) => (O==(<)) + not_fails.
s8_4_4(O) :- compare(O,1.5,a).
:- test s8_4_5(O) => (O==(>)) + not_fails.
s8_4_5(O) :- compare(O,f(a,b),g(a)).
:- test s8_4_6(O) => (O==(<)) + not_fails.
s8_4_6(O) :- compare(O,f(b),g(a)).
:- test s8_4_7(O) => (O==(<)) + not_fails.
s8_4_7(O) :- compare(O,f(a,b),f(a,c)).
:- test s8_4_8(O) => (O==(>)) + not_fails.
s8_4_8(O) :- compare(O,[a],[]).
:- test s8_4_9(O) => (O==(=)) + not_fails.
s8_4_9(O) :- compare(O,X,X).
:- test s8_4_10 + fails.
s8_4_10 :- compare(<,1,1).
:- test s8_4_11 + exception(error(domain_error(order,a), _)).
s8_4_11 :- compare(a,1,2).
:- test s8_4_12 + exception(error(type_error(atom,1), _)).
s8_4_12 :- compare(1,a,b).
:- test s8_4_13 + exception(error(domain_error(order,<=), _)).
s8_4_13 :- compare(<=,a,b).
:- test s8_4_14 + exception(error(type_error(atom,f(x)), _)).
s8_4_14 :- compare(f(x),a,b).
:- test s8_4_15(O) => (O==(<)) + not_fails.
s8_4_15(O) :- compare(O,1.0,1).
:- test s8_4_16 + not_fails.
s8_4_16 :- 1.0@<1.
:- test s8_4_17 + fails.
s8_4_17 :- 1==1.0.
:- test s8_4_18 + not_fails.
s8_4_18 :- X==X.
:- test s8_4_19 + fails.
s8_4_19 :- _X==_.
:- test s8_4_20 + fails.
s8_4_20 :- f(_)==f(_).
:- test s8_4_21 + not_fails.
s8_4_21 :- a@<b,b@<a(1),a(1)@<b(1).
:- test s8_4_22 + not_fails.
s8_4_22 :- a@=<a.
:- test s8_4_23 + fails.
s8_4_23 :- a@>=b.
:- test s8_4_24 + not_fails.
s8_4_24 :- 'A'@<a.
:- test s8_4_25 + not_fails.
s8_4_25 :- ab@<abc.
:- test s8_4_26 + not_fails.
s8_4_26 :- f(z)@<f(a,a).
:- test s8_4_27(L) => (L==[a,b,c]) + not_fails.
s8_4_27(L) :- sort([c,a,b,a],L).
:- test s8_4_28(L) => (L==[]) + not_fails.
s8_4_28(L) :- sort([],L).
:- test s8_4_29 + exception(error(instantiation_error, _)).
s8_4_29 :- sort(_,_).
:- test s8_4_30 + exception(error(instantiation_error, _)).
s8_4_30 :- sort([a|_],_).
:- test s8_4_31 + exception(error(type_error(list,a), _)).
s8_4_31 :- sort(a,_).
:- test s8_4_32 + exception(error(type_error(list,[a|b]), _)).
s8_4_32 :- sort([a|b],_).
:- test s8_4_33(X) => (X==[b]) + not_fails.
s8_4_33(X) :- sort([b,a],[a|X]).
:- test s8_4_34 + exception(error(type_error(list,b), _)).
s8_4_34 :- sort([a],b).
:- test s8_4_35 + exception(error(type_error(list,[b|c]), _)).
s8_4_35 :- sort([a],[b|c]).
:- test s8_4_36(L) => (L==[a-2,a-1,b-1,b-0]) + not_fails.
s8_4_36(L) :- keysort([b-1,a-2,b-0,a-1],L).
:- test s8_4_37(L) => (L==[]) + not_fails.
s8_4_37(L) :- keysort([],L).
:- test s8_4_38 + exception(error(instantiation_error, _)).
s8_4_38 :- keysort(_,_).
:- test s8_4_39 + exception(error(instantiation_error, _)).
s8_4_39 :- keysort([_],_).
:- test s8_4_40 + exception(error(instantiation_error, _)).
s8_4_40 :- keysort([a-1|_],_).
:- test s8_4_41 + exception(error(type_error(pair,a), _)).
s8_4_41 :- keysort([a],_).
:- test s8_4_42 + exception(error(type_error(list,[a-1|b]), _)).
s8_4_42 :- keysort([a-1|b],_).
:- test s8_4_43(L) => (L==[1.0-a,1-b]) + not_fails.
s8_4_43(L) :- keysort([1.0-a,1-b],L).
:- test s8_4_44 + exception(error(type_error(list,[_|b]), _)).
s8_4_44 :- keysort([a-1],[_|b]).
:- test s8_4_45 + exception(error(type_error(pair,b), _)).
s8_4_45 :- keysort([a-1],[b]).
:- test s8_4_46 + exception(error(type_error(list,a), _)).
s8_4_46 :- keysort([],a).

% 8.5
:- test s8_5_1(T) => ((T=foo(A,B,C),A\==B,B\==C,var(C))) + not_fails.
s8_5_1(T) :- functor(T,foo,3).
:- test s8_5_2(T) => (T==foo) + not_fails.
s8_5_2(T) :- functor(T,foo,0).
:- test s8_5_3(T) => (T==1.1) + not_fails.
s8_5_3(T) :- functor(T,1.1,0).
:- test s8_5_4 + exception(error(type_error(atomic,"s"), _)).
s8_5_4 :- functor(_T,"s",0).
:- test s8_5_5(N,A) => ((N=='.',A==2)) + not_fails.
s8_5_5(N,A) :- functor([_|_],N,A).
:- test s8_5_6(N,A) => ((N==[],A==0)) + not_fails.
s8_5_6(N,A) :- functor([],N,A).
:- test s8_5_7 + not_fails.
s8_5_7 :- functor(f(_,_),f,2).
:- test s8_5_8 + fails.
s8_5_8 :- functor(f(_),f,2).
:- test s8_5_9 + fails.
s8_5_9 :- functor(f(_),_N,a).
:- test s8_5_10 + exception(error(instantiation_error, _)).
s8_5_10 :- functor(_,_,_).
:- test s8_5_11 + exception(error(instantiation_error, _)).
s8_5_11 :- functor(_,_,3).
:- test s8_5_12 + exception(error(instantiation_error, _)).
s8_5_12 :- functor(_,foo,_).
:- test s8_5_13 + exception(error(type_error(integer,a), _)).
s8_5_13 :- functor(_,foo,a).
:- test s8_5_14 + exception(error(type_error(integer,1.0), _)).
s8_5_14 :- functor(_,foo,1.0).
:- test s8_5_15 + exception(error(domain_error(not_less_than_zero,-1), _)).
s8_5_15 :- functor(_,foo,-1).
:- test s8_5_16 + exception(error(type_error(atomic,foo(a)), _)).
s8_5_16 :- functor(_,foo(a),1).
:- test s8_5_17 + exception(error(type_error(atomic,foo(a)), _)).
s8_5_17 :- functor(_,foo(a),0).
:- test s8_5_18(T) => (T = -(_)) + not_fails.
s8_5_18(T) :- functor(T,-,1).
:- test s8_5_19(X) => (X==a) + not_fails.
s8_5_19(X) :- arg(1,f(a,b),X).
:- test s8_5_20(X) => (X==[2]) + not_fails.
s8_5_20(X) :- arg(2,[1,2],X).
:- test s8_5_21 + fails.
s8_5_21 :- arg(0,f(a),_).
:- test s8_5_22 + fails.
s8_5_22 :- arg(3,f(a,b),_).
:- test s8_5_23(X) => (X==a) + not_fails.
s8_5_23(X) :- arg(1,f(X),a).
:- test s8_5_24 + exception(error(instantiation_error, _)).
s8_5_24 :- arg(1,_,_).
:- test s8_5_25 + exception(error(type_error(integer,a), _)).
s8_5_25 :- arg(a,f(a),_).
:- test s8_5_26 + exception(error(type_error(integer,1.0), _)).
s8_5_26 :- arg(1.0,f(a),_).
:- test s8_5_27 + exception(error(type_error(compound,a), _)).
s8_5_27 :- arg(1,a,_).
:- test s8_5_28 + exception(error(type_error(compound,3), _)).
s8_5_28 :- arg(0,3,_).
:- test s8_5_29 + exception(error(domain_error(not_less_than_zero,-1), _)).
s8_5_29 :- arg(-1,f(a),_).
:- test s8_5_30(L) => (L==[f,a,b]) + not_fails.
s8_5_30(L) :- f(a,b)=..L.
:- test s8_5_31(L) => (L==[a]) + not_fails.
s8_5_31(L) :- a=..L.
:- test s8_5_32(L) => (L==[1.5]) + not_fails.
s8_5_32(L) :- 1.5=..L.
:- test s8_5_33(L) => (L==['.',a,b]) + not_fails.
s8_5_33(L) :- [a|b]=..L.
:- test s8_5_34(X) => (X==a) + not_fails.
s8_5_34(X) :- X=..[a].
:- test s8_5_35(X) => (X==1) + not_fails.
s8_5_35(X) :- X=..[1].
:- test s8_5_36(X,Y) => (X==f(Y)) + not_fails.
s8_5_36(X,Y) :- X=..[f,Y].
:- test s8_5_37 + exception(error(instantiation_error, _)).
s8_5_37 :- _=.._.
:- test s8_5_38 + exception(error(instantiation_error, _)).
s8_5_38 :- _=..[f|_].
:- test s8_5_39 + exception(error(instantiation_error, _)).
s8_5_39 :- _=..[_,a].
:- test s8_5_40 + exception(error(instantiation_error, _)).
s8_5_40 :- _=..[_].
:- test s8_5_41 + exception(error(type_error(list,[f|a]), _)).
s8_5_41 :- _=..[f|a].
:- test s8_5_42 + exception(error(domain_error(non_empty_list,[]), _)).
s8_5_42 :- _=..[].
:- test s8_5_43 + exception(error(type_error(list,a), _)).
s8_5_43 :- _=..a.
:- test s8_5_44 + exception(error(type_error(atomic,f(a)), _)).
s8_5_44 :- _=..[f(a)].
:- test s8_5_45(X) => (X==[a]) + not_fails.
s8_5_45(X) :- f(a)=..[f|X].
:- test s8_5_46 + fails.
s8_5_46 :- f(a)=..[g|_].
:- test s8_5_47 + exception(error(type_error(list,a), _)).
s8_5_47 :- f(a)=..a.
:- test s8_5_48 + exception(error(type_error(list,[f|b]), _)).
s8_5_48 :- f(a)=..[f|b].
:- test s8_5_49(Z,X,Y) => ((Z=f(A,B,C),A==C,A\==B,A\==X,B\==Y)) + not_fails.
s8_5_49(Z,X,Y) :- copy_term(f(X,Y,X),Z).
:- test s8_5_50 + fails.
s8_5_50 :- copy_term(a,b).
:- test s8_5_51(X) => (var(X)) + not_fails.
s8_5_51(X) :- copy_term(f(X),f(a)).
:- test s8_5_52(X) => (var(X)) + not_fails.
s8_5_52(X) :- copy_term(_,X).
:- test s8_5_53(L,X,Y) => (L==[X,Y]) + not_fails.
s8_5_53(L,X,Y) :- term_variables(f(X,g(Y),X),L).
:- test s8_5_54(L) => (L==[]) + not_fails.
s8_5_54(L) :- term_variables(a,L).
:- test s8_5_55(T,Y) => (T==[Y]) + not_fails.
s8_5_55(T,Y) :- term_variables(X+Y,[X|T]).
:- test s8_5_56 + exception(error(type_error(list,[x|a]), _)).
s8_5_56 :- term_variables(t,[x|a]).
:- test s8_5_57 + exception(error(type_error(list,a), _)).
s8_5_57 :- term_variables(f(_X),a).

% 8.6, 8.7 and 9
:- test s8_6_1(X) => (X==7) + not_fails.
s8_6_1(X) :- X is 1+2*3.
:- test s8_6_2(X) => (X==10) + not_fails.
s8_6_2(X) :- X is 7-(-3).
:- test s8_6_3(X) => (X==3.5) + not_fails.
s8_6_3(X) :- X is 7/2.0.
:- test s8_6_4(X) => (X== -3) + not_fails.
s8_6_4(X) :- X is -7//2.
:- test s8_6_5(X) => (X== -4) + not_fails.
s8_6_5(X) :- X is -7 div 2.
:- test s8_6_6(X) => (X==1) + not_fails.
s8_6_6(X) :- X is -7 mod 2.
:- test s8_6_7(X) => (X== -1) + not_fails.
s8_6_7(X) :- X is -7 rem 2.
:- test s8_6_8(X) => (X== -1) + not_fails.
s8_6_8(X) :- X is 7 mod -2.
:- test s8_6_9(X) => (X==1) + not_fails.
s8_6_9(X) :- X is 7 rem -2.
:- test s8_6_10(X) => (X== -4) + not_fails.
s8_6_10(X) :- X is 7 div -2.
:- test s8_6_11(X) => (X==3) + not_fails.
s8_6_11(X) :- X is - (-3).
:- test s8_6_12(X) => (X==3) + not_fails.
s8_6_12(X) :- X is +(3).
:- test s8_6_13(X) => (X==3.5) + not_fails.
s8_6_13(X) :- X is abs(-3.5).
:- test s8_6_14(X) => (X== -1) + not_fails.
s8_6_14(X) :- X is sign(-3).
:- test s8_6_15(X) => (X==1.0) + not_fails.
s8_6_15(X) :- X is sign(2.5).
:- test s8_6_16(X) => (X==1) + not_fails.
s8_6_16(X) :- X is min(1,2.0).
:- test s8_6_17(X) => (X==2) + not_fails.
s8_6_17(X) :- X is max(2,1.0).
:- test s8_6_18(X) => (X==3.0) + not_fails.
s8_6_18(X) :- X is float(3).
:- test s8_6_19(X) => (X== -2) + not_fails.
s8_6_19(X) :- X is truncate(-2.5).
:- test s8_6_20(X) => (X== -3) + not_fails.
s8_6_20(X) :- X is round(-2.5).
:- test s8_6_21(X) => (X==3) + not_fails.
s8_6_21(X) :- X is round(2.5).
:- test s8_6_22(X) => (X==3) + not_fails.
s8_6_22(X) :- X is ceiling(2.1).
:- test s8_6_23(X) => (X== -3) + not_fails.
s8_6_23(X) :- X is floor(-2.1).
:- test s8_6_24(X) => (X== -2.0) + not_fails.
s8_6_24(X) :- X is float_integer_part(-2.5).
:- test s8_6_25(X) => (X== -0.5) + not_fails.
s8_6_25(X) :- X is float_fractional_part(-2.5).
:- test s8_6_26(X) => (X==6) + not_fails.
s8_6_26(X) :- X is xor(5,3).
:- test s8_6_27(X) => (X== -6) + not_fails.
s8_6_27(X) :- X is \ 5.
:- test s8_6_28(X) => (X==1) + not_fails.
s8_6_28(X) :- X is 5 /\ 3.
:- test s8_6_29(X) => (X==7) + not_fails.
s8_6_29(X) :- X is 5 \/ 3.
:- test s8_6_30(X) => (X==1024) + not_fails.
s8_6_30(X) :- X is 1<<10.
:- test s8_6_31(X) => (X== -4) + not_fails.
s8_6_31(X) :- X is -16>>2.
:- test s8_6_32(X) => (X==8.0) + not_fails.
s8_6_32(X) :- X is 2**3.0.
:- test s8_6_33(X) => (X==1024) + not_fails.
s8_6_33(X) :- X is 2^10.
:- test s8_6_34 + exception(error(type_error(float,2), _)).
s8_6_34 :- _X is 2^(-1).
:- test s8_6_35(X) => (X==1) + not_fails.
s8_6_35(X) :- X is 1^(-3).
:- test s8_6_36(X) => (X== -1) + not_fails.
s8_6_36(X) :- X is (-1)^(-3).
:- test s8_6_37(X) => (X==1) + not_fails.
s8_6_37(X) :- X is 0^0.
:- test s8_6_38(X) => (X==8.0) + not_fails.
s8_6_38(X) :- X is 2.0^3.
:- test s8_6_39 + exception(error(_, _)).
s8_6_39 :- _X is 0^(-1).
:- test s8_6_40(X) => (X==0.0) + not_fails.
s8_6_40(X) :- X is sin(0.0).
:- test s8_6_41(X,Y) => (X==Y) + not_fails.
s8_6_41(X,Y) :- X is atan2(1,1),Y is pi/4.
:- test s8_6_42(X) => (X==1.0) + not_fails.
s8_6_42(X) :- X is cos(0).
:- test s8_6_43(X) => (X==1.0) + not_fails.
s8_6_43(X) :- X is exp(0).
:- test s8_6_44(X) => (X==0.0) + not_fails.
s8_6_44(X) :- X is log(1).
:- test s8_6_45(X) => (X==2.0) + not_fails.
s8_6_45(X) :- X is sqrt(4).
:- test s8_6_46 + exception(error(evaluation_error(undefined), _)).
s8_6_46 :- _ is sqrt(-1).
:- test s8_6_47 + exception(error(evaluation_error(undefined), _)).
s8_6_47 :- _ is log(0).
:- test s8_6_48 + exception(error(evaluation_error(undefined), _)).
s8_6_48 :- _ is log(0.0).
:- test s8_6_49 + exception(error(evaluation_error(undefined), _)).
s8_6_49 :- _ is log(-1).
:- test s8_6_50 + exception(error(evaluation_error(undefined), _)).
s8_6_50 :- _ is acos(2).
:- test s8_6_51 + exception(error(evaluation_error(undefined), _)).
s8_6_51 :- _ is asin(1.5).
:- test s8_6_52 + exception(error(evaluation_error(undefined), _)).
s8_6_52 :- _ is atan2(0,0).
:- test s8_6_53 + exception(error(evaluation_error(undefined), _)).
s8_6_53 :- _ is atan2(0.0,0.0).
:- test s8_6_54 + exception(error(evaluation_error(zero_divisor), _)).
s8_6_54 :- _ is 1/0.
:- test s8_6_55 + exception(error(evaluation_error(zero_divisor), _)).
s8_6_55 :- _ is 1//0.
:- test s8_6_56 + exception(error(evaluation_error(zero_divisor), _)).
s8_6_56 :- _ is 1 mod 0.
:- test s8_6_57 + exception(error(evaluation_error(zero_divisor), _)).
s8_6_57 :- _ is 1 rem 0.
:- test s8_6_58 + exception(error(evaluation_error(zero_divisor), _)).
s8_6_58 :- _ is 1 div 0.
:- test s8_6_59 + exception(error(evaluation_error(zero_divisor), _)).
s8_6_59 :- _ is 1/0.0.
:- test s8_6_60 + exception(error(evaluation_error(float_overflow), _)).
s8_6_60 :- _ is 10.0**400.
:- test s8_6_61 + exception(error(evaluation_error(float_overflow), _)).
s8_6_61 :- _ is exp(1000).
:- test s8_6_62 + exception(error(evaluation_error(float_overflow), _)).
s8_6_62 :- _ is 1.0e308*10.
:- test s8_6_63 + exception(error(instantiation_error, _)).
s8_6_63 :- _ is 1+_.
:- test s8_6_64 + exception(error(instantiation_error, _)).
s8_6_64 :- _ is _.
:- test s8_6_65 + exception(error(type_error(evaluable,a/0), _)).
s8_6_65 :- _ is a.
:- test s8_6_66 + exception(error(type_error(evaluable,a/0), _)).
s8_6_66 :- _ is a+1.
:- test s8_6_67 + exception(error(type_error(evaluable,foo/2), _)).
s8_6_67 :- _ is foo(1,2).
:- test s8_6_68 + exception(error(type_error(integer,1.0), _)).
s8_6_68 :- _ is 1.0 mod 2.
:- test s8_6_69 + exception(error(type_error(integer,1.0), _)).
s8_6_69 :- _ is 2 mod 1.0.
:- test s8_6_70 + exception(error(type_error(integer,1.5), _)).
s8_6_70 :- _ is 1.5//2.
:- test s8_6_71 + exception(error(type_error(integer,1.5), _)).
s8_6_71 :- _ is 1.5 div 2.
:- test s8_6_72 + exception(error(type_error(integer,1.5), _)).
s8_6_72 :- _ is 1.5 rem 2.
:- test s8_6_73 + exception(error(type_error(integer,1.0), _)).
s8_6_73 :- _ is 1<<1.0.
:- test s8_6_74 + exception(error(type_error(integer,1.0), _)).
s8_6_74 :- _ is 1.0>>1.
:- test s8_6_75 + exception(error(type_error(integer,1.0), _)).
s8_6_75 :- _ is 1.0/\1.
:- test s8_6_76 + exception(error(type_error(integer,1.0), _)).
s8_6_76 :- _ is 1\/1.0.
:- test s8_6_77 + exception(error(type_error(integer,1.0), _)).
s8_6_77 :- _ is \1.0.
:- test s8_6_78 + exception(error(type_error(integer,1.0), _)).
s8_6_78 :- _ is xor(1.0,1).
:- test s8_6_79 + not_fails.
s8_6_79 :- 1+1=:=2.0.
:- test s8_6_80 + fails.
s8_6_80 :- 1=\=1.0.
:- test s8_6_81 + not_fails.
s8_6_81 :- 1<1.5.
:- test s8_6_82 + fails.
s8_6_82 :- 1.5=<1.
:- test s8_6_83 + not_fails.
s8_6_83 :- 2>=2.0.
:- test s8_6_84 + exception(error(instantiation_error, _)).
s8_6_84 :- _=:=1.
:- test s8_6_85 + exception(error(instantiation_error, _)).
s8_6_85 :- 1=:=_.
:- test s8_6_86 + exception(error(type_error(evaluable,a/0), _)).
s8_6_86 :- a<1.
:- test s8_6_87 + exception(error(type_error(evaluable,_), _)).
s8_6_87 :- 1>f(x).
:- test s8_6_88 + not_fails.
s8_6_88 :- 3 is 1+2.
:- test s8_6_89 + fails.
s8_6_89 :- 3.0 is 1+2.
:- test s8_6_90 + fails.
s8_6_90 :- a is 1+2.
:- test s8_6_91(X) => (X==1+2) + not_fails.
s8_6_91(X) :- X=1+2,X=:=3.

% 8.8, 8.9
:- test s8_8_1 + exception(error(instantiation_error, _)).
s8_8_1 :- clause(_,_).
:- test s8_8_2 + exception(error(type_error(callable,4), _)).
s8_8_2 :- clause(4,_).
:- test s8_8_3 + exception(error(type_error(callable,4), _)).
s8_8_3 :- clause(fact(_),4).
:- test s8_8_4 + exception(error(permission_error(access,private_procedure,atom/1), _)).
s8_8_4 :- clause(atom(_),_).
:- test s8_8_5 + fails.
s8_8_5 :- clause(nowhere(_),_).
:- test s8_8_6(X,B) => ((X==1,B==true)) + not_fails.
s8_8_6(X,B) :- once(clause(fact(X),B)).
:- test s8_8_7(B,X) => (B==(fact(X),call(X))) + not_fails.
s8_8_7(B,X) :- once(clause(rule(X),B)).
:- test s8_8_8 + fails.
s8_8_8 :- clause((_:-true),_).
:- test s8_8_9 + fails.
s8_8_9 :- current_predicate(nowhere/_).
:- test s8_8_10(A) => (A==1) + not_fails.
s8_8_10(A) :- current_predicate(fact/A).
:- test s8_8_11 + exception(error(type_error(predicate_indicator,fact), _)).
s8_8_11 :- current_predicate(fact).
:- test s8_8_12 + exception(error(_, _)).
s8_8_12 :- current_predicate(4/_).
:- test s8_8_13 + exception(error(_, _)).
s8_8_13 :- current_predicate(fact/a).
:- test s8_8_14 + exception(error(type_error(predicate_indicator,4), _)).
s8_8_14 :- current_predicate(4).
:- test s8_8_15 + exception(error(instantiation_error, _)).
s8_8_15 :- asserta(_).
:- test s8_8_16 + exception(error(type_error(callable,4), _)).
s8_8_16 :- assertz(4).
:- test s8_8_17 + exception(error(instantiation_error, _)).
s8_8_17 :- assertz((_:-true)).
:- test s8_8_18 + exception(error(type_error(callable,4), _)).
s8_8_18 :- assertz((foo:-4)).
:- test s8_8_19 + exception(error(type_error(callable,4), _)).
s8_8_19 :- assertz((4:-true)).
:- test s8_8_20 + exception(error(type_error(callable,(fail,1)), _)).
s8_8_20 :- assertz((foo:-(fail,1))).
:- test s8_8_21 + exception(error(type_error(callable,(true;2)), _)).
s8_8_21 :- (asserta((bar:-(true;2)))).
:- test s8_8_22 + exception(error(permission_error(modify,static_procedure,atom/1), _)).
s8_8_22 :- assertz((atom(_):-true)).
:- test s8_8_23 + exception(error(permission_error(modify,static_procedure,true/0), _)).
s8_8_23 :- assertz((true:-true)).
:- test s8_8_24 + exception(error(permission_error(modify,static_procedure,(',')/2), _)).
s8_8_24 :- asserta(((a,b):-true)).
:- test s8_8_25(L) => (L==[0,1]) + not_fails.
s8_8_25(L) :- assertz(new(1)),asserta(new(0)),findall(X,new(X),L),retract(new(_)),retract(new(_)).
:- test s8_8_26(L) => (L==[1]) + not_fails.
s8_8_26(L) :- assertz(up(1)),findall(X,(up(X),X<3,Y is X+1,assertz(up(Y))),L),abolish_all(up/1).
:- test s8_8_27(Y,X) => ((Y==1,var(X))) + not_fails.
s8_8_27(Y,X) :- assertz(v(X,X)),v(1,Y),abolish_all(v/2).
:- test s8_8_28(B) => (B==call(a)) + not_fails.
s8_8_28(B) :- assertz((w(X):-X)),clause(w(a),B),abolish_all(w/1).
:- test s8_8_29 + exception(error(instantiation_error, _)).
s8_8_29 :- retract((_:-true)).
:- test s8_8_30 + exception(error(type_error(callable,4), _)).
s8_8_30 :- retract((4:-_)).
:- test s8_8_31 + fails.
s8_8_31 :- retract(nowhere(1)).
:- test s8_8_32 + exception(error(permission_error(_,_,atom/1), _)).
s8_8_32 :- retract((atom(_):-true)).
:- test s8_8_33 + exception(error(instantiation_error, _)).
s8_8_33 :- retractall(_).
:- test s8_8_34 + exception(error(type_error(callable,3), _)).
s8_8_34 :- retractall(3).
:- test s8_8_35 + exception(error(permission_error(modify,static_procedure,atom/1), _)).
s8_8_35 :- retractall(atom(_)).
:- test s8_8_36 + fails.
s8_8_36 :- retractall(brand_new(_)),catch(brand_new(_),_,_X=threw).
:- test s8_8_37 + exception(error(instantiation_error, _)).
s8_8_37 :- abolish(_).
:- test s8_8_38 + exception(error(type_error(predicate_indicator,foo), _)).
s8_8_38 :- abolish(foo).
:- test s8_8_39 + exception(error(instantiation_error, _)).
s8_8_39 :- abolish(foo/_).
:- test s8_8_40 + exception(error(instantiation_error, _)).
s8_8_40 :- abolish(_/1).
:- test s8_8_41 + exception(error(type_error(integer,a), _)).
s8_8_41 :- abolish(foo/a).
:- test s8_8_42 + exception(error(type_error(atom,1), _)).
s8_8_42 :- abolish(1/1).
:- test s8_8_43 + exception(error(domain_error(not_less_than_zero,-1), _)).
s8_8_43 :- abolish(foo/(-1)).
:- test s8_8_44 + exception(error(type_error(atom,foo(_)), _)).
s8_8_44 :- abolish(foo(_)/1).
:- test s8_8_45 + exception(error(permission_error(modify,static_procedure,abolish/1), _)).
s8_8_45 :- abolish(abolish/1).

% 8.10
:- test s8_10_1(L) => ((L=[1-A,B-2],var(A),var(B))) + not_fails.
s8_10_1(L) :- (findall(X-Y,(X=1;Y=2),L)).
:- test s8_10_2(L) => (L==[]) + not_fails.
s8_10_2(L) :- findall(_X,fail,L).
:- test s8_10_3 + exception(error(instantiation_error, _)).
s8_10_3 :- findall(_,_,_).
:- test s8_10_4 + exception(error(type_error(callable,4), _)).
s8_10_4 :- findall(_,4,_).
:- test s8_10_5 + exception(error(type_error(list,[_|1]), _)).
s8_10_5 :- findall(X,X=1,[_|1]).
:- test s8_10_6 + exception(error(type_error(list,a), _)).
s8_10_6 :- findall(X,X=1,a).
:- test s8_10_7(A,B) => ((A==1,B==2)) + not_fails.
s8_10_7(A,B) :- (findall(X,(X=1;X=2),[A,B])).
:- test s8_10_8 + fails.
s8_10_8 :- (findall(X,(X=1;X=2),[_])).
:- test s8_10_9(L) => (L==[1,2]) + not_fails.
s8_10_9(L) :- (bagof(X,(X=1;X=2),L)).
:- test s8_10_10 + fails.
s8_10_10 :- bagof(_X,fail,_).
:- test s8_10_11(R) => (R==[a-[1,3],b-[2]]) + not_fails.
s8_10_11(R) :- findall(Y-L,bagof(X,m(X,Y),L),R).
:- test s8_10_12(L) => (L==[1,2,3]) + not_fails.
s8_10_12(L) :- bagof(X,Y^m(X,Y),L).
:- test s8_10_13(R) => (R==[[1,3],[2]]) + not_fails.
s8_10_13(R) :- findall(L,bagof(X,m(X,_),L),R).
:- test s8_10_14(L) => ((L=[A],var(A))) + not_fails.
s8_10_14(L) :- bagof(X,Y^Z^(X=Y,Y=Z),L).
:- test s8_10_15(L) => ((L=[f(a,_),f(_,b)])) + not_fails.
s8_10_15(L) :- (bagof(f(X,Y),(X=a;Y=b),L)).
:- test s8_10_16 + exception(error(instantiation_error, _)).
s8_10_16 :- bagof(_,_,_).
:- test s8_10_17 + exception(error(type_error(callable,1), _)).
s8_10_17 :- bagof(_,1,_).
:- test s8_10_18 + exception(error(instantiation_error, _)).
s8_10_18 :- bagof(_X,_^_,_).
:- test s8_10_19 + exception(error(type_error(callable,1), _)).
s8_10_19 :- bagof(_X,_^1,_).
:- test s8_10_20 + exception(error(type_error(list,[_|b]), _)).
s8_10_20 :- bagof(X,X=1,[_|b]).
:- test s8_10_21 + not_fails.
s8_10_21 :- setof(X,m(_,X)^true,_).
:- test s8_10_22(L) => (L==[a,b]) + not_fails.
s8_10_22(L) :- setof(X,Y^m(Y,X),L).
:- test s8_10_23(L) => (L==[1,2]) + not_fails.
s8_10_23(L) :- (setof(X,(X=2;X=1;X=2),L)).
:- test s8_10_24(L) => (L==[1-a,2-b,3-a]) + not_fails.
s8_10_24(L) :- setof(X-Y,m(X,Y),L).
:- test s8_10_25 + fails.
s8_10_25 :- setof(_,fail,_).
:- test s8_10_26 + exception(error(instantiation_error, _)).
s8_10_26 :- setof(_,_,_).
:- test s8_10_27 + exception(error(type_error(callable,4), _)).
s8_10_27 :- setof(_X,4,_).
:- test s8_10_28 + exception(error(type_error(list,a), _)).
s8_10_28 :- setof(X,X=1,a).
:- test s8_10_29(L,U,V) => ((L==[U,V];L==[V,U])) + not_fails.
s8_10_29(L,U,V) :- (setof(X,(X=U;X=V),L)).

% 8.11 streams
:- test s8_11_1(S) => (nonvar(S)) + not_fails.
s8_11_1(S) :- current_input(S).
:- test s8_11_2 + exception(error(domain_error(stream,foo), _)).
s8_11_2 :- current_input(foo).
:- test s8_11_3 + exception(error(domain_error(stream,1), _)).
s8_11_3 :- current_output(1).
:- test s8_11_4 + exception(error(domain_error(stream,f(a)), _)).
s8_11_4 :- current_output(f(a)).
:- test s8_11_5 + exception(error(instantiation_error, _)).
s8_11_5 :- set_input(_).
:- test s8_11_6 + exception(error(existence_error(stream,no_such_alias), _)).
s8_11_6 :- set_input(no_such_alias).
:- test s8_11_7 + exception(error(domain_error(stream_or_alias,1), _)).
s8_11_7 :- set_input(1).
:- test s8_11_8 + exception(error(domain_error(stream_or_alias,f(_)), _)).
s8_11_8 :- set_input(f(_)).
:- test s8_11_9 + exception(error(permission_error(input,stream,user_output), _)).
s8_11_9 :- set_input(user_output).
:- test s8_11_10 + exception(error(instantiation_error, _)).
s8_11_10 :- set_output(_).
:- test s8_11_11 + exception(error(existence_error(stream,no_such_alias), _)).
s8_11_11 :- set_output(no_such_alias).
:- test s8_11_12 + exception(error(permission_error(output,stream,user_input), _)).
s8_11_12 :- set_output(user_input).
:- test s8_11_13 + exception(error(domain_error(stream_or_alias,"s"), _)).
s8_11_13 :- set_output("s").
:- test s8_11_14 + exception(error(instantiation_error, _)).
s8_11_14 :- open(_,read,_).
:- test s8_11_15 + exception(error(instantiation_error, _)).
s8_11_15 :- open(f,_,_).
:- test s8_11_16 + exception(error(instantiation_error, _)).
s8_11_16 :- open(f,read,_,_).
:- test s8_11_17 + exception(error(instantiation_error, _)).
s8_11_17 :- open(f,read,_,[type(text)|_]).
:- test s8_11_18 + exception(error(instantiation_error, _)).
s8_11_18 :- open(f,read,_,[_]).
:- test s8_11_19 + exception(error(instantiation_error, _)).
s8_11_19 :- open(f,read,_,[type(text),_]).
:- test s8_11_20 + exception(error(type_error(atom,1), _)).
s8_11_20 :- open(f,1,_).
:- test s8_11_21 + exception(error(type_error(atom,f(x)), _)).
s8_11_21 :- open(f,f(x),_).
:- test s8_11_22 + exception(error(type_error(list,type(text)), _)).
s8_11_22 :- open(f,read,_,type(text)).
:- test s8_11_23 + exception(error(type_error(list,[type(text)|a]), _)).
s8_11_23 :- open(f,read,_,[type(text)|a]).
:- test s8_11_24 + exception(error(uninstantiation_error(s), _)).
s8_11_24 :- open(f,read,s).
:- test s8_11_25 + exception(error(domain_error(source_sink,f(a)), _)).
s8_11_25 :- open(f(a),read,_).
:- test s8_11_26 + exception(error(domain_error(source_sink,1), _)).
s8_11_26 :- open(1,read,_).
:- test s8_11_27 + exception(error(domain_error(io_mode,foo), _)).
s8_11_27 :- open(f,foo,_).
:- test s8_11_28 + exception(error(domain_error(stream_option,foo), _)).
s8_11_28 :- open(f,read,_,[foo]).
:- test s8_11_29 + exception(error(domain_error(stream_option,type(foo)), _)).
s8_11_29 :- open(f,read,_,[type(foo)]).
:- test s8_11_30 + exception(error(domain_error(stream_option,reposition(maybe)), _)).
s8_11_30 :- open(f,read,_,[reposition(maybe)]).
:- test s8_11_31 + exception(error(domain_error(stream_option,eof_action(x)), _)).
s8_11_31 :- open(f,read,_,[eof_action(x)]).
:- test s8_11_32 + exception(error(domain_error(stream_option,alias(1)), _)).
s8_11_32 :- open(f,read,_,[alias(1)]).
:- test s8_11_33 + exception(error(instantiation_error, _)).
s8_11_33 :- open(f,read,_,[alias(_)]).
:- test s8_11_34 + exception(error(existence_error(source_sink,'/no/such/file/here'), _)).
s8_11_34 :- open('/no/such/file/here',read,_).
:- test s8_11_35 + exception(error(_, _)).
s8_11_35 :- open('/no/such/file/here',write,_).
:- test s8_11_36 + exception(error(_, _)).
s8_11_36 :- open(f,read,_,[alias(user_output)]).
:- test s8_11_37 + exception(error(instantiation_error, _)).
s8_11_37 :- close(_).
:- test s8_11_38 + exception(error(existence_error(stream,no_such_alias), _)).
s8_11_38 :- close(no_such_alias).
:- test s8_11_39 + exception(error(domain_error(stream_or_alias,1), _)).
s8_11_39 :- close(1).
:- test s8_11_40 + exception(error(instantiation_error, _)).
s8_11_40 :- close(user_output,_).
:- test s8_11_41 + exception(error(instantiation_error, _)).
s8_11_41 :- close(user_output,[force(true)|_]).
:- test s8_11_42 + exception(error(instantiation_error, _)).
s8_11_42 :- close(user_output,[_]).
:- test s8_11_43 + exception(error(type_error(list,foo), _)).
s8_11_43 :- close(user_output,foo).
:- test s8_11_44 + exception(error(domain_error(close_option,foo), _)).
s8_11_44 :- close(user_output,[foo]).
:- test s8_11_45 + exception(error(domain_error(close_option,force(x)), _)).
s8_11_45 :- close(user_output,[force(x)]).
:- test s8_11_46 + exception(error(instantiation_error, _)).
s8_11_46 :- flush_output(_).
:- test s8_11_47 + exception(error(existence_error(stream,no_such_alias), _)).
s8_11_47 :- flush_output(no_such_alias).
:- test s8_11_48 + exception(error(permission_error(output,stream,user_input), _)).
s8_11_48 :- flush_output(user_input).
:- test s8_11_49 + exception(error(domain_error(stream_or_alias,1), _)).
s8_11_49 :- flush_output(1).
:- test s8_11_50 + exception(error(domain_error(stream,foo), _)).
s8_11_50 :- stream_property(foo,_).
:- test s8_11_51 + exception(error(domain_error(stream,1), _)).
s8_11_51 :- stream_property(1,_).
:- test s8_11_52 + exception(error(domain_error(stream_property,foo), _)).
s8_11_52 :- stream_property(_,foo).
:- test s8_11_53 + exception(error(domain_error(stream_property,foo(1)), _)).
s8_11_53 :- stream_property(_,foo(1)).
:- test s8_11_54 + exception(error(domain_error(stream_property,1), _)).
s8_11_54 :- stream_property(_,1).
:- test s8_11_55(S) => (nonvar(S)) + not_fails.
s8_11_55(S) :- stream_property(S,alias(user_error)).
:- test s8_11_56(M) => (M==read) + not_fails.
s8_11_56(M) :- stream_property(S,alias(user_input)),stream_property(S,mode(M)).
:- test s8_11_57(M) => (M==append) + not_fails.
s8_11_57(M) :- stream_property(S,alias(user_output)),stream_property(S,mode(M)).
:- test s8_11_58 + not_fails.
s8_11_58 :- stream_property(S,alias(user_output)),stream_property(S,output).
:- test s8_11_59 + fails.
s8_11_59 :- stream_property(S,alias(user_output)),stream_property(S,input).
:- test s8_11_60(T) => (T==text) + not_fails.
s8_11_60(T) :- stream_property(S,alias(user_input)),stream_property(S,type(T)).
:- test s8_11_61 + exception(error(instantiation_error, _)).
s8_11_61 :- set_stream_position(_,_).
:- test s8_11_62 + exception(error(instantiation_error, _)).
s8_11_62 :- set_stream_position(user_input,_).
:- test s8_11_63 + exception(error(_, _)).
s8_11_63 :- set_stream_position(no_such_alias,_).
:- test s8_11_64 + exception(error(domain_error(stream_position,foo), _)).
s8_11_64 :- set_stream_position(user_input,foo).
:- test s8_11_65 + exception(error(instantiation_error, _)).
s8_11_65 :- at_end_of_stream(_).
:- test s8_11_66 + exception(error(existence_error(stream,no_such_alias), _)).
s8_11_66 :- at_end_of_stream(no_such_alias).
:- test s8_11_67 + exception(error(domain_error(stream_or_alias,1), _)).
s8_11_67 :- at_end_of_stream(1).

% 8.12, 8.13
:- test s8_12_1 + exception(error(instantiation_error, _)).
s8_12_1 :- get_char(_,_).
:- test s8_12_2 + exception(error(permission_error(input,stream,user_output), _)).
s8_12_2 :- get_char(user_output,_).
:- test s8_12_3 + exception(error(type_error(in_character,1), _)).
s8_12_3 :- get_char(user_input,1).
:- test s8_12_4 + exception(error(type_error(in_character,ab), _)).
s8_12_4 :- get_char(user_input,ab).
:- test s8_12_5 + exception(error(type_error(in_character,f(a)), _)).
s8_12_5 :- get_char(user_input,f(a)).
:- test s8_12_6 + exception(error(existence_error(stream,no_such_alias), _)).
s8_12_6 :- get_char(no_such_alias,_).
:- test s8_12_7 + exception(error(domain_error(stream_or_alias,1), _)).
s8_12_7 :- get_char(1,_).
:- test s8_12_8 + exception(error(instantiation_error, _)).
s8_12_8 :- peek_char(_,_).
:- test s8_12_9 + exception(error(permission_error(input,stream,user_output), _)).
s8_12_9 :- peek_char(user_output,_).
:- test s8_12_10 + exception(error(type_error(in_character,1), _)).
s8_12_10 :- peek_char(user_input,1).
:- test s8_12_11 + exception(error(instantiation_error, _)).
s8_12_11 :- put_char(_).
:- test s8_12_12 + exception(error(instantiation_error, _)).
s8_12_12 :- put_char(user_output,_).
:- test s8_12_13 + exception(error(instantiation_error, _)).
s8_12_13 :- put_char(_,a).
:- test s8_12_14 + exception(error(type_error(character,ab), _)).
s8_12_14 :- put_char(ab).
:- test s8_12_15 + exception(error(type_error(character,1), _)).
s8_12_15 :- put_char(1).
:- test s8_12_16 + exception(error(type_error(character,"a"), _)).
s8_12_16 :- put_char("a").
:- test s8_12_17 + exception(error(permission_error(output,stream,user_input), _)).
s8_12_17 :- put_char(user_input,a).
:- test s8_12_18 + exception(error(existence_error(stream,no_such_alias), _)).
s8_12_18 :- put_char(no_such_alias,a).
:- test s8_12_19 + exception(error(type_error(integer,a), _)).
s8_12_19 :- get_code(user_input,a).
:- test s8_12_20 + exception(error(representation_error(in_character_code), _)).
s8_12_20 :- get_code(user_input,-2).
:- test s8_12_21 + exception(error(permission_error(input,stream,user_output), _)).
s8_12_21 :- get_code(user_output,_).
:- test s8_12_22 + exception(error(type_error(integer,a), _)).
s8_12_22 :- peek_code(user_input,a).
:- test s8_12_23 + exception(error(representation_error(in_character_code), _)).
s8_12_23 :- peek_code(user_input,-2).
:- test s8_12_24 + exception(error(instantiation_error, _)).
s8_12_24 :- peek_code(_,_).
:- test s8_12_25 + exception(error(instantiation_error, _)).
s8_12_25 :- put_code(_).
:- test s8_12_26 + exception(error(type_error(integer,a), _)).
s8_12_26 :- put_code(a).
:- test s8_12_27 + exception(error(representation_error(character_code), _)).
s8_12_27 :- put_code(-1).
:- test s8_12_28 + exception(error(permission_error(output,stream,user_input), _)).
s8_12_28 :- put_code(user_input,97).
:- test s8_12_29 + exception(error(instantiation_error, _)).
s8_12_29 :- nl(_).
:- test s8_12_30 + exception(error(permission_error(output,stream,user_input), _)).
s8_12_30 :- nl(user_input).
:- test s8_12_31 + exception(error(domain_error(stream_or_alias,1), _)).
s8_12_31 :- nl(1).
:- test s8_12_32 + exception(error(instantiation_error, _)).
s8_12_32 :- get_byte(_,_).
:- test s8_12_33 + exception(error(permission_error(input,text_stream,user_input), _)).
s8_12_33 :- get_byte(user_input,_).
:- test s8_12_34 + exception(error(permission_error(input,stream,user_output), _)).
s8_12_34 :- get_byte(user_output,_).
:- test s8_12_35 + exception(error(type_error(in_byte,x), _)).
s8_12_35 :- get_byte(user_input,x).
:- test s8_12_36 + exception(error(type_error(in_byte,256), _)).
s8_12_36 :- get_byte(user_input,256).
:- test s8_12_37 + exception(error(type_error(in_byte,-2), _)).
s8_12_37 :- peek_byte(user_input,-2).
:- test s8_12_38 + exception(error(permission_error(input,text_stream,user_input), _)).
s8_12_38 :- peek_byte(user_input,_).
:- test s8_12_39 + exception(error(instantiation_error, _)).
s8_12_39 :- put_byte(_).
:- test s8_12_40 + exception(error(instantiation_error, _)).
s8_12_40 :- put_byte(_,1).
:- test s8_12_41 + exception(error(type_error(byte,a), _)).
s8_12_41 :- put_byte(a).
:- test s8_12_42 + exception(error(type_error(byte,256), _)).
s8_12_42 :- put_byte(256).
:- test s8_12_43 + exception(error(type_error(byte,-1), _)).
s8_12_43 :- put_byte(-1).
:- test s8_12_44 + exception(error(permission_error(output,text_stream,user_output), _)).
s8_12_44 :- put_byte(user_output,1).
:- test s8_12_45 + exception(error(permission_error(output,stream,user_input), _)).
s8_12_45 :- put_byte(user_input,1).

% 8.14
:- test s8_14_1 + exception(error(permission_error(input,stream,user_output), _)).
s8_14_1 :- read_term(user_output,_,[]).
:- test s8_14_2 + exception(error(instantiation_error, _)).
s8_14_2 :- read_term(_,_,[]).
:- test s8_14_3 + exception(error(instantiation_error, _)).
s8_14_3 :- read_term(user_input,_,_).
:- test s8_14_4 + exception(error(type_error(list,foo), _)).
s8_14_4 :- read_term(user_input,_,foo).
:- test s8_14_5 + exception(error(instantiation_error, _)).
s8_14_5 :- read_term(user_input,_,[foo|_]).
:- test s8_14_6 + exception(error(type_error(list,[variables(_)|a]), _)).
s8_14_6 :- read_term(user_input,_,[variables(_)|a]).
:- test s8_14_7 + exception(error(domain_error(read_option,foo), _)).
s8_14_7 :- read_term(user_input,_,[foo]).
:- test s8_14_8 + exception(error(domain_error(read_option,1), _)).
s8_14_8 :- read_term(user_input,_,[1]).
:- test s8_14_9 + exception(error(permission_error(input,stream,user_output), _)).
s8_14_9 :- read(user_output,_).
:- test s8_14_10 + exception(error(instantiation_error, _)).
s8_14_10 :- read(_,_).
:- test s8_14_11 + exception(error(existence_error(stream,no_such_alias), _)).
s8_14_11 :- read(no_such_alias,_).
:- test s8_14_12 + exception(error(instantiation_error, _)).
s8_14_12 :- write_term(1,_).
:- test s8_14_13 + exception(error(instantiation_error, _)).
s8_14_13 :- write_term(_,1,[]).
:- test s8_14_14 + exception(error(instantiation_error, _)).
s8_14_14 :- write_term(1,[quoted(true)|_]).
:- test s8_14_15 + exception(error(instantiation_error, _)).
s8_14_15 :- write_term(1,[quoted(true),_]).
:- test s8_14_16 + exception(error(type_error(list,foo), _)).
s8_14_16 :- write_term(1,foo).
:- test s8_14_17 + exception(error(type_error(list,[quoted(true)|foo]), _)).
s8_14_17 :- write_term(1,[quoted(true)|foo]).
:- test s8_14_18 + exception(error(domain_error(write_option,foo), _)).
s8_14_18 :- write_term(1,[quoted(true),foo]).
:- test s8_14_19 + exception(error(domain_error(write_option,quoted(foo)), _)).
s8_14_19 :- write_term(1,[quoted(foo)]).
:- test s8_14_20 + exception(error(instantiation_error, _)).
s8_14_20 :- write_term(1,[quoted(_)]).
:- test s8_14_21 + exception(error(permission_error(output,stream,user_input), _)).
s8_14_21 :- write_term(user_input,1,[]).
:- test s8_14_22 + exception(error(instantiation_error, _)).
s8_14_22 :- write(_,1).
:- test s8_14_23 + exception(error(permission_error(output,stream,user_input), _)).
s8_14_23 :- write(user_input,1).
:- test s8_14_24 + exception(error(existence_error(stream,no_such_alias), _)).
s8_14_24 :- writeq(no_such_alias,1).
:- test s8_14_25 + exception(error(instantiation_error, _)).
s8_14_25 :- write_canonical(_,1).
:- test s8_14_26 + exception(error(instantiation_error, _)).
s8_14_26 :- op(_,xfx,a).
:- test s8_14_27 + exception(error(instantiation_error, _)).
s8_14_27 :- op(30,_,a).
:- test s8_14_28 + exception(error(instantiation_error, _)).
s8_14_28 :- op(30,xfx,_).
:- test s8_14_29 + exception(error(instantiation_error, _)).
s8_14_29 :- op(30,xfx,[a|_]).
:- test s8_14_30 + exception(error(instantiation_error, _)).
s8_14_30 :- op(30,xfx,[a,_]).
:- test s8_14_31 + exception(error(type_error(integer,a), _)).
s8_14_31 :- op(a,xfx,b).
:- test s8_14_32 + exception(error(domain_error(operator_priority,1201), _)).
s8_14_32 :- op(1201,xfx,a).
:- test s8_14_33 + exception(error(domain_error(operator_priority,-1), _)).
s8_14_33 :- op(-1,xfx,a).
:- test s8_14_34 + exception(error(type_error(atom,1), _)).
s8_14_34 :- op(30,1,a).
:- test s8_14_35 + exception(error(domain_error(operator_specifier,yfy), _)).
s8_14_35 :- op(30,yfy,a).
:- test s8_14_36 + exception(error(type_error(list,1), _)).
s8_14_36 :- op(30,xfx,1).
:- test s8_14_37 + exception(error(type_error(list,[a|b]), _)).
s8_14_37 :- op(30,xfx,[a|b]).
:- test s8_14_38 + exception(error(type_error(atom,1), _)).
s8_14_38 :- op(30,xfx,[1]).
:- test s8_14_39 + exception(error(permission_error(modify,operator,','), _)).
s8_14_39 :- op(30,xfy,',').
:- test s8_14_40 + exception(error(permission_error(modify,operator,','), _)).
s8_14_40 :- op(30,xfy,[a,',']).
:- test s8_14_41 + exception(error(permission_error(create,operator,'|'), _)).
s8_14_41 :- op(30,xfy,'|').
:- test s8_14_42 + exception(error(permission_error(create,operator,'|'), _)).
s8_14_42 :- op(1001,fy,'|').
:- test s8_14_43(E) => (E==named;E==permission_error(create,operator,[])) + not_fails.
s8_14_43(E) :- catch((op(30,xfy,[]),E=named),error(E,_),true).
:- test s8_14_44 + exception(error(permission_error(create,operator,[]), _)).
s8_14_44 :- op(30,xfy,[[]]).
:- test s8_14_45 + exception(error(permission_error(create,operator,{}), _)).
s8_14_45 :- op(30,xfy,{}).
:- test s8_14_46(E) => (E==permission_error(create,operator,+++)) + not_fails.
s8_14_46(E) :- op(40,xfx,+++),catch(op(30,xf,+++),error(E,_),true),op(0,xfx,+++).
:- test s8_14_47(P,T) => ((P==40,T==xfx)) + not_fails.
s8_14_47(P,T) :- op(40,xfx,++++),current_op(P,T,++++),op(0,xfx,++++),\+ current_op(_,_,++++).
:- test s8_14_48 + exception(error(domain_error(operator_priority,1201), _)).
s8_14_48 :- current_op(1201,_,_).
:- test s8_14_49 + exception(error(domain_error(operator_priority,a), _)).
s8_14_49 :- current_op(a,_,_).
:- test s8_14_50 + exception(error(domain_error(operator_specifier,yfy), _)).
s8_14_50 :- current_op(_,yfy,_).
:- test s8_14_51 + exception(error(domain_error(operator_specifier,1), _)).
s8_14_51 :- current_op(_,1,_).
:- test s8_14_52 + exception(error(type_error(atom,1), _)).
s8_14_52 :- current_op(_,_,1).
:- test s8_14_53(P) => (P==700) + not_fails.
s8_14_53(P) :- current_op(P,xfx,is).
:- test s8_14_54 + exception(error(instantiation_error, _)).
s8_14_54 :- char_conversion(_,a).
:- test s8_14_55 + exception(error(instantiation_error, _)).
s8_14_55 :- char_conversion(a,_).
:- test s8_14_56 + exception(error(representation_error(character), _)).
s8_14_56 :- char_conversion(ab,a).
:- test s8_14_57 + exception(error(_, _)).
s8_14_57 :- current_char_conversion(ab,_).

% 8.16
:- test s8_16_1(L) => (L==3) + not_fails.
s8_16_1(L) :- atom_length(abc,L).
:- test s8_16_2(L) => (L==0) + not_fails.
s8_16_2(L) :- atom_length('',L).
:- test s8_16_3 + exception(error(instantiation_error, _)).
s8_16_3 :- atom_length(_,_).
:- test s8_16_4 + exception(error(_, _)).
s8_16_4 :- atom_length(f(a),_).
:- test s8_16_5 + exception(error(type_error(integer,b), _)).
s8_16_5 :- atom_length(a,b).
:- test s8_16_6 + exception(error(domain_error(not_less_than_zero,-1), _)).
s8_16_6 :- atom_length(a,-1).
:- test s8_16_7(X,Y) => ((X==a,Y==b)) + not_fails.
s8_16_7(X,Y) :- once((atom_concat(X,Y,ab),X\=='')).
:- test s8_16_8(L) => (L==[''+ab,a+b,ab+'']) + not_fails.
s8_16_8(L) :- findall(X+Y,atom_concat(X,Y,ab),L).
:- test s8_16_9 + exception(error(instantiation_error, _)).
s8_16_9 :- atom_concat(_,_,_).
:- test s8_16_10 + exception(error(instantiation_error, _)).
s8_16_10 :- atom_concat(a,_,_).
:- test s8_16_11 + exception(error(instantiation_error, _)).
s8_16_11 :- atom_concat(_,a,_).
:- test s8_16_12 + exception(error(_, _)).
s8_16_12 :- atom_concat(f(a),b,_).
:- test s8_16_13(X) => (X==bc) + not_fails.
s8_16_13(X) :- atom_concat(a,X,abc).
:- test s8_16_14 + fails.
s8_16_14 :- atom_concat(b,_,abc).
:- test s8_16_15(R) => (R==[0-0-2-'',0-1-1-a,0-2-0-ab,1-0-1-'',1-1-0-b,2-0-0-'']) + not_fails.
s8_16_15(R) :- findall(B-L-A-S,sub_atom(ab,B,L,A,S),R).
:- test s8_16_16(R) => (R==[1,3]) + not_fails.
s8_16_16(R) :- findall(B,sub_atom(banana,B,_,_,an),R).
:- test s8_16_17(S) => (S==bc) + not_fails.
s8_16_17(S) :- sub_atom(abc,1,_,0,S).
:- test s8_16_18(S) => (S==bc) + not_fails.
s8_16_18(S) :- sub_atom(abc,_,2,0,S).
:- test s8_16_19 + fails.
s8_16_19 :- sub_atom(abc,4,_,_,_).
:- test s8_16_20 + exception(error(instantiation_error, _)).
s8_16_20 :- sub_atom(_,_,_,_,_).
:- test s8_16_21 + exception(error(_, _)).
s8_16_21 :- sub_atom(f(a),_,_,_,_).
:- test s8_16_22 + exception(error(type_error(integer,a), _)).
s8_16_22 :- sub_atom(abc,a,_,_,_).
:- test s8_16_23 + exception(error(type_error(integer,b), _)).
s8_16_23 :- sub_atom(abc,_,b,_,_).
:- test s8_16_24 + exception(error(type_error(integer,c), _)).
s8_16_24 :- sub_atom(abc,_,_,c,_).
:- test s8_16_25 + exception(error(_, _)).
s8_16_25 :- sub_atom(abc,_,_,_,f(a)).
:- test s8_16_26 + exception(error(domain_error(not_less_than_zero,-1), _)).
s8_16_26 :- sub_atom(abc,-1,_,_,_).
:- test s8_16_27 + exception(error(domain_error(not_less_than_zero,-1), _)).
s8_16_27 :- sub_atom(abc,_,-1,_,_).
:- test s8_16_28 + exception(error(domain_error(not_less_than_zero,-1), _)).
s8_16_28 :- sub_atom(abc,_,_,-1,_).
:- test s8_16_29(X) => (X==ab) + not_fails.
s8_16_29(X) :- atom_chars(X,[a,b]).
:- test s8_16_30(L) => (L==[a,b]) + not_fails.
s8_16_30(L) :- atom_chars(ab,L).
:- test s8_16_31(L) => (L==['[',']']) + not_fails.
s8_16_31(L) :- atom_chars([],L).
:- test s8_16_32(X) => (X=='12') + not_fails.
s8_16_32(X) :- atom_chars(X,['1','2']).
:- test s8_16_33 + exception(error(instantiation_error, _)).
s8_16_33 :- atom_chars(_,_).
:- test s8_16_34 + exception(error(instantiation_error, _)).
s8_16_34 :- atom_chars(_,[a|_]).
:- test s8_16_35 + exception(error(instantiation_error, _)).
s8_16_35 :- atom_chars(_,[a,_]).
:- test s8_16_36 + exception(error(type_error(list,[a|b]), _)).
s8_16_36 :- atom_chars(_,[a|b]).
:- test s8_16_37 + exception(error(type_error(character,f(b)), _)).
s8_16_37 :- atom_chars(_,[a,f(b)]).
:- test s8_16_38 + exception(error(type_error(character,bc), _)).
s8_16_38 :- atom_chars(_,[a,bc]).
:- test s8_16_39 + exception(error(_, _)).
s8_16_39 :- atom_chars(f(a),_).
:- test s8_16_40(X) => (X==a) + not_fails.
s8_16_40(X) :- atom_chars(abc,[X|_]).
:- test s8_16_41(X) => (X==ab) + not_fails.
s8_16_41(X) :- atom_codes(X,"ab").
:- test s8_16_42(L) => (L==[97,98]) + not_fails.
s8_16_42(L) :- atom_codes(ab,L).
:- test s8_16_43 + exception(error(instantiation_error, _)).
s8_16_43 :- atom_codes(_,_).
:- test s8_16_44 + exception(error(instantiation_error, _)).
s8_16_44 :- atom_codes(_,[0'a|_]).
:- test s8_16_45 + exception(error(type_error(list,[97|b]), _)).
s8_16_45 :- atom_codes(_,[0'a|b]).
:- test s8_16_46 + exception(error(representation_error(character_code), _)).
s8_16_46 :- atom_codes(_,[-1]).
:- test s8_16_47 + exception(error(_, _)).
s8_16_47 :- atom_codes(_,[f(a)]).
:- test s8_16_48(X) => (X==a) + not_fails.
s8_16_48(X) :- char_code(X,97).
:- test s8_16_49(X) => (X==97) + not_fails.
s8_16_49(X) :- char_code(a,X).
:- test s8_16_50 + exception(error(instantiation_error, _)).
s8_16_50 :- char_code(_,_).
:- test s8_16_51 + exception(error(type_error(character,ab), _)).
s8_16_51 :- char_code(ab,_).
:- test s8_16_52 + exception(error(type_error(character,1), _)).
s8_16_52 :- char_code(1,_).
:- test s8_16_53 + exception(error(type_error(integer,a), _)).
s8_16_53 :- char_code(_,a).
:- test s8_16_54 + exception(error(representation_error(character_code), _)).
s8_16_54 :- char_code(_,-1).
:- test s8_16_55(X) => (X==12) + not_fails.
s8_16_55(X) :- number_chars(X,['1','2']).
:- test s8_16_56(X) => (X==1) + not_fails.
s8_16_56(X) :- number_chars(X,[' ','1']).
:- test s8_16_57(X) => (X== -1) + not_fails.
s8_16_57(X) :- number_chars(X,['\n',' ','-','1']).
:- test s8_16_58(X) => (X==97) + not_fails.
s8_16_58(X) :- number_chars(X,['0','''',a]).
:- test s8_16_59(X) => (X==15) + not_fails.
s8_16_59(X) :- number_chars(X,['0',x,f]).
:- test s8_16_60(X) => (X==15.0) + not_fails.
s8_16_60(X) :- number_chars(X,['1','.','5',e,'1']).
:- test s8_16_61 + exception(error(syntax_error(_), _)).
s8_16_61 :- number_chars(_,['1',' ']).
:- test s8_16_62 + exception(error(syntax_error(_), _)).
s8_16_62 :- number_chars(_,['3',x]).
:- test s8_16_63 + exception(error(syntax_error(_), _)).
s8_16_63 :- number_chars(_,[]).
:- test s8_16_64 + exception(error(syntax_error(_), _)).
s8_16_64 :- number_chars(_,['1',e]).
:- test s8_16_65 + exception(error(syntax_error(_), _)).
s8_16_65 :- number_chars(_,['1','.']).
:- test s8_16_66 + exception(error(instantiation_error, _)).
s8_16_66 :- number_chars(_,_).
:- test s8_16_67 + exception(error(instantiation_error, _)).
s8_16_67 :- number_chars(_,['1'|_]).
:- test s8_16_68 + exception(error(instantiation_error, _)).
s8_16_68 :- number_chars(_,['1',_]).
:- test s8_16_69 + exception(error(type_error(list,['1'|a]), _)).
s8_16_69 :- number_chars(_,['1'|a]).
:- test s8_16_70 + exception(error(type_error(character,f(a)), _)).
s8_16_70 :- number_chars(_,['1',f(a)]).
:- test s8_16_71 + exception(error(type_error(number,a), _)).
s8_16_71 :- number_chars(a,_).
:- test s8_16_72(X) => (X==['2']) + not_fails.
s8_16_72(X) :- number_chars(12,['1'|X]).
:- test s8_16_73 + not_fails.
s8_16_73 :- number_chars(1,[' ','1']).
:- test s8_16_74(X) => (X==5) + not_fails.
s8_16_74(X) :- number_codes(X,"0b101").
:- test s8_16_75(X) => (X==15) + not_fails.
s8_16_75(X) :- number_codes(X,"0o17").
:- test s8_16_76(X) => (X== -12) + not_fails.
s8_16_76(X) :- number_codes(X,"-12").
:- test s8_16_77(X) => (X==1000.0) + not_fails.
s8_16_77(X) :- number_codes(X,"1.0e3").
:- test s8_16_78 + exception(error(syntax_error(_), _)).
s8_16_78 :- number_codes(_,"foo").
:- test s8_16_79 + exception(error(instantiation_error, _)).
s8_16_79 :- number_codes(_,_).
:- test s8_16_80 + exception(error(type_error(number,a), _)).
s8_16_80 :- number_codes(a,_).
:- test s8_16_81 + exception(error(instantiation_error, _)).
s8_16_81 :- number_codes(_,[0'1|_]).
:- test s8_16_82 + exception(error(type_error(list,[49|a]), _)).
s8_16_82 :- number_codes(_,[0'1|a]).

% 8.17, 7.11
:- test s8_17_1 + exception(error(instantiation_error, _)).
s8_17_1 :- set_prolog_flag(_,a).
:- test s8_17_2 + exception(error(instantiation_error, _)).
s8_17_2 :- set_prolog_flag(unknown,_).
:- test s8_17_3 + exception(error(type_error(atom,1), _)).
s8_17_3 :- set_prolog_flag(1,a).
:- test s8_17_4 + exception(error(domain_error(prolog_flag,no_such_flag_here), _)).
s8_17_4 :- set_prolog_flag(no_such_flag_here,a).
:- test s8_17_5 + exception(error(domain_error(flag_value,debug+maybe), _)).
s8_17_5 :- set_prolog_flag(debug,maybe).
:- test s8_17_6 + exception(error(domain_error(flag_value,unknown+what), _)).
s8_17_6 :- set_prolog_flag(unknown,what).
:- test s8_17_7 + exception(error(domain_error(flag_value,double_quotes+what), _)).
s8_17_7 :- set_prolog_flag(double_quotes,what).
:- test s8_17_8 + exception(error(permission_error(modify,flag,bounded), _)).
s8_17_8 :- set_prolog_flag(bounded,true).
:- test s8_17_9 + exception(error(permission_error(modify,flag,max_arity), _)).
s8_17_9 :- set_prolog_flag(max_arity,40).
:- test s8_17_10 + exception(error(permission_error(modify,flag,integer_rounding_function), _)).
s8_17_10 :- set_prolog_flag(integer_rounding_function,down).
:- test s8_17_11 + exception(error(type_error(atom,1), _)).
s8_17_11 :- current_prolog_flag(1,_).
:- test s8_17_12 + exception(error(domain_error(prolog_flag,no_such_flag_here), _)).
s8_17_12 :- current_prolog_flag(no_such_flag_here,_).
:- test s8_17_13(X) => ((X==true;X==false)) + not_fails.
s8_17_13(X) :- current_prolog_flag(bounded,X).
:- test s8_17_14(X) => (X==toward_zero) + not_fails.
s8_17_14(X) :- current_prolog_flag(integer_rounding_function,X).
:- test s8_17_15(X) => (atom(X)) + not_fails.
s8_17_15(X) :- current_prolog_flag(double_quotes,X).
:- test s8_17_16(X) => ((X==on;X==off)) + not_fails.
s8_17_16(X) :- current_prolog_flag(debug,X).
:- test s8_17_17 + exception(error(instantiation_error, _)).
s8_17_17 :- halt(_).
:- test s8_17_18 + exception(error(type_error(integer,a), _)).
s8_17_18 :- halt(a).
:- test s8_17_19 + exception(error(type_error(integer,1.0), _)).
s8_17_19 :- halt(1.0).

% 6 syntax
:- test s6_1(T) => (T=(_='a''b')) + not_fails.
s6_1(T) :- rd('X = ''a''''b''.',T).
:- test s6_2(T) => (T== -1) + not_fails.
s6_2(T) :- rd('- 1.',T).
:- test s6_3(T) => (integer(T)) + not_fails.
s6_3(T) :- rd('-1.',T).
:- test s6_4(T) => (compound(T)) + not_fails.
s6_4(T) :- rd('- (1).',T).
:- test s6_5(T) => (compound(T)) + not_fails.
s6_5(T) :- rd('-(1).',T).
:- test s6_6(T) => (T== -(a)) + not_fails.
s6_6(T) :- rd('-a.',T).
:- test s6_7(T) => (T== -(-1)) + not_fails.
s6_7(T) :- rd('- -1.',T).
:- test s6_8(T) => (T==1-(-1)) + not_fails.
s6_8(T) :- rd('1 - -1.',T).
:- test s6_9(T) => (T==a-(-(-b))) + not_fails.
s6_9(T) :- rd('a- - -b.',T).
:- test s6_10 + exception(error(syntax_error(_), _)).
s6_10 :- rd('[a|b,c].',_).
:- test s6_11 + exception(error(syntax_error(_), _)).
s6_11 :- rd('[a,b|].',_).
:- test s6_12(T) => (T=='{}'((a,b))) + not_fails.
s6_12(T) :- rd('{a,b}.',T).
:- test s6_13(T) => (T=={}) + not_fails.
s6_13(T) :- rd('{}.',T).
:- test s6_14 + exception(error(syntax_error(_), _)).
s6_14 :- rd('f(,).',_).
:- test s6_15 + exception(error(syntax_error(_), _)).
s6_15 :- rd('f(a,).',_).
:- test s6_16(T) => (T==f((a:-b))) + not_fails.
s6_16(T) :- rd('f((a:-b)).',T).
:- test s6_17(T) => (T==97) + not_fails.
s6_17(T) :- rd('0''a.',T).
:- test s6_18(T) => (T==39) + not_fails.
s6_18(T) :- rd('0''''''.',T).
:- test s6_19(T) => (T==31+3+15) + not_fails.
s6_19(T) :- rd('0x1F + 0b11 + 0o17.',T).
:- test s6_20(T) => (T==1.0e10) + not_fails.
s6_20(T) :- rd('1.0e10.',T).
:- test s6_21 + exception(error(syntax_error(_), _)).
s6_21 :- rd('1.e5.',_).
:- test s6_22(T) => (T==a) + not_fails.
s6_22(T) :- rd('/* c */ a % d\n.',T).
:- test s6_23 + exception(error(syntax_error(_), _)).
s6_23 :- rd('f /**/ (a).',_).
:- test s6_24(T) => (T==f(a)) + not_fails.
s6_24(T) :- rd('f(a)/* c */.',T).
:- test s6_25(T) => (T==[97,98]) + not_fails.
s6_25(T) :- rd('"ab".',T).
:- test s6_26(T) => (T==[97,34,98]) + not_fails.
s6_26(T) :- rd('"a""b".',T).
:- test s6_27(T) => (T== \(a)) + not_fails.
s6_27(T) :- rd('\\ a.',T).
:- test s6_28(T) => (T==a:(b:c)) + not_fails.
s6_28(T) :- rd('a:b:c.',T).
:- test s6_29 + exception(error(syntax_error(_), _)).
s6_29 :- rd('a=b=c.',_).
:- test s6_30(T) => (T==(1-2)-3) + not_fails.
s6_30(T) :- rd('1-2-3.',T).
:- test s6_31(T) => (T==2^(3^4)) + not_fails.
s6_31(T) :- rd('2^3^4.',T).
:- test s6_32 + exception(error(syntax_error(_), _)).
s6_32 :- rd('2**3**4.',_).
:- test s6_33(T) => (T==(-2)^2) + not_fails.
s6_33(T) :- rd('- 2^2.',T).
:- test s6_34(T) => (T==(-2)^2) + not_fails.
s6_34(T) :- rd('-2^2.',T).
:- test s6_35(T) => (T==(\+a,b)) + not_fails.
s6_35(T) :- rd('\\+a,b.',T).
:- test s6_36(T) => (T==(:-a)) + not_fails.
s6_36(T) :- rd(':- a.',T).
:- test s6_37 + exception(error(syntax_error(_), _)).
s6_37 :- rd('a:-b:-c.',_).
:- test s6_38(T) => (T==((a,b);(c->d))) + not_fails.
s6_38(T) :- (rd('(a,b;c->d).',T)).
:- test s6_39(T) => (T==(a;b);T=='|'(a,b)) + not_fails.
s6_39(T) :- rd('a|b.',T).
:- test s6_40(T) => (T==[(a,b)]) + not_fails.
s6_40(T) :- rd('[(a,b)].',T).
:- test s6_41(T) => (T==f((;),'|',[])) + not_fails.
s6_41(T) :- rd('f(;,''|'',[]).',T).
:- test s6_42(T) => (T==1+2) + not_fails.
s6_42(T) :- rd('+(1,2).',T).
:- test s6_43(T) => (T==[-]) + not_fails.
s6_43(T) :- rd('[-].',T).
:- test s6_44(T) => (T==[-,+]) + not_fails.
s6_44(T) :- rd('[- , +].',T).
:- test s6_45(T) => (T== \(-)) + not_fails.
s6_45(T) :- rd('\\ (-).',T).
:- test s6_46(T) => ((T=A+B+C,A==C,A\==B)) + not_fails.
s6_46(T) :- rd('X + Y + X.',T).
:- test s6_47(T) => ((T=A+B,A\==B)) + not_fails.
s6_47(T) :- rd('_ + _.',T).
:- test s6_48(T) => (atom_codes(T,[10,9,65,92])) + not_fails.
s6_48(T) :- rd('''\\n\\t\\x41\\\\\\''.',T).
:- test s6_49 + exception(error(syntax_error(_), _)).
s6_49 :- rd('''\\q''.',_).
:- test s6_50(T) => (T==(p:-(q,!,r))) + not_fails.
s6_50(T) :- rd('p :- q, !, r.',T).
:- test s6_51 + exception(error(syntax_error(_), _)).
s6_51 :- rd('a b.',_).
:- test s6_52 + exception(error(syntax_error(_), _)).
s6_52 :- rd('(a.',_).
:- test s6_53 + exception(error(syntax_error(_), _)).
s6_53 :- rd('a).',_).
:- test s6_54(T) => ((T=(f(A,B)=g),A\==B)) + not_fails.
s6_54(T) :- rd('f(A,B) = g.',T).
:- test s6_55(A) => ((A=='- (1)';A=='-(1)')) + not_fails.
s6_55(A) :- wr(writeq,-(1),A).
:- test s6_56(A) => ((A=='- -1';A=='-(-1)')) + not_fails.
s6_56(A) :- wr(writeq,-(-1),A).
:- test s6_57(A) => (A=='1- -1') + not_fails.
s6_57(A) :- wr(writeq,1-(-1),A).
:- test s6_58(A) => (A=='-a') + not_fails.
s6_58(A) :- wr(writeq,-(a),A).
:- test s6_59(A) => (A=='\\ \\a') + not_fails.
s6_59(A) :- wr(writeq,\(\(a)),A).
:- test s6_60(A) => (A=='[a,''B''|c]') + not_fails.
s6_60(A) :- wr(writeq,[a,'B'|c],A).
:- test s6_61(A) => (A=='''hello world''') + not_fails.
s6_61(A) :- wr(writeq,'hello world',A).
:- test s6_62(A) => (A=='''''') + not_fails.
s6_62(A) :- wr(writeq,'',A).
:- test s6_63(A) => (A=='[]') + not_fails.
s6_63(A) :- wr(writeq,[],A).
:- test s6_64(A) => (A=='{}') + not_fails.
s6_64(A) :- wr(writeq,{},A).
:- test s6_65(A) => (A=='{a,b}') + not_fails.
s6_65(A) :- wr(writeq,{a,b},A).
:- test s6_66(A) => (A=='a:-b,c;d->e') + not_fails.
s6_66(A) :- (wr(writeq,(a:-b,c;d->e),A)).
:- test s6_67(A) => (A=='f((a,b))') + not_fails.
s6_67(A) :- wr(writeq,f((a,b)),A).
:- test s6_68(A) => (A=='f(:-)') + not_fails.
s6_68(A) :- wr(writeq,f((:-)),A).
:- test s6_69(A) => (A=='[:-|:-]') + not_fails.
s6_69(A) :- wr(writeq,[(:-)|(:-)],A).
:- test s6_70(A) => (A=='1.0') + not_fails.
s6_70(A) :- wr(writeq,1.0,A).
:- test s6_71(A) => (A=='1-2-3') + not_fails.
s6_71(A) :- wr(writeq,(1-2)-3,A).
:- test s6_72(A) => (A=='1-(2-3)') + not_fails.
s6_72(A) :- wr(writeq,1-(2-3),A).
:- test s6_73(A) => (A=='2** -1') + not_fails.
s6_73(A) :- wr(writeq,2**(-1),A).
:- test s6_74(A) => (A=='(a=b)=c') + not_fails.
s6_74(A) :- wr(writeq,(a=b)=c,A).
:- test s6_75(A) => (A=='''\\n''') + not_fails.
s6_75(A) :- wr(writeq,'\n',A).
:- test s6_76(A) => (A=='''a\\\\b''') + not_fails.
s6_76(A) :- wr(writeq,'a\\b',A).
:- test s6_77(A) => (atom_length(A,4)) + not_fails.
s6_77(A) :- wr(writeq,'''',A).
:- test s6_78(A) => (A=='hello world') + not_fails.
s6_78(A) :- wr(write,'hello world',A).
:- test s6_79(A) => (A=='B') + not_fails.
s6_79(A) :- wr(write,'$VAR'(1),A).
:- test s6_80(A) => (A=='B1') + not_fails.
s6_80(A) :- wr(writeq,'$VAR'(27),A).
:- test s6_81(A) => (A=='''$VAR''(1)') + not_fails.
s6_81(A) :- wr(write_canonical,'$VAR'(1),A).
:- test s6_82(A) => (A==':-(a,b)') + not_fails.
s6_82(A) :- wr(print_,(a:-b),A).
