:- module(own_err, [protect/1, handle/2, msg//1, twice/1], [assertions, dcg, datafacts, define_flag]).
:- use_module(library(errhandle)).
:- use_module(library(messages), [error_message/1, error_message/2, error_message/3, show_message/3, simple_message/2, debug_message/2, note_message/2]).
:- use_module(engine(messages_basic), [message/2, messages/1]).
:- use_module(engine(exceptions)).
:- use_module(engine(prolog_flags), [set_prolog_flag/2, prolog_flag/3, push_prolog_flag/2, pop_prolog_flag/1]).
:- data error_seen/1.
:- data count/2.
define_flag(own_flag, [on, off], off).
:- meta_predicate protect(goal).
protect(G) :- catch(G, E, handle(E, G)).
handle(error(type_error(T,V), P), _) :- !, error_message("in ~w: ~w ~w", [P,T,V]), assertz_fact(error_seen(T)).
handle(E, _) :- message(error, ['uncaught: ', ''(E), [](E), ~~(E), '$$'(E)]), throw(E).
:- meta_predicate twice(fact).
twice(F) :- retract_fact(F), assertz_fact(F), \+ \+ current_fact(F).
msg(M) --> ['error: '], [M], !.
msg(_) --> { true }.
:- push_prolog_flag(multi_arity_warnings, off).
t(1). t(1,2).
:- pop_prolog_flag(multi_arity_warnings).
:- push_prolog_flag(discontiguous_warnings, off).
:- set_prolog_flag(single_var_warnings, off).
