:- module(prolog_xref,
    [xref_source/1, xref_source/2, xref_called/3, xref_called/4, xref_defined/3, xref_definition_line/2, xref_exported/2,
     xref_module/2, xref_uses_file/3, xref_op/2, xref_clean/1, xref_current_source/1, xref_done/2]).

% SWI-Prolog's library(prolog_xref): what a text defines and calls, without loading it.

:- dynamic([read_at/2, called/4, defined/3, exported/2, module_of/2, uses/3, operator/2]).

xref_source(Source) :- xref_source(Source, []).
xref_source(Source0, _) :-
    prolog_canonical_source(Source0, Source),
    xref_clean(Source),
    setup_call_cleanup(prolog_open_source(Source, In), collected(In, Source), prolog_close_source(In)),
    get_time(Time), assertz(read_at(Source, Time)).

xref_clean(Source0) :-
    prolog_canonical_source(Source0, Source),
    retractall(read_at(Source, _)), retractall(called(Source, _, _, _)), retractall(defined(Source, _, _)),
    retractall(exported(Source, _)), retractall(module_of(Source, _)), retractall(uses(Source, _, _)),
    retractall(operator(Source, _)).

collected(In, Source) :-
    prolog_read_source_term(In, Term, Expanded, [term_position(Position)]),
    (   Term == end_of_file -> true
    ;   stream_position_data(line_count, Position, Line),
        ( is_list(Expanded) -> forall(member(One, Expanded), noted(One, Source, Line)) ; noted(Expanded, Source, Line) ),
        collected(In, Source)
    ).

noted(Term, _, _) :- var(Term), !.
noted((:- Directive), Source, Line) :- !, directive(Directive, Source, Line).
noted((?- Goal), Source, Line) :- !, calls(Goal, '<directive>'(Line), Source, Line).
noted((Head :- Body), Source, Line) :- !, defines(Head, local(Line), Source, General), calls(Body, General, Source, Line).
noted(Head, Source, Line) :- defines(Head, local(Line), Source, _).

defines(Head0, How, Source, General) :-
    ( nonvar(Head0), Head0 = _:Head -> true ; Head = Head0 ),
    (   callable(Head)
    ->  functor(Head, Name, N), functor(General, Name, N),
        ( defined(Source, General, _) -> true ; assertz(defined(Source, General, How)) )
    ;   General = Head
    ).

directive(Goal, _, _) :- var(Goal), !.
directive((A, B), Source, Line) :- !, directive(A, Source, Line), directive(B, Source, Line).
directive(module(Module, Exports), Source, _) :- is_list(Exports), !,
    assertz(module_of(Source, Module)),
    forall(member(Export, Exports), exports(Export, Source)).
directive(dynamic(Specs), Source, Line) :- !, declared(Specs, dynamic(Line), Source).
directive(multifile(Specs), Source, Line) :- !, declared(Specs, multifile(Line), Source).
directive(op(P, T, N), Source, _) :- !, assertz(operator(Source, op(P, T, N))).
directive(use_module(File), Source, _) :- !, used(File, Source).
directive(use_module(File, _), Source, _) :- !, used(File, Source).
directive(ensure_loaded(File), Source, _) :- !, used(File, Source).
directive(initialization(Goal), Source, Line) :- !, calls(Goal, '<directive>'(Line), Source, Line).
directive(initialization(Goal, _), Source, Line) :- !, calls(Goal, '<directive>'(Line), Source, Line).
directive(Goal, Source, Line) :- calls(Goal, '<directive>'(Line), Source, Line).

exports(op(P, T, N), Source) :- !, assertz(operator(Source, op(P, T, N))).
exports(Spec, Source) :- ( general(Spec, Head) -> assertz(exported(Source, Head)) ; true ).
general(Name/N, Head) :- atom(Name), integer(N), functor(Head, Name, N).
general(Name//N0, Head) :- atom(Name), integer(N0), N is N0+2, functor(Head, Name, N).

declared(Specs, _, _) :- var(Specs), !.
declared([], _, _) :- !.
declared([A|B], How, Source) :- !, declared(A, How, Source), declared(B, How, Source).
declared((A, B), How, Source) :- !, declared(A, How, Source), declared(B, How, Source).
declared(_:Spec, How, Source) :- !, declared(Spec, How, Source).
declared(Spec, How, Source) :- ( general(Spec, Head) -> defines(Head, How, Source, _) ; true ).

used(Files, _) :- var(Files), !.
used([], _) :- !.
used([File|Files], Source) :- !, used(File, Source), used(Files, Source).
used(File, Source) :-
    ( catch(absolute_file_name(File, Path, [file_type(prolog), access(read), file_errors(fail)]), _, fail) -> true ; Path = '<not_found>' ),
    assertz(uses(Source, File, Path)).

% Goals in a body, and in what control constructs and predicates over goals get.
calls(Goal, _, _, _) :- var(Goal), !.
calls(_:Goal, By, Source, Line) :- !, calls(Goal, By, Source, Line).
calls(Goal, By, Source, Line) :- control(Goal), !, forall(arg(_, Goal, Part), calls(Part, By, Source, Line)).
calls(Goal, By, Source, Line) :- callable(Goal), !,
    functor(Goal, Name, N), functor(General, Name, N),
    ( called(Source, General, By0, _), By0 == By -> true ; assertz(called(Source, General, By, Line)) ),
    ( catch(predicate_property(system:General, meta_predicate(Meta)), _, fail) -> forall(arg(I, Meta, M), passed(M, I, Goal, By, Source, Line)) ; true ).
calls(_, _, _, _).
control((_, _)).
control((_ ; _)).
control((_ -> _)).
control((_ *-> _)).
control(\+ _).
passed(More, I, Goal, By, Source, Line) :- integer(More), !,
    arg(I, Goal, Part0),
    ( nonvar(Part0), Part0 = _:Part -> true ; Part = Part0 ),
    (   More =:= 0 -> calls(Part, By, Source, Line)
    ;   callable(Part) -> Part =.. List0, length(Missing, More), append(List0, Missing, List), Called =.. List, calls(Called, By, Source, Line)
    ;   true
    ).
passed(_, _, _, _, _, _).

xref_called(Source0, Called, By) :- xref_called(Source0, Called, By, _).
xref_called(Source0, Called, By, Line) :- known(Source0, Source), called(Source, Called, By, Line).
xref_defined(Source0, Head, How) :- known(Source0, Source), defined(Source, Head, How).
xref_definition_line(How, Line) :- How =.. [_, Line|_], integer(Line).
xref_exported(Source0, Head) :- known(Source0, Source), exported(Source, Head).
xref_module(Source0, Module) :- known(Source0, Source), module_of(Source, Module).
xref_uses_file(Source0, Spec, Path) :- known(Source0, Source), uses(Source, Spec, Path).
xref_op(Source0, Operator) :- known(Source0, Source), operator(Source, Operator).
xref_current_source(Source) :- read_at(Source, _).
xref_done(Source0, Time) :- known(Source0, Source), read_at(Source, Time).
known(Source0, Source) :- ( var(Source0) -> Source = Source0, read_at(Source, _) ; prolog_canonical_source(Source0, Source) ).
