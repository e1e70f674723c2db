:- module(fd,
    [op(700, xfx, .=.), op(700, xfx, .<>.), op(700, xfx, .<.), op(700, xfx, .=<.), op(700, xfx, .>.),
     op(700, xfx, .>=.), (.=.)/2, (.<>.)/2, (.<.)/2, (.=<.)/2, (.>.)/2, (.>=.)/2, labeling/1]).

% Ciao's package fd: constraints over integers, which are those of library(clpfd).

:- reexport(library(clpfd)).

X .=. Y :- X #= Y.
X .<>. Y :- X #\= Y.
X .<. Y :- X #< Y.
X .=<. Y :- X #=< Y.
X .>. Y :- X #> Y.
X .>=. Y :- X #>= Y.
labeling(Vars) :- label(Vars).
