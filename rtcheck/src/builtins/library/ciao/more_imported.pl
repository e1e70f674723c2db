:- module(ciao_more_imported,
    [is_dir/1, newer/2, find_name/4, rename/2, ugraph/1, stream/1, stream_alias/1, sourcename/1, atm_or_int/1,
     write_option/1, read_option/1, format_control/1, time_option/1, memory_option/1, garbage_collect_option/1,
     symbol_option/1, time_result/1, memory_result/1, num_code/1, arithexpression/1, intexpression/1,
     const_head/1, non_empty_list/1, varname/1, varnamedict/1, t_conj/1, t_disj/1, assert_body_type/1,
     conj_disj_type/1, numlist/1, datime_struct/1, line/1]).

% The same under names that a program imports: mostly the types that such libraries export.

is_dir(Path) :- exists_directory(Path).
newer(File, Other) :- ( \+ exists_file(Other) -> true ; modif_time(File, Time), modif_time(Other, Before), Time > Before ).
find_name([V|Vs], [N|Ns], Var, Name) :- ( V == Var -> Name = N ; find_name(Vs, Ns, Var, Name) ).
rename(_, dic(Vars, Names)) :- named(Vars, Names).
named([], _).
named([V|Vs], [N|Ns]) :- ( var(V) -> V = '$VAR'(N) ; true ), named(Vs, Ns).
% Types.
ugraph(Graph) :- is_list(Graph), forall(member(V, Graph), V = _-_).
stream(S) :- is_stream(S).
stream_alias(S) :- atom(S).
sourcename(Name) :- callable(Name).
atm_or_int(X) :- ( atom(X) -> true ; integer(X) ).
write_option(Option) :- callable(Option).
read_option(Option) :- callable(Option).
format_control(Format) :- ( atom(Format) -> true ; is_list(Format) ).
time_option(Option) :- member(Option, [runtime, usertime, systemtime, walltime]).
memory_option(Option) :- member(Option, [core, memory, heap, program, global_stack, local_stack, trail, choice]).
garbage_collect_option(garbage_collection).
symbol_option(symbols).
time_result([Total, Last]) :- number(Total), number(Last).
memory_result([Used, Free]) :- integer(Used), integer(Free).
num_code(Code) :- integer(Code).
arithexpression(X) :- ( number(X) -> true ; callable(X) ).
intexpression(X) :- ( integer(X) -> true ; callable(X) ).
const_head(Head) :- functor(Head, _, N), N > 0, arg(1, Head, X), atomic(X).
non_empty_list([_|_]).
varname(Name) :- atom(Name).
varnamedict(dic(Vars, Names)) :- is_list(Vars), is_list(Names).
t_conj(Term) :- nonvar(Term), Term = (_, _).
t_disj(Term) :- nonvar(Term), Term = (_ ; _).
assert_body_type(_).
conj_disj_type(Type) :- member(Type, [conj, disj]).
numlist(Numbers) :- is_list(Numbers), maplist(number, Numbers).
datime_struct(datime(_, _, _, _, _, _)).
line(Line) :- ( Line == end_of_file -> true ; is_list(Line) ).
