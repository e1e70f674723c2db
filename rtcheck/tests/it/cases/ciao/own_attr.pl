:- module(own_attr, [dom/2], [attr, assertions]).
:- use_module(engine(attributes)).
:- use_module(library(freeze)).
:- use_module(library(when)).
:- use_module(library(dif)).
:- attribute d/1.
dom(X, D) :- var(D), !, get_attr_local(X, D).
dom(X, D) :- put_attr_local(X, D).
attr_unify_hook(D, Y) :- member_(Y, D).
member_(X, [X|_]).
member_(X, [_|T]) :- member_(X, T).
attribute_goals(X) --> { get_attr_local(X, D) }, [dom(X, D)].
:- multifile verify_attribute/2, combine_attributes/2.
verify_attribute(x, _).
combine_attributes(_, _).
