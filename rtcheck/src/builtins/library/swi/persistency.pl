:- module(persistency,
    [(persistent)/1, current_persistent_predicate/1, db_attach/2, db_attached/1, db_detach/0, db_sync/1, db_sync_all/1,
     op(1150, fx, persistent)]).

% SWI-Prolog's library(persistency): facts of a module that a file keeps. `:- persistent point(x:integer, y:integer).`
% defines assert_point/2, asserta_point/2, retract_point/2 and retractall_point/2, which change the facts and note in the
% file what they did. Attaching a file does what it says; rewriting it (`gc`) leaves one line for each fact.

:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.
:- meta_predicate db_attach(:, +), db_attached(:), db_sync(:), current_persistent_predicate(:).

% declared(Module, Head, Types), attached(Module, File, Sync), opened(Module, Stream)
:- dynamic declared/3, attached/3, opened/2.

user:term_expansion((:- persistent(Specs)), Clauses) :-
    prolog_load_context(module, Module),
    findall(Clause, ( persistency:declared_in(Specs, Spec), persistency:clause_of(Module, Spec, Clause) ), Clauses).

persistent(Specs) :- throw(error(context_error(nodirective, persistent(Specs)), _)).

declared_in(Specs, Spec) :- nonvar(Specs), Specs = (A, B), !, ( declared_in(A, Spec) ; declared_in(B, Spec) ).
declared_in(Spec, Spec).

clause_of(Module, Spec, Clause) :-
    must_be(callable, Spec),
    Spec =.. [Name|Fields], length(Fields, Arity), types(Fields, Types), functor(Head, Name, Arity),
    (   Clause = (:- dynamic(Name/Arity))
    ;   Clause = (:- persistency:declare(Module, Head, Types))
    ;   Head =.. [Name|Values],
        member(Change, [assert, asserta, retract, retractall]),
        atomic_list_concat([Change, '_', Name], Command), NewHead =.. [Command|Values],
        Clause = (NewHead :- persistency:Call), Call =.. [Change, Module, Head, Types]
    ).

types([], []).
types([Field|Fields], [Type|Types]) :- ( nonvar(Field), Field = _:Type0 -> Type = Type0 ; Type = any ), types(Fields, Types).

declare(Module, Head, Types) :- ( declared(Module, Head, _) -> true ; assertz(declared(Module, Head, Types)) ).

current_persistent_predicate(Module:Name/Arity) :-
    declared(Module, Head, _), functor(Head, Name0, Arity),
    member(Prefix, ['', assert_, asserta_, retract_, retractall_]), atom_concat(Prefix, Name0, Name).

assert(Module, Fact, Types) :- typed(Fact, Types), assertz(Module:Fact), note(Module, assert(Fact)).
asserta(Module, Fact, Types) :- typed(Fact, Types), asserta(Module:Fact), note(Module, asserta(Fact)).
retract(Module, Fact, _) :- retract(Module:Fact), note(Module, retract(Fact)).
retractall(Module, Fact, _) :-
    aggregate_all(count, Module:Fact, Count),
    ( Count =:= 0 -> true ; retractall(Module:Fact), note(Module, retractall(Fact, Count)) ).

typed(Fact, Types) :- Fact =.. [_|Values], maplist(must_be, Types, Values).

note(Module, Change) :-
    (   attached(Module, File, Sync) -> true
    ;   existence_error(db_file, Module)
    ),
    stream_of(Module, File, Stream),
    format(Stream, '~k.~n', [Change]),
    ( Sync == close -> closed(Module) ; Sync == none -> true ; flush_output(Stream) ).

stream_of(Module, _, Stream) :- opened(Module, Stream0), !, Stream = Stream0.
stream_of(Module, File, Stream) :-
    ( exists_file(File) -> Is = old ; Is = new ),
    open(File, append, Stream, [encoding(utf8)]),
    assertz(opened(Module, Stream)),
    ( Is == old -> true ; created(Stream) ).
created(Stream) :- get_time(Now), format(Stream, '~k.~n', [created(Now)]).
closed(Module) :- forall(retract(opened(Module, Stream)), close(Stream)).

db_attach(Module:Name, Options) :-
    absolute_file_name(Name, File),
    option(sync(Sync), Options, flush),
    must_be(oneof([close, flush, none]), Sync),
    (   attached(Module, Other, _), Other \== File -> permission_error(attach, db, File)
    ;   retract(attached(Module, File, _)) -> true
    ;   redone(Module, File)
    ),
    assertz(attached(Module, File, Sync)).

redone(_, File) :- \+ exists_file(File), !.
redone(Module, File) :-
    setup_call_cleanup(open(File, read, Stream, [encoding(utf8)]), changes(Stream, Module), close(Stream)).
changes(Stream, Module) :-
    read_term(Stream, Change, [module(Module)]),
    ( Change == end_of_file -> true ; change(Change, Module), changes(Stream, Module) ).
change(created(_), _).
change(assert(Fact), Module) :- known(Module, Fact), assertz(Module:Fact).
change(asserta(Fact), Module) :- known(Module, Fact), asserta(Module:Fact).
change(retract(Fact), Module) :- known(Module, Fact), ignore(retract(Module:Fact)).
change(retractall(Fact, _), Module) :- known(Module, Fact), retractall(Module:Fact).
% A file may not change what is not the module's own to keep.
known(Module, Fact) :- ( declared(Module, Fact, _) -> true ; permission_error(modify, persistent, Module:Fact) ).

db_attached(Module:File) :- attached(Module, File, _).

% That of `user`, or the only one.
db_detach :-
    findall(Module, attached(Module, _, _), Modules),
    ( memberchk(user, Modules) -> detached(user) ; Modules = [Module] -> detached(Module) ; true ).
detached(Module) :-
    closed(Module), retractall(attached(Module, _, _)), emptied(Module).
emptied(Module) :- forall(declared(Module, Head, _), retractall(Module:Head)).

db_sync(Module:What) :- must_be(nonvar, What), ( attached(Module, File, _) -> synchronized(What, Module, File) ; true ).
synchronized(reload, Module, File) :- !, closed(Module), emptied(Module), redone(Module, File).
synchronized(update, Module, File) :- !, synchronized(reload, Module, File).
synchronized(close, Module, _) :- !, closed(Module).
synchronized(detach, Module, _) :- !, closed(Module), retractall(attached(Module, _, _)).
synchronized(What, Module, File) :- ( What == gc ; What = gc(_) ), !, closed(Module), rewritten(Module, File).
synchronized(nop, _, _) :- !.
synchronized(What, _, _) :- domain_error(db_sync, What).

% The new text takes the place of the old one when it is whole.
rewritten(Module, File) :-
    atom_concat(File, '.new', New),
    setup_call_cleanup(open(New, write, Stream, [encoding(utf8)]),
        ( created(Stream),
          forall(( declared(Module, Head, _), Module:Head ), format(Stream, '~k.~n', [assert(Head)])) ),
        close(Stream)),
    rename_file(New, File).

db_sync_all(What) :- findall(Module, attached(Module, _, _), Modules), forall(member(Module, Modules), db_sync(Module:What)).
