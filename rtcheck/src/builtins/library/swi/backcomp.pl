:- module(backcomp,
    [ord_intersect/3, concat/3, write_ln/1, setup_and_call_cleanup/3, checklist/2, proper_list/1, free_variables/2, merge_set/3,
     sublist/3, hash_term/2, on_exception/3, raise_exception/1, otherwise/0, genarg/3, unix/1, midstring/3,
     midstring/4, midstring/5, midstring/6, atom_char/2, simple/1, 'C'/3, string_to_list/2, flush/0, current_thread/2,
     read_variables/2, read_variables/3, abs/2, sin/2, cos/2, tan/2, sqrt/2, log/2,
     reconsult/1, unknown/2]).

% Names from SWI-Prolog's libraries backcomp, edinburgh and quintus, for old programs.

:- meta_predicate setup_and_call_cleanup(0, 0, 0), checklist(1, ?), sublist(1, ?, ?), on_exception(?, 0, 0), reconsult(:).

concat(A, B, C) :- atomic_list_concat([A, B], C).
write_ln(X) :- writeln(X).
setup_and_call_cleanup(Setup, Goal, Cleanup) :- setup_call_cleanup(Setup, Goal, Cleanup).
checklist(Goal, List) :- maplist(Goal, List).
proper_list(List) :- is_list(List).
free_variables(Term, Variables) :- term_variables(Term, Variables).
merge_set(A, B, Set) :- append(A, B, All), sort(All, Set).
sublist(Goal, List, Part) :- include(Goal, List, Part).
hash_term(Term, Hash) :- term_hash(Term, Hash).
string_to_list(Text, Codes) :- ( nonvar(Text) -> atom_codes(Text, Codes) ; atom_codes(Atom, Codes), atom_string(Atom, Text) ).
flush :- flush_output.
current_thread(main, running).
read_variables(Term, Names) :- read_term(Term, [variable_names(Names)]).
read_variables(Stream, Term, Names) :- read_term(Stream, Term, [variable_names(Names)]).

on_exception(Ball, Goal, Handler) :- catch(Goal, Ball, Handler).
raise_exception(Ball) :- throw(Ball).
otherwise.
genarg(N, Term, Arg) :- arg(N, Term, Arg).
unix(Command) :-
    ( Command = system(C) -> shell(C) ; Command = shell(C) -> shell(C) ; Command = cd(D) -> working_directory(_, D)
    ; Command = argv(Argv) -> current_prolog_flag(argv, Argv) ; domain_error(unix_command, Command)
    ).
midstring(Whole, Part, Fragments) :- midstring(Whole, Part, Fragments, _).
midstring(Whole, Part, Fragments, Before) :- midstring(Whole, Part, Fragments, Before, _).
midstring(Whole, Part, Fragments, Before, Length) :- midstring(Whole, Part, Fragments, Before, Length, _).
midstring(Whole, Part, Fragments, Before, Length, After) :-
    sub_atom(Whole, Before, Length, After, Part),
    sub_atom(Whole, 0, Before, _, Front), sub_atom(Whole, _, After, 0, Back), atom_concat(Front, Back, Fragments).
atom_char(Char, Code) :- char_code(Char, Code).
simple(X) :- ( var(X) -> true ; atomic(X) ).
'C'([X|Xs], X, Xs).
abs(X, Y) :- Y is abs(X).
sin(X, Y) :- Y is sin(X).
cos(X, Y) :- Y is cos(X).
tan(X, Y) :- Y is tan(X).
sqrt(X, Y) :- Y is sqrt(X).
log(X, Y) :- Y is log(X).

reconsult(File) :- consult(File).
unknown(Old, New) :- current_prolog_flag(unknown, Old), ( Old == New -> true ; set_prolog_flag(unknown, New) ).

ord_intersect(A, B, Both) :- ord_intersection(A, B, Both).
