:- module(ansi_term, [ansi_format/3]).

% SWI-Prolog's library(ansi_term): colours are for terminals, and output here is plain.

ansi_format(_, Format, Args) :- format(Format, Args).
