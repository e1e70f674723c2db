:- module(clpz, [op(150, fx, #)]).

% Scryer Prolog's and SICStus Prolog's name of the constraints over integers.

:- reexport(library(clpfd)).
