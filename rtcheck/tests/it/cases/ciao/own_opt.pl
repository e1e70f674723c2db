:- module(own_opt, [main/1], [getopts, assertions, optparse]).
:- use_module(library(getopts), [getopts/4]).
:- use_module(library(streams)).
:- use_module(library(ctrlcclean), [ctrlc_clean/1]).
main(Args) :- getopts(Args, ['-h'/0, '-o'/1], Opts, Rest), display(Opts-Rest), nl.
