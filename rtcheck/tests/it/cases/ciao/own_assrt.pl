:- module(own_assrt, [read_all/1, norm/2], [assertions, regtypes, datafacts, hiord]).
:- use_module(library(assertions/assertions_props)).
:- use_module(library(assertions/assrt_lib)).
:- use_module(library(assertions/assrt_write)).
:- use_module(library(assertions/native_props)).
:- use_module(library(assertions/c_itf_props)).
:- use_module(library(compiler/c_itf)).
:- use_module(library(rtchecks/rtchecks_utils)).
:- use_module(library(rtchecks/rtchecks_rt)).
:- op(978, xfx, (::)).
:- op(1150, fx, [pred, prop]).
:- data pgm/2.
read_all(F) :- pgm(F, _).
norm((H :: D : C => A + P # Co), X) :- X = (H, D, C, A, P, Co).
norm((:- pred A), A).
norm(pred(A), A).
