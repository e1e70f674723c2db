:- module(own_sicstus, [p/1], [classic, dcg, block]).
:- block p(-).
p(X) :- X = 1.
:- meta_predicate q(:).
q(_).
:- public foo/2.
foo(1, 2).
