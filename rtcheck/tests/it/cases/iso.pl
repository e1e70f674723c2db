% Tests of the standard by clause, in the notation of Ciao's unit tests. The goals are the standard's own examples and
% their like; the number is the clause's.
%
% rtcheck test iso.pl
:- module(_, _, [assertions, nativeprops, unittestdecls, iso_strict]).

:- dynamic(cat/0).
:- dynamic(dog/0).
:- dynamic(elk/1).
:- dynamic(legs/2).
:- dynamic(insect/1).
:- dynamic(legs_a/2).
:- dynamic(legs_z/2).
:- dynamic(newp/1).
:- dynamic(gone/1).
:- dynamic(foo/0).

cat.
dog :- true.
elk(X) :- moose(X).
legs(A, 6) :- insect(A).
legs(A, 7) :- A, call(A).
insect(ant).
insect(bee).

moose(_).

member_of(X, [X|_]).
member_of(X, [_|Xs]) :- member_of(X, Xs).

twice(!) :- write('C ').
twice(true) :- write('Moss ').

goal((twice(_), !)).
goal(write('Three ')).

twice_or_forest('C ').
twice_or_forest(forwards).

foo_throws(X) :- Y is X * 2, throw(test(Y)).

is_list_of_standard :- [a, b] = [X|Y], X == a, Y == [b].
print_is_no_test.

% 7.8.1 true
:- test t001 + not_fails # "[ISO 7.8.1]".
t001 :- true.

% 7.8.2 fail
:- test t002 + fails # "[ISO 7.8.2]".
t002 :- fail.

% 7.8.3 call
:- test t003 + not_fails # "[ISO 7.8.3]".
t003 :- call(!).
:- test t004 + fails # "[ISO 7.8.3]".
t004 :- call(fail).
:- test t005(X) + fails # "[ISO 7.8.3]".
t005(X) :- call((fail, X)).
:- test t006 + fails # "[ISO 7.8.3]".
t006 :- call((fail, call(1))).
:- test t007(X) => (X == 2) + not_fails # "[ISO 7.8.3]".
t007(X) :- call((X = 1 ; X = 2)), X == 2.
:- test t008(X) + exception(error(instantiation_error, _)) # "[ISO 7.8.3]".
t008(X) :- call((write(3), X)).
:- test t009 + exception(error(type_error(callable, 1), _)) # "[ISO 7.8.3]".
t009 :- call((write(3), call(1))).
:- test t010(X) + exception(error(instantiation_error, _)) # "[ISO 7.8.3]".
t010(X) :- call(X).
:- test t011 + exception(error(type_error(callable, 1), _)) # "[ISO 7.8.3]".
t011 :- call(1).
:- test t012 + exception(error(type_error(callable, (fail, 1)), _)) # "[ISO 7.8.3]".
t012 :- call((fail, 1)).
:- test t013 + exception(error(type_error(callable, (write(3), 1)), _)) # "[ISO 7.8.3]".
t013 :- call((write(3), 1)).
:- test t014 + exception(error(type_error(callable, (1 ; true)), _)) # "[ISO 7.8.3]".
t014 :- call((1 ; true)).
:- test t015(X, Z, L) => (L == [1, 2]) + not_fails # "[ISO 7.8.3]".
t015(X, Z, L) :- findall(X, (Z = !, member_of(X, [1, 2]), call(Z)), L).

% 7.8.4 the cut
:- test t016 + not_fails # "[ISO 7.8.4]".
t016 :- ( ! ; fail ; true ).
:- test t017 + not_fails # "[ISO 7.8.4]".
t017 :- ( call(!), fail ; true ).
:- test t018(A, L) => (L == ['C ', forwards]) + not_fails # "[ISO 7.8.4]".
t018(A, L) :- findall(A, twice_or_forest(A), L).
:- test t019(A, L) => (L == [a, a]) + not_fails # "[ISO 7.8.4]".
t019(A, L) :- findall(A, ( ( true ; true ), once(member_of(A, [a, b])) ), L).

% 7.8.5 conjunction
:- test t020(X) + fails # "[ISO 7.8.5]".
t020(X) :- X = 1, var(X).
:- test t021(X) => (X == 1) + not_fails # "[ISO 7.8.5]".
t021(X) :- var(X), X = 1.
:- test t022(X) => (X == true) + not_fails # "[ISO 7.8.5]".
t022(X) :- X = true, call(X).

% 7.8.6 disjunction
:- test t023 + not_fails # "[ISO 7.8.6]".
t023 :- ( true ; fail ).
:- test t024 + fails # "[ISO 7.8.6]".
t024 :- ( (!, fail) ; true ).
:- test t025 + not_fails # "[ISO 7.8.6]".
t025 :- ( ! ; call(3) ).
:- test t026(X, L) => (L == [1]) + not_fails # "[ISO 7.8.6]".
t026(X, L) :- findall(X, ( X = 1, ! ; X = 2 ), L).
:- test t027(X) => (X == 1) + not_fails # "[ISO 7.8.6]".
t027(X) :- ( (X = 1 ; X = 2), (true ; !) ).

% 7.8.7 if-then
:- test t028 + not_fails # "[ISO 7.8.7]".
t028 :- ( true -> true ).
:- test t029 + fails # "[ISO 7.8.7]".
t029 :- ( true -> fail ).
:- test t030 + fails # "[ISO 7.8.7]".
t030 :- ( fail -> true ).
:- test t031(X, L) => (L == [1]) + not_fails # "[ISO 7.8.7]".
t031(X, L) :- findall(X, ( true -> X = 1 ; X = 2 ), L).
:- test t032(X, L) => (L == [1]) + not_fails # "[ISO 7.8.7]".
t032(X, L) :- findall(X, ( ( X = 1 ; X = 2 ) -> true ), L).
:- test t033(X, L) => (L == [1, 2]) + not_fails # "[ISO 7.8.7]".
t033(X, L) :- findall(X, ( true -> ( X = 1 ; X = 2 ) ), L).

% 7.8.8 if-then-else
:- test t034 + not_fails # "[ISO 7.8.8]".
t034 :- ( true -> true ; fail ).
:- test t035 + not_fails # "[ISO 7.8.8]".
t035 :- ( fail -> true ; true ).
:- test t036 + fails # "[ISO 7.8.8]".
t036 :- ( true -> fail ; fail ).
:- test t037 + fails # "[ISO 7.8.8]".
t037 :- ( fail -> true ; fail ).
:- test t038(X, L) => (L == [2]) + not_fails # "[ISO 7.8.8]".
t038(X, L) :- findall(X, ( fail -> X = 1 ; X = 2 ), L).
:- test t039 + not_fails # "[ISO 7.8.8]".
t039 :- ( (!, fail ; true) -> true ; true ).

% 7.8.9 catch and throw
:- test t040(Y) => (Y == 10) + not_fails # "[ISO 7.8.9]".
t040(Y) :- catch(foo_throws(5), test(Y), true).
:- test t041(X, S) + fails # "[ISO 7.8.9]".
t041(X, S) :- catch(number_codes(X, [0'3, 0'a, 0'1]), error(syntax_error(S), _), fail).
:- test t042(X) + not_fails # "[ISO 7.8.9]".
t042(X) :- catch((X = 1, throw(a)), a, true), var(X).
:- test t043 + exception(really) # "[ISO 7.8.9]".
t043 :- catch(true, _, throw(oops)), throw(really).
:- test t044(X) => (X == 1) + not_fails # "[ISO 7.8.9]".
t044(X) :- catch(throw(exit(1)), exit(X), true).
:- test t045(X) + exception(error(instantiation_error, _)) # "[ISO 7.8.9]".
t045(X) :- throw(X).
:- test t046 + exception(my_ball) # "[ISO 7.8.9]".
t046 :- throw(my_ball).
:- test t047(X, Y, Z) + not_fails # "[ISO 7.8.9]".
t047(X, Y, Z) :- catch(throw(f(X, X)), f(Y, Z), true), Y == Z.

% 8.2.1 unification
:- test t048 + not_fails # "[ISO 8.2.1]".
t048 :- '='(1, 1).
:- test t049(X) => (X == 1) + not_fails # "[ISO 8.2.1]".
t049(X) :- '='(X, 1).
:- test t050(X, Y) => (X == Y) + not_fails # "[ISO 8.2.1]".
t050(X, Y) :- '='(X, Y).
:- test t051(X, Y) => ((X == abc, Y == abc)) + not_fails # "[ISO 8.2.1]".
t051(X, Y) :- X = Y, X = abc.
:- test t052(X, Y) => ((X == def, Y == def)) + not_fails # "[ISO 8.2.1]".
t052(X, Y) :- f(X, def) = f(def, Y).
:- test t053 + fails # "[ISO 8.2.1]".
t053 :- 1 = 2.
:- test t054 + fails # "[ISO 8.2.1]".
t054 :- 1 = 1.0.
:- test t055(X) + fails # "[ISO 8.2.1]".
t055(X) :- g(X) = f(f(X)).
:- test t056(X) + fails # "[ISO 8.2.1]".
t056(X) :- f(X, 1) = f(a(X)).

% 8.2.2 unify_with_occurs_check/2
:- test t057 + not_fails # "[ISO 8.2.2]".
t057 :- unify_with_occurs_check(1, 1).
:- test t058(X) + fails # "[ISO 8.2.2]".
t058(X) :- unify_with_occurs_check(X, a(X)).
:- test t059(X) + fails # "[ISO 8.2.2]".
t059(X) :- unify_with_occurs_check(f(X, 1), f(a(X), 2)).
:- test t060(A, B) + fails # "[ISO 8.2.2]".
t060(A, B) :- unify_with_occurs_check(f(A, B, 1), f(a(B), a(A), 2)).

% 8.2.3 not unifiable
:- test t061 + fails # "[ISO 8.2.3]".
t061 :- 1 \= 1.
:- test t062(X) + fails # "[ISO 8.2.3]".
t062(X) :- X \= 1.
:- test t063(X) + not_fails # "[ISO 8.2.3]".
t063(X) :- f(X, 1) \= f(a(X)).
:- test t064 + not_fails # "[ISO 8.2.3]".
t064 :- 1 \= 1.0.

% 8.2.4 subsumes_term/2
:- test t065 + not_fails # "[ISO 8.2.4]".
t065 :- subsumes_term(a, a).
:- test t066(X, Y, Z) + not_fails # "[ISO 8.2.4]".
t066(X, Y, Z) :- subsumes_term(f(X, Y), f(Z, Z)).
:- test t067(Z, X, Y) + fails # "[ISO 8.2.4]".
t067(Z, X, Y) :- subsumes_term(f(Z, Z), f(X, Y)).
:- test t068(X) + fails # "[ISO 8.2.4]".
t068(X) :- subsumes_term(g(X), g(f(X))).
:- test t069(X) + fails # "[ISO 8.2.4]".
t069(X) :- subsumes_term(X, f(X)).
:- test t070(X, Y) + not_fails # "[ISO 8.2.4]".
t070(X, Y) :- subsumes_term(X, Y), subsumes_term(Y, f(X)).

% 8.3 type testing
:- test t071 + fails # "[ISO 8.3]".
t071 :- var(foo).
:- test t072(X) + not_fails # "[ISO 8.3]".
t072(X) :- var(X).
:- test t073(X) + fails # "[ISO 8.3]".
t073(X) :- foo = X, var(X).
:- test t074 + not_fails # "[ISO 8.3]".
t074 :- atom([]).
:- test t075 + fails # "[ISO 8.3]".
t075 :- atom(a(b)).
:- test t076 + fails # "[ISO 8.3]".
t076 :- atom(3).
:- test t077 + fails # "[ISO 8.3]".
t077 :- integer(3.3).
:- test t078 + not_fails # "[ISO 8.3]".
t078 :- integer(-3).
:- test t079 + not_fails # "[ISO 8.3]".
t079 :- float(3.3).
:- test t080 + fails # "[ISO 8.3]".
t080 :- float(3).
:- test t081 + not_fails # "[ISO 8.3]".
t081 :- atomic('string').
:- test t082 + fails # "[ISO 8.3]".
t082 :- atomic(a(b)).
:- test t083 + fails # "[ISO 8.3]".
t083 :- compound(- 33).
:- test t084 + not_fails # "[ISO 8.3]".
t084 :- compound(-(1)).
:- test t085 + fails # "[ISO 8.3]".
t085 :- compound([]).
:- test t086 + not_fails # "[ISO 8.3]".
t086 :- compound([a]).
:- test t087(X) + fails # "[ISO 8.3]".
t087(X) :- nonvar(X).
:- test t088 + not_fails # "[ISO 8.3]".
t088 :- number(3.3).
:- test t089 + fails # "[ISO 8.3]".
t089 :- number(a).
:- test t090 + fails # "[ISO 8.3]".
t090 :- callable(3).
:- test t091 + not_fails # "[ISO 8.3]".
t091 :- callable((foo, bar)).
:- test t092(X) + fails # "[ISO 8.3]".
t092(X) :- callable(X).
:- test t093 + fails # "[ISO 8.3]".
t093 :- ground(f(_)).
:- test t094 + not_fails # "[ISO 8.3]".
t094 :- ground(f(a, 1)).
:- test t095 + not_fails # "[ISO 8.3]".
t095 :- is_list_of_standard.

% 8.4 comparison
:- test t096 + not_fails # "[ISO 8.4]".
t096 :- 1.0 @=< 1.
:- test t097 + not_fails # "[ISO 8.4]".
t097 :- aardvark @< zebra.
:- test t098 + fails # "[ISO 8.4]".
t098 :- short @< short.
:- test t099 + not_fails # "[ISO 8.4]".
t099 :- short @=< shorter.
:- test t100 + not_fails # "[ISO 8.4]".
t100 :- foo(b) @> foo(a).
:- test t101(X, Y) + not_fails # "[ISO 8.4]".
t101(X, Y) :- foo(a, X) @< foo(b, Y).
:- test t102(X) + fails # "[ISO 8.4]".
t102(X) :- X @< X.
:- test t103(X) + not_fails # "[ISO 8.4]".
t103(X) :- X == X.
:- test t104(X, Y) + fails # "[ISO 8.4]".
t104(X, Y) :- X == Y.
:- test t105 + not_fails # "[ISO 8.4]".
t105 :- _ \== _.
:- test t106(O) => (O == (<)) + not_fails # "[ISO 8.4]".
t106(O) :- compare(O, 3, 5).
:- test t107(O) => (O == (=)) + not_fails # "[ISO 8.4]".
t107(O) :- compare(O, d, d).
:- test t108(O) => (O == (>)) + not_fails # "[ISO 8.4]".
t108(O) :- compare(O, f(1), a).
:- test t109 + fails # "[ISO 8.4]".
t109 :- compare(<, 5, 3).
:- test t110 + exception(error(domain_error(order, a), _)) # "[ISO 8.4]".
t110 :- compare(a, 1, 1).
:- test t111 + exception(error(domain_error(order, ==), _)) # "[ISO 8.4]".
t111 :- compare(==, 1, 1).
:- test t112 + exception(error(type_error(atom, 1), _)) # "[ISO 8.4]".
t112 :- compare(1, 1, 1).
:- test t113(S) => (S == [1]) + not_fails # "[ISO 8.4]".
t113(S) :- sort([1, 1], S).
:- test t114(S) + exception(error(instantiation_error, _)) # "[ISO 8.4]".
t114(S) :- sort([1, 1, 2 | _], S).
:- test t115(S) => (S == [1.0, a, c, z, f(a)]) + not_fails # "[ISO 8.4]".
t115(S) :- sort([z, c, 1.0, f(a), a], S).
:- test t116(S) + exception(error(type_error(list, [a | b]), _)) # "[ISO 8.4]".
t116(S) :- sort([a | b], S).
:- test t117 + exception(error(type_error(list, [a | b]), _)) # "[ISO 8.4]".
t117 :- sort([], [a | b]).
:- test t118(S) => (S == [1 - 1, 1 - 1]) + not_fails # "[ISO 8.4]".
t118(S) :- keysort([1 - 1, 1 - 1], S).
:- test t119(S) => (S = [1 - a, 1 - z, 2 - 99, 3 - f(_)]) + not_fails # "[ISO 8.4]".
t119(S) :- keysort([2 - 99, 1 - a, 3 - f(_), 1 - z], S).
:- test t120(S) + exception(error(instantiation_error, _)) # "[ISO 8.4]".
t120(S) :- keysort([a | _], S).
:- test t121(S) + exception(error(type_error(pair, a), _)) # "[ISO 8.4]".
t121(S) :- keysort([a], S).
:- test t122(S) + exception(error(instantiation_error, _)) # "[ISO 8.4]".
t122(S) :- keysort([_], S).

% 8.5.1 functor/3
:- test t123 + not_fails # "[ISO 8.5.1]".
t123 :- functor(foo(a, b, c), foo, 3).
:- test t124(X, Y) => ((X == foo, Y == 3)) + not_fails # "[ISO 8.5.1]".
t124(X, Y) :- functor(foo(a, b, c), X, Y).
:- test t125(X) => (X = foo(_, _, _)) + not_fails # "[ISO 8.5.1]".
t125(X) :- functor(X, foo, 3).
:- test t126(X) => (X == foo) + not_fails # "[ISO 8.5.1]".
t126(X) :- functor(X, foo, 0).
:- test t127(A, B) => ((A == mats, B == 2)) + not_fails # "[ISO 8.5.1]".
t127(A, B) :- functor(mats(A, B), A, B).
:- test t128 + fails # "[ISO 8.5.1]".
t128 :- functor(foo(a), foo, 2).
:- test t129(X, Y) => ((X == 1, Y == 0)) + not_fails # "[ISO 8.5.1]".
t129(X, Y) :- functor(1, X, Y).
:- test t130(X) => (X == 1.1) + not_fails # "[ISO 8.5.1]".
t130(X) :- functor(X, 1.1, 0).
:- test t131 + not_fails # "[ISO 8.5.1]".
t131 :- functor([_ | _], '.', 2).
:- test t132 + not_fails # "[ISO 8.5.1]".
t132 :- functor([], [], 0).
:- test t133(X, Y) + exception(error(instantiation_error, _)) # "[ISO 8.5.1]".
t133(X, Y) :- functor(X, Y, 3).
:- test t134(X, N) + exception(error(instantiation_error, _)) # "[ISO 8.5.1]".
t134(X, N) :- functor(X, foo, N).
:- test t135(X) + exception(error(type_error(atomic, foo(a)), _)) # "[ISO 8.5.1]".
t135(X) :- functor(X, foo(a), 1).
:- test t136(F) + exception(error(type_error(atom, 1.5), _)) # "[ISO 8.5.1]".
t136(F) :- functor(F, 1.5, 1).
:- test t137(F) + exception(error(type_error(atomic, foo(a)), _)) # "[ISO 8.5.1]".
t137(F) :- functor(F, foo(a), 0).
:- test t138(T) + exception(error(domain_error(not_less_than_zero, -1), _)) # "[ISO 8.5.1]".
t138(T) :- functor(T, foo, -1).
:- test t139(T) + exception(error(type_error(integer, b), _)) # "[ISO 8.5.1]".
t139(T) :- functor(T, foo, b).

% 8.5.2 arg/3
:- test t140 + not_fails # "[ISO 8.5.2]".
t140 :- arg(1, foo(a, b), a).
:- test t141(X) => (X == a) + not_fails # "[ISO 8.5.2]".
t141(X) :- arg(1, foo(a, b), X).
:- test t142(X) => (X == a) + not_fails # "[ISO 8.5.2]".
t142(X) :- arg(1, foo(X, b), a).
:- test t143(X, Y) => (X == Y) + not_fails # "[ISO 8.5.2]".
t143(X, Y) :- arg(1, foo(X, b), Y).
:- test t144 + fails # "[ISO 8.5.2]".
t144 :- arg(1, foo(a, b), b).
:- test t145 + fails # "[ISO 8.5.2]".
t145 :- arg(0, foo(a, b), foo).
:- test t146(N) + fails # "[ISO 8.5.2]".
t146(N) :- arg(3, foo(3, 4), N).
:- test t147(X) + exception(error(instantiation_error, _)) # "[ISO 8.5.2]".
t147(X) :- arg(1, X, a).
:- test t148(A) + exception(error(type_error(compound, atom), _)) # "[ISO 8.5.2]".
t148(A) :- arg(0, atom, A).
:- test t149(A) + exception(error(type_error(compound, 3), _)) # "[ISO 8.5.2]".
t149(A) :- arg(0, 3, A).
:- test t150(X) + exception(error(type_error(integer, a), _)) # "[ISO 8.5.2]".
t150(X) :- arg(a, foo(b), X).
:- test t151(A) + exception(error(domain_error(not_less_than_zero, -3), _)) # "[ISO 8.5.2]".
t151(A) :- arg(-3, foo(a, b), A).

% 8.5.3 univ
:- test t152 + not_fails # "[ISO 8.5.3]".
t152 :- foo(a, b) =.. [foo, a, b].
:- test t153(X) => (X == foo(a, b)) + not_fails # "[ISO 8.5.3]".
t153(X) :- X =.. [foo, a, b].
:- test t154(L) => (L == [foo, a, b]) + not_fails # "[ISO 8.5.3]".
t154(L) :- foo(a, b) =.. L.
:- test t155(X, Y) => ((X == a, Y == b)) + not_fails # "[ISO 8.5.3]".
t155(X, Y) :- foo(X, b) =.. [foo, a, Y].
:- test t156 + not_fails # "[ISO 8.5.3]".
t156 :- 1 =.. [1].
:- test t157 + fails # "[ISO 8.5.3]".
t157 :- foo(a, b) =.. [foo, b, a].
:- test t158(X, Y) + exception(error(instantiation_error, _)) # "[ISO 8.5.3]".
t158(X, Y) :- X =.. Y.
:- test t159(X, Y) + exception(error(instantiation_error, _)) # "[ISO 8.5.3]".
t159(X, Y) :- X =.. [foo | Y].
:- test t160(X) + exception(error(type_error(list, [foo | bar]), _)) # "[ISO 8.5.3]".
t160(X) :- X =.. [foo | bar].
:- test t161(X, Y) + exception(error(instantiation_error, _)) # "[ISO 8.5.3]".
t161(X, Y) :- X =.. [Y, bar].
:- test t162(X) + exception(error(type_error(atom, 3), _)) # "[ISO 8.5.3]".
t162(X) :- X =.. [3, 1].
:- test t163(X) + exception(error(type_error(atom, 1.1), _)) # "[ISO 8.5.3]".
t163(X) :- X =.. [1.1, foo].
:- test t164(X) + exception(error(type_error(atom, a(b)), _)) # "[ISO 8.5.3]".
t164(X) :- X =.. [a(b), 1].
:- test t165(X) + exception(error(type_error(list, 4), _)) # "[ISO 8.5.3]".
t165(X) :- X =.. 4.
:- test t166(X) + exception(error(domain_error(non_empty_list, []), _)) # "[ISO 8.5.3]".
t166(X) :- X =.. [].
:- test t167(X) + exception(error(type_error(atomic, f(a)), _)) # "[ISO 8.5.3]".
t167(X) :- X =.. [f(a)].

% 8.5.4 copy_term/2
:- test t168(X, Y) + not_fails # "[ISO 8.5.4]".
t168(X, Y) :- copy_term(X, Y).
:- test t169(X) + not_fails # "[ISO 8.5.4]".
t169(X) :- copy_term(X, 3).
:- test t170 + not_fails # "[ISO 8.5.4]".
t170 :- copy_term(_, a).
:- test t171(X) => (X == a) + not_fails # "[ISO 8.5.4]".
t171(X) :- copy_term(a + X, X + b).
:- test t172(X, Y, A, B) => (A == B) + not_fails # "[ISO 8.5.4]".
t172(X, Y, A, B) :- copy_term(X + X + Y, A + B + B).
:- test t173 + fails # "[ISO 8.5.4]".
t173 :- copy_term(a, b).
:- test t174(X) + fails # "[ISO 8.5.4]".
t174(X) :- copy_term(a + X, X + b), copy_term(a + X, X + b).

% 8.5.5 term_variables/2
:- test t175(Vs) => (Vs == []) + not_fails # "[ISO 8.5.5]".
t175(Vs) :- term_variables(t, Vs).
:- test t176(A, B, C, Vs) => (Vs == [A, B, C]) + not_fails # "[ISO 8.5.5]".
t176(A, B, C, Vs) :- term_variables(f(A, B, C), Vs).
:- test t177(X, Y, Vs) => (Vs == [X, Y]) + not_fails # "[ISO 8.5.5]".
t177(X, Y, Vs) :- term_variables(X + Y * X, Vs).
:- test t178(A, B, C, D, Vs) => (Vs == [A, B, C, D]) + not_fails # "[ISO 8.5.5]".
t178(A, B, C, D, Vs) :- term_variables(A + B * C / B - D, Vs).
:- test t179 + exception(error(type_error(list, [x, y | a]), _)) # "[ISO 8.5.5]".
t179 :- term_variables(t, [x, y | a]).

% 8.6 evaluation
:- test t180(X) => (X == 3.0) + not_fails # "[ISO 8.6]".
t180(X) :- X is 1 + 2.0.
:- test t181(X) + exception(error(type_error(evaluable, foo / 0), _)) # "[ISO 8.6]".
t181(X) :- X is foo.
:- test t182(X) + exception(error(instantiation_error, _)) # "[ISO 8.6]".
t182(X) :- X is 1 + _.
:- test t183(X) => (X == 77) + not_fails # "[ISO 8.6]".
t183(X) :- X is 77.
:- test t184 + fails # "[ISO 8.6]".
t184 :- 'is'(foo, 77).
:- test t185 + fails # "[ISO 8.6]".
t185 :- 1 is 1.0.
:- test t186(X) => (X == 97) + not_fails # "[ISO 8.6]".
t186(X) :- X is "a".

% 8.7 comparison of numbers
:- test t187 + not_fails # "[ISO 8.7]".
t187 :- 1.0 =:= 1.
:- test t188 + not_fails # "[ISO 8.7]".
t188 :- 3 * 2 =:= 7 - 1.
:- test t189 + fails # "[ISO 8.7]".
t189 :- 0.333 =:= 1 / 3.
:- test t190 + exception(error(instantiation_error, _)) # "[ISO 8.7]".
t190 :- _ < 1.
:- test t191 + exception(error(type_error(evaluable, foo / 0), _)) # "[ISO 8.7]".
t191 :- 0 < foo.
:- test t192 + not_fails # "[ISO 8.7]".
t192 :- 2 + floor(3 / 2) =:= 3.
:- test t193 + fails # "[ISO 8.7]".
t193 :- 1 =\= 1.0.
:- test t194 + not_fails # "[ISO 8.7]".
t194 :- 1 =< 1.

% 8.8 clauses
:- test t195 + not_fails # "[ISO 8.8]".
t195 :- clause(cat, true).
:- test t196 + not_fails # "[ISO 8.8]".
t196 :- clause(dog, true).
:- test t197(I, Body) => (Body == insect(I)) + not_fails # "[ISO 8.8]".
t197(I, Body) :- clause(legs(I, 6), Body).
:- test t198(C, Body) => (Body == (call(C), call(C))) + not_fails # "[ISO 8.8]".
t198(C, Body) :- clause(legs(C, 7), Body).
:- test t199(I, T, L) => (L == [ant - true, bee - true]) + not_fails # "[ISO 8.8]".
t199(I, T, L) :- findall(I - T, clause(insect(I), T), L).
:- test t200(Body) + fails # "[ISO 8.8]".
t200(Body) :- clause(x, Body).
:- test t201(B) + exception(error(instantiation_error, _)) # "[ISO 8.8]".
t201(B) :- clause(_, B).
:- test t202(X) + exception(error(type_error(callable, 4), _)) # "[ISO 8.8]".
t202(X) :- clause(4, X).
:- test t203(N) + exception(error(type_error(callable, 5), _)) # "[ISO 8.8]".
t203(N) :- clause(elk(N), 5).
:- test t204(Body) + exception(error(permission_error(access, private_procedure, atom / 1), _)) # "[ISO 8.8]".
t204(Body) :- clause(atom(_), Body).
:- test t205(A) => (A == 1) + not_fails # "[ISO 8.8]".
t205(A) :- current_predicate(insect/A).
:- test t206(A) + fails # "[ISO 8.8]".
t206(A) :- current_predicate(unknown_here/A).
:- test t207 + exception(error(type_error(predicate_indicator, 4), _)) # "[ISO 8.8]".
t207 :- current_predicate(4).
:- test t208 + exception(error(type_error(predicate_indicator, 4/_), _)) # "[ISO 8.8]".
t208 :- current_predicate(4/_).
:- test t209 + exception(error(type_error(predicate_indicator, foo/a), _)) # "[ISO 8.8]".
t209 :- current_predicate(foo/a).
:- test t210(A) + fails # "[ISO 8.8]".
t210(A) :- current_predicate(atom_length/A).

% 8.9 clause creation and destruction
:- test t211(X) => (X == octopus) + not_fails # "[ISO 8.9]".
t211(X) :- asserta(legs_a(octopus, 8)), legs_a(X, 8).
:- test t212(S, A, N, B) => ((N == 8, B == spider_z(A))) + not_fails # "[ISO 8.9]".
t212(S, A, N, B) :- assertz((legs_z(S, 8) :- spider_z(S))), clause(legs_z(A, N), B).
:- test t213 + exception(error(instantiation_error, _)) # "[ISO 8.9]".
t213 :- asserta(_).
:- test t214 + exception(error(type_error(callable, 4), _)) # "[ISO 8.9]".
t214 :- asserta(4).
:- test t215 + exception(error(type_error(callable, 4), _)) # "[ISO 8.9]".
t215 :- asserta((foo :- 4)).
:- test t216 + exception(error(permission_error(modify, static_procedure, atom / 1), _)) # "[ISO 8.9]".
t216 :- asserta((atom(_) :- true)).
:- test t217(X) + exception(error(type_error(callable, (X, 4)), _)) # "[ISO 8.9]".
t217(X) :- assertz((foo :- X, 4)).
:- test t218 + exception(error(type_error(callable, 4), _)) # "[ISO 8.9]".
t218 :- assertz((4 :- true)).
:- test t219(X) => (X == 1) + not_fails # "[ISO 8.9]".
t219(X) :- assertz(newp(1)), retract(newp(X)), \+ newp(_).
:- test t220 + fails # "[ISO 8.9]".
t220 :- retract((x_unknown :- in_win95)).
:- test t221(X) + exception(error(type_error(callable, 4), _)) # "[ISO 8.9]".
t221(X) :- retract((4 :- X)).
:- test t222 + exception(error(instantiation_error, _)) # "[ISO 8.9]".
t222 :- retract((_ :- true)).
:- test t223(X) + exception(error(permission_error(modify, static_procedure, atom / 1), _)) # "[ISO 8.9]".
t223(X) :- retract((atom(X) :- X == '[]')).
:- test t224(X, L) => (L == [2]) + not_fails # "[ISO 8.9]".
t224(X, L) :- assertz(gone(1)), assertz(gone(2)), retractall(gone(1)), findall(X, gone(X), L).
:- test t225(X) + exception(error(instantiation_error, _)) # "[ISO 8.9]".
t225(X) :- retractall(X).
:- test t226 + exception(error(type_error(callable, 3), _)) # "[ISO 8.9]".
t226 :- retractall(3).
:- test t227 + exception(error(permission_error(modify, static_procedure, atom / 1), _)) # "[ISO 8.9]".
t227 :- retractall(atom(_)).
:- test t228 + not_fails # "[ISO 8.9]".
t228 :- abolish(foo/2).
:- test t229 + exception(error(instantiation_error, _)) # "[ISO 8.9]".
t229 :- abolish(foo/_).
:- test t230 + exception(error(type_error(predicate_indicator, foo), _)) # "[ISO 8.9]".
t230 :- abolish(foo).
:- test t231 + exception(error(type_error(predicate_indicator, foo(_)), _)) # "[ISO 8.9]".
t231 :- abolish(foo(_)).
:- test t232 + exception(error(permission_error(modify, static_procedure, abolish / 1), _)) # "[ISO 8.9]".
t232 :- abolish(abolish/1).
:- test t233 + exception(error(type_error(integer, a), _)) # "[ISO 8.9]".
t233 :- abolish(foo/a).
:- test t234 + exception(error(domain_error(not_less_than_zero, -1), _)) # "[ISO 8.9]".
t234 :- abolish(foo/(-1)).

% 8.10 all solutions
:- test t235(X, S) => (S == [1, 2]) + not_fails # "[ISO 8.10]".
t235(X, S) :- findall(X, ( X = 1 ; X = 2 ), S).
:- test t236(X, S) => (S = [1 + _]) + not_fails # "[ISO 8.10]".
t236(X, S) :- findall(X + _, ( X = 1 ), S).
:- test t237(X, L) => (L == []) + not_fails # "[ISO 8.10]".
t237(X, L) :- findall(X, fail, L).
:- test t238(X, S) => (S == [1, 1]) + not_fails # "[ISO 8.10]".
t238(X, S) :- findall(X, ( X = 1 ; X = 1 ), S).
:- test t239(X) + fails # "[ISO 8.10]".
t239(X) :- findall(X, ( X = 2 ; X = 1 ), [1, 2]).
:- test t240(X, Goal, S) + exception(error(instantiation_error, _)) # "[ISO 8.10]".
t240(X, Goal, S) :- findall(X, Goal, S).
:- test t241(X, S) + exception(error(type_error(callable, 4), _)) # "[ISO 8.10]".
t241(X, S) :- findall(X, 4, S).
:- test t242(X, A) + exception(error(type_error(list, [A | 1]), _)) # "[ISO 8.10]".
t242(X, A) :- findall(X, X = 1, [A | 1]).
:- test t243(X, S) => (S == [1, 2]) + not_fails # "[ISO 8.10]".
t243(X, S) :- bagof(X, ( X = 1 ; X = 2 ), S).
:- test t244(X, Y, Z, S) => (S == [Y, Z]) + not_fails # "[ISO 8.10]".
t244(X, Y, Z, S) :- bagof(X, ( X = Y ; X = Z ), S).
:- test t245(X, S) + fails # "[ISO 8.10]".
t245(X, S) :- bagof(X, fail, S).
:- test t246(S, Y, L) => (L == [[1] - 1, [1] - 2]) + not_fails # "[ISO 8.10]".
t246(S, Y, L) :- findall(S - Y, bagof(1, ( Y = 1 ; Y = 2 ), S), L).
:- test t247(L, X, Y, Ls) => (Ls = [[f(a, _), f(_, b)]]) + not_fails # "[ISO 8.10]".
t247(L, X, Y, Ls) :- findall(L, bagof(f(X, Y), ( X = a ; Y = b ), L), Ls).
:- test t248(X, Y, S) => (S == [1, 2]) + not_fails # "[ISO 8.10]".
t248(X, Y, S) :- bagof(X, Y ^ ( ( X = 1, Y = 1 ) ; ( X = 2, Y = 2 ) ), S).
:- test t249(X, Y, S) => (S = [1, _, 2]) + not_fails # "[ISO 8.10]".
t249(X, Y, S) :- bagof(X, Y ^ ( ( X = 1 ; Y = 1 ) ; ( X = 2, Y = 2 ) ), S).
:- test t250(X, G, S) + exception(error(instantiation_error, _)) # "[ISO 8.10]".
t250(X, G, S) :- bagof(X, G, S).
:- test t251(X, S) + exception(error(type_error(callable, 1), _)) # "[ISO 8.10]".
t251(X, S) :- bagof(X, 1, S).
:- test t252(X, Y, Z, L) + exception(error(instantiation_error, _)) # "[ISO 8.10]".
t252(X, Y, Z, L) :- bagof(X, Y ^ Z, L).
:- test t253(X, S) => (S == [1, 2]) + not_fails # "[ISO 8.10]".
t253(X, S) :- setof(X, ( X = 2 ; X = 1 ), S).
:- test t254(X, S) => (S == [2]) + not_fails # "[ISO 8.10]".
t254(X, S) :- setof(X, ( X = 2 ; X = 2 ), S).
:- test t255(X, Y, S) => (S == [1, 2]) + not_fails # "[ISO 8.10]".
t255(X, Y, S) :- setof(X, Y ^ ( ( X = 1, Y = 1 ) ; ( X = 2, Y = 2 ) ), S).
:- test t256(U, S, X, L) => (L == [a - [2], b - [1, 3]]) + not_fails # "[ISO 8.10]".
t256(U, S, X, L) :- findall(U - S, setof(X, member_of(X - U, [1 - b, 2 - a, 3 - b]), S), L).
:- test t257(X, U, V, L) => (L == [f(U, b), f(V, c)]) + not_fails # "[ISO 8.10]".
t257(X, U, V, L) :- setof(X, member_of(X, [f(U, b), f(V, c)]), L).
:- test t258(X, S) + exception(error(type_error(callable, (true ; 4)), _)) # "[ISO 8.10]".
t258(X, S) :- setof(X, X ^ ( true ; 4 ), S).

% 8.11 streams
:- test t259(S) + not_fails # "[ISO 8.11]".
t259(S) :- current_input(S), nonvar(S).
:- test t260(S) + not_fails # "[ISO 8.11]".
t260(S) :- current_output(S), nonvar(S).
:- test t261 + exception(error(domain_error(stream, foo), _)) # "[ISO 8.11]".
t261 :- current_input(foo).
:- test t262(S_) + not_fails # "[ISO 8.11]".
t262(S_) :- current_output(S_) , close(S_).
:- test t263 + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t263 :- set_input(_).
:- test t264 + exception(error(existence_error(stream, foo), _)) # "[ISO 8.11]".
t264 :- set_input(foo).
:- test t265(S) + exception(error(permission_error(input, stream, S), _)) # "[ISO 8.11]".
t265(S) :- current_output(S), set_input(S).
:- test t266(S) + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t266(S) :- open(_, read, S).
:- test t267(S) + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t267(S) :- open(f, _, S).
:- test t268(S) + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t268(S) :- open(f, write, S, [type(text) | _]).
:- test t269(S) + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t269(S) :- open(f, write, S, [type(text), _]).
:- test t270(S) + exception(error(type_error(atom, 1), _)) # "[ISO 8.11]".
t270(S) :- open(f, 1, S).
:- test t271(S) + exception(error(type_error(list, type(text)), _)) # "[ISO 8.11]".
t271(S) :- open(f, write, S, type(text)).
:- test t272 + exception(error(uninstantiation_error(bar), _)) # "[ISO 8.11]".
t272 :- open(f, write, bar).
:- test t273(S) + exception(error(domain_error(source_sink, foo(1, 2)), _)) # "[ISO 8.11]".
t273(S) :- open(foo(1, 2), write, S).
:- test t274(S) + exception(error(existence_error(source_sink, '/no/such/folder/f'), _)) # "[ISO 8.11]".
t274(S) :- open('/no/such/folder/f', read, S).
:- test t275(S) + exception(error(domain_error(stream_option, foo), _)) # "[ISO 8.11]".
t275(S) :- open(f, read, S, [foo]).
:- test t276(S) + exception(error(domain_error(io_mode, fast), _)) # "[ISO 8.11]".
t276(S) :- open(f, fast, S).
:- test t277 + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t277 :- close(_).
:- test t278(S) + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t278(S) :- current_input(S), close(S, _).
:- test t279(S) + exception(error(domain_error(close_option, force), _)) # "[ISO 8.11]".
t279(S) :- current_input(S), close(S, [force]).
:- test t280 + exception(error(existence_error(stream, foo), _)) # "[ISO 8.11]".
t280 :- close(foo).
:- test t281 + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t281 :- flush_output(_).
:- test t282(S) + exception(error(permission_error(output, stream, S), _)) # "[ISO 8.11]".
t282(S) :- current_input(S), flush_output(S).
:- test t283(S) + exception(error(domain_error(stream_property, foo), _)) # "[ISO 8.11]".
t283(S) :- stream_property(S, foo).
:- test t284 + exception(error(domain_error(stream, foo), _)) # "[ISO 8.11]".
t284 :- stream_property(foo, _).
:- test t285 + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t285 :- at_end_of_stream(_).
:- test t286 + exception(error(existence_error(stream, foo), _)) # "[ISO 8.11]".
t286 :- at_end_of_stream(foo).
:- test t287(S) + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t287(S) :- set_stream_position(S, _).
:- test t288(S) + exception(error(instantiation_error, _)) # "[ISO 8.11]".
t288(S) :- current_input(S), set_stream_position(S, _).

% 8.12 characters
:- test t289(C) + exception(error(domain_error(stream_or_alias, 1), _)) # "[ISO 8.12]".
t289(C) :- get_char(1, C).
:- test t290 + exception(error(type_error(in_character, 1), _)) # "[ISO 8.12]".
t290 :- get_char(user_input, 1).
:- test t291(C) + exception(error(permission_error(input, stream, user_output), _)) # "[ISO 8.12]".
t291(C) :- get_char(user_output, C).
:- test t292 + (not_fails, user_output("t")) # "[ISO 8.12]".
t292 :- put_char(t).
:- test t293 + exception(error(instantiation_error, _)) # "[ISO 8.12]".
t293 :- put_char(_).
:- test t294 + exception(error(type_error(character, ty), _)) # "[ISO 8.12]".
t294 :- put_char(ty).
:- test t295(S) + exception(error(permission_error(output, stream, S), _)) # "[ISO 8.12]".
t295(S) :- current_input(S), put_char(S, t).
:- test t296 + (not_fails, user_output("\n")) # "[ISO 8.12]".
t296 :- nl.
:- test t297 + exception(error(instantiation_error, _)) # "[ISO 8.12]".
t297 :- nl(_).
:- test t298 + exception(error(type_error(integer, a), _)) # "[ISO 8.12]".
t298 :- peek_code(user_input, a).
:- test t299 + (not_fails, user_output("t")) # "[ISO 8.12]".
t299 :- put_code(0't).

% 8.13 bytes
:- test t300(X) + exception(error(instantiation_error, _)) # "[ISO 8.13]".
t300(X) :- get_byte(_, X).
:- test t301 + exception(error(instantiation_error, _)) # "[ISO 8.13]".
t301 :- put_byte(_, 118).
:- test t302(S) + exception(error(permission_error(output, text_stream, S), _)) # "[ISO 8.13]".
t302(S) :- current_output(S), put_byte(S, 118).
:- test t303(S, X) + exception(error(permission_error(input, text_stream, S), _)) # "[ISO 8.13]".
t303(S, X) :- current_input(S), get_byte(S, X).

% 8.14 reading and writing terms
:- test t304(X) + exception(error(permission_error(input, stream, user_output), _)) # "[ISO 8.14]".
t304(X) :- read(user_output, X).
:- test t305(X) + exception(error(type_error(list, foo), _)) # "[ISO 8.14]".
t305(X) :- read_term(user_input, X, foo).
:- test t306(X) + exception(error(instantiation_error, _)) # "[ISO 8.14]".
t306(X) :- read_term(user_input, X, [foo | _]).
:- test t307(X) + exception(error(domain_error(read_option, foo), _)) # "[ISO 8.14]".
t307(X) :- read_term(user_input, X, [foo]).
:- test t308 + (not_fails, user_output("a")) # "[ISO 8.14]".
t308 :- write(a).
:- test t309 + (not_fails, user_output("[1,2,3]")) # "[ISO 8.14]".
t309 :- write_term([1, 2, 3], []).
:- test t310 + (not_fails, user_output("'A b'")) # "[ISO 8.14]".
t310 :- write_canonical('A b').
:- test t311 + (not_fails, user_output("'1<2'")) # "[ISO 8.14]".
t311 :- write_term('1<2', [quoted(true)]).
:- test t312 + (not_fails, user_output("'A'(b)")) # "[ISO 8.14]".
t312 :- writeq('A'(b)).
:- test t313 + (not_fails, user_output("- (1)")) # "[ISO 8.14]".
t313 :- writeq(- (1)).
:- test t314 + (not_fails, user_output("1-(2-3)")) # "[ISO 8.14]".
t314 :- writeq(1 - (2 - 3)).
:- test t315 + (not_fails, user_output("-a")) # "[ISO 8.14]".
t315 :- writeq(- a).
:- test t316 + (not_fails, user_output("{a,b}")) # "[ISO 8.14]".
t316 :- writeq({a, b}).
:- test t317 + (not_fails, user_output("f(:-,(a:-b))")) # "[ISO 8.14]".
t317 :- writeq(f(:-, (a :- b))).
:- test t318 + (not_fails, user_output("[a|b]")) # "[ISO 8.14]".
t318 :- writeq([a | b]).
:- test t319 + (not_fails, user_output("\\+ (a,b)")) # "[ISO 8.14]".
t319 :- writeq(\+ (a, b)).
:- test t320 + (not_fails, user_output("'\\n'")) # "[ISO 8.14]".
t320 :- writeq('\n').
:- test t321 + (not_fails, user_output("C1")) # "[ISO 8.14]".
t321 :- write_term('$VAR'(28), [numbervars(true)]).
:- test t322 + (not_fails, user_output("'$VAR'(x)")) # "[ISO 8.14]".
t322 :- write_term('$VAR'(x), [quoted(true), numbervars(true)]).
:- test t323 + (not_fails, user_output("{}(a)")) # "[ISO 8.14]".
t323 :- write_term({a}, [ignore_ops(true)]).
:- test t324 + not_fails # "[ISO 8.14]".
t324 :- print_is_no_test.
:- test t325 + exception(error(instantiation_error, _)) # "[ISO 8.14]".
t325 :- write_term(1, _).
:- test t326 + exception(error(instantiation_error, _)) # "[ISO 8.14]".
t326 :- write_term(1, [quoted(true) | _]).
:- test t327 + exception(error(type_error(list, [quoted(true) | foo]), _)) # "[ISO 8.14]".
t327 :- write_term(1, [quoted(true) | foo]).
:- test t328 + exception(error(domain_error(write_option, foo), _)) # "[ISO 8.14]".
t328 :- write_term(1, [quoted(true), foo]).
:- test t329 + exception(error(domain_error(write_option, quoted(maybe)), _)) # "[ISO 8.14]".
t329 :- write_term(1, [quoted(maybe)]).
:- test t330(P, T) => ((P == 30, T == xfy)) + not_fails # "[ISO 8.14]".
t330(P, T) :- op(30, xfy, ++), current_op(P, T, ++).
:- test t331 + exception(error(type_error(integer, max), _)) # "[ISO 8.14]".
t331 :- op(max, xfy, ++).
:- test t332 + exception(error(domain_error(operator_priority, -30), _)) # "[ISO 8.14]".
t332 :- op(-30, xfy, ++).
:- test t333 + exception(error(domain_error(operator_priority, 1201), _)) # "[ISO 8.14]".
t333 :- op(1201, xfy, ++).
:- test t334(XFY) + exception(error(instantiation_error, _)) # "[ISO 8.14]".
t334(XFY) :- op(30, XFY, ++).
:- test t335 + exception(error(domain_error(operator_specifier, yfy), _)) # "[ISO 8.14]".
t335 :- op(30, yfy, ++).
:- test t336 + exception(error(type_error(list, 0), _)) # "[ISO 8.14]".
t336 :- op(30, xfy, 0).
:- test t337 + exception(error(instantiation_error, _)) # "[ISO 8.14]".
t337 :- op(30, xfy, [a | _]).
:- test t338 + exception(error(permission_error(modify, operator, ','), _)) # "[ISO 8.14]".
t338 :- op(30, xfy, ',').
:- test t339 + not_fails # "[ISO 8.14]".
t339 :- op(30, xfx, '[]').
:- test t340 + not_fails # "[ISO 8.14]".
t340 :- op(30, xfx, []).
:- test t341 + exception(error(permission_error(create, operator, '|'), _)) # "[ISO 8.14]".
t341 :- op(1000, xfx, '|').
:- test t342 + exception(error(permission_error(create, operator, {}), _)) # "[ISO 8.14]".
t342 :- op(30, xfy, '{}').
:- test t343 + exception(error(permission_error(create, operator, **), _)) # "[ISO 8.14]".
t343 :- op(30, xf, **), op(20, xfx, **).
:- test t344 + exception(error(domain_error(operator_priority, 1201), _)) # "[ISO 8.14]".
t344 :- current_op(1201, _, _).
:- test t345 + exception(error(domain_error(operator_specifier, yfy), _)) # "[ISO 8.14]".
t345 :- current_op(_, yfy, _).
:- test t346 + exception(error(domain_error(operator_specifier, 0), _)) # "[ISO 8.14]".
t346 :- current_op(_, 0, _).
:- test t347 + exception(error(type_error(atom, 5), _)) # "[ISO 8.14]".
t347 :- current_op(_, _, 5).
:- test t348 + exception(error(instantiation_error, _)) # "[ISO 8.14]".
t348 :- char_conversion(_, a).
:- test t349(X) => (X == a) + not_fails # "[ISO 8.14]".
t349(X) :- current_char_conversion(a, X).

% 8.15 logic and control
:- test t350 + fails # "[ISO 8.15]".
t350 :- \+ true.
:- test t351 + fails # "[ISO 8.15]".
t351 :- \+ !.
:- test t352 + not_fails # "[ISO 8.15]".
t352 :- \+ (!, fail).
:- test t353(X, L) => (L == [1, 2]) + not_fails # "[ISO 8.15]".
t353(X, L) :- findall(X, ( ( X = 1 ; X = 2 ), \+ (!, fail) ), L).
:- test t354 + not_fails # "[ISO 8.15]".
t354 :- \+ 4 = 5.
:- test t355 + exception(error(type_error(callable, 3), _)) # "[ISO 8.15]".
t355 :- \+ 3.
:- test t356 + exception(error(type_error(callable, (fail, 1)), _)) # "[ISO 8.15]".
t356 :- \+ (fail, 1).
:- test t357 + not_fails # "[ISO 8.15]".
t357 :- once(!).
:- test t358(X) => (X == 1) + not_fails # "[ISO 8.15]".
t358(X) :- once(( X = 1 ; X = 2 )).
:- test t359 + not_fails # "[ISO 8.15]".
t359 :- once(repeat).
:- test t360 + exception(error(type_error(callable, 3), _)) # "[ISO 8.15]".
t360 :- once(3).
:- test t361 + exception(error(instantiation_error, _)) # "[ISO 8.15]".
t361 :- once(_).
:- test t362 + fails # "[ISO 8.15]".
t362 :- false.
:- test t363 + not_fails # "[ISO 8.15]".
t363 :- call(integer, 3).
:- test t364(F) => (F == c) + not_fails # "[ISO 8.15]".
t364(F) :- call(functor(F, c), 0).
:- test t365(X) => (X == 1) + not_fails # "[ISO 8.15]".
t365(X) :- call(;, fail, X = 1).
:- test t366(X) + exception(error(type_error(callable, 1), _)) # "[ISO 8.15]".
t366(X) :- call(1, X).
:- test t367 + exception(error(instantiation_error, _)) # "[ISO 8.15]".
t367 :- call(_, a).
:- test t368 + not_fails # "[ISO 8.15]".
t368 :- repeat, !.

% 8.16 constants
:- test t369(N) => (N == 17) + not_fails # "[ISO 8.16]".
t369(N) :- atom_length('enchanted evening', N).
:- test t370(N) => (N == 0) + not_fails # "[ISO 8.16]".
t370(N) :- atom_length('', N).
:- test t371 + fails # "[ISO 8.16]".
t371 :- atom_length(scarlet, 5).
:- test t372(A) + exception(error(instantiation_error, _)) # "[ISO 8.16]".
t372(A) :- atom_length(A, 4).
:- test t373 + exception(error(type_error(atom, 1.23), _)) # "[ISO 8.16]".
t373 :- atom_length(1.23, 4).
:- test t374 + exception(error(type_error(integer, '4'), _)) # "[ISO 8.16]".
t374 :- atom_length(atom, '4').
:- test t375 + exception(error(domain_error(not_less_than_zero, -4), _)) # "[ISO 8.16]".
t375 :- atom_length(atom, -4).
:- test t376(A) => (A == 'hello world') + not_fails # "[ISO 8.16]".
t376(A) :- atom_concat(hello, ' world', A).
:- test t377(T) => (T == small) + not_fails # "[ISO 8.16]".
t377(T) :- atom_concat(T, ' world', 'small world').
:- test t378(T1, T2, L) => (L = ['' + hello, h + ello | _]) + not_fails # "[ISO 8.16]".
t378(T1, T2, L) :- findall(T1 + T2, atom_concat(T1, T2, hello), L).
:- test t379(A, B) + exception(error(instantiation_error, _)) # "[ISO 8.16]".
t379(A, B) :- atom_concat(A, hello, B).
:- test t380(C) + exception(error(type_error(atom, f(a)), _)) # "[ISO 8.16]".
t380(C) :- atom_concat(f(a), b, C).
:- test t381(S) => (S == abrac) + not_fails # "[ISO 8.16]".
t381(S) :- sub_atom(abracadabra, 0, 5, _, S).
:- test t382(S) => (S == dabra) + not_fails # "[ISO 8.16]".
t382(S) :- sub_atom(abracadabra, _, 5, 0, S).
:- test t383(B, S, L) => (L = [0 - _, 7 - _]) + not_fails # "[ISO 8.16]".
t383(B, S, L) :- findall(B - S, sub_atom(abracadabra, B, 2, _, ab), L).
:- test t384(S, L) => (L == [an]) + not_fails # "[ISO 8.16]".
t384(S, L) :- findall(S, sub_atom(banana, 3, 2, _, S), L).
:- test t385(S, L) => (L == [cha, har, ari, rit, ity]) + not_fails # "[ISO 8.16]".
t385(S, L) :- findall(S, sub_atom(charity, _, 3, _, S), L).
:- test t386(Banana, S) + exception(error(instantiation_error, _)) # "[ISO 8.16]".
t386(Banana, S) :- sub_atom(Banana, 3, 2, _, S).
:- test t387(S) + exception(error(type_error(atom, f(a)), _)) # "[ISO 8.16]".
t387(S) :- sub_atom(f(a), 2, 2, _, S).
:- test t388 + exception(error(type_error(atom, 2), _)) # "[ISO 8.16]".
t388 :- sub_atom(banana, 4, 2, _, 2).
:- test t389 + exception(error(type_error(integer, a), _)) # "[ISO 8.16]".
t389 :- sub_atom(banana, a, 2, _, _).
:- test t390(L) => (L == []) + not_fails # "[ISO 8.16]".
t390(L) :- atom_chars('', L).
:- test t391(L) => (L == ['[', ']']) + not_fails # "[ISO 8.16]".
t391(L) :- atom_chars([], L).
:- test t392(L) => (L == ['''']) + not_fails # "[ISO 8.16]".
t392(L) :- atom_chars('''', L).
:- test t393(L) => (L == [a, n, t]) + not_fails # "[ISO 8.16]".
t393(L) :- atom_chars(ant, L).
:- test t394(X) => (X == [o, r, t, h]) + not_fails # "[ISO 8.16]".
t394(X) :- atom_chars('North', ['N' | X]).
:- test t395 + fails # "[ISO 8.16]".
t395 :- atom_chars(soap, [s, o, p]).
:- test t396(X, Y) + exception(error(instantiation_error, _)) # "[ISO 8.16]".
t396(X, Y) :- atom_chars(X, Y).
:- test t397(A, E) + exception(error(instantiation_error, _)) # "[ISO 8.16]".
t397(A, E) :- atom_chars(A, [a, E, c]).
:- test t398(A) + exception(error(type_error(character, f(b)), _)) # "[ISO 8.16]".
t398(A) :- atom_chars(A, [a, f(b)]).
:- test t399(L) + exception(error(type_error(atom, f(a)), _)) # "[ISO 8.16]".
t399(L) :- atom_chars(f(a), L).
:- test t400(A) => (A == so) + not_fails # "[ISO 8.16]".
t400(A) :- atom_codes(A, [0's, 0'o]).
:- test t401(A) + exception(error(type_error(list, 120), _)) # "[ISO 8.16]".
t401(A) :- atom_codes(A, 0'x).
:- test t402(A) + exception(error(type_error(integer, a), _)) # "[ISO 8.16]".
t402(A) :- atom_codes(A, [a, -1]).
:- test t403(X) => (X == 97) + not_fails # "[ISO 8.16]".
t403(X) :- char_code(a, X).
:- test t404(C) => (C == c) + not_fails # "[ISO 8.16]".
t404(C) :- char_code(C, 0'c).
:- test t405(X, Y) + exception(error(instantiation_error, _)) # "[ISO 8.16]".
t405(X, Y) :- char_code(X, Y).
:- test t406(X) + exception(error(type_error(character, ab), _)) # "[ISO 8.16]".
t406(X) :- char_code(ab, X).
:- test t407(X) + exception(error(type_error(integer, a), _)) # "[ISO 8.16]".
t407(X) :- char_code(X, a).
:- test t408(X) + exception(error(representation_error(character_code), _)) # "[ISO 8.16]".
t408(X) :- char_code(X, -2).
:- test t409(L) => (L == ['3', '3']) + not_fails # "[ISO 8.16]".
t409(L) :- number_chars(33, L).
:- test t410(X) => (X == 33) + not_fails # "[ISO 8.16]".
t410(X) :- number_chars(X, ['3', '3']).
:- test t411 + not_fails # "[ISO 8.16]".
t411 :- number_chars(33.0, ['3' | _]).
:- test t412(A) => (A == -25) + not_fails # "[ISO 8.16]".
t412(A) :- number_chars(A, ['-', '2', '5']).
:- test t413(A) => (A == 3) + not_fails # "[ISO 8.16]".
t413(A) :- number_chars(A, ['\n', ' ', '3']).
:- test t414(A) + exception(error(syntax_error(_), _)) # "[ISO 8.16]".
t414(A) :- number_chars(A, ['3', ' ']).
:- test t415(A) => (A == 15) + not_fails # "[ISO 8.16]".
t415(A) :- number_chars(A, ['0', x, f]).
:- test t416(A) => (A == 97) + not_fails # "[ISO 8.16]".
t416(A) :- number_chars(A, ['0', '''', a]).
:- test t417(A) => (A == 4.2) + not_fails # "[ISO 8.16]".
t417(A) :- number_chars(A, ['4', '.', '2']).
:- test t418(A) + exception(error(instantiation_error, _)) # "[ISO 8.16]".
t418(A) :- number_chars(A, ['3' | _]).
:- test t419(L) + exception(error(type_error(number, a), _)) # "[ISO 8.16]".
t419(L) :- number_chars(a, L).
:- test t420(A) + exception(error(type_error(list, 4), _)) # "[ISO 8.16]".
t420(A) :- number_chars(A, 4).
:- test t421(A) + exception(error(type_error(character, 2), _)) # "[ISO 8.16]".
t421(A) :- number_chars(A, ['4', 2]).
:- test t422(L) => (L == [0'3, 0'3]) + not_fails # "[ISO 8.16]".
t422(L) :- number_codes(33, L).
:- test t423(X, Y) + exception(error(instantiation_error, _)) # "[ISO 8.16]".
t423(X, Y) :- number_codes(X, Y).
:- test t424(X) + exception(error(type_error(integer, a), _)) # "[ISO 8.16]".
t424(X) :- number_codes(X, [0'3, a]).

% 8.17 implementation-defined hooks
:- test t425(V) => (V == fail) + not_fails # "[ISO 8.17]".
t425(V) :- set_prolog_flag(unknown, fail), current_prolog_flag(unknown, V), set_prolog_flag(unknown, error).
:- test t426(X) + exception(error(instantiation_error, _)) # "[ISO 8.17]".
t426(X) :- set_prolog_flag(X, off).
:- test t427 + exception(error(type_error(atom, 5), _)) # "[ISO 8.17]".
t427 :- set_prolog_flag(5, decimals).
:- test t428 + exception(error(domain_error(prolog_flag, date), _)) # "[ISO 8.17]".
t428 :- set_prolog_flag(date, 'July 1999').
:- test t429 + exception(error(domain_error(flag_value, debug + trace), _)) # "[ISO 8.17]".
t429 :- set_prolog_flag(debug, trace).
:- test t430 + exception(error(permission_error(modify, flag, bounded), _)) # "[ISO 8.17]".
t430 :- set_prolog_flag(bounded, true).
:- test t431(V) => (V == false) + not_fails # "[ISO 8.17]".
t431(V) :- current_prolog_flag(bounded, V).
:- test t432(V) + exception(error(type_error(atom, 1 + 2), _)) # "[ISO 8.17]".
t432(V) :- current_prolog_flag(1 + 2, V).
:- test t433 + exception(error(instantiation_error, _)) # "[ISO 8.17]".
t433 :- halt(_).
:- test t434 + exception(error(type_error(integer, a), _)) # "[ISO 8.17]".
t434 :- halt(a).

% 9.1 simple arithmetic functions
:- test t435(X) => (X == 42) + not_fails # "[ISO 9.1]".
t435(X) :- X is '+'(7, 35).
:- test t436(X) => (X == 14) + not_fails # "[ISO 9.1]".
t436(X) :- X is '+'(0, 3 + 11).
:- test t437(X) => (X > 14.19) + not_fails # "[ISO 9.1]".
t437(X) :- X is '+'(0, 3.2 + 11).
:- test t438(X, N) + exception(error(instantiation_error, _)) # "[ISO 9.1]".
t438(X, N) :- X is '+'(77, N).
:- test t439(X) + exception(error(type_error(evaluable, foo / 0), _)) # "[ISO 9.1]".
t439(X) :- X is '+'(foo, 77).
:- test t440(X) => (X == -7) + not_fails # "[ISO 9.1]".
t440(X) :- X is - (7).
:- test t441(X) => (X == -28) + not_fails # "[ISO 9.1]".
t441(X) :- X is '-'(7, 35).
:- test t442(X) => (X == 0) + not_fails # "[ISO 9.1]".
t442(X) :- X is '*'(0, 3 + 11).
:- test t443(X) => (X > 0.19) + not_fails # "[ISO 9.1]".
t443(X) :- X is '/'(7, 35).
:- test t444(X) => (X > 0.19) + not_fails # "[ISO 9.1]".
t444(X) :- X is '/'(7.0, 35).
:- test t445(X) + exception(error(evaluation_error(zero_divisor), _)) # "[ISO 9.1]".
t445(X) :- X is '/'(3, 0).
:- test t446(X) => (X == 3) + not_fails # "[ISO 9.1]".
t446(X) :- X is 7 // 2.
:- test t447(X) => (X == -3) + not_fails # "[ISO 9.1]".
t447(X) :- X is -7 // 2.
:- test t448(X) => (X == 1) + not_fails # "[ISO 9.1]".
t448(X) :- X is 7 rem -2.
:- test t449(X) => (X == 1) + not_fails # "[ISO 9.1]".
t449(X) :- X is mod(7, 3).
:- test t450(X) => (X == 1) + not_fails # "[ISO 9.1]".
t450(X) :- X is mod(-5, 3).
:- test t451(X) => (X == -1) + not_fails # "[ISO 9.1]".
t451(X) :- X is mod(7, -2).
:- test t452(X) + exception(error(type_error(evaluable, foo / 0), _)) # "[ISO 9.1]".
t452(X) :- X is mod(7, foo).
:- test t453(X) + exception(error(type_error(integer, 7.5), _)) # "[ISO 9.1]".
t453(X) :- X is mod(7.5, 2).
:- test t454(X) + exception(error(evaluation_error(zero_divisor), _)) # "[ISO 9.1]".
t454(X) :- X is mod(7, 0).
:- test t455(X) => (X == -4) + not_fails # "[ISO 9.1]".
t455(X) :- X is div(-7, 2).
:- test t456(X) => (X == 7) + not_fails # "[ISO 9.1]".
t456(X) :- X is floor(7.4).
:- test t457(X) => (X == -1) + not_fails # "[ISO 9.1]".
t457(X) :- X is floor(-0.4).
:- test t458(X) => (X == 8) + not_fails # "[ISO 9.1]".
t458(X) :- X is round(7.5).
:- test t459(X) => (X == -3) + not_fails # "[ISO 9.1]".
t459(X) :- X is round(-2.5).
:- test t460(X) => (X == 0) + not_fails # "[ISO 9.1]".
t460(X) :- X is ceiling(-0.5).
:- test t461(X) => (X == 0) + not_fails # "[ISO 9.1]".
t461(X) :- X is truncate(-0.5).
:- test t462(X) => (X == 7.0) + not_fails # "[ISO 9.1]".
t462(X) :- X is float(7).
:- test t463(X) + exception(error(type_error(evaluable, foo / 0), _)) # "[ISO 9.1]".
t463(X) :- X is float(foo).
:- test t464(X) => (X == 3.2) + not_fails # "[ISO 9.1]".
t464(X) :- X is abs(-3.2).
:- test t465(X) => (X == -1.0) + not_fails # "[ISO 9.1]".
t465(X) :- X is sign(-3.0).
:- test t466(X) => (X == 3) + not_fails # "[ISO 9.1]".
t466(X) :- X is max(2, 3).
:- test t467(X) => (X =:= 3) + not_fails # "[ISO 9.1]".
t467(X) :- X is max(3, 3.0).
:- test t468(X) => (X == 2) + not_fails # "[ISO 9.1]".
t468(X) :- X is min(2, 3.0).
:- test t469(X) + exception(error(type_error(evaluable, foo / 0), _)) # "[ISO 9.1]".
t469(X) :- X is min(0, foo).
:- test t470(X) => (X == 3.0) + not_fails # "[ISO 9.1]".
t470(X) :- X is float_integer_part(3.7).
:- test t471(X) => (X == 0.5) + not_fails # "[ISO 9.1]".
t471(X) :- X is float_fractional_part(1.5).

% 9.3 other arithmetic functions
:- test t472(X) => (X =:= 125) + not_fails # "[ISO 9.3]".
t472(X) :- X is '**'(5, 3).
:- test t473(X) => (X == -125.0) + not_fails # "[ISO 9.3]".
t473(X) :- X is '**'(-5.0, 3).
:- test t474(X) => (X == 125.0) + not_fails # "[ISO 9.3]".
t474(X) :- X is '**'(5, 3.0).
:- test t475(X) => (X == 1.0) + not_fails # "[ISO 9.3]".
t475(X) :- X is '**'(0.0, 0).
:- test t476(X) => (X == 1024) + not_fails # "[ISO 9.3]".
t476(X) :- X is 2 ^ 10.
:- test t477(X) + exception(error(type_error(float, 2), _)) # "[ISO 9.3]".
t477(X) :- X is 2 ^ (-1).
:- test t478(X) => (X == 1) + not_fails # "[ISO 9.3]".
t478(X) :- X is 1 ^ (-5).
:- test t479(X) => ((X > 2.82, X < 2.83)) + not_fails # "[ISO 9.3]".
t479(X) :- X is 2 ^ 1.5.
:- test t480(X) => (X == 0.0) + not_fails # "[ISO 9.3]".
t480(X) :- X is sin(0.0).
:- test t481(X) => (X == 1.0) + not_fails # "[ISO 9.3]".
t481(X) :- X is cos(0).
:- test t482(X) => (X == 0.0) + not_fails # "[ISO 9.3]".
t482(X) :- X is atan(0.0).
:- test t483(X) => ((X > 1.57, X < 1.58)) + not_fails # "[ISO 9.3]".
t483(X) :- X is atan2(1, 0.0).
:- test t484(X) => (X == 1.0) + not_fails # "[ISO 9.3]".
t484(X) :- X is exp(0).
:- test t485(X) => (X == 0.0) + not_fails # "[ISO 9.3]".
t485(X) :- X is log(1.0).
:- test t486(X) + exception(error(evaluation_error(undefined), _)) # "[ISO 9.3]".
t486(X) :- X is log(0).
:- test t487(X) + exception(error(evaluation_error(undefined), _)) # "[ISO 9.3]".
t487(X) :- X is log(-1).
:- test t488(X) => (X == 1.0) + not_fails # "[ISO 9.3]".
t488(X) :- X is sqrt(1).
:- test t489(X) + exception(error(evaluation_error(undefined), _)) # "[ISO 9.3]".
t489(X) :- X is sqrt(-1.0).
:- test t490(X) + exception(error(type_error(evaluable, foo / 0), _)) # "[ISO 9.3]".
t490(X) :- X is sqrt(foo).
:- test t491(X) + exception(error(evaluation_error(undefined), _)) # "[ISO 9.3]".
t491(X) :- X is acos(2).
:- test t492(X) => ((X > 3.14, X < 3.15)) + not_fails # "[ISO 9.3]".
t492(X) :- X is pi.

% 9.4 bitwise functions
:- test t493(X) => (X == 4) + not_fails # "[ISO 9.4]".
t493(X) :- X is 16 >> 2.
:- test t494(X) => (X == -4) + not_fails # "[ISO 9.4]".
t494(X) :- X is -16 >> 2.
:- test t495(X) => (X == 64) + not_fails # "[ISO 9.4]".
t495(X) :- X is 16 << 2.
:- test t496(X) + exception(error(type_error(evaluable, foo / 0), _)) # "[ISO 9.4]".
t496(X) :- X is foo >> 2.
:- test t497(X) + exception(error(type_error(integer, 1.0), _)) # "[ISO 9.4]".
t497(X) :- X is 1.0 >> 2.
:- test t498(X) => (X == 8) + not_fails # "[ISO 9.4]".
t498(X) :- X is 10 /\ 12.
:- test t499(X) => (X == 14) + not_fails # "[ISO 9.4]".
t499(X) :- X is 10 \/ 12.
:- test t500(X) => (X == 6) + not_fails # "[ISO 9.4]".
t500(X) :- X is xor(10, 12).
:- test t501(X) => (X == 10) + not_fails # "[ISO 9.4]".
t501(X) :- X is \ (\ 10).
:- test t502(X) => (X == -11) + not_fails # "[ISO 9.4]".
t502(X) :- X is \ 10.
:- test t503(X) + exception(error(type_error(integer, 1.5), _)) # "[ISO 9.4]".
t503(X) :- X is \ 1.5.
:- test t504(X, N) + exception(error(instantiation_error, _)) # "[ISO 9.4]".
t504(X, N) :- X is N /\ 2.
:- test t505(X) + exception(error(type_error(integer, 1.5), _)) # "[ISO 9.4]".
t505(X) :- X is 10 /\ 1.5.

