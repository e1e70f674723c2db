:- module(own_make, _, [make, fsyntax, assertions, regtypes]).
:- use_module(library(make/make_rt), [verbose_message/2]).
:- use_module(library(make/system_extra), [cp/2]).
all <= [a, b] # "all" :- verbose_message("x", []).
a <- [] :- true.
