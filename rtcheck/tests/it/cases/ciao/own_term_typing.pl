:- module(own_term_typing, [var/1, nonvar/1, type/2, isatom/1], [noprelude, assertions, nativeprops, isomodes, nortchecks]).
:- use_module(engine(basic_props)).
:- true prop var(X) + native(free(X)).
:- true pred var(X) + (not_further_inst([X]), iso, det).
:- trust success var(X) => var(X).
:- trust comp var(X) + (sideff(free), native, test_type(meta), eval).
:- impl_defined([var/1, nonvar/1, type/2]).
:- true pred type(X,Y) :: atm(Y) => atm(Y) + native.
:- trust pred nonvar(X) : term => nonvar.
:- trust calls nonvar(X) : true.
:- true prop isatom(X) + native.
isatom(X) :- nonvar(X).
