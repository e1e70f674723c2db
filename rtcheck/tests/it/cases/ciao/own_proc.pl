:- module(own_proc, [run/2, run_all/1, opt/1], [assertions, isomodes, fsyntax, hiord, dcg]).
:- use_module(library(process), [process_call/3]).
:- use_module(library(system)).
:- use_module(library(source_tree), [remove_dir/1]).
:- use_module(library(glob), [glob/3]).
:- use_module(library(bundle/bundle_paths), [bundle_path/3]).
:- use_module(library(version_strings), [version_split_patch/3]).
:- use_module(library(format), [format/2, format/3]).
:- use_module(library(aggregates), [findall/3, (^)/2, setof/3]).
:- import(other_module, [foo/1]).
:- reexport(library(lists), [append/3]).
:- reexport(engine(io_basic)).
:- doc(bug, "x").
:- export([f1/1, f2/2]).
:- export(f3/0).
f1(X) :- X == [0'a, 0'\n, 0''].
f2(X, Y) :- X = "abc"||Y.
f3.
:- pred run(in(X), out(Y)) :: atm * list # "runs".
run(X, Y) :- process_call(path(X), [], [stdout(string(Y)), status(_)]).
run_all([]).
run_all([X|Xs]) :- ( run(X, _) -> true ; format(user_error, "no ~w~n", [X]) ), run_all(Xs).
opt(verbose) := ~get(v).
opt(quiet).
get(v) := 1 :- !.
get(_) := 0.
