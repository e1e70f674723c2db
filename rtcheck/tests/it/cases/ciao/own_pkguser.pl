:- module(own_pkguser, [main/0, p/1], [.(own_pkg), assertions]).
:- own_decl foo.
p(X) ===> X = a_term.
new.
main :- p(X), old, display(X), nl.
