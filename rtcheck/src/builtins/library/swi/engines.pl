:- module(engines,
    [engine_create/3, engine_create/4, engine_next/2, engine_next_reified/2, engine_post/2, engine_post/3,
     engine_yield/1, engine_fetch/1, engine_destroy/1, engine_self/1, is_engine/1, current_engine/1]).

% SWI-Prolog's engines. One is '$engine'(Number), or the name that its alias says.

:- meta_predicate engine_create(?, 0, ?), engine_create(?, 0, ?, ?).
:- dynamic alias/2.

engine_create(Template, Goal, Engine) :- engine_create(Template, Goal, Engine, []).

engine_create(Template, Goal, Engine, Options) :-
    must_be(callable, Goal), must_be(list, Options),
    ( memberchk(alias(Name), Options) -> must_be(atom, Name), Named = true ; Named = false ),
    ( ( var(Engine) ; Named == true, Engine == Name ) -> true ; uninstantiation_error(Engine) ),
    (   Named == true ->
        ( alias(Name, Known), '$engine_exists'(Known) -> permission_error(create, engine, Name) ; true ),
        '$engine_create'(Template-Goal, Number),
        retractall(alias(Name, _)), assertz(alias(Name, Number)),
        Engine = Name
    ;   '$engine_create'(Template-Goal, Number),
        Engine = '$engine'(Number)
    ).

number(Engine, Number) :-
    (   var(Engine) -> instantiation_error(Engine)
    ;   known(Engine, Number) -> true
    ;   ( Engine = '$engine'(_) ; atom(Engine) ) -> existence_error(engine, Engine)
    ;   type_error(engine, Engine)
    ).

known('$engine'(Number), Number) :- '$engine_exists'(Number).
known(Name, Number) :- atom(Name), alias(Name, Number), '$engine_exists'(Number).

engine_next(Engine, Term) :- number(Engine, Number), '$engine_next'(Number, Answer), Term = Answer.

engine_next_reified(Engine, Term) :-
    number(Engine, Number),
    catch(( '$engine_next'(Number, Answer) -> Term0 = the(Answer) ; Term0 = no ), Ball, Term0 = exception(Ball)),
    Term = Term0.

engine_post(Engine, Term) :-
    number(Engine, Number),
    ( '$engine_post'(Number, Term) -> true ; permission_error(post_to, engine, Engine) ).
engine_post(Engine, Term, Answer) :- engine_post(Engine, Term), engine_next(Engine, Answer).

engine_fetch(Term) :-
    (   '$engine_fetch'(Posted) -> Term = Posted
    ;   ( engine_self(Engine) -> true ; Engine = main ),
        existence_error(term, delivery, Engine)
    ).

engine_yield(Term) :-
    ( '$engine_keep'(Term) -> true ; '$engine_self'(_) -> permission_error(yield, engine, Term)
    ; throw(error(permission_error(yield, engine, main), _)) ),
    '$engine_stop'.

engine_destroy(Engine) :-
    (   nonvar(Engine), ( Engine = '$engine'(Ended), integer(Ended) ; alias(Engine, Ended) ),
        \+ '$engine_exists'(Ended), '$engine_destroy'(Ended) -> true
    ;   number(Engine, Number),
        ( '$engine_destroy'(Number) -> true ; permission_error(destroy, engine, Engine) )
    ).

engine_self(Engine) :- '$engine_self'(Number), handle(Number, Engine0), Engine = Engine0.

is_engine(Engine) :- nonvar(Engine), once(known(Engine, _)).

current_engine(Engine) :- '$engine_numbers'(Numbers), member(Number, Numbers), handle(Number, Engine).

handle(Number, Engine) :- ( alias(Name, Number) -> Engine = Name ; Engine = '$engine'(Number) ).
