:- module(own_basiccontrol, [','/2, ;/2, (->)/2, (!)/0, (\+)/1, if/3, true/0, repeat/0],
   [noprelude, assertions, isomodes, nativeprops]).
:- doc(title, "Control").
:- true pred ','(A, B) : (callable(A), callable(B)) => (callable(A)) + iso.
:- primitive_meta_predicate(','(goal, goal)).
:- meta_predicate(((goal), (goal))).
:- meta_predicate(;(goal, goal)).
:- meta_predicate(->(goal, goal)).
:- meta_predicate(\+(goal)).
:- impl_defined([','/2, ;/2, (->)/2, (!)/0, (\+)/1, if/3]).
:- trust pred true + (sideff(free), native, eval).
(X, Y) :- undef((X, Y)).
(X ; Y) :- undef((X ; Y)).
(X -> Y) :- undef((X -> Y)).
! :- undef(!).
(\+ X) :- undef(\+ X).
true.
repeat.
repeat :- repeat.
undef(_).
