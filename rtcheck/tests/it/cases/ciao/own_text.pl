:- module(own_text, [a/1, b/1, c//2], [assertions, dcg, strings, regtypes]).
:- use_module(library(strings), [whitespace/2, whitespace0/2, string/3, get_line/1, write_string/1]).
:- use_module(library(ttyout), [ttynl/0, ttydisplay/1, ttyput/1, ttyflush/0]).
:- use_module(library(dec10_io)).
:- use_module(library(pretty_print), [pretty_print/2, pretty_print/3]).
:- use_module(library(vndict), [create_pretty_dict/2, rename/2, null_dict/1, varnamesl2dict/2, complete_dict/3]).
:- use_module(library(operators), [op/3, current_op/3, current_infixop/4, current_prefixop/3]).
:- use_module(library(listing), [listing/1]).
:- use_module(library(read_from_string), [read_from_string/2, read_from_atom/2, read_from_string_atmvars/2]).
:- use_module(library(numlists), [sum_list/2, get_primes/2]).
:- use_module(library(formulae)).
:- use_module(library(keys)).
a("text with \"quotes\" and \x41\ and \n\t \
continued").
b(0.5e-3). b(1.0Inf). b(16'FF). b(0x1f). b(0b101). b(0o17). b("" ). b('a\
b'). b(- 1). b(-(1)). b(a:b:c). b({a,b}). b('\\').
c(X, Y) --> whitespace, string(X), "," , { Y = X }, !, whitespace0.
c(_, _) --> "a" | "b".
