:- module(own_unit, [], [assertions, unittestdecls, nativeprops, regtypes, isomodes]).
:- use_module(library(unittest), [run_tests/3, run_tests_in_module/2]).
:- use_module(library(unittest/unittest_props)).
:- load_test_module(library(lists), [append/3]).
:- load_test_package(hiord).
:- export(p/2).
:- test p(A, B) : (A = 1) => (B == 2) + (not_fails, times(2), timeout(1000)).
:- test p(A, B) : (A = a) + exception(error(type_error(_,_),_)).
:- test p(A, _) : (A = 3) + (fails, setup(true), cleanup(true)).
:- test p(A, _) + user_output("x").
:- texec p(A, B) : (A = 1).
:- check test p(A,B) : (A = 1) => (B = 2).
p(X, Y) :- Y is X+1.
