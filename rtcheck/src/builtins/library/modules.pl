% Loading and modules.

:- meta_predicate
    consult(:), ensure_loaded(:), load_files(:), load_files(:, ?), use_module(:), use_module(:, ?),
    current_predicate(:), predicate_property(:, ?), context_module(:), @(0, ?), import(:), export(:), initialization(0),
    current_predicate(?, :), initialization(0, ?), strip_module(:, ?, ?).

consult(Q) :- '$strip_module'(Q, M, Fs), '$load_each'(Fs, M, consult).
ensure_loaded(Q) :- '$strip_module'(Q, M, Fs), '$load_each'(Fs, M, ensure).
load_files(Q) :- consult(Q).
load_files(Q, Options) :-
    '$strip_module'(Q, M, Fs),
    ( memberchk(if(not_loaded), Options) -> Mode = ensure ; Mode = consult ),
    ( memberchk(stream(S), Options) ->
        '$read_rest'(S, Text), ( memberchk(imports(Imports), Options) -> true ; Imports = all ),
        '$load'(M:'$text'(Fs, Text), Mode, Imports)
    ; memberchk(imports(Imports), Options) -> '$load'(M:Fs, Mode, Imports) ; '$load_each'(Fs, M, Mode) ).
use_module(Q) :- '$strip_module'(Q, M, Fs), '$load_each'(Fs, M, module).
use_module(Q, Imports) :- '$strip_module'(Q, M, F), '$load'(M:F, module, Imports).
[F|Fs] :- consult([F|Fs]).
'$load_each'(Fs, _, _) :- var(Fs), !, throw(error(instantiation_error, _)).
'$load_each'([], _, _) :- !.
'$load_each'([F|Fs], M, Mode) :- !, '$load_each'(F, M, Mode), '$load_each'(Fs, M, Mode).
'$load_each'(F, M, Mode) :- '$load'(M:F, Mode, all).

% A predicate that its module does not know is looked for in the libraries for questions that mean one that is there.
'$autoloads'(defined).
'$autoloads'(visible).
'$autoloads'(meta_predicate(_)).
'$load_defining'(M:H) :-
    functor(H, N, A), '$library_of'(N, A, Library), '$load'(M:library(Library), module, [N/A]).

% A goal that its module does not know, and the library that defines it.
'$autoload'(Q, Library) :-
    '$strip_module'(Q, M, G),
    functor(G, N, A),
    ( '$load'(M:library(Library), module, [N/A]) -> call(M:G)
    ; throw(error(existence_error(procedure, M:N/A), _))
    ).

% '$in_context'(Body, Module, Context, Called): the body of a clause of a module that passes the module of who calls on.
'$in_context'(G, _, C, call(C:G)) :- var(G), !.
'$in_context'((A, B), M, C, (A1, B1)) :- !, '$in_context'(A, M, C, A1), '$in_context'(B, M, C, B1).
'$in_context'((A ; B), M, C, (A1 ; B1)) :- !, '$in_context'(A, M, C, A1), '$in_context'(B, M, C, B1).
'$in_context'((A -> B), M, C, (A1 -> B1)) :- !, '$in_context'(A, M, C, A1), '$in_context'(B, M, C, B1).
'$in_context'((A *-> B), M, C, (A1 *-> B1)) :- !, '$in_context'(A, M, C, A1), '$in_context'(B, M, C, B1).
'$in_context'(\+ A, M, C, \+ A1) :- !, '$in_context'(A, M, C, A1).
'$in_context'(M0:G, M, C, D) :- M0 == M, !, '$in_context'(G, M, C, D).
'$in_context'(M:G, _, _, M:G) :- !.
'$in_context'(@(G, M), _, _, @(G, M)) :- !.
'$in_context'(G, _, _, G) :- \+ callable(G), !.
'$in_context'(G, M, C, D) :- '$context_goal'(M:G, C, D).
@(G, M) :- '$at'(G, M, Called), call(Called).
module(M) :- '$set_module'(M).
import(Q) :- '$strip_module'(Q, M, S), ( is_list(S) -> '$import_all'(S, M, M) ; '$source_module'(To), '$import_all'(S, To, M) ).
'$import_all'(S, _, _) :- var(S), !, instantiation_error(S).
'$import_all'([], _, _) :- !.
'$import_all'([A|As], M, From) :- !, '$import_all'(A, M, From), '$import_all'(As, M, From).
'$import_all'((A, B), M, From) :- !, '$import_all'(A, M, From), '$import_all'(B, M, From).
'$import_all'(From:S, M, _) :- !, '$import_all'(S, M, From).
'$import_all'(S, M, From) :- ( M == From -> true ; '$import'(M, From, S) ).
export(Q) :- '$strip_module'(Q, M, S), '$export_all'(S, M).
'$export_all'(S, _) :- var(S), !, instantiation_error(S).
'$export_all'([], _) :- !.
'$export_all'([A|As], M) :- !, '$export_all'(A, M), '$export_all'(As, M).
'$export_all'((A, B), M) :- !, '$export_all'(A, M), '$export_all'(B, M).
'$export_all'(M:S, _) :- !, '$export_all'(S, M).
'$export_all'(S, M) :- '$export'(M, S).
initialization(G) :- call(G).
initialization(G, _) :- call(G).
strip_module(Q, M, G) :- '$strip_module'(Q, M, G).
'$each_of_module'(Gs, _, Gs) :- var(Gs), !.
'$each_of_module'([G|Gs], M, [M:G|Qs]) :- !, '$each_of_module'(Gs, M, Qs).
'$each_of_module'(Gs, _, Gs).
context_module(Q) :- '$strip_module'(Q, M, M).
current_module(M) :- '$modules'(Ms), ( atom(M) -> memberchk(M, Ms) ; member(M, Ms) ).
module_property(M, P) :- current_module(M), '$module_property'(P, M).
'$module_property'(file(F), M) :- '$module_file'(M, F0), '$absolute_text'(F0, F).
'$module_property'(exports(L), M) :- '$module_exports'(M, L).
'$module_property'(class(C), M) :- ( M == system -> C = system ; C = user ).
% Texts that changed since they were loaded. What one exports comes to `user` only if it came there before.
make :- '$changed_files'(Fs), forall(member(F-M, Fs), '$load_again'(F, M)).
'$load_again'(F, M) :- format("% loading ~w again~n", [F]), '$imports_again'(F, M, Into, Imports), '$load'(Into:F, consult, Imports).
'$imports_again'(F, M, M, all) :- \+ '$module_file'(M, F), !.
'$imports_again'(_, M, user, all) :-
    '$module_exports'(M, Es), member(N/A, Es), functor(H, N, A), predicate_property(user:H, imported_from(M)), !.
'$imports_again'(_, _, user, []).
% Messages call texts as whoever started the program does; programs that ask get the name from the root, as it was when
% the text was opened.
source_file(F) :- '$loaded_files'(Fs), member(F0, Fs), '$absolute_text'(F0, F).
source_location(F, L) :- '$open_file'(F0, _, L, _), '$absolute_text'(F0, F).
compiling :- '$open_file'(_, _, _, _).
prolog_load_context(K, V) :- '$load_context'(K, V).
'$load_context'(source, F) :- '$open_file'(F0, _, _, _), '$absolute_text'(F0, F).
'$load_context'(file, F) :- '$open_file'(F0, _, _, _), '$absolute_text'(F0, F).
'$load_context'(directory, D) :- '$open_file'(_, D, _, _).
'$load_context'(dialect, rtcheck).
'$load_context'(module, M) :- '$source_module'(M).
'$load_context'(term_position, '$stream_position'(0, L, 0, 0)) :- '$open_file'(_, _, L, _).

predicate_property(Q, P) :- nonvar(P), ( P = tabled ; P = tabled(_) ), !, '$strip_module'(Q, M, H), callable(H), '$is_tabled'(M, H, P).
predicate_property(Q, P) :-
    '$strip_module'(Q, M, H),
    ( nonvar(H), H = M1:H1, var(M1) ->
        '$modules'(Ms), member(M1, Ms), '$module_predicates'(M1, Is),
        ( callable(H1) -> functor(H1, N, A), memberchk(N/A, Is) ; member(N/A, Is), functor(H1, N, A) ),
        '$predicate_properties'(M1:H1, Ps)
    ; nonvar(H) ->
        ( '$predicate_properties'(M:H, Ps) -> true
        ; nonvar(P), '$autoloads'(P), callable(H), M \== system, '$load_defining'(M:H) -> '$predicate_properties'(M:H, Ps)
        )
    ;   '$modules'(Ms), member(M, Ms), '$module_predicates'(M, Is), member(N/A, Is), functor(H, N, A),
        '$predicate_properties'(M:H, Ps)
    ),
    (   nonvar(P), P = file(F) -> memberchk(file(F0), Ps), '$absolute_text'(F0, F)
    ;   nonvar(P) -> memberchk(P, Ps)
    ;   member(P0, Ps), ( P0 = file(F0) -> '$absolute_text'(F0, F), P = file(F) ; P = P0 )
    ).

% Predicates of programs: what a module defines, or imports from another one.
current_predicate(Q) :-
    '$strip_module'(Q, _, I0),
    nonvar(I0), I0 = M:I, var(M), !,
    '$modules'(Ms), member(M, Ms), '$visible_predicates'(M, Is), member(I, Is).
current_predicate(Q) :-
    '$strip_module'(Q, M, I0),
    ( nonvar(I0), I0 = N//A0, atom(N), integer(A0) -> A1 is A0 + 2, I = N/A1 ; I = I0 ),
    ( var(I) -> true
    ; I = N/A, ( var(N) ; atom(N) ), ( var(A) ; integer(A) ) -> true
    ; throw(error(type_error(predicate_indicator, I), _))
    ),
    I = N/A,
    ( atom(N), integer(A) ->
        ( A >= 0 -> true ; domain_error(not_less_than_zero, A) ), functor(H, N, A), '$program_predicate'(M:H)
    ;   '$visible_predicates'(M, Is), member(N/A, Is)
    ).
current_predicate(N, Q) :-
    '$strip_module'(Q, M, H),
    ( nonvar(H), H = M1:H1, var(M1) ->
        '$modules'(Ms), member(M1, Ms), '$visible_predicates'(M1, Is), member(N/A, Is), functor(H1, N, A)
    ; nonvar(H) ->
        functor(H, N, _), '$program_predicate'(M:H)
    ;   '$visible_predicates'(M, Is), member(N/A, Is), functor(H, N, A)
    ).
