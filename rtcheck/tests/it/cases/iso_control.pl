% Assertions of ISO conformity in Ciao's notation that say the most of a call: what holds in front of it and behind it, what
% it throws, writes, how many answers it has and in which state it leaves the arguments. What each gives is what the
% standard says (sections 7.8, 8.2 to 8.17 and 9).
:- module(_, _, [assertions, nativeprops, regtypes, unittestdecls]).
:- set_prolog_flag(double_quotes, codes).
% 7.8
:- test c1(X) => (X == [1,2]) + (not_fails, is_det).
c1(X) :- findall(Y, (member_(Y,[1,2,3]), (Y >= 3 -> fail ; true)), X).
:- test c2(L) => (L == [a]) + not_fails.
c2(L) :- findall(X, call((member_(X,[a,b]), !)), L).
:- test c3(L) => (L == [a-1,b-1]) + not_fails.
c3(L) :- findall(X-Y, (member_(X,[a,b]), call((member_(Y,[1,2]), !))), L).
:- test c4(L) => (L == [1]) + not_fails.
c4(L) :- findall(X, ((X = 1 ; X = 2), !), L0), L = L0.
:- test c5(E) => (E == type_error(callable,(fail,1))) + not_fails.
c5(E) :- catch(call((fail,1)), error(E,_), true).
:- test c7(X) => (X == caught(2)) + not_fails.
c7(X) :- catch((member_(Y,[1,2,3]), Y > 1, throw(my(Y))), my(Z), X = caught(Z)).
:- test c8(X) => (X == outer) + not_fails.
c8(X) :- catch(catch(throw(a), b, X = inner), a, X = outer).
:- test c9(X) => (X == rethrown(second)) + not_fails.
c9(X) :- catch(catch(throw(first), first, throw(second)), E, X = rethrown(E)).
:- test c10 + exception(error(instantiation_error,_)).
c10 :- throw(_).
:- test c11(X) : (X = 0) + exception(error(type_error(callable,0),_)).
c11(X) :- call(X).
:- test c12 + fails.
c12 :- \+ \+ fail.
:- test c13(X) => var(X) + not_fails.
c13(X) :- \+ \+ X = 1.
:- test c14(X,Y) => (X == 1, var(Y)) + not_fails.
c14(X,Y) :- ( X = 1, \+ Y = 2 ; X = 1 ), !.
:- test c15(L) => (L == [1,3]) + not_fails.
c15(L) :- findall(X, ( X = 1 ; fail, X = 2 ; X = 3 ), L).
:- test c16(L) => (L == [t(1,x),t(1,y)]) + not_fails.
c16(L) :- findall(t(A,B), ( once(member_(A,[1,2])), member_(B,[x,y]) ), L).
% 8.2, 8.3, 8.4
:- test t1(X,Y) => (X == Y) + not_fails.
t1(X,Y) :- f(X,1) = f(a,Z), f(Y,Z) = f(a,1).
:- test t2 + fails.
t2 :- unify_with_occurs_check(f(X,Y,X), f(a(X),a(Y),Y)).
:- test t3(L) => (L == [<,>,=,<,<,<]) + not_fails.
t3(L) :- compare(A,1.0,1), compare(B,f(a),b), compare(C,"",[]), compare(D,f(z),g(a)), compare(E,z(a),a(a,b)), compare(F,_,1), L = [A,B,C,D,E,F].
:- test t4(X) => (X == [1,2,3]) + not_fails.
t4(X) :- sort([3,1,2,1,3], X).
:- test t5(X) => (X == [1-a,1-b,2-c]) + not_fails.
t5(X) :- keysort([2-c,1-a,1-b], X).
:- test t6(E) => (E == type_error(list,[a|b])) + not_fails.
t6(E) :- catch(sort([a|b], _), error(E,_), true).
:- test t7(E) => (E == type_error(pair,a)) + not_fails.
t7(E) :- catch(keysort([a], _), error(E,_), true).
% 8.5
:- test u1(E) => (E == type_error(atomic,foo(a))) + not_fails.
u1(E) :- catch(functor(_, foo(a), 1), error(E,_), true).
:- test u2(E) => (E == type_error(atom,1.5)) + not_fails.
u2(E) :- catch(functor(_, 1.5, 1), error(E,_), true).
:- test u3(E) => (E == domain_error(not_less_than_zero,-1)) + not_fails.
u3(E) :- catch(functor(_, foo, -1), error(E,_), true).
:- test u4(X,L) => (X = f(A,B,C), A == C, L == [A,B]) + not_fails.
u4(X,L) :- copy_term(f(P,_,P), X), term_variables(X, L).
:- test u5(E) => (E == type_error(compound,3)) + not_fails.
u5(E) :- catch(arg(1, 3, _), error(E,_), true).
:- test u6(E) => (E == domain_error(non_empty_list,[])) + not_fails.
u6(E) :- catch(_ =.. [], error(E,_), true).
:- test u7(A,B,L) => (L == [A,B]) + not_fails.
u7(A,B,L) :- term_variables(f(A,g(B),[A|B]), L).
:- test u8 + not_fails.
u8 :- subsumes_term(f(_,b), f(a,b)), \+ subsumes_term(f(a,_), f(_,b)), \+ subsumes_term(f(X,X), f(a,b)).
% 8.6, 9
:- test a1(L) => (L == [-2,-1,1,-3,2,-2]) + not_fails.
a1(L) :- A is -7 // 4 - 1, B is -7 rem 2, C is -7 mod 2, D is -5 >> 1, E is truncate(2.7), F is ceiling(-2.5), L = [A,B,C,D,E,F].
:- test a2(E) => (E == type_error(evaluable,foo/0)) + not_fails.
a2(E) :- catch(_ is foo + 1, error(E,_), true).
:- test a3(E) => (E == type_error(integer,1.0)) + not_fails.
a3(E) :- catch(_ is 1.0 mod 2, error(E,_), true).
:- test a4(E) => (E == evaluation_error(zero_divisor)) + not_fails.
a4(E) :- catch(_ is 1 rem 0, error(E,_), true).
:- test a5(E) => (E == evaluation_error(undefined)) + not_fails.
a5(E) :- catch(_ is sqrt(-1), error(E,_), true).
:- test a6(E) => (E == evaluation_error(undefined)) + not_fails.
a6(E) :- catch(_ is log(0), error(E,_), true).
:- test a7(X) => (X == 8) + not_fails.
a7(X) :- X is 2 ^ 3.
:- test a8(X) => (X == 8.0) + not_fails.
a8(X) :- X is 2 ** 3.0.
:- test a9(E) => (E == type_error(float,2)) + not_fails.
a9(E) :- catch(_ is 2 ^ (-1), error(E,_), true).
:- test a10(L) => (L == [1,-1,0,3,2.0]) + not_fails.
a10(L) :- A is sign(4), B is sign(-4), C is min(0,1), D is max(3,2), E is abs(-2.0), L = [A,B,C,D,E].
:- test a11(L) => (L == [5,1,7,-2,4]) + not_fails.
a11(L) :- A is 5 /\ 7, B is xor(4,5), C is 5 \/ 2, D is \ 1, E is 1 << 2, L = [A,B,C,D,E].
:- test a12 + not_fails.
a12 :- X is atan2(1.0, 1.0), Y is pi / 4, X =:= Y, Z is acos(1.0), Z =:= 0.0.
:- test a13(E) => (E == evaluation_error(undefined)) + not_fails.
a13(E) :- catch(_ is atan2(0.0, 0.0), error(E,_), true).
% 8.8 to 8.10
:- dynamic(fact/1).
:- test d1(L) : true => (L == [1,2,3]) + not_fails.
d1(L) :- retractall(fact(_)), assertz(fact(1)), assertz(fact(2)), findall(X, (fact(X), Y is X + 2, (X < 2 -> assertz(fact(Y)) ; true)), L0), findall(X, fact(X), L), L0 == [1,2].
:- test d2(E) => (E == permission_error(modify,static_procedure,(d1)/1)) + not_fails.
d2(E) :- catch(assertz((d1(_) :- true)), error(E,_), true).
:- test d3(E) => (E == type_error(callable,4)) + not_fails.
d3(E) :- catch(assertz((foo :- 4)), error(E,_), true).
:- test d4(E) => (E == permission_error(access,private_procedure,atom/1)) + not_fails.
d4(E) :- catch(clause(atom(_), _), error(E,_), true).
:- test d5(E) => (E == permission_error(modify,static_procedure,abolish/1)) + not_fails.
d5(E) :- catch(abolish(abolish/1), error(E,_), true).
:- test d6(L) => (L == [b-[1,2],c-[3]]) + not_fails.
d6(L) :- findall(K-Vs, bagof(V, member_(K-V,[b-1,c-3,b-2]), Vs), L).
:- test d7(L) => (L == [[1,2,3]]) + not_fails.
d7(L) :- findall(Vs, setof(V, K^member_(K-V,[b-1,c-3,b-2,c-1]), Vs), L).
:- test d8(E) => (E == instantiation_error) + not_fails.
d8(E) :- catch(bagof(_, _, _), error(E,_), true).
:- test d9(E) => (E == type_error(list,[a|b])) + not_fails.
d9(E) :- catch(findall(X, X = 1, [a|b]), error(E,_), true).
% 8.16
:- test e1(L) => (L == [0-abc,1-bc,2-c,3-'']) + not_fails.
e1(L) :- findall(B-S, sub_atom(abc, B, _, 0, S), L).
:- test e2(L) => (L == [''+ab,a+b,ab+'']) + not_fails.
e2(L) :- findall(A+B, atom_concat(A, B, ab), L).
:- test e3(E) => (E == syntax_error) + not_fails.
e3(E) :- catch(number_codes(_, "3x"), error(E0,_), true), functor(E0, E, _).
:- test e4(X) => (X == 12) + not_fails.
e4(X) :- number_codes(X, " 12").
:- test e5(E) => (E == representation_error(character_code)) + not_fails.
e5(E) :- catch(atom_codes(_, [-1]), error(E,_), true).
:- test e6(E) => (E == type_error(character,ab)) + not_fails.
e6(E) :- catch(char_code(ab, _), error(E,_), true).
:- test e7(E) => (E == type_error(integer,a)) + not_fails.
e7(E) :- catch(atom_length(abc, a), error(E,_), true).
% 8.14, 8.17
:- test f3(E) => (E == domain_error(operator_priority,1201)) + not_fails.
f3(E) :- catch(op(1201, xfx, foo), error(E,_), true).
:- test f4(E) => (E == permission_error(modify,operator,',')) + not_fails.
f4(E) :- catch(op(700, xfx, ','), error(E,_), true).
:- test f6(E) => (E == domain_error(flag_value,debug+foo)) + not_fails.
f6(E) :- catch(set_prolog_flag(debug, foo), error(E,_), true).
:- test f7(E) => (E == permission_error(modify,flag,bounded)) + not_fails.
f7(E) :- catch(set_prolog_flag(bounded, true), error(E,_), true).
member_(X, [X|_]).
member_(X, [_|Xs]) :- member_(X, Xs).

% What else such an assertion says.
:- test g1(X) : member_(X, [1,2]) => (X == 1 ; X == 2) + (not_fails, is_det).
g1(X) :- integer(X), !.
:- test g2(X) => atm(X) + (solutions([g2(a),g2(b)]), num_solutions(2)).
g2(X) :- member_(X, [a,b]).
:- test g3(X) + (non_det, not_fails).
g3(X) :- member_(X, [1,2]).
:- test g4(X) : (X = f(_)) => ground(X) + not_fails.
g4(f(X)) :- ( X = 1 ; X = 2 ), !.
:- test g5(X,Y) : (X = a, Y = b) + fails.
g5(X,X).
:- test g6 + (user_output("a b"), not_fails).
g6 :- put_char(a), put_char(' '), write(b).
:- test g7(S) + exception(error(existence_error(stream, _), _)).
g7(S) :- open('g.tmp', write, S0), close(S0), S = S0, put_char(S, a).
:- test g8(X) : (X = "abc") => (X == [0'a,0'b,0'c]) + not_fails.
g8(X) :- atom_codes(A, X), atom_length(A, 3).
:- test g9(X) + (times(3), not_fails).
g9(X) :- retractall(fact(_)), assertz(fact(1)), retract(fact(X)), \+ fact(_).
