:- module(own_regexp, [p/1, r/2], [regexp, assertions]).
:- use_module(library(regexp/regexp_code)).
p(X) :- X =~ "a.*b".
r(X, Y) :- match_posix("ab*", X, [], Y).
