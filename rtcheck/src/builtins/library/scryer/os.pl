:- module(os, [getenv/2, setenv/2, unsetenv/1, shell/1, shell/2, pid/1, argv/1, raw_argv/1]).

% Scryer Prolog's library of the operating system, whose texts are lists of characters.

name(Chars, Name) :- must_be(chars, Chars), atom_chars(Name, Chars).

getenv(Key, Value) :- name(Key, K), system:getenv(K, V), atom_chars(V, Value).
setenv(Key, Value) :- name(Key, K), name(Value, V), system:setenv(K, V).
unsetenv(Key) :- name(Key, K), system:unsetenv(K).
shell(Command) :- shell(Command, 0).
shell(Command, Status) :- name(Command, C), system:shell(C, Status).
pid(Pid) :- current_prolog_flag(pid, Pid).
argv(Arguments) :- current_prolog_flag(argv, As), maplist(atom_chars, As, All), ( All = [_|Arguments0] -> Arguments = Arguments0 ; Arguments = [] ).
raw_argv(Arguments) :- current_prolog_flag(argv, As), maplist(atom_chars, As, Arguments).
