% Statistics.

statistics(Key, Value) :- must_be(atom, Key), '$statistics'(Key, Value0), !, Value = Value0.
statistics(Key, _) :- domain_error(statistics_key, Key).
'$statistics'(runtime, [T, D]) :- '$cpu_time'(T), '$since'(runtime, T, D).
'$statistics'(cputime, T) :- '$cpu_nanoseconds'(N), T is N / 1.0e9.
'$statistics'(process_cputime, T) :- '$statistics'(cputime, T).
'$statistics'(process_runtime, V) :- '$statistics'(runtime, V).
'$statistics'(system_time, [0, 0]).
'$statistics'(usertime, [T, D]) :- '$cpu_time'(T), '$since'(usertime, T, D).
'$statistics'(walltime, [T, D]) :- '$wall_time'(T), '$since'(walltime, T, D).
'$statistics'(real_time, [T, D]) :- '$wall_time'(M), T is M // 1000, '$since'(real_time, T, D).
'$statistics'(inferences, N) :- '$inferences'(N).
'$statistics'(epoch, 0.0).
'$statistics'(threads, 1).
% Time since the last question.
'$since'(Key, T, D) :-
    atom_concat('$since ', Key, K),
    ( nb_current(K, T0) -> true ; T0 = 0 ),
    D is T - T0,
    nb_setval(K, T).
get_time(T) :- '$wall_time'(M), T is M / 1000.0.

