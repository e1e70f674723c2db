:- module(arithmetic, [arithmetic_function/1, arithmetic_expression_value/2]).

% Functions of a program's own in arithmetic, as in SWI-Prolog: a goal with a call of one is expanded when it is
% loaded, into the call of the predicate, which has the value as its last argument, and the goal over that value.

:- meta_predicate arithmetic_function(:), arithmetic_expression_value(:, -).

% Name, number of arguments, and the module of the predicate.
:- dynamic evaluable/3.

arithmetic_function(Module:Spec) :-
    must_be(ground, Spec),
    ( Spec = Name/Arity, atom(Name), integer(Arity) -> true ; type_error(predicate_indicator, Spec) ),
    ( evaluable(_, _, _) -> true ; assertz((system:goal_expansion(G0, G) :- arithmetic:expansion(G0, G))) ),
    ( evaluable(Name, Arity, Module) -> true ; assertz(evaluable(Name, Arity, Module)) ).

arithmetic_expression_value(Module:Expression, Value) :-
    evaluated(Expression, Module, Simple, Goals),
    call(Module:Goals),
    Value is Simple.

expansion(Goal0, Goal) :-
    arithmetic_goal(Goal0),
    prolog_load_context(module, Module),
    Goal0 =.. [Name|Arguments0],
    (   Name == is
    ->  Arguments0 = [Value, Expression0],
        evaluated(Expression0, Module, Expression, Goals),
        Arguments = [Value, Expression]
    ;   all_evaluated(Arguments0, Module, Arguments, Goals)
    ),
    Goals \== true,
    Goal1 =.. [Name|Arguments],
    Goal = (Goals, Goal1).

arithmetic_goal(_ is _).
arithmetic_goal(_ =:= _).
arithmetic_goal(_ =\= _).
arithmetic_goal(_ < _).
arithmetic_goal(_ =< _).
arithmetic_goal(_ > _).
arithmetic_goal(_ >= _).

evaluated(Expression, _, Expression, true) :- \+ callable(Expression), !.
evaluated(Expression0, Module, Expression, Goals) :-
    Expression0 =.. [Name|Arguments0],
    all_evaluated(Arguments0, Module, Arguments, Goals0),
    length(Arguments, Arity),
    (   evaluable(Name, Arity, Home),
        visible(Module, Name, Arity, Home)
    ->  append(Arguments, [Value], All),
        Call =.. [Name|All],
        joined(Goals0, Home:Call, Goals),
        Expression = Value
    ;   Goals0 == true
    ->  Expression = Expression0, Goals = true
    ;   Expression =.. [Name|Arguments], Goals = Goals0
    ).

all_evaluated([], _, [], true).
all_evaluated([E0|Es0], Module, [E|Es], Goals) :-
    evaluated(E0, Module, E, Goals1),
    all_evaluated(Es0, Module, Es, Goals2),
    joined(Goals1, Goals2, Goals).

joined(true, Goals, Goals) :- !.
joined(Goals, true, Goals) :- !.
joined(Goals1, Goals2, (Goals1, Goals2)).

% A function counts where its predicate is the one that the module would call.
visible(Module, _, _, Module) :- !.
visible(_, _, _, user) :- !.
visible(Module, Name, Arity, Home) :-
    Arity1 is Arity+1,
    functor(Head, Name, Arity1),
    predicate_property(Module:Head, imported_from(Home)).
