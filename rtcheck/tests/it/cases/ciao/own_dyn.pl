:- module(own_dyn, _, [dynamic, assertions, iso_byte_char, iso_char, iso_incomplete, mutables, nonpure]).
:- use_module(library(dynamic)).
:- use_module(library(iso_char)).
:- use_module(library(iso_incomplete)).
:- use_module(library(mutables)).
:- use_module(library(between)).
:- use_module(library(old_database)).
:- use_module(library(prolog_sys), [statistics/2, garbage_collect/0, predicate_property/2, new_atom/1]).
:- use_module(library(concurrency), [eng_call/4, eng_release/1, lock_atom/1, unlock_atom/1, concurrent/1]).
:- use_module(library(compiler), [use_module/1, ensure_loaded/1, unload/1, use_module/3]).
:- use_module(library(port_reify)).
:- dynamic([q/1, r/2]).
:- multifile hook/2.
:- discontiguous hook/2.
:- multifile portray/1.
:- concurrent queue/1.
:- data([d/1, e/2]).
q(1).
hook(a, B) :- B = 1.
m(X) :- create_mutable(1, M), update_mutable(2, M), get_mutable(X, M).
eng :- eng_call(true, wait, self, _), eng_call(true, create, create, Id), eng_release(Id).
l :- lock_atom(x), unlock_atom(x).
chars(X) :- atom_chars(X, Cs), Cs = [_|_], char_code(a, _), get_char(_).
:- initialization((assertz(q(2)), retract(q(2)))).
