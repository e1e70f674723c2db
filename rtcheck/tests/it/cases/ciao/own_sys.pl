:- module(own_sys, [time_struct/1, where/1, try/1], [assertions, isomodes, regtypes, foreign_interface]).
:- use_module(library(lists), [append/3]).
:- doc(title, "Operating system utilities").
:- regtype time_struct(X) # "time".
time_struct(datime(Y,M,D,H,Mi,S)) :- int(Y), int(M), int(D), int(H), int(Mi), int(S).
:- trust pred pause(S) : int(S) => int(S) + (sideff(soft), not_fails).
:- impl_defined(pause/1).
:- pred where(P) => atm(P) # "dir".
where(P) :- working_directory(P, P).
:- use_module(library(system), [working_directory/2, cd/1]).
:- trust pred time(-int) => int.
:- trust success time(Time) => int(Time).
:- impl_defined([time/1]).
:- meta_predicate try(goal).
try(G) :- catch(G, error(system_error(_), _), fail).
:- trust comp try(G) + sideff(hard).
:- multifile define_flag/3.
define_flag(fileerrors, [on, off], on).
:- doc(define_flag/3, "flag").
