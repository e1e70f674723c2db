:- module(_, [], [doccomments]).
:- use_module(library(lpdist/ciao_config_options)).
:- include(library(lpdoc/docpkg)).
